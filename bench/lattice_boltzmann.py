"""./run bench lattice_boltzmann: the exchanges of apps/lattice_boltzmann beside each other, and strong scaling.

D3Q19, Taylor-Green vortex, the reduced halo. Exchanges: 2 ranks, slowest and contiguous axis cut, both layouts. Scaling:
paper 5's figure 2, the whole step and its halo exchange over the ranks. All exchanges are compared bit for bit, then
timed in interleaved rounds of one run.
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import driver, plot, report  # noqa: E402

HALO = 0.5         # of packed's halo, for what reads in place, slowest axis cut
STEP = 1.0         # of packed's step
TITLE = "Lattice Boltzmann, strong scaling"
SPLITS = {"1,1,2": "slowest axis cut", "2,1,1": "contiguous axis cut"}


def options():
    parser = driver.parser("lattice_boltzmann", __doc__, PARTS)
    parser.add_argument("--cells", help="cells along each axis (default 64,128; --quick 64)")
    parser.add_argument("--ranks", help="of scaling (default: 1, 2, 4 ... to twice the cores)")
    given = driver.parse(parser, seconds=10, quick=3)
    given.sizes = (given.cells or ("64" if given.quick else "64,128")).split(",")
    cores = len(os.sched_getaffinity(0))
    powers = [2**k for k in range(20) if 2**k <= 2 * cores]
    given.rank_counts = [int(word) for word in given.ranks.split(",")] if given.ranks else powers
    return given


def compared(given, ranks, size, more):
    words = ["--cells", ",".join([size] * 3), "--compare", "--seconds", str(given.seconds), *more]
    return [r for r in driver.application("lattice_boltzmann", ranks, words) if "ratio" in r]


def exchanges(given, mpi, verdicts):
    records, rows, judged = [], [], []
    for size in given.sizes:
        for layout in ("soa", "aos"):
            for grid, split in SPLITS.items():
                found = compared(given, 2, size, ["--layout", layout, "--grid", grid])
                records += found
                rows.append(f"{size}³, {layout}, {split}")
                rows += [["  " + r["ours"], report.us(r["ours_us"] / r["steps"]), report.us(r["pack_us"]),
                          report.us(r["wait_us"]), report.us(r["unpack_us"]), f"{100 * r['ours_waiting']:.1f} %",
                          f"{r['halo_ratio']:.2f}", f"{r['ratio']:.2f}", str(r["lines"])] for r in found]
                judged += [(r, f"{size}³, {layout}, {split}: ", grid == "1,1,2") for r in found if r["ours"] == "layouts"]
    report.table(["", "step, µs", "pack", "wait", "unpack", "halo", "/ packed's", "step / packed", "lines"], rows)
    for r, where, slowest in judged:
        if slowest:
            verdicts.judge(where + "halo of layouts / packed", r["halo_ratio"], HALO, "" if r["halo_steady"] else "not steady")
        verdicts.judge(where + "step of layouts / packed", r["ratio"], STEP, "" if r["steady"] else "not steady")
    return records


def scaling(given, mpi, verdicts):
    records = []
    for ranks in given.rank_counts:
        found = compared(given, ranks, given.sizes[-1], [])
        report.table(["", "step, µs", "collide", "pack", "wait", "unpack"],
                     [[r["ours"], *(report.us(us) for us in (r["ours_us"] / r["steps"], r["collide_us"], r["pack_us"],
                                                             r["wait_us"], r["unpack_us"]))] for r in found])
        records += found
    return records


def lines():
    pass  # the table of exchanges has them


def draw(records, path):
    plot.scaling(records, path, f"{TITLE}, {records[0]['case'].split(' on ')[0]}, {records[0]['mpi']}")


PARTS = {"exchanges": exchanges, "scaling": scaling}

if __name__ == "__main__":
    sys.exit(driver.run("lattice_boltzmann", options, PARTS, lines, ("scaling", draw, ())))
