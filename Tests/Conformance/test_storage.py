"""What is stored stays, what is damaged is never papered over, what is full recovers."""

import json
import os
import pathlib
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import threading
import time

import pytest

import harness
from person import ENGLISH, Person

DAMAGED, INOUT, BUSY, NEWER, PERMISSION = 65, 74, 75, 76, 77


def filled(daemon, count=30):
    """A daemon that stopped cleanly with some journals in its store; their ids."""
    daemon.start()
    ids = []
    with daemon.connect() as connection:
        for number in range(count):
            ids.append(connection.call("journal.create", {"conflictType": "friends", "situationText": f"{number} " * 100})["id"])
    daemon.stop()
    return ids


def snapshot(daemon):
    """Every file of the store; not the lock's pid, nor the seal of a clean stop, which each start uses up, nor a log that is
    empty, which says what none says."""
    files = {p: p.read_bytes() for p in sorted(daemon.data.rglob("*")) if p.is_file() and p.suffix not in (".lock", ".seal")}
    return {p: content for p, content in files.items() if content or not p.name.endswith("-wal")}


def refused(daemon, status):
    """The start is refused with that status and one line, and nothing in the data directory is touched."""
    before = snapshot(daemon)
    got, log = daemon.refuses_to_start()
    assert got == status, (got, log)
    assert log.strip().count("\n") == 0, log
    assert snapshot(daemon) == before
    assert not daemon.socket.exists()
    return log


def test_what_was_answered_survives_kill_9(daemon):
    ids = []
    with daemon.connect() as connection:
        for _ in range(20):
            ids.append(connection.call("journal.create", {"conflictType": "friends"})["id"])
    daemon.kill9()
    daemon.start()
    assert [item["id"] for item in daemon.call("journal.list", {"limit": 200})["items"]] == ids[::-1]


@pytest.mark.parametrize("damage", ["zero length", "flipped header", "flipped page", "cut short", "other file", "missing file"])
def test_damage_is_found_and_left_as_it_is(daemon_factory, damage):
    daemon = daemon_factory()
    filled(daemon)
    path = daemon.data / "kindverb.db"
    data = bytearray(path.read_bytes())
    assert len(data) > 5 * 4096
    if damage == "zero length":
        data = b""
    elif damage == "flipped header":
        data[3] ^= 0xFF
    elif damage == "flipped page":
        # The headers of all pages but the first: whichever pages hold what, trees among them are broken.
        for page in range(1, len(data) // 4096):
            data[page * 4096] ^= 0x55
    elif damage == "cut short":
        data = data[: len(data) // 2]
    elif damage == "other file":
        data = b"This is no database. " * 1000
    if damage == "missing file":
        # The mark beside it tells that there was a store; a fresh one would hide the loss.
        path.unlink()
    else:
        path.write_bytes(data)
    refused(daemon, DAMAGED)


def test_a_damaged_log_of_writes_never_makes_half_a_store(daemon):
    """The WAL cut short: acknowledged writes are lost, and the daemon says so instead of going on without them."""
    ids = []
    with daemon.connect() as connection:
        for _ in range(10):
            ids.append(connection.call("journal.create", {"conflictType": "friends", "situationText": "x" * 500})["id"])
    daemon.kill9()
    wal = daemon.data / "kindverb.db-wal"
    if not wal.exists() or wal.stat().st_size == 0:
        pytest.skip("everything was in the database already")
    data = wal.read_bytes()
    wal.write_bytes(data[: len(data) * 2 // 3])
    refused_as_damaged(daemon)
    # Once the log is whole again, so is everything.
    wal.write_bytes(data)
    daemon.start()
    assert [item["id"] for item in daemon.call("journal.list")["items"]] == ids[::-1]


def test_one_flipped_bit_in_what_was_written_is_found(daemon_factory):
    daemon = daemon_factory()
    filled(daemon)
    path = daemon.data / "kindverb.db"
    data = bytearray(path.read_bytes())
    data[data.index(b"17 17 17 17") + 4] ^= 1
    path.write_bytes(data)
    assert "17 17" not in refused(daemon, DAMAGED)


def test_deleted_words_leave_every_file(daemon):
    """Also the log, where they would stay until they are written over."""
    made = daemon.call("journal.create", {"conflictType": "friends", "situationText": "Quetzalcoatlus"})
    daemon.call("journal.update", {"id": made["id"], "hurtText": "Quetzalcoatlus northropi"})
    assert b"Quetzalcoatlus" in (daemon.data / "kindverb.db-wal").read_bytes()
    daemon.call("journal.delete", {"id": made["id"]})

    def is_gone():
        return not any(b"uetzalcoatlus" in p.read_bytes() for p in daemon.data.glob("kindverb*"))

    harness.until(is_gone, 10, what="words that are gone")


def test_a_log_that_another_program_merged_is_no_damage(daemon):
    ids = [daemon.call("journal.create", {"conflictType": "friends"})["id"] for _ in range(5)]
    daemon.kill9()
    with sqlite3.connect(daemon.data / "kindverb.db") as outside:
        assert outside.execute("SELECT count(*) FROM journal").fetchone() == (5,)
    outside.close()
    assert not (daemon.data / "kindverb.db-wal").exists()
    daemon.start()
    assert [item["id"] for item in daemon.call("journal.list")["items"]] == ids[::-1]


def test_a_removed_log_is_noticed_and_what_was_in_it_saved(daemon):
    ids = [daemon.call("journal.create", {"conflictType": "friends"})["id"] for _ in range(5)]
    (daemon.data / "kindverb.db-wal").unlink()
    harness.until(lambda: daemon.call("system.info")["state"] == "read_only", 10, what="the state")
    error = daemon.fail("journal.create", {"conflictType": "friends"})
    assert error["data"]["messageKey"] == "error.storage.read_only"
    daemon.kill9()
    daemon.start()
    assert [item["id"] for item in daemon.call("journal.list")["items"]] == ids[::-1]


def test_a_data_directory_behind_a_symbolic_link(daemon_factory, tmp_path):
    daemon = daemon_factory()
    real = tmp_path / "real"
    real.mkdir(mode=0o700)
    if daemon.data.exists():
        daemon.data.rmdir()
    daemon.data.symlink_to(real)
    daemon.start()
    daemon.call("journal.create", {"conflictType": "friends"})
    daemon.restart()
    assert len(daemon.call("journal.list")["items"]) == 1


def refused_as_damaged(daemon):
    before = snapshot(daemon)
    status, log = daemon.refuses_to_start()
    assert status == DAMAGED and "damaged" in log
    assert snapshot(daemon) == before


def test_a_replaced_database_is_noticed(daemon):
    daemon.call("journal.create", {"conflictType": "friends"})
    copy = daemon.data / "copy"
    shutil.copy(daemon.data / "kindverb.db", copy)
    os.replace(copy, daemon.data / "kindverb.db")
    harness.until(lambda: daemon.call("system.info")["state"] == "read_only", 10, what="the state")
    error = daemon.fail("journal.create", {"conflictType": "friends"})
    assert error["data"]["messageKey"] == "error.storage.read_only"
    assert "replaced" in daemon.log()
    # A reload says nothing better than what is so.
    daemon.wait_told("STATUS=the database was replaced")
    daemon.told = []
    daemon.process.send_signal(signal.SIGHUP)
    daemon.wait_told("READY=1")
    assert "STATUS=the database was replaced" in daemon.told[-1]


def test_a_database_cut_in_place_is_noticed_by_the_next_write(daemon):
    """As an upgrade script does that writes a copy over the file of a daemon that runs."""
    daemon.call("journal.create", {"conflictType": "friends"})
    os.truncate(daemon.data / "kindverb.db", 8192)
    error = daemon.fail("journal.create", {"conflictType": "friends"})
    assert error["data"]["messageKey"] == "error.storage.read_only"
    assert daemon.call("system.info")["state"] == "read_only"
    assert "replaced" in daemon.log()
    daemon.kill9()
    assert (daemon.data / "kindverb.db").stat().st_size == 8192
    refused_as_damaged(daemon)


def test_damage_that_comes_while_it_runs_is_found_by_a_backup(daemon):
    ids = [daemon.call("journal.create", {"conflictType": "friends", "situationText": "x" * 500})["id"] for _ in range(200)]
    for _ in range(6):
        daemon.call("system.backup")
    # Everything is in the file, and nothing but the file is spoilt: not what the daemon has in memory.
    daemon.restart()
    data = bytearray((daemon.data / "kindverb.db").read_bytes())
    for place in range(len(data) // 2, len(data) // 2 + 4096):
        data[place] ^= 0xFF
    with open(daemon.data / "kindverb.db", "r+b") as file:
        file.write(data)
    copies = sorted((daemon.data / "backups").iterdir())
    assert daemon.fail("system.backup")["data"]["messageKey"] == "error.storage.damaged"
    assert sorted((daemon.data / "backups").iterdir()) == copies
    assert daemon.call("system.info")["state"] == "read_only"
    assert daemon.fail("journal.create", {"conflictType": "friends"})["data"]["messageKey"] == "error.storage.read_only"
    daemon.wait_told("STATUS=the database is damaged")
    assert ids and "restore a backup" in daemon.log()
    daemon.kill9()
    refused_as_damaged(daemon)


def test_a_limit_on_the_length_of_files_is_a_full_disk(daemon_factory):
    daemon = daemon_factory().start()
    _, most = resource.prlimit(daemon.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(daemon.pid, resource.RLIMIT_FSIZE, (1 << 20, most))
    kept = []
    with daemon.connect() as connection:
        while True:
            reply = connection.ask("journal.create", {"conflictType": "friends", "situationText": "x" * 500})
            if "error" in reply:
                break
            kept.append(reply["result"]["id"])
    assert reply["error"]["data"]["messageKey"] == "error.storage.full"
    assert daemon.call("system.info")["state"] == "storage_full"
    resource.prlimit(daemon.pid, resource.RLIMIT_FSIZE, (most, most))
    kept.append(daemon.call("journal.create", {"conflictType": "friends"})["id"])
    daemon.restart()
    assert len(kept) == len({daemon.call("journal.get", {"id": id})["id"] for id in kept})


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount")
def test_a_disk_that_turns_read_only_is_named(daemon_factory, tmp_path):
    image, disk = tmp_path / "image", tmp_path / "disk"
    disk.mkdir()
    image.write_bytes(b"")
    os.truncate(image, 24 << 20)
    made = shutil.which("mkfs.ext4") and not subprocess.run(["mkfs.ext4", "-q", "-F", image]).returncode
    if not made or subprocess.run(["mount", "-o", "loop,errors=continue", image, disk], capture_output=True).returncode:
        pytest.skip("no file system can be mounted here")
    daemon = daemon_factory()
    try:
        daemon.data = disk / "data"
        daemon.start()
        kept = daemon.call("journal.create", {"conflictType": "friends"})["id"]
        # As the kernel does when it finds the disk at fault.
        if subprocess.run(["mount", "-o", "remount,abort", disk], capture_output=True).returncode:
            pytest.skip("the disk cannot be made to fail here")
        for _ in range(2):
            assert daemon.fail("journal.create", {"conflictType": "friends"})["data"]["messageKey"] == "error.storage.read_only"
        assert daemon.call("system.info")["state"] == "read_only"
        assert daemon.call("journal.get", {"id": kept})["id"] == kept
        daemon.wait_told("STATUS=the disk is read-only")
    finally:
        daemon.kill9()
        subprocess.run(["umount", "-l", disk])


def test_a_newer_schema_is_refused_untouched(daemon_factory):
    daemon = daemon_factory()
    filled(daemon, 1)
    with sqlite3.connect(daemon.data / "kindverb.db") as database:
        database.execute("PRAGMA user_version = 9999")
    database.close()
    log = refused(daemon, NEWER)
    assert "9999" in log


def test_another_programs_database_is_refused_untouched(daemon_factory):
    daemon = daemon_factory()
    filled(daemon, 1)
    with sqlite3.connect(daemon.data / "kindverb.db") as database:
        database.execute("PRAGMA application_id = 7")
    database.close()
    refused(daemon, DAMAGED)


@pytest.mark.parametrize("mode", [0o755, 0o750, 0o707, 0o777])
def test_a_data_directory_open_to_others(daemon_factory, mode):
    daemon = daemon_factory()
    filled(daemon, 1)
    daemon.data.chmod(mode)
    log = refused(daemon, PERMISSION)
    assert str(daemon.data) in log


def test_a_data_directory_that_is_a_file(daemon_factory):
    daemon = daemon_factory()
    daemon.data.write_text("x")
    status, log = daemon.refuses_to_start()
    assert status == PERMISSION and str(daemon.data) in log and daemon.data.read_text() == "x"


@pytest.mark.skipif(os.geteuid() != 0, reason="needs another user, which only root can become")
def test_a_data_directory_of_another_user(daemon_factory):
    daemon = daemon_factory()
    filled(daemon, 1)
    os.chown(daemon.data, 1, 1)
    refused(daemon, PERMISSION)


@pytest.mark.skipif(os.geteuid() != 0, reason="mounts a file system")
def test_a_read_only_data_directory(daemon_factory, mounted):
    daemon = daemon_factory()
    mounted(daemon.data, "size=16m")
    filled(daemon, 1)
    subprocess.run(["mount", "-o", "remount,ro", daemon.data], check=True)
    status, log = daemon.refuses_to_start()
    assert status == PERMISSION and str(daemon.data) in log


@pytest.fixture
def mounted():
    """Mounts small file systems, and takes them away again."""
    places = []

    def mount(path, options):
        path.mkdir(mode=0o700, exist_ok=True)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", f"mode=700,{options}", "tmpfs", path]).returncode != 0:
            pytest.skip("cannot mount here")
        places.append(path)

    yield mount
    for path in places:
        subprocess.run(["umount", "-l", path])


@pytest.mark.skipif(os.geteuid() != 0, reason="mounts a file system")
def test_a_full_disk_is_survived_and_recovered_from(daemon_factory, mounted):
    daemon = daemon_factory()
    mounted(daemon.data, "size=4m")
    daemon.start()
    filler = daemon.data / "filler"
    stored = []
    with daemon.connect() as connection:
        stored.append(connection.call("journal.create", {"conflictType": "friends", "situationText": "before"})["id"])
        fill(filler)
        error = None
        for _ in range(2000):
            reply = connection.ask("journal.create", {"conflictType": "friends", "situationText": "x" * 500})
            if "error" in reply:
                error = reply["error"]
                break
            stored.append(reply["result"]["id"])
        assert error and error["code"] == -32005 and error["data"]["messageKey"] == "error.storage.full", error
        assert error["data"]["retriable"] is True
        assert connection.is_quiet()
        assert len(connection.call("journal.list", {"limit": 200})["items"]) == min(200, len(stored))
        assert connection.call("system.info")["state"] == "storage_full"
        filler.unlink()
        stored.append(connection.call("journal.create", {"conflictType": "friends", "situationText": "after"})["id"])
        assert connection.call("system.info")["state"] == "ready"
    daemon.restart()
    for ident in stored:
        assert daemon.call("journal.get", {"id": ident})["id"] == ident


@pytest.mark.skipif(os.geteuid() != 0, reason="mounts a file system")
def test_an_answer_that_found_the_disk_full_can_be_kept_later(daemon_factory, mounted):
    daemon = daemon_factory()
    mounted(daemon.data, "size=4m")
    daemon.start()
    with Person(daemon, "journal", "new") as person, daemon.connect() as connection:
        person.until(ENGLISH["questions"][0])
        fill(daemon.data / "filler")
        while "error" not in connection.ask("journal.create", {"conflictType": "friends", "situationText": "x" * 500}):
            pass
        person.until("> ")
        person.type("y" * 500 + "\n\n")
        person.until("not kept yet")
        (daemon.data / "filler").unlink()
        person.type("\n")
        person.until(ENGLISH["questions"][1])
        person.until("> ")
        person.type("\x04")
        assert person.end()[0] == 0
    assert daemon.call("journal.resume")["journal"]["situationText"] == "y" * 500


def fill(path):
    with open(path, "wb", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * 4096)
        except OSError:
            pass


@pytest.mark.skipif(os.geteuid() != 0, reason="mounts a file system")
def test_a_disk_that_is_full_at_the_start(daemon_factory, mounted):
    daemon = daemon_factory()
    mounted(daemon.data, "size=1m")
    fill(daemon.data / "filler")
    status, log = daemon.refuses_to_start()
    assert status == INOUT and str(daemon.data) in log
    assert not (daemon.data / "kindverb.db").exists()
    (daemon.data / "filler").unlink()
    daemon.start()
    assert daemon.call("system.info")["state"] == "ready"


HOLDER = """
import sqlite3, sys
database = sqlite3.connect(sys.argv[1], timeout=0, isolation_level=None)
database.execute("BEGIN EXCLUSIVE"); database.execute("SELECT count(*) FROM journal").fetchone()
print("held", flush=True); sys.stdin.read()
"""


def test_another_program_that_holds_the_database(daemon_factory):
    daemon = daemon_factory()
    filled(daemon, 1)
    holder = subprocess.Popen(["/usr/bin/python3", "-c", HOLDER, str(daemon.data / "kindverb.db")],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        assert holder.stdout.readline() == b"held\n"
        status, log = daemon.refuses_to_start()
        assert status == BUSY and str(daemon.data) in log
    finally:
        holder.stdin.close()
        holder.wait()
    daemon.start()
    assert len(daemon.call("journal.list")["items"]) == 1


def test_outside_readers_find_it_locked_and_harm_nobody(daemon):
    """While the daemon runs it alone has the database; another program is told so at once, and the daemon goes on."""
    daemon.call("journal.create", {"conflictType": "friends"})
    outside = sqlite3.connect(f"file:{daemon.data / 'kindverb.db'}?mode=ro", uri=True, timeout=0)
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        outside.execute("SELECT * FROM journal").fetchall()
    outside.close()
    daemon.call("journal.create", {"conflictType": "friends"})
    daemon.restart()
    assert len(daemon.call("journal.list")["items"]) == 2


def test_fifty_clients_write_at_once(daemon):
    failures, clients, writes = [], 50, 20

    def write():
        try:
            with daemon.connect(timeout=60) as connection:
                for _ in range(writes):
                    connection.call("journal.create", {"conflictType": "friends"}, timeout=60)
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=write) for _ in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    stats = daemon.call("system.stats")
    assert stats["requests"] >= clients * writes and stats["commits"] < clients * writes


def test_a_batch_cut_by_kill_9_leaves_whole_journals(daemon, answers):
    with daemon.connect() as connection:
        items = [{"jsonrpc": "2.0", "id": n, "method": "letter.compose", "params": answers} for n in range(100)]
        connection.send(json.dumps(items).encode() + b"\n")
        time.sleep(0.005)
        daemon.kill9()
        replies = []
        try:
            line = connection.line()
            replies = json.loads(line) if line.endswith(b"\n") else []
        except ConnectionResetError:
            pass
    daemon.start()
    journals = daemon.call("journal.list", {"limit": 200})["items"]
    letters = daemon.call("letter.list", {"limit": 200})["items"]
    assert sorted(j["id"] for j in journals) == sorted(x["journalId"] for x in letters)
    assert {r["result"]["journal"]["id"] for r in replies} <= {j["id"] for j in journals}
    assert all(j["status"] == "completed" for j in journals)


def test_backup(daemon, tmp_path):
    ids = [daemon.call("journal.create", {"conflictType": "friends"})["id"] for _ in range(3)]
    made = daemon.call("system.backup")
    path = pathlib.Path(made["path"])
    assert path.stat().st_mode & 0o777 == 0o600 and path.stat().st_size == made["bytes"]
    elsewhere = tmp_path / "copy.db"
    daemon.call("system.backup", {"path": str(elsewhere)})
    assert daemon.fail("system.backup", {"path": str(elsewhere)})["data"]["messageKey"] == "error.system.backup_exists"
    for nowhere in (tmp_path / "nowhere/x.db", tmp_path / "no/such/dir/x.db", elsewhere / "x.db"):
        for options in ({}, {"_meta": {"dryRun": True}}):
            data = daemon.fail("system.backup", {"path": str(nowhere), **options})["data"]
            assert data["messageKey"] == "error.system.backup_failed" and data["field"] == "path"
    assert not (tmp_path / "nowhere").exists()
    for copy in (path, elsewhere):
        database = sqlite3.connect(copy)
        assert [row[0] for row in database.execute("SELECT uuid FROM journal ORDER BY id")] == ids
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        database.close()


def test_a_backup_can_take_the_stores_place(daemon):
    made = daemon.call("journal.create", {"conflictType": "friends"})
    backup = daemon.call("system.backup")["path"]
    daemon.call("journal.delete", {"id": made["id"]})
    daemon.stop()
    for name in ("kindverb.db", "kindverb.db-wal", "kindverb.mark", "kindverb.seal"):
        (daemon.data / name).unlink(missing_ok=True)
    shutil.copy(backup, daemon.data / "kindverb.db")
    os.chmod(daemon.data / "kindverb.db", 0o600)
    daemon.start()
    assert daemon.call("journal.get", {"id": made["id"]})["id"] == made["id"]


def test_an_error_inside_is_in_the_log_under_the_number_that_was_told(daemon_factory):
    """Its type and code, and nothing of what was written, nor of what the database has to say."""
    daemon = daemon_factory()
    filled(daemon, 1)
    with sqlite3.connect(daemon.data / "kindverb.db") as database:
        database.execute("CREATE TRIGGER t BEFORE INSERT ON journal BEGIN SELECT RAISE(ABORT, 'Geheimnis'); END")
    database.close()
    daemon.start()
    error = daemon.fail("journal.create", {"conflictType": "friends", "situationText": "Vergissmeinnicht"})
    assert error["data"]["messageKey"] == "error.storage.failed"
    number = re.fullmatch(r"request-(\d+)", error["data"]["reason"]).group(1)
    lines = [line for line in daemon.log().splitlines() if re.search(rf"\brequest-{number}\b", line)]
    assert len(lines) == 1 and "journal.create" in lines[0] and "SQLite 1811" in lines[0]
    assert "Geheimnis" not in daemon.log() + json.dumps(error) and "Vergissmeinnicht" not in daemon.log() + json.dumps(error)


def test_seven_backups_are_kept_and_push_out_none_of_another_kind(daemon_factory):
    daemon = daemon_factory()
    filled(daemon, 1)
    others = {f"kindverb-{kind}2020010{day}T000000Z.db" for kind in ("", "upgrade-") for day in range(1, 6)}
    (daemon.data / "backups").mkdir(mode=0o700)
    for name in others:
        (daemon.data / "backups" / name).touch()
    daemon.start()
    last = daemon.call("system.stats")["lastBackupAt"]
    seen = set()
    for _ in range(9):
        path = daemon.call("system.backup")["path"]
        assert path not in seen
        seen.add(path)
        second = int(time.time())
        harness.until(lambda: int(time.time()) > second, 2, what="the next second")
    kept = {path.name for path in (daemon.data / "backups").iterdir()}
    assert others < kept and len(kept - others) == daemon.call("system.info")["limits"]["backupsKept"] == 7
    assert last and daemon.call("system.stats")["lastBackupAt"] == last, "the newest daily one is the one of before"


@pytest.mark.figures
def test_memory_comes_back_after_a_burst(daemon):
    with daemon.connect() as connection:
        assert connection.is_quiet()
        for number in range(50):
            connection.call("journal.create", {"conflictType": "friends", "situationText": "x" * 500, "hurtText": str(number)})
        before = harness.memory(daemon.pid)
        page = b'{"jsonrpc":"2.0","id":1,"method":"journal.list","params":{"limit":200}}\n'
        for _ in range(100):
            connection.send(page * 200)
            for _ in range(200):
                connection.line()
        junk = b'{"jsonrpc":"2.0","id":1,"method":"x","params":["' + b"x" * 900_000 + b'"]}\n'
        for _ in range(200):
            connection.send(junk)
            connection.line()

        def is_back():
            return harness.memory(daemon.pid)[0] <= before[0] * 1.5

        harness.until(is_back, 10, every=0.2, what=f"memory of {before}, now {harness.memory(daemon.pid)}")
        stats = connection.call("system.stats")["memory"]
        rss, anonymous = harness.memory(daemon.pid)
        assert abs(stats["rssBytes"] - rss) < 2 << 20 and abs(stats["anonymousBytes"] - anonymous) < 2 << 20


@pytest.mark.figures
@pytest.mark.long
def test_nothing_to_do_means_no_system_call(daemon):
    daemon.call("journal.create", {"conflictType": "friends"})
    harness.until(lambda: daemon.call("system.stats")["connections"] == 1, what="quiet")
    time.sleep(2.5)

    def switches():
        text = pathlib.Path(f"/proc/{daemon.pid}/task/{daemon.pid}/status").read_text()
        return int(text.split("voluntary_ctxt_switches:")[1].split()[0])

    before = switches()
    time.sleep(10)
    assert switches() == before
