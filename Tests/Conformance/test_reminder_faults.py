"""Reminders beside services, zones and stores that misbehave."""

import json
import os
import threading

import pytest

import bus as desktop
import harness
import timed
from timed import is_silent, notified, stands

pytestmark = timed.MARKS


@pytest.mark.parametrize("is_warm", [False, True])
def test_two_that_are_due_at_one_instant_both_stand(life, service, is_warm):
    if is_warm:
        assert is_silent(life, service)
    life.remind(morningTime="08:00", eveningTime="08:00")
    life.set_clock("2026-05-01 07:59:59")
    assert {notified(service)["summary"], notified(service)["summary"]} == {"Good morning", "Good evening"}
    stands(life, service)
    assert all(member != "CloseNotification" for member, _, _ in list(service.calls.queue))
    life.record("morning")
    closed = service.next("CloseNotification")[1]
    assert closed in ((1,), (2,), (3,))


def test_capabilities_that_come_late(life, service):
    """A desktop that is slow at login: nothing was asked of it before."""
    held = []
    service.answers["GetCapabilities"] = lambda message: held.append(message)
    life.set_clock("2026-05-01 08:00")
    harness.until(lambda: life.history() == [("2026-05-01", "morning", "notShown")])
    del service.answers["GetCapabilities"]
    service.send(desktop.new_method_return(held[0], "as", (["body"],)))
    assert notified(service)["summary"] == "Good morning"
    harness.until(lambda: life.history() == [("2026-05-01", "morning", "shown")])


def test_refused_for_a_moment(life, service):
    """Some services take only so many at a time."""
    service.answers["Notify"] = lambda message: "org.freedesktop.Notifications.Error.ExcessNotificationGeneration"
    life.set_clock("2026-05-01 08:00")
    notified(service)
    harness.until(lambda: life.history() == [("2026-05-01", "morning", "notShown")])
    assert all(member != "Notify" for member, _, _ in list(service.calls.queue)), "not at once again"
    del service.answers["Notify"]
    life.set_clock("2026-05-01 08:01:30")
    assert notified(service)["summary"] == "Good morning"
    harness.until(lambda: life.history() == [("2026-05-01", "morning", "shown")])


def test_refused_for_good(life, service):
    service.answers["Notify"] = lambda message: "org.freedesktop.DBus.Error.Failed"
    for minute in range(0, 30, 2):
        life.set_clock(f"2026-05-01 08:{minute:02}")
    harness.until(lambda: life.history() == [("2026-05-01", "morning", "notShown")])
    assert sum(member == "Notify" for member, _, _ in list(service.calls.queue)) <= 2


def test_recorded_and_taken_back_while_it_is_handed_over(life, service):
    held = []
    service.answers["Notify"] = lambda message: held.append(message)
    life.set_clock("2026-05-01 08:00")
    notified(service)
    life.record("morning")
    life.call("health.undo")
    del service.answers["Notify"]
    service.send(desktop.new_method_return(held[0], "u", (7,)))
    stands(life, service)
    assert all(member != "CloseNotification" for member, _, _ in list(service.calls.queue)), "it is not recorded"


def test_recorded_while_it_is_handed_over(life, service):
    held = []
    service.answers["Notify"] = lambda message: held.append(message)
    life.set_clock("2026-05-01 08:00")
    notified(service)
    life.record("morning")
    del service.answers["Notify"]
    service.send(desktop.new_method_return(held[0], "u", (7,)))
    assert service.next("CloseNotification")[1] == (7,)


def test_a_zone_that_is_gone_for_a_moment(timed_daemon, bus, service):
    """Three in the afternoon in Los Angeles is eleven at night by UTC."""
    daemon = timed_daemon(bus=bus, zone="America/Los_Angeles", at="2026-05-01 12:00").start()
    daemon.remind(eveningEnabled=True, eveningTime="21:00")
    daemon.set_clock("2026-05-01 15:00")
    before = daemon.log().count("the zone may have changed")
    (daemon.timed / "localtime").unlink()
    harness.until(lambda: daemon.log().count("the zone may have changed") > before)
    assert is_silent(daemon, service)
    daemon._put_zone()
    assert is_silent(daemon, service)
    assert daemon.call("reminder.upcoming", {"limit": 1})["utcOffsetMinutes"] == -420


def test_many_capabilities_hold_nobody_up(life, service):
    service.capabilities = [f"x-{number}" for number in range(60_000)] + ["body-markup"]
    slowest = []
    done = threading.Event()

    def ask():
        with life.connect() as client:
            while not done.is_set():
                begin = os.times().elapsed
                client.call("system.ping")
                slowest.append(os.times().elapsed - begin)

    asking = threading.Thread(target=ask)
    asking.start()
    try:
        assert life.call("reminder.test")["outcome"] == "shown"
    finally:
        done.set()
        asking.join()
    assert max(slowest) < 2


def test_a_command_gets_signals_as_they_are(timed_daemon, bus, service, tmp_path):
    command = ["sh", "-c", f"grep SigIgn /proc/self/status > {tmp_path}/new; mv {tmp_path}/new {tmp_path}/told"]
    daemon = timed_daemon(bus=bus, config={"reminder": {"command": ["false"]}}).start()
    daemon.remind(morningEnabled=True, morningTime="08:00")
    # A configuration that is read anew counts from the next click on.

    daemon.config.write_text(json.dumps({"reminder": {"command": command}}))
    os.kill(daemon.pid, 1)
    harness.until(lambda: "configuration read anew" in daemon.log())
    daemon.set_clock("2026-05-01 08:00")
    notified(service)
    stands(daemon, service)
    service.signal("ActionInvoked", "us", (1, "default"))
    told = harness.until(lambda: (tmp_path / "told").exists() and (tmp_path / "told").read_text())
    assert int(told.split()[1], 16) & (1 << 12 | 1 << 24) == 0, "SIGPIPE and SIGXFSZ end it"
