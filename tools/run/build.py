"""Configuring and building one tree: build/<mpi>-<preset>."""
import contextlib
import os
import shutil
import sys
import time

from . import codemodel, configured, debian, mpi, needs, progress, shell, toolchain
from .shell import ROOT, Failure

PRESETS = ("dev", "release", "asan", "tsan", "clang", "odr")


def folder(found, preset):
    return os.path.join(ROOT, "build", f"{found.tag}-{preset}")


def environment(found):
    """For tools: the private ninja and the chosen MPI's programs come first."""
    places = [os.path.dirname(toolchain.ninja()), os.path.dirname(found.cxx)]
    extra = [place for place in places if place not in ("/usr/bin", "/bin")]
    return dict(os.environ, PATH=os.pathsep.join(extra + [os.environ.get("PATH", "")]))


def locked(tree):
    """Two ./run at once must not build in one tree."""
    return shell.locked(f"{tree}.lock", f"builds in {shell.short(tree)}")


def configure(kind, preset, extra=(), targets=None, more=lambda found: []):
    """Makes the tree ready for these targets, or for all; gives (Mpi, build folder). `extra` and `more(Mpi)` are passed on to CMake."""
    shell.jobs()  # a bad number is found before anything is installed
    shell.must_be_writable()
    toolchain.compilers(preset)
    try:
        toolchain.cmake(), toolchain.ninja()
        found = mpi.get(kind)
    except Failure as problem:
        raise Failure(f"{problem}{_enough(kind)}")
    needs.install(needs.of_everything(found.tag) if targets is None else targets)
    extra = [*more(found), *extra]
    with locked(folder(found, preset)):
        return _configure(found, preset, extra)


def _enough(kind):
    """The one command of root that spares users everything that can go wrong without root."""
    packages = [*toolchain.missing_packages(), *mpi.missing_packages(kind)]
    if shell.is_root() or not debian.present() or not packages:
        return ""
    return "\n  With this, done once as root, nothing has to be fetched: apt-get install " + " ".join(packages)


def _configure(found, preset, extra):
    tree = folder(found, preset)
    _forget_if_moved(tree)
    definitions = [f"-DCMAKE_MAKE_PROGRAM={toolchain.ninja()}", f"-DMPI_C_COMPILER={found.cc}", f"-DMPI_CXX_COMPILER={found.cxx}",
                   f"-DMPIEXEC_EXECUTABLE={found.mpiexec}", f"-DPython3_EXECUTABLE={sys.executable}", *extra]
    asked = configured.Asked(definitions, found.version)
    if asked.holds_in(tree):
        # Where CMake's own files have changed ninja runs it.
        progress.logged("configuring", [toolchain.ninja(), "-C", tree, "build.ninja"], env=environment(found),
                        name=f"configure-again-{os.path.basename(tree)}")
        return found, tree
    configured.forget(tree)
    codemodel.ask(tree)
    shell.say(f"configuring {shell.short(tree)} with {found.version}")
    try:
        progress.logged("configuring", [toolchain.cmake(), "--preset", preset, "-B", tree, *definitions], env=environment(found),
                        name=f"configure-{os.path.basename(tree)}")
    except Failure:
        # CMake remembers what it did not find, and that a compiler on a full disk could not even compile a line.
        with contextlib.suppress(FileNotFoundError):
            os.remove(os.path.join(tree, "CMakeCache.txt"))
        raise
    asked.keep(tree)
    return found, tree


def _forget_if_moved(tree):
    """A tree is full of absolute paths: in a checkout that was moved or copied it is made anew."""
    try:
        with open(os.path.join(tree, "CMakeCache.txt"), encoding="utf-8", errors="replace") as cache:
            home = next((line.split("=", 1)[1].strip() for line in cache if line.startswith("CMAKE_HOME_DIRECTORY:")), ROOT)
    except FileNotFoundError:
        return
    if os.path.realpath(home) != os.path.realpath(ROOT):
        shell.say(f"{shell.short(tree)} was made in {home}: beginning anew")
        shutil.rmtree(tree)


def compile_targets(found, tree, targets=None):
    """Builds these targets, or all, up to the first error."""
    began = time.time()
    command = [toolchain.ninja(), "-C", tree, "-j", str(shell.jobs()), *(targets or [])]
    with locked(tree):
        progress.logged("building", command, env=environment(found), name=f"build-{os.path.basename(tree)}")
    if time.time() - began > 5:
        shell.say(f"built in {time.time() - began:.0f} s")


def files_left(found, tree, targets):
    """How many files are still to be compiled for these targets, as far as one can tell beforehand; None: nothing is known yet."""
    status, text = shell.capture([toolchain.ninja(), "-C", tree, "-t", "inputs", *targets], env=environment(found))
    objects = [line for line in text.splitlines() if line.endswith(".o")]
    return None if status or not objects else sum(not os.path.exists(os.path.join(tree, path)) for path in objects)


def build(kind="auto", preset="release", targets=None, extra=(), more=lambda found: []):
    """Configures, and builds these targets or all; gives (Mpi, build folder)."""
    found, tree = configure(kind, preset, extra, targets, more)
    compile_targets(found, tree, targets)
    return found, tree


def program(tree, name, must=True):
    """The path of an executable of the build tree."""
    for place in ("apps", "bench", ""):
        for top, folders, files in os.walk(os.path.join(tree, place)):
            folders[:] = [folder for folder in folders if folder != "CMakeFiles"]
            if name in files and os.access(os.path.join(top, name), os.X_OK):
                return os.path.join(top, name)
    if must:
        raise Failure(f"{shell.short(tree)} has no program {name}")
    return None
