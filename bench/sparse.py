"""./run bench sparse: sparse exchanges beside the same by hand with MPI.

2 and 4 ranks of one node. Each rank has some doubles, each with its destination: a neighbour, or any rank. Wherry's `send_to`, an
MPI_Alltoall of the counts followed by messages, the same followed by MPI_Alltoallv, synchronous sends with a non-blocking barrier, and
counters of messages in the receivers' windows all sort the elements first, and return those that have come ordered by source. All ways are
timed in interleaved rounds of one run, between which the elements are written anew.
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import driver  # noqa: E402

EVER = 1.05           # of the best peer
SHARED = 0.7          # where the ranks share memory
OURS = "wherry auto"


def options():
    parser = driver.parser("sparse", __doc__, PARTS)
    parser.add_argument("--sizes", help="doubles of each rank, separated by commas (default 1 to 1,000,000)")
    parser.add_argument("--algorithms", default="auto", help="ours, separated by commas (default auto)")
    return driver.parse(parser, seconds=2, quick=0.4)


def exchanges(given, mpi, verdicts):
    records = []
    for ranks in (2, 4):
        words = ["--seconds", str(given.seconds), "--algorithms", given.algorithms]
        if given.sizes:
            words += ["--sizes", given.sizes]
        records += driver.start("bench_sparse", ranks, words, limit=3600)
    cases = {}
    for r in records:
        if r["ours"] == OURS:
            cases.setdefault((r["ranks"], r["case"]), []).append((r["ratio"], r["steady"]))
    print("targets, as ratios to the best peer")
    for (ranks, case), peers in cases.items():
        ratio, steady = max(peers)  # the best peer has the largest ratio
        verdicts.judge(f"{ranks} ranks, {case}: never above", ratio, EVER, "" if steady else "not steady")
        verdicts.judge(f"{ranks} ranks, {case}: in shared memory", ratio, SHARED, "" if steady else "not steady")
    return records


def lines():
    pass  # a call is a line in either


PARTS = {"exchanges": exchanges}

if __name__ == "__main__":
    picture = ("exchanges", "Sparse exchanges", ())
    sys.exit(driver.run("sparse", options, PARTS, lines, picture))
