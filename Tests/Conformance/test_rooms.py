"""The house's rooms: a target imports what the manifest says and nothing else, and no file outgrows its reader."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "Sources"
# What comes with the language and the system; everything else is a room or a shim.
LANGUAGE = {"Swift", "Glibc", "Foundation", "FoundationEssentials", "Synchronization", "PackagePlugin", "Dispatch"}
SHIMS = {"CCurl", "CLinux", "COpenSSL", "CSQLite", "CSystemd", "CSystemdEvent"}
DOMAINS = {"KindVerb", "PulseLog"}


def declared():
    """Every target with what the manifest lets it import."""
    manifest = (ROOT / "Package.swift").read_text()
    targets = {}
    for name, dependencies in re.findall(r'room\(\s*"(\w+)"(?:,\s*\[([^\]]*)\])?', manifest):
        targets[name] = set(re.findall(r'"(\w+)"', dependencies))
    for name, dependencies in re.findall(r'\.executableTarget\(name: "(\w+)", dependencies: \[([^\]]*)\], swiftSettings', manifest):
        targets[name] = set(re.findall(r'"(\w+)"', dependencies))
    return targets


def imported(target):
    found = set()
    for file in (SOURCES / target).rglob("*.swift"):
        found |= set(re.findall(r"^(?:@\S+ )*import (?:\w+ )?(\w+)", file.read_text(), re.MULTILINE))
    return found - LANGUAGE


TARGETS = declared()


def test_every_folder_is_a_target():
    swift = {folder.name for folder in SOURCES.iterdir() if any(folder.rglob("*.swift"))} - {"ContractPlugin"}
    assert swift == set(TARGETS)


@pytest.mark.parametrize("target", sorted(TARGETS))
def test_a_target_imports_what_it_declares(target):
    assert imported(target) == TARGETS[target]


def test_a_shim_has_one_user():
    users = {shim: [target for target in TARGETS if shim in imported(target)] for shim in SHIMS}
    assert all(len(targets) == 1 for targets in users.values()), users


def test_who_may_not_know_whom():
    for domain in DOMAINS:
        assert not imported(domain) & (DOMAINS - {domain}) and not imported(domain) & {"Daemon", "RPCServer", "EventLoop"}
    # Reminders wait on the loop; what they remind of, and how it is shown, they are told.
    assert not imported("Reminders") & (DOMAINS | {"Daemon", "RPCServer", "Systemd"})
    assert not imported("Commands") & (DOMAINS | SHIMS | {"Reminders"} | {"SQLite", "Storage", "Daemon", "RPCServer", "EventLoop"})
    everyone = {target for target in TARGETS if "KindVerb" in TARGETS[target]}
    assert everyone == {"Daemon"}, "only the composition root knows everyone"


def test_no_file_outgrows_its_reader():
    long = {str(file.relative_to(ROOT)): count for folder in ("Sources", "Tests") for file in (ROOT / folder).rglob("*.swift")
            if (count := len(file.read_text().splitlines())) > 400}
    assert not long
