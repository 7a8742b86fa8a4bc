"""Heat conduction on a square with cold edges, on any number of ranks: mpirun -n 4 python heat.py"""
import wherry as wh

g = wh.grid((64, 64))                    # each rank has a part of the square
u, v = g.zeros(halo=1), g.zeros(halo=1)  # the halo at the edges of the square stays 0
u.core[...] = 1
fill = g.halo(u, stencil="faces")        # planned once
for step in range(100):
    fill(u)                              # the halo has the neighbours' values
    v.core[...] = (u.at(-1, 0) + u.at(1, 0) + u.at(0, -1) + u.at(0, 1)) / 4
    u, v = v, u

heat = wh.allreduce(u.core.sum())
if g.rank == 0:
    print(f"heat: mean temperature after 100 steps: {heat / 64 ** 2:.6f}")
