"""Saying what happens, and running programs."""
import os
import shlex
import shutil
import subprocess
import sys
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PRIVATE = os.path.join(ROOT, ".wherry")  # what ./run installs without root lives here
COLOUR = sys.stdout.isatty() and "NO_COLOR" not in os.environ


class Failure(Exception):
    """Ends ./run with a message for the user."""


def say(text):
    mark = "\033[1;34m==>\033[0m" if COLOUR else "==>"
    print(f"{mark} {text}", flush=True)


def warn(text):
    print(f"warning: {text}", file=sys.stderr, flush=True)


def jobs():
    value = os.environ.get("WHERRY_JOBS", "")
    return int(value) if value.isdigit() and int(value) else max(1, os.cpu_count() or 1)


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
    except FileNotFoundError:
        return 127, ""
    except subprocess.TimeoutExpired:
        return 124, ""


def run(command, env=None, cwd=ROOT, check=True):
    """Runs in the open: the user sees the command's output."""
    sys.stdout.flush()
    try:
        status = subprocess.run(command, env=env, cwd=cwd, stdin=subprocess.DEVNULL).returncode
    except FileNotFoundError:
        raise Failure(f"cannot find the program {command[0]}")
    if check and status:
        raise Failure(f"this failed with status {status}: {shlex.join(command)}")
    return status


def quiet(what, command, env=None, cwd=ROOT, log=None, check=True):
    """Runs with the output kept in a log; shows a clock, and the log's end when it fails."""
    folder = os.path.join(ROOT, "build", "logs")
    os.makedirs(folder, exist_ok=True)
    log = log or os.path.join(folder, what.split()[0].replace("/", "_").lower() + ".log")
    began = time.time()
    done = threading.Event()

    def clock():
        while not done.wait(1 if COLOUR else 60):
            seconds = int(time.time() - began)
            end = "\r" if COLOUR else "\n"
            print(f"    {what}: {seconds} s ...", end=end, flush=True)

    ticker = threading.Thread(target=clock, daemon=True)
    ticker.start()
    try:
        with open(log, "w", encoding="utf-8", errors="replace") as out:
            out.write(shlex.join(command) + "\n")
            out.flush()
            status = subprocess.run(command, stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                    env=env, cwd=cwd).returncode
    except FileNotFoundError:
        raise Failure(f"cannot find the program {command[0]}")
    finally:
        done.set()
        ticker.join()
    if status and check:
        with open(log, encoding="utf-8", errors="replace") as text:
            lines = text.read().splitlines()
        first = next((i for i, line in enumerate(lines) if line.startswith("FAILED:") or " error: " in line
                      or "CMake Error" in line), len(lines))
        print("\n".join(lines[max(0, min(first, len(lines) - 60)):][:150]))
        raise Failure(f"{what} failed with status {status}; all of it is in {os.path.relpath(log, ROOT)}")
    return status


_apt_updated = False


def apt_install(*packages):
    """Installs Debian packages when we may. True when it worked."""
    global _apt_updated
    if not (is_root() and which("apt-get")):
        return False
    environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    if not _apt_updated:
        quiet("apt-get update", ["apt-get", "update", "-q"], env=environment, check=False)
        _apt_updated = True
    say("installing with apt: " + " ".join(packages))
    command = ["apt-get", "install", "-q", "-y", "--no-install-recommends", *packages]
    return quiet("apt-get install", command, env=environment, check=False) == 0
