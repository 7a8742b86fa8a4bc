"""Fields: arrays of which each rank has a part, with a halo around it."""
import operator

import numpy

from . import _core
from ._box import Box
from ._errors import refuse


def widths_of(halo, dimensions, where):
    """(below, above) for each dimension, from one number, a number for each dimension, or a pair for each dimension."""
    if halo is None:
        refuse(where, "'halo' is missing: the number of halo cells on each side")
    if not hasattr(halo, "__len__"):
        halo = [halo] * dimensions
    if len(halo) != dimensions:
        refuse(where, f"'halo' has {len(halo)} entries, but the grid has {dimensions} dimensions")
    pairs = [tuple(one) if hasattr(one, "__len__") else (one, one) for one in halo]
    for d, pair in enumerate(pairs):
        if len(pair) != 2:
            refuse(where, f"'halo' has {len(pair)} numbers for dimension {d}, expected one, or one below and one above")
    pairs = [(operator.index(below), operator.index(above)) for below, above in pairs]
    for d, pair in enumerate(pairs):
        if min(pair) < 0:
            refuse(where, f"'halo' is {min(pair)} in dimension {d}, expected 0 or more")
    return tuple(pairs)


def planes_of(on, dimensions, where):
    """For each dimension, whether values sit on planes: from "cells", "nodes", ("faces", d), ("edges", d) or booleans."""
    if isinstance(on, str) and on in ("cells", "nodes"):
        return (on == "nodes",) * dimensions
    if isinstance(on, (tuple, list)) and len(on) == 2 and on[0] in ("faces", "edges"):
        normal = operator.index(on[1])
        if not 0 <= normal < dimensions:
            refuse(where, f"'on' is {on!r}, but the grid has {dimensions} dimensions")
        return tuple((d == normal) == (on[0] == "faces") for d in range(dimensions))
    if isinstance(on, (tuple, list)) and len(on) == dimensions and all(isinstance(one, (bool, numpy.bool_)) for one in on):
        return tuple(map(bool, on))
    return refuse(where, f"'on' is {on!r}, expected 'cells', 'nodes', ('faces', d), ('edges', d) or a bool for each dimension")


class Field(_core.FieldBase, numpy.lib.mixins.NDArrayOperatorsMixin):
    """An array of which this rank has a part: its core, and a halo of cells that belong to other ranks.

    Grid.zeros makes fields in memory that the ranks of a node share; Grid.wrap makes them of your own arrays.

    array   the numpy array, with the halo
    core    a view of the core
    grid    the grid
    box     the core's cells, in indices of the whole grid
    halo    the widths (below, above) for each dimension

    A field can be used where numpy wants an array: it is `array` then.
    """

    def __init__(self, grid, array, halo, on="cells", components_first=False, name="", where="field"):
        dimensions = len(grid.shape)
        widths = widths_of(halo, dimensions, where)
        planes = planes_of(on, dimensions, where)
        if not isinstance(array, numpy.ndarray):
            array = as_array(array, where)
        if array.ndim < dimensions:
            refuse(where, f"'array' has {array.ndim} dimensions, but the grid has {dimensions}")
        first = array.ndim - dimensions if components_first else 0
        wanted = tuple(n + plane + sum(width) for n, plane, width in zip(grid.box.shape, planes, widths))
        given = array.shape[first:first + dimensions]
        if given != wanted and not (grid.box.empty and 0 in given):
            refuse(where, f"'array' has the shape {given}, but this rank's {grid.box.shape} cells with halos of {widths} "
                          f"need {wanted}", rank=grid.rank)
        if 0 in array.shape[:first] + array.shape[first + dimensions:]:
            refuse(where, f"'array' has the shape {array.shape}, which has no components")
        super().__init__(array, dimensions, [below for below, _ in widths], [above for _, above in widths], list(planes),
                         components_first, name)
        self.grid = grid
        self.array = array
        self.halo = widths
        self.on = planes
        self.name = name
        self.components_first = components_first
        lower = grid.box.lower
        self.box = Box(lower, tuple(a + n - sum(width) for a, n, width in zip(lower, given, widths)))
        self._first = first

    @property
    def core(self):
        """A view of the core: the values of this rank's own cells."""
        return self.at(*(0 for _ in self.halo))

    def at(self, *offset):
        """A view of the core's neighbours: `u.at(-1, 0)[i, j]` is the value one cell below `u.core[i, j]` in dimension 0."""
        if len(offset) != len(self.halo):
            refuse("at", f"the offset has {len(offset)} numbers, but the field has {len(self.halo)} dimensions")
        parts = [slice(None)] * self._first
        for d, (by, (below, above)) in enumerate(zip(offset, self.halo)):
            if not -below <= by <= above:
                refuse("at", f"the offset is {by} in dimension {d}, but the halo has {below} and {above} cells")
            length = self.array.shape[self._first + d]
            parts.append(slice(below + by, max(below + by, length - above + by)))
        return self.array[tuple(parts)]

    dtype = property(lambda self: self.array.dtype)
    shape = property(lambda self: self.array.shape)
    ndim = property(lambda self: self.array.ndim)
    size = property(lambda self: self.array.size)

    def __len__(self):
        return len(self.array)

    def __getitem__(self, key):
        return self.array[key]

    def __setitem__(self, key, value):
        self.array[key] = value

    def __array__(self, dtype=None, copy=None):
        if dtype is not None and dtype != self.array.dtype:
            return self.array.astype(dtype)
        return self.array.copy() if copy else self.array

    def __array_ufunc__(self, function, method, *inputs, out=None, **options):
        inputs = [one.array if isinstance(one, Field) else one for one in inputs]
        if out is None:
            return getattr(function, method)(*inputs, **options)
        getattr(function, method)(*inputs, out=tuple(one.array if isinstance(one, Field) else one for one in out), **options)
        return out[0] if len(out) == 1 else out

    def copy(self):
        """Another field with the same values."""
        result = self.grid.zeros_like(self)
        result.array[...] = self.array
        return result

    def __repr__(self):
        name = f" '{self.name}'" if self.name else ""
        return f"<wherry.Field{name} of {self.dtype}, {self.box}, halo {self.halo}>"


def as_array(given, where):
    """A numpy array of the same memory."""
    if isinstance(given, Field):
        return given.array
    if hasattr(given, "__cuda_array_interface__"):
        refuse(where, f"'array' is a {type(given).__name__} in the memory of a device, which the Python package does not support yet")
    try:
        return numpy.asarray(memoryview(given))
    except TypeError:
        pass
    imported = _core.from_dlpack(given)
    if imported is not None:
        return imported
    return refuse(where, f"'array' is a {type(given).__name__}, expected a numpy array or an object with a buffer")
