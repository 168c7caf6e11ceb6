"""Links: a finished letter goes out once, by itself, or says why not."""

import datetime
import hashlib
import json
import re

import pytest

import behaviours
import firestore
import harness
from sending import configured, finished_letter, until_share, with_key


@pytest.fixture(params=["409", "403"])
def mode(request):
    """What a write meets where the document is there already."""
    return request.param


@pytest.fixture
def store(certificates, mode):
    with firestore.Firestore(certificates, mode=mode) as store:
        yield store
        assert not store.failures


@pytest.fixture
def daemon(daemon_factory, certificates, store):
    daemon = daemon_factory(config=configured(certificates, store)).start()
    daemon.call("share.consent.set", {"granted": True})
    return daemon


def test_a_letter_goes_out_once_and_gets_a_link(daemon, store, answers):
    letter = finished_letter(daemon, answers)
    before = datetime.datetime.now(datetime.timezone.utc)
    share = daemon.call("share.create", {"letterId": letter["id"]})
    assert share["status"] in ("queued", "uploading", "succeeded") and share["letterId"] == letter["id"]
    assert re.fullmatch("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", share["id"])
    share = until_share(daemon, share["id"], "succeeded")
    assert share["url"] == f"https://kindverb.com/letter/{share['id']}" and share["remoteId"] == share["id"]
    assert share["contentHash"] == hashlib.sha256(letter["content"].encode()).hexdigest()
    assert share["confirmed"] and share["attempts"] == 1 and not share["mayHaveArrived"] and share["lastError"] is None
    expires = datetime.datetime.fromisoformat(share["expiresAt"])
    assert before + datetime.timedelta(days=7) <= expires <= before + datetime.timedelta(days=7, minutes=1)
    assert store.letters() == {share["id"]: letter["content"]} and not store.unguarded
    # Asked for again, the same link is answered and nothing is sent.
    assert daemon.call("share.create", {"letterId": letter["id"]})["id"] == share["id"]
    assert len(store.requests) == 1


def test_nothing_leaves_before_somebody_agreed_or_says_where_to(daemon_factory, certificates, store, answers):
    daemon = daemon_factory(config=configured(certificates, store)).start()
    letter = finished_letter(daemon, answers)
    assert daemon.fail("share.create", {"letterId": letter["id"]})["data"]["messageKey"] == "error.share.consent_required"
    consent = daemon.call("share.consent.set", {"granted": True})
    assert consent["granted"] and consent["decidedAt"] and consent["configured"] and consent["host"] == "127.0.0.1"
    draft = daemon.call("letter.compose", answers)["letter"]
    error = daemon.fail("share.create", {"letterId": draft["id"]})
    assert error["data"]["messageKey"] == "error.share.letter_not_finalized" and error["data"]["field"] == "letterId"
    assert daemon.call("share.list")["items"] == [] and not store.requests
    elsewhere = daemon_factory(config={"network": {"caFile": str(certificates.trusted)}}).start()
    elsewhere.call("share.consent.set", {"granted": True})
    letter = finished_letter(elsewhere, answers)
    assert elsewhere.fail("share.create", {"letterId": letter["id"]})["data"]["messageKey"] == "error.share.not_configured"


def test_an_agreement_that_is_taken_back_takes_back_what_waits(daemon, store, answers):
    store.always(firestore.unavailable("3600"))
    share = daemon.call("share.create", {"letterId": finished_letter(daemon, answers)["id"]})
    harness.until(lambda: daemon.call("share.get", {"id": share["id"]})["lastError"], what="a first attempt")
    daemon.call("share.consent.set", {"granted": False})
    assert daemon.call("share.get", {"id": share["id"]})["status"] == "canceled"
    assert daemon.fail("share.retry", {"id": share["id"]})["data"]["messageKey"] == "error.share.consent_required"


@pytest.mark.parametrize("answer, key", [
    (firestore.wrong_mode, "error.link.service_misconfigured"),
    (firestore.out_of_range, "error.link.invalid_content"),
    (firestore.denied, "error.link.permission_denied"),
    (firestore.no_database, "error.link.service_misconfigured"),
])
def test_what_is_refused_fails_at_once_and_can_be_sent_again_by_hand(daemon, store, answers, answer, key):
    store.then(answer())
    share = daemon.call("share.create", {"letterId": finished_letter(daemon, answers)["id"]})
    share = until_share(daemon, share["id"], "failed")
    assert share["lastError"]["messageKey"] == key and share["lastError"]["message"] and not share["lastError"]["retriable"]
    assert share["attempts"] == 1 and share["url"] is None and not share["mayHaveArrived"]
    status = daemon.call("outbox.status")
    assert status["failed"] == 1 and status["lastError"]["messageKey"] == key
    again = daemon.call("share.retry", {"id": share["id"]})
    assert again["status"] in ("queued", "uploading", "succeeded")
    assert until_share(daemon, share["id"], "succeeded")["confirmed"]
    assert len(store.letters()) == 1


LOST = {
    "stored, then the connection is dropped": behaviours.handled_then_dropped,
    "stored, then reset": behaviours.reset,
    "dropped, not stored": behaviours.dropped,
    "cut in the middle of the answer": behaviours.cut,
    "stored, then 503": lambda: firestore.stored_then(firestore.unavailable()),
    "stored, then 500": lambda: firestore.stored_then(firestore.internal()),
    "stored, then 504": lambda: firestore.stored_then(firestore.too_slow()),
    "stored, then HTML": lambda: firestore.stored_then(behaviours.html(502)),
    "stored, then 200 without a word of it": lambda: firestore.stored_then(behaviours.html(200)),
}


@pytest.mark.parametrize("way", LOST)
def test_a_lost_answer_makes_no_second_letter(daemon, store, answers, way, mode):
    store.then(LOST[way]())
    letter = finished_letter(daemon, answers)
    share = daemon.call("share.create", {"letterId": letter["id"]})
    share = until_share(daemon, share["id"], "succeeded", "failed")
    assert share["status"] == "succeeded" and share["attempts"] == 2, share
    assert store.letters() == {share["id"]: letter["content"]} and not store.duplicates() and not store.changed()
    # With rules that allow nothing but making, nobody can say that it is there; it can be nothing else.
    stored_first = way != "dropped, not stored"
    assert share["confirmed"] == (mode == "409" or not stored_first), share


def test_with_readable_rules_a_refusal_after_a_lost_answer_is_looked_into(daemon_factory, certificates, answers):
    with firestore.Firestore(certificates, mode="403", rules="readable") as store:
        daemon = daemon_factory(config=configured(certificates, store, share={"rules": "readable"})).start()
        daemon.call("share.consent.set", {"granted": True})
        store.then(behaviours.handled_then_dropped())
        share = daemon.call("share.create", {"letterId": finished_letter(daemon, answers)["id"]})
        share = until_share(daemon, share["id"], "succeeded")
        assert share["confirmed"] and [request.method for request in store.requests] == ["POST", "POST", "GET"]
        # It never arrived, and is really refused.
        store.then(behaviours.dropped(), firestore.denied())
        share = daemon.call("share.create", {"letterId": finished_letter(daemon, answers, hurtText="Another time.")["id"]})
        share = until_share(daemon, share["id"], "failed")
        assert share["lastError"]["messageKey"] == "error.link.permission_denied" and len(store.letters()) == 1


def test_one_bad_letter_holds_no_other_and_the_order_is_kept(daemon, store, answers):
    """The first is always refused, the second is unavailable twice, the third is taken."""
    letters = [finished_letter(daemon, answers, situationText=f"Day {number}.") for number in range(3)]
    troubles = {b"Day 0.": [firestore.out_of_range()], b"Day 1.": [firestore.unavailable(), firestore.unavailable()]}

    def answer(exchange):
        waiting = next((answers for mark, answers in troubles.items() if mark in exchange.request.body), [])
        exchange.answer(waiting.pop(0) if waiting else exchange.usual())

    store.always(answer)
    with daemon.connect() as events:
        events.call("events.subscribe", {"topics": ["share"]})
        shares = [daemon.call("share.create", {"letterId": letter["id"]})["id"] for letter in letters]
        begun = []
        while len(begun) < 3:
            event = events.event()["params"]
            begun += [event["id"]] * (event["op"] == "uploading" and event["id"] not in begun)
        assert begun == shares
    until_share(daemon, shares[0], "failed")
    assert until_share(daemon, shares[2], "succeeded")["attempts"] == 1
    assert until_share(daemon, shares[1], "succeeded")["attempts"] == 3
    assert len(store.requests) == 5
    daemon.call("share.delete", {"id": shares[0]})
    assert [share["id"] for share in daemon.call("share.list")["items"]] == [shares[2], shares[1]]


def test_sixty_bad_ones_before_a_good_one(daemon, store, answers):
    bad = [finished_letter(daemon, answers, situationText=f"Bad day {number}.") for number in range(60)]
    good = finished_letter(daemon, answers, situationText="A good day.")
    held = store.requests
    store.always(lambda exchange: exchange.answer(
        exchange.usual() if b"A good day." in exchange.request.body else firestore.out_of_range()))
    for letter in bad:
        daemon.call("share.create", {"letterId": letter["id"]})
    share = daemon.call("share.create", {"letterId": good["id"]})
    assert until_share(daemon, share["id"], "succeeded")["attempts"] == 1
    status = daemon.call("outbox.status")
    assert (status["queued"], status["uploading"], status["failed"]) == (0, 0, 60) and len(held) == 61


def test_a_server_that_says_later_is_asked_later(daemon, store, answers):
    store.then(firestore.exhausted("2"))
    share = daemon.call("share.create", {"letterId": finished_letter(daemon, answers)["id"]})
    first = store.next_request()
    second = store.next_request()
    assert second.at - first.at >= 1.95
    until_share(daemon, share["id"], "succeeded")


@pytest.mark.parametrize("wish, least, most", [
    ("0", 0.9, 4), ("-1", 0.9, 4), ("1.5", 1.4, 4), ("abc", 0.9, 4), ("Wed, 21 Oct 2015 07:28:00 GMT", 0.9, 4)])
def test_any_form_of_later(daemon, store, answers, wish, least, most):
    store.then(firestore.unavailable(wish))
    daemon.call("share.create", {"letterId": finished_letter(daemon, answers)["id"]})
    first, second = store.next_request(), store.next_request()
    assert least <= second.at - first.at <= most


def test_a_wait_of_years_is_clamped_to_an_hour_and_ended_by_hand(daemon, store, answers):
    store.then(firestore.unavailable("999999999999"))
    share = daemon.call("share.create", {"letterId": finished_letter(daemon, answers)["id"]})
    share = harness.until(lambda: (found := daemon.call("share.get", {"id": share["id"]}))["lastError"] and found, what="an attempt")
    ahead = datetime.datetime.fromisoformat(share["nextAttemptAt"]) - datetime.datetime.now(datetime.timezone.utc)
    assert datetime.timedelta(minutes=59) < ahead <= datetime.timedelta(hours=1)
    daemon.call("share.retry", {"id": share["id"]})
    until_share(daemon, share["id"], "succeeded")


def test_what_is_taken_back_is_not_sent(daemon, store, answers):
    store.then(firestore.unavailable("3600"))
    share = daemon.call("share.create", {"letterId": finished_letter(daemon, answers)["id"]})
    harness.until(lambda: daemon.call("share.get", {"id": share["id"]})["lastError"], what="an attempt")
    share = daemon.call("share.cancel", {"id": share["id"]})
    assert share["status"] == "canceled" and share["mayHaveArrived"]
    # Asked for again it is the same letter under the same id.
    again = daemon.call("share.create", {"letterId": share["letterId"]})
    assert again["id"] == share["id"]
    until_share(daemon, share["id"], "succeeded")
    assert len(store.letters()) == 1


def test_taking_back_cuts_off_what_is_on_its_way(daemon, store, answers):
    store.then(behaviours.silence())
    share = daemon.call("share.create", {"letterId": finished_letter(daemon, answers)["id"]})
    store.next_request()
    assert daemon.call("share.cancel", {"id": share["id"]})["mayHaveArrived"]
    store.next_end(1)
    assert daemon.call("share.delete", {"id": share["id"]})["livesUntil"]
    assert daemon.fail("share.get", {"id": share["id"]})["data"]["messageKey"] == "error.share.not_found"


def test_a_deleted_letter_takes_its_link_along(daemon, store, answers):
    letter = finished_letter(daemon, answers)
    share = daemon.call("share.create", {"letterId": letter["id"]})
    until_share(daemon, share["id"], "succeeded")
    with daemon.connect() as events:
        events.call("events.subscribe", {"topics": ["share"]})
        daemon.call("journal.delete", {"id": letter["journalId"]})
        event = events.event()["params"]
        assert (event["topic"], event["id"], event["op"]) == ("share", share["id"], "deleted")
    assert daemon.call("share.list")["items"] == []
    assert daemon.call("outbox.status")["queued"] == 0


def test_events_tell_how_it_goes(daemon, store, answers):
    letter = finished_letter(daemon, answers)
    store.then(firestore.unavailable())
    with daemon.connect() as events:
        events.call("events.subscribe", {"topics": ["share"]})
        share = daemon.call("share.create", {"letterId": letter["id"]})
        seen = [events.event()["params"] for _ in range(5)]
        assert [event["op"] for event in seen] == ["queued", "uploading", "queued", "uploading", "succeeded"]
        assert {event["id"] for event in seen} == {share["id"]}


def test_days_that_belong_to_pro_and_days_that_nobody_has(daemon, answers):
    letter = finished_letter(daemon, answers)
    for days, key in [(3, "error.entitlement.pro_required"), (30, "error.entitlement.pro_required"), (8, "error.share.expiry_invalid")]:
        error = daemon.fail("share.create", {"letterId": letter["id"], "expiresInDays": days})
        assert error["data"]["messageKey"] == key and error["data"]["field"] == "expiresInDays"
    assert daemon.call("share.create", {"letterId": letter["id"], "expiresInDays": 7})["expiresInDays"] == 7


@pytest.mark.parametrize("character, fits", [("a", 9_999), ("가", 9_999), ("😀", 4_999)])
def test_a_letter_is_as_long_as_the_rules_take_it(daemon, store, answers, character, fits):
    def share(content):
        letter = daemon.call("letter.compose", answers)["letter"]
        daemon.call("letter.edit", {"id": letter["id"], "content": content})
        daemon.call("letter.finalize", {"id": letter["id"]})
        return {"letterId": letter["id"]}

    error = daemon.fail("share.create", share(character * (fits + 1)))
    assert error["data"]["messageKey"] == "error.share.too_long" and error["data"]["limit"] == 9_999
    done = daemon.call("share.create", share(character * fits))
    until_share(daemon, done["id"], "succeeded")


def test_a_daemon_killed_in_mid_upload_asks_again_and_makes_no_second_letter(daemon, store, answers, mode):
    held = behaviours.silence()

    def stored_and_silent(exchange):
        exchange.usual()
        held(exchange)

    store.then(stored_and_silent)
    letter = finished_letter(daemon, answers)
    share = daemon.call("share.create", {"letterId": letter["id"]})
    store.next_request()
    daemon.process.kill()
    daemon.process.wait()
    daemon.start()
    share = until_share(daemon, share["id"], "succeeded")
    assert share["attempts"] == 2 and share["confirmed"] == (mode == "409")
    assert store.letters() == {share["id"]: letter["content"]}


def test_nothing_of_it_is_in_the_log(daemon, store, answers):
    store.then(firestore.denied(), behaviours.reset())
    for text in ("first", "second"):
        letter = finished_letter(daemon, answers, situationText=f"Sentinel {text} zwiebelkuchen.")
        share = daemon.call("share.create", {"letterId": letter["id"]})
        until_share(daemon, share["id"], "succeeded", "failed")
    assert "zwiebelkuchen" not in daemon.log() and share["id"] not in daemon.log()


def test_a_hundred_wait_and_one_more_is_refused(daemon, store, answers):
    store.always(firestore.unavailable("3600"))
    for number in range(100):
        daemon.call("share.create", {"letterId": finished_letter(daemon, answers, situationText=f"Day {number}.")["id"]})
    error = daemon.fail("share.create", {"letterId": finished_letter(daemon, answers)["id"]})
    assert error["data"]["messageKey"] == "error.outbox.full" and error["data"]["limit"] == 100 and error["data"]["retriable"]


@pytest.mark.long
def test_five_more_attempts_and_then_it_is_given_up(daemon, store, answers):
    store.always(firestore.unavailable())
    share = daemon.call("share.create", {"letterId": finished_letter(daemon, answers)["id"]})
    times = [store.next_request(40).at for _ in range(6)]
    waits = [later - earlier for earlier, later in zip(times, times[1:])]
    for wait, least in zip(waits, (1, 2, 4, 8, 16)):
        assert least - 0.05 <= wait <= least * 1.5 + 1
    share = until_share(daemon, share["id"], "failed")
    assert share["attempts"] == 6 and share["lastError"]["messageKey"] == "error.network.unavailable"


def test_a_front_end_that_refuses_everything_says_nothing_of_what_got_through(daemon, store, answers):
    store.then(behaviours.handled_then_dropped(), behaviours.html(403))
    share = daemon.call("share.create", {"letterId": finished_letter(daemon, answers)["id"]})
    assert until_share(daemon, share["id"], "succeeded", "failed")["status"] == "succeeded"
    assert len(store.letters()) == 1 and len(store.requests) == 3
    store.then(behaviours.html(403))
    share = daemon.call("share.create", {"letterId": finished_letter(daemon, answers, hurtText="Another.")["id"]})
    assert until_share(daemon, share["id"], "succeeded", "failed")["lastError"]["messageKey"] == "error.link.permission_denied"


@pytest.mark.long
def test_what_hangs_keeps_nothing_from_its_first_attempt(daemon, store, answers):
    """Eight that never hear an answer, and then a good one: it goes out when the first of them are given up for the moment."""
    good = finished_letter(daemon, answers, situationText="A good day.")
    silent = behaviours.silence()
    store.always(lambda exchange: exchange.answer(exchange.usual()) if b"A good day." in exchange.request.body else silent(exchange))
    for number in range(8):
        daemon.call("share.create", {"letterId": finished_letter(daemon, answers, situationText=f"Day {number}.")["id"]})
    share = daemon.call("share.create", {"letterId": good["id"]})
    assert until_share(daemon, share["id"], "succeeded", seconds=60)["attempts"] == 1


def test_whoever_deletes_a_letter_is_told_that_its_link_lives_on(daemon, store, answers):
    letters = [finished_letter(daemon, answers, situationText=f"Day {number}.") for number in range(2)]
    shares = [daemon.call("share.create", {"letterId": letter["id"]}) for letter in letters]
    for share in shares:
        until_share(daemon, share["id"], "succeeded")
    ends = [daemon.call("share.get", {"id": share["id"]})["expiresAt"] for share in shares]
    assert daemon.call("letter.delete", {"id": letters[0]["id"]})["livesUntil"] == ends[0]
    assert daemon.call("journal.delete", {"id": letters[1]["journalId"]})["livesUntil"] == ends[1]
    unshared = daemon.call("letter.compose", answers)["letter"]
    assert "livesUntil" not in daemon.call("letter.delete", {"id": unshared["id"]})


def test_a_key_that_cannot_be_used_sends_nothing(daemon, store, answers):
    with_key(daemon, "a key", name="firestore-key")
    share = daemon.call("share.create", {"letterId": finished_letter(daemon, answers)["id"]})
    assert until_share(daemon, share["id"], "failed")["lastError"]["messageKey"] == "error.link.key_refused" and not store.connections


def test_a_row_that_comes_again_inherits_no_wait(daemon, store, answers):
    store.then(firestore.unavailable("3600"))
    one, two = (finished_letter(daemon, answers, situationText=f"Day {number}.") for number in range(2))
    share = daemon.call("share.create", {"letterId": one["id"]})
    harness.until(lambda: daemon.call("share.get", {"id": share["id"]})["lastError"], what="an attempt")
    with daemon.connect() as client:
        client.send(json.dumps([
            {"jsonrpc": "2.0", "id": 1, "method": "share.delete", "params": {"id": share["id"]}},
            {"jsonrpc": "2.0", "id": 2, "method": "share.create", "params": {"letterId": two["id"]}}]).encode() + b"\n")
        made = client.message()[1]["result"]
    until_share(daemon, made["id"], "succeeded", seconds=5)


def test_taken_back_before_anything_left_it_cannot_have_arrived(daemon, store, answers):
    store.greet(behaviours.mute())
    share = daemon.call("share.create", {"letterId": finished_letter(daemon, answers)["id"]})
    store.next_connection()
    daemon.call("share.cancel", {"id": share["id"]})
    harness.until(lambda: not daemon.call("share.get", {"id": share["id"]})["mayHaveArrived"], what="what is known of it")
    store.always(firestore.denied())
    daemon.call("share.retry", {"id": share["id"]})
    assert until_share(daemon, share["id"], "failed", "succeeded")["status"] == "failed"


def test_what_is_only_believed_to_be_there_can_be_asked_for_again(daemon, store, answers, mode):
    """Nothing was stored, and the rules were wrong: put right, it goes out after all."""
    store.then(firestore.unavailable(), firestore.denied())
    share = daemon.call("share.create", {"letterId": finished_letter(daemon, answers)["id"]})
    share = until_share(daemon, share["id"], "succeeded")
    assert not share["confirmed"] and not store.letters()
    daemon.call("share.retry", {"id": share["id"]})
    harness.until(lambda: daemon.call("share.get", {"id": share["id"]})["confirmed"], what="a link that is there")
    assert len(store.letters()) == 1
