"""The document that the daemon serves about itself."""

import copy
import json

import jsonschema
import pytest

import contract
from openrpc_schema import META_SCHEMA


@pytest.fixture
def document(connection):
    return connection.call("rpc.discover")


def test_it_fits_the_meta_schema(document):
    jsonschema.Draft7Validator.check_schema(META_SCHEMA)
    jsonschema.validate(document, META_SCHEMA, jsonschema.Draft7Validator)
    assert document["openrpc"] == "1.3.2"


@pytest.mark.parametrize("spoil", [
    lambda d: d.pop("info"), lambda d: d["methods"][0].pop("params"), lambda d: d["methods"][0].update(extra=1),
    lambda d: d["methods"][0]["result"].pop("schema"), lambda d: d.update(openrpc="9.9.9"),
    lambda d: d["components"]["schemas"].update(Bad={"type": "no such type"})])
def test_a_document_that_does_not_fit_would_be_noticed(document, spoil):
    spoilt = copy.deepcopy(document)
    spoil(spoilt)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(spoilt, META_SCHEMA, jsonschema.Draft7Validator)


def test_it_tells_every_method_with_its_parameters_in_order(document):
    told = {m["name"]: [p["name"] for p in m["params"]] for m in document["methods"]}
    assert told == {name: [p for p, _ in contract.parameters(name)] for name in contract.METHODS}
    assert all(m["summary"] and m["description"] and m["paramStructure"] == "either" for m in document["methods"])


def test_it_tells_every_error(document):
    assert set(document["components"]["errors"]) == set(contract.ERRORS)


def test_every_reference_leads_somewhere(document):
    def walk(value):
        if isinstance(value, dict):
            if isinstance(value.get("$ref"), str):
                target = document
                for part in value["$ref"].removeprefix("#/").split("/"):
                    target = target[part]
            for item in value.values():
                walk(item)
        elif isinstance(value, list):
            for item in value:
                walk(item)

    walk(document)


def test_its_examples_fit_its_schemas(document):
    for method in document["methods"]:
        resultSchema = dict(method["result"]["schema"], components=document["components"])
        for example in method["examples"]:
            jsonschema.validate(example["result"]["value"], resultSchema, jsonschema.Draft7Validator)
            schemas = {p["name"]: p["schema"] for p in method["params"]}
            for param in example["params"]:
                jsonschema.validate(param["value"], dict(schemas[param["name"]], components=document["components"]),
                                    jsonschema.Draft7Validator)


def test_no_name_stands_twice(connection):
    """What no schema can see; a reader of JSON keeps the last of two members of one name without a word."""

    def unique(pairs):
        names = [name for name, _ in pairs]
        assert len(set(names)) == len(names), names
        return dict(pairs)

    connection.send(b'{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}\n')
    document = json.loads(connection.line(), object_pairs_hook=unique)["result"]
    for items in [document["methods"], *(m["params"] for m in document["methods"]), *(m["examples"] for m in document["methods"])]:
        names = [item["name"] for item in items]
        assert len(set(names)) == len(names), names


def test_required_parameters_come_first(document):
    for method in document["methods"]:
        required = [p["required"] for p in method["params"]]
        assert required == sorted(required, reverse=True), method["name"]


def test_everything_explains_itself(document):
    schemas = document["components"]["schemas"]

    def explained(schema):
        if schema.get("description"):
            return True
        inner = [schema, *schema.get("oneOf", [])]
        return any(schemas[s["$ref"].rsplit("/", 1)[-1]].get("description") for s in inner if "$ref" in s)

    missing = [name for name, schema in schemas.items() if not explained(schema)]
    missing += [f"{name}.{member}" for name, schema in schemas.items()
                for member, inner in schema.get("properties", {}).items() if not explained(inner)]
    missing += [f"{m['name']}({p['name']})" for m in document["methods"] for p in m["params"]
                if not p.get("description") and not explained(p["schema"])]
    assert missing == []
