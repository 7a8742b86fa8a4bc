"""Arrays in files: what one division wrote, any other reads, and one process loads; damage and mistakes are errors."""
import os

import numpy
from mpi4py import MPI

import wherry as wh
from support import directory, error, expected, fill_core, random_cases, value_of


def whole(cells):
    """The values that `fill_core` gives, of all cells."""
    return value_of(numpy.ix_(*map(numpy.arange, cells)), cells)


@random_cases(6)
def test_written_by_one_division_and_read_by_another(rng, mine):
    cells = tuple(int(n) for n in rng.integers(1, 12, int(rng.integers(1, 5))))
    halo, dtype = int(rng.integers(0, 3)), str(rng.choice(["f8", "f4", "i4", "c16", "u2"]))
    components = [(), 3, (2, 3)][int(rng.integers(3))]
    g = wh.grid(cells)
    u = g.zeros(halo=halo, dtype=dtype, components=components)
    more = u.array.shape[len(cells):]
    number = numpy.arange(1, numpy.prod(more, dtype=int) + 1).reshape(more)

    def spread(values):
        return (values.reshape(values.shape + (1,) * len(more)) * number).astype(dtype)

    u.core[...] = spread(expected(g, 0))
    with directory() as path:
        file = os.path.join(path, "u.wherry")
        wh.write_array(file, u)
        loaded = wh.load_array(file)
        assert loaded.dtype == dtype and (loaded.reshape(cells + more) == spread(whole(cells))).all()
        other = g.divided(*(1 if d == 0 else 0 for d in range(len(cells))))
        w = other.zeros(halo=1, dtype=dtype, components=components)
        w.array[...] = 7
        assert wh.read_array(file, w) == numpy.prod(cells)
        assert (w.core == spread(expected(other, 0))).all()
        outside = numpy.ones(w.array.shape, bool)
        outside[tuple(slice(1, -1) for _ in cells)] = False
        assert (w.array[outside] == 7).all()
        if components == 3:
            first = other.wrap(numpy.zeros((3,) + other.box.shape, dtype), halo=0, components_first=True)
            wh.read_array(file, first)
            assert (numpy.moveaxis(first.array, 0, -1) == spread(expected(other, 0))).all()
            wh.write_array(file, first)
            assert (wh.load_array(file) == loaded).all()
            nested = other.wrap(numpy.zeros((3, 1) + other.box.shape, dtype), halo=0, components_first=True)
            wh.read_array(file, nested)
            assert (nested.array[:, 0] == first.array).all()


def test_blocks_and_values_on_planes():
    c = wh.communicator()
    boxes = wh.cut_blocks(wh.Box((2, -3), (14, 7)), (5, 4))
    plan = wh.FloorPlan(boxes, [(3 * k + 1) % c.size for k in range(len(boxes))])
    values = numpy.arange(120.0).reshape(12, 10)
    x = plan.zeros(halo=2)
    for k in plan.mine:
        x[k] = values[boxes[k].slices(wh.Box((2, -3), (14, 7)))]
    with directory() as path:
        file = os.path.join(path, "x.wherry")
        wh.write_array(file, x)
        said = wh.describe_array(file)
        assert (said.box, said.dtype, said.components) == (wh.Box((2, -3), (14, 7)), float, 1)
        assert said.boxes == boxes and (wh.load_array(file) == values).all()
        columns = wh.FloorPlan(wh.cut_blocks(wh.Box((0, 0), (12, 10)), (12, 2)), [k % c.size for k in range(5)])
        y = columns.zeros(dtype=float)
        assert wh.read_array(file, y) == 10 * 7
        for k in columns.mine:
            box = columns.boxes[k]
            there = box & said.box
            assert (y[k][there.slices(box)] == values[there.slices(said.box)]).all()
            assert y[k].sum() == y[k][there.slices(box)].sum()
        g = wh.grid((9, 7))
        nodes = g.zeros(halo=1, on="nodes", dtype="f4")
        fill_core(nodes)
        wh.write_array(file, nodes)
        assert (wh.load_array(file) == whole((9, 7))[0, 0] + (numpy.arange(10)[:, None] * 14 + numpy.arange(8))).all()
        again = g.zeros(halo=1, on="nodes", dtype="f4")
        wh.read_array(file, again)
        assert (again.core == nodes.core).all()


def bytes_of(array):
    """Of all values. numpy does not copy the gaps of a structure."""
    return b"".join(array[name].tobytes() for name in array.dtype.names) if array.dtype.names else array.tobytes()


def test_dtypes():
    g = wh.grid((6, 5))
    aligned = numpy.dtype([("a", "i1"), ("my b", "f8", 2)], align=True)
    nested = [("my field", "f8"), ("in", [("x", "i2"), ("y", "f4", (2, 2))])]
    for dtype in ("?", "S3", "f2", [("a", "i4"), ("b", "f8", 2)], ">i4", "longdouble", "c8", aligned, nested):
        u = g.zeros(dtype=dtype)
        if u.dtype.names or u.dtype.kind in "Si":  # any bytes are values of these
            u.array[...] = numpy.arange(u.array.nbytes).astype("u1").view(dtype).reshape(u.shape)
        else:
            u.array[...] = expected(g, 0) % 2
        with directory() as path:
            file = os.path.join(path, "u")
            wh.write_array(file, u)
            again = g.zeros(dtype=dtype)
            wh.read_array(file, again)
            assert again.array.tobytes() == u.array.tobytes()
            loaded = wh.load_array(file)
            assert loaded.dtype == ("u1" if dtype == "?" else numpy.dtype(dtype)), loaded.dtype
            assert bytes_of(loaded[g.box.slices(wh.Box((0, 0), (6, 5)))]) == bytes_of(u.array)
    with error("at most 103"):
        wh.write_array("nowhere", g.zeros(dtype=[("a" * 60, "f8"), ("b" * 60, "f8")]))


def test_many_arrays_in_one_file():
    g = wh.grid((8, 6))
    u, b = g.zeros(halo=1), g.zeros(dtype="i4", components=2)
    with directory() as path:
        file = os.path.join(path, "run.wherry")
        series = wh.ArraySeries(file)
        for step in (0, 5):
            fill_core(u, scale=step + 1)
            series.write("u", step, u)
        b.core[...] = expected(g, 0)[..., None] * [1, -1]
        series.write("b", 5, b)
        assert series.entries == [("u", 0), ("u", 5), ("b", 5)] == wh.saved_arrays(file) and series.steps("u") == [0, 5]
        again = wh.ArraySeries(file)
        u.array[...] = 0
        assert again.read("u", 5, u) == 48 and (u.core == 6 * expected(g, 0)).all()
        assert (wh.load_array(file, "u", 0) == whole((8, 6))).all()
        assert (wh.load_array(file, "b", 5) == whole((8, 6))[..., None] * [1, -1]).all()
        assert wh.describe_array(file, "b", 5).dtype == "i4"
        with error("has 'u' of step 5 already"):
            series.write("u", 5, u)
        with error("no array 'u' of step 7"):
            wh.load_array(file, "u", 7)
        with error("step 7"):
            again.read("u", 7, u)
        wh.write_array(os.path.join(path, "one"), u)
        with error():
            wh.ArraySeries(os.path.join(path, "one"))
        with error("does not begin"):
            wh.load_array(file)


def test_damage_of_any_byte_is_found():
    comm = MPI.COMM_WORLD
    g = wh.grid((9, 4))
    u = g.zeros(dtype="i2")
    fill_core(u)
    with directory() as path:
        file = os.path.join(path, "u")
        wh.write_array(file, u)
        if comm.rank == 0:
            with open(file, "rb") as whole_file:
                image = whole_file.read()
            for place in range(len(image)):
                with open(file, "wb") as damaged:
                    damaged.write(image[:place] + bytes([image[place] ^ 4]) + image[place + 1:])
                with error(file):
                    wh.load_array(file)
            for length in (0, 100, 192, 200, len(image) - 1):
                with open(file, "wb") as damaged:
                    damaged.write(image[:length])
                with error(file):
                    wh.load_array(file)
            with open(file, "wb") as damaged:
                damaged.write(image[:-1] + bytes([image[-1] ^ 4]))
        comm.barrier()
        with error("damaged"):
            wh.read_array(file, u)


def test_mistakes():
    g = wh.grid((6, 5))
    u = g.zeros()
    with directory() as path:
        file = os.path.join(path, "u")
        with error("'" + os.path.join(path, "no", "u")):
            wh.write_array(os.path.join(path, "no", "u"), u)
        for read in (lambda: wh.read_array(file, u), lambda: wh.load_array(file), lambda: wh.describe_array(file)):
            with error(file):
                read()
        wh.write_array(file, u)
        for other in (g.zeros(dtype="f4"), g.zeros(components=2), wh.grid((6, 5, 2)).zeros()):
            with error():
                wh.read_array(file, other)
        with error("is a list"):
            wh.write_array(file, [1.0] if g.rank == 0 else u)
        with error("'path' is a NoneType"):  # of one rank: all hear of it
            wh.write_array(None if g.rank == 0 else file, u)
        with error("'path' is a NoneType"):
            wh.read_array(None if g.rank == 0 else file, u)
        with error("'path' is a int"):
            wh.ArraySeries(1 if g.rank == 0 else os.path.join(path, "series"))
        series = wh.ArraySeries(os.path.join(path, "series"))
        with error("'step' is a float"):
            series.write("u", 1.0 if g.rank == 0 else 1, u)
        with error("'name' is a int"):
            series.write(2 if g.rank == 0 else "u", 1, u)
        kept = numpy.full(g.box.shape, 3.0)
        field = g.wrap(kept, halo=0)
        kept.flags.writeable = False
        with error("read-only"):
            wh.read_array(file, field)
        assert (kept == 3).all()


def test_names_of_types_in_files_are_not_trusted():
    from wherry._array_files import _dtype_named
    for name in ("numpyNone", "numpy7", "numpy'O'", "numpy[1]", "numpy{}", "numpy'f8'[", "complex floatx", "no such type",
                 "numpy{'names':['a'],'formats':['i4'],'offsets':[1180591620717411303424]}", "numpy" + "[" * 90):
        assert _dtype_named(name, 8) == numpy.dtype("V8"), name
    assert _dtype_named("numpy'<f8'", 8) == float and _dtype_named("numpy'<f8'", 4) == numpy.dtype("V4")
