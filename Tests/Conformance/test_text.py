"""Text is kept exactly, or refused by name."""

import json

import pytest

EXACT = {
    "line feed and tab": "a\nb\tc",
    "backspace, form feed, return": "\b\f\r",
    "control": "\u0001\u001f\u007f\u0080",
    "line separators": "a\u2028b\u2029c",
    "quotes": "\"'\\/«»“”",
    "not composed": "e\u0301 \u1112\u1161\u11ab",
    "composed": "é 한",
    "emoji": "👩‍👩‍👧‍👦 🐸 🇰🇷",
    "bidi": "abc \u202eשלום\u202c",
    "noncharacters": "\ufffe\uffff\U0010ffff",
    "replacement": "\ufffd",
    "markup": "<b>&amp;</b> %s %@ ${x} {{y}} \\n",
    "spaces": "  leading and trailing  ",
}


@pytest.mark.parametrize("text", EXACT.values(), ids=EXACT.keys())
@pytest.mark.parametrize("ascii", [True, False], ids=["escaped", "raw"])
def test_stored_exactly(connection, text, ascii):
    request = {"jsonrpc": "2.0", "id": 1, "method": "journal.create",
               "params": {"conflictType": "friends", "situationText": text}}
    connection.send(json.dumps(request, ensure_ascii=ascii).encode() + b"\n")
    line = connection.line()
    made = json.loads(line)["result"]
    assert made["situationText"] == text
    assert connection.is_quiet()
    assert connection.call("journal.get", {"id": made["id"]})["situationText"] == text


@pytest.mark.parametrize("before, after", [("\uac01 é", "\u1100\u1161\u11a8 e\u0301"), ("\u1100\u1161\u11a8", "\uac01")])
def test_a_change_of_spelling_alone_is_a_change(daemon, before, after):
    """Both read the same to a person, and are different texts: what is answered is what is stored and told."""
    with daemon.connect() as connection, daemon.connect() as watcher:
        watcher.call("events.subscribe")
        made = connection.call("journal.create", {"conflictType": "friends", "situationText": before, "addressee": before})
        for field in ("situationText", "addressee"):
            assert connection.call("journal.update", {"id": made["id"], field: after})[field] == after
            assert connection.call("journal.get", {"id": made["id"]})[field] == after
        connection.call("journal.update", {"id": made["id"], "situationText": after})
        assert [watcher.event()["params"]["op"] for _ in range(3)] == ["created", "updated", "updated"] and watcher.is_quiet()


def test_escape_and_raw_character_are_equal(connection):
    frame = b'{"jsonrpc":"2.0","id":1,"method":"journal.create","params":{"conflictType":"friends","situationText":"%s"}}'
    raw, escaped = (connection.exchange(frame.replace(b"%s", text)) for text in ("🐸".encode(), rb"\ud83d\udc38"))
    assert raw["result"]["situationText"] == escaped["result"]["situationText"] == "🐸"


def test_escaped_names_and_methods(connection):
    reply = connection.exchange(rb'{"json\u0072pc":"2.\u0030","i\u0064":1,"m\u0065thod":"system.\u0070ing"}')
    assert reply == {"jsonrpc": "2.0", "id": 1, "result": {"pong": True}}


def test_escaped_nul_is_refused_by_name(connection):
    error = connection.fail("journal.create", {"conflictType": "friends", "situationText": "a\0b"})
    assert error["code"] == -32602 and error["data"]["field"] == "situationText"
    assert all(item["situationText"] != "a" for item in connection.call("journal.list")["items"])


@pytest.mark.parametrize("params, field", [
    ({"conflictType": "friends", "situationText": 12.5}, "situationText"),
    ({"conflictType": "friends", "situationText": True}, "situationText"),
    ({"conflictType": "friends", "situationText": ["x"]}, "situationText"),
    ({"conflictType": 7}, "conflictType"),
    ({"conflictType": "friends", "feelings": "sad"}, "feelings"),
    ({"conflictType": "friends", "feelings": [1]}, "feelings"),
])
def test_a_wrong_type_is_named(connection, params, field):
    error = connection.fail("journal.create", params)
    assert error["code"] == -32602
    assert error["data"]["field"].startswith(field), error
    assert error["data"]["expected"] and error["data"]["got"]


@pytest.mark.parametrize("number, fits", [
    ("1", True), ("1.0", True), ("1e0", True), ("10e-1", True), ("200", True), ("0", False), ("201", False), ("-1", False),
    ("1.5", False), ("1e400", False), ("9223372036854775808", False), ("1e-400", False), ('"1"', False)])
def test_numbers(connection, number, fits):
    request = '{"jsonrpc":"2.0","id":1,"method":"journal.list","params":{"limit":%s}}' % number
    reply = connection.exchange(request.encode())
    assert ("result" in reply) == fits, reply
    if not fits:
        assert reply["error"]["code"] == -32602 and reply["error"]["data"]["field"] == "limit"


@pytest.mark.parametrize("character", ["a", "가", "👩‍👩‍👧‍👦"])
def test_limits_count_what_a_person_counts(connection, character):
    fits = connection.call("journal.create", {"conflictType": "friends", "situationText": character * 300})
    assert fits["situationText"] == character * 300
    error = connection.fail("journal.create", {"conflictType": "friends", "situationText": character * 501})
    assert error["data"]["messageKey"] == "error.journal.too_long"
    assert error["data"]["field"] == "situationText" and error["data"]["limit"] in (500, 8000)


def test_bytes_have_a_limit_too(connection):
    error = connection.fail("journal.create", {"conflictType": "friends", "situationText": "e" + "\u0301" * 5000})
    assert error["data"]["messageKey"] == "error.journal.too_long"
    assert error["data"]["unit"] == "bytes" and error["data"]["limit"] == 8000


@pytest.mark.parametrize("language", ["en", "ko", "ja", "zh-Hans"])
def test_errors_speak_the_asked_language(connection, language):
    params = {"conflictType": "friends", "situationText": "x" * 501}
    data = connection.fail("journal.create", params, meta={"language": language})["data"]
    others = {connection.fail("journal.create", params, meta={"language": other})["data"]["message"]
              for other in {"en", "ko", "ja", "zh-Hans"} - {language}}
    assert data["message"] and data["message"] not in others


def test_nothing_written_gets_into_the_log(daemon, answers):
    secret = "Geheimnis-4711"
    with daemon.connect() as connection:
        connection.call("letter.compose", dict(answers, situationText=secret))
        connection.fail("journal.create", {"conflictType": "friends", "situationText": secret * 100})
        connection.fail("journal.create", {"conflictType": secret})
        connection.fail("journal.create", {secret: 1})
        connection.fail(secret)
        connection.exchange(f'{{"{secret}'.encode())
        connection.call("journal.search", {"query": secret})
    daemon.stop()
    assert secret not in daemon.log()


@pytest.mark.parametrize("query", ["한국", "漢字", "ねこ", "猫", "\u1112\u1161\u11ab\u1100\u116e\u11a8", "CAFÉ", "cafe\u0301"])
def test_search_finds_short_and_composed_words(shared, connection, query):
    text = "우리는 한국에서 漢字 와 ねこ 猫 Café 이야기"
    made = connection.call("journal.create", {"conflictType": "friends", "situationText": text})
    found = connection.call("journal.search", {"query": query})["items"]
    assert made["id"] in [item["id"] for item in found]
    connection.call("journal.delete", {"id": made["id"]})
    assert made["id"] not in [item["id"] for item in connection.call("journal.search", {"query": query})["items"]]


def test_a_deleted_word_is_nowhere_in_the_store(daemon):
    secret = "Vergissmeinnicht-" + "q" * 40
    made = daemon.call("journal.create", {"conflictType": "friends", "situationText": secret},
                       meta={"idempotencyKey": "k1"})
    daemon.call("journal.delete", {"id": made["id"]})
    daemon.stop()
    for path in daemon.data.rglob("*"):
        if path.is_file() and "backups" not in path.parts:
            assert secret.encode() not in path.read_bytes(), path
