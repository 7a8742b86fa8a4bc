"""Which core is taken for which MPI, and what is said of one that does not fit. (./run wheel --test runs the cores themselves.)"""
import contextlib
import os
import tempfile

import wherry
from wherry import _choice, _core


class _AnotherMPI:
    """What mpi4py would be with another library than the core's."""

    def __init__(self, version, begun=True):
        self._version, self._begun = version, begun

    def Get_library_version(self):
        return self._version

    def Is_initialized(self):
        return self._begun


@contextlib.contextmanager
def _refused(*words):
    try:
        yield
    except ImportError as problem:
        for word in words:
            assert word in str(problem), f"no '{word}' in: {problem}"
        return
    raise AssertionError("nothing was raised")


@contextlib.contextmanager
def _replaced(**values):
    """Names of the module have other values in the block."""
    former = {name: getattr(_choice, name) for name in values}
    try:
        vars(_choice).update(values)
        yield
    finally:
        vars(_choice).update(former)


@contextlib.contextmanager
def _wheel_of(*families):
    """The package has cores for these families, as a wheel has."""
    path = list(wherry.__path__)
    with tempfile.TemporaryDirectory() as place:
        for family in families:
            os.mkdir(os.path.join(place, family))
        try:
            with _replaced(CORES=place):
                yield place
        finally:
            wherry.__path__[:] = path


def test_family():
    for version, family in (("Open MPI v5.0.11, package: Open MPI user@localhost", "openmpi"), ("MPICH Version:      5.0.2\nMPICH", "mpich"),
                            ("Intel(R) MPI Library 2021.10 for Linux* OS", "mpich"), ("MVAPICH2 Version      :\t2.3", "mpich"),
                            ("MPI VERSION    : CRAY MPICH version 8.1.25.17 (ANL base 3.4a2)\nMPI BUILD INFO : Tue Feb 28", "mpich"), ("MPT 2.28", "")):
        assert _choice._family_of(version) == family, version


def test_core_of_the_family_is_taken():
    with _wheel_of("mpich", "openmpi") as place:
        _choice._choose("openmpi", "Open MPI v4.1.4")
        assert wherry.__path__[-1] == os.path.join(place, "openmpi")


def test_family_without_core_is_refused():
    with _wheel_of("mpich", "openmpi"), _refused("mpich and openmpi", "MPT 2.28"):
        _choice.load_core(_AnotherMPI("MPT 2.28\nmore"))


def test_another_family_is_refused():
    with _refused("built for openmpi-4", "loaded MPICH Version: 4.1"):
        _choice._refuse_another_family("openmpi-4", "MPICH Version: 4.1\nmore")
    _choice._refuse_another_family("openmpi-4", "Open MPI v5.0.11")
    _choice._refuse_another_family("other", "MPT 2.28")


def test_another_library_is_refused():
    ours = _core.library_version()
    _choice._refuse_another_library(_core, _AnotherMPI(ours + "\0"))
    with _refused("wherry has loaded " + ours.partition("\n")[0], "another library, Open MPI v1.0"):
        _choice._refuse_another_library(_core, _AnotherMPI("Open MPI v1.0"))
    with _refused("another library"):  # of the same version, in which nobody has started MPI
        _choice._refuse_another_library(_core, _AnotherMPI(ours, begun=False))


def test_no_mpi_is_an_error_that_says_where_it_was_looked_for():
    with _replaced(SONAMES={"openmpi": "libnone.so.40", "mpich": "libnone.so.12"}, LAUNCHERS={}):
        with _refused("libnone.so.40", "libnone.so.12", "lib/libnone.so.40", "mpi4py"):
            _choice._load_mpi()


def test_launcher_decides():
    with _replaced(SONAMES={"openmpi": "libnone.so.40", "mpich": "libnone.so.12"}, LAUNCHERS={"mpich": "PATH"}):
        with _refused("libnone.so.12"):
            try:
                _choice._load_mpi()
            except ImportError as problem:
                assert "libnone.so.40" not in str(problem), problem
                raise
