"""What the package found."""
import sys

import numpy

from . import _core
from ._built_for import mpi_family, version
from ._mpi import MPI, communicator


def info(comm=None):
    """A text that says which versions are in use, and how the ranks lie on nodes. Collective the first time for a communicator.

    `mpirun -n 2 python -m wherry` prints it. `./run info` of a clone knows more about the machine.
    """
    comm = communicator(comm)
    theirs = "not there: wherry starts MPI itself" if MPI is None else __import__("mpi4py").__version__
    lines = [f"wherry {version}, built for {mpi_family}", f"MPI: {_core.library_version().split(',')[0].splitlines()[0]}",
             f"Python {sys.version.split()[0]}, numpy {numpy.__version__}, mpi4py {theirs}",
             f"{comm.size} ranks, {len(comm.node_ranks)} of them on this node: {comm.node_ranks}",
             comm.shared_memory_shortfall or "the ranks of a node share memory"]
    return "\n".join(lines)
