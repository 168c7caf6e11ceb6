"""Requests over HTTP, to a server that fails in every way that a network does."""

import json
import shutil
import ssl
import subprocess
import time

import pytest

import behaviours
import fetch
import harness
import tls
from certificates import Authority, Certificates
from tls import HOLD, Answer

# Far from every limit that a test does not mean, and what may pass beside one that it does.
SLACK = 1.5
AT_ONCE = 1 if harness.SANITIZER else 0.1
needs_namespaces = pytest.mark.skipif(not fetch.can_be_elsewhere(), reason="needs a network and mounts of its own")


@pytest.fixture
def server(certificates):
    with tls.Server(certificates, handler=lambda request: Answer(200, body=request.body or b"hello")) as server:
        yield server


@pytest.fixture
def fetcher_with(certificates):
    """Starts the test program; it must end well, and its loop may never have stood still."""
    made = []

    def start(*allowed, **options):
        made.append(fetch.Fetcher(certificates, allowed, **options))
        return made[-1]

    yield start
    try:
        for one in made:
            # Far under what looking up a name, or a server that says nothing, would hold it up; a sanitizer takes long to load a library.
            assert one.end() < (3000 if harness.SANITIZER else 500)
    finally:
        for one in made:
            one.close()


@pytest.fixture
def fetcher(fetcher_with, server):
    return fetcher_with(server.url)


def took(event, milliseconds):
    assert milliseconds <= event["ms"] < milliseconds + SLACK * 1000, event


# What goes out and what comes back.


def test_a_request_goes_out_as_it_was_made_and_tells_nothing_of_the_machine(server, fetcher):
    body = '{"text":"가나다"}'
    answer = fetcher.answer(server.url + "/v1/a(b):c?d=e", method="POST", body=body, headers={"Content-Type": "application/json"})
    assert (answer["status"], answer["body"], answer["described"]) == (200, body, "HTTP 200")
    assert ["Content-Type", "application/json; charset=UTF-8"] in answer["headers"]
    request = server.next_request()
    assert (request.method, request.target, request.body) == ("POST", "/v1/a(b):c?d=e", body.encode())
    assert request.headers == [
        ("Host", f"127.0.0.1:{server.port}"), ("Accept", "*/*"), ("Content-Type", "application/json"), ("x-goog-api-key", fetch.KEY),
        ("Content-Length", str(len(body.encode())))]


def test_a_get_has_no_body_and_a_large_post_does_not_wait_to_be_asked_for(server, fetcher):
    assert fetcher.answer(server.url + "/")["body"] == "hello"
    assert server.next_request().values("content-length") == []
    answer = fetcher.answer(server.url + "/", method="POST", body="a", times=3_000_000, bytes=3_000_000)
    assert answer["size"] == 3_000_000
    request = server.next_request()
    assert request.body == b"a" * 3_000_000 and request.values("expect") == []
    fetcher.answer(server.url + "/", method="POST")
    assert server.next_request().header("content-length") == "0"


@pytest.mark.parametrize("status", [204, 400, 404, 429, 503])
def test_every_status_is_an_answer(server, fetcher, status):
    server.then(Answer(status, (("Retry-After", "7"), ("retry-after", "9")), b"" if status == 204 else b"{}"))
    answer = fetcher.answer(server.url + "/")
    assert answer["status"] == status
    assert [value for name, value in answer["headers"] if name.lower() == "retry-after"] == ["7", "9"]


def test_a_page_in_place_of_an_answer_is_the_callers_to_judge(server, fetcher):
    server.then(behaviours.html(200))
    answer = fetcher.answer(server.url + "/")
    assert answer["status"] == 200 and answer["body"].startswith("<!DOCTYPE html>")


def test_a_body_that_is_compressed_unasked_comes_as_it_is(server, fetcher):
    server.then(Answer(200, (("Content-Encoding", "gzip"),), b"not gzip at all"))
    assert fetcher.answer(server.url + "/")["body"] == "not gzip at all"


def test_an_interim_answer_is_not_the_answer(server, fetcher):
    def step(exchange):
        exchange.send(b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")
        exchange.hold()
        exchange.answer(Answer(201))

    server.then(step, step)
    event = fetcher.failure(server.url + "/", "firstByteTimeout", firstByte=300)
    took(event, 300)
    server.next_request()
    number = fetcher.begin(server.url + "/")
    server.next_request()
    server.release()
    event = fetcher.event()
    assert (event["id"], event["status"]) == (number, 201) and "Link" not in dict(event["headers"])


def test_the_pieces_of_a_body_come_while_the_rest_is_still_to_come(server, fetcher):
    server.then(Answer(chunks=[b"first", HOLD, b"second"]))
    fetcher.begin(server.url + "/", pieces=True)
    assert fetcher.event()["text"] == "first"
    server.release()
    assert fetcher.event()["text"] == "second"
    assert fetcher.event()["body"] == "firstsecond"


# The limits, each with its own error.


def test_no_connection(fetcher_with):
    nobody = behaviours.Unaccepting()
    event = fetcher_with(nobody.url).failure(nobody.url + "/", "connectTimeout", connect=300)
    took(event, 300)
    assert not event["mayHaveBeenSent"] and event["status"] is None
    nobody.close()


def test_no_handshake(server, fetcher):
    server.greet(behaviours.mute())
    event = fetcher.failure(server.url + "/", "connectTimeout", connect=300)
    took(event, 300)
    assert not event["mayHaveBeenSent"]


def test_no_answer(server, fetcher):
    server.then(behaviours.silence())
    event = fetcher.failure(server.url + "/", "firstByteTimeout", firstByte=300)
    took(event, 300)
    assert event["mayHaveBeenSent"] and event["status"] is None
    server.next_end()


def test_a_status_line_that_comes_a_byte_at_a_time_is_no_answer(server, fetcher):
    server.then(behaviours.drip(Answer(200, body=b"x"), seconds=0.1))
    took(fetcher.failure(server.url + "/", "firstByteTimeout", firstByte=500, idle=200), 500)


@pytest.mark.parametrize("body", [0, 3])
def test_an_answer_that_stops(server, fetcher, body):
    server.then(behaviours.head_then_silence(Answer(200, body=b"hello"), body=body))
    event = fetcher.failure(server.url + "/", "idleTimeout", idle=300)
    took(event, 300)
    assert event["mayHaveBeenSent"] and event["status"] == 200
    server.next_end()


def test_an_answer_that_drips_has_the_whole_time_and_no_more(server, fetcher):
    server.then(behaviours.drip(Answer(200, body=b"a" * 500), seconds=0.05, head=False))
    event = fetcher.failure(server.url + "/", "totalTimeout", idle=5000, firstByte=5000, total=1000)
    took(event, 1000)
    assert event["status"] == 200
    server.then(behaviours.drip(Answer(200, body=b"abcdefgh"), seconds=0.1, head=False))
    assert fetcher.answer(server.url + "/", idle=2000)["body"] == "abcdefgh"


def test_the_whole_time_counts_in_every_phase(server, fetcher):
    server.greet(behaviours.mute())
    event = fetcher.failure(server.url + "/", "totalTimeout", total=200)
    assert not event["mayHaveBeenSent"]
    server.then(behaviours.silence())
    assert fetcher.failure(server.url + "/", "totalTimeout", total=300)["mayHaveBeenSent"]
    assert not fetcher.failure(server.url + "/", "totalTimeout", total=0)["mayHaveBeenSent"]


# Where a request may go.


@pytest.mark.parametrize("url", [
    "https://127.0.0.2:{port}/", "https://localhost:{port}/", "https://127.0.0.1/", "http://127.0.0.1:{port}/",
    "https://127.0.0.1:{port}@elsewhere.example/", "https://key@127.0.0.1:{port}/", "https://2130706433:{port}/", "file:///etc/hosts",
    "https://127.0.0.1:{port}/\r\nX: y", "https://127.0.0.1:{port}/#a", "", "가"])
def test_no_other_host_and_no_other_scheme(server, fetcher, url):
    event = fetcher.failure(url.format(port=server.port), "notAllowed")
    assert not event["mayHaveBeenSent"]
    assert fetcher.answer(server.url + "/")["status"] == 200
    assert len(server.connections) == 1


def test_a_redirect_is_not_followed(server, fetcher, certificates):
    with tls.Server(certificates) as other:
        server.then(behaviours.redirect(other.url + "/stolen", 307), behaviours.redirect("/again"))
        assert fetcher.answer(server.url + "/", method="POST", body="x")["status"] == 307
        assert fetcher.answer(server.url + "/")["status"] == 302
        assert len(server.requests) == 2 and not other.connections


def test_a_header_that_would_be_two_is_not_sent(server, fetcher):
    fetcher.failure(server.url + "/", "notAllowed", headers={"A": "b\r\nEvil: c"})
    fetcher.failure(server.url + "/", "notAllowed", headers={"A\r\nEvil": "c"})
    assert not server.connections


def test_a_name_is_found_whichever_address_answers(server, fetcher_with):
    url = f"https://localhost:{server.port}"
    assert fetcher_with(url).answer(url + "/")["status"] == 200


# Failures.


def test_nobody_listens(server, fetcher):
    server.stop()
    event = fetcher.failure(server.url + "/", "unreachable")
    assert not event["mayHaveBeenSent"]


@pytest.mark.parametrize("kind", [kind for kind in Certificates.KINDS if kind != "good"])
def test_a_certificate_that_is_not_the_hosts_is_refused(certificates, fetcher_with, kind):
    with tls.Server(certificates, kind=kind) as server:
        event = fetcher_with(server.url).failure(server.url + "/", "tls")
        assert not event["mayHaveBeenSent"] and not server.requests


@pytest.mark.parametrize("newest, accepted", [(ssl.TLSVersion.TLSv1_1, False), (ssl.TLSVersion.TLSv1_2, True)])
def test_tls_is_1_2_or_newer(certificates, fetcher_with, tmp_path, newest, accepted):
    # A system that would take anything: what is refused is refused by us.
    lax = tmp_path / "openssl.cnf"
    lax.write_text("openssl_conf = a\n[a]\nssl_conf = b\n[b]\nsystem_default = c\n[c]\nMinProtocol = TLSv1\nCipherString = ALL:@SECLEVEL=0\n")
    with tls.Server(certificates, newest=newest) as server:
        fetcher = fetcher_with(server.url, env={"OPENSSL_CONF": str(lax)})
        if accepted:
            fetcher.answer(server.url + "/")
        else:
            assert not fetcher.failure(server.url + "/", "tls")["mayHaveBeenSent"]


def test_the_systems_authorities_do_not_know_ours(server, fetcher_with):
    fetcher_with(server.url, system=True).failure(server.url + "/", "tls")


@needs_namespaces
@pytest.mark.parametrize("form", ["hashed names", "one file", "none"])
def test_the_systems_authorities_are_found_in_either_form(server, fetcher_with, certificates, tmp_path, form):
    if form == "hashed names":
        shutil.copy(certificates.trusted, tmp_path / "ours.pem")
        subprocess.run(["openssl", "rehash", tmp_path], check=True)
    elif form == "one file":
        shutil.copy(certificates.trusted, tmp_path / "ca-certificates.crt")
    fetcher = fetcher_with(server.url, command=fetch.elsewhere(f"authorities={tmp_path}"), system=True)
    if form == "none":
        fetcher.failure(server.url + "/", "tls")
    else:
        assert fetcher.answer(server.url + "/")["status"] == 200


@needs_namespaces
def test_with_authorities_of_ones_own_the_systems_are_not_believed(server, fetcher_with, certificates, tmp_path):
    system, own = tmp_path / "system", tmp_path / "own.pem"
    system.mkdir()
    own.write_bytes(Authority("Another").pem)
    shutil.copy(certificates.trusted, system / "ours.pem")
    shutil.copy(certificates.trusted, system / "ca-certificates.crt")
    subprocess.run(["openssl", "rehash", system], check=True)
    fetcher = fetcher_with(server.url, command=fetch.elsewhere(f"authorities={system}"))
    assert fetcher.answer(server.url + "/")["status"] == 200
    fetcher.ask("client", allowed=[server.url], ca=str(own))
    fetcher.failure(server.url + "/", "tls")


def test_authorities_that_cannot_be_read_are_believed_by_nobody(server, fetcher):
    fetcher.ask("client", allowed=[server.url], ca="/nonexistent")
    fetcher.failure(server.url + "/", "tls")


def test_no_tls_at_all(server, fetcher):
    server.greet(behaviours.plain_http())
    assert not fetcher.failure(server.url + "/", "tls")["mayHaveBeenSent"]


def test_a_connection_that_is_reset_in_its_handshake_is_no_matter_of_certificates(server, fetcher):
    def after_the_hello(how):
        def step(connection):
            connection.more()
            how(connection)
        return step

    server.greet(after_the_hello(lambda connection: connection.reset()), after_the_hello(lambda connection: connection.end()))
    for _ in range(2):
        assert not fetcher.failure(server.url + "/", "broken")["mayHaveBeenSent"]


@pytest.mark.parametrize("step, status", [
    (behaviours.reset(Answer()), None), (behaviours.reset(Answer(body=b"hello"), body=2), 200), (behaviours.cut(Answer(body=b"hello"), 2), 200),
    (behaviours.cut_stream([b"data: {}"]), 200), (behaviours.dropped(), None), (behaviours.handled_then_dropped(), None),
    (behaviours.garbage(), None), (behaviours.garbage(b"\x00" * 9000), None), (behaviours.garbage(b"HTTP/1.1 abc\r\n\r\n"), None)])
def test_an_answer_that_breaks_off_or_is_none(server, fetcher, step, status):
    server.then(step)
    event = fetcher.failure(server.url + "/", "broken", method="POST", body="x")
    assert event["mayHaveBeenSent"] and event["status"] == status
    assert fetcher.answer(server.url + "/")["status"] == 200


@pytest.mark.parametrize("size, fits", [(1000, True), (1001, False)])
def test_a_body_that_is_announced_too_large(server, fetcher, size, fits):
    server.then(behaviours.huge(size))
    if fits:
        assert fetcher.answer(server.url + "/", bytes=1000)["size"] == size
    else:
        assert fetcher.failure(server.url + "/", "tooLarge", bytes=1000)["status"] == 200


def test_a_body_that_does_not_end(server, fetcher):
    server.then(behaviours.endless())
    event = fetcher.failure(server.url + "/", "tooLarge", bytes=1 << 20)
    assert event["status"] == 200
    server.next_end()


def test_headers_that_do_not_end(server, fetcher):
    def step(exchange):
        exchange.send(b"HTTP/1.1 200 OK\r\n")
        for number in range(10_000):
            exchange.send(b"X-%d: %s\r\n" % (number, b"a" * 1000))

    server.then(step)
    fetcher.failure(server.url + "/", "tooLarge")


# Connections that are kept.


def test_a_connection_is_used_again_and_closed_after_a_while(server, fetcher_with):
    fetcher = fetcher_with(server.url, kept=2)
    for _ in range(5):
        fetcher.answer(server.url + "/", method="POST", body="x")
    last = time.monotonic()
    assert len(server.connections) == 1
    end = server.next_end()
    assert 1.5 < end.closed_at - last < 3
    # The beat would be a wake-up of its own.
    fetcher.ask("still")
    before = fetcher.state()["turns"]
    time.sleep(3)
    assert fetcher.state()["turns"] - before <= 2
    assert fetcher.answer(server.url + "/")["status"] == 200
    assert len(server.connections) == 2


def test_a_connection_that_was_closed_meanwhile_costs_nothing(server, fetcher):
    server.always(behaviours.usual_then_closed())
    for number in range(20):
        assert fetcher.answer(server.url + "/", method="POST", body=str(number))["body"] == str(number)
        server.next_end()
    assert [request.body for request in server.requests] == [str(number).encode() for number in range(20)]


def test_a_connection_that_was_closed_is_not_used_while_another_is_busy(server, fetcher):
    server.then(behaviours.late())
    busy = fetcher.begin(server.url + "/")
    server.next_request()
    server.then(behaviours.usual_then_closed())
    assert fetcher.answer(server.url + "/", method="POST", body="first")["body"] == "first"
    server.next_end()
    assert fetcher.answer(server.url + "/", method="POST", body="second")["body"] == "second"
    server.release()
    assert fetcher.event()["id"] == busy


def test_a_post_that_a_kept_connection_swallowed_is_not_sent_again(server, fetcher):
    assert fetcher.answer(server.url + "/", method="POST", body="first")["status"] == 200
    server.then(behaviours.handled_then_dropped())
    event = fetcher.failure(server.url + "/", "broken", method="POST", body="second")
    assert event["mayHaveBeenSent"]
    assert [request.body for request in server.requests] == [b"first", b"second"]


def test_a_get_that_a_kept_connection_swallowed_is_asked_again(server, fetcher):
    fetcher.answer(server.url + "/")
    server.then(behaviours.dropped())
    assert fetcher.answer(server.url + "/")["status"] == 200
    assert len(server.requests) == 3


# Proxies.


@pytest.mark.parametrize("variable", ["HTTPS_PROXY", "https_proxy", "ALL_PROXY"])
def test_a_proxy_of_the_environment_is_used_and_sees_nothing(server, fetcher_with, variable):
    with behaviours.Proxy() as proxy:
        fetcher = fetcher_with(server.url, env={variable: proxy.url})
        assert fetcher.answer(server.url + "/", method="POST", body="x")["body"] == "x"
        assert proxy.asked == [f"CONNECT 127.0.0.1:{server.port}"]
        assert fetch.KEY.encode() not in proxy.heads[0]
        assert server.next_request().header("x-goog-api-key") == fetch.KEY


def test_a_host_may_be_left_out_of_the_proxy(server, fetcher_with):
    with behaviours.Proxy() as proxy:
        fetcher = fetcher_with(server.url, env={"HTTPS_PROXY": proxy.url, "NO_PROXY": "localhost,127.0.0.1"})
        assert fetcher.answer(server.url + "/")["status"] == 200
        assert not proxy.asked


@pytest.mark.parametrize("answer", [
    b"HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n",
    b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 5\r\n\r\nhello"])
def test_a_proxy_that_refuses(server, fetcher_with, answer):
    with behaviours.Proxy(answer) as proxy:
        event = fetcher_with(server.url, env={"HTTPS_PROXY": proxy.url}).failure(server.url + "/", "proxy")
        assert not event["mayHaveBeenSent"] and event["status"] is None
        assert not server.connections


def test_a_proxy_that_swallows_what_comes_after_it(server, fetcher_with):
    with behaviours.Proxy() as proxy:
        fetcher = fetcher_with(server.url, env={"HTTPS_PROXY": proxy.url})
        server.then(behaviours.silence(), behaviours.head_then_silence(Answer(body=b"hello"), body=2))
        assert fetcher.failure(server.url + "/", "firstByteTimeout", firstByte=300)["mayHaveBeenSent"]
        assert fetcher.failure(server.url + "/", "idleTimeout", idle=300)["status"] == 200
        server.then(behaviours.silence())
        number = fetcher.begin(server.url + "/")
        assert server.next_request() and server.next_request() and server.next_request()
        assert fetcher.cancel(number)[0]["mayHaveBeenSent"]


def test_a_proxy_that_is_not_there(server, fetcher_with):
    with behaviours.Proxy() as proxy:
        url = proxy.url
    event = fetcher_with(server.url, env={"HTTPS_PROXY": url}).failure(server.url + "/", "unreachable")
    assert not event["mayHaveBeenSent"]


def test_a_proxy_that_says_nothing(server, fetcher_with):
    nobody = behaviours.Unaccepting()
    proxy = nobody.url.replace("https", "http")
    event = fetcher_with(server.url, env={"HTTPS_PROXY": proxy}).failure(server.url + "/", "connectTimeout", connect=300)
    took(event, 300)
    nobody.close()


# Cancelling.


@pytest.mark.parametrize("phase", ["connecting", "handshake", "waiting", "receiving"])
def test_a_cancelled_request_ends_at_once_and_closes_its_connection(server, fetcher_with, phase):
    nobody = behaviours.Unaccepting()
    fetcher = fetcher_with(server.url, nobody.url)
    seconds = []
    for _ in range(3):
        if phase == "connecting":
            number = fetcher.begin(nobody.url + "/")
            fetcher.state()
        elif phase == "handshake":
            server.greet(behaviours.mute())
            number = fetcher.begin(server.url + "/")
            server.next_connection()
        elif phase == "waiting":
            server.then(behaviours.silence())
            number = fetcher.begin(server.url + "/")
            server.next_request()
        else:
            server.then(behaviours.head_then_silence(Answer(body=b"hello"), body=2))
            number = fetcher.begin(server.url + "/", pieces=True)
            assert fetcher.event()["text"] == "he"
        event, passed = fetcher.cancel(number)
        assert event["mayHaveBeenSent"] == (phase in ("waiting", "receiving"))
        assert event["status"] == (200 if phase == "receiving" else None)
        if phase != "connecting":
            server.next_end()
        seconds.append(passed)
    assert min(seconds) < AT_ONCE, seconds
    nobody.close()


def test_a_request_that_is_done_cannot_be_cancelled_and_all_can_be_at_once(server, fetcher):
    number = fetcher.begin(server.url + "/")
    fetcher.event()
    fetcher.ask("cancel", id=number)
    server.always(behaviours.silence())
    numbers = {fetcher.begin(server.url + "/") for _ in range(10)}
    for _ in numbers:
        server.next_request()
    assert fetcher.state()["inFlight"] == 10
    fetcher.ask("cancelAll")
    events = [fetcher.event() for _ in numbers]
    assert {event["id"] for event in events} == numbers and {event["reason"] for event in events} == {"cancelled"}


def test_a_request_can_be_cancelled_before_it_began(server, fetcher):
    # In one write, so that both are read in the same turn.
    lines = [{"do": "send", "id": 1, "url": server.url + "/"}, {"do": "cancel", "id": 1}]
    fetcher.process.stdin.write(b"".join(json.dumps(line).encode() + b"\n" for line in lines))
    fetcher.process.stdin.flush()
    event = fetcher.event()
    assert (event["reason"], event["mayHaveBeenSent"]) == ("cancelled", False) and not server.connections


# Names.


@needs_namespaces
def test_a_name_server_that_says_nothing_holds_up_nothing(fetcher_with):
    fetcher = fetcher_with("https://generativelanguage.googleapis.com", command=fetch.elsewhere("silent"))
    url = "https://generativelanguage.googleapis.com/v1beta/models"
    event = fetcher.failure(url, "connectTimeout", connect=300)
    took(event, 300)
    assert not event["mayHaveBeenSent"]
    seconds = []
    for _ in range(5):
        number = fetcher.begin(url)
        fetcher.state()
        event, passed = fetcher.cancel(number)
        assert not event["mayHaveBeenSent"]
        seconds.append(passed)
    assert min(seconds) < AT_ONCE, seconds
    # Those that ask are still at it, and the program ends all the same: see Fetcher.end.


@needs_namespaces
def test_a_name_that_nobody_can_look_up(fetcher_with):
    fetcher = fetcher_with("https://firestore.googleapis.com", command=fetch.elsewhere("nobody"))
    event = fetcher.failure("https://firestore.googleapis.com/", "nameNotFound")
    assert not event["mayHaveBeenSent"]


# Many.


def test_fifty_at_once(server, fetcher):
    server.always(behaviours.late())
    numbers = {fetcher.begin(server.url + "/", method="POST", body=f"body {number}"): f"body {number}" for number in range(50)}
    for _ in numbers:
        server.next_request()
    assert fetcher.state()["inFlight"] == 50
    server.release()
    for _ in range(50):
        event = fetcher.event()
        assert event["event"] == "answer" and numbers.pop(event["id"]) == event["body"], event
    # A few are kept.
    for _ in range(46):
        server.next_end()
    assert len(server.open_connections()) == 4


def test_a_thousand_calls_leave_no_descriptor_behind(server, fetcher):
    steps = [None, behaviours.usual_then_closed(), behaviours.reset(Answer()), Answer(200, close="told")]
    for number in range(1000):
        server.then(steps[number % 4])
        fetcher.begin(server.url + "/", method="POST", body="x")
        fetcher.event()
        if number == 99:
            before = fetcher.descriptors()
    assert fetcher.descriptors() <= before + 2


def lateness_of_fifty(server, fetcher):
    server.always(behaviours.late())
    numbers = []
    for _ in range(5):
        # Handshakes are work, some milliseconds each, and the loop does one after the other; between them it turns.
        numbers += [fetcher.begin(server.url + "/", method="POST", body="x" * 10_000) for _ in range(10)]
        for _ in range(10):
            server.next_request()
    for number in numbers[:25]:
        fetcher.cancel(number)
    server.release()
    for _ in numbers[25:]:
        assert fetcher.event()["event"] == "answer"
    return fetcher.state()["lateness"]


def lateness_of_names(fetcher):
    url = "https://generativelanguage.googleapis.com/"
    numbers = [fetcher.begin(url) for _ in range(20)]
    for number in numbers[:10]:
        fetcher.cancel(number)
    fetcher.ask("cancelAll")
    for _ in numbers[10:]:
        assert fetcher.event()["reason"] == "cancelled"
    return fetcher.state()["lateness"]


@pytest.mark.figures
@needs_namespaces
def test_the_loop_turns_meanwhile(server, fetcher_with):
    """The library's loading, handshakes, fifty at once, their ends, names that nobody answers for: nothing holds the loop up for 50 ms."""
    silent = "https://generativelanguage.googleapis.com"
    # What is in the way of it is there each time; what the machine does besides is not.
    assert min(lateness_of_fifty(server, fetcher_with(server.url)) for _ in range(4)) < 50
    assert min(lateness_of_names(fetcher_with(silent, command=fetch.elsewhere("silent"))) for _ in range(4)) < 50
