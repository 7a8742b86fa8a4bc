#!/usr/bin/env python3
"""Compiles the examples of the README and of docs/: python3 check_snippets.py LANGUAGE COMPILER FLAGS... -- FILE.md...

LANGUAGE is cpp or c, as the blocks say. A block with a main is a program. The other blocks of a file follow one another
in one function, after those that begin with a structure, a template or a static function, which cannot stand in one.
"""
import re
import subprocess
import sys
import tempfile

PRELUDES = {"cpp": "#include <wherry/wherry.hpp>\n#include <array>\n#include <vector>\n",
            "c": "#include <mpi.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <wherry.h>\n"}


def programs(path, language):
    """Yields the programs of one Markdown file."""
    blocks = re.findall(rf"^```{language}\n(.*?)^```", open(path, encoding="utf-8").read(), re.S | re.M)
    loose = [block for block in blocks if "int main(" not in block]
    outside = [block for block in loose if block.startswith(("struct", "template", "static", "typedef"))]
    inside = [block for block in loose if block not in outside]
    yield from (block for block in blocks if "int main(" in block)
    if loose:
        yield "\n".join([PRELUDES[language], *outside, "void example(void);", "void example(void) {", *inside, "}\n"])


def main():
    split = sys.argv.index("--")
    language, compiler, files = sys.argv[1], sys.argv[2:split], sys.argv[split + 1 :]
    count = 0
    for path in files:
        for text in programs(path, language):
            with tempfile.NamedTemporaryFile("w", suffix="." + language) as source:
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
