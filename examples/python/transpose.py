"""A two-dimensional Fourier transform by pencils, checked against one on a single rank: mpirun -n 4 python transpose.py"""
import numpy
import wherry as wh

cells = (48, 36)
rows = wh.grid(cells).pencils(1)    # each rank has whole rows
columns = rows.pencils(0)           # ... and here whole columns
whole = numpy.random.default_rng(1).random(cells)

u = rows.zeros(dtype=complex)
u.core[...] = numpy.fft.fft(whole[rows.box.slices(wh.Box((0, 0), cells))], axis=1)
w = wh.redistribute(u, columns)
w.core[...] = numpy.fft.fft(w.core, axis=0)

error = abs(w.core - numpy.fft.fft2(whole)[columns.box.slices(wh.Box((0, 0), cells))]).max(initial=0)
error = wh.allreduce(error, op=numpy.maximum)
assert error < 1e-10
if rows.rank == 0:
    print(f"transpose: the error on {rows.size} ranks is {error:.1e}")
