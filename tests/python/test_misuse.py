"""What is wrong is an error that names it."""
import copy
import os
import pickle
import threading

import numpy

import wherry as wh
from support import error


def fresh(**options):
    g = wh.grid((10, 8), periodic=True)
    u = g.zeros(halo=1)
    return g, u, g.halo(u, **options)


def test_wrong_arrays():
    g, u, fill = fresh()
    shape = u.shape
    with error("array 0", "read-only"):
        constant = numpy.zeros(shape)
        constant.flags.writeable = False
        fill(constant)
    with error("array 0", "masked"):
        fill(numpy.ma.zeros(shape))
    with error("array 0", "format 'f'", "format 'd'"):
        fill(numpy.zeros(shape, "f4"))
    with error("array 0", "shape (3, 3)"):
        fill(numpy.zeros((3, 3)))
    with error("array 0", "strides"):
        fill(numpy.zeros(shape, order="F"))
    with error("array 0", "list"):
        fill([1.0])
    with error("2 arrays", "made for 1"):
        fill(u, u)
    with error("array 0", "datetime64"):
        fill(numpy.zeros(shape, "M8[s]"))
    with error("array 0", "Python objects"):
        fill(numpy.zeros(shape, object))
    fill(u)


def test_wrong_communicator():
    from mpi4py import MPI
    g, u, fill = fresh()
    other = wh.grid((10, 8), periodic=True, comm=MPI.COMM_WORLD.Dup())
    with error("field 0", "communicator"):
        other.halo(u)
    with error("communicator"):
        wh.redistribute(u, other)


class OnADevice:
    __cuda_array_interface__ = {}


def test_wrong_fields():
    g, u, fill = fresh()
    with error("need"):
        g.halo(numpy.zeros((2, 2)), halo=1)
    with error("'halo' is missing"):
        g.halo(numpy.zeros(u.shape))
    with error("no fields"):
        g.halo()
    with error("another grid"):
        wh.grid((4, 4)).halo(u)
    with error("device"):
        g.wrap(OnADevice(), halo=1)
    with error("list"):
        g.wrap([1, 2], halo=1)
    with error("'halo' is -1"):
        g.zeros(halo=-1)
    with error("'halo' has 3"):
        g.zeros(halo=(1, 1, 1))
    with error("'on'"):
        g.zeros(on="corners")
    with error("'stencil'"):
        g.halo(u, stencil="diagonal")
    with error("'order'"):
        g.halo(u, order="random")
    with error("transport"):
        g.halo(u, transport="pigeon")
    with error("objects"):
        g.zeros(dtype=object)


def test_wrong_grids():
    with error("'cells'"):
        wh.grid((1, 2, 3, 4, 5))
    with error("'periodic'"):
        wh.grid((4, 4), periodic=(True,))
    with error("'comm'"):
        wh.grid((4, 4), comm=7)
    with error("'order'"):
        wh.grid((4, 4), order="spiral")
    with error(""):
        wh.grid((4, 4), ranks=(1000, 1000))


def test_a_mistake_of_one_rank_is_an_error_of_all():
    c = wh.communicator()
    g, u, fill = fresh()
    with error("'stencil'", "rank 0" if c.rank else ""):
        g.halo(u, stencil="x" if c.rank == 0 else "all")
    if c.size > 1:
        with error("'cells'", kind="mismatch"):
            wh.grid((4, 5 + (c.rank == 0)))
        with error(kind="mismatch"):
            g.halo(g.zeros(halo=1, dtype="f4" if c.rank == 0 else "f8"))
    with error("TypeError"):
        wh.grid(("a", "b") if c.rank == c.size - 1 else (4, 4))


def test_states():
    g, u, fill = fresh()
    with error("start", kind="state"):
        fill.wait()
    fill.start(u)
    with error("has not ended", kind="state"):
        fill.start(u)
    with error("has not ended", kind="state"):
        fill()
    fill.wait()
    fill.start(u)
    wh.barrier()
    fill.abandon()
    with error(kind="state"):
        fill()


def test_an_exception_in_a_with_block_gives_the_exchange_up():
    g, u, fill = fresh()
    try:
        with fill.start(u):
            raise ValueError("inside")
    except ValueError:
        pass
    assert not fill.in_flight


def test_error_has_its_parts():
    try:
        wh.grid((4, 4), order="spiral")
    except wh.Error as failure:
        assert failure.kind == "argument" and failure.where == "grid" and isinstance(failure.peers, tuple)
        assert "spiral" in failure.text and isinstance(failure, RuntimeError)
        assert pickle.loads(pickle.dumps(failure)).text == failure.text
    else:
        raise AssertionError


def test_pickling_is_refused():
    g, u, fill = fresh()
    for one in (g, u, fill, g.comm):
        for refused in (pickle.dumps, copy.deepcopy):
            try:
                refused(one)
            except TypeError as failure:
                assert "cannot be pickled" in str(failure), failure
            else:
                raise AssertionError(one)


def test_a_child_of_fork_is_refused():
    g, u, fill = fresh()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        text = b"nothing"
        try:
            fill()
        except wh.Error as failure:
            text = str(failure).encode()
        os.write(writing, text)
        os._exit(0)
    os.waitpid(child, 0)
    assert b"fork" in os.read(reading, 1000)
    os.close(reading)
    os.close(writing)
    fill()


def test_a_child_of_fork_leaves_what_is_in_flight():
    g, u, fill = fresh()
    fill.start(u)
    under_way = [wh.allreduce(numpy.ones(3), blocking=False), wh.start_send_to([0], [1.0])]
    child = os.fork()
    if child == 0:
        del fill, under_way
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    fill.wait()
    assert (under_way[0].wait() == g.size).all()
    under_way[1].wait()
    fill(u)


def test_other_threads_run_while_one_waits():
    c = wh.communicator()
    g, u, fill = fresh()
    counted = []
    stop = threading.Event()

    def count():
        while not stop.is_set():
            counted.append(1)
            stop.wait(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    fill.start(u)
    if c.rank == 0:
        import time
        time.sleep(0.1)
    fill.wait()
    stop.set()
    thread.join()
    assert counted
