"""Descriptors handed over by hand: what is wrong is said, what is foreign is passed over."""

import os
import pathlib
import signal
import socket
import sqlite3

import pytest

import harness

SOCKET = 69


def start(daemon, descriptors, pid=None, count=None):
    """Starts the daemon with `descriptors` as 3, 4 … and the variables of activation."""

    def hand_over():
        copies = [os.dup(d) for d in descriptors]
        for target, copy in enumerate(copies, 3):
            if copy != target:
                os.dup2(copy, target)
            os.set_inheritable(target, True)
        os.environ["LISTEN_PID"] = str(pid or os.getpid())

    # The shell puts its own pid, which exec keeps, into the variable.
    script = f'export LISTEN_PID={pid or "$$"} LISTEN_FDS={len(descriptors) if count is None else count} LISTEN_FDNAMES=a; exec "$@"'
    return daemon.spawn(["/bin/sh", "-c", script, "sh", *daemon.arguments()], preexec_fn=hand_over, close_fds=False)


def listening(path):
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(str(path))
    listener.listen()
    return listener


def test_a_listening_socket_is_taken_and_left_in_place(daemon_factory):
    daemon = daemon_factory()
    with listening(daemon.socket) as listener:
        daemon.process = start(daemon, [listener.fileno()])
        daemon.wait_told("READY=1")
        inode = os.stat(daemon.socket).st_ino
        info = daemon.call("system.info")
        assert info["activation"] == "activated"
        daemon.stop()
        assert os.stat(daemon.socket).st_ino == inode, "an inherited socket is never unlinked"
        # It was not shut down either: another daemon serves the same socket.
        daemon.process = start(daemon, [listener.fileno()])
        assert daemon.call("system.info")["instance"] != info["instance"]


def test_a_client_that_came_before_the_daemon_is_answered(daemon_factory):
    daemon = daemon_factory()
    with listening(daemon.socket) as listener, daemon.connect() as early:
        early.send(b'{"jsonrpc":"2.0","id":1,"method":"journal.list"}\n')
        daemon.process = start(daemon, [listener.fileno()])
        reply = early.reply()
        assert "result" in reply or reply["error"]["code"] == -32004


@pytest.fixture
def slow(daemon_factory):
    """A daemon that needs a while to open its store: it is large, and was not left as a clean stop leaves it."""
    daemon = daemon_factory().start()
    daemon.call("journal.create", {"conflictType": "friends"})
    daemon.stop()
    with sqlite3.connect(daemon.data / "kindverb.db") as database:
        database.execute("""
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 700000)
            INSERT INTO change (topic, entityId, op, at) SELECT 'letter', hex(randomblob(18)), 'updated', 1700000000000 + i FROM n""")
    database.close()
    daemon.told = []
    return daemon


def test_until_the_store_is_open_what_needs_it_is_told_so_at_once(slow):
    """And everything else is answered."""
    with listening(slow.socket) as listener, slow.connect() as early:
        for number, method in enumerate(["system.info", "journal.list", "journal.search", "rpc.discover", "system.ping"]):
            early.send(b'{"jsonrpc":"2.0","id":%d,"method":"%s"}\n' % (number, method.encode()))
        slow.process = start(slow, [listener.fileno()])
        info, *refused, discover, ping = [early.reply() for _ in range(5)]
        assert info["result"]["state"] == "starting" and info["result"]["schema"] is None
        for reply in refused:
            error = reply["error"]
            assert error["code"] == -32004 and error["data"]["messageKey"] == "error.rpc.not_ready", reply
            assert error["data"]["reason"] == "starting" and error["data"]["retriable"] and error["data"]["retryAfterMs"] > 0
        assert "result" in discover and ping["result"] == {"pong": True}
        slow.wait_told("EXTEND_TIMEOUT_USEC=")
        slow.wait_told("READY=1")
        assert len(early.call("journal.list")["items"]) == 1


def test_a_reload_before_the_store_is_open_does_not_tell_that_it_is_ready(slow):
    with listening(slow.socket) as listener, slow.connect() as early:
        early.send(b'{"jsonrpc":"2.0","id":1,"method":"system.info"}\n')
        slow.process = start(slow, [listener.fileno()])
        assert early.reply()["result"]["state"] == "starting"
        slow.process.send_signal(signal.SIGHUP)
        slow.wait_told("READY=1")
        assert early.call("system.info")["state"] == "ready"
        assert not any("RELOADING=1" in message for message in slow.told)
        assert "configuration read anew" in slow.log()


def test_variables_of_another_process_are_passed_over(daemon_factory):
    daemon = daemon_factory()
    with listening(daemon.root / "foreign") as listener:
        daemon.process = start(daemon, [listener.fileno()], pid=1)
        daemon.wait_told("READY=1")
        assert daemon.call("system.info")["activation"] == "bound"


def kinds(root):
    file = os.open(root / "file", os.O_CREAT | os.O_RDWR)
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    datagram = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    pair = socket.socketpair()
    bound = socket.socket(socket.AF_UNIX)
    bound.bind(str(root / "bound"))
    tcp = socket.socket()
    tcp.bind(("127.0.0.1", 0))
    tcp.listen()
    return {"file": file, "udp": udp, "datagram": datagram, "connected": pair[0], "not listening": bound, "tcp": tcp, "keep": pair[1]}


@pytest.mark.parametrize("kind", ["file", "udp", "datagram", "connected", "not listening", "tcp"])
def test_what_is_no_listening_unix_socket(daemon_factory, kind):
    daemon = daemon_factory()
    made = kinds(daemon.root)
    descriptor = made[kind] if isinstance(made[kind], int) else made[kind].fileno()
    try:
        assert harness.ends_within(start(daemon, [descriptor])) == SOCKET
        assert daemon.log().count("\n") == 1 and not daemon.socket.exists()
    finally:
        for value in made.values():
            os.close(value) if isinstance(value, int) else value.close()


def test_two_descriptors(daemon_factory):
    daemon = daemon_factory()
    with listening(daemon.root / "a") as first, listening(daemon.root / "b") as second:
        assert harness.ends_within(start(daemon, [first.fileno(), second.fileno()])) == SOCKET
        assert "2" in daemon.log()


def test_ready_status_and_stopping_are_told_in_order(daemon):
    daemon.process.send_signal(1)
    daemon.wait_told("RELOADING=1")
    reloading = next(i for i, m in enumerate(daemon.told) if "RELOADING=1" in m)
    assert "MONOTONIC_USEC=" in daemon.told[reloading]
    harness.until(lambda: daemon.hear() and any("READY=1" in m for m in daemon.told[reloading + 1:]), what="READY after RELOADING")
    daemon.process.terminate()
    harness.ends_within(daemon.process)
    daemon.process = None
    daemon.hear()
    assert "STATUS=" in daemon.told[0] and "STOPPING=1" in daemon.told[-1]


def test_the_watchdog_is_fed_by_the_loop(daemon_factory):
    """A ping at half the interval, none while the loop stands still."""
    daemon = daemon_factory()
    script = 'export WATCHDOG_USEC=400000 WATCHDOG_PID=$$; exec "$@"'
    daemon.process = daemon.spawn(["/bin/sh", "-c", script, "sh", *daemon.arguments()])
    daemon.wait_told("READY=1")
    harness.until(lambda: daemon.hear() and sum("WATCHDOG=1" in m for m in daemon.told) >= 3, 5, what="three pings")
    environment = pathlib.Path(f"/proc/{daemon.pid}/environ").read_bytes()
    assert b"WATCHDOG_USEC=400000" in environment
