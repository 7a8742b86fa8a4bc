"""./run bench particles: moves of particles, and ghosts, beside the same by hand with MPI.

2 and 4 ranks of one node. Of 10^6 particles on each rank, 1 % move to the next rank: Wherry with a pass over the positions and with marks,
the bare pass and copies without messages, and packed messages by hand. Then the positions of 10^5 ghosts, and their forces back. All ways
are timed in interleaved rounds of one run.
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import driver  # noqa: E402

BARE = 1.2   # of a pass and copies without messages
HAND = 1.0
GHOSTS = 0.9


def options():
    parser = driver.parser("particles", __doc__, PARTS)
    parser.add_argument("--particles", type=int, default=1000000, help="particles of each rank (default 1,000,000)")
    parser.add_argument("--ghosts", type=int, default=100000, help="ghosts of each rank (default 100,000)")
    return driver.parse(parser, seconds=4, quick=0.4)


def moves(given, mpi, verdicts):
    records = []
    for ranks in (2, 4):
        words = ["--seconds", str(given.seconds), "--particles", str(given.particles), "--ghosts", str(given.ghosts)]
        records += driver.start("bench_particles", ranks, words, limit=3600)
    print("targets, as ratios to the peer")
    for r in records:
        if r["ours"] != "wherry":
            continue
        target = GHOSTS if "ghosts" in r["case"] else BARE if r["peer"].startswith("bare") else HAND
        verdicts.judge(f"{r['ranks']} ranks, {r['case']}: {r['peer']}", r["ratio"], target, "" if r["steady"] else "not steady")
    return records


def lines():
    pass  # a call is a line in either


PARTS = {"moves": moves}

if __name__ == "__main__":
    picture = ("moves", "Particles", ())
    sys.exit(driver.run("particles", options, PARTS, lines, picture))
