"""Every method of the contract, called in every wrong way: one reply each, and the daemon lives."""

import json

import jsonschema
import pytest

import contract


def published(name):
    """A type of the contract as a JSON Schema of its own."""

    def convert(schema):
        result = {k: v for k, v in schema.items() if not k.startswith("x-") and k not in ("description", "properties", "items")}
        if "$ref" in result:
            result = {"$ref": "#/definitions/" + result["$ref"].rsplit("/", 1)[-1]}
        if "properties" in schema:
            result["properties"] = {k: convert(v) for k, v in schema["properties"].items()}
            result["additionalProperties"] = False
        if "items" in schema:
            result["items"] = convert(schema["items"])
        return {"anyOf": [result, {"type": "null"}]} if schema.get("x-nullable") else result

    definitions = {key: convert(schema) for key, schema in contract.TYPES.items()}
    definitions["OpenRPC"] = {"type": "object"}
    return {**definitions[name], "definitions": definitions}


def check_result(method, result):
    reference = contract.METHODS[method]["result"]["$ref"].rsplit("/", 1)[-1]
    jsonschema.validate(result, published(reference), jsonschema.Draft7Validator)


def check_error(method, error):
    """An error of a method is one that its contract names, with all that every error has."""
    data = error["data"]
    assert {"domain", "code", "messageKey", "message", "retriable"} <= set(data), error
    known = contract.ERRORS[data["messageKey"]]
    assert (error["code"], data["domain"], data["code"]) == (known["code"], known["domain"], known["name"])
    assert data["retriable"] is known.get("retriable", False) and error["message"]
    assert data["messageKey"] in contract.METHODS[method].get("errors", []) + contract.STANDARD, (method, data["messageKey"])


@pytest.mark.parametrize("method", contract.METHODS)
def test_called_in_every_wrong_way(shared, connection, method):
    for name, params in contract.shapes(method):
        request = {"jsonrpc": "2.0", "id": name, "method": method}
        if params is not None:
            request["params"] = params
        reply = connection.exchange(json.dumps(request).encode())
        assert reply["id"] == name and ("result" in reply) != ("error" in reply), reply
        if "result" in reply:
            check_result(method, reply["result"])
        else:
            check_error(method, reply["error"])
        assert connection.is_quiet(), name
    assert shared.process.poll() is None


@pytest.mark.parametrize("method", contract.METHODS)
def test_params_null(connection, method):
    reply = connection.exchange(f'{{"jsonrpc":"2.0","id":1,"method":"{method}","params":null}}'.encode())
    assert reply["id"] == 1 and reply["error"]["code"] == -32600 and reply["error"]["data"]["field"] == "params"


@pytest.mark.parametrize("method", contract.METHODS)
def test_a_required_parameter_is_named(connection, method):
    required = contract.METHODS[method].get("params", {}).get("required", [])
    if required:
        error = connection.fail(method, {})
        assert error["code"] == -32602 and error["data"]["field"] in required


# Nothing has been changed yet that could be taken back.
NEEDS_MORE = {"health.undo"}


@pytest.mark.parametrize("method", [m for m, c in contract.METHODS.items()
                                    if not c.get("params", {}).get("required") and m not in NEEDS_MORE])
def test_what_needs_nothing_works_with_nothing(daemon, method):
    check_result(method, daemon.call(method))


def test_every_error_of_the_contract_has_a_text_in_every_language():
    catalog = json.loads((contract.ROOT / "Sources/KindVerbAPI/Localizable.xcstrings").read_text())["strings"]
    for key in contract.ERRORS:
        texts = catalog[key]["localizations"]
        assert set(texts) >= {"en", "ko", "ja", "zh-Hans"}, key
        assert len({t["stringUnit"]["value"] for t in texts.values()}) == 4, key


# MARK: the domain's refusals


def test_completing_too_early_names_what_is_missing(connection, answers):
    expected = [("situationText", "situation_empty"), ("feelings", "emotion_empty"), ("hurtText", "hurt_empty"),
                ("desiredNeedText", "want_empty")]
    for field, code in expected:
        params = {k: v for k, v in answers.items() if k != field}
        made = connection.call("journal.create", params)
        error = connection.fail("journal.complete", {"id": made["id"]})
        assert (error["data"]["code"], error["data"]["field"]) == (code, field)
        assert connection.call("journal.get", {"id": made["id"]})["status"] == "draft"
        error = connection.fail("letter.compose", params)
        assert error["data"]["code"] == code


def test_reflection_may_be_skipped(connection, answers):
    del answers["reflectionText"]
    assert connection.call("letter.compose", answers)["letter"]["content"]


def test_a_letter_needs_a_completed_journal(connection, answers):
    made = connection.call("journal.create", answers)
    error = connection.fail("letter.draft", {"journalId": made["id"]})
    assert error["data"]["messageKey"] == "error.journal.not_completed"


def test_a_finalized_letter_cannot_be_edited(connection, answers):
    letter = connection.call("letter.compose", answers)["letter"]
    connection.call("letter.finalize", {"id": letter["id"]})
    error = connection.fail("letter.edit", {"id": letter["id"], "content": "no"})
    assert error["data"]["messageKey"] == "error.letter.finalized"
    assert connection.call("letter.get", {"id": letter["id"]})["content"] == letter["content"]


def test_limits_of_letters(connection, answers):
    letter = connection.call("letter.compose", answers)["letter"]
    assert connection.fail("letter.edit", {"id": letter["id"], "content": "x" * 10_001})["data"]["code"] == "too_long"
    assert connection.fail("letter.edit", {"id": letter["id"], "content": " \n"})["data"]["code"] == "empty"
    assert len(connection.call("letter.edit", {"id": letter["id"], "content": "x" * 10_000})["content"]) == 10_000


def test_limits_of_feelings(connection):
    def code(feelings):
        return connection.fail("journal.create", {"conflictType": "friends", "feelings": feelings})["data"]["code"]

    assert code(["sad"] * 9) == "too_many_feelings"
    assert code(["x" * 25]) == "feeling_too_long"
    assert code([" \t "]) == "feeling_blank" and code([""]) == "feeling_blank"


@pytest.mark.parametrize("kind", ["couple", "parentChild", "siblings", "inLaws"])
@pytest.mark.parametrize("method", ["journal.create", "letter.compose"])
def test_pro_is_asked_in_one_place(connection, answers, kind, method):
    error = connection.fail(method, dict(answers, conflictType=kind))
    assert error["data"]["messageKey"] == "error.entitlement.pro_required"


def test_pages(daemon):
    with daemon.connect() as connection:
        ids = [connection.call("journal.create", {"conflictType": "friends"})["id"] for _ in range(25)]
        seen, before = [], None
        while True:
            page = connection.call("journal.list", {"limit": 10, **({"before": before} if before else {})})
            seen += [item["id"] for item in page["items"]]
            connection.call("journal.create", {"conflictType": "friends"})
            before = page.get("next")
            if before is None:
                break
        assert seen == ids[::-1]
        assert connection.fail("journal.list", {"before": "nonsense"})["code"] == -32602
