"""Particles: everybody is where the oracle says, which sees the particles of all ranks, in its order, and with all that belongs to it."""
import numpy
from mpi4py import MPI

import wherry as wh
from support import error, random_cases

UNIT = 1024  # positions are multiples of 1 / UNIT, so that whole periods are exact


def space(rng, dimensions):
    """A grid, and the corners of a space on it."""
    cells = tuple(int(n) for n in rng.integers(2, 7, dimensions))
    periodic = tuple(bool(wraps) for wraps in rng.integers(0, 2, dimensions))
    lower = rng.integers(-3, 3, dimensions).astype(float)
    return wh.grid(cells, periodic=periodic), lower, lower + 2.0 ** rng.integers(0, 3, dimensions)


def positions_in(rng, count, g, lower, upper, periods=2):
    """Random positions: inside, or up to some periods away where the space wraps around."""
    far = [periods if wraps else 0 for wraps in g.periodic]
    span = upper - lower
    below, above = ((lower - far * span) * UNIT).astype(int), ((upper + far * span) * UNIT).astype(int)
    return rng.integers(below, above, (count, len(far))) / UNIT


def wrapped(x, g, lower, upper):
    around = lower + numpy.mod(x - lower, upper - lower)
    return numpy.where(g.periodic, around, x)


def owners_by_hand(x, g, lower, upper):
    """The ranks whose boxes have these wrapped positions."""
    cell = numpy.floor((x - lower) / (upper - lower) * g.shape).astype(int)
    result = numpy.full(len(x), -1)
    for rank in range(g.size):
        box = g.box_of(rank)
        result[((cell >= box.lower) & (cell < box.upper)).all(axis=1)] = rank
    return result


def stable(everything, owners, rank):
    """What this rank has after a move: its own that stay, and then the others' by their ranks."""
    order = [rank] + [other for other in range(len(everything)) if other != rank]
    return numpy.concatenate([everything[other][owners[other] == rank] for other in order])


@random_cases(12)
def test_random_moves_with_the_order_of_the_oracle(rng, mine):
    comm = MPI.COMM_WORLD
    dimensions = int(rng.integers(1, 4))
    g, lower, upper = space(rng, dimensions)
    order = "stable" if rng.integers(2) else "fill_holes"
    in_place = bool(rng.integers(2))
    dtype = "f4" if rng.integers(2) else "f8"
    move = g.particles(lower, upper, order=order, in_place=in_place)
    count = int(mine.integers(0, 60))
    x = positions_in(mine, count, g, lower, upper).astype(dtype)
    v, ids = mine.random((count, 2)), comm.rank * 10_000 + numpy.arange(count)
    for _ in range(4):
        moved = [wrapped(one, g, lower, upper) for one in comm.allgather(x)]
        owners = [owners_by_hand(one, g, lower, upper) for one in moved]
        everything = [list(map(numpy.asarray, one)) for one in zip(moved, comm.allgather(v), comm.allgather(ids))]
        expected = [stable([one[k] for one in everything], owners, comm.rank) for k in range(3)]
        stayed = int((owners[comm.rank] == comm.rank).sum())
        had = len(x)
        x, v, ids = move(x, v, ids)
        assert x.dtype == dtype and v.dtype == float and ids.dtype == int
        assert (move.left, move.arrived, move.count) == (had - stayed, len(ids) - stayed, len(ids))
        assert len(x) == len(v) == len(ids) == len(expected[2])
        if order == "fill_holes":  # the same particles
            by_id, there = numpy.argsort(ids), numpy.argsort(expected[2])
            assert (ids[by_id] == expected[2][there]).all() and (x[by_id] == expected[0][there]).all()
            assert (v[by_id] == expected[1][there]).all()
        else:
            assert (ids == expected[2]).all() and (x == expected[0]).all() and (v == expected[1]).all()
        x += (positions_in(mine, len(x), g, lower, upper) - lower) * numpy.array(g.periodic)
    assert comm.allreduce(len(ids)) == comm.allreduce(count)


def test_holes_are_filled_and_no_other_particle_is_touched():
    c = wh.communicator()
    g = wh.grid((4 * c.size,), periodic=True)
    move = g.particles(order="fill_holes")
    ids = 100 * c.rank + numpy.arange(10)
    x = g.box.lower[0] + numpy.arange(10) * 0.25
    x[3] += 4  # to the next rank
    x, ids = move(x, ids)
    expected = 100 * c.rank + numpy.arange(10)
    expected[3] = 100 * ((c.rank - 1) % c.size) + 3
    assert (ids == expected).all()
    assert list(move.permutation()) == [-1 if i == 3 and c.size > 1 else i for i in range(10)]


def test_an_array_for_each_coordinate_and_structures():
    c = wh.communicator()
    comm = MPI.COMM_WORLD
    rng = numpy.random.default_rng(c.rank)
    g = wh.grid((6, 5, 4), periodic=True)
    x = positions_in(rng, 50, g, numpy.zeros(3), numpy.array(g.shape, float))
    ids = 1000 * c.rank + numpy.arange(50)
    move = g.particles(order="stable")
    together, ids_together = move(x, ids)
    *apart, ids_apart = move(*(numpy.asfortranarray(x)[:, d] for d in range(3)), ids)
    assert (ids_apart == ids_together).all() and (numpy.stack(apart, axis=1) == together).all()
    for kind, names in (([("id", "i4"), ("r", "f8", 3), ("tag", "S3")], "r"),
                        ([("z", "f8"), ("id", "i4"), ("x", "f8"), ("y", "f8"), ("tag", "S3")], ("x", "y", "z"))):
        particles = numpy.zeros(50, kind)
        particles["id"] = ids
        particles["tag"] = b"abc"
        if names == "r":
            particles["r"] = x
        else:
            for d, name in enumerate(names):
                particles[name] = x[:, d]
        moved = move(particles, position=names)
        assert moved.dtype == particles.dtype and (moved["id"] == ids_together).all() and (moved["tag"] == b"abc").all()
        there = moved["r"] if names == "r" else numpy.stack([moved[name] for name in names], axis=1)
        assert (there == together).all()
        assert (particles["id"] == ids).all()
    assert comm.allreduce(len(ids_together)) == 50 * c.size


@random_cases(6)
def test_owners_and_cells(rng, mine):
    comm = MPI.COMM_WORLD
    g, _, _ = space(rng, int(rng.integers(1, 4)))
    count = int(mine.integers(0, 40))
    value = comm.rank + mine.random((count, 2))
    cells = mine.integers(0, g.shape, (count, len(g.shape)))
    owners = g.owners_of(cells)
    everything, to = comm.allgather(value), comm.allgather(owners)
    expected = stable(everything, to, comm.rank)
    assert (g.particles(order="stable")(value, cells=cells) == expected).all()
    assert (wh.particles_by_owner(order="stable")(value, owners=owners.astype("i8")) == expected).all()
    assert (wh.particles_by_owner(order="stable")(value, owners=list(map(int, owners))) == expected).all()


def test_leavers():
    c = wh.communicator()
    comm = MPI.COMM_WORLD
    g = wh.grid((3 * c.size, 4), periodic=True)
    rng = numpy.random.default_rng(5 + c.rank)
    move = g.particles(order="stable")
    x = move(positions_in(rng, 40, g, numpy.zeros(2), numpy.array(g.shape, float)))
    which = rng.choice(len(x), len(x) // 3, replace=False)
    x[which, 0] += 3
    mask = numpy.zeros(len(x), bool)
    mask[which] = True
    expected = move(x)
    for leavers in (mask, list(mask), which, which.astype("i4"), numpy.array(sorted(which), "u2")):
        assert (move(x, leavers=leavers) == expected).all()
    nobody = move(x[:0] if c.rank == 0 else x, leavers=[] if c.rank == 0 else which)
    assert len(nobody) <= comm.allreduce(len(x))


@random_cases(6)
def test_ragged(rng, mine):
    comm = MPI.COMM_WORLD
    g, lower, upper = space(rng, 2)
    order = "stable" if rng.integers(2) else "fill_holes"
    move = g.particles(lower, upper, order=order)
    count = int(mine.integers(0, 30))
    x, ids = positions_in(mine, count, g, lower, upper), comm.rank * 1000 + numpy.arange(count)
    bonds = mine.integers(0, 4, count).astype("i4")
    bonded = numpy.stack([numpy.repeat(ids, bonds), numpy.arange(bonds.sum())], axis=1)
    for _ in range(2):
        x, ids, (bonds, bonded) = move(x, ids, wh.Ragged(bonds, bonded))
        assert len(bonds) == len(ids) and bonded.shape == (bonds.sum(), 2) and bonds.dtype == "i4"
        assert (bonded[:, 0] == numpy.repeat(ids, bonds)).all()
        ends = numpy.cumsum(bonds)
        assert all((numpy.diff(bonded[a:b, 1]) == 1).all() for a, b in zip(ends - bonds, ends))
        x += 0.5 * (upper - lower) * numpy.array(g.periodic)
    assert comm.allreduce(int(bonds.sum())) == comm.allreduce(len(bonded))


def test_a_floor_plan_and_a_space_with_edges():
    c = wh.communicator()
    comm = MPI.COMM_WORLD
    boxes = wh.cut_blocks(wh.Box((0, 0), (6, 8)), (3, 2))
    owners = [(5 * k + 1) % c.size for k in range(len(boxes))]
    plan = wh.FloorPlan(boxes, owners)
    rng = numpy.random.default_rng(c.rank)
    x = rng.integers(-6 * UNIT, 12 * UNIT, (80, 2)) / UNIT
    ids = 1000 * c.rank + numpy.arange(80)
    move = plan.particles(periodic=True, order="stable")
    there, ids_there = move(x, ids)
    cells = numpy.floor(numpy.mod(x, (6, 8))).astype(int)
    owner = numpy.array([owners[next(k for k, box in enumerate(boxes) if box.contains(cell))] for cell in cells])
    assert (ids_there == stable(comm.allgather(ids), comm.allgather(owner), c.rank)).all()
    assert (move.owners_of(x) == owner).all() and (move.cells_of(x) == cells).all()
    sheared = wh.grid((4, 4), periodic=True).particles(edges=[(4, 0), (2, 4)])
    fractions = rng.random((80, 2))
    inside = fractions @ numpy.array([(4, 0), (2, 4)])
    assert (sheared.cells_of(inside) == numpy.floor(fractions * 4)).all()
    shifted = sheared(inside + (4 + 2 * 2, 4 * 2))
    assert comm.allreduce(len(shifted)) == 80 * c.size
    assert numpy.allclose(comm.allreduce(shifted.sum(axis=0)), comm.allreduce(inside.sum(axis=0)))


def test_neighbors_only():
    c = wh.communicator()
    g = wh.grid((2 * c.size, 3), periodic=True, ranks=(0, 1))
    move = g.particles(neighbors_only=True, order="stable")
    free = g.particles(order="stable")
    x = numpy.random.default_rng(c.rank).random((30, 2)) * (2, 3) + g.box.lower
    assert set(move.neighbors) == {(c.rank + by) % c.size for by in (-1, 1)} - {c.rank}
    assert (move(x + (1, 0)) == free(x + (1, 0))).all()


def test_split_phase_and_arguments_that_change():
    c = wh.communicator()
    move = wh.grid((4, 4), periodic=True).particles(order="stable")
    x = numpy.random.default_rng(c.rank).random((20, 2)) * 16
    expected = move(x)
    given = x.copy()
    assert move.start(given) is move
    given[...] = -1  # the package has a copy
    with error("under way", kind="state"):
        move.start(x)
    while not move.test():
        pass
    assert (move.wait() == expected).all()
    with error("no move is under way", kind="state"):
        move.wait()
