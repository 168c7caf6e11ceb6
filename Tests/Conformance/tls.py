"""HTTPS servers on the loopback that answer as told, keep every byte they got, and can fail in every way a network does.

    server = Server(certificates, handler=lambda request: Answer(200, body=b"{}"))
    server.then(silence(), drip(Answer(200, body=b"{}"), 1, 0.1), redirect("https://elsewhere.example/"))
    request = server.next_request()

Each request takes the next step of the queue; when it is empty, what `always` set, else the handler. `release()` lets go what holds.
"""

import collections
import dataclasses
import email.utils
import queue
import selectors
import socket
import ssl
import struct
import threading
import time
import urllib.parse

import harness

PATIENCE = 120  # seconds after which whatever waits here gives up
HEAD_MAX, BODY_MAX, KEPT_MAX, CONNECTIONS_MAX = 1 << 16, 1 << 25, 50_000, 512
REASONS = {200: "OK", 204: "No Content", 302: "Found", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
           408: "Request Timeout", 409: "Conflict", 429: "Too Many Requests", 500: "Internal Server Error", 502: "Bad Gateway",
           503: "Service Unavailable", 504: "Gateway Timeout"}


class Gone(Exception):
    """The client closed, or the server is being stopped."""


class HOLD:
    """A place in a stream at which it waits for `release()`."""


@dataclasses.dataclass
class Request:
    method: str
    target: str
    headers: list
    body: bytes
    raw: bytes
    connection: int
    at: float  # when it had been read to its end, on the monotonic clock

    @property
    def path(self):
        """The target's path without its query, and with its escapes undone."""
        return urllib.parse.unquote(urllib.parse.urlsplit(self.target).path)

    @property
    def query(self):
        return urllib.parse.parse_qs(urllib.parse.urlsplit(self.target).query, keep_blank_values=True)

    def values(self, name):
        return [value for key, value in self.headers if key.lower() == name.lower()]

    def header(self, name):
        """The one value of a header; None where there is none."""
        values = self.values(name)
        assert len(values) <= 1, f"{name} is there {len(values)} times"
        return values[0] if values else None


@dataclasses.dataclass
class Answer:
    """`close`: "told" says Connection: close and does, "silent" closes afterwards without a word. `chunks`: a list of bytes, each sent as
    a chunk and a TLS record of its own, with numbers (seconds to wait) and HOLD among them, in place of `body`."""

    status: int = 200
    headers: tuple = ()
    body: bytes = b""
    chunks: list | None = None
    close: str | None = None

    def head(self):
        headers = [("Content-Type", "application/json; charset=UTF-8"), *self.headers]
        given = {name.lower() for name, _ in self.headers}
        if "content-type" in given:
            headers.pop(0)
        if "date" not in given:
            headers.append(("Date", email.utils.formatdate(usegmt=True)))
        if self.chunks is not None:
            headers.append(("Transfer-Encoding", "chunked"))
        elif "content-length" not in given:
            headers.append(("Content-Length", str(len(self.body))))
        if self.close == "told":
            headers.append(("Connection", "close"))
        lines = [f"HTTP/1.1 {self.status} {REASONS.get(self.status, 'Whatever')}", *(f"{name}: {value}" for name, value in headers)]
        return "\r\n".join([*lines, "", ""]).encode()


class Connection:
    """One connection of a client; `received` is all that it sent under the encryption."""

    def __init__(self, server, number, plain):
        self.server, self.number, self.socket = server, number, plain
        self.hello = bytearray()  # what came before the encryption, where a step read it
        self.received = bytearray()
        self.buffer = bytearray()
        self.requests = 0
        self.closed_at = None
        self.refusal = None  # why the handshake failed
        self.version = None
        self.wake, self.waker = socket.socketpair()
        self.wake.setblocking(False)
        plain.settimeout(PATIENCE)

    # Reading

    def shake_hands(self, context):
        try:
            self.socket = context.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)
            self.socket.do_handshake()
        except (OSError, ValueError) as error:
            self.refusal = str(error)
            raise Gone from error
        self.version = self.socket.version()

    def more(self):
        try:
            data = self.socket.recv(1 << 16)
        except (OSError, ValueError) as error:
            raise Gone from error
        if not data:
            raise Gone
        if isinstance(self.socket, ssl.SSLSocket):
            self.received += data
            self.buffer += data
        else:
            self.hello += data

    def take(self, count):
        while len(self.buffer) < count:
            self.more()
        data = bytes(self.buffer[:count])
        del self.buffer[:count]
        return data

    def line(self):
        while (end := self.buffer.find(b"\r\n")) < 0:
            if len(self.buffer) > HEAD_MAX:
                raise Gone
            self.more()
        return self.take(end + 2)

    def read(self):
        """The next request, with its body."""
        lines = [self.line()]
        while lines[-1] != b"\r\n":
            lines.append(self.line())
            assert sum(map(len, lines)) <= HEAD_MAX
        method, target, _ = lines[0].decode("latin-1").split(" ", 2)
        headers = [tuple(part.strip() for part in line.decode("latin-1").split(":", 1)) for line in lines[1:-1]]
        known = {name.lower(): value for name, value in headers}
        if known.get("expect", "").lower() == "100-continue":
            self.send(b"HTTP/1.1 100 Continue\r\n\r\n")
        if known.get("transfer-encoding", "").lower() == "chunked":
            body, raw = self.chunked()
        else:
            length = int(known.get("content-length", "0"))
            assert length <= BODY_MAX
            body = raw = self.take(length)
        self.requests += 1
        return Request(method, target, headers, body, b"".join(lines) + raw, self.number, time.monotonic())

    def chunked(self):
        body, raw = b"", b""
        while True:
            size = self.line()
            length = int(size.split(b";")[0], 16)
            data, end = self.take(length), self.line()
            body, raw = body + data, raw + size + data + end
            assert len(body) <= BODY_MAX
            if length == 0:
                return body, raw

    # Answering

    def send(self, data):
        try:
            self.socket.sendall(data)
        except (OSError, ValueError) as error:
            raise Gone from error

    def hold(self, seconds=None):
        """Waits until released, or for so long; what the client sends meanwhile is kept, and its going ends the wait with `Gone`."""
        end = time.monotonic() + (PATIENCE if seconds is None else seconds)
        with selectors.DefaultSelector() as selector:
            selector.register(self.socket, selectors.EVENT_READ, "client")
            selector.register(self.wake, selectors.EVENT_READ, "wake")
            while (left := end - time.monotonic()) > 0:
                ready = {key.data for key, _ in selector.select(left)}
                if self.server.ending:
                    raise Gone
                if "client" in ready:
                    self.look()
                if "wake" in ready:
                    self.wake.recv(1)
                    return

    def forget_releases(self):
        """A release counts for the request that is being handled and no other."""
        try:
            self.wake.recv(4096)
        except BlockingIOError:
            pass

    def look(self):
        """Takes in what the client has sent, without waiting."""
        self.socket.settimeout(0)
        try:
            self.more()
        except Gone as gone:
            if not isinstance(gone.__cause__, (ssl.SSLWantReadError, BlockingIOError)):
                raise
        finally:
            self.socket.settimeout(PATIENCE)

    def reset(self):
        """Closes with a RST, so that the client loses even what is on its way."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()
        raise Gone

    def end(self, politely=True):
        """Closes; politely, with the encryption's own end, by which the client sees that nothing was cut off."""
        is_first = self.closed_at is None
        if is_first:
            self.closed_at = time.monotonic()
        if politely and isinstance(self.socket, ssl.SSLSocket) and self.socket.fileno() >= 0:
            try:
                self.socket.settimeout(0)
                self.socket.unwrap()
            except (OSError, ValueError):
                pass
        self.socket.close()
        if is_first:
            self.server.ended.put(self)

    def release(self):
        try:
            self.waker.send(b"!")
        except OSError:  # it has just ended
            pass

    def interrupt(self):
        self.release()
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


class Exchange:
    """A request and the connection it came on: what a step is given."""

    def __init__(self, server, connection, request):
        self.server, self.connection, self.request = server, connection, request
        self.send, self.hold = connection.send, connection.hold

    def usual(self):
        """What the server itself makes of the request; it has then been handled, answered or not."""
        return self.server.handler(self.request)

    def answer(self, answer):
        self.send(answer.head() + (b"" if answer.chunks is not None else answer.body))
        for chunk in answer.chunks or []:
            if chunk is HOLD:
                self.hold()
            elif isinstance(chunk, (int, float)):
                self.hold(chunk)
            else:
                self.send(b"%x\r\n%s\r\n" % (len(chunk), chunk))
        if answer.chunks is not None:
            self.send(b"0\r\n\r\n")
        if answer.close:
            self.close()

    def reset(self):
        self.connection.reset()

    def close(self, politely=True):
        self.connection.end(politely)
        raise Gone


def _next(events, timeout, what):
    try:
        return events.get(timeout=timeout)
    except queue.Empty:
        raise AssertionError(f"no {what} in {timeout} s") from None


class Server:
    """An HTTPS server on a port of the loopback. `handler` makes an Answer of a Request; `newest` limits the version of TLS.

    It can be stopped and started again at the same port, with all that it kept.
    """

    def __init__(self, certificates, handler=None, kind="good", newest=None, port=0):
        self.certificates = certificates
        self.handler = handler or (lambda _: Answer())
        self.lock = threading.Lock()
        self.steps, self.greetings = collections.deque(), collections.deque()
        self.standing = None
        self.requests, self.connections = [], []
        self.accepted, self.arrived, self.ended = queue.Queue(), queue.Queue(), queue.Queue()
        self.failures = []  # of the server's own code; a test that uses it must not pass over them
        self.port = port
        self.ending = True
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.minimum_version = ssl.TLSVersion.TLSv1_2
        if newest is not None:
            self.context.set_ciphers("ALL:@SECLEVEL=0")
            self.context.minimum_version = ssl.TLSVersion.MINIMUM_SUPPORTED
            self.context.maximum_version = newest
        self.context.load_cert_chain(certificates.file(kind))
        self.context.set_alpn_protocols(["http/1.1"])
        self.start()

    @property
    def url(self):
        return f"https://127.0.0.1:{self.port}"

    @property
    def wire(self):
        """Every byte that came, of all connections in their order."""
        with self.lock:
            return b"".join(bytes(connection.received) for connection in self.connections)

    def then(self, *steps):
        """What the next requests meet: an Answer, or a function of the Exchange; None is the usual."""
        self.steps.extend(steps)
        return self

    def always(self, step):
        """What requests meet when the queue is empty; None is the usual again."""
        self.standing = step
        return self

    def greet(self, *steps):
        """What the next connections meet before the handshake, a function of the Connection."""
        self.greetings.extend(steps)
        return self

    def release(self):
        """Lets go, once, whatever holds or will hold for the requests and connections that are there now."""
        for connection in self.open_connections():
            connection.release()

    def open_connections(self):
        with self.lock:
            return [connection for connection in self.connections if connection.closed_at is None]

    def next_connection(self, timeout=harness.WAIT):
        """The next connection that was made, from before its handshake on."""
        return _next(self.accepted, timeout, "connection")

    def next_request(self, timeout=harness.WAIT):
        """The next request that has not been given out yet."""
        return _next(self.arrived, timeout, "request")

    def next_end(self, timeout=harness.WAIT):
        """The next connection that has ended, by whichever side."""
        return _next(self.ended, timeout, "end of a connection")

    def start(self):
        assert self.ending, "it runs"
        self.listener = socket.socket()
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.listener.bind(("127.0.0.1", self.port))
        self.listener.listen(128)
        self.port = self.listener.getsockname()[1]
        self.ending = False
        self.threads = []
        self.accepting = threading.Thread(target=self._accept, daemon=True)
        self.accepting.start()
        return self

    def stop(self):
        """Closes the port and every connection; what was kept stays."""
        if self.ending:
            return
        self.ending = True
        self.listener.shutdown(socket.SHUT_RDWR)
        self.accepting.join(PATIENCE)
        self.listener.close()
        for connection in self.open_connections():
            connection.interrupt()
        for thread in self.threads:
            thread.join(PATIENCE)

    def close(self):
        self.stop()
        assert not self.failures, self.failures

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _accept(self):
        while True:
            try:
                plain, _ = self.listener.accept()
            except OSError:
                return
            plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with self.lock:
                live = sum(connection.closed_at is None for connection in self.connections)
                if live >= CONNECTIONS_MAX or len(self.connections) >= KEPT_MAX:
                    plain.close()
                    continue
                connection = Connection(self, len(self.connections), plain)
                self.connections.append(connection)
            self.accepted.put(connection)
            thread = threading.Thread(target=self._serve, args=(connection,), daemon=True)
            self.threads = [one for one in self.threads if one.is_alive()] + [thread]
            thread.start()

    def _serve(self, connection):
        politely = True
        try:
            if self.greetings:
                self.greetings.popleft()(connection)
            connection.shake_hands(self.context)
            while not self.ending:
                request = connection.read()
                with self.lock:
                    self.requests.append(request)
                    step = self.steps.popleft() if self.steps else self.standing
                connection.forget_releases()
                self.arrived.put(request)
                exchange = Exchange(self, connection, request)
                step = step if step is not None else exchange.usual()
                exchange.answer(step) if isinstance(step, Answer) else step(exchange)
        except Gone:
            pass
        except Exception as error:
            politely = False
            self.failures.append(repr(error))
        finally:
            connection.end(politely)
            for one in (connection.wake, connection.waker):
                one.close()
