"""Someone at a terminal, and what they answer."""

import contextlib
import fcntl
import os
import re
import select
import struct
import subprocess
import termios
import time

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


def script(path, body):
    """An executable shell script."""
    path.write_text("#!/bin/sh\n" + body)
    path.chmod(0o755)
    return str(path)


def editing(tmp_path, body):
    """The environment in which a script is the editor; `$1` is the file."""
    return {"EDITOR": script(tmp_path / "editor", body), "VISUAL": ""}


class Person:
    """Someone at a terminal of 80 columns: reads what the program shows, and types."""

    def __init__(self, daemon, *arguments, language="en", env=None, terminal="dumb", program=(), before=lambda: None,
                 is_decided=True):
        if is_decided and arguments[:2] == ("journal", "new"):
            # Who has decided is not asked about notifications after the letter.
            with contextlib.suppress(OSError, AssertionError):
                daemon.call("notification.consent.set", {"granted": False})
        self.screen, inner = os.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.mode = termios.tcgetattr(inner)
        env = {**daemon.env, "KINDVERB_SOCKET": str(daemon.socket), "TERM": terminal, **(env or {})}
        self.process = subprocess.Popen(
            [*program, harness.binary("kindverb"), "--language", language, *arguments], env=env, stdin=inner, stdout=inner,
            stderr=inner, start_new_session=True, preexec_fn=lambda: (fcntl.ioctl(0, termios.TIOCSCTTY, 0), before()))
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
        """Waits until `text` is shown, perhaps in two lines, and gives what came before it."""
        wanted = re.compile(b"(?: |\r\n)".join(re.escape(word) for word in text.encode().split(b" ")))
        end = time.monotonic() + harness.WAIT
        while not (found := wanted.search(self.seen)):
            assert self.more(end), f"ended without {text!r}: {self.text.decode(errors='replace')}"
        before, self.seen = self.seen[: found.start()], self.seen[found.end() :]
        return before.decode(errors="replace").replace("\r\n", "\n")

    def type(self, text):
        os.write(self.screen, text.encode())

    def end(self):
        """The exit status and the rest of what was shown."""
        end = time.monotonic() + harness.WAIT
        while self.more(end):
            pass
        return harness.ends_within(self.process), self.seen.decode(errors="replace")

    def shown(self):
        """Everything that was shown so far, without what moves the cursor or sets colours."""
        return re.sub(r"\x1b\[[?0-9;]*[A-Za-z]", "", self.text.decode(errors="replace")).replace("\r\n", "\n")

    def answer(self, question, text):
        """Answers a question: feelings end with their line, the others with an empty one."""
        self.until(question)
        self.until("> ")
        self.type(text + "\n" if question in (ENGLISH["questions"][1], KOREAN["questions"][1]) else text + "\n\n")
