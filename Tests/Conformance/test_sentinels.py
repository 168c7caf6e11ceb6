"""Words that nobody else writes go through every way out: no byte of them may be where it may not be.

What leaves is read at the servers, from the first to the last byte of every connection; what stays, in the log, in every answer and event,
and, after it was erased, in every file of the store."""

import json
import os
import pathlib
import re

import pytest

import behaviours
import firestore
import gemini
import gemini_replies as replies
import harness
from sending import KEY, configured, until_share, with_key

# What tells who, where and when, in the four languages; and sentences, which an AI may see without them.
SECRETS = {
    "name": "Zebedee Quillfeather", "given": "Zebedee", "korean": "남궁별하", "japanese": "四月一日", "place": "Mugwort Cellar",
    "phone": "010-8642-9753", "email": "zebedee.q@quill.example", "date": "2031-07-19", "time": "23:47", "card": "4539 1488 0343 6467",
    "address": "서울특별시 강남구 테헤란로 987길 65", "account": "110-246-813579",
}
SENTENCE = "The marzipan lighthouse hummed all night"
ANSWERS = {
    "conflictType": "friends",
    "situationText": f"{SENTENCE} while Zebedee Quillfeather shouted at the Mugwort Cellar on 2031-07-19 at 23:47. Zebedee's card 4539 1488 0343 6467.",
    "feelings": ["angry", "quillish"],
    "hurtText": "남궁별하가 서울특별시 강남구 테헤란로 987길 65에서 010-8642-9753으로 전화했다. 계좌는 국민은행 110-246-813579.",
    "reflectionText": "四月一日さんに謝るべきだった。zebedee.q@quill.example に書いた。",
    "desiredNeedText": "To be heard by Zebedee Quillfeather.",
    "addressee": "Zebedee",
}
NAMES = [("Zebedee Quillfeather", "person"), ("남궁별하", "person"), ("四月一日", "person"), ("Mugwort Cellar", "place")]


@pytest.fixture
def house(daemon_factory, certificates):
    """A daemon with both ways out, and a client that keeps every byte it is told."""
    with gemini.Gemini(certificates, key=KEY) as ai, firestore.Firestore(certificates, mode="403") as store:
        daemon = daemon_factory(config=configured(certificates, store, ai))
        with_key(daemon)
        daemon.start()
        daemon.call("ai.consent.set", {"enabled": True})
        daemon.call("share.consent.set", {"granted": True})
        for name, kind in NAMES:
            daemon.call("people.add", {"name": name, "kind": kind})
        yield daemon, ai, store
        assert not ai.failures and not store.failures


def found(data, secrets=SECRETS.values()):
    """Those that occur in bytes, as such or as JSON escapes them."""
    forms = {secret: [secret.encode(), json.dumps(secret)[1:-1].encode()] for secret in secrets}
    return [secret for secret, spelled in forms.items() if any(form in data for form in spelled)]


def files(daemon):
    return [path for path in daemon.data.rglob("*") if path.is_file()]


def test_what_tells_who_where_and_when_never_reaches_an_ai(house):
    daemon, ai, store = house
    journal = daemon.call("letter.compose", ANSWERS)["journal"]
    steps = [None, gemini.unavailable(), gemini.says(replies.blocked()), behaviours.reset(), gemini.quota("0s")]
    for tone, step in zip(("neutral_warm", "softer", "concise", "sincere", "neutral_warm"), steps):
        ai.then(step)
        letter = daemon.call("letter.draft", {"journalId": journal["id"], "tone": tone, "source": "auto", "language": "ko"})
        assert "Zebedee" in letter["content"], letter
    assert ai.wire and SENTENCE.encode() in ai.wire, "the sentence itself is what a draft is made of"
    assert not found(ai.wire)
    headers = {name.lower() for request in ai.requests for name, _ in request.headers}
    assert headers == {"host", "accept", "content-type", "content-length", "x-goog-api-key"}, headers
    assert not store.connections


def test_a_letter_goes_to_where_it_is_shared_and_nothing_else_does(house):
    daemon, ai, store = house
    made = daemon.call("letter.compose", ANSWERS)
    daemon.call("letter.edit", {"id": made["letter"]["id"], "content": f"Dear Zebedee, {SENTENCE}."})
    daemon.call("letter.finalize", {"id": made["letter"]["id"]})
    store.then(behaviours.handled_then_dropped(), firestore.unavailable())
    share = daemon.call("share.create", {"letterId": made["letter"]["id"]})
    until_share(daemon, share["id"], "succeeded")
    assert list(store.letters().values()) == [f"Dear Zebedee, {SENTENCE}."]
    # Of the journal, the names and the ids that stand here, nothing.
    assert found(store.wire) == ["Zebedee"]
    for word in (made["journal"]["id"], made["letter"]["id"], "friends", "quillish", KEY):
        assert word.encode() not in store.wire
    assert not ai.connections


def test_nothing_is_in_the_log_in_an_error_or_in_an_event(house):
    daemon, ai, store = house
    everything = [*SECRETS.values(), SENTENCE, KEY]
    with daemon.connect() as follower, daemon.connect() as client:
        follower.call("events.subscribe", {})
        made = client.call("letter.compose", ANSWERS)
        wrong = [
            ("letter.draft", {"journalId": made["journal"]["id"], "source": SENTENCE}), ("people.add", {"name": SENTENCE * 9}),
            ("people.remove", {"name": SENTENCE}), ("share.create", {"letterId": SENTENCE}), (SENTENCE, {}),
            ("share.get", {"id": SECRETS["name"]}), ("ai.preview", {"journalId": SENTENCE}), ("people.add", {SENTENCE: 1}),
            ("share.create", {"letterId": made["letter"]["id"]}), ("entitlement.restore", {"signedTransaction": f"{SENTENCE}.a.b"}),
        ]
        for step in (behaviours.reset(), gemini.says(replies.blocked()), gemini.unavailable(), behaviours.html(200)):
            ai.then(step)
            client.call("letter.draft", {"journalId": made["journal"]["id"], "source": "ai", "tone": "softer"})
        for method, params in wrong:
            reply = json.dumps(client.ask(method, params), ensure_ascii=False).encode()
            assert b'"error"' in reply and not found(reply, everything), reply
        client.call("letter.finalize", {"id": made["letter"]["id"]})
        store.then(firestore.denied(), behaviours.handled_then_dropped())
        share = client.call("share.create", {"letterId": made["letter"]["id"]})
        until_share(daemon, share["id"], "failed")
        client.call("share.retry", {"id": share["id"]})
        until_share(daemon, share["id"], "succeeded")
        client.call("journal.delete", {"id": made["journal"]["id"]})
        # All that was told before comes before the answer.
        follower.call("system.ping")
        told = json.dumps(follower.events, ensure_ascii=False).encode()
        assert follower.events and not found(told, everything)
    assert not found(daemon.log().encode(), everything)
    # A link's id opens the letter: it is in no log either.
    assert share["id"] not in daemon.log()


def test_what_was_erased_is_in_no_file(house):
    daemon, ai, store = house
    made = daemon.call("letter.compose", ANSWERS)
    drafted = daemon.call("letter.draft", {"journalId": made["journal"]["id"], "source": "ai"}, {"idempotencyKey": "once"})
    assert drafted["source"] == "ai"
    daemon.call("letter.finalize", {"id": drafted["id"]})
    share = daemon.call("share.create", {"letterId": drafted["id"]})
    until_share(daemon, share["id"], "succeeded")
    everything = [*SECRETS.values(), SENTENCE]
    assert found(b"".join(path.read_bytes() for path in files(daemon)), everything), "it was there"
    daemon.call("journal.delete", {"id": made["journal"]["id"]})
    for name, _ in NAMES:
        daemon.call("people.remove", {"name": name})
    # A moment later the words go from the log of the store, too.
    harness.until(
        lambda: not found(b"".join(path.read_bytes() for path in files(daemon)), everything), what="words that are gone from every file")
    daemon.stop()
    assert not found(b"".join(path.read_bytes() for path in files(daemon)), everything)


def test_no_image_of_its_memory_is_left_and_no_list_of_processes_shows_a_key(house):
    daemon, _, _ = house
    unit = (harness.ROOT / "systemd/kindverbd.service").read_text()
    assert "\nLimitCORE=0\n" in unit
    limits = pathlib.Path(f"/proc/{daemon.pid}/limits").read_text()
    assert re.search(r"Max core file size +0 ", limits), limits
    environment = pathlib.Path(f"/proc/{daemon.pid}/environ").read_bytes()
    arguments = pathlib.Path(f"/proc/{daemon.pid}/cmdline").read_bytes()
    assert KEY.encode() not in environment + arguments
    assert KEY not in json.dumps([daemon.call("system.info"), daemon.call("system.stats"), daemon.call("ai.status")])
