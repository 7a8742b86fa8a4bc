#!/usr/bin/env python3
"""Runs a program on several numbers of ranks; what it says in the lines with WORDS must be the same, to the last digit.

same_on_any_ranks.py --ranks 1,2,3 --words "fine blocks" --launch LAUNCHER... -- PROGRAM ARGUMENTS...
"""
import argparse
import subprocess
import sys


def said(launch, ranks, program, words):
    run = subprocess.run([*launch, "-n", str(ranks), *program], capture_output=True, text=True, errors="replace",
                         check=False)
    lines = [line for line in run.stdout.splitlines() if words in line]
    if run.returncode != 0 or not lines:
        raise SystemExit(f"{run.stdout}{run.stderr}\n{ranks} ranks: exit status {run.returncode}, "
                         f"{len(lines)} lines with '{words}'")
    return lines


def main():
    words = sys.argv[1:]
    program = words[words.index("--") + 1:]
    launch = words[words.index("--launch") + 1:words.index("--")]
    parser = argparse.ArgumentParser()
    parser.add_argument("--ranks", required=True)
    parser.add_argument("--words", required=True)
    options = parser.parse_args(words[:words.index("--launch")])
    counts = [int(count) for count in options.ranks.split(",")]
    first = said(launch, counts[0], program, options.words)
    for ranks in counts[1:]:
        now = said(launch, ranks, program, options.words)
        if now != first:
            print(f"{counts[0]} ranks: {first}\n{ranks} ranks: {now}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
