"""Reminders from outside: a daemon whose clock and zone the test sets, and a notification service that keeps what it gets."""

import json
import os
import pathlib
import re

import pytest

import bus as desktop
import harness
import timed
from timed import is_silent, notified, stands

pytestmark = timed.MARKS
MORNING = {"en": "It is time for this morning’s record.", "ko": "아침 기록을 남길 시간이에요.", "ja": "朝の記録の時間です。",
           "zh-Hans": "该做早上的记录了。"}


def test_it_rings_at_its_minute_once_and_says_nothing_private(life, service):
    life.set_clock("2026-05-01 07:59:59")
    shown = notified(service)
    assert shown == {"app": "KindVerb", "expires": 0, "summary": "Good morning", "body": MORNING["en"], "actions": ["default", "Record now"],
                     "urgency": 1, "category": "x-kindverb.reminder", "desktop-entry": "kindverb"}
    assert life.wall() >= "2026-05-01 08:00:00"
    for at in ("08:30", "11:00", "12:30", "20:59"):
        life.set_clock(f"2026-05-01 {at}")
        assert is_silent(life, service)
    life.set_clock("2026-05-01 21:00")
    assert notified(service)["summary"] == "Good evening"
    assert life.history() == [("2026-05-01", "evening", "shown"), ("2026-05-01", "morning", "shown")]


@pytest.mark.parametrize("language", MORNING)
def test_in_the_persons_language(life, service, language):
    life.call("settings.set", {"language": language})
    life.set_clock("2026-05-01 08:00")
    assert notified(service)["body"] == MORNING[language]


def test_no_client_and_a_restart(life, service):
    life.restart()
    life._put_clock(life.instant("2026-05-01 07:59:59"))
    assert notified(service)["body"] == MORNING["en"]
    life.restart()
    assert is_silent(life, service), "what was shown before the restart is not shown again"


def test_stopped_over_its_time(life, service):
    life.stop()
    life._put_clock(life.instant("2026-05-01 08:20"))
    life.start()
    assert notified(service)["body"] == MORNING["en"]
    item = life.call("reminder.history")["items"][0]
    assert item["dueAt"] == "2026-04-30T23:00:00Z" and 1200 <= item["lateBySeconds"] <= 1220
    life.stop()
    life._put_clock(life.instant("2026-05-02 12:00"))
    life.start()
    assert is_silent(life, service)
    assert life.history()[:2] == [("2026-05-02", "morning", "missed"), ("2026-05-01", "evening", "missed")]


def test_killed_after_it_was_shown(life, service):
    life.set_clock("2026-05-01 08:00")
    notified(service)
    life.kill9()
    life.start()
    assert is_silent(life, service)
    assert life.history() == [("2026-05-01", "morning", "shown")]


def test_what_is_recorded_stays_silent_and_what_was_cleared_does_not(life, service):
    life.set_clock("2026-05-01 07:50")
    life.record("morning")
    life.set_clock("2026-05-01 08:00")
    assert is_silent(life, service)
    assert life.history() == [("2026-05-01", "morning", "suppressed")]
    life.set_clock("2026-05-02 07:50")
    life.record("morning")
    life.call("health.record.clear", {"dateIso": "2026-05-02", "slot": "morning"})
    life.call("health.weight.set", {"weightKg": 68.4})
    life.set_clock("2026-05-02 08:00")
    assert notified(service)["summary"] == "Good morning"


def test_recorded_in_the_same_second(life, service):
    """Whichever comes first: it is recorded and silent, or shown and taken away."""
    with life.connect() as client:
        life.set_clock("2026-05-01 07:59:59.900")
        harness.until(lambda: life.wall() >= "2026-05-01 08:00:00", every=0.001)
        client.call("health.record.set", {"slot": "morning", "systolic": 128, "diastolic": 82})
    outcome = harness.until(life.history)[0]
    if outcome[2] == "shown":
        service.next("CloseNotification")
    else:
        assert outcome == ("2026-05-01", "morning", "suppressed") and is_silent(life, service)


@pytest.mark.parametrize("restarts", [False, True])
def test_recording_takes_it_from_the_screen(life, service, restarts):
    life.set_clock("2026-05-01 08:00")
    notified(service)
    stands(life, service)
    if restarts:
        life.restart()
    life.record("evening", dateIso="2026-05-01")
    life.call("health.weight.set", {"weightKg": 68.4})
    life.record("morning")
    sender, (number,) = service.next("CloseNotification")
    assert number == 1
    assert all(member != "CloseNotification" for member, _, _ in list(service.calls.queue))


def test_recorded_in_the_moment_before_the_end(life, service):
    """Nobody knows whether it was taken away still: it is once more, after the end."""
    life.set_clock("2026-05-01 08:00")
    notified(service)
    stands(life, service)
    service.answers["CloseNotification"] = lambda message: None
    life.record("morning")
    assert service.next("CloseNotification")[1] == (1,)
    life.kill9()
    del service.answers["CloseNotification"]
    life.start()
    assert service.next("CloseNotification")[1] == (1,)


def test_a_store_that_takes_no_writes_shows_nothing(life, service):
    (life.data / "kindverb.db").rename(life.root / "elsewhere")
    harness.until(lambda: life.call("system.info")["state"] == "read_only")
    life._put_clock(life.instant("2026-05-01 08:00"))
    assert is_silent(life, service)
    (life.root / "elsewhere").rename(life.data / "kindverb.db")


def test_switching_off_takes_it_from_the_screen(life, service):
    life.set_clock("2026-05-01 08:00")
    notified(service)
    stands(life, service)
    life.remind(morningEnabled=False)
    assert service.next("CloseNotification")[1] == (1,)


def test_the_next_one_takes_the_place_of_the_last(life, service):
    life.set_clock("2026-05-01 08:00")
    notified(service)
    stands(life, service)
    life.set_clock("2026-05-01 21:00")
    assert service.next("CloseNotification")[1] == (1,)
    assert notified(service)["summary"] == "Good evening"


def test_of_twenty_edits_only_the_last_counts(life, service):
    life.set_clock("2026-05-01 11:58:30")
    notified(service)
    for minute in range(30, 49):
        life.remind(eveningTime=f"12:{minute}")
    life.remind(eveningTime="12:00")
    for at in ("11:59:59", "12:30", "12:40", "15:00"):
        life.set_clock(f"2026-05-01 {at}")
    assert notified(service)["summary"] == "Good evening"
    assert is_silent(life, service)
    assert life.history()[0] == ("2026-05-01", "evening", "shown")


def test_this_minute_and_the_past_begin_tomorrow(life, service):
    life.set_clock("2026-05-01 07:30:30")
    for time in ("07:30", "06:00"):
        life.remind(morningTime=time)
        assert is_silent(life, service)
        item = life.call("reminder.upcoming", {"limit": 10})["items"]
        assert [i["dateIso"] for i in item if i["slot"] == "morning"][0] == "2026-05-02"


def test_travel(life, service):
    life.set_clock("2026-05-01 21:00")
    notified(service)
    life.set_clock("2026-05-02 10:00")
    notified(service)
    life.set_zone("America/New_York")
    assert life.wall()[:13] == "2026-05-01 21"
    assert is_silent(life, service), "that evening was reminded of in Seoul"
    # Nine in the evening in Seoul is eight in the morning there, of a date that has been reminded of.
    life.set_clock("2026-05-02 08:00")
    assert is_silent(life, service)
    life.set_clock("2026-05-02 21:00")
    assert notified(service)["summary"] == "Good evening"
    assert life.history()[0] == ("2026-05-02", "evening", "shown")


def test_travel_to_an_evening_that_is_still_to_come(life, service):
    life.set_clock("2026-05-01 20:00")
    life.set_zone("Asia/Kathmandu")
    assert is_silent(life, service)
    life.set_clock("2026-05-01 20:59:59")
    assert notified(service)["summary"] == "Good evening"


@pytest.mark.parametrize("zone, time, date, before, shown", [
    ("Europe/Berlin", "02:30", "2026-03-29", "01:59:59", "03:00"), ("Europe/Berlin", "02:30", "2026-10-25", "02:29:59", "02:30"),
    ("America/New_York", "02:30", "2026-03-08", "01:59:59", "03:00"), ("America/New_York", "01:30", "2026-11-01", "01:29:59", "01:30"),
    ("Australia/Lord_Howe", "02:15", "2026-10-04", "01:59:59", "02:30"),
])
def test_when_clocks_change(timed_daemon, bus, service, zone, time, date, before, shown):
    daemon = timed_daemon(bus=bus, zone=zone, at=f"{date} 00:10").start()
    daemon.remind(morningEnabled=True, morningTime=time)
    upcoming = daemon.call("reminder.upcoming", {"limit": 1})["items"][0]
    assert (upcoming["dateIso"], upcoming["localTime"]) == (date, shown)
    daemon.set_clock(f"{date} {before}")
    notified(service)
    assert daemon.wall()[11:16] == shown
    turns = daemon.call("system.stats")["turns"]
    daemon.set_clock(f"{date} 05:00")
    assert is_silent(daemon, service) and daemon.history() == [(date, "morning", "shown")]
    assert daemon.call("system.stats")["turns"] < turns + 20, "it does not go round and round"


def test_weeks_and_years_without_a_client(life, service):
    for date in ("2026-06-10", "2027-07-15"):
        life._put_clock(life.instant(f"{date} 07:59:59"))
        assert notified(service)["summary"] == "Good morning"
        life._put_clock(life.instant(f"{date} 20:59:59"))
        assert notified(service)["summary"] == "Good evening"
    life.stop()
    assert timed.rows(life.data, "SELECT count(*) FROM reminderSlot") == [(2,)]
    assert timed.rows(life.data, "SELECT count(*) FROM (SELECT 1 FROM reminder GROUP BY day, slot HAVING count(*) > 1)") == [(0,)]


def test_wrong_clocks(life, service):
    life.set_clock("2026-05-01 08:00")
    notified(service)
    life.record("evening", dateIso="2026-05-01")
    for wrong in ("1970-01-01 03:00", "2026-05-01 09:00", "2036-02-03 05:00", "2026-05-01 09:01", "2036-02-03 05:00"):
        life.set_clock(wrong)
    life.set_clock("2026-05-01 09:02")
    assert is_silent(life, service)
    assert life.call("health.day.get", {"dateIso": "2026-05-01"})["record"]["eveningSystolic"] == 128
    assert life.history() == [("2026-05-01", "morning", "shown")], "nothing is told of days that have not come"
    life.set_clock("2026-05-01 21:00")
    assert is_silent(life, service)
    life.set_clock("2026-05-02 08:00")
    assert notified(service)["summary"] == "Good morning"


def test_nobody_to_show_it(timed_daemon, bus):
    daemon = timed_daemon(bus=bus).start()
    daemon.remind(morningEnabled=True, morningTime="08:00")
    daemon.set_clock("2026-05-01 08:00")
    harness.until(lambda: daemon.history() == [("2026-05-01", "morning", "notShown")])
    assert daemon.call("reminder.upcoming")["items"][0]["state"] == "waiting"
    assert daemon.call("reminder.test") == {"outcome": "notShown", "reason": "no_service"}
    service = desktop.FakeService(bus)
    try:
        assert notified(service)["summary"] == "Good morning"
        harness.until(lambda: daemon.history() == [("2026-05-01", "morning", "shown")])
        assert daemon.log().count("could not be shown") == 1
    finally:
        service.close()


def test_nobody_until_it_is_too_late(timed_daemon, bus):
    daemon = timed_daemon(bus=bus).start()
    daemon.remind(morningEnabled=True, morningTime="08:00")
    daemon.set_clock("2026-05-01 08:00")
    harness.until(lambda: daemon.history() == [("2026-05-01", "morning", "notShown")])
    daemon.set_clock("2026-05-01 12:00")
    harness.until(lambda: daemon.history() == [("2026-05-01", "morning", "missed")])
    service = desktop.FakeService(bus)
    try:
        assert is_silent(daemon, service)
    finally:
        service.close()


@pytest.mark.parametrize("address", [None, "unix:path=/no/such/bus", "unix:abstract=kindverb-nobody", "nonsense", ""])
def test_no_bus(timed_daemon, address):
    daemon = timed_daemon(env={} if address is None else {"DBUS_SESSION_BUS_ADDRESS": address}).start()
    daemon.remind(morningEnabled=True, morningTime="08:00")
    daemon.set_clock("2026-05-01 08:00")
    harness.until(lambda: daemon.history() == [("2026-05-01", "morning", "notShown")])
    assert daemon.call("reminder.test") == {"outcome": "notShown", "reason": "no_bus"}


def test_a_bus_that_comes_later(timed_daemon):
    bus = desktop.SessionBus()
    daemon = timed_daemon(bus=bus).start()
    try:
        daemon.remind(morningEnabled=True, morningTime="08:00")
        daemon.set_clock("2026-05-01 08:00")
        harness.until(lambda: daemon.history() == [("2026-05-01", "morning", "notShown")])
        bus.start()
        service = desktop.FakeService(bus)
        assert notified(service)["summary"] == "Good morning"
        service.close()
    finally:
        bus.close()


@pytest.mark.parametrize("is_recorded", [False, True])
def test_a_service_that_answers_when_it_was_given_up(life, service, is_recorded):
    """It hangs with the reminder in its hands: whatever it does later, the person sees it once, or not any more."""
    held = []
    service.answers["Notify"] = lambda message: held.append(message)
    life.set_clock("2026-05-01 08:00")
    notified(service)
    harness.until(lambda: life.history() == [("2026-05-01", "morning", "notShown")])
    if is_recorded:
        life.record("morning")
        harness.until(lambda: life.history() == [("2026-05-01", "morning", "suppressed")])
    del service.answers["Notify"]
    service.send(desktop.new_method_return(held[0], "u", (7,)))
    if is_recorded:
        assert service.next("CloseNotification")[1] == (7,)
    else:
        harness.until(lambda: life.history() == [("2026-05-01", "morning", "shown")])
        assert is_silent(life, service)
        life.record("morning")
        assert service.next("CloseNotification")[1] == (7,)


@pytest.mark.parametrize("what", ["clock", "this slot", "other slot", "restart", "trials", "nothing"])
def test_one_that_hangs_with_it_in_its_hands_gets_it_once(life, service, what):
    """Whatever is done meanwhile: it may show it when it wakes up."""
    service.answers["Notify"] = lambda message: None
    life.set_clock("2026-05-01 08:00:01")
    notified(service)
    harness.until(lambda: life.history() == [("2026-05-01", "morning", "notShown")])
    if what == "clock":
        for at in ("07:59:59", "08:00:01", "07:59:59", "08:00:02"):
            life.set_clock(f"2026-05-01 {at}")
    elif what == "this slot":
        life.set_clock("2026-05-01 08:30")
        life.remind(morningTime="08:31")
        life.set_clock("2026-05-01 08:31")
    elif what == "other slot":
        life.remind(eveningTime="09:00")
    elif what == "restart":
        life.kill9()
        life.start()
        harness.until(lambda: any(member == "GetCapabilities" for member, _, _ in list(service.calls.queue)))
    elif what == "trials":
        for _ in range(3):
            assert life.call("reminder.test") == {"outcome": "notShown", "reason": "no_answer"}
            assert service.next("Notify")
    del service.answers["Notify"]
    assert is_silent(life, service)
    assert life.history()[-1][2] in ("notShown", "missed")


def test_services_that_die_of_it_get_it_twice_at_most(life, service, bus):
    services = [service]
    for _ in range(5):
        dying = services[-1]
        dying.answers["Notify"] = lambda message, dying=dying: dying.leave()
        if len(services) == 1:
            life.set_clock("2026-05-01 08:00")
        harness.until(lambda: life.history() == [("2026-05-01", "morning", "notShown")])
        harness.until(lambda: not dying.thread.is_alive() or len(services) > 2)
        if dying.thread.is_alive():
            dying.leave()
        services.append(harness.until(lambda: _appears(bus)))
    seen = sum(member == "Notify" for one in services for member, _, _ in list(one.calls.queue))
    assert seen <= 2
    for one in services[1:]:
        one.close()


def _appears(bus):
    try:
        return desktop.FakeService(bus)
    except AssertionError:
        return None


def test_a_clock_that_runs_through_the_years_forgets_nothing(life, service):
    life.set_clock("2026-05-01 08:00")
    notified(service)
    for year in range(2027, 2042):
        life.set_clock(f"{year}-05-01 06:00")
    life.set_clock("2026-05-01 08:01")
    assert is_silent(life, service)
    assert life.history() == [("2026-05-01", "morning", "shown")]


@pytest.mark.parametrize("form", [":{}", "{}"])
def test_a_zone_that_the_variable_names_by_its_file(timed_daemon, bus, service, form):
    daemon = timed_daemon(bus=bus)
    daemon.env["TZ"] = form.format(daemon.timed / "localtime")
    daemon.start()
    daemon.remind(morningEnabled=True, morningTime="08:00")
    daemon.set_clock("2026-05-02 07:00")
    # It is ten in the morning there.
    daemon.set_zone("Pacific/Auckland")
    assert notified(service)["summary"] == "Good morning"
    assert daemon.call("reminder.upcoming")["utcOffsetMinutes"] == 720


@pytest.mark.parametrize("kind", ["directory", "pipe", "huge", "garbage", "dangling"])
def test_a_system_zone_that_cannot_be_read(timed_daemon, bus, service, kind):
    daemon = timed_daemon(bus=bus)
    place = daemon.timed / "localtime"
    place.unlink()
    if kind == "directory":
        place.mkdir()
    elif kind == "pipe":
        os.mkfifo(place)
    elif kind == "dangling":
        place.symlink_to("/no/such/zone")
    else:
        place.write_bytes(b"TZif2" + bytes(300_000 if kind == "huge" else 300))
    daemon.start()
    answer = daemon.call("reminder.upcoming")
    assert answer["zoneProblem"] == "unreadable_file" and answer["utcOffsetMinutes"] == 0
    assert "cannot be read" in daemon.log()


def test_undo_and_a_wrong_clock(life):
    """Only ever the newest change is taken back, and no clock takes any away."""
    life.record("morning", dateIso="2026-05-01", systolic=120)
    life.set_clock("1970-01-01 10:00")
    life.call("health.record.set", {"slot": "morning", "systolic": 130, "diastolic": 85, "dateIso": "1970-01-01"})
    life.set_clock("2026-05-01 07:10")
    with life.connect() as client:
        assert client.fail("health.undo")["data"]["messageKey"] == "error.health.nothing_to_undo"
    assert life.call("health.day.get", {"dateIso": "2026-05-01"})["record"]["morningSystolic"] == 120
    life.set_clock("2036-05-01 07:00")
    life.record("evening", dateIso="2036-05-01")
    life.set_clock("2026-05-01 07:20")
    assert life.call("health.undo")["dateIso"] == "2036-05-01"


def test_recorded_while_it_waits(timed_daemon, bus):
    daemon = timed_daemon(bus=bus).start()
    daemon.remind(morningEnabled=True, morningTime="08:00")
    daemon.set_clock("2026-05-01 08:00")
    harness.until(lambda: daemon.history() == [("2026-05-01", "morning", "notShown")])
    daemon.record("morning")
    harness.until(lambda: daemon.history() == [("2026-05-01", "morning", "suppressed")])
    service = desktop.FakeService(bus)
    try:
        assert is_silent(daemon, service)
    finally:
        service.close()


def test_a_click_is_told_and_runs_the_command(timed_daemon, bus, service, tmp_path):
    script = tmp_path / "clicked"
    script.write_text(f"#!/bin/sh\n{{ echo $KINDVERB_DATE $KINDVERB_SLOT $NOTIFY_SOCKET \"$1\"; ls /proc/self/fd; }} > {tmp_path}/new\n"
                      f"mv {tmp_path}/new {tmp_path}/told\n")
    script.chmod(0o755)
    daemon = timed_daemon(bus=bus, config={"reminder": {"command": [str(script), "a b; $(c)"]}}).start()
    daemon.remind(morningEnabled=True, morningTime="08:00")
    with daemon.connect() as client:
        client.call("events.subscribe", {"topics": ["reminder"]})
        daemon.set_clock("2026-05-01 08:00")
        notified(service)
        assert client.event()["params"]["op"] == "shown"
        stands(daemon, service)
        service.signal("ActionInvoked", "us", (99, "default"))
        service.signal("ActionInvoked", "us", (1, "other"))
        service.signal("ActionInvoked", "us", (1, "default"))
        event = client.event()["params"]
        assert (event["topic"], event["id"], event["op"]) == ("reminder", "2026-05-01/morning", "activated")
        assert client.is_quiet()
    told = harness.until(lambda: (tmp_path / "told").exists() and (tmp_path / "told").read_text())
    # The listing's own descriptor is the third.
    assert told.split("\n")[:1] == ["2026-05-01 morning a b; $(c)"] and told.split("\n")[1:] == ["0", "1", "2", "3", ""]
    assert daemon.call("reminder.history")["items"][0]["activatedAt"].startswith("2026-04-30T23:00")


@pytest.mark.parametrize("command", ["/no/such/program", "no-such-program", "/etc/passwd", "/", "false", "sleep 1000"])
def test_a_command_that_is_missing_fails_or_never_ends(timed_daemon, bus, service, command):
    daemon = timed_daemon(bus=bus, config={"reminder": {"command": command.split()}}).start()
    daemon.remind(morningEnabled=True, morningTime="08:00")
    daemon.set_clock("2026-05-01 08:00")
    notified(service)
    stands(daemon, service)
    service.signal("ActionInvoked", "us", (1, "default"))
    harness.until(lambda: daemon.call("reminder.history")["items"][0]["activatedAt"])
    if command != "sleep 1000":
        harness.until(lambda: "command" in daemon.log())
    assert daemon.call("system.ping") == {"pong": True}
    for child in pathlib.Path(f"/proc/{daemon.pid}/task/{daemon.pid}/children").read_text().split():
        assert "sleep" in pathlib.Path(f"/proc/{child}/comm").read_text(), "no child is left that has ended"
        os.kill(int(child), 9)


def test_a_zone_that_is_none(timed_daemon, bus, service):
    daemon = timed_daemon(bus=bus, env={"TZ": "Asia/Soul"}).start()
    daemon.remind(morningEnabled=True, morningTime="08:00")
    assert "TZ names no zone" in daemon.log()
    answer = daemon.call("reminder.upcoming")
    assert answer["zoneProblem"] == "unknown_zone" and answer["utcOffsetMinutes"] == 540, "the system's zone is in force"


def test_events_and_log_hold_nothing_measured(life, service):
    with life.connect() as client:
        client.call("events.subscribe", {})
        life.record("morning", systolic=173, diastolic=97)
        life.set_clock("2026-05-01 08:00")
        seen = [client.event()["params"] for _ in range(2)]
        assert [(event["topic"], event["op"]) for event in seen] == [("health", "updated"), ("reminder", "suppressed")]
        # As a number of its own: the store's random name in the cursor may hold any digits.
        assert not re.search(r"\b173\b", json.dumps(seen) + life.log())


def test_it_sleeps_until_then(life, service):
    """With both reminders on nothing wakes it: no system call, so no switch of context either."""

    def switches():
        status = pathlib.Path(f"/proc/{life.pid}/status").read_text()
        return [line for line in status.splitlines() if "ctxt_switches" in line]

    life.set_clock("2026-05-01 07:00")
    is_silent(life, service)
    with life.connect() as client:
        # What the burst at the start left is given back after a second or two.
        def sleeps():
            before = switches()
            return harness.read_until_idle(client, 1.5) == b"" and switches() == before

        harness.until(sleeps)
