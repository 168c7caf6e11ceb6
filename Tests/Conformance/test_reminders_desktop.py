"""Reminders on a real desktop: a real dunst on a real session bus."""

import datetime
import shutil

import pytest

import bus as desktop
import harness
import timed

pytestmark = [
    *timed.MARKS,
    pytest.mark.skipif(not all(map(shutil.which, ("dbus-daemon", "dunst", "Xvfb"))), reason="needs dbus-daemon, dunst and Xvfb"),
]
TEXTS = {
    "en": [("Good morning", "It is time for this morning’s record."), ("Good evening", "It is time for this evening’s record.")],
    "ko": [("좋은 아침이에요", "아침 기록을 남길 시간이에요."), ("좋은 저녁이에요", "저녁 기록을 남길 시간이에요.")],
    "ja": [("おはようございます", "朝の記録の時間です。"), ("こんばんは", "夜の記録の時間です。")],
    "zh-Hans": [("早上好", "该做早上的记录了。"), ("晚上好", "该做晚上的记录了。")],
}


@pytest.fixture
def absent(bus, display):
    """A dunst that is not started yet."""
    dunst = desktop.Dunst(bus, display)
    yield dunst
    if dunst.process is not None:
        dunst.kill()


@pytest.fixture
def dunst(absent):
    return absent.start()


@pytest.fixture
def life(timed_daemon, bus):
    """A daemon at seven in the morning, with both reminders on."""
    daemon = timed_daemon(bus=bus).start()
    daemon.remind(morningEnabled=True, morningTime="08:00", eveningEnabled=True, eveningTime="21:00")
    return daemon


def shows(dunst, count):
    harness.until(lambda: dunst.displayed() == count, what=f"{count} on the screen")


def shown_so_far(life, dunst, count):
    """So many reminders were shown since dunst began, and none is on its way: one on trial comes after them all."""
    # That dunst is there it may hear a moment later than the test.
    harness.until(lambda: life.call("reminder.test")["outcome"] == "shown", what="one on trial")
    dunst.control("close-all")
    shows(dunst, 0)
    assert len(dunst.history()) == count + 1, dunst.history()


@pytest.mark.parametrize("language", TEXTS)
def test_shown_once_with_the_right_text(life, dunst, language):
    life.call("settings.set", {"language": language})
    for slot, times in ("morning", ("08:00", "08:30", "11:59")), ("evening", ("21:00", "21:10")):
        for at in times:
            life.set_clock(f"2026-05-01 {at}")
            harness.until(lambda: life.history()[:1] == [("2026-05-01", slot, "shown")])
            shows(dunst, 1)
    shown_so_far(life, dunst, 2)
    entries = dunst.history()
    told = [(entry["summary"], entry["body"]) for entry in entries]
    # The evening's took the morning's place; the one on trial was the last.
    assert sorted(told) == sorted([*TEXTS[language], TEXTS[language][0]])
    assert {(entry["appname"], entry["category"]) for entry in entries} == {("KindVerb", "x-kindverb.reminder")}


@pytest.mark.parametrize("restarts", [False, True])
def test_recording_takes_it_from_the_screen(life, dunst, restarts):
    life.set_clock("2026-05-01 08:00")
    shows(dunst, 1)
    if restarts:
        life.restart()
    life.record("evening", dateIso="2026-05-01")
    life.call("system.ping")
    assert dunst.displayed() == 1, "the evening's record is not the morning's"
    life.record("morning")
    shows(dunst, 0)
    shown_so_far(life, dunst, 1)


def test_a_click_is_told_and_takes_it_from_the_screen(life, dunst):
    """dunst tells of a click whoever showed it, by the name on the bus, so a daemon that was restarted in between cannot hear of it."""
    life.set_clock("2026-05-01 08:00")
    shows(dunst, 1)
    harness.until(life.history)
    with life.connect() as client:
        client.call("events.subscribe", {"topics": ["reminder"]})
        dunst.control("action", "0")
        event = client.event()["params"]
        assert (event["topic"], event["id"], event["op"]) == ("reminder", "2026-05-01/morning", "activated")
        shows(dunst, 0)
        assert client.is_quiet()
    assert life.call("reminder.history")["items"][0]["activatedAt"]


def test_dunst_killed_and_restarted_in_between(life, dunst):
    life.set_clock("2026-05-01 08:00")
    shows(dunst, 1)
    harness.until(lambda: life.history() == [("2026-05-01", "morning", "shown")])
    dunst.kill()
    dunst.start()
    life.set_clock("2026-05-01 09:00")
    shown_so_far(life, dunst, 0)
    dunst.kill()
    life.set_clock("2026-05-01 21:00")
    harness.until(lambda: life.history()[0] == ("2026-05-01", "evening", "notShown"))
    dunst.start()
    shows(dunst, 1)
    harness.until(lambda: life.history()[0] == ("2026-05-01", "evening", "shown"))
    shown_so_far(life, dunst, 1)


def test_dunst_started_late(life, absent):
    life.set_clock("2026-05-01 08:00")
    harness.until(lambda: life.history() == [("2026-05-01", "morning", "notShown")])
    life.set_clock("2026-05-01 11:59")
    absent.start()
    shows(absent, 1)
    harness.until(lambda: life.history() == [("2026-05-01", "morning", "shown")])
    shown_so_far(life, absent, 1)


def test_dunst_started_too_late(life, absent):
    life.set_clock("2026-05-01 08:00")
    harness.until(lambda: life.history() == [("2026-05-01", "morning", "notShown")])
    life.set_clock("2026-05-01 12:00")
    harness.until(lambda: life.history() == [("2026-05-01", "morning", "missed")])
    absent.start()
    shown_so_far(life, absent, 0)


@pytest.mark.long
def test_the_real_program_by_the_real_clock(daemon_factory, bus, dunst):
    daemon = daemon_factory(env={"DBUS_SESSION_BUS_ADDRESS": bus.address, "LANG": "ko_KR.UTF-8"}).start()
    now = datetime.datetime.now()
    # A minute whose beginning is at least two seconds away.
    minute = (now + datetime.timedelta(seconds=62)).replace(second=0, microsecond=0)
    if minute - now > datetime.timedelta(seconds=62):
        minute -= datetime.timedelta(minutes=1)
    daemon.call("reminder.settings.set", {"eveningEnabled": True, "eveningTime": minute.strftime("%H:%M")})
    left = (minute - now).total_seconds()
    assert dunst.displayed() == 0 and daemon.call("reminder.history")["items"] == []
    harness.until(lambda: dunst.displayed() == 1, left + harness.WAIT, every=0.1, what="the reminder")
    assert abs((datetime.datetime.now() - minute).total_seconds()) < 5
    [item] = harness.until(lambda: daemon.call("reminder.history")["items"])
    assert (item["slot"], item["dateIso"], item["outcome"], item["lateBySeconds"]) == ("evening", str(minute.date()), "shown", 0)
    daemon.call("health.record.set", {"slot": "evening", "systolic": 128, "diastolic": 82, "dateIso": str(minute.date())})
    shows(dunst, 0)
    [entry] = dunst.history()
    assert (entry["summary"], entry["body"]) == TEXTS["ko"][1]
