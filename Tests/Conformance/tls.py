"""HTTPS servers on the loopback that answer as told, keep every byte they got, and can fail in every way a network does.

    server = Server(certificates, handler=lambda request: Answer(200, body=b"{}"))
    server.then(silence(), drip(Answer(200, body=b"{}"), 1, 0.1), redirect("https://elsewhere.example/"))
    request = server.next_request()

Each request takes the next step of the queue; when it is empty, what `always` set, else the handler. `release()` lets go what holds.
"""

import collections
import queue
import socket
import ssl
import threading

import harness
from tls_connection import HEAD_MAX, HOLD, PATIENCE, Answer, Connection, Gone, Request

__all__ = ["HEAD_MAX", "HOLD", "PATIENCE", "Answer", "Connection", "Gone", "Request", "Server"]

KEPT_MAX, CONNECTIONS_MAX = 50_000, 512


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
