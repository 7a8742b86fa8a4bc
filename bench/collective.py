"""./run bench collective: every implementation of MPI's collectives beside MPI's own call.

Buffers are ordinary memory, rewritten before each call; what is timed are the calls, in interleaved rounds of one run, the
mean of the ranks. "auto" is what a program gets: by a file of wherry_tune, made first, or with --untuned by nothing. With
Open MPI 4 twice: with its single copy switched off where that makes it faster, the harder peer, and as it is installed (stock).
Collectives with lists of counts (--collectives gatherv,alltoallv,…) have even and uneven ones. Beyond the cores ("crowded") with 4 and 8 ranks. Neighbourhood collectives ("neighbors") in a ring, a grid and a graph. Ones that start again and
again beside MPI's persistent ones ("persistent"). How much can be hidden behind computation ("overlap"), and what programs that know
nothing of Wherry gain by LD_PRELOAD ("programs").
"""
import contextlib
import os
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import driver, plot, preloaded, report  # noqa: E402

SINGLE_COPY = "OMPI_MCA_btl_vader_single_copy_mechanism"
# auto against MPI, by collective and bytes: the most it should take.
TARGETS = {
    "tuned": {("bcast", 512): 0.8, ("bcast", 4096): 0.8, ("bcast", 32768): 0.8,
              ("allreduce", 512): 0.8, ("allreduce", 4096): 0.8, ("allreduce", 32768): 0.8,
              ("alltoall", 512): 0.8, ("alltoall", 4096): 0.8, ("alltoall", 32768): 0.97,
              ("alltoall", 4194304): 0.85, ("allreduce", 4194304): 0.85},
    "stock": {("bcast", 4096): 0.33, ("bcast", 32768): 0.33, ("bcast", 262144): 0.5, ("bcast", 4194304): 0.5,
              ("allreduce", 4096): 0.33, ("allreduce", 32768): 0.33, ("allreduce", 262144): 0.5,
              ("allreduce", 4194304): 0.5},
    "crowded": {("bcast", 512): 0.2, ("bcast", 4096): 0.2, ("bcast", 32768): 0.2,
                ("allreduce", 4096): 0.5, ("allreduce", 32768): 0.5},
}
NEVER_ABOVE = 1.03
SHARED = "node memory"  # auto again, with buffers in memory that the node shares; the least that it should gain
NODE_MEMORY_GAINS = {(name, 262144): 1.8 for name in ("bcast", "allreduce", "alltoall", "allgather")}
CROWDED = "bcast,allreduce,alltoall"  # and so much that some minutes are enough where MPI takes milliseconds
CROWDED_SIZES = "8,512,4096,32768,262144"
NEIGHBORS, TOPOLOGIES = "neighbor_allgather,neighbor_alltoall,neighbor_alltoallv", "ring,grid,graph"
OVERLAP_POLLS = (0, 10)


def options():
    parser = driver.parser("collective", __doc__, [part for part in PARTS if part != "count"])
    parser.add_argument("--collectives", help="which (default barrier,bcast,reduce,allreduce,allgather,alltoall; beyond the"
                        f" cores {CROWDED})")
    parser.add_argument("--sizes", help="bytes of a block or vector")
    parser.add_argument("--implementations", help="only these (default: all that can)")
    parser.add_argument("--crowded-ranks", default=None, help="default 4,8; --quick 4")
    parser.add_argument("--untuned", action="store_true", help="what a program gets without a tuning file")
    parser.add_argument("--class", dest="size", default=None, help="class of nas_ft (default W; --quick S)")
    parser.add_argument("--repeats", type=int, default=None, help="runs of each program (default 5; --quick 2)")
    given = driver.parse(parser, seconds=0.5, quick=0.1)
    if given.count:
        given.only = "count"
    given.crowded = [int(word) for word in (given.crowded_ranks or ("4" if given.quick else "4,8")).split(",")]
    given.size = given.size or ("S" if given.quick else "W")
    given.repeats = given.repeats or (2 if given.quick else 5)
    return given


def chosen(given, part):
    """Collectives and sizes of a run."""
    collectives, sizes = "barrier,bcast,reduce,allreduce,allgather,alltoall", "8,512,4096,32768,262144,1048576,4194304"
    if part == "crowded":
        collectives, sizes = CROWDED, CROWDED_SIZES
    if part == "neighbors":
        collectives, sizes = NEIGHBORS, CROWDED_SIZES
    if given.quick:
        sizes = "8,4096,32768"
    if given.collectives:
        among_neighbors = part == "neighbors"
        collectives = ",".join(name for name in given.collectives.split(",")
                               if name.startswith("neighbor_") == among_neighbors)
    return collectives, given.sizes or sizes


@contextlib.contextmanager
def environment(**variables):
    """With these, and without those that are None."""
    before = {name: os.environ.get(name) for name in variables}

    def put(values):
        for name, value in values.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value

    put(variables)
    try:
        yield
    finally:
        put(before)


def tuning_file(given, ranks, collectives, sizes, folder):
    """What WHERRY_COLL_TUNING should be: a file that the tuner has made here, or nothing."""
    if given.untuned:
        return None
    path = os.path.join(folder, "tuning.txt")
    line = [*shlex.split(os.environ["WHERRY_LAUNCH"]), "-n", str(ranks), driver.program("wherry_tune"), "--file", path,
            "--collectives", collectives, "--sizes", sizes, "--seconds", str(0.3 * given.seconds)]
    print("tuning ...", flush=True)
    done = subprocess.run(line, env=driver.environment(ranks), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          timeout=1800)
    if done.returncode:
        raise driver.Failure(f"wherry_tune failed with status {done.returncode}: {shlex.join(line)}")
    return path


def race(part, given, ranks, verdicts):
    collectives, sizes = chosen(given, part)
    if not collectives:
        return []
    words = ["--collectives", collectives, "--sizes", sizes, "--seconds", str(given.seconds)]
    if given.implementations:
        words += ["--implementations", given.implementations]
    if part == "neighbors":
        words += ["--topologies", TOPOLOGIES]
    print(f"\n{part}, {ranks} ranks", flush=True)
    with tempfile.TemporaryDirectory(prefix="wherry-bench-") as folder:
        file = tuning_file(given, ranks, collectives, sizes, folder)
        with environment(WHERRY_COLL_TUNING=file):
            records = driver.start("bench_collective", ranks, words, limit=3600, quiet=True)
    for r in records:
        r["part"] = part
    cases = {}
    for r in records:
        cases.setdefault(r["case"], {})[r["ours"]] = r
    rows = []
    for case, methods in cases.items():
        auto = methods["auto"]
        best = min((r for r in methods.values() if r["ours"] != SHARED), key=lambda r: r["ours_us"])
        shared = methods.get(SHARED)
        rows.append([case, report.us(auto["peer_us"]), report.us(auto["ours_us"]), f"{auto['ratio']:.2f}",
                     report.us(shared["ours_us"]) if shared else "", best["ours"], f"{best['ratio']:.2f}", "" if auto["steady"] else "not steady"])
    report.table(["collective, bytes", "MPI, µs", "auto, µs", "auto / MPI", "node's memory", "best", "best / MPI", ""], rows)
    targets = TARGETS.get(part, {}) if part != "crowded" or ranks == 4 else {}
    for case, methods in cases.items():
        auto = methods["auto"]
        name, size = case.split(" ")
        void = "" if auto["steady"] else "not steady"
        verdicts.judge(f"{part}, {ranks} ranks, {case}: auto / MPI", auto["ratio"],
                       targets.get((name, int(size)), NEVER_ABOVE), void)
        shared = methods.get(SHARED)
        if shared and part == "tuned" and (name, int(size)) in NODE_MEMORY_GAINS:
            verdicts.judge(f"{part}, {case}: auto / auto in the node's memory", auto["ours_us"] / shared["ours_us"],
                           NODE_MEMORY_GAINS[name, int(size)], void or ("" if shared["steady"] else "not steady"), least=True)
    return records


def tuned(given, mpi, verdicts):
    return race("tuned", given, 2, verdicts)


def stock(given, mpi, verdicts):
    if mpi["name"] != "openmpi-4":
        return []
    with environment(**{SINGLE_COPY: "cma"}):
        return race("stock", given, 2, verdicts)


def neighbors(given, mpi, verdicts):
    """Neighbourhood collectives: around a ring, in a grid, in a graph."""
    return [r for ranks in (2, 4) for r in race("neighbors", given, ranks, verdicts)]


def crowded(given, mpi, verdicts):
    return [r for ranks in given.crowded for r in race("crowded", given, ranks, verdicts)]


def persistent(given, mpi, verdicts):
    """A persistent one started again and again, beside MPI's, where it has such. No target: what an MPI's takes is its own."""
    collectives = given.collectives or "bcast,allreduce,alltoall"
    sizes = given.sizes or ("8,4096,32768" if given.quick else CROWDED_SIZES)
    words = ["--persistent", "--collectives", collectives, "--sizes", sizes, "--seconds", str(given.seconds)]
    if given.implementations:
        words += ["--implementations", given.implementations]
    print("\npersistent, 2 ranks", flush=True)
    records = driver.start("bench_collective", 2, words, limit=3600, quiet=True)
    rows = []
    for case in dict.fromkeys(r["case"] for r in records):
        methods = {r["ours"]: r for r in records if r["case"] == case}
        auto, best = methods["auto"], min(methods.values(), key=lambda r: r["ours_us"])
        rows.append([case, report.us(auto["peer_us"]), report.us(auto["ours_us"]), f"{auto['ratio']:.2f}", best["ours"],
                     f"{best['ratio']:.2f}", "" if auto["steady"] else "not steady"])
    if not rows:
        print("this MPI has none")
        return []
    report.table(["collective, bytes", "MPI's, µs", "auto, µs", "auto / MPI", "best", "best / MPI", ""], rows)
    return records


def overlap(given, mpi, verdicts):
    """The paper's figure 5. No target: it is what it is on cores that do all the work themselves."""
    collectives, sizes = given.collectives or "allreduce,alltoall", given.sizes or (
        "8,1024,32768" if given.quick else "8,64,512,4096,32768,262144,1048576")
    found = []
    for polls in OVERLAP_POLLS:
        print(f"\noverlap, 2 ranks, the computation asks {polls} times", flush=True)
        found += driver.start("wherry_overlap", 2, ["--collectives", collectives, "--sizes", sizes, "--polls", str(polls),
                                                    "--implementations", given.implementations or "mpi,shared,pgas",
                                                    "--rounds", "11" if given.quick else "51"], limit=1200)
    return found


def programs(given, mpi, verdicts):
    """Whole programs, as they are and under the preload, in turns."""
    records = []
    modes = [("", 2, {}), ("", 4, {})]
    if mpi["name"] == "openmpi-4":
        modes.insert(1, ("stock", 2, {SINGLE_COPY: "cma"}))
    for mode, ranks, variables in modes:
        print(f"\nprograms without and with the preload, {ranks} ranks{', stock' if mode else ''}, {given.repeats} runs of each",
              flush=True)
        with environment(**variables):
            found = [preloaded.compare(program, ranks, given.repeats) for program in preloaded.programs(given)]
        found = [dict(r, mode=mode, mpi=mpi["name"]) for r in found if r]
        report.table(["", "MPI, ms", "preload, ms", "ratio", "in MPI", "under preload", "spread"],
                     [[r["case"], f"{r['peer_ms']:.2f}", f"{r['ours_ms']:.2f}", f"{r['ratio']:.2f}",
                       f"{100 * r['peer_waiting']:.0f} %", f"{100 * r['ours_waiting']:.0f} %",
                       f"{100 * r['spread']:.0f} %"] for r in found])
        for r in found:
            verdicts.judge(f"{r['case']}, {ranks} ranks{', stock' if mode else ''}: preload / MPI", r["ratio"], NEVER_ABOVE,
                           "" if r["steady"] else "not steady")
        records += found
    return records


def count(given, mpi, verdicts):
    """Instructions and shared lines of calls: figures that no noise touches."""
    line = ["--count", "--collectives", given.collectives or "barrier,bcast,allreduce,allgather,alltoall", "--sizes",
            given.sizes or "8,4096"]
    line += ["--implementations", given.implementations] if given.implementations else []
    found = driver.start("bench_collective", 2, line, 600)
    return report.counts(found, lambda r: f"{r['collective']} of {r['bytes']} B: {r['method']}")


def lines():
    pass  # a user writes nothing, or MPI's own line


def draw(found, path):
    base, ending = os.path.splitext(path)
    records = [r for part in ("tuned", "stock", "crowded") for r in found.get(part, [])]
    for part in ("tuned", "stock"):
        mine = [r for r in records if r["part"] == part]
        if mine:
            plot.by_size(mine, path if part == "tuned" else f"{base}-{part}{ending}",
                         f"Collectives, {mine[0]['ranks']} ranks, {mine[0]['mpi'].split(',')[0]}, {part}")
    by_ranks = [r for r in records if r["part"] != "stock"]
    if len({r["ranks"] for r in by_ranks}) > 1:
        plot.by_ranks(by_ranks, f"{base}-ranks{ending}", f"Collectives by ranks, {by_ranks[0]['mpi'].split(',')[0]}")
    if found.get("overlap"):
        plot.overlap(found["overlap"], f"{base}-overlap{ending}", "What 2 ranks can hide behind computation")
    if found.get("programs"):
        plot.programs(found["programs"], f"{base}-programs{ending}", "Programs under the preload")


PARTS = {"tuned": tuned, "count": count, "stock": stock, "crowded": crowded, "neighbors": neighbors, "persistent": persistent,
         "overlap": overlap, "programs": programs}

if __name__ == "__main__":
    sys.exit(driver.run("collective", options, PARTS, lines, draw))
