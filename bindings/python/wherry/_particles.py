"""Particles that change their owner: each goes to the rank whose part of the space it is in."""
import operator

import numpy

from . import _core
from ._box import Box
from ._errors import Error, collectively, refuse
from ._ghosts import Ghosts
from ._mpi import communicator
from ._particle_arrays import Columns, coordinates_in


class ParticleExchange:
    """Moves particles to their owners; Grid.particles, FloorPlan.particles and particles_by_owner make it.

        move = g.particles(lower=(0, 0), upper=(1, 1))
        positions, ids = move(positions, ids)

    left, arrived   the particles that the last move has taken from this rank, and brought to it
    count           the particles that this rank has since then
    neighbors       the ranks to which particles may go by neighbors_only

    **Memory.** A call reads the arrays that it is given and never writes to them. It returns new arrays in
    memory that the package has made. They are yours and stay valid as long as you hold them, or a view of them: the package
    uses such memory again only when no array of Python shows it any more. A loop that assigns the results to the names of the
    arguments therefore has two sets of arrays, which take turns, and allocates nothing once they have grown.

    With in_place=True, an array that an earlier call has returned is moved where it is, so that only the particles that
    leave, arrive or fill holes are copied. The array given and all its views then show what the call has made of them. Its
    memory is not freed while you hold it, also if the result needed more and is elsewhere. Read-only arrays, and arrays of
    your own, are copied.
    """

    def __init__(self, mover, comm, dimensions, in_place):
        self.comm = comm
        self.left = self.arrived = self.count = 0
        self._mover, self._dimensions, self._in_place = mover, dimensions, bool(in_place)
        self._columns = None

    def __call__(self, *arrays, position=None, owners=None, cells=None, leavers=None):
        """Moves the particles in these arrays to their owners, and returns the arrays of those that this rank has then. Collective.

        arrays    each has an element, or a row, for each particle; of any dtype without Python objects. The first is of the shape
                  (particles, dimensions) and has the positions, or the first arrays have a coordinate each. Ragged(lengths, values)
                  stands for a varying number of values for each particle
        position  array 0 has structures: the name of the field with the positions, or a name for each coordinate
        owners    the rank that each particle belongs to, in place of positions
        cells     the cell that each particle is in, in place of positions: an array of the shape (particles, dimensions)
        leavers   the particles that may have left: a mask of booleans, or a list of indices. No other particle is looked at

        Returns an array, or a tuple of arrays as they were given. Positions beyond a periodic edge are moved back by whole periods.

        Raises Error on all ranks: argument (a position that is no number or is outside the space; arrays of different lengths),
        mismatch (ranks give arrays of different dtypes). Nothing has moved then.
        """
        self.start(*arrays, position=position, owners=owners, cells=cells, leavers=leavers)
        return self.wait()

    def start(self, *arrays, position=None, owners=None, cells=None, leavers=None):
        """Begins a move. `wait()` returns the arrays. The arrays given may change at once, unless they are moved in place."""
        try:
            columns = Columns(arrays, "particles", self._in_place)
            choice = self._choice(columns, position, owners, cells)
            marks = None if leavers is None else _marks(leavers)
        except Exception as failure:  # the other ranks are in the call and hear of it
            columns = None
            self._mover.start_with_error(failure.text if isinstance(failure, Error) else f"{type(failure).__name__}: {failure}")
        else:
            self._mover.start(columns.given, *choice, marks, self._in_place)
        self._columns = columns
        return self

    def test(self):
        """True if the move would end at once."""
        return self._mover.test()

    def wait(self):
        """Ends the move and returns the arrays. It may be called again after an error of the kind "timeout"."""
        self.left, self.arrived, self.count, memories = self._mover.wait()
        columns, self._columns = self._columns, None
        return columns.again(memories)

    def _choice(self, columns, position, owners, cells):
        if owners is not None and cells is not None:
            refuse("particles", "'owners' and 'cells' are given, expected one of them")
        if owners is not None:
            return [], False, _integers(owners, "owners", 1), None
        if self._dimensions is None:
            refuse("particles", "'owners' is missing, and this exchange has no space")
        if cells is not None:
            given = _integers(cells, "cells", 2)
            if given.shape[1] != self._dimensions:
                refuse("particles", f"'cells' has the shape {given.shape}, expected (particles, {self._dimensions})")
            return [], False, None, given
        places, is_float = coordinates_in([one for one, role in columns.given if role == 0], self._dimensions, position, "particles")
        if any(role != 0 for _, role in columns.given[:places[-1][0] + 1]):
            refuse("particles", "the first arrays are ragged, expected the positions")
        return places, is_float, None, None

    def permutation(self):
        """For each particle since the last move its index before, or -1 - k for the k-th that arrived: for arrays that were not given."""
        return self._mover.permutation()

    def owners_of(self, positions):
        """The rank that owns each of these positions; -1 for one outside the space. Local."""
        return self._mover.owners_of(self._positions(positions))

    def cells_of(self, positions):
        """The cell of each of these positions, by the bounds by which particles move. Local."""
        return self._mover.cells_of(self._positions(positions))

    def _positions(self, given):
        if self._dimensions is None:
            refuse("particles", "this exchange was made without a space", "state")
        array = numpy.ascontiguousarray(given, dtype=float)
        if array.ndim != 2 or array.shape[1] != self._dimensions:
            refuse("particles", f"'positions' has the shape {array.shape}, expected (any, {self._dimensions})")
        return array

    neighbors = property(lambda self: self._mover.neighbors)

    def ghosts(self, cutoff, transport="auto"):
        """Ghosts: copies of the particles of other ranks, and of periodic images, within a cut-off of this rank's part. Collective.

        cutoff  a distance in the unit of the positions

        Returns a Ghosts.
        """
        far = collectively(self.comm, "ghosts", lambda: float(cutoff))
        return Ghosts(self._mover.ghosts(far, {"transport": transport}), self.comm, self._dimensions, self._in_place)


def _integers(given, name, dimensions):
    array = numpy.asarray(given)
    if array.ndim != dimensions or (array.size and array.dtype.kind not in "iu"):
        refuse("particles", f"'{name}' has the dtype {array.dtype} and {array.ndim} dimensions, expected integers and {dimensions}")
    return numpy.ascontiguousarray(array, dtype=numpy.int64)


def _marks(leavers):
    marks = numpy.asarray(leavers)
    if marks.ndim == 1 and marks.dtype == bool:
        return numpy.ascontiguousarray(marks).view(numpy.uint8)
    return _integers(marks, "leavers", 1)


def _space(dimensions, lower, upper, edges, default):
    below = [0.0] * dimensions if lower is None else list(map(float, lower))
    above = default if upper is None else list(map(float, upper))
    sides = [] if edges is None else [list(map(float, one)) for one in edges]
    for name, one in (("lower", below), ("upper", above), *(("edges", side) for side in sides)):
        if len(one) != dimensions:
            refuse("particles", f"'{name}' has {len(one)} numbers, but the cells have {dimensions} dimensions")
    if sides and len(sides) != dimensions:
        refuse("particles", f"'edges' has {len(sides)} vectors, but the cells have {dimensions} dimensions")
    return _core.ParticleSpace(below, above, sides)


def _options(order, neighbors_only, algorithm):
    return _core.ParticleOptions(order, algorithm, bool(neighbors_only))


def on_grid(grid, lower, upper, edges, order, neighbors_only, in_place, algorithm):
    """What Grid.particles makes."""
    dimensions = len(grid.shape)
    space, options = collectively(grid.comm, "particles", lambda: (
        _space(dimensions, lower, upper, edges, list(map(float, grid.shape))), _options(order, neighbors_only, algorithm)))
    mover = _core.particles_on_grid(grid._placed, list(grid.shape), space, options)
    return ParticleExchange(mover, grid.comm, dimensions, in_place)


def on_plan(plan, cells, periodic, lower, upper, edges, order, neighbors_only, in_place, algorithm):
    """What FloorPlan.particles makes."""
    def parse():
        if not plan.boxes:
            refuse("particles", "the floor plan has no boxes")
        corners = cells or Box(tuple(map(min, zip(*(box.lower for box in plan.boxes)))),
                               tuple(map(max, zip(*(box.upper for box in plan.boxes)))))
        whole = Box(tuple(map(operator.index, corners[0])), tuple(map(operator.index, corners[1])))
        n = len(plan.boxes[0].lower)
        wraps = [bool(periodic)] * n if not hasattr(periodic, "__len__") else list(map(bool, periodic))
        if len(wraps) != n or len(whole.lower) != n or len(whole.upper) != n:
            refuse("particles", f"'periodic' has {len(wraps)} entries and 'cells' is {whole}, but the boxes have {n} dimensions")
        below = list(map(float, whole.lower)) if lower is None else lower
        return n, whole, wraps, _space(n, below, upper, edges, list(map(float, whole.upper))), _options(order, neighbors_only, algorithm)

    dimensions, whole, wraps, space, options = collectively(plan.comm, "particles", parse)
    mover = _core.particles_on_plan(plan.comm, [tuple(box) for box in plan.boxes], plan.owners, tuple(whole), wraps, space, options)
    return ParticleExchange(mover, plan.comm, dimensions, in_place)


def particles_by_owner(comm=None, order="fill_holes", in_place=False, algorithm="auto"):
    """An exchange of particles that belong to the ranks that `owners` of each call names. Collective.

    >>> move = particles_by_owner()
    >>> move(numpy.arange(3.0), owners=[0, 0, 0])
    array([0., 1., 2.])
    """
    comm = communicator(comm)
    options = collectively(comm, "particles", lambda: _options(order, False, algorithm))
    return ParticleExchange(_core.particles_by_owner(comm, options), comm, None, in_place)
