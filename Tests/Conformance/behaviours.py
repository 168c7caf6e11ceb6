"""What a server of tls.py can do in place of an answer; each gives a step for `Server.then`, `always` or `greet`."""

import socket
import threading

import tls
from tls import Answer

HTML = b"<!DOCTYPE html><html><head><title>Error 502</title></head><body><p>The server encountered a temporary error.</p></body></html>"


def _answer(exchange, answer):
    return exchange.usual() if answer is None else answer


def silence():
    """Reads the request and says nothing until released; then closes."""
    def step(exchange):
        exchange.hold()
        exchange.close()
    return step


def late(answer=None):
    """Answers when released."""
    def step(exchange):
        made = _answer(exchange, answer)
        exchange.hold()
        exchange.answer(made)
    return step


def head_then_silence(answer=None, body=0):
    """The head and so many bytes of the body, then nothing until released; then the rest."""
    def step(exchange):
        made = _answer(exchange, answer)
        exchange.send(made.head() + made.body[:body])
        exchange.hold()
        exchange.send(made.body[body:])
    return step


def drip(answer=None, size=1, seconds=0.05, head=True):
    """So many bytes at a time, with a pause before each; `head`: the head drips as well."""
    def step(exchange):
        made = _answer(exchange, answer)
        data = made.head() + made.body
        begin = 0 if head else len(made.head())
        exchange.send(data[:begin])
        for at in range(begin, len(data), size):
            exchange.hold(seconds)
            exchange.send(data[at:at + size])
    return step


def reset(answer=None, body=None):
    """A RST after so many bytes of the body; None: before any byte of an answer. The request is handled if no answer is given."""
    def step(exchange):
        made = _answer(exchange, answer)
        if body is not None:
            exchange.send(made.head() + made.body[:body])
        exchange.reset()
    return step


def cut(answer=None, body=1):
    """Closes after so many bytes of the body, though more were announced."""
    def step(exchange):
        made = _answer(exchange, answer)
        assert len(made.body) > body, "nothing is cut off"
        exchange.send(made.head() + made.body[:body])
        exchange.close(politely=False)
    return step


def cut_stream(chunks):
    """A chunked answer that ends without its last chunk."""
    def step(exchange):
        exchange.send(Answer(chunks=[], headers=(("Content-Type", "text/event-stream"),)).head())
        for chunk in chunks:
            exchange.send(b"%x\r\n%s\r\n" % (len(chunk), chunk))
        exchange.close()
    return step


def handled_then_dropped():
    """Does what the request asks for, and closes without a word."""
    def step(exchange):
        exchange.usual()
        exchange.close()
    return step


def dropped():
    """Closes without a word and without having done anything."""
    return lambda exchange: exchange.close()


def usual_then_closed():
    """The usual answer, with no word that the connection is closed after it."""
    def step(exchange):
        exchange.answer(exchange.usual())
        exchange.close()
    return step


def html(status=200):
    return Answer(status, (("Content-Type", "text/html; charset=UTF-8"),), HTML)


def huge(size):
    """A body of so many bytes, announced, that is one JSON string."""
    return Answer(200, body=b'"' + b"a" * (size - 2) + b'"')


def endless(piece=b"a" * 65536):
    """A body that never ends, at the speed the client reads."""
    def step(exchange):
        exchange.send(Answer(chunks=[]).head())
        while not exchange.server.ending:
            exchange.send(b"%x\r\n%s\r\n" % (len(piece), piece))
    return step


def redirect(url, status=302):
    return Answer(status, (("Location", url),))


def garbage(data=b"\x16\x03\x01\x02\x00 what is this\r\n\r\n"):
    """No HTTP, and then the end."""
    def step(exchange):
        exchange.send(data)
        exchange.close()
    return step


# For `greet`: before the handshake.


def mute():
    """Takes the connection and says nothing, not even the handshake, until released."""
    def step(connection):
        connection.hold()
        raise tls.Gone
    return step


def reset_at_once():
    return lambda connection: connection.reset()


def plain_http():
    """Speaks HTTP where TLS is expected."""
    def step(connection):
        connection.send(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
        raise tls.Gone
    return step


class Unaccepting:
    """A port on which nobody takes a connection and whose queue is full: connecting to it gets no answer at all."""

    def __init__(self):
        self.listener = socket.socket()
        self.listener.bind(("127.0.0.1", 0))
        self.listener.listen(0)
        self.port = self.listener.getsockname()[1]
        self.url = f"https://127.0.0.1:{self.port}"
        self.waiting = []
        while not self._is_full():
            assert len(self.waiting) < 16

    def _is_full(self):
        one = socket.socket()
        self.waiting.append(one)
        one.settimeout(0.3)
        try:
            one.connect(("127.0.0.1", self.port))
            return False
        except TimeoutError:
            return True

    def close(self):
        for one in (*self.waiting, self.listener):
            one.close()


class Proxy:
    """A proxy that knows CONNECT and nothing else. `answer`: what it says in place of a tunnel, bytes. `asked`: every target."""

    def __init__(self, answer=None):
        self.answer = answer
        self.asked, self.heads, self.open = [], [], []
        self.listener = socket.socket()
        self.listener.bind(("127.0.0.1", 0))
        self.listener.listen(32)
        self.port = self.listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.thread = threading.Thread(target=self._accept, daemon=True)
        self.thread.start()

    def close(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.thread.join(tls.PATIENCE)
        self.listener.close()
        for one in self.open:
            _shut(one)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            client.settimeout(tls.PATIENCE)
            self.open.append(client)
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client):
        head = b""
        try:
            while not head.endswith(b"\r\n\r\n") and len(head) < tls.HEAD_MAX:
                byte = client.recv(1)
                if not byte:
                    return
                head += byte
            method, target, _ = head.decode("latin-1").split(" ", 2)
            self.asked.append(f"{method} {target}")
            self.heads.append(head)
            if self.answer is not None or method != "CONNECT":
                client.sendall(self.answer or b"HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 0\r\n\r\n")
                return
            host, port = target.rsplit(":", 1)
            with socket.create_connection((host.strip("[]"), int(port)), timeout=tls.PATIENCE) as far:
                self.open.append(far)
                client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
                back = threading.Thread(target=_pump, args=(far, client), daemon=True)
                back.start()
                _pump(client, far)
                back.join(tls.PATIENCE)
        except (OSError, ValueError):
            pass
        finally:
            client.close()


def _pump(source, sink):
    try:
        while data := source.recv(1 << 16):
            sink.sendall(data)
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        _shut(source)
        _shut(sink)


def _shut(one):
    try:
        one.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
