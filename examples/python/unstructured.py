"""Values on the nodes of a ring, which ranks know by global ids only: mpirun -n 4 python unstructured.py"""
import numpy
import wherry as wh

nodes, c = 1000, wh.communicator()
mine = numpy.arange(nodes * c.rank // c.size, nodes * (c.rank + 1) // c.size)
rows = len(mine)
ghosts = [(mine[0] - 1) % nodes, (mine[-1] + 1) % nodes]  # copies of the two nodes beside mine come behind them
fill = wh.index_halo(None, mine, ghosts)
left = [rows, *range(rows - 1)]                           # the places of each node's neighbours
right = [*range(1, rows), rows + 1]

u = fill.zeros()
u[:rows] = numpy.where(mine % 100 == 0, 1000, 0)
for step in range(50):
    fill(u)
    u[:rows] = (u[left] + u[:rows] + u[right]) / 3

highest = wh.allreduce(u[:rows].max(), op=numpy.maximum)
if c.rank == 0:
    print(f"unstructured: highest value after 50 steps: {highest:.6f}")
