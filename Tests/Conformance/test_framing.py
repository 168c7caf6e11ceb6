"""Bytes into lines, and lines into JSON: whatever comes, one named error and a connection that lives."""

import json
import select
import subprocess
import time

import pytest

import harness

PING = b'{"jsonrpc":"2.0","id":%d,"method":"system.ping"}\n'
PONG = b'{"jsonrpc":"2.0","id":%d,"result":{"pong":true}}\n'


def parse_error(connection, line, reason=None):
    """Sends a line that is no JSON; checks its one answer and that the connection is usable afterwards."""
    reply = connection.exchange(line)
    assert reply["id"] is None and reply["error"]["code"] == -32700, reply
    data = reply["error"]["data"]
    assert data["messageKey"] == "error.rpc.parse_error" and data["retriable"] is False
    assert isinstance(data["offset"], int) and 0 <= data["offset"] <= len(line), data
    if reason:
        assert data["reason"] == reason, data
    assert connection.is_quiet()
    return data


def test_half_a_message_harms_nobody(daemon_factory):
    daemon = daemon_factory(config={"limits": {"partialLineMs": 2000}}).start()
    assert daemon.call("system.info")["limits"]["partialLineMs"] == 2000
    with daemon.connect() as half, daemon.connect() as other:
        half.send(b'{"jsonrpc":"2.0","id":1,"met')
        before = harness.cpu_seconds(daemon.pid)
        assert other.is_quiet()
        assert half.is_closed(timeout=8)
        assert other.is_quiet()
        assert harness.cpu_seconds(daemon.pid) - before < 0.5
        harness.until(lambda: other.call("system.stats")["connections"] == 1, what="the connection's end")
        assert other.call("journal.list")["items"] == []


def test_half_a_message_that_drips_on_is_no_reason_to_wait(daemon_factory):
    daemon = daemon_factory(config={"limits": {"partialLineMs": 2000}}).start()
    with daemon.connect() as half:
        # Whole lines in between are no half line; what begins after them has its own time.
        for number in range(3):
            half.send(PING % number + b" ")
            assert half.line() == PONG % number
        half.send(b'{"x":"')
        for _ in range(100):
            half.send(b"x")
            if select.select([half.socket], [], [], 0.2)[0]:
                assert half.is_closed()
                return
        raise AssertionError("still there after twenty seconds")


def test_a_line_may_come_in_pieces(connection):
    for byte in PING % 1:
        connection.send(bytes([byte]))
    assert connection.line() == PONG % 1


def test_a_thousand_requests_in_one_write(connection):
    connection.send(b"".join(PING % number for number in range(1000)))
    assert [connection.line() for _ in range(1000)] == [PONG % number for number in range(1000)]
    assert connection.is_quiet()


def test_crlf_blank_lines_and_a_last_line_without_lf(shared):
    assert shared.raw(b"\r\n\n  \n" + (PING % 1).replace(b"\n", b"\r\n") + (PING % 2).rstrip()) == PONG % 1 + PONG % 2


def test_half_close_still_gets_every_reply(shared):
    calls = 500
    assert shared.raw(b"".join(PING % number for number in range(calls))).count(b"\n") == calls


def test_half_close_after_a_line_that_fills_a_whole_turn(shared):
    """However long the last line takes, the connection ends once it is answered."""
    line = b'{"jsonrpc":"2.0","id":1,"method":"system.ping","params":[' + b"1," * 400_000 + b"1]}"
    assert shared.raw(line).count(b"-32602") == 1


def test_a_reply_is_one_line_and_the_connection_stays_open(connection):
    for number in (1, 2):
        connection.send(PING % number)
        assert connection.line() == PONG % number
    assert connection.is_quiet()


def test_literal_backslash_n_after_the_request(shared):
    answer = shared.raw(b'{"jsonrpc":"2.0","id":0,"method":"system.info"}\\n\\n')
    assert answer.count(b"\n") == 1
    error = json.loads(answer)
    assert error["id"] is None and error["error"]["code"] == -32700
    assert error["error"]["data"]["reason"] == "trailing_text" and error["error"]["data"]["offset"] == 47


@pytest.mark.parametrize("line, reason", [
    (b'{"jsonrpc":"2.0","id":1,"method":}', "unexpected_character"),
    (b'{"jsonrpc":"2.0","id":1,"method":"system.ping"', "unexpected_end"),
    (b'{"jsonrpc":"2.0","id":1,"method":"system.ping"} {}', "trailing_text"),
    (b'{"jsonrpc":"2.0","id":1,"id":2,"method":"system.ping"}', "duplicate_name"),
    (b'{"jsonrpc":"2.0","id":1,"method":"system.ping","params":{"a":1,"\\u0061":2}}', "duplicate_name"),
    (b'{"jsonrpc":"2.0","id":1,"method":"journal.create","params":{"feelings":[12x3]}}', None),
    (b"{'jsonrpc':'2.0'}", "unexpected_character"),
    (b'{"jsonrpc":"2.0","id":1,"method":"system.ping",}', None),
    (b'[1,]', None), (b"// a comment", None), (b"NaN", None), (b"Infinity", None), (b"tru", None), (b"nul", None),
    (b'{"id":01}', "invalid_number"), (b'{"id":+1}', None), (b'{"id":.5}', None), (b'{"id":1.}', "invalid_number"),
    (b'{"id":-}', "invalid_number"), (b'{"id":1e}', "invalid_number"), (b'{"id":0x10}', None), (b'{"id":- 1}', "invalid_number"),
    (b'"\\x41"', "invalid_escape"), (b'"\\u12g4"', "invalid_escape"), (b'"\\U0001F438"', "invalid_escape"),
    (b"\xef\xbb\xbf{}", None),
])
def test_what_is_no_json(connection, line, reason):
    parse_error(connection, line, reason)


@pytest.mark.parametrize("place", [
    b'{"jsonrpc":"2.0","id":1,"method":"journal.create","params":{"conflictType":"friends","situationText":"%s"}}',
    b'{"jsonrpc":"2.0","id":1,"method":"journal.create","params":{"conflictType":"friends","%s":"x"}}',
    b'{"jsonrpc":"2.0","id":"%s","method":"journal.create","params":{"conflictType":"friends"}}',
    b'{"jsonrpc":"2.0","id":1,"method":"%s"}',
], ids=["value", "name", "id", "method"])
@pytest.mark.parametrize("text", [rb"\uDFF3", rb"\uD83D", rb"\uD83D\u0041", rb"\uD83Dx", rb"\ud83d\ud83d"])
def test_lone_surrogates(shared, connection, place, text):
    before = connection.call("journal.list")["items"]
    parse_error(connection, place.replace(b"%s", text), "lone_surrogate")
    assert connection.call("journal.list")["items"] == before


@pytest.mark.parametrize("text", [
    b"\xc3\x28", b"\xed\xa0\x80", b"\xc0\xaf", b"\xf5\x80\x80\x80", b"\xe2\x82", b"\x80", b"\xff", b"\xf0\x80\x80\x80",
    b"\xf4\x90\x80\x80", b"\xe0\x9f\xbf"])
def test_bad_utf8_is_never_repaired(connection, text):
    line = b'{"jsonrpc":"2.0","id":1,"method":"journal.create","params":{"conflictType":"friends","situationText":"' + text
    before = connection.call("journal.list")["items"]
    data = parse_error(connection, line + b'"}}', "invalid_utf8")
    assert len(line) - len(text) <= data["offset"] <= len(line)
    assert connection.call("journal.list")["items"] == before


def test_bad_utf8_cut_at_the_end_of_the_line(connection):
    parse_error(connection, b'{"jsonrpc":"2.0","id":1,"method":"\xe2\x82')


@pytest.mark.parametrize("byte", [0, 1, 8, 9, 0x0B, 0x0D, 0x1F])
def test_raw_control_characters(connection, byte):
    parse_error(connection, b'{"jsonrpc":"2.0","id":1,"method":"a' + bytes([byte]) + b'b"}', "control_character")


def test_nesting(connection):
    begin = time.monotonic()
    parse_error(connection, b"[" * 200_000, "depth")
    assert time.monotonic() - begin < 1
    parse_error(connection, b'{"jsonrpc":"2.0","id":1,"method":"x","params":' + b"[" * 65 + b"]" * 65 + b"}", "depth")
    deep = b'{"jsonrpc":"2.0","id":1,"method":"no.such","params":' + b"[" * 59 + b"]" * 59 + b"}"
    assert connection.exchange(deep)["error"]["code"] == -32601


def test_a_line_over_the_limit(shared, connection):
    limit = connection.call("system.info")["limits"]["requestBytes"]
    frame = b'{"jsonrpc":"2.0","id":1,"method":"system.ping","params":{}%s}'
    fits = frame % (b" " * (limit - len(frame) + 2))
    assert len(fits) == limit
    assert connection.exchange(fits) == {"jsonrpc": "2.0", "id": 1, "result": {"pong": True}}
    for excess in (1, limit * 3):
        reply = connection.exchange(fits + b" " * excess)
        assert reply["id"] is None and reply["error"]["code"] == -32003, reply
        assert reply["error"]["data"]["limit"] == limit
        assert connection.is_quiet()


@pytest.mark.figures
def test_a_line_without_end_does_not_grow_the_daemon(shared, connection):
    with shared.connect() as endless:
        before = harness.memory(shared.pid)[0]
        for _ in range(32):
            endless.send(b"x" * (1 << 20))
        assert connection.is_quiet()
        assert harness.memory(shared.pid)[0] < before + (16 << 20)


def test_http_gets_one_answer(shared):
    curl = subprocess.run(
        ["curl", "-sS", "-m", "5", "-i", "--unix-socket", str(shared.socket), "http://localhost/"],
        capture_output=True, text=True)
    assert curl.stdout.startswith("HTTP/1.1 4") or curl.stdout.startswith("HTTP/1.0 4"), (curl.stdout, curl.stderr)
    assert curl.returncode == 0 and curl.stdout.count("-32600") == 1, "one answer, and not one a header line"
    answer = shared.raw(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}")
    assert answer.count(b"HTTP/1.") == 1 and answer.count(b"-32700") == 0


def test_text_in_the_middle_of_a_session_is_no_http(connection):
    assert connection.is_quiet()
    parse_error(connection, b"GET /")
    parse_error(connection, b"GET / HTTP/1.1")
    assert connection.is_quiet()


def test_a_fast_client_does_not_starve_another(shared):
    """Ten thousand calls waiting on one connection; another's single call is answered long before they are done."""
    with shared.connect() as greedy, shared.connect() as modest:
        greedy.socket.setblocking(False)
        flood = b"".join(PING % number for number in range(20_000))
        sent = greedy.socket.send(flood)
        begin = time.monotonic()
        assert modest.is_quiet()
        assert time.monotonic() - begin < 1
        assert sent > 0
