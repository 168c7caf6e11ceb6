"""JSON-RPC 2.0: ids, notifications, batches, parameters."""

import json

import pytest


@pytest.mark.parametrize("ident", [
    "1", "0", "-0", "1.0", "1e2", "12345678901234567890123", '""', '"a1"', '"\\u0061"', '"\\/"', '"é"', "null", " 7 "])
def test_ids_come_back_byte_for_byte(connection, ident):
    connection.send(f'{{"jsonrpc":"2.0","id":{ident},"method":"system.ping"}}\n'.encode())
    assert connection.line() == f'{{"jsonrpc":"2.0","id":{ident.strip()},"result":{{"pong":true}}}}\n'.encode()


@pytest.mark.parametrize("ident", ["{}", "[]", "true", "false"])
def test_ids_of_other_types(connection, ident):
    reply = connection.exchange(f'{{"jsonrpc":"2.0","id":{ident},"method":"system.ping"}}'.encode())
    assert reply["error"]["code"] == -32600 and reply["id"] is None and reply["error"]["data"]["field"] == "id"


@pytest.mark.parametrize("member, request_", [
    ("jsonrpc", {"jsonprc": "2.0", "id": "a1", "method": "system.info"}),
    ("jsonrpc", {"jsonrpc": "1.0", "id": "a1", "method": "system.info"}),
    ("jsonrpc", {"jsonrpc": 2.0, "id": "a1", "method": "system.info"}),
    ("method", {"jsonrpc": "2.0", "id": "a1"}),
    ("method", {"jsonrpc": "2.0", "id": "a1", "method": 1}),
    ("params", {"jsonrpc": "2.0", "id": "a1", "method": "system.ping", "params": 1}),
    ("params", {"jsonrpc": "2.0", "id": "a1", "method": "system.ping", "params": "x"}),
    ("params", {"jsonrpc": "2.0", "id": "a1", "method": "system.ping", "params": None}),
])
def test_an_error_keeps_the_id_and_names_the_member(connection, member, request_):
    reply = connection.exchange(json.dumps(request_).encode())
    assert reply["id"] == "a1" and reply["error"]["code"] == -32600, reply
    assert reply["error"]["data"]["field"] == member
    assert connection.is_quiet()


@pytest.mark.parametrize("body", [
    '"method":"system.ping"', '"method":"no.such.method"', '"method":"journal.get","params":{"id":5}',
    '"method":"journal.create","params":{"nope":1}', '"method":"journal.create","params":{"conflictType":"friends"}'])
def test_a_notification_gets_silence(connection, body):
    connection.send(f'{{"jsonrpc":"2.0",{body}}}\n'.encode())
    assert connection.is_quiet()


def test_a_notification_is_carried_out(daemon):
    with daemon.connect() as connection:
        connection.send(b'{"jsonrpc":"2.0","method":"journal.create","params":{"conflictType":"friends"}}\n')
        assert len(connection.call("journal.list")["items"]) == 1


def test_unknown_methods_name_a_near_one(connection):
    error = connection.fail("journal.creat")
    assert error["code"] == -32601 and error["data"]["nearest"] == "journal.create"
    assert connection.fail("")["code"] == -32601


def test_unknown_parameters_name_a_near_one(connection):
    error = connection.fail("journal.create", {"conflictTyp": "friends"})
    assert error["code"] == -32602
    assert error["data"]["field"] == "conflictTyp" and error["data"]["nearest"] == "conflictType"


@pytest.mark.parametrize("name", ["I was so angry", "나는 화가 났다", "hurt-text", "a.b", "x" * 65, "", "1", "conflictType\n"])
def test_a_name_that_may_be_what_a_person_wrote_does_not_come_back(connection, name):
    line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "journal.create", "params": {"conflictType": "friends", name: "x"}})
    reply = connection.exchange(line.encode())
    assert reply["error"]["code"] == -32602 and "field" not in reply["error"]["data"], reply
    assert len(name) < 2 or name not in json.dumps(reply["error"]["data"], ensure_ascii=False)


def test_names_are_compared_byte_by_byte(connection):
    """é in one piece and in two are two names, as RFC 8259 has it; K and the Kelvin sign as well."""
    reply = connection.exchange('{"jsonrpc":"2.0","id":1,"method":"system.ping","x":{"\u00e9":1,"e\u0301":2}}'.encode())
    assert reply["result"] == {"pong": True}
    error = connection.fail("journal.create", {"conflictType": "friends"}, meta={"idempotency\u212aey": "k"})
    assert error["code"] == -32602 and error["data"]["nearest"] == "idempotencyKey" and error["data"]["field"] == "_meta"


def test_parameters_by_position(connection):
    made = connection.call("journal.create", ["friends", "It rained.", ["sad"]])
    assert made["situationText"] == "It rained." and made["feelings"][0]["code"] == "sad"
    assert connection.fail("journal.get", ["a", "b"])["code"] == -32602


OK = {"jsonrpc": "2.0", "id": 1, "method": "system.ping"}
UNKNOWN = {"jsonrpc": "2.0", "id": 2, "method": "no.such"}
BAD = {"jsonrpc": "2.0", "id": 3, "method": "journal.get", "params": {"id": 5}}
NOTE = {"jsonrpc": "2.0", "method": "system.ping"}


def batch(connection, items):
    return connection.exchange(json.dumps(items).encode())


def test_one_bad_item_does_not_spoil_a_batch(connection):
    replies = batch(connection, [OK, UNKNOWN, BAD, NOTE, 5])
    assert [(r["id"], r.get("error", {}).get("code")) for r in replies] == [(1, None), (2, -32601), (3, -32602), (None, -32600)]


@pytest.mark.parametrize("items, answers", [([OK, NOTE], 1), ([NOTE, OK], 1), ([NOTE, NOTE, OK, OK], 2)])
def test_batches_with_notifications(connection, items, answers):
    assert [r["id"] for r in batch(connection, items)] == [1] * answers


def test_a_batch_of_notifications_gets_nothing(connection):
    connection.send(json.dumps([NOTE, NOTE]).encode() + b"\n")
    assert connection.is_quiet()


@pytest.mark.parametrize("line", [b"[]", b"null", b"1", b'"x"', b"true", b"{}"])
def test_junk_gets_one_error(connection, line):
    reply = connection.exchange(line)
    assert isinstance(reply, dict) and reply["id"] is None and reply["error"]["code"] == -32600
    assert connection.is_quiet()


@pytest.mark.parametrize("line, count", [(b"[1]", 1), (b"[null]", 1), (b"[[]]", 1), (b"[1,2,3]", 3), (b"[{}]", 1)])
def test_junk_in_a_batch_gets_an_error_each(connection, line, count):
    replies = connection.exchange(line)
    assert [(r["id"], r["error"]["code"]) for r in replies] == [(None, -32600)] * count


def test_a_batch_over_the_limit(connection):
    limit = connection.call("system.info")["limits"]["batchCalls"]
    items = [dict(OK, id=number) for number in range(limit + 1)]
    assert len(batch(connection, items[:limit])) == limit
    reply = batch(connection, items)
    error = reply[0]["error"] if isinstance(reply, list) else reply["error"]
    assert error["data"]["messageKey"] == "error.rpc.batch_too_large" and error["data"]["limit"] == limit
    assert connection.is_quiet()


def test_a_batch_whose_replies_exceed_the_limit(daemon):
    """Calls are run while there is room for replies; those after it are refused by name and not run."""
    with daemon.connect() as connection:
        limit = connection.call("system.info")["limits"]["replyBytes"]
        text = "x" * 500
        params = {"conflictType": "friends", "situationText": text, "hurtText": text, "reflectionText": text,
                  "desiredNeedText": text}
        create = [{"jsonrpc": "2.0", "id": n, "method": "journal.create", "params": params} for n in range(100)]
        for _ in range(2):
            batch(connection, create)
        page = {"jsonrpc": "2.0", "method": "journal.list", "params": {"limit": 200}}
        one = len(json.dumps(connection.call("journal.list", {"limit": 200})))
        count = limit // one + 3
        assert count < 90
        items = [dict(page, id=n) for n in range(count)] + [dict(create[0], id=n) for n in range(count, 99)]
        connection.send(json.dumps(items).encode() + b"\n")
        line = connection.line()
        assert len(line) <= limit + 1
        replies = json.loads(line)
        assert [r["id"] for r in replies] == list(range(99))
        refused = [r["error"] for r in replies if "error" in r]
        assert {e["code"] for e in refused} == {-32003} and refused[0]["data"]["limit"] == limit
        assert "result" in replies[0]
        assert "next" not in connection.call("journal.list", {"limit": 200}), "a call that was refused was run"
        assert connection.is_quiet()


def test_items_of_a_batch_run_in_order(connection):
    made = connection.call("journal.create", {"conflictType": "friends", "situationText": "0"})
    items = [{"jsonrpc": "2.0", "id": n, "method": "journal.update", "params": {"id": made["id"], "situationText": str(n)}}
             for n in range(1, 50)]
    assert [r["result"]["situationText"] for r in batch(connection, items)] == [str(n) for n in range(1, 50)]
    assert connection.call("journal.get", {"id": made["id"]})["situationText"] == "49"


def test_a_failed_call_undoes_only_itself(connection):
    create = {"jsonrpc": "2.0", "method": "journal.create"}
    before = len(connection.call("journal.list", {"limit": 200})["items"])
    replies = batch(connection, [
        dict(create, id=1, params={"conflictType": "friends"}), dict(create, id=2, params={"conflictType": "couple"}),
        dict(create, id=3, params={"conflictType": "friends"})])
    assert ["result" in r for r in replies] == [True, False, True]
    assert len(connection.call("journal.list", {"limit": 200})["items"]) == before + 2


def test_the_same_id_twice_in_flight(connection):
    """Both are answered, or the second is refused as a duplicate; never silence."""
    search = b'{"jsonrpc":"2.0","id":7,"method":"journal.search","params":{"query":"x"}}\n'
    connection.send(search + search)
    replies = [connection.reply(), connection.reply()]
    assert [r["id"] for r in replies] == [7, 7]
    for reply in replies:
        assert "result" in reply or reply["error"]["data"]["messageKey"] == "error.rpc.duplicate_id"
    assert connection.is_quiet()
    assert connection.call("rpc.cancel", {"id": 7}) == {"cancelled": False}


def test_waiting_calls_have_a_limit(connection):
    limit = connection.call("system.info")["limits"]["callsInFlight"]
    calls = 4 * limit
    connection.send(b"".join(
        b'{"jsonrpc":"2.0","id":%d,"method":"journal.search","params":{"query":"x"}}\n' % n for n in range(calls)))
    replies = [connection.reply() for _ in range(calls)]
    assert sorted(r["id"] for r in replies) == list(range(calls))
    for reply in replies:
        assert "result" in reply or reply["error"]["code"] == -32001, reply
    assert connection.is_quiet()


# MARK: options of a call


def test_dry_run_changes_nothing(daemon, answers):
    with daemon.connect() as connection:
        letter = connection.call("letter.compose", answers, meta={"dryRun": True})["letter"]
        assert letter["content"]
        assert connection.call("journal.list")["items"] == []
        assert connection.fail("letter.get", {"id": letter["id"]})["data"]["code"] == "not_found"


def test_an_idempotent_retry_makes_one(daemon):
    params = {"conflictType": "friends", "situationText": "once"}
    first = daemon.call("journal.create", params, meta={"idempotencyKey": "key"})
    daemon.restart()
    assert daemon.call("journal.create", params, meta={"idempotencyKey": "key"}) == first
    assert len(daemon.call("journal.list")["items"]) == 1
    for method, other in (("journal.create", dict(params, situationText="twice")), ("letter.compose", params)):
        error = daemon.fail(method, other, meta={"idempotencyKey": "key"})
        assert error["data"]["messageKey"] == "error.rpc.idempotency_conflict"
    daemon.call("journal.delete", {"id": first["id"]})
    error = daemon.fail("journal.create", params, meta={"idempotencyKey": "key"})
    assert error["data"]["messageKey"] == "error.rpc.idempotency_gone"
    assert daemon.call("journal.list")["items"] == []


def test_a_retry_ignores_spelling(daemon):
    with daemon.connect() as connection:
        frame = '{"jsonrpc":"2.0","id":1,"method":"journal.create","params":{%s,"_meta":{"idempotencyKey":"k"}}}'
        first = connection.exchange((frame % '"conflictType":"friends","situationText":"a"').encode())
        again = connection.exchange((frame % ' "situationText" : "\\u0061" , "conflictType" : "friends"').encode())
        assert first == again
        nulls = connection.exchange((frame % '"hurtText":null,"conflictType":"friends","feelings":null,"situationText":"a"').encode())
        assert first == nulls


@pytest.mark.parametrize("meta, field", [
    ({"deadlineMs": 0}, "deadlineMs"), ({"deadlineMs": "1"}, "deadlineMs"), ({"deadlineMs": 600_001}, "deadlineMs"),
    ({"idempotencyKey": ""}, "idempotencyKey"), ({"idempotencyKey": "x" * 129}, "idempotencyKey"),
    ({"dryRun": 1}, "dryRun"), ({"language": "jp"}, "language"), ({"dryrun": True}, "dryrun")])
def test_options_are_checked(connection, meta, field):
    error = connection.fail("journal.create", {"conflictType": "friends"}, meta=meta)
    assert error["code"] == -32602 and error["data"]["field"] == f"_meta.{field}"


def test_options_must_be_an_object(connection):
    error = connection.fail("system.ping", {"_meta": 5})
    assert error["code"] == -32602 and error["data"]["field"] == "_meta"


def test_a_deadline_that_is_far_away_changes_nothing(connection):
    assert connection.call("system.ping", meta={"deadlineMs": 60_000}) == {"pong": True}
