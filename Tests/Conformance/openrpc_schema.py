"""The rules of the OpenRPC 1.3.2 meta-schema as a JSON Schema (draft 7): which objects there are, what each must and may have.

Every object is closed but for `x-…` members, as in the meta-schema; what stands in a `schema` must itself be a valid schema."""

NAME = {"type": "string", "minLength": 1}
TEXT = {"type": "string"}
URI = {"type": "string", "format": "uri"}


def closed(needed=(), /, **properties):
    return {"type": "object", "required": list(needed), "properties": properties, "patternProperties": {"^x-": {}},
            "additionalProperties": False}


def open_(needed=(), /, **properties):
    return {"type": "object", "required": list(needed), "properties": properties}


def ref(name):
    return {"$ref": f"#/definitions/{name}"}


def either(name):
    return {"oneOf": [ref(name), ref("reference")]}


def many(schema):
    return {"type": "array", "items": schema}


def named(schema):
    return {"type": "object", "patternProperties": {"[0-z]+": schema}}


META_SCHEMA = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    **closed(
        ["info", "methods", "openrpc"],
        openrpc={"enum": ["1.3.2", "1.3.1", "1.3.0", "1.2.6"]}, info=ref("info"), servers=many(ref("server")),
        methods=many({"oneOf": [ref("method"), ref("reference")]}), externalDocs=ref("externalDocs"),
        components=open_(
            schemas=named(ref("schema")), links=named(ref("link")), errors=named(ref("error")), examples=named(ref("example")),
            examplePairings=named(ref("examplePairing")), contentDescriptors=named(ref("contentDescriptor")),
            tags=named(ref("tag")))),
    "definitions": {
        "schema": {"$ref": "http://json-schema.org/draft-07/schema#"},
        "reference": {"type": "object", "required": ["$ref"], "properties": {"$ref": {"type": "string", "format": "uri-reference"}},
                      "additionalProperties": False},
        "error": {"type": "object", "required": ["code", "message"], "additionalProperties": False,
                  "properties": {"code": {"type": "integer"}, "message": TEXT, "data": {}}},
        "license": closed(name=TEXT, url=TEXT),
        "contact": closed(name=TEXT, email=TEXT, url=TEXT),
        "info": closed(["title", "version"], title=TEXT, description=TEXT, termsOfService=URI, version=TEXT,
                       contact=ref("contact"), license=ref("license")),
        "server": closed(["url"], url=URI, name=TEXT, description=TEXT, summary=TEXT, variables=named(
            open_(["default"], default=TEXT, description=TEXT, enum=many(TEXT)))),
        "link": closed(name=NAME, summary=TEXT, method=TEXT, description=TEXT, params={}, server=ref("server")),
        "externalDocs": closed(["url"], url=URI, description=TEXT),
        "method": closed(
            ["name", "params", "result"], name=NAME, description=TEXT, summary=TEXT, servers=many(ref("server")),
            tags=many(either("tag")), paramStructure={"enum": ["by-position", "by-name", "either"]},
            params=many(either("contentDescriptor")), result=either("contentDescriptor"), errors=many(either("error")),
            links=many(either("link")), examples=many(either("examplePairing")), deprecated={"type": "boolean"},
            externalDocs=ref("externalDocs")),
        "tag": closed(["name"], name=NAME, description=TEXT, externalDocs=ref("externalDocs")),
        "example": open_(["name", "value"], name=NAME, summary=TEXT, value={}, description=TEXT),
        "examplePairing": open_(["name", "params", "result"], name=NAME, description=TEXT, params=many(either("example")),
                                result=either("example")),
        "contentDescriptor": closed(["name", "schema"], name=NAME, description=TEXT, summary=TEXT, schema=ref("schema"),
                                    required={"type": "boolean"}, deprecated={"type": "boolean"}),
    },
}
