"""Particles fly through a periodic box; then each counts the particles near it: mpirun -n 4 python particles.py"""
import numpy
import wherry as wh

cutoff, particles = 0.1, 2000
g = wh.grid((64, 64), periodic=True)
move = g.particles(lower=(0, 0), upper=(1, 1))

i = numpy.arange(1, particles + 1 if g.rank == 0 else 1)  # all begin on rank 0


def part(*factors):
    return numpy.stack([factor * i - numpy.floor(factor * i) for factor in factors], axis=1)


x = part(0.754877666, 0.569840291)
v = 0.1 * part(0.819172513, 0.671043607) - 0.05
for step in range(20):
    x, v = move(x + v, v)                                 # to the ranks whose cells they are in now

near = move.ghosts(cutoff).plan(x)                        # behind them the particles of others within the cut-off
apart = x[:, None] - near
count = ((apart ** 2).sum(axis=2) < cutoff ** 2).sum() - len(x)  # none is a neighbour of itself
count = wh.allreduce(int(count))
if g.rank == 0:
    print(f"particles: neighbours of a particle: {count / particles:.3f}")
