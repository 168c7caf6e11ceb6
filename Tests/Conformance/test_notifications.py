"""Desktop notifications, on a real bus: with a real dunst, with services that misbehave, and with nobody there."""

import html
import os
import shutil
import signal
import threading

import pytest

import bus as desktop
import harness

pytestmark = [
    pytest.mark.xdist_group("desktop"),
    pytest.mark.skipif(not all(map(shutil.which, ("dbus-daemon", "dunst", "Xvfb"))), reason="needs dbus-daemon, dunst and Xvfb"),
]
TRICKY = "엄마 <3 & 아빠 <b>최고</b> &lt;"


@pytest.fixture(scope="module")
def display():
    display = desktop.Display()
    yield display
    display.close()


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
