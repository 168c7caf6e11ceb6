"""A daemon whose ways out of the machine lead to stand-ins on the loopback."""

import json
import os

import harness

KEY = "AQ.a-key-of-the-tests"


def configured(certificates, store=None, ai=None, **more):
    """The configuration that leads to the stand-ins."""
    config = {"network": {"caFile": str(certificates.trusted)}, **more}
    if store is not None:
        config["share"] = {"project": store.project, "firestoreUrl": store.url, **more.get("share", {})}
    if ai is not None:
        config["ai"] = {"baseUrl": ai.url, **more.get("ai", {})}
    return config


def with_key(daemon, key=KEY, mode=0o600, name="gemini-key"):
    """Puts a key where the daemon looks for it."""
    path = daemon.config.parent / name
    path.write_text(key + "\n")
    os.chmod(path, mode)
    return path


def finished_letter(daemon, answers, **changes):
    """A finalized letter."""
    letter = daemon.call("letter.compose", {**answers, **changes})["letter"]
    return daemon.call("letter.finalize", {"id": letter["id"]})


def until_share(daemon, id, *statuses, seconds=harness.WAIT):
    """The link once it is so far."""
    return harness.until(
        lambda: (share := daemon.call("share.get", {"id": id}))["status"] in statuses and share, seconds, what=f"a link that is {statuses}")


def ask_for_draft(client, journal, source="ai", id=7, **meta):
    """Asks for a draft on a connection, without waiting for it."""
    params = {"journalId": journal["id"], "source": source, **({"_meta": meta} if meta else {})}
    client.send(json.dumps({"jsonrpc": "2.0", "id": id, "method": "letter.draft", "params": params}).encode() + b"\n")
