"""The command line as a person meets it: on a terminal of its own, through the five questions to the letter."""

import fcntl
import json
import os
import re
import select
import signal
import struct
import subprocess
import termios
import time

import pytest

import harness

ENGLISH = {
    "answers": ["I forgot our dinner on Friday.", "guilty, knotted inside", "You waited for an hour.", "I should have called.",
                "That we can rely on each other."],
    "questions": ["What happened?", "What did you feel?", "What hurt?", "own part", "really want?"],
}
KOREAN = {
    "answers": ["금요일 저녁 약속을 잊어버렸어.", "1, 마음이 복잡해", "네가 한 시간이나 기다렸어.", "전화했어야 했어.",
                "서로 믿을 수 있었으면 좋겠어."],
    "questions": ["어떤 일이 있었나요?", "어떤 감정을 느꼈나요?", "마음 아팠나요?", "나를 돌아보면", "진짜 원했던"],
}


class Person:
    """Someone at a terminal of 80 columns: reads what the program shows, and types."""

    def __init__(self, daemon, *arguments, language="en", env=None):
        self.screen, inner = os.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        env = {**daemon.env, "KINDVERB_SOCKET": str(daemon.socket), "TERM": "dumb", **(env or {})}
        self.process = subprocess.Popen(
            [harness.binary("kindverb"), "--language", language, *arguments], env=env, stdin=inner, stdout=inner, stderr=inner,
            start_new_session=True)
        os.close(inner)
        self.seen = b""
        self.text = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.screen)

    def more(self, end):
        """Reads what is shown next; False at the end of the program."""
        ready, _, _ = select.select([self.screen], [], [], max(0, end - time.monotonic()))
        assert ready, f"nothing more came after {self.text.decode(errors='replace')!r}"
        try:
            chunk = os.read(self.screen, 1 << 16)
        except OSError:  # how Linux tells that the other end of a terminal is closed
            return False
        self.text += chunk
        self.seen += chunk
        return bool(chunk)

    def until(self, text):
        """Waits until `text` is shown, and gives what came before it."""
        wanted = text.encode()
        end = time.monotonic() + harness.WAIT
        while wanted not in self.seen:
            assert self.more(end), f"ended without {text!r}: {self.text.decode(errors='replace')}"
        before, _, self.seen = self.seen.partition(wanted)
        return before.decode().replace("\r\n", "\n")

    def type(self, text):
        os.write(self.screen, text.encode())

    def end(self):
        """The exit status and the rest of what was shown."""
        end = time.monotonic() + harness.WAIT
        while self.more(end):
            pass
        return harness.ends_within(self.process), self.seen.decode()

    def answer(self, question, text):
        """Answers a question: feelings end with their line, the others with an empty one."""
        self.until(question)
        self.until("\n> ")
        self.type(text + "\n" if question in (ENGLISH["questions"][1], KOREAN["questions"][1]) else text + "\n\n")


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
    assert daemon.call("letter.get", {"id": stored[0]["id"]})["content"] == letter
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
