"""Drafts by an AI: off until somebody agrees, without names, within eight seconds, and a template where it fails."""

import json
import time

import pytest

import behaviours
import gemini
import gemini_replies as replies
import harness
from certificates import Certificates
from sending import KEY, configured, with_key


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    return Certificates(tmp_path_factory.mktemp("certificates"))


@pytest.fixture
def ai(certificates):
    with gemini.Gemini(certificates, key=KEY) as server:
        yield server
        assert not server.failures


@pytest.fixture
def daemon(daemon_factory, certificates, ai):
    daemon = daemon_factory(config=configured(certificates, ai=ai))
    with_key(daemon)
    daemon.start()
    daemon.call("ai.consent.set", {"enabled": True})
    return daemon


@pytest.fixture
def journal(daemon, answers):
    return daemon.call("letter.compose", answers)["journal"]


def draft(daemon, journal, **params):
    return daemon.call("letter.draft", {"journalId": journal["id"], "source": "ai", **params})


def test_a_draft_comes_back_with_its_names(daemon, ai, journal):
    letter = draft(daemon, journal)
    assert letter["source"] == "ai" and letter["aiModel"] == "gemini-2.5-flash-lite" and letter["status"] == "drafted"
    assert "Sam" in letter["content"] and "<" not in letter["content"] and "fallback" not in letter
    (request,) = ai.requests
    assert request.header("x-goog-api-key") == KEY and request.header("authorization") is None
    assert b"Sam" not in request.raw
    assert daemon.call("letter.get", {"id": letter["id"]})["content"] == letter["content"]
