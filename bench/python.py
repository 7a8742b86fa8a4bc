"""./run bench python: halo exchange from Python, beside C++ and beside what is written by hand with mpi4py.

1 and 2 ranks of one node fill the halos of periodic cubes of doubles, in interleaved rounds of one run: Wherry from Python and from C++,
calls that repeat an exchange and calls that name a field; numpy slices and mpi4py's messages, by dimension and for all 26 neighbours;
and mpi4py's subarray datatypes. Each has first filled the halos right.
"""
import os
import statistics
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import driver, report  # noqa: E402

OURS, OURS_IN_TURNS, CPP, CPP_IN_TURNS = "Python fill()", "Python fill(u)", "C++ fill()", "C++ fill(u)"
BY_HAND = ("numpy slices, by dimension", "numpy slices, 26 neighbours")
DATATYPES = "mpi4py, subarray datatypes"
COLUMNS = (CPP, OURS, CPP_IN_TURNS, OURS_IN_TURNS, *BY_HAND, DATATYPES)
PAIRS = ((OURS, CPP), (OURS_IN_TURNS, CPP_IN_TURNS), *((OURS, peer) for peer in (*BY_HAND, DATATYPES)))


def options():
    parser = driver.parser("python", __doc__, PARTS)
    parser.add_argument("--sizes", default="8,64,128", help="cells along each edge of a rank's cube (default 8,64,128)")
    parser.add_argument("--widths", default="1,3", help="halo widths (default 1,3)")
    parser.add_argument("--fields", default="1,3", help="fields exchanged together: 1 or 3 (default 1,3)")
    return driver.parse(parser, seconds=10, quick=1)


def run(given, ranks, sizes, widths, fields):
    """The cases, each with the samples of all contenders."""
    words = ["--sizes", sizes, "--widths", widths, "--fields", fields, "--seconds", str(given.seconds)]
    return driver.start_python("python/exchanges.py", ranks, words, limit=7200)


def timings(case):
    """{contender: a timing as harness/report.py has them}."""
    found = {}
    for name, samples in case["samples"].items():
        lower, middle, upper = statistics.quantiles(samples, n=4)
        found[name] = {"method": name, "us": middle, "spread": (upper - lower) / middle, "samples": samples}
    return found


def leasts(case):
    """As timings, of each contender's quickest round alone."""
    return {name: {"method": name, "us": min(samples), "spread": 0, "samples": [min(samples)]} for name, samples in case["samples"].items()}


def name_of(case):
    return f"{case['n']}³, width {case['width']}, {case['fields']} field{'s' if case['fields'] > 1 else ''}"


def show(cases):
    """Times of all contenders, and ratios. The medians count; on a busy machine the quickest rounds are those that were not disturbed."""
    head = ("", "to C++ fill()", "fill(u) to C++", *("to " + peer for peer in (*BY_HAND, DATATYPES)))
    for which, timed in (("median of the rounds", timings), ("the quickest round", leasts)):
        found = [(name_of(case) + f", {case['ranks']} rank" + "s" * (case["ranks"] > 1), timed(case)) for case in cases]
        print(f"\nmicroseconds a call, {which}")
        report.table(["", *COLUMNS], [[name, *(figure(of[column]["us"]) for column in COLUMNS)] for name, of in found])
        print(f"\nratios of Python fill(), {which}; below 1: Wherry from Python is faster")
        report.table(list(head), [[name, *(f"{report.ratio(of[ours], of[peer]):.2f}" for ours, peer in PAIRS)] for name, of in found])


def figure(us):
    return f"{us:.2f}" if us < 10 else f"{us:.1f}" if us < 100 else f"{us:.0f}"


def records_of(cases, mpi):
    return [report.comparison("python", name_of(case), case["ranks"], mpi["name"], of[ours], of[peer], report.spread_of(of[ours], of[peer]) < report.WIDE)
            for case in cases for of in [timings(case)] for ours, peer in PAIRS]


def exchanges(given, mpi, verdicts):
    cases = run(given, 2, given.sizes, given.widths, given.fields)
    show(cases)
    for case in cases:
        of = timings(case)
        peers = [of[name] for name in (*BY_HAND, DATATYPES)]
        best = min(peers, key=lambda timing: timing["us"])
        verdicts.judge(f"{name_of(case)}: Python fill() to the best by hand ({best['method']})", report.ratio(of[OURS], best), 1,
                       report.void(None, of[OURS], best))
    return records_of(cases, mpi)


def calls(given, mpi, verdicts):
    """What Python adds to a call: one rank, where an exchange is shortest."""
    cases = run(given, 1, given.sizes.split(",")[0], given.widths.split(",")[0], "1")
    show(cases)
    for case in cases:
        of = timings(case)
        for ours, peer in ((OURS, CPP), (OURS_IN_TURNS, CPP_IN_TURNS)):
            adds = statistics.median(mine - other for mine, other in zip(of[ours]["samples"], of[peer]["samples"]))
            least = min(of[ours]["samples"]) - min(of[peer]["samples"])
            print(f"  {name_of(case)}, 1 rank: {ours} takes {adds:.2f} µs more than {peer}; the quickest rounds differ by {least:.2f} µs")
    return records_of(cases, mpi)


def lines():
    print("a user's lines: docs/python.md, and bench/python/by_hand.py")


PARTS = {"exchanges": exchanges, "calls": calls}

if __name__ == "__main__":
    picture = ("exchanges", "Halo exchange from Python", (CPP,))
    sys.exit(driver.run("python", options, PARTS, lines, picture))
