"""./run bench lattice_boltzmann_simulated: Ludwig's figure 2 on a simulated cluster, 24 ranks a node.

SimGrid's SMPI runs apps/lattice_boltzmann with all its halo exchanges: 192^3 cells of D3Q19, the paper's lattice, on full nodes. The
populations of all exchanges and all numbers of ranks are compared bit for bit. The times are the model's; they depend on no
machine, and come out the same each time.

The network (tools/run/simgrid.py, "coarse_crossbar"): SimGrid's model CM02, in which flows share links fairly; a link from each node to a
crossbar, each way, of 0.5 us and 8.2 GB/s, for MPI's messages inside a node a loopback of 0.25 us and 8.2 GB/s a message; a look
at a request or a flag takes 1/4 us. Computing takes --cell-ns a cell (128: the 456 bytes that a cell moves, at a 24th of the memory
bandwidth of the paper's nodes, 85 GB/s). Copying takes as long as a message through the loopback, 8.2 GB/s (--copy-gbs), whoever does
it: packing by hand, MPI packing a datatype, Wherry packing, unpacking or reading in place, and the segments' stores into a
neighbour's. The model does not know that short rows and lines that another core has written are copied slower.
"""
import argparse
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import driver, plot, report  # noqa: E402
from run import simgrid  # noqa: E402

PHASES = ("collide", "pack", "wait", "unpack")


def options():
    parser = argparse.ArgumentParser(prog="./run bench lattice_boltzmann_simulated", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ranks", default="24,48,96", help="how many (default 24,48,96: five minutes of an idle core; 192 take longer than these together)")
    parser.add_argument("--node", type=int, default=24, help="ranks of a node (default 24)")
    parser.add_argument("--cells", type=int, default=192, help="cells along each axis (default 192)")
    parser.add_argument("--steps", type=int, default=2, help="that are timed, after two others (default 2)")
    parser.add_argument("--layout", default="soa", choices=("soa", "aos"), help="of the populations in memory")
    parser.add_argument("--cell-ns", type=float, default=128, help="what a cell takes, ns (default 128)")
    parser.add_argument("--copy-gbs", type=float, default=8.192, help="what a rank copies, GB/s (default 8.192)")
    parser.add_argument("--plot", metavar="FILE", help="where the plot goes")
    parser.add_argument("--json", metavar="FILE", help="write what was simulated")
    given = parser.parse_args()
    given.ranks = [int(ranks) for ranks in given.ranks.split(",")]
    if given.steps < 1 or given.cell_ns <= 0 or given.copy_gbs <= 0 or given.node < 1:
        parser.error("--steps, --cell-ns, --copy-gbs and --node are positive")
    return given


def simulate(given, ranks):
    """A record for each exchange."""
    program = os.path.join(os.environ["WHERRY_BUILD"], "bench_lattice_boltzmann_simulated")
    words = [given.cells, given.steps, given.cell_ns, given.copy_gbs, simgrid.COARSE_TICKS, given.layout]
    line = [os.environ["WHERRY_MPIEXEC"], "-n", str(ranks), program, *map(str, words)]
    environment = dict(os.environ, WHERRY_SIMULATED_NETWORK="coarse_crossbar", WHERRY_SIMULATED_NODE=str(given.node))
    done = subprocess.run(line, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    found = []
    for row in map(str.split, done.stdout.splitlines()):
        if len(row) != 7:
            continue
        us = dict(zip(("step", *PHASES), map(float, row[1:6])))
        found.append({"bench": "lattice_boltzmann_simulated", "exchange": row[0], "ranks": ranks, "nodes": -(-ranks // given.node),
                      "cells": given.cells, "layout": given.layout, "cell_ns": given.cell_ns, "copy_gbs": given.copy_gbs,
                      **{name + "_us": value for name, value in us.items()},
                      "halo_us": us["pack"] + us["wait"] + us["unpack"], "populations": row[6]})
    return found


def table(records):
    rows = []
    for ranks in dict.fromkeys(r["ranks"] for r in records):
        mine = [r for r in records if r["ranks"] == ranks]
        packed = next(r for r in mine if r["exchange"] == "packed")
        rows.append(f"{ranks} ranks, {mine[0]['nodes']} node{'s' if mine[0]['nodes'] > 1 else ''}")
        rows += [["  " + r["exchange"], report.us(r["step_us"]), report.us(r["collide_us"]), report.us(r["pack_us"]),
                  report.us(r["wait_us"]), report.us(r["unpack_us"]), f"{100 * r['halo_us'] / r['step_us']:.1f} %",
                  f"{r['halo_us'] / packed['halo_us']:.2f}", f"{r['step_us'] / packed['step_us']:.3f}"] for r in mine]
    report.table(["", "step, us", "collide", "pack", "wait", "unpack", "halo", "/ packed's", "step / packed's"], rows)


def main():
    driver.through_run("lattice_boltzmann_simulated")
    given = options()
    records = []
    for ranks in given.ranks:
        found = simulate(given, ranks)
        if not found:
            sys.exit("bench lattice_boltzmann_simulated: the simulator gave nothing")
        table(found)
        sys.stdout.flush()
        records += found
    same = len({r["populations"] for r in records}) == 1
    print("  all exchanges on all numbers of ranks agree bit for bit" if same else "  THE POPULATIONS DIFFER")
    path = given.plot or os.path.join(driver.ROOT, "build", "bench", "lattice_boltzmann_simulated.png")
    plot.steps(records, path, f"Simulated: D3Q19, {given.cells}³ cells, {given.layout}, {given.node} ranks a node, SimGrid's CM02: "
                         f"{given.cell_ns:g} ns a cell, copies {given.copy_gbs:.1f} GB/s, links 8.2 GB/s")
    if given.json:
        report.write_json(given.json, records)
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
