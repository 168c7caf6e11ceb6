"""A session bus of its own with what shows notifications on it: a real dunst on a display of nobody's, or a service that does as told."""

import contextlib
import json
import os
import pathlib
import queue
import select
import shutil
import socket
import subprocess
import tempfile
import threading
import time

from jeepney import DBusAddress, HeaderFields, MessageType, new_error, new_method_return, new_signal
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import open_dbus_connection

import harness

NAME = "org.freedesktop.Notifications"
PATH = "/org/freedesktop/Notifications"
BUS_CONFIG = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path={socket}</listen>
  <servicedir>{services}</servicedir>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
    {policy}
  </policy>
</busconfig>
"""


def end(process):
    """Ends a process that a test started, even one that was stopped."""
    if process.poll() is None:
        process.kill()
    process.wait()


class SessionBus:
    """A dbus-daemon with a socket and services of its own; it can be killed and come back at the same address."""

    def __init__(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="kv-bus-", dir="/tmp"))
        self.socket = self.root / "run/bus"
        self.services = self.root / "services"
        self.services.mkdir()
        self.socket.parent.mkdir(mode=0o700)
        self.address = f"unix:path={self.socket}"
        self.env = {"PATH": os.environ["PATH"], "HOME": str(self.root), "LANG": "C.UTF-8", "DBUS_SESSION_BUS_ADDRESS": self.address,
                    "XDG_RUNTIME_DIR": str(self.socket.parent)}
        self.process = None
        self.policy = ""

    def start(self):
        config = self.root / "bus.conf"
        config.write_text(BUS_CONFIG.format(socket=self.socket, services=self.services, policy=self.policy))
        read, write = os.pipe()
        with open(self.root / "log", "ab") as log:
            self.process = subprocess.Popen(
                ["dbus-daemon", f"--config-file={config}", "--nofork", "--nopidfile", f"--print-address={write}"],
                env=self.env, stdin=subprocess.DEVNULL, stdout=log, stderr=log, pass_fds=[write])
        os.close(write)
        # It says its address once it listens.
        with os.fdopen(read) as said:
            assert said.readline(), (self.root / "log").read_text()
        return self

    def install(self, command):
        """Lets the bus start `command` when somebody asks for the notification service."""
        (self.services / "notifications.service").write_text(f"[D-BUS Service]\nName={NAME}\nExec={command}\n")

    def kill(self):
        end(self.process)

    def close(self):
        if self.process is not None:
            end(self.process)
        shutil.rmtree(self.root, ignore_errors=True)


class Display:
    """An X server that draws into memory; with `-ac` for other users than this one."""

    def __init__(self, *options):
        read, write = os.pipe()
        self.process = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", "800x600x24", "-nolisten", "tcp", *options], pass_fds=[write],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as said:
            self.name = ":" + said.readline().strip()

    def close(self):
        end(self.process)


class Dunst:
    """A real dunst. It is there when it owns the name."""

    def __init__(self, bus, display):
        self.bus, self.display = bus, display
        self.config = bus.root / "dunstrc"
        self.config.write_text("[global]\nfont = Sans 10\nidle_threshold = 0\nstack_duplicates = false\nmarkup = full\n[urgency_normal]\ntimeout = 0\n")
        self.process = None

    def start(self):
        with Watcher(self.bus) as watcher:
            with open(self.bus.root / "dunst.log", "ab") as log:
                self.process = subprocess.Popen(
                    ["dunst", "-config", self.config], env=dict(self.bus.env, DISPLAY=self.display.name),
                    stdin=subprocess.DEVNULL, stdout=log, stderr=log)
            watcher.owner()
        return self

    def kill(self):
        end(self.process)

    def control(self, *arguments):
        result = subprocess.run(["dunstctl", *arguments], env=self.bus.env, capture_output=True, text=True, timeout=harness.WAIT)
        assert result.returncode == 0, (arguments, result)
        return result.stdout

    def displayed(self):
        return int(self.control("count", "displayed"))

    def history(self):
        """What was shown and is gone, newest first: the text as dunst shows it."""
        entries = json.loads(self.control("history"))["data"][0]
        return [{name: value["data"] for name, value in entry.items()} for entry in entries]


class Watcher:
    """Waits for the notification service's name to be owned."""

    def __init__(self, bus):
        self.connection = open_dbus_connection(bus.address)
        rule = ("type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',"
                f"member='NameOwnerChanged',arg0='{NAME}'")
        self.connection.send_and_get_reply(message_bus.AddMatch(rule))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.close()

    def owner(self):
        """The next owner of the name."""
        while True:
            message = self.connection.receive(timeout=harness.WAIT)
            if message.header.fields.get(HeaderFields.member) == "NameOwnerChanged" and message.body[2]:
                return message.body[2]


class FakeService:
    """A notification service that keeps what it gets and answers as it is told.

    `answers` may hold, by a method's name, a function of the message that gives (signature, body), or an error's name."""

    def __init__(self, bus, capabilities=("body", "actions"), flags=0):
        self.capabilities = list(capabilities)
        self.answers = {}
        self.calls = queue.Queue()
        self.numbers = 0
        self.connection = open_dbus_connection(bus.address)
        self.name = self.connection.unique_name
        self.lock = threading.Lock()
        self.ended, self.ending = os.pipe()
        self.owns = queue.Queue()
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()
        # The first call may come before the answer to this one: whoever waited for the answer alone would lose it.
        self.send(message_bus.RequestName(NAME, flags))
        assert self.owns.get(timeout=harness.WAIT) == (1,)

    def serve(self):
        while True:
            ready, _, _ = select.select([self.connection.sock, self.ended], [], [])
            if self.ended in ready:
                return
            with contextlib.suppress(TimeoutError):
                while True:
                    try:
                        message = self.connection.receive(timeout=0)
                    except ConnectionError:
                        return
                    if message.header.message_type == MessageType.method_call:
                        self.answer(message)
                    elif message.header.message_type == MessageType.method_return:
                        self.owns.put(message.body)

    def answer(self, message):
        member = message.header.fields[HeaderFields.member]
        sender = message.header.fields[HeaderFields.sender]
        answer = self.answers.get(member, getattr(self, member, None))
        if callable(answer):
            answer = answer(message)
        if isinstance(answer, str):
            self.send(new_error(message, answer))
        elif answer is not None:
            self.send(new_method_return(message, *answer))
        self.calls.put((member, sender, message.body))

    def send(self, message):
        with self.lock:
            self.connection.send(message)

    def GetCapabilities(self, _):
        return "as", (self.capabilities,)

    def Notify(self, _):
        self.numbers += 1
        return "u", (self.numbers,)

    def CloseNotification(self, message):
        self.signal("NotificationClosed", "uu", (message.body[0], 3))
        return "", ()

    def signal(self, member, signature, body):
        self.send(new_signal(DBusAddress(PATH, interface=NAME), member, signature, body))

    def next(self, member):
        """The sender and arguments of the next call of that method."""
        while True:
            name, sender, body = self.calls.get(timeout=harness.WAIT)
            if name == member:
                return sender, body

    def leave(self):
        """Off the bus, in the middle of whatever it does."""
        self.connection.sock.shutdown(socket.SHUT_RDWR)

    def close(self):
        if self.ending is None:
            return
        os.write(self.ending, b"x")
        self.thread.join(harness.WAIT)
        self.connection.close()
        os.close(self.ended)
        os.close(self.ending)
        self.ending = None


class Notifier(harness.LineProgram):
    """The test program that shows notifications, spoken to in lines."""

    def __init__(self, env):
        self.log = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [program()], env={"PATH": os.environ["PATH"], **{k: v for k, v in os.environ.items() if k.endswith("SAN_OPTIONS")}, **env},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log)
        self.buffer = b""

    def expect(self, event, **values):
        happened = self.event()
        assert happened == {**happened, "event": event, **values}, happened
        return happened

    def show(self, summary="KindVerb", body="It is time.", **values):
        self.ask("show", summary=summary, body=body, **values)

    def ping(self):
        """Seconds that the loop takes to answer; fails if anything else has happened."""
        start = time.monotonic()
        self.ask("ping")
        self.expect("pong")
        return time.monotonic() - start

    def turns(self):
        self.ask("ping")
        return self.expect("pong")["turns"]

    def errors(self):
        self.log.seek(0)
        return self.log.read().decode(errors="replace")

    def end(self):
        """Ends it by the end of its input, which must succeed."""
        self.process.stdin.close()
        status = harness.ends_within(self.process)
        assert status == 0, (status, self.errors()[-6000:])

    def close(self):
        try:
            self.end()
        finally:
            self.process.stdout.close()
            self.log.close()


def program():
    """The test program: named by the environment, else the newest build."""
    given = os.environ.get("KINDVERB_NOTIFIER")
    built = [harness.ROOT / place / "Notifier" for place in (".build/release", ".build/debug")]
    built = sorted((path for path in built if path.exists()), key=lambda path: path.stat().st_mtime)
    return given or str(built[-1])
