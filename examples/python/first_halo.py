"""Heat spreading on a periodic square, the first program of the manual: mpirun -n 4 python first_halo.py"""
import wherry as wh

g = wh.grid((512, 512), periodic=True)
now, then = g.zeros(halo=1), g.zeros(halo=1)
exchange = g.halo(now, stencil="faces")

now.core[...] = g.where(lambda i, j: i < 256)
for step in range(100):
    exchange(now)
    around = now.at(-1, 0) + now.at(1, 0) + now.at(0, -1) + now.at(0, 1)
    then.core[...] = now.core + 0.2 * (around - 4 * now.core)
    now, then = then, now
if g.rank == 0:
    print(f"first_halo: after 100 steps on {g.size} ranks: {now.core[0, 0]:.6f}")
