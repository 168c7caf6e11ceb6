#!/usr/bin/env python3
"""kill -9 at random points around edits and firings: every acknowledged edit holds, and no date's slot rings twice.

    Tests/Crash/reminders.py [ROUNDS]      with the daemon of the tests that has a clock of its own, .build/debug/TimedDaemon

Times are such that a reminder always comes on its own date, so the date on the daemon's wall when it arrives is the one it is for.
"""
import collections
import datetime
import pathlib
import random
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Conformance"))
import bus as desktop  # noqa: E402
import harness  # noqa: E402
import timed  # noqa: E402
from jeepney import DBusAddress, new_method_call  # noqa: E402
from jeepney.bus_messages import message_bus  # noqa: E402
from jeepney.io.blocking import open_dbus_connection  # noqa: E402

ZONE = "Asia/Seoul"
HOURS = {"morning": (5, 11), "evening": (16, 19)}
SUMMARIES = {"Good morning": "morning", "Good evening": "evening"}
GONE = (OSError, AssertionError, ValueError)


class Screen(desktop.FakeService):
    """Keeps what rang by date and slot, and takes its time to answer, so that a kill falls between as well."""

    def __init__(self, bus):
        self.daemon = None
        self.heard = threading.Event()
        self.rung = collections.defaultdict(list)
        super().__init__(bus)

    def Notify(self, message):
        slot = SUMMARIES.get(message.body[3])
        if slot:  # and not one on trial
            wall = self.daemon.wall()
            self.rung[wall[:10], slot].append(wall)
            self.heard.set()
        time.sleep(random.choice((0, 0, random.uniform(0, 0.02))))
        return super().Notify(message)

    def GetServerInformation(self, _):
        return "ssss", ("crash", "crash", "1", "1.2")


class Bystander:
    """Someone else on the bus, who knows when the daemon's last words have been heard."""

    def __init__(self, bus, screen):
        self.connection = open_dbus_connection(bus.address)
        self.known = {self.connection.unique_name, screen.name}

    def ask(self, message):
        return self.connection.send_and_get_reply(message, timeout=harness.WAIT).body

    def names(self):
        return {name for name in self.ask(message_bus.ListNames())[0] if name.startswith(":")}

    def wait(self):
        """The bus forgets a name when it has read all that came from it; what the screen is asked then comes after."""
        harness.until(lambda: self.names() <= self.known, every=0.001, what="the dead daemon's leaving the bus")
        self.ask(new_method_call(DBusAddress(desktop.PATH, bus_name=desktop.NAME, interface=desktop.NAME), "GetServerInformation"))


class Life:
    """What the daemon has acknowledged: the settings, and what is recorded; and the one change that it has not answered."""

    def __init__(self, daemon):
        self.daemon = daemon
        self.settings = {}
        self.records = {}
        self.pending = None
        self.acknowledged = self.unanswered = 0

    def today(self):
        return self.daemon.wall()[:10]

    def change(self, connection):
        """One change at random."""
        slot = random.choice(list(HOURS))
        if random.random() < 0.6:
            first, last = HOURS[slot]
            time = f"{random.randint(first, last):02}:{random.randrange(60):02}"
            wanted = {f"{slot}Time": time, f"{slot}Enabled": random.random() < 0.9}
            self.ask(connection, "reminder.settings.set", wanted, ("settings", wanted))
        elif random.random() < 0.4:
            value, date = random.randint(100, 180), self.today()
            params = {"slot": slot, "systolic": value, "diastolic": 60, "dateIso": date, "replace": True}
            self.ask(connection, "health.record.set", params, ("record", (date, slot), value))
        else:
            date = self.today()
            self.ask(connection, "health.record.clear", {"dateIso": date, "slot": slot}, ("record", (date, slot), None))

    def ask(self, connection, method, params, effect):
        self.pending = effect
        reply = connection.ask(method, params)
        assert "result" in reply or reply["error"]["data"]["code"] == "not_recorded", reply
        self.apply(effect)
        self.pending = None
        self.acknowledged += 1

    def apply(self, effect):
        if effect[0] == "settings":
            self.settings.update(effect[1])
        else:
            self.records[effect[1]] = effect[2]

    def check(self):
        """All that was acknowledged is there; what was not is there as a whole or not at all."""
        with self.daemon.connect() as connection:
            now = connection.call("reminder.settings.get")
            now.pop("updatedAt")
            found = {key: self.found(connection, *key) for key in list(self.records)[-4:]}
            pending, self.pending = self.pending, None
            if pending is not None:
                self.unanswered += 1
                if pending[0] == "settings":
                    done = now == {**self.settings, **pending[1]}
                else:
                    done = self.found(connection, *pending[1]) == pending[2]
                    found.pop(pending[1], None)
                    assert done or self.found(connection, *pending[1]) == self.records.get(pending[1]), "half a record"
                if done:
                    self.apply(pending)
        assert now == self.settings, f"an acknowledged edit is another: {now} in place of {self.settings}"
        for key, value in found.items():
            assert value == self.records[key], f"an acknowledged record is another: {key} {value}"

    @staticmethod
    def found(connection, date, slot):
        record = connection.call("health.day.get", {"dateIso": date})["record"]
        return record and record[f"{slot}Systolic"]


def edits(life, stop):
    """Changes until the connection breaks."""
    try:
        with life.daemon.connect() as connection:
            while not stop.is_set():
                life.change(connection)
                time.sleep(random.uniform(0, 0.01))
    except GONE:
        pass


def target(life):
    """A time on the wall at which something is due, mostly today or tomorrow, now and then on a date that has been."""
    slot = random.choice([slot for slot in HOURS if life.settings[f"{slot}Enabled"]] or list(HOURS))
    date = datetime.date.fromisoformat(life.today()) + datetime.timedelta(days=random.choice((0, 0, 1, 1, 1, -1)))
    return f"{date} {life.settings[f'{slot}Time']}"


def settle(daemon):
    """Waits until nothing is on its way to the screen, where it would arrive at a time that is not its own: a minute that is about to
    begin has begun, and what was due is on the screen when one on trial is."""
    left = 60 - daemon.now() % 60
    if left < 0.3:
        time.sleep(left + 0.02)
    daemon.call("reminder.test", meta={"language": "ko"})


def round_of(life, screen, bystander):
    """Something becomes due, something is changed, or both; and in the middle of it the daemon dies."""
    daemon, kind = life.daemon, random.choice(("fires", "fires", "edits", "both", "both", "was due"))
    stop, editor = threading.Event(), None
    untouched = {key for key, value in life.records.items() if value is not None} if kind in ("fires", "was due") else set()
    screen.heard.clear()
    rung = {key: len(times) for key, times in screen.rung.items()}
    if kind in ("fires", "both"):
        settle(daemon)
        at, ahead = target(life), random.uniform(0, 0.015)
        daemon._put_clock(daemon.instant(at) - ahead)
    if kind in ("edits", "both"):
        editor = threading.Thread(target=edits, args=(life, stop))
        editor.start()
    if kind in ("fires", "both"):
        time.sleep(ahead)
    # At any moment after it was due; or while it is being handed over, as soon as that is heard.
    if random.random() < 0.7:
        time.sleep(random.choice((random.uniform(0, 0.008), random.uniform(0, 0.04))))
    elif screen.heard.wait(0.04):
        time.sleep(random.choice((0, random.uniform(0, 0.003))))
    daemon.kill9()
    stop.set()
    if editor:
        editor.join()
    bystander.wait()
    if kind == "was due":
        daemon._put_clock(daemon.instant(target(life)) + random.uniform(0, 3600))
    daemon.start()
    life.check()
    for key in untouched:
        assert len(screen.rung[key]) == rung.get(key, 0), f"it rang for what is recorded: {key}"
    for key, times in screen.rung.items():
        assert len(times) <= 1, f"it rang twice: {key} at {times}"


def last_words(life, screen, bystander):
    """After all of it, it still rings, once; and the store holds one schedule for a slot, and one row for a date and slot."""
    daemon = life.daemon
    date = datetime.date.fromisoformat(max([life.today(), *(date for date, _ in screen.rung)])) + datetime.timedelta(days=7)
    daemon.set_clock(f"{date} 04:00")
    daemon.remind(morningEnabled=True, morningTime="07:00", eveningEnabled=True, eveningTime="17:00")
    for slot, at in ("morning", "07:00"), ("evening", "17:00"):
        daemon._put_clock(daemon.instant(f"{date} {at}"))
        harness.until(lambda: len(screen.rung[str(date), slot]) == 1, what="the last reminders")
    shown = {key for key, times in screen.rung.items() if times}
    daemon.stop()
    bystander.wait()
    assert timed.rows(daemon.data, "SELECT slot FROM reminderSlot ORDER BY slot") == [("evening",), ("morning",)]
    assert timed.rows(daemon.data, "SELECT day FROM reminder GROUP BY day, slot HAVING count(*) > 1") == []
    rows = timed.rows(daemon.data, "SELECT date(day * 86400, 'unixepoch'), slot FROM reminder WHERE outcome = 'shown'")
    assert shown <= set(rows), f"rung and not stored as shown: {shown - set(rows)}"
    return len(shown), len(set(rows) - shown)


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    began = time.monotonic()
    seed = random.randrange(1 << 32)
    random.seed(seed)
    session = desktop.SessionBus().start()
    screen = Screen(session)
    daemon = timed.TimedDaemon(at="2026-05-01 04:00", zone=ZONE, bus=session)
    screen.daemon = daemon
    try:
        bystander = Bystander(session, screen)
        life = Life(daemon.start())
        life.settings = daemon.remind(morningEnabled=True, morningTime="08:00", eveningEnabled=True, eveningTime="18:00")
        life.settings.pop("updatedAt")
        for _ in range(rounds):
            round_of(life, screen, bystander)
        rung, silent = last_words(life, screen, bystander)
    except BaseException:
        print(f"seed {seed}\n{daemon.log()[-3000:]}", file=sys.stderr)
        raise
    finally:
        daemon.close()
        screen.close()
        session.close()
    assert rung > rounds / 10, f"only {rung} reminders in {rounds} rounds: nothing was tried"
    print(f"{rounds} rounds of kill -9: {rung} reminders rang, none twice; {silent} were stored and died on their way; "
          f"{life.acknowledged} changes acknowledged, 0 lost; {life.unanswered} unanswered, each whole or absent "
          f"({time.monotonic() - began:.0f} s)")


if __name__ == "__main__":
    main()
