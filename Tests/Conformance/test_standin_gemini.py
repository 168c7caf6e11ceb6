"""The Gemini of the tests speaks what Google's own client understands, and refuses what it should."""

import http.client
import json
import unicodedata

import pytest
from google import genai
from google.ai.generativelanguage_v1beta.types import GenerateContentResponse
from google.genai import errors, types
from google.protobuf import any_pb2, json_format
from google.rpc import error_details_pb2, status_pb2

import behaviours
import gemini
import gemini_replies as replies
import tls

RESPONSE = GenerateContentResponse.pb()
ASK = {"en": "Write the letter in English.", "ko": "편지는 한국어로 써 줘.", "ja": "手紙は日本語で。", "zh-Hans": "请用中文写信。"}
NOTE = "<PERSON_1> waited on <DATE_1> at <PLACE_1>, and <PERSON_1> left."

pytestmark = pytest.mark.tools


@pytest.fixture
def server(certificates):
    with gemini.Gemini(certificates) as server:
        yield server


@pytest.fixture
def client(server, certificates):
    """Google's own client, which believes the server to be Google's."""
    context = certificates.context()
    return genai.Client(api_key=server.key, http_options=types.HttpOptions(
        base_url=server.url, api_version="v1beta", client_args={"verify": context, "trust_env": False}))


def asks(client, text=NOTE, system=ASK["en"], model=replies.MODEL, **config):
    return client.models.generate_content(
        model=model, contents=text, config=types.GenerateContentConfig(system_instruction=system, **config))


def raw(server, certificates, body, path=f"/v1beta/models/{replies.MODEL}:generateContent", key=None, headers=None, method="POST"):
    """Status and body of a request that is made by hand."""
    context = certificates.context()
    connection = http.client.HTTPSConnection("127.0.0.1", server.port, context=context, timeout=5)
    headers = headers or {"x-goog-api-key": key or server.key, "Content-Type": "application/json"}
    connection.request(method, path, body if isinstance(body, (bytes, type(None))) else json.dumps(body).encode(), headers)
    response = connection.getresponse()
    return response.status, response.read()


def one(text=NOTE, **more):
    return {"contents": [{"role": "user", "parts": [{"text": text}]}], **more}


@pytest.mark.parametrize("language", ASK)
def test_a_letter_in_the_language_asked_for_with_every_token(server, client, language):
    letter = asks(client, system=ASK[language]).text
    assert replies.language_of(letter) == language
    assert set(replies.TOKEN.findall(letter)) == {"<PERSON_1>", "<DATE_1>", "<PLACE_1>"}
    again = asks(client, system=ASK[language]).text
    assert again != letter and unicodedata.is_normalized("NFC", letter)
    prompt = server.prompts[0]
    assert (prompt.system, prompt.text, prompt.tokens) == (ASK[language], NOTE, ["<PERSON_1>", "<DATE_1>", "<PLACE_1>"])
    assert server.requests[0].header("x-goog-api-key") == server.key


def test_the_language_of_the_note_where_none_is_named(server, client):
    assert replies.language_of(asks(client, text="친구가 한참 기다렸어.", system="Write a letter.").text) == "ko"
    server.language = "ja"
    assert replies.language_of(asks(client).text) == "ja"
    server.writer = replies.in_language("zh-Hans")
    assert replies.language_of(asks(client).text) == "zh-Hans"


def test_a_letter_within_the_json_that_was_asked_for(server, client):
    schema = {"type": "OBJECT", "properties": {"title": {"type": "STRING"}, "letter": {"type": "STRING"}}}
    answer = asks(client, response_mime_type="application/json", response_schema=schema)
    assert json.loads(answer.text)["letter"].startswith("Hi,")


def test_the_model_can_be_asked_for(server, client):
    assert client.models.get(model=replies.MODEL).output_token_limit == 65536
    with pytest.raises(errors.ClientError) as refusal:
        client.models.get(model="gemini-0")
    assert refusal.value.code == 404


@pytest.mark.parametrize("body", [
    b"", b"{", b"[]", b'{"contents": "a"}', b'{"contents": []}', b"\xff", one(unknown=1), one(text=""),
    {"contents": [{"role": "user", "parts": []}]}, {"contents": [{"role": "system", "parts": [{"text": "a"}]}]},
    {"contents": [{"role": "user", "parts": [{"text": "a", "colour": "red"}]}]},
    {"contents": [{"role": "model", "parts": [{"text": "a"}]}]},
    one(generationConfig={"temperature": 3}), one(generationConfig={"temperature": "warm"}), one(generationConfig={"maxOutputTokens": 0}),
    one(generationConfig={"candidateCount": 9}), one(generationConfig={"thinkingConfig": {"thinkingLevel": "LOW"}}),
    one(generationConfig={"thinkingConfig": {"thinkingBudget": 100}}), one(generationConfig={"responseMimeType": "text/html"}),
    one(generationConfig={"responseSchema": {"type": "OBJECT"}}),
    one(generationConfig={"responseMimeType": "application/json", "responseSchema": {"type": "object"}}),
    one(safetySettings=[{"category": "HARM_CATEGORY_RUDE", "threshold": "BLOCK_NONE"}]),
    one(safetySettings=[{"category": "HARM_CATEGORY_TOXICITY", "threshold": "BLOCK_NONE"}]), one(model="models/other"),
], ids=lambda body: str(body)[:60])
def test_what_the_vendors_types_or_the_service_do_not_take(server, certificates, body):
    status, answer = raw(server, certificates, body)
    assert status == 400 and json.loads(answer)["error"]["status"] == "INVALID_ARGUMENT"
    assert server.prompts == []


def test_what_they_take(server, certificates):
    """The request of the reference as a whole, and with the other spelling of names."""
    body = {
        "systemInstruction": {"parts": [{"text": "Write in Korean."}]}, "contents": [{"role": "user", "parts": [{"text": NOTE}]}],
        "generationConfig": {
            "temperature": 0.7, "topP": 0.95, "topK": 40, "candidateCount": 1, "maxOutputTokens": 1024, "stopSequences": ["END"], "seed": 7,
            "responseMimeType": "application/json", "thinkingConfig": {"thinkingBudget": 0, "includeThoughts": False},
            "responseSchema": {"type": "OBJECT", "properties": {"title": {"type": "STRING", "maxLength": 80}, "body": {"type": "STRING"}},
                               "required": ["title", "body"], "propertyOrdering": ["title", "body"]}},
        "safetySettings": [{"category": "HARM_CATEGORY_HARASSMENT", "threshold": "BLOCK_MEDIUM_AND_ABOVE"}]}
    assert raw(server, certificates, body)[0] == 200
    assert raw(server, certificates, {"system_instruction": {"parts": [{"text": "a"}]}, **one()})[0] == 200
    assert len(server.prompts) == 2


@pytest.mark.parametrize("headers, status, name", [
    ({"x-goog-api-key": "AIza"}, 400, "INVALID_ARGUMENT"), ({"Authorization": "Bearer {key}"}, 401, "UNAUTHENTICATED"),
    ({"Authorization": "Bearer {key}", "x-goog-api-key": "{key}"}, 401, "UNAUTHENTICATED"), ({"X-Other": "1"}, 403, "PERMISSION_DENIED")])
def test_the_key_is_right_and_in_its_own_header(server, certificates, headers, status, name):
    headers = {key: value.format(key=server.key) for key, value in headers.items()}
    got, body = raw(server, certificates, one(), headers={"Content-Type": "application/json", **headers})
    assert (got, json.loads(body)["error"]["status"]) == (status, name)
    assert ("API_KEY_INVALID" in body.decode()) == (status == 400)


def test_the_key_is_not_in_the_address(server, certificates):
    path = f"/v1beta/models/{replies.MODEL}:generateContent?key={server.key}"
    assert raw(server, certificates, one(), path, headers={"Content-Type": "application/json"})[0] == 403


def test_other_ways_to_ask_it_wrongly(server, certificates):
    assert raw(server, certificates, one(), path="/v1beta/models/gemini-0:generateContent")[0] == 404
    status, body = raw(server, certificates, one(), path="/v1beta/letters")
    assert status == 404 and body == behaviours.HTML
    assert raw(server, certificates, None, method="GET", path=f"/v1beta/models/{replies.MODEL}:generateContent")[0] == 404
    headers = {"x-goog-api-key": server.key, "Content-Type": "application/x-www-form-urlencoded"}
    assert raw(server, certificates, one(), headers=headers)[0] == 400


@pytest.mark.parametrize("name", gemini.FAILURES)
def test_every_failure_is_understood_as_what_it_is(server, client, name):
    answer = gemini.FAILURES[name]()
    server.then(answer)
    with pytest.raises(errors.APIError) as failure:
        asks(client)
    assert failure.value.code == answer.status
    if name == "bad_gateway":
        return
    # The details are what Google's types make of them.
    told = json.loads(answer.body)["error"]
    status = json_format.ParseDict({"code": 8, "message": told["message"], "details": told.get("details", [])}, status_pb2.Status())
    assert failure.value.status == told["status"]
    kinds = {detail.TypeName().rsplit(".", 1)[1] for detail in status.details}
    assert ("RetryInfo" in kinds) == (name in ("quota", "per_day"))
    for detail in status.details:
        if detail.Is(error_details_pb2.RetryInfo.DESCRIPTOR):
            assert unpacked(detail, error_details_pb2.RetryInfo).retry_delay.seconds == 37


def unpacked(detail: any_pb2.Any, kind):
    message = kind()
    assert detail.Unpack(message)
    return message


def test_an_error_in_an_array_and_when_to_come_again(server, client, certificates):
    server.then(gemini.in_array(gemini.quota("37.5s")), gemini.exhausted("7", 90), gemini.unavailable())
    with pytest.raises(errors.ClientError) as failure:
        asks(client)
    assert (failure.value.code, failure.value.status) == (429, "RESOURCE_EXHAUSTED")
    connection = http.client.HTTPSConnection(
        "127.0.0.1", server.port, context=certificates.context(), timeout=5)
    connection.request("POST", "/", b"")
    response = connection.getresponse()
    seconds, date = response.headers.get_all("Retry-After")
    assert seconds == "7" and date.endswith(" GMT") and response.headers["Date"].endswith(" GMT")


@pytest.mark.parametrize("name", replies.NO_LETTER)
def test_shapes_without_a_letter_are_the_services_own(server, client, name):
    _, shape = replies.NO_LETTER[name]
    json_format.ParseDict(shape, RESPONSE())
    server.then(gemini.says(shape), gemini.says(shape))
    assert not (asks(client).text or "").strip()
    streamed = client.models.generate_content_stream(model=replies.MODEL, contents=NOTE)
    assert not "".join(chunk.text or "" for chunk in streamed).strip()


@pytest.mark.parametrize("name", replies.WITH_LETTER)
def test_shapes_with_a_letter(server, client, name):
    server.writer = replies.saying("한 통의 편지, <PERSON_1>에게. A letter of some length.")
    server.then(gemini.says(replies.WITH_LETTER[name]))
    answer = asks(client)
    assert answer.candidates[0].finish_reason == "STOP"
    assert answer.text == server.writer(None)
    json_format.ParseDict(replies.WITH_LETTER[name](None, "text"), RESPONSE())


@pytest.mark.parametrize("reason", replies.FINISH_REASONS + replies.NEWER_FINISH_REASONS)
@pytest.mark.filterwarnings("ignore:.* is not a valid:UserWarning")
def test_every_reason_to_finish(server, client, reason):
    server.then(gemini.says(replies.finished(reason, "Half a let")), gemini.says(replies.finished(reason)))
    for text in "Half a let", None:
        answer = asks(client)
        assert answer.candidates[0].finish_reason == reason and answer.text == text
    if reason in replies.FINISH_REASONS:
        json_format.ParseDict(replies.finished(reason), RESPONSE())


@pytest.mark.parametrize("reason", replies.BLOCK_REASONS + replies.NEWER_BLOCK_REASONS)
@pytest.mark.filterwarnings("ignore:.* is not a valid:UserWarning")
def test_every_reason_to_block(server, client, reason):
    server.then(gemini.says(replies.blocked(reason)))
    answer = asks(client)
    assert answer.prompt_feedback.block_reason == reason and not answer.candidates


@pytest.mark.parametrize("name", replies.TOKEN_CHANGES)
def test_a_token_comes_back_changed(server, client, name):
    server.writer = replies.changing(name)
    found = replies.TOKEN.findall(asks(client).text)
    assert {"<DATE_1>", "<PLACE_1>"} <= set(found), "the others stay"
    kept = "double brackets", "bold", "code", "a possessive", "a particle", "twice"
    assert ("<PERSON_1>" in found) == (name in kept)


def chunks(client):
    return list(client.models.generate_content_stream(
        model=replies.MODEL, contents=NOTE, config=types.GenerateContentConfig(system_instruction=ASK["ko"])))


def text_of(chunks):
    return "".join(chunk.text or "" for chunk in chunks)


@pytest.mark.parametrize("tear", [None, 1, 7, "letters"])
def test_a_stream_however_it_is_torn(server, client, tear):
    server.then(gemini.stream(tear=tear), gemini.stream(replies.with_pauses, tear=tear))
    for _ in range(2):
        got = chunks(client)
        assert text_of(got) == replies.written(server.prompts[-1])
        assert [chunk.candidates[0].finish_reason for chunk in got if chunk.candidates][-1] == "STOP" and len(got) >= 5
        assert "alt=sse" in server.requests[-1].target


def test_letters_are_torn_apart_where_that_is_asked_for():
    data = "가나 a é".encode()
    assert b"".join(replies.torn(data)) == data and len(replies.torn(data)) == 4
    for piece in replies.torn(data)[:-1]:
        with pytest.raises(UnicodeDecodeError):
            piece.decode()


def test_a_stream_waits_where_it_is_told(server, client):
    server.then(gemini.stream(pauses=tls.HOLD, count=2))
    stream = client.models.generate_content_stream(model=replies.MODEL, contents=NOTE)
    first = next(stream)
    assert first.text and not first.candidates[0].finish_reason
    server.release()
    assert next(stream).candidates[0].finish_reason == "STOP"


def test_streams_that_end_badly(server, client):
    server.then(gemini.error_after(2), gemini.stream(replies.unfinished), gemini.stream(whole=False))
    with pytest.raises(errors.APIError) as failure:
        chunks(client)
    assert failure.value.code == 499
    assert all(not chunk.candidates[0].finish_reason for chunk in chunks(client))
    with pytest.raises(Exception, match="incomplete|peer closed"):
        chunks(client)


def test_a_stream_without_events_is_an_array(server, certificates):
    status, body = raw(server, certificates, one(), path=f"/v1beta/models/{replies.MODEL}:streamGenerateContent")
    assert status == 200 and [json_format.ParseDict(each, RESPONSE()) for each in json.loads(body)]
    assert raw(server, certificates, {}, path=f"/v1beta/models/{replies.MODEL}:streamGenerateContent?alt=sse")[0] == 400
