"""Drafts by an AI at the command line: asked before anything is sent, stopped by Ctrl-C, and with what is said beside the letter."""

import json
import re
import signal
import time

import pytest

import behaviours
import gemini
import harness
import tls
from person import Person
from sending import configured, with_key
from test_health_cli import cells
from test_narrow import narrow
from test_terminal import compose

LANGUAGES = ("en", "ko", "ja", "zh-Hans")
QUESTION = {"en": "Let the AI write drafts?", "ko": "AI가 초안을 쓰도록 할까요?", "ja": "AIに下書きを書かせますか？",
            "zh-Hans": "允许 AI 起草吗？"}
STOPPED = {"en": "Stopped.", "ko": "멈췄어요.", "ja": "中止しました。", "zh-Hans": "已停止。"}


@pytest.fixture
def daemon(daemon_factory, certificates, ai):
    daemon = daemon_factory(config=configured(certificates, ai=ai))
    with_key(daemon)
    return daemon.start()


@pytest.fixture
def agreed(daemon):
    daemon.call("ai.consent.set", {"enabled": True})
    return daemon


def ai_letters(daemon):
    return [letter for letter in daemon.call("letter.list")["items"] if letter["source"] == "ai"]


def test_in_a_pipe_nobody_is_asked_and_nothing_is_sent(daemon, ai, kindverb, answers):
    compose(daemon, answers)
    result = kindverb(daemon, "letter", "draft", "--ai")
    assert result.returncode == 1 and result.stdout == "" and "kindverb ai on" in result.stderr
    result = kindverb(daemon, "--json", "letter", "draft", "--ai")
    assert json.loads(result.stdout)["error"]["data"]["messageKey"] == "error.ai.consent_required"
    result = kindverb(daemon, "letter", "draft", "--auto")
    assert result.returncode == 0 and "Sam" in result.stdout and not ai.requests
    result = kindverb(daemon, "letter", "draft", "--ai", "--auto")
    assert result.returncode == 3 and "kindverb letter draft" in result.stderr


@pytest.mark.parametrize("language", LANGUAGES)
def test_on_a_terminal_it_is_explained_and_asked_and_enter_is_a_no(daemon, ai, answers, language):
    compose(daemon, answers)
    with Person(daemon, "letter", "draft", "--ai", language=language) as person:
        explained = person.until(QUESTION[language])
        assert "127.0.0.1" in explained and "gemini-2.5-flash-lite" in explained and "ai preview" in explained
        person.until("[y/N] ")
        person.type("\n")
        assert person.end()[0] == 1
    assert not daemon.call("ai.consent.get")["enabled"] and not ai.requests
    with Person(daemon, "letter", "draft", "--ai", language=language) as person:
        person.until("[y/N] ")
        person.type("y\n")
        status, shown = person.end()
    assert status == 0 and "Sam" in shown and len(ai.requests) == 1
    assert daemon.call("ai.consent.get")["enabled"] and len(ai_letters(daemon)) == 1


def test_a_draft_in_a_pipe_is_the_letter_and_the_same_again_is_told(agreed, ai, kindverb, answers):
    compose(agreed, answers)
    first = kindverb(agreed, "letter", "draft", "--ai")
    assert (first.returncode, first.stderr) == (0, "") and "Sam" in first.stdout
    again = kindverb(agreed, "letter", "draft", "--ai")
    assert again.returncode == 0 and again.stdout == first.stdout and "nothing was sent" in again.stderr and len(ai.requests) == 1
    letter = json.loads(kindverb(agreed, "--json", "letter", "draft", "--ai").stdout)
    assert letter["fromStore"] and letter["source"] == "ai"
    result = kindverb(agreed, "letter", "rewrite", letter["id"], "--ai")
    assert result.returncode == 1 and "used up" in result.stderr and "try again" in result.stderr


def test_a_rewrite_keeps_the_tone_unless_another_is_named(agreed, ai, kindverb, answers):
    letter = compose(agreed, answers)
    made = json.loads(kindverb(agreed, "--json", "letter", "rewrite", letter["id"], "--ai", "--tone", "softer").stdout)
    assert (made["tone"], made["source"]) == ("softer", "ai")
    result = kindverb(agreed, "letter", "rewrite", letter["id"], "wrong", "--ai")
    assert result.returncode == 3 and "softer" in result.stderr


def test_a_template_in_its_place_says_why_and_when_to_try_again(agreed, ai, kindverb, answers):
    compose(agreed, answers)
    ai.always(gemini.exhausted("600"))
    result = kindverb(agreed, "letter", "draft", "--ai")
    assert result.returncode == 0 and "Sam" in result.stdout and "templates" not in result.stdout
    assert "from the templates" in result.stderr and "about 10 min" in result.stderr
    with Person(agreed, "letter", "draft", "--ai", "--tone", "softer") as person:
        person.until("from the templates")
        assert person.end()[0] == 0


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("terminal", ["dumb", "xterm"])
def test_ctrl_c_stops_the_call_and_says_what_happens_to_what_was_sent(agreed, ai, answers, language, terminal):
    compose(agreed, answers)
    before = len(agreed.call("letter.list")["items"])
    ai.always(behaviours.silence())
    with Person(agreed, "letter", "draft", "--ai", language=language, terminal=terminal) as person:
        ai.next_request()
        person.until("Ctrl-C")
        start = time.monotonic()
        person.type("\x03")
        ai.next_end()
        assert time.monotonic() - start < 1
        person.until(STOPPED[language])
        person.until("127.0.0.1")
        assert person.end()[0] == -signal.SIGINT
    assert len(agreed.call("letter.list")["items"]) == before
    # Noted a moment after the answer.
    harness.until(lambda: agreed.call("ai.status")["usedToday"] == 0, what="a call that counts for nobody")


def test_it_is_told_how_far_the_draft_is(agreed, ai, answers):
    compose(agreed, answers)
    ai.always(gemini.stream(pauses=tls.HOLD))
    with Person(agreed, "letter", "draft", "--ai", terminal="xterm") as person:
        for _ in range(4):
            person.until("The AI is writing")
            person.until("characters")
            ai.release()
        assert person.end()[0] == 0
    assert len(ai_letters(agreed)) == 1


def test_on_off_status(daemon, ai, kindverb):
    result = kindverb(daemon, "ai")
    assert result.returncode == 0 and "off" in result.stdout and "There is a key." in result.stdout
    result = kindverb(daemon, "ai", "on")
    assert result.returncode == 0 and "are on" in result.stdout and "127.0.0.1" in result.stdout and "1 of 1" in result.stdout
    assert daemon.call("ai.consent.get")["enabled"]
    assert re.search(r"tomorrow \d\d:\d\d", kindverb(daemon, "ai", "status").stdout)
    assert json.loads(kindverb(daemon, "--json", "ai", "status").stdout)["leftToday"] == 1
    (daemon.config.parent / "gemini-key").chmod(0o644)
    shown = kindverb(daemon, "ai", "status").stdout
    assert "no key" in shown and "chmod 600" in shown
    doctor = json.loads(kindverb(daemon, "--json", "doctor").stdout)["items"]
    (finding,) = [item for item in doctor if "AI" in item["finding"]]
    assert finding["grade"] == "note" and "gemini-key" in finding["remedy"]
    assert kindverb(daemon, "ai", "off").returncode == 0 and not daemon.call("ai.consent.get")["enabled"]
    assert kindverb(daemon, "ai", "nothing").returncode == 3
    with Person(daemon, "ai", "on") as person:
        person.until("[y/N] ")
        person.type("\n")
        assert person.end()[0] == 1
    assert not daemon.call("ai.consent.get")["enabled"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_preview_is_what_would_be_sent(daemon, ai, kindverb, answers, language):
    journal = compose(daemon, answers)["journalId"]
    told = daemon.call("ai.preview", {"journalId": journal, "_meta": {"language": language}})
    shown = kindverb(daemon, "--language", language, "ai", "preview", journal)
    assert shown.returncode == 0 and told["text"] in shown.stdout and told["systemInstruction"] in shown.stdout
    for token in told["tokens"]:
        assert re.search(rf"{re.escape(token['token'])}\t{re.escape(token['standsFor'])}\t×{token['occurrences']}", shown.stdout)
    assert told["tokens"] and "127.0.0.1" in shown.stdout
    body = kindverb(daemon, "--language", language, "ai", "preview", journal, "--body")
    assert body.stdout.rstrip("\n") == told["body"]
    assert json.loads(kindverb(daemon, "--language", language, "--json", "ai", "preview", journal).stdout) == told
    assert not ai.requests
    assert kindverb(daemon, "ai", "preview", "--tone", "loud").returncode == 3


def test_a_trial_sends_nothing(agreed, ai, kindverb, answers):
    compose(agreed, answers)
    kindverb(agreed, "--dry-run", "letter", "draft", "--ai")
    assert not ai.requests and not ai_letters(agreed)
    assert kindverb(agreed, "--dry-run", "ai", "off").returncode == 0 and agreed.call("ai.consent.get")["enabled"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_wider_than_the_terminal(daemon, answers, language):
    compose(daemon, answers)
    daemon.call("people.add", {"name": "Sam Park"})
    for columns in (30, 40, 79):
        for words in (["ai"], ["ai", "preview"], ["people"]):
            lines = narrow(daemon, columns, *words, language=language, env={"LC_ALL": "C"})
            assert all(cells(line) <= columns for line in lines), (columns, words, lines)
            assert "×" not in "".join(lines), "the locale does not write it"


def test_names_are_kept_listed_and_forgotten(daemon, kindverb):
    assert kindverb(daemon, "people").stdout == ""
    assert kindverb(daemon, "people", "add", "Sam Park", "민수").returncode == 0
    assert kindverb(daemon, "people", "add", "Blue Bottle", "--place").returncode == 0
    rows = [line.split("\t")[:2] for line in kindverb(daemon, "people", "list").stdout.splitlines()]
    assert rows == [["Sam Park", "person"], ["민수", "person"], ["Blue Bottle", "place"]]
    with Person(daemon, "people") as person:
        lines = person.end()[1].splitlines()
    # The second column stands under itself, wide characters or not.
    places = [line.index("person" if "person" in line else "place") + line.count("민") + line.count("수") for line in lines if line]
    assert len(set(places)) == 1
    assert kindverb(daemon, "people", "remove", "민수").returncode == 0
    assert [item["name"] for item in json.loads(kindverb(daemon, "--json", "people").stdout)["items"]] == ["Sam Park", "Blue Bottle"]
    assert kindverb(daemon, "people", "remove", "민수").returncode == 1
    for words in (["people", "add"], ["people", "nobody"], ["people", "add", "A", "B", "--idempotency-key", "k"]):
        assert kindverb(daemon, *words).returncode == 3


def test_in_a_pipe_a_letter_is_the_letter_alone(agreed, ai, answers, kindverb):
    """What is said to the writer, which may be grave, must not be handed on with it."""
    other = agreed.call("journal.create", {**answers, "situationText": "He hit me and choked me."})
    agreed.call("journal.complete", {"id": other["id"]})
    drafted = kindverb(agreed, "letter", "draft", other["id"])
    letter = agreed.call("letter.list", {"journalId": other["id"]})["items"][0]
    assert drafted.stdout.strip() == letter["content"].strip() and "danger" in drafted.stderr


def test_a_limit_is_told_in_words(agreed, ai, answers, kindverb):
    compose(agreed, answers)
    assert kindverb(agreed, "letter", "draft", "--ai").returncode == 0
    refused = kindverb(agreed, "letter", "draft", "--ai", "--tone", "softer")
    assert refused.returncode == 1 and "used up" in refused.stderr and "(1)" not in refused.stderr
