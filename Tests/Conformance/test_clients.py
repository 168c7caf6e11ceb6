"""Clients that others wrote, README's first minute as pasted, and our own against a daemon that misbehaves."""

import json
import os
import re
import socket
import subprocess
import threading
import time

import jsonrpcclient
import pytest

import harness


# MARK: a stock JSON-RPC library


def exchange(connection, request):
    connection.send(request.encode() + b"\n")
    return jsonrpcclient.parse_json(connection.line().decode())


def test_a_stock_library(connection, answers):
    pong = exchange(connection, jsonrpcclient.request_json("system.ping"))
    assert isinstance(pong, jsonrpcclient.Ok) and pong.result == {"pong": True}
    made = exchange(connection, jsonrpcclient.request_json("letter.compose", params=answers))
    assert isinstance(made, jsonrpcclient.Ok) and made.result["letter"]["content"]
    by_position = exchange(connection, jsonrpcclient.request_json("journal.get", params=[made.result["journal"]["id"]]))
    assert by_position.result == made.result["journal"]
    error = exchange(connection, jsonrpcclient.request_json("journal.get", params={"id": "nobody"}))
    assert isinstance(error, jsonrpcclient.Error) and error.code == 1101 and error.data["code"] == "not_found"
    for make in (jsonrpcclient.request_uuid, jsonrpcclient.request_random, jsonrpcclient.request_hex):
        request = make("system.ping")
        answer = exchange(connection, json.dumps(request))
        assert isinstance(answer, jsonrpcclient.Ok) and answer.id == request["id"]
    connection.send(jsonrpcclient.notification_json("system.ping").encode() + b"\n")
    batch = exchange(connection, json.dumps([jsonrpcclient.request("system.ping"), jsonrpcclient.notification("system.ping"),
                                             jsonrpcclient.request("no.such")]))
    assert [type(r) for r in batch] == [jsonrpcclient.Ok, jsonrpcclient.Error]


# MARK: README


README = (harness.ROOT / "README.md").read_text()


def blocks():
    """README's first minute: its shell blocks."""
    part = README.split("## A script author's first minute", 1)[1].split("\n## ", 1)[0]
    return re.findall(r"```sh\n(.*?)```", part, re.S)


@pytest.mark.parametrize("number", range(len(blocks()) if "first minute" in README else 0))
def test_readme_as_pasted(daemon, number):
    path = os.pathsep.join([os.path.dirname(harness.binary("kindverb")), "/usr/bin", "/bin"])
    (daemon.run / "kindverb").mkdir(mode=0o700)
    (daemon.run / "kindverb/kindverbd.sock").symlink_to(daemon.socket)
    result = subprocess.run(["bash", "-euo", "pipefail", "-c", blocks()[number]], env=dict(daemon.env, PATH=path),
                            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=30, cwd=daemon.root)
    assert result.returncode == 0 and result.stderr == "", result
    assert "Sam" in result.stdout or "pong" in result.stdout or "friends" in result.stdout, result.stdout


def test_readme_shows_three_ways():
    shown = "\n".join(blocks())
    assert all(word in shown for word in ("socat", "python3", "kindverb call"))


def test_readme_goes_back_to_a_backup(daemon):
    """The steps as they stand, with the daemon stopped and started where systemctl would do it."""
    kept = daemon.call("journal.create", {"conflictType": "friends", "situationText": "kept"})
    daemon.call("system.backup")
    daemon.call("journal.create", {"conflictType": "friends", "situationText": "written after the copy"})
    steps = re.search(r"### Going back to a backup\n.*?```sh\n(.*?)```", README, re.S)[1]
    before, between, after = re.split(r"^systemctl --user .*\n", steps, flags=re.M)
    assert before == "" and "kindverb journal list" in after
    (daemon.root / "kindverb").symlink_to(daemon.data)
    # The newest by its name: neither when a file was touched last nor the kind of a backup matters, nor a number behind the moment.
    backups = daemon.data / "backups"
    made = next(backups.glob("*.db"))
    (backups / "kindverb-19990101T000000Z.db").write_bytes(b"old, and touched last")
    (backups / "kindverb-upgrade-20000101T000000Z.db").write_bytes(b"old")
    made.rename(backups / f"{made.stem}-001.db")
    (backups / made.name).write_bytes(b"made in the same second, before")
    for place in range(2):
        daemon.stop()
        subprocess.run(["bash", "-euo", "pipefail", "-c", between], env=dict(daemon.env, XDG_DATA_HOME=str(daemon.root)), check=True)
        daemon.start()
        assert [item["id"] for item in daemon.call("journal.list")["items"]] == [kept["id"]]
        daemon.call("journal.create", {"conflictType": "friends", "situationText": f"after going back {place}"})
    # Nothing that was put aside is overwritten the second time.
    daemon.stop()
    aside = [path.read_bytes() for path in daemon.data.glob("before-*/kindverb.db*")]
    assert len(list(daemon.data.glob("before-*/kindverb.db"))) == 2
    assert any(b"written after the copy" in text for text in aside) and any(b"after going back 0" in text for text in aside)
    daemon.start()
    assert (daemon.data / "kindverb.db").stat().st_mode & 0o777 == 0o600


def test_readme_names_what_the_configuration_may_hold(daemon_factory):
    example = re.search(r"```json5\n(.*?)```", README, re.S)[1]
    daemon = daemon_factory()
    daemon.config.write_text(example)
    daemon.start()
    assert daemon.call("settings.get") == {"language": None, "effectiveLanguage": "ko"}
    # Every word that the program reads is shown.
    files = (harness.ROOT / "Sources/Daemon/Start").glob("*Configuration.swift")
    source = "".join(file.read_text() for file in files)
    cases = re.findall(r'case ((?:"[\w.]+"(?:, )?)+):', source)
    read = set(re.findall(r"\w+", " ".join(cases))) | set(re.findall(r'inner == "(\w+)"', source))
    words = re.sub("//.*", "", re.sub('"[^"]*"', '""', example))
    assert set(re.findall(r"(\w+):", words)) == read


# MARK: our CLI


def fake(path, behave):
    """A daemon that answers each request as `behave(request, connection)` does."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(path))
    listener.listen()

    def serve():
        while True:
            try:
                connection, _ = listener.accept()
                with connection, connection.makefile("rb") as lines:
                    for line in lines:
                        if line.endswith(b"\n"):
                            behave(json.loads(line), connection)
            except OSError:
                return

    threading.Thread(target=serve, daemon=True).start()
    return listener


def reply(request, protocol="1.0"):
    result = {"pong": True}
    if request["method"] == "system.info":
        result = {"version": "9.9.9", "protocolVersion": protocol, "instance": "x", "state": "ready"}
    return json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}).encode()


def split_terminator(request, connection):
    connection.sendall(reply(request))
    time.sleep(0.05)
    connection.sendall(b"\n")


def byte_by_byte(request, connection):
    for byte in reply(request) + b"\n":
        connection.sendall(bytes([byte]))


def notification_between(request, connection):
    note = b'{"jsonrpc":"2.0","method":"events.changed","params":{"seq":1}}\n'
    other = json.dumps({"jsonrpc": "2.0", "id": 424242, "result": {"no": 1}}).encode() + b"\n"
    connection.sendall(note + other + note + reply(request) + b"\n" + other)


@pytest.mark.parametrize("behave", [split_terminator, byte_by_byte, notification_between], ids=lambda f: f.__name__)
def test_answers_in_odd_pieces(kindverb, tmp_path, behave):
    path = tmp_path / "s"
    with fake(path, behave):
        result = kindverb(None, "--json", "--socket", str(path), "call", "system.ping")
    assert result.returncode == 0 and json.loads(result.stdout) == {"pong": True}, result


@pytest.mark.parametrize("answer", [b"", b"not json\n", b'{"jsonrpc":"2.0","id":1}\n', b"[]\n", b'{"half":'])
def test_answers_that_are_none(kindverb, tmp_path, answer):
    path = tmp_path / "s"
    def behave(request, connection):
        connection.sendall(answer)
        connection.shutdown(socket.SHUT_RDWR)

    with fake(path, behave):
        result = kindverb(None, "--socket", str(path), "call", "system.ping", timeout=10)
    assert result.returncode == 2 and result.stderr and "Fatal" not in result.stderr, result


@pytest.mark.parametrize("protocol, fits", [("1.0", True), ("1.9", True), ("2.0", False), ("0.9", False)])
def test_another_major_version_is_refused_before_any_effect(kindverb, tmp_path, protocol, fits):
    path, asked = tmp_path / "s", []

    def behave(request, connection):
        asked.append(request["method"])
        connection.sendall(reply(request, protocol) + b"\n")

    with fake(path, behave):
        result = kindverb(None, "--json", "--socket", str(path), "call", "journal.delete", "id=x")
    assert ("journal.delete" in asked) == fits, (asked, result)
    if not fits:
        assert result.returncode in (1, 2) and result.stderr.count("\n") == 1 and protocol in result.stderr


@pytest.mark.parametrize("text", ["007", "1e5", "true", "null", '{"a":1}', 'a"b', "a=b", ":=", " x ", "", "é한", "a\nb"])
def test_the_schema_decides_the_type(daemon, kindverb, text):
    result = kindverb(daemon, "--json", "call", "journal.create", "conflictType=friends", f"situationText={text}")
    assert result.returncode == 0, result
    assert json.loads(result.stdout)["situationText"] == text


def test_colon_equals_forces_json(daemon, kindverb):
    result = kindverb(daemon, "--json", "call", "journal.create", "conflictType=friends", 'feelings:=["sad","a b"]')
    assert [f["label"] for f in json.loads(result.stdout)["feelings"]] == ["sad", "a b"]
    result = kindverb(daemon, "call", "journal.create", "conflictType=friends", "feelings:=[")
    assert result.returncode == 3 and result.stderr
    error = kindverb(daemon, "call", "journal.create", "conflictType=friends", "situationText:=007")
    assert error.returncode in (1, 3) and error.stderr


@pytest.mark.parametrize("method", ['bad "method"', "journal.creat", ""])
def test_a_bad_method_is_named(daemon, kindverb, method):
    result = kindverb(daemon, "call", method)
    assert result.returncode in (1, 3) and result.stderr.strip(), result


def test_it_reads_standard_input_only_when_asked(daemon, kindverb):
    script = [harness.binary("kindverb"), "--json", "call", "system.ping"]
    env = dict(daemon.env, KINDVERB_SOCKET=str(daemon.socket))
    process = subprocess.Popen(script, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert harness.ends_within(process, 5) == 0
    process.stdin.close()
    closed = subprocess.run(script, env=env, stdin=None, capture_output=True, preexec_fn=lambda: os.close(0))
    assert closed.returncode == 0
    piped = kindverb(daemon, "--json", "call", "journal.create", "-", input='{"conflictType":"friends","situationText":"piped"}')
    assert json.loads(piped.stdout)["situationText"] == "piped"


def test_exit_codes(daemon, kindverb):
    assert kindverb(daemon, "call", "system.ping").returncode == 0
    assert kindverb(daemon, "call", "journal.get", "id=nobody").returncode == 1
    assert kindverb(None, "--socket", "/no/such/socket", "call", "system.ping").returncode == 2
    assert kindverb(daemon, "no-such-verb").returncode == 3


def test_unknown_stream_verbs_get_a_hint(daemon, kindverb):
    result = kindverb(daemon, "call", "events.changed")
    assert result.returncode in (1, 3) and result.stderr.strip()


@pytest.mark.figures
def test_a_long_listing_is_linear(daemon, kindverb):
    """Pages from the far end cost what the first one costs, and the CLI shows one in no time."""
    count = 5_000
    with daemon.connect() as connection:
        items = [{"jsonrpc": "2.0", "id": n, "method": "journal.create",
                  "params": {"conflictType": "friends", "situationText": "x" * 100}} for n in range(100)]
        for _ in range(count // 100):
            connection.exchange(json.dumps(items).encode())
        times, seen, before = [], 0, {}
        while before is not None:
            begin = time.monotonic()
            page = connection.call("journal.list", {"limit": 200, **before})
            times.append(time.monotonic() - begin)
            seen += len(page["items"])
            before = {"before": page["next"]} if "next" in page else None
        assert seen == count and min(times[-5:]) < 3 * min(times[:5]) + 0.005
    begin = time.monotonic()
    result = kindverb(daemon, "journal", "list", "--limit", "200")
    assert result.returncode == 0 and time.monotonic() - begin < 2


@pytest.mark.figures
@pytest.mark.long
@pytest.mark.timeout(600)
def test_a_hundred_thousand_journals(daemon, kindverb):
    """All of them are listed, in memory for one page; the oldest is found by its text and by the beginning of its id."""
    count = 100_000
    with daemon.connect() as connection:
        first = connection.call("journal.create", {"conflictType": "friends", "situationText": "the oldest of all, 가장 오래된"})["id"]
        items = [{"jsonrpc": "2.0", "id": n, "method": "journal.create",
                  "params": {"conflictType": "friends", "situationText": "x" * 100}} for n in range(100)]
        batch = json.dumps(items).encode()
        for _ in range(count // 100 - 1):
            connection.exchange(batch)
        last = [connection.call("journal.create", {"conflictType": "friends", "situationText": "x"})["id"] for _ in range(99)]
    command = [harness.binary("kindverb"), "--json", "journal", "list", "--all"]
    env = dict(daemon.env, KINDVERB_SOCKET=str(daemon.socket))
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE) as process:
        head = process.stdout.read(1 << 20)
        # It has shown a megabyte of many, and waits for its reader.
        resident = harness.memory(process.pid)[0]
        whole = json.loads(head + process.stdout.read())
    assert process.returncode == 0 and "next" not in whole and resident < 40 << 20
    ids = [item["id"] for item in whole["items"]]
    assert len(set(ids)) == len(ids) == count and ids[-1] == first and ids[:99] == last[::-1]
    rows = kindverb(daemon, "journal", "list", "--all", timeout=300).stdout
    assert rows.count("\n") == count and rows.splitlines()[-1].startswith(first[-8:])
    for words in ("the oldest of", "오래된"):
        found = json.loads(kindverb(daemon, "--json", "journal", "search", words).stdout)["items"]
        assert [item["id"] for item in found] == [first]
    assert kindverb(daemon, "journal", "search", "nowhere in any of them").stdout == ""
    assert len(json.loads(kindverb(daemon, "--json", "journal", "search", "x", "--limit", "200").stdout)["items"]) == 200
    assert json.loads(kindverb(daemon, "--json", "journal", "show", first[:13], timeout=300).stdout)["id"] == first


def test_no_runtime_directory(daemon, kindverb):
    result = kindverb(None, "call", "system.ping", env={"HOME": "/nonexistent"})
    assert result.returncode in (0, 2)
    if result.returncode == 2:
        assert f"/run/user/{os.geteuid()}" in result.stderr or "XDG_RUNTIME_DIR" in result.stderr
