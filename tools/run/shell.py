"""Saying what happens, and running short programs. Long ones: progress.py."""
import contextlib
import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(ROOT, "build")
TERMINAL = sys.stdout.isatty()
COLOUR = TERMINAL and "NO_COLOR" not in os.environ


def private_folder(root):
    """Where what ./run installs without root lives: in the checkout, unless that has a space in its path, which the
    wrappers of compilers, and who reads what they say, cannot take."""
    if " " not in root:
        return os.path.join(root, ".wherry")
    caches = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(caches, "wherry-" + hashlib.sha256(root.encode()).hexdigest()[:12])


PRIVATE = private_folder(ROOT)


class Failure(Exception):
    """Ends ./run with a message for the user."""


def say(text):
    mark = "\033[1;34m==>\033[0m" if COLOUR else "==>"
    print(f"{mark} {text}", flush=True)


def warn(text):
    print(f"warning: {text}", file=sys.stderr, flush=True)


def short(path):
    """A path as users know it: from the checkout where it lies in there."""
    return os.path.relpath(path, ROOT) if path.startswith(ROOT + os.sep) else path


def jobs():
    value = os.environ.get("WHERRY_JOBS", "")
    if not value:
        return max(1, os.cpu_count() or 1)
    if not (value.isascii() and value.isdigit() and 0 < int(value) <= 10000):
        raise Failure(f"WHERRY_JOBS is '{value}', expected a number from 1 to 10000: how many compilers run at once")
    return int(value)


def which(*names):
    for name in names:
        found = shutil.which(name)
        if found:
            return found
    return None


def is_root():
    return hasattr(os, "geteuid") and os.geteuid() == 0


def capture(command, timeout=60, env=None):
    """(exit status, output and errors together); status 127 when it cannot be started."""
    try:
        run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                             text=True, errors="replace", timeout=timeout, env=env)
        return run.returncode, run.stdout
    except OSError:
        return 127, ""
    except subprocess.TimeoutExpired:
        return 124, ""


def must_be_writable():
    """Everything that ./run makes is in build/ and .wherry/ of its checkout."""
    for folder in (BUILD, PRIVATE):
        try:
            os.makedirs(folder, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                pass
        except OSError as problem:
            raise Failure(f"cannot write in {folder}: {problem.strerror}.\n"
                          "  What ./run makes is in build/ and .wherry/ of its checkout: copy the checkout to a place of your own")


@contextlib.contextmanager
def locked(path, what):
    """Holds the lock file `path`; says what another ./run is doing while it has it."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            say(f"waiting for another ./run that {what}")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
