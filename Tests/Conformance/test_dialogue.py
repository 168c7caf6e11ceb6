"""The five questions and the letter's menu: slips, hints, drafts, and lines that break between words."""

import signal
import unicodedata

import pytest

from person import ENGLISH, KOREAN, Person, editing

FIRST, FEELINGS, THIRD, *_ = ENGLISH["questions"]


@pytest.mark.parametrize("terminal", ["dumb", "xterm"])
def test_a_slash_is_a_command_or_a_slip_on_every_line(daemon, terminal):
    with Person(daemon, "journal", "new", terminal=terminal) as person:
        def type(*lines):
            for line in lines:
                person.until("> ")
                person.type(line + "\r")

        person.until(FIRST)
        type("/hlep")
        person.until("/hlep")
        person.until("not taken as an answer")
        type("/help")
        person.until("/skip")
        type("I was late.", "/quti", "//slash")
        type("")
        person.until(FEELINGS)
        type("99")
        person.until("from 1 to")
        person.until(FEELINGS)
        type("sad")
        person.until(THIRD)
        type("You waited.", "/back")
        # What stood above is kept as the answer.
        person.until(FEELINGS)
        type("")
        person.until(THIRD)
        person.until("You waited.")
        type("")
        person.until(ENGLISH["questions"][3])
        type("/quit")
        assert person.end()[0] == 0
    assert "There is no /quti here" in person.shown()
    journal = daemon.call("journal.resume")["journal"]
    assert journal["situationText"] == "I was late.\n/slash" and journal["hurtText"] == "You waited."
    assert [feeling["code"] for feeling in journal["feelings"]] == ["sad"]


def test_what_stands_already_is_shown_when_a_journal_goes_on(daemon):
    daemon.call("journal.create", {"conflictType": "friends", "situationText": "I was late.", "feelings": ["sad"]})
    with Person(daemon, "journal", "new") as person:
        person.until("[Y/n] ")
        # What is no answer to it is asked again instead of being taken for a yes.
        person.type("It rained.\n")
        person.until("y or n")
        person.until("[Y/n] ")
        person.type("y\n")
        assert "I was late." in person.until("3/5")
        person.until("> ")
        person.type("\x04")
        assert person.end()[0] == 0
    assert daemon.call("journal.list")["items"][0]["situationText"] == "I was late."


@pytest.mark.parametrize("language, course", [("en", ENGLISH), ("ko", KOREAN)])
def test_no_line_breaks_in_the_middle_of_a_word(daemon, language, course):
    with Person(daemon, "journal", "new", language=language) as person:
        for question, text in zip(course["questions"], course["answers"]):
            person.answer(question, text)
        person.until("─" * 60)
        person.until("─" * 60)
        person.until("> ")
        person.type("\n")
        assert person.end()[0] == 0
    for line in person.shown().replace("\u00a0", " ").splitlines():
        assert sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line) <= 80, line


def test_other_drafts_and_the_first_tone_can_be_had_again(daemon, tmp_path):
    editor = editing(tmp_path, 'echo "My own words." >"$1"\n')
    with Person(daemon, "journal", "new", env=editor) as person:
        for question, text in zip(ENGLISH["questions"], ENGLISH["answers"]):
            person.answer(question, text)
        for key, shown in [("5", "My own words."), ("2", "What you edited is kept"), ("9", "My own words."), ("9", "Draft 2 of 2"),
                           ("8", "Draft 3 of 3: warm")]:
            person.until("Enter: done > ")
            person.type(key + "\n")
            person.until(shown)
        person.until("Enter: done > ")
        person.type("\n")
        _, end = person.end()
    newest = daemon.call("letter.list")["items"][0]
    assert newest["tone"] == "neutral_warm" and newest["id"][-8:] in end and f"letter copy {newest['id'][-8:]}" in end


# MARK: hints

HINTS = {
    "en": ("A date or a number says more", "Perhaps: lonely, hurt, frustrated", "And what would that give you?"),
    "ko": ("날짜나 횟수", "이를테면: 외로움, 마음 아픔, 답답함", "무엇이 좋을까요?"),
    "ja": ("日付や回数", "たとえば: ", "何がうれしいですか"),
    "zh-Hans": ("日期或次数", "比如：", "带给你什么"),
}


@pytest.mark.parametrize("terminal", ["dumb", "xterm"])
@pytest.mark.parametrize("language", HINTS)
def test_a_hint_is_given_once_and_the_answer_kept_or_changed(daemon, language, terminal):
    generalization, judgement, strategy = HINTS[language]
    with Person(daemon, "journal", "new", language=language, terminal=terminal) as person:
        def answer(number, text):
            person.until(f"{number}/5  ")
            person.until("> ")
            person.type(text + ("\r" if number == 2 else "\r\r"))

        answer(1, "You always come late.")
        person.until(generalization)
        person.until("[y/N] ")
        person.type("y\r")
        # Asked again with what is kept; a second time there is no hint.
        person.until("1/5  ")
        person.until("You always come late.")
        person.until("> ")
        person.type("You never come.\r\r")
        answer(2, "ignored")
        assert generalization not in person.shown().split("You never come.", 1)[1]
        person.until(judgement)
        person.until("[y/N] ")
        person.type("y\r")
        answer(2, "3, ignored")
        answer(3, "맨날 늦어.")
        person.until(generalization)
        person.until("[y/N] ")
        person.type("\r")
        answer(4, "I was late.")
        answer(5, "Stop shouting at me.")
        person.until(strategy)
        person.until("[y/N] ")
        person.type("y\r")
        answer(5, "Stop, please.")
        person.until(" > ")
        person.type("\r")
        assert person.end()[0] == 0
        shown = " ".join(person.shown().split())
        assert shown.count(strategy) == 1 and shown.count(judgement) == 1
    journal = daemon.call("journal.list")["items"][0]
    assert journal["status"] == "completed" and journal["situationText"] == "You never come."
    assert len(journal["feelings"]) == 2 and journal["hurtText"] == "맨날 늦어." and journal["desiredNeedText"] == "Stop, please."


def test_a_hint_that_is_left_by_ctrl_c_or_the_end_of_input_has_kept_the_answer(daemon):
    for key, status in (("\x03", -signal.SIGINT), ("\x04", 0)):
        with Person(daemon, "journal", "new") as person:
            person.answer(FIRST, "You always come late.")
            person.until("[y/N] ")
            person.type(key)
            if status == 0:
                person.until(FEELINGS)
                person.until("> ")
                person.type("\x04")
            assert person.end()[0] == status
        assert daemon.call("journal.resume")["journal"]["situationText"] == "You always come late."
        daemon.call("journal.delete", {"id": daemon.call("journal.resume")["journal"]["id"]})


def test_who_types_ahead_is_given_the_hint_and_not_asked(daemon):
    with Person(daemon, "journal", "new", terminal="xterm") as person:
        person.until(FIRST)
        person.until("0/500> ")
        person.type("You always come late.\r\r2, my own\rYou never wait.\r\r\r")
        person.until(ENGLISH["questions"][4])
        person.until("> ")
        person.type("\x04")
        assert person.end()[0] == 0
    journal = daemon.call("journal.resume")["journal"]
    assert journal["hurtText"] == "You never wait." and journal["feelings"][1]["label"] == "my own"
    assert "A date or a number" in person.shown()


def test_where_there_is_danger_no_hint_is_given(daemon):
    with Person(daemon, "journal", "new") as person:
        person.answer(FIRST, "He always hits me.")
        person.until(FEELINGS)
        person.until("> ")
        person.type("\x04")
        assert person.end()[0] == 0
    assert "hint" not in person.shown()
