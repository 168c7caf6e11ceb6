"""Links at the command line: asked before anything is uploaded, waited for, taken back; in a pipe the link alone."""

import base64
import json
import re
import signal

import pytest

import behaviours
import firestore
from person import Person
from sending import configured, finished_letter, until_share
from test_health_cli import cells
from test_narrow import narrow
from test_terminal import compose

LANGUAGES = ("en", "ko", "ja", "zh-Hans")
ASKED = {"en": "Upload letters that you share?", "ko": "공유하는 편지를 업로드할까요?", "ja": "共有する手紙をアップロードしますか？",
         "zh-Hans": "允许上传要分享的信吗？"}
GOES_ON = {"en": "It goes on by itself.", "ko": "전송은 자동으로 계속돼요.", "ja": "送信は自動で続きます。", "zh-Hans": "发送会自行继续。"}


@pytest.fixture
def store(certificates):
    with firestore.Firestore(certificates) as store:
        yield store
        assert not store.failures


@pytest.fixture
def daemon(daemon_factory, certificates, store):
    return daemon_factory(config=configured(certificates, store)).start()


@pytest.fixture
def agreed(daemon):
    daemon.call("share.consent.set", {"granted": True})
    return daemon


def shares(daemon):
    return daemon.call("share.list")["items"]


def test_in_a_pipe_the_way_out_is_named_and_then_the_link_stands_alone(daemon, store, kindverb, answers):
    draft = compose(daemon, answers)
    letter = draft["id"]
    result = kindverb(daemon, "share", letter)
    assert result.returncode == 1 and result.stdout == "" and f"kindverb letter finalize {letter[-8:]}" in result.stderr
    kindverb(daemon, "letter", "finalize", letter)
    result = kindverb(daemon, "share", letter)
    assert result.returncode == 1 and result.stdout == "" and "kindverb share on" in result.stderr and not store.requests
    assert kindverb(daemon, "share", "on").returncode == 0
    result = kindverb(daemon, "share", letter[-8:])
    (share,) = shares(daemon)
    assert (result.returncode, result.stdout) == (0, share["url"] + "\n")
    assert "It can be read until" in result.stderr and store.letters() == {share["id"]: draft["content"]}
    assert json.loads(kindverb(daemon, "--json", "share", letter).stdout)["url"] == share["url"]
    assert len(store.requests) == 1
    assert kindverb(daemon, "share", "off").returncode == 0 and not daemon.call("share.consent.get")["granted"]


@pytest.mark.parametrize("words", [["share"], ["share", "x" * 36, "--days", "soon"], ["share", "x" * 36, "--wait", "-1"],
                                   ["share", "a", "b"], ["shares", "cancel"], ["shares", "nothing"]])
def test_a_wrong_command_line(daemon, kindverb, words):
    result = kindverb(daemon, *words)
    assert result.returncode == 3 and result.stderr and result.stdout == ""


@pytest.mark.parametrize("language", LANGUAGES)
def test_on_a_terminal_both_are_asked_and_the_link_is_copied(daemon, store, answers, language):
    letter = compose(daemon, answers)["id"]
    env = {"WAYLAND_DISPLAY": "", "DISPLAY": ""}
    with Person(daemon, "share", letter, language=language, env=env) as person:
        explained = person.until(ASKED[language])
        assert "127.0.0.1" in explained and "https://kindverb.com" in explained
        person.until("[y/N] ")
        person.type("\n")
        assert person.end()[0] == 1
    assert not daemon.call("share.consent.get")["granted"] and not shares(daemon)
    with Person(daemon, "share", letter, language=language, env=env) as person:
        person.until("[y/N] ")
        person.type("y\n")
        person.until("[y/N] ")
        person.type("\n")
        assert person.end()[0] == 1
    assert daemon.call("letter.get", {"id": letter})["status"] == "drafted" and not shares(daemon)
    with Person(daemon, "share", letter, language=language, env=env) as person:
        person.until("[y/N] ")
        person.type("y\n")
        status, shown = person.end()
    (share,) = shares(daemon)
    assert status == 0 and share["url"] in shown
    encoded = shown.split("\x1b]52;c;", 1)[1].split("\x07", 1)[0]
    assert base64.b64decode(encoded).decode() == share["url"]


def test_what_does_not_arrive_in_time_goes_out_by_itself(agreed, store, kindverb, answers):
    letter = finished_letter(agreed, answers)["id"]
    store.always(behaviours.silence())
    result = kindverb(agreed, "share", letter, "--wait", "1")
    (share,) = shares(agreed)
    short = share["id"][-8:]
    assert (result.returncode, result.stdout) == (4, "")
    assert "by itself" in result.stderr and f"kindverb shares cancel {short}" in result.stderr
    # Whoever does not wait has done what was to be done.
    result = kindverb(agreed, "--json", "share", letter, "--wait", "0")
    assert result.returncode == 0 and json.loads(result.stdout)["id"] == share["id"]
    assert short in kindverb(agreed, "shares").stdout
    with Person(agreed, "shares") as person:
        person.until("Waiting to be sent: 1.")
    findings = json.loads(kindverb(agreed, "--json", "doctor").stdout)["items"]
    assert [item["remedy"] for item in findings if "Waiting to be sent: 1" in item["finding"]] == ["kindverb shares"]
    store.always(None)
    store.release()
    result = kindverb(agreed, "share", letter)
    assert result.stdout == until_share(agreed, share["id"], "succeeded")["url"] + "\n"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("terminal", ["dumb", "xterm"])
def test_ctrl_c_leaves_it_to_the_daemon(agreed, store, answers, language, terminal):
    letter = finished_letter(agreed, answers)["id"]
    store.always(behaviours.silence())
    with Person(agreed, "share", letter, language=language, terminal=terminal) as person:
        store.next_request()
        if terminal == "xterm":
            person.until("Ctrl-C")
        person.type("\x03")
        person.until(GOES_ON[language])
        person.until("shares cancel")
        assert person.end()[0] == -signal.SIGINT
    (share,) = shares(agreed)
    assert share["status"] == "uploading"


def test_a_failure_says_why_and_the_way_out(agreed, store, kindverb, answers):
    letter = finished_letter(agreed, answers)["id"]
    store.then(firestore.denied())
    result = kindverb(agreed, "share", letter)
    (share,) = shares(agreed)
    short = share["id"][-8:]
    assert (result.returncode, result.stdout) == (1, "")
    assert share["lastError"]["message"] in result.stderr and f"kindverb shares retry {short}" in result.stderr
    row = kindverb(agreed, "shares").stdout.rstrip("\n").split("\t")
    assert row[0] == short and row[2] == "failed" and row[4] == share["lastError"]["message"]
    assert "failed" in kindverb(agreed, "shares", "cancel", short).stdout
    assert kindverb(agreed, "shares", "retry", short).returncode == 0
    share = until_share(agreed, share["id"], "succeeded")
    row = kindverb(agreed, "shares", "list", "--all").stdout.rstrip("\n").split("\t")
    assert row[2] == "shared" and row[4] == share["url"] and re.fullmatch(r"until .+ \d\d:\d\d", row[3])
    assert "already" in kindverb(agreed, "shares", "cancel", short).stdout


def test_taken_back_and_forgotten(agreed, store, kindverb, answers):
    letter = finished_letter(agreed, answers)["id"]
    store.always(behaviours.silence())
    kindverb(agreed, "share", letter, "--wait", "0")
    store.next_request()
    (share,) = shares(agreed)
    result = kindverb(agreed, "shares", "cancel", share["id"][-8:])
    assert result.returncode == 0 and "Taken back" in result.stdout and "may have arrived" in result.stdout
    assert kindverb(agreed, "shares", "delete", share["id"]).returncode == 3, "without --yes"
    result = kindverb(agreed, "--yes", "shares", "delete", share["id"])
    assert result.returncode == 0 and re.search(r"can be read until .+ \d\d:\d\d", result.stdout) and not shares(agreed)
    assert kindverb(agreed, "shares").stdout == ""


def test_without_a_project_it_is_said_how_to_get_one(daemon_factory, certificates, kindverb, answers):
    daemon = daemon_factory(config={"network": {"caFile": str(certificates.trusted)}}).start()
    letter = finished_letter(daemon, answers)["id"]
    assert "Protocol/firestore" in kindverb(daemon, "share", "on").stdout
    result = kindverb(daemon, "share", letter)
    assert result.returncode == 1 and "share.project" in result.stderr
    findings = json.loads(kindverb(daemon, "--json", "doctor").stdout)["items"]
    assert [item["grade"] for item in findings if "names no project" in item["finding"]] == ["note"]
    # Nor is anybody asked, or a letter finished, for nothing.
    draft = compose(daemon, answers)["id"]
    with Person(daemon, "share", draft) as person:
        assert person.end()[0] == 1
    assert "[y/N]" not in person.shown() and "share.project" in person.shown()


def test_days_that_need_pro_are_refused_by_the_daemon(agreed, kindverb, answers):
    letter = finished_letter(agreed, answers)["id"]
    result = kindverb(agreed, "--json", "share", letter, "--days", "30")
    assert result.returncode == 1 and json.loads(result.stdout)["error"]["data"]["messageKey"] == "error.entitlement.pro_required"
    assert not shares(agreed)


def test_without_a_network_it_waits_and_goes_out_when_there_is_one(agreed, store, kindverb, answers):
    letter = finished_letter(agreed, answers)["id"]
    store.stop()
    with Person(agreed, "share", letter, terminal="xterm", env={"WAYLAND_DISPLAY": "", "DISPLAY": ""}) as person:
        person.until("Waiting to be sent")
        store.start()
        person.until("https://kindverb.com/letter/")
        assert person.end()[0] == 0
    assert len(store.letters()) == 1


def test_a_daemon_that_goes_away_meanwhile_has_it_in_its_outbox(agreed, store, answers):
    letter = finished_letter(agreed, answers)["id"]
    store.then(behaviours.silence())
    with Person(agreed, "share", letter) as person:
        store.next_request()
        agreed.kill9()
        person.until("by itself")
        person.until("shares cancel")
        assert person.end()[0] == 2
    agreed.start()
    (share,) = shares(agreed)
    until_share(agreed, share["id"], "succeeded")


def test_on_a_narrow_terminal_a_link_stays_in_one_piece(agreed, store, answers):
    letter = finished_letter(agreed, answers)["id"]
    agreed.call("share.create", {"letterId": letter})
    (share,) = shares(agreed)
    url = until_share(agreed, share["id"], "succeeded")["url"]
    for language in LANGUAGES:
        for columns in (10, 20, 40, 80):
            lines = narrow(agreed, columns, "shares", language=language, env={"LC_ALL": "C"})
            assert url in lines and share["id"][-8:] in lines[0]
            assert all(cells(line) <= columns for line in lines if line != url), lines


def test_a_trial_shares_nothing(agreed, store, kindverb, answers):
    letter = finished_letter(agreed, answers)["id"]
    result = kindverb(agreed, "--dry-run", "share", letter)
    assert result.returncode == 0 and not shares(agreed) and not store.requests
