#!/usr/bin/env python3
"""Checks that a source does not compile, and that the compiler's message has the expected words.

Where the source asks for WHERRY_MUST_NOT_COMPILE, it is first compiled without it, which must succeed: so a missing
header is not taken for the fault that is meant.
"""
import argparse
import subprocess
import sys


def main():
    parser = argparse.ArgumentParser()
    for name in ("compiler", "source", "words", "includes", "definitions"):
        parser.add_argument("--" + name, default="")
    options = parser.parse_args()
    command = [options.compiler, "-std=c++20", "-fsyntax-only"]
    command += ["-I" + folder for folder in options.includes.split(";") if folder]
    command += ["-D" + name for name in options.definitions.split(";") if name]

    def compile_with(*extra):
        run = subprocess.run(command + list(extra) + [options.source], capture_output=True, text=True)
        return run.returncode, run.stdout + run.stderr

    with open(options.source, encoding="utf-8") as source:
        has_switch = "WHERRY_MUST_NOT_COMPILE" in source.read()
    if has_switch:
        status, output = compile_with()
        if status != 0:
            print(f"{output}\nthe source fails even without WHERRY_MUST_NOT_COMPILE")
            return 1
    status, output = compile_with("-DWHERRY_MUST_NOT_COMPILE")
    if status == 0:
        print("it compiled, and must not")
        return 1
    if options.words not in output:
        print(f"{output}\nit fails, but does not say: {options.words}")
        return 1
    return 0


sys.exit(main())
