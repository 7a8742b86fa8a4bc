"""A Python that can build and run the Python package for an MPI: the one that runs ./run, or an environment made from it.

mpi4py's wheel finds its MPI when it is imported, and finds no MPICH of Debian's, whose library has a name of its own. So there
is an environment for each MPI, and mpi4py is compiled by the MPI's own wrapper where the wheel loads another MPI, or none.
"""
import os
import sys
import sysconfig

from . import configured, debian, environments, presets, shell
from .shell import ROOT, Failure

PACKAGES = ["numpy", "nanobind>=2.4", "mpi4py"]
COMPILED = ["--force-reinstall", "--no-deps", "--no-binary=mpi4py", "mpi4py"]
LABELS = {"python", "mpi", "expect", "bench", *(f"ranks_{ranks}" for ranks in range(1, 5))}  # that entries of the package's tests have
OFF = ("0", "OFF", "NO", "FALSE", "N", "")


# ------------------------------------------------------------------------------------------------------------- for tests

def tests_are_wanted(options):
    """Whether tests of the Python package may be among those that `./run test` is asked for. A name must have "python" in it."""
    given = dict(word[len("-D"):].partition("=")[::2] for word in options.define)
    given = {name.partition(":")[0]: value for name, value in given.items()}

    def setting(name):
        return given.get(name, presets.value(options.preset, name))

    if options.mpi == "simgrid" or "Python_EXECUTABLE" in given or setting("WHERRY_SANITIZE"):
        return False
    if (setting("WHERRY_PYTHON") or "AUTO").upper() in OFF or setting("WHERRY_BUILD_TESTS").upper() in OFF:
        return False
    if "python" in options.without or {"mpi", "expect"} <= set(options.without):
        return False
    return (not options.only or "python" in options.only) and (not options.label or bool(LABELS & set(options.label)))


def for_tests(options, found):
    """What CMake is told of Python, with this MPI, for these tests. If none can be had it is said, and CMake leaves the tests out."""
    if not tests_are_wanted(options):
        return []
    try:
        return definitions(found)
    except Failure as problem:
        shell.say(f"without the tests of the Python package (-D WHERRY_PYTHON=OFF: not tried again): {problem}")
        return []


# ---------------------------------------------------------------------------------------------------------- finding one

def definitions(found):
    """What CMake is told of Python, with this MPI; a Failure says why no Python can be had."""
    return [] if _serves(sys.executable, found) else [f"-DPython_EXECUTABLE={_environment(found)}"]


def interpreter_of(tree):
    """The Python that a configured tree's package is built for."""
    kept = configured.cache(tree)
    return kept.get("Python_EXECUTABLE") or kept["Python3_EXECUTABLE"]


def _serves(python, found):
    """Whether this Python has all, and mpi4py loads this MPI."""
    return shell.capture([python, "-c", "import nanobind, numpy"])[0] == 0 and _fits(python, found) and _has_headers()


def _fits(python, found):
    """Whether mpi4py loads this MPI. Relatives of MPICH are known by the family's name alone."""
    family = _family(python)
    return bool(family) and found.family in (family, f"{family}-{found.family.partition('-')[2]}")


def _family(python):
    """Of the MPI that mpi4py loads; None without mpi4py, or without any MPI that it knows."""
    status, text = shell.capture([python, os.path.join(ROOT, "cmake", "mpi_of_mpi4py.py")])
    return text.strip() if status == 0 else None


def _has_headers():
    return os.path.exists(os.path.join(sysconfig.get_paths()["include"], "Python.h"))


def _environment(found):
    """The Python of an environment that has all, made when missing."""
    if found.family.split("-")[0] not in ("openmpi", "mpich"):
        raise Failure(f"mpi4py is not known to fit {found.version}")
    if sys.version_info < (3, 9):
        raise Failure(f"Python is {sys.version.split()[0]}, expected 3.9 or newer")
    if not _has_headers() and not (sys.base_prefix == "/usr" and debian.install("python3-dev") and _has_headers()):
        raise Failure(f"the headers of {sys.executable} are missing (Debian, as root: apt-get install python3-dev)")
    return environments.python(environments.make(f"python-{found.kind}", PACKAGES, made_for=f"{found.version}, {found.cc}",
                                                 finish=lambda place: _fit(place, found)))


def _fit(place, found):
    """Compiles mpi4py where its wheel does not load this MPI."""
    python = environments.python(place)
    if _fits(python, found):
        return
    shell.say(f"compiling mpi4py for {found.version} (minutes, once)")
    environments.install(place, COMPILED, "mpi4py", {"MPICC": found.cc, "CFLAGS": "-g0"})
    if not _fits(python, found):
        raise Failure(f"mpi4py does not run with {found.version}, though {found.cc} has compiled it")
