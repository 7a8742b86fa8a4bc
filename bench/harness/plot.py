"""Pictures of comparisons and of scaling; nothing but a message where matplotlib is missing."""
import glob
import os
import sys


def _with_matplotlib():
    """Imports it from our Python or from the private one that ./run made."""
    try:
        import matplotlib
    except ImportError:
        from . import driver  # shows where the tools are
        from run import environments, toolchain

        place = environments.find(*toolchain.PLOTS) or driver.ROOT
        sys.path += glob.glob(os.path.join(place, "lib", "python*", "site-packages"))
        try:
            import matplotlib
        except ImportError:
            print("no plot: matplotlib is missing (./run plot and ./run demo install it)")
            return None
    matplotlib.use("Agg")
    from matplotlib import pyplot

    return pyplot


def bars(records, path, title, limits=()):
    """A picture for each case: microseconds of every method, the slowest first. `limits` names the peers that are."""
    pyplot = _with_matplotlib()
    cases, void = {}, set()
    for r in records:
        case = cases.setdefault((r["ranks"], r["case"]), {})
        if not r["steady"]:
            void.add((r["ranks"], r["case"]))
        case[r["ours"]] = (r["ours_us"], "ours")
        case[r["peer"]] = (r["peer_us"], "limit" if r["peer"] in limits else "peer")
    if pyplot is None or not cases:
        return
    colours = {"ours": "#1f6fb4", "peer": "#b0b0b0", "limit": "#e0b040"}
    columns = min(3, len(cases))
    rows = (len(cases) + columns - 1) // columns
    figure, axes = pyplot.subplots(rows, columns, figsize=(5.2 * columns, 3.4 * rows), squeeze=False)
    for place in axes.flat[len(cases):]:
        place.axis("off")
    for place, ((ranks, name), methods) in zip(axes.flat, cases.items()):
        order = sorted(methods, key=lambda method: -methods[method][0])
        place.barh(order, [methods[m][0] for m in order], color=[colours[methods[m][1]] for m in order])
        mark = " (void: machine not steady)" if (ranks, name) in void else ""
        place.set_title(f"{name}, {ranks} ranks{mark}", fontsize=10)
        place.set_xlabel("µs", fontsize=8)
        place.tick_params(labelsize=7)
    handles = [pyplot.Rectangle((0, 0), 1, 1, color=colour) for colour in colours.values()]
    figure.legend(handles, list(colours), loc="upper right", ncols=3, fontsize=8)
    figure.suptitle(f"{title}, {records[0]['mpi']}", fontsize=11, x=0.3)
    _save(figure, path)


def scaling(records, path, title):
    """Two panels over the ranks, a line for each way: the whole step, and its halo exchange. A record has ranks, ours,
    ours_us and ours_waiting, the share of the halo. The dashed line would be ideal."""
    pyplot = _with_matplotlib()
    if pyplot is None:
        return
    figure, axes = pyplot.subplots(1, 2, figsize=(11, 4.2))
    ranks = sorted({r["ranks"] for r in records})
    for name in dict.fromkeys(r["ours"] for r in records):
        mine = sorted((r for r in records if r["ours"] == name), key=lambda r: r["ranks"])
        steps = [r["ours_us"] / r["steps"] for r in mine]
        axes[0].plot([r["ranks"] for r in mine], steps, marker="o", label=name)
        shares = [(r["ranks"], us * r["ours_waiting"]) for r, us in zip(mine, steps) if r["ranks"] > 1]
        axes[1].plot([count for count, _ in shares], [us for _, us in shares], marker="o", label=name)
    alone = min((r["ours_us"] / r["steps"] for r in records if r["ranks"] == ranks[0]), default=0)
    axes[0].plot(ranks, [alone * ranks[0] / count for count in ranks], "--", color="#808080", label="ideal")
    for place, what in zip(axes, ("the whole step", "its halo exchange")):
        place.set_title(what, fontsize=10)
        place.set_xlabel("ranks")
        place.set_ylabel("µs a step")
        place.set_yscale("log")
        place.set_xticks(ranks)
        place.legend(fontsize=8)
    figure.suptitle(title, fontsize=11)
    _save(figure, path)


def by_size(records, path, title):
    """A panel for each collective: microseconds over bytes, a line for each way (paper 2, figures 3 and 4). A case is
    "collective bytes"; the peer is MPI's own."""
    pyplot = _with_matplotlib()
    if pyplot is None:
        return
    panels = {}
    for r in records:
        name, size = r["case"].split(" ")
        lines = panels.setdefault(name, {})
        lines.setdefault(r["peer"], {})[int(size)] = r["peer_us"]
        lines.setdefault(r["ours"], {})[int(size)] = r["ours_us"]
    panels = {name: lines for name, lines in panels.items() if max(len(line) for line in lines.values()) > 1}
    if not panels:
        return
    columns = min(3, len(panels))
    rows = (len(panels) + columns - 1) // columns
    figure, axes = pyplot.subplots(rows, columns, figsize=(5.2 * columns, 4.2 * rows), squeeze=False)
    for place in axes.flat[len(panels):]:
        place.axis("off")
    for place, (name, lines) in zip(axes.flat, panels.items()):
        for way, points in lines.items():
            sizes = sorted(points)
            strong = way in ("MPI", "auto")
            place.plot(sizes, [points[size] for size in sizes], marker="o", markersize=3, label=way,
                       linewidth=2.5 if strong else 1, color={"MPI": "#404040", "auto": "#1f6fb4"}.get(way))
        place.set_title(name, fontsize=10)
        place.set_xscale("log", base=2)
        place.set_yscale("log")
        place.set_xlabel("bytes", fontsize=8)
        place.set_ylabel("µs", fontsize=8)
        place.legend(fontsize=6)
    figure.suptitle(title, fontsize=11)
    _save(figure, path)


def _save(figure, path):
    figure.tight_layout()
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    figure.savefig(path, dpi=110)
    print(f"wrote {path}")
