"""./run bench halo_simulated: ranks in rows against ranks in bricks of a node, on a simulated network.

SimGrid's SMPI runs Wherry's own halo exchange (one double, one layer, the six faces, messages that are packed) on hosts of 64
ranks. The network (tools/run/simgrid.py, "crossbar"): SimGrid's model CM02, in which flows share links fairly; a link from each
host to a crossbar, each way, of 0.5 us and 8.2 GB/s, a loopback of 0.25 us and 8.2 GB/s; a look at a request takes 1/16 us;
copies take no time. Beside it what `./run plan halo` counts: messages that leave a node. The times are the model's: they depend on
no machine, and come out the same each time.
"""
import argparse
import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import driver, report  # noqa: E402
from run import simgrid  # noqa: E402


def options():
    parser = argparse.ArgumentParser(prog="./run bench halo_simulated", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ranks", default="512", help="how many, such as 256,512 (default 512)")
    parser.add_argument("--node", type=int, default=64, help="ranks of a host (default 64)")
    parser.add_argument("--cells", default="8,32,64", help="a side of each rank (default 8,32,64)")
    return parser.parse_args()


def simulate(ranks, node, cells):
    """A row for each size and order: [name, brick, microseconds]."""
    program = os.path.join(os.environ["WHERRY_BUILD"], "bench_halo_simulated")
    environment = dict(os.environ, WHERRY_SIMULATED_NETWORK="crossbar", WHERRY_SIMULATED_NODE=str(node))
    done = subprocess.run([os.environ["WHERRY_MPIEXEC"], "-n", str(ranks), program, *cells], env=environment,
                          stdout=subprocess.PIPE, text=True, check=True)
    found = [line.split() for line in done.stdout.splitlines() if line.startswith(("rows", "bricks"))]
    return [[name, " x ".join(brick), float(taken) / simgrid.TICKS] for name, *brick, taken in found]


def main():
    driver.through_run("halo_simulated")
    given = options()
    rows = []
    for ranks in map(int, given.ranks.split(",")):
        began = time.monotonic()
        found = simulate(ranks, given.node, given.cells.split(","))
        for cells, ours, bricks in zip(given.cells.split(","), found[0::2], found[1::2]):
            rows.append([str(ranks), cells, f"{ours[2]:.1f}", bricks[1], f"{bricks[2]:.1f}", f"{bricks[2] / ours[2]:.2f}"])
        print(f"  {ranks} ranks took {time.monotonic() - began:.0f} s", flush=True)
    report.table(["ranks", "cells a side", "in rows, us", "brick", "in bricks, us", "bricks / rows"], rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
