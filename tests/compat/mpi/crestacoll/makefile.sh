#!/bin/sh
# The Makefile of compat/crestacoll as its users call it: the library is compiled again, one file at a time beside the
# other tests, and what it makes is run.
#   makefile.sh OUT CRESTACOLL CC CXX F90 HAS_MPI_F08 LAUNCH...
set -e
out=$1 sources=$2 cc=$3 cxx=$4 f90=$5 has_mpi_f08=$6
shift 6
rm -rf "$out"
mkdir -p "$out"
make -C "$sources" OUT="$out" BUILD=None JOBS=1 CC="$cc" CXX="$cxx" F90="$f90" DFLAGS_LIB="-D_NONBLOCK_BCAST -D_PROTECTED_BUFFER" \
  static test ovl > "$out/log" 2>&1 || { tail -30 "$out/log"; exit 1; }
test -s "$out/libcrestacoll.a"
"$@" -n 3 "$out/cresta_test_c"
"$@" -n 3 "$out/cresta_test_f"
if [ "$has_mpi_f08" = 1 ]; then "$@" -n 3 "$out/cresta_test_f08"; fi
"$@" -n 2 "$out/ovl_alltoall" 4
"$@" -n 2 "$out/ovl_allreduce" 4
"$@" -n 2 "$out/ovl_f" 4
make -C "$sources" OUT="$out" clean > /dev/null
test ! -e "$out"
