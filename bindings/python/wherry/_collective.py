"""Collectives: numpy arrays in, numpy arrays out."""
import operator

import numpy

from . import _core
from ._errors import refuse
from ._mpi import communicator
from ._operations import name_of


class Running:
    """A collective under way: `test()`, and `wait()`, which returns the result."""

    def __init__(self, under_way, kept, result):
        self._under_way, self._kept, self._result = under_way, kept, result

    def test(self):
        """True if it has ended. Makes progress."""
        return self._under_way.test()

    def wait(self):
        """Waits for the end and returns the result."""
        self._under_way.wait()
        self._kept = None
        return self._result() if callable(self._result) else self._result

    def explain(self):
        """Which implementation runs, and why."""
        return self._under_way.explain()


def _values(given, where):
    if isinstance(given, numpy.ma.MaskedArray):
        refuse(where, "'values' is a masked array: pass its 'data', and the mask as another array")
    array = numpy.ascontiguousarray(given).reshape(numpy.shape(given))
    if array.dtype.hasobject:
        refuse(where, f"'values' has the dtype {array.dtype}, whose elements are Python objects")
    return array


def _out(out, shape, dtype, where):
    if out is None:
        return numpy.empty(shape, dtype)
    if not isinstance(out, numpy.ndarray) or isinstance(out, numpy.ma.MaskedArray):
        refuse(where, f"'out' is a {type(out).__name__}, expected a numpy array")
    if (out.shape, out.dtype) != (tuple(shape), dtype) or not out.flags.c_contiguous or not out.flags.writeable:
        refuse(where, f"'out' has the shape {out.shape} and the dtype {out.dtype}, expected a contiguous array of {tuple(shape)} and "
                      f"{dtype} that can be written")
    return out


def _call(name, comm, send, send_count, receive, receive_count, op="", root=0, blocking=True, result=None):
    under_way = _core.collective(comm, name, send, send_count, receive, receive_count, op, root, blocking)
    return result if blocking else Running(under_way, (send, receive), result)


def _combined(name, values, op, comm, out, root, blocking):
    comm = communicator(comm)
    send = _values(values, name)
    receive = None
    if name != "reduce" or comm.rank == root:
        receive = _out(out, send.shape, send.dtype, name)
    scalar = numpy.isscalar(values) and receive is not None
    if not blocking:
        return _call(name, comm, send, send.size, receive, send.size, name_of(op, name, "op"), root, False,
                     (lambda: receive[()]) if scalar else receive)
    _call(name, comm, send, send.size, receive, send.size, name_of(op, name, "op"), root)
    return receive[()] if scalar else receive


def allreduce(values, op=numpy.add, comm=None, out=None, blocking=True):
    """The values of all ranks, combined number by number; on all ranks.

    values    an array, or one number
    op        numpy.add, multiply, minimum, maximum, bitwise_and, ...; or an operation of mpi4py
    comm      a communicator of mpi4py; None: COMM_WORLD
    out       the array for the result; None: a new one
    blocking  False: returns at once; `wait()` of what it returns has the result, and the values must stay until then

    >>> float(allreduce(1.5))
    1.5
    """
    return _combined("allreduce", values, op, comm, out, 0, blocking)


def reduce(values, op=numpy.add, root=0, comm=None, out=None, blocking=True):
    """As allreduce, with the result on the rank `root`; None on the others."""
    return _combined("reduce", values, op, comm, out, operator.index(root), blocking)


def scan(values, op=numpy.add, comm=None, out=None, blocking=True):
    """The values of this rank and those before it, combined."""
    return _combined("scan", values, op, comm, out, 0, blocking)


def bcast(array, root=0, comm=None, blocking=True):
    """Sends an array of the rank `root` to all ranks, into their arrays of the same shape and dtype. Returns the array."""
    comm = communicator(comm)
    if not isinstance(array, numpy.ndarray) or isinstance(array, numpy.ma.MaskedArray):
        refuse("bcast", f"'array' is a {type(array).__name__}, expected a numpy array, which receives the values")
    if not array.flags.c_contiguous:
        refuse("bcast", f"'array' has the strides {array.strides}: it must be contiguous")
    return _call("bcast", comm, None, 0, array, array.size, "", operator.index(root), blocking, array)


def allgather(values, comm=None, out=None, blocking=True):
    """The values of all ranks, of equal shape: result[r] is what rank r gave. On all ranks."""
    comm = communicator(comm)
    send = _values(values, "allgather")
    receive = _out(out, (comm.size,) + send.shape, send.dtype, "allgather")
    return _call("allgather", comm, send, send.size, receive, send.size, blocking=blocking, result=receive)


def gather(values, root=0, comm=None, out=None, blocking=True):
    """As allgather, with the result on the rank `root`; None on the others."""
    comm = communicator(comm)
    send = _values(values, "gather")
    receive = _out(out, (comm.size,) + send.shape, send.dtype, "gather") if comm.rank == root else None
    # The item size is that of `send` where there is no result.
    return _call("gather", comm, send, send.size, receive, send.size, "", operator.index(root), blocking, receive)


def scatter(values, out, root=0, comm=None, blocking=True):
    """Rank r gets values[r] of the rank `root` in `out`, which gives shape and dtype on all ranks. Returns `out`."""
    comm = communicator(comm)
    receive = _out(out, numpy.shape(out), out.dtype, "scatter")
    send = None
    if comm.rank == root:
        send = _values(values, "scatter")
        if (send.shape, send.dtype) != ((comm.size,) + receive.shape, receive.dtype):
            refuse("scatter", f"'values' has the shape {send.shape} and the dtype {send.dtype}, expected "
                              f"{(comm.size,) + receive.shape} and {receive.dtype}")
    return _call("scatter", comm, send, receive.size, receive, receive.size, "", operator.index(root), blocking, receive)


def alltoall(values, comm=None, out=None, blocking=True):
    """Rank r gets values[r]; result[r] is what rank r sent to this one."""
    comm = communicator(comm)
    send = _values(values, "alltoall")
    if send.ndim < 1 or send.shape[0] != comm.size:
        refuse("alltoall", f"'values' has the shape {send.shape}, expected a first dimension of {comm.size}, one for each rank")
    receive = _out(out, send.shape, send.dtype, "alltoall")
    count = send.size // comm.size
    return _call("alltoall", comm, send, count, receive, count, blocking=blocking, result=receive)


def barrier(comm=None):
    """Returns when all ranks have called it."""
    _core.barrier(communicator(comm))
