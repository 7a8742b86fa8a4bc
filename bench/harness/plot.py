"""Pictures of comparisons; nothing but a message where matplotlib is missing."""
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
    figure.tight_layout()
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    figure.savefig(path, dpi=110)
    print(f"wrote {path}")
