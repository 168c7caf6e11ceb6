"""The Firestore of the tests speaks what Google's own client understands, keeps what the shipped rules allow, and refuses the rest."""

import copy
import datetime
import http.client
import json
import uuid

import pytest
from google.api_core import exceptions
from google.auth.credentials import AnonymousCredentials
from google.cloud import firestore_v1
from google.cloud.firestore_v1 import types
from google.cloud.firestore_v1.services.firestore.transports import FirestoreRestTransport

import behaviours
import firestore
from firestore_rules import Rules

NOW = 1_790_000_000.5
COMMIT = "/v1/projects/kindverb-tests/databases/(default)/documents:commit"

pytestmark = pytest.mark.tools


@pytest.fixture
def make(certificates):
    made = []

    def make(**options):
        made.append(firestore.Firestore(certificates, **options))
        return made[-1]

    yield make
    for server in made:
        server.close()


@pytest.fixture
def store(make):
    return make(clock=lambda: NOW)


@pytest.fixture
def google(certificates):
    """Google's own client over REST, which believes a server to be Google's."""
    def client(server):
        transport = FirestoreRestTransport(host=f"127.0.0.1:{server.port}", credentials=AnonymousCredentials())
        transport._session.verify = str(certificates.trusted)
        transport._session.trust_env = False
        return firestore_v1.services.firestore.FirestoreClient(transport=transport)
    return client


def new_id():
    return str(uuid.uuid4())


def body(id=None, content="Hi Sam,\n안녕", **more):
    return firestore.commit_body(id or new_id(), content, now=NOW, **more)


def asked(connection, body, path=COMMIT, headers=None, method="POST"):
    """HTTP status, status in the body, and the body."""
    data = body if isinstance(body, (bytes, type(None))) else json.dumps(body).encode()
    connection.request(method, path, data, {"Content-Type": "application/json", **(headers or {})})
    response = connection.getresponse()
    read = response.read()
    connection.close()
    told = json.loads(read) if (response.headers["Content-Type"] or "").startswith("application/json") else read
    return response.status, told.get("error", {}).get("status") if isinstance(told, dict) else None, told


def ask(server, body, path=COMMIT, **how):
    """The same of a server of the tests."""
    connection = http.client.HTTPSConnection("127.0.0.1", server.port, context=server.certificates.context(), timeout=5)
    return asked(connection, body, path, **how)


# What is stored.


def test_a_letter_is_kept_once(store):
    id = new_id()
    status, _, told = ask(store, body(id))
    assert status == 200 and told["commitTime"] == "2026-09-21T14:13:20.500Z"
    assert told["writeResults"] == [{"updateTime": told["commitTime"], "transformResults": [{"timestampValue": told["commitTime"]}]}]
    assert store.letters() == {id: "Hi Sam,\n안녕"} and store.commits == 1
    assert ask(store, body(id))[:2] == (409, "ALREADY_EXISTS")
    assert ask(store, body(id, "another"))[:2] == (409, "ALREADY_EXISTS")
    assert store.letters() == {id: "Hi Sam,\n안녕"} and store.commits == 1 and store.changed() == [id]
    assert ask(store, body(id, "", days=40))[:2] == (403, "PERMISSION_DENIED"), "what would not be allowed is denied first"
    assert store.duplicates() == [] == store.unguarded
    ask(store, body())
    assert store.duplicates() == ["Hi Sam,\n안녕"]
    store.expire(id)
    assert ask(store, body(id))[0] == 200, "after the policy has deleted it, nothing is there"


def test_the_rules_may_answer_before_the_precondition(make):
    store = make(clock=lambda: NOW, mode="403")
    id = new_id()
    assert ask(store, body(id))[0] == 200
    assert ask(store, body(id))[:2] == (403, "PERMISSION_DENIED")
    assert store.commits == 1


def test_what_is_sent_again_after_its_expiry_is_denied_though_it_is_there(make):
    now = [NOW]
    store = make(clock=lambda: now[0])
    again = body()
    assert ask(store, again)[0] == 200
    now[0] += 6 * 86400
    assert ask(store, again)[:2] == (409, "ALREADY_EXISTS")
    now[0] += 86400
    assert ask(store, again)[:2] == (403, "PERMISSION_DENIED") and len(store.letters()) == 1


def test_a_write_without_the_precondition_is_noticed(store):
    id = new_id()
    loose = body(id)
    del loose["writes"][0]["currentDocument"]
    assert ask(store, loose)[0] == 200 and len(store.unguarded) == 1
    assert ask(store, loose)[:2] == (403, "PERMISSION_DENIED"), "it would be an update"


def test_all_writes_of_a_commit_or_none(store):
    good, bad = body(), body(days=40)
    both = {"writes": good["writes"] + bad["writes"]}
    assert ask(store, both)[:2] == (403, "PERMISSION_DENIED") and store.letters() == {}


# What the rules deny: each of these differs in one thing from what they allow.


def changed(change):
    made = copy.deepcopy(body())
    write = made["writes"][0]
    change(write, write["update"]["fields"])
    return made


def at(seconds):
    return {"timestampValue": datetime.datetime.fromtimestamp(int(NOW) + seconds, datetime.timezone.utc).isoformat()}


DENIED = {
    "no content": lambda write, fields: fields.pop("content"),
    "no language": lambda write, fields: fields.pop("language"),
    "no schema": lambda write, fields: fields.pop("schema"),
    "no expiry": lambda write, fields: fields.pop("expireAt"),
    "no creation": lambda write, fields: write.pop("updateTransforms"),
    "one field more": lambda write, fields: fields.update(author={"stringValue": "me"}),
    "empty": lambda write, fields: fields.update(content={"stringValue": ""}),
    "10000 characters": lambda write, fields: fields.update(content={"stringValue": "a" * 10000}),
    "10000 units": lambda write, fields: fields.update(content={"stringValue": "\U0001f600" * 5000}),
    "content is bytes": lambda write, fields: fields.update(content={"bytesValue": "YQ=="}),
    "another language": lambda write, fields: fields.update(language={"stringValue": "de"}),
    "language is a number": lambda write, fields: fields.update(language={"integerValue": 1}),
    "another schema": lambda write, fields: fields.update(schema={"integerValue": "2"}),
    "schema is a double": lambda write, fields: fields.update(schema={"doubleValue": 1}),
    "schema is true": lambda write, fields: fields.update(schema={"booleanValue": True}),
    "the client's clock": lambda write, fields: (write.pop("updateTransforms"), fields.update(createdAt=at(0))),
    "expired": lambda write, fields: fields.update(expireAt=at(-1)),
    "expires at once": lambda write, fields: fields.update(expireAt={"timestampValue": "2026-09-21T14:13:20.500Z"}),
    "expires too late": lambda write, fields: fields.update(expireAt=at(31 * 86400 + 1)),
    "expiry is text": lambda write, fields: fields.update(expireAt={"stringValue": at(60)["timestampValue"]}),
    "expiry is nothing": lambda write, fields: fields.update(expireAt={"nullValue": None}),
    "a capital id": lambda write, fields: write["update"].update(name=store_name(new_id().upper())),
    "not version 4": lambda write, fields: write["update"].update(name=store_name(str(uuid.uuid1()))),
    "not a uuid": lambda write, fields: write["update"].update(name=store_name("letter-1")),
    "a longer id": lambda write, fields: write["update"].update(name=store_name(new_id() + "0")),
    "another collection": lambda write, fields: write["update"].update(name=store_name(new_id()).replace("/letters/", "/receipts/")),
    "below a letter": lambda write, fields: write["update"].update(name=store_name(new_id()) + "/parts/a"),
    "a deletion": lambda write, fields: (write.clear(), write.update(delete=store_name(new_id()))),
}
ALLOWED = {
    "as it is": lambda write, fields: None,
    "9999 characters": lambda write, fields: fields.update(content={"stringValue": "\uac00" * 9999}),
    "9998 units": lambda write, fields: fields.update(content={"stringValue": "\U0001f600" * 4999}),
    "31 days": lambda write, fields: fields.update(expireAt=at(31 * 86400)),
    "a zone of its own": lambda write, fields: fields.update(expireAt={"timestampValue": "2026-09-28T23:13:20+09:00"}),
    "schema as a number": lambda write, fields: fields.update(schema={"integerValue": 1}),
    "Chinese": lambda write, fields: fields.update(language={"stringValue": "zh-Hans"}),
}


def store_name(id):
    return f"projects/kindverb-tests/databases/(default)/documents/letters/{id}"


@pytest.mark.parametrize("rules", firestore.RULES)
@pytest.mark.parametrize("name", DENIED)
def test_what_the_rules_deny(make, rules, name):
    store = make(clock=lambda: NOW, rules=rules)
    assert ask(store, changed(DENIED[name]))[:2] == (403, "PERMISSION_DENIED")
    assert store.letters() == {}


@pytest.mark.parametrize("rules", firestore.RULES)
@pytest.mark.parametrize("name", ALLOWED)
def test_what_the_rules_allow(make, rules, name):
    store = make(clock=lambda: NOW, rules=rules)
    assert ask(store, changed(ALLOWED[name]))[0] == 200
    assert len(store.letters()) == 1


INVALID = {
    "two types": lambda write, fields: fields.update(schema={"integerValue": 1, "stringValue": "1"}),
    "no type": lambda write, fields: fields.update(content={}),
    "a bare value": lambda write, fields: fields.update(content="Hi"),
    "a time without a zone": lambda write, fields: fields.update(expireAt={"timestampValue": "2026-09-28T23:13:20"}),
    "a time as a number": lambda write, fields: fields.update(expireAt={"timestampValue": 1790000000}),
    "two conditions": lambda write, fields: write["currentDocument"].update(updateTime="2026-09-28T23:13:20Z"),
    "create": lambda write, fields: write.update(create=write.pop("update")),
    "SERVER_TIMESTAMP": lambda write, fields: write["updateTransforms"][0].update(setToServerValue="SERVER_TIMESTAMP"),
    "an unknown member": lambda write, fields: write.update(colour="red"),
    "an integer too large": lambda write, fields: fields.update(schema={"integerValue": str(1 << 63)}),
    "another database": lambda write, fields: write["update"].update(name=write["update"]["name"].replace("(default)", "other")),
    "a collection": lambda write, fields: write["update"].update(name=store_name("a").rsplit("/", 1)[0]),
    "a reserved id": lambda write, fields: write["update"].update(name=store_name("__a__")),
    "a text too long": lambda write, fields: fields.update(content={"stringValue": "a" * ((1 << 20) - 88)}),
    "a reserved field": lambda write, fields: fields.update(__a__={"integerValue": 1}),
}


@pytest.mark.parametrize("name", INVALID)
def test_what_the_vendors_types_or_the_service_do_not_take(store, name):
    assert ask(store, changed(INVALID[name]))[:2] == (400, "INVALID_ARGUMENT")
    assert store.letters() == {} and not store.attempts


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"\xff", b'{"writes": {}}'])
def test_bodies_that_are_none(store, data):
    assert ask(store, data)[:2] == (400, "INVALID_ARGUMENT")


def test_who_may_ask(make, store):
    assert ask(store, body(), headers={"Authorization": "Bearer a"})[:2] == (401, "UNAUTHENTICATED")
    assert ask(store, body(), headers={"x-goog-api-key": "AIza"})[:2] == (400, "INVALID_ARGUMENT")
    assert ask(store, body(), headers={"Content-Type": "text/plain"})[:2] == (400, "INVALID_ARGUMENT")
    keyed = make(clock=lambda: NOW, key="AIza")
    assert ask(keyed, body(), headers={"x-goog-api-key": "AIza"})[0] == 200 and ask(keyed, body())[0] == 200
    assert ask(keyed, body(), headers={"x-goog-api-key": "AQ."})[0] == 400


def test_where_there_is_nothing(store):
    assert ask(store, body(), path=COMMIT.replace("kindverb-tests", "other"))[:2] == (404, "NOT_FOUND")
    assert ask(store, body(), path=COMMIT.replace("(default)", "other"))[:2] == (404, "NOT_FOUND")
    assert ask(store, body(), path=COMMIT.replace("(default)", "%28default%29"))[0] == 200
    assert ask(store, body(), path="/v1/letters") == (404, None, behaviours.HTML)


def test_other_ways_to_write_or_read_are_closed(store):
    id = new_id()
    ask(store, body(id))
    documents = COMMIT.removesuffix(":commit")
    for method, path in (("GET", "/letters"), ("GET", f"/letters/{id}"), ("DELETE", f"/letters/{id}"), ("PATCH", f"/letters/{id}"),
                         ("POST", f"/letters?documentId={new_id()}"), ("GET", "")):
        status, name, _ = ask(store, b"{}", path=documents + path, method=method)
        assert (status, name) == (403, "PERMISSION_DENIED") or (path, status) == ("", 404), (method, path)
    assert len(store.letters()) == 1


@pytest.mark.parametrize("mode", ["409", "403"])
def test_with_the_readable_rules_one_can_look_whether_it_is_there(make, mode):
    now = [NOW]
    store = make(clock=lambda: now[0], rules="readable", mode=mode)
    id = new_id()
    path = f"{COMMIT.removesuffix(':commit')}/letters/{id}"
    assert ask(store, None, path + "?mask.fieldPaths=createdAt", method="GET")[:2] == (404, "NOT_FOUND")
    ask(store, body(id))
    status, _, told = ask(store, None, path + "?mask.fieldPaths=createdAt", method="GET")
    assert status == 200 and told["fields"] == {"createdAt": {"timestampValue": "2026-09-21T14:13:20.500Z"}}
    assert told["name"] == store_name(id) and told["createTime"] == told["updateTime"]
    assert ask(store, None, path, method="GET")[2]["fields"]["content"] == {"stringValue": "Hi Sam,\n안녕"}
    assert ask(store, None, path.rsplit("/", 1)[0], method="GET")[:2] == (403, "PERMISSION_DENIED")
    now[0] += 8 * 86400
    assert ask(store, None, path, method="GET")[:2] == (403, "PERMISSION_DENIED"), "expired, though still there"


def test_its_documents_outlive_a_stop(store):
    id = new_id()
    ask(store, body(id))
    store.stop()
    with pytest.raises(ConnectionRefusedError):
        ask(store, body())
    store.start()
    assert ask(store, body(id))[:2] == (409, "ALREADY_EXISTS") and len(store.letters()) == 1


# Google's own client.


def write_of(id, content="Hi", **more):
    seven = datetime.datetime.fromtimestamp(NOW, datetime.timezone.utc) + datetime.timedelta(days=7)
    fields = {"content": types.Value(string_value=content), "language": types.Value(string_value="en"),
              "schema": types.Value(integer_value=1), "expireAt": types.Value(timestamp_value=seven)}
    return types.Write(
        update=types.Document(name=store_name(id), fields=fields), current_document=types.Precondition(exists=False),
        update_transforms=[types.DocumentTransform.FieldTransform(field_path="createdAt", set_to_server_value=1)])


DATABASE = "projects/kindverb-tests/databases/(default)"


def test_googles_client_commits_and_reads(make, google):
    store = make(clock=lambda: NOW, rules="readable")
    client, id = google(store), new_id()
    answer = client.commit(database=DATABASE, writes=[write_of(id)])
    assert answer.commit_time.timestamp() == NOW and answer.write_results[0].transform_results[0].timestamp_value.timestamp() == NOW
    assert store.letters() == {id: "Hi"}
    with pytest.raises(exceptions.Conflict) as refusal:
        client.commit(database=DATABASE, writes=[write_of(id)])
    assert "ALREADY_EXISTS" in str(refusal.value.response.content) and "already exists" in refusal.value.message
    found = client.get_document(request=types.GetDocumentRequest(
        name=store_name(id), mask=types.DocumentMask(field_paths=["createdAt"])))
    assert list(found.fields) == ["createdAt"] and found.create_time.timestamp() == NOW
    with pytest.raises(exceptions.NotFound):
        client.get_document(request=types.GetDocumentRequest(name=store_name(new_id())))


# After a 401 it wants to log in anew, which one without an account cannot.
@pytest.mark.parametrize("name", sorted(set(firestore.FAILURES) - {"unauthenticated"}))
def test_googles_client_understands_every_failure(store, google, name):
    answer = firestore.FAILURES[name]()
    store.then(answer)
    with pytest.raises(exceptions.GoogleAPICallError) as failure:
        google(store).commit(database=DATABASE, writes=[write_of(new_id())], retry=None)
    told = json.loads(answer.body)["error"]
    assert failure.value.code == answer.status == told["code"] and told["message"] in failure.value.message
    assert store.letters() == {}


def test_a_failure_after_it_was_stored(store, google):
    id = new_id()
    store.then(firestore.stored_then(firestore.too_slow()))
    with pytest.raises(exceptions.GatewayTimeout):
        google(store).commit(database=DATABASE, writes=[write_of(id)], retry=None)
    assert list(store.letters()) == [id]


def test_half_of_the_answers_are_lost_and_none_of_the_letters(store):
    store.always(firestore.losing(0.5, seed=7))
    ids, arrived = [new_id() for _ in range(60)], 0
    for id in ids:
        try:
            arrived += ask(store, body(id, id))[0] == 200
        except (OSError, http.client.HTTPException):
            pass
    assert list(store.letters()) == ids and store.duplicates() == []
    assert arrived == 60 - store.lost and 20 < arrived < 40


# The reading of the rules.


GRANT = """rules_version = '2'; service cloud.firestore {{ match /databases/{{d}}/documents {{ match /a/{{id}} {{
allow create: if {}; }} }} }}"""


@pytest.mark.parametrize("expression, granted", [
    ("true", True), ("false", False), ("!false", True), ("1", False), ("request.nothing", False), ("!request.nothing", False),
    ("true || request.nothing", True), ("request.nothing || true", True), ("request.nothing || false", False),
    ("request.nothing && true", False), ("!(request.nothing && false)", True), ("false || true && true", True),
    ("(true || true) && false", False), ("id == 'x'", True), ("id in ['x', 'y']", True), ("id in []", False), ("1 < 2", True),
    ("'a' < 2", False), ("true < 2", False), ("1 == '1'", False), ("1 != '1'", True), ("1 + 1 == 2", True), ("request.n is int", True),
    ("request.n is string", False), ("request.map.keys().hasOnly(['k', 'l'])", True), ("request.map.keys().hasAll(['k', 'l'])", False),
    ("id.matches('x')", True), ("id.matches('')", False), ("'xy'.matches('x')", False), ("request.n.size() == 0", False),
    ("'\uac00'.toUtf8().size() == 3", True), ("'\U0001f600'.size() == 2", True), ("resource == null", True),
])
def test_what_an_expression_means(expression, granted):
    rules = Rules(GRANT.format(expression))
    assert rules.allows("create", ["a", "x"], {"n": 3, "map": {"k": 1}}) is granted
    assert not rules.allows("get", ["a", "x"], {}) and not rules.allows("create", ["b", "x"], {}), "closed unless opened"
    assert not rules.allows("create", ["a", "x", "b", "y"], {})


@pytest.mark.parametrize("text", ["", "a ? b : c", "request.app == null ||", "a % b"])
def test_what_is_not_understood_is_not_loaded(text):
    with pytest.raises((AssertionError, IndexError)):
        Rules(GRANT.format(text))


def test_the_two_files_differ_in_reading_alone():
    strict, readable = (open(path).read() for path in firestore.RULES.values())
    creates = [text.split("allow create")[1].split(";")[0] for text in (strict, readable)]
    assert creates[0] == creates[1] and "request.app" not in strict + readable
