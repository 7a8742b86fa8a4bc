#!/usr/bin/env python3
"""Two legacy VTK files must be the same, and hold a flow: look_at_vtk.py FILE FILE NX NY NZ."""
import struct
import sys


def after(data, words):
    return data.index(words) + len(words)


def main():
    first, second = (open(name, "rb").read() for name in sys.argv[1:3])
    size = [int(word) for word in sys.argv[3:6]]
    if first != second:
        print("the files differ")
        return 1
    points = size[0] * size[1] * size[2]
    head = b"DIMENSIONS %d %d %d\n" % tuple(size)
    if not first.startswith(b"# vtk DataFile Version 3.0\n") or head not in first:
        print("not a VTK file of this size")
        return 1
    at = after(first, b"LOOKUP_TABLE default\n")
    density = struct.unpack_from(f">{points}f", first, at)
    start = after(first, b"VECTORS velocity float\n")
    velocity = struct.unpack_from(f">{3 * points}f", first, start)
    largest = max(map(abs, velocity))
    print(f"density from {min(density)} to {max(density)}, velocity to {largest}, {len(first) - start} bytes at the end")
    good = all(abs(rho - 1) < 0.01 for rho in density) and 0.02 < largest < 0.05 and len(first) == start + 12 * points + 1
    return 0 if good and start == at + 4 * points + len(b"\nVECTORS velocity float\n") else 1


if __name__ == "__main__":
    sys.exit(main())
