"""Desktop notifications, on a real bus: with a real dunst, with services that misbehave, and with nobody there."""

import contextlib
import ctypes
import html
import os
import queue
import shutil
import signal
import socket
import threading
import time

import pytest

import bus as desktop
import harness

pytestmark = [
    pytest.mark.xdist_group("desktop"),
    pytest.mark.skipif(not all(map(shutil.which, ("dbus-daemon", "dunst", "Xvfb"))), reason="needs dbus-daemon, dunst and Xvfb"),
]
TRICKY = "엄마 <3 & 아빠 <b>최고</b> &lt;"


@pytest.fixture
def bus():
    bus = desktop.SessionBus()
    yield bus
    bus.close()


@pytest.fixture
def dunst(bus, display):
    bus.start()
    dunst = desktop.Dunst(bus, display).start()
    yield dunst
    dunst.kill()


@pytest.fixture
def notifier_with():
    """Starts the test program with an environment; it must end well."""
    made = []

    def start(env):
        made.append(desktop.Notifier(env))
        return made[-1]

    yield start
    for notifier in made:
        notifier.close()


@pytest.fixture
def notifier(bus, notifier_with):
    return notifier_with(bus.env)


@pytest.fixture
def service(bus):
    """Makes services; at most one at a time has the name."""
    made = []

    def make(**options):
        made.append(desktop.FakeService(bus, **options))
        return made[-1]

    yield make
    for service in made:
        service.close()


def shown(notifier, **values):
    """Shows one; the first time the service is told of as well."""
    notifier.show(**values)
    return notifier.expect("shown")


# A real dunst


def test_dunst_shows_it_once_with_exactly_its_text(dunst, notifier):
    standing = shown(notifier, summary=TRICKY, body=TRICKY, label="지금 기록하기")
    notifier.expect("appeared")
    assert dunst.displayed() == 1
    notifier.ask("close", number=standing["number"], service=standing["service"])
    notifier.expect("closed", number=standing["number"], ending="closed")
    [entry] = dunst.history()
    assert entry["summary"] == TRICKY
    assert html.unescape(entry["body"]) == TRICKY


def test_a_click_is_told_once(dunst, notifier):
    standing = shown(notifier, label="Record now")
    notifier.expect("appeared")
    dunst.control("action", "0")
    notifier.expect("activated", number=standing["number"])
    notifier.ping()
    # dunst leaves it standing, and shows it once however often it is clicked.
    assert dunst.displayed() == 1
    dunst.control("action", "0")
    dunst.control("close")
    notifier.expect("closed", number=standing["number"], ending="dismissed")


def test_dunst_killed_and_restarted(dunst, notifier):
    old = shown(notifier)
    notifier.expect("appeared")
    dunst.kill()
    notifier.expect("closed", number=old["number"], ending="serviceGone")
    dunst.start()
    notifier.expect("appeared")
    new = shown(notifier)
    assert new["service"] != old["service"]
    # The number means the new one to the new dunst.
    assert new["number"] == old["number"]
    notifier.ask("close", number=old["number"], service=old["service"])
    notifier.ping()
    assert dunst.displayed() == 1


def test_dunst_started_late(bus, display, notifier):
    bus.start()
    notifier.show()
    notifier.expect("notShown", reason="noService")
    dunst = desktop.Dunst(bus, display).start()
    try:
        notifier.expect("appeared")
        shown(notifier)
        assert dunst.displayed() == 1
        notifier.ping()
    finally:
        dunst.kill()


def test_what_stands_is_taken_up_by_the_next_process(bus, notifier_with, service):
    bus.start()
    fake = service()
    first = notifier_with(bus.env)
    one, two = shown(first), first.expect("appeared") and shown(first)
    first.end()
    second = notifier_with(bus.env)
    for standing in (one, two, {"number": 7, "service": "0123/:1.2"}):
        second.ask("adopt", number=standing["number"], service=standing["service"])
    second.expect("closed", number=7, ending="serviceGone")
    second.expect("appeared")
    second.ask("close", number=one["number"], service=one["service"])
    second.expect("closed", number=one["number"], ending="closed")
    # The service tells everybody; dunst would tell the process that showed it alone.
    fake.signal("ActionInvoked", "us", (two["number"], "default"))
    second.expect("activated", number=two["number"])


def test_closing_before_the_bus_is_reached(bus, dunst, notifier_with):
    first = notifier_with(bus.env)
    standing = shown(first)
    second = notifier_with(bus.env)
    second.ask("close", number=standing["number"], service=standing["service"])
    second.expect("appeared")
    second.expect("closed", number=standing["number"], ending="closed")
    assert dunst.displayed() == 0


def test_dunst_hangs_and_comes_back(dunst, notifier):
    """What came too late for anybody to know that it was shown is taken away again, and may be tried again."""
    shown(notifier)
    notifier.expect("appeared")
    os.kill(dunst.process.pid, signal.SIGSTOP)
    notifier.show(body="late")
    assert_quick_until(notifier, "notShown", reason="noAnswer")
    notifier.ping()
    os.kill(dunst.process.pid, signal.SIGCONT)
    notifier.expect("appeared")
    shown(notifier, body="again")
    assert dunst.displayed() == 2
    assert [entry["body"] for entry in dunst.history()] == ["late"]


def assert_quick_until(notifier, event, **values):
    """Until that happens the loop answers at once, again and again."""
    slowest, answers = 0, 0
    while True:
        start = time.monotonic()
        notifier.ask("ping")
        happened = notifier.event()
        slowest = max(slowest, time.monotonic() - start)
        if happened["event"] != "pong":
            break
        answers += 1
    assert happened == {**happened, "event": event, **values}
    notifier.expect("pong")
    assert answers > 100 and slowest < 1


# Services that do as told


@pytest.mark.parametrize("markup", [True, False])
def test_the_same_text_with_and_without_markup(bus, notifier, service, markup):
    bus.start()
    fake = service(capabilities=["body", "actions"] + ["body-markup"] * markup)
    standing = shown(notifier, summary=TRICKY, body=TRICKY, label=TRICKY, icon="appointment-soon")
    _, (app, replaces, icon, summary, body, actions, hints, timeout) = fake.next("Notify")
    assert (app, replaces, icon, summary, actions, timeout) == ("KindVerb", 0, "appointment-soon", TRICKY, ["default", TRICKY], -1)
    assert body == ("엄마 &lt;3 &amp; 아빠 &lt;b&gt;최고&lt;/b&gt; &amp;lt;" if markup else TRICKY)
    assert html.unescape(body) == TRICKY or not markup
    assert hints == {"urgency": ("y", 1), "category": ("s", "x-kindverb.reminder"), "desktop-entry": ("s", "kindverb")}
    assert standing["number"] == 1


def test_text_is_cleaned_of_what_the_bus_or_a_line_cannot_hold(bus, notifier, service):
    bus.start()
    fake = service()
    shown(notifier, summary="a\0b\nc\td\x1b[1m", body="one\r\ntwo\x7f\x9b\ufdd0\U0001ffff.", label="--now\n")
    _, arguments = fake.next("Notify")
    assert arguments[3:6] == ("ab c d[1m", "one\ntwo\ufffd\ufffd.", ["default", "--now "])


def test_no_action_for_a_service_that_has_none(bus, notifier, service):
    bus.start()
    fake = service(capabilities=["body"])
    shown(notifier, label="Record now")
    assert fake.next("Notify")[1][5] == []


def test_another_service_is_asked_anew_what_it_can_do(bus, notifier, service):
    bus.start()
    first = service(capabilities=["body-markup"])
    shown(notifier, body="&")
    assert first.next("Notify")[1][4] == "&amp;"
    notifier.expect("appeared")
    shown(notifier, body="&")
    # The same service is not.
    assert first.calls.get(timeout=harness.WAIT)[0] == "Notify" and first.calls.empty()
    first.close()
    assert {notifier.expect("closed", ending="serviceGone")["number"] for _ in range(2)} == {1, 2}
    second = service(capabilities=["body"])
    notifier.expect("appeared")
    shown(notifier, body="&")
    assert second.next("Notify")[1][4] == "&"


@pytest.mark.parametrize("method, answer, event", [
    ("Notify", "org.example.Error", {"event": "notShown", "reason": "refused"}),
    ("Notify", "org.freedesktop.DBus.Error.AccessDenied", {"event": "notShown", "reason": "accessDenied"}),
    ("Notify", ("s", ("1",)), {"event": "notShown", "reason": "badAnswer"}),
    ("Notify", ("uu", (1, 2)), {"event": "notShown", "reason": "badAnswer"}),
    ("Notify", ("", ()), {"event": "notShown", "reason": "badAnswer"}),
    ("Notify", ("i", (-1,)), {"event": "notShown", "reason": "badAnswer"}),
    ("Notify", ("u", (0,)), {"event": "notShown", "reason": "badAnswer"}),
    ("GetCapabilities", "org.example.Error", {"event": "shown"}),
    ("GetCapabilities", ("s", ("body-markup",)), {"event": "shown"}),
])
def test_odd_answers(bus, notifier, service, method, answer, event):
    bus.start()
    fake = service(capabilities=["body-markup"])
    fake.answers[method] = answer
    notifier.show(body="<")
    happened = notifier.event()
    assert happened == {**happened, **event}
    # One that had it in its hands and did not show it is no news.
    if method != "Notify":
        notifier.expect("appeared")
    assert fake.next("Notify")[1][4] == ("&lt;" if method == "Notify" else "<")
    # The next one is shown, once the service behaves.
    fake.answers.clear()
    shown(notifier)


def test_a_service_that_ends_instead_of_answering(bus, notifier, service):
    bus.start()
    fake = service()
    fake.answers["Notify"] = lambda _: fake.leave()
    notifier.show()
    notifier.expect("notShown", reason="noService")
    notifier.ping()


def test_a_service_that_gives_way_before_it_answers(bus, notifier, service):
    """Its number says nothing about the next one's notifications."""
    bus.start()
    calls = queue.Queue()
    old = service(flags=1)  # may be replaced
    old.answers["Notify"] = calls.put
    notifier.show()
    call = calls.get(timeout=harness.WAIT)
    new = service(flags=2)  # replaces
    old.send(desktop.new_method_return(call, "u", (5,)))
    notifier.expect("notShown", reason="noService")
    notifier.expect("appeared")
    number = shown(notifier)["number"]
    new.signal("NotificationClosed", "uu", (5, 1))
    new.signal("NotificationClosed", "uu", (number, 1))
    notifier.expect("closed", number=number)


def test_clicks_closings_and_tokens(bus, notifier, service):
    bus.start()
    fake = service()
    one, two = shown(notifier, label="x")["number"], notifier.expect("appeared") and shown(notifier, label="x")["number"]
    fake.signal("ActivationToken", "us", (one, "token"))
    fake.signal("ActionInvoked", "us", (one, "other"))
    fake.signal("ActionInvoked", "us", (one, "default"))
    notifier.expect("activated", number=one, token="token")
    # A double click, and another program's signal with our number.
    fake.signal("ActionInvoked", "us", (one, "default"))
    other = desktop.open_dbus_connection(bus.address)
    address = desktop.DBusAddress(desktop.PATH, interface=desktop.NAME)
    other.send(desktop.new_signal(address, "NotificationClosed", "uu", (two, 2)))
    assert other.send_and_get_reply(desktop.message_bus.GetId())
    other.close()
    # Other signatures than the standard's.
    fake.signal("ActionInvoked", "u", (two,))
    fake.signal("NotificationClosed", "ss", ("1", "2"))
    fake.signal("NotificationClosed", "uu", (one, 2))
    notifier.expect("closed", number=one, ending="dismissed")
    fake.signal("ActionInvoked", "us", (two, "default"))
    notifier.expect("activated", number=two, token=None)
    for reason, ending in [(1, "expired"), (4, "undefined"), (99, "undefined")]:
        fake.signal("NotificationClosed", "uu", (two, reason))
        notifier.expect("closed", number=two, ending=ending)
        fake.signal("NotificationClosed", "uu", (two, reason))
        two = shown(notifier)["number"]


def test_other_programs_notifications_flood_nobody(bus, notifier, service):
    bus.start()
    fake = service()
    ours = shown(notifier, label="x")["number"]
    notifier.expect("appeared")
    stop = threading.Event()

    def flood():
        while not stop.is_set():
            fake.signal("ActionInvoked", "us", (ours + 1, "default"))
            fake.signal("NotificationClosed", "uu", (ours + 2, 1))

    thread = threading.Thread(target=flood)
    before = harness.memory(notifier.process.pid)[1]
    thread.start()
    try:
        slowest = max(notifier.ping() for _ in range(300))
        fake.signal("ActionInvoked", "us", (ours, "default"))
        notifier.expect("activated", number=ours)
    finally:
        stop.set()
        thread.join()
    assert slowest < 1
    assert harness.SANITIZER or harness.memory(notifier.process.pid)[1] - before < 8 << 20


def test_a_quiet_notifier_is_woken_by_nothing_of_others(bus, notifier, service):
    bus.start()
    fake = service()
    number = shown(notifier)["number"]
    notifier.expect("appeared")
    fake.signal("NotificationClosed", "uu", (number, 1))
    notifier.expect("closed")
    # What a ping itself costs; the first one comes after whatever is left of the above.
    notifier.turns()
    ping = -notifier.turns() + notifier.turns()
    before = notifier.turns()
    other = desktop.open_dbus_connection(bus.address)
    other.send_and_get_reply(desktop.message_bus.AddMatch(f"type='signal',interface='{desktop.NAME}'"))
    for other_number in range(1000, 1200):
        fake.signal("ActionInvoked", "us", (other_number, "default"))
    heard = 0
    while heard < 200:
        heard += other.receive(timeout=harness.WAIT).header.fields.get(desktop.HeaderFields.member) == "ActionInvoked"
    other.close()
    for _ in range(20):
        desktop.open_dbus_connection(bus.address).close()
    assert notifier.turns() - before == ping


# Services that the bus starts


def started(bus, script):
    """Installs a service that notes each of its starts; gives how many there were."""
    log = bus.root / "starts"
    log.touch()
    program = bus.root / "service"
    program.write_text(f"#!/bin/sh\necho >> {log}\n{script}\n")
    program.chmod(0o755)
    bus.install(program)
    return lambda: len(log.read_text().splitlines())


@pytest.mark.parametrize("script", ["exit 1", "kill -SEGV $$"])
def test_a_service_that_dies_at_its_start_is_started_once_a_time(bus, notifier, script):
    starts = started(bus, script)
    bus.start()
    notifier.ask("listen")
    notifier.ask("adopt", number=1, service="0123/:1.2")
    notifier.expect("closed", ending="serviceGone")
    assert starts() == 0
    for count in (1, 2):
        notifier.show()
        notifier.expect("notShown", reason="startFailed")
        assert starts() == count
    notifier.ping()


def test_a_service_that_cannot_be_run(bus, notifier):
    bus.install("/nowhere/service")
    bus.start()
    notifier.show()
    notifier.expect("notShown", reason="startFailed")


def test_dunst_is_started_by_the_bus(bus, display, notifier):
    config = desktop.Dunst(bus, display).config
    starts = started(bus, f"DISPLAY={display.name} exec dunst -config {config}")
    bus.start()
    for body in ("one", "two"):
        notifier.show(body=body)
    assert {notifier.expect("shown")["number"] for _ in range(2)} == {2, 3}
    notifier.expect("appeared")
    assert starts() == 1


def test_a_service_that_takes_too_long_to_start(bus, notifier, service):
    """The bus goes on waiting for it; whoever comes instead is told of."""
    gate = bus.root / "gate"
    os.mkfifo(gate)
    starts = started(bus, f"exec cat {gate}")
    bus.start()
    # It ends when this does.
    with open(gate, "r+b", buffering=0):
        notifier.show()
        assert_quick_until(notifier, "notShown", reason="noAnswer")
        assert starts() == 1
        service()
        notifier.expect("appeared")
        shown(notifier)


# The bus itself


@pytest.mark.parametrize("env", [
    {},
    {"DBUS_SESSION_BUS_ADDRESS": ""},
    {"DBUS_SESSION_BUS_ADDRESS": "nonsense"},
    {"DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere/at/all"},
    {"DBUS_SESSION_BUS_ADDRESS": "unix:abstract=kindverb-nobody"},
    {"DBUS_SESSION_BUS_ADDRESS": "unix:path=/etc/passwd"},
    {"DBUS_SESSION_BUS_ADDRESS": "tcp:host=localhost,port=1"},
    {"DBUS_SESSION_BUS_ADDRESS": "unixexec:path=/bin/false"},
    {"XDG_RUNTIME_DIR": "/nowhere"},
])
def test_no_bus(notifier_with, env):
    notifier = notifier_with(env)
    for _ in range(3):
        notifier.show()
        notifier.expect("notShown", reason="noBus")
    notifier.ask("close", number=1, service="0123/:1.2")
    assert notifier.ping() < 1


@pytest.mark.parametrize("by", ["address", "runtime directory"])
def test_a_bus_that_comes_later(bus, display, notifier_with, by):
    env = dict(bus.env)
    del env["XDG_RUNTIME_DIR" if by == "address" else "DBUS_SESSION_BUS_ADDRESS"]
    notifier = notifier_with(env)
    notifier.show()
    notifier.expect("notShown", reason="noBus")
    bus.start()
    dunst = desktop.Dunst(bus, display).start()
    try:
        notifier.expect("appeared")
        shown(notifier)
        assert dunst.displayed() == 1
    finally:
        dunst.kill()


def test_a_bus_whose_directory_comes_later(bus, notifier_with, service):
    bus.socket.parent.rmdir()
    notifier = notifier_with(bus.env)
    notifier.show()
    notifier.expect("notShown", reason="noBus")
    bus.socket.parent.mkdir(mode=0o700)
    bus.start()
    service()
    notifier.expect("appeared")
    shown(notifier)


def test_the_bus_is_killed_and_comes_back(bus, notifier, service):
    """Several times, and at once: nothing is left open of the ones before."""
    bus.start()
    fake = service()
    old = shown(notifier)
    notifier.expect("appeared")
    descriptors = len(os.listdir(f"/proc/{notifier.process.pid}/fd"))
    for _ in range(3):
        bus.kill()
        fake.close()
        notifier.show()
        notifier.expect("notShown", reason="noBus")
        bus.start()
        fake = service()
        # What the one before showed is known to be gone when it is known who is there now.
        assert notifier.expect("closed", ending="serviceGone")["number"] == old["number"]
        notifier.expect("appeared")
        old = shown(notifier)
        notifier.ping()
    assert len(os.listdir(f"/proc/{notifier.process.pid}/fd")) == descriptors


def test_a_bus_that_comes_back_is_told_of_without_being_asked_for(bus, notifier, service):
    bus.start()
    fake = service()
    old = shown(notifier)
    notifier.expect("appeared")
    bus.kill()
    fake.close()
    bus.start()
    service()
    notifier.expect("closed", number=old["number"], ending="serviceGone")
    notifier.expect("appeared")
    shown(notifier)


def test_a_kept_number_outlives_a_lost_connection(bus, notifier_with, service):
    """The bus and the service go on; only the connection was cut."""
    bus.start()
    fake = service()
    notifier = notifier_with(bus.env)
    old = shown(notifier, label="x")
    notifier.expect("appeared")
    cut(notifier.process.pid, bus.socket)
    notifier.expect("appeared")
    fake.signal("ActionInvoked", "us", (old["number"], "default"))
    notifier.expect("activated", number=old["number"])


def cut(pid, path):
    """Shuts the process's connection to that socket down."""
    pidfd = os.pidfd_open(pid)
    libc = ctypes.CDLL(None, use_errno=True)
    try:
        for number in map(int, os.listdir(f"/proc/{pid}/fd")):
            if not os.readlink(f"/proc/{pid}/fd/{number}").startswith("socket:"):
                continue
            copy = libc.syscall(438, pidfd, number, 0)  # pidfd_getfd
            if copy < 0:
                pytest.skip("no descriptor of another process may be had here")
            with socket.socket(fileno=copy) as peer:
                if peer.family == socket.AF_UNIX and peer.getpeername() == str(path):
                    peer.shutdown(socket.SHUT_RDWR)
    finally:
        os.close(pidfd)


def test_the_bus_is_killed_while_a_service_thinks(bus, notifier, service):
    bus.start()
    fake = service()
    fake.answers["Notify"] = None
    notifier.show()
    fake.next("Notify")
    bus.kill()
    notifier.expect("notShown", reason="noBus")
    notifier.ping()


def test_a_bus_that_hangs(bus, notifier_with, service):
    bus.start()
    os.kill(bus.process.pid, signal.SIGSTOP)
    notifier = notifier_with(bus.env)
    notifier.show()
    assert_quick_until(notifier, "notShown", reason="noAnswer")
    os.kill(bus.process.pid, signal.SIGCONT)
    service()
    notifier.expect("appeared")
    shown(notifier)


def test_a_bus_that_does_not_let_us(bus, notifier, service):
    bus.policy = f'<deny send_destination="{desktop.NAME}"/>'
    bus.start()
    fake = service()
    notifier.show()
    notifier.expect("notShown", reason="accessDenied")
    assert fake.calls.empty()


@pytest.mark.parametrize("greeting", [b"", b"REJECTED EXTERNAL\r\n", b"OK 1234\r\n", b"HTTP/1.1 400 Bad Request\r\n\r\n", os.urandom(4096)])
def test_what_listens_is_no_bus_of_ours(bus, notifier, greeting):
    """It is tried a few times at the beginning, and then only when there is something to show."""
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(bus.socket))
    listening.listen()
    accepted = []

    def serve():
        with contextlib.suppress(OSError):
            while True:
                peer, _ = listening.accept()
                accepted.append(peer)
                with contextlib.suppress(OSError):
                    peer.recv(4096)
                    peer.sendall(greeting)
                peer.close()

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        for _ in range(20):
            notifier.show()
            notifier.expect("notShown", reason="noBus")
        assert notifier.ping() < 1
        assert len(accepted) <= 20 + 5
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        thread.join()
