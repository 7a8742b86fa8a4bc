"""./run bench halo_simulated: halo exchanges on a simulated network.

SimGrid's SMPI runs Wherry's own halo exchange (one double, one layer) on hosts of many ranks. Orders: the six faces by packed messages,
ranks in rows beside ranks in bricks of a node, on hosts of 64. Transports: all 26 neighbours, ways to carry them, on full hosts of 24,
where whoever sends or receives a message is busy with it for 0.5 us. The network (tools/run/simgrid.py, "crossbar"): SimGrid's model
CM02, in which flows share links fairly; a link from each host to a crossbar, each way, of 0.5 us and 8.2 GB/s, a loopback of 0.25 us and
8.2 GB/s; a look at a request takes 1/16 us; copies take no time. Beside it what `./run plan halo` counts: messages that leave a node.
The times are the model's: they depend on no machine, and come out the same each time.
"""
import argparse
import os
import re
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import driver, report  # noqa: E402
from run import simgrid  # noqa: E402


def options():
    parser = argparse.ArgumentParser(prog="./run bench halo_simulated", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=("orders", "transports"), help="one of the two (default: both)")
    parser.add_argument("--ranks", help="how many, such as 256,512 (default 512 for orders, 48,96 for transports)")
    parser.add_argument("--node", type=int, help="ranks of a host (default 64, 24)")
    parser.add_argument("--cells", help="a side of each rank (default 8,32,64; 2,8)")
    return parser.parse_args()


def simulate(part, network, ranks, node, cells):
    """A row for each measurement: [name, brick, microseconds]."""
    program = os.path.join(os.environ["WHERRY_BUILD"], "bench_halo_simulated")
    environment = dict(os.environ, WHERRY_SIMULATED_NETWORK=network, WHERRY_SIMULATED_NODE=str(node))
    began = time.monotonic()
    done = subprocess.run([os.environ["WHERRY_MPIEXEC"], "-n", str(ranks), program, part, *cells], env=environment,
                          stdout=subprocess.PIPE, text=True, check=True)
    print(f"  {ranks} ranks took {time.monotonic() - began:.0f} s", flush=True)
    found = [re.fullmatch(r"(\w+) (\d+ \d+ \d+) ([\d.]+)", line) for line in done.stdout.splitlines()]
    return [[one[1], one[2].replace(" ", " x "), float(one[3]) / simgrid.TICKS] for one in found if one]


def orders(given):
    rows, sizes = [], (given.cells or "8,32,64").split(",")
    for ranks in map(int, (given.ranks or "512").split(",")):
        found = simulate("orders", "crossbar", ranks, given.node or 64, sizes)
        for cells, ours, bricks in zip(sizes, found[0::2], found[1::2]):
            rows.append([str(ranks), cells, f"{ours[2]:.1f}", bricks[1], f"{bricks[2]:.1f}", f"{bricks[2] / ours[2]:.2f}"])
    report.table(["ranks", "cells a side", "in rows, us", "brick", "in bricks, us", "bricks / rows"], rows)


def transports(given):
    rows, sizes = [], (given.cells or "2,8").split(",")
    for ranks in map(int, (given.ranks or "48,96").split(",")):
        found = simulate("transports", "crossbar_of_messages", ranks, given.node or 24, sizes)
        each = len(found) // len(sizes)
        for i, cells in enumerate(sizes):
            first = found[i * each]
            for name, brick, us in found[i * each:(i + 1) * each]:
                rows.append([str(ranks), cells, brick, name, f"{us:.1f}", f"{us / first[2]:.2f}"])
    report.table(["ranks", "cells a side", "brick", "transport", "us", "/ two_sided"], rows)


def main():
    driver.through_run("halo_simulated")
    given = options()
    for part in (orders, transports):
        if given.only in (None, part.__name__):
            part(given)
    return 0


if __name__ == "__main__":
    sys.exit(main())
