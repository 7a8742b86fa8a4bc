"""The program of ./run bench python, on each rank: the same halo exchange by Wherry from Python and from C++, and by hand."""
import argparse
import json
import sys

import numpy
from mpi4py import MPI

import bench_python
import by_hand
import wherry as wh
from contest import contest
from problem import Problem

CALL, CALL_IN_TURNS = "Python fill()", "Python fill(u)"
CPP, CPP_IN_TURNS = "C++ fill()", "C++ fill(u)"


def numbers(text):
    return [int(word) for word in text.split(",")]


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sizes", type=numbers, required=True)
    parser.add_argument("--widths", type=numbers, required=True)
    parser.add_argument("--fields", type=numbers, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--out", help="where records go, a line of JSON each")
    return parser.parse_args()


def repeated(call):
    def run(times):
        for _ in range(times):
            call()
    return run


def in_turns(call, these, those):
    """Calls with each of two lists of arguments in turns."""
    def run(times):
        for _ in range(times // 2):
            call(*these)
            call(*those)
        if times % 2:
            call(*these)
    return run


def from_python(grid, problem):
    """Wherry's contenders from Python."""
    these, those = ([grid.zeros(halo=problem.width) for _ in range(problem.fields)] for _ in range(2))
    fill, fill_any = grid.halo(*these), grid.halo(*these)
    for name, call, filled in ((CALL, fill, these), (CALL_IN_TURNS, lambda: fill_any(*those), those)):
        arrays = [u.array for u in filled]
        problem.begin(arrays)
        call()
        problem.check(arrays, name)
    return {CALL: repeated(fill), CALL_IN_TURNS: in_turns(fill_any, these, those)}


def from_cpp(problem):
    """Wherry's contenders from C++, in a copy of the library of their own."""
    exchange = bench_python.cpp_exchange(list(problem.cells), problem.width, problem.fields)
    if tuple(exchange.lower()) != problem.lower:
        raise RuntimeError(f"C++ has cells from {exchange.lower()}, Python from {problem.lower}")
    for name, call, which in ((CPP, lambda: exchange.fill(1), 0), (CPP_IN_TURNS, lambda: exchange.fill_in_turns(2), 1)):
        arrays = [exchange.array(which, number) for number in range(problem.fields)]
        problem.begin(arrays)
        call()
        problem.check(arrays, name)
    return {CPP: exchange.fill, CPP_IN_TURNS: exchange.fill_in_turns}


def from_hand(comm, problem):
    result = {}
    for kind in by_hand.ALL:
        arrays = [numpy.zeros(problem.shape) for _ in range(problem.fields)]
        exchange = kind(comm, problem, arrays)
        problem.begin(arrays)
        exchange()
        problem.check(arrays, kind.name)
        result[kind.name] = repeated(exchange)
    return result


def compare(n, width, fields, seconds):
    """The record of one case."""
    ranks = MPI.Compute_dims(MPI.COMM_WORLD.size, 3)
    comm = MPI.COMM_WORLD.Create_cart(ranks, periods=[True] * 3)
    grid = wh.grid([n * count for count in ranks], periodic=True, ranks=ranks)
    problem = Problem(n, width, fields, ranks, grid.box.lower)
    contenders = {**from_python(grid, problem), **from_cpp(problem), **from_hand(comm, problem)}
    samples = contest(comm, contenders, seconds)
    return {"kind": "case", "n": n, "width": width, "fields": fields, "ranks": comm.size, "samples": samples}


def write(record, path):
    """Appends a line to a file; without one it shows who has been timed."""
    if path is None:
        print(f"{record['n']}³, width {record['width']}, {record['fields']} fields: {', '.join(record['samples'])}")
        return
    with open(path, "a", encoding="utf-8") as out:
        out.write(json.dumps(record) + "\n")


def main():
    given = options()
    rank = MPI.COMM_WORLD.rank
    for n in given.sizes:
        for width in given.widths:
            for fields in given.fields:
                record = compare(n, width, fields, given.seconds)
                if rank == 0:
                    write(record, given.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
