"""From the demonstration's JSON to one HTML page that needs nothing else. Plots where matplotlib is there."""
import base64
import html
import io
import json
import os
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

STYLE = """
:root { color-scheme: light; }
body { font: 17px/1.55 system-ui, sans-serif; max-width: 56rem; margin: 0 auto; padding: 1rem; color: #1c2733; }
h1 { margin: 1.5rem 0 .2rem; } h2 { margin: 3rem 0 .3rem; border-top: 1px solid #d5dde5; padding-top: 1.5rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; margin: .8rem 0; font-size: 15px; }
th, td { padding: .3rem .8rem; border-bottom: 1px solid #d5dde5; text-align: right; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
.verdict { padding: .6rem 1rem; border-left: .35rem solid #66727f; background: #f4f6f8; }
.verdict.good { border-color: #11703b; background: #eef7f1; } .verdict.bad { border-color: #b3261e; background: #fbefee; }
.good { color: #11703b; } .bad { color: #b3261e; font-weight: 600; } .quiet { color: #66727f; }
svg, img { max-width: 100%; height: auto; display: block; margin: 1rem 0; }
code, pre { font: 15px/1.5 ui-monospace, monospace; background: #f4f6f8; } pre { padding: .8rem 1rem; overflow-x: auto; }
details { margin: .6rem 0; } summary { cursor: pointer; color: #66727f; }
@media (max-width: 34rem) { body { font-size: 16px; } th, td { padding: .3rem .4rem; } }
"""


class Section:
    """What one part of the demonstration is about."""

    def __init__(self, headline, shown, program, ours, peers, peer_name, what, picture=None, caption="", more=()):
        self.headline, self.shown = headline, shown
        self.program, self.ours, self.peers, self.peer_name, self.what = program, ours, peers, peer_name, what
        self.picture, self.caption, self.more = picture, caption, more


SECTIONS = (
    Section("Halo exchange on a regular grid",
            "Three fields of 64³ cells a rank with halos of three cells, periodic, all 26 neighbours; every halo cell of every "
            "method is compared with the value that belongs there.",
            "halo_demo", "auto", ("hand-written MPI",), "MPI written by hand", "an exchange", "docs/halo.svg",
            "Each rank sends the edge of its part (dark), and fills the halo around it (light) with its neighbours'."),
    Section("Blocks: a solver on many boxes",
            "Red-black relaxation in three dimensions on blocks that a floor plan gives to the ranks; a motion plan says what is "
            "copied where. The numbers agree bit for bit with those of the version by hand. Beside it NAS MG, a multigrid whose "
            "result NASA has published.",
            "redblack3d", "Wherry", ("MPI by hand",), "MPI written by hand", "a run of 10 sweeps", "docs/motion_plan.png",
            "A motion plan: where each box's ghost cells (hatched) come from.", ("nas_mg",)),
    Section("Deep copies: a scene full of pointers",
            "One rank reads a mesh and builds a tree of boxes around its triangles; one line of code broadcasts it, all ranks "
            "render, and the picture below is put together from their tiles. Each method must bring the same scene.",
            "ray_scene", "Wherry", ("MPI by hand, buffered, new", "MPI by hand, new", "MPI by hand, buffered", "MPI by hand"),
            "the best version by hand", "a broadcast of the scene", "ray_scene.png", "Rendered in this run, by all ranks."),
    Section("Notified writes: a flow solver",
            "A lattice-Boltzmann solver (D3Q19) whose halo exchange is written in five ways beside each other; all compute the same "
            "flow, bit for bit.",
            "lattice_boltzmann", "wherry", ("packed",), "packed messages by hand", "a step of the whole solver"),
)


def figure_of(value):
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}" if abs(value) < 1e-3 or abs(value) >= 1e6 else f"{value:,.3f}".rstrip("0").rstrip(".")
    return str(value)


def table(rows):
    """An HTML table of dictionaries, columns in the order of first use."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    head = "".join(f"<th>{html.escape(name)}</th>" for name in columns)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(figure_of(row.get(name, '')))}</td>" for name in columns) + "</tr>\n"
                   for row in rows)
    return f"<div class=wide><table><tr>{head}</tr>\n{body}</table></div>"


def plot(draw, width=7.0, height=3.4):
    """Inline SVG of what draw(axes) draws, or nothing without matplotlib."""
    try:
        import matplotlib

        matplotlib.use("svg")
        from matplotlib import pyplot
    except ImportError:
        return ""
    figure, axes = pyplot.subplots(figsize=(width, height), layout="constrained")
    try:
        draw(axes)
        text = io.StringIO()
        figure.savefig(text, format="svg")
    finally:
        pyplot.close(figure)
    svg = text.getvalue()
    return svg[svg.index("<svg"):]


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def times_faster(record):
    """The peer's time over ours. `ratio` (ours to peer) pairs the rounds: steadier than the quotient of two medians."""
    ratio = record.get("ratio")
    return 1 / ratio if is_number(ratio) and ratio > 0 else record["peer_us"] / record["ours_us"]


def comparisons(part):
    """Records of two times, ours and a peer's; not of something with itself."""
    return [r for r in part["records"] if is_number(r.get("ours_us")) and is_number(r.get("peer_us")) and r["ours_us"] > 0
            and r.get("ours") != r.get("peer")]


def decisive(section, part):
    """Ours against the best of its peers, or None."""
    found = [r for r in comparisons(part) if r.get("ours") == section.ours and r.get("peer") in section.peers]
    return min(found, key=lambda r: r["peer_us"], default=None)


def in_words(faster):
    """One direction everywhere: how many times as fast as the other."""
    if 0.97 <= faster <= 1.03:
        return "as fast as"
    return f"{faster:.2g} times as fast as" if faster < 10 else f"{faster:.0f} times as fast as"


def ranks_in_words(record, part):
    """A program that was started without mpirun is one rank."""
    ranks = record.get("ranks") or part["ranks"] or 1
    return f"{ranks} rank" + ("s" if ranks != 1 else "")


def verdict(section, parts):
    """One sentence: is it right, and is it good."""
    failed = [part for part in parts if part["status"] not in (0, None)]
    if failed:
        names = ", ".join(html.escape(f"{p['program']} on {p['ranks'] or 'no'} ranks ({p['note'] or 'status ' + str(p['status'])})")
                          for p in failed)
        return f"<p class='verdict bad'>This went wrong: {names}. <code>./run demo</code> has printed why.</p>"
    said, steady, slower, lines = [], True, False, None
    for part in parts:
        record = decisive(section, part)
        if record is None:
            continue
        faster = times_faster(record)
        said.append(f"{in_words(faster)} {section.peer_name} on {ranks_in_words(record, part)}")
        steady, slower = steady and record.get("steady", True), slower or faster < 0.97
        if is_number(record.get("lines")) and is_number(record.get("peer_lines")):
            lines = (record["lines"], record["peer_lines"])
    if not said:
        return "<p class=verdict>This part did not run: the demonstration's time was used up, or a program was not built.</p>"
    text = f"All results are right. For {section.what} Wherry is <b>{' and '.join(said)}</b>"
    text += f", with {lines[0]} lines for communication instead of {lines[1]}." if lines else "."
    if not steady:
        text += " The timings differed from round to round: something else was using the cores, so read this as a hint."
    kind = "good" if steady and not slower else ""
    return f"<p class='verdict {kind}'>{text}</p>"


def plot_comparisons(section, parts):
    """All methods beside their peer, as times faster; where there are several peers, only the method of the headline."""
    # Alone all methods are copies: no picture is needed to compare them.
    usable = [(part, r) for part in parts if part["ranks"] > 1 or len(parts) == 1 for r in comparisons(part)]
    peers = {r.get("peer") for _, r in usable}
    if len(peers) > 1:
        usable = [(part, r) for part, r in usable if r.get("ours") == section.ours]
    if not usable:
        return ""
    counts = {part["ranks"] for part, _ in usable}

    def draw(axes):
        labels = []
        for part, r in usable:
            label = str(r.get("ours", "ours"))
            label += f", {ranks_in_words(r, part)}" if len(counts) > 1 else ""
            labels.append(label + (f"\nagainst {r.get('peer')}" if len(peers) > 1 else ""))
        values = [times_faster(r) for _, r in usable]
        places = list(range(len(usable)))[::-1]
        axes.barh(places, values, color=["#1f6feb" if r.get("steady", True) else "#9dbcea" for _, r in usable], height=0.65)
        axes.axvline(1, color="#1c2733", linewidth=1.2)
        for place, value in zip(places, values):
            axes.text(value, place, f" {value:.2g}", va="center", fontsize=11)
        axes.set_yticks(places, labels, fontsize=11)
        axes.set_xlim(0, max([*values, 1]) * 1.12)
        axes.tick_params(axis="x", labelsize=11)
        axes.set_xlabel(f"times as fast as {next(iter(peers)) if len(peers) == 1 else 'that'}"
                        + (" (pale: not steady)" if any(not r.get("steady", True) for _, r in usable) else ""), fontsize=11)
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)

    return plot(draw, height=1.0 + (0.52 if len(peers) > 1 else 0.36) * len(usable))


def table_of(parts):
    rows = [{"method": r.get("ours"), "ranks": r.get("ranks") or part["ranks"], "µs": round(r["ours_us"], 1), "beside": r.get("peer"),
             "its µs": round(r["peer_us"], 1), "times as fast": round(times_faster(r), 2), "steady": r.get("steady", True)}
            for part in parts for r in comparisons(part)]
    return f"<details><summary>all figures</summary>{table(rows)}</details>" if rows else ""


def published(parts):
    """Results with a published value."""
    rows = [{"problem": f"NAS MG, class {r.get('class')}", "ranks": part["ranks"], "residual": f"{r['norm']:.12e}",
             "published": f"{r['reference']:.12e}", "verified": r.get("verified", False), "Mop/s": round(r.get("mops", 0))}
            for part in parts for r in part["records"] if is_number(r.get("norm")) and is_number(r.get("reference"))]
    return table(rows) if rows else ""


def picture(section, folder):
    if not section.picture:
        return ""
    for place in (folder, ROOT):
        path = os.path.join(place, section.picture)
        if os.path.exists(path):
            with open(path, "rb") as file:
                content = file.read()
            kind = "svg+xml" if path.endswith(".svg") else "png"
            return (f"<img alt='{html.escape(section.caption)}' src='data:image/{kind};base64,{base64.b64encode(content).decode()}'>"
                    f"<p class=quiet>{html.escape(section.caption)}</p>")
    return ""


def machine(data):
    """What all of it ran on, once."""
    said = [r["machine"] if isinstance(r.get("machine"), dict) else r for part in data["parts"] for r in part["records"]
            if isinstance(r.get("machine"), dict) or r.get("bench") == "machine"]
    first = said[0] if said else {}
    words = [first.get("processor", ""), f"{first.get('cores', os.cpu_count())} cores", data["mpi"], first.get("compiler", ""),
             time.strftime("%Y-%m-%d %H:%M")]
    return ", ".join(html.escape(str(word)) for word in words if word)


NEXT = """
<h2>What to do next</h2>
<pre>./run info                 what was found on this machine, and every setting
./run info --calibrate     measures what moving data costs here; all programs then go by it
./run test                 all tests; --mpi mpich: with the other MPI
./run bench                lists the benchmarks; ./run bench halo is the long form of the first part above
./run plan halo 512x512x512 --ranks 4096 --node 64     what an exchange will be on a machine that is not here</pre>
<p>A solver of your own begins with the thirty lines in <code>README.md</code>; <code>docs/halo.md</code>, <code>docs/blocks.md</code>,
<code>docs/deep.md</code>, <code>docs/notify.md</code> and <code>docs/collective.md</code> are the tutorials.</p>
"""


def write(results, page):
    with open(results, encoding="utf-8") as file:
        data = json.load(file)
    folder = os.path.dirname(os.path.abspath(results))
    text = ("<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
            f"<title>Wherry: demonstration</title><style>{STYLE}</style>\n<h1>Wherry carries the data of parallel programs</h1>\n"
            f"<p class=quiet>{machine(data)}</p>\n"
            "<p>Four parts, each checked and then timed beside the same by hand, in turns, in this run. All figures say how many times "
            "as fast Wherry is: above 1 it is faster.</p>\n")
    for section in SECTIONS:
        parts = [part for part in data["parts"] if part["program"] == section.program]
        more = [part for part in data["parts"] if part["program"] in section.more]
        if not parts and not more:
            continue
        text += f"<h2>{html.escape(section.headline)}</h2>\n<p>{html.escape(section.shown)}</p>\n"
        text += verdict(section, parts + more) + picture(section, folder) + plot_comparisons(section, parts) + table_of(parts) + published(more)
    with open(page, "w", encoding="utf-8") as file:
        file.write(text + NEXT + "</html>\n")


if __name__ == "__main__":
    write(sys.argv[1], sys.argv[2])
