#!/usr/bin/env python3
"""Runs two programs; what they say in the lines with WORDS must be the same: same_words.py --words W -- FIRST... -- SECOND..."""
import subprocess
import sys


def said(program, words):
    run = subprocess.run(program, capture_output=True, text=True, errors="replace", check=False)
    lines = [line for line in run.stdout.splitlines() if words in line]
    if run.returncode != 0 or not lines:
        raise SystemExit(f"{run.stdout}{run.stderr}\nexit status {run.returncode}, {len(lines)} lines with '{words}'")
    return lines


def main():
    words, rest = sys.argv[2], sys.argv[4:]
    second = rest.index("--")
    one, other = said(rest[:second], words), said(rest[second + 1:], words)
    print(one, other)
    return 0 if one == other else 1


if __name__ == "__main__":
    sys.exit(main())
