#!/usr/bin/env python3
"""Runs a command under a limit of the operating system; exit status 77 and the reason where that cannot be set.

limited.py [--file-size BYTES] [--address-space BYTES] [--group-memory BYTES] [--shm BYTES]
           [--shm-without-proc BYTES] -- COMMAND...
"""
import argparse
import os
import resource
import subprocess
import sys

SKIPPED = 77


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def control_group(name):
    """A new control group's folder, and the file of it that limits memory."""
    for root, limit in (("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), ("/sys/fs/cgroup", "memory.max")):
        folder = os.path.join(root, name)
        try:
            os.mkdir(folder)
        except OSError:
            continue
        if os.path.exists(os.path.join(folder, limit)):
            return folder, os.path.join(folder, limit)
        os.rmdir(folder)
    skip("no control group can be made here")


def write(path, content):
    with open(path, "w", encoding="ascii") as file:
        file.write(str(content))


def run_in_group(command, most):
    folder, limit = control_group(f"wherry-test-{os.getpid()}")
    try:
        write(limit, most)
        return subprocess.run(command, check=False, preexec_fn=lambda: write(
            os.path.join(folder, "cgroup.procs"), os.getpid())).returncode
    finally:
        os.rmdir(folder)


def with_small_shm(command, most, hide_proc):
    """Without the files of other processes in /proc arenas have names in /dev/shm."""
    mount = f"mount -t tmpfs -o size={most} tmpfs /dev/shm" + (" && mount -t tmpfs tmpfs /proc" if hide_proc else "")
    if subprocess.run(["unshare", "-m", "sh", "-c", mount], stderr=subprocess.DEVNULL, check=False).returncode != 0:
        skip("no file system can be mounted here")
    return ["unshare", "-m", "sh", "-c", mount + ' && exec "$@"', "sh", *command]


def main():
    parser = argparse.ArgumentParser()
    for name in ("--file-size", "--address-space", "--group-memory", "--shm", "--shm-without-proc"):
        parser.add_argument(name, type=int)
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    command = options.command[1:]
    for which, most in ((resource.RLIMIT_FSIZE, options.file_size), (resource.RLIMIT_AS, options.address_space)):
        if most is not None:
            resource.setrlimit(which, (most, resource.getrlimit(which)[1]))
    for most, hide_proc in ((options.shm, False), (options.shm_without_proc, True)):
        if most is not None:
            command = with_small_shm(command, most, hide_proc)
    if options.group_memory is not None:
        return run_in_group(command, options.group_memory)
    return subprocess.run(command, check=False).returncode


sys.exit(main())
