"""The servers that stand in for the network and its services do what they say, before anything is judged by them."""

import http.client
import json
import os
import socket
import ssl
import time

import pytest

import behaviours
import tls
from tls import HOLD, Answer

pytestmark = pytest.mark.tools


@pytest.fixture
def server(certificates):
    with tls.Server(certificates, handler=lambda request: Answer(200, body=b'{"body":"%d"}' % len(request.body))) as server:
        yield server


def client(server, certificates, timeout=5):
    return http.client.HTTPSConnection("127.0.0.1", server.port, context=certificates.context(), timeout=timeout)


def asked(connection, body=b"x", headers=None):
    """Status and body of one request."""
    connection.request("POST", "/v1/a%28b%29?c=d", body, headers or {})
    response = connection.getresponse()
    return response.status, response.read()


def raw(server, certificates, data=b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"):
    """A TLS connection on which a request has been sent."""
    connection = certificates.context().wrap_socket(
        socket.create_connection(("127.0.0.1", server.port), timeout=5), server_hostname="127.0.0.1")
    connection.sendall(data)
    return connection


def rest_undeciphered(connection):
    """All that still comes, as the network brings it: Python's ssl takes a reset for an ordinary end."""
    data = b""
    with socket.socket(fileno=os.dup(connection.fileno())) as plain:
        plain.settimeout(5)
        while more := plain.recv(1 << 16):
            data += more
    return data


# The server itself.


def test_a_connection_is_kept_and_every_byte_of_it(server, certificates):
    connection = client(server, certificates)
    assert asked(connection, "가".encode(), {"X-Twice": "1"}) == (200, b'{"body":"3"}')
    assert asked(connection, b"second") == (200, b'{"body":"6"}')
    first, second = server.next_request(), server.next_request()
    assert (first.connection, second.connection) == (0, 0) and len(server.connections) == 1
    assert (first.path, first.query, first.header("x-twice"), first.body) == ("/v1/a(b)", {"c": ["d"]}, "1", "가".encode())
    assert first.raw + second.raw == server.wire
    connection.close()
    assert server.next_end().number == 0


def test_a_body_in_chunks_and_one_that_waits_to_be_asked_for(server, certificates):
    connection = client(server, certificates)
    connection.request("POST", "/", iter([b"ab", b"c"]), {"Transfer-Encoding": "chunked"}, encode_chunked=True)
    assert connection.getresponse().read() == b'{"body":"3"}'
    assert server.next_request().body == b"abc"
    with raw(server, certificates, b"POST / HTTP/1.1\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n") as patient:
        assert patient.recv(99).startswith(b"HTTP/1.1 100 ")
        patient.sendall(b"ok")
        assert patient.recv(9999).endswith(b'{"body":"2"}')


@pytest.mark.parametrize("kind, code", [
    ("wrong name", 64), ("expired", 10), ("not yet", 9), ("unknown authority", 20), ("self-signed", 18)])
def test_what_a_client_must_refuse(certificates, kind, code):
    with tls.Server(certificates, kind=kind) as server:
        with pytest.raises(ssl.SSLCertVerificationError) as refusal:
            asked(client(server, certificates))
        assert refusal.value.verify_code == code
        assert not server.requests and server.wire == b""
        assert server.next_end().refusal


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion:DeprecationWarning")
def test_an_old_version_of_tls(certificates):
    with tls.Server(certificates, newest=ssl.TLSVersion.TLSv1_1) as server:
        with pytest.raises(ssl.SSLError):
            asked(client(server, certificates))
        old = certificates.context()
        old.set_ciphers("ALL:@SECLEVEL=0")
        old.minimum_version = ssl.TLSVersion.MINIMUM_SUPPORTED
        connection = http.client.HTTPSConnection("127.0.0.1", server.port, context=old, timeout=5)
        assert asked(connection)[0] == 200, "it is the version alone that must be refused"
        assert server.connections[-1].version == "TLSv1.1"


def test_the_queue_then_what_stands_then_the_usual(server, certificates):
    connection = client(server, certificates)
    server.then(Answer(503), None).always(behaviours.html())
    assert [asked(connection) for _ in range(3)] == [(503, b""), (200, b'{"body":"1"}'), (200, behaviours.HTML)]
    server.always(None)
    assert asked(connection)[1] == b'{"body":"1"}'


def test_silence_ends_when_released_or_when_the_client_goes(server, certificates):
    server.then(behaviours.silence(), behaviours.silence(), behaviours.late())
    first, second, third = (raw(server, certificates) for _ in range(3))
    for _ in range(3):
        server.next_request()
    first.settimeout(0.1)
    with pytest.raises(TimeoutError):
        first.recv(1)
    gone = time.monotonic()
    first.close()
    ended = server.next_end()
    assert ended.number == 0 and ended.closed_at - gone < 1
    server.release()
    assert second.recv(1) == b"" and third.recv(9999).startswith(b"HTTP/1.1 200 OK")


def test_a_release_counts_for_what_is_there(server, certificates):
    """One that came before a request does not let it go."""
    connection = raw(server, certificates)
    connection.recv(9999)
    server.release()
    server.then(behaviours.late())
    connection.sendall(b"GET / HTTP/1.1\r\n\r\n")
    connection.settimeout(0.2)
    with pytest.raises(TimeoutError):
        connection.recv(1)
    server.release()
    connection.settimeout(5)
    assert connection.recv(9999).startswith(b"HTTP/1.1 200")


def test_nothing_before_the_handshake(server, certificates):
    server.greet(behaviours.mute(), behaviours.reset_at_once(), behaviours.plain_http())
    with pytest.raises(TimeoutError):
        asked(client(server, certificates, timeout=0.2))
    assert server.next_connection().hello.startswith(b"\x16\x03")
    with pytest.raises(ConnectionResetError):
        asked(client(server, certificates))
    with pytest.raises(ssl.SSLError, match="wrong version number|record layer"):
        asked(client(server, certificates))
    assert server.wire == b""
    assert asked(client(server, certificates))[0] == 200


def test_dripping_and_a_head_without_its_body(server, certificates):
    connection = client(server, certificates)
    server.then(behaviours.drip(Answer(200, body=b"slow"), 4, 0.001), behaviours.head_then_silence(Answer(200, body=b"late"), 1))
    assert asked(connection) == (200, b"slow")
    connection.request("GET", "/")
    response = connection.getresponse()
    assert response.read(1) == b"l"
    server.release()
    assert response.read() == b"ate"


def test_breaking_off(server, certificates):
    server.then(behaviours.reset(Answer(200, body=b"reset"), 1), behaviours.reset(), behaviours.cut(Answer(200, body=b"cut")))
    connection = raw(server, certificates)
    with pytest.raises(ConnectionResetError):
        rest_undeciphered(connection)
    with pytest.raises(ConnectionResetError):
        rest_undeciphered(raw(server, certificates))
    with pytest.raises((http.client.IncompleteRead, ssl.SSLEOFError)):
        asked(client(server, certificates))


def test_what_is_handled_and_what_is_not(certificates):
    handled = []
    with tls.Server(certificates, handler=lambda request: handled.append(request.body) or Answer()) as server:
        server.then(behaviours.handled_then_dropped(), behaviours.dropped(), behaviours.usual_then_closed())
        for body in b"one", b"two":
            with pytest.raises(http.client.RemoteDisconnected):
                asked(client(server, certificates), body)
        connection = client(server, certificates)
        assert asked(connection, b"three")[0] == 200
        with pytest.raises(OSError):
            asked(connection, b"four")
            asked(connection, b"four")
        assert handled == [b"one", b"three"]
        assert [request.body for request in server.requests] == [b"one", b"two", b"three"]


def test_a_stream_is_split_where_it_is_told(server, certificates):
    letter = "한글".encode()
    server.then(Answer(200, (("Content-Type", "text/event-stream"),), chunks=[letter[:1], HOLD, letter[1:4], 0.01, letter[4:]]))
    connection = client(server, certificates)
    connection.request("GET", "/")
    response = connection.getresponse()
    assert response.read1(99) == letter[:1]
    server.release()
    assert response.read() == letter[1:]
    server.then(behaviours.cut_stream([letter]))
    with pytest.raises(http.client.IncompleteRead):
        asked(connection)


def test_odd_answers(server, certificates):
    server.then(behaviours.redirect("https://127.0.0.1/x"), behaviours.huge(1 << 21), behaviours.garbage())
    connection = client(server, certificates)
    assert asked(connection) == (302, b"")
    assert len(json.loads(asked(connection)[1])) == (1 << 21) - 2
    with pytest.raises(http.client.BadStatusLine):
        asked(connection)
    server.then(behaviours.endless())
    connection = raw(server, certificates)
    assert sum(len(connection.recv(1 << 16)) for _ in range(200)) > 1 << 20
    connection.close()


def test_the_same_port_again(certificates):
    server = tls.Server(certificates)
    assert asked(client(server, certificates))[0] == 200
    port, held = server.port, raw(server, certificates, b"GET")
    server.stop()
    assert held.recv(1) == b""
    with pytest.raises(ConnectionRefusedError):
        asked(client(server, certificates))
    server.start()
    assert server.port == port and asked(client(server, certificates))[0] == 200
    assert len(server.requests) == 2
    server.close()


def test_a_fault_of_the_servers_own_is_not_passed_over(certificates):
    server = tls.Server(certificates, handler=lambda request: 1 / 0)
    with pytest.raises((http.client.RemoteDisconnected, ConnectionError)):
        asked(client(server, certificates))
    with pytest.raises(AssertionError, match="ZeroDivisionError"):
        server.close()


def test_a_port_that_never_takes_a_connection():
    unaccepting = behaviours.Unaccepting()
    with pytest.raises(TimeoutError):
        socket.create_connection(("127.0.0.1", unaccepting.port), timeout=0.3)
    unaccepting.close()


def test_a_proxy_counts_what_goes_through_it(server, certificates):
    with behaviours.Proxy() as proxy:
        connection = http.client.HTTPSConnection("127.0.0.1", proxy.port, context=certificates.context(), timeout=5)
        connection.set_tunnel("127.0.0.1", server.port)
        assert asked(connection)[0] == 200
        connection.close()
        assert proxy.asked == [f"CONNECT 127.0.0.1:{server.port}"]
    with behaviours.Proxy(answer=b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n") as proxy:
        connection = http.client.HTTPSConnection("127.0.0.1", proxy.port, context=certificates.context(), timeout=5)
        connection.set_tunnel("127.0.0.1", server.port)
        with pytest.raises(OSError, match="407"):
            asked(connection)
