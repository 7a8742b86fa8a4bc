#!/usr/bin/env python3
"""Builds tests/consumer/project against Wherry in one way (find_package, pkg_config, add_subdirectory) and runs it.

defaults: only looks at what a build with no option compiles.
"""
import argparse
import fcntl
import json
import os
import re
import shlex
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def must(command, **more):
    print("$ " + shlex.join(command), flush=True)
    if subprocess.run(command, **more).returncode:
        sys.exit(f"failed: {shlex.join(command)}")


def install(options, tree):
    """Installs a build tree, then moves it: an installed tree must work from any place."""
    first = os.path.join(options.work, "first_prefix")
    prefix = os.path.join(options.work, "moved here")
    with open(os.path.join(tree, ".install.lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # install writes one manifest into the build tree
        must([options.cmake, "--install", tree, "--prefix", first], stdout=subprocess.DEVNULL)
    os.rename(first, prefix)
    return prefix


def version(options):
    """As the project gives it, to the minor number."""
    with open(os.path.join(options.source, "CMakeLists.txt")) as text:
        return re.search(r"project\(Wherry VERSION (\d+\.\d+)", text.read()).group(1)


def by_cmake(options, *definitions, programs, tree="build"):
    """Without optimisation and debug information: that it builds is the question."""
    tree = os.path.join(options.work, tree)
    must([options.cmake, "-S", os.path.join(HERE, "project"), "-B", tree, "-G", options.generator,
          f"-DCMAKE_MAKE_PROGRAM={options.make_program}", "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=",
          f"-DWHERRY_VERSION={version(options)}",
          f"-DCMAKE_C_COMPILER={options.c_compiler}", f"-DCMAKE_CXX_COMPILER={options.compiler}", *definitions])
    must([options.cmake, "--build", tree, "-j", "2", "--target", *programs])
    return [os.path.join(tree, program) for program in programs]


def library_folder(prefix):
    return next(place for place in (os.path.join(prefix, name) for name in ("lib", "lib64", f"lib/{os.uname().machine}-linux-gnu"))
                if os.path.exists(os.path.join(place, "pkgconfig", "wherry.pc")))


def asked(libraries, *words):
    """What pkg-config says."""
    program = shutil.which("pkg-config") or shutil.which("pkgconf")
    if program is None:
        print("pkg-config is not here")
        sys.exit(77)
    said = subprocess.run([program, *words], env=dict(os.environ, PKG_CONFIG_PATH=os.path.join(libraries, "pkgconfig")),
                          capture_output=True, text=True)
    if said.returncode:
        sys.exit(said.stderr)
    return shlex.split(said.stdout)


def by_pkg_config(options, prefix):
    """Each package; then crestacoll again where there is no shared library of it, as `--static` tells."""
    libraries = library_folder(prefix)
    sanitize = ["-fsanitize=" + options.sanitize.replace(";", ",")] if options.sanitize else []
    for package, compiler, source, static in (("wherry", [options.compiler], "main.cpp", []),
                                              ("wherry_gaspi", [options.c_compiler, "-std=c99"], "gaspi.c", []),
                                              ("wherry_crestacoll", [options.c_compiler, "-std=c99"], "crestacoll.c", []),
                                              ("wherry_crestacoll", [options.c_compiler, "-std=c99"], "crestacoll.c", ["--static"])):
        if static:
            os.remove(os.path.join(libraries, "libcrestacoll.so"))
        program = os.path.join(options.work, os.path.splitext(source)[0] + "".join(static))
        flags = asked(libraries, *static, "--cflags", "--libs", package)
        must([*compiler, *sanitize, "-c", os.path.join(HERE, "project", source), "-o", program + ".o", *flags])
        linker = options.compiler if sanitize else compiler[0]  # Clang's C does not know C++'s part of its sanitizers
        must([linker, *sanitize, program + ".o", "-o", program, *flags, "-Wl,-rpath," + libraries])
        run(options, program)
    if not options.sanitize:  # Clang's C does not know C++'s part of its sanitizers
        c_examples_by_pkg_config(options, libraries)
        if options.fortran_compiler:
            fortran_examples_by_pkg_config(options, libraries)


def cpp_examples(options, prefix):
    """The programs in examples/cpp."""
    tree = os.path.join(options.work, "examples_cpp")
    source = os.path.join(options.source, "examples", "cpp")
    must([options.cmake, "-S", source, "-B", tree, "-G", options.generator, f"-DCMAKE_MAKE_PROGRAM={options.make_program}",
          f"-DCMAKE_CXX_COMPILER={options.compiler}", f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_BUILD_TYPE=Debug",
          "-DCMAKE_CXX_FLAGS_DEBUG=-Wall -Wextra -Wpedantic -Werror"])
    must([options.cmake, "--build", tree, "-j", "2"])
    return [os.path.join(tree, os.path.splitext(name)[0]) for name in sorted(os.listdir(source)) if name.endswith(".cpp")]


def result_of(options, example):
    """The line of examples/results.txt for an example, or None."""
    with open(os.path.join(options.source, "examples", "results.txt"), encoding="utf-8") as results:
        rows = (line.strip().split(" | ") for line in results if not line.startswith("#"))
        return next((line for name, _, line in rows if name == example), None)


def check_result(options, program):
    """Runs an example, which prints what stands in examples/results.txt."""
    example = os.path.basename(program).replace("fortran_", "")
    wanted = result_of(options, example)
    printed = subprocess.run(launched(options, program), stdout=subprocess.PIPE, text=True)
    print(printed.stdout, end="", flush=True)
    if printed.returncode or (wanted is not None and wanted not in printed.stdout.splitlines()):
        sys.exit(f"{program} ends with {printed.returncode}, and prints another line than '{wanted}'")


def c_examples(options, prefix):
    """The programs in examples/c, by a project that knows no C++."""
    tree = os.path.join(options.work, "examples_c")
    must([options.cmake, "-S", os.path.join(options.source, "examples", "c"), "-B", tree, "-G", options.generator,
          f"-DCMAKE_MAKE_PROGRAM={options.make_program}", f"-DCMAKE_C_COMPILER={options.c_compiler}", f"-DCMAKE_PREFIX_PATH={prefix}",
          "-DCMAKE_BUILD_TYPE=Debug"])
    must([options.cmake, "--build", tree, "-j", "2"])
    return [os.path.join(tree, os.path.splitext(name)[0]) for name in c_sources(options)]


def c_sources(options):
    return sorted(name for name in os.listdir(os.path.join(options.source, "examples", "c")) if name.endswith(".c"))


def c_examples_by_pkg_config(options, libraries):
    flags = asked(libraries, "--cflags", "--libs", "wherry_c")
    for source in c_sources(options):
        program = os.path.join(options.work, os.path.splitext(source)[0])
        must([options.c_compiler, "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", os.path.join(options.source, "examples", "c", source),
              "-o", program, *flags, "-lm", "-Wl,-rpath," + libraries])
        check_result(options, program)


def fortran_examples(options, prefix):
    """The programs in examples/fortran, with which the modules are compiled."""
    tree = os.path.join(options.work, "examples_fortran")
    must([options.cmake, "-S", os.path.join(options.source, "examples", "fortran"), "-B", tree, "-G", options.generator,
          f"-DCMAKE_MAKE_PROGRAM={options.make_program}", f"-DCMAKE_C_COMPILER={options.c_compiler}",
          f"-DCMAKE_Fortran_COMPILER={options.fortran_compiler}", f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_BUILD_TYPE=Debug"])
    must([options.cmake, "--build", tree, "-j", "2"])
    return [os.path.join(tree, os.path.splitext(name)[0]) for name in fortran_sources(options)]


def fortran_sources(options):
    return sorted(name for name in os.listdir(os.path.join(options.source, "examples", "fortran")) if name.endswith(".f90"))


def fortran_examples_by_pkg_config(options, libraries):
    flags = asked(libraries, "--cflags", "--libs", "wherry_fortran")
    for source in fortran_sources(options):
        program = os.path.join(options.work, "fortran_" + os.path.splitext(source)[0])
        must([options.fortran_compiler, os.path.join(options.source, "examples", "fortran", source), "-o", program, *flags,
              "-Wl,-rpath," + libraries])
        check_result(options, program)


def by_add_subdirectory(options, sanitize):
    """One module of the source, with what it stands on; then what the project's own installation brings along."""
    mpi = [f"-DMPI_CXX_COMPILER={options.mpi_cxx}", f"-DMPI_C_COMPILER={options.mpi_c}", f"-DMPIEXEC_EXECUTABLE={options.mpiexec}"]
    source, missing = f"-DWHERRY_SOURCE={options.source}", "-DWHERRY_MISSING=motion;halo;blocks;notify;collective;compat_gcl;compat_kelp;compat_gaspi"
    one = "-DWHERRY_ONE_MODULE=deep"
    # The library is compiled without precompiled headers in the tree that tests this.
    built = by_cmake(options, source, "-DWHERRY_MODULES=deep", one, missing, "-DWHERRY_PRECOMPILED_HEADERS=all", *mpi, *sanitize,
                     programs=["consumer"])
    prefix = install(options, os.path.join(options.work, "build"))
    libraries = asked(library_folder(prefix), "--libs", "wherry")
    if "-lwherry_deep" not in libraries or "-lwherry_halo" in libraries or os.path.exists(os.path.join(prefix, "include", "wherry", "halo")):
        sys.exit(f"the package has other modules than deep and what it stands on: {libraries}")
    built += by_cmake(options, f"-DCMAKE_PREFIX_PATH={prefix}", one, missing, *sanitize, programs=["consumer"], tree="with_package")
    wrong = subprocess.run([options.cmake, "-DWHERRY_MODULES=deep;deeps", os.path.join(options.work, "build")], capture_output=True, text=True)
    if not wrong.returncode or "WHERRY_MODULES: there is no module 'deeps'" not in wrong.stderr:
        sys.exit(f"a module that does not exist is not refused: {wrong.stderr}")
    return built


def defaults(options):
    """A build with no option compiles the library, compat and the installed programs, as Release."""
    tree = os.path.join(options.work, "build")
    must([options.cmake, "-S", options.source, "-B", tree, "-G", options.generator, f"-DCMAKE_MAKE_PROGRAM={options.make_program}",
          f"-DCMAKE_C_COMPILER={options.c_compiler}", f"-DCMAKE_CXX_COMPILER={options.compiler}", f"-DMPI_CXX_COMPILER={options.mpi_cxx}"],
         stdout=subprocess.DEVNULL)
    with open(os.path.join(tree, "compile_commands.json"), encoding="utf-8") as file:
        sources = [os.path.relpath(entry["file"], options.source) for entry in json.load(file) if not entry["file"].startswith(tree)]
    folders = ("src/", "compat/", "bindings/", "apps/wherry_", "apps/common/", "bench/harness/")
    others = [source for source in sources if not source.startswith(folders)]
    if others or not any(source.startswith("apps/wherry_info") for source in sources):
        sys.exit(f"a build with no option compiles {others or 'no tools'}")
    with open(os.path.join(tree, "CMakeCache.txt"), encoding="utf-8") as cache:
        if "CMAKE_BUILD_TYPE:STRING=Release\n" not in cache.read():
            sys.exit("a build with no option is not Release")


def launched(options, program):
    return [sys.executable, os.path.join(options.source, "tools", "launch"), "--family", options.family,
            "--mpiexec", options.mpiexec, "-n", "2", program]


def run(options, program):
    must(launched(options, program))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("way", choices=["find_package", "pkg_config", "add_subdirectory", "defaults"])
    for name in ("source", "build", "work", "cmake", "generator", "make-program", "c-compiler", "compiler", "mpi-cxx", "mpi-c",
                 "mpiexec", "family", "sanitize", "fortran-compiler"):
        parser.add_argument("--" + name, default="")
    options = parser.parse_args()
    shutil.rmtree(options.work, ignore_errors=True)
    os.makedirs(options.work)
    sanitize = []
    if options.sanitize:
        flag = "-fsanitize=" + options.sanitize.replace(";", ",")
        sanitize = [f"-DCMAKE_CXX_FLAGS={flag}", f"-DCMAKE_EXE_LINKER_FLAGS={flag}"]
    if options.way == "add_subdirectory":
        programs = by_add_subdirectory(options, sanitize)
    elif options.way == "find_package":
        # No MPI is named here: the package must prefer the one that it was built with.
        prefix = install(options, options.build)
        programs = by_cmake(options, f"-DCMAKE_PREFIX_PATH={prefix}", *sanitize,
                            programs=["consumer", "gaspi_consumer", "crestacoll_consumer"])
        if not options.sanitize:
            examples = cpp_examples(options, prefix) + c_examples(options, prefix)
            if options.fortran_compiler:
                examples += fortran_examples(options, prefix)
            for program in examples:
                check_result(options, program)
        if os.path.isdir(os.path.join(options.build, "apps")):  # else they are not built, nor installed
            must([os.path.join(prefix, "bin", "wherry_plan"), "halo", "64x64x64", "--ranks", "8"], stdout=subprocess.DEVNULL)
    elif options.way == "pkg_config":
        programs = by_pkg_config(options, install(options, options.build))
    else:
        programs = defaults(options)
    for program in programs or []:
        run(options, program)
    return 0


sys.exit(main())
