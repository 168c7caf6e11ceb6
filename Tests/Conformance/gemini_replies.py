"""What the Gemini of the tests says: letters that use the tokens of their prompt, and every other shape an answer can have."""

import itertools
import json
import re

TOKEN = re.compile(r"<[A-Z]+_[0-9]+>")
MODEL = "gemini-2.5-flash-lite"

# A letter has the tokens in its second paragraph; the endings take turns, so that the next letter is another one.
LETTERS = {
    "en": ("Hi,", "I have been thinking about what happened. I felt sad and a little lonely, and you may well remember it differently.",
           "What stays with me: {}.", "What I really wanted was for us to rely on each other.",
           ("Could we talk for ten minutes, whenever it suits you? It is fine if not now.",
            "Would you tell me in a line or two how it was for you? No hurry at all.")),
    "ko": ("안녕,", "그때 일을 생각해 봤어. 나는 서운하고 조금 외로웠어. 너는 다르게 기억할 수도 있을 거야.",
           "마음에 남은 건 이거야: {}.", "내가 정말 바랐던 건 서로 믿을 수 있는 거였어.",
           ("편한 시간에 10분 정도 이야기 나눌 수 있을까? 지금이 아니어도 괜찮아.",
            "그때 어땠는지 한두 줄만 들려줄 수 있을까? 급하지 않아.")),
    "ja": ("こんにちは。", "あのときのことを考えていたよ。さびしくて、少し心細かった。そちらは違うふうに覚えているかもしれないね。",
           "心に残っているのは、{}。", "ほんとうに望んでいたのは、お互いを頼れることだったんだ。",
           ("都合のいいときに、十分だけ話せるかな。今じゃなくても大丈夫だよ。",
            "あのときどうだったか、ひとことだけ聞かせてもらえるかな。急がなくていいよ。")),
    "zh-Hans": ("你好，", "我一直在想那时候的事。我感到失落，也有些孤单。也许你记得的和我不一样。",
                "留在我心里的是：{}。", "其实我真正想要的，是我们能够互相信任。",
                ("方便的时候，我们聊十分钟好吗？现在不行也没关系。", "能用一两句话告诉我，那时候你是怎么想的吗？不着急。")),
}
NOTHING_SPECIAL = {"en": "that one evening", "ko": "그 저녁", "ja": "あの夜のこと", "zh-Hans": "那个晚上"}
NAMED = (("ko", r"Korean|한국어|\bko\b"), ("ja", r"Japanese|日本語|\bja\b"), ("zh-Hans", r"Chinese|简体|中文|\bzh"), ("en", r"English|\ben\b"))


def language_of(text):
    """The language of a text by its letters."""
    counts = {
        "ko": len(re.findall("[\uac00-\ud7a3\u1100-\u11ff]", text)), "ja": len(re.findall("[\u3041-\u30ff]", text)) * 3,
        "zh-Hans": len(re.findall("[\u4e00-\u9fff]", text)), "en": len(re.findall(r"[A-Za-z]", TOKEN.sub("", text))) // 3}
    return max(counts, key=counts.get)


class Prompt:
    """What a request asks for. `tokens`: of its contents, each once, in their order."""

    def __init__(self, message, model, number=0, language=None):
        self.message, self.model, self.number = message, model, number
        self.system = "".join(part.text for part in message.system_instruction.parts)
        self.text = "\n".join(part.text for content in message.contents for part in content.parts)
        self.tokens = list(dict.fromkeys(TOKEN.findall(self.text)))
        self.language = language or self._named() or language_of(self.text)

    def _named(self):
        """The one language that the instruction names, or else the contents; more than one is none."""
        for text in self.system, self.text:
            found = [code for code, pattern in NAMED if re.search(pattern, text)]
            if len(found) == 1:
                return found[0]
        return None


# Writers: the text of a letter from a Prompt.


def written(prompt, language=None, tokens=None):
    """A letter in the language asked for that uses every token."""
    language = language or prompt.language
    greeting, middle, kept, wish, endings = LETTERS[language]
    tokens = prompt.tokens if tokens is None else tokens
    separator = ", " if language in ("en", "ko") else "、"
    named = separator.join(token for token in tokens if token) or NOTHING_SPECIAL[language]
    return "\n\n".join([greeting, middle, kept.format(named), wish, endings[prompt.number % len(endings)]])


def in_language(language):
    """Whatever was asked for, this language."""
    return lambda prompt: written(prompt, language)


def saying(text):
    """Always this text."""
    return lambda prompt: text


def repeating(prompt):
    """The prompt's own text, so that all that was masked comes back in its place."""
    return prompt.text


# How a token can come back; each makes of `<PERSON_1>` what the name says.
TOKEN_CHANGES = {
    "lower case": lambda token: token.lower(),
    "title case": lambda token: token.title(),
    "spaces inside": lambda token: f"< {token[1:-1]} >",
    "a space for the line": lambda token: token.replace("_", " "),
    "a hyphen for the line": lambda token: token.replace("_", "-"),
    "no line": lambda token: token.replace("_", ""),
    "an escaped line": lambda token: token.replace("_", "\\_"),
    "no brackets": lambda token: token[1:-1],
    "square brackets": lambda token: f"[{token[1:-1]}]",
    "curly brackets": lambda token: f"{{{token[1:-1]}}}",
    "double brackets": lambda token: f"<{token}>",
    "entities": lambda token: f"&lt;{token[1:-1]}&gt;",
    "full width": lambda token: "".join(chr(ord(c) + 0xFEE0) for c in token),
    "full-width brackets": lambda token: f"＜{token[1:-1]}＞",
    "book brackets": lambda token: f"〈{token[1:-1]}〉",
    "bold": lambda token: f"**{token}**",
    "code": lambda token: f"`{token}`",
    "a possessive": lambda token: f"{token}'s",
    "a particle": lambda token: f"{token}에게",
    "translated": lambda token: {"PERSON": "<사람_{}>", "DATE": "<日付_{}>", "PLACE": "<地点_{}>"}.get(
        token[1:-1].rsplit("_", 1)[0], "<무엇_{}>").format(token[1:-1].rsplit("_", 1)[1]),
    "another number": lambda token: re.sub(r"[0-9]+", lambda number: str(int(number[0]) + 40), token),
    "another kind": lambda token: "<THING_" + token.rsplit("_", 1)[1],
    "a leading zero": lambda token: re.sub(r"_([0-9]+)", r"_0\1", token),
    "guessed": lambda token: "Alex",
    "missing": lambda token: "",
    "twice": lambda token: f"{token} {token}",
    "torn": lambda token: token[:-1],
}


def changing(name, which=0):
    """A letter in which one token comes back changed."""
    def write(prompt):
        changed = [TOKEN_CHANGES[name](token) if at == which else token for at, token in enumerate(prompt.tokens)]
        return written(prompt, tokens=changed)
    return write


# Replies, as they go over the wire.


def reply(*parts, finish="STOP", prompt=None, **more):
    """A reply with one candidate. `parts`: texts or whole parts; `finish` None leaves the reason out."""
    parts = [{"text": part} if isinstance(part, str) else part for part in parts]
    candidate = {"content": {"parts": parts, "role": "model"}, "index": 0}
    if finish:
        candidate["finishReason"] = finish
    return {"candidates": [candidate], **usage(prompt, parts), **more}


def usage(prompt=None, parts=(), thoughts=0):
    """The counts and names that stand below every reply; a token is taken for four bytes."""
    asked = len((prompt.system + prompt.text).encode()) // 4 if prompt else 10
    said = sum(len(part.get("text", "").encode()) for part in parts) // 4
    counts = {"promptTokenCount": asked, "candidatesTokenCount": said, "totalTokenCount": asked + said + thoughts,
              "promptTokensDetails": [{"modality": "TEXT", "tokenCount": asked}]}
    if thoughts:
        counts["thoughtsTokenCount"] = thoughts
    return {"usageMetadata": counts, "modelVersion": prompt.model if prompt else MODEL, "responseId": "bW9kZWwgb2YgdGhlIHRlc3Rz"}


RATING = {"category": "HARM_CATEGORY_HARASSMENT", "probability": "NEGLIGIBLE"}
FLAGGED = {"category": "HARM_CATEGORY_HARASSMENT", "probability": "HIGH", "blocked": True}
THOUGHT = {"text": "The user wants a letter. I must not show THIS-IS-A-THOUGHT.", "thought": True}

FINISH_REASONS = (
    "MAX_TOKENS", "SAFETY", "RECITATION", "LANGUAGE", "OTHER", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "MALFORMED_FUNCTION_CALL",
    "IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT", "IMAGE_OTHER", "IMAGE_RECITATION", "NO_IMAGE", "UNEXPECTED_TOOL_CALL",
    "TOO_MANY_TOOL_CALLS", "FINISH_REASON_UNSPECIFIED")
NEWER_FINISH_REASONS = (
    "MISSING_THOUGHT_SIGNATURE", "MALFORMED_RESPONSE", "ESCALATION", "PUP_LIMITED_DISABLED", "CONTINUATION", "A_REASON_OF_NEXT_YEAR")
BLOCK_REASONS = ("SAFETY", "OTHER", "BLOCKLIST", "PROHIBITED_CONTENT", "IMAGE_SAFETY", "BLOCK_REASON_UNSPECIFIED")
NEWER_BLOCK_REASONS = ("MODEL_ARMOR", "JAILBREAK", "A_BLOCK_OF_NEXT_YEAR")


def blocked(reason="SAFETY", prompt=None):
    """The prompt was refused: no candidates at all."""
    return {"promptFeedback": {"blockReason": reason, "safetyRatings": [FLAGGED]}, **usage(prompt)}


def finished(reason, text=None, prompt=None):
    """The answer ended for this reason, without content or with what had been said by then."""
    candidate = {"finishReason": reason, "index": 0, "safetyRatings": [FLAGGED if reason == "SAFETY" else RATING]}
    if text:
        candidate["content"] = {"parts": [{"text": text}], "role": "model"}
    return {"candidates": [candidate], **usage(prompt)}


# Shapes that hold no letter, by name: of each what a client may take it for.
NO_LETTER = {
    "empty object": ("malformed", {}),
    "no candidates": ("malformed", {**usage()}),
    "candidates []": ("malformed", {"candidates": [], **usage()}),
    "blocked by message alone": ("refused", {
        "candidates": [], "promptFeedback": {"safetyRatings": [FLAGGED]}, **usage()}),
    "stop without content": ("empty", {"candidates": [{"finishReason": "STOP", "index": 0}], **usage()}),
    "stop, content {}": ("empty", {"candidates": [{"content": {}, "finishReason": "STOP", "index": 0}], **usage()}),
    "stop, no parts": ("empty", {"candidates": [{"content": {"role": "model"}, "finishReason": "STOP", "index": 0}], **usage()}),
    "stop, parts []": ("empty", reply()),
    "stop, empty text": ("empty", reply("")),
    "stop, blanks": ("empty", reply(" \n\u3000\n")),
    "stop, thoughts alone": ("empty", reply(THOUGHT)),
    "no finish reason, no content": ("malformed", {"candidates": [{"index": 0}], **usage()}),
    "out of tokens by thinking": ("truncated", {
        "candidates": [{"content": {"role": "model"}, "finishReason": "MAX_TOKENS", "index": 0}], **usage(thoughts=1020)}),
    "other, with a message": ("failed", {
        "candidates": [{"finishReason": "OTHER", "finishMessage": "The model failed.", "index": 0}], **usage()}),
    "a call of a function": ("empty", reply({"functionCall": {"name": "write", "args": {"a": 1}}})),
    "a picture": ("empty", reply({"inlineData": {"mimeType": "image/png", "data": "iVBORw0KGgo="}})),
}

# Shapes that hold a letter; of each a function of a Prompt and the letter.
WITH_LETTER = {
    "one part": lambda prompt, text: reply(text, prompt=prompt),
    "several parts": lambda prompt, text: reply(text[:7], text[7:20], text[20:], prompt=prompt),
    "a thought first": lambda prompt, text: reply(THOUGHT, text, prompt=prompt),
    "a thought between": lambda prompt, text: reply(text[:9], THOUGHT, text[9:], prompt=prompt),
    "a signature": lambda prompt, text: reply({"text": text, "thoughtSignature": "c2lnbmF0dXJl"}, prompt=prompt),
    "two candidates": lambda prompt, text: {
        "candidates": [reply(text)["candidates"][0], {**reply("THE-OTHER-CANDIDATE")["candidates"][0], "index": 1}], **usage(prompt)},
    "with ratings": lambda prompt, text: {**reply(text, prompt=prompt), "promptFeedback": {"safetyRatings": [RATING]}},
    "bare": lambda prompt, text: {"candidates": [{"content": {"parts": [{"text": text}]}, "finishReason": "STOP"}]},
}


# Streams.


def events(prompt, text, count=5):
    """The replies of a stream that says a text in so many pieces; reason and counts stand in the last."""
    size = max(1, -(-len(text) // count))
    pieces = [text[at:at + size] for at in range(0, len(text), size)]
    last = len(pieces) - 1
    return [reply(piece, finish="STOP" if at == last else None, prompt=prompt) for at, piece in enumerate(pieces)]


def with_pauses(replies):
    """The same stream with events that have no parts, in the middle and at its end, and a thought."""
    counted = {**usage()}
    empty = {"candidates": [{"content": {"role": "model"}, "index": 0}], **counted}
    *begun, last = replies
    reason = last["candidates"][0].pop("finishReason")
    end = {"candidates": [{"finishReason": reason, "index": 0}], **counted}
    return [reply(THOUGHT, finish=None), *begun[:1], empty, counted, *begun[1:], last, end]


def unfinished(events):
    """A stream whose end has no reason: it is not finished."""
    events[-1]["candidates"][0].pop("finishReason")
    return events


def sse(replies, newline="\r\n"):
    """A stream's bytes."""
    return "".join(f"data: {json.dumps(one, ensure_ascii=False)}{newline}{newline}" for one in replies).encode()


def torn(data, size=None):
    """Chunks of a stream: of so many bytes, or else such that every character of several bytes is torn apart."""
    if size:
        return [data[at:at + size] for at in range(0, len(data), size)]
    cuts = [at for at in range(1, len(data)) if data[at] & 0xC0 == 0x80 and data[at - 1] & 0xC0 == 0xC0]
    return [data[begin:end] for begin, end in itertools.pairwise([0, *cuts, len(data)])]
