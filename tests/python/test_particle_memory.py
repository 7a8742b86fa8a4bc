"""Arrays of particles stay as long as Python holds them, whatever is moved later; loops allocate nothing; mistakes move nothing."""
import gc
import weakref

import numpy
from mpi4py import MPI

import wherry as wh
from support import error, random_cases
from test_life import megabytes


def crowd(g, count, seed=0):
    """Particles of this rank's own, in any place."""
    rng = numpy.random.default_rng([seed, g.rank])
    return rng.random((count, len(g.shape))) * g.shape, 10_000 * g.rank + numpy.arange(count)


def address(array):
    return array.__array_interface__["data"][0]


@random_cases(2)
def test_what_is_held_is_never_overwritten(rng, mine):
    g = wh.grid((6, 6), periodic=True)
    move = g.particles()
    ghosts = move.ghosts(0.4)
    x, ids = crowd(g, 50)
    held = []
    for step in range(20):
        x, ids = move(x, ids)
        held.append((x, x.copy()))
        held.append((ids[3:7], ids[3:7].copy()))
        far = ghosts.plan(x)
        held.append((far, far.copy()))
        if mine.integers(3) == 0:
            del held[:int(mine.integers(len(held)))]
        gc.collect()
        assert all((one == copy).all() for one, copy in held)
        x = ghosts.drop(far) + mine.normal(0, 1, (len(x), 2))
    del move, ghosts, g
    gc.collect()
    assert all((one == copy).all() for one, copy in held)


def test_arguments_are_not_written():
    g = wh.grid((6, 6), periodic=True)
    for in_place in (False, True):
        move = g.particles(in_place=in_place)
        x, ids = crowd(g, 50)
        x -= 60
        x.flags.writeable = False
        before = x.copy(), ids.copy()
        move(x, ids)
        assert (x == before[0]).all() and (ids == before[1]).all()
    first = g.particles()
    x, ids = first(*before)
    held = x.copy()
    first(x + 3, ids)
    assert (x == held).all()


def test_in_place_moves_what_an_earlier_call_returned():
    g = wh.grid((6, 6), periodic=True)
    move = g.particles(in_place=True)
    x, ids = move(*crowd(g, 50))
    where = address(x), address(ids)
    view = x[:5]
    again = move(x, ids)
    assert (address(again[0]), address(again[1])) == where and (again[0][:5] == view).all()
    # Two arguments that are the same array are two arrays then.
    one, other, _ = move(again[0], again[0], again[1])
    assert address(one) != address(other) and (one == other).all()
    # What is frozen is copied.
    one.flags.writeable = False
    kept = one.copy()
    moved = move(one, ids)
    assert address(moved[0]) != address(one) and (one == kept).all()
    # More particles than there is room for: the memory of the old array stays as it is.
    c = wh.communicator()
    by_owner = wh.particles_by_owner(in_place=True)
    few = by_owner(numpy.full((1, 2), float(c.rank)), owners=[c.rank])
    many = by_owner(few if c.rank == 0 else numpy.ones((200, 2)), owners=[0] * (1 if c.rank == 0 else 200))
    assert (few == c.rank).all() and len(many) == (1 + 200 * (c.size - 1) if c.rank == 0 else 0)
    assert many.sum() == 400 * (c.size - 1) * (c.rank == 0)


def test_loops_take_turns_between_two_sets_of_arrays():
    g = wh.grid((6, 6), periodic=True)
    move = g.particles()
    x, ids = move(*crowd(g, 200))
    seen = set()
    for step in range(40):
        x, ids = move(x, ids)
        seen |= {address(x), address(ids)}
    assert len(seen) <= 4
    before = megabytes()
    for step in range(300):
        x, ids = move(x, ids)
    assert megabytes() - before < 2


def test_histories_are_freed():
    g = wh.grid((6, 6), periodic=True)
    move = g.particles()
    sizes = []
    for turn in range(8):
        x, ids = crowd(g, 20_000)
        history = []
        for step in range(30):
            x, ids = move(x, ids)
            history.append((x, ids))
        del history
        gc.collect()
        sizes.append(megabytes())
    assert sizes[-1] - sizes[2] < 12, sizes  # one history has 14 MB, and memory is flat after the first ones


def test_a_move_that_ends_with_an_error_keeps_nothing():
    c = wh.communicator()
    move = wh.particles_by_owner()
    owners = numpy.full(20, c.size if c.rank == 0 else 0)
    seen = weakref.ref(owners)
    move.start(numpy.zeros((20, 2)), owners=owners)
    del owners
    assert seen() is not None
    with error("owner"):
        move.wait()
    gc.collect()
    assert seen() is None
    with error("no move is under way", kind="state"):
        move.wait()


def test_collected_in_flight():
    g = wh.grid((6, 6), periodic=True)
    for _ in range(3):
        move = g.particles()
        ghosts = move.ghosts(0.4)
        x, ids = move(*crowd(g, 50))
        far = ghosts.plan(x)
        seen = weakref.ref(far)
        ghosts.start_fill(far)
        del far
        gc.collect()
        assert seen() is not None
        ghosts.wait()
        assert seen() is None
        ghosts.start_fill(ghosts.zeros())
        del ghosts
        x = x + 3
        move.start(x, ids)
        del move, x
        gc.collect()
    move = g.particles()
    assert MPI.COMM_WORLD.allreduce(len(move(*crowd(g, 50))[0])) == 50 * g.size


def test_mistakes_of_one_rank_are_errors_of_all_and_move_nothing():
    g = wh.grid((6, 6), periodic=(True, False))
    move = g.particles()
    last = g.rank == g.size - 1
    x, ids = crowd(g, 20)

    def spoilt(value):
        result = x.copy()
        if last:
            result[7] = value
        return result

    with error("particle 7", f"rank {g.size - 1}"):
        move(spoilt((numpy.nan, 1)), ids)
    with error("particle 7"):
        move(spoilt((1, -0.5)), ids)
    with error("particle 7"):
        move(spoilt((1, 6)), ids)
    with error("array 1 has 19 elements"):
        move(x, ids[:19] if last else ids)
    for wrong in (x.astype(int), x.astype("f2"), x.astype(">f8"), x[:, :1], x[:, :, None], "abc", None, numpy.array([{}, {}])):
        with error():
            move(wrong if last else x, ids)
    with error("array 0 has the shape (20, 3)"):
        move(numpy.zeros((20, 3)) if last else x, ids if last else ids)
    with error("masked"):
        move(numpy.ma.masked_array(x) if last else x, ids)
    with error("no bytes"):
        move(x, numpy.zeros((20, 0)) if last else ids)
    with error("name the fields"):
        move(numpy.zeros(20, [("r", "f8", 2)]) if last else x)
    with error("names 'q'"):
        move(numpy.zeros(20, [("r", "f8", 2)]), position="q" if last else "r")
    with error("no arrays"):
        move(*([] if last else [x]))
    with error("cells", "owners"):
        move(x, owners=[0] * 20, cells=numpy.zeros((20, 2), int)) if last else move(x)
    with error("lengths"):
        move(x, wh.Ragged(numpy.zeros(20, "f8" if last else "i8"), []))
    with error("lengths"):
        move(x, wh.Ragged(numpy.zeros(20, ">i4" if last else "i8"), []))
    with error("add up to 20"):
        move(x, wh.Ragged(numpy.ones(20, int), numpy.zeros(19 if last else 20)))
    with error("particle 3 has -1"):
        move(x, wh.Ragged(numpy.where(numpy.arange(20) == 3, -1 if last else 0, 0), []))
    with error("owner"):
        move(x, owners=[g.size if last else 0] * 20)
    with error():
        move(x, owners=[0] * (19 if last else 20))
    with error():
        move(x, leavers=[20] if last else range(20))
    with error():
        move(x, leavers=numpy.ones(19 if last else 20, bool))
    with error("expected integers"):
        move(x, leavers=[0.5] if last else range(20))
    if g.size > 1:
        with error(kind="mismatch"):
            move(x, ids.astype("f8") if last else ids)
    x, ids = move(x, ids)  # the next one works
    assert MPI.COMM_WORLD.allreduce(len(x)) == 20 * g.size
    with error("'owners' is missing"):
        wh.particles_by_owner()(x)
    with error("without a space", kind="state"):
        wh.particles_by_owner().owners_of(x)


def test_mistakes_in_spaces():
    g = wh.grid((6, 6))
    first = g.rank == 0
    with error("'upper' has 3 numbers"):
        g.particles(upper=(1, 1, 1) if first else (1, 1))
    with error("'edges' has 1 vectors"):
        g.particles(edges=[(1, 0)] if first else [(1, 0), (0, 1)])
    with error("'order' is 'any'"):
        g.particles(order="any" if first else "stable")
    with error("expected 1 to 3"):
        wh.grid((2, 2, 2, 2)).particles()
    with error():
        g.particles(lower=(1, 1), upper=(0, 2))
    if g.size > 1:
        with error(kind="mismatch"):
            g.particles(upper=(1 + g.rank, 1))
    with error("'periodic' has 3 entries"):
        wh.FloorPlan([((0, 0), (4, 4))], [0]).particles(periodic=(True,) * 3)
    with error("is outside"):
        g.particles().cells_of([[7.0, 1.0]])
    assert list(g.particles().owners_of([[7.0, 1.0]])) == [-1]
