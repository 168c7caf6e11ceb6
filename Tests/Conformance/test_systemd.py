"""The units in a real user manager, run as an ordinary user."""

import json
import os
import pathlib
import signal
import subprocess

import pytest

import firestore
import gemini
import harness
import manager
from certificates import Certificates

pytestmark = [
    pytest.mark.systemd,
    pytest.mark.xdist_group("systemd"),
    pytest.mark.skipif(os.geteuid() != 0, reason="only root can set up a user manager for another user"),
    pytest.mark.skipif(not os.path.exists(manager.SYSTEMD), reason="systemd is not installed"),
    pytest.mark.skipif(bool(harness.SANITIZER), reason="a sanitizer's memory does not fit the sandbox"),
]
SERVICE, SOCKET = "kindverbd.service", "kindverbd.socket"


@pytest.fixture(scope="module")
def user():
    user = manager.UserManager()
    yield user
    user.close()


@pytest.fixture(autouse=True)
def fresh(user):
    """Each test begins with the socket listening and the service stopped."""
    user.systemctl("stop", SERVICE, SOCKET)
    user.systemctl("reset-failed", SERVICE, SOCKET, check=False)
    user.systemctl("start", SOCKET)
    yield
    for unit in (SERVICE, SOCKET):
        user.drop_dropin(unit)


def test_the_units_have_no_finding(user):
    user.inside("systemd-analyze", "--user", "--man=no", "verify", user.units / SERVICE, user.units / SOCKET)


def test_what_make_install_lays_is_found_and_taken_away(user):
    if not (harness.ROOT / ".make/bin/kindverbd").exists():
        pytest.skip("no release was built that could be installed")
    prefix = user.home / ".local"
    make = ["make", "-C", harness.ROOT, "-o", ".make/bin/stamp", f"PREFIX={prefix}"]
    said = subprocess.run([*make, "install"], capture_output=True, text=True, check=True).stdout
    assert "systemctl --user enable --now kindverbd.socket kindverbd.service" in said
    aside = user.units.with_name("aside")
    user.units.rename(aside)
    try:
        user.systemctl("daemon-reload")
        for unit in ("kindverbd.socket", "kindverbd.service"):
            assert user.show(unit, "FragmentPath") == str(prefix / "share/systemd/user" / unit)
        assert f"{prefix}/bin/kindverbd" in user.show("kindverbd.service", "ExecStart")
    finally:
        aside.rename(user.units)
        user.systemctl("daemon-reload")
    subprocess.run([*make, "uninstall"], capture_output=True, check=True)
    assert [path for path in prefix.rglob("*kindverb*") if path.is_file()] == []


def test_the_first_client_starts_it(user):
    assert user.show(SERVICE, "ActiveState") == "inactive" and user.socket.exists()
    info = user.call("system.info")
    assert info["activation"] == "activated" and info["state"] == "ready"
    assert user.show(SERVICE, "ActiveState", "StatusText") == {"ActiveState": "active", "StatusText": "ready"}
    status = os.stat(user.socket)
    assert status.st_mode & 0o777 == 0o600 and os.stat(user.socket.parent).st_mode & 0o777 == 0o700
    assert status.st_uid == user.uid and os.stat(user.data / "kindverb.db").st_uid == user.uid


def test_started_directly_it_has_its_socket_from_the_unit(user):
    user.systemctl("start", SERVICE)
    assert user.call("system.info")["activation"] == "activated"


def test_ten_rounds_on_the_same_socket(user):
    inode, instances = os.stat(user.socket).st_ino, set()
    for _ in range(10):
        instances.add(user.call("system.info")["instance"])
        assert os.stat(user.socket).st_ino == inode
        user.systemctl("stop", SERVICE)
        assert user.show(SERVICE, "Result") == "success" and user.show(SOCKET, "ActiveState") == "active"
    assert len(instances) == 10


def test_clients_during_a_restart_wait_and_are_answered(user):
    made = user.call("journal.create", {"conflictType": "friends"})
    user.systemctl("restart", SERVICE)
    assert user.call("journal.get", {"id": made["id"]})["id"] == made["id"]


def test_the_watchdog_ends_a_loop_that_hangs(user):
    user.dropin(SERVICE, "[Service]\nWatchdogSec=2\nRestartSec=0\n")
    first = user.call("system.info")["instance"]
    # It pings by itself: alive after several intervals with nothing to do.
    subprocess.run(["sleep", "5"], check=True)
    assert user.call("system.info")["instance"] == first
    os.kill(user.pid, signal.SIGSTOP)
    harness.until(lambda: user.show(SERVICE, "NRestarts") != "0" and user.show(SERVICE, "ActiveState") == "active", 30,
                  every=0.2, what="the restart")
    assert user.call("system.info")["instance"] != first
    user.dropin(SERVICE, "[Service]\nWatchdogSec=2\nRestart=no\n")
    user.systemctl("restart", SERVICE)
    os.kill(user.pid, signal.SIGSTOP)
    harness.until(lambda: user.show(SERVICE, "Result") == "watchdog", 30, every=0.2, what="Result=watchdog")


def test_a_crash_is_restarted(user):
    user.dropin(SERVICE, "[Service]\nRestartSec=0\n")
    first = user.call("system.info")["instance"]
    os.kill(user.pid, signal.SIGKILL)
    harness.until(lambda: user.show(SERVICE, "NRestarts") == "1", what="the restart")
    assert user.call("system.info")["instance"] != first


def test_reload(user):
    user.call("system.ping")
    config = user.home / ".config/kindverb/config.json5"
    config.parent.mkdir(exist_ok=True)
    config.write_text("{language: 'ja'}")
    pid = user.pid
    with user.connect() as connection:
        assert connection.is_quiet()
        user.systemctl("reload", SERVICE)
        assert connection.call("settings.get")["effectiveLanguage"] == "ja"
    config.write_text("{language: 'nonsense'}")
    user.systemctl("reload", SERVICE)
    assert user.call("settings.get")["effectiveLanguage"] == "ja"
    config.unlink()
    user.systemctl("reload", SERVICE)
    assert user.call("settings.get")["effectiveLanguage"] == "en"
    assert user.pid == pid and user.show(SERVICE, "ActiveState", "StatusText") == {"ActiveState": "active", "StatusText": "ready"}


def test_the_credentials_directory(user):
    """There with an empty line without a key; with one, the user's alone."""
    user.call("system.ping")
    directory = credentials(user.pid)
    assert directory and (directory / "gemini-key").read_bytes() == b"\n"
    key = user.home / "key"
    key.write_text("secret\n")
    os.chown(key, user.uid, user.gid)
    user.systemctl("stop", SERVICE)
    user.dropin(SERVICE, f"[Service]\nLoadCredential=gemini-key:{key}\n")
    user.call("system.ping")
    file = credentials(user.pid) / "gemini-key"
    assert file.read_text() == "secret\n" and file.stat().st_mode & 0o377 == 0
    assert b"secret" not in pathlib.Path(f"/proc/{user.pid}/environ").read_bytes()


def credentials(pid):
    for variable in pathlib.Path(f"/proc/{pid}/environ").read_bytes().split(b"\0"):
        if variable.startswith(b"CREDENTIALS_DIRECTORY="):
            return pathlib.Path(f"/proc/{pid}/root" + variable.split(b"=", 1)[1].decode())
    return None


def test_the_socket_removed_under_an_activated_daemon(user):
    user.dropin(SERVICE, "[Service]\nStandardError=append:%t/stderr\n")
    user.call("system.ping")
    user.socket.unlink()
    harness.until(lambda: user.show(SERVICE, "ActiveState") == "failed", 10, what="the end")
    assert user.show(SERVICE, "ExecMainStatus") == "69"
    assert "systemctl --user restart kindverbd.socket" in user.daemon_log()
    user.systemctl("reset-failed", SERVICE)
    user.systemctl("restart", SOCKET)
    assert user.call("system.ping") == {"pong": True}


def test_refusals_are_not_tried_again(user):
    user.call("system.ping")
    user.systemctl("stop", SERVICE)
    user.data.chmod(0o755)
    try:
        user.systemctl("start", SERVICE, check=False)
        assert user.show(SERVICE, "ExecMainStatus", "NRestarts") == {"ExecMainStatus": "77", "NRestarts": "0"}
    finally:
        user.data.chmod(0o700)


# MARK: hardening, by its effect

PROBE = r"""
import ctypes, mmap, os, socket
libc = ctypes.CDLL(None, use_errno=True)
def tried(name, action):
    try: result = action()
    except Exception as e: result = e
    print(name, "no" if isinstance(result, Exception) or result is False or result == -1 else "yes")
def write(path):
    with open(path, "w") as f: f.write("x")
    os.unlink(path)
def listen(family):
    socket.socket(family, socket.SOCK_STREAM).close()
home = os.environ["HOME"]
tried("write data", lambda: write(home + "/.local/share/kindverb/probe"))
tried("write runtime", lambda: write(os.environ["RUNTIME_DIRECTORY"] + "/probe"))
tried("write home", lambda: write(home + "/probe"))
tried("write var", lambda: write("/var/tmp/../lib/probe"))
tried("write etc", lambda: write("/etc/probe"))
tried("read home", lambda: os.listdir(home))
tried("see outside tmp", lambda: os.path.exists("/tmp/KV_MARK"))
tried("disk device", lambda: any(os.path.exists("/dev/" + d) for d in ("vda", "sda", "kmsg", "mem")))
tried("user namespace", lambda: libc.unshare(0x10000000) == 0)
tried("mount namespace", lambda: libc.unshare(0x00020000) == 0)
tried("writable and executable memory", lambda: mmap.mmap(-1, 4096, prot=7))
tried("inet socket", lambda: listen(socket.AF_INET))
tried("netlink socket", lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0))
tried("another kind of socket", lambda: socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM))
tried("unix socket", lambda: listen(socket.AF_UNIX))
tried("real time", lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)) is None)
tried("personality", lambda: libc.personality(0x0020000) != -1)
tried("set user id", lambda: (open(home + "/.local/share/kindverb/s", "w").close(), os.chmod(home + "/.local/share/kindverb/s", 0o4700)))
tried("trace", lambda: libc.ptrace(0, 0, 0, 0) == 0)
tried("capability", lambda: int([l for l in open("/proc/self/status") if l.startswith("CapBnd")][0].split()[1], 16) != 0)
tried("new privileges", lambda: libc.prctl(39, 0, 0, 0, 0) == 0)
tried("kernel settings", lambda: os.access("/proc/sys/kernel/hostname", os.W_OK))
tried("control groups", lambda: os.access("/sys/fs/cgroup", os.W_OK))
tried("open mode", lambda: os.umask(0) != 0o077)
"""
BOTH_FORBID = {"user namespace", "mount namespace", "writable and executable memory", "another kind of socket", "real time", "personality",
               "set user id", "new privileges", "open mode", "write etc", "kernel settings"}
STRICT_FORBIDS = {"write home", "write var", "see outside tmp", "disk device", "capability", "control groups"}
ALLOWED = {"write data", "write runtime", "read home", "unix socket", "inet socket", "netlink socket"}


@pytest.mark.parametrize("strict", [True, False], ids=["strict", "plain"])
def test_hardening_by_effect(user, strict):
    """The probe runs in the service's own sandbox in place of the daemon."""
    mark = pathlib.Path("/tmp/KV_MARK-" + user.lab.name)
    mark.touch()
    probe = user.lab / "probe.py"
    probe.write_text(PROBE.replace("/tmp/KV_MARK", str(mark)))
    if strict and not user.has_user_namespaces:
        pytest.skip("user namespaces are forbidden here")
    user.set_strict(strict)
    user.dropin(SERVICE, "[Service]\nType=oneshot\nWatchdogSec=0\nRestart=no\nStandardOutput=file:%t/probe.out\n"
                         f"ExecStart=\nExecStart=/usr/bin/python3 {probe}\n")
    try:
        user.systemctl("start", SERVICE)
        can = dict(line.rsplit(" ", 1) for line in (user.run / "probe.out").read_text().splitlines())
    finally:
        mark.unlink()
        (user.run / "probe.out").unlink(missing_ok=True)
        (user.data / "s").unlink(missing_ok=True)
        user.set_strict(True)
    forbidden = {name for name, answer in can.items() if answer == "no"}
    expected = BOTH_FORBID | (STRICT_FORBIDS if strict else set())
    assert expected <= forbidden, expected - forbidden
    assert not ALLOWED & forbidden, ALLOWED & forbidden


def test_the_daemon_works_without_the_strict_set(user):
    user.set_strict(False)
    user.systemctl("daemon-reload")
    try:
        assert user.call("journal.create", {"conflictType": "friends"})["status"] == "draft"
    finally:
        user.set_strict(True)
        user.systemctl("daemon-reload")


def test_a_sandboxed_daemon_does_all_its_work(user, answers):
    made = user.call("letter.compose", answers)
    assert made["letter"]["content"]
    assert user.call("system.backup")["bytes"] > 0
    assert user.call("journal.search", {"query": "dinner"})["items"]
    user.systemctl("stop", SERVICE)
    assert user.show(SERVICE, "Result", "ExecMainStatus") == {"Result": "success", "ExecMainStatus": "0"}


def test_a_sandboxed_daemon_sends_what_was_allowed(user, answers, tmp_path):
    """With the key that systemd hands over, to a server whose authority the configuration names."""
    certificates = Certificates(tmp_path)
    with gemini.Gemini(certificates, key="AQ.handed-over") as ai, firestore.Firestore(certificates) as store:
        places = {name: user.home / name for name in ("authority.pem", "a-key")}
        places["authority.pem"].write_bytes(certificates.authority.pem)
        places["a-key"].write_text("AQ.handed-over\n")
        config = user.home / ".config/kindverb/config.json5"
        config.parent.mkdir(parents=True, exist_ok=True)
        config.write_text(json.dumps({
            "ai": {"baseUrl": ai.url}, "share": {"project": store.project, "firestoreUrl": store.url},
            "network": {"caFile": str(places["authority.pem"])}}))
        for path in (*places.values(), config.parent.parent, config.parent, config):
            os.chown(path, user.uid, user.gid)
        user.systemctl("stop", SERVICE)
        user.dropin(SERVICE, f"[Service]\nLoadCredential=gemini-key:{places['a-key']}\n")
        try:
            user.call("ai.consent.set", {"enabled": True})
            user.call("share.consent.set", {"granted": True})
            journal = user.call("letter.compose", answers)["journal"]
            letter = user.call("letter.draft", {"journalId": journal["id"], "source": "ai"})
            assert letter["source"] == "ai", letter
            user.call("letter.finalize", {"id": letter["id"]})
            share = user.call("share.create", {"letterId": letter["id"]})
            harness.until(lambda: user.call("share.get", {"id": share["id"]})["status"] == "succeeded", what="a link")
            assert store.letters() == {share["id"]: letter["content"]}
        finally:
            user.systemctl("stop", SERVICE)
            config.unlink()


def test_stopping_the_manager_in_the_middle_of_work(answers):
    other = manager.UserManager()
    try:
        other.systemctl("start", SOCKET)
        made = other.call("letter.compose", answers)
        other.stop()
        other.process = other.launch()
        other.systemctl("start", SOCKET)
        assert other.call("letter.get", {"id": made["letter"]["id"]})["content"] == made["letter"]["content"]
    finally:
        other.close()
