"""Halo exchanges as a careful user writes them with numpy and mpi4py. Everything that can be made beforehand is."""
import itertools

import numpy
from mpi4py import MPI


def _faces(problem, axis):
    """Of a dimension: low core, high core, low halo, high halo, as indices of an array. Dimensions before it include their halos."""
    n, w = problem.n, problem.width
    rest = [slice(None) if d < axis else slice(w, w + n) for d in range(3)]
    parts = slice(w, 2 * w), slice(n, n + w), slice(0, w), slice(w + n, n + 2 * w)
    return [tuple([*rest[:axis], part, *rest[axis + 1:]]) for part in parts]


class ByDimension:
    """One dimension after the other, so that corners travel through face neighbours. A dimension that is not cut is copied; else
    persistent requests send packed layers, all fields in one message to each side."""

    name = "numpy slices, by dimension"

    def __init__(self, comm, problem, arrays):
        self._axes = []
        for axis in range(3):
            low, high, low_halo, high_halo = _faces(problem, axis)
            if problem.ranks[axis] == 1:
                moves = [(array[to], array[of]) for array in arrays for to, of in ((low_halo, high), (high_halo, low))]
                self._axes.append(([], [], moves, []))
                continue
            below, above = comm.Shift(axis, 1)
            shape = (len(arrays), *arrays[0][low].shape)
            to_low, to_high, from_low, from_high = (numpy.empty(shape) for _ in range(4))
            requests = [comm.Recv_init(from_low, below, 0), comm.Recv_init(from_high, above, 1),
                        comm.Send_init(to_high, above, 0), comm.Send_init(to_low, below, 1)]
            packing = [(out[number], array[part]) for out, part in ((to_high, high), (to_low, low))
                       for number, array in enumerate(arrays)]
            unpacking = [(array[part], arrived[number]) for arrived, part in ((from_low, low_halo), (from_high, high_halo))
                         for number, array in enumerate(arrays)]
            self._axes.append((packing, requests, [], unpacking))

    def __call__(self):
        copy, start, wait = numpy.copyto, MPI.Prequest.Startall, MPI.Request.Waitall
        for packing, requests, moves, unpacking in self._axes:
            for to, of in packing:
                copy(to, of)
            if requests:
                start(requests)
                wait(requests)
            for to, of in moves:
                copy(to, of)
            for to, of in unpacking:
                copy(to, of)


class AllDirections:
    """All 26 neighbours at once: receives first, then sends, from buffers that are made once. This rank's own values are copied."""

    name = "numpy slices, 26 neighbours"

    def __init__(self, comm, problem, arrays):
        self._comm, self._moves, self._sends, self._receives = comm, [], [], []
        n, w = problem.n, problem.width
        core = {-1: slice(w, 2 * w), 0: slice(w, w + n), 1: slice(n, n + w)}
        halo = {-1: slice(0, w), 0: slice(w, w + n), 1: slice(w + n, n + 2 * w)}
        for tag, way in enumerate(itertools.product((-1, 0, 1), repeat=3)):
            back = tuple(-by for by in way)
            inside, outside = tuple(core[by] for by in back), tuple(halo[by] for by in way)
            source = comm.Get_cart_rank([at + by for at, by in zip(comm.coords, way)])
            target = comm.Get_cart_rank([at + by for at, by in zip(comm.coords, back)])
            if not any(way):
                continue
            if source == comm.rank:
                self._moves += [(array[outside], array[inside]) for array in arrays]
                continue
            shape = (len(arrays), *arrays[0][outside].shape)
            out, arrived = numpy.empty(shape), numpy.empty(shape)
            self._sends.append((out, target, tag, [(out[number], array[inside]) for number, array in enumerate(arrays)]))
            self._receives.append((arrived, source, tag, [(array[outside], arrived[number]) for number, array in enumerate(arrays)]))

    def __call__(self):
        comm, copy = self._comm, numpy.copyto
        requests = [comm.Irecv(buffer, source, tag) for buffer, source, tag, _ in self._receives]
        for buffer, target, tag, parts in self._sends:
            for to, of in parts:
                copy(to, of)
            requests.append(comm.Isend(buffer, target, tag))
        for to, of in self._moves:
            copy(to, of)
        MPI.Request.Waitall(requests)
        for _, _, _, parts in self._receives:
            for to, of in parts:
                copy(to, of)


class Datatypes:
    """One dimension after the other by persistent requests of subarray datatypes: MPI packs. A dimension that is not cut is copied."""

    name = "mpi4py, subarray datatypes"

    def __init__(self, comm, problem, arrays):
        self._axes = []
        for axis in range(3):
            faces = _faces(problem, axis)
            low, high, low_halo, high_halo = faces
            if problem.ranks[axis] == 1:
                self._axes.append(([], [(array[to], array[of]) for array in arrays for to, of in ((low_halo, high), (high_halo, low))]))
                continue
            below, above = comm.Shift(axis, 1)
            of_low, of_high, of_low_halo, of_high_halo = (self._type(problem, part) for part in faces)
            requests = []
            for number, array in enumerate(arrays):
                requests += [comm.Recv_init([array, 1, of_low_halo], below, 2 * number), comm.Recv_init([array, 1, of_high_halo], above, 2 * number + 1),
                             comm.Send_init([array, 1, of_high], above, 2 * number), comm.Send_init([array, 1, of_low], below, 2 * number + 1)]
            self._axes.append((requests, []))

    @staticmethod
    def _type(problem, part):
        begins = [one.start or 0 for one in part]
        ends = [extent if one.stop is None else one.stop for one, extent in zip(part, problem.shape)]
        return MPI.DOUBLE.Create_subarray(problem.shape, [end - begin for begin, end in zip(begins, ends)], begins).Commit()

    def __call__(self):
        for requests, moves in self._axes:
            if requests:
                MPI.Prequest.Startall(requests)
                MPI.Request.Waitall(requests)
            for to, of in moves:
                numpy.copyto(to, of)


ALL = (ByDimension, AllDirections, Datatypes)
