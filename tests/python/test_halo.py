"""Halo exchanges against an oracle of global indices."""
import itertools

import numpy

import wherry as wh
from support import error, expected, fill_core


def test_one_to_four_dimensions_periodic_and_not():
    for cells in ((23,), (12, 9), (6, 7, 8), (4, 5, 4, 3)):
        for periodic in (False, True):
            g = wh.grid(cells, periodic=periodic)
            u = g.zeros(halo=1)
            fill_core(u)
            assert g.halo(u)() is None
            assert (u.array == expected(g, 1)).all(), (cells, periodic)


def test_widths_that_differ_on_each_side():
    halo = ((1, 2), (0, 3))
    g = wh.grid((11, 13), periodic=(True, False))
    u = g.full(-1.0, halo=halo)
    fill_core(u)
    g.halo(u)(u)
    assert (u.array == expected(g, halo, before=-1)).all()


def test_halo_wider_than_the_domain():
    g = wh.grid((3, 5), periodic=True)
    u = g.zeros(halo=4)
    fill_core(u)
    g.halo(u)()
    assert (u.array == expected(g, 4)).all()


def test_more_ranks_than_cells():
    g = wh.grid((2, 1), periodic=True, ranks=(0, 1))
    u = g.zeros(halo=1)
    fill_core(u)
    g.halo(u)()
    if not g.box.empty:
        assert (u.array == expected(g, 1)).all()


def test_dtypes():
    g = wh.grid((10, 8), periodic=True)
    for dtype in ("i1", "u2", "i4", "i8", "f2", "f4", "f8", "g", "c8", "c16", "?", "S5", "U3", ">f8"):
        u = g.zeros(halo=1, dtype=dtype)
        want = expected(g, 1) % 100
        u.core[...] = want[1:-1, 1:-1].astype(dtype)
        g.halo(u)()
        assert (u.array == want.astype(dtype)).all(), dtype


def test_structured_dtype():
    cell = numpy.dtype([("density", "f4"), ("momentum", "f8", 2), ("flag", "u1")])
    g = wh.grid((9, 7), periodic=True)
    u = g.zeros(halo=1, dtype=cell)
    want = expected(g, 1)
    u.core["density"], u.core["flag"] = want[1:-1, 1:-1], want[1:-1, 1:-1] % 7
    u.core["momentum"] = want[1:-1, 1:-1, None] * [2, 3]
    g.halo(u)()
    assert (u.array["density"] == want).all() and (u.array["flag"] == want % 7).all()
    assert (u.array["momentum"] == want[..., None] * [2, 3]).all()


def test_components_last_and_first():
    g = wh.grid((8, 9), periodic=True)
    u = g.zeros(halo=1, components=(2, 3))
    want = expected(g, 1)
    scale = numpy.arange(1, 7).reshape(2, 3)
    u.core[...] = want[1:-1, 1:-1, None, None] * scale
    g.halo(u)()
    assert (u.array == want[..., None, None] * scale).all()

    mine = numpy.zeros((3,) + want.shape)
    v = g.wrap(mine, halo=1, components_first=True)
    v.core[...] = want[1:-1, 1:-1] * numpy.arange(1, 4)[:, None, None]
    g.halo(v)(v)
    assert (mine == want * numpy.arange(1, 4)[:, None, None]).all()


def test_users_arrays_of_any_strides():
    g = wh.grid((9, 10), periodic=True)
    want = expected(g, 1)
    n, m = want.shape
    arrays = {"C": numpy.zeros((n, m)), "Fortran": numpy.zeros((n, m), order="F"), "every second": numpy.zeros((2 * n, 3 * m))[::2, ::3],
              "backwards": numpy.zeros((n, m))[::-1, ::-1], "transposed": numpy.zeros((m, n)).T,
              "a field of a structure": numpy.zeros((n, m), [("a", "f8"), ("b", "f4")])["a"]}
    for name, mine in arrays.items():
        mine[1:-1, 1:-1] = want[1:-1, 1:-1]
        g.halo(mine, halo=1)()
        assert (mine == want).all(), name


class Tensor:
    """An array of another library: it has DLPack, and no buffer."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def test_arrays_with_dlpack():
    g = wh.grid((9, 10), periodic=True)
    want = expected(g, 1)
    mine, other = numpy.zeros(want.shape), numpy.zeros(want.shape)
    fill = g.halo(Tensor(mine), halo=1)
    mine[1:-1, 1:-1] = other[1:-1, 1:-1] = want[1:-1, 1:-1]
    fill()
    assert (mine == want).all()
    fill(Tensor(other))
    assert (other == want).all()
    with error("format 'f'"):
        fill(Tensor(mine.astype("f4")))


def test_components_that_lie_apart():
    g = wh.grid((9, 10), periodic=True)
    want = expected(g, 1)
    mine = numpy.zeros(want.shape + (6,))[..., ::2]
    mine[1:-1, 1:-1] = want[1:-1, 1:-1, None] * [1, 2, 3]
    g.halo(mine, halo=1)()
    assert (mine == want[..., None] * [1, 2, 3]).all()


def test_many_fields_and_other_memory():
    g = wh.grid((10, 12), periodic=True)
    u, v = g.zeros(halo=2), g.zeros(halo=1, dtype="i4", components=2)
    fill = g.halo(u, v)
    for scale in (1, 2):
        a, b = u.copy(), g.zeros_like(v)
        fill_core(a, scale)
        b.core[...] = scale * expected(g, 0)[..., None]
        assert fill(a, b)[0] is a
        assert (a.array == scale * expected(g, 2)).all() and (b.array == scale * expected(g, 1)[..., None]).all()
    # Plain arrays of the same shape and strides may take turns with fields.
    mine = numpy.zeros(u.shape)
    mine[2:-2, 2:-2] = expected(g, 0)
    fill(mine, v)
    assert (mine == expected(g, 2)).all()


def test_overlap_and_swap():
    g = wh.grid((12, 8), periodic=True)
    u, v = g.zeros(halo=1), g.zeros(halo=1)
    fill = g.halo(u)
    fill_core(u, 1)
    fill_core(v, 2)
    for scale in (1, 2, 1):
        with fill.start(u) as flight:
            assert flight is fill
        assert not fill.in_flight and (u.array == scale * expected(g, 1)).all()
        u, v = v, u
    fill.start(u)
    while not fill.test():
        pass
    fill.wait()


def test_snapshot_lets_the_source_change():
    g = wh.grid((12, 8), periodic=True)
    u = g.zeros(halo=1)
    fill_core(u)
    fill = g.halo(u, snapshot=True)
    fill.start(u)
    keep = u.core.copy()
    u.core[...] = -1
    fill.wait()
    u.core[...] = keep
    assert (u.array == expected(g, 1)).all()


def test_faces_only():
    g = wh.grid((10, 12), periodic=True)
    u = g.zeros(halo=1)
    fill_core(u)
    g.halo(u, stencil="faces")()
    want = expected(g, 1)
    for i, j in itertools.product((0, -1), repeat=2):
        want[i, j] = 0
    assert (u.array == want).all()
    w = g.zeros(halo=1)
    fill_core(w)
    g.halo(w, stencil=[(1, 0)])()
    want = expected(g, 1)
    want[0], want[:, 0], want[:, -1] = 0, 0, 0
    assert (w.array == want).all()


def test_orders_and_transports():
    g = wh.grid((10, 12), periodic=True)
    for options in ({"order": "by_dimension"}, {"order": "direct"}, {"transport": "two_sided"}, {"transport": "shared"},
                    {"transport": "reference"}, {"transport": "datatype"}, {"packet_bytes": 64}, {"threads": 2}):
        if options.get("transport") == "shared" and len(g.comm.node_ranks) < g.size:
            continue
        u = g.zeros(halo=1)
        fill_core(u)
        fill = g.halo(u, name="pressure", **options)
        fill()
        assert (u.array == expected(g, 1)).all(), options
        assert "pressure" in fill.explain() and fill.transport
        assert fill.statistics["exchanges"] == 1


def test_sum_at_owners():
    g = wh.grid((12, 10), periodic=True)
    u = g.ones(halo=1)
    g.halo(u, reverse=True, update=numpy.add)()
    # Each of the 8 neighbours' copies adds one where it lies in a halo: cells at the rim of the rank have more.
    total = wh.allreduce(u.core.sum())
    ranks_with_cells = wh.allreduce(u.array.size)
    assert total == ranks_with_cells


def test_nodes_and_sums_over_copies():
    g = wh.grid((8, 6))
    forces = g.ones(on="nodes")
    g.halo(forces, combine_copies=numpy.add)()
    # Every rank that has a node gives one.
    have = numpy.zeros((9, 7))
    for rank in range(g.size):
        (a, b), (c, d) = g.box_of(rank)
        have[a:c + 1, b:d + 1] += 1
    assert (forces.core == have[forces.box.slices(wh.Box((0, 0), (9, 7)))]).all()


def test_halos_of_nodes_and_faces():
    g = wh.grid((8, 6), periodic=(False, True))
    for on in ("nodes", ("faces", 0), ("edges", 0), (True, False)):
        u = g.zeros(halo=1, on=on)
        fill_core(u)
        g.halo(u)()
        assert (u.array == expected(g, 1, on=u.on)).all(), on


def test_some_fields_and_layers():
    g = wh.grid((12, 10), periodic=True)
    u, v = g.zeros(halo=2), g.zeros(halo=2)
    mine = numpy.zeros((2,) + u.shape)
    fill = g.halo(u, v, g.wrap(mine, halo=2, components_first=True))
    for one in (u, v):
        fill_core(one)
    mine[:, 2:-2, 2:-2] = u.core * numpy.array([2, 3])[:, None, None]
    some = fill.only([2, 0], depth=1)
    some()
    narrow = expected(g, 2)
    narrow[0], narrow[-1], narrow[:, 0], narrow[:, -1] = 0, 0, 0, 0
    assert (u.array == narrow).all() and (mine == narrow * numpy.array([2, 3])[:, None, None]).all()
    assert (v.array[:2] == 0).all()
    fill.only([1])(u)
    assert (u.array == expected(g, 2)).all()
    for wrong in ([], [3], [1, 1]):
        with error("only"):
            fill.only(wrong)
    with error("already"):
        some.only([0])


def test_parts_leave_when_they_are_ready():
    g = wh.grid((12, 10), periodic=True)
    u = g.zeros(halo=1)
    (a, b), (c, d) = g.box
    middle = (b + d) // 2
    fill = g.halo(u, parts=[((a, b), (c, middle)), wh.Box((a, middle), (c, d))])
    fill.start_in_parts(u)
    fill_core(u)
    for part in (1, 0):
        fill.ready(part)
    fill.wait()
    assert (u.array == expected(g, 1)).all()
    with error("part"):
        fill.start_in_parts().ready(7)
    for part in (0, 1):
        fill.ready(part)
    fill.wait()


def test_operations():
    from mpi4py import MPI
    import operator
    g = wh.grid((6, 6), periodic=True)
    for name, operation in (("maximum", numpy.maximum), ("minimum", min), ("add", operator.add), ("add", MPI.SUM), ("multiply", "prod")):
        u = g.ones(halo=1, dtype=int)
        g.halo(u, combine_copies=operation)()
        assert (u.array >= 1).all(), name
    with error("'update'", "numpy.add"):
        g.halo(u, reverse=True, update=lambda a, b: a)


def test_a_communicator_of_some_ranks():
    from mpi4py import MPI
    half = MPI.COMM_WORLD.Split(MPI.COMM_WORLD.rank % 2)
    g = wh.grid((10, 6), periodic=True, comm=half)
    assert g.size == half.size
    u = g.zeros(halo=1)
    fill_core(u)
    g.halo(u)()
    assert (u.array == expected(g, 1)).all()


def test_fields_behave_as_arrays():
    g = wh.grid((6, 5))
    u = g.full(2.0, halo=1)
    assert (u + u == 4).all() and type(u + 1) is numpy.ndarray and numpy.sqrt(u).shape == u.shape
    u += 1
    assert isinstance(u, wh.Field) and (u.array == 3).all() and (numpy.asarray(u) is u.array)
    assert u[0, 0] == 3 and len(u) == u.shape[0] and u.dtype == float and numpy.mean(u) == 3
    u[0] = 5
    assert (u.at(-1, 0)[0] == 5).all() and u.at(1, 1).shape == u.core.shape
    with error("halo has 1 and 1"):
        u.at(2, 0)
    v = g.zeros(halo=1)
    v.core[...] = u.core
    assert "float64" in repr(v) and "ranks" in repr(g)


def test_grid_tells_who_owns_what():
    g = wh.grid((7, 9), periodic=(True, False))
    seen = numpy.zeros((7, 9), int)
    for rank in range(g.size):
        box = g.box_of(rank)
        seen[box.slices(wh.Box((0, 0), (7, 9)))] += 1
        if not box.empty:
            assert g.owner_of(box.lower) == rank
    assert (seen == 1).all() and g.box_of(g.rank) == g.box
    assert g.owner_of((-1, 0)) == g.owner_of((6, 0)) and g.owner_of((0, -1)) == -1
    assert wh.allreduce(g.box.size) == 63
    many = numpy.argwhere(seen) - [3, 0]
    assert (g.owners_of(many) == [g.owner_of(cell) for cell in many]).all() and len(g.owners_of(many[:0])) == 0
    with error("integers"):
        g.owners_of(many + 0.5)
    with error("expected (any, 2)"):
        g.owners_of([[1, 2, 3]])
    assert (g.where(lambda i, j: 100 * i + j)[0] == 100 * g.box.lower[0] + numpy.arange(g.box.lower[1], g.box.upper[1])).all() or g.box.empty
