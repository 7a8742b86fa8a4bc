#!/usr/bin/env python3
"""Makes a PNG of a portable pixmap: picture.py FILE.ppm FILE.png. Needs nothing but Python."""
import struct
import sys
import zlib


def read_pixmap(path):
    with open(path, "rb") as file:
        magic, size, most = file.readline().strip(), file.readline().split(), file.readline().strip()
        if magic != b"P6" or most != b"255":
            raise SystemExit(f"{path} is not a pixmap of 8 bits a colour")
        return int(size[0]), int(size[1]), file.read()


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def write_png(path, width, height, dots):
    rows = b"".join(b"\0" + dots[3 * width * y:3 * width * (y + 1)] for y in range(height))
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
                   + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    write_png(sys.argv[2], *read_pixmap(sys.argv[1]))
