"""`doctor`: what it finds, and that its ways out lead out."""

import json
import os
import re

import pytest

import harness


def test_doctor_says_what_is_wrong_and_how_to_mend_it(daemon, kindverb, tmp_path):
    env = {"PATH": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "WAYLAND_DISPLAY": "", "DISPLAY": ""}

    def findings(**more):
        result = kindverb(daemon, "--json", "doctor", env={**env, **more})
        items = json.loads(result.stdout)["items"]
        problems = [item for item in items if not item["ok"]]
        assert (result.returncode in (1, 2)) == bool(problems) and all(item["remedy"] for item in problems), items
        return items, problems

    daemon.run.chmod(0o700)
    assert findings()[1] == []
    data = tmp_path / "kindverb"
    data.mkdir(mode=0o700)
    assert findings()[1] == []
    data.chmod(0o755)
    assert [item["remedy"] for item in findings()[1]] == [f"chmod 700 {data}"]
    data.chmod(0o700)
    (data / "kindverb.db").touch(0o644)
    assert [item["remedy"] for item in findings()[1]] == [f"chmod 600 {data}/kindverb.db"]
    (data / "kindverb.db").unlink()
    daemon.socket.chmod(0o666)
    assert [item["remedy"] for item in findings()[1]] == [f"chmod 600 {daemon.socket}"]
    daemon.socket.chmod(0o600)
    for path in (tmp_path / "none", data, "/x" * 60):
        assert findings(KINDVERB_SOCKET=str(path))[1]
    daemon.stop()
    # There is no systemd on this path, so nothing sends anyone there.
    remedies = [item["remedy"] for item in findings()[0] if item["remedy"]]
    assert any(remedy.startswith("kindverbd ") for remedy in remedies) and not any("systemctl" in remedy for remedy in remedies)
    assert kindverb(daemon, "doctor", env=env).returncode == 2


def test_doctor_reads_the_configuration(daemon, kindverb, tmp_path):
    config = tmp_path / "kindverb" / "config.json5"
    config.parent.mkdir()
    programs = tmp_path / "bin"
    programs.mkdir()
    os.symlink(harness.binary("kindverbd"), programs / "kindverbd")
    for text, is_good in (("{language: 'ko'}", True), ("{language: 'xx'}", False), ("{", False)):
        config.write_text(text)
        items = json.loads(kindverb(daemon, "--json", "doctor", env={"XDG_CONFIG_HOME": str(tmp_path), "PATH": str(programs)}).stdout)["items"]
        found = [item for item in items if str(config) in item["finding"]]
        assert [item["ok"] for item in found] == [is_good] and (is_good or str(config) in found[0]["remedy"])
        assert "<3>" not in found[0]["finding"] and (is_good or "language" in found[0]["finding"] or text == "{")


@pytest.mark.parametrize("kind", ["elsewhere", "unread", "namespaces", "failed"])
def test_doctors_ways_out_do_not_lead_in_a_circle(kindverb, tmp_path, kind):
    """Stand-ins for systemctl and an installation whose service cannot start."""
    home = tmp_path / "home"
    place = home / ".local" / ("lib" if kind == "elsewhere" else "share") / "systemd" / "user"
    place.mkdir(parents=True)
    (place / "kindverbd.socket").touch()
    known = kind in ("namespaces", "failed")
    status = {"namespaces": 226, "failed": 75}.get(kind, 0)
    systemctl = tmp_path / "systemctl"
    systemctl.write_text(f'''#!/bin/sh
        case "$*" in
        *is-system-running*) echo running;;
        *is-enabled*) echo {"enabled" if known else "not-found"};;
        *is-active*) echo {"failed" if known else "inactive"};;
        *UnitPath*) echo "UnitPath=/etc/systemd/user {home}/.local/share/systemd/user";;
        *ExecMainStatus*) echo "ExecMainStatus={status}";;
        *DropInPaths*) echo "DropInPaths={place}/kindverbd.service.d/strict.conf";;
        *ActiveState*) echo "ActiveState=failed";;
        esac\n''')
    systemctl.chmod(0o755)
    env = {"PATH": f"{tmp_path}:/bin", "HOME": str(home), "XDG_RUNTIME_DIR": str(tmp_path), "KINDVERB_SOCKET": ""}
    result = kindverb(None, "--json", "--language", "en", "doctor", env=env)
    problems = [item for item in json.loads(result.stdout)["items"] if not item["ok"]]
    assert result.returncode == 2
    wanted = {"elsewhere": f"cp -r {place}/kindverbd.*", "unread": "daemon-reload", "namespaces": f"rm {place}/kindverbd.service.d/strict.conf",
              "failed": "journalctl"}[kind]
    assert len(problems) >= 2 and all(wanted in item["remedy"] for item in problems), problems
    assert not any("make install" in item["remedy"] for item in problems)


def test_doctor_asks_systemd(daemon, kindverb, tmp_path):
    """A stand-in for systemctl: what it answers is what doctor says."""
    systemctl = tmp_path / "systemctl"
    env = {"PATH": f"{tmp_path}:/bin", "XDG_DATA_HOME": str(tmp_path)}
    for enabled, active, grade in (("enabled", "active", "good"), ("disabled", "inactive", "note"), ("not-found", "inactive", "note")):
        systemctl.write_text(f'#!/bin/sh\ncase $2 in is-enabled) echo {enabled};; is-active) echo {active};; *) echo running;; esac\n')
        systemctl.chmod(0o755)
        result = kindverb(daemon, "--json", "doctor", env=env)
        unit = [item for item in json.loads(result.stdout)["items"] if re.search("in systemd|systemd units", item["finding"])]
        assert [item["grade"] for item in unit] == [grade] and (unit[0]["remedy"] is None) == (grade == "good")
        assert result.returncode == 0
    # The socket alone: no reminder comes before the first client.
    systemctl.write_text('#!/bin/sh\ncase "$2 $3" in "is-enabled kindverbd.service") echo disabled;; is-enabled*) echo enabled;; '
                         'is-active*) echo active;; *) echo running;; esac\n')
    result = kindverb(daemon, "--json", "--language", "en", "doctor", env=env)
    [note] = [item for item in json.loads(result.stdout)["items"] if "at login" in item["finding"]]
    assert (note["grade"], note["remedy"]) == ("note", "systemctl --user enable --now kindverbd.socket kindverbd.service")
    assert result.returncode == 0
