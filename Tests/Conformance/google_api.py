"""What Google's services over REST have in common: requests that are read as their own messages, and the shape of errors."""

import email.utils
import json
import time

from google.protobuf import json_format

from tls import Answer

RPC = "type.googleapis.com/google.rpc."


class Refused(Exception):
    """What a service answers in place of doing what it was asked."""

    def __init__(self, answer):
        super().__init__(answer.status)
        self.answer = answer


def read_as(request, kind):
    """The vendor's own message of a request's body; what it cannot hold is refused."""
    if (request.header("content-type") or "").split(";")[0].strip() != "application/json":
        raise Refused(invalid("Invalid JSON payload received. The content is not application/json."))
    try:
        text = request.body.decode()
        if not text.lstrip().startswith("{"):
            raise Refused(invalid("Invalid JSON payload received. Root element must be a message."))
        return json_format.Parse(text, kind())
    except (json_format.ParseError, UnicodeDecodeError) as trouble:
        raise Refused(invalid(f"Invalid JSON payload received. {trouble}")) from trouble


def error(code, status, message, details=(), headers=()):
    """An error in the services' own shape."""
    body = {"error": {"code": code, "message": message, "status": status}}
    if details:
        body["error"]["details"] = list(details)
    return Answer(code, tuple(headers), json.dumps(body, indent=2, ensure_ascii=False).encode() + b"\n")


def invalid(message="Request contains an invalid argument."):
    return error(400, "INVALID_ARGUMENT", message)


def key_invalid():
    message = "API key not valid. Please pass a valid API key."
    return error(400, "INVALID_ARGUMENT", message, [
        {"@type": RPC + "ErrorInfo", "reason": "API_KEY_INVALID", "domain": "googleapis.com"},
        {"@type": RPC + "LocalizedMessage", "locale": "en-US", "message": message}])


def unauthenticated():
    return error(401, "UNAUTHENTICATED", "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or "
                 "other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.", [
                     {"@type": RPC + "ErrorInfo", "reason": "ACCESS_TOKEN_TYPE_UNSUPPORTED", "domain": "googleapis.com"}])


def later(*values):
    """Retry-After headers: each a text as it stands, or a number of seconds, which becomes a date so far ahead."""
    return [("Retry-After", value if isinstance(value, str) else date(value)) for value in values]


def date(ahead=0):
    """An instant as HTTP writes it."""
    return email.utils.formatdate(time.time() + ahead, usegmt=True)
