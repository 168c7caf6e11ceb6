"""Where Google's own emulator of Firestore is installed, it and the Firestore of the tests say the same of every commit, and the rules
that are shipped load in it. It is the Debian package google-cloud-cli-firestore-emulator of Google's, and needs Java."""

import http.client
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import time

import pytest

import bus
import firestore
import harness
import test_standin_firestore as cases
from certificates import Certificates

JAR = pathlib.Path(os.environ.get(
    "FIRESTORE_EMULATOR", "/usr/lib/google-cloud-sdk/platform/cloud-firestore-emulator/cloud-firestore-emulator.jar"))
DOCUMENTS = cases.COMMIT.removesuffix(":commit")

pytestmark = [
    pytest.mark.tools,
    pytest.mark.skipif(not (JAR.exists() and shutil.which("java")), reason="Google's emulator is not installed")]


class Emulator:
    """Google's, with rules of ours."""

    def __init__(self, rules, folder):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.log = folder / "log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                ["java", "-Duser.language=en", "-cp", JAR, "com.google.cloud.datastore.emulator.firestore.CloudFirestore",
                 "--host", "127.0.0.1", "--port", str(self.port), "--rules", rules], cwd=folder, stdout=log, stderr=log)
        harness.until(self.answers, seconds=60, what="the emulator's first answer")

    def answers(self):
        assert self.process.poll() is None, self.log.read_text()
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
            return True
        except OSError:
            return False

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)


@pytest.fixture(params=sorted(firestore.RULES))
def pair(request, tmp_path):
    """Google's and ours, with the same rules and the same clock."""
    emulator = Emulator(firestore.RULES[request.param], tmp_path)
    with firestore.Firestore(Certificates(tmp_path), rules=request.param) as store:
        yield emulator, store
    bus.end(emulator.process)


def same(pair, body, **how):
    """What both answer: the status and its name."""
    emulator, store = pair
    theirs, ours = cases.asked(emulator.connect(), body, **how), cases.ask(store, body, **how)
    assert theirs[:2] == ours[:2], (body, how, theirs, ours)
    return ours[0]


def test_they_say_the_same(pair, monkeypatch):
    monkeypatch.setattr(cases, "NOW", time.time())
    every_case(pair)
    what_is_there(pair)
    what_a_character_is(pair)
    the_page_of_an_account(pair)


def every_case(pair):
    # The emulator makes every database that is asked for; and two cases have a time that is fixed.
    left_out = {"another database", "expires at once", "a zone of its own"}
    every = {**cases.DENIED, **cases.ALLOWED, **cases.INVALID}
    assert left_out < set(every)
    statuses = [same(pair, cases.changed(change)) for name, change in every.items() if name not in left_out]
    assert {200, 400, 403} == set(statuses)


def what_is_there(pair):
    """Created, created again, changed, read and deleted: in one order, since each meets what those before have left."""
    id = cases.new_id()
    loose = cases.body(id)
    del loose["writes"][0]["currentDocument"]
    assert [same(pair, body) for body in (
        cases.body(id), cases.body(id), cases.body(id, "another"), cases.body(id, days=40), loose,
        {"writes": cases.body()["writes"] + cases.body(days=40)["writes"]})] == [200, 409, 409, 403, 403, 403]
    path, other = f"{DOCUMENTS}/letters/{id}", f"{DOCUMENTS}/letters/{cases.new_id()}"
    for method, path, body in [
            ("GET", path, None), ("GET", path + "?mask.fieldPaths=createdAt", None), ("GET", other, None),
            ("GET", f"{DOCUMENTS}/letters", None), ("DELETE", path, None), ("PATCH", path, {"fields": {}}),
            ("POST", f"{DOCUMENTS}/letters?documentId={cases.new_id()}", {"fields": {}})]:
        same(pair, body, path=path, method=method)


def what_a_character_is(pair):
    """UTF-16 units, which the documentation does not say."""
    texts = {"a" * 9999: 200, "a" * 10000: 403, "\U0001f600" * 4999: 200, "\U0001f600" * 5000: 403, "\uac00" * 9999: 200}
    for text, status in texts.items():
        assert same(pair, cases.body(content=text)) == status, len(text)


def the_page_of_an_account(pair):
    """Protocol/firestore/viewer/server.py with Google's client, which reads whatever the rules say."""
    emulator, _ = pair
    id = cases.new_id()
    assert cases.asked(emulator.connect(), cases.body(id, "<i>안녕</i>", language="ko"))[0] == 200
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    page = subprocess.Popen([sys.executable, firestore.FOLDER / "viewer/server.py"], env={
        "PATH": os.environ["PATH"], "PORT": str(port), "GOOGLE_CLOUD_PROJECT": "kindverb-tests",
        "FIRESTORE_EMULATOR_HOST": f"127.0.0.1:{emulator.port}"})
    try:
        def looked(id):
            assert page.poll() is None
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
            try:
                connection.request("GET", f"/letter/{id}")
            except ConnectionRefusedError:
                return None
            response = connection.getresponse()
            return response.status, response.read().decode()

        status, text = harness.until(lambda: looked(id), what="the page")
        assert status == 200 and "&lt;i&gt;안녕&lt;/i&gt;" in text
        assert looked(cases.new_id())[0] == 404
    finally:
        bus.end(page)
