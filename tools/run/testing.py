"""./run test: build what is needed, run the tests, and add up what really ran."""
import os
import re
import sys
import xml.etree.ElementTree as xml

from . import build, codemodel, needs, progress, python_package, selection, shell, simgrid, toolchain
from .shell import Failure

# Entries wait about as long as they compute: for processes to start, for each other. cmake/WherryTests.cmake says how many of
# these places one takes.
PLACES = 2  # a core

# Of so many entries the output is too long to be looked through.
MANY = 20

SUMMARY = re.compile(r"^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?(?:; random cases: (.*))?\s*$", re.MULTILINE)
CASES = re.compile(r"(\d+) of \d+(?:,|$)")


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
            counts = [int(number or 0) for number in found[-1][:3]]
            passed, skipped = passed + counts[0], skipped + counts[2]
            failed += counts[1] or (0 if good else 1)
        elif good:
            passed += 1
        else:
            failed += 1
        if not good:
            bad.append(case.get("name"))
    return passed, failed, skipped, bad


def random_cases(junit):
    """How many random cases the harness binaries have run."""
    outputs = [case.findtext("system-out") or "" for case in xml.parse(junit).getroot().iter("testcase")]
    summaries = [found[-1][3] for found in map(SUMMARY.findall, outputs) if found]
    return sum(int(done) for cases in summaries for done in CASES.findall(cases))


def longest(junit, most=12):
    """The entries that took longest, as one line."""
    times = sorted(((float(case.get("time", 0)), case.get("name")) for case in xml.parse(junit).getroot().iter("testcase")), reverse=True)
    return ", ".join(f"{name} {seconds:.0f} s" for seconds, name in times[:most])


def last_words(junit, bad, most=40):
    """The ends of the outputs of entries that failed, each line with its entry's name: the first output is far above by then."""
    outputs = {case.get("name"): case.findtext("system-out") or "" for case in xml.parse(junit).getroot().iter("testcase")}
    return [f"! {name}: {line}" for name in bad for line in outputs[name].rstrip().split("\n")[-most:]]


def closing_line(passed, failed, skipped):
    return f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else "")


class Tests(progress.Line):
    """How far ctest is, and what it is at."""

    START = re.compile(r"^\s+Start\s+\d+: (\S+)")
    END = re.compile(r"^\s*(\d+)/(\d+) Test\s+#\d+: (\S+)")

    def __init__(self):
        super().__init__("testing")
        self._running = []

    def step(self, line):
        started, ended = self.START.match(line), self.END.match(line)
        if started:
            self._running.append(started[1])
        if ended:
            self.count = f"{ended[1]} of {ended[2]}"
            self._running = [name for name in self._running if name != ended[3]]
        self.at = "running " + " ".join(self._running) if self._running else ""


def _ctest(tree, names, environment):
    """Runs these entries, or all when `names` is None; gives the report's path."""
    junit = os.path.join(tree, "junit.xml")
    command = [toolchain.ctest(), "--test-dir", tree, "--output-on-failure", "-j", str(PLACES * shell.jobs()),
               "--output-junit", junit, "--test-output-size-passed", "1000000", "--test-output-size-failed", "1000000",
               "--no-tests=error"]
    if names is not None:
        command += ["-R", "^(" + "|".join(re.escape(name) for name in names) + ")$"]
    if os.path.exists(junit):
        os.remove(junit)
    line = Tests()

    def take(text):
        line.clear()
        sys.stdout.write(text)
        sys.stdout.flush()
        line.step(text)

    progress.watch(command, line, take, env=environment)
    if not os.path.exists(junit):
        raise Failure("ctest ended without a report")
    return junit


def _environment(options, found):
    environment = build.environment(found)
    environment["WHERRY_CALIBRATION"] = "0"  # what somebody has measured here is no test's business
    if options.only:
        environment["WHERRY_TEST_ONLY"] = options.only
    if options.large:
        environment["WHERRY_TEST_LARGE"] = "1"
        environment.setdefault("WHERRY_TEST_LIMIT", "600")
    if options.preset in ("asan", "tsan"):
        environment.setdefault("WHERRY_TEST_LIMIT", "240")  # sanitizers are slow
        environment.setdefault("UCX_MEM_EVENTS", "no")  # tools/run/launch.py says why; not all tests are launched
    return environment


def run_tests(options):
    """Builds and tests; gives (passed, failed, skipped)."""
    simulated = simgrid.cmake_options(options) if options.mpi == "simgrid" else []
    if simulated:
        options.label = options.label or ["simulated"]
    if options.preset == "tsan" and not options.only:
        options.label = options.label or ["threads"]  # tests/threads/CMakeLists.txt says why these
    applications = needs.named(options.only) if options.only else None
    found, tree = build.configure(options.mpi, options.preset, options.define + simulated, applications,
                                  lambda found: python_package.for_tests(options, found))
    tests, model = selection.entries(tree), codemodel.read(tree)
    chosen = selection.choose(tests, model, options.only, options.ranks, options.label, options.without)
    if not chosen:
        raise Failure(f"no test fits; the entries are: ctest --test-dir {shell.short(tree)} -N; "
                      "tests inside them are called like WHERRY_TEST(...) in tests/")
    # Everything has to compile when some tests are left out; those who name tests want these.
    targets = selection.targets(chosen, tests, model) if options.only or options.label else None
    if targets != []:
        build.compile_targets(found, tree, targets)
    shell.say(f"testing {len(chosen)} of {len(tests)} entries with {found.version}")
    with shell.locked(f"{tree}.tests.lock", f"tests in {shell.short(tree)}"):
        names = [test["name"] for test in chosen] if len(chosen) != len(tests) else None
        junit = _ctest(tree, names, _environment(options, found))
        passed, failed, skipped, bad = add_up(junit)
        cases = random_cases(junit)
    if cases:
        shell.say(f"{cases} random cases")
    if len(chosen) > MANY:
        shell.say(f"the longest entries: {longest(junit)}")
    if bad:
        if len(chosen) > MANY:
            print("\n".join(last_words(junit, bad)), flush=True)
        shell.say("failing entries: " + ", ".join(bad))
        shell.say(f"logs of each rank: {shell.short(os.path.join(tree, 'logs'))}/")
    return passed, failed, skipped


def main(options):
    passed, failed, skipped = run_tests(options)
    print(closing_line(passed, failed, skipped), flush=True)
    return 1 if failed or not passed else 0
