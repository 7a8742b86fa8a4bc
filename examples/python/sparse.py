"""Particles that go to the rank that owns their place, and a sparse matrix times a vector: mpirun -n 4 python sparse.py"""
import numpy
import wherry as wh

g = wh.grid((64, 64), periodic=True)
particles = numpy.random.default_rng(g.rank).uniform(0, 64, (1000, 2))
particles = wh.send_to(g.owners_of(particles.astype(int)), particles).all  # those that are mine now
assert all(g.box.contains(cell) for cell in particles.astype(int))

# Rows of a matrix with -1, 2, -1 around its diagonal: 100 rows on each rank, and the neighbours' values as ghosts.
first, rows = 100 * g.rank, 100 * g.size
mine = numpy.arange(first, first + 100)
ghosts = [row for row in (first - 1, first + 100) if 0 <= row < rows]
halo = wh.index_halo(None, mine, ghosts)
place = {row: k for k, row in enumerate([*mine, *ghosts])}
x = halo.zeros()
x[:100] = mine ** 2
halo(x)
y = [2 * x[place[row]] - sum(x[place[other]] for other in (row - 1, row + 1) if other in place) for row in mine]
inner = wh.allreduce(sum(value == -2 for value in y))

count = wh.allreduce(len(particles))
if g.rank == 0:
    print(f"sparse: {count} particles on {g.size} ranks, and a second difference of -2 in {inner} of {rows} rows")
