"""./run demo: runs the demonstrations, side by side with other ways of doing the same, and makes a page of the results."""
import json
import os
import time

from . import build, debian, launch, mpi, progress, report, shell, toolchain
from .shell import BUILD

PROGRAMS = ("halo_demo", "redblack3d", "nas_mg", "ray_scene", "lattice_boltzmann")
LIMIT = 240  # seconds for all programs together; what does not fit any more is left out, and the page says so

# What is said beforehand goes by these.
FILES = 121  # that are compiled in a tree of nothing
SECONDS_A_FILE = 5.5  # of one core


class Part:
    """One program run and what came of it."""

    def __init__(self, program, ranks, arguments, expected):
        self.program, self.ranks, self.arguments, self.expected = program, ranks, arguments, expected  # seconds
        self.status, self.seconds, self.records, self.note = None, 0.0, [], ""

    @property
    def title(self):
        how = f"{self.ranks} rank{'s' if self.ranks != 1 else ''}" if self.ranks else "no mpirun"
        return " ".join([self.program, *(shell.short(word) for word in self.arguments), f"({how})"])

    def as_json(self):
        return {"program": self.program, "ranks": self.ranks, "arguments": self.arguments, "status": self.status,
                "seconds": self.seconds, "note": self.note, "records": self.records}


def records_of(path):
    """The records of a JSON file: a list, {"records": [...]}, one object, or one object a line."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except OSError:
        return []
    try:
        data = json.loads(text)
    except ValueError:
        result = []
        for line in text.splitlines():
            try:
                result.append(json.loads(line))
            except ValueError:
                continue
        return [item for item in result if isinstance(item, dict)]
    if isinstance(data, dict):
        data = data["records"] if isinstance(data.get("records"), list) else [data]
    return [item for item in data if isinstance(item, dict)] if isinstance(data, list) else []


def run_part(part, number, which, found, tree, folder, left):
    program = build.program(tree, part.program, must=False)
    if program is None:
        part.note = "not built"
        return
    if left < 5:
        part.note = "left out: the demonstration's time was used up"
        return
    if "--quick" in part.arguments:
        said = shell.capture([program, "--help"], timeout=30, env=launch.apply(found.family, 1))[1]
        part.arguments = [word for word in part.arguments if word != "--quick" or "--quick" in said]
    output = os.path.join(folder, f"{number}.{part.program}.{part.ranks}.json")
    if os.path.exists(output):
        os.remove(output)
    line = [program, *part.arguments, "--json", output]
    environment = launch.apply(found.family, max(part.ranks, 1))
    if part.ranks:
        line = launch.command(found.family, found.mpiexec, part.ranks, line)
    shell.say(f"running {which}: {part.title}")
    began = time.time()
    part.status = progress.run(line, env=environment, timeout=left)
    part.seconds = time.time() - began
    if part.status == 124:
        part.note = f"stopped after {part.seconds:.0f} s"
    part.records = records_of(output)


def parts(options, folder):
    """The cheapest first: what does not fit any more is left out."""
    cores = os.cpu_count() or 1
    counts = options.ranks or sorted({2, cores})
    seconds = ["--seconds", "1" if options.quick else "4"]
    if options.device:
        for ranks in sorted({1, *counts}):
            yield Part("halo_demo", ranks, ["--device", *(["--quick"] if options.quick else [])], 10)
        return
    yield Part("halo_demo", 0, ["--quick"], 6)
    for ranks in counts:
        yield Part("halo_demo", ranks, ["--quick"] if options.quick else [], 6 if options.quick else 40)
    for ranks in counts:
        yield Part("redblack3d", ranks, ["--n", "64" if options.quick else "128", *seconds], 3 if options.quick else 8)
    for ranks in counts:
        yield Part("nas_mg", ranks, ["--class", "S" if options.quick else "A"], 2 if options.quick else 10)
    for ranks in counts:
        image = ["--image", os.path.join(folder, "ray_scene.png")] if ranks == counts[-1] else []
        yield Part("ray_scene", ranks, ["--compare", *seconds, *image], 5 if options.quick else 12)
    for ranks in counts:
        size = "32,32,32" if options.quick else "64,64,64"
        yield Part("lattice_boltzmann", ranks, ["--compare", "--cells", size, *seconds], 5 if options.quick else 15)


def announce(options, targets, todo):
    """Says how long all of it takes and what it installs, before anything is done."""
    found = mpi.find(options.mpi)
    files = build.files_left(found, build.folder(found, options.preset), targets) if found and toolchain.find_ninja() else None
    compiling = (FILES if files is None else files) * SECONDS_A_FILE / shell.jobs()
    running = min(LIMIT, sum(part.expected for part in todo))
    shell.say(f"this takes about {_minutes(compiling + running)}: {_minutes(compiling)} to build with {shell.jobs()} compilers at once, "
              f"{_minutes(running)} to run; a later ./run demo, test or bench goes on with what is built")
    packages = [*toolchain.missing_packages(), *mpi.missing_packages(options.mpi)]
    if packages and not debian.install(*packages):  # all at once, as root
        shell.say("missing here: " + ", ".join(packages) + "; as much of it is fetched from PyPI and Debian into .wherry/, without root")


def _minutes(seconds):
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} minutes"


def main(options):
    # The third is what ./run info asks.
    targets = [*(PROGRAMS[:1] if options.device else PROGRAMS), "wherry_info"]
    shell.jobs()  # a bad number is found before anything is installed
    shell.must_be_writable()
    folder = os.path.join(BUILD, "demo")
    todo, done = list(parts(options, folder)), []
    announce(options, targets, todo)
    found, tree = build.build(options.mpi, options.preset, targets=targets, extra=options.define)
    os.makedirs(folder, exist_ok=True)
    began = time.time()
    for number, part in enumerate(todo, 1):
        run_part(part, number, f"{number} of {len(todo)}", found, tree, folder, LIMIT - (time.time() - began))
        done.append(part)
    results = os.path.join(folder, "results.json")
    with open(results, "w", encoding="utf-8") as file:
        json.dump({"mpi": found.version, "parts": [part.as_json() for part in done]}, file, indent=1)
    page = os.path.join(folder, "index.html")
    report.write(results, page)
    shell.say(f"open {shell.short(page)}")
    passed = sum(part.status == 0 for part in done)
    failed = sum(part.status not in (0, None) for part in done)
    for part in done:
        state = "good" if part.status == 0 else part.note or f"FAILED with status {part.status}"
        print(f"  {part.title:<44} {part.seconds:6.1f} s  {state}")
    print(f"{passed} passed, {failed} failed", flush=True)
    return 1 if failed else 0
