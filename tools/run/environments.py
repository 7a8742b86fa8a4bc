"""Private Python environments in .wherry/: programs that PyPI has and the system lacks.

An environment is made in whole or not at all. Its seal is written last; one without a seal, or whose seal tells of other
packages, another Python, another MPI or another place (scripts hold absolute paths), is removed and made anew.
"""
import glob
import json
import os
import shutil
import sys
import zipfile

from . import debian, progress, shell
from .shell import PRIVATE, Failure

NO_PIP = "python3 has neither venv nor pip here: one of them is needed (Debian, as root: apt-get install python3-venv)"
SYSTEM_CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"
CERTIFI = """import os


def where():
    return os.path.join(os.path.dirname(__file__), "cacert.pem")


def contents():
    with open(where(), encoding="ascii", errors="replace") as file:
        return file.read()
"""


def folder(name):
    return os.path.join(PRIVATE, name)


def find(name, packages, made_for=""):
    """The environment's folder, or None when it is not there, not whole, or made for something else."""
    place = folder(name)
    try:
        with open(os.path.join(place, "sealed.json"), encoding="utf-8") as file:
            sealed = json.load(file)
    except (OSError, ValueError):
        return None
    return place if sealed == _seal(place, packages, made_for) else None


def program(name, packages, what):
    """The path of a program of an environment, or None."""
    place = find(name, packages)
    path = os.path.join(place, "bin", what) if place else ""
    return path if os.access(path, os.X_OK) else None


def python(place):
    """The interpreter of an environment."""
    return os.path.join(place, "bin", "python3")


def make(name, packages, made_for="", finish=lambda place: None):
    """The folder of an environment that has the packages, made when missing. A Failure says why it cannot be.
    `made_for`: what else it depends on, such as an MPI. `finish(place)` does what is to be done before it is whole."""
    shell.must_be_writable()
    with shell.locked(os.path.join(PRIVATE, f".{name}.lock"), f"installs {' '.join(packages)}"):
        found = find(name, packages, made_for)
        if found:
            return found
        place = folder(name)
        _remove(place)
        shell.say(f"installing {', '.join(packages)} from PyPI into {shell.short(place)}")
        try:
            _create(place)
            install(place, packages, ", ".join(packages))
            finish(place)
            with open(os.path.join(place, "sealed.json"), "w", encoding="utf-8") as file:
                json.dump(_seal(place, packages, made_for), file)
        except BaseException:
            _remove(place)  # it may be what filled the disk
            raise
    return place


def _remove(place):
    shutil.rmtree(place, ignore_errors=True)
    if os.path.lexists(place):
        raise Failure(f"cannot remove {place}, which is not whole: please do")


def _seal(place, packages, made_for):
    """What a whole environment's seal says."""
    status, version = shell.capture([python(place), "-c", "import sys; print(*sys.version_info[:2])"])
    return {"packages": sorted(packages), "place": os.path.realpath(place), "python": version if status == 0 else None,
            **({"made_for": made_for} if made_for else {})}


def _clean():
    """Our environment without what would lead Python or pip elsewhere."""
    return {name: value for name, value in os.environ.items()
            if name not in ("PYTHONPATH", "PYTHONHOME", "PIP_USER", "PIP_PREFIX", "PIP_TARGET")}


# ------------------------------------------------------------------------------------------------------------ creating

def _create(place):
    """An environment that has pip, with whatever this Python offers."""
    if _venv(place) or (debian.install("python3-venv") and _venv(place)):
        return
    # Debian's python3 makes environments, but puts no pip into them unless python3-venv is there.
    if not (_venv(place, "--without-pip") and (_pip_from_pip(place) or _pip_from_debian(place))):
        raise Failure(NO_PIP)


def _venv(place, *how):
    _remove(place)
    status, text = shell.capture([sys.executable, "-m", "venv", *how, place], timeout=300, env=_clean())
    if status and progress.reason(text):
        raise Failure(f"cannot make {shell.short(place)}: {progress.reason(text)}")
    return status == 0


def _pip_from_pip(place):
    if shell.capture([sys.executable, "-m", "pip", "--version"])[0]:
        return False
    command = [sys.executable, "-m", "pip", "install", "--target", _libraries(place), "pip"]
    _must("pip", command, _clean(), "pip")
    return True


def _pip_from_debian(place):
    """Unpacks Debian's wheel of pip, fetched without root."""
    if not debian.present():
        return False
    store = os.path.join(PRIVATE, "debian")
    if not _pip_wheel(store):
        debian.unpack(["python3-pip-whl", "ca-certificates"], store)
    wheel = _pip_wheel(store)
    if not wheel:
        return False
    with zipfile.ZipFile(wheel) as pip:
        pip.extractall(_libraries(place))
    if not os.path.exists(SYSTEM_CERTIFICATES):
        _bring_certificates(store, os.path.join(_libraries(place), "pip", "_vendor", "certifi"))
    return True


def _bring_certificates(store, certifi):
    """Debian's pip trusts whom the system trusts; a bare one has no list of them. Then pip has its own, as upstream's has."""
    with open(os.path.join(certifi, "cacert.pem"), "w", encoding="utf-8") as bundle:
        for path in sorted(glob.glob(os.path.join(store, "usr", "share", "ca-certificates", "mozilla", "*.crt"))):
            with open(path, encoding="utf-8") as certificate:
                bundle.write(certificate.read() + "\n")
    with open(os.path.join(certifi, "core.py"), "w", encoding="utf-8") as module:
        module.write(CERTIFI)


def _pip_wheel(store):
    found = glob.glob(os.path.join(store, "usr", "share", "python-wheels", "pip-*.whl"))
    return found[0] if found else None


def _libraries(place):
    return glob.glob(os.path.join(place, "lib", "python*", "site-packages"))[0]


def install(place, words, what, variables=None):
    """pip install `words` in an environment that is being made; `what` they are, and variables of the environment for it."""
    command = [python(place), "-m", "pip", "install", "--disable-pip-version-check", *words]
    _must(what, command, dict(_clean(), **(variables or {})), f"pip-{os.path.basename(place)}")


def _must(what, command, env, log):
    status, text = progress.logged("pip install", command, env=env, check=False, name=log)
    if status:
        raise Failure(f"cannot install {what} from PyPI: {progress.reason(text) or progress.last_line(text)} "
                      f"(build/logs/{log}.log)")
