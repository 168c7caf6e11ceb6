"""Purchases: each verdict beside that of Apple's own library, on chains like Apple's; what is unlocked, kept, and never told."""

import base64
import copy
import json
import pathlib
import random
import signal
import subprocess

import pytest
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier, VerificationException
from cryptography.hazmat.primitives.asymmetric import ec

import appstore
import harness
import timed

# Only a daemon of the tests trusts another root than Apple's.
with_root = next(mark for mark in timed.MARKS if mark.name == "skipif")
# Seven in the morning of the first of May in Seoul, when the daemon's clock begins.
AT = 1_777_586_400_000
DAY = appstore.DAY


def apple(chain, environment=Environment.PRODUCTION):
    """What Apple's library says of a text: OK, or why not."""
    verifier = SignedDataVerifier([chain.root], False, environment, appstore.BUNDLE, 1)

    def verdict(text):
        try:
            verifier.verify_and_decode_signed_transaction(text)
            return "OK"
        except VerificationException as error:
            return error.status.name

    return verdict


def shop(make, chain, **options):
    """A daemon that trusts a chain's root, not started yet."""
    daemon = make(at="2026-05-01 07:00", **options)
    (daemon.timed / "root.der").write_bytes(chain.root)
    return daemon


@pytest.fixture(scope="module")
def chain():
    return appstore.Chain(AT)


@pytest.fixture(scope="module")
def trusting(chain):
    made = []
    yield shop(lambda **options: made.append(timed.TimedDaemon(**options)) or made[0], chain).start()
    made[0].close()


@pytest.fixture
def pro_daemon(timed_daemon, chain):
    return shop(timed_daemon, chain).start()


def ours(daemon, text):
    """What the daemon says of a text: what the purchase means, or which check failed. A trial, so that no case has to do with another."""
    with daemon.connect() as connection:
        reply = connection.ask("entitlement.restore", {"signedTransaction": text}, {"dryRun": True})
    if "result" in reply:
        return reply["result"]["proof"]
    data = reply["error"]["data"]
    return " ".join(filter(None, (data["messageKey"].removeprefix("error."), data.get("reason"))))


def twice(text, member):
    """A JSON object with one more member that stands there already."""
    return text[:-1] + "," + json.dumps({member: json.loads(text)[member]})[1:]


def lax(text):
    """Another spelling of the same bytes: bits after the last one."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    assert text.endswith("=")
    last = len(text.rstrip("=")) - 1
    return text[:last] + alphabet[alphabet.index(text[last]) + 1] + text[last + 1:]


def padded(chain):
    """The same chain with a leaf whose base64 ends in `=`."""
    while not chain.x5c()[0].endswith("="):
        chain = appstore.Chain(AT)
    return chain


def cases(chain):
    """(name, chain to trust, text, Apple's verdict, ours): the rows of the reference, then where ours is stricter, or says more."""
    good, failed = chain.sign(), "VERIFICATION_FAILURE"
    x5c, other = chain.x5c(), appstore.Chain(AT)
    header, payload, signature = good.split(".")
    url_safe = next(c for c in iter(lambda: appstore.Chain(AT), None) if set("+/") & set(c.x5c()[0]))
    signed = {"signedDate": AT - 100 * DAY, "purchaseDate": AT - 130 * DAY}
    past = appstore.Chain(AT, leaf_days=(-200, -50))
    with_padding = padded(chain)

    def on(other_chain, expected_apple, expected_ours, **changes):
        return other_chain, other_chain.sign(**changes), expected_apple, expected_ours

    def here(text, expected_apple, expected_ours):
        return chain, text, expected_apple, expected_ours

    return {
        "good": here(good, "OK", "active"),
        "more in the header": here(chain.sign(header={"typ": "JWT", "kid": "A1"}), "OK", "active"),
        "revoked": here(chain.sign(revocationDate=AT - DAY), "OK", "revoked"),
        "another certificate as third": here(chain.sign(header={"x5c": [*x5c[:2], other.x5c()[2]]}), "OK", "active"),
        "no base64 as third": here(chain.sign(header={"x5c": [*x5c[:2], "!"]}), "OK", "active"),
        "two certificates": here(chain.sign(header={"x5c": x5c[:2]}), "INVALID_CHAIN_LENGTH", "iap.verify_failed chain_length"),
        "four certificates": here(chain.sign(header={"x5c": [*x5c, x5c[2]]}), "INVALID_CHAIN_LENGTH", "iap.verify_failed chain_length"),
        "no certificates": here(chain.sign(header={"x5c": None}), failed, "iap.verify_failed chain_length"),
        "an empty list of them": here(chain.sign(header={"x5c": []}), failed, "iap.verify_failed chain_length"),
        **{f"alg {alg}": here(chain.sign(header={"alg": alg}), failed, "iap.verify_failed algorithm") for alg in ("none", "HS256", "ES384", None)},
        "a signature in DER": here(chain.sign(der=True), failed, "iap.verify_failed signature"),
        "another key": here(chain.sign(key=other.keys[0]), failed, "iap.verify_failed signature"),
        "a byte between r and s": here(f"{header}.{payload}." + appstore.url64(base64.urlsafe_b64decode(signature + "==")[:32] + b"\0"
                                       + base64.urlsafe_b64decode(signature + "==")[32:]), failed, "iap.verify_failed signature"),
        "no signature": here(f"{header}.{payload}.", failed, "iap.verify_failed signature"),
        "another payload": here(f"{header}.{chain.sign(quantity=2).split('.')[1]}.{signature}", failed, "iap.verify_failed signature"),
        "= after it": here(good + "=", failed, "iap.restore_failed malformed"),
        "a line feed after it": here(good + "\n", failed, "iap.restore_failed malformed"),
        "four parts": here(good + "." + signature, failed, "iap.restore_failed malformed"),
        "two parts": here(f"{header}.{payload}", failed, "iap.restore_failed malformed"),
        "nothing": here("", failed, "rpc.invalid_params"),
        "url-safe base64 for certificates": on(url_safe, "INVALID_CERTIFICATE", "iap.verify_failed certificate", header={
            "x5c": [c.replace("+", "-").replace("/", "_") for c in url_safe.x5c()]}),
        "a leaf without its mark": on(appstore.Chain(AT, leaf_marks=()), failed, "iap.verify_failed purpose"),
        "an intermediate without its mark": on(appstore.Chain(AT, intermediate_marks=()), failed, "iap.verify_failed purpose"),
        "an intermediate with the leaf's": on(appstore.Chain(AT, intermediate_marks=(appstore.LEAF,)), failed, "iap.verify_failed purpose"),
        "an unknown root": here(other.sign(), failed, "iap.verify_failed chain"),
        "an intermediate that is no CA": on(appstore.Chain(AT, intermediate_is_ca=False), failed, "iap.verify_failed chain"),
        "a chain without key identifiers": on(appstore.Chain(AT, key_ids=False), failed, "iap.verify_failed chain"),
        "a leaf that has expired since": on(past, "OK", "active", **signed),
        "signed after the leaf's end": on(past, failed, "iap.verify_failed chain", signedDate=AT - 40 * DAY),
        "signed before the leaf's beginning": on(past, failed, "iap.verify_failed chain", signedDate=AT - 210 * DAY, purchaseDate=AT - 300 * DAY),
        "no signedDate": here(chain.sign(signedDate=None), "OK", "iap.restore_failed signing_time"),
        "a signedDate in quotes": here(chain.sign(signedDate=str(AT)), "OK", "iap.restore_failed signing_time"),
        "a signedDate in words": here(chain.sign(signedDate="May"), failed, "iap.restore_failed signing_time"),
        "another app": here(chain.sign(bundleId="com.example.app"), "INVALID_APP_IDENTIFIER", "iap.other_app"),
        "the sandbox": here(chain.sign(environment="Sandbox"), "INVALID_ENVIRONMENT", "iap.other_environment"),
        "Xcode": here(chain.sign(environment="Xcode"), "INVALID_ENVIRONMENT", "iap.other_environment"),
        "an unknown environment": here(chain.sign(environment="Moon"), "INVALID_ENVIRONMENT", "iap.other_environment"),
        "no environment": here(chain.sign(environment=None), "INVALID_ENVIRONMENT", "iap.restore_failed not_a_transaction"),
        "an unknown type and more members": here(chain.sign(type="Loan", new={"a": [1]}), "OK", "active"),
        "crit": here(chain.sign(header={"crit": ["exp"], "exp": 1}), failed, "iap.verify_failed critical"),
        "exp in the past": here(chain.sign(exp=1_500_000_000), failed, "iap.verify_failed validity"),
        "exp ahead": here(chain.sign(exp=4_000_000_000), "OK", "active"),
        "nbf ahead": here(chain.sign(nbf=4_000_000_000), failed, "iap.verify_failed validity"),
        "certificates the wrong way round": here(chain.sign(header={"x5c": x5c[::-1]}), failed, "iap.verify_failed chain"),
        "a leaf by the root itself": on(appstore.Chain(AT, leaf_by_root=True), failed, "iap.verify_failed chain"),
        "a leaf of another curve": on(appstore.Chain(AT, leaf_curve=ec.SECP384R1), failed, "iap.verify_failed signature"),
        "no JSON": here(chain.sign(payload="{"), failed, "iap.restore_failed malformed"),
        "a list": here(chain.sign(payload="[1]"), failed, "iap.restore_failed malformed"),
        # What Apple's library leaves to its caller.
        "another product": here(chain.sign(productId="kindverb.pro.monthly"), "OK", "iap.other_product"),
        "in the family": here(chain.sign(inAppOwnershipType="FAMILY_SHARED"), "OK", "active"),
        "upgraded": here(chain.sign(isUpgraded=True), "OK", "upgraded"),
        "past its end": here(chain.sign(expiresDate=AT), "OK", "expired"),
        "before its end": here(chain.sign(expiresDate=AT + DAY), "OK", "active"),
        # Where ours is stricter.
        "a name twice in the payload": here(chain.sign(payload=twice(json.dumps(chain.transaction()), "bundleId")), "OK",
                                            "iap.restore_failed malformed"),
        "a name twice in the header": here(chain.sign(header=twice(json.dumps({"alg": "ES256", "x5c": x5c}), "alg")), "OK",
                                           "iap.restore_failed malformed"),
        "more than 64 KiB": here(chain.sign(more="x" * 50_000), "OK", "rpc.invalid_params"),
        "signed more than a day ahead": here(chain.sign(signedDate=AT + DAY + 60_000), "OK", "iap.date_ahead"),
        "signed less than a day ahead": here(chain.sign(signedDate=AT + DAY - 60_000), "OK", "active"),
        "bought after it was signed": here(chain.sign(purchaseDate=AT + 300_001), "OK", "iap.verify_failed dates"),
        "bought within two clocks' difference": here(chain.sign(purchaseDate=AT + 300_000), "OK", "active"),
        "a certificate that goes on": here(chain.sign(header={"x5c": [
            base64.b64encode(chain.certificates[0] + b"\0\0\0").decode(), *x5c[1:]]}), "OK", "iap.verify_failed certificate"),
        "base64 in another spelling": on(with_padding, "OK", "iap.verify_failed certificate", header={
            "x5c": [lax(with_padding.x5c()[0]), *with_padding.x5c()[1:]]}),
        "a date of revocation in quotes": here(chain.sign(revocationDate=str(AT)), "OK", "iap.restore_failed not_a_transaction"),
    }


@with_root
def test_every_verdict_beside_apples(timed_daemon, trusting, chain):
    found, daemons = {}, {id(chain): trusting}
    for name, (trusted, text, apples, expected) in cases(chain).items():
        if id(trusted) not in daemons:
            daemons[id(trusted)] = shop(timed_daemon, trusted).start()
        verdicts = apple(trusted)(text), ours(daemons[id(trusted)], text)
        if verdicts != (apples, expected):
            found[name] = verdicts
        # Nothing unlocks here that Apple's library refuses.
        assert verdicts[0] == "OK" or verdicts[1] not in ("active", "revoked", "expired", "upgraded"), (name, verdicts)
    assert not found


@with_root
@pytest.mark.parametrize("environment", ["Xcode", "LocalTesting"])
def test_what_nobody_signs_never_counts(timed_daemon, chain, environment):
    """Apple's library looks at no signature of these; here there is no switch for them."""
    daemon = shop(timed_daemon, chain, config={"entitlement": {"sandbox": True}}).start()
    junk = chain.sign(environment=environment).rsplit(".", 1)[0] + "." + appstore.url64(bytes(64))
    assert apple(chain, Environment(environment))(junk) == "OK"
    assert ours(daemon, junk) == "iap.verify_failed signature"
    assert ours(daemon, chain.sign(environment=environment)) == "iap.other_environment"
    assert ours(daemon, chain.sign(environment="Sandbox")) == "active"


def test_the_program_trusts_apple_alone(daemon, chain):
    assert ours(daemon, chain.sign()) == "iap.verify_failed chain"


def test_apples_own_certificates_lead_to_the_root_in_the_program(daemon, chain):
    """All is well with them up to the signature, which nobody here can make."""
    def said(leaf=appstore.APPLE_LEAF, **changes):
        return ours(daemon, chain.sign(header={"x5c": [leaf, appstore.APPLE_INTERMEDIATE, ""]}, **changes))

    assert said() == "iap.verify_failed signature"
    assert said(signedDate=AT - 300 * DAY) == "iap.verify_failed chain", "before the leaf was made"
    assert said(appstore.APPLE_INTERMEDIATE) == "iap.verify_failed chain"


def libcrypto():
    """Where the system has what verifies."""
    listed = subprocess.run(["ldconfig", "-p"], capture_output=True, text=True, env={"PATH": "/usr/sbin:/sbin"}).stdout
    return next(line.split()[-1] for line in listed.splitlines() if line.split()[0] == "libcrypto.so.3")


@pytest.mark.skipif(subprocess.run(["unshare", "-rm", "true"], capture_output=True).returncode != 0, reason="no user namespaces here")
@pytest.mark.skipif(bool(harness.SANITIZER), reason="the sanitizer's own libraries need it")
def test_without_openssl_all_else_works(daemon_factory, chain):
    daemon = daemon_factory()
    hidden = ["unshare", "-rm", "sh", "-c", 'mount --bind /dev/null "$0" && exec "$@"', libcrypto()]
    daemon.start(arguments=hidden + daemon.arguments())
    error = daemon.fail("entitlement.restore", {"signedTransaction": chain.sign()})
    assert error["data"]["messageKey"] == "error.iap.unavailable" and error["data"]["retriable"] and "libssl3" in error["message"]
    assert daemon.call("entitlement.get")["plan"] == "free"
    assert daemon.call("journal.create", {"conflictType": "friends"})["status"] == "draft"


def test_what_verifies_is_loaded_for_the_first_purchase(daemon, chain):
    maps = pathlib.Path(f"/proc/{daemon.pid}/maps")
    daemon.call("entitlement.get")
    assert "libcrypto" not in maps.read_text()
    daemon.fail("entitlement.restore", {"signedTransaction": chain.sign()})
    assert "libcrypto" in maps.read_text()


def mutated(generator, chain):
    """A transaction with something in it changed: in the text, in the bytes of a part, or in a certificate that is signed anew."""
    text = chain.sign()
    kind = generator.randrange(6)
    if kind == 0:  # A bit of the text.
        place = generator.randrange(len(text))
        return text[:place] + chr(ord(text[place]) ^ 1 << generator.randrange(7)) + text[place + 1:]
    if kind == 1:  # Cut, or with something twice.
        place, count = generator.randrange(len(text)), generator.randrange(1, 40)
        return text[:place] if generator.randrange(2) else text[:place] + text[max(0, place - count):]
    if kind == 2:  # Something taken out.
        place = generator.randrange(len(text))
        return text[:place] + text[place + generator.randrange(1, 9):]
    if kind == 3:  # A bit of a part.
        parts = text.split(".")
        number = generator.randrange(3)
        data = bytearray(base64.urlsafe_b64decode(parts[number] + "=="))
        data[generator.randrange(len(data))] ^= 1 << generator.randrange(8)
        parts[number] = appstore.url64(bytes(data))
        return ".".join(parts)
    if kind == 4:  # A bit of a certificate, under a good signature.
        certificates = [bytearray(c) for c in chain.certificates]
        chosen = certificates[generator.randrange(2)]
        for _ in range(generator.randrange(1, 3)):
            chosen[generator.randrange(len(chosen))] ^= 1 << generator.randrange(8)
        return chain.sign(header={"x5c": [base64.b64encode(bytes(c)).decode() for c in certificates]})
    payload = json.dumps(chain.transaction())  # A bit of the payload, under a good signature.
    place = generator.randrange(len(payload))
    return chain.sign(payload=payload[:place] + chr(ord(payload[place]) ^ 1 << generator.randrange(7)) + payload[place + 1:])


def refused(daemon, texts):
    """Sends all, and gives those that were not refused, with what was said of them."""
    taken = []
    with daemon.connect() as connection:
        for text in texts:
            reply = connection.ask("entitlement.restore", {"signedTransaction": text}, {"dryRun": True})
            if "result" in reply:
                taken.append((text, reply["result"]["proof"]))
            else:
                assert reply["error"]["code"] in (-32602, 1310, 1311, 1312, 1313, 1314, 1315), reply
    assert daemon.process.poll() is None
    return taken


def test_five_hundred_broken_ones(daemon, chain):
    """The program itself, also under a sanitizer: nothing of it is certified by Apple, whatever was done to it."""
    generator = random.Random(1)
    assert refused(daemon, (mutated(generator, chain) for _ in range(500))) == []
    assert daemon.call("entitlement.get")["plan"] == "free"


@pytest.mark.long
@with_root
def test_two_thousand_broken_ones_under_a_trusted_root(trusting, chain):
    """What is taken in spite of a changed bit says the same as the one that Apple's library reads, and means the same."""
    generator, verdict = random.Random(2), apple(chain)
    texts = [mutated(generator, chain) for _ in range(2_000)]
    for text, proof in refused(trusting, texts):
        assert verdict(text) == "OK", text
        said = json.loads(base64.urlsafe_b64decode(text.split(".")[1] + "=="))
        wanted = chain.transaction()
        for name in ("bundleId", "productId", "environment"):
            assert said[name] == wanted[name], text
        assert proof == "active"
        # Only under a signature made anew, and never a certificate.
        assert json.loads(base64.urlsafe_b64decode(text.split(".")[0] + "=="))["x5c"] == chain.x5c(), text


@with_root
class TestWhatIsUnlocked:
    def available(self, daemon):
        return [item["code"] for item in daemon.call("conflict.types")["items"] if item["available"]]

    def restore(self, daemon, chain, **changes):
        return daemon.call("entitlement.restore", {"signedTransaction": chain.sign(**changes)})

    def test_at_once_and_across_restarts(self, pro_daemon, chain, answers):
        daemon = pro_daemon
        couple = {**answers, "conflictType": "couple"}
        assert daemon.fail("letter.compose", couple)["data"]["messageKey"] == "error.entitlement.pro_required"
        state = self.restore(daemon, chain)
        assert (state["plan"], state["proof"], state["signedAt"]) == ("pro", "active", "2026-04-30T22:00:00Z")
        assert state["limits"] == state["proLimits"] and state["ownership"] == "purchased"
        assert len(self.available(daemon)) == 5
        journal = daemon.call("letter.compose", couple)["journal"]
        assert daemon.call("notification.settings.set", {"gratitudeEnabled": True})["gratitudeEnabled"] is True
        for _ in range(2):
            daemon.restart()
            assert daemon.call("entitlement.get") == state
        daemon.kill9()
        daemon.start()
        assert daemon.call("entitlement.get") == state
        assert daemon.call("journal.get", {"id": journal["id"]})["conflictType"] == "couple"

    def test_a_revoked_one_locks_at_once_and_loses_nothing(self, pro_daemon, chain, answers):
        daemon = pro_daemon
        self.restore(daemon, chain)
        journal = daemon.call("letter.compose", {**answers, "conflictType": "inLaws"})["journal"]
        daemon.call("journal.create", {"conflictType": "siblings"})
        state = self.restore(daemon, chain, signedDate=AT + 1000, revocationDate=AT)
        assert (state["plan"], state["proof"], state["revokedAt"]) == ("free", "revoked", "2026-04-30T22:00:00Z")
        assert self.available(daemon) == ["friends"]
        assert daemon.fail("journal.create", {"conflictType": "couple"})["code"] == 1301
        assert daemon.fail("notification.settings.set", {"gratitudeEnabled": True})["code"] == 1301
        # What there is stays, and can be brought to its end.
        assert [item["conflictType"] for item in daemon.call("journal.list")["items"]] == ["siblings", "inLaws"]
        letter = daemon.call("letter.draft", {"journalId": journal["id"]})
        letter = daemon.call("letter.rewrite", {"id": letter["id"], "tone": "softer"})
        assert daemon.call("letter.finalize", {"id": letter["id"]})["status"] == "finalized"
        assert daemon.call("journal.update", {"id": journal["id"], "conflictType": "inLaws", "hurtText": "Other words."})["hurtText"] == "Other words."
        # The older word changes nothing, in this life or the next.
        assert self.restore(daemon, chain)["proof"] == "revoked"
        daemon.restart()
        assert self.restore(daemon, chain)["proof"] == "revoked" and self.available(daemon) == ["friends"]
        # A refund that was taken back is newer again.
        assert self.restore(daemon, chain, signedDate=AT + 2000)["plan"] == "pro"

    def test_a_revocation_first_and_the_purchase_after_it(self, pro_daemon, chain):
        assert self.restore(pro_daemon, chain, signedDate=AT + 1000, revocationDate=AT)["proof"] == "revoked"
        assert self.restore(pro_daemon, chain)["plan"] == "free"
        assert self.restore(pro_daemon, chain, originalTransactionId="77")["plan"] == "pro"

    def test_it_is_told(self, pro_daemon, chain):
        with pro_daemon.connect() as connection:
            connection.call("events.subscribe", {"topics": ["entitlement"]})
            for changes in ({}, {}, {"signedDate": AT + 1}, {"signedDate": AT + 2, "revocationDate": AT}, {"signedDate": AT}):
                connection.call("entitlement.restore", {"signedTransaction": chain.sign(**changes)})
            seen = [connection.event()["params"] for _ in range(3)]
            assert [(e["topic"], e["id"], e["op"]) for e in seen] == [("entitlement", "pro", op) for op in ("unlocked", "updated", "locked")]
            assert connection.is_quiet()

    def test_a_turn_sees_what_it_did_and_a_trial_does_nothing(self, pro_daemon, chain):
        daemon = pro_daemon
        restore = {"jsonrpc": "2.0", "id": 1, "method": "entitlement.restore", "params": {"signedTransaction": chain.sign()}}
        trial = copy.deepcopy(restore)
        trial["params"]["_meta"] = {"dryRun": True}
        create = {"jsonrpc": "2.0", "id": 2, "method": "journal.create", "params": {"conflictType": "couple"}}
        with daemon.connect() as connection:
            replies = connection.exchange(json.dumps([trial, create]).encode())
            assert replies[0]["result"]["plan"] == "pro" and replies[1]["error"]["code"] == 1301
            replies = connection.exchange(json.dumps([restore, create]).encode())
            assert replies[0]["result"]["plan"] == "pro" and "result" in replies[1]

    def test_a_clock_set_back_prolongs_nothing(self, pro_daemon, chain):
        daemon = pro_daemon
        assert self.restore(daemon, chain, expiresDate=AT + 10 * DAY)["plan"] == "pro"
        daemon.set_clock("2026-05-12 07:00")
        assert daemon.call("entitlement.get")["proof"] == "expired" and self.available(daemon) == ["friends"]
        # Whatever is written keeps the time.
        daemon.call("journal.create", {"conflictType": "friends"})
        daemon.set_clock("2026-05-02 07:00")
        assert daemon.call("entitlement.get")["proof"] == "expired"
        daemon.restart()
        assert daemon.call("entitlement.get")["proof"] == "expired" and self.available(daemon) == ["friends"]
        # What Apple signs later is later.
        assert self.restore(daemon, chain, signedDate=AT + DAY // 2, expiresDate=AT + 20 * DAY)["plan"] == "pro"

    def test_for_life_whatever_the_clock(self, pro_daemon, chain):
        self.restore(pro_daemon, chain)
        for time in ("2099-01-01 00:00", "1999-01-01 00:00", "2026-05-01 07:00"):
            pro_daemon.set_clock(time)
            assert pro_daemon.call("entitlement.get")["plan"] == "pro"

    def test_the_configuration_decides(self, timed_daemon, chain):
        daemon = shop(timed_daemon, chain, config={"entitlement": {"sandbox": True}}).start()
        assert self.restore(daemon, chain, environment="Sandbox")["environment"] == "Sandbox"
        assert len(self.available(daemon)) == 5

        def configure(value):
            told = daemon.log().count("configuration read anew")
            daemon.config.write_text(json.dumps(value))
            daemon.process.send_signal(signal.SIGHUP)
            harness.until(lambda: daemon.log().count("configuration read anew") > told, what="the configuration's being read")

        configure({})
        assert daemon.call("entitlement.get")["proof"] == "notAccepted" and self.available(daemon) == ["friends"]
        assert ours(daemon, chain.sign(environment="Sandbox")) == "iap.other_environment"
        configure({"entitlement": {"bundleId": "org.example.kind"}})
        error = daemon.fail("entitlement.restore", {"signedTransaction": chain.sign()})
        assert error["data"]["messageKey"] == "error.iap.other_app" and error["data"]["expected"] == "org.example.kind"
        assert self.restore(daemon, chain, bundleId="org.example.kind")["plan"] == "pro"
        configure({})
        assert daemon.call("entitlement.get")["plan"] == "free"

    def test_nothing_of_it_is_told_or_kept(self, pro_daemon, chain):
        """The transaction itself is in no log, no error, no event and no file; what was proved is in the store alone."""
        daemon = pro_daemon
        good = chain.sign()
        sentinels = [c[40:90] for c in chain.x5c()] + [part[60:100] for part in good.split(".")[:2]] + [good.split(".")[2]]
        sentinels += ["sentinel device", "c2VudGluZWwgZGV2aWNl", "7e3fb20b-4cdb", "5e9a7c52", "12900000", "143466"]
        said = []
        with daemon.connect() as connection:
            connection.call("events.subscribe", {})
            for text in (good, good[:-4], good + ".", chain.sign(bundleId="com.sentinel.device"), chain.sign(key=chain.keys[1], der=True),
                         chain.sign(environment="7e3fb20b-4cdb"), good.replace(".", "", 1), "c2VudGluZWwgZGV2aWNl"):
                said.append(connection.ask("entitlement.restore", {"signedTransaction": text}, {"idempotencyKey": f"key {len(said)}"}))
            said.append(connection.event())
            assert connection.is_quiet()
        daemon.call("system.backup", {"path": str(daemon.root / "copy.db")})
        daemon.stop()
        files = [path for path in daemon.root.rglob("*") if path.is_file() and path.parent.name != "timed"]
        assert any(path.name == "kindverb.db" for path in files)
        held = json.dumps(said) + daemon.log() + "".join(path.read_bytes().decode("latin-1") for path in files)
        for sentinel in sentinels:
            assert sentinel not in held, sentinel
        assert "com.sentinel" not in held
        rows = timed.rows(daemon.data, "SELECT originalTransactionId, environment, verifiedAt - signedAt FROM entitlement")
        assert len(rows) == 1 and rows[0][:2] == ("2000000123456789", "Production") and 0 <= rows[0][2] < 600_000


@with_root
@pytest.mark.xdist_group("desktop")
def test_the_sundays_gratitude_comes_and_goes_with_pro(timed_daemon, bus, service, chain):
    daemon = shop(timed_daemon, chain, bus=bus).start()
    daemon.call("notification.consent.set", {"granted": True})
    daemon.call("entitlement.restore", {"signedTransaction": chain.sign()})
    settings = {"gratitudeEnabled": True, "dailyReflectionEnabled": False, "draftFollowUpEnabled": False}
    assert daemon.call("notification.settings.set", settings)["next"]["type"] == "gratitude"
    revoked, again = chain.sign(signedDate=AT + 1000, revocationDate=AT), chain.sign(signedDate=AT + 2000)
    daemon.call("entitlement.restore", {"signedTransaction": revoked})
    assert daemon.call("notification.settings.get")["next"] is None
    daemon.call("entitlement.restore", {"signedTransaction": again})
    # The timer is set anew without anything else happening.
    daemon.set_clock("2026-05-03 18:59:59")
    assert timed.notified(service)["summary"] == "A moment of thanks"
    timed.stands(daemon, service)
    daemon.call("entitlement.restore", {"signedTransaction": chain.sign(signedDate=AT + 3000, revocationDate=AT)})
    assert service.next("CloseNotification")


@with_root
class TestOnTheCommandLine:
    def test_what_is_unlocked_and_what_is_not(self, pro_daemon, chain, kindverb, tmp_path):
        shown = kindverb(pro_daemon, "pro").stdout
        assert "Pro is not unlocked." in shown and "Friends\twith Pro: all" in shown and "1\twith Pro: 10" in shown
        assert "7 days\twith Pro: 3, 7, 30 days" in shown and "kindverb pro restore FILE" in shown
        assert json.loads(kindverb(pro_daemon, "--json", "pro").stdout) == pro_daemon.call("entitlement.get")
        file = tmp_path / "purchase"
        file.write_bytes(f"\r\n  {chain.sign()} \t\r\n\n".encode())
        trial = kindverb(pro_daemon, "--dry-run", "pro", "restore", str(file))
        assert trial.returncode == 0 and "nothing was kept" in trial.stdout + trial.stderr and "not unlocked" in kindverb(pro_daemon, "pro").stdout
        shown = kindverb(pro_daemon, "pro", "restore", str(file)).stdout
        assert "Pro is unlocked." in shown and "with Pro" not in shown and "FILE" not in shown
        assert "Bought on 2026-03-31. The App Store signed that on 2026-04-30, and it was verified here on 2026-04-30." in shown
        assert "A refund after 2026-04-30 is not visible here" in shown and shown == kindverb(pro_daemon, "pro").stdout
        shown = kindverb(pro_daemon, "pro", "restore", "-", input=chain.sign(signedDate=AT + 1, inAppOwnershipType="FAMILY_SHARED") + "\n").stdout
        assert "shared in the family" in shown
        shown = kindverb(pro_daemon, "pro", "restore", "-", input=chain.sign(signedDate=AT + 2, revocationDate=AT)).stdout
        assert "Pro is not unlocked." in shown and "took the purchase back on 2026-04-30" in shown and "What you have written stays." in shown
        shown = kindverb(pro_daemon, "--json", "pro", "restore", str(file)).stdout
        assert json.loads(shown)["proof"] == "revoked"

    def test_every_refusal_has_a_way_out(self, pro_daemon, chain, kindverb, tmp_path):
        file = tmp_path / "purchase"
        for text, hints in ((chain.sign(bundleId="x.y"), ["another app", "KindVerb"]), (chain.sign(productId="x"), ["something else", "for life"]),
                            (chain.sign(environment="Xcode"), ["test purchase", "App Store"]), ("receipt", ["no signed transaction", "Export", "(malformed)"]),
                            (chain.sign(der=True), ["could not be verified", "again", "(signature)"]),
                            (chain.sign(signedDate=AT + 9 * DAY), ["clock", "try again"])):
            file.write_text(text)
            for language in ("en", "ko", "ja", "zh-Hans"):
                result = kindverb(pro_daemon, "--language", language, "pro", "restore", str(file))
                assert result.returncode == 1 and result.stdout == "" and "signedTransaction" not in result.stderr, result
                assert text[:20] not in result.stderr
                assert language != "en" or all(hint in result.stderr for hint in hints), result.stderr
        assert "free" in kindverb(pro_daemon, "--json", "pro").stdout
        for content, hint in ((b"", "nothing"), (b" \n\n", "nothing"), (b"\xff\xfe", "UTF-8"), (b"x" * 65_537, "64 KiB"), (b"x" * 200_000, "128 KiB")):
            file.write_bytes(content)
            result = kindverb(pro_daemon, "pro", "restore", str(file))
            assert result.returncode == 3 and hint in result.stderr and str(file) in result.stderr, result
        for words, hint in (([str(tmp_path / "none")], "none"), ([str(tmp_path)], "directory"), ([], "FILE"), (["a", "b"], "b")):
            result = kindverb(pro_daemon, "pro", "restore", *words)
            assert result.returncode == 3 and hint in result.stderr, result
        assert "pro restore" in kindverb(pro_daemon, "pro", "restored").stderr
        refused = kindverb(pro_daemon, "journal.create", "conflictType=couple").stderr
        assert "This is part of Pro" in refused and refused.rstrip().endswith(" pro"), refused
