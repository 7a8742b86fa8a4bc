"""Wherry for numpy: halo exchange, redistribution, unstructured and sparse exchange, particles, and collectives, on top of MPI.

For example::

    import wherry as wh
    g = wh.grid((512, 512), periodic=True)
    u = g.zeros(halo=1)
    u.core[...] = g.where(lambda i, j: i < 256)
    fill = g.halo(u)        # planned once
    fill(u)                 # the halos have their neighbours' values

Run it with `mpirun -n 4 python program.py`. docs/python.md is the manual.
"""
from ._mpi import abort_on_error, communicator  # first: it finds out whether the MPI fits
from ._array_files import ArrayDescription, ArraySeries, describe_array, load_array, read_array, saved_arrays, write_array
from ._box import Box
from ._built_for import version as __version__
from ._collective import allgather, allreduce, alltoall, barrier, bcast, gather, reduce, scan, scatter
from ._core import Communicator, Exchange
from ._errors import Error
from ._field import Field
from ._ghosts import Ghosts
from ._grid import Grid, grid
from ._index import IndexHalo, index_halo
from ._info import info
from ._particle_arrays import Ragged
from ._particles import ParticleExchange, particles_by_owner
from ._redistribute import Blocks, FloorPlan, cut_blocks, redistribute, redistribution
from ._sparse import Arrivals, SparsePlan, send_to, sparse_exchange, start_send_to, start_sparse_exchange
from . import _manners

__all__ = ["ArrayDescription", "ArraySeries", "Arrivals", "Blocks", "Box", "Communicator", "Error", "Exchange", "Field",
           "FloorPlan", "Ghosts", "Grid", "IndexHalo", "ParticleExchange", "Ragged", "SparsePlan", "abort_on_error", "allgather",
           "allreduce", "alltoall", "barrier", "bcast", "communicator", "cut_blocks", "describe_array", "gather", "grid", "index_halo",
           "info", "load_array", "particles_by_owner", "read_array", "redistribute", "redistribution", "reduce", "saved_arrays", "scan",
           "scatter", "send_to", "sparse_exchange", "start_send_to", "start_sparse_exchange", "write_array"]
