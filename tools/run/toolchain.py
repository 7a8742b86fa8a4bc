"""Programs that building and checking need: found, or installed (apt as root, else a private Python environment)."""
import os
import sys
import sysconfig

from . import shell
from .shell import PRIVATE, Failure

VENV = os.path.join(PRIVATE, "venv")
PINNED = {"clang-format": "clang-format==19.1.7", "codespell": "codespell==2.4.1"}


def venv_program(name, folder=VENV):
    for place in ("bin", "local/bin"):
        path = os.path.join(folder, place, name)
        if os.access(path, os.X_OK):
            return path
    return None


def pip_install(packages, folder=VENV, what=None):
    """Installs into a private environment; without `venv` into a plain prefix. True when it worked."""
    python = os.path.join(folder, "bin", "python3")
    what = what or " ".join(packages)
    if not os.path.exists(python):
        os.makedirs(os.path.dirname(folder), exist_ok=True)
        status, _ = shell.capture([sys.executable, "-m", "venv", folder], timeout=300)
        if status:
            status, _ = shell.capture([sys.executable, "-m", "pip", "--version"])
            if status:
                return False
            shell.say(f"installing {what} into {os.path.relpath(folder, shell.ROOT)}")
            command = [sys.executable, "-m", "pip", "install", "-q", "--prefix", folder, *packages]
            return shell.quiet("pip install", command, check=False) == 0
    shell.say(f"installing {what} into {os.path.relpath(folder, shell.ROOT)}")
    command = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", *packages]
    return shell.quiet("pip install", command, check=False) == 0


def pinned(name):
    """A program from PyPI in the one version that everybody uses."""
    stamp = os.path.join(VENV, f".{PINNED[name]}")
    if not (venv_program(name) and os.path.exists(stamp)):
        if not pip_install([PINNED[name]]):
            raise Failure(f"cannot install {PINNED[name]}: needs pip (python3-venv or python3-pip) and PyPI; "
                          "see build/logs/pip.log")
        open(stamp, "w").close()
    return venv_program(name)


def python_with(*modules):
    """A Python that has the modules (ours, or the private one), or None."""
    for python in (sys.executable, os.path.join(VENV, "bin", "python3")):
        if shell.capture([python, "-c", "import " + ",".join(modules)])[0] == 0:
            return python
    python = os.path.join(VENV, "bin", "python3")
    if pip_install(list(modules)) and shell.capture([python, "-c", "import " + ",".join(modules)])[0] == 0:
        return python
    return None


def _version(program):
    status, text = shell.capture([program, "--version"])
    for word in text.split():
        parts = word.split(".")
        if status == 0 and len(parts) >= 2 and parts[0].isdigit():
            return tuple(int(part) for part in parts[:2] if part.isdigit())
    return (0, 0)


def cmake():
    """The path of a CMake of at least 3.22 (installed when missing)."""
    path = shell.which("cmake")
    if path and _version(path) >= (3, 22):
        return path
    path = venv_program("cmake")
    if path:
        return path
    if shell.apt_install("cmake"):
        path = shell.which("cmake")
        if path and _version(path) >= (3, 22):
            return path
    if pip_install(["cmake"]):
        return venv_program("cmake")
    raise Failure("CMake 3.22 or newer is missing, and neither apt (as root) nor pip could install it")


def ctest():
    path = os.path.join(os.path.dirname(cmake()), "ctest")
    return path if os.path.exists(path) else "ctest"


def ninja():
    path = shell.which("ninja", "ninja-build") or venv_program("ninja")
    if path:
        return path
    if shell.apt_install("ninja-build"):
        return shell.which("ninja")
    if pip_install(["ninja"]):
        return venv_program("ninja")
    raise Failure("ninja is missing, and neither apt (as root) nor pip could install it")


def compilers(preset):
    """Makes sure that the preset's compilers are there. Debian package names where they are not."""
    if preset in ("asan", "tsan", "clang"):
        if not (shell.which("clang++-19") and _clang_runtime()):
            if not shell.apt_install("clang-19", "libclang-rt-19-dev"):
                raise Failure(f"the preset {preset} wants clang++-19 with its run-time: "
                              "apt-get install clang-19 libclang-rt-19-dev")
        return
    if not shell.which("c++", "g++", "clang++", os.environ.get("CXX") or "c++"):
        if not shell.apt_install("g++"):
            raise Failure("a C++20 compiler is missing (GCC 12 or Clang 19 at least): apt-get install g++")


def _clang_runtime():
    import glob

    return bool(glob.glob("/usr/lib/llvm-19/lib/clang/19/lib/linux/libclang_rt.asan*")
                or glob.glob("/usr/lib/llvm-19/lib/clang/19/lib/*/libclang_rt.asan*"))


# Libraries that single applications use: header, Debian package, what is left out without it.
LIBRARIES = [("fftw3.h", "libfftw3-dev", "apps/nas_ft"), ("openblas_config.h", "libopenblas-dev", "apps/summa")]


def libraries():
    """Installs what the applications use where we may; what is missing then, CMake leaves out and says so."""
    for header, package, used_by in LIBRARIES:
        status, _ = shell.capture([os.environ.get("CXX") or "c++", "-E", "-x", "c++", "-include", header, os.devnull])
        if status and not shell.apt_install(package):
            shell.say(f"{used_by} is left out: there is no {header} (Debian: apt-get install {package})")


# What benchmarks compare with: header, Debian packages.
PEERS = {"deep": [("boost/mpi.hpp", ("libboost1.81-dev", "libboost-mpi1.81-dev")),
                  ("boost/archive/binary_oarchive.hpp", ("libboost1.81-dev", "libboost-serialization1.81-dev")),
                  ("cereal/cereal.hpp", ("libcereal-dev",))]}


def peers(bench):
    """Installs a benchmark's peers where we may; it leaves out those that are missing then."""
    for header, packages in PEERS.get(bench, []):
        if not os.path.exists("/usr/include/" + header) and not shell.apt_install(*packages):
            shell.say(f"there is no {header} to compare with (Debian: apt-get install {' '.join(packages)})")


def platform_name():
    return sysconfig.get_platform()
