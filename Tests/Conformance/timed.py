"""A daemon with a clock and a zone that a test sets. The clock is the system's, ahead by what a file says; all else is kindverbd."""

import contextlib
import datetime
import os
import pathlib
import time
import zoneinfo

import pytest

import harness

PROGRAM = harness.ROOT / ".build/debug/TimedDaemon"
# What uses it runs beside nothing else that uses a screen.
MARKS = [
    pytest.mark.xdist_group("desktop"),
    pytest.mark.skipif(not PROGRAM.exists() or bool(harness.SANITIZER), reason="the daemon with a clock of its own is not built"),
]


class TimedDaemon(harness.Daemon):
    """The clock begins where `at` says, in `zone`, and goes on from there."""

    def __init__(self, at="2026-05-01 07:00", zone="Asia/Seoul", bus=None, **options):
        env = dict(options.pop("env", None) or {})
        if bus is not None:
            env["DBUS_SESSION_BUS_ADDRESS"] = bus.address
        super().__init__(program=str(PROGRAM), env=env, **options)
        self.timed = self.root / "timed"
        self.timed.mkdir()
        self.env["TIMED_DIRECTORY"] = str(self.timed)
        self.zone = zone
        self._put_zone()
        self._put_clock(self.instant(at))

    def instant(self, text):
        """Seconds since 1970 when the wall shows `2026-05-01 07:00[:30]`."""
        wall = datetime.datetime.fromisoformat(text)
        return wall.replace(tzinfo=zoneinfo.ZoneInfo(self.zone)).timestamp()

    def now(self):
        """The daemon's clock, in seconds since 1970."""
        return time.time() + int((self.timed / "ahead").read_text()) / 1000

    def wall(self):
        return datetime.datetime.fromtimestamp(self.now(), zoneinfo.ZoneInfo(self.zone)).strftime("%Y-%m-%d %H:%M:%S")

    def _put_clock(self, seconds):
        new = self.timed / "ahead.new"
        # Never a millisecond too early: both clocks are cut to milliseconds.
        new.write_text(str(round((seconds - time.time()) * 1000) + 2))
        new.rename(self.timed / "ahead")

    def _put_zone(self):
        new = self.timed / "localtime.new"
        new.unlink(missing_ok=True)
        new.symlink_to(f"/usr/share/zoneinfo/{self.zone}")
        os.rename(new, self.timed / "localtime")

    def set_clock(self, text):
        """Sets the clock as a person, or the network, would; returns when everything was looked at anew."""
        before = self.log().count("the clock was set")
        self._put_clock(self.instant(text))
        harness.until(lambda: self.log().count("the clock was set") > before, what="the clock's being noticed")
        self.call("system.ping")

    def set_zone(self, zone):
        """Travels; returns when everything was looked at anew."""
        before = self.log().count("the zone may have changed")
        self.zone = zone
        self._put_zone()
        harness.until(lambda: self.log().count("the zone may have changed") > before, what="the zone's being noticed")
        self.call("system.ping")

    def remind(self, **settings):
        return self.call("reminder.settings.set", settings)

    def history(self):
        return [(item["dateIso"], item["slot"], item["outcome"]) for item in self.call("reminder.history")["items"]]

    def record(self, slot, **more):
        return self.call("health.record.set", {"slot": slot, "systolic": 128, "diastolic": 82, **more})


def rows(data, query):
    """What a stopped daemon's store holds."""
    import sqlite3

    # Left to the collector it would keep its lock.
    with contextlib.closing(sqlite3.connect(f"file:{pathlib.Path(data) / 'kindverb.db'}?mode=ro", uri=True)) as database:
        return database.execute(query).fetchall()


def notified(service):
    """What is shown next: the body and the hints."""
    _, (name, _, _, summary, body, actions, hints, expires) = service.next("Notify")
    return {"app": name, "expires": expires, "summary": summary, "body": body, "actions": actions, **{key: value[1] for key, value in hints.items()}}


def is_silent(daemon, service):
    """Nothing is shown: what is shown on trial comes next, and the bus keeps the order."""
    assert daemon.call("reminder.test")["outcome"] == "shown"
    service.next("Notify")
    return all(member != "Notify" for member, _, _ in list(service.calls.queue))


def stands(daemon, service):
    """The daemon knows the number of what it has shown: it gets the answers in their order."""
    assert is_silent(daemon, service)
