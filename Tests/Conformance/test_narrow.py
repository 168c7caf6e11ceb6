"""Readings on terminals that are narrow, or write no UTF-8."""

import datetime
import fcntl
import struct
import termios

import pytest

from person import Person
from test_health_cli import LANGUAGES, cells


def narrow(daemon, columns, *words, **options):
    """What a terminal of so many columns shows."""
    size = struct.pack("HHHH", 24, columns, 0, 0)
    with Person(daemon, *words, before=lambda: fcntl.ioctl(0, termios.TIOCSWINSZ, size), **options) as person:
        status, shown = person.end()
        assert status == 0
        return person.shown().splitlines()


@pytest.mark.parametrize("locale", ["C", "C.UTF-8", None])
def test_nothing_is_wider_than_the_terminal(daemon, locale):
    today = datetime.date.fromisoformat(daemon.call("health.day.get")["dateIso"])
    for back in (0, 1, 2, 8):
        date = str(today - datetime.timedelta(days=back))
        for slot in ("morning", "evening"):
            daemon.call("health.record.set", {"slot": slot, "systolic": 128 + back, "diastolic": 82, "dateIso": date,
                                              "measuredAtEpochMs": 1_700_000_000_000})
        daemon.call("health.weight.set", {"weightKg": 68.4, "dateIso": date})
    env = {"LC_ALL": locale or "", "LANG": ""}
    for language in LANGUAGES:
        for columns in (0, 2, 5, 19, 20, 30, 37, 40, 41, 42, 60, 79):
            for words in (["day"], ["calendar"], ["graph", "7"], ["graph", "30"], ["remind"], ["remind", "history"]):
                lines = narrow(daemon, columns, *words, language=language, terminal="xterm", env=env)
                if columns >= 20 or columns == 0:
                    assert all(cells(line) <= (columns or 80) for line in lines), (columns, words, lines)
                if language == "en" and locale != "C.UTF-8":
                    assert all(line.isascii() for line in lines), (columns, words, lines)
                if words[0] in ("day", "graph") and columns:
                    assert "68.4" in "".join(lines), (columns, words, lines)


def test_a_picture_that_has_no_room_becomes_words(daemon):
    daemon.call("health.record.set", {"slot": "morning", "systolic": 128, "diastolic": 82})
    daemon.call("health.weight.set", {"weightKg": 68.4})
    today = daemon.call("health.day.get")["dateIso"]
    assert f"{today[5:]}  morning 128/82  weight 68.4" in narrow(daemon, 36, "graph", "30")
    assert f"[{int(today[8:]):2}]M W" in narrow(daemon, 40, "calendar")
    assert any(line.endswith(today[5:]) for line in narrow(daemon, 37, "graph", "30")), "the last day has its date"
