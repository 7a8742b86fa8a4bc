#!/usr/bin/env python3
"""Compares the numbers of lines that docs/howto names with the code: python3 check_line_numbers.py SOURCE

A heading of a tab, `:::{tab-item} By hand, 61 lines`, says how many lines the block below it has, empty lines and lines that are
only a comment left out. A block is either written in the page or taken from a file by literalinclude.
"""
import glob
import os
import re
import sys

HEADING = re.compile(r"^:+\{tab-item\} .*?(\d+) lines?$")
FENCE = re.compile(r"^(```+)(.*)$")


def lines_of_code(lines):
    """Lines that are neither empty nor only a comment."""
    code = 0
    in_text = False  # a documentation string of Python
    for line in lines:
        text = line.strip()
        if in_text or text.startswith('"""'):
            in_text = (text.count('"""') % 2 == 1) != in_text
            continue
        code += bool(text) and not text.startswith(("//", "#", "/*", "*"))
    return code


def included(page, options):
    """The lines that a literalinclude takes."""
    with open(os.path.join(os.path.dirname(page), options["file"]), encoding="utf-8") as file:
        text = file.read()
    begin, end = options["start-after"], options["end-before"]
    if begin not in text or end not in text:
        sys.exit(f"{page}: {options['file']} has no '{begin}' or no '{end}'")
    return text.split(begin, 1)[1].split(end, 1)[0].splitlines()[:-1]


def blocks(page):
    """Yields the line of each heading with a number, the number, and the lines of the block below it."""
    with open(page, encoding="utf-8") as file:
        lines = file.read().splitlines()
    for place, line in enumerate(lines):
        heading = HEADING.match(line)
        if not heading:
            continue
        start = next(k for k in range(place, len(lines)) if FENCE.match(lines[k]))
        end = next(k for k in range(start + 1, len(lines)) if lines[k].startswith(FENCE.match(lines[start]).group(1)))
        inside = lines[start + 1 : end]
        name = FENCE.match(lines[start]).group(2)
        if name.startswith("{literalinclude}"):
            options = {k: v.strip(' "') for k, v in (re.match(r":([\w-]+):(.*)", text).groups() for text in inside if text.startswith(":"))}
            inside = included(page, {**options, "file": name.split("}", 1)[1].strip()})
        yield place + 1, int(heading.group(1)), inside


def main():
    wrong = found = 0
    for page in sorted(glob.glob(os.path.join(sys.argv[1], "docs", "howto", "*.md"))):
        for place, number, inside in blocks(page):
            found += 1
            if lines_of_code(inside) != number:
                wrong += 1
                print(f"{os.path.relpath(page, sys.argv[1])}:{place}: the block has {lines_of_code(inside)} lines of code, not {number}")
    print(f"{found} blocks counted, {wrong} wrong")
    return 1 if wrong or not found else 0


if __name__ == "__main__":
    sys.exit(main())
