"""./run plan: wherry_plan, which needs no mpirun. It is built by itself, without the library, when it is asked for first."""
import argparse
import os
import re
import subprocess

from . import build

MOST = 1 << 20  # ranks, cells of a halo, fields, bytes


def _extents(text):
    if not re.fullmatch(r"[1-9][0-9]{0,8}(x[1-9][0-9]{0,8}){0,3}", text):
        raise argparse.ArgumentTypeError(f"'{text}', expected 1 to 4 numbers: 512x512x512")
    return text


def _number(text):
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= MOST):
        raise argparse.ArgumentTypeError(f"'{text}', expected a number from 1 to {MOST}")
    return text


def _periods(text):
    if not re.fullmatch("[01]{1,4}", text):
        raise argparse.ArgumentTypeError(f"'{text}', expected 0 or 1 a dimension: 101")
    return text


def _writable(text):
    if not os.access(os.path.dirname(os.path.abspath(text)), os.W_OK):
        raise argparse.ArgumentTypeError(f"cannot write '{text}'")
    return text


def parser():
    """The command line of wherry_plan: what is wrong with it is said before anything is built."""
    result = argparse.ArgumentParser(prog="./run plan", allow_abbrev=False,
                                     description="What an exchange will be on a machine that is not here: messages, bytes, the best "
                                                 "process grid, time. No machine is needed, and no mpirun.",
                                     epilog="./run plan halo 512x512x512 --ranks 4096 --node 64")
    result.add_argument("kind", choices=("halo", "boxes"), help="a grid of cells, or boxes with owners")
    result.add_argument("what", metavar="CELLS|FILE.json", help="halo: 512x512x512; boxes: what floor_plan::to_json() gives")
    result.add_argument("--ranks", type=_number, metavar="R", help="how many ranks; halo only")
    result.add_argument("--grid", type=_extents, metavar="EXTENTS", help="the process grid (default: the best ones); halo only")
    result.add_argument("--node", type=_number, metavar="K", help="ranks a node, one after the other (default 1)")
    result.add_argument("--width", type=_number, metavar="W", help="halo cells (default 1)")
    result.add_argument("--fields", type=_number, metavar="F", help="fields (default 1)")
    result.add_argument("--element", type=_number, metavar="B", help="bytes of an element (default 8)")
    result.add_argument("--periodic", type=_periods, metavar="101", help="a digit a dimension: 1 where it wraps (default: all)")
    result.add_argument("--faces", action="store_true", help="neighbours across faces only")
    result.add_argument("--picture", type=_writable, metavar="F.svg", help="draw which boxes are on which node")
    return result


def words_of(arguments):
    """The program's command line. Exits with what is wrong with it."""
    accepts = parser()
    given = accepts.parse_args(arguments)
    if given.kind == "halo":
        _check_halo(accepts, given)
    elif given.ranks or given.grid:
        accepts.error("boxes have owners: --ranks and --grid say nothing")
    elif not os.path.isfile(given.what):
        accepts.error(f"there is no file '{given.what}'")
    words = [given.kind, given.what]
    for name, value in vars(given).items():
        if name not in ("kind", "what") and value:
            words += [f"--{name}"] if value is True else [f"--{name}", value]
    return words


def _check_halo(accepts, given):
    try:
        cells = _extents(given.what).split("x")
    except argparse.ArgumentTypeError as problem:
        accepts.error(f"argument CELLS: {problem}")
    if given.periodic and len(given.periodic) != len(cells):
        accepts.error(f"--periodic has {len(given.periodic)} digits for {len(cells)} dimensions")
    if not given.grid:
        return given.ranks or accepts.error("--ranks is missing")
    grid, ranks = [int(extent) for extent in given.grid.split("x")], 1
    for extent in grid:
        ranks *= extent
    if len(grid) != len(cells) or ranks > MOST or given.ranks and int(given.ranks) != ranks:
        accepts.error(f"--grid {given.grid} is {ranks} ranks in {len(grid)} dimensions, for {given.what} cells"
                      + (f" and --ranks {given.ranks}" if given.ranks else ""))
    return None


def main(arguments):
    words = words_of(arguments)
    _, tree = build.build("auto", "release", targets=["wherry_plan_program"])
    return subprocess.run([build.program(tree, "wherry_plan"), *words], check=False).returncode
