"""Ghosts of particles within a cut-off."""
import numpy

from ._errors import Error, refuse
from ._particle_arrays import Columns, coordinates_in


class Ghosts:
    """The ghosts of a ParticleExchange; its method `ghosts` makes it.

        ghosts = move.ghosts(cutoff)
        positions, ids = move(positions, ids)
        x, id_of = ghosts.plan(positions, ids)   # behind ghosts.owned particles come ghosts.count ghosts
        forces = ghosts.zeros(3)
        ...
        ghosts.fill_positions(x)                 # the positions of now, shifted by the period where they wrap
        ghosts.sum_back(forces)                  # adds the forces on ghosts to those of their owners
        positions, ids = ghosts.drop(x, id_of)   # before the next move

    A particle has a ghost on each rank within the cut-off of it, and one for each periodic image there, also on its own rank.
    Ghosts are ordered by the rank of their owner, by their image, and by their index there.

    `plan` returns new arrays, in memory as ParticleExchange describes it. All other calls write into the arrays that they
    are given, which may be any arrays with `owned + count` rows, also fields of structures such as particles["v"].
    """

    def __init__(self, bound, comm, dimensions, in_place):
        self.comm = comm
        self._bound, self._dimensions, self._in_place = bound, dimensions, in_place
        self._late = None  # the columns of a plan that ended with a timeout

    def plan(self, *arrays, position=None):
        """Finds the ghosts of the particles in these arrays. Returns the arrays with their ghosts behind them. Collective.

        The arrays are as in a move: positions first, or structures and the name of the field in `position`.

        Raises Error on all ranks: argument (a particle that is not in its rank's part), state (the arrays still have ghosts).
        Raises Error: timeout (`wait()` goes on, and returns the arrays if their ghosts were being filled).
        """
        try:
            columns = Columns(arrays, "ghosts", self._in_place)
            if any(role != 0 for _, role in columns.given):
                refuse("ghosts", "ghosts have no ragged values")
            places = coordinates_in([one for one, _ in columns.given], self._dimensions, position, "ghosts")
        except Exception as failure:  # the other ranks are in the call and hear of it
            self._bound.plan_with_error(_text_of(failure))
            raise
        try:
            memories = self._bound.plan(columns.given, *places, self._in_place)
        except Error as failure:
            if failure.kind == "timeout":
                self._late = columns
            raise
        self._late = None
        return columns.again(memories)

    owned = property(lambda self: self._bound.owned, doc="The particles of this rank when the ghosts were planned.")
    count = property(lambda self: self._bound.count, doc="The ghosts on this rank.")

    @property
    def owners(self):
        """The rank that owns each ghost."""
        return numpy.asarray(self._bound.owners, numpy.intc)

    def zeros(self, components=(), dtype=float):
        """An array of zeros with an element for each particle and each ghost, such as for forces. Local."""
        more = tuple(components) if hasattr(components, "__len__") else (components,)
        return numpy.zeros((self.owned + self.count,) + more, dtype)

    def fill_positions(self, *arrays):
        """Fills the ghosts of positions, which are shifted by the periods of their image, and of further arrays.

        The first array, or the first arrays, have the positions as in a move; of structures, give particles["r"]. Collective when
        arrays of these dtypes are filled for the first time after `plan`; then local to start.
        """
        self.start_fill_positions(*arrays)
        self.wait()

    def fill(self, *arrays):
        """Fills the ghosts of arrays with the values of their owners, as they are."""
        self.start_fill(*arrays)
        self.wait()

    def sum_back(self, *arrays):
        """Adds the values of ghosts to those of their owners, in a fixed order. Ghosts keep their values."""
        self.start_sum_back(*arrays)
        self.wait()

    def start_fill_positions(self, *arrays):
        """Begins what `fill_positions` does; `wait()` ends it. The arrays are kept until then."""
        self._start(arrays, back=False, has_positions=True)

    def start_fill(self, *arrays):
        """Begins what `fill` does."""
        self._start(arrays, back=False)

    def start_sum_back(self, *arrays):
        """Begins what `sum_back` does."""
        self._start(arrays, back=True)

    def _start(self, arrays, back, has_positions=False):
        places, fault = ([], False), ""
        try:
            self._rows(arrays)
            if has_positions:
                places = coordinates_in(arrays, self._dimensions, None, "ghosts")
        except Exception as failure:  # the other ranks may be in the first call with such arrays, and hear of it
            arrays, fault = _as_arrays(arrays, failure), _text_of(failure)
        self._bound.start(list(arrays), *places, back, fault)
        self._late = None

    def test(self):
        """True if the exchange that was started has ended."""
        return self._bound.test()

    def wait(self):
        """Ends the exchange that was started. After a timeout of `plan` it returns what `plan` would have returned."""
        memories = self._bound.wait()
        columns, self._late = self._late, None
        return columns.again(memories) if columns else None

    def drop(self, *arrays):
        """Says that the ghosts are no longer there, and returns the arrays without them: views of the particles of this rank. Local."""
        shorter = [one[:self.owned] for one in self._rows(arrays, least=0)] if arrays else []
        self._bound.drop()
        return shorter[0] if len(shorter) == 1 else tuple(shorter)

    @staticmethod
    def _rows(arrays, least=1):
        if len(arrays) < least:
            refuse("ghosts", "there are no arrays")
        for number, one in enumerate(arrays):
            if not isinstance(one, numpy.ndarray):
                refuse("ghosts", f"array {number} is a {type(one).__name__}, expected a numpy array, whose ghosts are filled")
            if one.ndim < 1:
                refuse("ghosts", f"array {number} is one value, expected a value for each particle")
            if isinstance(one, numpy.ma.MaskedArray):
                refuse("ghosts", f"array {number} is a masked array: pass its 'data', and the mask as another array")
        return list(arrays)


def _text_of(failure):
    return failure.text if isinstance(failure, Error) else f"{type(failure).__name__}: {failure}"


def _as_arrays(given, failure):
    """Arrays of the dtypes of what was given, which tell whether the call is the first with these; without any, the failure is raised."""
    try:
        made = [numpy.asarray(one) for one in given]
    except Exception:
        made = []
    if not made:
        raise failure
    return made
