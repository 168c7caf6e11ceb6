"""One connection of a server of the tests: what came on it, and every way in which it can be answered, held or broken."""

import dataclasses
import email.utils
import selectors
import socket
import ssl
import struct
import time
import urllib.parse

PATIENCE = 120  # seconds after which whatever waits here gives up
HEAD_MAX, BODY_MAX = 1 << 16, 1 << 25
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
