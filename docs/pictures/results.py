"""Draws the results of examples: mpirun -n 4 python docs/pictures/results.py

Runs examples/python/heat.py, blocks.py and unstructured.py as they are, gathers their arrays, and writes heat.png,
plate_result.png and unstructured.svg beside this file.
"""
import os
import runpy
import struct
import zlib

import numpy
import wherry as wh

HERE = os.path.dirname(os.path.abspath(__file__))
COLD, MIDDLE, HOT = (37, 99, 235), (241, 245, 249), (220, 38, 38)


def ran(example):
    """The names of an example after its run."""
    return runpy.run_path(os.path.join(HERE, "..", "..", "examples", "python", example + ".py"))


def whole(values, box, shape):
    """All ranks' parts of an array of two dimensions."""
    mine = numpy.zeros(shape)
    mine[box.slices(wh.Box((0, 0), shape))] = values
    return wh.allreduce(mine)


def color(values):
    """Red, green and blue for values from 0 to 1."""
    stops = numpy.array([COLD, MIDDLE, HOT])
    return numpy.stack([numpy.interp(values, (0, 0.5, 1), stops[:, c]) for c in range(3)], axis=-1).astype(numpy.uint8)


def write_png(path, pixels):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    height, width, channels = pixels.shape
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2 if channels == 3 else 6, 0, 0, 0))
                   + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def heat(scale=6):
    run = ran("heat")
    grid = run["g"]
    values = whole(run["u"].core, grid.box, grid.shape)
    owners = sum(rank * (whole(1, grid.box_of(rank), grid.shape) > 0) for rank in range(grid.size))
    pixels = color(values).repeat(scale, axis=0).repeat(scale, axis=1)
    owners = owners.repeat(scale, axis=0).repeat(scale, axis=1)
    pixels[1:][owners[1:] != owners[:-1]] = 0  # a line between ranks
    pixels[:, 1:][owners[:, 1:] != owners[:, :-1]] = 0
    if grid.rank == 0:
        write_png(os.path.join(HERE, "heat.png"), pixels)


def blocks(scale=10):
    run = ran("blocks")
    values, there = numpy.zeros((32, 30)), numpy.zeros((32, 30))
    for number, box in enumerate(run["boxes"]):
        here = box.slices(wh.Box((0, 0), values.shape))
        there[here] = 1
        if number in run["plan"].mine:
            values[here] = run["u"][number]
    values = wh.allreduce(values)
    pixels = numpy.concatenate([color(values), (255 * there[..., None]).astype(numpy.uint8)], axis=2)  # nothing outside
    pixels = pixels.transpose(1, 0, 2)[::-1].repeat(scale, axis=0).repeat(scale, axis=1)
    for box in run["boxes"]:
        (x0, y0), (x1, y1) = [[scale * at for at in corner] for corner in (box.lower, box.upper)]
        rows, columns = slice(300 - y1, 300 - y0), slice(x0, x1)
        pixels[300 - y1, columns, :3] = pixels[299 - y0, columns, :3] = pixels[rows, x0, :3] = pixels[rows, x1 - 1, :3] = 0
    if run["c"].rank == 0:
        write_png(os.path.join(HERE, "plate_result.png"), pixels)


def unstructured():
    run = ran("unstructured")
    values = numpy.zeros(run["nodes"])
    values[run["mine"]] = run["u"][:run["rows"]]
    values = wh.allreduce(values)
    firsts = wh.allgather(numpy.array([run["mine"][0]])).ravel()
    if run["c"].rank == 0:
        curve = " ".join(f"{20 + 0.66 * node:.0f},{130 - 1.5 * value:.1f}" for node, value in enumerate(values) if node % 4 == 0)
        lines = [f'<path d="M{20 + 0.66 * first:.0f} 20V130" stroke="#f59e0b" stroke-dasharray="4 3"/>'
                 f'<text x="{24 + 0.66 * first:.0f}" y="14" fill="#d9730d">rank {rank}</text>' for rank, first in enumerate(firsts)]
        text = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 700 160" font-family="sans-serif" font-size="12">',
                '<title>The values on the ring after 50 steps, as the program has computed them on 4 ranks</title>', *lines,
                f'<polyline points="{curve}" fill="none" stroke="#3b82f6" stroke-width="2"/>',
                '<path d="M20 130H680" stroke="#737b88"/>',
                '<text x="20" y="150" fill="#737b88">node 0</text><text x="630" y="150" fill="#737b88">node 999</text>', '</svg>']
        with open(os.path.join(HERE, "unstructured.svg"), "w", encoding="utf-8") as file:
            file.write("\n".join(text) + "\n")


heat()
blocks()
unstructured()
