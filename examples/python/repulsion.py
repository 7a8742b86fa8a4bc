"""Particles that repel each other within a cut-off, in a box that wraps around: mpirun -n 4 python repulsion.py"""
import numpy
import wherry as wh

cutoff, dt = 1.0, 0.01
g = wh.grid((16, 16), periodic=True)
move = g.particles()                      # the unit of the positions is a cell
ghosts = move.ghosts(cutoff)
rng = numpy.random.default_rng(g.rank)
x, v = rng.uniform(0, 16, (300, 2)), rng.normal(0, 1, (300, 2))
ids = 300 * g.rank + numpy.arange(300)
before = wh.allreduce(v.sum(axis=0))

for step in range(50):
    x, v, ids = move(x + dt * v, v, ids)  # to the ranks whose cells they are in now
    all_x, all_ids = ghosts.plan(x, ids)  # and behind them the particles of others within the cut-off
    n, apart = ghosts.owned, all_x[:ghosts.owned, None] - all_x
    far = numpy.sqrt((apart ** 2).sum(axis=2))
    # One rank has each pair: both are its own, or the rule for an own particle and a ghost says so.
    a, b = ids[:, None], all_ids[None]
    is_mine = numpy.where(numpy.arange(len(all_x)) < n, a < b, (a < b) == ((a + b) % 2 == 0))
    force = numpy.where((far < cutoff) & (far > 0) & is_mine, (cutoff - far) / numpy.maximum(far, 1e-9), 0)[..., None] * apart
    forces = -force.sum(axis=0)
    forces[:n] += force.sum(axis=1)
    ghosts.sum_back(forces)               # the forces on ghosts belong to their owners' particles
    v += dt * forces[:n]

count, drift = wh.allreduce(len(x)), abs(wh.allreduce(v.sum(axis=0)) - before).max()
if g.rank == 0:
    print(f"repulsion: {count} particles on {g.size} ranks, and the momentum has changed by {drift:.1e}")
