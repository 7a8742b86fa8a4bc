#!/bin/sh
# A handle of another kind, or an integer, is refused by the modules for mpi_f08.
#   wrong_handles.sh OUT MODULES SOURCE F90
set -e
out=$1 modules=$2 source=$3 f90=$4
rm -rf "$out"
mkdir -p "$out"
cd "$out"
for module in crestacoll_f08 cresta_sp_coll_f08; do "$f90" -c "$modules/$module.F90"; done
"$f90" -c "$source"
for wrong in A_COMM=datatype A_COMM=comm%MPI_VAL A_DATATYPE=comm A_DATATYPE=operation AN_OPERATION=datatype A_REQUEST=comm; do
  if "$f90" -c "-D$wrong" "$source" > log 2>&1; then echo "compiles, and must not: $wrong"; exit 1; fi
done
cat log
echo "wrong handles are refused"
