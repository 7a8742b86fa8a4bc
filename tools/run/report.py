"""From the demonstration's JSON to one HTML page that needs nothing else."""
import base64
import html
import json
import os
import time

from . import charts
from .shell import ROOT

STYLE = """
:root { color-scheme: light; }
body { font: 17px/1.55 system-ui, sans-serif; max-width: 72rem; margin: 0 auto; padding: 1rem; color: #1c2733; }
h1 { margin: 1.5rem 0 .2rem; } h2 { margin: 3rem 0 .3rem; border-top: 1px solid #d5dde5; padding-top: 1.5rem; }
.beside { display: flex; flex-wrap: wrap; gap: 0 2rem; align-items: flex-start; }
.beside > * { flex: 1 1 30rem; min-width: 0; margin: .6rem 0; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; margin: .8rem 0; font-size: 15px; }
th, td { padding: .3rem .8rem; border-bottom: 1px solid #d5dde5; text-align: right; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
.verdict { padding: .6rem 1rem; border-left: .35rem solid #66727f; background: #f4f6f8; }
.verdict.good { border-color: #11703b; background: #eef7f1; } .verdict.bad { border-color: #b3261e; background: #fbefee; }
.quiet { color: #66727f; font-size: 15px; }
svg { width: 100%; } svg, img { max-width: 100%; height: auto; display: block; margin: 1rem 0; } img { max-height: 32rem; } figure { margin: 0; } figcaption { color: #66727f; font-size: 15px; }
code { font: 14px/1.5 ui-monospace, monospace; background: #f4f6f8; } pre { font: 12.5px/1.5 ui-monospace, monospace; background: #f4f6f8; }
pre { padding: .8rem 1rem; margin: 0 0 .3rem; white-space: pre-wrap; overflow-wrap: anywhere; }
dt { margin-top: .6rem; overflow-wrap: anywhere; } dd { margin: 0 0 0 1.2rem; }
details { margin: .6rem 0; } summary { cursor: pointer; color: #66727f; }
@media (max-width: 34rem) { body { font-size: 16px; } th, td { padding: .3rem .4rem; } }
"""

SAME = 0.03  # what differs by less is called the same

# What each of Wherry's ways is, for those who meet it in a figure.
WAYS = {"auto": "what a program gets that names none", "shared": "through memory that the node's ranks share",
        "two_sided": "packed into one MPI message a neighbour", "persistent": "the same, by persistent requests",
        "datatype": "MPI's derived datatypes, nothing packed", "mpi_pack": "packed by MPI_Pack",
        "neighborhood": "one neighbourhood collective of MPI's", "one_sided": "put into the neighbour's window, and notified",
        "total_exchange": "packed, one MPI_Ialltoall", "device_shared": "from device to device, inside a node",
        "device_two_sided": "packed on the device, sent by a GPU-aware MPI",
        "aggregated": "one message between two nodes, for all their ranks", "reference": "a block at a time: what tests compare with",
        "wherry": "halo_exchange: as in the first part", "layouts": "published_layouts: read in place, and notified",
        "segments": "segment: packed, put into the neighbour's memory", "MPI by hand": "a message an array",
        "MPI by hand, buffered": "all in one buffer", "MPI by hand, new": "a message an array, nodes by new",
        "MPI by hand, buffered, new": "all in one buffer, nodes by new",
        "MPI_Bcast of as many bytes": "no pointers: the least it can take"}


class Section:
    """One part of the demonstration. `time_of(record)` gives (Wherry's, the peer's) microseconds, and how many times as fast."""

    def __init__(self, headline, shown, program, ours, peers, peer_name, what, code, measure="whole", hidden=(), picture=None,
                 caption="", more=()):
        self.headline, self.shown, self.program, self.ours, self.peers, self.peer_name = headline, shown, program, ours, peers, peer_name
        self.what, self.code, self.measure, self.hidden = what, code, measure, hidden
        self.picture, self.caption, self.more = picture, caption, more


SECTIONS = (
    Section("Halo exchange on a regular grid",
            "Each rank has three fields of doubles with halos of three cells; the grid is periodic, and all 26 neighbours take part. "
            "Every halo cell of every method is compared with the value that belongs there.",
            "halo_demo", "auto", ("hand-written MPI",), "MPI written by hand", "an exchange", ("apps/halo_demo/main.cpp",),
            hidden=("reference",), picture="docs/halo.svg",
            caption="Each rank sends the edge of its part (dark), and fills the halo around it (light) with its neighbours'."),
    Section("Blocks: a solver on many boxes",
            "Red-black relaxation in three dimensions on blocks that a floor plan gives to the ranks; a motion plan says what is "
            "copied where. The numbers agree bit for bit with those of the version by hand.",
            "redblack3d", "Wherry", ("MPI by hand",), "MPI written by hand", "the ghost cells of ten sweeps",
            ("apps/redblack3d/solver.cpp",), measure="communication", picture="docs/motion_plan.png",
            caption="A motion plan: where each box's ghost cells (hatched) come from.", more=("nas_mg",)),
    Section("Deep copies: a scene full of pointers",
            "One rank reads a mesh and builds a tree of boxes around its triangles; one line of code broadcasts it, all ranks "
            "render, and the picture below is put together from their tiles. Each method must bring the same scene.",
            "ray_scene", "Wherry", ("MPI by hand, buffered, new", "MPI by hand, new", "MPI by hand, buffered", "MPI by hand"),
            "the best version by hand", "a broadcast of the scene", ("apps/ray_scene/scene.hpp", "apps/ray_scene/methods.cpp"),
            picture="ray_scene.png", caption="Rendered in this run, by all ranks."),
    Section("Notified writes: a flow solver",
            "A lattice-Boltzmann solver (D3Q19) whose halo exchange is written in five ways beside each other; all compute the same "
            "flow, bit for bit. What is compared is the halo's part of a step: the rest is arithmetic, the same for all.",
            "lattice_boltzmann", "layouts", ("packed",), "packed messages by hand", "the halo of a step",
            ("apps/lattice_boltzmann/halo_layouts.cpp", "apps/lattice_boltzmann/halo_fields.cpp"), measure="halo", hidden=("in_place", "staged", "limit")),
)


# ------------------------------------------------------------------------------------------------------------- the figures

def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


class Result:
    """One of Wherry's ways beside a peer, in one run."""

    def __init__(self, record, part, measure):
        self.record, self.ours, self.peer = record, record.get("ours"), record.get("peer")
        self.ranks = record.get("ranks") or part["ranks"] or 1
        self.step_us, self.peer_step_us = record["ours_us"], record["peer_us"]
        shares = record.get("ours_waiting"), record.get("peer_waiting")
        ratio, self.steady = record.get("ratio"), record.get("steady", True)
        self.ours_us, self.peer_us = self.step_us, self.peer_step_us
        if measure != "whole" and all(is_number(share) and share > 0 for share in shares):
            self.ours_us, self.peer_us = self.step_us * shares[0], self.peer_step_us * shares[1]
            ratio, self.steady = record.get("halo_ratio"), record.get("halo_steady", self.steady)
        # The ratio pairs the rounds: it is steadier than the quotient of two medians.
        self.faster = 1 / ratio if is_number(ratio) and ratio > 0 else self.peer_us / self.ours_us


def results_of(section, parts):
    """All comparisons, but those of something with itself."""
    return [Result(r, part, section.measure) for part in parts for r in part["records"]
            if is_number(r.get("ours_us")) and is_number(r.get("peer_us")) and r["ours_us"] > 0 and r.get("ours") != r.get("peer")]


def decisive(section, found):
    """For each number of ranks: ours against the best of its peers. One rank alone only copies: only if there is nothing else."""
    mine = [r for r in found if r.ours == section.ours and r.peer in section.peers]
    counts = sorted({r.ranks for r in mine})
    return [min((r for r in mine if r.ranks == count), key=lambda r: r.peer_us) for count in counts if count > 1 or counts == [1]]


def lines_of(section, parts, result):
    """(ours, the peer's) lines of code, or None."""
    own = {r.get("ours"): r.get("lines") for part in parts for r in part["records"]}
    pair = result.record.get("lines"), result.record.get("peer_lines", own.get(result.peer))
    return pair if all(is_number(count) and count > 0 for count in pair) else None


# --------------------------------------------------------------------------------------------------------------- the words

def figure_of(value):
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}" if abs(value) < 1e-3 or abs(value) >= 1e6 else f"{value:,.3f}".rstrip("0").rstrip(".")
    return str(value)


def times(faster):
    return f"{faster:.2f}" if faster < 10 else f"{faster:.0f}"


def in_words(faster):
    """One direction everywhere: how many times as fast as the other."""
    return "as fast as" if abs(faster - 1) <= SAME else f"{times(faster)} times as fast as"


def microseconds(us):
    return f"{us / 1000:.1f}\u00a0ms" if us >= 10_000 else f"{us:.0f}\u00a0µs" if us >= 100 else f"{us:.1f}\u00a0µs"


def on_ranks(count):
    return f"{count} rank" + ("s" if count != 1 else "")


def table(rows):
    """An HTML table of dictionaries, columns in the order of first use."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    head = "".join(f"<th>{html.escape(name)}</th>" for name in columns)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(figure_of(row.get(name, '')))}</td>" for name in columns) + "</tr>\n"
                   for row in rows)
    return f"<div class=wide><table><tr>{head}</tr>\n{body}</table></div>"


def case_of(result):
    """The problem that was timed, as the program calls it."""
    return html.escape(str(result.record.get("case", "")).replace("^3", "³").replace(" x ", " × "))


def verdict(section, parts, found):
    """One sentence: is it right, and is it good."""
    failed = [part for part in parts if part["status"] not in (0, None)]
    if failed:
        names = ", ".join(html.escape(f"{p['program']} on {p['ranks'] or 'no'} ranks ({p['note'] or 'status ' + str(p['status'])})")
                          for p in failed)
        return f"<p class='verdict bad'>This went wrong: {names}. <code>./run demo</code> has printed why.</p>"
    shown = decisive(section, found)
    if not shown:
        return "<p class=verdict>This part did not run: the demonstration's time was used up, or a program was not built.</p>"
    said = [f"<b>{in_words(r.faster)} {section.peer_name}</b> on {on_ranks(r.ranks)} ({microseconds(r.ours_us)} and "
            f"{microseconds(r.peer_us)})" for r in shown]
    lines = lines_of(section, parts, shown[-1])
    text = f"All results are right. For {section.what} Wherry is {' and '.join(said)}"
    text += f", with {lines[0]} lines of code for communication instead of {lines[1]}." if lines else "."
    if section.measure != "whole":
        whole = shown[-1].peer_step_us / shown[-1].step_us
        text += f" The whole run, arithmetic included, is {in_words(whole)} the other."
    steady = all(r.steady for r in shown)
    if not steady:
        text += " The timings differed from round to round: something else was using the cores, so read this as a hint."
    kind = "good" if steady and all(r.faster >= 1 - SAME for r in shown) else ""
    return f"<p class='verdict {kind}'>{text}</p><p class=quiet>Measured: {case_of(shown[-1])}.</p>"


def code_of(section, lines):
    """What a user writes, from the program's own source, as its markers say; without comments, which are not counted either."""
    blocks = []
    for path in section.code:
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            block = None
            for line in file:
                if line.strip() == "// begin: what a user writes":
                    block = []
                elif line.strip() == "// end":
                    blocks.append(_outdented(block))
                    block = None
                elif block is not None and not line.strip().startswith("//"):
                    block.append(line)
    if not blocks:
        return ""
    counted = f"all there is of it, {lines[0]} lines" if lines else "what its user writes"
    names = ", ".join(f"<code>{html.escape(path)}</code>" for path in section.code)
    return f"<figure><pre>{html.escape((2 * chr(10)).join(blocks))}</pre><figcaption>{names}: {counted}</figcaption></figure>"


def _outdented(lines):
    """As if its first line stood at the left."""
    depth = len(lines[0]) - len(lines[0].lstrip())
    return "".join(line[min(depth, len(line) - len(line.lstrip(" "))):] for line in lines).strip("\n")


# -------------------------------------------------------------------------------------------------------------- the pictures

def _bar(result, name, counts):
    label = name + (f", {on_ranks(result.ranks)}" if len(counts) > 1 else "")
    return label, result.faster, times(result.faster), WAYS.get(name, "")


def time_chart(section, found):
    """Wherry's ways beside their peer, as times faster; where there are several peers, the way of the headline beside each."""
    shown = [r for r in found if r.ours not in section.hidden and (r.ranks > 1 or all(other.ranks == 1 for other in found))]
    peers = list(dict.fromkeys(r.peer for r in shown))
    if len(peers) > 1:
        shown = [r for r in shown if r.ours == section.ours]
    if not shown or all(abs(r.faster - 1) <= SAME for r in shown):
        return ""  # the sentence above says it
    counts = {r.ranks for r in shown}
    if len(peers) > 1:
        rows = [charts.Bar(*_bar(r, r.peer, counts), ours=r.peer in section.peers, steady=r.steady) for r in shown]
        return charts.bars(rows, f"{section.ours}: times as fast as …", 1, "as fast")
    shown.sort(key=lambda r: (r.ours != section.ours, r.ranks))
    rows = [charts.Bar(*_bar(r, r.ours, counts), ours=r.ours == section.ours, steady=r.steady) for r in shown]
    return charts.bars(rows, f"Times as fast as {section.peer_name}", 1, "as fast")


def lines_chart(section, lines):
    if not lines:
        return ""
    return charts.bars([charts.Bar("Wherry", lines[0], str(lines[0])),
                        charts.Bar(section.peer_name, lines[1], str(lines[1]), ours=False)], "Lines of code for communication")


def remarks(section, found):
    """What a reader of the figure would ask: why another way is faster, why some are slower."""
    shown = [r for r in found if r.ranks > 1 and r.ours not in section.hidden]
    said = []
    for mine in decisive(section, found):
        others = [r for r in shown if r.ranks == mine.ranks and r.peer == mine.peer and r.ours != section.ours]
        best = max(others, key=lambda r: r.faster, default=None)
        if best and best.faster > mine.faster * (1 + SAME):
            said.append(f"On {on_ranks(mine.ranks)} {best.ours} was faster than {section.ours} here." + (
                f" <code>auto</code> chooses by figures of another machine; <code>./run info --calibrate</code> measures this one. "
                f"<code>WHERRY_TRANSPORT={best.ours}</code> chooses it by hand." if section.ours == "auto" else ""))
    if section.ours == "auto" and any(r.ours != "auto" for r in shown):
        said.append("The grey ways are had by name, <code>WHERRY_TRANSPORT=datatype</code>, and give the same halos. They are for "
                    "other machines and MPIs, and are shown whether they win here or lose.")
    if any(not r.steady for r in shown):
        said.append("Pale bars with a question mark differed from round to round.")
    return f"<p class=quiet>{' '.join(said)}</p>" if said else ""


def table_of(found):
    rows = [{"method": r.ours, "ranks": r.ranks, "µs": round(r.ours_us, 1), "beside": r.peer, "its µs": round(r.peer_us, 1),
             "times as fast": round(r.faster, 2), "steady": r.steady} for r in found]
    return f"<details><summary>all figures</summary>{table(rows)}</details>" if rows else ""


def published(parts):
    """Results with a published value."""
    rows = [{"problem": f"NAS MG, class {r.get('class')}", "ranks": part["ranks"], "residual": f"{r['norm']:.12e}",
             "published": f"{r['reference']:.12e}", "verified": r.get("verified", False), "Mop/s": round(r.get("mops", 0))}
            for part in parts for r in part["records"] if is_number(r.get("norm")) and is_number(r.get("reference"))]
    return "<p>NAS MG is a multigrid solver on such blocks; NASA has published what it must give:</p>" + table(rows) if rows else ""


def picture(section, folder):
    for place in (folder, ROOT) if section.picture else ():
        path = os.path.join(place, section.picture)
        if os.path.exists(path):
            with open(path, "rb") as file:
                content = file.read()
            kind = "svg+xml" if path.endswith(".svg") else "png"
            return (f"<figure><img alt='{html.escape(section.caption, quote=True)}' "
                    f"src='data:image/{kind};base64,{base64.b64encode(content).decode()}'>"
                    f"<figcaption>{html.escape(section.caption)}</figcaption></figure>")
    return ""


# ------------------------------------------------------------------------------------------------------------------ the page

def section_of(section, data, folder):
    parts = [part for part in data["parts"] if part["program"] == section.program]
    more = [part for part in data["parts"] if part["program"] in section.more]
    if not parts and not more:
        return ""
    found = results_of(section, parts)
    shown = decisive(section, found)
    lines = lines_of(section, parts, shown[-1]) if shown else None
    code, shorter = code_of(section, lines), picture(section, folder)
    left, right = (shorter, "") if code.count("\n") > 14 else ("", shorter)
    beside = (f"<div class=beside><div>{time_chart(section, found)}{lines_chart(section, lines)}{remarks(section, found)}{left}</div>"
              f"<div>{code}{right}</div></div>")
    return (f"<h2>{html.escape(section.headline)}</h2>\n<p>{html.escape(section.shown)}</p>\n" + verdict(section, parts + more, found)
            + beside + published(more) + table_of(found))


def machine(data):
    """What all of it ran on, once."""
    said = [r["machine"] if isinstance(r.get("machine"), dict) else r for part in data["parts"] for r in part["records"]
            if isinstance(r.get("machine"), dict) or r.get("bench") == "machine"]
    first = said[0] if said else {}
    words = [first.get("processor", ""), f"{first.get('cores', os.cpu_count())} cores", data["mpi"], first.get("compiler", ""),
             time.strftime("%Y-%m-%d %H:%M")]
    return ", ".join(html.escape(str(word)) for word in words if word)


NEXT = (("./run docs", "the manual as a site; docs/start/ten_minutes.md is its first page"),
        ("./run info", "what was found on this machine, and every setting"),
        ("./run info --calibrate", "measures what moving data costs here; all programs then go by it"),
        ("./run test", "all tests; with --mpi mpich: with the other MPI"),
        ("./run bench", "lists the benchmarks; ./run bench halo is the long form of the first part above"),
        ("./run plan halo 512x512x512 --ranks 4096 --node 64", "what an exchange will be on a machine that is not here"))


def write(results, page):
    with open(results, encoding="utf-8") as file:
        data = json.load(file)
    folder = os.path.dirname(os.path.abspath(results))
    text = ("<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
            f"<title>Wherry: demonstration</title><style>{STYLE}</style>\n<h1>Wherry carries the data of parallel programs</h1>\n"
            f"<p class=quiet>{machine(data)}</p>\n"
            "<p>Four parts, each checked and then timed beside the same by hand, in turns, in this run. A figure says how many times "
            "as fast Wherry is: above 1 it is faster, below it is slower. Beside it stands the code.</p>\n")
    text += "".join(section_of(section, data, folder) for section in SECTIONS)
    text += "<h2>What to do next</h2>\n<dl>" + "".join(f"<dt><code>{html.escape(command)}</code></dt><dd>{html.escape(what)}</dd>\n"
                                                      for command, what in NEXT) + "</dl>\n"
    text += ("<p>A solver of your own begins with the ten lines in <code>README.md</code>; the pages in <code>docs/learn</code> "
             "have whole programs for each problem, in C++, C, Fortran and Python.</p>\n</html>\n")
    with open(page, "w", encoding="utf-8") as file:
        file.write(text)
