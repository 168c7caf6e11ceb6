#!/usr/bin/env python3
"""The budgets, measured beside ovsdb-server in the same run, as a table of ratios. Made by `make bench`; never a test."""
import datetime, json, os, pathlib, re, signal, socket, statistics, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PROGRAM = os.environ.get("KINDVERBD", ROOT + "/.build/release/kindverbd")
CLIENT = os.environ.get("BENCH_CLIENT", ROOT + "/.build/bench-client")
# The same daemon with a clock that can be set and drafts that are not counted.
UNCOUNTED = ROOT + "/.build/release/TimedDaemon"
sys.path.insert(0, ROOT + "/Tests/Conformance")
import behaviours, gemini
from certificates import Certificates
STORED = int(os.environ.get("BENCH_JOURNALS", "100000"))
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "5"))

PING = '{"jsonrpc":"2.0","id":1,"method":"system.ping"}'
CREATE = ('{"jsonrpc":"2.0","id":1,"method":"journal.create","params":{"conflictType":"friends",'
          '"situationText":"We had agreed to meet at seven and I came at eight."}}')
NEWEST = '{"jsonrpc":"2.0","id":1,"method":"journal.list","params":{"limit":5}}'
# A month out of the middle of a hundred years, with all that a day can have.
DAYS = 36525
MONTH = "1976-05"
CALENDAR = '{"jsonrpc":"2.0","id":1,"method":"health.calendar.get","params":{"month":"%s"}}' % MONTH
ECHO = '{"method":"echo","params":[],"id":1}'
INSERT = ('{"method":"transact","params":["bench",{"op":"insert","table":"journal","row":{"situationText":'
          '"We had agreed to meet at seven and I came at eight.","createdAt":1}},{"op":"commit","durable":true}],"id":1}')
SCHEMA = {"name": "bench", "version": "1.0.0", "tables": {"journal": {"isRoot": True, "columns": {
    "situationText": {"type": "string"}, "createdAt": {"type": "integer"}}}}}


def load(path, clients, count, ending, request):
    words = subprocess.run([CLIENT, path, str(clients), str(count), ending, request], capture_output=True, text=True, check=True)
    return [float(word) for word in words.stdout.split()]


def connect(path):
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(path)
    return connection, connection.makefile("rb")


def start(path, data, extra=()):
    begin = time.monotonic()
    notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    name = path + ".notify"
    if os.path.exists(name):
        os.unlink(name)
    notify.bind(name)
    notify.settimeout(30)
    begin = time.monotonic()
    # The daily backup comes a minute after a start that finds changes: work of its own, which would be counted as idleness.
    config = path + ".json5"
    with open(config, "w") as file:
        file.write("{ backup: { automatic: false } }")
    daemon = subprocess.Popen([PROGRAM, "--socket", path, "--data-dir", data, "--config", config], stderr=subprocess.DEVNULL,
                              env={**os.environ, "NOTIFY_SOCKET": name})
    while b"READY=1" not in notify.recv(4096):
        pass
    return daemon, (time.monotonic() - begin) * 1000


def stop(daemon):
    daemon.send_signal(signal.SIGTERM)
    daemon.wait(30)


def fill(path):
    """Stores the journals, in batches."""
    connection, file = connect(path)
    params = {"conflictType": "friends", "situationText": "We had agreed to meet at seven and I came at eight. " * 3,
              "feelings": ["sad", "guilty"], "hurtText": "You waited in the rain.", "desiredNeedText": "To be able to rely on each other."}
    batch = json.dumps([{"jsonrpc": "2.0", "id": n, "method": "journal.create", "params": params} for n in range(100)]).encode() + b"\n"
    for _ in range(STORED // 100):
        connection.sendall(batch)
        file.readline()


def fill_readings(path):
    """Stores a hundred years of readings up to today, in batches."""
    connection, file = connect(path)
    today = datetime.date.today()
    calls = []
    for day in range(DAYS):
        date = (today - datetime.timedelta(days=day)).isoformat()
        slots = ("morning", "evening") if date.startswith(MONTH) else ("morning",)
        calls += [("health.record.set", {"slot": slot, "systolic": 120 + day % 30, "diastolic": 80, "dateIso": date}) for slot in slots]
        if len(slots) == 2:
            calls.append(("health.weight.set", {"weightKg": 68.4, "dateIso": date}))
    for start in range(0, len(calls), 100):
        batch = [{"jsonrpc": "2.0", "id": n, "method": method, "params": params}
                 for n, (method, params) in enumerate(calls[start : start + 100])]
        connection.sendall(json.dumps(batch).encode() + b"\n")
        file.readline()


def memory(pid):
    text = open(f"/proc/{pid}/status").read()
    return [int(re.search(name + r":\s+(\d+)", text)[1]) / 1024 for name in ("VmRSS", "RssAnon")]


def wakeups(pid):
    text = open(f"/proc/{pid}/status").read()
    return int(re.search(r"\nvoluntary_ctxt_switches:\s+(\d+)", text)[1])


def pairs(ours, theirs):
    """Both in turn, round by round; the ratio is that of each pair, so that a machine whose speed drifts does not decide it."""
    left, right, ratios = [], [], []
    for _ in range(ROUNDS):
        left.append(ours())
        right.append(theirs())
        ratios.append(left[-1] / right[-1])
    return statistics.median(left), statistics.median(right), statistics.median(ratios)


rows = []


def row(what, measured, peer, ratio, budget, good):
    rows.append((what, measured, peer, ratio, budget, "ok" if good else "MISSED"))


def main():
    with tempfile.TemporaryDirectory(prefix="kindverb-bench-") as base:
        path, data, peer = base + "/k", base + "/data", base + "/o"
        json.dump(SCHEMA, open(base + "/schema", "w"))
        subprocess.run(["ovsdb-tool", "create", base + "/o.db", base + "/schema"], check=True)
        server = subprocess.Popen(["ovsdb-server", f"--remote=punix:{peer}", f"--unixctl={base}/ctl", "--no-chdir", "-vconsole:off", base + "/o.db"])
        daemon, _ = start(path, data)
        try:
            while not os.path.exists(peer):
                time.sleep(0.01)
            fill(path)
            fill_readings(path)
            measure(path, data, peer, daemon)
            hanging(base)
            daemon = restart(path, data, daemon)
            idle(path, daemon)
        finally:
            stop(daemon)
            server.terminate()
            server.wait()
    widths = [max(len(str(r[c])) for r in rows) for c in range(6)]
    for line in rows:
        print("  ".join(str(cell).ljust(width) for cell, width in zip(line, widths)).rstrip())
    return 1 if any(r[5] == "MISSED" for r in rows) else 0


def measure(path, data, peer, daemon):
    rows.append(("what", "kindverbd", "ovsdb-server", "ratio", "budget", ""))
    ours, theirs, ratio = pairs(lambda: load(path, 1, 10000, "lf", PING)[0], lambda: load(peer, 1, 10000, "brace", ECHO)[0])
    row("ping, 1 client, median µs", f"{ours:.1f}", f"{theirs:.1f}", f"{ratio:.2f}", "<= 1.0", ratio <= 1.0)
    ours, theirs, ratio = pairs(lambda: load(path, 1, 2000, "lf", CREATE)[0], lambda: load(peer, 1, 2000, "brace", INSERT)[0])
    row("durable create, 1 client, median µs", f"{ours:.1f}", f"{theirs:.1f}", f"{ratio:.2f}", "<= 1.0", ratio <= 1.0)
    ours, theirs, ratio = pairs(lambda: load(path, 16, 8000, "lf", CREATE)[2], lambda: load(peer, 16, 4000, "brace", INSERT)[2])
    row("durable create, 16 clients, per second", f"{ours:.0f}", f"{theirs:.0f}", f"{ratio:.2f}", ">= 4.0", ratio >= 4.0)
    newest, ping, ratio = pairs(lambda: load(path, 1, 5000, "lf", NEWEST)[0], lambda: load(path, 1, 5000, "lf", PING)[0])
    row(f"newest 5 of {STORED}, median µs", f"{newest:.1f}", f"{ping:.1f} our ping", f"{ratio:.2f}", "<= 2.0", ratio <= 2)
    month, ping, ratio = pairs(lambda: load(path, 1, 5000, "lf", CALENDAR)[0], lambda: load(path, 1, 5000, "lf", PING)[0])
    row("month calendar out of 100 years, median µs", f"{month:.1f}", f"{ping:.1f} our ping", f"{ratio:.2f}", "<= 2.0", ratio <= 2)
    without = statistics.median(load(path, 1, 5000, "lf", CREATE)[1] for _ in range(3))
    stopped = []
    for _ in range(20):
        connection, file = connect(path)
        connection.sendall(b'{"jsonrpc":"2.0","id":1,"method":"events.subscribe"}\n')
        file.readline()
        stopped.append((connection, file))
    beside = statistics.median(load(path, 1, 5000, "lf", CREATE)[1] for _ in range(3))
    row("p99 beside 20 stopped subscribers, µs", f"{beside:.0f}", f"{without:.0f} without", f"{beside / without:.2f}", "<= 2.0", beside <= 2 * without)
    for connection, file in stopped:
        file.close()
        connection.close()


def restart(path, data, daemon):
    times = []
    for _ in range(ROUNDS * 2):
        stop(daemon)
        daemon, ready = start(path, data)
        times.append(ready)
    median = statistics.median(times)
    row(f"exec to READY=1 with {STORED} journals, median ms", f"{median:.1f}", "", "", "<= 30", median <= 30)
    return daemon


def remind(path):
    """Both reminders on, hours away."""
    times = [(datetime.datetime.now() + datetime.timedelta(hours=hours)).strftime("%H:%M") for hours in (3, 9)]
    connection, file = connect(path)
    connection.sendall(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "reminder.settings.set", "params": {
        "morningEnabled": True, "morningTime": times[0], "eveningEnabled": True, "eveningTime": times[1]}}).encode() + b"\n")
    assert b'"result"' in file.readline()
    file.close()
    connection.close()


def hanging(base):
    """Pings of one client while twenty calls of others wait for an AI that says nothing."""
    root = pathlib.Path(base) / "hanging"
    (root / "timed").mkdir(parents=True)
    (root / "timed/uncounted").touch()
    path, certificates = str(root / "k"), Certificates(root)
    with gemini.Gemini(certificates) as ai:
        ai.always(behaviours.silence())
        (root / "gemini-key").write_text(ai.key)
        (root / "gemini-key").chmod(0o600)
        (root / "config.json5").write_text(json.dumps({"ai": {"baseUrl": ai.url}, "network": {"caFile": str(certificates.trusted)}}))
        daemon = subprocess.Popen([UNCOUNTED, "--socket", path, "--data-dir", str(root / "data"), "--config", str(root / "config.json5")],
                                  stderr=subprocess.DEVNULL, env={**os.environ, "TIMED_DIRECTORY": str(root / "timed")})
        while not os.path.exists(path):
            time.sleep(0.01)
        try:
            without, beside, ratio = [], [], []
            ask(path, "ai.consent.set", {"enabled": True})
            for number in range(3):
                without.append(load(path, 1, 20000, "lf", PING)[1])
                waiting = []
                for call in range(20):
                    made = ask(path, "letter.compose", {"conflictType": "friends", "situationText": f"Day {number}, {call}.", "feelings": ["sad"],
                                                        "hurtText": "You waited.", "desiredNeedText": "To rely on each other."})
                    connection, file = connect(path)
                    connection.sendall(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "letter.draft", "params": {
                        "journalId": made["journal"]["id"], "source": "ai"}}).encode() + b"\n")
                    waiting.append((connection, file))
                for _ in waiting:
                    ai.next_request()
                beside.append(load(path, 1, 20000, "lf", PING)[1])
                ratio.append(beside[-1] / without[-1])
                for connection, file in waiting:
                    file.close()
                    connection.close()
            pairs_ = (statistics.median(beside), statistics.median(without), statistics.median(ratio))
            row("ping p99 beside 20 hanging AI calls, µs", f"{pairs_[0]:.0f}", f"{pairs_[1]:.0f} without", f"{pairs_[2]:.2f}", "<= 2.0", pairs_[2] <= 2)
        finally:
            stop(daemon)


def ask(path, method, params):
    connection, file = connect(path)
    connection.sendall(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode() + b"\n")
    result = json.loads(file.readline())["result"]
    file.close()
    connection.close()
    return result


def idle(path, daemon):
    remind(path)
    load(path, 1, 10, "lf", PING)
    time.sleep(3)
    rss, anonymous = memory(daemon.pid)
    row("memory at rest, RSS / anonymous, MiB", f"{rss:.1f} / {anonymous:.1f}", "", "", "<= 20 / <= 6", rss <= 20 and anonymous <= 6)
    burst(path)
    time.sleep(3)
    rss, anonymous = memory(daemon.pid)
    row("memory after a burst, RSS / anonymous, MiB", f"{rss:.1f} / {anonymous:.1f}", "", "", "<= 20 / <= 6", rss <= 20 and anonymous <= 6)
    before = wakeups(daemon.pid)
    time.sleep(60)
    woken = wakeups(daemon.pid) - before
    row("wake-ups in 60 idle seconds, both reminders on", str(woken), "", "", "0", woken == 0)


def burst(path):
    """Large lines, large replies and many connections at once."""
    connections = [connect(path) for _ in range(100)]
    big = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "journal.create", "params": {"conflictType": "x" * 900_000}}).encode() + b"\n"
    page = b'{"jsonrpc":"2.0","id":1,"method":"journal.list","params":{"limit":200}}\n'
    for connection, _ in connections:
        connection.sendall(big + page * 20)
    for connection, file in connections:
        for _ in range(21):
            file.readline()
        file.close()
        connection.close()


if __name__ == "__main__":
    sys.exit(main())
