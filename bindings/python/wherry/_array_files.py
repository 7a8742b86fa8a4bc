"""Arrays in files: written and read by all ranks together, or loaded by one process without MPI calls."""
import ast
import operator
import os
from typing import NamedTuple

import numpy

from . import _core
from ._box import Box
from ._errors import collectively, refuse
from ._field import Field
from ._mpi import communicator
from ._redistribute import Blocks, cells_of


def write_array(path, array):
    """Writes a Field or Blocks to a file, without halos, and returns when it is on the disk under its name. Collective.

    A write either completes or leaves the file before as it was. Each byte has a checksum.

    Raises Error on all ranks: argument (a path that cannot be written), resource (the disk is full).
    """
    file, place = _distributed(array, False, "write_array", lambda: _place(path, "write_array"))
    file.write(place)


def read_array(path, into):
    """Fills the cells of a Field or Blocks that are in the file. Collective. Returns the number of cells, of all ranks together.

    The array may be divided otherwise than the one that was written. Halos, and cells that the file does not have, stay as they are.

    Raises Error on all ranks: argument (no such file, damage, another dtype or number of components).
    """
    file, place = _distributed(into, True, "read_array", lambda: _place(path, "read_array"))
    return file.read(place)


class ArraySeries:
    """A file of many arrays, each under a name and a step. Collective to make; the file is made if it does not exist.

    An array is a part of the file once it is on the disk, so that finished arrays survive a crash.
    """

    def __init__(self, path, comm=None):
        self.comm = communicator(comm)
        place = collectively(self.comm, "array_series", lambda: _place(path, "array_series"))
        self._series = _core.OpenSeries(self.comm, place)

    def write(self, name, step, array):
        """Adds a Field or Blocks to the file. Collective."""
        file, entry = _distributed(array, False, "array_series", lambda: _entry(name, step), self.comm)
        file.write_to(self._series, *entry)

    def read(self, name, step, into):
        """Fills a Field or Blocks as `read_array` does, and returns the number of cells. Collective."""
        file, entry = _distributed(into, True, "array_series", lambda: _entry(name, step), self.comm)
        return file.read_from(self._series, *entry)

    @property
    def entries(self):
        """The (name, step) of each array, in the order of the file."""
        return [entry[:2] for entry in self._series.entries]

    def steps(self, name):
        """The steps of the arrays with this name, in the order of the file."""
        return [step for one, step in self.entries if one == name]


class ArrayDescription(NamedTuple):
    """The description of an array in a file: the smallest Box with all its cells, its boxes by their numbers, its dtype, and the number of components."""
    box: Box
    boxes: list
    dtype: numpy.dtype
    components: int


def saved_arrays(path):
    """The (name, step) of each array of a series, in the order of the file. Local, without MPI calls."""
    return [entry[:2] for entry in _core.saved_series(_place(path, "saved_arrays"))]


def describe_array(path, name=None, step=None):
    """The ArrayDescription of an array in a file. Local, without MPI calls. The arguments are those of `load_array`."""
    return _description(_saved(path, name, step))


def load_array(path, name=None, step=None):
    """The whole array of a file as a numpy array. Local, without MPI calls. All bytes are verified.

    path        what `write_array` or a program in another language has written
    name, step  of an array of a series

    The array has the cells of `describe_array(path).box`; those that are in no box of the file are 0. Several components of a cell
    are the last dimension.

    Raises Error: argument (no such file, or damage), resource (no memory for the box around all boxes of the file).
    """
    saved = _saved(path, name, step)
    box, boxes, dtype, components = _description(saved)
    more = () if components == 1 else (components,)
    try:
        result = numpy.zeros(box.shape + more, dtype)
    except (MemoryError, OverflowError, ValueError) as problem:
        refuse("load_array", f"'{path}' has boxes within {box}, for which there is no memory: {problem}", kind="resource")
    for place in reversed(range(len(boxes))):  # the first box in the file that has a value counts
        for lower, upper, cells in saved.pieces(place):
            piece = Box(tuple(lower), tuple(upper))
            result[piece.slices(box)] = numpy.frombuffer(cells, dtype).reshape(piece.shape + more, order="F")
    return result


def _place(path, where):
    """A path as text."""
    try:
        return os.fsdecode(path)
    except TypeError:
        return refuse(where, f"'path' is a {type(path).__name__}, expected a str or a path")


def _entry(name, step):
    """The name and the step of an array in a series."""
    if not isinstance(name, str):
        refuse("array_series", f"'name' is a {type(name).__name__}, expected a str")
    try:
        return name, operator.index(step)
    except TypeError:
        return refuse("array_series", f"'step' is a {type(step).__name__}, expected an integer")


def _saved(path, name, step):
    path = _place(path, "load_array")
    if name is None and step is None:
        return _core.SavedArray(path, 0, -1)
    for one, number, begin, size in _core.saved_series(path):
        if (one, number) == (name, step):
            return _core.SavedArray(path, begin, size)
    return refuse("load_array", f"'{path}' has no array '{name}' of step {step}")


def _description(saved):
    boxes = [Box(tuple(lower), tuple(upper)) for _, lower, upper in sorted(saved.boxes)]  # by their numbers
    full = [box for box in boxes if not box.empty]
    none = (0,) * saved.dimensions
    box = Box(tuple(map(min, zip(*(one.lower for one in full)))), tuple(map(max, zip(*(one.upper for one in full))))) if full else \
        Box(none, none)
    return ArrayDescription(box, boxes, _dtype_named(saved.type, saved.element), saved.components)


def _distributed(array, written, where, others, comm=None):
    """The library's object for a Field or Blocks, and what `others` makes of the other arguments. Collective."""
    if comm is None:
        comm = array.grid.comm if isinstance(array, Field) else array.plan.comm if isinstance(array, Blocks) else communicator()

    def parse():
        if isinstance(array, Field):
            grid = array.grid
            boxes, owners = [grid.box_of(rank) for rank in range(grid.size)], list(range(grid.size))
            minus, plus = zip(*array.halo)
            planes, dtype, arrays = list(array.on), array.dtype, [cells_of(array)]
            more, of = arrays[0].shape[len(grid.shape):], grid.comm
        elif isinstance(array, Blocks):
            boxes, owners, dtype, of = array.plan.boxes, array.plan.owners, array.dtype, array.plan.comm
            minus = plus = (array.width,) * (len(boxes[0].lower) if boxes else 1)
            planes, arrays, more = [False] * len(minus), list(array.arrays.values()), array.components
        else:
            refuse(where, f"'array' is a {type(array).__name__}, expected a Field or Blocks: Grid.wrap makes a Field of an array")
        if of != comm:
            refuse(where, "'array' has another communicator than the series")
        components = int(numpy.prod(more, dtype=int))
        shape = _core.DistributedShape([tuple(box) for box in boxes], owners, list(minus), list(plus), planes, components,
                                       _name_of_dtype(dtype, where))
        return _core.distributed_array(comm, shape, [*arrays, numpy.empty(1, dtype)], written), others()

    return collectively(comm, where, parse)


_longest_name = 103


def _name_of_dtype(dtype, where):
    """The name of an element type in files: that of all languages for numbers, else numpy's description."""
    if dtype.isnative and dtype.kind in "iuf":
        return dtype.name
    if dtype.kind == "b":
        return "uint8"
    if dtype.isnative and dtype.kind == "c":
        return f"complex float{4 * dtype.itemsize}"
    name = f"numpy{_text(_description_of(dtype))}"
    if len(name.encode()) > _longest_name:
        refuse(where, f"the description of the dtype has {len(name.encode())} bytes, expected at most {_longest_name}: {dtype}")
    return name


def _description_of(dtype):
    """The argument with which numpy.dtype makes the same dtype: its letters, or the fields of a structure, with their places where there are gaps."""
    if not dtype.names:
        return dtype.str
    fields = [(name, *_element_and_shape(dtype.fields[name][0])) for name in dtype.names]
    if numpy.dtype(fields) == dtype:
        return fields
    return {"names": list(dtype.names), "formats": [field[1] if len(field) == 2 else field[1:] for field in fields],
            "offsets": [dtype.fields[name][1] for name in dtype.names], "itemsize": dtype.itemsize}


def _element_and_shape(dtype):
    return (_description_of(dtype.subdtype[0]), dtype.subdtype[1]) if dtype.subdtype else (_description_of(dtype),)


def _text(described):
    """Python's text of a description, without blanks between its parts."""
    if isinstance(described, dict):
        return "{" + ",".join(f"{key!r}:{_text(value)}" for key, value in described.items()) + "}"
    if isinstance(described, list):
        return "[" + ",".join(map(_text, described)) + "]"
    if isinstance(described, tuple):
        return "(" + ",".join(map(_text, described)) + (",)" if len(described) == 1 else ")")
    return repr(described)


def _dtype_named(name, size):
    """The dtype of elements with this name; bytes for a type that numpy does not know. A file may say anything."""
    try:
        if name.startswith("complex float"):
            found = numpy.dtype(f"c{2 * int(name[13:]) // 8}")
        elif name.startswith("numpy"):
            described = ast.literal_eval(name[5:])
            found = numpy.dtype(described) if isinstance(described, (str, list, dict)) else None
        else:
            found = numpy.dtype(name)
    except Exception:  # numpy has many kinds of errors for texts that describe no type
        found = None
    return found if found is not None and found.itemsize == size and not found.hasobject else numpy.dtype(f"V{size}")
