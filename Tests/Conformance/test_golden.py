"""Bytes that never change: clients in the field split on them."""

import re

# One reply, one error and one event, to the last byte; <…> stands for what belongs to the run.
REPLY = b'{"jsonrpc":"2.0","id":"golden","result":{"pong":true}}\n'
ERROR = (b'{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"There is no such method.","data":{"domain":"rpc",'
         b'"code":"method_not_found","messageKey":"error.rpc.method_not_found","message":"There is no such method.",'
         b'"nearest":"system.ping","retriable":false}}}\n')
EVENT = (b'{"jsonrpc":"2.0","method":"events.changed","params":{"subscription":"<s>","seq":1,"topic":"journal","id":"<id>",'
         b'"op":"created","at":"<at>","cursor":"<cursor>"}}\n')


def test_a_reply(daemon):
    with daemon.connect() as connection:
        connection.send(b'{"jsonrpc":"2.0","id":"golden","method":"system.ping"}\n')
        assert connection.line() == REPLY
        connection.send(b'{"jsonrpc":"2.0","id":"golden","method":"system.ping"}\n')
        assert connection.line() == REPLY, "the connection stays open"


def test_an_error(daemon):
    with daemon.connect() as connection:
        connection.send(b'{"jsonrpc":"2.0","id":1,"method":"system.pin"}\n')
        assert connection.line() == ERROR


def test_an_event(daemon):
    with daemon.connect() as connection:
        connection.call("events.subscribe", {"topics": ["journal"]})
        connection.call("journal.create", {"conflictType": "friends"})
        pattern = re.escape(EVENT)
        for name, shape in ((b"<s>", rb"s\d+"), (b"<id>", rb"[0-9a-f-]{36}"), (b"<cursor>", rb"[0-9a-z-]+"),
                            (b"<at>", rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.?\d*Z")):
            pattern = pattern.replace(re.escape(name), shape)
        line = connection.line()
        assert re.fullmatch(pattern, line), line
