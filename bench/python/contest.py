"""Times contenders in turns, in a new order in each round, so that what disturbs the machine disturbs all."""
import random
import time

import numpy
from mpi4py import MPI


def timed(comm, run, times):
    """Seconds of so many calls on this rank, which begins together with the others."""
    comm.Barrier()
    began = time.perf_counter()
    run(times)
    return time.perf_counter() - began


def calls_in(comm, run, seconds):
    """How many calls take about so long, the same on all ranks. The least of three runs counts: a disturbance only lengthens one."""
    times = 1
    while True:
        took = comm.allreduce(min(timed(comm, run, times) for _ in range(3)), MPI.MAX)
        if took >= seconds / 4 or times >= 100000:
            return max(1, int(times * seconds / took))
        times *= 4


def contest(comm, contenders, seconds, fewest=15, a_sample=0.002):
    """{name: run}, where run(times) does its work so many times; gives {name: microseconds of a call on the slowest rank, a round each}."""
    names = list(contenders)
    times = {name: calls_in(comm, contenders[name], a_sample) for name in names}
    samples = {name: [] for name in names}
    order, elapsed = random.Random(1), 0.0
    while elapsed < seconds or len(samples[names[0]]) < fewest:
        mine = numpy.zeros(len(names))
        for number in order.sample(range(len(names)), len(names)):
            mine[number] = timed(comm, contenders[names[number]], times[names[number]])
        slowest = numpy.empty_like(mine)
        comm.Allreduce(mine, slowest, MPI.MAX)
        elapsed += slowest.sum()
        for number, name in enumerate(names):
            samples[name].append(1e6 * slowest[number] / times[name])
    return samples
