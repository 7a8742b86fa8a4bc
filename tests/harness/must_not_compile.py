#!/usr/bin/env python3
"""Checks that sources do not compile, that the compiler's message has the expected words, and on demand no others.

Where a source asks for WHERRY_MUST_NOT_COMPILE, it is first compiled without it, which must succeed: so a missing
header is not taken for the fault that is meant. What several sources include is parsed once.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

ERROR = re.compile(r"^[^ ]+: (fatal )?error: ")
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)


def text_of(path):
    with open(path, encoding="utf-8") as source:
        return source.read()


class Compiler:
    def __init__(self, program, includes, definitions):
        self._command = [program, "-std=c++20"] + ["-I" + folder for folder in includes] + ["-D" + name for name in definitions]
        self._first = []

    def run(self, *arguments):
        done = subprocess.run(self._command + list(arguments), capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def parse_once(self, headers, folder):
        """Without that it only takes longer."""
        header = os.path.join(folder, "common.hpp")
        with open(header, "w", encoding="utf-8") as common:
            common.writelines(f'#include "{name}"\n' for name in headers)
        status, _ = self.run("-x", "c++-header", header, "-o", header + ".gch")
        if status == 0:
            self._first = ["-include", header]

    def check(self, source, *definitions):
        return self.run("-fsyntax-only", *self._first, *definitions, source)


def errors_in(output):
    return sum(bool(ERROR.search(line)) for line in output.splitlines())


def problem_with(compiler, source, words, most_errors):
    if "WHERRY_MUST_NOT_COMPILE" in text_of(source):
        status, output = compiler.check(source)
        if status != 0:
            return f"{output}\n{source} fails even without WHERRY_MUST_NOT_COMPILE"
    status, output = compiler.check(source, "-DWHERRY_MUST_NOT_COMPILE")
    if status == 0:
        return f"{source} compiled, and must not"
    if words not in output:
        return f"{output}\n{source} fails, but does not say: {words}"
    if most_errors and errors_in(output) > most_errors:
        return f"{output}\n{source} fails with {errors_in(output)} errors, expected {most_errors}"
    return None


def main():
    parser = argparse.ArgumentParser()
    for name in ("compiler", "includes", "definitions"):
        parser.add_argument("--" + name, default="")
    parser.add_argument("--most-errors", type=int, default=0)
    parser.add_argument("--case", nargs=2, action="append", required=True, metavar=("SOURCE", "WORDS"))
    options = parser.parse_args()
    compiler = Compiler(options.compiler, *([word for word in given.split(";") if word]
                                            for given in (options.includes, options.definitions)))
    with tempfile.TemporaryDirectory() as folder:
        common = set.intersection(*(set(INCLUDE.findall(text_of(source))) for source, _ in options.case))
        if common and len(options.case) > 2:
            compiler.parse_once(sorted(common), folder)
        problems = [problem_with(compiler, source, words, options.most_errors) for source, words in options.case]
    bad = [problem for problem in problems if problem]
    for problem in bad:
        print(problem)
    print(f"{len(problems) - len(bad)} passed, {len(bad)} failed")
    return 1 if bad else 0


sys.exit(main())
