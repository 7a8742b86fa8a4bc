#!/usr/bin/env python3
"""Files that the environment names and that are not what they should be: named_files.py COMMAND...

COMMAND is forked_child on two ranks, without how the child ends. Nobody waits at a pipe or for a lock, what is not ours
is kept, and a child of fork() writes to no trace."""
import collections
import fcntl
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

failures = []


def run(command, how, **environment):
    """What it says, and its status; nothing where it takes too long."""
    try:
        done = subprocess.run([*command, how], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60,
                              errors="replace", env={**os.environ, "WHERRY_TIMEOUT": "2", **environment})
    except subprocess.TimeoutExpired:
        return "it hangs", 1
    return done.stdout, done.returncode


def require(right, what, said):
    if not right:
        failures.append(what)
        print(f"wrong: {what}:\n{said}")


def refuses(command, variable, path, words):
    said, status = run(command, "none", **{variable: str(path)})
    require(status != 0 and words in said, f"{variable}={path.name}", said)


def cannot_trace(command, path, words):
    said, status = run(command, "none", WHERRY_TRACE=str(path))
    require(status == 0 and "rank 1: all is right" in said and words in said, f"WHERRY_TRACE={path.name}", said)


def events_of(path):
    return [(e["pid"], e["name"], e["ts"], e["args"]["number"]) for e in json.loads(path.read_text()) if e["ph"] == "X"]


def main():
    command = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        pipe, precious, link = place / "pipe", place / "precious", place / "link"
        os.mkfifo(pipe)
        precious.write_text("precious\n")
        link.symlink_to(precious)
        for variable in ("WHERRY_COLL_TUNING", "WHERRY_CALIBRATION"):
            refuses(command, variable, pipe, "it is not an ordinary file")
        cannot_trace(command, pipe, "it is not an ordinary file")
        cannot_trace(command, link, "it is a symbolic link, which is not followed")
        cannot_trace(command, precious, "no trace of Wherry's, which is kept")
        require(precious.read_text() == "precious\n", "the file that is not ours", precious.read_text())

        trace = place / "trace"
        said, status = run(command, "exit", WHERRY_TRACE=str(trace))
        events = events_of(trace) if status == 0 else []
        require(events and max(collections.Counter(events).values()) == 1, "each event is there once", said)
        with open(trace, "rb") as locked:
            fcntl.flock(locked, fcntl.LOCK_EX)
            cannot_trace(command, trace, "another process has locked it")
        require(events_of(trace) == events, "the locked trace", said)
        time.sleep(0.05)  # so that the next job begins later than the file was written
        said, status = run(command, "none", WHERRY_TRACE=str(trace))
        require(status == 0 and not set(events_of(trace)) & set(events), "an older trace of ours is replaced", said)
    print("files: wrong" if failures else "files: right")


if __name__ == "__main__":
    sys.exit(main())
