"""Tables, targets and records of comparisons."""
import json
import sys

COLOUR = sys.stdout.isatty()


WIDE = 0.3  # a spread (interquartile range over median) beyond which nothing is concluded


def void(probe, *timings):
    """Why a comparison does not count, or nothing. `probe`: what measure_steadily says of the machine, or None."""
    if probe and probe["busy"]:
        return "the machine is busy"
    if probe and not probe["steady"]:
        return "the placement changed"
    spread = max((t["spread"] for t in timings), default=0)
    return f"spread {100 * spread:.0f} %" if spread > WIDE else ""


def us(value):
    return f"{value:,.0f}" if value >= 1000 else f"{value:.1f}" if value < 100 else f"{value:.0f}"


def paint(text, code):
    return f"\033[{code}m{text}\033[0m" if COLOUR else text


def table(head, rows, indent="  "):
    """Prints rows of strings under a head; the first column is left-aligned, the others right. A row that is a string
    becomes a line of its own."""
    full = [head] + [row for row in rows if not isinstance(row, str)]
    widths = [max(len(row[column]) for row in full) for column in range(len(head))]
    for number, row in enumerate([head] + rows):
        if isinstance(row, str):
            print(indent + paint(row, "1"))
            continue
        words = [row[0].ljust(widths[0])] + [word.rjust(width) for word, width in zip(row[1:], widths[1:])]
        line = indent + "  ".join(words)
        print(paint(line, "2") if number == 0 else line)


class Verdicts:
    """Targets met and missed."""

    def __init__(self):
        self.met, self.missed, self.void = 0, [], 0

    def judge(self, what, value, target, void="", unit="", least=False):
        """One line for a figure that should be at most (or at least) its target; `void` says why it does not count."""
        shown = f"{value:.2f}{unit}" if value < 100 else f"{value:.0f}{unit}"
        line = f"{what}: {shown}, target {'≥' if least else '≤'} {target:g}{unit}"
        if void:
            self.void += 1
            print(f"  {line}: " + paint("void, " + void, "33"))
        elif value >= target if least else value <= target:
            self.met += 1
            print(f"  {line}: " + paint("met", "32"))
        else:
            by = f"missed by {100 * abs(value / target - 1):.0f} %" if target else "missed"
            self.missed.append(line)
            print(f"  {line}: " + paint(by, "31"))

    def summary(self):
        print(f"\ntargets: {self.met} met, {len(self.missed)} missed, {self.void} void")
        for line in self.missed:
            print("  missed: " + line)


def comparison(bench, case, ranks, mpi, ours, peer, steady):
    """A record of our timing beside a peer's; a ratio below 1 means that ours is faster."""
    return {"bench": bench, "case": case, "ranks": ranks, "mpi": mpi, "ours": ours["method"],
            "ours_us": round(ours["us"], 3), "peer": peer["method"], "peer_us": round(peer["us"], 3),
            "ratio": round(ours["us"] / peer["us"], 4), "spread": round(max(ours["spread"], peer["spread"]), 4),
            "steady": steady}


def write_json(path, records):
    with open(path, "w", encoding="utf-8") as out:
        out.write("[\n" + ",\n".join(" " + json.dumps(record) for record in records) + "\n]\n")
    print(f"wrote {path}: {len(records)} records")
