"""Readings from outside: what is kept, what is refused and by which name, and that nothing measured is told to anyone else."""

import datetime
import json
import sqlite3
import time

import pytest

import harness

DAY = "2026-05-01"


def reading(slot="morning", systolic=128, diastolic=82, **more):
    return {"slot": slot, "systolic": systolic, "diastolic": diastolic, "dateIso": DAY, **more}


def key(error):
    return error["data"]["messageKey"].removeprefix("error.health."), error["data"].get("field")


@pytest.mark.parametrize("systolic, diastolic, expected", [
    (80, 120, ("systolic_not_above_diastolic", "systolic")), (120, 120, ("systolic_not_above_diastolic", "systolic")),
    (0, 0, ("out_of_range", "systolic")), (20, 10, ("out_of_range", "systolic")), (400, 90, ("out_of_range", "systolic")),
    (-120, 80, ("out_of_range", "systolic")), (261, 90, ("out_of_range", "systolic")), (49, 40, ("out_of_range", "systolic")),
    (120, 29, ("out_of_range", "diastolic")), (250, 201, ("out_of_range", "diastolic")), (120, -80, ("out_of_range", "diastolic")),
    (10**30, 80, ("error.rpc.invalid_params", "systolic")), (120.5, 80, ("error.rpc.invalid_params", "systolic")),
    ("120/80", 80, ("error.rpc.invalid_params", "systolic")), ("１２０", 80, ("error.rpc.invalid_params", "systolic")),
    ("1e3", 80, ("error.rpc.invalid_params", "systolic")), ("12a", 80, ("error.rpc.invalid_params", "systolic")),
    ("", 80, ("error.rpc.invalid_params", "systolic")), (None, 80, ("error.rpc.invalid_params", "systolic")),
    (True, 80, ("error.rpc.invalid_params", "systolic")), ([120], 80, ("error.rpc.invalid_params", "systolic")),
    (120, "80", ("error.rpc.invalid_params", "diastolic")),
])
def test_blood_pressure_that_is_none_is_refused_by_its_field(daemon, systolic, diastolic, expected):
    messages = set()
    for language in ("en", "ko", "ja", "zh-Hans"):
        error = daemon.fail("health.record.set", reading(systolic=systolic, diastolic=diastolic), {"language": language})
        assert key(error) == expected
        messages.add(error["data"]["message"])
    assert len(messages) == 4
    assert daemon.call("health.day.get", {"dateIso": DAY}) == {"dateIso": DAY, "isToday": False, "status": "none", "record": None}


@pytest.mark.parametrize("weight, expected", [
    (19.9, ("out_of_range", "weightKg")), (300.1, ("out_of_range", "weightKg")), (0, ("out_of_range", "weightKg")),
    (-70, ("out_of_range", "weightKg")), (705, ("out_of_range", "weightKg")), (68.45, ("weight_too_precise", "weightKg")),
    (68.400001, ("weight_too_precise", "weightKg")), ("70,5", ("error.rpc.invalid_params", "weightKg")),
    ("1.070,5", ("error.rpc.invalid_params", "weightKg")), ("70.5kg", ("error.rpc.invalid_params", "weightKg")),
    ("７０．５", ("error.rpc.invalid_params", "weightKg")), ("70.5", ("error.rpc.invalid_params", "weightKg")),
    (None, ("error.rpc.invalid_params", "weightKg")), (False, ("error.rpc.invalid_params", "weightKg")),
])
def test_weight_that_is_none_is_refused_by_its_field(daemon, weight, expected):
    assert key(daemon.fail("health.weight.set", {"weightKg": weight, "dateIso": DAY})) == expected
    assert daemon.call("health.day.get", {"dateIso": DAY})["record"] is None


@pytest.mark.parametrize("text, weight", [("20", 20), ("300", 300), ("300.0", 300), ("68.4", 68.4), ("6.84e1", 68.4), ("70.10", 70.1)])
def test_weight_comes_back_as_it_was_given(daemon, text, weight):
    with daemon.connect() as connection:
        reply = connection.exchange(
            b'{"jsonrpc":"2.0","id":1,"method":"health.weight.set","params":{"weightKg":%b,"dateIso":"2026-05-01"}}' % text.encode())
        assert reply["result"]["record"]["weightKg"] == weight
    assert daemon.call("health.series.get", {"days": 1, "until": DAY})["days"][0]["weightKg"] == weight


@pytest.mark.parametrize("date", ["2026-02-29", "2026-13-01", "2026-04-31", "1899-12-31", "2026-5-1", "01.05.2026", "20260501", "", "today",
                                  "２０２６-05-01", "2026-05-01T00:00:00Z"])
def test_a_date_that_does_not_exist_is_refused(daemon, date):
    for method, params in (("health.record.set", reading()), ("health.weight.set", {"weightKg": 70}), ("health.day.get", {}),
                           ("health.record.clear", {"slot": "morning"}), ("health.weight.clear", {})):
        error = daemon.fail(method, {**params, "dateIso": date})
        assert key(error) == ("date_invalid", "dateIso") and error["data"]["expected"] == "YYYY-MM-DD"
    assert key(daemon.fail("health.series.get", {"days": 7, "until": date})) == ("date_invalid", "until")
    for month in (date, "2026-00", "1899-12"):
        assert key(daemon.fail("health.calendar.get", {"month": month})) == ("date_invalid", "month")


def test_tomorrow_can_be_recorded_and_the_day_after_cannot(daemon):
    today = datetime.date.fromisoformat(daemon.call("health.day.get")["dateIso"])
    tomorrow, later = (str(today + datetime.timedelta(days=n)) for n in (1, 2))
    for method, params in (("health.record.set", reading()), ("health.weight.set", {"weightKg": 70})):
        assert key(daemon.fail(method, {**params, "dateIso": later})) == ("date_ahead", "dateIso")
        assert daemon.call(method, {**params, "dateIso": tomorrow})["dateIso"] == tomorrow
        ahead = int((time.time() + 2 * 86_400) * 1000)
        assert key(daemon.fail(method, {**params, "dateIso": DAY, "measuredAtEpochMs": ahead})) == ("out_of_range", "measuredAtEpochMs")
    assert daemon.call("health.day.get", {"dateIso": later})["record"] is None


def test_a_taken_slot_keeps_what_it_holds(daemon):
    daemon.call("health.record.set", reading())
    error = daemon.fail("health.record.set", reading(systolic=131))
    assert key(error) == ("slot_taken", "replace") and "128" not in json.dumps(error)
    assert daemon.call("health.record.set", reading())["replaced"] is False
    assert daemon.call("health.record.set", reading(systolic=131, replace=True))["replaced"] is True
    assert daemon.call("health.record.set", reading("evening", 120, 80))["record"]["morningSystolic"] == 131


def test_undo_goes_back_step_by_step_across_a_restart(daemon):
    daemon.call("health.record.set", reading())
    daemon.call("health.weight.set", {"weightKg": 68.4, "dateIso": DAY})
    daemon.call("health.record.set", reading(systolic=131, replace=True))
    daemon.call("health.record.clear", {"dateIso": DAY, "slot": "morning"})
    daemon.restart()
    seen = []
    for _ in range(4):
        undone = daemon.call("health.undo")
        assert undone["dateIso"] == DAY
        record = undone["record"] or {}
        seen.append((undone["part"], record.get("morningSystolic"), record.get("weightKg")))
    assert seen == [("morning", 131, 68.4), ("morning", 128, 68.4), ("weight", 128, None), ("morning", None, None)]
    assert key(daemon.fail("health.undo")) == ("nothing_to_undo", None)
    assert key(daemon.fail("health.record.clear", {"dateIso": DAY, "slot": "morning"}))[0] == "not_recorded"


def test_an_idempotency_key_records_once_and_forgets_what_is_cleared(daemon):
    meta = {"idempotencyKey": "one"}
    first = daemon.call("health.record.set", reading(), meta)
    daemon.call("health.record.set", reading(systolic=140, replace=True))
    assert daemon.call("health.record.set", reading(), meta) == first
    assert daemon.call("health.day.get", {"dateIso": DAY})["record"]["morningSystolic"] == 140
    assert daemon.fail("health.record.set", reading(systolic=129), meta)["data"]["code"] == "idempotency_conflict"
    daemon.call("health.record.clear", {"dateIso": DAY, "slot": "morning"})
    assert daemon.fail("health.record.set", reading(), meta)["data"]["code"] == "idempotency_gone"
    daemon.call("health.weight.set", {"weightKg": 68.4, "dateIso": DAY}, {"idempotencyKey": "two"})
    daemon.call("health.undo")
    assert daemon.fail("health.weight.set", {"weightKg": 68.4, "dateIso": DAY}, {"idempotencyKey": "two"})["data"]["code"] == "idempotency_gone"


def test_a_trial_changes_nothing_and_can_be_followed_by_the_real_thing(daemon):
    trial = daemon.call("health.record.set", reading(), {"dryRun": True})
    assert trial["record"]["morningSystolic"] == 128
    assert daemon.call("health.day.get", {"dateIso": DAY})["record"] is None
    assert key(daemon.fail("health.undo")) == ("nothing_to_undo", None)
    daemon.call("health.record.set", reading())
    assert daemon.call("health.undo", meta={"dryRun": True})["record"] is None
    assert daemon.call("health.day.get", {"dateIso": DAY})["record"]["morningSystolic"] == 128


def test_events_tell_the_date_and_nothing_measured(daemon):
    with daemon.connect() as listener, daemon.connect() as connection:
        listener.call("events.subscribe", {"topics": ["health"]})
        connection.call("health.record.set", reading(systolic=177, diastolic=99))
        connection.call("health.record.set", reading(systolic=177, diastolic=99))
        connection.call("health.weight.set", {"weightKg": 271.3, "dateIso": DAY})
        connection.call("health.record.clear", {"dateIso": DAY, "slot": "morning"})
        connection.call("health.undo")
        events = [listener.event()["params"] for _ in range(4)]
        assert [event["op"] for event in events] == ["updated", "updated", "cleared", "undone"]
        assert all(event["topic"] == "health" and event["id"] == DAY for event in events)
        assert set(events[0]) == {"subscription", "seq", "topic", "id", "op", "at", "cursor"}
        assert listener.is_quiet()


def test_nothing_measured_is_in_the_log_or_in_an_error(daemon):
    marks = ("1733", "1744", "177.77", "277.7")
    with daemon.connect() as connection:
        errors = [connection.fail("health.record.set", reading(systolic=1733, diastolic=1744)),
                  connection.fail("health.record.set", reading(systolic="1733/1744")),
                  connection.fail("health.weight.set", {"weightKg": 177.77, "dateIso": DAY}),
                  connection.fail("health.weight.set", {"weight": 277.7})]
        connection.call("health.weight.set", {"weightKg": 277.7, "dateIso": DAY})
    daemon.stop()
    told = json.dumps(errors) + daemon.log()
    assert not any(mark in told for mark in marks), told


# MARK: days and zones


def zone_showing(hour):
    """A zone in which the wall now shows some minutes after an hour, and its offset in minutes."""
    now = datetime.datetime.now(datetime.timezone.utc)
    offset = (hour - now.hour + 11) % 24 - 11
    return f"AAA{-offset:+d}", offset * 60, (now + datetime.timedelta(hours=offset)).date()


@pytest.mark.parametrize("hour, counts", [(2, True), (12, False), (22, False)])
def test_an_evening_after_midnight_counts_for_yesterday_and_says_so(daemon_factory, hour, counts):
    zone, offset, today = zone_showing(hour)
    daemon = daemon_factory(env={"TZ": zone}).start()
    yesterday = today - datetime.timedelta(days=1)
    change = daemon.call("health.record.set", {"slot": "evening", "systolic": 128, "diastolic": 82})
    assert change["countsForYesterday"] is counts and change["dateIso"] == str(yesterday if counts else today)
    record = change["record"]
    assert record["eveningMeasuredOffsetMinutes"] == offset and abs(record["eveningMeasuredAtEpochMs"] / 1000 - time.time()) < harness.WAIT
    morning = daemon.call("health.record.set", {"slot": "morning", "systolic": 128, "diastolic": 82})
    assert morning["countsForYesterday"] is False and morning["dateIso"] == str(today)
    # Named, it is the date that was named; only the present one is measured now.
    for date, known in ((today, not counts), (yesterday, counts)):
        named = daemon.call("health.record.set", {"slot": "evening", "systolic": 129, "diastolic": 82, "dateIso": str(date), "replace": True})
        assert named["countsForYesterday"] is False and named["dateIso"] == str(date)
        assert (named["record"]["eveningMeasuredAtEpochMs"] is not None) is known


def test_a_date_stays_when_the_zone_moves(daemon_factory):
    daemon = daemon_factory(env={"TZ": "Asia/Seoul"}).start()
    at = int(datetime.datetime(2026, 4, 30, 22, 30, tzinfo=datetime.timezone.utc).timestamp() * 1000)
    change = daemon.call("health.record.set", {"slot": "morning", "systolic": 128, "diastolic": 82, "measuredAtEpochMs": at})
    assert change["dateIso"] == DAY and change["record"]["morningMeasuredOffsetMinutes"] == 540
    daemon.stop()
    daemon.env["TZ"] = "America/Los_Angeles"
    daemon.start()
    day = daemon.call("health.day.get", {"dateIso": DAY})
    assert day["record"] == change["record"] and day["status"] == "partial"
    month = daemon.call("health.calendar.get", {"month": "2026-05"})["days"]
    assert [d["dateIso"] for d in month if d["morning"]] == [DAY]


def test_gaps_are_gaps(daemon):
    for day in (1, 2, 20, 21):
        daemon.call("health.record.set", {"slot": "morning", "systolic": 120 + day, "diastolic": 80, "dateIso": f"2026-04-{day:02}"})
    series = daemon.call("health.series.get", {"days": 30, "until": "2026-04-30"})
    assert [d["dateIso"] for d in series["days"]] == [f"2026-04-{n:02}" for n in range(1, 31)]
    assert [n for n, d in enumerate(series["days"], 1) if d["morningSystolic"]] == [1, 2, 20, 21]
    assert series["means"] == {"morning": {"systolic": 131, "diastolic": 80, "count": 4}, "evening": None,
                               "all": {"systolic": 131, "diastolic": 80, "count": 4}, "weight": None}
    assert series["referenceLine"] == {"systolic": 135, "diastolic": 85}
    for days in (0, 367, -1):
        assert daemon.fail("health.series.get", {"days": days})["data"]["field"] == "days"
    assert len(daemon.call("health.series.get", {"days": 366})["days"]) == 366


def test_damage_to_a_reading_is_found(daemon):
    daemon.call("health.record.set", reading())
    daemon.stop()
    with sqlite3.connect(daemon.data / "kindverb.db") as database:
        database.execute("UPDATE dailyHealthRecord SET morningSystolic = 129")
    database.close()
    (daemon.data / "kindverb.seal").unlink(missing_ok=True)
    status, log = daemon.refuses_to_start()
    assert status == 65 and "129" not in log, log
