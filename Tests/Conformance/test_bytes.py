"""What goes in and out as bytes: output that cannot be written is told, and what is no text is refused."""

import fcntl
import os
import signal
import subprocess

import pytest

import harness
from person import ENGLISH, Person, editing

FIRST, FEELINGS, *_ = ENGLISH["questions"]


def run(daemon, *arguments, **options):
    env = dict(daemon.env, KINDVERB_SOCKET=str(daemon.socket), **options.pop("env", {}))
    return subprocess.run([harness.binary("kindverb"), *arguments], env=env, stderr=subprocess.PIPE, timeout=harness.WAIT,
                          **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, **options})


# MARK: output


@pytest.mark.parametrize("words", [
    "journal list", "--json journal list --all", "call rpc.discover", "manual", "completions bash", "help", "ping", "--version"])
def test_output_that_cannot_be_written_is_told(daemon, words):
    daemon.call("journal.create", {"conflictType": "friends", "situationText": "A text of mine."})
    with open("/dev/full", "wb") as full:
        result = run(daemon, *words.split(), stdout=full)
    assert result.returncode == 1 and result.stderr.startswith(b"kindverb: ") and b"No space left" in result.stderr


def test_a_closed_output_is_told_and_nothing_else_gets_it(daemon):
    result = run(daemon, "ping", stdout=None, preexec_fn=lambda: os.close(1))
    assert result.returncode == 1 and b"standard output" in result.stderr


def test_watch_ends_when_its_output_is_full(daemon):
    env = dict(daemon.env, KINDVERB_SOCKET=str(daemon.socket))
    with open("/dev/full", "wb") as full:
        watch = subprocess.Popen([harness.binary("kindverb"), "watch"], env=env, stdout=full, stderr=subprocess.PIPE)
    with watch:
        harness.until(lambda: daemon.call("system.stats")["subscriptions"] == 1, what="the subscription")
        daemon.call("journal.create", {"conflictType": "friends"})
        assert harness.ends_within(watch) == 1 and b"No space left" in watch.stderr.read()


def test_output_that_does_not_wait_is_written_whole(daemon):
    reading, writing = os.pipe()
    fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 4096)
    fcntl.fcntl(writing, fcntl.F_SETFL, os.O_NONBLOCK)
    env = dict(daemon.env, KINDVERB_SOCKET=str(daemon.socket))
    whole = run(daemon, "call", "rpc.discover").stdout
    assert len(whole) > 8192
    with subprocess.Popen([harness.binary("kindverb"), "call", "rpc.discover"], env=env, stdout=writing) as process:
        os.close(writing)
        with open(reading, "rb") as pipe:
            assert pipe.read() == whole
        assert harness.ends_within(process) == 0


def test_a_reader_that_has_enough_ends_it_quietly(daemon):
    reading, writing = os.pipe()
    os.close(reading)
    result = run(daemon, "manual", stdout=writing)
    os.close(writing)
    assert result.returncode == -signal.SIGPIPE and result.stderr == b""


# MARK: text from outside


@pytest.mark.parametrize("word", [b"situationText=caf\xe9", b"situationText=\xed\xa0\x80", b"situationText=a\xff", b"\xe9=x"])
def test_an_argument_that_is_no_text_is_refused(daemon, word):
    for words in (["call", "journal.create", "conflictType=friends", word], ["call", "journal.create", "conflictType=friends", "--", word]):
        result = run(daemon, *words)
        assert result.returncode == 3 and b"UTF-8" in result.stderr and result.stdout == b"" and b"caf" not in result.stderr
    assert daemon.call("journal.list")["items"] == []


def test_what_looks_like_a_mended_text_is_a_text(daemon):
    assert run(daemon, "call", "journal.create", "conflictType=friends", "situationText=a\ufffdb").returncode == 0
    assert daemon.call("journal.list")["items"][0]["situationText"] == "a\ufffdb"


@pytest.mark.parametrize("text", [b'{"situationText":"caf\xe9"}', b'{"situationText":"\xed\xa0\x80"}', b'{"caf\xe9":1}'])
def test_input_that_is_no_text_is_refused(daemon, text):
    result = run(daemon, "call", "journal.create", "conflictType=friends", "-", input=text, stdin=None)
    assert result.returncode == 3 and b"UTF-8" in result.stderr
    assert daemon.call("journal.list")["items"] == []


def test_input_without_an_end_is_refused(daemon):
    with open("/dev/zero", "rb") as endless:
        result = run(daemon, "call", "journal.create", "conflictType=friends", "-", stdin=endless)
    assert result.returncode == 3 and b"more than a call takes" in result.stderr


def test_input_that_does_not_wait_is_read_whole(daemon):
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    env = dict(daemon.env, KINDVERB_SOCKET=str(daemon.socket))
    words = ["call", "journal.create", "conflictType=friends", "-"]
    with subprocess.Popen([harness.binary("kindverb"), *words], env=env, stdin=reading, stdout=subprocess.DEVNULL) as process:
        os.close(reading)
        os.write(writing, b'{"situationText":')
        harness.until(lambda: waits_in_poll(process.pid), what="a wait for the rest")
        os.write(writing, b'"A text."}')
        os.close(writing)
        assert harness.ends_within(process) == 0
    assert daemon.call("journal.list")["items"][0]["situationText"] == "A text."


def waits_in_poll(pid):
    with open(f"/proc/{pid}/syscall") as file:
        # poll, and ppoll where there is no poll.
        return file.read().split()[0] in ("7", "73", "271")


def test_doctor_refuses_a_directory_that_is_no_text(daemon):
    result = run(daemon, "doctor", env={"XDG_DATA_HOME": b"/tmp/caf\xe9"})
    assert result.returncode == 3 and b"XDG_DATA_HOME" in result.stderr and result.stdout == b""


@pytest.mark.parametrize("name", [b"KINDVERB_SOCKET", b"XDG_RUNTIME_DIR"])
def test_an_environment_that_is_no_text_is_refused(name):
    result = subprocess.run([harness.binary("kindverb"), "ping"], env={name: b"/tmp/caf\xe9"}, capture_output=True, timeout=harness.WAIT)
    assert result.returncode == 3 and b"UTF-8" in result.stderr and name in result.stderr


def test_a_directory_that_is_no_text_is_refused(daemon, tmp_path):
    place = os.fsencode(tmp_path) + b"/caf\xe9"
    os.mkdir(place)
    result = run(daemon, "backup", "copy.db", cwd=place)
    assert result.returncode == 3 and b"UTF-8" in result.stderr


@pytest.mark.parametrize("terminal", ["dumb", "xterm"])
def test_an_answer_that_is_no_text_is_asked_for_again(daemon, terminal):
    with Person(daemon, "journal", "new", terminal=terminal) as person:
        person.until(FIRST)
        person.until("> ")
        os.write(person.screen, b"caf\xe9 au lait\r")
        person.until("UTF-8")
        person.until("> ")
        person.type("A café.\r\r")
        person.until(FEELINGS)
        person.until("> ")
        person.type("\x04")
        assert person.end()[0] == 0
    assert daemon.call("journal.resume")["journal"]["situationText"] == "A café."


def test_a_pasted_text_with_a_bad_line_is_refused_whole(daemon):
    with Person(daemon, "journal", "new", terminal="xterm") as person:
        person.until(FIRST)
        person.until("> ")
        os.write(person.screen, b"\x1b[200~First.\rcaf\xe9\rThird.\x1b[201~\r")
        person.until("UTF-8")
        person.until("0/500> ")
        person.type("Anew.\r\r")
        person.until(FEELINGS)
        person.until("> ")
        person.type("\x04")
        assert person.end()[0] == 0
    assert daemon.call("journal.resume")["journal"]["situationText"] == "Anew."


def kept(shown):
    """The file that a text was kept in, as it was told."""
    line = next(line for line in reversed(shown.replace("\r\n", "\n").splitlines()) if "/kindverb-" in line)
    path = "/" + line.split(" /", 1)[1].strip().rstrip(".") if " /" in line else line
    assert os.stat(path).st_mode & 0o777 == 0o600, path
    return path


@pytest.mark.parametrize("command, size", [('printf "caf\\351 au lait" >"$1"', 12), ('truncate -s 300M "$1"', 300 << 20)])
def test_an_edited_file_that_is_no_letter_is_kept_where_it_is(daemon, answers, tmp_path, command, size):
    letter = daemon.call("letter.compose", answers)["letter"]
    editor = editing(tmp_path, command + "\n")
    with Person(daemon, "letter", "edit", letter["id"], env=editor) as person:
        status, shown = person.end()
        assert status == 3
    assert os.path.getsize(kept(shown)) == size
    assert daemon.call("letter.get", {"id": letter["id"]}) == letter


def test_another_spelling_of_the_same_is_an_edit(daemon, answers, tmp_path):
    letter = daemon.call("letter.compose", answers)["letter"]
    daemon.call("letter.edit", {"id": letter["id"], "content": "A caf\u00e9."})
    editor = editing(tmp_path, 'printf "A cafe\\314\\201." >"$1"\n')
    with Person(daemon, "letter", "edit", letter["id"], env=editor) as person:
        assert person.end()[0] == 0
    assert daemon.call("letter.get", {"id": letter["id"]})["content"] == "A cafe\u0301."


def test_an_editor_that_is_no_text_is_refused(daemon, answers):
    letter = daemon.call("letter.compose", answers)["letter"]
    with Person(daemon, "letter", "edit", letter["id"], env={"EDITOR": b"/bin/caf\xe9", "VISUAL": ""}) as person:
        status, shown = person.end()
    assert status == 3 and "EDITOR" in shown and "UTF-8" in shown
