"""Elements for ranks that do not know what will come."""
import numpy

from . import _core
from ._errors import collectively, refuse
from ._mpi import communicator


def send_to(owners, values, comm=None, algorithm="auto"):
    """Sends values[i] to rank owners[i] for each i, and returns the Arrivals here. Collective; nobody needs to know what will come.

    owners     a rank for each value
    values     an array of any dtype without objects; further dimensions belong to an element
    algorithm  "auto", "shared", "dense", "consensus" or "node_aware" (docs/sparse.md)

    >>> send_to([0, 0], [1.5, 2.5]).all.tolist()
    [1.5, 2.5]
    """
    return start_send_to(owners, values, comm, algorithm, _blocking=True).wait()


def start_send_to(owners, values, comm=None, algorithm="auto", _blocking=False):
    """Begins what `send_to` does. `wait()` of the result returns the Arrivals. The arrays may change at once."""
    comm = communicator(comm)

    def parse():
        to, given = numpy.ascontiguousarray(owners), _elements(values, "send_to", "values")
        if to.ndim != 1 or (len(to) and to.dtype.kind not in "iu"):
            refuse("send_to", f"'owners' has the dtype {to.dtype} and {to.ndim} dimensions, expected a list of ranks")
        if len(to) != len(given):
            refuse("send_to", f"'owners' has {len(to)} entries, but 'values' has {len(given)} elements")
        if len(to) and (to.max() > 2**31 - 1 or to.min() < -2**31):
            refuse("send_to", f"'owners' has {to.max()}, which is no rank of {comm.size}")
        return numpy.ascontiguousarray(to, dtype=numpy.intc), given

    to, given = collectively(comm, "send_to", parse)
    return Arriving(_core.send_to(comm, to, given, algorithm, _blocking), given.dtype, given.shape[1:])


def sparse_exchange(parcels, dtype=None, comm=None, algorithm="auto"):
    """Sends arrays to some ranks, and returns the Arrivals here. Collective; nobody needs to know what will come.

    parcels  {rank: array} or a list of (rank, array). An array without elements arrives, too
    dtype    of the elements, the same on all ranks; it may be left out where all ranks send something
    """
    return start_sparse_exchange(parcels, dtype, comm, algorithm, _blocking=True).wait()


def start_sparse_exchange(parcels, dtype=None, comm=None, algorithm="auto", _blocking=False):
    """Begins what `sparse_exchange` does. `wait()` of the result returns the Arrivals."""
    comm = communicator(comm)

    def parse():
        pairs = list(parcels.items() if hasattr(parcels, "items") else parcels)
        arrays = [_elements(numpy.asarray(one, dtype), "sparse_exchange", "parcels") for _, one in pairs]
        kind = numpy.dtype(dtype) if dtype is not None else arrays[0].dtype if arrays else None
        if kind is None:
            refuse("sparse_exchange", "'dtype' is missing on a rank that sends nothing")
        shapes = {one.shape[1:] for one in arrays}
        if any(one.dtype != kind for one in arrays) or len(shapes) > 1:
            refuse("sparse_exchange", f"the parcels have elements of {[(str(one.dtype), one.shape[1:]) for one in arrays]}")
        return [int(to) for to, _ in pairs], arrays, kind, shapes.pop() if shapes else ()

    to, arrays, kind, shape = collectively(comm, "sparse_exchange", parse)
    bytes_each = kind.itemsize * int(numpy.prod(shape, dtype=int))
    return Arriving(_core.parcels(comm, to, arrays, bytes_each, numpy.empty(1, kind), algorithm, _blocking), kind, shape)


def _elements(given, where, argument):
    if isinstance(given, numpy.ma.MaskedArray):
        refuse(where, f"'{argument}' is a masked array: pass its 'data', and the mask as another array")
    array = numpy.ascontiguousarray(given)
    if array.dtype.hasobject:
        refuse(where, f"'{argument}' has the dtype {array.dtype}, whose elements are Python objects")
    if numpy.ndim(given) < 1:
        refuse(where, f"'{argument}' is one value, expected a list of them")
    return array


class Arriving:
    """An exchange under way: `test()`, and once `wait()`, which returns the Arrivals."""

    def __init__(self, flight, dtype, shape):
        self._flight, self._dtype, self._shape = flight, dtype, shape

    def test(self):
        """True if all has arrived and left. Makes progress."""
        return self._flight.test()

    def wait(self):
        """Waits for the end."""
        data, sources, offsets = self._flight.take()
        return Arrivals(data.view(self._dtype).reshape((-1,) + self._shape), sources, offsets)

    algorithm = property(lambda self: self._flight.algorithm)


class Arrivals:
    """Elements that have arrived, ordered by the rank that sent them, and for each rank in the order in which it gave them.

    all      the elements of all ranks, in one array
    sources  the ranks that sent something, ascending

    >>> for source, elements in send_to([0, 0], [1.5, 2.5]):
    ...     print(source, elements)
    0 [1.5 2.5]
    """

    def __init__(self, elements, sources, offsets):
        self.all = elements
        self.sources = sources
        self._ends = numpy.append(offsets, len(elements)).astype(numpy.int64)

    def from_rank(self, rank):
        """The elements that a rank sent; none if it sent nothing."""
        place = int(numpy.searchsorted(self.sources, rank))
        if place == len(self.sources) or self.sources[place] != rank:
            return self.all[:0]
        return self.all[self._ends[place]:self._ends[place + 1]]

    @property
    def source_of(self):
        """For each element the rank that sent it."""
        return numpy.repeat(self.sources, numpy.diff(self._ends))

    def __iter__(self):
        for place, source in enumerate(self.sources):
            yield int(source), self.all[self._ends[place]:self._ends[place + 1]]

    def __len__(self):
        return len(self.all)

    def __array__(self, dtype=None, copy=None):
        return self.all if dtype is None else self.all.astype(dtype)

    def __repr__(self):
        return f"<wherry.Arrivals of {len(self.all)} elements of {self.all.dtype} from {len(self.sources)} ranks>"


class SparsePlan:
    """A send_to that is repeated: the ranks find out once who sends to whom. It carries answers back, too. Collective to make.

    owners   the rank that element i of every exchange goes to
    dtype    of the elements, and `components` of each
    answers  the dtype of the answers; None: dtype

    >>> ask = SparsePlan([0, 0], dtype=int)
    >>> asked = ask.exchange(numpy.array([4, 7]))
    >>> ask.answer(10 * asked.all).tolist()
    [40, 70]
    """

    def __init__(self, owners, dtype=float, answers=None, components=(), comm=None, algorithm="auto", transport="auto"):
        comm = communicator(comm)
        more = tuple(components) if hasattr(components, "__len__") else (components,)

        def parse():
            to = numpy.ascontiguousarray(owners)
            if to.ndim != 1 or (len(to) and to.dtype.kind not in "iu"):
                refuse("sparse_plan", f"'owners' has the dtype {to.dtype} and {to.ndim} dimensions, expected a list of ranks")
            kinds = numpy.dtype(dtype), numpy.dtype(dtype if answers is None else answers)
            if kinds[0].hasobject or kinds[1].hasobject:
                refuse("sparse_plan", "'dtype' has Python objects as elements")
            return numpy.ascontiguousarray(to, dtype=numpy.intc), kinds

        to, (kind, reply) = collectively(comm, "sparse_plan", parse)
        self._pattern = _core.SparsePattern(comm, to, algorithm)
        self._arrived = numpy.zeros((self._pattern.arriving,) + more, kind)
        self._answered = numpy.zeros(len(to), reply)
        self._values = (len(to),) + more, kind
        self._replies = (self._pattern.arriving,), reply
        carry = {"transport": transport}
        self._there = self._pattern.bind(False, numpy.zeros(*self._values), self._arrived, carry)
        self._back = self._pattern.bind(True, numpy.zeros(*self._replies), self._answered, carry)

    def exchange(self, values):
        """Sends values[i] to rank owners[i] and returns the Arrivals, whose array the next exchange fills again."""
        self.start(values)
        return self.wait()

    def start(self, values):
        """Begins an exchange. The values must not change until it has ended."""
        self._there.start(self._right(values, self._values, "values"), self._arrived)

    def test(self):
        """True if the exchange has ended."""
        return self._there.test()

    def wait(self):
        """Waits for the end of the exchange and returns the Arrivals."""
        self._there.wait()
        return Arrivals(self._arrived, numpy.asarray(self._pattern.sources, int), numpy.asarray(self._pattern.offsets, int))

    def answer(self, replies):
        """Sends replies[i] to the rank that sent element i of what has arrived. Returns the answer to each value that was sent."""
        self._back(self._right(replies, self._replies, "replies"), self._answered)
        return self._answered

    @staticmethod
    def _right(given, wanted, argument):
        array = numpy.ascontiguousarray(given)
        if (array.shape, array.dtype) != wanted:
            refuse("sparse_plan", f"'{argument}' has the shape {array.shape} and the dtype {array.dtype}, expected "
                                  f"{wanted[0]} and {wanted[1]}")
        return array

    def explain(self):
        """The plan as a text."""
        return self._there.explain() + self._back.explain()
