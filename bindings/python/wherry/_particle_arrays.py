"""The arrays of particles: what a call takes, and what it returns."""
from typing import Any, NamedTuple

import numpy

from ._errors import refuse


class Ragged(NamedTuple):
    """A varying number of values for each particle: lengths[i] for particle i, one particle after the other.

    >>> Ragged([2, 0, 1], [4.0, 5.0, 6.0]).lengths
    [2, 0, 1]
    """
    lengths: Any
    values: Any


class Columns:
    """The arrays of one call as the library takes them, and how what it makes of them becomes arrays again."""

    def __init__(self, arrays, where, in_place=False):
        if not arrays:
            refuse(where, "there are no arrays")
        self.given, self._is_ragged = [], []
        for one in arrays:
            ragged = isinstance(one, Ragged)
            self._is_ragged.append(ragged)
            for part, role in zip(one if ragged else (one,), (1, 2) if ragged else (0,)):
                array = plain_array(part, where, f"array {len(self.given)}")
                if in_place and not array.flags.writeable:
                    array = array.copy()
                if role == 1 and (array.dtype.str[1:] not in ("i4", "i8", "u4", "u8") or not array.dtype.isnative):
                    refuse(where, f"array {len(self.given)} has lengths of the dtype {array.dtype}, expected integers of 4 or 8 bytes")
                self.given.append((array, role))

    def again(self, memories):
        """The arrays in these pieces of memory: one array, or a tuple as they were given."""
        made = []
        for memory, (like, _) in zip(memories, self.given):
            row = like.dtype.itemsize * int(numpy.prod(like.shape[1:], dtype=int))
            made.append(memory.view(like.dtype).reshape((len(memory) // row,) + like.shape[1:]))
        parts = iter(made)
        result = [Ragged(next(parts), next(parts)) if ragged else next(parts) for ragged in self._is_ragged]
        return result[0] if len(result) == 1 else tuple(result)


def plain_array(given, where, argument):
    """An array whose elements lie one behind the other."""
    if isinstance(given, numpy.ma.MaskedArray):
        refuse(where, f"{argument} is a masked array: pass its 'data', and the mask as another array")
    if numpy.ndim(given) < 1:
        refuse(where, f"{argument} is one value, expected a value for each particle")
    array = numpy.ascontiguousarray(given)
    if array.dtype.hasobject:
        refuse(where, f"{argument} has the dtype {array.dtype}, whose elements are Python objects")
    if array.dtype.itemsize == 0 or 0 in array.shape[1:]:
        refuse(where, f"{argument} has the shape {array.shape} and the dtype {array.dtype}, so that a particle has no bytes")
    return array


def coordinates_in(arrays, dimensions, position, where):
    """Where the coordinates are: a list of (number of the array, bytes before it in an element), and whether they are of 4 bytes."""
    if position is not None:
        return _coordinates_in_structures(arrays[0], dimensions, position, where)
    first = arrays[0]
    if first.dtype.names:
        refuse(where, f"array 0 has the dtype {first.dtype}: name the fields of the coordinates in 'position'")
    if first.ndim == 2 and first.shape[1] == dimensions:
        return [(0, d * first.dtype.itemsize) for d in range(dimensions)], _is_float(first.dtype, where, "array 0")
    if len(arrays) < dimensions:
        refuse(where, f"array 0 has the shape {first.shape}, expected (particles, {dimensions}), or an array for each of "
                      f"{dimensions} coordinates, but there are {len(arrays)} arrays")
    for d, one in enumerate(arrays[:dimensions]):
        if one.ndim != 1 or one.dtype != first.dtype:
            refuse(where, f"array {d} has the shape {one.shape} and the dtype {one.dtype}, expected a coordinate of the dtype "
                          f"{first.dtype} for each particle, or array 0 of the shape (particles, {dimensions})")
    return [(d, 0) for d in range(dimensions)], _is_float(first.dtype, where, "array 0")


def _coordinates_in_structures(structures, dimensions, position, where):
    fields = (position,) if isinstance(position, str) else tuple(position)
    if structures.ndim != 1 or not structures.dtype.names:
        refuse(where, f"'position' is {position!r}, but array 0 has the shape {structures.shape} and the dtype {structures.dtype}, "
                      "expected one structure for each particle")
    places = []
    for name in fields:
        if name not in structures.dtype.names:
            refuse(where, f"'position' names '{name}', but the structures have {structures.dtype.names}")
        kind, offset = structures.dtype.fields[name][:2]
        places += [(0, offset + k * kind.base.itemsize) for k in range(int(numpy.prod(kind.shape, dtype=int)))]
        is_float = _is_float(kind.base, where, f"the field '{name}'")
        if kind.base != structures.dtype.fields[fields[0]][0].base:
            refuse(where, f"the fields {fields} have different dtypes")
    if len(places) != dimensions:
        refuse(where, f"'position' is {position!r}, which has {len(places)} coordinates, but the space has {dimensions} dimensions")
    return places, is_float


def _is_float(dtype, where, argument):
    if dtype.kind != "f" or dtype.itemsize not in (4, 8) or not dtype.isnative:
        refuse(where, f"{argument} has the dtype {dtype}, expected float32 or float64 for coordinates")
    return dtype.itemsize == 4
