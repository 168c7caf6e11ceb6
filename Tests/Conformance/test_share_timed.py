"""Links and drafts over days, by a clock that the test sets."""

import pytest

import behaviours
import firestore
import gemini
import harness
import timed
from sending import KEY, configured, finished_letter, until_share, with_key

pytestmark = timed.MARKS


@pytest.fixture
def store(certificates):
    with firestore.Firestore(certificates) as store:
        yield store


@pytest.fixture
def ai(certificates):
    with gemini.Gemini(certificates, key=KEY) as ai:
        yield ai


@pytest.fixture
def daemon(timed_daemon, certificates, store, ai):
    daemon = timed_daemon(config=configured(certificates, store, ai))
    with_key(daemon)
    daemon.start()
    daemon.call("share.consent.set", {"granted": True})
    daemon.call("ai.consent.set", {"enabled": True})
    store.clock = daemon.now
    return daemon


def ids(daemon):
    return [share["id"] for share in daemon.call("share.list")["items"]]


def test_what_failed_is_forgotten_after_seven_days_by_itself(daemon, store, answers):
    store.then(firestore.denied())
    share = daemon.call("share.create", {"letterId": finished_letter(daemon, answers)["id"]})
    until_share(daemon, share["id"], "failed")
    daemon.set_clock("2026-05-08 06:59")
    assert ids(daemon) == [share["id"]]
    # A clock that is set makes nothing old that has just happened.
    daemon.set_clock("2026-05-08 07:01")
    assert ids(daemon) == [share["id"]]
    daemon.stop()
    daemon.start()
    harness.until(lambda: ids(daemon) == [], what="a link that is forgotten")
    assert daemon.call("outbox.status")["failed"] == 0


def test_a_link_that_expired_is_not_the_letters_link_any_more(daemon, store, answers):
    letter = finished_letter(daemon, answers)
    first = daemon.call("share.create", {"letterId": letter["id"]})["id"]
    until_share(daemon, first, "succeeded")
    daemon.set_clock("2026-05-08 06:59")
    assert daemon.call("share.create", {"letterId": letter["id"]})["id"] == first
    daemon.set_clock("2026-05-08 07:10")
    second = daemon.call("share.create", {"letterId": letter["id"]})["id"]
    assert second != first
    until_share(daemon, second, "succeeded")
    assert ids(daemon) == [second, first]
    # Long after, it is forgotten.
    daemon.set_clock("2026-06-08 07:10")
    harness.until(lambda: ids(daemon) == [second], what="a link that is forgotten")


def test_what_may_have_arrived_is_not_sent_again_after_it_would_have_expired(daemon, store, answers):
    """It would be a second letter: the first is deleted by then."""
    store.then(firestore.stored_then(firestore.unavailable("3600")))
    letter = finished_letter(daemon, answers)
    share = daemon.call("share.create", {"letterId": letter["id"]})
    harness.until(lambda: daemon.call("share.get", {"id": share["id"]})["lastError"], what="an attempt")
    daemon.set_clock("2026-05-08 08:00")
    error = daemon.fail("share.retry", {"id": share["id"]})
    assert error["data"]["messageKey"] == "error.share.unresolved" and len(store.requests) == 1
    again = daemon.call("share.create", {"letterId": letter["id"]})
    assert again["id"] != share["id"]
    until_share(daemon, again["id"], "succeeded")


def test_a_link_that_waited_for_days_lives_its_days_from_when_it_went(daemon, store, answers):
    store.stop()
    share = daemon.call("share.create", {"letterId": finished_letter(daemon, answers)["id"]})
    harness.until(lambda: daemon.call("share.get", {"id": share["id"]})["lastError"], what="an attempt in vain")
    daemon.set_clock("2026-05-20 07:00")
    store.start()
    daemon.call("share.retry", {"id": share["id"]})
    assert until_share(daemon, share["id"], "succeeded")["expiresAt"].startswith("2026-05-26T22:0")


def test_a_clock_that_is_set_wakes_what_waits_for_a_network(daemon, store, answers):
    """It is how the kernel tells that the machine woke up."""
    store.stop()
    share = daemon.call("share.create", {"letterId": finished_letter(daemon, answers)["id"]})
    harness.until(lambda: daemon.call("share.get", {"id": share["id"]})["attempts"] >= 4, 40, what="attempts in vain")
    harness.until(lambda: daemon.call("share.get", {"id": share["id"]})["status"] == "queued", what="a link that waits")
    store.start()
    daemon.set_clock("2026-05-01 15:00")
    until_share(daemon, share["id"], "succeeded", seconds=4)


def test_no_clock_and_no_zone_makes_a_second_draft(daemon, ai, answers):
    journal = daemon.call("letter.compose", answers)["journal"]

    def may():
        reply = daemon.connect().ask("letter.draft", {"journalId": journal["id"], "source": "ai", "tone": "softer"})
        return "result" in reply

    assert daemon.call("letter.draft", {"journalId": journal["id"], "source": "ai"})["source"] == "ai"
    for clock in ("2026-05-02 07:00", "2027-01-01 00:00", "2026-04-01 12:00", "2026-05-01 23:59"):
        daemon.set_clock(clock)
        assert not may(), clock
        assert daemon.call("ai.status")["leftToday"] == 0
    for zone in ("Pacific/Kiritimati", "Pacific/Pago_Pago", "Asia/Seoul"):
        daemon.set_zone(zone)
        assert not may() or zone == "Pacific/Kiritimati", zone
    daemon.process.kill()
    daemon.process.wait()
    daemon.start()
    assert not may()
    assert len(ai.requests) <= 2


@pytest.mark.parametrize("clock", ["2024-01-01 00:00", "2031-01-01 00:00"])
@pytest.mark.parametrize("lost", [False, True])
def test_a_wrong_clock_is_said_to_be_one_and_put_right_it_goes_out(daemon, store, answers, clock, lost):
    """Also after an attempt of which nobody knows: it was refused for its end like every other."""
    store.clock = lambda: daemon.instant("2026-05-01 07:30")
    daemon.set_clock(clock)
    if lost:
        store.then(behaviours.dropped())
    share = daemon.call("share.create", {"letterId": finished_letter(daemon, answers)["id"]})
    found = until_share(daemon, share["id"], "failed")
    early = clock.startswith("2024")
    if lost and early:
        # By the service's clock it would have expired: whether it was there, nobody can say.
        assert found["lastError"]["messageKey"] == "error.share.unresolved"
        return
    assert found["lastError"]["messageKey"] == "error.link.clock_wrong" and not found["mayHaveArrived"]
    daemon.set_clock("2026-05-01 07:30")
    daemon.call("share.retry", {"id": share["id"]})
    until_share(daemon, share["id"], "succeeded")
    assert len(store.letters()) == 1


def test_a_day_is_not_ended_by_a_clock_that_is_set_before_midnight_again_and_again(daemon, ai, answers):
    made = 0
    for number in range(4):
        journal = daemon.call("letter.compose", {**answers, "situationText": f"Day {number}."})["journal"]
        daemon.set_clock("2026-05-01 23:59:58")
        harness.until(lambda: daemon.wall() >= "2026-05-02 00:00:00", what="midnight")
        made += "result" in daemon.connect().ask("letter.draft", {"journalId": journal["id"], "source": "ai"})
    assert made == 1 and len(ai.requests) == 1
