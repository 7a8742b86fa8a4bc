#!/usr/bin/env python3
"""Draws floor plans and motion plans (`to_json()` of either) as PNG; `./run plot` finds a Python with matplotlib.

A floor plan: its boxes, coloured by owner. A motion plan: the source sections and the destination sections of its
entries, with an arrow for each. Within one floor plan the boxes are drawn apart, so that ghost cells have room; between
two, side by side. Plans of three and more dimensions are cut: --at 2=5 is the plane where dimension 2 is 5.
"""
import argparse
import json
import os
import sys

PALETTE = ["#7fb3d9", "#f4b183", "#a5d39a", "#e79aa0", "#c3b1dd", "#cdb79e", "#f0bfe0", "#b8b8b8", "#dbdb8d", "#9edae5"]
READ = {"facecolor": "none", "edgecolor": "#202020", "linestyle": (0, (3, 2)), "linewidth": 0.8}
WRITTEN = {"edgecolor": "#404040", "hatch": "////", "linewidth": 0.8}
REMOTE = {"color": "#101010", "linestyle": "-"}
LOCAL = {"color": "#707070", "linestyle": (0, (2, 2))}
MOST_LABELS = 150  # boxes beyond this many have no number in the picture


class Unfit(Exception):
    """The file is no plan that can be drawn."""


def load(path):
    try:
        with open(path, encoding="utf-8") as file:
            plan = json.load(file)
    except (OSError, ValueError) as problem:
        raise Unfit(f"{path}: {problem}") from problem
    if not isinstance(plan, dict) or plan.get("kind") not in ("floor_plan", "motion_plan"):
        raise Unfit(f"{path} is neither the JSON of a floor plan nor of a motion plan")
    return plan


def cut(box, plane):
    """((x, y) lower, (x, y) upper) where the plane meets a box, or None. `plane`: {dimension: place}."""
    lower, upper = list(box["lower"]), list(box["upper"])
    if any(low >= high for low, high in zip(lower, upper)):
        return None
    if any(not lower[d] <= place < upper[d] for d, place in plane.items()):
        return None
    kept = [d for d in range(len(lower)) if d not in plane]
    if len(kept) == 1:  # a line is drawn one cell high
        return (lower[kept[0]], 0), (upper[kept[0]], 1)
    return tuple(lower[d] for d in kept), tuple(upper[d] for d in kept)


def plane_of(dimensions, wanted):
    """Fills up --at: the last dimensions are cut at 0 until two are left."""
    plane = dict(wanted)
    if any(not 0 <= d < dimensions for d in plane):
        raise Unfit(f"--at: the plan has dimensions 0 to {dimensions - 1}")
    for d in range(dimensions - 1, 1, -1):
        if dimensions - len(plane) > 2:
            plane.setdefault(d, 0)
    if dimensions - len(plane) < min(dimensions, 2):
        raise Unfit("--at: two dimensions must be left to draw")
    return plane


class Apart:
    """Where the cells of each box are drawn: boxes moved apart by `gap` cells wherever one may begin."""

    def __init__(self, floor, plane, gap):
        self.cells = {box["number"]: cut(box, plane) for box in floor["boxes"]}
        self.owner = {box["number"]: box["owner"] for box in floor["boxes"]}
        starts = [sorted({box[0][d] for box in self.cells.values() if box}) for d in (0, 1)]
        self.shift = {number: tuple(gap * starts[d].index(box[0][d]) for d in (0, 1))
                      for number, box in self.cells.items() if box}

    def rectangle(self, number, box):
        """x, y, width, height of a part of a box in the picture."""
        (x, y), (right, top) = box
        dx, dy = self.shift[number]
        return x + dx, y + dy, right - x, top - y


    def size(self, margin):
        """Width and height of the picture in cells, at least 1."""
        boxes = [self.rectangle(number, self.cells[number]) for number in self.shift]
        ends = [max((box[d] + box[d + 2] for box in boxes), default=1) for d in (0, 1)]
        starts = [min((box[d] for box in boxes), default=0) for d in (0, 1)]
        return tuple(max(1, end - start + 2 * margin) for start, end in zip(starts, ends))


def widest_ghost(floor, entries, plane):
    """How many cells destinations lie outside their boxes at most."""
    cells = {box["number"]: cut(box, plane) for box in floor["boxes"]}
    widest = 0
    for entry in entries:
        box, part = cells.get(entry["to"]), cut(entry["destination"], plane)
        if box and part:
            widest = max([widest] + [box[0][d] - part[0][d] for d in (0, 1)] + [part[1][d] - box[1][d] for d in (0, 1)])
    return widest


def colour(owner):
    """The palette, then the same ones darker and paler."""
    base = PALETTE[owner % len(PALETTE)]
    strength = (1.0, 0.72, 1.25)[owner // len(PALETTE) % 3]
    channels = [min(255, round(strength * int(base[i:i + 2], 16))) for i in (1, 3, 5)]
    return "#" + "".join(f"{channel:02x}" for channel in channels)


def draw_boxes(axes, place, labels):
    from matplotlib.patches import Rectangle

    numbered = len(place.shift) <= MOST_LABELS
    for number, box in place.cells.items():
        if box is None:
            continue
        x, y, width, height = place.rectangle(number, box)
        axes.add_patch(Rectangle((x, y), width, height, facecolor=colour(place.owner[number]), edgecolor="#303030",
                                 linewidth=1.0 if numbered else 0.3, zorder=1))
        if labels and numbered:
            axes.text(x + width / 2, y + height / 2, str(number), ha="center", va="center", fontsize=9, zorder=5,
                      bbox={"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none", "alpha": 0.7})
    axes.set_aspect("equal")
    axes.autoscale_view()
    axes.margins(0.02)


def inches(size, most):
    """The largest picture of that aspect within `most`, but not a mere strip."""
    scale = min(most[0] / size[0], most[1] / size[1])
    return [max(1.5, scale * length) for length in size]


def legend(figure, owners, more=()):
    from matplotlib.patches import Patch

    shown = sorted(owners)[:20]
    handles = [Patch(facecolor=colour(owner), edgecolor="#303030", label=f"rank {owner}") for owner in shown]
    if len(owners) > len(shown):
        handles.append(Patch(facecolor="none", edgecolor="none", label=f"… {len(owners)} ranks"))
    figure.legend(handles=handles + list(more), loc="outside right upper", fontsize=8, frameon=False)


def motion_key(any_local):
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    key = [Patch(facecolor="none", edgecolor="none", label=""), Patch(label="is read", **READ),
           Patch(facecolor="white", label="is written, in\nthe sender's colour", **WRITTEN),
           Line2D([], [], color=REMOTE["color"], label="to another rank")]
    return key + [Line2D([], [], label="stays on a rank", **LOCAL)] * any_local


def plural(count, one, many):
    return f"{count} {one if count == 1 else many}"


def name_axes(axes, dimensions, plane, ticks=True):
    kept = [d for d in range(dimensions) if d not in plane]
    axes.set_xlabel(f"dimension {kept[0]}" if ticks else f"dimension {kept[0]}, boxes drawn apart")
    if len(kept) > 1:
        axes.set_ylabel(f"dimension {kept[1]}")
    if not ticks or len(kept) == 1:
        axes.set_yticks([])
    if not ticks:
        axes.set_xticks([])


def draw_floor_plan(pyplot, floor, plane):
    place = Apart(floor, plane, 0)
    owners = {place.owner[number] for number in place.shift}
    width, height = inches(place.size(0), (9, 7))
    figure, axes = pyplot.subplots(figsize=(width + 2, height + 1), layout="constrained")
    draw_boxes(axes, place, labels=True)
    name_axes(axes, floor["dimensions"], plane)
    partly = "" if floor["complete"] else f", {len(place.owner)} known"
    axes.set_title(f"floor plan: {plural(floor['size'], 'box', 'boxes')}{partly}, {plural(len(owners), 'rank', 'ranks')}"
                   + at_text(plane), fontsize=11)
    legend(figure, owners)
    return figure


def at_text(plane):
    return "".join(f", at {place} of dimension {d}" for d, place in sorted(plane.items()))


def draw_section(axes, rectangle, **style):
    """Gives the middle."""
    from matplotlib.patches import Rectangle

    x, y, width, height = rectangle
    axes.add_patch(Rectangle((x, y), width, height, zorder=2, **style))
    return x + width / 2, y + height / 2


def draw_entries(panels, places, entries, plane):
    """The sections of all entries that meet the plane, and arrows between their middles: (arrows, local ones)."""
    from matplotlib.patches import ConnectionPatch

    arrows = []
    for entry in entries:
        parts = cut(entry["source"], plane), cut(entry["destination"], plane)
        if not all(parts) or entry["from"] not in places[0].shift or entry["to"] not in places[1].shift:
            continue
        sender = places[0].owner[entry["from"]]
        tail = draw_section(panels[0], places[0].rectangle(entry["from"], parts[0]), **READ)
        head = draw_section(panels[1], places[1].rectangle(entry["to"], parts[1]), facecolor=colour(sender), **WRITTEN)
        arrows.append((tail, head, sender == places[1].owner[entry["to"]]))
    for tail, head, local in arrows:
        arrow = ConnectionPatch(tail, head, "data", "data", axesA=panels[0], axesB=panels[1], arrowstyle="-|>",
                                mutation_scale=9, shrinkA=0, shrinkB=0, linewidth=0.9, zorder=6,
                                alpha=max(0.25, min(0.9, 40 / len(arrows))), connectionstyle="arc3,rad=0.1",
                                **(LOCAL if local else REMOTE))
        arrow.set_in_layout(False)
        panels[1].add_artist(arrow)
    return len(arrows), sum(local for _, _, local in arrows)


def draw_motion_plan(pyplot, plan, plane):
    endogenous = plan["source"] == plan["destination"]
    ghost = widest_ghost(plan["destination"], plan["entries"], plane)
    if endogenous:
        places = [Apart(plan["source"], plane, 2 * ghost + 2)] * 2
        width, height = inches(places[0].size(ghost), (9, 7))
        figure, only = pyplot.subplots(figsize=(width + 2, height + 0.8), layout="constrained")
        panels = [only, only]
    else:
        places = [Apart(plan["source"], plane, 0.5), Apart(plan["destination"], plane, 2 * ghost + 0.5)]
        sizes = [inches(places[0].size(0), (6, 6)), inches(places[1].size(ghost), (6, 6))]
        figure, panels = pyplot.subplots(1, 2, figsize=(sizes[0][0] + sizes[1][0] + 3, max(sizes[0][1], sizes[1][1]) + 1),
                                         width_ratios=[sizes[0][0], sizes[1][0]], layout="constrained")
    drawn, local = draw_entries(panels, places, plan["entries"], plane)
    for axes, place, title in list(zip(panels, places, ("source", "destination")))[:1 if endogenous else 2]:
        draw_boxes(axes, place, labels=True)
        name_axes(axes, plan["dimensions"], plane, ticks=False)
        if not endogenous:
            axes.set_title(title, fontsize=10)
    if not endogenous:
        panels[1].set_ylabel("")
    shown = "" if drawn == len(plan["entries"]) else f", {drawn} in the picture"
    figure.suptitle(f"motion plan: {plural(len(plan['entries']), 'entry', 'entries')}{shown}{at_text(plane)}", fontsize=11)
    legend(figure, {place.owner[number] for place in places for number in place.shift}, motion_key(local > 0))
    return figure


def main(arguments):
    parser = argparse.ArgumentParser(prog="./run plot", description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("file", help="the JSON that to_json() of a floor plan or a motion plan gave")
    parser.add_argument("-o", "--output", help="the picture (default: the file's name with .png)")
    parser.add_argument("--at", action="append", default=[], metavar="DIMENSION=PLACE",
                        help="cut plans of more than two dimensions there (default: the last ones at 0)")
    options = parser.parse_args(arguments)
    try:
        wanted = [tuple(int(number) for number in pair.split("=")) for pair in options.at]
        if any(len(pair) != 2 for pair in wanted):
            raise ValueError
    except ValueError:
        parser.error("--at wants DIMENSION=PLACE, e.g. --at 2=5")
    try:
        plan = load(options.file)
        plane = plane_of(plan["dimensions"], wanted)
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot

        draw = draw_floor_plan if plan["kind"] == "floor_plan" else draw_motion_plan
        figure = draw(pyplot, plan, plane)
        output = options.output or os.path.splitext(options.file)[0] + ".png"
        figure.savefig(output, dpi=130)
    except Unfit as problem:
        print(f"./run plot: {problem}", file=sys.stderr)
        return 1
    except (KeyError, TypeError, ValueError, IndexError) as problem:
        print(f"./run plot: {options.file} is damaged: {problem!r}", file=sys.stderr)
        return 1
    print(f"wrote {output}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
