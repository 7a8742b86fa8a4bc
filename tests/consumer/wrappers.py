#!/usr/bin/env python3
"""Wherry's CMake finds one MPI, whatever its compiler wrappers are called, and where there are none.

Wrappers are scripts here that call this build's own. Nothing is compiled but what CMake itself tries.
"""
import argparse
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
NAMES = {"plain": ("mpicc", "mpicxx", "mpifort", "mpiexec"),
         "intel": ("mpiicx.mine", "mpiicpx.mine", "mpiifx.mine", "mpiexec.mine"),
         "cray": ("cc", "CC", "ftn", "no_mpiexec")}


def facts(options, way, *definitions):
    """What CMake says in the project beside this file."""
    tree = os.path.join(options.work, way)
    command = [options.cmake, "-S", os.path.join(HERE, "wrappers"), "-B", tree, "-G", options.generator,
               f"-DCMAKE_MAKE_PROGRAM={options.make_program}", f"-DWHERRY_SOURCE={options.source}", *definitions]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"{way}: CMake failed\n{run.stdout}\n{run.stderr}")
    return dict(line[3:].split("=", 1) for line in run.stdout.splitlines() if line.startswith("-- ") and "=" in line)


def expect(way, found, wanted):
    for name, value in wanted.items():
        if found[name] != value:
            sys.exit(f"{way}: {name} is '{found[name]}', expected '{value}'")
    print(f"{way}: {found['WHERRY_MPI_FAMILY']}, Fortran {found['WHERRY_FORTRAN']}", flush=True)


def wrappers(options, way):
    """A folder with wrappers of these names, and an mpiexec; gives their paths."""
    folder = os.path.join(options.work, "bin of " + way)
    os.makedirs(folder)
    paths = [os.path.join(folder, name) for name in NAMES[way]]
    for path, real in zip(paths, (options.mpi_c, options.mpi_cxx, options.mpi_fortran, options.mpiexec)):
        if real:
            with open(path, "w") as script:
                script.write(f'#!/bin/sh\nexec "{real}" "$@"\n')
            os.chmod(path, 0o755)
    return paths


def main():
    parser = argparse.ArgumentParser()
    for name in ("source", "work", "cmake", "generator", "make-program", "c-compiler", "compiler", "mpi-c", "mpi-cxx",
                 "mpi-fortran", "mpiexec", "family", "header-dir", "libraries"):
        parser.add_argument("--" + name, default="")
    options = parser.parse_args()
    compilers = (f"-DCMAKE_C_COMPILER={options.c_compiler}", f"-DCMAKE_CXX_COMPILER={options.compiler}")
    shutil.rmtree(options.work, ignore_errors=True)
    os.makedirs(options.work)
    same = {"WHERRY_MPI_FAMILY": options.family, "MPI_C_HEADER_DIR": options.header_dir, "MPI_CXX_HEADER_DIR": options.header_dir}

    for way in NAMES:
        c, cxx, fortran, mpiexec = wrappers(options, way)
        wanted = dict(same)
        if options.mpi_fortran:
            wanted.update(MPI_Fortran_COMPILER=fortran, WHERRY_FORTRAN="ON")
        if way == "cray":  # the wrappers are the compilers, and no mpiexec lies beside them
            found = facts(options, way, f"-DCMAKE_C_COMPILER={c}", f"-DCMAKE_CXX_COMPILER={cxx}")
        else:  # one wrapper is named; the others lie beside it
            found = facts(options, way, *compilers, f"-DMPI_CXX_COMPILER={cxx}")
            wanted.update(MPI_C_COMPILER=c, MPIEXEC_EXECUTABLE=mpiexec)
        expect(way, found, wanted)
    # No wrapper at all.
    libraries = options.libraries.split(";")
    names = ";".join(f"lib{i}" for i in range(len(libraries)))
    flags = [f"-DMPI_lib{i}_LIBRARY={library}" for i, library in enumerate(libraries)]
    flags += [f"-DMPI_{language}_{what}" for language in ("C", "CXX")
              for what in (f"LIB_NAMES={names}", f"HEADER_DIR={options.header_dir}")]
    found = facts(options, "flags", *compilers, "-DMPI_SKIP_COMPILER_WRAPPER=ON", *flags)
    expect("flags", found, {**same, "WHERRY_FORTRAN": "OFF"})
    return 0


sys.exit(main())
