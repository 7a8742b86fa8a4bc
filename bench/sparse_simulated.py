"""./run bench sparse_simulated: sparse exchanges on a simulated network.

SimGrid's SMPI runs Wherry's own algorithms on hosts of 16 ranks, beside the same by hand: MPI_Alltoall of the counts, then messages.
Each rank sends equally many bytes to 4, 26 or all ranks. The network (tools/run/simgrid.py, "crossbar_of_messages"): SimGrid's model
CM02, in which flows share links fairly; a link from each host to a crossbar, each way, of 0.5 us and 8.2 GB/s, a loopback of 0.25 us and
8.2 GB/s; a rank that sends or receives a message is busy with it for 0.5 us; a look at a request or a flag takes 1/16 us; copies take
no time. The times are the model's: they depend on no machine, and come out the same each time.
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
    parser = argparse.ArgumentParser(prog="./run bench sparse_simulated", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ranks", default="64,256", help="how many (default 64,256)")
    parser.add_argument("--partners", default="4,26,0", help="receivers of each rank, 0 for all (default 4,26,0)")
    parser.add_argument("--bytes", default="8,512,65536", help="for each of them (default 8,512,65536)")
    parser.add_argument("--node", type=int, default=16, help="ranks of a host (default 16)")
    return parser.parse_args()


def simulate(given, ranks):
    """{(partners, bytes): {way: microseconds}}"""
    program = os.path.join(os.environ["WHERRY_BUILD"], "bench_sparse_simulated")
    cases = [word for p in given.partners.split(",") for b in given.bytes.split(",") for word in (p, b)]
    environment = dict(os.environ, WHERRY_SIMULATED_NETWORK="crossbar_of_messages", WHERRY_SIMULATED_NODE=str(given.node))
    began = time.monotonic()
    done = subprocess.run([os.environ["WHERRY_MPIEXEC"], "-n", str(ranks), program, *cases], env=environment,
                          stdout=subprocess.PIPE, text=True, check=True)
    print(f"  {ranks} ranks took {time.monotonic() - began:.0f} s", flush=True)
    found = {}
    for row in map(str.split, done.stdout.splitlines()):
        if len(row) == 4:
            found.setdefault((row[0], row[1]), {})[row[2]] = float(row[3]) / simgrid.TICKS
    return found


def main():
    driver.through_run("sparse_simulated")
    given = options()
    for ranks in map(int, given.ranks.split(",")):
        found = simulate(given, ranks)
        ways = list(next(iter(found.values())))
        rows = [[partners if partners != "0" else "all", size] + [f"{times[way]:.1f}" for way in ways] +
                [f"{times['auto'] / times['by_hand']:.2f}"] for (partners, size), times in found.items()]
        report.table(["partners", "bytes"] + [f"{way}, us" for way in ways] + ["auto / by hand"], rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
