#!/usr/bin/env python3
"""Draws what WHERRY_TRACE has written, a row for each thread of each rank, as PNG; `./run plot` finds a Python with matplotlib.

Spans that lie in others are drawn lower. --from and --for choose the time, in milliseconds from the first event.
chrome://tracing and https://ui.perfetto.dev show the same file, to be walked about in.
"""
import argparse
import json
import os
import sys

COLOURS = {"start": "#4c8bd6", "send": "#16497f", "copy": "#8a63c9", "progress": "#9aa5b1", "wait": "#e2a03f", "receive": "#3a9a5b",
           "run": "#b5563c", "begin": "#6fb0c9"}


class Unfit(Exception):
    """The file is no trace that can be drawn."""


def load(path):
    """Its spans, by time."""
    try:
        with open(path, encoding="utf-8") as file:
            trace = json.load(file)
    except (OSError, ValueError) as problem:
        raise Unfit(f"{path}: {problem}") from problem
    if not isinstance(trace, list):
        raise Unfit(f"{path} is no trace: a list of events was expected")
    spans = [e for e in trace if isinstance(e, dict) and e.get("ph") == "X"]
    if not spans:
        raise Unfit(f"{path} has no events")
    return sorted(spans, key=lambda e: (e["ts"], -e["dur"]))


def chosen(spans, begin, length):
    """Those that meet the time asked for (ms); times become milliseconds from the first."""
    first = spans[0]["ts"]
    end = float("inf") if length is None else begin + length
    result = [dict(e, ts=(e["ts"] - first) / 1000, dur=e["dur"] / 1000) for e in spans]
    result = [e for e in result if e["ts"] + e["dur"] >= begin and e["ts"] <= end]
    if not result:
        raise Unfit("no event lies in this time")
    return result, begin, min(end, max(e["ts"] + e["dur"] for e in result))


def depths(spans):
    """(span, how many others of its row it lies in)."""
    open_until = []
    for span in spans:
        while open_until and open_until[-1] <= span["ts"]:
            open_until.pop()
        yield span, len(open_until)
        open_until.append(span["ts"] + span["dur"])


def draw(spans, begin, end, pyplot):
    rows = sorted({(e["pid"], e["tid"]) for e in spans})
    figure, axes = pyplot.subplots(figsize=(11, 0.8 + 0.75 * len(rows)), layout="constrained")
    for place, row in enumerate(rows):
        for span, depth in depths([e for e in spans if (e["pid"], e["tid"]) == row]):
            left, right = max(span["ts"], begin), min(span["ts"] + span["dur"], end)
            depth = min(depth, 2)
            height = 0.26
            axes.barh(place - 0.3 + 0.28 * depth, right - left, left=left, height=height, color=COLOURS.get(span["name"], "#c0c0c0"),
                      linewidth=0, align="edge")
            if right - left > 0.06 * (end - begin):
                label = span["cat"] if depth == 0 else span["name"]
                axes.text(left, place - 0.3 + 0.28 * depth + height / 2, f" {label}", va="center", fontsize=7, color="white", clip_on=True)
    axes.set_yticks(range(len(rows)), [f"rank {rank}" + (f", thread {thread}" if thread else "") for rank, thread in rows])
    axes.set_ylim(len(rows) - 0.4, -0.4)
    axes.set_xlim(begin, end)
    axes.set_xlabel("ms")
    names = [name for name in COLOURS if any(e["name"] == name for e in spans)]
    axes.legend([pyplot.Rectangle((0, 0), 1, 1, color=COLOURS[name]) for name in names], names, ncols=len(names), fontsize=8,
                loc="upper center", bbox_to_anchor=(0.5, 1.0 + 0.35 / (0.75 * len(rows))), frameon=False)
    return figure


def main():
    parser = argparse.ArgumentParser(prog="./run plot", description=__doc__.split("\n\n", maxsplit=1)[0],
                                     epilog=__doc__.split("\n\n", maxsplit=1)[1])
    parser.add_argument("trace", help="the file that WHERRY_TRACE has named")
    parser.add_argument("-o", "--output", help="the picture (default: the trace's name with .png)")
    parser.add_argument("--from", dest="begin", type=float, default=0, metavar="MS", help="begin here (default 0)")
    parser.add_argument("--for", dest="length", type=float, default=None, metavar="MS", help="as long (default: to the end)")
    given = parser.parse_args()
    try:
        spans, begin, end = chosen(load(given.trace), given.begin, given.length)
    except Unfit as problem:
        sys.exit(f"plot: {problem}")
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    to = given.output or os.path.splitext(given.trace)[0] + ".png"
    draw(spans, begin, end, pyplot).savefig(to, dpi=110)
    print(f"{len(spans)} events of {len({e['pid'] for e in spans})} ranks in {to}")


if __name__ == "__main__":
    main()
