"""Grids: cells that are divided among ranks."""
import operator

import numpy

from . import _core
from ._box import Box
from ._errors import collectively, refuse
from ._field import Field, planes_of, widths_of
from ._mpi import communicator
from ._operations import name_of


def grid(cells, periodic=False, comm=None, ranks=None, order="rows"):
    """Divides cells evenly among the ranks of a communicator. Collective.

    cells     the number of cells along each of 1 to 4 dimensions, in all
    periodic  whether the grid wraps around; a bool for each dimension, or one for all
    comm      a communicator of mpi4py; None: COMM_WORLD
    ranks     the number of ranks along each dimension; 0: as fits, 1: the dimension is not cut. None: all as fits
    order     how ranks are placed: "rows" (the last dimension fastest), "columns", or "node_bricks", which keeps the ranks of a node
              together

    >>> g = grid((8, 6), periodic=True)
    >>> g.shape
    (8, 6)
    """
    comm = communicator(comm)

    def parse():
        shape = tuple(map(operator.index, cells if hasattr(cells, "__iter__") else (cells,)))
        if not 1 <= len(shape) <= 4:
            refuse("grid", f"'cells' has {len(shape)} dimensions, expected 1 to 4")
        if min(shape) < 0:
            refuse("grid", f"'cells' is {shape}, expected 0 or more along each dimension")
        wraps = [bool(periodic)] * len(shape) if not hasattr(periodic, "__len__") else list(map(bool, periodic))
        along = [0] * len(shape) if ranks is None else list(map(operator.index, ranks))
        for name, given in (("periodic", wraps), ("ranks", along)):
            if len(given) != len(shape):
                refuse("grid", f"'{name}' has {len(given)} entries, but 'cells' has {len(shape)} dimensions")
        return shape, wraps, along

    shape, wraps, along = collectively(comm, "grid", parse, _plain(cells), "ranks differ in 'cells'")
    return Grid(comm, shape, wraps, _core.ProcessGrid(comm, wraps, along, order))


def _plain(value):
    """A value for comparison among ranks, which never raises."""
    try:
        return [int(one) for one in value] if hasattr(value, "__iter__") else [int(value)]
    except (TypeError, ValueError):
        return None


class Grid:
    """Cells that are divided among ranks; `wherry.grid` makes it.

    shape     the number of cells along each dimension, in all
    box       the cells of this rank
    ranks     the number of ranks along each dimension
    periodic  for each dimension, whether it wraps around
    rank, size, comm
    """

    def __init__(self, comm, shape, periodic, placed):
        self.comm = comm
        self.rank = comm.rank
        self.size = comm.size
        self.shape = shape
        self.periodic = tuple(periodic)
        self.ranks = tuple(placed.ranks)
        self.coordinates = tuple(placed.coordinates(comm.rank))
        self._placed = placed
        self.box = self._box_from(placed.owned_box(list(shape)))

    @staticmethod
    def _box_from(corners):
        return Box(*map(tuple, corners))

    def box_of(self, rank):
        """The cells of any rank. Local."""
        return self._box_from(self._placed.box_of(operator.index(rank), list(self.shape)))

    def owner_of(self, cell):
        """The rank that owns a cell; -1 if it lies beyond an edge that does not wrap around. Local."""
        return self._placed.owner_of([operator.index(i) for i in cell], list(self.shape))

    def owners_of(self, cells):
        """The rank that owns each of many cells, the rows of an array of integers; -1 as for owner_of. Local.

        >>> grid((8, 8)).owners_of([[0, 3], [9, 0]]).tolist()
        [0, -1]
        """
        given = numpy.asarray(cells)
        if given.size and given.dtype.kind not in "iu":
            refuse("owners_of", f"'cells' has the dtype {given.dtype}, expected integers: numpy.floor(positions).astype(int)")
        if given.ndim != 2 or given.shape[1] != len(self.shape):
            refuse("owners_of", f"'cells' has the shape {given.shape}, expected (any, {len(self.shape)})")
        ranks = numpy.empty(len(given), numpy.intc)
        self._placed.owners_of(numpy.ascontiguousarray(given, numpy.int64), list(self.shape), ranks)
        return ranks

    def indices(self, on="cells"):
        """For each dimension, the global indices of this rank's own values, shaped so that they broadcast (as numpy.ix_)."""
        planes = planes_of(on, len(self.shape), "indices")
        return numpy.ix_(*(numpy.arange(a, b + plane) for a, b, plane in zip(self.box.lower, self.box.upper, planes)))

    def where(self, function, on="cells"):
        """function(i, j, ...) of the global indices of this rank's own values, as an array of the core's shape.

        >>> u = grid((4, 4)).zeros()
        >>> u.core[...] = u.grid.where(lambda i, j: 10 * i + j)
        """
        indices = self.indices(on)
        shape = numpy.broadcast_shapes(*(one.shape for one in indices))
        return numpy.broadcast_to(function(*indices), shape)

    def zeros(self, halo=0, dtype=float, components=(), on="cells", name=""):
        """A field of zeros in memory that the ranks of a node share. Local.

        halo        the number of halo cells on each side; or one for each dimension, or (below, above) for each dimension
        dtype       any dtype of numpy without objects; structures, too
        components  the number of values in each cell, or a shape: the last dimensions of the array
        on          where values sit: "cells", "nodes", ("faces", d), ("edges", d), or a bool for each dimension. On planes there is one
                    value more than cells
        name        in errors and plans
        """
        dtype = numpy.dtype(dtype)
        if dtype.hasobject:
            refuse("zeros", f"'dtype' is {dtype}, whose elements are Python objects")
        widths = widths_of(halo, len(self.shape), "zeros")
        planes = planes_of(on, len(self.shape), "zeros")
        more = tuple(components) if hasattr(components, "__len__") else (components,)
        shape = tuple(n + plane + sum(width) for n, plane, width in zip(self.box.shape, planes, widths)) + more
        size = 1
        for extent in shape:
            size *= operator.index(extent)
        memory = _core.node_bytes(self.comm, size * dtype.itemsize)
        array = numpy.ndarray(shape, dtype, memory.data if size else None)
        return Field(self, array, widths, planes, False, name, "zeros")

    def full(self, value, halo=0, dtype=None, components=(), on="cells", name=""):
        """As zeros, with another value everywhere, halo included."""
        result = self.zeros(halo, numpy.asarray(value).dtype if dtype is None else dtype, components, on, name)
        result.array[...] = value
        return result

    def ones(self, halo=0, dtype=float, components=(), on="cells", name=""):
        """As zeros, with ones."""
        return self.full(1, halo, dtype, components, on, name)

    def zeros_like(self, field):
        """A field of zeros with the same halo, dtype, components and places of values."""
        more = field.array.shape[len(self.shape):]
        if field.components_first:
            refuse("zeros_like", "'field' has its components first; make an array of your own and wrap it")
        return self.zeros(field.halo, field.dtype, more, field.on, field.name)

    def wrap(self, array, halo, on="cells", components_first=False, name=""):
        """A field of your own array, which has this rank's cells and the halo around them. Local.

        array             a numpy array, or what has a buffer, with any strides. Dimensions beyond the grid's are components of a cell:
                          the last ones, or the first ones with components_first
        halo, on, name    as for zeros
        """
        return Field(self, array, halo, on, components_first, name, "wrap")

    def halo(self, *fields, halo=None, stencil="all", order="automatic", reverse=False, update=None, combine_copies=None,
             parts=(), transport="auto", snapshot=False, progress_thread=False, threads=1, packet_bytes=0, name=""):
        """Plans and binds the exchange that fills the halos of some fields, which travel together. Collective.

        fields          fields of this grid, or numpy arrays; `halo` is then the width of their halos
        stencil         the neighbours that the halo is filled from: "all", "faces", or a list of directions such as [(0, 1), (0, -1)]
        order           "automatic", "direct", "wrapped_last" or "by_dimension"
        reverse         halo cells travel to the cells that they are copies of; `update` combines them there: numpy.add
        update          combines what arrives with what is there, instead of storing it
        combine_copies  combines all copies of each value, and gives all of them the result
        parts           boxes of this rank's cells, in global indices, that `start_in_parts` sends one by one, each when `ready` is called
        transport, snapshot, progress_thread, threads, packet_bytes, name: how data travels (docs/halo.md)

        Returns an Exchange. `fill(u)` fills the halos of u; `fill()` those of the last fields; `with fill.start(u): ...` computes
        meanwhile. Other fields of the same shape, dtype and strides may be given at any time.

        >>> g = grid((8, 8), periodic=True)
        >>> u = g.ones(halo=1)
        >>> fill = g.halo(u)
        >>> fill() is None and bool((u.array == 1).all())
        True
        """

        def parse():
            ours = []
            if not fields:
                refuse("halo", "there are no fields")
            for i, one in enumerate(fields):
                if not isinstance(one, Field):
                    one = Field(self, one, halo, where="halo")
                elif one.grid is not self and (one.grid.shape, one.grid.box) != (self.shape, self.box):
                    refuse("halo", f"field {i} belongs to another grid: {one.grid!r} instead of {self!r}")
                elif one.grid.comm != self.comm:
                    refuse("halo", f"field {i} belongs to a grid of another communicator")
                ours.append(one)
            carry = {"transport": transport, "snapshot": bool(snapshot), "progress_thread": bool(progress_thread),
                     "threads": operator.index(threads), "packet_bytes": operator.index(packet_bytes), "name": name}
            return _core.HaloRequest(
                ours, stencil if isinstance(stencil, str) else [list(map(operator.index, one)) for one in stencil], order,
                bool(reverse), name_of(update, "halo", "update"), name_of(combine_copies, "halo", "combine_copies"),
                [tuple([int(i) - a for i, a in zip(corner, self.box.lower)] for corner in box) for box in parts], carry)

        return _core.make_halo(self._placed, collectively(self.comm, "halo", parse))

    def pencils(self, axis):
        """The same cells, divided so that no rank has only a part of a row along `axis`. Collective."""
        return self.divided(*(1 if d == operator.index(axis) % len(self.shape) else 0 for d in range(len(self.shape))))

    def divided(self, *ranks):
        """The same cells, divided with another number of ranks along each dimension (0: as fits). Collective."""
        if len(ranks) == 1 and hasattr(ranks[0], "__len__"):
            ranks = ranks[0]
        return grid(self.shape, self.periodic, self.comm, ranks)

    def __repr__(self):
        return f"<wherry.Grid of {self.shape} cells on {self.ranks} ranks, {self.box} here>"
