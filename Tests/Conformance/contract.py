"""The contract's source files, and wrong calls made from them."""

import json

from harness import ROOT

DOMAINS = sorted(path.stem for path in (ROOT / "Protocol").glob("*.json"))
FILES = {name: json.loads((ROOT / "Protocol" / f"{name}.json").read_text()) for name in DOMAINS}
TYPES = {name: schema for file in FILES.values() for name, schema in file["types"].items()}
METHODS = {name: method for file in FILES.values() for name, method in file["methods"].items()}
ERRORS = {key: dict(error, domain=error.get("domain", domain)) for domain, file in FILES.items()
          for key, error in file.get("errors", {}).items()}
STANDARD = [key for key in ERRORS if key.startswith(("error.rpc.", "error.storage."))]


def schema_of(schema):
    """A schema with its reference followed."""
    if "$ref" in schema:
        rest = {k: v for k, v in schema.items() if k != "$ref"}
        return {**schema_of(TYPES[schema["$ref"].rsplit("/", 1)[-1]]), **rest}
    return schema


def parameters(method):
    """(name, schema) of a method's parameters, in the contract's order."""
    return [(name, schema_of(schema)) for name, schema in METHODS[method].get("params", {}).get("properties", {}).items()]


def wrong(schema):
    """A value of a type that the schema does not take."""
    return 5 if schema.get("type") in ("string", None) else "five"


def shapes(method):
    """Ways to call a method wrongly or emptily: (name, params or None when absent)."""
    fields = parameters(method)
    yield "absent", None
    yield "{}", {}
    yield "[]", []
    yield "wrong types", {name: wrong(schema) for name, schema in fields} or {"x": 1}
    yield "wrong types by position", [wrong(schema) for _, schema in fields] or [1]
    yield "objects", {name: {"a": 1} for name, _ in fields}
    yield "nulls", {name: None for name, _ in fields}
    yield "empty strings", {name: "" for name, _ in fields}
    yield "one too many", [""] * (len(fields) + 1)
    yield "unknown", {"no such parameter": 1}
    for name, schema in fields:
        if schema.get("maxLength"):
            yield f"long {name}", {name: "x" * (schema["maxLength"] + 1)}
        if schema.get("maxItems"):
            yield f"many {name}", {name: ["x"] * (schema["maxItems"] + 1)}
