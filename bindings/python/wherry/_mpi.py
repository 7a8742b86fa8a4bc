"""MPI: who starts it, which communicators there are, and what becomes of a job when one rank fails."""
import atexit
import os
import sys

from . import _choice


def _start():
    """mpi4py starts MPI if it is there; else the library does, and ends it. An mpi4py that finds no MPI says so itself."""
    try:
        from mpi4py import MPI
    except ModuleNotFoundError:
        MPI = None
    core = _choice.load_core(MPI)
    if MPI is None:
        core.start_mpi()
        atexit.register(core.end_mpi)
    return MPI


MPI = _start()
from . import _core  # noqa: E402
from ._errors import refuse  # noqa: E402

os.register_at_fork(after_in_child=_core.now_in_child)


def communicator(comm=None):
    """The library's object for a communicator.

    comm    a communicator of mpi4py, or None for COMM_WORLD. It may be such an object already.

    The first call for a communicator is collective over it; later ones only look it up.
    """
    if isinstance(comm, _core.Communicator):
        return comm
    if comm is None:
        return _core.Communicator()
    if MPI is not None and isinstance(comm, MPI.Comm):
        return _core.Communicator(comm.py2f())
    return refuse("communicator", f"'comm' is a {type(comm).__name__}, expected a communicator of mpi4py or None")


_former_hook = sys.excepthook


def _end_job(kind, value, traceback):
    """Prints the exception and ends all ranks, which would otherwise wait for this one."""
    _former_hook(kind, value, traceback)
    if _aborts and not hasattr(sys, "ps1") and not issubclass(kind, KeyboardInterrupt):
        sys.stdout.flush()
        sys.stderr.flush()
        _core.abort_job(1)


_aborts = True
sys.excepthook = _end_job


def abort_on_error(wanted):
    """Whether an exception that nobody catches on one rank ends the job, as `python -m mpi4py` does. It is so at first."""
    global _aborts
    _aborts = bool(wanted)
