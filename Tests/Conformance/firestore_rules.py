"""Security rules of Firestore, as much of their language as Protocol/firestore/ uses, so that what is shipped is what is enforced.

What this does not know it refuses to load. An expression that cannot be evaluated denies, as there; `||` and `&&` are as there too:
one side that decides is enough, even if the other cannot be evaluated.
"""

import re

SECOND = 1_000_000_000
UNITS = {"w": 604800, "d": 86400, "h": 3600, "m": 60, "s": 1}
LEXEME = re.compile(
    r"\s+|//[^\n]*|(?P<string>'(?:[^'\\]|\\.)*')|(?P<number>[0-9]+)|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<sign>&&|\|\||==|!=|<=|>=|[<>!+\-(){}\[\].,:;=/$])")


class Timestamp(int):
    """Nanoseconds since 1970."""


class Duration(int):
    """Nanoseconds."""


class Undecided(Exception):
    """An expression that cannot be evaluated."""


def lexemes(text):
    at = 0
    while at < len(text):
        found = LEXEME.match(text, at)
        assert found, f"not understood: {text[at:at + 40]!r}"
        at = found.end()
        if found.lastgroup:
            yield found.lastgroup, found[0]
    yield "end", ""


class Rules:
    """What a file of rules allows. `allows("create", path, request, resource)`: the path below `documents`, as a list of segments."""

    def __init__(self, text):
        self.lexemes = list(lexemes(text))
        self.at = 0
        self.allowed = []  # (pattern, operations, expression)
        for word in "rules_version", "=", "'2'", ";", "service", "cloud", ".", "firestore", "{":
            self.take(word)
        self.block([])
        assert self.lexemes[self.at][0] == "end", "something after the end"
        for pattern, _, _ in self.allowed:
            assert pattern[0] == "databases" and pattern[2] == "documents", pattern

    def allows(self, operation, path, request, resource=None):
        for pattern, operations, expression in self.allowed:
            names = self.matched(pattern[3:], path)
            if names is None or operation not in operations:
                continue
            try:
                if expression({"request": request, "resource": resource, **names}) is True:
                    return True
            except Undecided:
                pass
        return False

    @staticmethod
    def matched(pattern, path):
        if len(pattern) != len(path):
            return None
        names = {}
        for want, have in zip(pattern, path):
            if want.startswith("{"):
                names[want[1:-1]] = have
            elif want != have:
                return None
        return names

    # Reading the file.

    def peek(self):
        return self.lexemes[self.at][1]

    def take(self, wanted=None):
        kind, text = self.lexemes[self.at]
        assert wanted is None or text == wanted, f"{text!r} stands where {wanted!r} should"
        self.at += 1
        return text

    def accept(self, *wanted):
        return self.take() if self.peek() in wanted else None

    def block(self, pattern):
        while not self.accept("}"):
            if self.accept("match"):
                self.block(pattern + self.path())
            else:
                self.take("allow")
                operations = [self.take()]
                while self.accept(","):
                    operations.append(self.take())
                assert set(operations) <= {"create", "get", "list", "update", "delete"}, operations
                self.take(":")
                self.take("if")
                self.allowed.append((pattern, operations, self.either()))
                self.take(";")

    def path(self):
        segments = []
        while self.accept("/"):
            if self.accept("{"):
                segments.append("{" + self.take() + "}")
                self.take("}")
            else:
                segments.append(self.take())
        self.take("{")
        return segments

    # Expressions: each is a function of the names.

    def either(self):
        sides = [self.both()]
        while self.accept("||"):
            sides.append(self.both())
        return sides[0] if len(sides) == 1 else lambda names: decided(sides, names, by=True)

    def both(self):
        sides = [self.comparison()]
        while self.accept("&&"):
            sides.append(self.comparison())
        return sides[0] if len(sides) == 1 else lambda names: decided(sides, names, by=False)

    def comparison(self):
        left = self.sum()
        sign = self.accept("==", "!=", "<", "<=", ">", ">=", "in", "is")
        if sign is None:
            return left
        if sign == "is":
            kind = self.take()
            return lambda names: is_kind(left(names), kind)
        right = self.sum()
        return lambda names: compared(sign, left(names), right(names))

    def sum(self):
        value = self.negation()
        while self.accept("+"):
            value = (lambda left, right: lambda names: added(left(names), right(names)))(value, self.negation())
        return value

    def negation(self):
        if self.accept("!"):
            value = self.negation()
            return lambda names: not boolean(value(names))
        return self.member()

    def member(self):
        value = self.simple()
        while self.accept("."):
            name = self.take()
            if self.accept("("):
                given = self.list(")")
                value = (lambda of, name, given: lambda names: called(of(names), name, [one(names) for one in given]))(value, name, given)
            else:
                value = (lambda of, name: lambda names: part(of(names), name))(value, name)
        return value

    def simple(self):
        kind, text = self.lexemes[self.at]
        self.at += 1
        if kind == "string":
            constant = re.sub(r"\\(.)", r"\1", text[1:-1])
        elif kind == "number":
            constant = int(text)
        elif text in ("true", "false", "null"):
            constant = {"true": True, "false": False, "null": None}[text]
        elif text == "duration":
            constant = Duration
        elif kind == "name":
            return lambda names: part(names, text)
        elif text == "[":
            items = self.list("]")
            return lambda names: [item(names) for item in items]
        else:
            assert text == "(", f"not understood: {text!r}"
            value = self.either()
            self.take(")")
            return value
        return lambda names: constant

    def list(self, end):
        items = []
        while not self.accept(end):
            items.append(self.either())
            if self.peek() != end:
                self.take(",")
        return items


def boolean(value):
    if isinstance(value, bool):
        return value
    raise Undecided


def decided(sides, names, by):
    """`||` (by true) and `&&` (by false): one side that decides is enough; else one that is undecided leaves all undecided."""
    undecided = False
    for side in sides:
        try:
            if boolean(side(names)) is by:
                return by
        except Undecided:
            undecided = True
    if undecided:
        raise Undecided
    return not by


def is_kind(value, kind):
    kinds = {"string": str, "timestamp": Timestamp, "bool": bool, "list": list, "map": dict, "float": float, "duration": Duration}
    if kind == "int":
        return type(value) is int
    assert kind in kinds, f"not understood: is {kind}"
    return isinstance(value, kinds[kind])


def compared(sign, left, right):
    if sign == "in":
        if isinstance(right, (list, dict)):
            return any(compared("==", left, each) for each in right)
        raise Undecided
    numbers = {int, float}
    alike = type(left) is type(right) or {type(left), type(right)} <= numbers
    if sign in ("==", "!="):
        return (alike and left == right) == (sign == "==")
    if not alike or not isinstance(left, (int, float, str)) or isinstance(left, bool):
        raise Undecided
    return {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[sign]


def added(left, right):
    if isinstance(left, Timestamp) and isinstance(right, Duration):
        return Timestamp(int(left) + int(right))
    if type(left) is int and type(right) is int:
        return left + right
    raise Undecided


def part(of, name):
    if isinstance(of, dict) and name in of:
        return of[name]
    raise Undecided


def called(of, name, given):
    """A method of a value. What is a character is not told: the reading that counts more, UTF-16, is the one that is enforced."""
    if of is Duration and name == "value":
        return Duration(given[0] * UNITS[given[1]] * SECOND)
    if isinstance(of, str) and name == "size":
        return len(of.encode("utf-16-le")) // 2
    if isinstance(of, str) and name == "toUtf8":
        return of.encode()
    if isinstance(of, str) and name == "matches":
        return re.fullmatch(given[0].replace("$", r"\Z"), of) is not None
    if isinstance(of, (bytes, list, dict)) and name == "size":
        return len(of)
    if isinstance(of, dict) and name == "keys":
        return list(of)
    if isinstance(of, list) and name == "hasOnly":
        return set(of) <= set(given[0])
    if isinstance(of, list) and name == "hasAll":
        return set(of) >= set(given[0])
    raise Undecided
