"""./run bench beside: a benchmark's program of another commit beside today's, in turns.

    ./run bench beside 29aaebd bench_blocks --what fill --domains 32 --boxes 4,8
    ./run bench beside --ranks 4 --then=--touch --now=--only-touched 29aaebd bench_halo --splits xyz --transports auto

Builds the commit as this tree is built, in build/beside, and starts the two programs in turns, the other one first each time. What
is compared is the median of the turns' ratios: cores move nearer and further meanwhile, on machines that are shared, and only what
was measured in one turn was measured alike. Records are matched by the labels that both programs give.
"""
import argparse
import os
import shlex
import statistics
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import driver, report  # noqa: E402

KEPT = ("CMAKE_BUILD_TYPE", "CMAKE_C_COMPILER", "CMAKE_CXX_COMPILER", "CMAKE_C_COMPILER_LAUNCHER", "CMAKE_CXX_COMPILER_LAUNCHER",
        "CMAKE_CXX_FLAGS", "MPI_C_COMPILER", "MPI_CXX_COMPILER", "MPI_Fortran_COMPILER")
FOUND = ("rounds", "runs", "samples", "steady", "one_core")  # differ from one start to the next
NO_TIMES = ("lower_us", "upper_us", "mean_us", "before_us", "after_us")


def options():
    parser = argparse.ArgumentParser(prog="./run bench beside", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=7, help="how often each is started (default 7)")
    parser.add_argument("--ranks", type=int, default=2, help="(default 2)")
    parser.add_argument("--then", default="", help="more arguments for the other commit's program only")
    parser.add_argument("--now", default="", help="more arguments for today's only")
    parser.add_argument("--limit", type=float, default=300, help="seconds that one start may take (default 300)")
    parser.add_argument("commit")
    parser.add_argument("program", help="such as bench_blocks")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="of the program")
    given = parser.parse_args()
    if given.turns < 1 or given.ranks < 1:
        parser.error("--turns and --ranks are 1 at least")
    return given


def told(*line, **how):
    try:
        done = subprocess.run(line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **how)
    except FileNotFoundError:
        raise driver.Failure(f"{line[0]} is not installed, which this runs: {shlex.join(line)}") from None
    if done.returncode:
        raise driver.Failure(f"{shlex.join(line)} failed:\n{done.stdout[-2000:]}")
    return done.stdout.strip()


def cache(tree):
    with open(os.path.join(tree, "CMakeCache.txt"), encoding="utf-8") as lines:
        pairs = (line.rstrip("\n").split("=", 1) for line in lines if "=" in line and not line.startswith(("#", "//")))
        return {name.split(":")[0]: value for name, value in pairs}


def build(tree, program):
    print(f"building {program} in {os.path.relpath(tree, driver.ROOT)} ...", flush=True)
    told("cmake", "--build", tree, "--target", program)


def tree_of(commit):
    """Where that commit is built, configured as today's."""
    name = told("git", "-C", driver.ROOT, "rev-parse", "--short=12", commit + "^{commit}")
    today = cache(os.environ["WHERRY_BUILD"])
    source = os.path.join(driver.ROOT, "build", "beside", name)
    tree = os.path.join(source, "build", os.path.basename(os.environ["WHERRY_BUILD"]))
    if not os.path.isdir(source):
        told("git", "clone", "-q", "--shared", "--no-checkout", driver.ROOT, source)
    told("git", "-C", source, "checkout", "-q", name)
    same = [f"-D{key}={today[key]}" for key in KEPT if today.get(key)]
    told("cmake", "-S", source, "-B", tree, "-G", today["CMAKE_GENERATOR"], "-DWHERRY_BUILD_TESTS=OFF",
         "-DWHERRY_BUILD_APPS=ON", "-DWHERRY_BUILD_BENCH=ON", *same)
    return tree


def labels(record, names):
    return tuple((name, record[name]) for name in sorted(names) if name in record)


def is_label(name, value):
    return isinstance(value, (str, int)) and name not in FOUND  # a bool is an int


def times(record):
    return {name: value for name, value in record.items() if isinstance(value, float) and name not in NO_TIMES
            and (name in ("us", "ms") or name.endswith(("_us", "_ms")))}


def compare(turns):
    """[(case, figure, then, now, ratio, spread of the ratios)] of [(records then, records now)]: medians."""
    kinds = {}
    for side in (0, 1):
        for turn in turns:
            for record in turn[side]:
                given = {name for name, value in record.items() if is_label(name, value)}
                known = kinds.setdefault(record.get("kind"), [None, None])
                known[side] = given if known[side] is None else known[side] & given
    common = {kind: names[0] & names[1] for kind, names in kinds.items() if None not in names}
    pairs = {}
    for then, now in turns:
        found = {}
        for record in then:
            found.setdefault(labels(record, common.get(record.get("kind"), ())), record)
        for record in now:
            case = labels(record, common.get(record.get("kind"), ()))
            before = times(found[case]) if case and case in found else {}
            for figure, value in times(record).items():
                if before.get(figure, 0) > 0 and value > 0:
                    pairs.setdefault((case, figure), []).append((before[figure], value))
    result = []
    for (case, figure), both in pairs.items():
        ratios = sorted(now / then for then, now in both)
        spread = (ratios[(3 * len(ratios)) // 4] - ratios[len(ratios) // 4]) / statistics.median(ratios) if len(ratios) > 3 else 0
        result.append((case, figure, statistics.median(then for then, _ in both), statistics.median(now for _, now in both),
                       statistics.median(ratios), spread))
    return result


def show(found):
    """Labels that all cases share are said once."""
    if not found:
        raise driver.Failure("the two programs have no case in common")
    shared = set.intersection(*(set(case) for case, *_ in found))
    print(", ".join(f"{name} {value}" for name, value in sorted(shared)))
    rows = [[", ".join(f"{name} {value}" for name, value in case if (name, value) not in shared) or "all", figure, report.us(then), report.us(now),
             f"{ratio:.2f}", f"spread {100 * spread:.0f} %" if spread > report.WIDE else ""]
            for case, figure, then, now, ratio, spread in found]
    report.table(["", "", "then", "now", "now / then", ""], rows)


def in_turns(given, then):
    """[(records then, records now)], which of the two is started first changes."""
    trees = (then, os.environ["WHERRY_BUILD"])
    more = (shlex.split(given.then), shlex.split(given.now))
    turns = []
    for number in range(given.turns):
        records = [None, None]
        for side in (0, 1) if number % 2 == 0 else (1, 0):
            os.environ["WHERRY_BUILD"] = trees[side]
            records[side] = driver.start(given.program, given.ranks, [*given.arguments, *more[side]], given.limit, quiet=True)
            if any(record.get("kind") == "wrong" for record in records[side]):
                raise driver.Failure(f"wrong results of {given.program} in {os.path.relpath(trees[side], driver.ROOT)}")
        os.environ["WHERRY_BUILD"] = trees[1]
        turns.append(records)
    return turns


def main():
    driver.through_run("beside")
    given = options()
    try:
        then = tree_of(given.commit)
        for tree in (then, os.environ["WHERRY_BUILD"]):
            build(tree, given.program)
        print(f"{given.program} {shlex.join(given.arguments)}, {given.ranks} ranks, {given.turns} turns; medians", flush=True)
        show(compare(in_turns(given, then)))
    except driver.Failure as failure:
        sys.exit(f"bench beside: {failure}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
