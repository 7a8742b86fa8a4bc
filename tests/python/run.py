"""Runs the functions test_* of the modules beside it on all ranks: python3 tools/launch ... -n 3 python tests/python/run.py [PART_OF_NAME]

The modules are written so that `mpirun -n 3 python -m pytest tests/python` runs them, too.
"""
import doctest
import glob
import importlib
import os
import sys
import time
import traceback

from mpi4py import MPI

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))


def tests():
    for path in sorted(glob.glob(os.path.join(os.path.dirname(os.path.abspath(__file__)), "test_*.py"))):
        module = importlib.import_module(os.path.basename(path)[:-3])
        for name, function in vars(module).items():
            if name.startswith("test_") and callable(function):
                yield f"{module.__name__}.{name}", function


def doctests():
    """The examples in the texts of the package; they are written for one rank."""
    import wherry
    for name in ("_box", "_grid", "_index", "_sparse", "_redistribute", "_particle_arrays", "_particles", "_collective"):
        module = importlib.import_module("wherry." + name)

        def run(module=module):
            failures = doctest.testmod(module)
            assert failures.attempted > 0 and failures.failed == 0, failures
        yield "doctest." + name, run


def main():
    comm = MPI.COMM_WORLD
    wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    failed = ran = 0
    for name, test in [*tests(), *(doctests() if comm.size == 1 else ())]:
        if wanted not in name:
            continue
        begin = time.perf_counter()
        text = ""
        try:
            test()
        except Exception:
            text = traceback.format_exc()
        texts = comm.allgather(text)
        ran += 1
        failed += any(texts)
        if comm.rank == 0:
            print(f"{'FAILED' if any(texts) else 'passed'} {name} ({time.perf_counter() - begin:.2f} s)", flush=True)
            for rank, one in enumerate(texts):
                if one:
                    print(f"[rank {rank} of {comm.size}] {one}", flush=True)
    if comm.rank == 0:
        print(f"{ran - failed} passed, {failed} failed on {comm.size} ranks", flush=True)
    return 1 if failed or not ran else 0


if __name__ == "__main__":
    sys.exit(main())
