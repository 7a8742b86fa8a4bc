"""./run bench bindings: the C interface and the modules for Fortran beside C++.

1 and 2 ranks of one node start a halo exchange of a cube of doubles and wait for it, by C++'s halo_exchange, by wherry_exchange of the
C interface and by that of Fortran, of the same arrays, and add up a number in C and C++, in interleaved rounds of one run.
Fortran is compared with C++ for an array whose first dimension is contiguous. Without a Fortran compiler it is left out.
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import driver  # noqa: E402

EVER = 1.02           # of C++


def options():
    parser = driver.parser("bindings", __doc__, PARTS)
    parser.add_argument("--sizes", help="cells along each edge, separated by commas (default 8,64)")
    return driver.parse(parser, seconds=10, quick=2)


def exchanges(given, mpi, verdicts):
    records = []
    for ranks in (1, 2):
        words = ["--seconds", str(given.seconds)]
        if given.sizes:
            words += ["--sizes", given.sizes]
        records += driver.start("bench_bindings", ranks, words, limit=3600)
    print("targets, as ratios to C++")
    for r in records:
        verdicts.judge(f"{r['ranks']} ranks, {r['case']}, {r['ours']}: never above", r["ratio"], EVER, "" if r["steady"] else "not steady")
    return records


def lines():
    pass  # the examples show what a program writes


PARTS = {"exchanges": exchanges}

if __name__ == "__main__":
    picture = ("exchanges", "C and Fortran beside C++", ())
    sys.exit(driver.run("bindings", options, PARTS, lines, picture))
