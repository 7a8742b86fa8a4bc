"""./run test: build, run the tests, and add up what really ran."""
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as xml

from . import build, shell, simgrid, toolchain
from .shell import ROOT, Failure

SUMMARY = re.compile(r"^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?\s*$", re.MULTILINE)


def entries(tree):
    """ctest's entries: [{name, labels, command}]."""
    status, text = shell.capture([toolchain.ctest(), "--test-dir", tree, "--show-only=json-v1"])
    if status:
        raise Failure(f"ctest cannot list the tests of {tree}:\n{text}")
    result = []
    for test in json.loads(text[text.index("{"):]).get("tests", []):
        properties = {item["name"]: item["value"] for item in test.get("properties", [])}
        result.append({"name": test["name"], "labels": properties.get("LABELS", []),
                       "command": test.get("command", [])})
    return result


def choose(tests, only, ranks, labels, without):
    """The names of the entries to run."""
    listed = {}

    def holds_wanted_test(test):
        program = test["command"][-1] if test["command"] else ""
        if program not in listed:
            listed[program] = shell.capture([program, "--list"])[1] if os.path.isfile(program) else ""
        return any(only in line.split(" ")[0] for line in listed[program].splitlines())

    chosen = []
    for test in tests:
        if ranks:
            counts = [label[6:] for label in test["labels"] if label.startswith("ranks_")]
            if counts and not set(counts) & set(ranks):
                continue
        if labels and not set(labels) & set(test["labels"]):
            continue
        if without and set(without) & set(test["labels"]):
            continue
        if only:
            inside = "harness" in test["labels"] and holds_wanted_test(test)
            if not inside and only not in test["name"]:
                continue
        chosen.append(test["name"])
    return chosen


def add_up(junit):
    """(passed, failed, skipped, names of failing entries). Harness binaries count their tests, other entries count one."""
    passed = failed = skipped = 0
    bad = []
    for case in xml.parse(junit).getroot().iter("testcase"):
        state = case.get("status", "run")
        output = case.findtext("system-out") or ""
        found = SUMMARY.findall(output)
        good = state == "run" and case.find("failure") is None
        if state in ("notrun", "disabled") or case.find("skipped") is not None:
            if state == "disabled" or "SKIP_RETURN_CODE" in (xml.tostring(case, encoding="unicode")):
                skipped += 1
                continue
            good = False  # an executable that is not there is a failure
        if found and "expect:" not in output:
            counts = [int(number or 0) for number in found[-1]]
            passed, skipped = passed + counts[0], skipped + counts[2]
            failed += counts[1] or (0 if good else 1)
        elif good:
            passed += 1
        else:
            failed += 1
        if not good:
            bad.append(case.get("name"))
    return passed, failed, skipped, bad


def closing_line(passed, failed, skipped):
    return f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else "")


def run_tests(options):
    """Builds and tests; gives (passed, failed, skipped)."""
    simulated = simgrid.cmake_options(options) if options.mpi == "simgrid" else []
    if simulated:
        options.label = options.label or ["simulated"]
    found, tree = build.build(options.mpi, options.preset, extra=options.define + simulated)
    tests = entries(tree)
    ranks = [count for count in (options.ranks or "").split(",") if count]
    names = choose(tests, options.only, ranks, options.label, options.without)
    if not names:
        raise Failure("no test fits; names are shown by: ctest --test-dir "
                      f"{os.path.relpath(tree, ROOT)} -N, and by each test program's --list")
    shell.say(f"testing {len(names)} of {len(tests)} entries with {found.version}")
    junit = os.path.join(tree, "junit.xml")
    chosen = os.path.join(tree, "chosen_tests.txt")
    command = [toolchain.ctest(), "--test-dir", tree, "--output-on-failure", "-j", str(shell.jobs()),
               "--output-junit", junit, "--test-output-size-passed", "1000000", "--test-output-size-failed", "1000000",
               "--no-tests=error"]
    if len(names) != len(tests):
        command += ["-R", "^(" + "|".join(re.escape(name) for name in names) + ")$"]
    with open(chosen, "w", encoding="utf-8") as file:
        file.write("\n".join(names) + "\n")
    environment = build.environment(found)
    if options.only:
        environment["WHERRY_TEST_ONLY"] = options.only
    if options.large:
        environment["WHERRY_TEST_LARGE"] = "1"
        environment.setdefault("WHERRY_TEST_LIMIT", "600")
    if options.preset in ("asan", "tsan"):
        environment.setdefault("WHERRY_TEST_LIMIT", "240")  # sanitizers are slow
    if os.path.exists(junit):
        os.remove(junit)
    sys.stdout.flush()
    subprocess.run(command, env=environment, cwd=ROOT, stdin=subprocess.DEVNULL)
    if not os.path.exists(junit):
        raise Failure("ctest ended without a report")
    passed, failed, skipped, bad = add_up(junit)
    if bad:
        shell.say("failing entries: " + ", ".join(bad))
        shell.say(f"logs of each rank: {os.path.relpath(os.path.join(tree, 'logs'), ROOT)}/")
    return passed, failed, skipped


def main(options):
    passed, failed, skipped = run_tests(options)
    print(closing_line(passed, failed, skipped), flush=True)
    return 1 if failed or not passed else 0
