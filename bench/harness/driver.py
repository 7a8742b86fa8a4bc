"""What every benchmark driver does: find the program that ./run built, start it on so many ranks, read its records."""
import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile

BENCH = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOT = os.path.dirname(BENCH)
sys.path.insert(0, os.path.join(ROOT, "tools"))


class Failure(Exception):
    """Ends the driver with a message."""


def through_run(name):
    """Started by hand instead of by ./run: let ./run build first."""
    if "WHERRY_BUILD" not in os.environ:
        os.execv(os.path.join(ROOT, "run"), ["run", "bench", name, *sys.argv[1:]])


def parser(name, about, parts):
    """For the options that all benchmarks have."""
    result = argparse.ArgumentParser(prog="./run bench " + name, description=about,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    result.add_argument("--quick", action="store_true", help="a first look in about a minute")
    result.add_argument("--only", default=",".join(parts), help="parts: " + ", ".join(parts))
    if name in ("halo", "collective", "deep"):
        result.add_argument("--count", action="store_true",
                            help="instead of times: instructions, and shared cache lines touched, of calls whose peers have come")
    result.add_argument("--json", metavar="FILE", help="write all comparisons")
    result.add_argument("--plot", metavar="FILE", help=f"where the plot goes (default build/bench/{name}-MPI.png)")
    return result


def parse(options, seconds, quick):
    """The command line; `seconds` measured a case by default, `quick` in a first look."""
    options.add_argument("--seconds", type=float, help=f"measured a case (default {seconds}; --quick {quick})")
    given = options.parse_args()
    given.seconds = given.seconds or (quick if given.quick else seconds)
    return given


def run(name, options, parts, lines, picture):
    """A whole benchmark: its parts, each `part(given, mpi, verdicts)` gives comparisons; then what users write, targets
    met and missed, plot and JSON. `options()` gives the command line, `picture` the part to draw, its title and
    which peers are limits; or it is called with all that was found and the picture's place. Gives the exit status."""
    from . import plot, report

    through_run(name)
    try:
        given = options()
        given.parts = given.only.split(",")
        unknown = set(given.parts) - set(parts)
        if unknown:
            raise Failure(f"unknown parts: {', '.join(sorted(unknown))}; there are {', '.join(parts)}")
        family = os.environ.get("WHERRY_MPI_FAMILY", "other")
        mpi = {"name": family, "family": family.split("-")[0]}
        about = machine(mpi["name"])
        print(f"{about['cpu']}, {about['cores']} cores, {about['mpi']}, commit {about['commit']}")
        if about["single_copy"] == "none":
            print("Open MPI copies through shared memory: faster here than its single copy, for the peers too")
        verdicts = report.Verdicts()
        found = {part: parts[part](given, mpi, verdicts) or [] for part in parts if part in given.parts}
    except Failure as failure:
        sys.exit(f"bench {name}: {failure}")
    lines()
    verdicts.summary()
    place = given.plot or os.path.join(ROOT, "build", "bench", f"{name}-{mpi['name']}.png")
    if callable(picture):
        picture(found, place)
    else:
        part, title, limits = picture
        if found.get(part):
            title(found[part], place) if callable(title) else plot.bars(found[part], place, title, limits)
    if given.json:
        report.write_json(given.json, [about] + [record for records in found.values() for record in records])
    return 0


def program(name):
    from run import build

    return build.program(os.environ["WHERRY_BUILD"], name)


def environment(ranks):
    """Ours without what ./run set for another number of ranks, without settings that would bend the comparison, and
    with those that make the peers fast."""
    from run import launch

    family = os.environ.get("WHERRY_MPI_FAMILY", "other")
    result = dict(os.environ)
    for key, value in launch.environment(family, int(os.environ.get("WHERRY_RANKS", "2"))).items():
        if result.get(key) == value:
            del result[key]
    for key in [key for key in ("WHERRY_TRANSPORT", "WHERRY_STATS", "WHERRY_TRACE", "WHERRY_CHECK") if key in result]:
        print(f"note: {key} is not used here", file=sys.stderr)
        del result[key]
    if family == "openmpi-4":
        # Open MPI's copying across address spaces is up to 1.5 times slower here than its two copies (FACTS says 3.5).
        result.setdefault("OMPI_MCA_btl_vader_single_copy_mechanism", "none")
    return result


def start(name, ranks, arguments, limit, before=(), quiet=False, hosts=1):
    """Runs a program; gives its records. `before` is put in front of it on every rank (strace ...). `quiet`: what it prints
    is not shown. `hosts`: over which the ranks are dealt, see tools/run/hosts.py."""
    return _start(name, ["--hosts", str(hosts)], [*before, program(name)], ranks, arguments, limit, quiet)


def start_python(name, ranks, arguments, limit):
    """Runs bench/`name` by the Python that the tree's package is built for, with this package; gives its records."""
    from run import python_package

    tree = os.environ["WHERRY_BUILD"]
    modules = os.pathsep.join(os.path.join(tree, place) for place in ("bindings/python", "bench"))
    command = ["env", "PYTHONPATH=" + modules, "PYTHONDONTWRITEBYTECODE=1", python_package.interpreter_of(tree), os.path.join(BENCH, name)]
    return _start(name, [], command, ranks, arguments, limit)


def _start(name, how, command, ranks, arguments, limit, quiet=False):
    """Launches a command that writes its records to the file after --out."""
    folder = tempfile.mkdtemp(prefix="wherry-bench-")
    out = os.path.join(folder, "records")
    line = shlex.split(os.environ["WHERRY_LAUNCH"]) + ["-n", str(ranks), *how, *command, *arguments, "--out", out]
    try:
        status = subprocess.run(line, env=environment(ranks), timeout=limit, stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL if quiet else None).returncode
        records = []
        if os.path.exists(out):
            with open(out, encoding="utf-8") as lines:
                records = [json.loads(text) for text in lines if text.strip()]
        if status and not any(r.get("kind") == "wrong" for r in records):
            raise Failure(f"{name} failed with status {status}: {shlex.join(line)}")
        return records
    except subprocess.TimeoutExpired:
        raise Failure(f"{name} did not end within {limit:.0f} s: {shlex.join(line)}")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def application(name, ranks, arguments, settings=None):
    """Runs an application, with these settings in its environment; shows what it prints; gives its records."""
    with tempfile.TemporaryDirectory(prefix="wherry-bench-") as folder:
        out = os.path.join(folder, "records.json")
        line = shlex.split(os.environ["WHERRY_LAUNCH"]) + ["-n", str(ranks), program(name), *arguments, "--json", out]
        shown = "".join(f"{key}={value} " for key, value in (settings or {}).items())
        print(f"\n{shown}{name} {' '.join(arguments)}, {ranks} ranks", flush=True)
        status = subprocess.run(line, env=dict(environment(ranks), **(settings or {})), timeout=900, stdin=subprocess.DEVNULL).returncode
        if status:
            raise Failure(f"{name} failed with status {status}: {shlex.join(line)}")
        with open(out, encoding="utf-8") as text:
            return json.load(text)


def machine(mpi):
    """The machine record of a JSON file."""
    cpu = ""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            cpu = next((text.split(":", 1)[1].strip() for text in lines if text.startswith("model name")), "")
    except OSError:
        pass
    commit = subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty"], capture_output=True, text=True)
    return {"bench": "machine", "cpu": cpu, "cores": os.cpu_count(),
            "system": " ".join(os.uname()[i] for i in (0, 2, 4)), "mpi": mpi,
            "single_copy": environment(2).get("OMPI_MCA_btl_vader_single_copy_mechanism", "default"),
            "commit": commit.stdout.strip()}


def user_lines(*files, only=""):
    """Lines of code between `// begin: what a user writes` and `// end`, without blank lines and comments. `only` those
    parts whose first line has this word in parentheses."""
    count = 0
    for name in files:
        inside = False
        with open(os.path.join(BENCH, name), encoding="utf-8") as lines:
            for text in map(str.strip, lines):
                if text.startswith("// begin: what a user writes"):
                    inside = f"({only})" in text if only else True
                elif text == "// end":
                    inside = False
                elif inside and text and not text.startswith("//"):
                    count += 1
    return count
