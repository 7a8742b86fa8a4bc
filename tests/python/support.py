"""What tests have in common: the oracle of halos, and errors that are expected."""
import contextlib
import os
import secrets
import tempfile

import numpy
from mpi4py import MPI

import wherry


def value_of(indices, cells):
    """A different number for each cell."""
    result = 0
    for i, n in zip(indices, cells):
        result = result * (n + 7) + i
    return result + 1


def expected(grid, halo, before=0, on=None):
    """The values of this rank's cells and their halo after an exchange; `before` beyond edges that do not wrap around."""
    cells = grid.shape
    planes = on or (False,) * len(cells)
    widths = [one if isinstance(one, tuple) else (one, one) for one in (halo if isinstance(halo, (list, tuple)) else [halo] * len(cells))]
    along = [numpy.arange(a - below, b + plane + above)
             for a, b, plane, (below, above) in zip(grid.box.lower, grid.box.upper, planes, widths)]
    inside = numpy.ones([len(one) for one in along], bool)
    wrapped = []
    for d, (one, n, wraps, plane) in enumerate(zip(along, cells, grid.periodic, planes)):
        ok = numpy.ones(len(one), bool) if wraps else (one >= 0) & (one < n + plane)
        inside &= ok.reshape([-1 if e == d else 1 for e in range(len(cells))])
        wrapped.append(one % n if wraps else one)
    return numpy.where(inside, value_of(numpy.ix_(*wrapped), cells), before)


def fill_core(field, scale=1):
    """Gives the core the values that `expected` has."""
    indices = [one % n if wraps else one
               for one, n, wraps in zip(field.grid.indices(field.on), field.grid.shape, field.grid.periodic)]
    field.core[...] = scale * value_of(indices, field.grid.shape)


@contextlib.contextmanager
def error(*words, kind="argument"):
    """The block raises a wherry.Error of this kind with all these words."""
    try:
        yield
    except wherry.Error as failure:
        assert failure.kind == kind, f"{failure.kind}: {failure}"
        for word in words:
            assert word in str(failure), f"no '{word}' in: {failure}"
        return
    raise AssertionError("nothing was raised")


def random_cases(count):
    """Makes a test of a function, which it calls for each case with numbers that all ranks have, and with others of each rank.

    A failure names the seed; WHERRY_TEST_SEED=n repeats its case.
    """
    def test_of(function):
        def test():
            given = os.environ.get("WHERRY_TEST_SEED")
            for case in range(1 if given else count):
                seed = int(given) if given else MPI.COMM_WORLD.bcast(secrets.randbits(30))
                try:
                    function(numpy.random.default_rng(seed), numpy.random.default_rng([seed, MPI.COMM_WORLD.rank]))
                except Exception as failure:
                    raise AssertionError(f"case {case} failed; WHERRY_TEST_SEED={seed} repeats it") from failure
        test.__name__ = function.__name__
        return test
    return test_of


class directory:
    """A directory that all ranks have, and that is removed at the end."""

    def __enter__(self):
        comm = MPI.COMM_WORLD
        self.made = tempfile.TemporaryDirectory() if comm.rank == 0 else None
        self.path = comm.bcast(self.made.name if self.made else None)
        return self.path

    def __exit__(self, *_):
        MPI.COMM_WORLD.barrier()
        if self.made:
            self.made.cleanup()
