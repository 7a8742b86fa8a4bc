"""Prints the MPI that mpi4py loads, as WHERRY_MPI_FAMILY begins: openmpi-4, mpich-4, or mpich for its relatives. MPI is not started."""
import os
import runpy

import mpi4py

mpi4py.rc.initialize = False
from mpi4py import MPI  # noqa: E402

# The package knows the families by what their libraries say of themselves.
CHOICE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bindings", "python", "wherry", "_choice.py")
family = runpy.run_path(CHOICE)["_family_of"](MPI.Get_library_version())
# The version of a relative of MPICH's is not that of the MPICH in it, which names its family.
vendor, version = MPI.get_vendor()
print(f"{family}-{version[0]}" if vendor in ("Open MPI", "MPICH") else family)
