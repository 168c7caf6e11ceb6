"""Subscriptions: every committed change, once, in order, across restarts; and readers that do not read."""

import json
import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import harness


def create(connection, count=1):
    """Makes journals; their ids."""
    ids = []
    for start in range(0, count, 100):
        items = [{"jsonrpc": "2.0", "id": n, "method": "journal.create", "params": {"conflictType": "friends"}}
                 for n in range(start, min(start + 100, count))]
        ids += [r["result"]["id"] for r in connection.exchange(json.dumps(items).encode())]
    return ids


def events(connection, count):
    return [connection.event()["params"] for _ in range(count)]


def test_every_change_is_told_once_and_in_order(daemon, answers):
    with daemon.connect() as watcher, daemon.connect() as writer:
        watcher.call("events.subscribe")
        journal = writer.call("journal.create", answers)
        writer.call("journal.complete", {"id": journal["id"]})
        letter = writer.call("letter.draft", {"journalId": journal["id"]})
        writer.call("letter.edit", {"id": letter["id"], "content": "x"})
        writer.call("letter.finalize", {"id": letter["id"]})
        writer.call("settings.set", {"language": "ko"})
        writer.call("letter.delete", {"id": letter["id"]})
        writer.call("journal.delete", {"id": journal["id"]})
        told = events(watcher, 9)
        assert [(e["topic"], e["op"]) for e in told] == [
            ("journal", "created"), ("journal", "completed"), ("notification", "offered"), ("letter", "created"),
            ("letter", "edited"), ("letter", "finalized"), ("settings", "updated"), ("letter", "deleted"), ("journal", "deleted")]
        assert [e["id"] for e in told] == [journal["id"], journal["id"], "consent", letter["id"], letter["id"], letter["id"],
                                           "language", letter["id"], journal["id"]]
        seqs = [e["seq"] for e in told]
        assert seqs == sorted(set(seqs))
        assert watcher.is_quiet()


def test_only_the_topics_that_were_asked_for(daemon, answers):
    with daemon.connect() as watcher, daemon.connect() as writer:
        watcher.call("events.subscribe", {"topics": ["letter"]})
        writer.call("letter.compose", answers)
        assert [e["topic"] for e in events(watcher, 1)] == ["letter"]
        assert watcher.is_quiet()


def test_what_was_not_committed_is_not_told(daemon, answers):
    with daemon.connect() as watcher, daemon.connect() as writer:
        watcher.call("events.subscribe")
        writer.call("journal.create", answers, meta={"dryRun": True})
        writer.fail("journal.create", {"conflictType": "couple"})
        writer.fail("letter.compose", dict(answers, feelings=[]))
        writer.call("journal.create", answers)
        assert len(events(watcher, 1)) == 1 and watcher.is_quiet()


def test_the_reply_comes_before_its_event(daemon):
    with daemon.connect() as connection:
        connection.call("events.subscribe")
        made = connection.call("journal.create", {"conflictType": "friends"})
        assert connection.events == [] and connection.event()["params"]["id"] == made["id"]


def test_a_batch_with_a_call_that_waits_may_be_answered_after_its_events(daemon):
    """Such a batch is answered when its last call is done; what its other calls did is told as soon as it is on disk."""
    with daemon.connect() as connection:
        connection.call("events.subscribe")
        batch = [{"jsonrpc": "2.0", "id": 1, "method": "journal.create", "params": {"conflictType": "friends"}},
                 {"jsonrpc": "2.0", "id": 2, "method": "journal.search", "params": {"query": "x"}}]
        made, found = connection.exchange(json.dumps(batch).encode())
        assert connection.event()["params"]["id"] == made["result"]["id"] and found["result"]["items"] == []
        assert connection.is_quiet()


@pytest.mark.parametrize("end", ["stop", "kill9"])
def test_events_while_nobody_listens(daemon, end):
    with daemon.connect() as watcher:
        create(watcher, 3)
        cursor = watcher.call("events.subscribe", {"topics": ["journal"]})["cursor"]
    with daemon.connect() as writer:
        ids = create(writer, 50)
    getattr(daemon, end)()
    daemon.start()
    with daemon.connect() as watcher:
        answer = watcher.call("events.subscribe", {"topics": ["journal"], "since": cursor})
        assert answer["resumed"] is True
        told = events(watcher, 50)
        assert [e["id"] for e in told] == ids and watcher.is_quiet()
    with daemon.connect() as watcher:
        watcher.call("events.subscribe", {"topics": ["journal"], "since": told[24]["cursor"]})
        assert [e["id"] for e in events(watcher, 25)] == ids[25:] and watcher.is_quiet()


def test_the_first_cursor_resumes(daemon):
    with daemon.connect() as watcher:
        create(watcher, 5)
        cursor = watcher.call("events.subscribe", {"topics": ["journal"]})["cursor"]
    with daemon.connect() as watcher:
        answer = watcher.call("events.subscribe", {"topics": ["journal"], "since": cursor})
        assert answer["cursor"] == cursor and answer["resumed"] and watcher.is_quiet()


@pytest.mark.parametrize("change, reason", [
    (lambda c: {"topics": ["letter"], "since": c}, "other_topics"), (lambda c: {"since": c}, "other_topics"),
    (lambda c: {"topics": ["journal"], "since": "nonsense"}, "malformed"),
    (lambda c: {"topics": ["journal"], "since": ""}, "malformed"),
    (lambda c: {"topics": ["journal"], "since": "9" * 30 + c}, None),
    (lambda c: {"topics": ["journal"], "since": "999999" + c}, "ahead")],
    ids=["other topics", "all topics", "nonsense", "empty", "too large", "ahead"])
def test_a_cursor_that_cannot_be_resumed(shared, connection, change, reason):
    cursor = connection.call("events.subscribe", {"topics": ["journal"]})["cursor"]
    with shared.connect() as other:
        error = other.fail("events.subscribe", change(cursor))
        assert error["data"]["messageKey"] == "error.events.cursor_stale", error
        assert reason is None or error["data"]["reason"] == reason


def test_a_cursor_of_another_store(daemon_factory):
    first, second = daemon_factory().start(), daemon_factory().start()
    cursor = first.call("events.subscribe")["cursor"]
    assert second.fail("events.subscribe", {"since": cursor})["data"]["reason"] == "other_store"


def test_two_subscriptions_of_one_connection(daemon):
    with daemon.connect() as connection, daemon.connect() as writer:
        first, second = (connection.call("events.subscribe")["subscription"] for _ in range(2))
        assert first != second
        create(writer)
        assert {e["subscription"] for e in events(connection, 2)} == {first, second}
        connection.call("events.unsubscribe", {"subscription": first})
        create(writer)
        assert [e["subscription"] for e in events(connection, 1)] == [second] and connection.is_quiet()


def test_a_subscription_belongs_to_its_connection(shared, connection):
    name = connection.call("events.subscribe")["subscription"]
    with shared.connect() as other:
        error = other.fail("events.unsubscribe", {"subscription": name})
        assert error["data"]["messageKey"] == "error.events.subscription_not_found"


def test_subscriptions_have_a_limit(connection):
    limit = connection.call("system.info")["limits"]["subscriptions"]
    for _ in range(limit):
        connection.call("events.subscribe")
    error = connection.fail("events.subscribe")
    assert error["data"]["messageKey"] == "error.events.too_many_subscriptions" and error["data"]["limit"] == limit


READER = """
import socket, sys
s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])
s.sendall(b'{"jsonrpc":"2.0","id":1,"method":"events.subscribe"}\\n' * 4)
print(len(s.recv(100)), flush=True)
while s.recv(65536): pass
"""


def test_a_stopped_subscriber_harms_nobody(daemon_factory):
    """Merge, then one gap, then the end; the others see no delay."""
    daemon = daemon_factory(config={"limits": {"stalledOutputMs": 3000}}).start()
    reader = subprocess.Popen([sys.executable, "-c", READER, str(daemon.socket)], stdout=subprocess.PIPE)
    try:
        assert reader.stdout.readline()
        reader.send_signal(signal.SIGSTOP)
        with daemon.connect() as writer, daemon.connect() as watcher:
            watcher.call("events.subscribe", {"topics": ["journal"]})
            ids, slowest = [], 0.0
            for _ in range(100):
                begin = time.monotonic()
                ids += create(writer, 100)
                slowest = max(slowest, time.monotonic() - begin)
                assert [e["id"] for e in events(watcher, 100)] == ids[-100:]
            assert slowest < 2 * (10 if harness.SANITIZER else 1)
            harness.until(lambda: writer.call("system.stats")["connections"] == 2, what="the end of the stopped reader")
        assert daemon.log().count("took nothing") == 1
    finally:
        reader.kill()
        reader.wait()


def test_a_reader_that_wakes_up_gets_a_gap_and_goes_on(daemon_factory):
    daemon = daemon_factory(config={"limits": {"stalledOutputMs": 600_000}}).start()
    with daemon.connect() as slow, daemon.connect() as writer:
        answer = slow.call("events.subscribe", {"topics": ["journal"]})
        ids = create(writer, 10_000)
        told, last = [], None
        while last != "lagged" and (not told or told[-1] != ids[-1]):
            message = slow.event()
            last = message["method"].split(".")[1]
            if last == "changed":
                told.append(message["params"]["id"])
        if last == "lagged":
            assert message["params"]["subscription"] == answer["subscription"]
            assert message["params"]["missed"] == 10_000 - len(told)
            cursor = message["params"]["cursor"]
            with daemon.connect() as again:
                assert again.call("events.subscribe", {"topics": ["journal"], "since": cursor})["resumed"]
        assert told == ids[: len(told)]
        after = create(writer, 3)
        assert [e["id"] for e in events(slow, 3)] == after and slow.is_quiet()


def final_seq(connection):
    return int(connection.call("events.subscribe")["cursor"].split("-")[0])


@pytest.mark.long
def test_a_slow_but_steady_reader_is_not_dropped(daemon_factory):
    """It takes a part of what happens, all the time, and ends in sync. `make soak` lets it go on for a minute."""
    daemon = daemon_factory(config={"limits": {"stalledOutputMs": 3000}}).start()
    seconds = int(os.environ.get("KINDVERB_SOAK_SECONDS", "12"))
    before = harness.memory(daemon.pid)[0]
    with daemon.connect() as slow, daemon.connect() as writer:
        slow.call("events.subscribe", {"topics": ["journal"]})
        end = time.monotonic() + seconds
        last = []

        def write():
            while time.monotonic() < end:
                last[:] = create(writer, 100)[-1:]

        thread = threading.Thread(target=write)
        thread.start()
        while thread.is_alive():
            slow.buffer += slow.socket.recv(2_000)
            time.sleep(0.02)
        thread.join()
        final = create(writer, 1)[0]
        messages = [json.loads(line) for line in slow.buffer.split(b"\n")[:-1]]
        slow.buffer = slow.buffer.rsplit(b"\n", 1)[-1]
        while True:
            message = slow.event()
            messages.append(message)
            if message["method"] == "events.lagged" or message["params"]["id"] == final:
                break
        seqs = [m["params"]["seq"] for m in messages if m["method"] == "events.changed"]
        assert seqs == sorted(set(seqs))
        grown = harness.memory(daemon.pid)[0] - before
        assert grown < 16 << 20
        print(f"slow reader: {seconds} s, {final_seq(writer)} changes, {len(seqs)} told one by one, memory grew {grown >> 10} KiB")
    assert "took nothing" not in daemon.log()


def test_output_has_a_limit_and_a_reader_that_comes_back_gets_all(daemon):
    """A client that asks and does not read: the daemon stops reading from it, grows no further, and loses no reply."""
    with daemon.connect() as greedy, daemon.connect() as other:
        create(other, 200)
        request = b'{"jsonrpc":"2.0","id":%d,"method":"journal.list","params":{"limit":200}}\n'
        count = 400
        thread = threading.Thread(target=lambda: greedy.send(b"".join(request % n for n in range(count))))
        thread.start()
        harness.until(lambda: other.is_quiet() and other.call("system.stats")["requests"] > 60, what="the burst")
        assert harness.memory(daemon.pid)[0] < 200 << 20 or harness.SANITIZER
        assert [greedy.reply()["id"] for _ in range(count)] == list(range(count))
        thread.join()


# MARK: the CLI as a subscriber


def test_watch_through_a_pipe_is_flushed_line_by_line(daemon):
    watch = subprocess.Popen([harness.binary("kindverb"), "--json", "watch"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             env=dict(daemon.env, KINDVERB_SOCKET=str(daemon.socket)))
    try:
        harness.until(lambda: daemon.call("system.stats")["subscriptions"] == 1, what="the subscription")
        made = daemon.call("journal.create", {"conflictType": "friends"})
        line = watch.stdout.readline()
        assert made["id"].encode() in line
        # Its reader goes away, as `head -1` does: it ends quietly at its next line.
        watch.stdout.close()
        daemon.call("journal.create", {"conflictType": "friends"})
        status = harness.ends_within(watch, 5)
        assert status in (0, -signal.SIGPIPE, 128 + signal.SIGPIPE), status
        assert watch.stderr.read() == b""
    finally:
        if watch.poll() is None:
            os.kill(watch.pid, signal.SIGKILL)
            watch.wait()
