#!/usr/bin/env python3
"""Compiles the C++ of the README and of docs/: python3 check_snippets.py COMPILER FLAGS... -- FILE.md...

A block with a main is a program. The other blocks of a file follow one another in one function, after those that begin
with a structure or a template, which cannot stand in one.
"""
import re
import subprocess
import sys
import tempfile

PRELUDE = """#include <wherry/wherry.hpp>
#include <array>
#include <vector>
"""


def programs(path):
    """Yields the programs of one Markdown file."""
    blocks = re.findall(r"^```cpp\n(.*?)^```", open(path, encoding="utf-8").read(), re.S | re.M)
    loose = [block for block in blocks if "int main(" not in block]
    outside = [block for block in loose if block.startswith(("struct", "template"))]
    inside = [block for block in loose if block not in outside]
    yield from (block for block in blocks if "int main(" in block)
    if loose:
        yield "\n".join([PRELUDE, *outside, "void example() {", *inside, "}\n"])


def main():
    split = sys.argv.index("--")
    compiler, files = sys.argv[1:split], sys.argv[split + 1 :]
    count = 0
    for path in files:
        for text in programs(path):
            with tempfile.NamedTemporaryFile("w", suffix=".cpp") as source:
                source.write(text)
                source.flush()
                if subprocess.run([*compiler, "-fsyntax-only", source.name], check=False).returncode != 0:
                    sys.exit(f"an example of {path} does not compile")
            count += 1
    if count == 0:
        sys.exit("no examples were found")
    print(f"{count} programs compile")


if __name__ == "__main__":
    main()
