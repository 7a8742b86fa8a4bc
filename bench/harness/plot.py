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
            print("no plot: matplotlib is missing (./run plot installs it)")
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


def steps(records, path, title, about_halo=""):
    """Ludwig's figure 2, and where its time goes: over the ranks the whole step and its halo exchange, a line for each exchange;
    the phases of the halo, a bar for each. A record has ranks, exchange and step_us, pack_us, wait_us, unpack_us, halo_us, and
    perhaps last_us: the halo of those who wait for nobody, dashed."""
    pyplot = _with_matplotlib()
    if pyplot is None or not records:
        return
    figure, axes = pyplot.subplots(1, 3, figsize=(16, 4.4), gridspec_kw={"width_ratios": (1, 1, 1.5)})
    ranks = sorted({r["ranks"] for r in records})
    names = list(dict.fromkeys(r["exchange"] for r in records))
    of = {(r["exchange"], r["ranks"]): r for r in records}
    for number, name in enumerate(names):
        for place, key, style in ((axes[0], "step_us", "-"), (axes[1], "halo_us", "-"), (axes[1], "last_us", "--")):
            points = [(count, of[name, count][key]) for count in ranks if of[name, count].get(key)]
            if points:
                place.plot(*zip(*points), style, marker="o" if style == "-" else "", color=f"C{number}", label=name if style == "-" else None)
    alone = min(of[name, ranks[0]]["step_us"] for name in names) * ranks[0]
    axes[0].plot(ranks, [alone / count for count in ranks], "--", color="#808080", label="ideal")
    for place, what in zip(axes, ("the whole step", "its halo exchange" + about_halo)):
        place.set_title(what, fontsize=9)
        place.set_xscale("log", base=2)
        place.set_yscale("log")
        place.set_xticks(ranks, [str(count) for count in ranks])
        place.set_xlabel("ranks")
    _phases(axes[2], of, [count for count in ranks if count > 1], names)
    for place in axes:
        place.set_ylabel("µs a step")
        place.tick_params(labelsize=8)
        place.legend(fontsize=7)
    figure.suptitle(title, fontsize=11)
    _save(figure, path)


def _phases(place, of, ranks, names):
    """A group of bars for each number of ranks, a bar for each exchange."""
    colours = {"pack": "#1f6fb4", "wait": "#b0b0b0", "unpack": "#e0b040"}
    width = 0.8 / len(names)
    for row, count in enumerate(ranks):
        for column, name in enumerate(names):
            at, below = row + (column - (len(names) - 1) / 2) * width, 0
            for phase, colour in colours.items():
                value = of[name, count][phase + "_us"]
                place.bar(at, value, 0.9 * width, bottom=below, color=colour, label=phase if row == column == 0 else None)
                below += value
            place.text(at, below, f" {name}", rotation=90, fontsize=6, ha="center", va="bottom")
    place.set_title("phases of the halo (in wait: MPI packs datatypes; published layouts are read)", fontsize=9)
    place.set_xticks(range(len(ranks)), [f"{count} ranks" for count in ranks])
    place.set_ylim(0, 1.25 * max([one["halo_us"] for one in of.values()] + [1]))


def _ways(records):
    """Each way of doing a collective, MPI's own and the chosen one first, and how its line is drawn everywhere."""
    names = ["MPI", "auto"] + sorted({r["ours"] for r in records} - {"MPI", "auto"})
    marks = "osv^D<>pPXd*h"
    styles = {"MPI": {"color": "#303030", "linewidth": 2.6, "marker": "o", "zorder": 5},
              "auto": {"color": "#1f6fb4", "linewidth": 2.6, "marker": "o", "zorder": 6},
              "shared": {"color": "#d62728", "linewidth": 1.6, "marker": "s", "zorder": 4}}
    from matplotlib import colormaps

    shades = [2, 4, 8, 10, 12, 16, 18, 1, 3, 5, 9, 11, 13, 15, 17, 19]  # neither grey, nor blue, nor red
    for place, name in enumerate(name for name in names[2:] if name != "shared"):
        styles[name] = {"color": colormaps["tab20"](shades[place % len(shades)]), "linewidth": 1, "marker": marks[place % len(marks)]}
    return styles


def _lines(records, along):
    """By panel and way: points (along(record), microseconds). The peer of all is MPI's own call."""
    panels = {}
    for r in records:
        name, size = r["case"].split(" ")
        panel, at = along(name, int(size), r)
        lines = panels.setdefault(panel, {})
        lines.setdefault(r["peer"], {})[at] = r["peer_us"]
        lines.setdefault(r["ours"], {})[at] = r["ours_us"]
    return {panel: lines for panel, lines in panels.items() if max(len(line) for line in lines.values()) > 1}


def _panels(pyplot, panels, styles, columns, xlabel, ticks=None):
    """A figure with a panel each and one legend for all beside them."""
    columns = min(columns, len(panels))
    rows = (len(panels) + columns - 1) // columns
    figure, axes = pyplot.subplots(rows, columns, figsize=(4.6 * columns + 1.8, 3.6 * rows + 0.4), squeeze=False)
    for place in axes.flat[len(panels):]:
        place.axis("off")
    handles = {}
    for place, (name, lines) in zip(axes.flat, panels.items()):
        for way in [way for way in styles if way in lines]:
            points = sorted(lines[way].items())
            handles[way], = place.plot(*zip(*points), markersize=4, label=way, **styles[way])
        place.set_title(name, fontsize=10)
        place.set_xscale("log", base=2)
        place.set_yscale("log")
        place.set_xlabel(xlabel, fontsize=8)
        place.set_ylabel("µs", fontsize=8)
        place.grid(True, which="major", linewidth=0.3)
        if ticks:
            place.set_xticks(ticks, [str(tick) for tick in ticks])
    order = [way for way in styles if way in handles]
    figure.legend([handles[way] for way in order], order, loc="center right", fontsize=8)
    return figure


def by_size(records, path, title):
    """A panel for each collective: microseconds over bytes, a line for each way (CRESTA, figures 3 and 4). A case is
    "collective bytes"; the peer is MPI's own."""
    pyplot = _with_matplotlib()
    if pyplot is None:
        return
    panels = _lines(records, lambda name, size, r: (name, size))
    if panels:
        figure = _panels(pyplot, panels, _ways(records), 3, "bytes of a block or vector")
        figure.suptitle(title, fontsize=11)
        _save(figure, path, right=1 - 1.5 / figure.get_size_inches()[0])


def by_ranks(records, path, title):
    """The same over the ranks: a row for each collective, a column for each size."""
    pyplot = _with_matplotlib()
    if pyplot is None:
        return
    panels = _lines(records, lambda name, size, r: ((name, size), r["ranks"]))
    names = sorted({name for name, _ in panels}, key=lambda name: (name not in ("alltoall", "allreduce"), name))
    sizes = sorted({size for _, size in panels})
    sizes = sizes if len(sizes) <= 3 else [sizes[0], sizes[len(sizes) // 2], sizes[-1]]
    shown = {f"{name}, {size} bytes": panels[name, size] for name in names for size in sizes if (name, size) in panels}
    if shown:
        ranks = sorted({r["ranks"] for r in records})
        figure = _panels(pyplot, shown, _ways(records), len(sizes), "ranks", ranks)
        figure.suptitle(title, fontsize=11)
        _save(figure, path, right=1 - 1.5 / figure.get_size_inches()[0])


def overlap(records, path, title):
    """CRESTA, figure 5: the overlap that its formula finds, by size; below what a program really gains."""
    pyplot = _with_matplotlib()
    if pyplot is None:
        return
    names = list(dict.fromkeys(r["collective"] for r in records))
    figure, axes = pyplot.subplots(2, len(names), figsize=(5.2 * len(names), 6.8), squeeze=False)
    from matplotlib import colormaps

    ways = list(dict.fromkeys(r["by"] for r in records))
    for column, name in enumerate(names):
        for polls in sorted({r["polls"] for r in records}):
            for way in ways:
                mine = sorted((r["bytes"], r["overlap_percent"], r["honest"]) for r in records
                              if (r["collective"], r["by"], r["polls"]) == (name, way, polls))
                if not mine:
                    continue
                label = f"{way}, asked {polls} times" if polls else way
                for row, key in enumerate((1, 2)):
                    axes[row][column].plot([point[0] for point in mine], [point[key] for point in mine], marker="o",
                                           markersize=3, linewidth=1.2, linestyle="--" if polls else "-", label=label,
                                           color=colormaps["tab10"](ways.index(way)))
        axes[0][column].set_title(name, fontsize=10)
        axes[0][column].set_ylabel("ovl% = 100 (C + N - T) / min(C, N)", fontsize=8)
        axes[0][column].axhline(0, color="#808080", linewidth=0.8)
        axes[0][column].set_ylim(-105, 105)
        axes[1][column].set_ylabel("T / (C of a clean process + N)", fontsize=8)
        axes[1][column].axhline(1, color="#808080", linewidth=0.8)
        axes[1][column].axhline(0.5, color="#808080", linewidth=0.8, linestyle=":")
        axes[1][column].set_ylim(0.4, 1.8)
        for place in (axes[0][column], axes[1][column]):
            place.set_xscale("log", base=2)
            place.set_xlabel("bytes", fontsize=8)
            place.grid(True, linewidth=0.3)
    axes[0][0].legend(fontsize=7)
    figure.suptitle(title, fontsize=11)
    _save(figure, path)


def programs(records, path, title):
    """How long programs take under the preload, as they are being 1; what of it is in their collectives, by darker bars."""
    pyplot = _with_matplotlib()
    if pyplot is None:
        return
    figure, place = pyplot.subplots(figsize=(8, 0.55 * len(records) + 1.6))
    names = [f"{r['case']}, {r['ranks']} ranks{', ' + r['mode'] if r['mode'] else ''}" for r in records]
    for row, r in enumerate(records):
        for offset, value, waiting, colour in ((0.2, 1, r["peer_waiting"], "#707070"),
                                               (-0.2, r["ratio"], r["ours_waiting"], "#1f6fb4")):
            place.barh(len(records) - row + offset, value, height=0.36, color=colour, alpha=0.45)
            place.barh(len(records) - row + offset, value * waiting, height=0.36, color=colour)
        place.text(min(r["ratio"], 1.5) + 0.01, len(records) - row - 0.2, f"{r['ratio']:.2f}", va="center", fontsize=8)
    place.set_yticks(range(len(records), 0, -1), names, fontsize=8)
    place.axvline(1, color="#303030", linewidth=0.8)
    place.set_xlim(0, min(1.6, max([1.1] + [r["ratio"] + 0.1 for r in records])))
    place.set_xlabel("time, that without the preload being 1; dark: in collectives (grey: MPI, blue: preload)", fontsize=8)
    figure.suptitle(f"{title}, {records[0]['mpi']}", fontsize=11)
    _save(figure, path)


def flat_and_hierarchical(cases, path):
    """A panel a collective: microseconds by ranks, MPI's own, the best flat algorithm and hierarchical, a colour for each size.
    `cases` is {(collective, bytes): [(ranks, MPI's own, flat, hierarchical)]}; one of several numbers of ranks makes no line."""
    pyplot = _with_matplotlib()
    if pyplot is None or not cases:
        return
    counts = sorted({row[0] for rows in cases.values() for row in rows})
    cases = {case: rows for case, rows in cases.items() if len(rows) > 1 or len(counts) == 1}
    names = list(dict.fromkeys(name for name, _ in cases))
    colours = {size: f"C{place}" for place, size in enumerate(sorted({size for _, size in cases}))}
    figure, axes = pyplot.subplots(1, len(names), figsize=(3.6 * len(names), 3.6), squeeze=False)
    for place, name in zip(axes[0], names):
        for size in [size for collective, size in cases if collective == name]:
            rows = sorted(cases[(name, size)])
            for column, style in ((1, "x:"), (2, "o--"), (3, "s-")):
                place.loglog([row[0] for row in rows], [row[column] for row in rows], style, color=colours[size], markersize=4)
        place.set_title(name, fontsize=10)
        place.set_xlabel("ranks", fontsize=8)
        place.set_xticks(counts, [str(count) for count in counts])
        place.minorticks_off()
        place.tick_params(labelsize=7)
    axes[0][0].set_ylabel("simulated microseconds", fontsize=8)
    axes[0][0].legend(handles=[pyplot.Line2D([], [], color="grey", linestyle=line, marker=mark, label=word) for line, mark, word in
                               ((":", "x", "MPI's own"), ("--", "o", "best flat"), ("-", "s", "hierarchical"))], fontsize=6)
    axes[0][-1].legend(handles=[pyplot.Line2D([], [], color=colour, label=f"{size} bytes") for size, colour in colours.items()],
                       fontsize=6)
    figure.suptitle("Flat and hierarchical, 16 ranks a node (SimGrid's CM02, crossbar)", fontsize=11)
    _save(figure, path)


def _save(figure, path, right=1):
    figure.tight_layout(rect=(0, 0, right, 1 - 0.15 / figure.get_size_inches()[1]))  # the title's line
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    figure.savefig(path, dpi=110)
    print(f"wrote {path}")
