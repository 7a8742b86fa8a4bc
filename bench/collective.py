"""./run bench collective: every implementation of MPI's collectives beside MPI's own call.

Buffers are ordinary memory, rewritten before each call; what is timed are the calls, in interleaved rounds of one run, the
mean of the ranks. "auto" is what a program gets that chooses nothing. With Open MPI twice: as it is installed (stock), and
with its single copy switched off where that makes it faster, which is then the harder peer.
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import driver, plot, report  # noqa: E402

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


def options():
    parser = driver.parser("collective", __doc__, PARTS)
    parser.add_argument("--collectives", default="barrier,bcast,reduce,allreduce,allgather,alltoall", help="which")
    parser.add_argument("--sizes", help="bytes of a block or vector")
    parser.add_argument("--implementations", help="only these (default: all that can)")
    given = driver.parse(parser, seconds=0.5, quick=0.1)
    given.sizes = given.sizes or ("8,4096,32768" if given.quick else "8,512,4096,32768,262144,1048576,4194304")
    return given


def race(part, given, ranks, verdicts):
    words = ["--collectives", given.collectives, "--sizes", given.sizes, "--seconds", str(given.seconds)]
    if given.implementations:
        words += ["--implementations", given.implementations]
    records = driver.start("bench_collective", ranks, words, limit=3600)
    cases = {}
    for r in records:
        cases.setdefault(r["case"], {})[r["ours"]] = r
    rows = []
    for case, methods in cases.items():
        auto = methods["auto"]
        best = min(methods.values(), key=lambda r: r["ours_us"])
        rows.append([case, report.us(auto["peer_us"]), report.us(auto["ours_us"]), f"{auto['ratio']:.2f}",
                     best["ours"], f"{best['ratio']:.2f}", "" if auto["steady"] else "not steady"])
    print(f"\n{part}, {ranks} ranks")
    report.table(["collective, bytes", "MPI, µs", "auto, µs", "auto / MPI", "best", "best / MPI", ""], rows)
    for case, methods in cases.items():
        auto = methods["auto"]
        name, size = case.split(" ")
        void = "" if auto["steady"] else "not steady"
        verdicts.judge(f"{part}, {ranks} ranks, {case}: auto / MPI", auto["ratio"],
                       TARGETS[part].get((name, int(size)), NEVER_ABOVE), void)
    return records


def tuned(given, mpi, verdicts):
    return race("tuned", given, 2, verdicts)


def stock(given, mpi, verdicts):
    if mpi["family"] != "openmpi":
        return []
    before = os.environ.get(SINGLE_COPY)
    os.environ[SINGLE_COPY] = "cma"
    try:
        return race("stock", given, 2, verdicts)
    finally:
        os.environ.pop(SINGLE_COPY)
        if before is not None:
            os.environ[SINGLE_COPY] = before


def crowded(given, mpi, verdicts):
    return race("crowded", given, 4, verdicts)


def lines():
    pass  # a user writes nothing, or MPI's own line


def draw(records, path):
    plot.by_size(records, path, f"Collectives, {records[0]['ranks']} ranks, {records[0]['mpi']}")


PARTS = {"tuned": tuned, "stock": stock, "crowded": crowded}

if __name__ == "__main__":
    sys.exit(driver.run("collective", options, PARTS, lines, ("tuned", draw, ())))
