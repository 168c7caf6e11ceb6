"""A Gemini for the tests: it reads every request with the vendor's own types and refuses what they refuse.

    gemini = Gemini(certificates)
    gemini.writer = replies.changing("missing")             # what it writes
    gemini.then(unavailable(), rate_limited("37s"))         # what the next requests meet in place of a letter
    gemini.then(says(replies.blocked("SAFETY")), stream(tear=3))
"""

import json
import re

from google.ai.generativelanguage_v1beta.types import GenerateContentRequest, Model
from google.protobuf import json_format

import behaviours
import gemini_replies as replies
import tls
from google_api import RPC, Refused, error, invalid, key_invalid, later, read_as, unauthenticated
from tls import Answer

REQUEST, MODEL = GenerateContentRequest.pb(), Model.pb()
PATH = re.compile(r"^/v1(?:beta)?/models/([^/:]+)(?::(generateContent|streamGenerateContent))?$")
# What the service takes, of gemini-2.5-flash-lite.
RANGES = {"temperature": (0, 2), "top_p": (0, 1), "top_k": (1, 64), "candidate_count": (1, 8), "max_output_tokens": (1, 65536)}
HARMS = {7, 8, 9, 10, 11}  # harassment, hate speech, sexually explicit, dangerous content, civic integrity


class Gemini(tls.Server):
    """`writer` makes the letter from a `Prompt`; `prompts` are all that were understood. `language` overrides what is read from the
    prompt, `models` are those that exist. Besides that it is a Server with its steps."""

    def __init__(self, certificates, key="AQ.a-key-of-the-tests", models=(replies.MODEL,), writer=replies.written, **options):
        self.key, self.models, self.writer, self.language = key, set(models), writer, None
        self.prompts = []
        super().__init__(certificates, handler=self.handle, **options)

    def handle(self, request):
        try:
            prompt, streams = self.understand(request)
        except Refused as refused:
            return refused.answer
        if prompt is None:
            return self.model_page(request)
        text = self.letter(prompt)
        if streams:
            return streamed(request, replies.events(prompt, text))
        return Answer(body=json.dumps(replies.reply(text, prompt=prompt), ensure_ascii=False).encode())

    def letter(self, prompt):
        """The letter as it stands in a part: as such, or within the JSON that the request asked for."""
        text, config = self.writer(prompt), prompt.message.generation_config
        if config.response_mime_type != "application/json":
            return text
        names = list(config.response_schema.properties) or list(
            json_format.MessageToDict(config.response_json_schema).get("properties", {})) or ["letter"]
        place = next((name for name in names if name in ("letter", "body", "content", "text")), names[0])
        return json.dumps({name: text if name == place else "…" for name in names}, ensure_ascii=False)

    def understand(self, request):
        """The prompt of a request and whether it is to be streamed; (None, False) for a question about the model. Raises Refused."""
        found = PATH.match(request.path)
        if not found or request.method != ("POST" if found[2] else "GET"):
            raise Refused(behaviours.html(404))
        self.admit(request)
        if found[1] not in self.models:
            raise Refused(error(404, "NOT_FOUND", f"models/{found[1]} is not found for API version v1beta, or is not supported for "
                                "generateContent. Call ListModels to see the list of available models."))
        if not found[2]:
            return None, False
        message = read_as(request, REQUEST)
        for trouble in troubles(message, found[1]):
            raise Refused(invalid(trouble))
        with self.lock:
            number = len(self.prompts)
            prompt = replies.Prompt(message, found[1], number, self.language)
            self.prompts.append(prompt)
        return prompt, found[2] == "streamGenerateContent"

    def admit(self, request):
        """The key, in its own header and nowhere else."""
        if request.values("authorization"):
            raise Refused(unauthenticated())
        keys = request.values("x-goog-api-key")
        if "key" in request.query or not keys:
            raise Refused(error(403, "PERMISSION_DENIED", "Method doesn't allow unregistered callers (callers without established "
                                "identity). Please use API Key or other form of API consumer identity to call this API."))
        if keys != [self.key]:
            raise Refused(key_invalid())

    def model_page(self, request):
        model = json_format.ParseDict({
            "name": request.path.split("/", 2)[2], "version": "001", "displayName": "A model of the tests", "inputTokenLimit": 1048576,
            "outputTokenLimit": 65536, "supportedGenerationMethods": ["generateContent", "countTokens"]}, MODEL())
        return Answer(body=json_format.MessageToJson(model).encode())


def troubles(message, model):
    """What is wrong with a message that has the right shape."""
    if message.model not in ("", f"models/{model}"):
        yield "model: the body names another one than the path"
    if not message.contents:
        yield "* GenerateContentRequest.contents: contents is not specified"
    for at, content in enumerate(message.contents):
        if content.role not in ("", "user", "model"):
            yield "Please use a valid role: user, model."
        if not content.parts:
            yield f"* GenerateContentRequest.contents[{at}].parts: contents.parts must not be empty."
        for place, part in enumerate(content.parts):
            if part.WhichOneof("data") is None or part.WhichOneof("data") == "text" and not part.text:
                yield (f"* GenerateContentRequest.contents[{at}].parts[{place}].data: required oneof field 'data' must have one "
                       "initialized field")
    if message.contents and message.contents[-1].role == "model":
        yield "Please ensure that multiturn requests end with a user role."
    config = message.generation_config
    for name, (least, most) in RANGES.items():
        if config.HasField(name) and not least <= getattr(config, name) <= most:
            yield f"* GenerateContentRequest.generation_config.{name}: must be in the range [{least}, {most}]."
    if len(config.stop_sequences) > 5:
        yield "* GenerateContentRequest.generation_config.stop_sequences: at most 5."
    yield from schema_troubles(config)
    thinking = config.thinking_config
    if thinking.HasField("thinking_budget") and thinking.thinking_budget not in (0, -1, *range(512, 24577)):
        yield f"The thinking budget {thinking.thinking_budget} is invalid. Please choose a value between 512 and 24576."
    for setting in message.safety_settings:
        if setting.category not in HARMS:
            yield "* GenerateContentRequest.safety_settings: element predicate failed: $.category in harm categories"


def schema_troubles(config):
    if config.response_mime_type not in ("", "text/plain", "application/json", "text/x.enum"):
        yield "* GenerateContentRequest.generation_config.response_mime_type: allowed mimetypes are text/plain, application/json."
    asked = [config.HasField("response_schema"), config.HasField("response_json_schema")]
    if all(asked):
        yield "Only one of response_schema and response_json_schema may be set."
    if any(asked) and config.response_mime_type != "application/json":
        yield "* GenerateContentRequest.generation_config.response_schema: only with response_mime_type application/json."


# Steps.


def streamed(request, events, tear=None, tail=b"", pauses=None, close=None):
    """A stream as the request asked for it: server-sent events, or without alt=sse an array. `tear`: chunks of so many bytes, "letters"
    tears every character of several bytes, None is a chunk for an event; `pauses`: HOLD or seconds between the chunks."""
    if request.query.get("alt") == ["sse"]:
        kind, data = "text/event-stream", [replies.sse([event]) for event in events] + ([tail] if tail else [])
    else:
        kind, data = "application/json; charset=UTF-8", [json.dumps(events, ensure_ascii=False).encode()]
    if tear is not None:
        data = replies.torn(b"".join(data), None if tear == "letters" else tear)
    if pauses is not None:
        data = [one for chunk in data for one in (chunk, pauses)][:-1]
    return Answer(headers=(("Content-Type", kind),), chunks=data, close=close)


def says(reply):
    """This reply, to a request that the service would have taken: a dictionary, or a function of the prompt and its letter."""
    def step(exchange):
        prompt, streams = _understood(exchange)
        made = reply(prompt, exchange.server.letter(prompt)) if callable(reply) else reply
        body = json.dumps(made, ensure_ascii=False).encode()
        exchange.answer(streamed(exchange.request, [made]) if streams else Answer(body=body))
    return step


def stream(change=lambda events: events, count=5, whole=True, **how):
    """The letter as a stream with its events changed; `whole` False cuts the connection where the end should be told."""
    def step(exchange):
        prompt, streams = _understood(exchange)
        assert streams, "it did not ask for a stream"
        answer = streamed(exchange.request, change(replies.events(prompt, exchange.server.letter(prompt), count)), **how)
        (exchange.answer if whole else behaviours.cut_stream(answer.chunks))(answer if whole else exchange)
    return step


def error_after(count, code=499, status="CANCELLED", message="The operation was cancelled."):
    """An error in the middle of a stream that began well: bare JSON over several lines."""
    def step(exchange):
        stream(change=lambda events: events[:count], tail=error(code, status, message).body)(exchange)
    return step


def _understood(exchange):
    try:
        return exchange.server.understand(exchange.request)
    except Refused as refused:
        exchange.answer(refused.answer)
        exchange.close()


def wrong_place():
    return error(400, "FAILED_PRECONDITION", "User location is not supported for the API use.")


def denied(reason="SERVICE_DISABLED"):
    return error(403, "PERMISSION_DENIED", "Generative Language API has not been used in project 1 before or it is disabled.", [
        {"@type": RPC + "ErrorInfo", "reason": reason, "domain": "googleapis.com", "metadata": {"consumer": "projects/1"}}])


def no_model():
    return error(404, "NOT_FOUND", "models/gone is not found for API version v1beta, or is not supported for generateContent.")


def timed_out():
    return error(408, "DEADLINE_EXCEEDED", "Request timeout.")


def quota(delay="37s", per="PerMinute", value="15", headers=()):
    """Too many requests, with the quota that was met and, unless None, when to come again."""
    details = [
        {"@type": RPC + "QuotaFailure", "violations": [{
            "quotaMetric": "generativelanguage.googleapis.com/generate_content_free_tier_requests",
            "quotaId": f"GenerateRequests{per}PerProjectPerModel-FreeTier",
            "quotaDimensions": {"location": "global", "model": replies.MODEL}, "quotaValue": value}]},
        {"@type": RPC + "Help", "links": [{"description": "Learn more about Gemini API quotas",
                                           "url": "https://ai.google.dev/gemini-api/docs/rate-limits"}]}]
    if delay is not None:
        details.append({"@type": RPC + "RetryInfo", "retryDelay": delay})
    message = "You exceeded your current quota, please check your plan and billing details."
    return error(429, "RESOURCE_EXHAUSTED", message, details, headers)


def per_day(delay="37s"):
    """The day's quota: no use to come again in `delay`, whatever it says."""
    return quota(delay, per="PerDay", value="20")


def quota_zero():
    """No quota at all, which is how a model that has been withdrawn may show."""
    return quota(None, per="PerDay", value="0")


def exhausted(*retry_after):
    """Too many requests without any detail, with so many Retry-After headers."""
    return error(429, "RESOURCE_EXHAUSTED", "Resource has been exhausted (e.g. check quota).", headers=later(*retry_after))


def cancelled():
    return error(499, "CANCELLED", "The operation was cancelled.")


def internal():
    return error(500, "INTERNAL", "An internal error has occurred. Please retry or report in "
                 "https://developers.generativeai.google/guide/troubleshooting")


def bad_gateway():
    return behaviours.html(502)


def unavailable(*retry_after):
    return error(503, "UNAVAILABLE", "The model is overloaded. Please try again later.", headers=later(*retry_after))


def too_slow():
    return error(504, "DEADLINE_EXCEEDED", "The request timed out. Please try again.")


def in_array(answer):
    """The same error as an array of one, as a stream without alt=sse has it."""
    return Answer(answer.status, answer.headers, b"[" + answer.body + b"]")


FAILURES = {failure.__name__: failure for failure in (
    invalid, key_invalid, wrong_place, unauthenticated, denied, no_model, timed_out, quota, per_day, quota_zero, exhausted, cancelled,
    internal, bad_gateway, unavailable, too_slow)}
