"""Ghosts of particles: those that the oracle finds among all particles and all their images, in its order; forces come back."""
import itertools

import numpy
from mpi4py import MPI

import wherry as wh
from support import error, random_cases
from test_particles import positions_in, space


def real_boxes(boxes, cells, lower, upper):
    """The corners of boxes of cells, in the unit of the positions."""
    each = (upper - lower) / cells
    return [(lower + numpy.array(box.lower) * each, lower + numpy.array(box.upper) * each) for box in boxes]


def ghosts_by_hand(everything, rank, boxes, periodic, span, cutoff):
    """For each ghost of a rank: its owner, its index there and its position, in the library's order."""
    reach = [range(-int(cutoff / one) - 2, int(cutoff / one) + 3) if wraps else (0,) for one, wraps in zip(span, periodic)]
    found = []
    for owner, x in enumerate(everything):
        for image in itertools.product(*reach):
            if owner == rank and not any(image):
                continue
            there = x + numpy.array(image) * span
            near = numpy.zeros(len(x), bool)
            for below, above in boxes:
                off = numpy.maximum(numpy.maximum(below - there, there - above), 0)
                near |= (off ** 2).sum(axis=1) <= cutoff ** 2
            found += [(owner, int(i), tuple(there[i])) for i in numpy.flatnonzero(near)]
    return found


@random_cases(10)
def test_random_ghosts_are_those_of_the_oracle(rng, mine):
    comm = MPI.COMM_WORLD
    g, lower, upper = space(rng, int(rng.integers(1, 4)))
    in_place = bool(rng.integers(2))
    move = g.particles(lower, upper, in_place=in_place)
    cutoff = float(rng.uniform(0.05, 0.6)) * min(upper - lower)
    ghosts = move.ghosts(cutoff)
    count = int(mine.integers(0, 25))
    ids = comm.rank * 1000 + numpy.arange(count)
    x = positions_in(mine, count, g, lower, upper)
    boxes = [box for box in [g.box] if not box.empty]
    for _ in range(3):
        x, ids = move(x, ids)
        before, ids_before = x.copy(), ids.copy()
        everything, ids_of = comm.allgather(x), comm.allgather(ids)
        expected = ghosts_by_hand(everything, comm.rank, real_boxes(boxes, g.shape, lower, upper), g.periodic, upper - lower, cutoff)
        far, ids_far = ghosts.plan(x, ids)
        assert (x == before).all() and (ids == ids_before).all()
        assert (ghosts.owned, ghosts.count) == (len(x), len(expected)) and len(far) == len(x) + len(expected)
        assert (far[:len(x)] == x).all() and (ids_far[:len(x)] == ids).all()
        assert list(ghosts.owners) == [owner for owner, _, _ in expected]
        assert list(ids_far[len(x):]) == [ids_of[owner][i] for owner, i, _ in expected]
        assert numpy.allclose(far[len(x):], numpy.array([there for _, _, there in expected]).reshape(-1, len(lower)))
        # The positions change a little, and ghosts with them.
        moved = far.copy()
        moved[:len(x)] += 2.0 ** -12
        ghosts.fill_positions(moved)
        assert numpy.allclose(moved, far + 2.0 ** -12)
        colours = ghosts.zeros(dtype="i4")
        colours[:len(x)] = ids % 7
        ghosts.fill(colours)
        assert (colours == ids_far % 7).all()
        # Forces of whole numbers, so that sums are exact.
        forces = mine.integers(-9, 10, (len(far), 2)).astype(float)
        given = forces.copy()
        ghosts.sum_back(forces)
        expected_sums = {}
        for one_ids, one_forces in comm.allgather((ids_far, given)):
            for number, force in zip(one_ids, one_forces):
                expected_sums[number] = expected_sums.get(number, 0) + force
        assert all((force == expected_sums[number]).all() for number, force in zip(ids, forces))
        assert (forces[len(x):] == given[len(x):]).all()
        x, ids = ghosts.drop(moved, ids_far)
        assert len(x) == len(before)
        x = x + (positions_in(mine, len(x), g, lower, upper) - lower) * numpy.array(g.periodic)


@random_cases(4)
def test_ghosts_of_several_boxes_and_of_coordinates_in_arrays(rng, mine):
    comm = MPI.COMM_WORLD
    cells = wh.Box((0, 0), (6, 6))
    boxes = wh.cut_blocks(cells, (2, 3))
    owners = list(map(int, rng.integers(0, comm.size, len(boxes))))
    plan = wh.FloorPlan(boxes, owners)
    move = plan.particles(periodic=(True, False))
    ghosts = move.ghosts(0.7123)
    x, y, ids = move(mine.random(30) * 6, mine.random(30) * 6, comm.rank * 1000 + numpy.arange(30))
    both = numpy.stack([x, y], axis=1)
    everything = comm.allgather(both)
    expected = ghosts_by_hand(everything, comm.rank, real_boxes([boxes[k] for k in plan.mine], (6, 6), 0.0, numpy.array([6.0, 6.0])),
                              (True, False), numpy.array([6.0, 6.0]), 0.7123)
    far_x, far_y = ghosts.plan(x, y)
    there = numpy.array([one for _, _, one in expected]).reshape(-1, 2)
    assert numpy.allclose(far_x[len(x):], there[:, 0]) and numpy.allclose(far_y[len(x):], there[:, 1])
    ghosts.start_fill_positions(far_x, far_y)
    while not ghosts.test():
        pass
    ghosts.wait()
    assert numpy.allclose(far_x[len(x):], there[:, 0]) and numpy.allclose(far_y[len(x):], there[:, 1])


def test_fields_of_structures():
    c = wh.communicator()
    comm = MPI.COMM_WORLD
    kind = numpy.dtype([("id", "i4"), ("r", "f8", 2), ("v", "f4", 3), ("f", "f8")], align=True)
    g = wh.grid((4, 4), periodic=True)
    move = g.particles()
    rng = numpy.random.default_rng(c.rank)
    particles = numpy.zeros(40, kind)
    particles["r"] = rng.random((40, 2)) * 4
    particles["id"] = 100 * c.rank + numpy.arange(40)
    particles = move(particles, position="r")
    ghosts = move.ghosts(0.45)
    far = ghosts.plan(particles, position="r")
    n = len(particles)
    assert (far[:n] == particles).all() and comm.allreduce(ghosts.count) > 0
    planned = far.copy()
    far["r"][n:] = 0
    far["id"][n:] = 0
    far["v"][:n] = far["id"][:n, None] + numpy.array([0.25, 0.5, 0.75])
    ghosts.fill_positions(far["r"], far["id"])
    assert (far["r"] == planned["r"]).all() and (far["id"] == planned["id"]).all()
    ghosts.fill(far["v"])
    assert (far["v"] == planned["id"][:, None] + numpy.array([0.25, 0.5, 0.75], "f4")).all()
    far["f"] = 1
    ghosts.sum_back(far["f"])
    assert comm.allreduce(far["f"][:n].sum()) == comm.allreduce(len(far)) and (far["id"] == planned["id"]).all()
    with error("in common"):
        ghosts.fill(far["v"], far)


def test_ranks_without_rows_find_the_exchange_of_strided_fields():
    """A rank with one particle or none cannot tell its strides; it takes the exchange of the others, and makes one when they do."""
    comm = MPI.COMM_WORLD
    kind = numpy.dtype([("id", "i8"), ("r", "f8", 2), ("f", "f8"), ("more", "f8", 2)])
    g = wh.grid((4 * comm.size, 4), periodic=True)
    move = g.particles()
    for own in (0, 1):
        few = comm.rank == comm.size - 1
        particles = numpy.zeros(own if few else 20, kind)
        particles["r"] = g.box.lower + numpy.random.default_rng(comm.rank).random((len(particles), 2)) * 0.5 + (1.75, 0)
        ghosts = move.ghosts(0.25)
        far = ghosts.plan(move(particles, position="r"), position="r")
        assert ghosts.owned == len(particles)
        n, others = ghosts.owned, far.copy()
        for call in range(2):
            far["f"] = 1
            potential = numpy.ones(len(far))
            ghosts.sum_back(far["f"])
            ghosts.sum_back(potential)
            assert comm.allreduce(far["f"][:n].sum()) == comm.allreduce(len(far)) == comm.allreduce(potential[:n].sum())
            assert (far["f"][n:] == 1).all() and (potential[n:] == 1).all()
        far["id"][:n] = far["f"][:n] = numpy.arange(n) + 100 * comm.rank
        ghosts.fill(far["id"])
        ghosts.start_fill(far["f"])
        while not ghosts.test():
            pass
        values = far["f"].copy()  # are there before `wait`
        ghosts.wait()
        assert (far["f"] == far["id"]).all() and (values == far["f"]).all()
        for rest in ("r", "more"):
            assert (far[rest] == others[rest]).all()


def test_mistakes_of_one_rank_in_the_first_call_are_those_of_all():
    comm = MPI.COMM_WORLD
    last = comm.rank == comm.size - 1
    g = wh.grid((4, 4), periodic=True)
    move = g.particles()
    x = move(numpy.random.default_rng(g.rank).random((30, 2)) * 4)
    ghosts = move.ghosts(0.5)
    far = ghosts.plan(x)
    frozen = ghosts.zeros()
    frozen.flags.writeable = False
    for word, wrong in (("read-only", frozen), ("is a list", [1.0]), ("without common bytes", ghosts.zeros()[::-1]),
                        ("masked", numpy.ma.zeros(len(far))), ("one value", numpy.zeros(()))):
        for call in (ghosts.fill, ghosts.sum_back):
            with error(word):
                call(wrong if last else ghosts.zeros())
    with error("expected float32 or float64"):
        ghosts.fill_positions(numpy.zeros((len(far), 2), "i8"))
    potential = ghosts.zeros()
    ghosts.fill(potential)  # a call that has no error, and after which calls are local
    with error("read-only"):
        ghosts.fill(frozen)
    ghosts.fill(potential)


def test_plans_that_are_stale_and_other_mistakes():
    g = wh.grid((4, 4), periodic=True)
    move = g.particles()
    ghosts = move.ghosts(0.5)
    with error("call 'plan' first", kind="state"):
        ghosts.fill(numpy.zeros(3))
    x = move(numpy.random.default_rng(g.rank).random((30, 2)) * 4)
    far = ghosts.plan(x)
    assert ghosts.count > 0
    with error("still have", "call 'drop'", kind="state"):
        move(far)
    with error("expected"):
        ghosts.fill(far[:-1])
    with error("read-only"):
        far.flags.writeable = False
        ghosts.fill(far)
    far.flags.writeable = True
    with error("is a list"):
        ghosts.fill([1.0])
    with error("one behind the other"):
        ghosts.fill(numpy.zeros((len(far), 4))[:, ::2])
    with error("without common bytes"):
        ghosts.fill(far[::-1])
    with error("are no arrays"):
        ghosts.fill()
    with error("under way", kind="state"):
        ghosts.start_fill(far)
        ghosts.start_fill(far)
    ghosts.wait()
    x = ghosts.drop(far)
    x = move(x)
    with error("particles have moved", kind="state"):
        ghosts.fill(far)
    with error("not in this rank's part"):
        ghosts.plan(x + 4)
    with error("float32 or float64"):
        ghosts.plan(x.astype(int))
    with error("ragged"):
        ghosts.plan(x, wh.Ragged(numpy.zeros(len(x), int), numpy.zeros(0)))
    assert len(ghosts.plan(x)) == len(x) + ghosts.count
    with error("cut-off is -1"):
        move.ghosts(-1)
    with error("space"):
        wh.particles_by_owner().ghosts(1)
    with error("ValueError"):
        move.ghosts("far" if g.rank == 0 else 1)
