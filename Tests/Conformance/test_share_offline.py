"""Without a network a link waits, everything else works, and it goes out by itself when the network is there again."""

import contextlib
import ctypes
import os
import shutil
import subprocess
import threading
import time

import pytest
from jeepney import DBusAddress, new_signal
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import open_dbus_connection

import firestore
import harness
from sending import configured, finished_letter, until_share

# After so many attempts in vain the next one comes no sooner than in eight seconds: what arrives before was told to come.
MISSES, SOON = 4, 4


class Tunnel:
    """A network with nothing but a loopback, which can be switched off and on."""

    def __init__(self):
        self.holder = subprocess.Popen(["unshare", "--net", "cat"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        self.path = f"/proc/{self.holder.pid}/ns/net"
        harness.until(lambda: self._is_own(), what="a network of its own")

    def _is_own(self):
        with contextlib.suppress(OSError):
            return os.readlink(self.path) != os.readlink("/proc/self/ns/net")

    def run(self, *command):
        subprocess.run(["nsenter", f"--net={self.path}", *command], check=True)

    def switch(self, state):
        self.run("ip", "link", "set", "lo", state)

    def inside(self, make):
        """What `make` makes on a thread that lives in it; its sockets stay there."""
        made = []

        def body():
            with open(self.path) as network:
                assert ctypes.CDLL(None, use_errno=True).setns(network.fileno(), 0x40000000) == 0
            made.append(make())

        thread = threading.Thread(target=body)
        thread.start()
        thread.join()
        return made[0]

    def close(self):
        self.holder.stdin.close()
        self.holder.wait()


@pytest.fixture
def tunnel():
    if os.geteuid() or not shutil.which("ip") or subprocess.run(["unshare", "--net", "true"], capture_output=True).returncode:
        pytest.skip("no network of one's own can be made here")
    tunnel = Tunnel()
    yield tunnel
    tunnel.close()


def attempts(daemon, share):
    return daemon.call("share.get", {"id": share["id"]})["attempts"]


@pytest.mark.long
def test_in_a_tunnel_everything_works_and_a_link_goes_out_at_its_end(daemon_factory, certificates, tunnel, answers):
    tunnel.switch("up")
    store = tunnel.inside(lambda: firestore.Firestore(certificates))
    try:
        tunnel.switch("down")
        daemon = daemon_factory(config=configured(certificates, store))
        daemon.start(arguments=["nsenter", f"--net={tunnel.path}", *daemon.arguments()])
        daemon.call("share.consent.set", {"granted": True})
        letter = finished_letter(daemon, answers)
        assert daemon.call("journal.list")["items"] and daemon.call("letter.get", {"id": letter["id"]})["status"] == "finalized"
        share = daemon.call("share.create", {"letterId": letter["id"]})
        harness.until(lambda: attempts(daemon, share) >= MISSES, 90, what="attempts in vain")
        waiting = harness.until(
            lambda: (found := daemon.call("share.get", {"id": share["id"]}))["status"] == "queued" and found, what="a link that waits")
        assert waiting["lastError"]["messageKey"] in ("error.network.unavailable", "error.network.timeout") and not waiting["mayHaveArrived"]
        began = time.monotonic()
        tunnel.switch("up")
        share = until_share(daemon, share["id"], "succeeded")
        assert time.monotonic() - began < SOON and share["confirmed"] and len(store.letters()) == 1
    finally:
        store.close()


@pytest.fixture
def system_bus(bus):
    """A bus in the place of the system's, with somebody on it who calls himself as the test says."""
    connection = open_dbus_connection(bus=bus.address)

    def signal(name, path, interface, member, signature, *values):
        connection.send_and_get_reply(message_bus.RequestName(name))
        connection.send(new_signal(DBusAddress(path, bus_name=name, interface=interface), member, signature, values))

    yield bus.address, signal
    connection.close()


NM, LOGIN = "org.freedesktop.NetworkManager", "org.freedesktop.login1"


@pytest.mark.long
@pytest.mark.parametrize("told", [
    (NM, "/org/freedesktop/NetworkManager", NM, "StateChanged", "u", 70),
    (LOGIN, "/org/freedesktop/login1", f"{LOGIN}.Manager", "PrepareForSleep", "b", False),
], ids=["NetworkManager is connected", "the machine woke up"])
def test_the_system_bus_tells_that_it_may_be_tried(daemon_factory, certificates, system_bus, answers, told):
    address, signal = system_bus
    with firestore.Firestore(certificates) as store:
        daemon = daemon_factory(config=configured(certificates, store), env={"DBUS_SYSTEM_BUS_ADDRESS": address}).start()
        store.stop()
        daemon.call("share.consent.set", {"granted": True})
        share = daemon.call("share.create", {"letterId": finished_letter(daemon, answers)["id"]})
        harness.until(lambda: attempts(daemon, share) >= MISSES, 90, what="attempts in vain")
        harness.until(lambda: daemon.call("share.get", {"id": share["id"]})["status"] == "queued", what="a link that waits")
        store.start()
        began = time.monotonic()
        signal(*told)
        until_share(daemon, share["id"], "succeeded")
        assert time.monotonic() - began < SOON


def test_a_server_that_cannot_prove_who_it_is_gets_nothing(daemon_factory, certificates, answers):
    for kind in ("wrong name", "expired", "unknown authority", "self-signed"):
        with firestore.Firestore(certificates, kind=kind) as store:
            daemon = daemon_factory(config=configured(certificates, store)).start()
            daemon.call("share.consent.set", {"granted": True})
            share = daemon.call("share.create", {"letterId": finished_letter(daemon, answers)["id"]})
            found = harness.until(
                lambda: (found := daemon.call("share.get", {"id": share["id"]}))["lastError"] and found, what="an attempt")
            assert found["lastError"]["messageKey"] == "error.network.insecure" and not found["mayHaveArrived"], kind
            assert not store.requests and not store.letters()
            daemon.process.kill()
            daemon.process.wait()
