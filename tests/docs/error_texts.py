#!/usr/bin/env python3
"""Prints all texts of errors in one list, to be read as a user meets them, and checks what a program can check.

error_texts.py SOURCE_FOLDER

A line is `file:line: kind, where: text`, with … for each figure and (one|other) for a choice. A text is found where an
error is made, and at the calls of a function or lambda that makes one from its parameter. A text that comes from elsewhere
(a variable, a call) counts as passed on: its words stand with the `part`s, all other words of the sources.
"""
import collections
import glob
import os
import re
import sys
import tempfile

from cpp_words import FIGURE, Source, spoken

FOLDERS = ("include", "src", "compat")
ENDINGS = (".hpp", ".cpp", ".cu", ".h", ".c")
PROGRAMS = "compat/crestacoll/programs/"  # of others
# GASPI returns numbers; these functions print the text, under the name of the number.
PRINTERS = {"compat/gaspi/": ("refuse", 2)}
# Functions of other libraries, or of this one, through which words go that no error says.
NO_ERRORS = {"static_assert", "volatile", "printf", "snprintf", "pgaspi_printf", "starts_with", "ends_with", "rfind", "find", "getenv"}
# What a lambda or function may stand behind and still be one.
BEHIND_PARAMETERS = {"const", "noexcept", "override", "mutable", "final"}
STANDARD = {"bad_alloc", "bad_array_new_length", "exception"}  # of std

Text = collections.namedtuple("Text", "path line kind where words")
Maker = collections.namedtuple("Maker", "path name parameters place pack kind kind_place where template scope may_be_empty")


def sources(folder):
    for top in FOLDERS:
        for path in sorted(glob.glob(os.path.join(folder, top, "**", "*"), recursive=True)):
            name = os.path.relpath(path, folder)
            if path.endswith(ENDINGS) and not name.startswith(PROGRAMS):
                with open(path, encoding="utf-8") as file:
                    yield Source(name, file.read())


def module(path):
    parts = path.split("/")
    return "/".join(parts[:3] if parts[0] == "include" else parts[:2]).replace("include/wherry", "src")


def enclosing_functions(source, i):
    """(name, [parameters], is a pack, scope) of the functions and lambdas around a token, from the inside out. The scope of
    a lambda is the bracket around it."""
    around = source.around[i]
    while around is not None:
        if source.sign(around, "{"):
            k = around - 1
            while source.text(k) in BEHIND_PARAMETERS:
                k -= 1
            j = k  # `-> type` behind the parameters
            while j > 0 and (source.is_name(j) or source.sign(j, "::", "<", ">", "&", "*")):
                j -= 1
            if source.sign(j, "->"):
                k = j - 1
                while source.text(k) in BEHIND_PARAMETERS:
                    k -= 1
            if source.sign(k, ")"):
                opened = source.back[k]
                name, scope = source.text(opened - 1), None
                if source.sign(opened - 1, "]"):
                    head = source.back[opened - 1] - 1
                    name = source.text(head - 1) if source.sign(head, "=") else ""
                    scope = source.around[head]
                parameters, pack = [], False  # "" stands for one that is no text
                for first, end in source.arguments(opened):
                    part = [source.tokens[t] for t in range(first, end)]
                    if any(token.text == "=" for token in part):
                        part = part[:[token.text for token in part].index("=")]
                    names = [token.text for token in part if token.kind == "name"]
                    pack = any(token.text == "..." for token in part)
                    is_text = pack or {"string", "string_view", "char", "error_kind"} & set(names[:-1])
                    parameters.append(names[-1] if names and is_text and "vector" not in names else "")
                if name not in ("if", "for", "while", "switch", "catch"):
                    yield name, parameters, pack, scope
        around = source.around[around]


def words_of_name(source, first, end):
    """The words of a `where`: a literal, or the code that makes it."""
    literals = [source.text(i) for i in range(first, end) if source.tokens[i].kind == "string"]
    return "".join(literals) if literals and end - first == 1 else "".join(source.text(i) for i in range(first, end))


def kinds_in(source, first, end):
    return [source.text(i + 2) for i in range(first, end - 2) if source.text(i) == "error_kind" and source.sign(i + 1, "::")]


class Reader:
    def __init__(self, folder):
        self.sources = list(sources(folder))
        self.texts, self.passed_on, self.faults, self.makers = [], 0, [], []
        self.seen, self.understood = set(), set()
        for source in self.sources:
            self.read_errors(source)
        while self.makers_to_read:
            new, self.makers_to_read = self.makers_to_read, []
            self.makers += new
            for maker in new:
                for source in self.sources:
                    self.read_calls(source, maker)
        for source in self.sources:
            self.read_printers(source)
            self.look_for_rest(source)
        self.parts = [part for source in self.sources for part in self.parts_of(source)]

    makers_to_read = ()

    def read_errors(self, source):
        """Where an error is constructed: error(kind, where, text, …)."""
        if not self.makers_to_read:
            self.makers_to_read = []
        for i, token in enumerate(source.tokens):
            if token.text != "error" or token.kind != "name" or source.sign(i - 1, ".", "->"):
                continue
            opened = i + 1 if source.sign(i + 1, "(", "{") else i + 2 if source.is_name(i + 1) and source.sign(i + 2, "(", "{") else None
            if opened is None or opened not in source.match or source.text(i - 1) in ("class", "struct"):
                continue
            arguments = source.arguments(opened)
            if len(arguments) < 3 or any(source.text(k) == "error_kind" and source.is_name(k + 1) for k in range(*arguments[0])):
                continue  # a copy, or a declaration
            kinds = kinds_in(source, *arguments[0])
            kind = "|".join(kinds) if kinds else FIGURE
            self.add(source, i, opened, kind, arguments[0], words_of_name(source, *arguments[1]), *arguments[2])

    def add(self, source, i, opened, kind, kind_at, where, first, end, template="%s"):
        """Notes the text in (first, end), or the function that has it as a parameter."""
        for k in range(opened, source.match[opened]):
            self.understood.add((source.path, k))
        if end - first == 1 and source.is_name(first):
            first, end = self.local(source, first)
        key = (source.path, first, end, template)
        if key in self.seen:
            return
        self.seen.add(key)
        plain = spoken(source, first, end)
        named = {source.text(k) for k in range(first, end) if source.is_name(k)}
        for name, parameters, pack, scope in enclosing_functions(source, i):
            common = [p for p in parameters if p and p in named]
            if not name or not common:
                continue
            marked = spoken(source, first, end, {common[-1]: "\0"})
            # A text of its own with a name in it is a text; one that ends with the parameter is read where it is called.
            own = len(re.findall(r"[a-z]{2,}", marked[marked.find("\0"):]))
            if "\0" in marked and name != "error" and (own < 3 or "(\0|" in marked):
                place = parameters.index(common[-1])
                kind_name = [source.text(k) for k in range(*kind_at)] if kind_at else []
                kind_place = parameters.index(kind_name[0]) if len(kind_name) == 1 and kind_name[0] in parameters else None
                self.makers_to_read.append(Maker(source.path, name, parameters, place, pack and place == len(parameters) - 1, kind, kind_place, where,
                                                 template.replace("%s", marked.replace("%", "%%").replace("\0", "%s")), scope,
                                                 any(source.text(k) == common[-1] and source.text(k + 2) == "empty" for k in range(len(source.tokens)))))
                self.passed_on += 1
                return
        words = template.replace("%%", "%").replace("%s", plain) if "%s" in template else plain
        if re.sub(r"[^A-Za-z]", "", words) or not plain:
            self.texts.append(Text(source.path, source.line(i), kind, where, words))
        else:
            self.passed_on += 1

    @staticmethod
    def local(source, at):
        """Where a local variable gets its words, or the variable itself."""
        name, around = source.text(at), source.around[at]
        for k in range(at - 1, 0, -1):
            if source.sign(k, "=") and source.text(k - 1) == name and source.is_name(k - 1) and not source.sign(k + 1, "["):
                outer = source.around[k]
                if outer is not None and source.sign(outer, "{") and outer < at < source.match[outer] and (source.text(k - 2) in ("auto", "string", "string_view")):
                    return k + 1, source.slot(k)[1]
        return at, at + 1

    def read_calls(self, source, maker):
        """The calls of a function or lambda that makes an error from a parameter."""
        is_header = maker.path.endswith((".hpp", ".h"))
        if source.path != maker.path and (not is_header or maker.scope is not None):
            return
        own = [m for m in self.makers if m.name == maker.name and m.path == source.path]
        if source.path != maker.path and (own or module(source.path) != module(maker.path) and
                                          len({m.path for m in self.makers if m.name == maker.name}) > 1):
            return
        first, end = (maker.scope, source.match[maker.scope]) if maker.scope is not None and source.path == maker.path else (0, len(source.tokens))
        for i in range(first, end):
            if source.text(i) != maker.name or not source.is_name(i) or not source.sign(i + 1, "(") or i + 1 not in source.match:
                continue
            if maker.scope is None and any(m.scope is not None and m.scope < i < source.match[m.scope] for m in own):
                continue  # a lambda of the same name
            before = source.text(i - 1)
            is_call = source.sign(i - 1, ";", "{", "}", ")", ".", "->", "?", ":", "::", ",", "(", "||", "&&", "]") or before in ("return", "throw", "else")
            if not is_call or not source.sign(source.match[i + 1] + 1, ";", ",", ")", ".", ":", "}"):
                continue
            arguments = source.arguments(i + 1)
            if len(arguments) <= maker.place or len(arguments) > len(maker.parameters) and not maker.pack:
                continue  # a function of the same name
            kind, kind_at = maker.kind, None
            if maker.kind_place is not None and maker.kind_place < len(arguments):
                kind_at = arguments[maker.kind_place]
                kind = "|".join(kinds_in(source, *kind_at)) or kind
            where = maker.where
            text = arguments[maker.place]
            if text[0] < text[1] and not spoken(source, *text) and maker.may_be_empty:
                continue
            if maker.pack:
                words = "".join(spoken(source, *one) for one in arguments[maker.place:])
                for k in range(i + 1, source.match[i + 1]):
                    self.understood.add((source.path, k))
                self.texts.append(Text(source.path, source.line(i), kind, where, maker.template.replace("%s", words).replace("%%", "%")))
            else:
                self.add(source, i, i + 1, kind, kind_at, where, *text, template=maker.template)

    def read_printers(self, source):
        for folder, (name, place) in PRINTERS.items():
            if not source.path.startswith(folder):
                continue
            for i in range(len(source.tokens)):
                if source.text(i) != name or not source.sign(i + 1, "(") or not source.sign(source.match[i + 1] + 1, ";", ":"):
                    continue
                arguments = source.arguments(i + 1)
                if len(arguments) <= place or source.text(i - 1) == "gaspi_return_t":
                    continue
                for k in range(i + 1, source.match[i + 1]):
                    self.understood.add((source.path, k))
                words = spoken(source, *arguments[place])
                if words == FIGURE:
                    self.passed_on += 1
                else:
                    self.texts.append(Text(source.path, source.line(i), words_of_name(source, *arguments[1]), "the call", words))

    def look_for_rest(self, source):
        """Kinds and throws that stand in no form that this program knows."""
        for i, token in enumerate(source.tokens):
            if token.text == "error_kind" and source.sign(i + 1, "::") and (source.path, i) not in self.understood:
                is_question = source.sign(i - 1, "==", "!=") or source.sign(i + 3, "==", "!=") or source.text(i - 1) == "case" or \
                    source.text(i - 3) in ("==", "!=")  # wherry::error_kind
                first, end = source.slot(i)
                is_default = any(source.text(k) == "kind" and source.sign(k + 1, "(") for k in range(first, end)) or source.sign(i - 1, "=") and source.sign(i + 3, ")", ",")
                if not is_question and not is_default:
                    self.faults.append(f"{source.path}:{source.line(i)}: this program cannot tell what error is made of this error_kind")
            if token.text == "throw" and token.kind == "name" and not source.sign(i + 1, ";"):
                k = i + 1
                while source.sign(k + 1, "::"):
                    k += 2
                thrown = source.text(k + 1) if source.sign(k, "*") else source.text(k)
                if thrown not in STANDARD | {"error"} and (source.path, k + 1) not in self.understood and not self.is_error(source, k, thrown):
                    self.faults.append(f"{source.path}:{source.line(i)}: this program cannot tell what is thrown: '{thrown}'")

    @staticmethod
    def is_error(source, at, name):
        """True if a file names this an error: `error mine(`, `std::optional<error> mine`, a function or lambda that returns one."""
        for k in range(len(source.tokens)):
            if source.text(k) == name and k != at and (source.text(k - 1) in ("error", "struct", "class") or "error" in [source.text(t) for t in range(max(0, k - 4), k)]):
                return True
            if source.text(k) == name and source.sign(k + 1, "=") and source.sign(k + 2, "["):
                body = range(k, min(k + 40, len(source.tokens)))
                if any(source.text(t) == "return" and source.text(t + 1) == "error" for t in body):
                    return True
        return False

    def parts_of(self, source):
        """Words of other expressions: what errors pass on, and what is no error."""
        done = set()
        for i, token in enumerate(source.tokens):
            if token.kind != "string" or " " not in token.text.strip() or (source.path, i) in self.understood:
                continue
            k = i
            while source.around[k] is not None and source.sign(source.around[k], "(", "{") and source.name_before(source.around[k]) in ("text", "string"):
                k = source.around[k]
            if source.around[k] is not None and source.name_before(source.around[k]) in NO_ERRORS:
                continue
            first, end = source.slot(k)
            if (first, end) not in done:
                done.add((first, end))
                yield Text(source.path, source.line(i), "part", "", spoken(source, first, end))


def alternatives(words):
    """The texts that one with choices can be."""
    found = re.search(r"\(([^()|]*)\|([^()|]*)\)", words)
    if not found:
        return [words]
    return [each for one in found.groups() for each in alternatives(words[:found.start()] + one + words[found.end():])]


# Each rule: a sentence, and a function of the text, and of its words in one of their alternatives, that is true for a text that breaks it.
CAPITAL = re.compile(r"[A-Z][a-z]+\b(?!\w)")
NAMES = ("KeLP", "File too large", "Open MPI", "Wherry", "Fortran")
FORBIDDEN = [re.compile(pattern) for pattern in (
    r"\bto be had\b", r"\b(is|are) to be\b", r"\bwho(se|m)?\b(?! rank)", r"\bin vain\b", r"\btaken for dead\b", r"\bof which\b(?! [a-z]+ )",
    r"\bwhat (is|are|was|were|has|have|it|he|the|one|goes|comes|arrives|waits|follows|lies)\b", r"(?<!there )\b(is|are) no (?!longer)", r"\bas there may be\b",
    r"\ban? error occurred\b", r"\binvalid\b", r"\billegal\b", r"\bfailed to\b", r"\bsorry\b", r"\bplease\b", r"\boops\b")]


def forbidden(words):
    return next((found.group() for pattern in FORBIDDEN if (found := pattern.search(words))), None)


def says_figure_only(words):
    """'name' is …, and nothing of what was expected."""
    return re.fullmatch(r"(?!.*\b(but|expected|than|which)\b)[^…]*\b(is|are|has|have|of) …( [a-z]+)?", words) is not None


def unbalanced(words):
    """True if a quotation begins and does not end. (More ends than beginnings are genitives: all ranks' elements.)"""
    return len(re.findall(r"(?<![^\s(\[/→])'", words)) > len(re.findall(r"(?<=[^\s(])'(?![a-z])", words))


RULES = (
    ("it is empty", lambda text, words: not words.strip()),
    ("it begins with a capital letter", lambda text, words: CAPITAL.match(words) and not words.startswith(NAMES)),
    ("it ends with a sign or a blank", lambda text, words: re.search(r"(?<!\.\.)[.!:;,\s]$", words)),
    ("it has two blanks, or one before a sign", lambda text, words: re.search(r"  | [,;:.](\s|$)", words)),
    ("a quotation mark is missing", lambda text, words: unbalanced(words)),
    ("it says what was given, and not what is expected", lambda text, words: text.kind == "argument" and says_figure_only(words)),
    ("it names neither an argument in quotes, nor a figure, nor a name of the interface",
     lambda text, words: text.kind == "argument" and text.where != "deep copy" and not re.search(r"\bits?\b|'[^']+'|…|[A-Z]{3,}|[a-z]_[a-z]|m\.[a-z]|::|\(\)", words)),
)


def faults_of(texts):
    faults = []
    said = {}
    for text in texts:
        place = f"{text.path}:{text.line}"
        for words in alternatives(text.words):
            broken = [sentence for sentence, is_broken in RULES if is_broken(text, words)]
            if word := forbidden(words):
                broken.append(f"it says '{word}'")
            faults += [f"{place}: '{words}': {sentence}" for sentence in broken]
        # Two ways to say one thing: the same letters, but for articles and signs.
        heart = re.sub(r"\b(the|a|an)\b|[^a-z…]", "", text.words.lower())
        other = said.setdefault((text.where, heart), text)
        if other.words != text.words:
            faults.append(f"{place}: '{text.words}' says what {other.path}:{other.line} says as '{other.words}'")
    return faults


def self_test():
    """Plants bad texts, which must be found, and good ones."""
    bad = {
        "throw error(error_kind::argument, where, \"\");": "empty",
        "throw error(error_kind::state, where, \"The end\");": "capital",
        "throw error(error_kind::state, where, text(\"it has \", n, \" bytes.\"));": "ends with a sign",
        "throw error(error_kind::state, where, text(\"it has \", n, \"  bytes\"));": "two blanks",
        "throw error(error_kind::state, where, text(\"'n is \", n, \", expected 1\"));": "quotation mark",
        "throw error(error_kind::argument, where, text(\"'n' is \", n));": "not what is expected",
        "throw error(error_kind::argument, where, \"that was wrong\");": "names neither",
        "throw error(error_kind::mismatch, where, \"what arrives is longer\");": "what arrives",
        "const auto fail = [&](std::string_view w) { throw error(error_kind::argument, where, text(\"it: \", w)); }; fail(text(\"n is \", n));": "not what is expected",
        "throw problem_of(error_kind::state);": "cannot tell",
        "auto k = error_kind::state;": "cannot tell",
        "throw error(error_kind::state, where, \"the end of a file\"); throw error(error_kind::state, where, \"end of the file\");": "says what",
    }
    good = "throw error(error_kind::argument, where, text(\"'n' is \", n, \", expected 1 or more\"), rank);"
    for code, fault in {**bad, good: None}.items():
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(os.path.join(folder, "src"))
            with open(os.path.join(folder, "src", "planted.cpp"), "w", encoding="utf-8") as file:
                file.write("void f(int n) {\n  " + code + "\n}\n")
            reader = Reader(folder)
            found = reader.faults + faults_of(reader.texts)
            if (fault is None) != (not found) or fault is not None and not any(fault in one for one in found):
                sys.exit(f"this test does not judge rightly of {code} (expected: {fault}): {found}")


def main():
    self_test()
    reader = Reader(sys.argv[1])
    for text in sorted(reader.texts):
        print(f"{text.path}:{text.line}: {text.kind}, {text.where}: {text.words}")
    print("\nWords that errors pass on, reports and tables:")
    for text in reader.parts:
        print(f"{text.path}:{text.line}: part: {text.words!r}")
    faults = reader.faults + faults_of(reader.texts)
    print(f"\n{len(reader.texts)} texts of errors, {reader.passed_on} that are passed on, {len(reader.parts)} parts, {len(faults)} faults")
    if len(reader.texts) < 500 or len(reader.parts) < 300:
        faults.append("this test does not find the texts that there are")
    if faults:
        sys.exit("\n".join(faults))


if __name__ == "__main__":
    main()
