"""Libraries that single targets use. Without them CMake leaves the target, or a part of it, out, and says so."""
import os
import tempfile

from . import debian, shell

FFTW = ("fftw3.h", ("libfftw3-dev",))
OPENBLAS = ("openblas_config.h", ("libopenblas-dev",))
BOOST = ("boost/archive/binary_oarchive.hpp", ("libboost1.81-dev", "libboost-serialization1.81-dev"))
BOOST_MPI = ("boost/mpi.hpp", ("libboost1.81-dev", "libboost-mpi1.81-dev"))
CEREAL = ("cereal/cereal.hpp", ("libcereal-dev",))
EIGEN = ("eigen3/Eigen/Core", ("libeigen3-dev",))
COARRAYS = ("libcaf.h", ("libcoarrays-openmpi-dev", "gfortran"))

# Target: (header, Debian's packages) ...
OF = {"nas_ft": [FFTW], "summa": [OPENBLAS], "bench_blocks_programs": [FFTW, OPENBLAS], "bench_collective_programs": [FFTW, OPENBLAS],
      "bench_deep": [BOOST_MPI, BOOST, CEREAL], "sample_sort": [BOOST_MPI], "coarrays": [COARRAYS], "unit_deep": [EIGEN]}
APPLICATIONS = ("nas_ft", "summa")


def of_everything(mpi_tag):
    """What a build of everything wants, with this MPI."""
    return APPLICATIONS + ("unit_deep",) + (("coarrays",) if mpi_tag.startswith("openmpi") else ())


def named(text):
    """The applications that a test's name, or a part of one, may mean."""
    return [name for name in APPLICATIONS if text in name or name in text]


def install(targets):
    """What these targets use, installed where we may."""
    wanted = dict(need for target in targets for need in OF.get(target, []))
    here = _present(wanted)
    for header, packages in wanted.items():
        if header not in here and not debian.install(*packages):
            users = ", ".join(target for target in targets if (header, packages) in OF.get(target, []))
            shell.say(f"without {header} (Debian: apt-get install {' '.join(packages)}) this is left out, or in part: {users}")


def present():
    """The headers, of all that any target uses, that the compiler finds."""
    return _present({header for needs in OF.values() for header, _ in needs})


def _present(headers):
    """Those that the compiler finds."""
    if not headers:
        return set()
    with tempfile.NamedTemporaryFile("w", suffix=".cpp") as source:
        for header in headers:
            source.write(f"#if __has_include(<{header}>)\nfound {header}\n#endif\n")
        source.flush()
        _, text = shell.capture([os.environ.get("CXX") or "c++", "-E", "-P", source.name])
    return {line[len("found "):] for line in text.splitlines() if line.startswith("found ")}
