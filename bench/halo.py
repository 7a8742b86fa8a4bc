"""./run bench halo: Wherry's halo exchange beside six hand-written ones and the limits of the machine.

All neighbours (26, in two dimensions 8), periodic, the same number of cells on every rank, dense arrays whose first axis
is contiguous: the user's own, allocated by malloc, as the hand-written ones have them, and Wherry's fields. Between two
exchanges each rank rewrites the cells that leave, as programs do; the same without stands beside. All methods are checked
cell by cell, then timed in interleaved rounds of one run. The part "hybrid" has one rank and two whose threads
pack and copy, beside the same by OpenMP by hand; the part "lists" exchanges the vectors of HPCG by lists of indices;
"layers" exchanges four fields with ghosts in one to three layers;
"hosts" has two hosts of one rank and of two, made on this machine, that share no memory (root only).
With --device fields are in GPU memory instead: alone by device time between events, beside a kernel a box, cudaMemcpy3DAsync
a box, MPI on packed buffers, an empty launch and the limit; two ranks by each transport beside MPI on packed buffers.
"""
import os
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import driver, report, strace  # noqa: E402

SPLITS = {"x": "contiguous axis split", "z": "slowest axis split", "xyz": "all axes split"}
# What is exchanged: name, arguments of bench_halo, cells along each axis of each rank, the same for a first look.
SHAPES = {
    "3 fields, width 3": ([], "32,64,128,250", "32,64"),
    "1 field, width 1": (["--fields", "1", "--width", "1"], "8,32,128", "8,32"),
    "8 fields, width 1": (["--fields", "8", "--width", "1"], "32", ""),
    "32 fields, width 1": (["--fields", "32", "--width", "1"], "32", ""),
    "3 float fields, width 3": (["--float"], "64", ""),
    "2-D, 1 field, width 1": (["--dimensions", "2", "--fields", "1", "--width", "1"], "1024", "1024"),
    "2-D, 3 fields, width 3": (["--dimensions", "2"], "256,1024", ""),
}
# auto at 2 ranks against the best hand-written, and among more ranks than cores against the best by messages; in two
# dimensions and at 8^3 against what packs, tells and unpacks the same memory.
USERS, USERS_250, FIELDS, CLOSE_TO_LIMIT, CROWDED_USERS = 0.95, 0.85, 0.9, 1.15, 0.85
BEST_OURS = 1.05                        # auto against the best transport of ours
STARTUP_MS, GENERIC = 1.0, 1.05
HOSTS = 0.9                             # auto against three phases of MPI between hosts
HYBRID = 0.95                           # by OpenMP's threads, against the best hand-written
LISTS, START_US = 0.8, 0.1               # index lists against lists by hand; start(array) beyond start()
LAYERS = 0.9                             # ghost_layers against the best by hand
LIST_SIZES = "4,8,16,32,64,128"         # from 128 B
LIMIT = "pack, flag, unpack"
WINDOW = "phases, shared window"        # the hand-written one that sends no messages
LIMITS = ("a box a direction", "long rows", LIMIT, "one copy, unasked")
DEVICE_SIZES, DEVICE_LIMIT, DEVICE_LAUNCH = "250,64", 1.25, 1.5
HAND_FILES = {
    "a message a direction": ("problem.cpp", "copy.hpp", "peer_many_messages.cpp"),
    "one message a rank": ("problem.cpp", "copy.hpp", "peer_one_message.cpp"),
    "subarray datatypes": ("problem.cpp", "subarrays.hpp", "peer_datatypes.cpp"),
    "neighbor_alltoallw": ("problem.cpp", "subarrays.hpp", "peer_neighborhood.cpp"),
    "three phases": ("problem.cpp", "copy.hpp", "peers.cpp", "phase_messages.hpp", "peer_three_phases.cpp"),
    "phases, shared window": ("problem.cpp", "copy.hpp", "peers.cpp", "peer_shared_phases.cpp"),
    "three phases, OpenMP": ("problem.cpp", "copy.hpp", "peers.cpp", "phase_messages.hpp", "peer_team_phases.cpp"),
    "index lists": ("peer_lists.cpp",),
    "ghosts in layers": ("peer_layers.cpp",),
}


def options():
    parser = driver.parser("halo", __doc__, [part for part in PARTS if part not in ("device", "count")])
    parser.add_argument("--device", action="store_true", help="fields in GPU memory, and nothing else")
    parser.add_argument("--sizes", help="cells along each axis of each rank (default: those of each shape)")
    parser.add_argument("--shapes", help="words in the names of those to measure, separated by commas: " + "; ".join(SHAPES))
    parser.add_argument("--ranks", help="default 2,4,8")
    parser.add_argument("--split", help="x (contiguous axis), z (slowest axis), xyz; default x,z at 2 ranks, else xyz")
    parser.add_argument("--transports", default="auto,shared,two_sided",
                        help="these of ours, or all (default auto,shared,two_sided)")
    parser.add_argument("--only-touched", action="store_true", help="not once more without rewriting the cells that leave")
    given = driver.parse(parser, seconds=2, quick=0.7)
    if given.count:
        given.only = "count"
    if given.device:
        given.only = "device"
    given.rank_counts = [int(word) for word in (given.ranks or ("2" if given.quick else "2,4,8")).split(",")]
    if given.transports == "all":
        given.transports = ""
    return given


def crowded(ranks):
    return ranks > len(os.sched_getaffinity(0))


def chosen(given, ranks):
    """(shape, arguments, sizes, splits) of a run."""
    words = given.shapes.split(",") if given.shapes else [""]
    for name, (arguments, sizes, quick) in SHAPES.items():
        if not any(word in name for word in words):
            continue
        if crowded(ranks) and not given.shapes and name not in ("3 fields, width 3", "1 field, width 1"):
            continue
        sizes = given.sizes or (quick if given.quick else "32,64" if crowded(ranks) and "3 fields" in name else
                                "32" if crowded(ranks) else sizes)
        if sizes:
            yield name, arguments, sizes, given.split or ("x,z" if ranks == 2 else "xyz")


class Case:
    """All timings of one shape, size, split and number of ranks; with the cells rewritten, unless it says otherwise."""

    def __init__(self, shape, probe, timings):
        self.shape, self.n, self.split, self.ranks = shape, probe["n"], probe["split"], probe["ranks"]
        self.dimensions, self.touch = probe["dimensions"], probe["touch"]
        self.probe, self.timings, self.steady = probe, timings, probe["steady"]
        self.name = f"{shape}, {self.n}^{self.dimensions} {self.split}" + ("" if self.touch else " untouched")
        self.untouched = None  # the same without

    def group(self, name):
        return [t for t in self.timings if t["group"] == name]

    def named(self, name):
        return next((t for t in self.timings if t["method"] == name), None)

    def best(self, group):
        return min(self.group(group), key=lambda t: t["us"], default=None)

    def best_by_messages(self):
        return min((t for t in self.group("hand-written") if t["method"] != WINDOW), key=lambda t: t["us"], default=None)

    def best_of_ours(self, group):
        return min((t for t in self.group(group) if not t["method"].startswith(("auto", "by dimension"))), key=lambda t: t["us"], default=None)


def cases_of(shape, records):
    cases = []
    for r in records:
        if r["kind"] == "probe":
            new = Case(shape, r, [])
            if not new.touch and cases and cases[-1].touch and (cases[-1].n, cases[-1].split) == (new.n, new.split):
                cases[-1].untouched = new
            else:
                cases.append(new)
        elif r["kind"] == "timing":
            (cases[-1].untouched or cases[-1]).timings.append(r)
        elif r["kind"] == "wrong":
            print(f"WRONG HALO: {r['method']}, {shape}, {r['n']}^{r['dimensions']}, split {r['split']}: {r['cells']} cells; not timed")
        elif r["kind"] == "left out":
            print(f"left out: {r['method']}: {r['why']}")
    return cases


def show(case):
    probe = case.probe
    state = report.void(probe)
    state = state.upper() + ": void" if state else "steady"
    print(f"\n{case.shape}, {case.n}{'²' if case.dimensions == 2 else '³'} a rank, {case.ranks} ranks, {SPLITS[case.split]}"
          f" ({probe['grid']}){', cells rewritten' if case.touch else ''};"
          f" handshake {probe['before_us']:.2f} → {probe['after_us']:.2f} µs: {state}")
    best, limit = case.best("hand-written"), case.named(LIMIT)
    rows = []
    for group in ("hand-written", "ours, users' arrays", "ours", "limit"):
        found = case.group(group)
        if found:
            rows.append(group)
        for t in found:
            beside = case.untouched and case.untouched.named(t["method"])
            rows.append(["  " + t["method"], report.us(t["us"]), f"{t['us'] / best['us']:.2f}" if best else "",
                         f"{t['us'] / limit['us']:.2f}" if limit else "", f"{100 * t['spread']:.0f} %",
                         report.us(t["mean_us"]), report.us(beside["us"]) if beside else ""])
    report.table(["", "µs", "/ best hand", "/ limit", "spread", "mean", "not rewritten"], rows)


def judge(case, verdicts):
    users, ours, hand, limit = (case.named("auto, users' arrays"), case.named("auto"), case.best("hand-written"),
                                case.named(LIMIT))
    where = f"{case.name}, {case.ranks} ranks: auto"

    def look(mine, what, other, target):
        if mine and other and target:
            verdicts.judge(f"{where}, {what} ({other['method']})", report.ratio(mine, other), target,
                           report.void(case.probe, mine, other))

    if crowded(case.ranks):
        look(users, "users' arrays / best by messages", case.best_by_messages(), CROWDED_USERS)
        return
    look(users, "users' arrays / best hand-written", hand, USERS_250 if case.n == 250 else USERS)
    look(ours, "fields / best hand-written", hand, FIELDS)
    if case.dimensions == 2 or case.n == 8:
        look(users, "users' arrays / limit", limit, CLOSE_TO_LIMIT)
    look(ours, "fields / best of ours", case.best_of_ours("ours"), BEST_OURS)
    look(users, "users' arrays / best of ours", case.best_of_ours("ours, users' arrays"), BEST_OURS)


def speed(given, mpi, verdicts):
    records = []
    for ranks in given.rank_counts:
        for shape, arguments, sizes, splits in chosen(given, ranks):
            count = len(sizes.split(",")) * len(splits.split(",")) * (1 if given.only_touched else 2)
            line = [*arguments, "--what", "speed", "--sizes", sizes, "--splits", splits, "--seconds", str(given.seconds)]
            line += ["--transports", given.transports] if given.transports else []
            line += ["--only-touched"] if given.only_touched else []
            line += ["--by-dimension"] if ranks > 2 else []  # which two ranks do anyway
            print(f"\n{shape}: measuring {count} cases at {ranks} ranks, about {count * (given.seconds + 1):.0f} s ...", flush=True)
            for case in cases_of(shape, driver.start("bench_halo", ranks, line, 60 + count * (4 * given.seconds + 60))):
                show(case)
                judge(case, verdicts)
                for one in (case, case.untouched):
                    if one:
                        ours = [t for t in one.timings if t["group"].startswith("ours")]
                        peers = [t for t in one.timings if not t["group"].startswith("ours")]
                        records += [report.comparison("halo", one.name, ranks, mpi["name"], t, peer, one.steady)
                                    for t in ours for peer in peers]
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
    if "--device" in sys.argv:
        return
    print("\nlines a user writes")
    rows = [["Wherry", str(driver.user_lines("halo/startup.cpp"))]]
    rows += [[name, str(driver.user_lines(*("halo/" + file for file in files)))] for name, files in HAND_FILES.items()]
    report.table(["", "lines"], rows)


def hybrid(given, mpi, verdicts):
    """All cores by threads: one rank of them, and two of half as many each."""
    records, cores = [], len(os.sched_getaffinity(0))
    sizes = given.sizes or ("64" if given.quick else "64,128,250")
    for ranks in (1, 2):
        threads = cores // ranks
        if threads < 2:
            print(f"\nleft out: {ranks} ranks of {threads} thread: a core each is the part \"speed\"")
            continue
        line = ["--what", "hybrid", "--sizes", sizes, "--threads", str(threads), "--seconds", str(given.seconds)]
        found = driver.start("bench_halo", ranks, line, 60 + len(sizes.split(",")) * (4 * given.seconds + 60))
        for r in found:
            if r["kind"] == "wrong":
                print(f"WRONG HALO: {r['method']}, {r['n']}^3: {r['cells']} cells; not timed")
        for probe in [r for r in found if r["kind"] == "probe"]:
            timings = [r for r in found if r["kind"] == "timing" and r["n"] == probe["n"]]
            records += show_hybrid(probe, timings, mpi, verdicts)
    return records


def show_hybrid(probe, timings, mpi, verdicts):
    name = f"hybrid, {probe['n']}^3, 3 fields, width 3, {probe['threads']} threads a rank"
    return show_beside_best(name, "", probe, timings, mpi, verdicts, "OpenMP's threads", HYBRID)


def show_beside_best(name, placement, probe, timings, mpi, verdicts, judged, target):
    """All timings beside the best hand-written one, which those whose name begins with `judged` are judged by."""
    ranks = f"{probe['ranks']} rank{'s' if probe['ranks'] > 1 else ''}"
    print(f"\n{name}, {ranks}{placement}")
    hand = min((t for t in timings if t["group"] == "hand-written"), key=lambda t: t["us"])
    report.table(["", "µs", "/ best hand", "spread", "mean"],
                 [["  " + t["method"], report.us(t["us"]), f"{t['us'] / hand['us']:.2f}", f"{100 * t['spread']:.0f} %",
                   report.us(t["mean_us"])] for t in timings])
    for t in timings:
        if judged and t["method"].startswith(judged):
            verdicts.judge(f"{name}, {ranks}: {t['method']} / best hand-written", report.ratio(t, hand), target,
                           report.void(probe, t, hand))
    return [report.comparison("halo", name, probe["ranks"], mpi["name"], t, hand, probe["steady"])
            for t in timings if t["group"].startswith("ours")]


def count(given, mpi, verdicts):
    """Instructions and shared lines of a start and wait: figures that no noise touches."""
    records = []
    for shape, sizes in ((["--fields", "1", "--width", "1"], "8,32"), ([], "32")):
        line = [*shape, "--what", "count", "--sizes", given.sizes or sizes, "--splits", given.split or "x,z"]
        line += ["--transports", given.transports] if given.transports else []
        records += driver.start("bench_halo", 2, line, 600)
    return report.counts(records, lambda r: f"{r['n']}^3 {r['split']}, {r['fields']} fields, width {r['width']}: {r['method']}")


def lists(given, mpi, verdicts):
    """HPCG's exchange by lists of indices; arrays that come with the start."""
    records, found = [], []
    for ranks in given.rank_counts:
        sizes, splits = given.sizes or ("4,16,64" if given.quick else LIST_SIZES), "x,z" if ranks == 2 else "xyz"
        count = len(sizes.split(",")) * len(splits.split(",")) * (1 if given.only_touched else 2)
        line = ["--what", "lists", "--sizes", sizes, "--splits", splits, "--seconds", str(given.seconds / 2)]
        line += ["--transports", given.transports] if given.transports else []
        line += ["--only-touched"] if given.only_touched else []
        print(f"\nindex lists as HPCG's: measuring {count} cases at {ranks} ranks, about {count * (given.seconds / 2 + 1):.0f} s ...",
              flush=True)
        for r in driver.start("bench_halo", ranks, line, 60 + count * (4 * given.seconds + 60)):
            if r["kind"] == "probe":
                found.append((r, []))
            elif r["kind"] == "timing":
                found[-1][1].append(r)
            elif r["kind"] == "wrong":
                print(f"WRONG EXTERNALS: {r['method']}, {r['n']}^3, split {r['split']}: {r['cells']}; not timed")
            elif r["kind"] == "left out":
                print(f"left out: {r['method']}: {r['why']}")
            elif r["kind"] == "start" and ranks == min(given.rank_counts):
                verdicts.judge(f"{r['method']} takes more than start()", r["extra_us"], START_US, report.void(r, r), " µs")
    for probe, timings in found:
        records += show_lists(probe, timings, mpi, verdicts)
    return records


def show_lists(probe, timings, mpi, verdicts):
    name = (f"index lists, {probe['n']}^3 rows, {probe['bytes']} B a rank, {SPLITS[probe['split']]}"
            + ("" if probe["touch"] else ", not rewritten"))
    placement = f"; handshake {probe['before_us']:.2f} → {probe['after_us']:.2f} µs"
    return show_beside_best(name, placement, probe, timings, mpi, verdicts, "auto" if probe["touch"] else "", LISTS)


def layers(given, mpi, verdicts):
    """Four fields of three types with ghosts in one to three layers: one plan, beside one for each by hand."""
    records, found = [], []
    for ranks in given.rank_counts:
        sizes, splits = given.sizes or ("16" if given.quick else "8,32"), "z" if ranks == 2 else "xyz"
        line = ["--what", "layers", "--sizes", sizes, "--splits", splits, "--seconds", str(given.seconds / 2), "--only-touched"]
        count = 3 * len(sizes.split(","))
        print(f"\nghosts in layers: measuring {count} cases at {ranks} ranks, about {count * (given.seconds / 2 + 1):.0f} s ...", flush=True)
        for r in driver.start("bench_halo", ranks, line, 60 + count * (2 * given.seconds + 60)):
            if r["kind"] == "probe":
                found.append((r, []))
            elif r["kind"] == "timing":
                found[-1][1].append(r)
            elif r["kind"] == "wrong":
                print(f"WRONG GHOSTS: {r['method']}, {r['n']}^3, depth {r['depth']}: {r['cells']}; not timed")
    for probe, timings in found:
        name = f"four fields, ghosts in {probe['depth']} of 3 layers, {probe['n']}^3 cells, {SPLITS[probe['split']]}"
        placement = f"; handshake {probe['before_us']:.2f} → {probe['after_us']:.2f} µs"
        records += show_beside_best(name, placement, probe, timings, mpi, verdicts, "ghost_layers", LAYERS)
    return records


def hosts(given, mpi, verdicts):
    """Ranks that share no memory, and pairs of them that do."""
    if os.geteuid() != 0 or not shutil.which("ip"):
        print("\nleft out: two hosts on one machine, which root makes with ip (package iproute2)")
        return []
    shape, arguments = "1 field, width 1", SHAPES["1 field, width 1"][0]
    sizes = given.sizes or ("32" if given.quick else "8,32,64")
    records = []
    for ranks, split in ((2, "x"), (2, "z"), (4, "xyz")):
        if ranks > 2 and mpi["name"] == "mpich-4":
            print("\nleft out: two hosts of two ranks: Debian's MPICH 4.0.2 does not end MPI_Finalize there")
            continue
        line = [*arguments, "--what", "speed", "--sizes", sizes, "--splits", split, "--seconds", str(given.seconds),
                "--only-touched", "--transports", "auto,two_sided,one_sided"]
        print(f"\ntwo hosts of {ranks // 2}: TCP between network namespaces of this machine", flush=True)
        for case in cases_of(shape, driver.start("bench_halo", ranks, line, 120 + 60 * given.seconds, hosts=2)):
            case.name += f", two hosts of {ranks // 2}"
            show(case)
            phases = case.named("three phases")
            for method in ("auto, users' arrays", "auto"):
                mine = case.named(method)
                if mine and phases:
                    verdicts.judge(f"{case.name}: {method} / three phases", report.ratio(mine, phases), HOSTS,
                                   report.void(case.probe, mine, phases))
            records += [report.comparison("halo", case.name, ranks, mpi["name"], t, peer, case.steady)
                        for t in case.timings if t["group"].startswith("ours")
                        for peer in case.group("hand-written")]
    return records


def device(given, mpi, verdicts):
    """Fields in GPU memory."""
    records = []
    for ranks in [int(word) for word in (given.ranks or "1,2").split(",")]:
        sizes = given.sizes or DEVICE_SIZES
        line = ["--what", "device", "--sizes", sizes, "--seconds", str(given.seconds)]
        found = driver.start("bench_halo", ranks, line, 120 + len(sizes.split(",")) * (8 * given.seconds + 60))
        what = found[0]
        if what["kind"] == "no device":
            print(f"no device here: nothing measured ({what['why']})")
            return []
        print(f"\n{ranks} rank{'s' if ranks > 1 else ''}, 3 double fields, width 3, 26 neighbours, on the device '{what['name']}'")
        if not what["timed"]:
            print("not timed: what this device takes means nothing")
        for n in map(int, sizes.split(",")):
            records += show_device([r for r in found[1:] if r.get("n") == n], n, ranks, mpi, verdicts)
    return records


def way_of(method, group):
    """How what it sends gets from device to device."""
    if group != "ours":
        return ""
    return ("the device alone" if "self" in method else "lent between processes (IPC)" if "device_shared" in method else
            "MPI reads the device" if "device_two_sided" in method else "staged in pinned memory")


def show_device(found, n, ranks, mpi, verdicts):
    """All records of one size."""
    checked = [r["method"] for r in found if r["kind"] == "checked"]
    print(f"\n{n}³: all cells right by {', '.join(checked) or 'nobody'}")
    for r in found:
        if r["kind"] == "wrong":
            print(f"WRONG CELLS: {r['method']}: {r['cells']}; not timed")
        elif r["kind"] == "left out":
            print(f"left out: {r['method']}: {r['why']}")
    timings = [r for r in found if r["kind"] in ("device timing", "timing")]
    if not timings:
        return []
    limit = next((r for r in found if r["kind"] == "limit"), None)
    probe = next((r for r in found if r["kind"] == "probe"), None)
    ours = next((t for t in timings if t["method"].startswith("auto")), None)
    rows = [["  " + t["method"], report.us(t["us"]), f"{t['us'] / ours['us']:.2f}" if ours else "", f"{100 * t['spread']:.0f} %",
             way_of(t["method"], t["group"])] for t in timings]
    if limit:
        rows += [[f"  {limit['bytes'] / 1e6:.2f} MB at {limit['bytes_a_us'] / 1e6:.2f} TB/s", report.us(limit["us"]), "", "", ""],
                 ["  the same in whole sectors", report.us(limit["us_in_sectors"]), "", "", ""]]
    report.table(["", "µs of the device" if limit else "µs", "/ auto", "spread", "by"], rows)
    by_hand = [t for t in timings if t["group"] == "by hand"]
    if by_hand and ours:
        best = min(by_hand, key=lambda t: t["us"])
        verdicts.judge(f"{n}³: auto / {best['method']}", ours["us"] / best["us"], 1, report.void(probe, ours, best))
    if limit and ours:
        empty = next(t for t in timings if t["method"] == "an empty launch")
        if n >= 128:
            verdicts.judge(f"{n}³: auto / limit in whole sectors", ours["us"] / limit["us_in_sectors"], DEVICE_LIMIT,
                           report.void(None, ours))
        else:
            verdicts.judge(f"{n}³: auto / an empty launch", ours["us"] / empty["us"], DEVICE_LAUNCH, report.void(None, ours, empty))
    return [report.comparison("halo", f"{n}^3 x device", ranks, mpi["name"], ours, t, not report.void(probe, t))
            for t in timings if ours and t is not ours]


PARTS = {"device": device, "speed": speed, "count": count, "hosts": hosts, "hybrid": hybrid, "lists": lists, "layers": layers, "startup": startup, "generic": generic, "quiet": quiet}

if __name__ == "__main__":
    sys.exit(driver.run("halo", options, PARTS, lines,
                        ("speed", "halo exchange, all neighbours, cells rewritten between exchanges", LIMITS)))
