"""./run bench deep: Wherry's deep copies beside Boost.Serialization, Boost.MPI, cereal and MPI by hand.

MEL's scene (a tree of 72-byte nodes and vectors) and graphs: broadcast, send and receive, file write and read (in
the page cache; nobody calls fsync). What arrives is compared with the original before and after the timing; methods are
timed in interleaved rounds of one run, and what arrived is freed outside of the timed part.
"""
import os
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import driver, report  # noqa: E402

SCENE, LARGE_SCENE = "scene:131072", "scene:1048576"
SPARSE, FULL = ("random:65536", "ring:262144", "tree:262144"), "full:2048"
# How many times faster than a peer: freeable nodes, broadcast of a scene.
SCENE_FASTER = {SCENE: {"hand-written": 7.0, "cereal": 2.5}, LARGE_SCENE: {"hand-written": 2.3, "cereal": 1.7}}
# An arena against memcpy and send of the same bytes into fresh memory.
ARENA = {SCENE: {"arena, pooled": 1.2, "arena, cold": 1.8}, LARGE_SCENE: {"arena, pooled": 0.8, "arena, cold": 0.8}}
SPARSE_FASTER = 5.0                        # than Boost
FULL_TO_PLAIN = 3.1                        # against a plain broadcast of the same bytes
FILE_FASTER = {"write": 4.0, "read": 3.5}  # than Boost
FILE_CEREAL = 1.0                          # against cereal
NAMES = {"scene": "scene, {} nodes", "random": "random graph of degree 8, {} nodes", "ring": "ring, {} nodes",
         "tree": "binary tree graph, {} nodes", "full": "fully connected graph, {} nodes"}
LIMITS = ("flat by hand", *(f"{what} {verb}, {memory}" for what in ("memcpy +", "plain")
                            for verb in ("broadcast", "send") for memory in ("fresh", "warm")))
# What: of whom, (file, part) ….
LINES = {
    "scene, described": {"Wherry": [("scene.hpp", "Wherry")], "Boost": [("boost_types.hpp", "Boost, scene")],
                         "cereal": [("peer_cereal.cpp", "cereal, scene")]},
    "graph, described": {"Wherry": [("graph.hpp", "Wherry")], "Boost": [("boost_types.hpp", "Boost, graph")],
                         "cereal": [("peer_cereal.cpp", "cereal, graph")]},
    "scene, broadcast by hand": {"a message a node": [("peer_hand_written.cpp", "nodes"), ("peer_hand_written.cpp", "both")],
                                 "packed": [("peer_hand_written.cpp", "packed"), ("peer_hand_written.cpp", "both")]},
}


def options():
    parser = driver.parser("deep", __doc__, [part for part in PARTS if part != "count"])
    parser.add_argument("--structures", help="shapes and nodes, like scene:131072,ring:1000 (default: the issue's six)")
    parser.add_argument("--ranks", default="2", help="of messages (default 2)")
    parser.add_argument("--folder", help="where files are written (default: a temporary one)")
    given = driver.parse(parser, seconds=8, quick=2)
    if given.count:
        given.only = "count"
    few = (SCENE, "random:65536")
    given.structures = given.structures or ",".join(few if given.quick else (SCENE, LARGE_SCENE, *SPARSE, FULL))
    given.rank_counts = [int(word) for word in given.ranks.split(",")]
    return given


def name_of(structure):
    shape, nodes = structure.split(":")
    return NAMES[shape].format(f"{int(nodes):,}")


class Case:
    """All timings of one structure and operation."""

    def __init__(self, probe, timings):
        self.structure, self.operation, self.ranks = probe["structure"], probe["operation"], probe["ranks"]
        self.probe, self.timings, self.bytes = probe, timings, probe["bytes"]
        self.name = name_of(self.structure) + ", " + self.operation

    def named(self, name):
        return next((t for t in self.timings if t["method"] == name), None)

    def best(self, start, group=None):
        """The fastest whose name begins so."""
        found = [t for t in self.timings if t["method"].startswith(start) and t["group"] == (group or t["group"])]
        return min(found, key=lambda t: t["us"], default=None)


def cases_of(records):
    cases, told = [], set()
    for r in records:
        if r["kind"] == "probe":
            cases.append(Case(r, []))
        elif r["kind"] == "timing":
            cases[-1].timings.append(r)
        elif r["kind"] == "wrong":
            print(f"WRONG: {r['method']}, {r['structure']}, {r['operation']}; not timed, or its time does not count")
        elif r["kind"] == "left out" and r["method"] not in told:
            told.add(r["method"])
            print(f"left out: {r['method']}: {r['why']}")
    return cases


def show(case):
    probe = case.probe
    state = report.void(probe)
    print(f"\n{case.name}: {case.bytes / 1e6:.1f} MB, {case.ranks} ranks; handshake {probe['before_us']:.2f} →"
          f" {probe['after_us']:.2f} µs:"
          f" {state.upper() + ': void' if state else 'steady'}")
    first, rows = case.timings[0]["us"] if case.timings else 0, []
    for group in ("ours", "hand-written", "serialiser", "limit"):
        found = [t for t in case.timings if t["group"] == group]
        if found:
            rows.append(group)
        for t in found:
            rows.append(["  " + t["method"], f"{t['us'] / 1e3:.2f}", f"{t['us'] / first:.2f}",
                         f"{case.bytes / t['us'] / 1e3:.1f}", f"{100 * t['spread']:.0f} %", str(t["rounds"])])
    report.table(["", "ms", "/ first", "GB/s", "spread", "rounds"], rows)


class Judge:
    """Looks at one case."""

    def __init__(self, case, verdicts):
        self.case, self.verdicts = case, verdicts

    def faster(self, ours, peer, target):
        if ours and peer and target:
            self.verdicts.judge(f"{self.case.name}: {ours['method']}, times faster than {peer['method']}",
                                report.ratio(peer, ours), target, report.void(self.case.probe, ours, peer), least=True)

    def ratio(self, ours, peer, target):
        if ours and peer and target:
            self.verdicts.judge(f"{self.case.name}: {ours['method']} / {peer['method']}", report.ratio(ours, peer),
                                target, report.void(self.case.probe, ours, peer))


def judge_messages(case, verdicts):
    look, ours = Judge(case, verdicts), case.named("freeable")
    if case.operation == "broadcast":
        faster = SCENE_FASTER.get(case.structure, {})
        look.faster(ours, case.best("MPI", "hand-written"), faster.get("hand-written"))
        look.faster(ours, case.best("cereal"), faster.get("cereal"))
        if case.structure == FULL:
            look.ratio(ours, case.named("plain broadcast, warm"), FULL_TO_PLAIN)
    else:
        for name, target in ARENA.get(case.structure, {}).items():
            look.ratio(case.named(name), case.named("memcpy + send, fresh"), target)
    if case.structure in SPARSE:
        look.faster(ours, case.best("Boost"), SPARSE_FASTER)


def judge_files(case, verdicts):
    look = Judge(case, verdicts)
    ours = case.named("streamed" if case.operation == "write" else "freeable")
    look.ratio(ours, case.best("cereal"), FILE_CEREAL)
    look.faster(ours, case.best("Boost"), FILE_FASTER[case.operation])


def streaming(cases):
    """What it brings that packing, carrying and unpacking happen at the same time."""
    rows = []
    for case in cases:
        for how in ("freeable", "arena, pooled"):
            streamed, packed = case.named(how), case.named(how + ", packed first")
            if streamed and packed:
                rows.append([case.name, how, f"{packed['us'] / 1e3:.2f}", f"{streamed['us'] / 1e3:.2f}",
                             f"{packed['us'] / streamed['us']:.2f}", report.void(case.probe, streamed, packed)])
    if rows:
        print("\nstreaming: packed, sent and unpacked at the same time, against one after the other")
        report.table(["", "", "one after the other, ms", "streamed, ms", "gain", ""], rows)


def contest(given, ranks, operations, folder, mpi, verdicts, judge):
    count = len(given.structures.split(",")) * len(operations)
    print(f"\n{', '.join(operations)}: {count} cases at {ranks} ranks, about {count * (given.seconds + 4):.0f} s or"
          " more ...", flush=True)
    arguments = ["--structures", given.structures, "--operations", ",".join(operations), "--seconds",
                 str(given.seconds), "--folder", folder]
    cases = cases_of(driver.start("bench_deep", ranks, arguments, 120 + count * (10 * given.seconds + 120)))
    for case in cases:
        show(case)
        judge(case, verdicts)
    streaming(cases)
    return [report.comparison("deep", f"{case.structure} {case.operation}", ranks, mpi["name"], ours, peer,
                              case.probe["steady"])
            for case in cases for ours in case.timings if ours["group"] == "ours"
            for peer in case.timings if peer["group"] != "ours"]


def messages(given, mpi, verdicts):
    records = []
    for ranks in given.rank_counts:
        records += contest(given, ranks, ["broadcast", "send"], "/tmp", mpi, verdicts, judge_messages)
    return records


def files(given, mpi, verdicts):
    folder = tempfile.mkdtemp(prefix="wherry-bench-", dir=given.folder)
    try:
        print(f"\nfiles in {folder}: written to and read from the page cache, no fsync on either side; one rank")
        return contest(given, 1, ["write", "read"], folder, mpi, verdicts, judge_files)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def count(given, mpi, verdicts):
    """Instructions and shared lines of deep copies: figures that no noise touches."""
    line = ["--count", "--structures", given.structures if "--structures" in sys.argv else "scene:1000,random:1000",
            "--operations", "broadcast"]
    found = driver.start("bench_deep", 2, line, 900)
    return report.counts(found, lambda r: f"{name_of(r['structure'])}, {r['operation']}: {r['method']}")


def memory(given, mpi, verdicts):
    """What each method allocates and needs besides the structure: heap only. Streams of ours between ranks of a node have
    a ring of windows besides, in shared memory, which all calls share."""
    found = driver.start("bench_deep_memory", 2, ["--structures", given.structures, "--operations", "broadcast"], 900)
    print("\nmemory of a broadcast, 2 ranks: allocations, and bytes at most besides the structure (MB; ours streamed: a ring"
          " of windows in shared memory besides, made once)")
    rows = []
    for r in found:
        if r["kind"] == "writer":
            each = f", {r['working_bytes'] / r['shared_objects']:.0f} bytes each" if r["shared_objects"] > 1 else ""
            rows.append(f"{name_of(r['structure'])}: {r['bytes'] / 1e6:.1f} MB, packed by us"
                        f" {r['packed_bytes'] / 1e6:.1f} MB; {r['shared_objects']:,} objects with an identity{each},"
                        f" {r['peak_pending']:,} items waited at most")
        else:
            rows.append(["  " + r["method"], *(f"{r[side + '_allocations']:,}" for side in ("writing", "reading")),
                         *(f"{r[side + '_bytes'] / 1e6:.2f}" for side in ("writing", "reading"))])
    report.table(["", "allocations, writer", "reader", "besides, writer", "reader"], rows)
    return [dict(r, bench="deep", kind="memory of " + r["kind"], mpi=mpi["name"]) for r in found]


def lines():
    print("\nlines a user writes; besides, a call: one line with Wherry and Boost.MPI, archive, buffer and two broadcasts"
          " with the others")
    rows = []
    for what, whose in LINES.items():
        rows.append(what)
        rows += [["  " + name, str(sum(driver.user_lines("deep/" + file, only=part) for file, part in places))]
                 for name, places in whose.items()]
    report.table(["", "lines"], rows)


PARTS = {"count": count, "messages": messages, "files": files, "memory": memory}

if __name__ == "__main__":
    sys.exit(driver.run("deep", options, PARTS, lines, ("messages", "deep copies", LIMITS)))
