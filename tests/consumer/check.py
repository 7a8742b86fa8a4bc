#!/usr/bin/env python3
"""Builds tests/consumer/project against Wherry in one way (find_package, pkg_config, add_subdirectory) and runs it."""
import argparse
import fcntl
import os
import shlex
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def must(command, **more):
    print("$ " + shlex.join(command), flush=True)
    if subprocess.run(command, **more).returncode:
        sys.exit(f"failed: {shlex.join(command)}")


def install(options):
    """Installs the build tree, then moves it: an installed tree must work from any place."""
    first = os.path.join(options.work, "first_prefix")
    prefix = os.path.join(options.work, "moved here")
    with open(os.path.join(options.build, ".install.lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # install writes one manifest into the build tree
        must([options.cmake, "--install", options.build, "--prefix", first], stdout=subprocess.DEVNULL)
    os.rename(first, prefix)
    return prefix


def by_cmake(options, *definitions, programs):
    """Without optimisation and debug information: that it builds is the question."""
    tree = os.path.join(options.work, "build")
    must([options.cmake, "-S", os.path.join(HERE, "project"), "-B", tree, "-G", options.generator,
          f"-DCMAKE_MAKE_PROGRAM={options.make_program}", "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=",
          f"-DCMAKE_C_COMPILER={options.c_compiler}", f"-DCMAKE_CXX_COMPILER={options.compiler}", *definitions])
    must([options.cmake, "--build", tree, "-j", "2", "--target", *programs])
    return [os.path.join(tree, program) for program in programs]


def by_pkg_config(options, prefix):
    program = shutil.which("pkg-config") or shutil.which("pkgconf")
    if program is None:
        print("pkg-config is not here")
        sys.exit(77)
    for place in ("lib", "lib64", f"lib/{os.uname().machine}-linux-gnu"):
        if os.path.exists(os.path.join(prefix, place, "pkgconfig", "wherry.pc")):
            libraries = os.path.join(prefix, place)
    environment = dict(os.environ, PKG_CONFIG_PATH=os.path.join(libraries, "pkgconfig"))
    sanitize = ["-fsanitize=" + options.sanitize.replace(";", ",")] if options.sanitize else []
    targets = []
    for package, compiler, source in (("wherry", [options.compiler, "-std=c++20"], "main.cpp"),
                                      ("wherry_gaspi", [options.c_compiler, "-std=c99"], "gaspi.c"),
                                      ("wherry_crestacoll", [options.c_compiler, "-std=c99"], "crestacoll.c")):
        run = subprocess.run([program, "--cflags", "--libs", package], env=environment, capture_output=True, text=True)
        if run.returncode:
            sys.exit(run.stderr)
        targets.append(os.path.join(options.work, os.path.splitext(source)[0]))
        flags = shlex.split(run.stdout)
        must([*compiler, *sanitize, "-c", os.path.join(HERE, "project", source), "-o", targets[-1] + ".o", *flags])
        linker = options.compiler if sanitize else compiler[0]  # Clang's C does not know C++'s part of its sanitizers
        must([linker, *sanitize, targets[-1] + ".o", "-o", targets[-1], *flags, "-Wl,-rpath," + libraries])
    return targets


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("way", choices=["find_package", "pkg_config", "add_subdirectory"])
    for name in ("source", "build", "work", "cmake", "generator", "make-program", "c-compiler", "compiler", "mpi-cxx", "mpi-c",
                 "mpiexec", "family", "sanitize"):
        parser.add_argument("--" + name, default="")
    options = parser.parse_args()
    shutil.rmtree(options.work, ignore_errors=True)
    os.makedirs(options.work)
    sanitize = []
    if options.sanitize:
        flag = "-fsanitize=" + options.sanitize.replace(";", ",")
        sanitize = [f"-DCMAKE_CXX_FLAGS={flag}", f"-DCMAKE_EXE_LINKER_FLAGS={flag}"]
    if options.way == "add_subdirectory":
        # The library is compiled without precompiled headers in the tree that tests this.
        programs = by_cmake(options, f"-DWHERRY_SOURCE={options.source}", "-DWHERRY_PRECOMPILED_HEADERS=all",
                            f"-DMPI_CXX_COMPILER={options.mpi_cxx}", f"-DMPI_C_COMPILER={options.mpi_c}",
                            f"-DMPIEXEC_EXECUTABLE={options.mpiexec}", *sanitize, programs=["consumer"])
    elif options.way == "find_package":
        # No MPI is named here: the package must prefer the one that it was built with.
        prefix = install(options)
        programs = by_cmake(options, f"-DCMAKE_PREFIX_PATH={prefix}", *sanitize,
                            programs=["consumer", "gaspi_consumer", "crestacoll_consumer"])
        if os.path.isdir(os.path.join(options.build, "apps")):  # else they are not built, nor installed
            must([os.path.join(prefix, "bin", "wherry_plan"), "halo", "64x64x64", "--ranks", "8"], stdout=subprocess.DEVNULL)
    else:
        programs = by_pkg_config(options, install(options))
    for program in programs:
        must([sys.executable, os.path.join(options.source, "tools", "launch"), "--family", options.family,
              "--mpiexec", options.mpiexec, "-n", "2", program])
    return 0


sys.exit(main())
