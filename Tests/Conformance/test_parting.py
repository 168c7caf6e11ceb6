"""However the program ends or is stopped, the terminal is as it was, and no text of the person is lost."""

import os
import signal
import termios

import pytest

import harness
from person import ENGLISH, Person, editing

FIRST, FEELINGS, *_ = ENGLISH["questions"]
WORDS = "my long and careful words"


def mode(person):
    """The terminal's mode; `Person.mode` is the one that it was found in."""
    return termios.tcgetattr(person.screen)


def is_ours(person):
    """Whether Ctrl-C is a character."""
    flags, characters = mode(person)[3], mode(person)[6]
    return not flags & termios.ISIG or characters[termios.VINTR] == b"\0"


def kept(shown):
    """What the file holds whose path was told."""
    path = shown.split("Your text is in ", 1)[1].split("\r\n", 1)[0].split("\n", 1)[0]
    with open(path) as file:
        assert os.fstat(file.fileno()).st_mode & 0o777 == 0o600
        return file.read().strip()


def nothing_kept(daemon):
    return [p for p in daemon.run.iterdir() if "kindverb-" in p.name] == []


# MARK: the terminal


@pytest.mark.parametrize("terminal", ["dumb", "xterm"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGQUIT, signal.SIGHUP])
def test_a_signal_gives_the_terminal_back(daemon, number, terminal):
    with Person(daemon, "journal", "new", terminal=terminal) as person:
        person.until(FIRST)
        person.until("> ")
        assert is_ours(person)
        person.process.send_signal(number)
        assert harness.ends_within(person.process) == -number
        assert mode(person) == person.mode
        person.end()
    shown = person.text
    assert shown.rfind(b"\x1b[?2004l") >= shown.rfind(b"\x1b[?2004h")


def test_an_ignored_hang_up_stays_ignored(daemon):
    with Person(daemon, "journal", "new", before=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)) as person:
        person.until(FIRST)
        person.until("> ")
        person.process.send_signal(signal.SIGHUP)
        person.type("I was late.\n\n")
        person.until(FEELINGS)
        person.until("> ")
        person.type("\x04")
        assert person.end()[0] == 0


@pytest.mark.parametrize("how", ["signal", "key"])
@pytest.mark.parametrize("terminal", ["dumb", "xterm"])
def test_a_stopped_dialogue_gives_the_terminal_back_and_goes_on(daemon, terminal, how):
    # A shell with job control: what it says stands between the parts.
    shell = '"$0" "$@"; echo stopped; read line; fg; echo over'
    with Person(daemon, "journal", "new", terminal=terminal, program=["/bin/bash", "-m", "-c", shell]) as person:
        person.until(FIRST)
        person.until("> ")
        if terminal == "xterm":
            person.type("I was ")
            person.until("6/500> I was ")
        if how == "key":
            person.type("\x1a")
        else:
            os.kill(os.tcgetpgrp(person.screen), signal.SIGTSTP)
        person.until("stopped")
        assert mode(person) == person.mode
        assert person.text.rfind(b"\x1b[?2004l") >= person.text.rfind(b"\x1b[?2004h")
        person.type("\n")
        person.until("6/500> I was " if terminal == "xterm" else "> ")
        assert is_ours(person)
        assert terminal == "dumb" or person.text.rfind(b"\x1b[?2004h") > person.text.rfind(b"\x1b[?2004l")
        person.type("late.\r\r")
        person.until(FEELINGS)
        person.until("> ")
        person.type("\x04")
        person.until("over")
    text = daemon.call("journal.resume")["journal"]["situationText"]
    assert text == ("I was late." if terminal == "xterm" else "late.")


@pytest.mark.parametrize("terminal", ["dumb", "xterm"])
def test_a_dialogue_in_the_background_leaves_the_terminal_alone_and_can_be_ended(daemon, terminal):
    shell = ('"$0" "$@"; echo stopped; read line; bg; while [ -z "$(jobs -s)" ]; do :; done; echo again; read line; '
             'kill %1; read line; wait %1; echo status $?')
    with Person(daemon, "journal", "new", terminal=terminal, program=["/bin/bash", "-m", "-c", shell]) as person:
        person.until(FIRST)
        person.until("> ")
        dialogue = os.tcgetpgrp(person.screen)
        os.kill(dialogue, signal.SIGTSTP)
        for word in ("stopped", "again"):
            person.until(word)
            assert mode(person) == person.mode
            person.type("\n")
        # Its status is there as soon as the shell has seen it end.
        harness.until(lambda: not os.path.exists(f"/proc/{dialogue}"), what="the end of the dialogue")
        person.type("\n")
        person.until(f"status {128 + signal.SIGTERM}")
        assert mode(person) == person.mode


@pytest.mark.parametrize("terminal", ["dumb", "xterm"])
def test_a_terminal_that_was_changed_meanwhile_is_set_up_anew(daemon, terminal):
    with Person(daemon, "journal", "new", terminal=terminal) as person:
        person.until(FIRST)
        person.until("> ")
        person.process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, person.process.pid, os.WSTOPPED | os.WNOWAIT)
        termios.tcsetattr(person.screen, termios.TCSANOW, person.mode)
        person.process.send_signal(signal.SIGCONT)
        person.until("> ")
        assert is_ours(person)
        person.type("\x03")
        assert person.end()[0] == -signal.SIGINT


# MARK: texts


@pytest.fixture
def editor(tmp_path, daemon):
    """An editor that writes, and during which the daemon goes away."""
    yield editing(tmp_path, f'printf "{WORDS}" >"$1"\nkill -9 {daemon.process.pid}\n')
    daemon.kill9()


@pytest.mark.parametrize("typed", ["n\n", "\x03", "\x04"])
@pytest.mark.parametrize("terminal", ["dumb", "xterm"])
def test_a_text_that_could_not_be_kept_stays_in_its_file(daemon, answers, editor, typed, terminal):
    letter = daemon.call("letter.compose", answers)["letter"]
    with Person(daemon, "letter", "edit", letter["id"], env=editor, terminal=terminal) as person:
        person.until("[Y/n] ")
        person.type(typed)
        status, shown = person.end()
    assert status == (-signal.SIGINT if typed == "\x03" else 2)
    assert kept(shown) == WORDS


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGQUIT, signal.SIGHUP])
def test_a_text_outlives_a_signal(daemon, answers, editor, number):
    letter = daemon.call("letter.compose", answers)["letter"]
    with Person(daemon, "letter", "edit", letter["id"], env=editor, terminal="xterm") as person:
        person.until("[Y/n] ")
        person.process.send_signal(number)
        status, shown = person.end()
    assert status == -number and kept(shown) == WORDS


def test_a_text_outlives_a_signal_while_the_daemon_does_not_answer(daemon, answers, tmp_path):
    letter = daemon.call("letter.compose", answers)["letter"]
    editor = editing(tmp_path, f'printf "{WORDS}" >"$1"\nkill -STOP {daemon.process.pid}\necho edited\n')
    with Person(daemon, "letter", "edit", letter["id"], env=editor) as person:
        person.until("edited")
        harness.until(lambda: children(person.process.pid) == [], what="the end of the editor")
        person.process.send_signal(signal.SIGTERM)
        status, shown = person.end()
    daemon.process.send_signal(signal.SIGCONT)
    assert status == -signal.SIGTERM and kept(shown) == WORDS


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        return file.read().split()


def test_a_text_of_an_editor_that_failed_stays(daemon, answers, tmp_path):
    letter = daemon.call("letter.compose", answers)["letter"]
    editor = editing(tmp_path, f'printf "{WORDS}" >"$1.new"; chmod 644 "$1.new"; mv "$1.new" "$1"; exit 1\n')
    with Person(daemon, "letter", "edit", letter["id"], env=editor) as person:
        status, shown = person.end()
    assert status == 1 and kept(shown) == WORDS


@pytest.mark.parametrize("command", ["true", ': >"$1"', 'rm "$1"', 'touch "$(dirname "$1")/$(printf "caf\\351")"'])
def test_nothing_stays_of_what_was_not_written(daemon, answers, tmp_path, command):
    letter = daemon.call("letter.compose", answers)["letter"]
    editor = editing(tmp_path, f"{command}\n")
    with Person(daemon, "letter", "edit", letter["id"], env=editor) as person:
        assert person.end()[0] == 1
    assert nothing_kept(daemon)


@pytest.mark.parametrize("typed, status", [("\x03", -signal.SIGINT), ("\x04", 2), (signal.SIGTERM, -signal.SIGTERM)])
def test_an_answer_that_could_not_be_kept_stays_in_a_file(daemon, typed, status):
    with Person(daemon, "journal", "new") as person:
        person.until(FIRST)
        person.until("> ")
        daemon.stop()
        person.type(WORDS + "\n\n")
        person.until("leaves.")
        if isinstance(typed, str):
            person.type(typed)
        else:
            person.process.send_signal(typed)
        ended, shown = person.end()
    assert ended == status and kept(shown) == WORDS


def test_an_answer_that_is_kept_at_last_leaves_no_file(daemon):
    with Person(daemon, "journal", "new") as person:
        person.until(FIRST)
        person.until("> ")
        daemon.stop()
        person.type(WORDS + "\n\n")
        person.until("leaves.")
        daemon.start()
        person.type("\n")
        person.until(FEELINGS)
        person.until("> ")
        person.type("\x04")
        assert person.end()[0] == 0
    assert nothing_kept(daemon) and daemon.call("journal.resume")["journal"]["situationText"] == WORDS
