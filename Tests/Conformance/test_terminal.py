"""What only a terminal brings: keys, pasted text, Ctrl-C, editors, clipboards, and a daemon that goes away while someone thinks."""

import base64
import json
import os
import signal
import subprocess

import pytest

import harness
from person import ENGLISH, Person, editing, script

FIRST, FEELINGS, THIRD, *_ = ENGLISH["questions"]


def compose(daemon, answers):
    return daemon.call("letter.compose", answers)["letter"]


# MARK: the five questions


@pytest.mark.parametrize("terminal", ["dumb", "xterm"])
def test_ctrl_c_keeps_what_is_saved_and_says_so(daemon, terminal):
    with Person(daemon, "journal", "new", terminal=terminal) as person:
        person.answer(FIRST, ENGLISH["answers"][0])
        person.until(FEELINGS)
        person.until("> ")
        person.type("sa\x03")
        status, rest = person.end()
    assert status == -signal.SIGINT and "What you wrote is kept" in rest
    assert daemon.call("journal.resume")["journal"]["situationText"] == ENGLISH["answers"][0]


@pytest.mark.parametrize("terminal", ["dumb", "xterm"])
def test_ctrl_c_before_the_first_answer_leaves_nothing(daemon, terminal):
    with Person(daemon, "journal", "new", terminal=terminal) as person:
        person.until(FIRST)
        person.until("> ")
        person.type("\x03")
        status, rest = person.end()
    assert status == -signal.SIGINT and "Nothing was changed" in rest
    assert daemon.call("journal.list")["items"] == []


def test_keys_rub_out_whole_characters(daemon):
    with Person(daemon, "journal", "new", terminal="xterm") as person:
        person.until(FIRST)
        person.until("0/500> ")
        person.type("약속을 어겼다다\x7f👨‍👩‍👧\x7f.\x01또 \x05\r\r")
        person.until(FEELINGS)
        person.until("> ")
        person.type("\x04")
        assert person.end()[0] == 0
    assert daemon.call("journal.resume")["journal"]["situationText"] == "또 약속을 어겼다."


def test_a_pasted_text_is_one_answer(daemon):
    with Person(daemon, "journal", "new", terminal="xterm") as person:
        person.until(FIRST)
        person.until("0/500> ")
        person.type("\x1b[200~First.\r\rSecond,\nthird\x03.\x1b[201~")
        person.until("22/500> ")
        person.type(" Typed.\r\r")
        person.until(FEELINGS)
        person.until("> ")
        person.type("\x03")
        assert person.end()[0] == -signal.SIGINT
    assert daemon.call("journal.resume")["journal"]["situationText"] == "First.\n\nSecond,\nthird. Typed."


def test_what_is_typed_ahead_is_not_lost(daemon):
    with Person(daemon, "journal", "new", terminal="xterm") as person:
        person.until(FIRST)
        person.until("0/500> ")
        person.type("I was late.\r\r2, my own\rYou waited.\r\r\r")
        person.until(ENGLISH["questions"][4])
        person.until("> ")
        person.type("\x04")
        assert person.end()[0] == 0
    journal = daemon.call("journal.resume")["journal"]
    assert journal["hurtText"] == "You waited." and journal["feelings"][1]["label"] == "my own"


def test_a_relationship_that_cannot_be_used_is_refused_before_anything_is_asked(daemon):
    with Person(daemon, "journal", "new", "couple") as person:
        status, shown = person.end()
    assert status == 1 and "Pro" in shown and FIRST not in shown


def test_the_letter_is_addressed(daemon):
    with Person(daemon, "journal", "new", "--to", "Sam") as person:
        for question, text in zip(ENGLISH["questions"], ENGLISH["answers"]):
            person.answer(question, text)
        person.until("Enter: done > ")
        person.type("\n")
        assert person.end()[0] == 0
    letter = daemon.call("letter.list")["items"][0]
    assert "Sam" in letter["content"]
    assert daemon.call("journal.get", {"id": letter["journalId"]})["addressee"] == "Sam"


def test_the_daemon_may_be_restarted_while_someone_thinks(daemon):
    with Person(daemon, "journal", "new") as person:
        person.answer(FIRST, ENGLISH["answers"][0])
        person.until(FEELINGS)
        person.until("> ")
        daemon.restart()
        person.type("sad\n")
        person.until(THIRD)
        person.until("> ")
        daemon.stop()
        person.type("You waited.\n\n")
        person.until("not kept yet")
        daemon.start()
        person.type("\n")
        person.until(ENGLISH["questions"][3])
        person.until("> ")
        person.type("\x03")
        person.end()
    journals = daemon.call("journal.list")["items"]
    assert len(journals) == 1 and journals[0]["hurtText"] == "You waited." and journals[0]["feelings"][0]["code"] == "sad"


def test_the_fourth_question_is_asked_when_the_journal_was_left_there(daemon):
    with Person(daemon, "journal", "new") as person:
        for place in range(3):
            person.answer(ENGLISH["questions"][place], ENGLISH["answers"][place])
        person.until(ENGLISH["questions"][3])
        person.until("> ")
        person.type("/quit\n")
        assert person.end()[0] == 0
    with Person(daemon, "journal", "new") as person:
        person.until("[Y/n] ")
        person.type("\n")
        for place in (3, 4):
            person.answer(ENGLISH["questions"][place], ENGLISH["answers"][place])
        person.until("Enter: done > ")
        person.type("\n")
        assert person.end()[0] == 0
    assert daemon.call("journal.list")["items"][0]["reflectionText"] == ENGLISH["answers"][3]


def test_a_finished_letter_opens_no_editor(daemon, answers, tmp_path):
    letter = compose(daemon, answers)
    daemon.call("letter.finalize", {"id": letter["id"]})
    editor = editing(tmp_path, f'touch "{tmp_path}/opened"\n')
    with Person(daemon, "letter", "edit", letter["id"], env=editor) as person:
        status, shown = person.end()
    assert status == 1 and "cannot be changed" in shown and not (tmp_path / "opened").exists()


# MARK: editors


def test_the_editor_gets_a_private_file_that_is_gone_afterwards(daemon, answers, tmp_path):
    letter = compose(daemon, answers)
    editor = script(tmp_path / "my editor", f'stat -c %a "$2" "$(dirname "$2")" >"{tmp_path}/modes"; cp "$2" "$2~"; echo "$1" >>"$2"\n')
    with Person(daemon, "letter", "edit", letter["id"], env={"VISUAL": f"'{editor}' 'two words'", "EDITOR": "false"}) as person:
        assert person.end()[0] == 0
    edited = daemon.call("letter.get", {"id": letter["id"]})
    assert edited["content"] == letter["content"] + "\ntwo words" and edited["status"] == "edited"
    assert (tmp_path / "modes").read_text().split() == ["600", "700"]
    assert [p for p in daemon.run.iterdir() if "kindverb-" in p.name] == []


def test_a_text_that_is_refused_can_be_edited_further(daemon, answers, tmp_path):
    letter = compose(daemon, answers)
    editor = editing(tmp_path, f'''
        if [ -e "{tmp_path}/second" ]; then tail -c 20 "$1" >"{tmp_path}/seen"; echo "Short." >"$1"
        else touch "{tmp_path}/second"; head -c 10100 /dev/zero | tr "\\0" x >>"$1"; fi\n''')
    with Person(daemon, "letter", "edit", letter["id"], env=editor) as person:
        person.until("too long")
        person.until("[Y/n] ")
        person.type("\n")
        assert person.end()[0] == 0
    assert (tmp_path / "seen").read_text().strip() == "x" * 20
    assert daemon.call("letter.get", {"id": letter["id"]})["content"] == "Short."


def test_ctrl_c_in_the_editor_leaves_no_text_behind(daemon, answers, tmp_path):
    letter = compose(daemon, answers)
    editor = script(tmp_path / "editor", f'trap "exit 1" INT; touch "{tmp_path}/open"; while :; do sleep 0.05; done\n')
    with Person(daemon, "letter", "edit", letter["id"], env={"EDITOR": editor}) as person:
        harness.until(lambda: (tmp_path / "open").exists(), what="the editor")
        person.type("\x03")
        status, shown = person.end()
    assert status == 1 and "editor" in shown
    assert [p for p in daemon.run.iterdir() if "kindverb-" in p.name] == []
    assert daemon.call("letter.get", {"id": letter["id"]}) == letter


def test_what_cannot_be_done_with_a_letter_does_not_end_the_dialogue(daemon, tmp_path):
    editor = editing(tmp_path, 'echo more >>"$1"\n')
    with Person(daemon, "journal", "new", env=editor) as person:
        for question, text in zip(ENGLISH["questions"], ENGLISH["answers"]):
            person.answer(question, text)
        # Once it is finished, neither is offered, and no editor is opened for nothing.
        for key, shown, is_offered in [("6", "finished", True), ("5", "cannot be changed", False), ("6", "cannot be changed", False),
                                       ("9", "one of the numbers", False), ("3", "─" * 60, True)]:
            offered = person.until("Enter: done > ").replace("\u00a0", " ")
            assert (f"{key} " in offered.splitlines()[-1]) == is_offered, offered
            person.type(key + "\n")
            person.until(shown)
        person.until("Enter: done > ")
        person.type("\n")
        assert person.end()[0] == 0
    assert sorted(letter["status"] for letter in daemon.call("letter.list")["items"]) == ["drafted", "finalized"]


# MARK: clipboards


def test_a_letter_is_copied_by_the_terminal(daemon, answers):
    letter = compose(daemon, answers)
    env = {"WAYLAND_DISPLAY": "", "DISPLAY": ""}
    with Person(daemon, "letter", "copy", letter["id"], env=env) as person:
        status, shown = person.end()
    assert status == 0
    encoded = shown.split("\x1b]52;c;", 1)[1].split("\x07", 1)[0]
    assert base64.b64decode(encoded).decode() == letter["content"]


@pytest.mark.parametrize("display, program", [("WAYLAND_DISPLAY", "wl-copy"), ("DISPLAY", "xclip"), ("DISPLAY", "xsel")])
def test_a_letter_is_copied_by_the_desktops_program(daemon, kindverb, answers, tmp_path, display, program):
    letter = compose(daemon, answers)
    script(tmp_path / program, f'cat >"{tmp_path}/copied"\n')
    env = {"WAYLAND_DISPLAY": "", "DISPLAY": "", display: ":7", "PATH": f"{tmp_path}:/bin"}
    for other in ("wl-copy", "xclip", "xsel"):
        if other != program and os.access(f"/bin/{other}", os.X_OK):
            pytest.skip(f"{other} is installed here")
    result = kindverb(daemon, "letter", "copy", letter["id"], env=env)
    assert result.returncode == 0 and (tmp_path / "copied").read_text() == letter["content"]


def test_without_any_clipboard_that_is_said(daemon, kindverb, answers):
    letter = compose(daemon, answers)
    # Without a controlling terminal there is nobody to hand it to.
    env = dict(daemon.env, KINDVERB_SOCKET=str(daemon.socket))
    result = subprocess.run([harness.binary("kindverb"), "letter", "copy", letter["id"]], env=env, stdin=subprocess.DEVNULL,
                            capture_output=True, text=True, start_new_session=True, timeout=harness.WAIT)
    assert result.returncode == 1 and "clipboard" in result.stderr and "letter show" in result.stderr
    # doctor says the same.
    result = subprocess.run([harness.binary("kindverb"), "--json", "doctor"], env=env, stdin=subprocess.DEVNULL,
                            capture_output=True, text=True, start_new_session=True, timeout=harness.WAIT)
    assert [item["grade"] for item in json.loads(result.stdout)["items"] if "clipboard" in item["finding"].lower()] == ["note"]


def test_the_manual_is_paged_on_a_terminal(daemon, kindverb, tmp_path):
    script(tmp_path / "man", f'echo "$*" >"{tmp_path}/words"; head -n 1\n')
    with Person(daemon, "manual", env={"PATH": f"{tmp_path}:/bin:/usr/bin"}) as person:
        status, shown = person.end()
    assert status == 0 and shown.startswith(".TH KINDVERB") and (tmp_path / "words").read_text() == "-l -\n"
    # Without man it is readable text, by the pager.
    (tmp_path / "man").unlink()
    script(tmp_path / "pager", 'echo paged; cat\n')
    with Person(daemon, "manual", env={"PATH": str(tmp_path), "PAGER": str(tmp_path / "pager")}) as person:
        status, shown = person.end()
    # The pager's own programs are not on this path: what matters is that it is called, and with no roff.
    assert "paged" in shown and ".TH" not in shown
    roff = kindverb(daemon, "manual").stdout
    headings = [line[4:] for line in roff.splitlines() if line.startswith(".SH ")]
    assert {"FILES", "ENVIRONMENT", "EXIT STATUS", "EXAMPLES"} <= set(headings) and len(set(headings)) == len(headings)
    assert "Options:" not in roff


# MARK: asking and showing


@pytest.mark.parametrize("typed, is_deleted", [("y\n", True), ("네\n", True), ("n\n", False), ("\n", False), ("\x04", False), ("\x03", False)])
def test_nothing_is_deleted_without_a_yes(daemon, typed, is_deleted):
    journal = daemon.call("journal.create", {"conflictType": "friends"})
    with Person(daemon, "journal", "delete", journal["id"]) as person:
        person.until("[y/N] ")
        person.type(typed)
        status, _ = person.end()
    assert (status == 0) == is_deleted
    assert (daemon.call("journal.list")["items"] == []) == is_deleted


def test_json_on_a_terminal_cannot_steer_it(daemon):
    text = "a\u009b2Jb\u202ec\u007f"
    journal = daemon.call("journal.create", {"conflictType": "friends", "situationText": text})
    for words in (["--json", "journal", "show", journal["id"]], ["--json", "journal", "list"], ["call", "journal.get", f"id={journal['id']}"]):
        with Person(daemon, *words) as person:
            status, shown = person.end()
        assert status == 0 and not any(c in shown for c in "\u009b\u202e\u007f\x1b")
        assert text in json.dumps(json.loads(shown.replace("\r\n", "")), ensure_ascii=False)


def test_columns_stand_under_each_other(daemon):
    for text in ("민수", "Ann", "👨‍👩‍👧", "ｆｕｌｌ" * 40):
        daemon.call("journal.create", {"conflictType": "friends", "situationText": text})
    with Person(daemon, "journal", "list", language="ko") as person:
        status, shown = person.end()
    lines = shown.replace("\r\n", "\n").splitlines()
    assert status == 0 and len(lines) == 4 and lines[0].endswith("…")
    assert len({line.split("친구")[0].count(" ") for line in lines}) == 1 and all("친구" in line for line in lines)


def test_colour_is_for_terminals_that_want_it(daemon, kindverb):
    for env, has_colour in (({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True)):
        with Person(daemon, "help", "system.ping", terminal="xterm", env=env) as person:
            assert ("\x1b[1m" in person.end()[1]) == has_colour
    assert "\x1b" not in kindverb(daemon, "help", "system.ping", env={"TERM": "xterm"}).stdout
