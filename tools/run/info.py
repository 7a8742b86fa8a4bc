"""./run info: this machine, its MPIs and compilers, and what a built program of ours says. Builds nothing by itself."""
import os
import platform
import time

from . import build, launch, mpi, progress, shell, toolchain


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
    yield "CMake", first_line(toolchain.find_cmake() or "cmake", "--version")
    yield "ninja", first_line(toolchain.find_ninja() or "ninja", "--version")
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


def program(options):
    """(Mpi, wherry_info of a tree of this MPI that is built already), or (None, None)."""
    found = mpi.find(options.mpi)
    trees = [build.folder(found, preset) for preset in dict.fromkeys((options.preset,) + build.PRESETS)] if found else []
    for tree in trees:
        path = build.program(tree, "wherry_info", must=False)
        if path:
            return found, path
    return None, None


def calibrate(options):
    """Measures what moving data costs here; the program keeps it for all others."""
    found, tree = build.build(options.mpi, options.preset, targets=["wherry_calibrate"], extra=options.define)
    path = build.program(tree, "wherry_calibrate")
    shell.say("what moving data costs on this machine, with two ranks; let nothing else run meanwhile")
    return progress.run(launch.command(found.family, found.mpiexec, 2, [path]), env=launch.apply(found.family, 2))


def main(options):
    if options.calibrate:
        return calibrate(options)
    for name, value in rows():
        for line in value.split("\n"):
            print(f"{name:>14}  {line}")
            name = ""
    if options.build:
        build.build(options.mpi, options.preset, targets=["wherry_info"], extra=options.define)
    found, path = program(options)
    if path is None:
        print("\nShared memory, nodes, transports and every WHERRY_* setting, as a program finds them:\n"
              "./run info --build builds that program (minutes); ./run demo and ./run test build it, too.")
        return 0
    ranks = options.ranks[0] if options.ranks else 1
    print(f"\n{shell.short(path)}, built {time.strftime('%Y-%m-%d %H:%M', time.localtime(os.path.getmtime(path)))}:", flush=True)
    return progress.run(launch.command(found.family, found.mpiexec, ranks, [path]), env=launch.apply(found.family, ranks))
