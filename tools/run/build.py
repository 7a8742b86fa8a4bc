"""Configuring and building one tree: build/<mpi>-<preset>."""
import contextlib
import os
import sys
import time

from . import mpi, shell, toolchain
from .shell import ROOT

PRESETS = ("dev", "release", "asan", "tsan", "clang")


def folder(found, preset):
    return os.path.join(ROOT, "build", f"{found.tag}-{preset}")


def environment(found):
    """For tools: the private ninja and the chosen MPI's programs come first."""
    places = [os.path.dirname(toolchain.ninja()), os.path.dirname(found.cxx)]
    extra = [place for place in places if place not in ("/usr/bin", "/bin")]
    return dict(os.environ, PATH=os.pathsep.join(extra + [os.environ.get("PATH", "")]))


@contextlib.contextmanager
def locked(tree):
    """Two ./run at once must not build in one tree."""
    os.makedirs(tree, exist_ok=True)
    with open(os.path.join(tree, ".run.lock"), "w") as lock:
        try:
            import fcntl

            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                shell.say(f"waiting for another ./run that builds in {os.path.relpath(tree, ROOT)}")
                fcntl.flock(lock, fcntl.LOCK_EX)
        except ImportError:
            pass
        yield


def configure(kind, preset, extra=()):
    """Makes the tree ready; gives (Mpi, build folder)."""
    toolchain.compilers(preset)
    toolchain.libraries()
    found = mpi.get(kind)
    with locked(folder(found, preset)):
        return _configure(found, preset, extra)


def _configure(found, preset, extra):
    tree = folder(found, preset)
    cmake, ninja = toolchain.cmake(), toolchain.ninja()
    shell.say(f"configuring {os.path.relpath(tree, ROOT)} with {found.version}")
    command = [cmake, "--preset", preset, "-B", tree, f"-DCMAKE_MAKE_PROGRAM={ninja}",
               f"-DMPI_C_COMPILER={found.cc}", f"-DMPI_CXX_COMPILER={found.cxx}",
               f"-DMPIEXEC_EXECUTABLE={found.mpiexec}", f"-DPython3_EXECUTABLE={sys.executable}", *extra]
    shell.quiet(f"configure-{found.tag}-{preset}", command, env=environment(found))
    return found, tree


def build(kind="auto", preset="dev", targets=(), extra=()):
    found, tree = configure(kind, preset, extra)
    shell.say(f"building with {shell.jobs()} jobs")
    began = time.time()
    command = [toolchain.cmake(), "--build", tree, "-j", str(shell.jobs())]
    if targets:
        command += ["--target", *targets]
    command += ["--", "-k", "0"]  # all errors at once
    with locked(tree):
        shell.quiet(f"build-{found.tag}-{preset}", command, env=environment(found))
    shell.say(f"built in {time.time() - began:.0f} s")
    return found, tree


def program(tree, name, must=True):
    """The path of an executable of the build tree."""
    for place in ("apps", "bench", ""):
        for top, folders, files in os.walk(os.path.join(tree, place)):
            folders[:] = [folder for folder in folders if folder != "CMakeFiles"]
            if name in files and os.access(os.path.join(top, name), os.X_OK):
                return os.path.join(top, name)
    if must:
        raise shell.Failure(f"{os.path.relpath(tree, ROOT)} has no program {name}")
    return None
