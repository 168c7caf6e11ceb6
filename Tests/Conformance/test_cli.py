"""The command line as a person meets it: on a terminal of its own, through the five questions to the letter."""

import contextlib
import json
import pathlib
import re
import signal
import socket
import subprocess
import threading
import time

import pytest

import contract
import harness
from person import ENGLISH, KOREAN, Person
from test_clients import fake, reply

@pytest.mark.parametrize("language, course", [("en", ENGLISH), ("ko", KOREAN)])
def test_five_answers_become_a_letter(daemon, language, course):
    with Person(daemon, "journal", "new", language=language) as person:
        for question, text in zip(course["questions"], course["answers"]):
            person.answer(question, text)
        person.until("─" * 60)
        letter = person.until("─" * 60).strip()
        person.until(" > ")
        person.type("6\n")
        person.until(" > ")
        person.type("\n")
        status, _ = person.end()
    assert status == 0
    stored = daemon.call("letter.list")["items"]
    assert len(stored) == 1 and stored[0]["status"] == "finalized" and stored[0]["language"] == language
    # Lines are broken at the terminal's width, but only between words.
    assert daemon.call("letter.get", {"id": stored[0]["id"]})["content"].split() == letter.split()
    journal = daemon.call("journal.get", {"id": stored[0]["journalId"]})
    assert journal["status"] == "completed"
    texts = [journal[name] for name in ("situationText", "hurtText", "reflectionText", "desiredNeedText")]
    assert texts == [text for place, text in enumerate(course["answers"]) if place != 1]
    assert len(journal["feelings"]) == 2 and journal["feelings"][0]["code"] and journal["feelings"][1]["code"] is None


def test_what_was_left_half_done_goes_on_after_end_of_input(daemon):
    with Person(daemon, "journal", "new") as person:
        person.answer(ENGLISH["questions"][0], ENGLISH["answers"][0])
        person.answer(ENGLISH["questions"][1], ENGLISH["answers"][1])
        person.until(ENGLISH["questions"][2])
        person.until("\n> ")
        person.type("\x04")
        status, rest = person.end()
    assert status == 0 and "kept" in rest
    with Person(daemon, "journal", "new") as person:
        person.until("[Y/n] ")
        person.type("\n")
        for question, text in list(zip(ENGLISH["questions"], ENGLISH["answers"]))[2:]:
            person.answer(question, text)
        person.until("Enter: done > ")
        person.type("\x04")
        assert person.end()[0] == 0
    journals = daemon.call("journal.list")["items"]
    assert len(journals) == 1 and journals[0]["status"] == "completed"


def test_feelings_are_shown_again_in_the_persons_language(daemon):
    daemon.call("journal.create", {"conflictType": "friends", "situationText": "늦었어.", "feelings": ["guilty", "knotted"]})
    label = next(e["label"] for e in daemon.call("emotion.list", meta={"language": "ko"})["items"] if e["code"] == "guilty")
    with Person(daemon, "journal", "new", language="ko") as person:
        person.until("[Y/n] ")
        person.type("\n")
        person.until(KOREAN["questions"][2])
        person.until("\n> ")
        person.type("/back\n")
        person.until(KOREAN["questions"][1])
        shown = re.search(r"지금까지 쓴 답: (.*) \(", person.until("\n> "))
        assert shown and shown[1] == f"{label}, knotted"
        person.type("\n")
        person.until(KOREAN["questions"][2])
        person.until("\n> ")
        person.type("/quit\n")
        assert person.end()[0] == 0
    assert [f["code"] for f in daemon.call("journal.resume")["journal"]["feelings"]] == ["guilty", None]


def test_a_killed_dialogue_loses_nothing_that_was_answered(daemon):
    with Person(daemon, "journal", "new") as person:
        person.answer(ENGLISH["questions"][0], ENGLISH["answers"][0])
        person.until(ENGLISH["questions"][1])
        person.process.send_signal(signal.SIGKILL)
        person.process.wait()
    assert daemon.call("journal.resume")["journal"]["situationText"] == ENGLISH["answers"][0]


def test_an_answer_that_is_too_long_is_asked_again(daemon):
    with Person(daemon, "journal", "new") as person:
        person.answer(ENGLISH["questions"][0], "x" * 501)
        person.until("501")
        person.answer(ENGLISH["questions"][0], "x" * 500)
        person.until("500/500")
        person.until(ENGLISH["questions"][1])
        person.type("/quit\n")
        assert person.end()[0] == 0
    assert daemon.call("journal.resume")["journal"]["situationText"] == "x" * 500


def test_stored_control_characters_do_not_reach_a_terminal(daemon):
    journal = daemon.call("journal.create", {"conflictType": "friends", "situationText": "a\u001b[2Jb"})
    with Person(daemon, "journal", "show", journal["id"]) as person:
        status, shown = person.end()
    assert status == 0 and "\x1b" not in shown and "a\\u{1b}[2Jb" in shown


def test_korean_text_in_the_c_locale(daemon, kindverb):
    env = {"LANG": "C", "LC_ALL": "C"}
    with Person(daemon, "journal", "new", env=env) as person:
        person.answer(ENGLISH["questions"][0], KOREAN["answers"][0])
        person.until(ENGLISH["questions"][1])
        person.type("\x04")
        assert person.end()[0] == 0
    assert daemon.call("journal.resume")["journal"]["situationText"] == KOREAN["answers"][0]
    listed = kindverb(daemon, "--json", "journal", "list", env=env)
    assert listed.returncode == 0 and KOREAN["answers"][0] in listed.stdout
    assert kindverb(daemon, "journal", "search", "저녁", env=env).stdout.count("\n") == 1


def test_the_exit_status_says_what_was_wrong(daemon, kindverb, tmp_path):
    assert kindverb(daemon, "ping").returncode == 0
    assert kindverb(daemon, "journal", "show", "00000000-0000-4000-8000-000000000000").returncode == 1
    assert kindverb(None, "--socket", str(tmp_path / "none"), "ping").returncode == 2
    for words in (["journl"], ["journal", "list", "--nothing"], ["call"], ["call", "system.pnig"], ["--timeout", "x", "ping"],
                  ["journal", "new", "strangers"], ["watch", "nothing"], ["completions", "tcsh"]):
        result = kindverb(daemon, *words)
        assert result.returncode == 3 and result.stdout == "" and result.stderr.startswith("kindverb: "), words
    assert "system.ping" in kindverb(daemon, "call", "system.pnig").stderr
    daemon.process.send_signal(signal.SIGSTOP)
    try:
        assert kindverb(daemon, "--timeout", "0.3", "ping").returncode == 4
    finally:
        daemon.process.send_signal(signal.SIGCONT)


def test_a_daemon_that_serves_nobody_more_is_overloaded(daemon, kindverb):
    limit = daemon.call("system.info")["limits"]["connections"]
    with contextlib.ExitStack() as stack:
        for _ in range(limit):
            assert stack.enter_context(daemon.connect()).is_quiet()
        for words in (["ping"], ["journal", "list"], ["--json", "call", "system.ping"]):
            result = kindverb(daemon, *words)
            assert result.returncode == 5 and "try again" in result.stderr, result
        assert json.loads(result.stdout)["error"]["code"] == -32001
        findings = json.loads(kindverb(daemon, "--json", "doctor").stdout)["items"]
        assert not any("enable --now" in (item["remedy"] or "") for item in findings if item["grade"] == "problem")
    harness.until(lambda: kindverb(daemon, "ping").returncode == 0, what="a place for one more")


@pytest.mark.parametrize("verb", [["ping"], ["journal", "list"], ["watch"]])
def test_the_time_limit_holds_where_nobody_accepts(kindverb, tmp_path, verb):
    with socket.socket(socket.AF_UNIX) as listener, socket.socket(socket.AF_UNIX) as waiting:
        listener.bind(str(tmp_path / "s"))
        listener.listen(0)
        waiting.connect(str(tmp_path / "s"))
        result = kindverb(None, "--socket", str(tmp_path / "s"), "--timeout", "0.3", *verb)
    assert result.returncode == 4 and "300" in result.stderr


def test_the_time_limit_holds_where_nobody_reads(kindverb, tmp_path):
    done = threading.Event()

    def behave(request, connection):
        connection.sendall(reply(request) + b"\n")
        done.wait(harness.WAIT)

    with fake(tmp_path / "s", behave):
        text = json.dumps({"conflictType": "friends", "situationText": "x" * 1_000_000})
        result = kindverb(None, "--socket", str(tmp_path / "s"), "--timeout", "0.3", "--language", "en",
                          "call", "journal.create", "-", input=text)
        done.set()
    assert result.returncode == 4 and "300" in result.stderr


def test_the_persons_setting_wins_over_the_terminals_locale(daemon, kindverb):
    def told(*options, **env):
        result = kindverb(daemon, *options, "journal", "show", "00000000-0000-4000-8000-000000000000", env=env)
        assert result.returncode == 1
        return next(tag for tag, text in texts.items() if text in result.stderr)

    def status(**env):
        return kindverb(daemon, "journal", "list", env=env).stdout.split("\t")[2]

    daemon.call("journal.create", {"conflictType": "friends"})
    texts = {tag: daemon.fail("journal.get", {"id": "x"}, {"language": tag})["message"] for tag in ("en", "ko", "ja", "zh-Hans")}
    assert told() == "en" and told(LANG="ja_JP.UTF-8") == "ja" and told("--language", "ko", LANG="ja_JP.UTF-8") == "ko"
    assert kindverb(daemon, "settings", "set", "language=ko").returncode == 0
    assert told() == "ko" and told(LANG="ja_JP.UTF-8") == "ko" and told("--language", "zh-Hans") == "zh-Hans"
    # The program's own words follow.
    assert status(LANG="en_US.UTF-8") == status(LANG="ja_JP.UTF-8") == "쓰는 중"
    assert kindverb(daemon, "settings", "set", "language=").returncode == 0
    assert told(LANG="ja_JP.UTF-8") == "ja" and status(LANG="en_US.UTF-8") == "unfinished"


def test_the_configurations_language_is_for_terminals_without_one(daemon_factory, kindverb):
    daemon = daemon_factory(config={"language": "ko"}).start()
    korean = daemon.fail("journal.get", {"id": "x"})["message"]
    for env, is_korean in (({"LANG": "C.UTF-8"}, True), ({"LANG": ""}, True), ({"LANG": "en_US.UTF-8"}, False)):
        result = kindverb(daemon, "call", "journal.get", "id=x", env=env)
        assert (korean in result.stderr) == is_korean, env


def test_a_listing_that_breaks_off_is_whole_as_far_as_it_goes(kindverb, tmp_path):
    """The second page cannot be had: what came is one JSON text that says where to go on, and the error is told beside it."""
    journal = {name: None for name in contract.TYPES["Journal"]["properties"]}
    journal |= {"schemaVersion": 1, "conflictType": "friends", "status": "draft", "feelings": [], "createdAt": "2026-03-01T07:15:00Z",
                "updatedAt": "2026-03-01T07:15:00Z"}

    def behave(request, connection):
        params = request.get("params", {})
        answer = json.loads(reply(request))
        if request["method"].endswith(".list") and "before" in params:
            if how == "closes":
                return connection.shutdown(socket.SHUT_RDWR)
            answer = {"jsonrpc": "2.0", "id": request["id"], "error": {"code": -32005, "message": "full", "data": {}}}
        elif request["method"].endswith(".list"):
            answer["result"] = {"items": [dict(journal, id=str(n)) for n in range(200)], "next": "17"}
        connection.sendall(json.dumps(answer).encode() + b"\n")

    for how, status in (("closes", 2), ("answers", 1)):
        with fake(tmp_path / how, behave):
            result = kindverb(None, "--socket", str(tmp_path / how), "--json", "journal", "list", "--all")
            assert result.returncode == status and result.stderr
            shown = json.loads(result.stdout)
            assert [item["id"] for item in shown["items"]] == [str(n) for n in range(200)] and shown["next"] == "17"
            # Nothing came at all: only the error.
            first = kindverb(None, "--socket", str(tmp_path / how), "--json", "journal", "list", "--all", "--before", "17")
            assert first.returncode == status and "items" not in first.stdout


def test_without_a_terminal_nobody_is_asked(daemon, kindverb):
    result = kindverb(daemon, "journal", "new", input="x\n")
    assert result.returncode == 3 and "letter compose" in result.stderr
    assert daemon.call("journal.list")["items"] == []


def test_watch_ends_with_its_reader(daemon):
    env = dict(daemon.env, KINDVERB_SOCKET=str(daemon.socket))
    watch = subprocess.Popen([harness.binary("kindverb"), "watch", "journal"], env=env, stdout=subprocess.PIPE)
    try:
        with daemon.connect() as connection:
            harness.until(lambda: connection.call("system.stats")["subscriptions"] == 1, what="the subscription")
            first = connection.call("journal.create", {"conflictType": "friends"})
            line = json.loads(watch.stdout.readline())
            assert line["method"] == "events.changed" and line["params"]["id"] == first["id"]
            watch.stdout.close()
            connection.call("journal.create", {"conflictType": "friends"})
            assert harness.ends_within(watch) == -signal.SIGPIPE
            assert connection.call("system.ping") == {"pong": True}
    finally:
        watch.kill()
        watch.wait()


def test_watch_goes_on_where_it_stopped_when_the_daemon_restarts(daemon):
    env = dict(daemon.env, KINDVERB_SOCKET=str(daemon.socket))
    watch = subprocess.Popen([harness.binary("kindverb"), "watch", "journal"], env=env, stdout=subprocess.PIPE)
    try:
        harness.until(lambda: daemon.call("system.stats")["subscriptions"] == 1, what="the subscription")
        made = [daemon.call("journal.create", {"conflictType": "friends"})["id"]]
        assert json.loads(watch.stdout.readline())["params"]["id"] == made[0]
        daemon.restart()
        made += [daemon.call("journal.create", {"conflictType": "friends"})["id"] for _ in range(3)]
        assert [json.loads(watch.stdout.readline())["params"]["id"] for _ in range(3)] == made[1:]
    finally:
        watch.kill()
        watch.wait()


def sleeps(pid):
    """How often a process has gone to sleep."""
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"^voluntary_ctxt_switches:\s*(\d+)", status, re.M)[1])


@pytest.mark.parametrize("options", [[], ["--since", "x"]])
def test_what_cannot_be_watched_is_said_at_once(kindverb, tmp_path, options):
    assert kindverb(None, "--socket", str(tmp_path / "none"), "watch", *options, timeout=10).returncode == 2


@pytest.mark.figures
def test_watch_waits_for_a_daemon_that_is_long_away_and_goes_on_at_once(daemon):
    env = dict(daemon.env, KINDVERB_SOCKET=str(daemon.socket))
    watch = subprocess.Popen([harness.binary("kindverb"), "watch", "journal"], env=env, stdout=subprocess.PIPE)
    try:
        harness.until(lambda: daemon.call("system.stats")["subscriptions"] == 1, what="the subscription")
        before = sleeps(watch.pid)
        daemon.stop()
        # After so many waits, each twice as long as the one before, the next lasts for seconds if nothing happens.
        harness.until(lambda: sleeps(watch.pid) >= before + 7, what="longer waits")
        daemon.start()
        begin = time.monotonic()
        harness.until(lambda: daemon.call("system.stats")["subscriptions"] == 1, what="the subscription")
        assert time.monotonic() - begin < 1
        made = daemon.call("journal.create", {"conflictType": "friends"})["id"]
        assert json.loads(watch.stdout.readline())["params"]["id"] == made
    finally:
        watch.kill()
        watch.wait()


def test_a_parent_that_ignores_broken_pipes_changes_nothing(daemon):
    env = dict(daemon.env, KINDVERB_SOCKET=str(daemon.socket))
    watch = subprocess.Popen([harness.binary("kindverb"), "watch"], env=env, stdout=subprocess.PIPE, restore_signals=False)
    try:
        watch.stdout.close()
        harness.until(lambda: daemon.call("system.stats")["subscriptions"] == 1, what="the subscription")
        daemon.call("journal.create", {"conflictType": "friends"})
        assert harness.ends_within(watch) == -signal.SIGPIPE
    finally:
        watch.kill()
        watch.wait()


def test_a_trial_never_writes(daemon, kindverb, tmp_path):
    before = daemon.call("system.stats")["commits"]
    assert kindverb(daemon, "--dry-run", "backup", str(tmp_path / "copy.db")).returncode == 3
    assert not (tmp_path / "copy.db").exists()
    assert kindverb(daemon, "--dry-run", "call", "journal.create", "conflictType=friends").returncode == 0
    assert kindverb(daemon, "--dry-run", "call", "journal.create", "conflictType=friends", "_meta:=null").returncode in (0, 1)
    assert kindverb(daemon, "--dry-run", "call", "journal.create", "conflictType=friends", "_meta:=5").returncode == 1
    assert kindverb(daemon, "--dry-run", "call", "system.backup", f"path={tmp_path / 'copy.db'}").returncode == 0
    assert kindverb(daemon, "--dry-run", "system.backup").returncode == 0
    assert kindverb(daemon, "--dry-run", "call", "system.backup", '_meta:={"dryRun":false}').returncode == 0
    assert not (tmp_path / "copy.db").exists() and list((daemon.data / "backups").glob("*")) == []
    assert kindverb(daemon, "--dry-run", "settings", "set", "language=ko").returncode == 0
    assert daemon.call("settings.get")["language"] is None
    assert kindverb(daemon, "--dry-run", "letter", "copy").returncode == 3
    assert daemon.call("journal.list")["items"] == [] and daemon.call("system.stats")["commits"] == before
    # What it shows sounds as if it had been done, so it says that it was not; a script asked for it.
    journal = daemon.call("journal.create", {"conflictType": "friends"})["id"]
    trial = kindverb(daemon, "--dry-run", "journal", "delete", journal)
    assert "nothing was kept" in trial.stderr and "would be deleted" in trial.stdout
    assert kindverb(daemon, "--json", "--dry-run", "journal", "delete", journal).stderr == ""
    assert daemon.call("journal.get", {"id": journal})["id"] == journal


def test_a_key_makes_one_also_when_something_is_looked_up_before(daemon, kindverb, answers):
    daemon.call("letter.compose", answers)
    drafts = [kindverb(daemon, "--json", "--idempotency-key", "k1", "letter", "draft") for _ in range(2)]
    assert drafts[0].returncode == 0 and drafts[0].stdout == drafts[1].stdout
    assert len(daemon.call("letter.list")["items"]) == 2


def test_lists_of_any_length(daemon, kindverb):
    with daemon.connect() as connection:
        made = [connection.call("journal.create", {"conflictType": "friends", "situationText": f"text {n}"})["id"] for n in range(450)]
    made.reverse()
    whole = json.loads(kindverb(daemon, "--json", "journal", "list", "--all").stdout)
    assert [item["id"] for item in whole["items"]] == made and "next" not in whole
    part = json.loads(kindverb(daemon, "--json", "journal", "list", "--limit", "250").stdout)
    assert [item["id"] for item in part["items"]] == made[:250]
    rest = json.loads(kindverb(daemon, "--json", "journal", "list", "--all", "--before", part["next"]).stdout)
    assert [item["id"] for item in rest["items"]] == made[250:]
    assert kindverb(daemon, "journal", "list", "--all").stdout.count("\n") == 450
    assert kindverb(daemon, "journal", "list", "--all", "--status", "completed").stdout == ""
    assert json.loads(kindverb(daemon, "--json", "letter", "list", "--all").stdout) == {"items": []}
    # The oldest is found by what the list shows of its id, and the newest without one.
    assert json.loads(kindverb(daemon, "--json", "journal", "show", made[-1][-8:]).stdout)["id"] == made[-1]
    assert json.loads(kindverb(daemon, "--json", "journal", "show").stdout)["id"] == made[0]


def test_what_was_made_within_a_minute_is_told_apart_by_its_short_id(daemon, kindverb, answers):
    """Ids begin with the time: their ends are shown, a beginning or an end is taken, and an ambiguous one lists what it may be."""
    letters = [daemon.call("letter.compose", answers)["letter"] for _ in range(3)]
    for verb, ids in (("journal", [letter["journalId"] for letter in letters]), ("letter", [letter["id"] for letter in letters])):
        shown = [line.split("\t")[0] for line in kindverb(daemon, verb, "list").stdout.splitlines()]
        assert shown == [id[-8:] for id in reversed(ids)]
        for id in ids:
            for part in (id, id[-8:], id[-8:].upper(), id[-12:], id[:24]):
                assert json.loads(kindverb(daemon, "--json", verb, "show", part).stdout)["id"] == id
        result = kindverb(daemon, verb, "show", ids[0][:6])
        assert result.returncode == 3 and all(id[-8:] in result.stderr for id in ids)
        assert kindverb(daemon, verb, "show", ids[0][-3:]).returncode == 3
        assert json.loads(kindverb(daemon, "--json", verb, "show").stdout)["id"] == ids[-1]
    daemon.call("journal.update", {"id": letters[0]["journalId"], "hurtText": "You waited for two hours."})
    assert json.loads(kindverb(daemon, "--json", "journal", "show").stdout)["id"] == letters[0]["journalId"]
    daemon.call("letter.edit", {"id": letters[1]["id"], "content": "Short."})
    assert json.loads(kindverb(daemon, "--json", "letter", "show").stdout)["id"] == letters[1]["id"]
