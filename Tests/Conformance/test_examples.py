"""The contract's examples are really sent, in its order, to one daemon; what comes back is what they say.

Ids, instants, cursors and the letters' words are the run's own: an id of an example stands for the real one that the same example
id got when it was first answered, the others are compared by their shape."""

import re

import pytest

import contract
import harness

UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z")
# Members whose values belong to the run, by their names.
OWN = {"instance", "cursor", "next", "uptimeMs", "connections", "requests", "errors", "turns", "commits", "eventsPublished",
       "today", "rssBytes", "anonymousBytes", "sqliteBytes", "storeBytes", "bytes", "path", "schema", "subscription", "promptVersion"}
INSTANTS = {"createdAt", "updatedAt", "completedAt", "finalizedAt", "at", "lastBackupAt", "decidedAt", "renewsAt"}


class Matcher:
    def __init__(self):
        self.real = {}

    def substitute(self, value):
        """The example's parameters with the real ids in place of its own."""
        if isinstance(value, dict):
            return {name: self.substitute(item) for name, item in value.items()}
        if isinstance(value, list):
            return [self.substitute(item) for item in value]
        return self.real.get(value, value) if isinstance(value, str) else value

    def match(self, expected, got, where):
        name = where.rsplit(".", 1)[-1]
        if isinstance(expected, dict):
            assert isinstance(got, dict), where
            if name not in ("limits", "data", "result"):
                assert set(expected) == set(got), (where, set(expected) ^ set(got))
            for member, value in expected.items():
                assert member in got, f"{where}.{member}"
                self.match(value, got[member], f"{where}.{member}")
        elif isinstance(expected, list):
            # An example may show the beginning of a list.
            assert isinstance(got, list) and len(got) >= len(expected), where
            for index, value in enumerate(expected):
                self.match(value, got[index], f"{where}[{index}]")
        elif name == "subscription":
            self.real[expected] = got
        elif name in OWN:
            assert type(got) is type(expected), (where, got)
        elif name in INSTANTS and expected is not None:
            assert INSTANT.fullmatch(got), (where, got)
        elif isinstance(expected, str) and expected.endswith("…"):
            assert got.startswith(expected[: expected.index("\n")]) and len(got) > 100, (where, got)
        elif isinstance(expected, str) and UUID.fullmatch(expected) and UUID.fullmatch(str(got)):
            assert self.real.setdefault(expected, got) == got, where
        else:
            assert got == expected and type(got) is type(expected), (where, expected, got)


@pytest.fixture(scope="module")
def outcome():
    """Every example's verdict, from one run in order."""
    daemon = harness.Daemon().start()
    verdicts, matcher = {}, Matcher()
    try:
        with daemon.connect() as connection:
            for method, entry in contract.METHODS.items():
                for example in entry["examples"]:
                    params = example.get("params")
                    reply = connection.ask(method, None if params is None else matcher.substitute(params))
                    kind = "result" if "result" in example else "error"
                    try:
                        assert kind in reply, reply
                        if kind == "error":
                            for member, value in example["error"].items():
                                matcher.match(value, reply["error"][member], member)
                        else:
                            matcher.match(example["result"], reply["result"], "result")
                            if method == "journal.list" or method == "letter.list":
                                assert ("next" in example["result"]) == ("next" in reply["result"])
                        verdicts[method, example["name"]] = None
                    except AssertionError as failure:
                        verdicts[method, example["name"]] = str(failure)
        yield verdicts
    finally:
        daemon.close()


EXAMPLES = [(method, example["name"]) for method, entry in contract.METHODS.items() for example in entry["examples"]]


@pytest.mark.parametrize("method, name", EXAMPLES)
def test_example(outcome, method, name):
    assert outcome[method, name] is None, outcome[method, name]


def test_every_method_has_an_example():
    assert all(entry["examples"] for entry in contract.METHODS.values())


def test_a_wrong_result_would_be_noticed():
    """The matcher itself can fail."""
    for expected, got in [({"a": 1}, {"a": 2}), ({"a": 1}, {"a": 1, "b": 2}), ([1], []), ("x", "y"), (1, True), (None, 0)]:
        with pytest.raises(AssertionError):
            Matcher().match({"inner": expected}, {"inner": got}, "result")
