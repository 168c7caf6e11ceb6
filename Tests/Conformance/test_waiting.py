"""Calls that take a while: cancelled, too late, or many at once; nobody else waits for them."""

import itertools
import json
import os
import signal
import string
import threading
import time

import pytest

import harness


def line(ident, method, params=None, **meta):
    params = dict(params or {}, **({"_meta": meta} if meta else {}))
    return json.dumps({"jsonrpc": "2.0", "id": ident, "method": method, "params": params}).encode() + b"\n"


def search(ident, **meta):
    return line(ident, "journal.search", {"query": "nowhere to be found"}, **meta)


def replies(connection, count):
    """So many answers by their ids."""
    found = [connection.reply() for _ in range(count)]
    assert len({r["id"] for r in found}) == count
    return {r["id"]: r for r in found}


@pytest.fixture(scope="module")
def full():
    """A daemon with so much to search through that it takes a while."""
    daemon = harness.Daemon().start()
    text = "somewhere else " * 33
    create = {"jsonrpc": "2.0", "method": "journal.create", "params": {
        "conflictType": "friends", "situationText": text, "hurtText": text, "reflectionText": text, "desiredNeedText": text}}
    with daemon.connect() as connection:
        for _ in range(20 if harness.SANITIZER else 100):
            answers = connection.exchange(json.dumps([dict(create, id=n) for n in range(100)]).encode())
            assert all("result" in answer for answer in answers)
    yield daemon
    daemon.close()


def test_a_cancelled_call_is_answered_so(full):
    with full.connect() as connection:
        connection.send(b"".join(search(n) for n in range(8)) + line("c", "rpc.cancel", {"id": 7}) + line("d", "rpc.cancel", {"id": 7}))
        got = replies(connection, 10)
        assert got["c"]["result"] == {"cancelled": True} and got["d"]["result"] == {"cancelled": False}
        assert got[7]["error"]["code"] == -32800 and got[7]["error"]["data"]["messageKey"] == "error.rpc.cancelled"
        assert all(got[n]["result"]["items"] == [] for n in range(7))
        assert connection.is_quiet()
    assert "failed" not in full.log(), "what a client gave up is no failure"


def test_a_call_in_a_batch_is_cancelled_from_outside_it(full):
    with full.connect() as connection:
        batch = [json.loads(search(n)) for n in (1, 2)]
        connection.send(json.dumps(batch).encode() + b"\n" + line("c", "rpc.cancel", {"id": 2}))
        assert connection.reply() == {"jsonrpc": "2.0", "id": "c", "result": {"cancelled": True}}
        first, second = connection.reply()
        assert "result" in first and second["error"]["code"] == -32800


def test_a_search_that_takes_longer_than_its_deadline(full):
    with full.connect() as connection:
        connection.send(b"".join(search(n) for n in range(31)) + search("late", deadlineMs=5))
        got = replies(connection, 32)
        error = got["late"]["error"]
        assert error["code"] == -32002 and error["data"]["messageKey"] == "error.rpc.deadline" and error["data"]["retriable"]
        assert all("result" in got[n] for n in range(31))
        assert connection.is_quiet()


def test_a_write_that_comes_too_late_to_its_turn_changes_nothing(daemon, answers):
    """Behind a batch that takes longer than the deadline, in one piece with it."""
    with daemon.connect() as connection:
        batch = [{"jsonrpc": "2.0", "id": n, "method": "letter.compose", "params": answers} for n in range(100)]
        connection.send(json.dumps(batch).encode() + b"\n" + line("late", "journal.create", {"conflictType": "friends"}, deadlineMs=1))
        assert all("result" in reply for reply in connection.reply())
        late = connection.reply()
        assert late["id"] == "late" and late["error"]["code"] == -32002
        assert len(connection.call("journal.list", {"limit": 200})["items"]) == 100


def test_a_backup_that_is_cancelled_at_once_leaves_no_file(daemon):
    daemon.call("journal.create", {"conflictType": "friends"})
    with daemon.connect() as connection:
        connection.send(line(1, "system.backup") + line(2, "rpc.cancel", {"id": 1}))
        got = replies(connection, 2)
        assert got[1]["error"]["code"] == -32800 and got[2]["result"] == {"cancelled": True}
        made = connection.call("system.backup")["path"]
    assert [str(path) for path in (daemon.data / "backups").iterdir()] == [made]


@pytest.mark.figures
def test_many_searches_keep_nobody_waiting(full):
    """All searches together have one piece of a turn, however many they are."""
    connections = [full.connect() for _ in range(8)]
    try:
        for connection in connections:
            connection.send(b"".join(search(n) for n in range(32)))
        done = []
        threads = [threading.Thread(target=lambda c=c: done.append(replies(c, 32))) for c in connections]
        for thread in threads:
            thread.start()
        slowest, count = 0.0, 0
        with full.connect() as other:
            while any(thread.is_alive() for thread in threads):
                begin = time.monotonic()
                assert other.is_quiet()
                slowest = max(slowest, time.monotonic() - begin)
                count += 1
        for thread in threads:
            thread.join()
        assert len(done) == 8 and all("result" in reply for got in done for reply in got.values())
        assert count > 20 and slowest < 0.25, (count, slowest)
    finally:
        for connection in connections:
            connection.close()


@pytest.mark.figures
@pytest.mark.parametrize("where", ["params", "_meta", "request"])
def test_a_line_of_very_many_members_keeps_nobody_waiting(daemon, where):
    """As long as a line may be; with a key, for which the call is compared with others."""
    letters = string.ascii_letters + string.digits
    many = ",".join(f'"{"".join(name)}":1' for name in itertools.islice(itertools.product(letters, repeat=3), 130_000))
    meta = '"_meta":{"idempotencyKey":"k"%s}' % ("," + many if where == "_meta" else "")
    params = '{"conflictType":"friends",%s%s}' % (many + "," if where == "params" else "", meta)
    request = '{"jsonrpc":"2.0","id":1,"method":"journal.create","params":%s%s}' % (params, "," + many if where == "request" else "")
    assert 1_000_000 < len(request) <= 1 << 20
    with daemon.connect() as one, daemon.connect() as other:
        one.send(request.encode() + b"\n")
        slowest, answered = 0.0, []
        thread = threading.Thread(target=lambda: answered.append(one.reply(60)))
        thread.start()
        while thread.is_alive():
            begin = time.monotonic()
            assert other.is_quiet()
            slowest = max(slowest, time.monotonic() - begin)
        thread.join()
        if where == "request":
            assert "result" in answered[0]
        else:
            assert answered[0]["error"]["code"] == -32602
        assert slowest < 1


def lists(calls=100):
    """A batch that takes a while."""
    return json.dumps([json.loads(line(n, "journal.list", {"limit": 20})) for n in range(calls)]).encode() + b"\n"


def test_who_asks_for_little_does_not_wait_for_the_batches_of_others(full):
    clients = [full.connect() for _ in range(20)]
    for client in clients:
        assert client.call("system.ping") == {"pong": True}
    before = full.call("system.stats")["requests"]
    # All of it is there before the daemon looks, the small call last and on a new connection.
    os.kill(full.pid, signal.SIGSTOP)
    for client in clients:
        client.send(lists())
    with full.connect() as newcomer:
        newcomer.send(line(1, "system.stats"))
        os.kill(full.pid, signal.SIGCONT)
        assert newcomer.reply()["result"]["requests"] - before < 400
    with clients[0] as reader:
        answers = reader.message(timeout=harness.WAIT * 4)
        assert [answer["id"] for answer in answers] == list(range(100))
    for client in clients[1:]:
        client.close()


def test_a_stop_in_the_middle_of_a_batch_answers_what_was_done(daemon_factory):
    daemon = daemon_factory().start()
    calls = [json.loads(line(n, "journal.create", {"conflictType": "friends"})) for n in range(100)]
    with daemon.connect() as connection, daemon.connect() as watcher:
        watcher.call("events.subscribe")
        connection.send(json.dumps(calls).encode() + b"\n")
        watcher.event()
        os.kill(daemon.pid, signal.SIGTERM)
        answers = connection.message()
        assert [answer["id"] for answer in answers] == list(range(100))
        kept = [answer["result"]["id"] for answer in answers if "result" in answer]
        assert all(answer["error"]["code"] == -32004 for answer in answers if "error" in answer)
    assert harness.ends_within(daemon.process) == 0
    daemon.start()
    items = daemon.call("journal.list", {"limit": 200})["items"]
    assert [item["id"] for item in items] == kept[::-1]
