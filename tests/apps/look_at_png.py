#!/usr/bin/env python3
"""Reads a PNG as its standard says and complains about what is wrong: look_at_png.py FILE WIDTH HEIGHT COLOURS.

COLOURS: how many the picture must have at least; one that is empty or all alike has few.
"""
import struct
import sys
import zlib


def chunks(data):
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        raise SystemExit("no PNG signature")
    at = 8
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        content = data[at + 8:at + 8 + size]
        if struct.pack(">I", zlib.crc32(kind + content)) != data[at + 8 + size:at + 12 + size]:
            raise SystemExit(f"the checksum of {kind.decode()} is wrong")
        yield kind, content
        at += 12 + size


def main():
    path, width, height, colours = sys.argv[1], *map(int, sys.argv[2:])
    with open(path, "rb") as file:
        parts = list(chunks(file.read()))
    if [kind for kind, _ in parts] != [b"IHDR", b"IDAT", b"IEND"]:
        raise SystemExit(f"unexpected parts: {[kind for kind, _ in parts]}")
    if parts[0][1] != struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0):
        raise SystemExit("the header says something else")
    rows = zlib.decompress(parts[1][1])
    stride = 1 + 3 * width
    if len(rows) != height * stride or any(rows[y * stride] for y in range(height)):
        raise SystemExit("the rows are not as expected")
    dots = {rows[y * stride + 1 + 3 * x:y * stride + 4 + 3 * x] for y in range(height) for x in range(width)}
    print(f"{width} x {height}, {len(dots)} colours")
    if len(dots) < colours:
        raise SystemExit(f"{colours} colours are expected at least")


if __name__ == "__main__":
    main()
