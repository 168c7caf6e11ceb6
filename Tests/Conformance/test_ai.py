"""Drafts by an AI: off until somebody agrees, without names, within eight seconds, and a template where it fails."""

import contextlib
import json
import os
import signal
import time

import pytest

import behaviours
import gemini
import gemini_replies as replies
import harness
from sending import KEY, ask_for_draft, configured, with_key


@pytest.fixture
def daemon(daemon_factory, certificates, ai):
    daemon = daemon_factory(config=configured(certificates, ai=ai))
    with_key(daemon)
    daemon.start()
    daemon.call("ai.consent.set", {"enabled": True})
    return daemon


@pytest.fixture
def journal(daemon, answers):
    return daemon.call("letter.compose", answers)["journal"]


def draft(daemon, journal, **params):
    return daemon.call("letter.draft", {"journalId": journal["id"], "source": "ai", **params})


def test_a_draft_comes_back_with_its_names(daemon, ai, journal):
    letter = draft(daemon, journal)
    assert letter["source"] == "ai" and letter["aiModel"] == "gemini-2.5-flash-lite" and letter["status"] == "drafted"
    assert "Sam" in letter["content"] and "<" not in letter["content"] and "fallback" not in letter
    (request,) = ai.requests
    assert request.header("x-goog-api-key") == KEY and request.header("authorization") is None
    assert b"Sam" not in request.raw
    assert daemon.call("letter.get", {"id": letter["id"]})["content"] == letter["content"]


def test_what_no_letter_has_is_taken_off_or_told_until_somebody_looked(daemon, ai, journal):
    ai.writer = replies.saying("# Letter\n\nHi <PERSON_1>,\n\n**I felt sad** that evening.\n\n[Your name]")
    letter = draft(daemon, journal)
    assert letter["content"] == "Letter\n\nHi Sam,\n\nI felt sad that evening.\n\n[Your name]"
    for shown in (letter, daemon.call("letter.get", {"id": letter["id"]})):
        assert [notice["key"] for notice in shown["notices"]] == ["notice.ai.style"]
    korean = daemon.call("letter.get", {"id": letter["id"]}, {"language": "ko"})["notices"]
    assert korean[0]["message"].startswith("초안을 한 번 더")


def test_the_address_line_is_made_here(daemon, ai, journal):
    shown = daemon.call("ai.preview", {"journalId": journal["id"], "language": "ko"})
    assert shown["text"].startswith("The letter's first line: <PERSON_1>에게\n") and "Sam" not in shown["systemInstruction"]


# MARK: what goes wrong


def fallback(daemon, journal, **params):
    """The template that stands in for a draft that failed, and why."""
    letter = draft(daemon, journal, **params)
    assert letter["source"] == "template" and letter["aiModel"] is None and letter["content"].startswith("Hi Sam"), letter
    assert daemon.call("ai.status")["leftToday"] == 1, "a call that failed counts against nobody"
    return letter["fallback"]


POLICY, INVALID = "error.ai.content_policy", "error.ai.invalid_response"
KINDS = {"malformed": INVALID, "refused": POLICY, "empty": INVALID, "failed": INVALID, "truncated": INVALID}


@pytest.mark.parametrize("name", replies.NO_LETTER)
def test_what_is_no_letter_is_none(daemon, ai, journal, name):
    kind, reply = replies.NO_LETTER[name]
    ai.then(gemini.says(reply))
    assert fallback(daemon, journal)["messageKey"] == KINDS[kind]
    letters = daemon.call("letter.list", {"journalId": journal["id"]})["items"]
    assert all(letter["content"].strip() and letter["source"] == "template" for letter in letters)
    assert len(ai.requests) == 1, "nobody asks again by himself"


@pytest.mark.parametrize("reason", replies.FINISH_REASONS + replies.NEWER_FINISH_REASONS)
@pytest.mark.parametrize("text", [None, "A letter that stops in the mid"])
def test_every_other_finish_is_no_letter(daemon, ai, journal, reason, text):
    ai.then(gemini.says(replies.finished(reason, text)))
    expected = {**dict.fromkeys(["SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII"], POLICY), "LANGUAGE": "error.ai.wrong_language"}
    assert fallback(daemon, journal)["messageKey"] == expected.get(reason, INVALID)


@pytest.mark.parametrize("reason", replies.BLOCK_REASONS + replies.NEWER_BLOCK_REASONS)
def test_a_prompt_that_is_refused_is_told_calmly_in_ones_language(daemon, ai, answers, reason):
    for language, word in (("ko", "쓰신 글은"), ("en", "kept")):
        journal = daemon.call("letter.compose", {**answers, "situationText": f"I am so angry I could scream. {language}"})["journal"]
        ai.then(gemini.says(replies.blocked(reason)))
        letter = daemon.call("letter.draft", {"journalId": journal["id"], "source": "ai", "language": language}, {"language": language})
        assert letter["fallback"]["messageKey"] == POLICY and word in letter["fallback"]["message"] and not letter["fallback"]["retriable"]
    assert len(ai.requests) == 2


ERRORS = {
    "wrong place": (gemini.wrong_place, "error.ai.not_available_here", None),
    "denied": (gemini.denied, "error.ai.key_rejected", None),
    "no model": (gemini.no_model, "error.ai.model_unknown", None),
    "no quota": (gemini.quota_zero, "error.ai.no_quota", None),
    "timed out there": (gemini.timed_out, "error.ai.service_unavailable", None),
    "internal": (gemini.internal, "error.ai.service_unavailable", None),
    "bad gateway": (gemini.bad_gateway, "error.ai.service_unavailable", None),
    "overloaded": (gemini.unavailable, "error.ai.service_unavailable", None),
    "overloaded, later": (lambda: gemini.unavailable("7"), "error.ai.service_unavailable", 7_000),
    "too slow there": (gemini.too_slow, "error.ai.service_unavailable", None),
    "cancelled there": (gemini.cancelled, "error.ai.service_unavailable", None),
    "quota, 37 s": (lambda: gemini.quota("37s"), "error.ai.rate_limited", 37_000),
    "quota, 37.5 s": (lambda: gemini.quota("37.5s"), "error.ai.rate_limited", 37_500),
    "quota of the day": (gemini.per_day, "error.ai.rate_limited", 3_600_000),
    "exhausted": (gemini.exhausted, "error.ai.rate_limited", None),
    "exhausted, later": (lambda: gemini.exhausted("120"), "error.ai.rate_limited", 120_000),
    "exhausted, in ten years": (lambda: gemini.exhausted("315360000"), "error.ai.rate_limited", 86_400_000),
    "exhausted, two words of it": (lambda: gemini.exhausted("3", "5"), "error.ai.rate_limited", 5_000),
    "in an array": (lambda: gemini.in_array(gemini.quota("3s")), "error.ai.rate_limited", 3_000),
    "HTML": (lambda: behaviours.html(403), "error.ai.key_rejected", None),
    "HTML that says 200": (lambda: behaviours.html(200), INVALID, None),
}


@pytest.mark.parametrize("name", ERRORS)
def test_every_error_has_its_word(daemon, ai, journal, name):
    answer, key, wait = ERRORS[name]
    ai.then(answer())
    failure = fallback(daemon, journal)
    assert failure["messageKey"] == key and failure.get("retryAfterMs") == wait and failure["message"]
    assert len(ai.requests) == 1


def test_a_wrong_key_is_said_to_be_one(daemon, ai, journal):
    with_key(daemon, "AQ.another")
    assert fallback(daemon, journal)["messageKey"] == "error.ai.key_rejected"
    assert "AQ." not in daemon.log()


@pytest.mark.parametrize("breakage, key", [
    (behaviours.reset, "error.network.unavailable"), (lambda: behaviours.cut(body=20), "error.network.unavailable"),
    (behaviours.garbage, "error.network.unavailable"), (lambda: behaviours.huge(2 << 20), INVALID),
])
def test_a_connection_that_breaks(daemon, ai, journal, breakage, key):
    ai.then(breakage())
    assert fallback(daemon, journal)["messageKey"] == key


def test_who_says_later_is_left_alone_by_everybody(daemon, ai, answers):
    """The second request does not start a storm of its own."""
    ai.then(gemini.quota("37s"))
    journals = [daemon.call("letter.compose", {**answers, "situationText": f"Day {number}."})["journal"] for number in range(4)]
    assert fallback(daemon, journals[0])["retryAfterMs"] == 37_000
    for journal in journals[1:]:
        failure = fallback(daemon, journal)
        assert failure["messageKey"] == "error.ai.rate_limited" and 30_000 < failure["retryAfterMs"] <= 37_000
    assert len(ai.requests) == 1
    status = daemon.call("ai.status")
    assert 30_000 < status["retryAfterMs"] <= 37_000 and status["machineLeftToday"] == 19


@pytest.mark.long
@pytest.mark.parametrize("how", [behaviours.silence, behaviours.mute, lambda: behaviours.drip(seconds=1)])
def test_within_eight_seconds_there_is_a_letter(daemon, ai, journal, how):
    if how is behaviours.mute:
        ai.greet(how())
    else:
        ai.then(how())
    began = time.monotonic()
    assert fallback(daemon, journal)["messageKey"] == "error.ai.timeout"
    assert time.monotonic() - began < 8.5


def test_without_a_network_there_is_a_letter_at_once(daemon, ai, journal):
    ai.stop()
    began = time.monotonic()
    assert fallback(daemon, journal)["messageKey"] == "error.network.unavailable"
    assert time.monotonic() - began < 2
    ai.start()


# MARK: who may ask


def test_nobody_is_asked_before_somebody_agreed(daemon_factory, certificates, ai, answers):
    daemon = daemon_factory(config=configured(certificates, ai=ai))
    with_key(daemon)
    daemon.start()
    journal = daemon.call("letter.compose", answers)["journal"]
    assert daemon.fail("letter.draft", {"journalId": journal["id"], "source": "ai"})["data"]["messageKey"] == "error.ai.consent_required"
    letter = daemon.call("letter.draft", {"journalId": journal["id"], "source": "auto"})
    assert letter["source"] == "template" and "fallback" not in letter
    daemon.call("ai.consent.set", {"enabled": True})
    daemon.call("ai.consent.set", {"enabled": False})
    assert daemon.fail("letter.rewrite", {"id": letter["id"], "tone": "softer", "source": "ai"})["data"]["messageKey"] == "error.ai.consent_required"
    daemon.call("ai.preview", {"journalId": journal["id"]})
    assert not ai.connections, "not even a connection is made"


@pytest.mark.parametrize("put, reason", [
    (lambda daemon: None, None), (lambda daemon: with_key(daemon, mode=0o644), "readable_by_others"),
    (lambda daemon: with_key(daemon, ""), None), (lambda daemon: with_key(daemon, "two words"), "not_one_word"),
    (lambda daemon: with_key(daemon, "x" * 5_000), "not_one_word"), (lambda daemon: (daemon.config.parent / "gemini-key").mkdir(), "no_file"),
    (lambda daemon: os.mkfifo(daemon.config.parent / "gemini-key", 0o600), "no_file"),
], ids=["none", "others may read it", "empty", "two words", "too long", "a directory", "a pipe"])
def test_without_a_key_that_can_be_used_nobody_is_asked(daemon_factory, certificates, ai, answers, put, reason):
    daemon = daemon_factory(config=configured(certificates, ai=ai))
    put(daemon)
    daemon.start()
    daemon.call("ai.consent.set", {"enabled": True})
    journal = daemon.call("letter.compose", answers)["journal"]
    assert not daemon.call("ai.status")["configured"]
    key = "error.ai.key_refused" if reason else "error.ai.key_missing"
    error = daemon.fail("letter.draft", {"journalId": journal["id"], "source": "ai"})["data"]
    assert error["messageKey"] == key and error.get("reason") == reason
    letter = daemon.call("letter.draft", {"journalId": journal["id"], "source": "auto"})
    assert letter["source"] == "template" and letter["fallback"]["messageKey"] == key
    # Put right, it counts at once.
    path = daemon.config.parent / "gemini-key"
    path.rmdir() if path.is_dir() else path.unlink(missing_ok=True)
    with_key(daemon)
    assert draft(daemon, journal)["source"] == "ai"


def test_a_credential_of_the_service_manager_comes_first(daemon_factory, certificates, ai, answers):
    daemon = daemon_factory(config=configured(certificates, ai=ai))
    credentials = daemon.root / "credentials"
    credentials.mkdir()
    (credentials / "gemini-key").write_text(KEY + "\n")
    with_key(daemon, "AQ.the-file-is-not-looked-at")
    daemon.env["CREDENTIALS_DIRECTORY"] = str(credentials)
    daemon.start()
    daemon.call("ai.consent.set", {"enabled": True})
    assert draft(daemon, daemon.call("letter.compose", answers)["journal"])["source"] == "ai"
    assert KEY not in json.dumps(daemon.call("system.info")) + daemon.log()
    assert KEY.encode() not in b"".join(path.read_bytes() for path in daemon.data.iterdir() if path.is_file())


def test_one_a_day_and_the_same_question_costs_nothing(daemon, ai, journal, answers):
    first = draft(daemon, journal)
    status = daemon.call("ai.status")
    assert (status["usedToday"], status["limitPerDay"], status["leftToday"]) == (1, 1, 0) and status["retryAfterMs"] > 0
    again = draft(daemon, journal)
    assert again["id"] == first["id"] and again["fromStore"] and len(ai.requests) == 1
    # Another tone is another question, and so is another draft of the same.
    other = daemon.fail("letter.draft", {"journalId": journal["id"], "source": "ai", "tone": "softer"})
    assert other["data"]["messageKey"] == "error.ai.limit_reached" and other["data"]["limit"] == 1 and other["data"]["retriable"]
    assert 0 < other["data"]["retryAfterMs"] <= 86_400_000
    assert daemon.fail("letter.rewrite", {"id": first["id"], "tone": first["tone"], "source": "ai"})["data"]["messageKey"] == "error.ai.limit_reached"
    auto = daemon.call("letter.rewrite", {"id": first["id"], "tone": "softer", "source": "auto"})
    assert auto["source"] == "template" and auto["fallback"]["messageKey"] == "error.ai.limit_reached"
    # Templates never count.
    daemon.call("letter.draft", {"journalId": journal["id"]})
    daemon.process.kill()
    daemon.process.wait()
    daemon.start()
    assert daemon.call("ai.status")["leftToday"] == 0


def test_six_a_minute_and_never_more(daemon, ai, answers):
    ai.always(gemini.says(replies.blocked()))
    for number in range(6):
        journal = daemon.call("letter.compose", {**answers, "situationText": f"Day {number}."})["journal"]
        assert fallback(daemon, journal)["messageKey"] == POLICY
    error = daemon.fail("letter.draft", {"journalId": journal["id"], "source": "ai"})
    assert error["data"]["messageKey"] == "error.ai.too_fast" and 0 < error["data"]["retryAfterMs"] <= 60_000
    assert daemon.call("ai.status")["machineLeftThisMinute"] == 0 and len(ai.requests) == 6


def test_two_at_once_are_one_draft(daemon, ai, journal):
    """The same question at the same time is asked once; and there is room for one alone."""
    ai.then(behaviours.late())
    with daemon.connect() as one, daemon.connect() as two:
        for client in one, two:
            ask_for_draft(client, journal, id=1)
        ai.next_request()
        error = daemon.fail("letter.draft", {"journalId": journal["id"], "source": "ai", "tone": "softer"})
        assert error["data"]["messageKey"] == "error.ai.limit_reached"
        ai.release()
        letters = [client.reply()["result"] for client in (one, two)]
        assert letters[0]["id"] == letters[1]["id"] and len(ai.requests) == 1
        assert sorted("fromStore" in letter for letter in letters) == [False, True]


def test_a_key_makes_a_draft_happen_once(daemon, ai, journal):
    params, meta = {"journalId": journal["id"], "source": "ai"}, {"idempotencyKey": "one"}
    first = daemon.call("letter.draft", params, meta)
    daemon.process.kill()
    daemon.process.wait()
    daemon.start()
    assert daemon.call("letter.draft", params, meta) == first and len(ai.requests) == 1
    error = daemon.fail("letter.draft", {**params, "tone": "softer"}, meta)
    assert error["data"]["messageKey"] == "error.rpc.idempotency_conflict"


def test_a_trial_sends_nothing(daemon, ai, journal):
    error = daemon.fail("letter.draft", {"journalId": journal["id"], "source": "ai"}, {"dryRun": True})
    assert error["code"] == -32602 and error["data"]["field"] == "_meta.dryRun" and not ai.connections
    assert daemon.call("letter.draft", {"journalId": journal["id"]}, {"dryRun": True})["source"] == "template"


# MARK: called off


def test_called_off_it_is_over_at_once_and_counts_for_nobody(daemon, ai, journal):
    ai.then(behaviours.silence())
    with daemon.connect() as client:
        ask_for_draft(client, journal)
        ai.next_request()
        began = time.monotonic()
        client.send(b'{"jsonrpc":"2.0","id":8,"method":"rpc.cancel","params":{"id":7}}\n')
        replies_ = {reply["id"]: reply for reply in (client.reply(), client.reply())}
        assert replies_[7]["error"]["code"] == -32800 and replies_[8]["result"]["cancelled"]
        ai.next_end(1)
        assert time.monotonic() - began < 0.5
    assert daemon.call("letter.list", {"journalId": journal["id"]})["items"][0]["source"] == "template"
    harness.until(lambda: daemon.call("ai.status")["leftToday"] == 1, what="a call that is noted as nothing")
    assert daemon.call("ai.status")["machineLeftToday"] == 19
    assert draft(daemon, journal)["source"] == "ai"


def test_a_deadline_ends_it(daemon, ai, journal):
    ai.then(behaviours.silence())
    before = len(daemon.call("letter.list", {"journalId": journal["id"]})["items"])
    error = daemon.fail("letter.draft", {"journalId": journal["id"], "source": "ai"}, {"deadlineMs": 300})
    assert error["code"] == -32002
    ai.next_end(1)
    assert len(daemon.call("letter.list", {"journalId": journal["id"]})["items"]) == before


def test_whoever_hangs_up_ends_it(daemon, ai, journal):
    ai.then(behaviours.silence())
    with daemon.connect() as client:
        ask_for_draft(client, journal)
        ai.next_request()
    ai.next_end(1)
    harness.until(lambda: daemon.call("ai.status")["leftToday"] == 1, what="a call that is noted as nothing")


def test_a_journal_that_is_deleted_meanwhile_gets_no_letter(daemon, ai, journal):
    ai.then(behaviours.late())
    with daemon.connect() as client:
        ask_for_draft(client, journal)
        ai.next_request()
        daemon.call("journal.delete", {"id": journal["id"]})
        ai.release()
        assert client.reply()["error"]["data"]["messageKey"] == "error.journal.not_found"


# MARK: languages, tokens, streams


@pytest.mark.parametrize("wanted", ["en", "ko", "ja", "zh-Hans"])
@pytest.mark.parametrize("written", ["en", "ko", "ja", "zh-Hans"])
def test_the_language_that_was_asked_for_or_none(daemon, ai, answers, wanted, written):
    """The journal is Korean, the call Japanese."""
    journal = daemon.call("letter.compose", {
        **answers, "situationText": "금요일 저녁 약속을 잊었다.", "hurtText": "한 시간을 기다리게 했다.", "desiredNeedText": "서로 믿고 싶다."})["journal"]
    ai.writer = replies.in_language(written)
    letter = daemon.call("letter.draft", {"journalId": journal["id"], "source": "ai", "language": wanted}, {"language": "ja"})
    if wanted == written:
        assert letter["source"] == "ai" and letter["language"] == wanted
    else:
        assert letter["source"] == "template" and letter["fallback"]["messageKey"] == "error.ai.wrong_language"
    assert ai.prompts[0].language == wanted


MENDED = ["lower case", "spaces inside", "no brackets", "entities", "full-width brackets", "code", "bold", "an escaped line"]


@pytest.mark.parametrize("name", replies.TOKEN_CHANGES)
def test_a_token_that_came_back_changed_is_mended_or_told(daemon, ai, answers, name):
    journal = daemon.call("letter.compose", {**answers, "situationText": "Zebedee Quill and I argued on 2026-05-03."})["journal"]
    daemon.call("people.add", {"name": "Zebedee Quill"})
    ai.writer = replies.changing(name)
    letter = draft(daemon, journal)
    keys = {notice["key"] for notice in letter["notices"]}
    if name in MENDED:
        assert letter["source"] == "ai" and "PERSON" not in letter["content"].upper().replace("PERSONAL", "") and not keys
    elif letter["source"] == "ai" and name in ("missing", "guessed", "another number", "another kind"):
        assert keys, letter["content"]
        assert daemon.call("letter.get", {"id": letter["id"]})["notices"], "it is told until somebody looked"
        daemon.call("letter.edit", {"id": letter["id"], "content": "In my own words."})
        assert not daemon.call("letter.get", {"id": letter["id"]})["notices"]


def test_a_preview_is_what_is_sent(daemon, ai, answers):
    daemon.call("people.add", {"name": "Zebedee Quill"})
    daemon.call("people.add", {"name": "Blue Bottle", "kind": "place"})
    journal = daemon.call("letter.compose", {
        **answers, "situationText": "Zebedee Quill called me on 2026-05-03 at the Blue Bottle: 010-1234-5678."})["journal"]
    preview = daemon.call("ai.preview", {"journalId": journal["id"], "tone": "sincere"})
    assert not ai.connections
    draft(daemon, journal, tone="sincere")
    (request,) = ai.requests
    assert request.body.decode() == preview["body"]
    body = json.loads(preview["body"])
    assert body["contents"][0]["parts"][0]["text"] == preview["text"]
    assert body["systemInstruction"]["parts"][0]["text"] == preview["systemInstruction"]
    stands = {token["standsFor"] for token in preview["tokens"]}
    assert {"Zebedee Quill", "Blue Bottle", "010-1234-5678", "Sam"} <= stands
    for word in stands:
        assert word.encode() not in request.raw
    assert all(token["token"] in preview["text"] and token["occurrences"] >= 1 for token in preview["tokens"])


@pytest.mark.parametrize("how", [
    {}, {"tear": 1}, {"tear": 3}, {"tear": "letters"}, {"count": 1}, {"change": replies.with_pauses}])
def test_who_follows_hears_how_far_it_is(daemon, ai, journal, how):
    ai.then(gemini.stream(**how))
    with daemon.connect() as client:
        client.call("events.subscribe", {"topics": ["ai"]})
        letter = client.call("letter.draft", {"journalId": journal["id"], "source": "ai"})
        assert letter["source"] == "ai" and "Sam" in letter["content"]
        progress = [event["params"] for event in client.events if event["method"] == "ai.progress"]
        counts = [event["receivedCharacters"] for event in progress]
        assert counts and counts == sorted(counts) and counts[-1] > 20
        assert {event["journalId"] for event in progress} == {journal["id"]}
        assert "Sam" not in json.dumps(client.events) and ai.requests[0].query == {"alt": ["sse"]}


@pytest.mark.parametrize("how, key", [
    (lambda: gemini.error_after(2), "error.ai.service_unavailable"),
    (lambda: gemini.error_after(0, 429, "RESOURCE_EXHAUSTED"), "error.ai.rate_limited"),
    (lambda: gemini.stream(whole=False), "error.network.unavailable"),
    (lambda: gemini.stream(change=replies.unfinished), INVALID),
    (gemini.unavailable, "error.ai.service_unavailable"),
    (lambda: gemini.says(replies.blocked()), POLICY),
])
def test_a_stream_that_ends_badly_is_no_letter(daemon, ai, journal, how, key):
    ai.then(how())
    with daemon.connect() as client:
        client.call("events.subscribe", {"topics": ["ai"]})
        letter = client.call("letter.draft", {"journalId": journal["id"], "source": "ai"})
        assert letter["source"] == "template" and letter["fallback"]["messageKey"] == key


def test_what_was_thought_is_not_in_the_letter(daemon, ai, journal):
    ai.then(gemini.says(lambda prompt, text: replies.reply(replies.THOUGHT, text, finish="STOP", prompt=prompt)))
    letter = draft(daemon, journal)
    assert letter["source"] == "ai" and "THOUGHT" not in letter["content"]


@pytest.mark.parametrize("source", ["ai", "auto"])
def test_an_agreement_that_is_taken_back_ends_what_is_on_its_way(daemon, ai, journal, source):
    ai.greet(behaviours.mute())
    with daemon.connect() as client:
        ask_for_draft(client, journal, source)
        ai.next_connection()
        daemon.call("ai.consent.set", {"enabled": False})
        reply = client.reply(3)
    if source == "ai":
        assert reply["error"]["data"]["messageKey"] == "error.ai.consent_required"
    else:
        assert reply["result"]["source"] == "template" and "fallback" not in reply["result"]
    assert not ai.requests


def test_what_waited_for_its_turn_is_masked_by_the_names_of_now(daemon, ai, answers):
    journal = daemon.call("letter.compose", {**answers, "situationText": "I was rude to quixotry at dinner."})["journal"]
    ai.then(behaviours.silence())
    with daemon.connect() as one, daemon.connect() as two:
        for client, deadline in ((one, 1_500), (two, 20_000)):
            ask_for_draft(client, journal, deadlineMs=deadline)
        assert b"quixotry" in ai.next_request().raw
        daemon.call("people.add", {"name": "quixotry"})
        assert one.reply()["error"]["code"] == -32002
        assert two.reply()["result"]["source"] == "ai"
    assert b"quixotry" not in ai.requests[-1].raw and len(ai.requests) == 2


@pytest.mark.parametrize("source", ["ai", "auto"])
@pytest.mark.parametrize("language, situation", [
    ("en", "He hit me and choked me."), ("ko", "그가 나를 때렸다."), ("ja", "彼に殴られた。"), ("zh-Hans", "他打了我。"), ("en", "I want to kill myself.")])
def test_answers_that_speak_of_danger_are_shown_to_no_ai(daemon, ai, answers, source, language, situation):
    journal = daemon.call("letter.compose", {**answers, "situationText": situation})["journal"]
    letter = daemon.call("letter.draft", {"journalId": journal["id"], "source": source, "language": language})
    assert letter["source"] == "template" and letter["fallback"]["messageKey"] == "error.ai.not_for_this"
    assert daemon.call("ai.preview", {"journalId": journal["id"]})["refusal"]["messageKey"] == "error.ai.not_for_this"
    assert not ai.connections and daemon.call("ai.status")["machineLeftToday"] == 20


def test_a_draft_that_somebody_edited_is_not_given_again(daemon, ai, journal):
    first = draft(daemon, journal)
    daemon.call("letter.edit", {"id": first["id"], "content": "In my own words."})
    error = daemon.fail("letter.draft", {"journalId": journal["id"], "source": "ai"})
    assert error["data"]["messageKey"] == "error.ai.limit_reached" and len(ai.requests) == 1


def test_another_key_is_not_silenced_by_what_the_first_was_told(daemon, ai, journal):
    ai.then(gemini.quota("37s"))
    assert fallback(daemon, journal)["messageKey"] == "error.ai.rate_limited"
    ai.key = "AQ.another"
    with_key(daemon, "AQ.another")
    assert draft(daemon, journal)["source"] == "ai"


def test_a_call_that_made_nothing_counts_for_nobody(daemon, ai, journal):
    """The journal is deleted while the AI writes: there is nothing to keep the letter with."""
    ai.then(behaviours.late())
    with daemon.connect() as client:
        ask_for_draft(client, journal)
        ai.next_request()
        daemon.call("journal.delete", {"id": journal["id"]})
        ai.release()
        assert "error" in client.reply()
    harness.until(lambda: daemon.call("ai.status")["leftToday"] == 1, what="a call that is noted as nothing")


def test_another_configuration_takes_no_answer_away(daemon, ai, journal):
    ai.then(behaviours.silence())
    with daemon.connect() as client:
        ask_for_draft(client, journal, "auto")
        ai.next_request()
        config = json.loads(daemon.config.read_text())
        daemon.config.write_text(json.dumps({**config, "share": {"project": "another"}, "ai": {**config["ai"], "model": "gemini-other"}}))
        daemon.process.send_signal(signal.SIGHUP)
        letter = client.reply()["result"]
    assert letter["source"] == "template" and letter["fallback"]["retriable"]


@pytest.mark.parametrize("text", ["\n" * 240_000 + "Dear Sam.", "PERSON_1 " * 50_000, "e" + "\u0301" * 200_000], ids=["line feeds", "tokens", "marks"])
def test_what_cannot_be_a_letter_costs_nobody_anything(daemon, ai, journal, text):
    ai.writer = replies.saying(text)
    with daemon.connect() as client, daemon.connect() as other:
        ask_for_draft(client, journal)
        ai.next_request()
        slowest = 0
        deadline = time.monotonic() + 20
        while not client.buffer and time.monotonic() < deadline:
            began = time.monotonic()
            other.call("system.ping")
            slowest = max(slowest, time.monotonic() - began)
            with contextlib.suppress(TimeoutError):
                client.socket.settimeout(0.01)
                client.buffer += client.socket.recv(1 << 16)
        reply = client.reply()
    assert reply["result"]["fallback"]["messageKey"] == INVALID and slowest < 1.5


def test_what_steers_a_terminal_is_not_kept(daemon, ai, journal):
    ai.writer = replies.saying("Dear Sam,\n\nI was \x1b[2Jsad\x07 and \u202esorry\u202c.\x9b31m")
    letter = draft(daemon, journal)
    assert letter["source"] == "ai" and letter["content"] == "Dear Sam,\n\nI was [2Jsad and sorry.31m"
