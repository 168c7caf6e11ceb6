"""A daemon in directories of its own, and a client that sees every byte."""

import json
import os
import pathlib
import select
import selectors
import shutil
import signal
import socket
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
WAIT = float(os.environ.get("KINDVERB_TEST_WAIT", "20"))
SANITIZER = os.environ.get("KINDVERB_SANITIZER")


def binary(name):
    """The program under test: named by the environment, else the newest build."""
    given = os.environ.get(name.upper())
    if given:
        return os.path.abspath(given)
    built = [ROOT / place / name for place in (".make/bin", ".build/release", ".build/debug")]
    built = sorted((b for b in built if b.exists()), key=lambda b: b.stat().st_mtime)
    if not built:
        raise RuntimeError(f"{name} is not built; run `swift build`")
    return str(built[-1])


def ends_within(process, seconds=WAIT):
    """The exit status, or a failure when the process goes on."""
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        raise AssertionError(f"still running after {seconds} s") from None


def until(condition, seconds=WAIT, every=0.02, what="the condition"):
    """Waits for a condition and gives its value; for what no event tells."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"{what} did not come true in {seconds} s")
        time.sleep(every)


class LineProgram:
    """A program that a test drives line by line, in JSON. Who derives from it has `process`, `buffer` (b"" at first) and `errors()`."""

    def ask(self, do, **values):
        self.process.stdin.write(json.dumps({"do": do, **values}).encode() + b"\n")
        self.process.stdin.flush()

    def event(self, seconds=WAIT):
        """The next thing that happened."""
        until = time.monotonic() + seconds
        while b"\n" not in self.buffer:
            ready, _, _ = select.select([self.process.stdout], [], [], max(0, until - time.monotonic()))
            assert ready, f"nothing happened in {seconds} s"
            chunk = os.read(self.process.stdout.fileno(), 1 << 16)
            assert chunk, f"it ended: {self.errors()}"
            self.buffer += chunk
        line, self.buffer = self.buffer.split(b"\n", 1)
        return self.heard(line)

    def heard(self, line):
        """What a line says."""
        return json.loads(line)


class Connection:
    """One client connection; lines are read as bytes."""

    def __init__(self, path, timeout=WAIT):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(timeout)
        self.socket.connect(str(path))
        self.buffer = b""
        self.events = []
        self.last_id = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data)

    def half_close(self):
        self.socket.shutdown(socket.SHUT_WR)

    def line(self, timeout=WAIT):
        """The next line with its LF; b'' at the end of the stream."""
        self.socket.settimeout(timeout)
        while b"\n" not in self.buffer:
            chunk = self.socket.recv(1 << 16)
            if not chunk:
                rest, self.buffer = self.buffer, b""
                return rest
            self.buffer += chunk
        line, self.buffer = self.buffer.split(b"\n", 1)
        return line + b"\n"

    def rest(self, timeout=WAIT):
        """Everything until the daemon closes."""
        lines = []
        while line := self.line(timeout):
            lines.append(line)
        return lines

    def message(self, timeout=WAIT):
        line = self.line(timeout)
        assert line.endswith(b"\n"), f"the daemon closed the connection: {line!r}"
        return json.loads(line)

    def reply(self, timeout=WAIT):
        """The next answer; notifications on the way are kept in `events`."""
        while True:
            message = self.message(timeout)
            if isinstance(message, dict) and "method" in message:
                self.events.append(message)
            else:
                return message

    def event(self, timeout=WAIT):
        if self.events:
            return self.events.pop(0)
        message = self.message(timeout)
        assert "method" in message, message
        return message

    def exchange(self, data, timeout=WAIT):
        """Sends bytes and a line feed, and gives the one answer."""
        self.send(data if data.endswith(b"\n") else data + b"\n")
        return self.reply(timeout)

    def ask(self, method, params=None, meta=None, timeout=WAIT):
        """The whole reply to a call."""
        self.last_id += 1
        request = {"jsonrpc": "2.0", "id": self.last_id, "method": method}
        if meta:
            params = dict(params or {}, _meta=meta)
        if params is not None:
            request["params"] = params
        reply = self.exchange(json.dumps(request, ensure_ascii=False).encode(), timeout)
        assert reply["id"] == self.last_id, reply
        return reply

    def call(self, method, params=None, meta=None, timeout=WAIT):
        """The result of a call that must succeed."""
        reply = self.ask(method, params, meta, timeout)
        assert "result" in reply, reply
        return reply["result"]

    def fail(self, method, params=None, meta=None, timeout=WAIT):
        """The error of a call that must fail."""
        reply = self.ask(method, params, meta, timeout)
        assert "error" in reply, reply
        return reply["error"]

    def is_quiet(self):
        """Whether the connection is alive and has nothing pending: a ping's answer is the very next line."""
        self.send(b'{"jsonrpc":"2.0","id":"quiet?","method":"system.ping"}\n')
        return self.message() == {"jsonrpc": "2.0", "id": "quiet?", "result": {"pong": True}}

    def is_closed(self, timeout=WAIT):
        """Whether the daemon ends the stream, with nothing before its end."""
        try:
            return self.line(timeout) == b""
        except ConnectionResetError:
            return True


class Daemon:
    """One instance of kindverbd with a socket, data and configuration of its own."""

    def __init__(self, config=None, env=None, program=None, root=None):
        self.root = pathlib.Path(root or tempfile.mkdtemp(prefix="kv-", dir="/tmp"))
        self.run = self.root / "run"
        self.data = self.root / "data"
        self.home = self.root / "home"
        self.socket = self.run / "kindverbd.sock"
        self.config = self.root / "config.json5"
        self.program = program or binary("kindverbd")
        self.log_path = self.root / "log"
        self.process = None
        self.home.mkdir(exist_ok=True)
        self.run.mkdir(mode=0o700, exist_ok=True)
        if config is not None:
            self.config.write_text(json.dumps(config))
        self.env = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "XDG_RUNTIME_DIR": str(self.run),
            **{k: v for k, v in os.environ.items() if k.endswith("SAN_OPTIONS")},
            **(env or {}),
        }
        self.notify_path = str(self.root / "notify")
        self.notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.notify.bind(self.notify_path)
        self.told = []

    def arguments(self):
        arguments = [self.program, "--socket", str(self.socket), "--data-dir", str(self.data)]
        if self.config.exists():
            arguments += ["--config", str(self.config)]
        return arguments

    def spawn(self, arguments=None, **options):
        """Starts the program without waiting for anything."""
        env = dict(self.env, NOTIFY_SOCKET=self.notify_path, **options.pop("env", {}))
        with open(self.log_path, "ab") as log:
            return subprocess.Popen(
                arguments or self.arguments(), env=env, stdin=subprocess.DEVNULL, stdout=log, stderr=log, **options)

    def start(self, **options):
        """Starts it and waits for its READY=1."""
        self.told = []
        self.process = self.spawn(**options)
        self.wait_told("READY=1")
        return self

    def wait_told(self, wanted, seconds=WAIT):
        """Waits until the service manager would have been told `wanted`."""
        end = time.monotonic() + seconds
        while not any(wanted in message for message in self.told):
            self.notify.settimeout(0.1)
            try:
                self.told.append(self.notify.recv(4096).decode())
                continue
            except TimeoutError:
                pass
            assert self.process.poll() is None, f"exit status {self.process.returncode}: {self.log()}"
            assert time.monotonic() < end, f"never told {wanted}: {self.told} {self.log()}"

    def hear(self):
        """Takes in all that the service manager has been told so far; true, so that it can stand in a condition."""
        self.notify.settimeout(0)
        try:
            while True:
                self.told.append(self.notify.recv(4096).decode())
        except BlockingIOError:
            return True

    def refuses_to_start(self, seconds=WAIT, **options):
        """Exit status and log of a start that must fail."""
        before = len(self.log())
        status = ends_within(self.spawn(**options), seconds)
        return status, self.log()[before:]

    def log(self):
        return self.log_path.read_text(errors="replace") if self.log_path.exists() else ""

    @property
    def pid(self):
        return self.process.pid

    def connect(self, timeout=WAIT):
        return Connection(self.socket, timeout)

    def call(self, method, params=None, meta=None, timeout=WAIT):
        with self.connect() as connection:
            return connection.call(method, params, meta, timeout)

    def fail(self, method, params=None, meta=None):
        with self.connect() as connection:
            return connection.fail(method, params, meta)

    def raw(self, data, timeout=WAIT):
        """Sends bytes, half-closes, and gives all that comes back."""
        with self.connect() as connection:
            connection.send(data)
            connection.half_close()
            return b"".join(connection.rest(timeout))

    def stop(self, expect=0):
        """Ends it by SIGTERM, which must give status 0."""
        if self.process is None:
            return
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.terminate()
        status = ends_within(self.process)
        self.process = None
        assert status == expect, f"status {status}: {self.log()[-2000:]}"

    def kill9(self):
        self.process.kill()
        self.process.wait()
        self.process = None

    def restart(self):
        self.stop()
        return self.start()

    def close(self):
        """Ends whatever still runs and removes the directories; a sanitizer's finding is a failure."""
        try:
            if self.process is not None and self.process.poll() is None:
                self.stop()
            log = self.log()
            for mark in ("ERROR: AddressSanitizer", "WARNING: ThreadSanitizer", "ERROR: LeakSanitizer", "Fatal error"):
                assert mark not in log, log[-6000:]
        finally:
            self.notify.close()
            shutil.rmtree(self.root, ignore_errors=True)


def memory(pid):
    """(resident, anonymous) bytes of a process."""
    values = {}
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        name, _, value = line.partition(":")
        if value.strip().endswith("kB"):
            values[name] = int(value.split()[0]) * 1024
    return values["VmRSS"], values["RssAnon"]


def cpu_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def read_until_idle(connection, seconds):
    """All bytes that come until nothing came for `seconds`."""
    selector = selectors.DefaultSelector()
    selector.register(connection.socket, selectors.EVENT_READ)
    while selector.select(seconds):
        chunk = connection.socket.recv(1 << 16)
        if not chunk:
            break
        connection.buffer += chunk
    data, connection.buffer = connection.buffer, b""
    return data
