"""A systemd user manager of its own for an ordinary user: its own /run, home and control group, all gone afterwards."""

import os
import pathlib
import pwd
import shutil
import subprocess
import tempfile
import time

import harness

SYSTEMD = "/lib/systemd/systemd"
SCRIPT = r"""
set -eu
mount -t tmpfs -o mode=755 tmpfs /run
# What the system's own manager provides to those of users.
mkdir -p /run/systemd/system /run/systemd/unit-root /run/credentials /run/user
mkdir -m 700 /run/user/$LAB_UID
mount --bind "$LAB/run" /run/user/$LAB_UID
for controller in /sys/fs/cgroup/systemd /sys/fs/cgroup/unified /sys/fs/cgroup; do
  [ -e $controller/cgroup.procs ] || continue
  mkdir -p $controller/$LAB_NAME
  chown -R $LAB_UID $controller/$LAB_NAME
  echo $$ > $controller/$LAB_NAME/cgroup.procs || true
done
exec setpriv --reuid $LAB_UID --regid $LAB_GID --clear-groups \
  env -i PATH="$PATH" HOME="$LAB_HOME" XDG_RUNTIME_DIR=/run/user/$LAB_UID LANG=C.UTF-8 \
  $SYSTEMD --user --log-target=console --log-level=info
"""


class UserManager:
    """`systemd --user`, run as the system's user `games`."""

    def __init__(self):
        self.user = pwd.getpwnam("games")
        self.uid, self.gid = self.user.pw_uid, self.user.pw_gid
        self.lab = pathlib.Path(tempfile.mkdtemp(prefix="kv-lab-", dir="/var/lib"))
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="kv-lab-", dir="/home"))
        self.run = self.lab / "run"
        self.run.mkdir(mode=0o700)
        self.units = self.home / ".config/systemd/user"
        self.data = self.home / ".local/share/kindverb"
        self.socket = self.run / "kindverb/kindverbd.sock"
        self.units.mkdir(parents=True)
        self.lab.chmod(0o755)
        self.log_path = self.lab / "log"
        # Some systems forbid them, and no process in a chroot may make one.
        probe = ["setpriv", f"--reuid={self.uid}", f"--regid={self.gid}", "--clear-groups", "unshare", "--user", "true"]
        self.has_user_namespaces = subprocess.run(probe, capture_output=True, cwd="/").returncode == 0
        self.install()
        subprocess.run(["chown", "-R", f"{self.uid}:{self.gid}", self.run, self.home], check=True)
        self.environment = {
            "LAB": str(self.lab), "LAB_UID": str(self.uid), "LAB_GID": str(self.gid), "LAB_HOME": str(self.home),
            "LAB_NAME": self.lab.name, "SYSTEMD": SYSTEMD, "PATH": os.environ["PATH"]}
        self.process = self.launch()

    def install(self):
        """The units as `make install` would lay them, and the program where the user can run it."""
        (self.lab / "bin").mkdir()
        shutil.copy(harness.binary("kindverbd"), self.lab / "bin/kindverbd")
        source = harness.ROOT / "systemd"
        for path in source.rglob("kindverbd.*"):
            if path.is_file():
                (self.units / path.name).write_text(path.read_text().replace("@PREFIX@", str(self.lab)))
        self.strict = self.units / "kindverbd.service.d/strict.conf"
        self.strict.parent.mkdir()
        self.set_strict(True)

    def set_strict(self, wanted):
        """With or without the drop-in, which the unit's text says to remove where user namespaces are forbidden."""
        if wanted and self.has_user_namespaces:
            shutil.copy(harness.ROOT / "systemd/kindverbd.service.d/strict.conf", self.strict)
        else:
            self.strict.unlink(missing_ok=True)

    def launch(self):
        (self.run / "systemd/private").unlink(missing_ok=True)
        with open(self.log_path, "ab") as log:
            for options in ([], ["--propagation", "unchanged"]):
                process = subprocess.Popen(["unshare", "--mount", *options, "bash", "-c", SCRIPT], env=self.environment,
                                           stdin=subprocess.DEVNULL, stdout=log, stderr=log)
                end = time.monotonic() + 15
                while process.poll() is None and time.monotonic() < end:
                    if (self.run / "systemd/private").exists():
                        return process
                    time.sleep(0.05)
                process.kill()
                process.wait()
        raise RuntimeError(f"no user manager here: {self.log()}")

    def log(self):
        return self.log_path.read_text(errors="replace")

    def daemon_log(self):
        """What the daemon wrote to standard error, once `log_to_file` said so."""
        path = self.run / "stderr"
        return path.read_text(errors="replace") if path.exists() else ""

    def inside(self, *arguments, check=True, timeout=60):
        """Runs a program as the user, inside the manager's namespace."""
        result = subprocess.run(
            ["nsenter", "-t", str(self.process.pid), "-m", "-r", "setpriv", "--reuid", str(self.uid), "--regid", str(self.gid),
             "--clear-groups", "env", "-i", f"PATH={os.environ['PATH']}", f"HOME={self.home}",
             f"XDG_RUNTIME_DIR=/run/user/{self.uid}", "LANG=C.UTF-8", *map(str, arguments)],
            capture_output=True, text=True, timeout=timeout, cwd="/")
        assert not check or result.returncode == 0, (arguments, result, self.log()[-3000:])
        return result.stdout

    def systemctl(self, *arguments, check=True):
        return self.inside("systemctl", "--user", *arguments, check=check)

    def show(self, unit, *names):
        text = self.systemctl("show", unit, "-p", ",".join(names))
        values = dict(line.split("=", 1) for line in text.splitlines())
        return values[names[0]] if len(names) == 1 else values

    def dropin(self, unit, text, name="test"):
        directory = self.units / f"{unit}.d"
        directory.mkdir(exist_ok=True)
        (directory / f"{name}.conf").write_text(text)
        self.systemctl("daemon-reload")

    def drop_dropin(self, unit, name="test"):
        (self.units / f"{unit}.d" / f"{name}.conf").unlink(missing_ok=True)
        self.systemctl("daemon-reload")

    def connect(self):
        """A connection as the user: the daemon sees who it was at connect(2)."""
        os.setegid(self.gid)
        os.seteuid(self.uid)
        try:
            return harness.Connection(self.socket)
        finally:
            os.seteuid(0)
            os.setegid(0)

    def call(self, method, params=None):
        with self.connect() as connection:
            return connection.call(method, params)

    @property
    def pid(self):
        return int(self.show("kindverbd.service", "MainPID"))

    def stop(self):
        """Ends the manager as the end of the user's last session does."""
        self.process.terminate()
        harness.ends_within(self.process, 30)

    def close(self):
        try:
            self.stop()
        finally:
            if self.process.poll() is None:
                self.process.kill()
            for place in (self.lab, self.home):
                shutil.rmtree(place, ignore_errors=True)
            for controller in ("/sys/fs/cgroup/systemd", "/sys/fs/cgroup/unified", "/sys/fs/cgroup"):
                group = pathlib.Path(controller) / self.lab.name
                for child in sorted(group.rglob("*"), reverse=True):
                    if child.is_dir():
                        _remove(child)
                _remove(group)


def _remove(directory):
    try:
        directory.rmdir()
    except OSError:
        pass
