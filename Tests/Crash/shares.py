#!/usr/bin/env python3
"""kill -9 at random points while letters go out to a Firestore that stores and loses half of its answers: each letter is there exactly
once, whatever was lost, and each link ends in a final state.

    Tests/Crash/shares.py [KILLS]      four links for each kill; the daemon's program is taken as the tests from outside take it

Three of them run beside each other: where a write to what exists meets 409, where it meets 403, and where it meets 403 and one may
look.
"""
import collections
import concurrent.futures
import hashlib
import pathlib
import random
import shutil
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Conformance"))
import firestore  # noqa: E402
import harness  # noqa: E402
import timed  # noqa: E402
from certificates import Certificates  # noqa: E402

GONE = (OSError, AssertionError, ValueError)
FINAL = {"succeeded", "failed"}
# What may stand behind a link that was given up here: nobody confirmed it. A refusal may not: the first word on it was never one.
UNCLEAR = {"error.link.unconfirmed", "error.network.unavailable", "error.network.timeout"}
ROOM = 100  # how many may wait


class Sharing:
    """One daemon, one store, and what has been asked for so far."""

    def __init__(self, mode, rules, letters, seed):
        self.folder = tempfile.TemporaryDirectory(prefix="kv-shares-")
        certificates = Certificates(self.folder.name)
        self.store = firestore.Firestore(certificates, mode=mode, rules=rules).always(firestore.losing(0.5, seed))
        self.daemon = harness.Daemon(config={
            "share": {"project": self.store.project, "firestoreUrl": self.store.url, "rules": rules},
            "network": {"caFile": str(certificates.trusted)}}).start()
        self.daemon.call("share.consent.set", {"granted": True})
        self.letters = [self.letter(number) for number in range(letters)]
        self.links = {}  # by letter, once acknowledged
        self.unanswered = self.cut = 0

    def letter(self, number):
        """A finished letter like no other."""
        with self.daemon.connect() as connection:
            letter = connection.call("letter.compose", {
                "conflictType": "friends", "situationText": f"This is the letter of number {number}.", "feelings": ["sad"],
                "hurtText": "You waited.", "desiredNeedText": "To rely on each other."})["letter"]
            return connection.call("letter.finalize", {"id": letter["id"]})

    def close(self):
        try:
            self.daemon.close()
        finally:
            self.store.close()
            self.folder.cleanup()

    # Asking for links.

    def ask(self, count):
        """Asks for so many links, or until the connection breaks; a letter whose answer was lost is asked for again."""
        try:
            with self.daemon.connect() as connection:
                for _ in range(count):
                    letter = self.next_letter()
                    if letter is None or connection.call("outbox.status")["queued"] >= ROOM - 4:
                        return
                    self.unanswered += 1
                    share = connection.call("share.create", {"letterId": letter["id"]})
                    self.unanswered -= 1
                    self.links[letter["id"]] = share["id"]
                    time.sleep(random.uniform(0, 0.004))
        except GONE:
            pass

    def next_letter(self):
        return next((letter for letter in self.letters if letter["id"] not in self.links), None)

    def killed(self):
        """It dies: while links are asked for, or as soon as a request has arrived, or some time after; and comes again."""
        asking = threading.Thread(target=self.ask, args=(random.randint(1, 8),))
        asking.start()
        before = len(self.store.requests)
        if random.random() < 0.8:
            self.wait_for_request(before + random.randint(1, 6), seconds=3)
        # The request is there, or stored, or its answer is on the way, or has been read, or is being written down.
        time.sleep(random.choice((0, random.uniform(0, 0.003), random.uniform(0, 0.03), random.uniform(0, 0.3))))
        self.daemon.kill9()
        asking.join()
        self.cut += self.on_their_way()
        self.daemon.start()
        self.check_links()

    def on_their_way(self):
        """How many were being sent when it died, by a copy of what it left: nobody but the daemon opens its store."""
        with tempfile.TemporaryDirectory(prefix="kv-shares-") as folder:
            copy = shutil.copytree(self.daemon.data, pathlib.Path(folder) / "data")
            return timed.rows(copy, "SELECT count(*) FROM outbox WHERE state = 'uploading'")[0][0]

    def wait_for_request(self, count, seconds):
        """Until the store has got so many requests, if it gets them."""
        end = time.monotonic() + seconds
        while len(self.store.requests) < count and (left := end - time.monotonic()) > 0:
            try:
                self.store.next_request(left)
            except AssertionError:
                return

    # What must be so.

    def shares(self):
        found, before = [], {}
        with self.daemon.connect() as connection:
            while True:
                page = connection.call("share.list", {"limit": 100, **before})
                found += page["items"]
                if "next" not in page:
                    return found
                before = {"before": page["next"]}

    def check_links(self):
        """Every link that was acknowledged is there, under its id; and a letter has no second one."""
        shares = self.shares()
        counted = collections.Counter(share["letterId"] for share in shares)
        assert max(counted.values(), default=1) == 1, f"two links of a letter: {counted.most_common(3)}"
        there = {share["letterId"]: share["id"] for share in shares}
        for letter, id in self.links.items():
            assert there.get(letter) == id, f"an acknowledged link is another: {there.get(letter)} in place of {id}"
        self.links.update(there)

    def settle(self):
        """Asks for what is left, and waits until nothing is on its way."""
        def settled():
            self.ask(len(self.letters))
            status = self.daemon.call("outbox.status")
            return len(self.links) == len(self.letters) and status["queued"] + status["uploading"] == 0

        harness.until(settled, seconds=300, every=0.1, what="the end of all waiting")
        self.check_links()
        return self.shares()

    def check_store(self, shares):
        """Each letter once, under its link's id, as it is; and nobody ever wrote over one."""
        letters = {letter["id"]: letter["content"] for letter in self.letters}
        wanted = {share["id"]: letters[share["letterId"]] for share in shares}
        have = self.store.letters()
        assert set(have) <= set(wanted), "a letter that is no link's"
        assert have == wanted, f"not there: {set(wanted) - set(have)}"
        assert len(wanted) == len(self.letters) == self.store.commits, (len(wanted), self.store.commits)
        assert self.store.duplicates() == [] == self.store.changed() and not self.store.unguarded
        assert not self.store.failures, self.store.failures

    def check_final(self, shares, may_fail=True):
        letters = {letter["id"]: letter["content"] for letter in self.letters}
        for share in shares:
            assert share["status"] in FINAL, share
            assert share["contentHash"] == hashlib.sha256(letters[share["letterId"]].encode()).hexdigest()
            if share["status"] == "succeeded":
                assert share["remoteId"] == share["id"] and share["url"].endswith(f"/letter/{share['id']}") and share["expiresAt"]
                assert share["lastError"] is None and not share["mayHaveArrived"]
            else:
                assert may_fail and share["lastError"]["messageKey"] in UNCLEAR and share["mayHaveArrived"], share

    def retry(self, shares):
        """What was given up is asked for by hand, of a store that loses no more."""
        self.store.always(None)
        for share in shares:
            if share["status"] == "failed":
                self.daemon.call("share.retry", {"id": share["id"]})


def one(mode, rules, kills, seed):
    began = time.monotonic()
    sharing = Sharing(mode, rules, kills * 4, seed)
    try:
        for _ in range(kills):
            sharing.killed()
        unanswered, shares = sharing.unanswered, sharing.settle()
        sharing.check_final(shares)
        sharing.check_store(shares)
        given_up = sum(share["status"] == "failed" for share in shares)
        sharing.retry(shares)
        shares = sharing.settle()
        sharing.check_final(shares, may_fail=False)
        sharing.check_store(shares)
        told = sum(not share["confirmed"] for share in shares)
        if (mode, rules) == ("403", "createOnly"):
            assert told > kills / 5, "hardly a lost answer was met again: nothing was tried"
        else:
            assert told == 0, "it could be confirmed, and was not"
    except BaseException:
        print(f"seed {seed}, {mode} {rules}\n{sharing.daemon.log()[-3000:]}", file=sys.stderr)
        raise
    finally:
        sharing.close()
    requests = len(sharing.store.requests)
    assert requests > len(shares) + kills / 2 and sharing.store.lost > requests / 4 and sharing.cut > kills / 4, "nothing was tried"
    print(f"{mode} {rules}: {kills} kill -9 with {sharing.cut} on their way, {len(shares)} links, {requests} requests, "
          f"{sharing.store.lost} answers lost: each letter there once; {len(shares) - told} confirmed, {told} by what they met, "
          f"{given_up} given up at first and asked for by hand; {unanswered} links asked for without an answer "
          f"({time.monotonic() - began:.0f} s)", flush=True)


def main():
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    seed = random.randrange(1 << 32)
    random.seed(seed)
    # They wait for most of the time.
    with concurrent.futures.ThreadPoolExecutor() as pool:
        ways = ("409", "createOnly"), ("403", "createOnly"), ("403", "readable")
        for done in [pool.submit(one, mode, rules, kills, seed) for mode, rules in ways]:
            done.result()


if __name__ == "__main__":
    main()
