"""./run bench all: a first look at everything on this machine, as one table.

Halo exchange, ghost cells of blocks, deep copies, notified writes and collectives, 2 ranks, each beside the best of its peers in
the same run. --quick takes about ten minutes once all is built; without, each part measures as long as it does by itself.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import driver, report  # noqa: E402


class Part:
    """One benchmark: what of it is run, which method is Wherry's, and which peers are no rivals but limits, or ours."""

    def __init__(self, name, title, arguments, ours, limits=()):
        self.name, self.title, self.arguments, self.ours, self.limits = name, title, arguments, ours, limits

    def is_rival(self, peer):
        return not any(peer.startswith(limit) for limit in self.limits)


PARTS = (
    Part("halo", "halo exchange", ["--only", "speed", "--ranks", "2", "--transports", "auto", "--only-touched"],
         ("auto, users' arrays", "auto"), ("a box a direction", "long rows", "pack, flag, unpack", "one copy, unasked")),
    Part("blocks", "ghost cells of blocks: cells/block/components/width", ["--only", "fill", "--only-touched"], ("auto",), ("memcpy",)),
    Part("deep", "deep copies", ["--only", "messages"], ("freeable", "arena, pooled"),
         ("memcpy", "plain", "allocations", "flat by hand")),
    Part("notify", "notified writes", [], ("wherry in place", "wherry"), ("wherry", "shared window by hand", "release stores by hand")),
    Part("collective", "collectives, as tuned", ["--only", "tuned"], ("auto",)),
)


def rows_of(part, records):
    """Case, our method, its µs, the best rival, its µs, how many times as fast, steady: for each case and method of ours."""
    best = {}
    for r in records:
        if r.get("ours") in part.ours and part.is_rival(r.get("peer", "")) and r.get("ours_us", 0) > 0 and r.get("peer_us", 0) > 0:
            key = (r["case"], r["ours"])
            if key not in best or r["peer_us"] < best[key]["peer_us"]:
                best[key] = r
    return [[r["case"], r["ours"], figure(r["ours_us"]), r["peer"], figure(r["peer_us"]), f"{r['peer_us'] / r['ours_us']:.2f}",
             "" if r.get("steady", True) else "not steady"] for r in best.values()]


def figure(us):
    return f"{us:,.0f}" if us >= 100 else f"{us:.3g}"


def run_part(part, words, folder):
    """Its records; what it prints goes to a file."""
    records, said = os.path.join(folder, part.name + ".json"), os.path.join(folder, part.name + ".txt")
    began = time.time()
    print(f"{part.name}: {' '.join([*part.arguments, *words])} ...", end=" ", flush=True)
    with open(said, "w", encoding="utf-8") as text:
        status = subprocess.run([sys.executable, "-B", os.path.join(driver.BENCH, part.name + ".py"), *part.arguments, *words, "--json", records],
                                stdout=text, stderr=subprocess.STDOUT, check=False).returncode
    print(f"{time.time() - began:.0f} s", flush=True)
    if status or not os.path.exists(records):
        with open(said, encoding="utf-8") as text:
            print("".join(text.readlines()[-5:]), file=sys.stderr)
        return None
    with open(records, encoding="utf-8") as text:
        found = json.load(text)
    return found if isinstance(found, list) else found["records"]


def main():
    parser = argparse.ArgumentParser(prog="./run bench all", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a first look in about ten minutes")
    parser.add_argument("--only", default=",".join(part.name for part in PARTS), help="which (default: all of them)")
    parser.add_argument("--json", metavar="FILE", help="write all comparisons")
    given = parser.parse_args()
    wanted = given.only.split(",")
    unknown = set(wanted) - {part.name for part in PARTS}
    if unknown:
        sys.exit(f"bench all: there is no part {', '.join(sorted(unknown))}; there are {', '.join(part.name for part in PARTS)}")
    driver.through_run("all")
    about = driver.machine(os.environ.get("WHERRY_MPI_FAMILY", "other"))
    print(f"{about['cpu']}, {about['cores']} cores, {about['mpi']}, commit {about['commit']}")
    everything, table, failed = [about], [], []
    with tempfile.TemporaryDirectory(prefix="wherry-bench-") as folder:
        for part in (part for part in PARTS if part.name in wanted):
            records = run_part(part, ["--quick"] if given.quick else [], folder)
            if records is None:
                failed.append(part.name)
                continue
            everything += records
            table += [f"{part.title}  (./run bench {part.name})", *rows_of(part, records)]
    print("\nµs; the best of the peers; how many times as fast Wherry is")
    report.table(["", "Wherry", "µs", "best peer", "its µs", "times", ""], table)
    if given.json:
        report.write_json(given.json, everything)
    if failed:
        sys.exit(f"bench all: failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
