import os
import signal
import subprocess

import pytest

import bus as desktop
import harness
import timed
from certificates import Certificates

ANSWERS = {
    "conflictType": "friends",
    "situationText": "I forgot our dinner on Friday and did not call.",
    "feelings": ["guilty", "sheepish"],
    "hurtText": "You waited for an hour.",
    "reflectionText": "I should have called.",
    "desiredNeedText": "That we can rely on each other.",
    "addressee": "Sam",
}


# Run in the background of a shell, or under nohup, these are ignored, and so they would be by every program that is started here.
for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)


@pytest.fixture
def answers():
    """Five answers that make a letter."""
    return dict(ANSWERS)


@pytest.fixture
def daemon_factory():
    """Makes daemons that are not started yet; all are ended and removed after the test."""
    made = []

    def make(**options):
        made.append(harness.Daemon(**options))
        return made[-1]

    yield make
    for daemon in made:
        daemon.close()


@pytest.fixture
def daemon(daemon_factory):
    """A fresh daemon that is ready."""
    return daemon_factory().start()


@pytest.fixture(scope="module")
def shared():
    """One daemon for all tests of a module that leave nothing behind which others could trip over."""
    daemon = harness.Daemon().start()
    yield daemon
    daemon.close()


@pytest.fixture
def connection(shared):
    with shared.connect() as connection:
        yield connection


@pytest.fixture
def kindverb():
    """Runs the CLI: kindverb(daemon or None, *arguments, input=…, env=…)."""

    def run(daemon, *arguments, input=None, env=None, timeout=harness.WAIT, cwd=None):
        base = dict(daemon.env, KINDVERB_SOCKET=str(daemon.socket)) if daemon else {"PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
        return subprocess.run(
            [harness.binary("kindverb"), *arguments], env={**base, **(env or {})}, input=input,
            stdin=subprocess.DEVNULL if input is None else None, capture_output=True, text=True, timeout=timeout, cwd=cwd)

    return run


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    """An authority that nobody knows but who is told, and what it vouches for."""
    return Certificates(tmp_path_factory.mktemp("certificates"))


@pytest.fixture
def ai(certificates):
    """A Gemini on the loopback, whose key is `sending.KEY`."""
    # Google's types take a second to load, which the other tests need not wait for.
    import gemini
    import sending

    with gemini.Gemini(certificates, key=sending.KEY) as server:
        yield server
        assert not server.failures


@pytest.fixture(scope="module")
def display():
    """A screen of nobody's, for what must draw somewhere."""
    display = desktop.Display()
    yield display
    display.close()


@pytest.fixture
def bus():
    """A session bus of its own that runs."""
    bus = desktop.SessionBus()
    yield bus.start()
    bus.close()


@pytest.fixture
def service(bus):
    """A notification service that keeps what it gets."""
    service = desktop.FakeService(bus)
    yield service
    service.close()


@pytest.fixture
def timed_daemon():
    """Makes daemons whose clock and zone the test sets, not started yet; all are ended and removed after the test."""
    made = []

    def make(**options):
        made.append(timed.TimedDaemon(**options))
        return made[-1]

    yield make
    for daemon in made:
        daemon.close()


@pytest.fixture
def life(timed_daemon, bus, service):
    """A daemon at seven in the morning, with both reminders on, and a service that shows them."""
    daemon = timed_daemon(bus=bus).start()
    daemon.remind(morningEnabled=True, morningTime="08:00", eveningEnabled=True, eveningTime="21:00")
    return daemon


def pytest_collection_modifyitems(items):
    """What measures time or memory says nothing under a sanitizer."""
    if harness.SANITIZER:
        skip = pytest.mark.skip(reason="measures the program itself")
        for item in items:
            if item.get_closest_marker("figures"):
                item.add_marker(skip)
