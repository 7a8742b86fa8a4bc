"""What every benchmark driver does: find the program that ./run built, start it on so many ranks, read its records."""
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


def start(name, ranks, arguments, limit, before=()):
    """Runs a program; gives its records. `before` is put in front of it on every rank (strace ...)."""
    folder = tempfile.mkdtemp(prefix="wherry-bench-")
    out = os.path.join(folder, "records")
    line = shlex.split(os.environ["WHERRY_LAUNCH"]) + ["-n", str(ranks), *before, program(name), *arguments,
                                                       "--out", out]
    try:
        status = subprocess.run(line, env=environment(ranks), timeout=limit, stdin=subprocess.DEVNULL).returncode
        records = []
        if os.path.exists(out):
            with open(out, encoding="utf-8") as lines:
                records = [json.loads(text) for text in lines if text.strip()]
        if status and not any(r["kind"] == "wrong" for r in records):
            raise Failure(f"{name} failed with status {status}: {shlex.join(line)}")
        return records
    except subprocess.TimeoutExpired:
        raise Failure(f"{name} did not end within {limit:.0f} s: {shlex.join(line)}")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


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


def user_lines(*files):
    """Lines of code between `// begin: what a user writes` and `// end`, without blank lines and comments."""
    count = 0
    for name in files:
        inside = False
        with open(os.path.join(BENCH, name), encoding="utf-8") as lines:
            for text in map(str.strip, lines):
                if text.startswith("// begin: what a user writes"):
                    inside = True
                elif text == "// end":
                    inside = False
                elif inside and text and not text.startswith("//"):
                    count += 1
    return count
