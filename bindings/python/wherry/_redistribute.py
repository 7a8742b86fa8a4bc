"""Redistribution: arrays that are divided among ranks in one way and then in another; and boxes in any arrangement."""
import operator

import numpy

from . import _core
from ._box import Box
from ._errors import collectively, refuse
from ._field import Field
from ._mpi import communicator


def redistribute(u, grid, halo=0, transport="auto"):
    """A new field on another grid of the same cells, with the values of the core of `u`. Collective.

    For repeated use, `mover = redistribution(u, w)` plans once, and `mover(u, w)` moves.

    >>> from wherry import grid as make
    >>> g = make((4, 4))
    >>> u = g.ones()
    >>> bool(redistribute(u, g.pencils(0)).core.sum() == u.core.sum())
    True
    """
    def parse():
        _check(u, grid)
        if u.components_first:
            refuse("redistribute", "'u' has its components first: give redistribution() a target of your own")
        return grid.zeros(halo, u.dtype, u.array.shape[len(grid.shape):], u.on, u.name)

    result = collectively(grid.comm, "redistribute", parse)
    redistribution(u, result, transport=transport)()
    return result


def _check(u, grid):
    if not isinstance(u, Field):
        refuse("redistribute", f"'u' is a {type(u).__name__}, expected a Field: Grid.wrap makes one of an array")
    if u.grid.shape != grid.shape or u.grid.comm != grid.comm:
        refuse("redistribute", f"'grid' is {grid!r}, but 'u' belongs to {u.grid!r}: the cells and the communicator must be the same")
    if any(u.on):
        refuse("redistribute", "'u' has values on planes, which two ranks have: only values of cells can be redistributed yet")


def redistribution(source, target, transport="auto"):
    """Plans the motion of the core of one field to that of another, which is divided otherwise. Collective.

    Returns an Exchange of two arrays: `move()`, `move(source, target)`, `move.start(source, target)`.
    """
    def parse():
        _check(target, source.grid if isinstance(source, Field) else None)
        _check(source, target.grid)
        if source.dtype != target.dtype:
            refuse("redistribute", f"'source' has the dtype {source.dtype}, and 'target' has {target.dtype}")
        comm, rank = source.grid.comm, source.grid.rank
        sends, receives = [], []
        for peer in range(comm.size):
            _add(sends, peer, source, source.grid.box & target.grid.box_of(peer))
            _add(receives, peer, target, target.grid.box & source.grid.box_of(peer))
        return _core.MotionRequest(comm, [_cells(source)], [_cells(target)], sends, receives, {"transport": transport},
                                   "redistribute"), rank

    comm = source.grid.comm if isinstance(source, Field) else target.grid.comm
    request, _ = collectively(comm, "redistribute", parse)
    return Redistribution(_core.make_motion(comm, request))


def _cells(field):
    """The whole array with the grid's dimensions first."""
    if not field.components_first:
        return field.array
    first = field.array.ndim - len(field.halo)
    return numpy.moveaxis(field.array, range(first), range(-first, 0))


def _add(sections, peer, field, box):
    if not box.empty:
        start = [a - origin + below for a, origin, (below, _) in zip(box.lower, field.box.lower, field.halo)]
        sections.append((peer, 0, 0, 0, start, list(box.shape)))


class Redistribution:
    """A planned motion between two fields; `redistribution` makes it."""

    def __init__(self, exchange):
        self._exchange = exchange

    def __call__(self, *fields):
        """Moves the core of the source to the target: of the fields given, or of those of the last time."""
        self._exchange(*map(self._array, fields))
        return fields[1] if fields else None

    def start(self, *fields):
        """Begins to move; `wait` of the result ends it, or a `with` block."""
        return self._exchange.start(*map(self._array, fields))

    @staticmethod
    def _array(field):
        return _cells(field) if isinstance(field, Field) else field

    def explain(self):
        """The plan as a text."""
        return self._exchange.explain()


def cut_blocks(box, largest):
    """Cuts a box into blocks of at most `largest` cells along each dimension, the last dimension fastest."""
    cuts = []
    for lower, upper, most in zip(box.lower, box.upper, largest):
        pieces = max(1, -(-(upper - lower) // operator.index(most)))
        cuts.append([lower + (upper - lower) * i // pieces for i in range(pieces + 1)])
    places = [range(len(cut) - 1) for cut in cuts]
    return [Box(tuple(cut[i] for cut, i in zip(cuts, at)), tuple(cut[i + 1] for cut, i in zip(cuts, at)))
            for at in numpy.ndindex(*map(len, places))]


class FloorPlan:
    """Boxes of cells, any number on each rank, which do not overlap; the same list on all ranks.

    >>> plan = FloorPlan(cut_blocks(Box((0, 0), (8, 8)), (4, 4)), [0, 0, 0, 0])
    >>> len(plan.mine)
    4
    """

    def __init__(self, boxes, owners, comm=None):
        self.comm = communicator(comm)

        def parse():
            made = [Box(tuple(map(operator.index, one[0])), tuple(map(operator.index, one[1]))) for one in boxes]
            ranks = [operator.index(rank) for rank in owners]
            if len(ranks) != len(made):
                refuse("floor_plan", f"there are {len(made)} boxes and {len(ranks)} owners")
            if len({len(one.lower) for one in made}) > 1:
                refuse("floor_plan", "the boxes have different numbers of dimensions")
            for number, rank in enumerate(ranks):
                if not 0 <= rank < self.comm.size:
                    refuse("floor_plan", f"box {number} has the owner {rank}, expected 0 to {self.comm.size - 1}")
            return made, ranks

        try:
            word = [[list(map(int, one[0])), list(map(int, one[1]))] for one in boxes], list(map(int, owners))
        except (TypeError, ValueError, IndexError):
            word = None
        self.boxes, self.owners = collectively(self.comm, "floor_plan", parse, word, "ranks differ in 'boxes' or 'owners'")

    @property
    def mine(self):
        """The numbers of this rank's boxes."""
        return [number for number, rank in enumerate(self.owners) if rank == self.comm.rank]

    def zeros(self, halo=0, dtype=float, components=()):
        """Blocks of zeros: an array for each of this rank's boxes, with `halo` more cells on each side. Local."""
        return Blocks(self, operator.index(halo), numpy.dtype(dtype),
                      tuple(components) if hasattr(components, "__len__") else (components,))


class Blocks:
    """An array for each of this rank's boxes, in memory that the ranks of a node share; FloorPlan.zeros makes it.

    `blocks[number]` is the core of the box with that number, `arrays[number]` the array with the halo.
    """

    def __init__(self, plan, halo, dtype, components):
        self.plan, self.width, self.dtype, self.components = plan, halo, dtype, components
        self.arrays = {}
        for number in plan.mine:
            shape = plan.boxes[number].grow(halo).shape + components
            size = dtype.itemsize
            for extent in shape:
                size *= extent
            self.arrays[number] = numpy.ndarray(shape, dtype, _core.node_bytes(plan.comm, size).data if size else None)

    def __getitem__(self, number):
        inside = tuple(slice(self.width, n - self.width) for n in self.plan.boxes[number].grow(self.width).shape)
        return self.arrays[number][inside]

    def __setitem__(self, number, value):
        self[number][...] = value

    def mover(self, target, transport="auto"):
        """Plans the motion of all cells of these blocks to the cores of others. Collective."""
        return _motion(self, target, False, transport)

    def ghosts(self, transport="auto"):
        """Plans the exchange that fills the halos of these blocks from the blocks that own the cells. Collective.

        Cells that no block owns stay as they are.
        """
        return _motion(self, self, True, transport)


def _motion(source, target, ghosts, transport):
    """For each pair of boxes the common cells, sorted by the numbers of the boxes on both sides."""
    where = "ghosts" if ghosts else "mover"

    def parse():
        if not isinstance(target, Blocks) or target.plan.comm != source.plan.comm:
            refuse(where, "'target' is no Blocks of the same communicator")
        if (source.dtype, source.components) != (target.dtype, target.components):
            refuse(where, f"'target' has elements {target.dtype} {target.components}, expected {source.dtype} {source.components}")
        rank, width = source.plan.comm.rank, target.width if ghosts else 0
        sends, receives = [], []
        from_places = {number: place for place, number in enumerate(source.arrays)}
        into_places = {number: place for place, number in enumerate(target.arrays)}
        for a, box in enumerate(source.plan.boxes):
            for b, other in enumerate(target.plan.boxes):
                common = box & other.grow(width)
                if common.empty or (ghosts and a == b) or rank not in (source.plan.owners[a], target.plan.owners[b]):
                    continue
                for sections, number, one, owner, peer, places in (
                        (sends, a, source, source.plan.owners[a], target.plan.owners[b], from_places),
                        (receives, b, target, target.plan.owners[b], source.plan.owners[a], into_places)):
                    if owner == rank:
                        start = [i - origin + one.width for i, origin in zip(common.lower, one.plan.boxes[number].lower)]
                        sections.append((peer, a, b, places[number], start, list(common.shape)))
        into = list(target.arrays.values())
        return _core.MotionRequest(source.plan.comm, list(source.arrays.values()), into, sends, receives,
                                   {"transport": transport}, where)

    return _core.make_motion(source.plan.comm, collectively(source.plan.comm, where, parse))
