"""The test program that sends requests over HTTP, spoken to in lines; and machines on which names or authorities are others."""

import ctypes
import fcntl
import os
import pathlib
import socket
import struct
import subprocess
import sys
import tempfile
import time

import harness

KEY = "AIzaSentinelKeyThatNobodyMaySee"
# What the environment of the tests may bring along and would change where requests go.
PROXIES = ("HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "NO_PROXY", "no_proxy")


def program():
    """The test program: named by the environment, else the newest build."""
    given = os.environ.get("KINDVERB_FETCHER")
    built = [harness.ROOT / place / "Fetcher" for place in (".build/release", ".build/debug")]
    built = sorted((path for path in built if path.exists()), key=lambda path: path.stat().st_mtime)
    return given or str(built[-1])


class Fetcher(harness.LineProgram):
    """`allowed`: URLs whose hosts may be asked; every request carries a key that must never come back. `system`: it believes the system's
    authorities in place of the tests' own."""

    def __init__(self, certificates, allowed, env=None, kept=60, command=(), system=False):
        self.log = tempfile.TemporaryFile()
        own = {name: value for name, value in os.environ.items() if name not in PROXIES}
        self.process = subprocess.Popen(
            [*command, program()], env={**own, **(env or {})}, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log)
        self.buffer = b""
        self.last = 0
        self.late = []
        self.ask("client", allowed=list(allowed), ca=None if system else str(certificates.trusted), kept=kept)
        self.ask("beat")

    def heard(self, line):
        assert KEY.encode() not in line, line
        return super().heard(line)

    def begin(self, url, method="GET", **values):
        """Sends without waiting; the number of the request."""
        self.last += 1
        self.ask("send", id=self.last, url=url, method=method, secret={"x-goog-api-key": KEY}, **values)
        return self.last

    def answer(self, url, **values):
        """The answer to a request that must have one."""
        number = self.begin(url, **values)
        event = self.event()
        assert (event["event"], event["id"]) == ("answer", number), event
        return event

    def failure(self, url, reason, **values):
        """The failure of a request that must fail for this reason."""
        number = self.begin(url, **values)
        event = self.event()
        assert (event["event"], event["id"]) == ("failure", number), event
        assert event["reason"] == reason, event
        return event

    def cancel(self, number):
        """Cancels a request; its failure, and the seconds until then."""
        start = time.monotonic()
        self.ask("cancel", id=number)
        event = self.event()
        assert (event["event"], event["id"], event["reason"]) == ("failure", number, "cancelled"), event
        return event, time.monotonic() - start

    def state(self):
        """What it tells of itself; fails if anything else has happened."""
        self.ask("ping")
        event = self.event()
        assert event["event"] == "pong", event
        return event

    def descriptors(self):
        return len(list(pathlib.Path(f"/proc/{self.process.pid}/fd").iterdir()))

    def errors(self):
        self.log.seek(0)
        return self.log.read().decode(errors="replace")

    def end(self):
        """Ends it by the end of its input, at once and with success; the longest that its loop was late, in milliseconds."""
        state = self.state()
        assert state["inFlight"] == 0, state
        self.process.stdin.close()
        start = time.monotonic()
        status = harness.ends_within(self.process)
        errors = self.errors()
        assert status == 0, (status, errors[-6000:])
        assert time.monotonic() - start < 5, "it waited for something at its end"
        assert KEY not in errors, errors
        return state["lateness"]

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        for one in (self.process.stdin, self.process.stdout, self.log):
            one.close()


# A machine that is another: `python fetch.py WHAT PROGRAM…` runs a program in mounts of its own, where WHAT is
#   silent, nobody   in a network of its own, too, whose one name server takes every question and answers none, or is not there at all;
#   authorities=DIR  with another directory of the system's authorities.

CLONE_NEWNS, CLONE_NEWUSER, CLONE_NEWNET = 0x00020000, 0x10000000, 0x40000000
MS_BIND, MS_REC, MS_PRIVATE = 4096, 16384, 1 << 18
SIOCSIFFLAGS, IFF_UP = 0x8914, 1
LIBC = ctypes.CDLL(None, use_errno=True)


def elsewhere(what):
    """The command that runs a program there."""
    return [sys.executable, os.path.abspath(__file__), what]


def can_be_elsewhere():
    """Whether this machine lets a process have a network and mounts of its own."""
    return subprocess.run([*elsewhere("nobody"), "/bin/true"], capture_output=True).returncode == 0


def _checked(result):
    if result != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def _apart(namespaces):
    uid, gid = os.getuid(), os.getgid()
    _checked(LIBC.unshare((CLONE_NEWUSER if uid else 0) | CLONE_NEWNS | namespaces))
    if uid:
        pathlib.Path("/proc/self/setgroups").write_text("deny")
        pathlib.Path("/proc/self/uid_map").write_text(f"0 {uid} 1")
        pathlib.Path("/proc/self/gid_map").write_text(f"0 {gid} 1")
    _checked(LIBC.mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None))


def _lay_over(path, other):
    _checked(LIBC.mount(os.fsencode(other), os.fsencode(path), None, MS_BIND, None))


def _without_names(is_silent):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        fcntl.ioctl(one, SIOCSIFFLAGS, struct.pack("16sh", b"lo", IFF_UP))
    for path, text in (("/etc/resolv.conf", "nameserver 127.0.0.1\n"), ("/etc/nsswitch.conf", "hosts: files dns\n")):
        with tempfile.NamedTemporaryFile("w") as file:
            file.write(text)
            file.flush()
            os.chmod(file.name, 0o644)
            _lay_over(path, file.name)
    if is_silent:
        silent = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        silent.bind(("127.0.0.1", 53))
        os.set_inheritable(silent.detach(), True)


def _run(what, arguments):
    kind, _, directory = what.partition("=")
    _apart(0 if kind == "authorities" else CLONE_NEWNET)
    if kind == "authorities":
        _lay_over("/etc/ssl/certs", directory)
    else:
        _without_names(kind == "silent")
    os.execv(arguments[0], arguments)


if __name__ == "__main__":
    _run(sys.argv[1], sys.argv[2:])
