"""Whole programs without and with libwherry_collective_preload.so, in turns."""
import os
import re
import shlex
import statistics
import subprocess

from . import driver

STANDING = re.compile(r"^MPI by hand +([\d.]+)(?: +([\d.]+)%)?", re.MULTILINE)  # as bench::print_standings writes it


class Program:
    """What is started, where its time stands in what it prints, and what it must print to be right."""

    def __init__(self, name, case, words, time, right, same=None):
        self.name, self.case, self.words, self.time, self.right, self.same = name, case, words, time, right, same


def of_standings(text):
    """Milliseconds, and the share of waiting, of the hand-written version."""
    found = STANDING.search(text)
    return float(found.group(1)), float(found.group(2) or 0) / 100


def of_solves(text):
    return float(re.search(r"([\d.]+) ms a solve", text).group(1)), float(
        re.search(r"collectives: (\d+) %", text).group(1)) / 100


def programs(given):
    seconds = "0.3" if given.quick else "1"
    return [
        Program("conjugate_gradient", "conjugate_gradient 64²", ["--seconds", seconds, "--solves", "3"], of_solves,
                ": verified", r"largest error (\S+?):"),
        Program("nas_ft", f"nas_ft {given.size}", ["--class", given.size, "--rounds", "5"], of_standings,
                "MPI by hand: checksums of all runs within", r"checksum .*"),
        Program("summa", "summa 1024²", ["--n", "1024", "--panel", "64", "--seconds", seconds], of_standings,
                "all products are right"),
    ]


def library():
    path = os.path.join(os.environ["WHERRY_BUILD"], "compat", "preload", "libwherry_collective_preload.so")
    if not os.path.exists(path):
        raise driver.Failure(f"there is no {path}")
    return path


def once(program, ranks, preload):
    """What it printed. The launcher is not preloaded, the ranks are."""
    before = ["env", "LD_PRELOAD=" + library(), "WHERRY_PRELOAD_REPORT=0"] if preload else []
    line = [*shlex.split(os.environ["WHERRY_LAUNCH"]), "-n", str(ranks), *before, driver.program(program.name),
            *program.words]
    try:
        done = subprocess.run(line, env=driver.environment(ranks), timeout=900, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, text=True)
    except subprocess.TimeoutExpired:
        raise driver.Failure(f"{program.name} did not end within 900 s: {shlex.join(line)}")
    if done.returncode or program.right not in done.stdout:
        raise driver.Failure(f"{program.name} failed with status {done.returncode}: {shlex.join(line)}\n{done.stdout}")
    return done.stdout


def agree(program, without, preloaded):
    """Whether both found the same, to the digits that are printed but the last: sums may be rounded otherwise."""
    if program.same is None:
        return True
    numbers = [[float(word) for match in re.findall(program.same, text) for word in re.findall(r"[-+\d.e]*\d[-+\d.e]*", match)]
               for text in (without, preloaded)]
    return len(numbers[0]) == len(numbers[1]) > 0 and all(
        abs(a - b) <= 1e-5 * max(abs(a), abs(b)) for a, b in zip(*numbers))


def compare(program, ranks, repeats):
    """A record of both; nothing where the program's libraries are missing here."""
    from run import build

    if build.program(os.environ["WHERRY_BUILD"], program.name, must=False) is None:
        print(f"  {program.name} is left out: the libraries it needs are missing")
        return None
    times = {False: [], True: []}
    for repeat in range(repeats):
        texts = {preload: once(program, ranks, preload) for preload in ((False, True) if repeat % 2 == 0 else (True, False))}
        if not agree(program, texts[False], texts[True]):
            raise driver.Failure(f"{program.name} finds something else under the preload:\n{texts[False]}\n{texts[True]}")
        for preload, text in texts.items():
            times[preload].append(program.time(text))
    ours, peer = ([one[0] for one in times[preload]] for preload in (True, False))
    ratios = [a / b for a, b in zip(ours, peer)]
    spread = (max(ratios) - min(ratios)) / statistics.median(ratios)
    return {"bench": "collective programs", "case": program.case, "ranks": ranks, "ours": "preload",
            "ours_ms": statistics.median(ours), "peer": "MPI", "peer_ms": statistics.median(peer),
            "ratio": round(statistics.median(ratios), 4), "spread": round(spread, 4), "steady": spread < 0.3,
            "ours_waiting": statistics.median(one[1] for one in times[True]),
            "peer_waiting": statistics.median(one[1] for one in times[False]), "runs": repeats, "same_result": True}
