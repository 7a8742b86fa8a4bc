"""A halo exchange with mpi4py alone, and with Wherry; both must give the same: mpirun -n 4 python port_halo.py"""
import numpy
from mpi4py import MPI

import wherry as wh


# [by hand
class HaloByHand:
    """Fills a halo of some cells of a two-dimensional array from the 8 neighbours of a periodic Cartesian communicator."""

    def __init__(self, cart, array, halo):
        self.cart = cart
        rows, columns = (extent - 2 * halo for extent in array.shape)
        leaves = {-1: lambda n: slice(halo, 2 * halo), 0: lambda n: slice(halo, n + halo), 1: lambda n: slice(n, n + halo)}
        arrives = {-1: lambda n: slice(0, halo), 0: lambda n: slice(halo, n + halo), 1: lambda n: slice(n + halo, n + 2 * halo)}
        self.neighbors = []
        for direction, (i, j) in enumerate((i, j) for i in (-1, 0, 1) for j in (-1, 0, 1)):
            if (i, j) != (0, 0):
                here = cart.coords
                rank = cart.Get_cart_rank([here[0] + i, here[1] + j])
                self.neighbors.append((direction, rank, (leaves[i](rows), leaves[j](columns)),
                                       (arrives[i](rows), arrives[j](columns))))

    def __call__(self, array):
        arriving = [numpy.empty_like(array[arrives], order="C") for _, _, _, arrives in self.neighbors]
        requests = [self.cart.Irecv(buffer, rank, 8 - direction)
                    for buffer, (direction, rank, _, _) in zip(arriving, self.neighbors)]
        leaving = [numpy.ascontiguousarray(array[leaves]) for _, _, leaves, _ in self.neighbors]
        requests += [self.cart.Isend(buffer, rank, direction)
                     for buffer, (direction, rank, _, _) in zip(leaving, self.neighbors)]
        MPI.Request.Waitall(requests)
        for buffer, (_, _, _, arrives) in zip(arriving, self.neighbors):
            array[arrives] = buffer
# by hand]


ranks = MPI.Compute_dims(MPI.COMM_WORLD.size, 2)
cart = MPI.COMM_WORLD.Create_cart(ranks, periods=[True, True])
u = numpy.random.default_rng(cart.rank).random((30 + 4, 20 + 4))
v = u.copy()
HaloByHand(cart, v, 2)(v)

# [wherry
g = wh.grid((30 * ranks[0], 20 * ranks[1]), periodic=True, comm=cart)
fill = g.halo(g.wrap(u, halo=2))
fill()
# wherry]

same = wh.allreduce(int((u == v).all()), op=min)
assert same == 1
if cart.rank == 0:
    print("port_halo: the same values")
