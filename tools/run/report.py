"""From the demonstration's JSON to one HTML page that needs nothing else. Plots where matplotlib is there."""
import html
import io
import json
import os
import sys
import time

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1c2733; }
table { border-collapse: collapse; margin: 1rem 0; font-size: 14px; }
th, td { padding: .25rem .7rem; border-bottom: 1px solid #d5dde5; text-align: right; }
th:first-child, td:first-child { text-align: left; }
.good { color: #11703b; } .bad { color: #b3261e; font-weight: 600; } .quiet { color: #66727f; }
svg { max-width: 100%; height: auto; } h2 { margin-top: 2.5rem; }
"""


FIXED = ("bench", "case", "ranks", "mpi", "peer", "rounds", "halo_cells_a_rank")  # a line above the table when all the same


def figure_of(value):
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}" if abs(value) < 1e-3 or abs(value) >= 1e6 else f"{value:,.3f}".rstrip("0").rstrip(".")
    return str(value)


def table(rows, columns=None):
    """An HTML table of dictionaries; without `columns` all plain entries in the order of first use."""
    if columns is None:
        columns = []
        for row in rows:
            columns += [key for key, value in row.items() if key not in columns and not isinstance(value, (list, dict))]
    head = "".join(f"<th>{html.escape(name.replace('_', ' '))}</th>" for name in columns)
    body = ""
    for row in rows:
        cells = ""
        for name in columns:
            value = row.get(name, "")
            if name in ("norm", "reference") and isinstance(value, float):
                value = f"{value:.12e}"
            mark = ""
            if name in ("verified", "correct", "passed", "ok") and isinstance(value, bool):
                mark = ' class="good"' if value else ' class="bad"'
            cells += f"<td{mark}>{html.escape(figure_of(value))}</td>"
        body += f"<tr>{cells}</tr>\n"
    return f"<table><tr>{head}</tr>\n{body}</table>"


def common_and_own(rows):
    """What all rows share, as one line, and the columns in which they differ."""
    names = []
    for row in rows:
        names += [key for key, value in row.items() if key not in names and not isinstance(value, (list, dict))]
    shared = [n for n in names if len(rows) > 1 and n in FIXED and all(row.get(n) == rows[0].get(n) for row in rows)]
    line = ", ".join(f"{n.replace('_', ' ')}: {figure_of(rows[0][n])}" for n in shared)
    return line, [n for n in names if n not in shared]


def plot(draw, width=8.0, height=3.4):
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
    except (ValueError, TypeError, KeyError):
        return ""  # records without the expected figures: the table shows them
    finally:
        pyplot.close(figure)
    svg = text.getvalue()
    return svg[svg.index("<svg"):]


def numbers(records, *names):
    return [r for r in records if all(isinstance(r.get(n), (int, float)) and not isinstance(r.get(n), bool) for n in names)]


def plot_comparison(records):
    """Ours beside each peer, a group a case, as times faster."""
    usable = numbers(records, "ours_us", "peer_us")
    usable = [record for record in usable if record["ours_us"] > 0]
    if not usable:
        return ""

    def draw(axes):
        same = len({(r.get("case"), r.get("peer")) for r in usable}) == 1
        labels = [str(r.get("ours", "ours")) + ("" if same else f"\n{r.get('case', '')}, against {r.get('peer', 'peer')}")
                  for r in usable]
        # `ratio` (ours to peer) pairs the rounds, so it is steadier than the quotient of two medians.
        ratios = [1 / r["ratio"] if isinstance(r.get("ratio"), float) and r["ratio"] > 0 else r["peer_us"] / r["ours_us"]
                  for r in usable]
        colours = ["#1f6feb" if r.get("steady", True) else "#9dbcea" for r in usable]
        places = list(range(len(usable)))[::-1]
        axes.barh(places, ratios, color=colours)
        axes.axvline(1, color="#66727f", linewidth=1)
        axes.set_yticks(places, labels, fontsize=7)
        axes.set_xlabel(f"times faster than {usable[0].get('peer', 'the peer') if same else 'the peer'} "
                        "(right of 1: Wherry is faster; pale: not steady)")

    return plot(draw, height=1.2 + 0.38 * len(usable))


def plot_convergence(records):
    usable = [r for r in records if isinstance(r.get("convergence"), list) and len(r["convergence"]) > 1]
    if not usable:
        return ""

    def draw(axes):
        for record in usable:
            values = [value[-1] if isinstance(value, list) else value for value in record["convergence"]]
            axes.semilogy(range(len(values)), values, marker="o", markersize=3,
                          label=f"class {record.get('class', '?')}, {record.get('ranks', '?')} ranks")
        axes.set_xlabel("iteration")
        axes.set_ylabel("norm of the residual")
        axes.legend(fontsize=8)

    return plot(draw)


def section(part):
    records = part["records"]
    state = "<span class=good>good</span>" if part["status"] == 0 else f"<span class=bad>{part['note'] or 'failed'}</span>"
    if part["status"] is None:
        state = f"<span class=quiet>{html.escape(part['note'])}</span>"
    ranks = f"{part['ranks']} ranks" if part["ranks"] else "without mpirun"
    title = html.escape(f"{part['program']} {' '.join(part['arguments'])}, {ranks}")
    text = f"<h3>{title}: {state}, {part['seconds']:.1f} s</h3>\n"
    text += plot_comparison(records)
    groups = {}
    for record in records:
        groups.setdefault(tuple(k for k, v in record.items() if not isinstance(v, (list, dict))), []).append(record)
    for rows in groups.values():
        line, columns = common_and_own(rows)
        if columns:
            text += f"<p class=quiet>{html.escape(line)}</p>{table(rows, columns)}"
    return text


def write(results, page):
    with open(results, encoding="utf-8") as file:
        data = json.load(file)
    parts = data["parts"]
    text = f"<!doctype html><html lang=en><meta charset=utf-8><title>Wherry: demonstration</title><style>{STYLE}</style>\n"
    text += "<h1>Wherry: demonstration</h1>\n"
    text += (f"<p class=quiet>{time.strftime('%Y-%m-%d %H:%M')}, {html.escape(data['mpi'])}, {os.cpu_count()} cores. "
             "Every comparison was measured in the same run; a short run on a busy machine says little about small "
             "differences.</p>\n")
    halo = [part for part in parts if part["program"] == "halo_demo"]
    text += "<h2>Halo exchange</h2>\n" + "".join(section(part) for part in halo)
    grids = [part for part in parts if part["program"] == "nas_mg"]
    text += "<h2>NAS MG: a multigrid solver</h2>\n"
    text += plot_convergence([record for part in grids for record in part["records"]])
    text += "".join(section(part) for part in grids)
    flows = [part for part in parts if part["program"] == "lattice_boltzmann"]
    text += "<h2>Lattice Boltzmann: a flow solver, its halo exchange in several ways</h2>\n"
    text += "".join(section(part) for part in flows)
    with open(page, "w", encoding="utf-8") as file:
        file.write(text + "</html>\n")


if __name__ == "__main__":
    write(sys.argv[1], sys.argv[2])
