"""./run bench collective_simulated: flat collectives against hierarchical ones on a simulated network.

SimGrid's SMPI runs Wherry's own code on hosts of 16 ranks. The network (tools/run/simgrid.py, "crossbar"): SimGrid's model CM02,
in which flows share links fairly; a link from each host to a crossbar, each way, of 0.5 us and 8.2 GB/s, a loopback of 0.25 us
and 8.2 GB/s; a look at a request or a flag takes 1/16 us; copies and reductions take no time. SMPI's own collectives choose their
algorithms as Open MPI does; they wait without looking. The times are the model's: they depend on no machine, and come out the same
each time.
"""
import argparse
import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import driver, plot, report  # noqa: E402
from run import simgrid  # noqa: E402

SIZES = {"barrier": "8", "bcast": "8,512,4096,32768", "allreduce": "8,512,4096,32768", "allgather": "8,512,4096", "alltoall": "8,512,4096",
         "gather": "8,512,4096", "scatter": "8,512,4096"}
# What a simulation takes grows with the looks, those of a rank times the ranks; so among many these only, and no algorithm of
# as many rounds as there are ranks (bench/collective/simulated.cpp).
FEW, SIZES_AMONG_MANY = 64, {"barrier": "8", "bcast": "8,4096", "allreduce": "8,4096", "allgather": "8", "alltoall": "8",
                          "gather": "8", "scatter": "8"}


def options():
    parser = argparse.ArgumentParser(prog="./run bench collective_simulated", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ranks", default="64", help="how many, such as 64,128,256 (default 64); what they take is in docs/collective_simulated.md")
    parser.add_argument("--collectives", default=",".join(SIZES), help="which")
    parser.add_argument("--plot", metavar="FILE", help="where the plot goes")
    given = parser.parse_args()
    unknown = set(given.collectives.split(",")) - set(SIZES)
    if unknown:
        parser.error(f"there is no {', '.join(sorted(unknown))}")
    given.ranks = [int(ranks) for ranks in given.ranks.split(",")]
    return given


def simulate(ranks, collectives):
    """{(collective, bytes): {implementation: microseconds}}. In one run, since most of it is making the communicator."""
    program = os.path.join(os.environ["WHERRY_BUILD"], "bench_collective_simulated")
    sizes = SIZES if ranks <= FEW else SIZES_AMONG_MANY
    words = [word for collective in collectives for size in sizes[collective].split(",") for word in (collective, size)]
    line = [os.environ["WHERRY_MPIEXEC"], "-n", str(ranks), program, *words]
    environment = dict(os.environ, WHERRY_SIMULATED_NETWORK="crossbar")
    done = subprocess.run(line, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    found = {}
    for row in map(str.split, done.stdout.splitlines()):
        if len(row) == 4 and row[0] in SIZES:
            found.setdefault((row[0], int(row[1])), {})[row[2]] = float(row[3]) / simgrid.TICKS
    return found


def best_flat(times):
    return min((name for name in times if name not in ("mpi", "hierarchical")), key=times.get)


def main():
    driver.through_run("collective_simulated")
    given = options()
    rows, drawn = [], {}
    for ranks in given.ranks:
        began = time.monotonic()
        for (name, size), times in simulate(ranks, given.collectives.split(",")).items():
            flat = best_flat(times)
            ratio = times["hierarchical"] / times[flat]
            rows.append([f"{name}, {size}", str(ranks), f"{times['mpi']:.1f}", flat, f"{times[flat]:.1f}",
                         f"{times['hierarchical']:.1f}", f"{ratio:.2f}"])
            drawn.setdefault((name, size), []).append((ranks, times["mpi"], times[flat], times["hierarchical"]))
        print(f"  {ranks} ranks took {time.monotonic() - began:.0f} s", flush=True)
    report.table(["collective, bytes", "ranks", "SMPI's own, us", "best flat", "us", "hierarchical, us", "/ flat"], rows)
    if max(given.ranks) > FEW:
        print(f"  among more than {FEW} ranks: fewer sizes, and no flat algorithm of as many rounds as ranks (ring, pairwise)")
    path = given.plot or os.path.join(driver.ROOT, "build", "bench", "collective_simulated.png")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    plot.flat_and_hierarchical(drawn, path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
