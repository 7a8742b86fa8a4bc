"""./run bench NAME args: bench/NAME.py when there is one, else the program bench_NAME of the release build."""
import ast
import os
import shlex
import sys

from . import build, launch, mpi, progress, python_package, shell
from .shell import ROOT, Failure


# Targets of benchmarks that start other programs too.
MORE = {"all": ["bench_halo", "bench_blocks", "bench_deep", "bench_notify", "bench_sparse", "bench_particles", "bench_collective"],
        "blocks": ["bench_blocks_programs"], "collective": ["bench_collective_programs"],
        "beside": ["bench_harness"], "deep": ["bench_deep_memory"], "lattice_boltzmann": ["lattice_boltzmann"]}


SIMULATED = ("collective_simulated", "halo_simulated", "lattice_boltzmann_simulated", "sparse_simulated")  # with SimGrid's MPI


def names():
    folder = os.path.join(ROOT, "bench")
    found = set()
    for name in os.listdir(folder) if os.path.isdir(folder) else []:
        base, ending = os.path.splitext(name)
        if ending == ".py" and not base.startswith("_"):
            found.add(base)
        elif os.path.isdir(os.path.join(folder, name)) and name not in ("harness", "__pycache__"):
            found.add(name)
    return sorted(found)


def _driver(name):
    path = os.path.join(ROOT, "bench", name + ".py")
    return path if os.path.exists(path) else None


def about(name):
    """One line on a benchmark: the first of its driver's."""
    driver = _driver(name)
    if driver is None:
        return f"the program bench_{name}"
    with open(driver, encoding="utf-8") as text:
        first = (ast.get_docstring(ast.parse(text.read())) or "").split("\n")[0]
    return first.split(": ", 1)[-1]


def listing():
    """For --help."""
    return "benchmarks:\n" + "".join(f"  {name:<26}  {about(name)}\n" for name in names())


def explain(options):
    """The benchmark's own --help, which never builds."""
    if _driver(options.name):
        environment = dict(os.environ, WHERRY_BUILD="")  # or the driver would let ./run build first
        return progress.run([sys.executable, "-B", _driver(options.name), "--help"], env=environment)
    found = mpi.find(options.mpi)
    program = found and build.program(build.folder(found, options.preset), "bench_" + options.name, must=False)
    if program:
        return progress.run([program, "--help"], env=launch.apply(found.family, 1))
    print(f"./run bench {options.name} builds {about(options.name)} and runs it; its options are shown once it is built.")
    return 0


def main(options):
    if options.name is None:
        print(listing(), end="")
        return 0
    if options.name not in names():
        raise Failure(f"there is no benchmark '{options.name}'; there are: {', '.join(names()) or 'none yet'}")
    if {"-h", "--help"} & set(options.rest):
        return explain(options)
    simulated = options.name in SIMULATED
    if simulated:
        options.mpi = "simgrid"
    targets = ["bench_" + options.name] if simulated or os.path.isdir(os.path.join(ROOT, "bench", options.name)) else []
    targets += MORE.get(options.name, [])
    more = python_package.definitions if options.name == "python" else lambda found: []
    found, tree = build.build(options.mpi, options.preset, targets=targets, extra=options.define, more=more)
    ranks = options.ranks[0] if options.ranks else 2
    environment = launch.apply(found.family, ranks)
    # For drivers: where the build is, and how to start programs.
    environment.update(WHERRY_BUILD=tree, WHERRY_MPI=found.kind, WHERRY_MPI_FAMILY=found.family,
                       WHERRY_MPIEXEC=found.mpiexec, WHERRY_RANKS=str(ranks),
                       WHERRY_LAUNCH=shlex.join([sys.executable, os.path.join(ROOT, "tools", "launch"),
                                                 "--family", found.family, "--mpiexec", found.mpiexec]))
    if _driver(options.name):
        line = [sys.executable, _driver(options.name), *options.rest]
    else:
        program = build.program(tree, "bench_" + options.name)
        line = launch.command(found.family, found.mpiexec, ranks, [program, *options.rest])
    shell.say("running " + shlex.join(shell.short(word) for word in line))
    return progress.run(line, env=environment)
