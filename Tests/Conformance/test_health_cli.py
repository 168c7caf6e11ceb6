"""Readings at the command line: typed, shown on a month and a graph, and nothing recorded that was not meant."""

import datetime
import json
import re
import unicodedata

import pytest

import harness
from person import Person
from test_health import zone_showing

LANGUAGES = ("en", "ko", "ja", "zh-Hans")


def cells(text):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def record(daemon, date=None):
    return daemon.call("health.day.get", {"dateIso": date} if date else {})["record"]


@pytest.mark.parametrize("words, field", [
    (["80/120"], "systolic"), (["120/120"], "systolic"), (["0/0"], "systolic"), (["20/10"], "systolic"), (["400/90"], "systolic"),
    (["-120/80"], "systolic"), (["120.5/80"], "systolic"), (["120/80/3"], "systolic"), (["１２０/80"], "systolic"), (["1e3/80"], "systolic"),
    (["12a/80"], "systolic"), ([""], "systolic"), (["120"], "systolic"), (["120-80"], "systolic"), (["120", "/", "80"], "systolic"),
    (["120/20"], "diastolic"), (["120/８０"], "diastolic"), (["120/"], "diastolic"), (["120/80", "--date", "2026-02-30"], "date"),
    (["120/80", "--date", "2999-01-01"], "date"), (["120/80", "--at", "24:00"], "--at"), (["120/80", "--at", "7:5"], "--at"),
])
def test_what_is_no_reading_is_refused_in_the_persons_language(daemon, kindverb, words, field):
    names = {"systolic": ("systolic", "수축기", "収縮期", "收缩压"), "diastolic": ("diastolic", "이완기", "拡張期", "舒张压"),
             "date": ("date", "날짜", "日付", "日期"), "--at": ("--at",) * 4}[field]
    for language, name in zip(LANGUAGES, names):
        result = kindverb(daemon, "--language", language, "bp", *words)
        assert result.returncode in (1, 3) and result.stdout == "" and name in result.stderr, result
        if language != "en":
            assert not re.search(r"\b(Please|pressure|Expected|value|outside)\b", result.stderr), result.stderr
    assert all(day["status"] == "none" for day in daemon.call("health.calendar.get")["days"])
    assert daemon.fail("health.undo")["data"]["code"] == "nothing_to_undo"


@pytest.mark.parametrize("word", ["70,5", "1.070,5", "70.5kg", "７０．５", "7e1", "70.", "", "705", "19.9", "68.45", "-70"])
def test_weight_is_as_it_was_meant_or_refused(daemon, kindverb, word):
    for language, name in zip(LANGUAGES, ("eight", "체중", "体重", "体重")):
        result = kindverb(daemon, "--language", language, "weight", word)
        assert result.returncode in (1, 3) and result.stdout == "" and name in result.stderr, result
    assert record(daemon) is None


def test_the_help_says_what_becomes_of_a_comma(daemon, kindverb):
    for language, word in zip(LANGUAGES, ("comma", "쉼표", "コンマ", "逗号")):
        assert word in kindverb(daemon, "--language", language, "weight", "--help").stdout


def test_the_help_of_a_verb_that_others_begin_with_explains_it(kindverb):
    shown = kindverb(None, "--language", "en", "bp", "--help").stdout
    assert "when it was measured" in shown and "kindverb bp clear" in shown
    assert "when it was measured" not in kindverb(None, "--language", "en", "bp", "clear", "--help").stdout


@pytest.mark.parametrize("words", [["128/82"], ["128", "82"], ["128 82"]])
def test_both_ways_of_writing_a_reading(daemon, kindverb, words):
    result = kindverb(daemon, "bp", *words, "--morning")
    assert result.returncode == 0 and "128/82 mmHg" in result.stdout and "morning" in result.stdout
    assert record(daemon)["morningSystolic"] == 128


@pytest.mark.parametrize("hour, slot, yesterday", [(2, "evening", True), (9, "morning", False), (18, "evening", False)])
def test_the_clock_decides_and_the_answer_says_which(daemon_factory, kindverb, hour, slot, yesterday):
    zone, _, today = zone_showing(hour)
    daemon = daemon_factory(env={"TZ": zone}).start()
    result = kindverb(daemon, "bp", "128/82")
    date = today - datetime.timedelta(days=yesterday)
    assert f"{date}, {slot}, 128/82 mmHg" in result.stdout and ("after midnight" in result.stdout) is yesterday
    told = kindverb(daemon, "--language", "ko", "bp", "131/84", "--replace").stdout
    assert str(date) in told and ("자정" in told) is yesterday
    assert record(daemon, str(date))[slot + "Systolic"] == 131


def test_a_time_is_kept_and_shown(daemon_factory, kindverb):
    daemon = daemon_factory(env={"TZ": "Asia/Seoul"}).start()
    kindverb(daemon, "bp", "128/82", "--morning", "--date", "2026-05-01", "--at", "07:30")
    kindverb(daemon, "bp", "121/81", "--evening", "--date", "2026-05-01", "--at", "00:40")
    kindverb(daemon, "weight", "68.4", "--date", "2026-05-01")
    shown = kindverb(daemon, "day", "2026-05-01").stdout
    assert shown == "morning\t128/82 mmHg\t07:30\nevening\t121/81 mmHg\t2026-05-02 00:40\nweight\t68.4 kg\t\n"
    daemon.stop()
    daemon.env["TZ"] = "America/Los_Angeles"
    daemon.start()
    assert kindverb(daemon, "day", "2026-05-01").stdout == shown


def test_a_taken_slot_in_a_script_wants_to_be_told(daemon, kindverb):
    words = ("--date", "2026-05-01", "--morning")
    assert kindverb(daemon, "bp", "128/82", *words).returncode == 0
    assert kindverb(daemon, "bp", "128/82", *words).returncode == 0
    for language in LANGUAGES:
        result = kindverb(daemon, "--language", language, "bp", "131/84", *words)
        assert result.returncode == 1 and "--replace" in result.stderr and "128" not in result.stderr
    error = json.loads(kindverb(daemon, "--json", "bp", "131/84", *words).stdout)["error"]
    assert error["data"]["messageKey"] == "error.health.slot_taken"
    assert "Replaced" in kindverb(daemon, "bp", "131/84", *words, "--replace").stdout
    assert "128/82" in kindverb(daemon, "undo").stdout
    trial = kindverb(daemon, "--dry-run", "bp", "140/90", *words, "--replace")
    assert trial.returncode == 0 and record(daemon, "2026-05-01")["morningSystolic"] == 128


@pytest.mark.parametrize("answer, systolic, status", [("y", 131, 0), ("n", 128, 1), ("", 128, 1), ("예", 131, 0)])
def test_a_taken_slot_at_a_terminal_is_asked_about(daemon, kindverb, answer, systolic, status):
    kindverb(daemon, "bp", "128/82", "--date", "2026-05-01", "--morning")
    with Person(daemon, "bp", "131/84", "--date", "2026-05-01", "--morning") as person:
        question = person.until("[y/N] ")
        assert "128/82" in question and "131/84" in question and "2026-05-01" in question
        person.type(answer + "\n")
        ended, rest = person.end()
    assert ended == status and ("kindverb undo" in rest) is (status == 0)
    assert record(daemon, "2026-05-01")["morningSystolic"] == systolic
    assert kindverb(daemon, "undo").returncode == 0


def test_clearing_and_taking_back(daemon, kindverb):
    assert kindverb(daemon, "bp", "clear").returncode == 1
    kindverb(daemon, "bp", "128/82", "--evening", "--date", "2026-05-01")
    assert "evening" in kindverb(daemon, "bp", "clear", "2026-05-01").stdout and record(daemon, "2026-05-01") is None
    assert "Now: 128/82 mmHg" in kindverb(daemon, "undo").stdout
    kindverb(daemon, "bp", "121/81", "--morning", "--date", "2026-05-01")
    both = kindverb(daemon, "bp", "clear", "2026-05-01")
    assert both.returncode == 3 and "--morning" in both.stderr
    assert kindverb(daemon, "bp", "clear", "2026-05-01", "--morning").returncode == 0
    kindverb(daemon, "weight", "68.4", "--date", "2026-05-01")
    assert kindverb(daemon, "weight", "clear", "2026-05-01").returncode == 0
    left = record(daemon, "2026-05-01")
    assert (left["morningSystolic"], left["eveningSystolic"], left["weightKg"]) == (None, 128, None)
    assert json.loads(kindverb(daemon, "--json", "undo").stdout)["part"] == "weight"
    assert kindverb(daemon, "bp", "128/82", "--morning", "--evening").returncode == 3


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("locale", ["C.UTF-8", "C"])
def test_a_month_is_a_grid(daemon, kindverb, language, locale):
    daemon.call("health.record.set", {"slot": "morning", "systolic": 128, "diastolic": 82, "dateIso": "2026-05-12"})
    daemon.call("health.record.set", {"slot": "evening", "systolic": 128, "diastolic": 82, "dateIso": "2026-05-12"})
    daemon.call("health.weight.set", {"weightKg": 68.4, "dateIso": "2026-05-31"})
    result = kindverb(daemon, "--language", language, "calendar", "2026-05", env={"LANG": locale})
    assert result.returncode == 0 and "\x1b" not in result.stdout and "128" not in result.stdout
    title, head, *weeks = result.stdout.split("\n\n")[0].splitlines()
    assert "2026" in title and head.split()[0] == {"en": "Su", "ko": "일", "ja": "日", "zh-Hans": "一"}[language]
    places = {int(found[1]): cells(week[: found.end()]) for week in weeks for found in re.finditer(r"(?<!\d)(\d{1,2})(?!\d)", week)}
    assert sorted(places) == list(range(1, 32))
    assert all(places[day] == places[day + 7] for day in range(1, 25))
    # The 3rd of May 2026 is a Sunday, the 4th a Monday.
    assert places[4 if language == "zh-Hans" else 3] == min(places.values())
    with Person(daemon, "calendar", "2026-05", language=language) as person:
        status, shown = person.end()
    assert status == 0 and shown.replace("\r", "") == result.stdout
    assert all(cells(line) <= 80 for line in shown.splitlines())


def test_today_is_marked_on_its_month_alone(daemon, kindverb):
    today = daemon.call("health.day.get")["dateIso"]
    assert f"[{int(today[8:]):2}]" in kindverb(daemon, "calendar").stdout
    assert "[" not in kindverb(daemon, "calendar", "2025-02").stdout
    with Person(daemon, "calendar", terminal="xterm") as person:
        assert f"\x1b[1m[{int(today[8:]):2}]\x1b[0m" in person.end()[1]
    calendar = json.loads(kindverb(daemon, "--json", "calendar", "2025-02").stdout)
    assert calendar["month"] == "2025-02" and len(calendar["days"]) == 28
    wrong = kindverb(daemon, "--language", "ko", "calendar", "2026-13")
    assert wrong.returncode == 1 and "YYYY-MM" in wrong.stderr and "달" in wrong.stderr


def test_a_graph_has_gaps_where_nothing_was_measured(daemon, kindverb):
    today = datetime.date.fromisoformat(daemon.call("health.day.get")["dateIso"])
    for day in (1, 2, 20, 21):
        date = str(today - datetime.timedelta(days=30 - day))
        daemon.call("health.record.set", {"slot": "morning", "systolic": 120 + day, "diastolic": 80, "dateIso": date})
        daemon.call("health.record.set", {"slot": "evening", "systolic": 110, "diastolic": 75, "dateIso": date})
        daemon.call("health.weight.set", {"weightKg": 68 + day / 10, "dateIso": date})
    for env, joint in (({}, "[\u2801-\u28ff]"), ({"LC_ALL": "C"}, r"\.")):
        shown = kindverb(daemon, "graph", "30", env=env).stdout
        assert all(cells(line) <= 80 for line in shown.splitlines())
        plots = [line.split("|", 1)[1] for line in shown.splitlines() if "|" in line]
        marks = {place // 2 + 1 for plot in plots for place, c in enumerate(plot) if c in "ox+*"}
        joints = {place // 2 + 1 for plot in plots for place, c in enumerate(plot) if re.match(joint, c)}
        assert marks == {1, 2, 20, 21} and joints and joints <= {1, 2, 20, 21}
        assert "135/85 home measurement" in shown and re.search(r"^  135 \|.*[-╌]{10}", shown, re.MULTILINE)
        assert "morning  131.0/80.0 mmHg  (4)" in shown and "weight   69.1 kg          (4)" in shown
    for language in LANGUAGES:
        assert kindverb(daemon, "--language", language, "graph").returncode == 0
    assert len(json.loads(kindverb(daemon, "--json", "graph", "30").stdout)["days"]) == 30
    wrong = kindverb(daemon, "graph", "8")
    assert wrong.returncode == 3 and "7, 30" in wrong.stderr


def test_the_graph_judges_nobody(daemon, kindverb):
    today = daemon.call("health.day.get")["dateIso"]
    daemon.call("health.record.set", {"slot": "morning", "systolic": 190, "diastolic": 125, "dateIso": today})
    for words in (["graph"], ["day"], ["calendar"], ["bp", "195/125", "--replace", "--morning", "--date", today]):
        shown = kindverb(daemon, *words).stdout
        assert not re.search(r"high|hypert|normal|danger|doctor|warn|!", shown, re.IGNORECASE), shown


CLICKED = {"KINDVERB_DATE": "2026-05-01", "KINDVERB_SLOT": "evening"}
QUESTION = "Blood pressure (like 128/82): "


@pytest.mark.parametrize("terminal", ["dumb", "xterm"])
def test_a_terminal_asks_for_a_reading_until_it_is_one(daemon, kindverb, terminal):
    kindverb(daemon, "bp", "110/70", "--date", "2026-05-01", "--morning")
    with Person(daemon, "bp", "--date", "2026-05-01", "--morning", terminal=terminal) as person:
        for typed, wrong in (("abc", "128/82 or 128 82"), ("12x/80", "whole number"), ("400/90", "at most 260"), ("80/120", "above")):
            person.until(QUESTION)
            person.type(typed + "\n")
            person.until(wrong)
        person.until(QUESTION)
        person.type(" 131 84 \n")
        assert "110/70" in person.until("[y/N] ")
        person.type("y\n")
        status, rest = person.end()
    assert status == 0 and "Replaced: 2026-05-01, morning, 131/84 mmHg" in rest and "Enter" not in rest
    with Person(daemon, "weight", "--date", "2026-05-01", terminal=terminal) as person:
        person.until("Weight in kg (like 68.4): ")
        person.type("70,5\n")
        person.until("a plain number with a point")
        person.type("68.45\n")
        person.until("one digit after the point")
        person.type("68.4\n")
        assert person.end()[0] == 0
    kept = record(daemon, "2026-05-01")
    assert (kept["morningSystolic"], kept["weightKg"]) == (131, 68.4)


@pytest.mark.parametrize("typed", ["\n", "\x04"])
@pytest.mark.parametrize("verb", ["bp", "weight"])
def test_an_empty_line_or_the_end_of_input_records_nothing(daemon, typed, verb):
    for env in ({}, CLICKED):
        with Person(daemon, verb, env=env) as person:
            person.until("): ")
            person.type(typed)
            status, rest = person.end()
        assert status == 1 and "Nothing was changed." in rest and "Enter" not in rest
    assert daemon.fail("health.undo")["data"]["code"] == "nothing_to_undo"


def test_a_script_is_not_asked(daemon, kindverb):
    for verb in ("bp", "weight"):
        result = kindverb(daemon, verb, input="128/82\n", env=CLICKED)
        assert result.returncode == 3 and result.stdout == "" and "missing" in result.stderr
    with Person(daemon, "--json", "bp") as person:
        assert person.end()[0] == 3


@pytest.mark.parametrize("language, question, close", [
    ("en", QUESTION, "Press Enter"), ("ko", "혈압 (예: 128/82): ", "Enter를"), ("ja", "血圧（例：128/82）： ", "Enter を"),
    ("zh-Hans", "血压（如 128/82）： ", "按 Enter")])
def test_a_click_records_for_its_reminder_and_the_window_stays_until_it_was_read(daemon, language, question, close):
    with Person(daemon, "bp", env=CLICKED, language=language) as person:
        assert "2026-05-01" in person.until(question)
        person.type("128/82\n")
        assert "128/82 mmHg" in person.until(close)
        person.type("\n")
        assert person.end()[0] == 0
    assert record(daemon, "2026-05-01")["eveningSystolic"] == 128


def test_the_command_of_the_readme_hands_on_what_was_clicked_and_records(daemon):
    readme = (harness.ROOT / "README.md").read_text()
    command = json.loads(re.search(r"command: (\[.*\])", readme)[1])
    assert command[:3] == ["systemd-run", "--user", "--collect"]
    handed_on = [name for option, name in zip(command, command[1:]) if option == "-E"]
    assert handed_on == list(CLICKED)
    start = command.index("kindverb")
    with Person(daemon, *command[start + 1 :], env=CLICKED) as person:
        person.until(QUESTION)
        person.type("128/82\n\n")
        assert person.end()[0] == 0
    assert record(daemon, "2026-05-01")["eveningSystolic"] == 128


def test_an_error_in_a_window_that_was_opened_by_a_click_can_be_read(daemon):
    daemon.stop()
    with Person(daemon, "bp", env=CLICKED) as person:
        assert "kindverb: " in person.until("Press Enter to close.")
        assert person.process.poll() is None
        person.type("\n")
        assert person.end()[0] == 2
    with Person(daemon, "bp", "--nonsense", env=CLICKED) as person:
        assert "--nonsense" in person.until("Press Enter to close.")
        person.type("\n")
        assert person.end()[0] == 3
    with Person(daemon, "day", env=CLICKED) as person:
        assert person.end()[0] == 2, "only what a click runs"


def test_what_was_clicked_counts_in_a_script_unless_it_says_otherwise(daemon, kindverb):
    result = kindverb(daemon, "bp", "128/82", env=CLICKED)
    assert result.returncode == 0 and "2026-05-01, evening" in result.stdout and "KINDVERB_SLOT" in result.stdout
    assert kindverb(daemon, "bp", "121/81", "--morning", "--date", "2026-04-30", env=CLICKED).returncode == 0
    assert record(daemon, "2026-04-30")["morningSystolic"] == 121
    today = daemon.call("health.day.get")["dateIso"]
    assert today in kindverb(daemon, "bp", "121/81", "--morning", env=CLICKED).stdout
    # One without the other got lost on the way.
    for lone in ({"KINDVERB_DATE": "2026-04-01"}, {"KINDVERB_SLOT": "evening"}):
        refused = kindverb(daemon, "bp", "121/81", "--replace", env=lone)
        assert refused.returncode == 3 and "KINDVERB_" in refused.stderr and refused.stdout == ""
    assert record(daemon, "2026-04-01") is None, "half of it names nothing"
    for env in ({"KINDVERB_SLOT": "noon"}, {"KINDVERB_DATE": "2026-02-30"}):
        result = kindverb(daemon, "bp", "121/81", env={**CLICKED, **env})
        assert result.returncode == 3 and result.stdout == "" and list(env)[0] in result.stderr


def test_another_date_wants_its_slot(daemon_factory, kindverb):
    zone, _, today = zone_showing(9)
    daemon = daemon_factory(env={"TZ": zone}).start()
    for language, word in zip(LANGUAGES, ("add --morning", "붙여", "付けて", "加上")):
        result = kindverb(daemon, "--language", language, "bp", "128/82", "--date", "2026-05-01")
        assert result.returncode == 3 and "--evening" in result.stderr and word in result.stderr, result
    assert kindverb(daemon, "bp", "128/82", "--date", "2026-05-01", "--at", "00:30").returncode == 3, "of which night?"
    assert kindverb(daemon, "bp", "128/82", "--date", "2026-05-01", "--at", "22:40").returncode == 0
    assert record(daemon, "2026-05-01")["eveningSystolic"] == 128
    assert f"{today}, morning" in kindverb(daemon, "bp", "128/82", "--date", str(today)).stdout


def test_at_night_today_wants_its_slot_and_what_is_cleared_is_the_evening_before(daemon_factory, kindverb):
    zone, _, today = zone_showing(1)
    yesterday = today - datetime.timedelta(days=1)
    daemon = daemon_factory(env={"TZ": zone}).start()
    assert kindverb(daemon, "bp", "128/82", "--date", str(today)).returncode == 3
    assert f"{yesterday}, evening" in kindverb(daemon, "bp", "128/82", "--date", str(yesterday)).stdout
    daemon.call("health.record.set", {"slot": "morning", "systolic": 121, "diastolic": 81, "dateIso": str(yesterday)})
    daemon.call("health.record.set", {"slot": "evening", "systolic": 121, "diastolic": 81, "dateIso": str(today)})
    for words in (["bp", "clear"], ["bp", "clear", "--evening"]):
        assert f"{yesterday}, evening" in kindverb(daemon, *words).stdout
        kindverb(daemon, "undo")
    assert kindverb(daemon, "bp", "clear", "--morning").returncode == 1, "a morning is today's"
    assert kindverb(daemon, "bp", "clear", str(today)).returncode == 0


def test_the_daemons_zone_decides_and_not_the_shells(daemon_factory, kindverb):
    zone, _, today = zone_showing(9)
    other, *_ = zone_showing(20)
    daemon = daemon_factory(env={"TZ": zone}).start()
    assert f"{today}, morning" in kindverb(daemon, "bp", "128/82", env={"TZ": other}).stdout
    kindverb(daemon, "bp", "128/82", "--replace", "--at", "08:15", env={"TZ": other})
    assert "08:15" in kindverb(daemon, "day", env={"TZ": other}).stdout
    zone, _, today = zone_showing(1)
    daemon = daemon_factory(env={"TZ": zone}).start()
    told = kindverb(daemon, "bp", "128/82", env={"TZ": other}).stdout
    assert f"{today - datetime.timedelta(days=1)}, evening" in told and "after midnight" in told


@pytest.mark.parametrize("words, wrong", [
    (["--date", "9999-12-31", "--at", "23:59"], "--date 9999-12-31, --at 23:59"),
    (["--date", "0000-01-01", "--at", "07:00"], "--date 0000-01-01, --at 07:00")])
def test_a_time_is_refused_in_the_words_that_were_typed(daemon, kindverb, words, wrong):
    for language in LANGUAGES:
        result = kindverb(daemon, "--language", language, "bp", "128/82", "--morning", *words)
        assert result.returncode == 1 and wrong in result.stderr and not re.search(r"Epoch|\d{9}", result.stderr), result
    error = json.loads(kindverb(daemon, "--json", "bp", "128/82", "--morning", *words).stdout)["error"]
    assert error["data"]["field"] == "measuredAtEpochMs"


@pytest.mark.parametrize("words", [
    ["bp", "\x1b[31m128/82"], ["bp", "128/\x1b[31m82"], ["bp", "128/82", "--at", "\x1b[2J"], ["weight", "\x1b[2J"], ["bp", "--\x1b[2J"],
    ["graph", "\x9b2J"], ["\x1b]0;x\x07"], ["day", "a", "\x1b[2J"], ["--language", "\x1b[2J", "day"]])
def test_no_argument_steers_a_terminal(daemon, kindverb, words):
    result = kindverb(daemon, *words)
    assert result.returncode == 3 and not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f]", result.stdout + result.stderr), result
    assert "\\u{" in result.stderr


@pytest.mark.parametrize("words", [
    ["bp", "128/82", "--at", "07:30", "--at=08:30"], ["weight", "70", "--date", "2026-05-01", "--date", "2026-05-02"],
    ["--socket", "/a", "day", "--socket", "/b"], ["day", "--timeout", "1", "--timeout=1"], ["--language", "ko", "day", "--language", "en"],
    ["journal", "list", "--limit", "1", "--limit", "2"]])
def test_an_option_has_one_value(daemon, kindverb, words):
    result = kindverb(daemon, *words)
    name = next(word for word in words if words.count(word) > 1 or "=" in word).split("=")[0]
    assert result.returncode == 3 and result.stdout == "" and name in result.stderr, result
