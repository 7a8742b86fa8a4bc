"""./run bench blocks: Wherry's block-structured motion beside hand-written MPI, and the applications beside their twins.

Ghost-cell fill of a periodic domain in cubes, redistribution, what the first call costs, how motion plans are built, and
the applications of KeLP. Everything is checked before it is timed; methods are timed in interleaved rounds of one run.
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import driver, report  # noqa: E402

FILL = 1.05            # ours against the hand-written shared window, in each of the 16 cases
HALF_REMOTE = 2.0      # redistribution with half the data remote against all of it local
LOOPS = 1.0            # redistribution all local against plain loops
FIRST_CALL = 3.0       # plan and bind against one exchange
NS_A_PAIR = {"regular": 6.0, "irregular": 50.0}
BYTES_A_BOX = 1800     # arrays and mover of a ghost-cell fill
BIND = 1.0             # binding against planning, in memory that is used again
BARE = 3.0             # plan and bind together against a planner that writes tags and nothing more
TWIN = 1.0             # an application against its hand-written twin
HAND_FILES = {"shared window": ("blocks/sections.hpp", "blocks/hand_shared_window.cpp"),
              "packed messages": ("blocks/sections.hpp", "blocks/hand_packed_messages.cpp")}


def options():
    parser = driver.parser("blocks", __doc__, PARTS)
    parser.add_argument("--domains", help="cells along each axis (default 128,256)")
    parser.add_argument("--boxes", default="32,64", help="cells along an edge of a block (default 32,64)")
    parser.add_argument("--ranks", help="default 2 for motion, 1,2,4 for applications")
    parser.add_argument("--transports", default="auto", help="of ours (default auto)")
    parser.add_argument("--only-touched", action="store_true", help="not once more without rewriting the cells near faces")
    parser.add_argument("--variants", action="store_true", help="also all rows in place, and all through staging")
    parser.add_argument("--class", dest="size", default=None, help="class of the NAS applications (default A; --quick S)")
    given = driver.parse(parser, seconds=2, quick=0.5)
    given.domains = given.domains or ("128" if given.quick else "128,256")
    given.size = given.size or ("S" if given.quick else "A")
    given.rank_counts = [int(word) for word in (given.ranks or "2").split(",")]
    given.app_ranks = [int(word) for word in (given.ranks or ("2" if given.quick else "1,2,4")).split(",")]
    return given


def cases_arguments(given):
    return ["--domains", given.domains, "--boxes", given.boxes, "--seconds", str(given.seconds)]


def name_of(r):
    return f"{r['n']}³ in {r['b']}³ × {r['components']}, width {r['width']}"


def complain(found):
    for r in found:
        if r["kind"] == "wrong":
            print(f"WRONG: {r['method']}, {r['n']}³: {r['cells']} cells; not timed")


def fill(given, mpi, verdicts):
    records = []
    flags = (["--only-touched"] if given.only_touched else []) + (["--variants"] if given.variants else [])
    count = 4 * len(given.domains.split(",")) * len(given.boxes.split(","))
    for ranks in given.rank_counts:
        times = 1 if given.only_touched else 2
        print(f"\nghost-cell fill, periodic, {ranks} ranks, cells rewritten{'' if given.only_touched else ' and not'}:"
              f" {count} cases, about {times * count * (given.seconds + 2):.0f} s ...", flush=True)
        found = driver.start("bench_blocks", ranks, [*cases_arguments(given), *flags, "--transports", given.transports],
                             60 + times * count * (6 * given.seconds + 60))
        complain(found)
        cases, rows, judged = [], [], []  # a case: the probe and the timings of a measurement
        for r in found:
            if r["kind"] == "probe":
                cases.append((r, []))
            if r["kind"] == "timing":
                cases[-1][1].append(r)
        for probe, timings in cases:
            if timings:
                records += fill_case(probe, timings, mpi, rows, judged)
        report.table(["", "ours", "shared window", "messages", "memcpy", "ours GB/s", "memcpy GB/s", "ratio", ""], rows)
        for what, value, why in judged:
            verdicts.judge(what, value, FILL, why)
    return records


def fill_case(probe, timings, mpi, rows, judged):
    times = {t["method"]: t for t in timings}
    ours, window = timings[0], times["shared window"]
    why = report.void(probe, ours, window)
    rate = [probe["payload"] / t["us"] / 1e3 for t in (ours, times["memcpy"])]
    name = name_of(probe) + ("" if probe["touch"] else ", untouched")
    rows.append([name, *(report.us(t["us"]) for t in
                                   (ours, window, times["packed messages"], times["memcpy"])),
                 *(f"{r:.1f}" for r in rate), f"{ours['us'] / window['us']:.2f}", why])
    for t in timings[1:]:
        if t["group"] == "ours":
            rows.append([f"    {t['method']}", report.us(t["us"]), "", "", "", "", "", f"{t['us'] / window['us']:.2f}", ""])
    judged.append((f"fill {name}, {probe['ranks']} ranks: {ours['method']} / shared window",
                   report.ratio(ours, window), why))
    case = f"{probe['n']}/{probe['b']}/{probe['components']}/{probe['width']}{'' if probe['touch'] else '/untouched'}"
    return [report.comparison("blocks", case, probe["ranks"], mpi["name"], ours, t, probe["steady"])
            for t in timings if t["group"] != "ours"]


def first_call(given, mpi, verdicts):
    print("\nfirst call: motion plan and mover, beside one exchange (from a barrier)")
    found = driver.start("bench_blocks", given.rank_counts[0], ["--what", "first_call", *cases_arguments(given)], 600)
    rows = [[name_of(r), report.us(r["plan_us"]), report.us(r["bind_us"]), report.us(r["exchange_us"]),
             f"{(r['plan_us'] + r['bind_us']) / r['exchange_us']:.2f}"] for r in found]
    report.table(["", "plan", "bind", "exchange", "ratio"], rows)
    records = []
    for r in found:
        once = {"method": "one exchange", "us": r["exchange_us"], "spread": r["spread"]}
        first = {"method": "plan and bind", "us": r["plan_us"] + r["bind_us"], "spread": r["spread"]}
        verdicts.judge(f"first call {name_of(r)}", first["us"] / once["us"], FIRST_CALL, report.void(None, r))
        records.append(report.comparison("blocks", "first call " + name_of(r), r["ranks"], mpi["name"], first, once,
                                         r["spread"] <= report.WIDE))
    return records


def redistribution(given, mpi, verdicts):
    ranks = given.rank_counts[0]
    print(f"\nredistribution from slabs to other slabs, 1 component, {ranks} ranks")
    found = driver.start("bench_blocks", ranks, ["--what", "redistribution", *cases_arguments(given)], 300)
    complain(found)
    records = []
    for r in found:
        if r["kind"] != "redistribution":
            continue
        local = {"method": "all local", "us": r["local_us"], "spread": r["spread"]}
        half = {"method": "half remote", "us": r["half_us"], "spread": r["spread"]}
        print(f"  {r['n']}³: all local {report.us(r['local_us'])} µs, half remote {report.us(r['half_us'])} µs"
              f" ({r['transport']})")
        loops, users, users_loops = ({"method": name, "us": r[key], "spread": r["spread"]} for name, key in (
            ("plain loops", "loops_us"), ("all local, users' memory", "users_us"),
            ("plain loops, users' memory", "users_loops_us")))
        print(f"      plain loops {report.us(loops['us'])} µs; users' memory: all local {report.us(users['us'])} µs,"
              f" plain loops {report.us(users_loops['us'])} µs")
        verdicts.judge(f"redistribution {r['n']}³: half remote / all local", half["us"] / local["us"], HALF_REMOTE,
                       report.void(r, half))
        for ours, peer in ((local, loops), (users, users_loops)):
            verdicts.judge(f"redistribution {r['n']}³: {ours['method']} / {peer['method']}", ours["us"] / peer["us"],
                           LOOPS, report.void(r, ours))
            records.append(report.comparison("blocks", f"redistribution {r['n']}, {ours['method']}", ranks, mpi["name"],
                                             ours, peer, r["steady"]))
        records.append(report.comparison("blocks", f"redistribution {r['n']}", ranks, mpi["name"], half, local,
                                         r["steady"]))
    return records


def regrid(given, mpi, verdicts):
    print("\nregridding: boxes of 16³ get other owners; arrays with their owners, copy old to new, first fill (width 1)")
    records = []
    for ranks in sorted({1, given.rank_counts[0]}):
        found = driver.start("bench_blocks", ranks, ["--what", "regrid", "--domains", given.domains, "--boxes", "16"], 600)
        complain(found)
        found = [r for r in found if r["kind"] == "regrid"]
        keys = ("arrays_us", "memory_us", "copy_us", "copy_again_us", "loops_us", "fill_us", "fill_again_us")
        report.table(["", "ranks", "arrays", "their bytes zeroed", "copy", "copy again", "loops", "fill", "fill again"],
                     [[f"{r['n']}³", f"{r['ranks']}", *(report.us(r[key]) for key in keys)] for r in found])
        records += found
    return records


def construction(given, mpi, verdicts):
    boxes = "10000" if given.quick else "10000,100000,1000000"
    print("\nbuilding plans: touching boxes of periodic domains, reach 1")
    found = [r for r in driver.start("bench_plan_construction", given.rank_counts[0],
                                     ["--boxes", boxes, "--seconds", str(given.seconds)], 600)
             if r.get("kind") == "comparison"]
    rows = []
    for r in found:
        unit = next((key[len("ns_per_"):] for key in r if key.startswith("ns_per_")), None)
        ours, peer = (f"{r[key]:.1f}" if r.get(key) else "" for key in (f"ns_per_{unit}", f"peer_ns_per_{unit}"))
        rows.append([r["case"], f"{r.get('units', 0):,.0f}", unit or "", ours, f"{r['peer']} {peer}" if peer else "",
                     f"{100 * r['spread']:.0f} %"])
    report.table(["", "number", "unit", "ns each", "peer, ns each", "spread"], rows)
    for r in found:
        target = next((limit for kind, limit in NS_A_PAIR.items() if r["case"].startswith(kind)), None)
        if target and r.get("ns_per_pair"):
            verdicts.judge(f"plan construction, {r['case']}", r["ns_per_pair"], target,
                           "" if r["steady"] else "not steady", " ns")
    return [{key: value for key, value in r.items() if key != "kind"} for r in found]


def bound_plans(given, mpi, verdicts):
    ranks = given.rank_counts[0]
    # A million boxes of 8³ would take 5 GB of shared memory.
    cases = [("10000", 8)] if given.quick else [("10000,60000,100000", 8), ("1000000", 4)]
    records = []
    for count in sorted({1, ranks}):
        print(f"\nghost-cell fill of very many small boxes, {count} ranks: bytes a box, and the times of plan and bind")
        found = [r for boxes, extent in cases
                 for r in driver.start("bench_bound_plans", count, ["--boxes", boxes, "--extent", str(extent)], 900)]
        report.table(["", "boxes", "array, B", "mover, B", "peak, B", "bare planner", "plan", "plan + bind",
                      "bind / plan", "of a list / plan", "plan + bind / bare"],
                     [[r["case"], f"{r['boxes']:,}", f"{r['array_bytes']:.0f}", f"{r['mover_bytes']:.0f}",
                       f"{r['peak_bytes']:.0f}", *(report.us(r[key]) for key in ("bare_us", "plan_us", "make_us")),
                       *(f"{r[key]:.2f}" for key in ("ratio", "listed_ratio", "bare_ratio"))] for r in found])
        for r in found:
            what = f"{r['case']}, {r['boxes']:,} boxes, {count} ranks"
            verdicts.judge(f"bytes a box, {what}", r["bytes"], BYTES_A_BOX, "", " B")
            verdicts.judge(f"bind / plan, {what}", r["ratio"], BIND, "")
            verdicts.judge(f"plan and bind / bare planner, {what}", r["bare_ratio"], BARE, "")
        records += found
    return records


APPS = {
    "redblack3d": lambda given: ["--n", "64" if given.quick else "128", "--overlap", "--seconds", str(5 * given.seconds)],
    "nas_mg": lambda given: ["--class", given.size, "--compare"],
    "nas_ft": lambda given: ["--class", given.size],
    "summa": lambda given: ["--n", "512" if given.quick else "2048", "--overlap", "--seconds", str(5 * given.seconds)],
}


def applications(given, mpi, verdicts):
    from run import build

    records = []
    for name, arguments in APPS.items():
        if build.program(os.environ["WHERRY_BUILD"], name, must=False) is None:
            print(f"\n{name} is left out: the libraries it needs are missing")
            continue
        for ranks in given.app_ranks:
            found = [r for r in driver.application(name, ranks, arguments(given)) if "ratio" in r]
            for r in found:
                verdicts.judge(f"{name} {r['case']}, {ranks} ranks: {r['ours']} / {r['peer']}", r["ratio"], TWIN,
                               "" if r["steady"] else "not steady")
            records += found
    return records


def lines():
    print("\nlines a user writes for a ghost-cell fill")
    rows = [["Wherry", str(driver.user_lines("blocks/ours.hpp"))]]
    rows += [[name, str(driver.user_lines(*files))] for name, files in HAND_FILES.items()]
    report.table(["", "lines"], rows)


PARTS = {"fill": fill, "first_call": first_call, "redistribution": redistribution, "regrid": regrid,
         "construction": construction, "bound_plans": bound_plans, "apps": applications}

if __name__ == "__main__":
    sys.exit(driver.run("blocks", options, PARTS, lines,
                        ("fill", "ghost-cell fill: domain/block/components/width", ("memcpy",))))
