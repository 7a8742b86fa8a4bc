#!/usr/bin/env python3
"""Kills a program that writes a file again and again, at moments of chance: the file there is always one that was finished.

kill_writer.py --rounds N --seed S --launch LAUNCHER... -- PROGRAM
"""
import argparse
import os
import queue
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

PATIENCE = 120  # seconds for any one step


def lines_of(run):
    """The program's lines, as they come; None at its end."""
    lines = queue.Queue()

    def follow():
        for line in run.stdout:
            lines.put(line)
        lines.put(None)

    threading.Thread(target=follow, daemon=True).start()
    return lines


def kill_a_writer(launch, program, path, ranks, chance):
    """Returns the last generation that it said was written, and what was killed."""
    run = subprocess.Popen([*launch, "-n", str(ranks), program, "write", path], stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL, text=True)
    lines, pids, written, enough = lines_of(run), [], 0, chance.randint(1, 4)
    while written < enough or len(pids) < ranks:
        line = lines.get(timeout=PATIENCE)
        if line is None:
            raise SystemExit(f"the writer ended by itself, status {run.wait()}")
        pids += [int(pid) for pid in re.findall(r"pid (\d+)", line)]
        written = max([written] + [int(g) for g in re.findall(r"wrote (\d+)", line)])
    time.sleep(chance.random() * 0.1)
    victims = pids if chance.random() < 0.5 else [chance.choice(pids)]
    for pid in victims:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:  # the launcher was quicker, after the first
            pass
    run.wait(timeout=PATIENCE)
    while (line := lines.get(timeout=PATIENCE)) is not None:
        written = max([written] + [int(g) for g in re.findall(r"wrote (\d+)", line)])
    return written, len(victims)


def main():
    words = sys.argv[1:]
    program = words[words.index("--") + 1]
    launch = words[words.index("--launch") + 1:words.index("--")]
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(words[:words.index("--launch")])
    chance = random.Random(options.seed)
    left_over = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "state")
        for number in range(options.rounds):
            ranks = chance.choice([1, 2, 3])
            written, killed = kill_a_writer(launch, program, path, ranks, chance)
            left_over += os.path.exists(path + ".part")
            reader = subprocess.run([*launch, "-n", str(chance.choice([1, 2])), program, "read", path],
                                    capture_output=True, text=True, timeout=PATIENCE, check=False)
            found = re.search(r"read (\d+), 0 \w+ wrong", reader.stdout)
            # One that was put in place just before the kill may not have been spoken of.
            if reader.returncode != 0 or not found or not written <= int(found.group(1)) <= written + 1:
                print(f"round {number}, seed {options.seed}: {ranks} ranks had written {written}, {killed} were killed; "
                      f"the reader says\n{reader.stdout}{reader.stderr}")
                return 1
    print(f"{options.rounds} writers killed, {left_over} of them while a file was under way; every file was whole")
    return 0


if __name__ == "__main__":
    sys.exit(main())
