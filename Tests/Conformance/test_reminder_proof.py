"""Every date from 2000 to 2040 in every zone of the database, against the C library: minutes of work for two processors."""

import os
import subprocess

import pytest

import harness

PROGRAM = os.environ.get("KINDVERB_PROOF", harness.ROOT / ".build/release/ReminderProof")


@pytest.mark.long
@pytest.mark.timeout(1200)
@pytest.mark.skipif(not os.path.exists(PROGRAM) or bool(harness.SANITIZER), reason="the proof is not built")
@pytest.mark.parametrize("part", range(4))
def test_each_date_and_slot_once_to_the_second(part):
    result = subprocess.run([PROGRAM, str(part), "4"], capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    zones = int(result.stdout.split()[0])
    assert zones > 80, result.stdout
