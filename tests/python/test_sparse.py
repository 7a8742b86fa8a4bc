"""Sparse exchange: everything arrives once, where it should, in the order of the senders."""
import numpy

import wherry as wh
from support import error


def test_send_to_all():
    c = wh.communicator()
    particle = numpy.dtype([("x", "f8", 3), ("id", "i8")])
    rng = numpy.random.default_rng(c.rank)
    owners = rng.integers(0, c.size, 100)
    mine = numpy.zeros(100, particle)
    mine["id"] = 1000 * c.rank + numpy.arange(100)
    mine["x"] = rng.random((100, 3))
    for algorithm in ("auto", "dense", "consensus", "shared", "node_aware"):
        arrived = wh.send_to(owners, mine, algorithm=algorithm)
        assert arrived.all.dtype == particle
        for rank in range(c.size):
            other = numpy.random.default_rng(rank)
            to = other.integers(0, c.size, 100)
            expected = 1000 * rank + numpy.arange(100)[to == c.rank]
            assert (arrived.from_rank(rank)["id"] == expected).all()
            assert (arrived.from_rank(rank)["x"] == other.random((100, 3))[to == c.rank]).all()
        assert (arrived.source_of == arrived.all["id"] // 1000).all()
        assert sum(len(part) for _, part in arrived) == len(arrived)


def test_elements_of_several_numbers_and_none():
    c = wh.communicator()
    arrived = wh.send_to([(c.rank + 1) % c.size] * 3, numpy.arange(12, dtype="f4").reshape(3, 4) + 100 * c.rank)
    assert arrived.all.shape == (3, 4) and (arrived.all == numpy.arange(12).reshape(3, 4) + 100 * ((c.rank - 1) % c.size)).all()
    nothing = wh.send_to(numpy.zeros(0, int), numpy.zeros((0, 4), "f4"))
    assert nothing.all.shape == (0, 4) and list(nothing) == []


def test_started_and_ended_in_any_order():
    c = wh.communicator()
    flights = [wh.start_send_to([k % c.size], numpy.array([float(k + 10 * c.rank)])) for k in range(3)]
    for k in (2, 0, 1):
        while not flights[k].test():
            pass
        arrived = flights[k].wait()
        assert list(arrived.all) == ([k + 10.0 * r for r in range(c.size)] if k % c.size == c.rank else [])
    with error("taken", kind="state"):
        flights[0].wait()


def test_parcels():
    c = wh.communicator()
    right = (c.rank + 1) % c.size
    arrived = wh.sparse_exchange({right: numpy.arange(c.rank + 1.0)}, dtype=float)
    left = (c.rank - 1) % c.size
    assert list(arrived.sources) == [left] and (arrived.from_rank(left) == numpy.arange(left + 1)).all()
    arrived = wh.sparse_exchange([(0, [])] if c.rank == 0 else [], dtype="i4")
    assert list(arrived.sources) == ([0] if c.rank == 0 else []) and arrived.all.dtype == "i4"


def test_plan_with_answers():
    c = wh.communicator()
    table = numpy.arange(10) + 10 * c.rank
    wanted = (7 * numpy.arange(25) + c.rank) % (10 * c.size)
    ask = wh.SparsePlan(wanted // 10, dtype=int, answers=float)
    for scale in (1, 2):
        asked = ask.exchange(wanted)
        assert ((asked.all // 10) == c.rank).all()
        assert (ask.answer(table[asked.all % 10] * scale / 2) == wanted * scale / 2).all()
    with error("'values'", "expected (25,)"):
        ask.exchange(wanted[:3])
    assert "sparse_plan" in ask.explain()


def test_mistakes_of_one_rank_are_errors_of_all():
    c = wh.communicator()
    with error("0 to"):
        wh.send_to([c.size if c.rank == 0 else 0], [1.0])
    with error("'owners' has 2 entries"):
        wh.send_to([0, 0] if c.rank == 0 else [0], [1.0])
    with error("Python objects"):
        wh.send_to([0], numpy.array([{}]))
    if c.size > 1:
        with error(kind="mismatch"):
            wh.send_to([0], numpy.zeros(1, "f4" if c.rank == 0 else "f8"))
    with error("'dtype' is missing"):
        wh.sparse_exchange({})
    assert list(wh.send_to([c.rank], [2.0]).all) == [2.0]  # the next one works
