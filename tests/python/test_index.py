"""Index halos against values that follow from global ids."""
import numpy

import wherry as wh
from support import error


def ring(comm=None):
    """Five elements on each rank, in mixed order; the ghosts are the two elements before and after."""
    c = wh.communicator(comm)
    n = 5 * c.size
    mine = 5 * c.rank + numpy.array([3, 0, 4, 1, 2])
    around = [(5 * c.rank - 2) % n, (5 * c.rank - 1) % n, (5 * c.rank + 5) % n, (5 * c.rank + 6) % n]
    ghosts = [] if c.size == 1 else sorted(set(around) - set(mine.tolist()), reverse=True)
    return wh.index_halo(comm, mine, ghosts), mine, numpy.array(ghosts, int), n


def test_ghosts_get_their_owners_values():
    halo, mine, ghosts, _ = ring()
    ids = numpy.append(mine, ghosts)
    for dtype in (float, "i4", "c16"):
        x = halo.zeros(dtype)
        x[:5] = 10 * mine
        assert halo(x) is x and (x == 10 * ids).all()
    x = numpy.zeros((len(ids), 3))  # components
    x[:5] = mine[:, None] * [1, 2, 3]
    assert (halo(x) == ids[:, None] * [1, 2, 3]).all()
    y = numpy.zeros((len(ids), 6))[:, ::2]  # components that lie apart
    y[:5] = mine[:, None] * [1, 2, 3]
    assert (halo(y) == ids[:, None] * [1, 2, 3]).all()
    z = numpy.zeros((4, len(ids))).T[:, 1:3]
    z[:5] = mine[:, None] * [1, 2]
    assert (halo(z) == ids[:, None] * [1, 2]).all()


def test_several_arrays_and_overlap():
    halo, mine, ghosts, _ = ring()
    ids = numpy.append(mine, ghosts)
    x, y = halo.zeros(), halo.zeros("f4")
    x[:5], y[:5] = mine, -mine
    with halo.start(x, y):
        pass
    assert (x == ids).all() and (y == -ids).all()


def test_sums_at_owners_and_over_copies():
    halo, mine, ghosts, _ = ring()
    x = halo.zeros()
    x[:] = 1
    halo.reduce(x)
    copies = wh.allreduce(len(ghosts))
    assert wh.allreduce(x[:5].sum()) == 5 * wh.communicator().size + copies
    y = halo.zeros(int)
    y[:] = 1
    halo.combine(y, op=numpy.add)
    halo_of_owner = halo.zeros(int)
    halo_of_owner[:5] = y[:5]
    assert (halo(halo_of_owner) == y).all()
    z = halo.zeros()
    z[:5], z[5:] = mine, -1
    halo.reduce(z, op=numpy.maximum)
    assert (z[:5] == mine).all()


def test_from_owners():
    c = wh.communicator()
    right = (c.rank + 1) % c.size
    halo = wh.index_halo(None, None, owners=[right, right], index_there=[0, 2], index_here=[3, 4])
    x = numpy.array([10.0 * c.rank, 10 * c.rank + 1, 10 * c.rank + 2, -1, -1])
    halo(x)
    assert (x[3:] == [10 * right, 10 * right + 2]).all()


def test_mistakes():
    halo, mine, ghosts, _ = ring()
    with error("has the shape", "elements and ghosts"):
        halo(numpy.zeros(len(mine) + len(ghosts) + 1))
    with error("'my_ids'", "integers"):
        wh.index_halo(None, [0.5], [])
    with error("twice" if wh.communicator().size == 1 else ""):
        wh.index_halo(None, [0, 1], [7, 7])
    with error("missing"):
        wh.index_halo(None, [1])
