"""Reminders under a real user manager: the units as they are installed, the user's own session bus, a real dunst on it."""

import datetime
import json
import os
import pathlib
import shutil
import subprocess

import pytest

import bus as desktop
import harness
import manager

pytestmark = [
    pytest.mark.systemd,
    pytest.mark.xdist_group("systemd"),
    pytest.mark.skipif(os.geteuid() != 0, reason="only root can set up a user manager for another user"),
    pytest.mark.skipif(not os.path.exists(manager.SYSTEMD), reason="systemd is not installed"),
    pytest.mark.skipif(not os.path.exists("/usr/lib/systemd/user/dbus.socket"), reason="no session bus by systemd: dbus-user-session"),
    pytest.mark.skipif(not all(map(shutil.which, ("dunst", "dunstctl", "Xvfb"))), reason="needs dunst and Xvfb"),
    pytest.mark.skipif(bool(harness.SANITIZER), reason="a sanitizer's memory does not fit the sandbox"),
]
SERVICE, SOCKET = "kindverbd.service", "kindverbd.socket"


@pytest.fixture(scope="module")
def display():
    display = desktop.Display("-ac")
    yield display
    display.close()


@pytest.fixture(scope="module")
def user(display):
    """A user who has logged in to a desktop."""
    user = manager.UserManager()
    try:
        log_in(user, display)
        yield user
    finally:
        user.close()


def log_in(user, display):
    user.systemctl("start", "dbus.socket")
    user.inside("systemd-run", "--user", "--collect", "--unit=desktop", f"--setenv=DISPLAY={display.name}", "dunst", "-config", "/dev/null",
                "-idle_threshold", "0")
    harness.until(lambda: user.inside("dbus-send", *SENDS, check=False).rstrip().endswith("true"), what="dunst's name on the bus")


SENDS = ("--session", "--print-reply", "--dest=org.freedesktop.DBus", "/", "org.freedesktop.DBus.NameHasOwner",
         "string:org.freedesktop.Notifications")


def dunst(user, *arguments):
    return user.inside("dunstctl", *arguments).strip()


def displayed(user):
    return int(dunst(user, "count", "displayed"))


@pytest.fixture(params=["strict", "plain"])
def sandboxed(user, request):
    """The service with its drop-in and without it, with its log in a file; stopped, with nothing set."""
    if request.param == "strict" and not user.has_user_namespaces:
        pytest.skip("user namespaces are forbidden here")
    user.systemctl("stop", SERVICE, SOCKET)
    user.systemctl("reset-failed", SERVICE, SOCKET, check=False)
    user.set_strict(request.param == "strict")
    (user.run / "stderr").unlink(missing_ok=True)
    user.dropin(SERVICE, "[Service]\nStandardError=append:%t/stderr\n")
    user.systemctl("start", SOCKET)
    dunst(user, "close-all")
    yield user
    user.systemctl("stop", SERVICE)
    (user.home / ".config/kindverb/config.json5").unlink(missing_ok=True)


def configure(user, text):
    config = user.home / ".config/kindverb/config.json5"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text(text)
    subprocess.run(["chown", "-R", f"{user.uid}:{user.gid}", config.parent], check=True)


@pytest.mark.long
@pytest.mark.parametrize("sandboxed", ["strict"], indirect=True)
def test_set_by_a_script_it_fires_at_its_minute(sandboxed):
    """After the restart there is no client any more; what a click runs is beside the daemon in its sandbox, or free by systemd-run."""
    user = sandboxed
    inside, outside = user.data / "clicked", user.home / "clicked"
    command = (f"echo $KINDVERB_DATE $KINDVERB_SLOT > {inside}; touch {user.home}/forbidden; "
               "exec systemd-run --user --collect -E KINDVERB_DATE -E KINDVERB_SLOT "
               f"sh -c 'echo $KINDVERB_DATE $KINDVERB_SLOT > {outside}'")
    configure(user, json.dumps({"reminder": {"command": ["sh", "-c", command]}}))
    now = datetime.datetime.now()
    # A minute that is at least eight seconds away, for all that comes before it.
    minute = (now + datetime.timedelta(seconds=68)).replace(second=0, microsecond=0)
    minute -= datetime.timedelta(minutes=1 if minute - now > datetime.timedelta(seconds=68) else 0)
    user.call("reminder.settings.set", {"eveningEnabled": True, "eveningTime": minute.strftime("%H:%M")})
    user.systemctl("restart", SERVICE)
    instance = user.pid
    assert displayed(user) == 0
    left = (minute - datetime.datetime.now()).total_seconds()
    assert left > 0, "the machine took too long"
    harness.until(lambda: displayed(user) == 1, left + harness.WAIT, every=0.2, what="the reminder")
    assert abs((datetime.datetime.now() - minute).total_seconds()) < 10
    dunst(user, "action", "0")
    assert harness.until(lambda: inside.exists() and inside.read_text()) == f"{minute.date()} evening\n"
    harness.until(lambda: displayed(user) == 0)
    harness.until(lambda: outside.exists() and outside.read_text() == f"{minute.date()} evening\n", what="the command out of the sandbox")
    assert not (user.home / "forbidden").exists(), "the home is read-only to what runs in the sandbox"
    assert user.pid == instance
    [item] = user.call("reminder.history")["items"]
    assert (item["slot"], item["dateIso"], item["outcome"], item["lateBySeconds"]) == ("evening", str(minute.date()), "shown", 0)
    assert item["activatedAt"]
    summaries = [entry["summary"]["data"] for entry in json.loads(dunst(user, "history"))["data"][0]]
    assert summaries.count("Good evening") == 1


def test_the_session_bus_is_reached(sandboxed):
    assert sandboxed.call("reminder.test", {"slot": "morning"}) == {"outcome": "shown", "reason": None}
    assert displayed(sandboxed) == 1
    assert "could not" not in sandboxed.daemon_log()


def test_it_is_there_after_a_login_without_any_client(user, display):
    user.set_strict(True)
    user.systemctl("enable", SERVICE)
    user.stop()
    user.process = user.launch()
    harness.until(lambda: user.show(SERVICE, "ActiveState") == "active", what="the service")
    assert user.show(SOCKET, "ActiveState") == "active"
    log_in(user, display)
    assert user.call("reminder.test")["outcome"] == "shown"
    user.systemctl("disable", SERVICE, SOCKET)


def is_private(user):
    """Whether what is mounted in the manager's namespace stays there."""
    for line in pathlib.Path(f"/proc/{user.process.pid}/mountinfo").read_text().splitlines():
        fields = line.split(" - ")[0].split()
        if fields[4] in ("/", "/etc") and any(field.startswith("shared:") for field in fields[6:]):
            return False
    return True


def test_the_zone_is_read_and_watched(sandboxed):
    """/etc is a copy, in the manager's namespace alone; the service's own is made from that."""
    user = sandboxed
    if not is_private(user):
        pytest.skip("no mount of its own here")
    etc = user.lab / "etc"
    if not etc.exists():
        subprocess.run(["cp", "-a", "/etc", etc], check=True)
    enter = ["nsenter", "-t", str(user.process.pid), "-m"]
    subprocess.run([*enter, "mount", "--bind", etc, "/etc"], check=True)
    try:
        set_zone(etc, "Asia/Seoul")
        user.systemctl("restart", SERVICE)
        assert user.call("reminder.upcoming")["utcOffsetMinutes"] == 540
        set_zone(etc, "America/Phoenix")
        harness.until(lambda: "the zone may have changed" in user.daemon_log(), what="the zone's being noticed")
        answer = user.call("reminder.upcoming")
        assert (answer["utcOffsetMinutes"], answer["zoneProblem"]) == (-420, None)
    finally:
        user.systemctl("stop", SERVICE)
        subprocess.run([*enter, "umount", "/etc"], check=True)


def set_zone(etc, zone):
    """As timedatectl does it."""
    new = etc / "localtime.new"
    new.symlink_to(f"/usr/share/zoneinfo/{zone}")
    new.rename(etc / "localtime")
