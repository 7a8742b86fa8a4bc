"""What all contenders solve: the halos of cubes of doubles on a periodic grid, and what they must be afterwards."""
import numpy


class Problem:
    """A cube of n cells on each rank, of `fields` fields, divided among `ranks` along each dimension."""

    def __init__(self, n, width, fields, ranks, lower):
        self.n, self.width, self.fields, self.ranks, self.lower = n, width, fields, tuple(ranks), tuple(lower)
        self.cells = tuple(n * count for count in self.ranks)
        self.shape = (n + 2 * width,) * 3

    def _indices(self, beyond):
        """The global indices of this rank's cells and so many beyond, shaped so that they broadcast."""
        return numpy.ix_(*(numpy.arange(first - beyond, first + self.n + beyond) % cells
                           for first, cells in zip(self.lower, self.cells)))

    def _values(self, number, beyond):
        i, j, k = self._indices(beyond)
        return number + 0.25 + i + self.cells[0] * (j + self.cells[1] * k)

    def begin(self, arrays):
        """Gives cores their values, and halos a wrong one."""
        w = self.width
        for number, array in enumerate(arrays):
            array[...] = -1
            array[w:-w, w:-w, w:-w] = self._values(number, 0)

    def check(self, arrays, who):
        for number, array in enumerate(arrays):
            wrong = int(numpy.count_nonzero(array != self._values(number, self.width)))
            if wrong:
                raise RuntimeError(f"{who} leaves {wrong} values of field {number} wrong")
