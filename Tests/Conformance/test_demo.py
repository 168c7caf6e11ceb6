"""`make run`: what it says of the letter is true once its daemon has ended."""

import os
import pathlib
import shutil
import subprocess

import harness

DEMO = pathlib.Path(__file__).resolve().parents[2] / ".ci" / "demo"


def demo(tree, *words, home):
    env = {"PATH": os.environ["PATH"], "HOME": str(home), "LANG": "en_US.UTF-8", "XDG_RUNTIME_DIR": os.environ.get("XDG_RUNTIME_DIR", "")}
    env |= {name: os.environ[name] for name in ("ASAN_OPTIONS", "TSAN_OPTIONS", "SWIFT_BACKTRACE") if name in os.environ}
    return subprocess.run([tree / ".ci" / "demo", *words], env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=harness.WAIT)


def test_the_letter_of_make_run_can_be_seen_and_kept_as_it_says(tmp_path):
    tree, home = tmp_path / "tree", tmp_path / "home"
    (tree / ".ci").mkdir(parents=True)
    (tree / ".make" / "bin").mkdir(parents=True)
    home.mkdir()
    shutil.copy(DEMO, tree / ".ci" / "demo")
    for program in ("kindverb", "kindverbd"):
        os.symlink(harness.binary(program), tree / ".make" / "bin" / program)
    made = demo(tree, home=home)
    assert made.returncode == 0, made.stderr
    letter = made.stdout.split("\n\n")[0].strip()
    assert ".ci/demo letter show" in made.stdout and "kindverb letter copy" not in made.stdout
    # What it wrote is not where `make clean` removes things.
    assert not (tree / ".make" / "run").exists() and (tree / ".run" / "data" / "kindverb.db").exists()
    shown = demo(tree, "letter", "show", home=home)
    assert shown.returncode == 0 and letter in shown.stdout and ".run" not in shown.stdout
    # The command that keeps it, as it stands there.
    command = next(line for line in made.stdout.splitlines() if "keep it:" in line).split("keep it:")[1].split("   (")[0]
    subprocess.run(["sh", "-c", command], cwd=tree, check=True)
    assert (home / ".local" / "share" / "kindverb" / "kindverb.db").exists()
    again = demo(tree, home=home)
    assert "cp -a" not in again.stdout and "letter.txt" in again.stdout
