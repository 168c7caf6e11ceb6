"""Readings from outside: what is kept, what is refused and by which name, and that nothing measured is told to anyone else."""

import json

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
