#!/usr/bin/env python3
"""The transport gpi2 uses what GASPI 17.1 has, and no extension of GPI-2's or ours: each of GASPI's names in its sources is in the
list, and <GASPI.h> is the only header of GASPI's. Arguments: the list, the sources."""
import re
import sys

NAME = re.compile(r"\bp?(?:gaspi|GASPI)_\w+")
HEADER = re.compile(r'^\s*#\s*include\s*[<"]([^>"]*GASPI[^>"]*|GPI2[^>"]*)[>"]', re.MULTILINE)
COMMENT = re.compile(r"//[^\n]*")
LITERAL = re.compile(r'"(?:[^"\\]|\\.)*"')


def main(names, *sources):
    with open(names, encoding="utf-8") as listed:
        standard = {word for line in listed for word in line.split("#")[0].split()}
    faults, used = [], set()
    for path in sources:
        with open(path, encoding="utf-8") as text:
            source = COMMENT.sub("", text.read())
        faults += [f"{path}: includes {header}" for header in HEADER.findall(source) if header != "GASPI.h"]
        found = set(NAME.findall(LITERAL.sub('""', source)))
        faults += [f"{path}: {name} is not in GASPI 17.1" for name in sorted(found - standard)]
        used |= found
    print("\n".join(faults) or f"{len(used)} names of {len(standard)}, all of the standard")
    return 1 if faults or not used else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
