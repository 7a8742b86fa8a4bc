"""Redistribution and blocks."""
import numpy

import wherry as wh
from support import error, expected, fill_core


def test_pencils_and_back():
    for cells in ((12, 9), (6, 7, 8)):
        g = wh.grid(cells, periodic=True)
        u = g.zeros(halo=1)
        fill_core(u)
        for axis in range(len(cells)):
            p = g.pencils(axis)
            assert p.ranks[axis] == 1
            w = wh.redistribute(u, p, halo=1)
            assert (w.core == expected(p, 0)).all()
            back = wh.redistribute(w, g)
            assert (back.array == expected(g, 0)).all()


def test_planned_once_with_components_and_strides():
    g = wh.grid((10, 6))
    p = g.divided(1, 0)
    u = g.zeros(components=2, dtype="f4")
    mine = numpy.zeros((2,) + p.box.shape, dtype="f4")
    w = p.wrap(mine, halo=0, components_first=True)
    move = wh.redistribution(u, w)
    for scale in (1, 2):
        u.core[...] = scale * expected(g, 0)[..., None] * [1, 3]
        move(u, w)
        assert (mine == scale * expected(p, 0) * numpy.array([1, 3])[:, None, None]).all()
    with move.start(u, w):
        pass
    assert "redistribute" in move.explain()


def test_mistakes():
    g = wh.grid((10, 6))
    with error("Field"):
        wh.redistribute(numpy.zeros((3, 3)), g)
    with error("must be the same"):
        wh.redistribute(g.zeros(), wh.grid((10, 7)))
    with error("planes"):
        wh.redistribute(g.zeros(on="nodes"), g)
    with error("float32"):
        wh.redistribution(g.zeros(), g.zeros(dtype="f4"))


def whole(cells):
    return 1 + numpy.arange(numpy.prod(cells)).reshape(cells)


def test_blocks_move_and_fill_their_ghosts():
    size = wh.communicator().size
    domain = wh.Box((0, 0), (12, 10))
    boxes = wh.cut_blocks(domain, (5, 4))
    plan = wh.FloorPlan(boxes, [(3 * k + 1) % size for k in range(len(boxes))])
    columns = wh.FloorPlan(wh.cut_blocks(domain, (12, 2)), [k % size for k in range(5)])
    values = whole((12, 10))
    x, y = plan.zeros(halo=2, dtype=int), columns.zeros(dtype=int)
    for number in plan.mine:
        x[number] = values[boxes[number].slices(domain)]
    x.mover(y)()
    for number in columns.mine:
        assert (y[number] == values[columns.boxes[number].slices(domain)]).all()
    x.ghosts()()
    framed = numpy.pad(values, 2)
    for number in plan.mine:
        assert (x.arrays[number] == framed[boxes[number].grow(2).slices(domain.grow(2))]).all()


def test_floor_plans_are_checked():
    size = wh.communicator().size
    with error("owner"):
        wh.FloorPlan([((0,), (4,))], [size])
    with error("owners"):
        wh.FloorPlan([((0,), (4,))], [])
