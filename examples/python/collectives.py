"""Pi, as the area of a quarter of a circle in 10^6 strips: mpirun -n 4 python collectives.py"""
import numpy
import wherry as wh

c = wh.communicator()
strips = wh.bcast(numpy.array([1000000 if c.rank == 0 else 0]))[0]

x = (numpy.arange(c.rank, strips, c.size) + 0.5) / strips
pi = wh.allreduce((4 / (1 + x * x)).sum() / strips, blocking=False)

# Compute something else meanwhile: how far the first strip's height is from 4.
error = 4 - 4 / (1 + 0.25 / strips / strips)
pi = pi.wait()

largest = wh.allreduce(error, op=numpy.maximum)
if c.rank == 0:
    print(f"collectives: pi is about {pi:.9f}, and the first strip is wrong by {largest:.1e}")
