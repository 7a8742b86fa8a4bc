"""./run info: this machine, its MPIs and compilers, and (once built) Wherry's own settings."""
import os
import platform
import subprocess

from . import build, launch, mpi, shell, toolchain
from .shell import ROOT


def first_line(*command):
    status, text = shell.capture(list(command))
    return text.splitlines()[0].strip() if status == 0 and text else "not here"


def processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as text:
            for line in text:
                if line.startswith("model name"):
                    return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def shared_memory():
    try:
        space = os.statvfs("/dev/shm")
        return f"{space.f_bavail * space.f_frsize / 2**20:.0f} MiB free in /dev/shm"
    except OSError:
        return "no /dev/shm"


def rows():
    yield "system", f"{platform.system()} {platform.release()} {platform.machine()}"
    yield "processor", f"{processor()}, {os.cpu_count()} cores"
    yield "shared memory", shared_memory()
    yield "C++ compiler", first_line(os.environ.get("CXX", "c++"), "--version")
    yield "clang-19", first_line("clang++-19", "--version")
    yield "CMake", first_line(shell.which("cmake") or toolchain.venv_program("cmake") or "cmake", "--version")
    yield "ninja", first_line(shell.which("ninja") or toolchain.venv_program("ninja") or "ninja", "--version")
    chosen = mpi.find()
    for kind in mpi.KINDS:
        found = mpi.find(kind)
        mark = "  <- auto" if found and chosen and found.cxx == chosen.cxx else ""
        yield kind, (f"{found.version}, {found.cxx}{mark}" if found else f"not here; --mpi {kind} installs it")
    if chosen:
        variables = launch.environment(chosen.family, 2)
        yield "launched by", " ".join(launch.command(chosen.family, chosen.mpiexec, 2, ["PROGRAM"]))
        yield "with", "\n".join(f"{name}={value}" for name, value in variables.items()
                                if not name.endswith("SAN_OPTIONS") and "ALLOW_RUN" not in name)


def main(options):
    for name, value in rows():
        for line in value.split("\n"):
            print(f"{name:>14}  {line}")
            name = ""
    has_program = os.path.exists(os.path.join(ROOT, "apps", "wherry_info", "CMakeLists.txt"))
    if not has_program:
        return 0
    found, tree = build.build(options.mpi, options.preset, targets=["wherry_info"], extra=options.define)
    program = build.program(tree, "wherry_info")
    line = launch.command(found.family, found.mpiexec, int(options.ranks or 1), [program])
    return subprocess.run(line, env=launch.apply(found.family, int(options.ranks or 1))).returncode
