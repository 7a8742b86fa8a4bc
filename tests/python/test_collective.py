"""Collectives against numpy."""
import numpy

import wherry as wh
from support import error


def test_allreduce():
    c = wh.communicator()
    x = numpy.arange(6.0).reshape(2, 3) + c.rank
    assert (wh.allreduce(x) == sum(numpy.arange(6.0).reshape(2, 3) + r for r in range(c.size))).all()
    assert wh.allreduce(c.rank, op=max) == c.size - 1 and wh.allreduce(2.5) == 2.5 * c.size
    for dtype in ("i1", "u4", "i8", "f4", "f8", "c16"):
        assert (wh.allreduce(numpy.ones(4, dtype)) == c.size).all(), dtype
    assert (wh.allreduce(numpy.array([True, c.rank == 0]), op=numpy.logical_and) == [True, c.size == 1]).all()
    out = numpy.zeros(3)
    assert wh.allreduce(numpy.ones(3), out=out) is out and (out == c.size).all()


def test_to_and_from_a_root():
    c = wh.communicator()
    root = c.size - 1
    total = wh.reduce(numpy.full(3, c.rank), root=root)
    assert (total == sum(range(c.size))).all() if c.rank == root else total is None
    x = numpy.full((2, 2), c.rank)
    assert (wh.bcast(x, root=root) == root).all()
    cell = numpy.dtype([("a", "f8"), ("b", "i2")])
    s = numpy.zeros(3, cell)
    s["b"] = c.rank
    assert (wh.bcast(s, root=root)["b"] == root).all()
    rows = wh.gather(numpy.full(2, c.rank), root=root)
    assert (rows == numpy.arange(c.size)[:, None]).all() if c.rank == root else rows is None
    mine = wh.scatter(numpy.arange(2.0 * c.size).reshape(-1, 2) if c.rank == root else None, numpy.zeros(2), root=root)
    assert list(mine) == [2 * c.rank, 2 * c.rank + 1]


def test_all_to_all():
    c = wh.communicator()
    assert (wh.allgather(numpy.full(2, c.rank)) == numpy.arange(c.size)[:, None]).all()
    assert list(wh.alltoall(10 * c.rank + numpy.arange(c.size))) == [10 * r + c.rank for r in range(c.size)]
    assert wh.scan(1) == c.rank + 1
    wh.barrier()


def test_split_phase():
    c = wh.communicator()
    under_way = [wh.allreduce(numpy.full(3, k + c.rank), blocking=False) for k in range(3)]
    gathered = wh.allgather(c.rank, blocking=False)
    for k in (2, 0, 1):
        while not under_way[k].test():
            pass
        assert (under_way[k].wait() == c.size * k + sum(range(c.size))).all()
    assert list(gathered.wait()) == list(range(c.size))
    assert wh.allreduce(1, blocking=False).wait() == c.size
    del under_way


def test_mistakes():
    with error("numpy.add"):
        wh.allreduce(1.0, op="median")
    with error("cannot be combined"):
        wh.allreduce(numpy.array(["a"]))
    with error("Python objects"):
        wh.allgather(numpy.array([None]))
    with error("'out'", "(3,)"):
        wh.allreduce(numpy.zeros(3), out=numpy.zeros(4))
    with error("one for each rank"):
        wh.alltoall(numpy.zeros(wh.communicator().size + 1))
    with error("contiguous"):
        wh.bcast(numpy.zeros((4, 4))[:, ::2])
