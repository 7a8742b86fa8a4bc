#!/usr/bin/env python3
"""The table of a README must say how many lines a version has, as the program does: readme_lines.py README -- PROGRAM...

A row is | `name` | … | lines |; the program is started with --exchange name for each.
"""
import re
import subprocess
import sys


def main():
    with open(sys.argv[1], encoding="utf-8") as text:
        rows = re.findall(r"^\| `(\w+)` \|.*\| (\d+) \|$", text.read(), re.MULTILINE)
    if not rows:
        print("the table has no rows")
        return 1
    wrong = 0
    for name, lines in rows:
        said = subprocess.run([*sys.argv[3:], "--exchange", name], capture_output=True, text=True, check=True).stdout
        if f", {lines} lines\n" not in said:
            print(f"the README says {name} has {lines} lines; the program says\n{said}")
            wrong += 1
    return wrong


if __name__ == "__main__":
    sys.exit(main())
