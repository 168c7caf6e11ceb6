"""A Firestore for the tests: it reads every commit with the vendor's own types, keeps documents, and enforces the rules that are shipped.

    store = Firestore(certificates, mode="403", rules="readable")
    store.then(unavailable(), stored_then(too_slow()))      # what the next requests meet
    store.always(losing(0.5, seed=7))                       # stores, and loses half of its answers in every way
    assert store.letters() == {id: content} and store.duplicates() == []
"""

import collections
import dataclasses
import email.utils
import pathlib
import random
import re
import threading
import time
import urllib.parse

from google.cloud.firestore_v1.types import CommitRequest, CommitResponse, Document
from google.protobuf import json_format, timestamp_pb2

import behaviours
import harness
import tls
from firestore_rules import SECOND, Rules, Timestamp
from google_api import Refused, error, invalid, key_invalid, later, read_as, unauthenticated
from tls import Answer

COMMIT, COMMITTED, DOCUMENT = CommitRequest.pb(), CommitResponse.pb(), Document.pb()
FOLDER = harness.ROOT / "Protocol/firestore"
RULES = {"createOnly": FOLDER / "firestore.rules", "readable": FOLDER / "firestore.readable.rules"}
PATH = re.compile(r"^/v1/(projects/([^/]+)/databases/([^/]+)/documents)(?:(:commit)|/(.+))?$")
STRING_MAX, DOCUMENT_MAX, REQUEST_MAX = (1 << 20) - 89, (1 << 20) - 4, 10 << 20


@dataclasses.dataclass
class Kept:
    """A document that is there. `fields`: as the rules see them."""

    message: object
    fields: dict
    created: Timestamp


class Firestore(tls.Server):
    """`mode`: what a create meets where the document is there. "409": the rules see a create, and then the precondition fails, as in
    Google's emulator; "403": they see an update, as they do without the precondition. `key`: the one API key that is taken, if any. `clock` gives seconds since 1970. `commits` counts what was stored, `unguarded` are writes of letters
    without the precondition, `attempts` all contents that were understood, by id. Besides that it is a Server with its steps."""

    def __init__(self, certificates, mode="409", rules="createOnly", project="kindverb-tests", database="(default)", key=None,
                 collection="letters", clock=time.time, **options):
        assert mode in ("409", "403")
        self.mode, self.key, self.clock, self.collection = mode, key, clock, collection
        self.rules = Rules(pathlib.Path(RULES.get(rules, rules)).read_text())
        self.project, self.database = project, database
        self.root = f"projects/{project}/databases/{database}/documents"
        self.documents, self.commits, self.unguarded = {}, 0, []
        self.attempts = collections.defaultdict(list)
        self.storing = threading.RLock()
        super().__init__(certificates, handler=self.handle, **options)

    # What a test looks at.

    def letters(self):
        """Content by id of every letter that is there."""
        with self.storing:
            return {name.rsplit("/", 1)[1]: kept.fields["content"] for name, kept in self.documents.items()}

    def duplicates(self):
        """Contents that are there under more than one id."""
        counted = collections.Counter(self.letters().values())
        return [content for content, count in counted.items() if count > 1]

    def changed(self):
        """Ids that came with more than one content."""
        return [id for id, contents in self.attempts.items() if len(set(contents)) > 1]

    def expire(self, id):
        """What a TTL policy does in its own time."""
        with self.storing:
            del self.documents[f"{self.root}/{self.collection}/{id}"]

    # Requests.

    def handle(self, request):
        made = self.answered(request)
        # The service's clock stands on every answer of its own.
        return dataclasses.replace(made, headers=(*made.headers, ("Date", email.utils.formatdate(self.clock(), usegmt=True))))

    def answered(self, request):
        try:
            found = PATH.match(request.path)
            if not found:
                return behaviours.html(404)
            self.admit(request)
            if found[2] != self.project or found[3] != self.database:
                raise Refused(no_database(found[2], found[3]))
            if found[4] and request.method == "POST":
                return self.commit(request)
            if found[5] and request.method == "GET":
                return self.get(request, f"{found[1]}/{found[5]}")
            # Every other way to read or write: nothing in the rules lets it pass.
            return denied()
        except Refused as refused:
            return refused.answer

    def admit(self, request):
        """Nobody has an account here; and a key that is not the project's is worse than none."""
        if request.values("authorization"):
            raise Refused(unauthenticated())
        keys = request.values("x-goog-api-key") + request.query.get("key", [])
        if keys and keys != [self.key]:
            raise Refused(key_invalid())

    def commit(self, request):
        if len(request.body) > REQUEST_MAX:
            raise Refused(invalid("Request payload size exceeds the limit: 10485760 bytes."))
        message = read_as(request, COMMIT)
        for trouble in (trouble for write in message.writes for trouble in self.troubles(write)):
            raise Refused(invalid(trouble))
        with self.storing:
            now = Timestamp(int(self.clock() * 1000) * 1_000_000)  # REQUEST_TIME has milliseconds
            wanted = [self.wanted(write, now) for write in message.writes]
            for name, kept, write in wanted:
                self.attempts[name.rsplit("/", 1)[1]].append(kept.fields.get("content"))
                self.permit(name, kept, write, now)
            self.documents.update({name: kept for name, kept, _ in wanted})
            self.commits += len(wanted)
            return self.committed(message, now)

    def troubles(self, write):
        """What the service does not take, whatever the rules say."""
        kind = write.WhichOneof("operation")
        if kind is None:
            yield "A write has no operation."
        if kind in ("delete", "transform", "verify"):
            raise Refused(denied())
        name = write.update.name
        if not name.startswith(self.root + "/"):
            yield f"Document name \"{name}\" has invalid resource prefix."
        segments = name[len(self.root) + 1:].split("/")
        if len(segments) % 2 or not all(segments):
            yield f"Document name \"{name}\" lacks a collection or an id."
        for segment in segments:
            if segment in (".", "..") or re.fullmatch("__.*__", segment) or len(segment.encode()) > 1500:
                yield f"Resource id \"{segment}\" is invalid."
        for field, value in write.update.fields.items():
            if not field or re.fullmatch("__.*__", field) or len(field.encode()) > 1500:
                yield "A field has an invalid name."
            if value.WhichOneof("value_type") is None:
                yield f"The value of {field} has no type."
            if len(value.string_value.encode()) > STRING_MAX:
                yield f"The value of property \"{field}\" is longer than 1048487 bytes."
        if write.update.ByteSize() > DOCUMENT_MAX:
            yield "The document exceeds the maximum size."
        for transform in write.update_transforms:
            if transform.set_to_server_value != 1 or not transform.field_path:
                yield "A transform sets no server value."

    def wanted(self, write, now):
        """The document that a write would leave."""
        message = DOCUMENT()
        message.CopyFrom(write.update)
        for transform in write.update_transforms:
            message.fields[transform.field_path].timestamp_value.CopyFrom(stamp(now))
        message.create_time.CopyFrom(stamp(now))
        message.update_time.CopyFrom(stamp(now))
        return message.name, Kept(message, {name: plain(value) for name, value in message.fields.items()}, now), write

    def permit(self, name, kept, write, now):
        there, condition = self.documents.get(name), write.current_document
        asked = condition.WhichOneof("condition_type")
        if asked is None:
            self.unguarded.append(name)
        # Whether a write that must not find its document is a create to the rules, even where the document is there.
        creates = asked == "exists" and not condition.exists if self.mode == "409" and asked else not there
        if not self.rules.allows(
                "create" if creates else "update", name[len(self.root) + 1:].split("/"),
                {"time": now, "auth": None, "resource": {"data": kept.fields}}, {"data": there.fields} if there else None):
            raise Refused(denied())
        if asked == "exists" and condition.exists != bool(there):
            raise Refused(exists(name) if there else gone(name))
        if asked == "update_time":
            raise Refused(gone(name))

    @staticmethod
    def committed(message, now):
        answer = COMMITTED(commit_time=stamp(now))
        for write in message.writes:
            result = answer.write_results.add(update_time=stamp(now))
            for _ in write.update_transforms:
                result.transform_results.add(timestamp_value=stamp(now))
        return Answer(body=json_format.MessageToJson(answer).encode())

    def get(self, request, name):
        with self.storing:
            kept = self.documents.get(name)
            now = Timestamp(int(self.clock() * 1000) * 1_000_000)
            path = name[len(self.root) + 1:].split("/")
            if len(path) % 2 or not self.rules.allows(
                    "get", path, {"time": now, "auth": None}, {"data": kept.fields} if kept else None):
                return denied()
            if kept is None:
                return error(404, "NOT_FOUND", f"Document \"{name}\" not found.")
            message = DOCUMENT()
            message.CopyFrom(kept.message)
        mask = request.query.get("mask.fieldPaths")
        for field in list(message.fields):
            if mask is not None and field not in mask:
                del message.fields[field]
        return Answer(body=json_format.MessageToJson(message).encode())


def stamp(nanoseconds):
    return timestamp_pb2.Timestamp(seconds=nanoseconds // SECOND, nanos=nanoseconds % SECOND)


def plain(value):
    """A value as the rules see it."""
    kind = value.WhichOneof("value_type")
    if kind == "timestamp_value":
        return Timestamp(value.timestamp_value.seconds * SECOND + value.timestamp_value.nanos)
    if kind == "null_value":
        return None
    if kind == "map_value":
        return {name: plain(one) for name, one in value.map_value.fields.items()}
    if kind == "array_value":
        return [plain(one) for one in value.array_value.values]
    return getattr(value, kind)


def commit_body(id, content, language="en", days=7, root="projects/kindverb-tests/databases/(default)/documents", now=None):
    """A commit as it should be."""
    at = time.gmtime((time.time() if now is None else now) + days * 86400)
    fields = {"content": {"stringValue": content}, "language": {"stringValue": language}, "schema": {"integerValue": "1"},
              "expireAt": {"timestampValue": time.strftime("%Y-%m-%dT%H:%M:%SZ", at)}}
    return {"writes": [{
        "update": {"name": f"{root}/letters/{urllib.parse.quote(id)}", "fields": fields},
        "updateTransforms": [{"fieldPath": "createdAt", "setToServerValue": "REQUEST_TIME"}], "currentDocument": {"exists": False}}]}


# Steps.


def stored_then(answer):
    """Does what was asked for, and answers this all the same."""
    def step(exchange):
        exchange.usual()
        exchange.answer(answer)
    return step


def losing(probability, seed):
    """Does what was asked for, and loses so many of its answers, each in one of the ways there are; the rest arrive."""
    dice, lock = random.Random(seed), threading.Lock()
    ways = (behaviours.handled_then_dropped(), behaviours.reset(), behaviours.reset(body=3), behaviours.cut(),
            stored_then(unavailable()), stored_then(internal()), stored_then(too_slow()), stored_then(behaviours.html(502)))

    def step(exchange):
        with lock:
            lost = dice.random() < probability
            way = dice.choice(ways)
            exchange.server.lost = getattr(exchange.server, "lost", 0) + lost
        way(exchange) if lost else exchange.answer(exchange.usual())
    return step


def wrong_mode():
    return error(400, "FAILED_PRECONDITION", "The Cloud Firestore API is not available for Firestore in Datastore Mode database.")


def out_of_range():
    return error(400, "OUT_OF_RANGE", "A value is out of range.")


def denied():
    return error(403, "PERMISSION_DENIED", "Missing or insufficient permissions.")


def no_database(project="gone", database="(default)"):
    return error(404, "NOT_FOUND", f"The database {database} does not exist for project {project} Please visit "
                 f"https://console.cloud.google.com/datastore/setup?project={project} to add a Cloud Datastore or Cloud Firestore database.")


def exists(name="projects/p/databases/(default)/documents/letters/a"):
    return error(409, "ALREADY_EXISTS", f"Document already exists: {name}")


def gone(name):
    return error(404, "NOT_FOUND", f"No document to update: {name}")


def aborted():
    return error(409, "ABORTED", "Too much contention on these documents. Please try again.")


def exhausted(*retry_after):
    return error(429, "RESOURCE_EXHAUSTED", "Quota exceeded.", headers=later(*retry_after))


def internal():
    return error(500, "INTERNAL", "An internal error occurred.")


def unavailable(*retry_after):
    return error(503, "UNAVAILABLE", "The service is currently unavailable.", headers=later(*retry_after))


def too_slow():
    return error(504, "DEADLINE_EXCEEDED", "The deadline was exceeded; the write may have been committed.")


FAILURES = {failure.__name__: failure for failure in (
    invalid, wrong_mode, out_of_range, unauthenticated, denied, no_database, exists, aborted, exhausted, internal, unavailable,
    too_slow)}
