#!/usr/bin/env python3
"""Runs one rank under MPICH's mpiexec so that its death is nobody's business: outlive.py program [arguments].

Hydra ends all ranks when the connection to one of them closes before MPI_Finalize, -disable-auto-cleanup or not (4.0.2:
whether it does depends on what it reads first). This process holds the connection until the other ranks have ended, too.
"""
import os
import sys
import time


def parents():
    """Of each process that lives: its parent."""
    found = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as stat:
                state, parent = stat.read().rpartition(")")[2].split()[:2]
        except (OSError, ValueError):
            continue  # no process, or gone
        if state not in "ZX":
            found[int(name)] = int(parent)
    return found


def others_are_at_work():
    """Has any process like this one still a child?"""
    all_parents = parents()
    siblings = {process for process, parent in all_parents.items() if parent == os.getppid()}
    return any(parent in siblings for parent in all_parents.values())


def main(program):
    child = os.fork()
    if child == 0:
        os.execvp(program[0], program)
    _, status = os.waitpid(child, 0)
    time.sleep(0.5)  # until all have begun
    while others_are_at_work():
        time.sleep(0.1)
    return -os.WTERMSIG(status) & 0xFF if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
