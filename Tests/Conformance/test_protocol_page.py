"""Protocol/README.md says what is so: its tables are the contract's, its lines are answered as it says, its commands work."""

import json
import os
import re
import subprocess

import pytest

import contract
import harness

PAGE = (harness.ROOT / "Protocol/README.md").read_text()


def section(title):
    return PAGE.split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]


def table(title):
    """The cells of a section's table, without its head."""
    rows = [line for line in section(title).splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row.strip("|").split(" | ")] for row in rows[2:]]


def test_errors_are_the_contracts():
    told = {key.strip("`"): (int(code.replace("−", "-")), retriable == "yes", summary)
            for code, key, retriable, summary in table("Errors")}
    assert told == {key: (e["code"], e.get("retriable", False), e["summary"]) for key, e in contract.ERRORS.items()}


def test_details_of_errors_are_all_named():
    source = (harness.ROOT / "Sources/KindVerbAPI/APIError.swift").read_text()
    written = set(re.findall(r'\("(\w+)", ', source)) | {"retriable"}
    assert len(written) > 10
    text = section("Errors")
    assert {name for name in written if f"`{name}`" not in text} == set()


def test_limits_are_the_daemons(connection):
    limits = connection.call("system.info")["limits"]
    told = {name.strip("`"): (int(value.replace(" ", "")), summary) for name, value, summary in table("Limits")}
    described = contract.TYPES["Limits"]["properties"]
    assert told == {name: (value, described[name]["description"]) for name, value in limits.items()}
    assert set(limits) == set(described)


def test_a_limit_stands_once(connection):
    """What `system.info` tells of texts and pages is what the contract's types say."""
    limits = connection.call("system.info")["limits"]
    assert limits["answerCharacters"] == contract.TYPES["AnswerText"]["maxLength"]
    assert limits["letterCharacters"] == contract.TYPES["LetterText"]["maxLength"]
    assert limits["pageItems"] == contract.TYPES["PageLimit"]["maximum"]


def test_the_client_keeps_the_daemons_limits(connection):
    """The wire's room knows no contract: what it sends at most is held against what the daemon tells."""
    source = (harness.ROOT / "Sources/JSONRPC/Client.swift").read_text()
    own = {name: eval(value) for name, value in re.findall(r"static let (batchLimit|lineLimit) = ([\d_< ]+)\n", source)}
    limits = connection.call("system.info")["limits"]
    assert own == {"batchLimit": limits["batchCalls"], "lineLimit": limits["requestBytes"]}


def test_versions_stand_once(connection):
    """Programs, contract and OpenRPC document have them from the one file that says them."""
    versions = contract.FILES["system"]["versions"]
    info = connection.call("system.info")
    assert (info["version"], info["protocolVersion"]) == (versions["program"], versions["protocol"])
    assert connection.call("rpc.discover")["info"]["version"] == versions["protocol"]
    for name in ("kindverb", "kindverbd"):
        told = subprocess.run([harness.binary(name), "--version"], capture_output=True, text=True, timeout=harness.WAIT).stdout
        assert told == f"{name} {versions['program']}\n"


def test_sources_take_limits_and_versions_from_the_contract():
    """None of these numbers is written down where the contract's constants are at hand."""
    numbers = {contract.TYPES[name][word] for name, word in (
        ("AnswerText", "maxLength"), ("FeelingText", "maxLength"), ("LetterText", "maxLength"), ("PageLimit", "maximum"))}
    for path in [*(harness.ROOT / "Sources/Commands").glob("*.swift"), harness.ROOT / "Sources/Daemon/System/SystemMethods.swift",
                 harness.ROOT / "Sources/ContractGenerator/OpenRPC.swift"]:
        for line in path.read_text().splitlines():
            code = line.split("//", 1)[0]
            found = {int(n.replace("_", "")) for n in re.findall(r"(?<![\w.$-])\d[\d_]*(?![\w.])", re.sub(r'"[^"]*"', "", code))}
            milliseconds = "illiseconds" in code
            assert milliseconds or not found & numbers, f"{path.name}: {line}"
            assert not re.search(r'= "\d+\.\d+', code) and '"version": "' not in code, f"{path.name}: {line}"


def test_options_are_the_ones_that_are_taken(connection):
    told = [row[0].strip("`") for row in table("Options of a call")]
    error = connection.fail("system.ping", {"_meta": {"?": 1}})
    assert error["data"]["expected"].split(", ") == told


# MARK: lines


def exchanges():
    """(line, expected answer or None for silence) of the page."""
    block = re.search(r"```wire\n(.*?)```", PAGE, re.S).group(1)
    found = []
    for line in block.splitlines():
        mark, text = line[:2], line[2:]
        if mark == "> ":
            found.append([text, None])
        else:
            assert mark == "< " and found[-1][1] is None, line
            found[-1][1] = json.loads(text)
    return found


def assert_within(expected, got, where="answer"):
    """Everything that is expected is there; objects may have more."""
    if isinstance(expected, dict):
        assert isinstance(got, dict) and set(expected) <= set(got), (where, got)
        for name, value in expected.items():
            assert_within(value, got[name], f"{where}.{name}")
    elif isinstance(expected, list):
        assert isinstance(got, list) and len(got) == len(expected), (where, got)
        for index, value in enumerate(expected):
            assert_within(value, got[index], f"{where}[{index}]")
    else:
        assert got == expected and type(got) is type(expected), (where, expected, got)


@pytest.mark.parametrize("line, expected", exchanges())
def test_lines_are_answered_as_the_page_says(connection, line, expected):
    if expected is None:
        connection.send(line.encode() + b"\n")
    else:
        assert_within(expected, connection.exchange(line.encode()))
    assert connection.is_quiet()


def test_a_wrong_answer_would_be_noticed():
    for expected, got in [({"a": 1}, {}), ({"a": None}, {}), ([1], [1, 2]), (1, True), ({"a": 1}, [1]), ("x", "y")]:
        with pytest.raises(AssertionError):
            assert_within(expected, got)


# MARK: the first minute


def commands():
    """(shell block, what the block after it says comes out, or None)."""
    blocks = re.findall(r"```(\w+)\n(.*?)```", section("The first minute"), re.S)
    return [(text, blocks[i + 1][1] if i + 1 < len(blocks) and blocks[i + 1][0] != "sh" else None)
            for i, (kind, text) in enumerate(blocks) if kind == "sh"]


@pytest.mark.parametrize("number", range(len(commands())))
def test_the_first_minute_as_pasted(daemon, number):
    script, expected = commands()[number]
    (daemon.run / "kindverb").mkdir(mode=0o700)
    (daemon.run / "kindverb/kindverbd.sock").symlink_to(daemon.socket)
    path = os.pathsep.join([os.path.dirname(harness.binary("kindverb")), "/usr/bin", "/bin"])
    ran = subprocess.run(
        ["bash", "-euc", script], env=dict(daemon.env, PATH=path), stdin=subprocess.DEVNULL, capture_output=True, text=True,
        timeout=harness.WAIT)
    assert ran.returncode == 0, ran.stderr
    if expected is not None:
        assert ran.stdout == expected
    else:
        made, listed = [json.loads(line) for line in ran.stdout.splitlines()]
        assert made["situationText"] == "007" and [item["id"] for item in listed["items"]] == [made["id"]]


def test_there_are_three_ways_to_begin():
    assert len(commands()) == 3


# MARK: the page's own links


def test_links_lead_somewhere():
    for text in (PAGE, (harness.ROOT / "Protocol/REFERENCE.md").read_text()):
        headings = re.findall(r"^#+ (.*)$", text, re.M)
        anchors = [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings]
        assert len(set(anchors)) == len(anchors), "two headings of one name"
        for target in re.findall(r"\]\(([^)]*)\)", text):
            if target.startswith("#"):
                assert target[1:] in anchors, target
            else:
                assert (harness.ROOT / "Protocol" / target).is_file(), target
