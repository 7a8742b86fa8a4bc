#!/usr/bin/env python3
"""Plants faults in a copy of the library, one at a time, and reports which of them no test sees.

    tests/support/plant_faults.py build/openmpi-dev              all faults, with the compilers and the MPI of that build tree
    tests/support/plant_faults.py build/openmpi-dev --only min   those whose names contain a word
    tests/support/plant_faults.py --list

The copy is BUILD/planted/tree, of the files that git knows; nothing is ever changed outside of it. Each fault is a textual
edit with the programs that must see it. A fault whose text is no longer found once is reported as well: then the table
(planted_faults.py) wants an edit. With ccache only what a fault changes is compiled anew.
"""
import argparse
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.dont_write_bytecode = True
sys.path.insert(0, HERE)
from planted_faults import FAULTS  # noqa: E402

# What of a build tree's cache decides how the copy is compiled: alike, so that ccache knows the objects.
KEPT = ("CMAKE_BUILD_TYPE", "CMAKE_CXX_COMPILER", "CMAKE_C_COMPILER", "CMAKE_CXX_FLAGS", "CMAKE_C_FLAGS", "MPI_C_COMPILER",
        "MPI_CXX_COMPILER", "MPIEXEC_EXECUTABLE", "WHERRY_")


class Copy:
    """The copied tree and its build tree."""

    def __init__(self, build, jobs):
        self.tree = os.path.join(os.path.abspath(build), "planted", "tree")
        self.build = os.path.join(self.tree, "build", os.path.basename(os.path.abspath(build)))
        self.jobs = jobs
        self._like = os.path.abspath(build)

    def refresh(self):
        """Copies what has changed, so that nothing else is compiled."""
        files = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True,
                               capture_output=True, text=True).stdout.split("\0")
        for name in filter(None, files):
            source, target = os.path.join(ROOT, name), os.path.join(self.tree, name)
            if not os.path.isfile(source):
                continue
            with open(source, "rb") as file:
                content = file.read()
            if os.path.isfile(target):
                with open(target, "rb") as file:
                    if file.read() == content:
                        continue
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copy(source, target)

    def configure(self):
        if os.path.isfile(os.path.join(self.build, "build.ninja")):
            return
        kept = []
        with open(os.path.join(self._like, "CMakeCache.txt"), encoding="utf-8") as cache:
            for line in cache:
                name, _, value = line.strip().partition("=")
                if name.startswith(KEPT) and not name.endswith((":INTERNAL", ":STATIC")) and "-ADVANCED" not in name:
                    kept.append(f"-D{name}={value}")
        subprocess.run(["cmake", "-S", self.tree, "-B", self.build, "-G", "Ninja", *kept], check=True, stdout=subprocess.DEVNULL)

    def compile(self, targets):
        return subprocess.run(["ninja", "-C", self.build, f"-j{self.jobs}", *targets], capture_output=True, text=True)

    def launcher(self):
        """How the build tree starts its tests: the words before `-n`."""
        with open(os.path.join(self.build, "tests", "harness", "CTestTestfile.cmake"), encoding="utf-8") as file:
            line = next(line for line in file if "harness.passes]" in line and "tools/launch" in line)
        words = shlex.split(line)
        first = next(i for i, word in enumerate(words) if word.endswith("tools/launch"))
        return words[first - 1:words.index("-n", first)]

    def run(self, test, limit):
        """(status, output); status None: it has not ended in time."""
        program = os.path.join(self.build, test.program)
        # A wait without an end is found by the harness's own limit, which is for each test.
        environment = dict(os.environ, WHERRY_TEST_LIMIT=str(limit))
        command = [*self.launcher(), "-n", str(test.ranks), program, *test.arguments()]
        child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                                 env=environment, start_new_session=True)
        try:
            output, _ = child.communicate(timeout=4 * limit)
            return child.returncode, output
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            return None, child.communicate()[0] or ""


class Edit:
    """One fault in the copy, for as long as the block lasts."""

    def __init__(self, copy, fault):
        self._path = os.path.join(copy.tree, fault.file)
        self._fault = fault

    def __enter__(self):
        with open(self._path, encoding="utf-8") as file:
            self._text = file.read()
        with open(self._path, "w", encoding="utf-8") as file:
            file.write(self._text.replace(self._fault.text, self._fault.instead))

    def __exit__(self, *unused):
        with open(self._path, "w", encoding="utf-8") as file:
            file.write(self._text)


def fits(fault):
    with open(os.path.join(ROOT, fault.file), encoding="utf-8") as file:
        return file.read().count(fault.text) == 1


def first_words(output):
    """The line that says what was wrong."""
    lines = output.splitlines()
    for words in (("last event",), (".cpp:", ".hpp:", ".c:"), ("FAILED", "differ", "wrong")):
        for line in lines:
            if any(word in line for word in words):
                return line.strip()[:150]
    return (output.strip().splitlines() or ["no words"])[-1][:150]


def try_fault(copy, fault, limit):
    """(verdict, words)"""
    if not fits(fault):
        return "does not fit", f"its text is not once in {fault.file}"
    with Edit(copy, fault):
        built = copy.compile([test.program for test in fault.tests])
        if built.returncode != 0:
            return "not compiled", first_words(built.stdout + built.stderr)
        for test in fault.tests:
            status, output = copy.run(test, limit)
            if status is None:
                return "seen", f"{test}: no end in {4 * limit} s"
            if status != 0:
                return "seen", f"{test}: {first_words(output)}"
    return "SURVIVES", ", ".join(map(str, fault.tests))


def without_faults(copy, faults, limit):
    """The tests pass as they are: else what they see says nothing."""
    tests = {str(test): test for fault in faults for test in fault.tests}
    built = copy.compile(sorted({test.program for test in tests.values()}))
    if built.returncode != 0:
        print(built.stdout[-3000:])
        return ["the copy does not compile"]
    bad = []
    for name, test in tests.items():
        status, output = copy.run(test, limit)
        if status != 0:
            bad.append(f"{name}: {first_words(output)}")
    return bad


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", nargs="?", help="a build tree whose compilers and MPI are taken")
    parser.add_argument("--only", action="append", default=[], help="faults whose names contain this")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--limit", type=int, default=60, help="seconds for one test")
    parser.add_argument("--trust", action="store_true", help="do not run the tests without a fault first")
    options = parser.parse_args()
    faults = [fault for fault in FAULTS if not options.only or any(word in fault.name for word in options.only)]
    if options.list:
        for fault in faults:
            print(f"{fault.name:32} {fault.file:48} {', '.join(map(str, fault.tests))}")
        return 0
    if options.build is None:
        parser.error("name a build tree")
    copy = Copy(options.build, options.jobs)
    copy.refresh()
    copy.configure()
    if not options.trust:
        bad = without_faults(copy, faults, options.limit)
        if bad:
            print("these fail without any fault:\n    " + "\n    ".join(bad), flush=True)
            return 2
    counts = {}
    for fault in faults:
        began = time.time()
        verdict, words = try_fault(copy, fault, options.limit)
        counts[verdict] = counts.get(verdict, 0) + 1
        print(f"{verdict:12} {fault.name:32} {time.time() - began:5.0f} s  {words}", flush=True)
    print(", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())), f"of {len(faults)} faults")
    return 0 if set(counts) <= {"seen"} else 1


if __name__ == "__main__":
    sys.exit(main())
