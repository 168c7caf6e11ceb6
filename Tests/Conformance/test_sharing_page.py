"""Protocol/firestore/: its files say the same as each other, and both pages show a letter until it expires and never as markup."""

import datetime
import http.client
import http.server
import importlib.util
import json
import re
import shutil
import subprocess
import threading
import types

import pytest

import firestore
import test_standin_firestore as cases

pytestmark = pytest.mark.tools
FOLDER = firestore.FOLDER
LETTER = "<b>Hi Sam</b> & co,\n\n안녕 \U0001f642"


def test_the_files_fit_each_other():
    page = (FOLDER / "README.md").read_text()
    listed = json.loads((FOLDER / "firestore.indexes.json").read_text())["fieldOverrides"]
    rules = (FOLDER / "firestore.rules").read_text()
    fields = set(re.findall(r"'(\w+)'", rules.split("hasOnly([")[1].split("]")[0]))
    assert {each["fieldPath"] for each in listed} == fields
    assert fields == set(re.findall(r"^\| `(\w+)` \| (?:string|timestamp|integer)", page, re.MULTILINE))
    assert [each["fieldPath"] for each in listed if each.get("ttl")] == ["expireAt"]
    assert all(each["collectionGroup"] == "letters" and each["indexes"] == [] for each in listed)
    config = json.loads((FOLDER / "firebase.json").read_text())
    for name in config["firestore"].values():
        assert (FOLDER / name).is_file()
    told = set(re.findall(r"`((?:viewer/)?[\w.]+\.(?:rules|json|html|py))`", page))
    there = {str(path.relative_to(FOLDER)) for path in FOLDER.rglob("*") if path.suffix in (".rules", ".json", ".html", ".py")}
    assert there <= told, there - told


@pytest.mark.parametrize("whole", [False, True])
def test_the_configuration_it_shows_is_taken(daemon_factory, whole):
    """As it stands, and with the lines that are commented out."""
    shown = re.search(r"```json5\n(.*?)```", (FOLDER / "README.md").read_text(), re.DOTALL)[1]
    daemon = daemon_factory()
    key = daemon.root / "firestore-key"
    key.write_text("AIza-a-key-of-the-tests\n")
    key.chmod(0o600)
    if whole:
        shown, count = re.subn(r"^( *)// (?=\w+: )", r"\1", shown, flags=re.MULTILINE)
        shown = shown.replace("/home/me/.config/kindverb/firestore-key", str(key))
        assert count == 2 and str(key) in shown
    daemon.config.write_text(shown)
    consent = daemon.start().call("share.consent.get")
    assert consent["configured"] and not consent["granted"]
    assert (consent["host"], consent["linkBase"]) == ("firestore.googleapis.com", "https://letters.example.org")


# The page for readable rules.


def in_node(certificates, expression):
    """What an expression of letter.js comes to."""
    script = f"const {{letterOf, wordsFor}} = require({json.dumps(str(FOLDER / 'viewer/letter.js'))});" \
             f"(async () => console.log(JSON.stringify(await ({expression}))))()"
    done = subprocess.run(
        ["node", "-e", script], env={"PATH": "/usr/bin:/bin:/usr/local/bin", "NODE_EXTRA_CA_CERTS": str(certificates.trusted)},
        capture_output=True, text=True, timeout=30)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.skipif(not shutil.which("node"), reason="node is not installed")
@pytest.mark.parametrize("rules", firestore.RULES)
def test_the_static_page(certificates, rules):
    with firestore.Firestore(certificates, rules=rules, clock=lambda: cases.NOW) as store:
        id = cases.new_id()
        assert cases.ask(store, cases.body(id, LETTER, language="ko"))[0] == 200

        def looked(id, days=0.0, url=store.url):
            now = (cases.NOW + days * 86400) * 1000
            return in_node(certificates, f"letterOf({json.dumps(id)}, 'kindverb-tests', {json.dumps(url)}, {now})")

        if rules == "createOnly":
            assert looked(id) == {"problem": "gone"}, "these rules let nobody read"
            return
        assert looked(id) == {"content": LETTER, "language": "ko"}
        assert looked(id, days=8) == {"problem": "gone"}, "expired, though the policy has not deleted it"
        assert looked(cases.new_id()) == {"problem": "gone"}
        before = len(store.requests)
        assert looked("../settings/a") == looked(id.upper()) == {"problem": "gone"} and len(store.requests) == before
        store.then(firestore.unavailable(), firestore.exhausted())
        assert looked(id) == looked(id) == {"problem": "later"}
        assert looked(id, url="https://127.0.0.1:9") == {"problem": "later"}


@pytest.mark.skipif(not shutil.which("node"), reason="node is not installed")
def test_the_static_page_in_the_readers_language(certificates):
    assert [in_node(certificates, f"wordsFor({json.dumps(languages)})")["language"] for languages in (
        ["ko-KR", "en"], ["fr", "ja"], ["zh-CN"], ["fr"], [])] == ["ko", "ja", "zh-Hans", "en", "en"]


def test_the_static_page_writes_text_and_no_markup():
    script = (FOLDER / "viewer/letter.js").read_text()
    assert "textContent" in script and not re.search(r"innerHTML|insertAdjacent|document\.write|eval\(", script)
    assert "YOUR-PROJECT" in (FOLDER / "viewer/index.html").read_text()


# The page for strict rules.


class Store:
    """The part of google.cloud.firestore.Client that reads one document."""

    def __init__(self, documents):
        self.documents, self.asked = documents, []

    def collection(self, name):
        assert name == "letters"
        return self

    def document(self, id):
        self.asked.append(id)
        return types.SimpleNamespace(get=lambda: types.SimpleNamespace(
            exists=id in self.documents, get=lambda field: self.documents[id][field], to_dict=lambda: self.documents[id]))


@pytest.fixture
def viewer():
    spec = importlib.util.spec_from_file_location("viewer_server", FOLDER / "viewer/server.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), module.Viewer)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield module.Viewer, server.server_port
    server.shutdown()
    thread.join()
    server.server_close()


def test_the_server(viewer, capfd):
    handler, port = viewer
    now = datetime.datetime.now(datetime.timezone.utc)
    there, expired = cases.new_id(), cases.new_id()
    handler.store = Store({
        there: {"content": LETTER, "language": "ko", "expireAt": now + datetime.timedelta(minutes=1)},
        expired: {"content": LETTER, "language": "ko", "expireAt": now - datetime.timedelta(seconds=1)}})

    def looked(path, method="GET"):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        connection.request(method, path)
        response = connection.getresponse()
        assert response.headers["Cache-Control"] == "no-store" and response.headers["Referrer-Policy"] == "no-referrer"
        return response.status, response.read().decode()

    status, page = looked(f"/letter/{there}?utm=1")
    assert status == 200 and "&lt;b&gt;Hi Sam&lt;/b&gt; &amp; co,\n\n안녕 \U0001f642" in page and 'lang="ko"' in page and "<b>" not in page
    assert looked(f"/letter/{there}", "HEAD") == (200, "")
    for path in f"/letter/{expired}", f"/letter/{cases.new_id()}":
        assert looked(path)[0] == 404
    asked = len(handler.store.asked)
    for path in "/", "/letter/", f"/letter/{there.upper()}", f"/letter/{there}/x", "/letter/..%2F..", f"/letters/{there}":
        status, page = looked(path)
        assert status == 404 and "Hi Sam" not in page
    assert len(handler.store.asked) == asked
    assert there not in "".join(capfd.readouterr())
