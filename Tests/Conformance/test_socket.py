"""The socket's path, its permissions, and who may be there."""

import os
import pathlib
import shutil
import signal
import socket
import stat
import subprocess
import time

import pytest

import harness

SOCKET, BUSY, PERMISSION, USAGE, CONFIG = 69, 75, 77, 64, 78
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="needs another user, which only root can become")


def inode(path):
    return os.lstat(path).st_ino


def test_a_stale_socket_does_not_block_the_start(daemon):
    daemon.kill9()
    assert daemon.socket.exists()
    daemon.start()
    assert daemon.call("system.ping") == {"pong": True}


def test_a_second_daemon_is_refused(daemon):
    before = inode(daemon.socket)
    begin = time.monotonic()
    status, log = daemon.refuses_to_start()
    assert status == BUSY and str(daemon.pid) in log
    assert time.monotonic() - begin < 1 or harness.SANITIZER
    assert inode(daemon.socket) == before and daemon.call("system.ping") == {"pong": True}


def test_the_same_socket_with_other_data(daemon):
    other = daemon.root / "other"
    before = inode(daemon.socket)
    status, log = daemon.refuses_to_start(
        arguments=[daemon.program, "--socket", str(daemon.socket), "--data-dir", str(other)])
    assert status == BUSY and str(daemon.pid) in log
    assert inode(daemon.socket) == before and daemon.call("system.ping") == {"pong": True}


def test_the_same_data_with_another_socket(daemon):
    status, log = daemon.refuses_to_start(
        arguments=[daemon.program, "--socket", str(daemon.run / "other.sock"), "--data-dir", str(daemon.data)])
    assert status == BUSY and str(daemon.pid) in log
    assert not (daemon.run / "other.sock").exists() and daemon.call("system.ping") == {"pong": True}


def test_twenty_at_once(daemon_factory):
    daemon = daemon_factory()
    processes = [daemon.spawn() for _ in range(20)]
    try:
        harness.until(lambda: sum(p.poll() is not None for p in processes) == 19, what="the end of nineteen")
        assert sorted(p.returncode for p in processes if p.poll() is not None) == [BUSY] * 19
        daemon.process = next(p for p in processes if p.poll() is None)
        harness.until(daemon.socket.exists, what="the socket")
        assert daemon.call("system.ping") == {"pong": True}
    finally:
        for process in processes:
            if process.poll() is None and process is not daemon.process:
                process.kill()


def test_socket_and_directories_are_private_from_the_first_instant(daemon_factory):
    """umask 0 and a directory that must be made; strace sees no other mode at any time."""
    daemon = daemon_factory()
    daemon.run.rmdir()
    trace = daemon.root / "trace"
    arguments = daemon.arguments()
    if shutil.which("strace") and not harness.SANITIZER:
        arguments = ["strace", "-f", "-qq", "-e", "trace=bind,mkdir,mkdirat,chmod,fchmod,fchmodat,umask,openat", "-o", str(trace),
                     *arguments]
    daemon.process = daemon.spawn(arguments, preexec_fn=lambda: os.umask(0))
    daemon.wait_told("READY=1")
    modes = {path: stat.S_IMODE(os.lstat(path).st_mode) for path in
             [daemon.run, daemon.socket, daemon.data, *daemon.data.iterdir()]}
    assert modes[daemon.run] == 0o700 and modes[daemon.data] == 0o700
    assert all(mode & 0o077 == 0 for mode in modes.values()), modes
    if trace.exists():
        os.kill(int(subprocess.check_output(["pgrep", "-P", str(daemon.pid)])), signal.SIGTERM)
        assert harness.ends_within(daemon.process) == 0
        lines = trace.read_text().splitlines()
        bind = next(i for i, line in enumerate(lines) if "bind(" in line and "kindverbd.sock" in line)
        umask = [line for line in lines[:bind] if "umask(" in line][-1]
        assert "0177" in umask or "077" in umask, umask
        made = [line for line in lines if "mkdir" in line and str(daemon.root) in line]
        assert made and all("0700" in line for line in made)
        daemon.process = None


def test_a_mode_that_was_set_by_hand_does_not_open_the_socket(daemon):
    os.chmod(daemon.socket, 0o666)
    daemon.restart()
    assert stat.S_IMODE(os.stat(daemon.socket).st_mode) == 0o600


@pytest.mark.parametrize("length, fits", [(107, True), (108, False), (200, False)])
def test_long_paths(daemon_factory, kindverb, length, fits):
    daemon = daemon_factory()
    directory = daemon.run / ("d" * 40)
    directory.mkdir(mode=0o700)
    daemon.socket = directory / ("s" * (length - len(str(directory)) - 1))
    assert len(str(daemon.socket)) == length
    if fits:
        daemon.start()
        assert daemon.call("system.ping") == {"pong": True}
        assert kindverb(daemon, "call", "system.ping").returncode == 0
    else:
        status, log = daemon.refuses_to_start()
        assert status == SOCKET and "107" in log
        assert list(directory.iterdir()) == []
        result = kindverb(daemon, "call", "system.ping")
        assert result.returncode == 2 and "107" in result.stderr


@pytest.mark.parametrize("kind", ["file", "directory", "symlink", "fifo"])
def test_what_is_no_socket_is_left_alone(daemon_factory, kind):
    daemon = daemon_factory()
    if kind == "file":
        daemon.socket.write_text("precious")
    elif kind == "directory":
        daemon.socket.mkdir()
    elif kind == "symlink":
        daemon.socket.symlink_to("/etc/passwd")
    else:
        os.mkfifo(daemon.socket)
    before = os.lstat(daemon.socket)
    status, log = daemon.refuses_to_start()
    assert status == SOCKET and str(daemon.socket) in log
    after = os.lstat(daemon.socket)
    assert (before.st_ino, before.st_mtime_ns, before.st_size) == (after.st_ino, after.st_mtime_ns, after.st_size)


def test_a_socket_of_another_program_that_is_alive_is_left_alone(daemon_factory):
    daemon = daemon_factory()
    with socket.socket(socket.AF_UNIX) as other:
        other.bind(str(daemon.socket))
        other.listen()
        before = inode(daemon.socket)
        status, _ = daemon.refuses_to_start()
        assert status == BUSY and inode(daemon.socket) == before


def test_a_directory_that_others_may_write(daemon_factory):
    daemon = daemon_factory()
    daemon.run.chmod(0o777)
    status, log = daemon.refuses_to_start()
    assert status == PERMISSION and str(daemon.run) in log and not daemon.socket.exists()


@needs_root
def test_a_socket_of_another_user(daemon_factory):
    daemon = daemon_factory()
    with socket.socket(socket.AF_UNIX) as other:
        other.bind(str(daemon.socket))
    os.chown(daemon.socket, 1, 1)
    status, log = daemon.refuses_to_start()
    assert status == PERMISSION and daemon.socket.exists()


STRANGER = """
import socket, sys
s = socket.socket(socket.AF_UNIX); s.settimeout(10); s.connect(sys.argv[1])
try:
    s.sendall(b'{"jsonrpc":"2.0","id":1,"method":"system.info"}\\n')
    sys.stdout.buffer.write(s.recv(1000))
except (BrokenPipeError, ConnectionResetError):
    pass
"""


@needs_root
def test_another_user_gets_nothing_even_with_the_doors_open(daemon):
    for path in (daemon.root, daemon.run):
        path.chmod(0o711)
    os.chmod(daemon.socket, 0o666)
    result = subprocess.run(["/usr/bin/python3", "-c", STRANGER, str(daemon.socket)], user=1, group=1, extra_groups=[],
                            capture_output=True, cwd="/", timeout=20)
    assert result.returncode == 0 and result.stdout == b"", result
    assert daemon.call("system.stats")["requests"] == 1
    assert "user 1" in daemon.log()


def test_the_socket_removed_under_us(daemon):
    with daemon.connect() as open_before:
        daemon.socket.unlink()
        harness.until(daemon.socket.exists, 10, what="the socket's return")
        assert stat.S_IMODE(os.stat(daemon.socket).st_mode) == 0o600
        assert daemon.call("system.ping") == {"pong": True}
        assert open_before.is_quiet()


def test_the_whole_runtime_directory_removed_under_us(daemon):
    # The daemon may put its socket back while the directory is being emptied; what is left then is its new one.
    shutil.rmtree(daemon.run, ignore_errors=True)

    def back_or_gone():
        return daemon.process.poll() is not None or daemon.socket.exists()

    harness.until(back_or_gone, 10, what="the socket's return, or the daemon's end")
    if daemon.process.poll() is not None:
        assert daemon.process.returncode != 0 and str(daemon.socket) in daemon.log()
        daemon.process = None


def test_connections_have_a_limit(daemon):
    limit = daemon.call("system.info")["limits"]["connections"]
    connections = [daemon.connect() for _ in range(limit)]
    try:
        for connection in connections:
            assert connection.is_quiet()
        with daemon.connect() as extra:
            message = extra.message()
            assert message["id"] is None and message["error"]["code"] == -32001
            assert message["error"]["data"]["limit"] == limit and message["error"]["data"]["retryAfterMs"] > 0
            assert extra.is_closed()
        connections.pop().close()
        harness.until(lambda: _answers(daemon), what="a free place")
    finally:
        for connection in connections:
            connection.close()


def _answers(daemon):
    with daemon.connect() as connection:
        try:
            return connection.ask("system.ping").get("result") == {"pong": True}
        except (AssertionError, OSError):
            return False


def test_sigterm_ends_it_cleanly(daemon):
    with daemon.connect() as connection:
        assert connection.is_quiet()
        daemon.stop()
        assert connection.is_closed()
    assert not daemon.socket.exists()


def test_wrong_command_lines(daemon_factory):
    daemon = daemon_factory()
    for arguments in (["--nonsense"], ["--socket"], ["extra"]):
        status, log = daemon.refuses_to_start(arguments=[daemon.program, *arguments])
        assert status == USAGE and log.count("\n") == 1


def test_wrong_configuration(daemon_factory):
    daemon = daemon_factory()
    for text in ("{", "[]", "{nonsense: 1}", "{language: 'xx'}", "{limits: {partialLineMs: 'x'}}"):
        daemon.config.write_text(text)
        status, log = daemon.refuses_to_start()
        assert status == CONFIG and str(daemon.config) in log, (text, status, log)
    daemon.config.write_text("{ /* JSON5 */ language: 'ko', limits: {partialLineMs: 5000,}, }")
    daemon.start()
    assert daemon.call("settings.get")["effectiveLanguage"] == "ko"


def test_on_a_terminal_a_refusal_is_a_sentence_with_what_may_stand_there(daemon_factory):
    daemon = daemon_factory()
    daemon.config.parent.mkdir(parents=True, exist_ok=True)
    daemon.config.write_text("{limits: {partialLineMs: 5}}")
    screen, inner = os.openpty()
    process = subprocess.Popen(
        [harness.binary("kindverbd"), "--socket", str(daemon.socket), "--data-dir", str(daemon.data), "--config", str(daemon.config)],
        stdin=subprocess.DEVNULL, stderr=inner, env={**os.environ, "LC_ALL": "C"})
    os.close(inner)
    assert harness.ends_within(process) == 78
    line = os.read(screen, 4096).decode()
    os.close(screen)
    assert line == f"kindverbd: daemon: The configuration {daemon.config} is not valid at: limits.partialLineMs (10…3600000).\r\n"


def test_a_child_inherits_nothing(daemon):
    """Every descriptor but 0–2 is close-on-exec, so that no child can hold the store or the socket."""
    with daemon.connect() as connection:
        assert connection.is_quiet()
        for entry in pathlib.Path(f"/proc/{daemon.pid}/fdinfo").iterdir():
            if int(entry.name) > 2:
                flags = next(line for line in entry.read_text().splitlines() if line.startswith("flags:"))
                assert int(flags.split()[1], 8) & os.O_CLOEXEC, (entry.name, os.readlink(f"/proc/{daemon.pid}/fd/{entry.name}"))


def test_the_cli_says_at_once_that_nobody_is_there(kindverb, tmp_path):
    regular = tmp_path / "file"
    regular.write_text("x")
    for path in ("/no/such/x", str(regular), str(tmp_path), "/root/\x01"):
        begin = time.monotonic()
        result = kindverb(None, "--socket", path, "call", "system.info")
        assert result.returncode == 2 and result.stderr.strip(), (path, result)
        assert time.monotonic() - begin < 1 or harness.SANITIZER
