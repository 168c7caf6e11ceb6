#!/usr/bin/env python3
"""kill -9 at random points under load: what was acknowledged is there, what was not is whole or absent, a retry makes one.

    Tests/Crash/run.py [ROUNDS]      the daemon's program is taken from KINDVERBD, else .build/release or .build/debug
"""
import json, os, random, signal, socket, subprocess, sys, tempfile, threading, time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.environ.get("KINDVERBD") or next(
    path for path in (f"{ROOT}/.build/{kind}/kindverbd" for kind in ("release", "debug")) if os.path.exists(path))
CLIENTS = 4


class Connection:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.file = self.socket.makefile("rb")
        self.last = 0

    def call(self, method, **params):
        self.last += 1
        line = {"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}
        self.socket.sendall(json.dumps(line).encode() + b"\n")
        reply = self.file.readline()
        if not reply.endswith(b"\n"):
            raise ConnectionError
        return json.loads(reply)


def start(path, data, log):
    daemon = subprocess.Popen([PROGRAM, "--socket", path, "--data-dir", data], stderr=log, env={**os.environ, "LC_ALL": "C"})
    end = time.monotonic() + 10
    while time.monotonic() < end:
        try:
            connection = Connection(path)
            if connection.call("system.info")["result"]["state"] == "ready":
                return daemon
        except (OSError, ConnectionError):
            if daemon.poll() is not None:
                raise SystemExit(f"the daemon did not start again: status {daemon.returncode}")
            time.sleep(0.002)
    raise SystemExit("the daemon was not ready within 10 s")


def load(path, number, acknowledged, unanswered):
    """Writes until the connection breaks; notes what was acknowledged, and what was sent and not answered."""
    key = None
    try:
        connection = Connection(path)
        for step in range(1_000_000):
            key = f"{number}-{step}-{random.getrandbits(48):x}"
            reply = connection.call(
                "journal.create", conflictType="friends", situationText=f"text of {key} " + "x" * random.randrange(400),
                feelings=["sad", "torn"], _meta={"idempotencyKey": key})
            acknowledged[key] = reply["result"]["id"]
            key = None
    except (OSError, ConnectionError, ValueError):
        if key:
            unanswered.append(key)


def check(path, acknowledged, unanswered):
    connection = Connection(path)
    for key, journal in acknowledged.items():
        reply = connection.call("journal.get", id=journal)
        assert "result" in reply, f"acknowledged and lost: {journal}"
        assert reply["result"]["situationText"].startswith(f"text of {key} "), "an acknowledged text is another"
    for key in unanswered:
        # The same call again, word for word impossible (the text is random): the key alone tells whether it was done.
        first = connection.call("journal.create", conflictType="friends", situationText=f"retry of {key}", _meta={"idempotencyKey": key})
        again = connection.call("journal.create", conflictType="friends", situationText=f"retry of {key}", _meta={"idempotencyKey": key})
        if "result" in first:
            assert again["result"]["id"] == first["result"]["id"], "a retry made two"
            acknowledged[key] = first["result"]["id"]
            assert connection.call("journal.delete", id=acknowledged.pop(key))["result"]["deleted"]
        else:
            # It was done before the kill: then it is there, whole.
            assert first["error"]["data"]["code"] == "idempotency_conflict", first
            found = connection.call("journal.search", query=f"text of {key}")["result"]["items"]
            assert len(found) == 1 and len(found[0]["feelings"]) == 2, "an unanswered write is not whole"


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    limit = time.monotonic() + 20 * 60
    writes = pending = 0
    with tempfile.TemporaryDirectory(prefix="kindverb-crash-") as base, open(base + "/log", "wb") as log:
        path, data = base + "/s", base + "/data"
        done = 0
        recent = {}
        daemon = start(path, data, log)
        for done in range(1, rounds + 1):
            acknowledged, unanswered = {}, []
            threads = [threading.Thread(target=load, args=(path, n, acknowledged, unanswered)) for n in range(CLIENTS)]
            for thread in threads:
                thread.start()
            time.sleep(random.uniform(0.001, 0.25))
            daemon.send_signal(signal.SIGKILL)
            daemon.wait()
            for thread in threads:
                thread.join()
            daemon = start(path, data, log)
            check(path, acknowledged, unanswered)
            writes += len(acknowledged)
            pending += len(unanswered)
            # Writes of earlier rounds are looked at as well, some of them.
            check(path, dict(random.sample(sorted(recent.items()), min(20, len(recent)))), [])
            recent.update(list(acknowledged.items())[-20:])
            if time.monotonic() > limit:
                break
        daemon.send_signal(signal.SIGTERM)
        status = daemon.wait(10)
        assert status == 0, f"the daemon ended with {status}"
    # Whatever was lost, halved or doubled has ended the run above, with a word about it.
    print(f"{done} rounds of kill -9: {writes} acknowledged writes, 0 lost; {pending} unanswered, each whole or absent, none twice")
    if done < rounds:
        sys.exit(f"only {done} of {rounds} rounds fitted into 20 minutes")


if __name__ == "__main__":
    main()
