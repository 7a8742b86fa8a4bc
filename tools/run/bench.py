"""./run bench NAME args: bench/NAME.py when there is one, else the program bench_NAME of the release build."""
import os
import subprocess
import sys

from . import build, launch, shell, toolchain
from .shell import ROOT, Failure


# Targets of benchmarks that start other programs too.
MORE = {"blocks": ["bench_blocks_programs"], "deep": ["bench_deep_memory"]}


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


def main(options):
    if options.name not in names():
        raise Failure(f"there is no benchmark '{options.name}'; there are: {', '.join(names()) or 'none yet'}")
    only = ["bench_" + options.name] if os.path.isdir(os.path.join(ROOT, "bench", options.name)) else []
    only += MORE.get(options.name, [])
    toolchain.peers(options.name)
    found, tree = build.build(options.mpi, options.preset, targets=only, extra=options.define)
    ranks = int((options.ranks or "2").split(",")[0])
    environment = launch.apply(found.family, ranks)
    # For drivers: where the build is, and how to start programs.
    environment.update(WHERRY_BUILD=tree, WHERRY_MPI=found.kind, WHERRY_MPI_FAMILY=found.family,
                       WHERRY_MPIEXEC=found.mpiexec, WHERRY_RANKS=str(ranks),
                       WHERRY_LAUNCH=f"{sys.executable} {ROOT}/tools/launch --family {found.family} "
                                     f"--mpiexec {found.mpiexec}")
    driver = os.path.join(ROOT, "bench", options.name + ".py")
    if os.path.exists(driver):
        line = [sys.executable, driver, *options.rest]
    else:
        program = build.program(tree, "bench_" + options.name)
        line = launch.command(found.family, found.mpiexec, ranks, [program, *options.rest])
    shell.say("running " + " ".join(os.path.relpath(word, ROOT) if word.startswith(ROOT) else word for word in line))
    sys.stdout.flush()
    return subprocess.run(line, env=environment, cwd=ROOT).returncode
