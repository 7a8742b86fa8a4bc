"""What error_texts.py knows of C++: the tokens of a file, the brackets around them, and the words that an expression makes."""
import bisect
import re

TOKEN = re.compile(r'''
    (?P<blank>\s+|//[^\n]*|/\*.*?\*/|\\\n)
  | (?P<raw>(?:u8|[uUL])?R"(?P<mark>[^()\s\\"]*)\((?P<rawtext>.*?)\)(?P=mark)")
  | (?P<string>(?:u8|[uUL])?"(?:[^"\\\n]|\\.)*")
  | (?P<char>'(?:[^'\\\n]|\\.)+')
  | (?P<name>[A-Za-z_]\w*)
  | (?P<number>\.?\d(?:'?[\w.])*)
  | (?P<sign>::|->|\+=|-=|==|!=|<=|>=|&&|\|\||<<|\.\.\.|.)''', re.X | re.S)
PREPROCESSOR = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.)*", re.M | re.S)
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": ""}
CLOSED_BY = {"(": ")", "{": "}", "[": "]"}
FIGURE = "…"
# Calls that only hand on the words that they are given.
HAND_ON = ("text", "string", "string_view", "move")


class Token:
    __slots__ = ("kind", "text", "at")

    def __init__(self, kind, text, at):
        self.kind, self.text, self.at = kind, text, at


class Source:
    """A file's tokens without comments and preprocessor lines; which bracket closes which, and which is around a token."""

    def __init__(self, path, text):
        self.path = path
        self.line_ends = [found.end() for found in re.finditer("\n", text)]
        text = PREPROCESSOR.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)
        self.tokens = [self._token(found) for found in TOKEN.finditer(text) if found.lastgroup != "blank"]
        self.match, self.back, self.around, stack = {}, {}, [], []
        for i, token in enumerate(self.tokens):
            is_sign = token.kind == "sign"
            if is_sign and token.text in CLOSED_BY.values() and stack:
                self.match[stack[-1]] = i
                self.back[i] = stack.pop()
            self.around.append(stack[-1] if stack else None)
            if is_sign and token.text in CLOSED_BY:
                stack.append(i)
        if stack:
            raise SystemExit(f"{path}:{self.line(stack[-1])}: the bracket is not closed, as far as this test can read C++")

    @staticmethod
    def _token(found):
        if found.group("raw"):
            return Token("string", found.group("rawtext"), found.start())
        if found.group("string") or found.group("char"):
            words = found.group()
            words = words[words.index('"') + 1:-1] if found.group("string") else words[1:-1]
            words = re.sub(r"\\(.)", lambda escape: ESCAPES.get(escape.group(1), escape.group(1)), words)
            return Token("string" if found.group("string") else "char", words, found.start())
        kind = "name" if found.group("name") else "number" if found.group("number") else "sign"
        return Token(kind, found.group(), found.start())

    def line(self, i):
        return bisect.bisect_right(self.line_ends, self.tokens[i].at) + 1

    def text(self, i):
        return self.tokens[i].text if 0 <= i < len(self.tokens) else ""

    def sign(self, i, *signs):
        return 0 <= i < len(self.tokens) and self.tokens[i].kind == "sign" and self.tokens[i].text in signs

    def is_name(self, i):
        return 0 <= i < len(self.tokens) and self.tokens[i].kind == "name"

    def name_before(self, opened):
        """The name in front of a bracket: `text` of `wherry::detail::text(`; "" if there is none."""
        i = opened - 1
        if self.sign(i, ">"):  # template arguments
            depth = 0
            while i > 0:
                depth += self.sign(i, ">") - self.sign(i, "<")
                i -= 1
                if depth == 0:
                    break
        return self.tokens[i].text if self.is_name(i) else ""

    def arguments(self, opened):
        """[(first, end)] of the arguments in a bracket."""
        found, first, i, end = [], opened + 1, opened + 1, self.match[opened]
        while i < end:
            if i in self.match:
                i = self.match[i]
            elif self.sign(i, ","):
                found.append((first, i))
                first = i + 1
            i += 1
        return found + [(first, end)] if first < end or found else found

    def step(self, i):
        """The token after this one, or after the bracket that begins here."""
        return self.match.get(i, i) + 1

    def slot(self, i):
        """(first, end) of the expression with this token: up to a comma, a semicolon or the bracket around it."""
        around = self.around[i]
        low = 0 if around is None else around + 1
        high = len(self.tokens) if around is None else self.match[around]
        first = i
        while first > low and not self.sign(first - 1, ",", ";", "{", "}"):
            first = self.back.get(first - 1, first - 1)
        end = i
        while end < high and not self.sign(end, ",", ";"):
            end = self.step(end)
        return first, min(end, high)


def split(source, first, end, *signs):
    """The parts of an expression between signs of its own depth."""
    parts, begin, i = [], first, first
    while i < end:
        if source.sign(i, *signs):
            parts.append((begin, i))
            begin = i + 1
        i = source.step(i)
    return parts + [(begin, end)]


def spoken(source, first, end, known=()):
    """The words that an expression makes, with … for each figure; of a choice, (one|other). A name in `known`, a
    dictionary, stands for its words."""
    begins = first
    i = first
    while i < end:  # what is assigned, returned or thrown begins behind that word
        if source.sign(i, "=", "+=") or source.text(i) in ("return", "throw", "else") and source.is_name(i):
            begins = i + 1
        i = source.step(i)
    first = begins
    question, colon, depth, i = None, None, 0, first
    while i < end and colon is None:
        if source.sign(i, "?"):
            question, depth = (i, 0) if question is None else (question, depth + 1)
        elif source.sign(i, ":") and question is not None:
            if depth == 0:
                colon = i
            depth -= 1
        i = source.step(i)
    if colon is not None:
        return f"({spoken(source, question + 1, colon, known)}|{spoken(source, colon + 1, end, known)})"
    summands = split(source, first, end, "+", "<<")
    if len(summands) > 1:
        return "".join(spoken(source, *one, known) for one in summands)
    if first >= end:
        return ""
    if end - first > 1 and source.sign(end - 1, "..."):
        end -= 1
    if all(source.tokens[k].kind in ("string", "char") for k in range(first, end)):
        return "".join(source.tokens[k].text for k in range(first, end))
    if end - first == 1 and known and source.text(first) in known:
        return known[source.text(first)]
    opened = next((k for k in range(first, end) if k in source.match and source.sign(k, "(", "{")), None)
    if opened is not None and source.match[opened] == end - 1:
        is_member = any(source.sign(k, ".", "->") for k in range(first, opened))
        if opened == first or source.name_before(opened) in HAND_ON and not is_member:
            return "".join(spoken(source, *one, known) for one in source.arguments(opened))
    return FIGURE
