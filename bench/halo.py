"""./run bench halo: Wherry's halo exchange beside five hand-written ones and the limits of the machine.

3 double fields, halo 3, all 26 neighbours, periodic, the same number of cells on every rank, dense arrays whose first
axis is contiguous. All methods are checked cell by cell, then timed in interleaved rounds of one run.
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import driver, report, strace  # noqa: E402

SPLITS = {"x": "contiguous axis split", "z": "slowest axis split", "xyz": "all axes split"}
# auto against the best hand-written exchange at 2 ranks, by the split and the cells along an axis.
BEST_HAND = {"x": {32: 0.95, 64: 0.80, 128: 0.70, 250: 0.80}, "z": {64: 0.70, 128: 0.70, 250: 0.70}}
LIMIT = {64: 2.2, 128: 2.2, 250: 1.25}  # auto against the strided copy of the same bytes within each rank, 2 ranks
BEST_OURS = 1.05                        # auto against the best transport of ours
CROWDED = {"openmpi": 0.7, "mpich": 0.1}  # auto against the best hand-written, more ranks than cores
STARTUP_MS, GENERIC = 1.0, 1.05
LIMITS = ("26 boxes", "long rows", "one copy, just written")
HAND_FILES = {
    "26 messages": ("problem.cpp", "copy.hpp", "peer_many_messages.cpp"),
    "one message a rank": ("problem.cpp", "copy.hpp", "peer_one_message.cpp"),
    "subarray datatypes": ("problem.cpp", "subarrays.hpp", "peer_datatypes.cpp"),
    "neighbor_alltoallw": ("problem.cpp", "subarrays.hpp", "peer_neighborhood.cpp"),
    "three phases": ("problem.cpp", "copy.hpp", "peers.cpp", "peer_three_phases.cpp"),
}


def options():
    parser = driver.parser("halo", __doc__, PARTS)
    parser.add_argument("--sizes", help="cells along each axis of each rank (default 32,64,128,250; crowded 32,64)")
    parser.add_argument("--ranks", help="default 2,4,8")
    parser.add_argument("--split", help="x (contiguous axis), z (slowest axis), xyz; default x,z at 2 ranks, else xyz")
    parser.add_argument("--transports", default="", help="only these of ours (default all but the reference)")
    parser.add_argument("--touch", action="store_true", help="rewrite the cells that leave before every exchange")
    given = driver.parse(parser, seconds=3, quick=1)
    given.rank_counts = [int(word) for word in (given.ranks or ("2" if given.quick else "2,4,8")).split(",")]
    return given


def crowded(ranks):
    return ranks > len(os.sched_getaffinity(0))


def chosen(given, ranks):
    """Sizes and splits of a run."""
    if given.sizes:
        sizes = given.sizes
    else:
        sizes = "32,64" if given.quick or crowded(ranks) else "32,64,128,250"
    return sizes, given.split or ("x,z" if ranks == 2 else "xyz")


class Case:
    """All timings of one size, split and number of ranks."""

    def __init__(self, probe, timings):
        self.n, self.split, self.ranks = probe["n"], probe["split"], probe["ranks"]
        self.probe, self.timings, self.steady = probe, timings, probe["steady"]
        self.name = f"{self.n}^3 {self.split}" + (" touched" if probe["touch"] else "")

    def group(self, name):
        return [t for t in self.timings if t["group"] == name]

    def named(self, name):
        return next((t for t in self.timings if t["method"] == name), None)

    def best(self, group):
        return min(self.group(group), key=lambda t: t["us"], default=None)

    def best_of_ours(self):
        return min((t for t in self.group("ours") if not t["method"].startswith("auto")), key=lambda t: t["us"],
                   default=None)


def cases_of(records):
    cases, probe = [], None
    for r in records:
        if r["kind"] == "probe":
            probe = r
            cases.append(Case(probe, []))
        elif r["kind"] == "timing":
            cases[-1].timings.append(r)
        elif r["kind"] == "wrong":
            print(f"WRONG HALO: {r['method']} at {r['n']}^3, split {r['split']}: {r['cells']} cells; not timed")
        elif r["kind"] == "left out":
            print(f"left out: {r['method']}: {r['why']}")
    return cases


def show(case):
    probe = case.probe
    state = report.void(probe)
    state = state.upper() + ": void" if state else "steady"
    print(f"\n{case.n}³ a rank, {case.ranks} ranks, {SPLITS[case.split]}"
          f" ({probe['grid']}){', cells rewritten' if probe['touch'] else ''};"
          f" handshake {probe['before_us']:.2f} → {probe['after_us']:.2f} µs,"
          f" {probe['preemptions']:.0f} preemptions a second: {state}")
    best, limit = case.best("hand-written"), case.named("26 boxes")
    rows = []
    for group in ("hand-written", "ours", "limit", "limit, just written"):
        found = case.group(group)
        if found:
            rows.append(group)
        for t in found:
            rows.append(["  " + t["method"], report.us(t["us"]), f"{t['us'] / best['us']:.2f}" if best else "",
                         f"{t['us'] / limit['us']:.2f}" if limit and not crowded(case.ranks) else "",
                         f"{100 * t['spread']:.0f} %", str(t["rounds"])])
    report.table(["", "µs", "/ best hand", "/ limit", "spread", "rounds"], rows)


def judge(case, verdicts, family):
    auto, hand, limit, ours = case.named("auto"), case.best("hand-written"), case.named("26 boxes"), case.best_of_ours()
    if not auto:
        return
    where = f"{case.name}, {case.ranks} ranks: auto"

    def look(what, other, target):
        if other and target:
            verdicts.judge(f"{where} / {what} ({other['method']})", auto["us"] / other["us"], target,
                           report.void(case.probe, auto, other))

    if crowded(case.ranks):
        look("best hand-written", hand, CROWDED.get(family))
    elif case.ranks == 2:
        look("best hand-written", hand, BEST_HAND.get(case.split, {}).get(case.n))
        look("limit", limit, LIMIT.get(case.n))
    look("best of ours", ours, BEST_OURS)


def speed(given, mpi, verdicts):
    records = []
    for ranks in given.rank_counts:
        sizes, splits = chosen(given, ranks)
        count = len(sizes.split(",")) * len(splits.split(","))
        arguments = ["--what", "speed", "--sizes", sizes, "--splits", splits, "--seconds", str(given.seconds)]
        arguments += ["--transports", given.transports] if given.transports else []
        arguments += ["--touch"] if given.touch else []
        print(f"\nmeasuring {count} cases at {ranks} ranks, about {count * (given.seconds + 1):.0f} s ...", flush=True)
        for case in cases_of(driver.start("bench_halo", ranks, arguments, 60 + count * (4 * given.seconds + 60))):
            show(case)
            judge(case, verdicts, mpi["family"])
            peers = [t for t in case.timings if t["group"] != "ours"]
            records += [report.comparison("halo", case.name, ranks, mpi["name"], ours, peer, case.steady)
                        for ours in case.group("ours") for peer in peers]
    return records


def startup(given, mpi, verdicts):
    found = driver.start("bench_halo", 2, ["--what", "startup", "--sizes", "64"], 120)
    print("\nstart-up: plan and bind the exchange of 26 neighbours, 64³, 2 ranks")
    report.table(["", "ms", "spread"], [[r["method"], f"{r['ms']:.3f}", f"{100 * r['spread']:.0f} %"] for r in found])
    print(f"  process grid, fields and first exchange of a program: {found[0]['first_ms']:.2f} ms")
    auto = next((r for r in found if r["method"] == "auto"), None)
    if auto:
        verdicts.judge("start-up, auto", auto["ms"], STARTUP_MS, report.void(None, auto), " ms")
    return [{"bench": "halo", "case": "start-up 64^3 x", "ranks": 2, "mpi": mpi["name"], "ours": r["method"],
             "ours_us": 1e3 * r["ms"], "peer": "target", "peer_us": 1e3 * STARTUP_MS, "ratio": r["ms"] / STARTUP_MS,
             "spread": r["spread"], "steady": r["spread"] <= report.WIDE} for r in found]


def generic(given, mpi, verdicts):
    sizes = given.sizes or ("64" if given.quick else "64,128")
    arguments = ["--what", "generic", "--sizes", sizes, "--seconds", str(given.seconds)]
    print("\nfields that differ in one exchange, against as many bytes of equal fields; auto, 2 ranks")
    records = []
    for r in driver.start("bench_halo", 2, arguments, 240):
        verdicts.judge(f"{r['n']}^3, {r['what']}: {report.us(r['us'])} / {report.us(r['uniform_us'])} µs",
                       r["us"] / r["uniform_us"], GENERIC, report.void(r, r))
        records.append(report.comparison("halo", f"{r['n']}^3 x generic", 2, mpi["name"],
                                         dict(r, method=r["what"]), {"method": "equal fields", "us": r["uniform_us"],
                                                                     "spread": r["spread"]}, r["steady"]))
    return records


def quiet(given, mpi, verdicts):
    print("\nthe hot path: allocations in start and wait, 64³, 2 ranks")
    found = driver.start("bench_halo", 2, ["--what", "quiet", "--sizes", "64"], 120)
    report.table(["an exchange", "operator new (ours)", "malloc (MPI's too)"],
                 [[r["method"], f"{r['operator_new'] / r['exchanges']:g}", f"{r['malloc'] / r['exchanges']:g}"]
                  for r in found])
    verdicts.judge("allocations of ours in all exchanges", sum(r["operator_new"] for r in found), 0)
    for r in found:
        if r["method"] == "shared":
            verdicts.judge("allocations of any kind with shared", r["malloc"], 0)
    calls = strace.calls_between_marks("bench_halo", ["--what", "marked", "--sizes", "64"])
    if isinstance(calls, str):
        print("  system calls: " + calls)
        return
    for what, (exchanges, names) in calls.items():
        print(f"  system calls of {exchanges} exchanges by {what}, the peer ready: {', '.join(names) or 'none'}")
        verdicts.judge(f"system calls of {what}, the peer ready", len(names), 0)


def lines():
    print("\nlines a user writes")
    rows = [["Wherry", str(driver.user_lines("halo/startup.cpp"))]]
    rows += [[name, str(driver.user_lines(*("halo/" + file for file in files)))] for name, files in HAND_FILES.items()]
    report.table(["", "lines"], rows)


PARTS = {"speed": speed, "startup": startup, "generic": generic, "quiet": quiet}

if __name__ == "__main__":
    sys.exit(driver.run("halo", options, PARTS, lines,
                        ("speed", "halo exchange: 3 double fields, halo 3, 26 neighbours", LIMITS)))
