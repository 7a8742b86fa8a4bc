"""Programs that end in all possible ways: mpirun -n 2 python ends.py WAY."""
import atexit
import os
import sys

way = sys.argv[1]
if way == "without_mpi4py":
    sys.modules["mpi4py"] = None  # as if it were not installed
else:
    from mpi4py import MPI

import numpy  # noqa: E402
import wherry as wh  # noqa: E402

g = wh.grid((32, 16), periodic=True)
u = g.ones(halo=1)
fill = g.halo(u)
fill()
assert (u.array == 1).all()
assert wh.allreduce(1) == 2


def say():
    """The last line, from the end of the interpreter."""
    os.write(1, b"ended well\n")


if way == "in_flight":
    fill.start(u)
elif way == "late":  # with WHERRY_TIMEOUT=1
    import time
    if g.rank == 1:
        time.sleep(2.5)
        fill()
    else:
        try:
            fill()
        except wh.Error as failure:
            assert failure.kind == "timeout" and failure.peers == (1,), (failure.kind, failure.peers)
        else:
            raise AssertionError("nothing was raised")
        time.sleep(2)
        fill.wait()
elif way == "reversed":
    del g, u
    del fill
elif way == "module_globals":
    import builtins
    builtins.kept = (fill, u, g, wh.start_send_to([0], [1.0]), wh.allreduce(1, blocking=False))
elif way == "particles_in_flight":  # a move and the exchange of ghosts, of which neither is waited for
    import builtins
    move = g.particles()
    ghosts = move.ghosts(0.5)
    x = ghosts.plan(move(numpy.full((5, 2), 1.0)))
    ghosts.start_fill(x)
    other = g.particles()
    builtins.kept = (move, ghosts, x, other.start(numpy.full((5, 2), 31.0 * g.rank)))
elif way == "late_particles":  # with WHERRY_TIMEOUT=1: the move goes on
    import time
    move = g.particles(order="stable")
    if g.rank == 1:
        time.sleep(2.5)
        x = move(numpy.full((5, 2), 1.0))
    else:
        try:
            move(numpy.full((3, 2), 31.0))
        except wh.Error as failure:
            assert failure.kind == "timeout" and failure.peers == (1,), (failure.kind, failure.peers)
        else:
            raise AssertionError("nothing was raised")
        time.sleep(2)
        x = move.wait()
    assert wh.allreduce(len(x)) == 8 and wh.allreduce(x.sum()) == 5 * 2 + 3 * (31 + 15), x  # the second dimension wraps
elif way == "finalized_first":
    MPI.Finalize()
    try:
        fill()
    except wh.Error as failure:
        assert failure.kind == "state", failure
elif way == "own_exception_caught":
    try:
        g.halo(u, stencil="none")
    except wh.Error:
        pass
elif way == "uncaught":
    if wh.communicator().rank == 1:
        raise RuntimeError("only rank 1 fails")
    wh.barrier()
atexit.register(say)
