"""Running long programs: how far they are, what stops them, and nothing left behind when the user stops them."""
import contextlib
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

from . import shell
from .shell import BUILD, ROOT, Failure

EVERY = 0.5 if shell.TERMINAL else 10.0  # seconds between two lines of progress
STEP = re.compile(r"^\[(\d+)/(\d+)\] (.*)")
OBJECT = re.compile(r"^Building (?:C|CXX) object (.*?)(?:CMakeFiles/[^/]+\.dir/)(.*)\.o$")

ENOUGH = 4 << 20  # bytes: with less on a disk, a program that failed for no reason it tells of has failed for this one

# What a log says when something outside of the program is wrong, and what we say then.
FULL = ("No space left on device", "Disk quota exceeded", "not enough free space")
OFFLINE = ("Temporary failure in name resolution", "Temporary failure resolving", "Network is unreachable",
           "Failed to establish a new connection", "Could not resolve", "Connection refused", "Connection timed out",
           "Could not connect", "Name or service not known", "ProxyError", "Unable to connect")


def _free():
    """{place: free bytes}, of where we write: in the checkout, and where compilers and pip keep what they are at."""
    places = [place for place in (tempfile.gettempdir(), ROOT, shell.PRIVATE, BUILD) if os.path.exists(place)]
    different = {os.stat(place).st_dev: place for place in places}
    return {place: shutil.disk_usage(place).free for place in different.values()}


def full_disk():
    return ", ".join(f"{free / 2**20:.0f} MiB free in {place}" for place, free in _free().items())


def reason(text):
    """Why a program failed, in a few words, or None: of the causes that users can do something about."""
    if any(sign in text for sign in FULL) or min(_free().values()) < ENOUGH:
        return "the disk is full: " + full_disk()
    if "CERTIFICATE_VERIFY_FAILED" in text:
        return "nobody vouches for its certificate here (behind a proxy of one's own PIP_CERT names the file that does)"
    if any(sign in text for sign in OFFLINE):
        return "no connection to where it is fetched from"
    return None


def last_line(text):
    return next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "it does not say why")


# ------------------------------------------------------------------------------------------------------------- the line

class Line:
    """One line that says how far something is: rewritten on a terminal, a new one now and then elsewhere."""

    def __init__(self, what):
        self.what, self.at, self.count = what, "", ""
        self._began = self._last = time.time()
        self._width = 0

    def text(self):
        where = ", ".join(part for part in (self.count, self.at) if part)
        return f"    {self.what}: {where + ', ' if where else ''}{time.time() - self._began:.0f} s"

    def step(self, line):
        """Takes a line of the program's output in."""
        found = STEP.match(line.strip())  # pip shifts what others say
        if found:
            self.count, self.at = f"{found[1]} of {found[2]}", task(found[3])
        elif line.strip():
            self.at = line.strip()[:60]

    def show(self):
        self._last = time.time()
        if not shell.TERMINAL:
            print(self.text(), flush=True)
            return
        text = self.text()[:max(20, shutil.get_terminal_size().columns - 1)]
        print("\r" + text.ljust(self._width), end="", flush=True)
        self._width = len(text)

    def clear(self):
        """Makes room for a line of others."""
        if self._width:
            print("\r" + " " * self._width + "\r", end="", flush=True)
        self._width = 0
        self._last = time.time()

    def due(self):
        return time.time() - self._last >= EVERY


def task(text):
    """A step of ninja, without what only CMake wants to know: src/core/error.cpp."""
    found = OBJECT.match(text)
    return found[1] + found[2] if found else text


# ------------------------------------------------------------------------------------------------------------- running

def run(command, env=None, cwd=ROOT, timeout=None):
    """Runs in the open: the user sees the command's output. Gives its exit status, 124 when `timeout` seconds were over."""
    sys.stdout.flush()
    child = _start(command, env=env, cwd=cwd)
    with _ended(child):
        try:
            return child.wait(timeout)
        except subprocess.TimeoutExpired:
            return 124


def watch(command, line, take, env=None, cwd=ROOT):
    """Runs with every line of the output going to `take`, and `line` shown while it runs. Gives the exit status."""
    child = _start(command, env=env, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                   errors="replace", encoding="utf-8")
    over = threading.Event()
    lock = threading.Lock()

    def tick():
        while not over.wait(EVERY / 5):
            with lock:
                if line.due():
                    line.show()

    ticker = threading.Thread(target=tick, daemon=True)
    ticker.start()
    try:
        with _ended(child):
            for text in child.stdout:
                with lock:
                    take(text)
            return child.wait()
    finally:
        over.set()
        ticker.join()
        line.clear()


def logged(what, command, env=None, cwd=ROOT, check=True, name=None):
    """Runs with the output kept in build/logs; shows how far it is, and what is wrong when it fails. (status, output)."""
    log = os.path.join(BUILD, "logs", (name or what.split()[0]).replace("/", "_").lower() + ".log")
    os.makedirs(os.path.dirname(log), exist_ok=True)
    line = Line(what)
    kept = []

    with open(log, "w", encoding="utf-8", errors="replace", buffering=1) as out:
        def take(text):
            kept.append(text)
            line.step(text)
            out.write(text)

        out.write(shlex.join(command) + "\n")
        status = watch(command, line, take, env=env, cwd=cwd)
    text = "".join(kept)
    if status and check:
        print("\n".join(worst(text.splitlines())))
        because = reason(text)
        raise Failure(f"{what} failed" + (f": {because}" if because else f" with status {status}")
                      + f"; all of it is in {shell.short(log)}")
    return status, text


def worst(lines):
    """What to show of a log: from the first error on, or the end."""
    first = next((i for i, line in enumerate(lines) if line.startswith("FAILED:") or " error: " in line
                  or "CMake Error" in line), max(0, len(lines) - 60))
    return lines[first:][:150]


def _start(command, **how):
    # A group of its own: the terminal's Ctrl-C goes to ./run alone, which tells the whole group once.
    try:
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True, **how)
    except FileNotFoundError:
        raise Failure(f"cannot find the program {command[0]}")
    except PermissionError:
        raise Failure(f"may not start the program {command[0]}")


class _ended:
    """When the block is left before its child has ended, so are the child and all that it has started."""

    def __init__(self, child):
        self._child = child

    def __enter__(self):
        return self

    def __exit__(self, problem, *_):
        early = problem is not None or self._child.poll() is None
        for way, patience in ((signal.SIGINT, 5), (signal.SIGTERM, 3), (signal.SIGKILL, 3)) if early else ():
            with contextlib.suppress(OSError, KeyboardInterrupt):  # a second Ctrl-C: no more patience
                os.killpg(self._child.pid, way)
                self._wait(patience)
        if self._child.stdout:
            self._child.stdout.close()

    def _wait(self, patience):
        """Until nobody of the group is left: then killpg finds no process."""
        end = time.time() + patience
        while time.time() < end:
            self._child.poll()
            os.killpg(self._child.pid, 0)
            time.sleep(0.02)
