#!/usr/bin/env python3
"""Compiles the code in the comments of public headers: check_header_examples.py SOURCE_FOLDER COMPILER FLAGS...

Code in a comment is what stands four blanks or more further in than its text. header_examples.txt says what each example
stands in: what was declared before it. An example that is not there, or one that is there and not in a header, is an error.
"""
import glob
import os
import re
import subprocess
import sys
import tempfile

PRELUDE = """#include <wherry/channel/segment_space.hpp>
#include <wherry/wherry.hpp>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <vector>
"""


def comment_of(line):
    """The text of a comment line with its indentation, or None."""
    found = re.match(r"\s*///?(?!/)(.*)$", line)
    return None if found is None else found.group(1)


def examples(path):
    """(line number, code) of a header."""
    with open(path, encoding="utf-8") as file:
        lines = [comment_of(line) for line in file]
    begin = None
    for number, text in enumerate([*lines, None]):
        code = text is not None and (text.startswith("     ") or (begin is not None and not text.strip()))
        if code and begin is None:
            begin = number
        if not code and begin is not None:
            block = "\n".join(line[5:] for line in lines[begin:number]).rstrip()
            if re.search(r";\s*(//.*)?$", block, re.M) or block.startswith("for ("):
                yield begin + 1, block
            begin = None


def surroundings(path):
    """{header: [(kind, outside, inside)]} in the order of each header's examples."""
    found = {}
    with open(path, encoding="utf-8") as file:
        for part in re.split(r"^== ", file.read(), flags=re.M)[1:]:
            head, _, body = part.partition("\n")
            header, _, kind = head.partition(" ")
            outside, _, inside = body.partition("--\n")
            found.setdefault(header, []).append((kind.strip() or "function", outside, inside))
    return found


def compilable(code, kind):
    """Ellipses stand for code of the reader's."""
    code = re.sub(r"\(\.\.\.\)", "(;;)", code)
    code = re.sub(r"^\s*\.\.\.", "", code, flags=re.M)
    code = re.sub(r"\{ … \}", "{}", code)
    code = re.sub(r"(^|[;)]\s*)…(?=;|\s|$)", r"\1;", code, flags=re.M)
    if kind == "lines":  # each stands for itself
        return "\n".join("{ " + re.sub(r"//.*", "", line) + " }" for line in code.splitlines() if line.strip())
    return code


def main():
    source, compiler = sys.argv[1], sys.argv[2:]
    known = surroundings(os.path.join(source, "tests", "docs", "header_examples.txt"))
    text, count, missing = PRELUDE, 0, []
    for path in sorted(glob.glob(os.path.join(source, "include", "wherry", "**", "*.hpp"), recursive=True)):
        header = os.path.relpath(path, os.path.join(source, "include", "wherry"))
        waiting = known.pop(header, [])
        for line, code in examples(path):
            if not waiting:
                missing.append(f"{header}:{line}")
                continue
            kind, outside, inside = waiting.pop(0)
            if kind == "prose":
                continue
            count += 1
            place = f'#line {line} "{header}"\n'
            if kind == "outside":
                text += f"{outside}{place}{compilable(code, kind)}\n"
            else:
                text += f"namespace example_{count} {{\n{outside}"
                text += f"inline void example() {{\n{inside}{place}{compilable(code, kind)}\n}}\n}}\n"
        missing += [f"{header}: {len(waiting)} examples fewer than header_examples.txt has"] if waiting else []
    missing += [f"{header}: no such header" for header in known]
    if missing:
        sys.exit("tests/docs/header_examples.txt does not fit: " + ", ".join(missing))
    with tempfile.NamedTemporaryFile("w", suffix=".cpp") as file:
        file.write(text)
        file.flush()
        if subprocess.run([*compiler, "-fsyntax-only", file.name], check=False).returncode != 0:
            sys.exit("an example in a header's comment does not compile")
    print(f"{count} examples of headers compile")


if __name__ == "__main__":
    main()
