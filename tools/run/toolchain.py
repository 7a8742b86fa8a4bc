"""Programs that building and checking need: found, or installed (apt as root, else a private Python environment)."""
import glob
import os
import sys

from . import debian, environments, shell
from .shell import Failure

BUILD_TOOLS = ("build-tools", ["cmake", "ninja"])
PLOTS = ("plots", ["matplotlib"])  # for ./run plot alone
PINNED = {"clang-format": "19.1.7", "codespell": "2.4.1"}
LINT = ("lint", [f"{name}=={version}" for name, version in PINNED.items()])


def pinned(name):
    """A program in the one version that everybody uses."""
    for path in (shell.which(name), shell.which(f"{name}-{PINNED[name].split('.')[0]}")):
        if path and PINNED[name] in shell.capture([path, "--version"])[1].split():
            return path
    return os.path.join(environments.make(*LINT), "bin", name)


def python_with_matplotlib():
    """A Python that has it; a Failure says why there is none."""
    systems = dict.fromkeys([sys.executable, "/usr/bin/python3"])
    found = next(filter(_draws, systems), None)
    if found is None and environments.find(*PLOTS) is None and debian.install("python3-matplotlib"):
        found = next(filter(_draws, systems), None)
    return found or os.path.join(environments.make(*PLOTS), "bin", "python3")


def _draws(python):
    return shell.capture([python, "-c", "import matplotlib"])[0] == 0


def _version(program):
    status, text = shell.capture([program, "--version"])
    for word in text.split():
        parts = word.split(".")
        if status == 0 and len(parts) >= 2 and parts[0].isdigit():
            return tuple(int(part) for part in parts[:2] if part.isdigit())
    return (0, 0)


def find_cmake():
    """The path of a CMake of at least 3.22, or None."""
    path = shell.which("cmake")
    return path if path and _version(path) >= (3, 22) else environments.program(*BUILD_TOOLS, "cmake")


def find_ninja():
    return shell.which("ninja", "ninja-build") or environments.program(*BUILD_TOOLS, "ninja")


def cmake():
    """The path of a CMake of at least 3.22 (installed when missing)."""
    found = find_cmake() or (debian.install("cmake") and find_cmake())
    return found or os.path.join(environments.make(*BUILD_TOOLS), "bin", "cmake")


def ninja():
    found = find_ninja() or (debian.install("ninja-build") and find_ninja())
    return found or os.path.join(environments.make(*BUILD_TOOLS), "bin", "ninja")


def ctest():
    path = os.path.join(os.path.dirname(cmake()), "ctest")
    return path if os.path.exists(path) else "ctest"


def compilers(preset):
    """Makes sure that the preset's compilers are there. Debian package names where they are not."""
    if preset in ("asan", "tsan", "clang"):
        if not (shell.which("clang++-19") and _clang_runtime()):
            if not debian.install("clang-19", "libclang-rt-19-dev"):
                raise Failure(f"the preset {preset} wants clang++-19 with its run-time: "
                              "apt-get install clang-19 libclang-rt-19-dev")
        if not os.path.exists("/usr/lib/llvm-19/bin/ld.lld"):
            debian.install("lld-19")  # links faster; not needed
        if not os.path.exists("/usr/lib/llvm-19/include/c++/v1"):
            debian.install("libc++-19-dev")  # tests/headers takes it where it is
        return
    if not shell.which("c++", "g++", "clang++", os.environ.get("CXX") or "c++"):
        if not debian.install("g++"):
            raise Failure("a C++20 compiler is missing (GCC 12 or Clang 19 at least): apt-get install g++")


def _clang_runtime():
    return bool(glob.glob("/usr/lib/llvm-19/lib/clang/19/lib/linux/libclang_rt.asan*")
                or glob.glob("/usr/lib/llvm-19/lib/clang/19/lib/*/libclang_rt.asan*"))


def missing_packages():
    """Debian's packages of what building needs and is not here."""
    return ([] if shell.which("c++", "g++") else ["g++"]) + ([] if find_cmake() else ["cmake"]) \
        + ([] if find_ninja() else ["ninja-build"])
