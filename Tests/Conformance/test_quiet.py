"""Quiet notifications from outside: few, generic, and only with consent."""

import json
import random
import time

import pytest
from jeepney import new_method_return

import bus as desktop
import timed
from conftest import ANSWERS
from person import Person
from timed import is_silent, notified

pytestmark = timed.MARKS

REFLECTION = {"en": "Would you like to look back on your day?", "ko": "오늘 하루를 가만히 돌아볼까요?",
              "ja": "今日一日を、静かにふり返ってみませんか。", "zh-Hans": "要不要静静回顾一下今天？"}
LETTER = "Have another look at it whenever you feel ready."


@pytest.fixture
def life(timed_daemon, bus, service):
    """A daemon at seven in the morning, whose person agreed, and a service that shows what comes."""
    daemon = timed_daemon(bus=bus).start()
    agree(daemon)
    return daemon


def agree(daemon, granted=True):
    return daemon.call("notification.consent.set", {"granted": granted})


def choose(daemon, **settings):
    return daemon.call("notification.settings.set", settings)


def consent(daemon):
    return daemon.call("notification.consent.get")["state"]


def coming(daemon):
    """What comes next: type and time on the wall."""
    following = daemon.call("notification.settings.get")["next"]
    return following and (following["type"], f"{following['dateIso']} {following['localTime']}")


def leave_letter(daemon):
    """A letter that is left as it was drafted."""
    return daemon.call("letter.compose", ANSWERS)["letter"]["id"]


def shown(daemon):
    """What a stopped daemon's store has of those that were shown."""
    return timed.rows(daemon.data, "SELECT type, date(day * 86400, 'unixepoch') FROM quietNotification ORDER BY id")


# MARK: consent


def test_it_is_offered_once_after_the_first_completed_journal(timed_daemon):
    daemon = timed_daemon().start()
    assert daemon.call("notification.consent.get") == {"state": "notAsked", "updatedAt": None}
    with daemon.connect() as client:
        client.call("events.subscribe", {"topics": ["notification"]})
        answers = {name: value for name, value in ANSWERS.items() if name != "addressee"}
        draft = client.call("journal.create", answers)["id"]
        client.call("letter.compose", ANSWERS, {"dryRun": True})
        client.fail("journal.complete", {"id": client.call("journal.create", {"conflictType": "friends"})["id"]})
        assert consent(daemon) == "notAsked" and client.is_quiet()
        client.call("journal.complete", {"id": draft})
        event = client.event()["params"]
        assert (event["topic"], event["id"], event["op"]) == ("notification", "consent", "offered")
        client.call("journal.complete", {"id": draft})
        leave_letter(daemon)
        assert client.is_quiet()
    assert consent(daemon) == "offered"
    daemon.restart()
    assert consent(daemon) == "offered"
    answer = agree(daemon, False)
    assert answer["state"] == "declined" and agree(daemon, False) == answer
    leave_letter(daemon)
    assert consent(daemon) == "declined"


def test_a_composed_letter_is_a_completed_journal_too(timed_daemon):
    daemon = timed_daemon().start()
    leave_letter(daemon)
    assert consent(daemon) == "offered"


@pytest.mark.parametrize("granted, state", [(True, "granted"), (False, "declined")])
def test_who_has_decided_is_not_asked(timed_daemon, granted, state):
    daemon = timed_daemon().start()
    agree(daemon, granted)
    with daemon.connect() as client:
        client.call("events.subscribe", {"topics": ["notification"]})
        leave_letter(daemon)
        assert consent(daemon) == state and client.is_quiet()


@pytest.mark.parametrize("state", ["notAsked", "offered", "declined"])
def test_without_consent_nothing_is_shown(timed_daemon, bus, service, state):
    daemon = timed_daemon(bus=bus).start()
    if state == "declined":
        agree(daemon)
        agree(daemon, False)
    if state != "notAsked":
        leave_letter(daemon)
    choose(daemon, dailyReflectionTime="20:00")
    assert consent(daemon) == state and coming(daemon) is None
    for at in ("01 20:00", "02 07:10", "02 20:00"):
        daemon.set_clock(f"2026-05-{at}")
        assert is_silent(daemon, service)


# MARK: settings


def test_what_it_begins_with(life):
    settings = life.call("notification.settings.get")
    assert settings == {
        "consent": "granted", "dailyReflectionEnabled": True, "dailyReflectionTime": "20:30", "draftFollowUpEnabled": True,
        "gratitudeEnabled": False, "gratitudeTime": "19:00", "updatedAt": None, "today": "2026-05-01",
        "next": {"type": "dailyReflection", "dateIso": "2026-05-01", "localTime": "20:30", "at": "2026-05-01T11:30:00Z"}}


@pytest.mark.parametrize("wrong", ["24:00", "7:5", "20:30:00", "20.30", "", "８:００", "-1:00", "aa:bb", "0" * 9])
def test_a_time_that_is_none(life, wrong):
    for field in ("dailyReflectionTime", "gratitudeTime"):
        error = life.fail("notification.settings.set", {"draftFollowUpEnabled": False, field: wrong})
        assert (error["code"], error["data"]["messageKey"]) == (1901, "error.notification.time_invalid")
        assert error["data"]["field"] == field and error["message"].startswith("A time of day is written HH:MM")
    assert life.call("notification.settings.get")["draftFollowUpEnabled"], "nothing is changed"


def test_gratitude_needs_pro(life):
    error = life.fail("notification.settings.set", {"dailyReflectionEnabled": False, "gratitudeEnabled": True})
    assert error["data"]["messageKey"] == "error.entitlement.pro_required" and error["data"]["field"] == "gratitudeEnabled"
    settings = choose(life, gratitudeEnabled=False, gratitudeTime="18:15")
    assert settings["gratitudeTime"] == "18:15" and settings["dailyReflectionEnabled"]


def test_what_changes_nothing_is_no_change(life):
    with life.connect() as client:
        client.call("events.subscribe", {"topics": ["notification"]})
        choose(life, dailyReflectionTime="20:30", draftFollowUpEnabled=True)
        assert client.is_quiet() and life.call("notification.settings.get")["updatedAt"] is None
        choose(life, dailyReflectionTime="20:31", draftFollowUpEnabled=False)
        event = client.event()["params"]
        assert (event["id"], event["op"]) == ("settings", "updated") and client.is_quiet()


# MARK: the types


@pytest.mark.parametrize("language", REFLECTION)
def test_a_reflection(life, service, language):
    life.call("settings.set", {"language": language})
    life.set_clock("2026-05-01 20:29:59")
    notification = notified(service)
    assert notification["body"] == REFLECTION[language] and notification["app"] == "KindVerb"
    assert (notification["urgency"], notification["category"]) == (0, "x-kindverb.quiet")
    assert life.wall() >= "2026-05-01 20:30:00"
    for at in ("20:40", "21:20", "23:59"):
        life.set_clock(f"2026-05-01 {at}")
        assert is_silent(life, service)


@pytest.mark.parametrize("what", ["left", "edited", "finalized", "deleted", "journal deleted", "rewritten"])
def test_a_letter_that_is_left(life, service, what):
    choose(life, dailyReflectionEnabled=False)
    letter = leave_letter(life)
    life.set_clock("2026-05-01 23:00")
    if what == "edited":
        life.call("letter.edit", {"id": letter, "content": "Other words."})
    elif what == "finalized":
        life.call("letter.finalize", {"id": letter})
    elif what == "deleted":
        life.call("letter.delete", {"id": letter})
    elif what == "journal deleted":
        life.call("journal.delete", {"id": life.call("letter.get", {"id": letter})["journalId"]})
    elif what == "rewritten":
        life.call("letter.rewrite", {"id": letter, "tone": "softer"})
    expected = {"left": ("draftFollowUp", "2026-05-02 09:00"), "rewritten": ("draftFollowUp", "2026-05-03 09:00")}.get(what)
    assert coming(life) == expected
    life.set_clock("2026-05-02 08:59:59")
    if what == "left":
        notification = notified(service)
        assert notification["body"] == LETTER and notification["category"] == "x-kindverb.quiet"
    else:
        life.set_clock("2026-05-02 09:00:01")
        assert is_silent(life, service)
    if what == "rewritten":
        life.set_clock("2026-05-03 09:00")
        assert notified(service)["body"] == LETTER
    for date in ("04", "05", "20"):
        life.set_clock(f"2026-05-{date} 09:00")
        assert is_silent(life, service), "once, ever"


def test_another_letter_in_the_place_of_one_that_was_deleted(life, service):
    choose(life, dailyReflectionEnabled=False)
    letter = leave_letter(life)
    life.set_clock("2026-05-02 09:00")
    assert notified(service)["body"] == LETTER
    life.call("letter.delete", {"id": letter})
    leave_letter(life)
    life.set_clock("2026-05-03 09:00:10")
    assert notified(service)["body"] == LETTER


def test_hundreds_of_letters(life, service):
    with life.connect() as client:
        for _ in range(300):
            client.call("letter.compose", ANSWERS)
    life.set_clock("2026-05-02 09:00")
    assert notified(service)["body"] == LETTER
    for at in ("02 20:30", "03 09:00", "03 12:00"):
        life.set_clock(f"2026-05-{at}")
        assert is_silent(life, service)
    life.set_clock("2026-05-03 20:30")
    assert notified(service)["body"] == REFLECTION["en"]


# MARK: the limits


@pytest.mark.parametrize("restarts", [False, True])
def test_one_a_day_and_five_in_seven_days(life, service, restarts):
    for date in range(1, 15):
        life.set_clock(f"2026-05-{date:02} 20:30")
        if date % 7 in (6, 0):
            assert is_silent(life, service)
            continue
        assert notified(service)["body"] == REFLECTION["en"]
        if restarts:
            life.restart()
            assert is_silent(life, service)
    assert coming(life) == ("dailyReflection", "2026-05-15 20:30")
    life.stop()
    assert shown(life) == [("dailyReflection", f"2026-05-{date:02}") for date in (1, 2, 3, 4, 5, 8, 9, 10, 11, 12)]


def test_a_letter_and_a_reflection_share_a_day(life, service):
    life.set_clock("2026-05-01 12:00")
    leave_letter(life)
    life.set_clock("2026-05-01 20:30")
    assert notified(service)["body"] == REFLECTION["en"]
    life.set_clock("2026-05-02 12:00:10")
    assert notified(service)["body"] == LETTER
    life.set_clock("2026-05-02 20:30")
    assert is_silent(life, service)
    life.set_clock("2026-05-03 20:30")
    assert notified(service)["body"] == REFLECTION["en"]


def test_never_the_same_within_a_day(life, service):
    life.set_clock("2026-05-01 20:30")
    notified(service)
    choose(life, dailyReflectionTime="08:00")
    life.set_clock("2026-05-02 08:00")
    assert is_silent(life, service)
    life.set_clock("2026-05-03 08:00")
    assert notified(service)["body"] == REFLECTION["en"]


def test_late_by_an_hour_at_most(life, service):
    life.stop()
    life._put_clock(life.instant("2026-05-01 21:29"))
    life.start()
    assert notified(service)["body"] == REFLECTION["en"]
    life.stop()
    life._put_clock(life.instant("2026-05-03 21:31"))
    life.start()
    assert is_silent(life, service) and coming(life) == ("dailyReflection", "2026-05-04 20:30")


def test_an_edit_counts_from_the_next_time_on(life, service):
    life.set_clock("2026-05-01 12:20")
    for time in ("12:00", "12:20"):
        choose(life, dailyReflectionTime=time)
        assert is_silent(life, service) and coming(life) == ("dailyReflection", f"2026-05-02 {time}")
    choose(life, dailyReflectionTime="12:30")
    choose(life, dailyReflectionTime="12:40")
    life.set_clock("2026-05-01 12:30")
    assert is_silent(life, service)
    life.set_clock("2026-05-01 12:40")
    assert notified(service)["body"] == REFLECTION["en"]


def test_reminders_are_none_of_them(life, service):
    life.remind(morningEnabled=True, morningTime="08:00", eveningEnabled=True, eveningTime="20:30")
    for date in range(1, 7):
        life.set_clock(f"2026-05-0{date} 08:00")
        assert notified(service)["summary"] == "Good morning"
        life.set_clock(f"2026-05-0{date} 20:30")
        bodies = {notified(service)["summary"] for _ in range(2 if date < 6 else 1)}
        assert bodies == {"Good evening", "A quiet moment"} if date < 6 else {"Good evening"}
    assert is_silent(life, service)


def test_clocks_back_and_forth(life, service):
    life.set_clock("2026-05-01 20:30")
    notified(service)
    for wrong in ("1970-01-02 20:00", "2026-05-01 20:29:59.900", "2036-02-03 12:00", "2026-05-01 20:30"):
        life.set_clock(wrong)
        assert is_silent(life, service)
    life.set_clock("2036-02-03 20:30")
    notified(service)
    life.set_clock("2026-05-02 20:30:05")
    assert notified(service)["body"] == REFLECTION["en"], "what lies ahead silences nobody"


def test_travel(life, service):
    life.set_clock("2026-05-01 20:30")
    notified(service)
    life.set_zone("America/New_York")
    life.set_clock("2026-05-01 20:30")
    assert is_silent(life, service), "that date has had its one"
    life.set_clock("2026-05-02 20:30")
    assert notified(service)["body"] == REFLECTION["en"]


# MARK: who shows it


def test_nobody_to_show_it(timed_daemon, bus):
    daemon = timed_daemon(bus=bus).start()
    agree(daemon)
    daemon.set_clock("2026-05-01 20:30")
    # Asked after it, and answered after it.
    assert daemon.call("reminder.test") == {"outcome": "notShown", "reason": "no_service"}
    service = desktop.FakeService(bus)
    try:
        assert is_silent(daemon, service), "it is dropped"
        assert coming(daemon) == ("dailyReflection", "2026-05-02 20:30"), "and does not count"
        daemon.set_clock("2026-05-02 20:30")
        assert notified(service)["body"] == REFLECTION["en"]
    finally:
        service.close()
    assert "could not be shown" not in daemon.log()


def test_a_service_that_refuses(timed_daemon, bus, service):
    daemon = timed_daemon(bus=bus).start()
    agree(daemon)
    service.answers["Notify"] = "org.freedesktop.DBus.Error.Failed"
    with daemon.connect() as client:
        client.call("events.subscribe", {"topics": ["notification"]})
        daemon.set_clock("2026-05-01 20:30")
        service.next("Notify")
        assert [client.event()["params"]["op"] for _ in range(2)] == ["shown", "notShown"]
    del service.answers["Notify"]
    daemon.set_clock("2026-05-01 20:31")
    assert is_silent(daemon, service)
    daemon.set_clock("2026-05-02 20:30")
    assert notified(service)["body"] == REFLECTION["en"]


@pytest.mark.parametrize("is_on", [True, False])
def test_a_service_that_answers_when_it_was_given_up(life, service, is_on):
    """It hangs with the notification in its hands: it may show it yet, so it counts; what is switched off meanwhile is taken away."""
    held = []
    service.answers["Notify"] = lambda message: held.append(message)
    with life.connect() as client:
        client.call("events.subscribe", {"topics": ["notification"]})
        life.set_clock("2026-05-01 20:30")
        service.next("Notify")
        assert client.event()["params"]["op"] == "shown"
        assert life.call("reminder.test") == {"outcome": "notShown", "reason": "no_answer"}
        service.next("Notify")
        if not is_on:
            agree(life, False)
            assert client.event()["params"]["op"] == "declined"
        del service.answers["Notify"]
        service.send(new_method_return(held[0], "u", (77,)))
        if not is_on:
            assert service.next("CloseNotification")[1] == (77,)
    assert is_silent(life, service)
    life.stop()
    assert shown(life) == [("dailyReflection", "2026-05-01")]


def test_no_bus(timed_daemon):
    daemon = timed_daemon(env={"DBUS_SESSION_BUS_ADDRESS": "unix:path=/no/such/bus"}).start()
    agree(daemon)
    daemon.set_clock("2026-05-01 20:30")
    assert coming(daemon) == ("dailyReflection", "2026-05-02 20:30")
    daemon.stop()
    assert shown(daemon) == []


@pytest.mark.parametrize("off", [{"consent": False}, {"dailyReflectionEnabled": False}])
def test_switching_off_takes_it_from_the_screen(life, service, off):
    with life.connect() as client:
        client.call("events.subscribe", {"topics": ["notification"]})
        life.set_clock("2026-05-01 20:30")
        notified(service)
        assert client.event()["params"]["op"] == "shown"
    if "consent" in off:
        agree(life, False)
    else:
        choose(life, **off)
    assert service.next("CloseNotification")[1] == (1,)


def test_a_click_is_told(life, service):
    with life.connect() as client:
        client.call("events.subscribe", {"topics": ["notification"]})
        life.set_clock("2026-05-01 20:30")
        notified(service)
        assert client.event()["params"]["op"] == "shown"
        service.signal("ActionInvoked", "us", (1, "default"))
        event = client.event()["params"]
        assert (event["topic"], event["id"], event["op"]) == ("notification", "dailyReflection", "activated")


def test_killed_after_it_was_shown(life, service):
    life.set_clock("2026-05-01 20:30")
    notified(service)
    life.kill9()
    life.start()
    assert is_silent(life, service)
    life.stop()
    assert shown(life) == [("dailyReflection", "2026-05-01")]


def test_killed_around_the_moment(life, service):
    """Whatever a kill interrupts: at most one on a date, and what was shown is stored."""
    dice = random.Random(7)
    dates = [f"2026-05-{date:02}" for date in range(1, 25, 2)]
    life.stop()
    for date in dates:
        life._put_clock(life.instant(f"{date} 20:29:59") + 0.9)
        life.process = life.spawn()
        time.sleep(dice.uniform(0.05, 0.3))
        life.kill9()
        life.hear()
        life._put_clock(life.instant(f"{date} 20:30:01"))
        life.start()
        # What was not shown before the kill is shown now, and before what is shown on trial.
        assert life.call("reminder.test")["outcome"] == "shown"
        seen = []
        while not seen or seen[-1][4] != "It is time for this morning’s record.":
            seen.append(service.next("Notify")[1])
        assert [body[4] for body in seen[:-1]] in ([REFLECTION["en"]], []), date
        life.stop()
        assert shown(life)[-1] == ("dailyReflection", date)
    assert len(shown(life)) == len(dates)


# MARK: what it says


def test_nothing_that_a_person_wrote_is_shown(timed_daemon, bus, service):
    secrets = {name: f"Zaubersatz{number} about it" for number, name in enumerate(ANSWERS) if name.endswith("Text")}
    words = {"conflictType": "friends", "feelings": ["Zaubergefühl", "guilty"], "addressee": "Zauberfreund", **secrets}
    daemon = timed_daemon(bus=bus).start()
    agree(daemon)
    with daemon.connect() as client:
        client.call("events.subscribe", {"topics": ["notification"]})
        seen = []
        for language in REFLECTION:
            daemon.call("settings.set", {"language": language})
            daemon.call("letter.compose", words)
        for number, at in enumerate(["01 20:30", "02 09:00", "03 20:30", "04 20:30", "05 20:30"]):
            daemon.call("settings.set", {"language": list(REFLECTION)[number % 4]})
            daemon.set_clock(f"2026-05-{at}")
            seen.append(service.next("Notify"))
        seen += [client.event() for _ in range(5)]
        assert "Zaub" not in json.dumps(client.fail("notification.settings.set", {"dailyReflectionTime": "Zaub"}))
    assert [body[3] for _, body in seen[:5]] == [
        "A quiet moment", "써 둔 편지가 기다리고 있어요", "ひと息つきませんか", "静一静", "A quiet moment"]
    for place in (repr(seen), daemon.log(), json.dumps(daemon.call("notification.settings.get"))):
        assert "Zauber" not in place and "guilty" not in place and "friends" not in place


# MARK: in a terminal

TEXTS = {
    "en": ("Keep writing, with a little help from notifications", "Turn notifications on?", "Type “later”", "later"),
    "ko": ("알림으로 더 꾸준히 기록해 보세요", "알림을 켤까요?", "‘나중에’라고", "나중에"),
    "ja": ("お知らせがあると、続けやすくなります", "お知らせをオンにしますか？", "「あとで」と", "あとで"),
    "zh-Hans": ("有了提醒，更容易坚持记录", "要打开提醒吗？", "请输入“以后”", "以后"),
}


def journal(person):
    """Answers the five questions and leaves the letter's menu."""
    for number, answer in enumerate(["I was late.", "sad", "You waited.", "I should have called.", "That we trust."]):
        person.until(f"{number + 1}/5  ")
        person.until("> ")
        person.type(answer + ("\n" if number == 1 else "\n\n"))
    person.until(" > ")
    person.type("\n")


@pytest.mark.parametrize("language", TEXTS)
def test_the_dialogue_asks_after_the_first_journal(daemon, language):
    title, question, hint, later = TEXTS[language]
    with Person(daemon, "journal", "new", language=language, is_decided=False) as person:
        journal(person)
        for text in (title, hint, question + " [y/N] "):
            person.until(text)
        person.type(later + "\n")
        assert person.end()[0] == 0
    assert consent(daemon) == "offered", "later is no answer"
    with Person(daemon, "journal", "new", language=language, is_decided=False) as person:
        journal(person)
        person.until("[y/N] ")
        person.type("perhaps\n")
        person.until("[y/N] ")
        person.type("y\n")
        status, rest = person.end()
        assert status == 0 and "kindverb" in rest
    assert consent(daemon) == "granted"
    with Person(daemon, "journal", "new", language=language, is_decided=False) as person:
        journal(person)
        status, rest = person.end()
        assert status == 0 and question not in rest, "nobody is asked twice"


@pytest.mark.parametrize("typed, state", [("\n", "declined"), ("n\n", "declined"), ("\x04", "offered"), ("\x03", "offered")])
def test_other_answers(daemon, typed, state):
    with Person(daemon, "journal", "new", is_decided=False) as person:
        journal(person)
        person.until("[y/N] ")
        person.type(typed)
        person.end()
    assert consent(daemon) == state
    assert daemon.call("letter.list")["items"], "the letter is there whatever is answered"


def test_who_types_on_is_not_asked(daemon):
    with Person(daemon, "journal", "new", is_decided=False) as person:
        person.until("1/5  ")
        person.type("I was late.\n\nsad\nYou waited.\n\nI should have called.\n\nThat we trust.\n\n\nlogout\n")
        assert "[y/N]" not in person.end()[1]
    assert consent(daemon) == "offered"


def test_the_verbs(timed_daemon, kindverb):
    daemon = timed_daemon().start()

    def run(*arguments):
        return kindverb(daemon, *arguments)

    first = run("notifications")
    assert first.returncode == 0 and first.stdout.startswith("Quiet notifications are off: nothing is shown until you turn them on.\n")
    assert "every day at 20:30" in first.stdout and "Next" not in first.stdout
    assert run("notifications", "on").stdout.endswith("Next: Reflection, today 20:30.\n") and consent(daemon) == "granted"
    told = run("notifications", "reflection", "06:15").stdout
    assert told == "Reflection: every day at 06:15.\nNext: Reflection, tomorrow 06:15.\n"
    assert run("notifications", "reflection").stdout == told
    assert run("notifications", "reflection", "off").stdout == "Reflection: off.\nNothing is to come for now.\n"
    leave_letter(daemon)
    assert run("notifications", "follow-up").stdout.endswith("Next: A letter left behind, tomorrow 09:00.\n")
    assert run("notifications", "follow-up", "off").stdout.startswith("A letter left behind: off.\n")
    settings = json.loads(run("--json", "notifications", "reflection", "on").stdout)
    assert settings["dailyReflectionEnabled"] and settings["dailyReflectionTime"] == "06:15" and not settings["draftFollowUpEnabled"]
    assert json.loads(run("--json", "notifications").stdout) == settings
    trial = run("--dry-run", "notifications", "off")
    assert trial.stdout == "Quiet notifications are off, as you chose.\n" and consent(daemon) == "granted"
    assert json.loads(run("--json", "notifications", "off").stdout)["state"] == "declined"
    assert run("notifications", "reflection", "07:00").stdout == (
        "Reflection: every day at 07:00.\nQuiet notifications are off, as you chose.\n")


@pytest.mark.parametrize("arguments, told", [
    (["maybe"], "notifications"), (["reflection", "24:00"], "“24:00” is no time"), (["reflection", "8"], "“8” is no time"),
    (["follow-up", "20:00"], "on, off"), (["gratitude", "soon"], "“soon” is no time"), (["reflection", "on", "off"], "off"),
])
def test_words_that_are_none(shared, kindverb, arguments, told):
    result = kindverb(shared, "notifications", *arguments)
    assert result.returncode == 3 and told in result.stderr and result.stdout == "", result


def test_gratitude_without_pro_in_a_script(shared, kindverb):
    result = kindverb(shared, "notifications", "gratitude", "19:00")
    assert result.returncode == 1 and "This is part of Pro" in result.stderr
