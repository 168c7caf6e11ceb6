"""An upgrade of the store that takes its time, seen from outside: by clients, by the service manager, and by the version before."""

import pytest

import harness

PROGRAM = harness.ROOT / ".build/debug/UpgradingDaemon"
NEWER = 76

pytestmark = pytest.mark.skipif(not PROGRAM.exists() or bool(harness.SANITIZER), reason="the daemon with an upgrade is not built")


def begin(daemon):
    daemon.told = []
    daemon.process = daemon.spawn([str(PROGRAM), *daemon.arguments()[1:]], env={"WATCHDOG_USEC": "400000"})
    daemon.wait_told("STATUS=upgrading the store")


@pytest.fixture
def upgrading(daemon_factory):
    """A daemon in the middle of an upgrade, and what it had stored before."""
    daemon = daemon_factory().start()
    ids = [daemon.call("journal.create", {"conflictType": "friends", "situationText": f"number {n}"})["id"] for n in range(20)]
    daemon.stop()
    begin(daemon)
    return daemon, ids


def test_while_it_upgrades_it_answers_and_says_how_far_it_is(upgrading):
    daemon, ids = upgrading
    daemon.wait_told("EXTEND_TIMEOUT_USEC=")
    daemon.wait_told("WATCHDOG=1")
    assert daemon.call("system.info")["state"] == "migrating", "the loop, not the upgrade, keeps the watchdog quiet"
    seen = set()
    with daemon.connect() as client:

        def is_ready():
            # The service manager reads what it is told; who sends to one that does not, waits.
            assert daemon.hear()
            info = client.call("system.info")
            seen.add((info["state"], info["progress"]))
            if info["state"] == "migrating":
                assert info["schema"] is None and client.call("system.ping") == {"pong": True}
                reply = client.ask("journal.list")
                if "result" in reply:
                    # The upgrade has ended between the two; the next look tells.
                    return False
                error = reply["error"]
                assert error["code"] == -32004 and error["data"]["reason"] == "migrating" and error["data"]["retryAfterMs"] > 0
            return info["state"] == "ready"

        harness.until(is_ready, 60, what="the end of the upgrade")
        assert {("migrating", 0), ("migrating", 0.5), ("ready", None)} <= seen, seen
        daemon.wait_told("READY=1")
        assert client.call("system.info")["schema"] == 5
        assert [item["id"] for item in client.call("journal.list", {"limit": 200})["items"]] == ids[::-1]
    assert len(list((daemon.data / "backups").glob("kindverb-upgrade-*.db"))) == 1
    daemon.stop()
    # The version before refuses what it does not know, and leaves it.
    status, log = daemon.refuses_to_start()
    assert status == NEWER and "5" in log


def test_an_upgrade_that_is_killed_or_stopped_is_made_the_next_time(upgrading):
    daemon, ids = upgrading
    daemon.kill9()
    begin(daemon)
    daemon.stop()
    begin(daemon)
    daemon.wait_told("READY=1", 60)
    assert [item["id"] for item in daemon.call("journal.list", {"limit": 200})["items"]] == ids[::-1]
