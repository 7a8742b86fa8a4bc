"""The heat equation on any number of ranks: mpirun -n 4 python heat.py"""
import wherry as wh

g = wh.grid((512, 512), periodic=True)
u, v = g.zeros(halo=1), g.zeros(halo=1)
u.core[...] = g.where(lambda i, j: i < 256)
fill = g.halo(u, stencil="faces")
for step in range(100):
    fill(u)
    v.core[...] = u.core + 0.2 * (u.at(-1, 0) + u.at(1, 0) + u.at(0, -1) + u.at(0, 1) - 4 * u.core)
    u, v = v, u

total = wh.allreduce(u.core.sum())
if g.rank == 0:
    print(f"heat: after 100 steps on {g.size} ranks {u.core[0, 0]:.6f}, in all {total:.1f}")
