"""./run bench lattice_boltzmann: the exchanges of apps/lattice_boltzmann beside each other, and strong scaling.

D3Q19, Taylor-Green vortex, the reduced halo. Exchanges: 2 ranks, slowest and contiguous axis cut, both layouts. Scaling:
Ludwig's figure 2, the whole step and its halo exchange over the ranks. All exchanges are compared bit for bit, then
timed in interleaved rounds of one run.
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import driver, plot, report  # noqa: E402

HALO = 0.5         # of packed's halo, slowest axis cut
STEP = 1.0         # of packed's step
CHOICE = 1.05      # of the better one of reading all in place and staging all: what the rule chooses must not lose
OURS, WAYS, LIMIT = ("layouts", "wherry"), ("in_place", "staged"), "limit"
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


def ratio(r, name):
    return f"{r[name + '_ratio']:.2f} ±{100 * r[name + '_spread']:.0f} %"


def row(r):
    step = r["ours_us"] / r["steps"]
    return ["  " + r["ours"], report.us(step), report.us(r["pack_us"]), report.us(r["wait_us"]), report.us(r["unpack_us"]),
            f"{100 * r['ours_waiting']:.1f} %", ratio(r, "halo"), f"{100 * r['own_halo_us'] / step:.1f} %", ratio(r, "own_halo"),
            f"{r['ratio']:.2f} ±{100 * r['spread']:.0f} %", str(r["lines"])]


def void(r, steady):
    return "the cores moved" if r["moved"] else "" if r[steady] else "not steady"


def judge_slowest(r, limit, where, verdicts):
    bound = f" (packing and unpacking alone {limit['own_halo_ratio']:.2f})"
    verdicts.judge(where + "halo / packed, who comes last" + bound, r["own_halo_ratio"], HALO, void(r, "own_halo_steady"))
    verdicts.judge(where + "halo / packed, mean of the ranks", r["halo_ratio"], HALO, void(r, "halo_steady"))


def judge_choice(r, ways, where, verdicts):
    """In place or by staging: beside both in the same rounds."""
    said = ", ".join(f"{one['ours']} {one['own_halo_ratio']:.2f}" for one in ways)
    best = min(ways, key=lambda one: one["own_halo_us"])
    verdicts.judge(where + f"halo / the better way ({said} of packed)", r["own_halo_us"] / best["own_halo_us"], CHOICE,
                   void(r, "own_halo_steady") or void(best, "own_halo_steady"))


def exchanges(given, mpi, verdicts):
    records, rows, judged = [], [], []
    for size in given.sizes:
        for layout in ("soa", "aos"):
            for grid, split in SPLITS.items():
                found = compared(given, 2, size, ["--layout", layout, "--grid", grid])
                records += found
                rows.append(f"{size}³, {layout}, {split}")
                rows += [row(r) for r in found]
                ways = [r for r in found if r["ours"] in WAYS]
                limit = next(r for r in found if r["ours"] == LIMIT)
                judged += [(r, ways, limit, size, layout, split) for r in found if r["ours"] in OURS]
    report.table(["", "step, µs", "pack", "wait", "unpack", "halo", "/ packed's", "who is last", "/ packed's", "step / packed", "lines"], rows)
    print("  halo: its share of the step, mean of the ranks, who mostly wait for each other; who is last: the share of the rank that comes last to\n"
          "  each exchange and waits for nobody; ±: the spread of the ratio. in_place, staged: layouts whose rows all go this way; "
          "limit: packing and\n  unpacking alone, nothing travels")
    for r, ways, limit, size, layout, split in judged:
        where = f"{size}³, {layout}, {split}, {r['ours']}: "
        verdicts.judge(where + "step / packed", r["ratio"], STEP, void(r, "steady"))
        if split == SPLITS["1,1,2"]:
            judge_slowest(r, limit, where, verdicts)
        if r["ours"] == "layouts":
            judge_choice(r, ways, where, verdicts)
    return records


def scaling(given, mpi, verdicts):
    records = []
    for ranks in given.rank_counts:
        found = [r for r in compared(given, ranks, given.sizes[-1], []) if r["ours"] not in (*WAYS, LIMIT)]
        report.table(["", "step, µs", "collide", "pack", "wait", "unpack"],
                     [[r["ours"], *(report.us(us) for us in (r["ours_us"] / r["steps"], r["collide_us"], r["pack_us"],
                                                             r["wait_us"], r["unpack_us"]))] for r in found])
        records += found
    return records


def lines():
    pass  # the table of exchanges has them


def draw(records, path):
    drawn = [{"exchange": r["ours"], "ranks": r["ranks"], "step_us": r["ours_us"] / r["steps"], "halo_us": r["pack_us"] + r["wait_us"] + r["unpack_us"],
              "last_us": r["ranks"] > 1 and r["own_halo_us"], **{name: r[name] for name in ("pack_us", "wait_us", "unpack_us")}} for r in records]
    for r in drawn:
        if r["ranks"] == 1:
            r["halo_us"] = 0  # there is none
    plot.steps(drawn, path, f"{TITLE}, {records[0]['case'].split(' on ')[0]}, {records[0]['mpi'].split(',')[0]}", "; dashed: who comes last to it")


PARTS = {"exchanges": exchanges, "scaling": scaling}

if __name__ == "__main__":
    sys.exit(driver.run("lattice_boltzmann", options, PARTS, lines, ("scaling", draw, ())))
