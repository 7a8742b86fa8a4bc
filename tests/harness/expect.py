#!/usr/bin/env python3
"""Runs a command and checks its exit status, its duration and the words it prints."""
import argparse
import os
import signal
import subprocess
import sys

SKIPPED = 77  # as the command says


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--within", type=float, default=60)
    parser.add_argument("--status", choices=["zero", "nonzero", "any"], default="nonzero")
    parser.add_argument("--words", action="append", default=[])
    parser.add_argument("--once", action="append", default=[], help="words that must stand there exactly once")
    parser.add_argument("--without", action="append", default=[], help="words that must not stand there")
    parser.add_argument("--lines", type=int, help="at most so many")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    command = options.command[1:] if options.command[:1] == ["--"] else options.command

    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                           start_new_session=True)
    try:
        output, _ = run.communicate(timeout=options.within)
    except subprocess.TimeoutExpired:
        os.killpg(run.pid, signal.SIGKILL)
        output, _ = run.communicate()
        print(f"{output}\nexpect: still running after {options.within:g} s")
        return 1
    problems = [f"the output lacks: {words}" for words in options.words if words not in output]
    problems += [f"the output has: {line}" for line in output.splitlines() if any(words in line for words in options.without)]
    if run.returncode == SKIPPED:
        print(output)
        return SKIPPED
    problems += [f"the output has {output.count(words)} times: {words}" for words in options.once
                 if output.count(words) != 1]
    if options.lines is not None and output.count("\n") > options.lines:
        problems.append(f"{output.count(chr(10))} lines of output, at most {options.lines} expected")
    if options.status == "zero" and run.returncode != 0:
        problems.append(f"exit status {run.returncode}, expected 0")
    if options.status == "nonzero" and run.returncode == 0:
        problems.append("exit status 0, expected another")
    if problems:
        print(output)
        print("\n".join(f"expect: {problem}" for problem in problems))
        return 1
    return 0


sys.exit(main())
