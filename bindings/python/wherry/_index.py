"""Halos of unstructured meshes and sparse matrices."""
import operator

import numpy

from . import _core
from ._errors import collectively, refuse
from ._mpi import communicator
from ._operations import name_of


def index_halo(comm, my_ids, ghost_ids=None, *, owners=None, index_there=None, index_here=None):
    """Finds out who has the elements of which this rank has copies (ghosts). Collective over `comm`, once for a mesh.

    comm        a communicator of mpi4py, or None
    my_ids      the global ids of this rank's elements, in their local order; each id is on one rank only
    ghost_ids   the global ids of the ghosts, which stand behind the elements, in this order

    With owners, index_there and index_here instead of ids, element index_there[k] of rank owners[k] has a copy at index_here[k].

    Returns an IndexHalo: `x = halo(x)` fills the ghosts of x.

    >>> halo = index_halo(None, [0, 1, 2], [])
    >>> halo.length
    3
    """
    comm = communicator(comm)

    def parse():
        if owners is None:
            if my_ids is None or ghost_ids is None:
                refuse("index_halo", "'my_ids' or 'ghost_ids' is missing")
            return [_numbers(my_ids, "my_ids"), _numbers(ghost_ids, "ghost_ids")]
        if my_ids is not None or ghost_ids is not None:
            refuse("index_halo", "there are both ids and owners")
        lists = [_numbers(owners, "owners"), _numbers(index_there, "index_there"), _numbers(index_here, "index_here")]
        if len({len(one) for one in lists}) > 1:
            refuse("index_halo", f"'owners', 'index_there' and 'index_here' have {[len(one) for one in lists]} entries")
        return lists

    parsed = collectively(comm, "index_halo", parse, owners is None, "some ranks give ids and others give owners")
    if owners is None:
        return IndexHalo(comm, _core.lists_from_ids(comm, *parsed), sum(map(len, parsed)))
    return IndexHalo(comm, _core.lists_from_owners(comm, *parsed), None)


def _numbers(given, argument):
    numbers = numpy.asarray(given if given is not None else [])
    if numbers.ndim != 1:
        refuse("index_halo", f"'{argument}' has {numbers.ndim} dimensions, expected one")
    if len(numbers) and numbers.dtype.kind not in "iu":
        refuse("index_halo", f"'{argument}' has the dtype {numbers.dtype}, expected integers")
    return numpy.ascontiguousarray(numbers, dtype=numpy.int64)


class IndexHalo:
    """The ghosts of a mesh, and who has their elements; `index_halo` makes it.

    Arrays have an element for each local index in their first dimension; further dimensions are components of it. The first call with a
    dtype, strides and components that are new binds an exchange and is collective; later ones only exchange.

    length             the number of local elements and ghosts, or None if it was made from owners
    sends, receives    (rank, local indices) for each peer
    """

    def __init__(self, comm, lists, length):
        self.comm = comm
        self.length = length
        self._lists = lists
        self._bound = {}

    sends = property(lambda self: self._lists.sends)
    receives = property(lambda self: self._lists.receives)

    def __call__(self, *arrays):
        """Fills the ghosts of arrays from their owners. Returns the array, or the arrays."""
        return self._exchange("fill", arrays, {})(*arrays)

    def start(self, *arrays):
        """Begins to fill ghosts; `wait` of the result ends it, or a `with` block."""
        return self._exchange("fill", arrays, {}).start(*arrays)

    def reduce(self, *arrays, op=numpy.add):
        """Combines ghosts with the elements that they are copies of, at their owners, in the same order in every run."""
        name = name_of(op, "reduce", "op")
        return self._exchange("reduce " + name, arrays, {"reverse": True, "update": name})(*arrays)

    def combine(self, *arrays, op=numpy.add):
        """Combines each element with its ghosts, and gives all of them the result."""
        name = name_of(op, "combine", "op")
        return self._exchange("combine " + name, arrays, {"combine_copies": name})(*arrays)

    def bind(self, *arrays, reverse=False, update=None, combine_copies=None, transport="auto", snapshot=False, progress_thread=False,
             threads=1, packet_bytes=0, name=""):
        """An Exchange for arrays of these shapes and dtypes, for programs that keep it. Collective. Options as for Grid.halo."""

        def parse():
            for i, one in enumerate(arrays):
                self._check(i, one)
            carry = {"transport": transport, "snapshot": bool(snapshot), "progress_thread": bool(progress_thread),
                     "threads": operator.index(threads), "packet_bytes": operator.index(packet_bytes), "name": name}
            return _core.IndexRequest(list(arrays), bool(reverse), name_of(update, "index_halo", "update"),
                                      name_of(combine_copies, "index_halo", "combine_copies"), carry)

        return _core.make_index(self.comm, self._lists, collectively(self.comm, "index_halo", parse))

    def zeros(self, dtype=float, components=()):
        """An array of zeros for these elements and ghosts, in memory that the ranks of a node share."""
        if self.length is None:
            refuse("zeros", "the number of elements is not known: the halo was made from owners")
        dtype = numpy.dtype(dtype)
        shape = (self.length,) + (tuple(components) if hasattr(components, "__len__") else (components,))
        size = dtype.itemsize
        for extent in shape:
            size *= operator.index(extent)
        return numpy.ndarray(shape, dtype, _core.node_bytes(self.comm, size).data if size else None)

    def _check(self, i, array):
        shape = numpy.shape(array)
        if len(shape) < 1 or self.length is not None and shape[0] != self.length:
            refuse("index_halo", f"array {i} has the shape {shape}, expected {self.length} elements and ghosts", rank=self.comm.rank)

    def _exchange(self, what, arrays, options):
        key = (what, *[(one.shape, one.dtype, one.strides) if hasattr(one, "strides") else type(one) for one in arrays])
        found = self._bound.get(key)
        if found is None:
            if self._bound:  # other ranks may have this exchange, and would not take part in an agreement on a mistake
                for i, one in enumerate(arrays):
                    self._check(i, one)
            found = self._bound[key] = self.bind(*arrays, **options)
        return found

    def __repr__(self):
        return f"<wherry.IndexHalo of {self.length} elements and ghosts, {len(self.receives)} peers>"
