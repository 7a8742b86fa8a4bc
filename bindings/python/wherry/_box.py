"""Boxes of cells."""
import operator
from typing import NamedTuple, Tuple


class Box(NamedTuple):
    """All cells p with lower[d] <= p[d] < upper[d] in every dimension d.

    >>> Box((0, 0), (4, 6)).grow(1) & Box((3, 3), (9, 9))
    Box(lower=(3, 3), upper=(5, 7))
    """
    lower: Tuple[int, ...]
    upper: Tuple[int, ...]

    @property
    def shape(self):
        """The number of cells along each dimension."""
        return tuple(max(0, above - below) for below, above in zip(self.lower, self.upper))

    @property
    def size(self):
        """The number of cells."""
        result = 1
        for extent in self.shape:
            result *= extent
        return result

    @property
    def empty(self):
        """True if there is no cell in the box."""
        return 0 in self.shape

    def __and__(self, other):
        """The cells of both boxes."""
        return Box(tuple(map(max, self.lower, other.lower)), tuple(map(min, self.upper, other.upper)))

    def grow(self, width):
        """The box with `width` more cells on each side; a sequence has a width for each dimension."""
        widths = [operator.index(width)] * len(self.lower) if not hasattr(width, "__len__") else width
        return Box(tuple(a - w for a, w in zip(self.lower, widths)), tuple(b + w for b, w in zip(self.upper, widths)))

    def shift(self, offset):
        """The box moved by an offset."""
        return Box(tuple(map(operator.add, self.lower, offset)), tuple(map(operator.add, self.upper, offset)))

    def contains(self, cell):
        """True if the cell is in the box."""
        return all(a <= i < b for a, i, b in zip(self.lower, cell, self.upper))

    def slices(self, inside):
        """The slices of this box in an array of the cells of the box `inside`."""
        return tuple(slice(a - origin, a - origin + n) for a, origin, n in zip(self.lower, inside.lower, self.shape))
