"""Prints the family of the MPI that mpi4py loads, as WHERRY_MPI_FAMILY names it: openmpi-4. MPI is not started."""
import mpi4py

mpi4py.rc.initialize = False
from mpi4py import MPI  # noqa: E402

name, version = MPI.get_vendor()
print(f"{name.lower().replace(' ', '')}-{version[0]}")
