"""Tables, targets and records of comparisons."""
import json
import statistics
import sys

COLOUR = sys.stdout.isatty()


WIDE = 0.3  # a spread (interquartile range over median) beyond which nothing is concluded


def ratios(ours, peer):
    """Ours over the peer's, round by round: what disturbs the machine for a while disturbs both. Empty where the
    samples are not there."""
    pairs = zip(ours.get("samples", []), peer.get("samples", []))
    return sorted(mine / other for mine, other in pairs if other > 0)


def ratio(ours, peer):
    """The median of the rounds' ratios; of two medians where there are no rounds."""
    found = ratios(ours, peer)
    return statistics.median(found) if found else ours["us"] / peer["us"]


def spread_of(*timings):
    """Of the rounds' ratios of two timings that were taken side by side; else the larger of the timings' own."""
    found = ratios(*timings) if len(timings) == 2 else []
    if len(found) < 4:
        return max((t["spread"] for t in timings), default=0)
    lower, middle, upper = statistics.quantiles(found, n=4)
    return (upper - lower) / middle


def void(probe, *timings):
    """Why a comparison does not count, or nothing. `probe`: what measure_steadily says of the machine, or None."""
    if probe and probe["one_core"]:
        return "the ranks shared a core"
    if probe and not probe["steady"]:
        return "the placement changed"
    spread = spread_of(*timings)
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
            "ratio": round(ratio(ours, peer), 4), "spread": round(spread_of(ours, peer), 4),
            "steady": steady}


def counts(records, label):
    """A table of what calls do whose peers have already come; `label(record)` names one. Gives the records."""
    found = [r for r in records if r["kind"] == "count"]
    for r in records:
        if r["kind"] == "left out":
            print(f"left out: {r['why']}")
        elif r["kind"] == "wrong":
            print(f"WRONG: {r}")
    print("\ncounted on rank 0, whose peers have already come: instructions outside the kernel, and distinct lines of 64 bytes"
          "\nof memory that other processes see; medians of 5 calls, least to most in brackets where they differ")

    def shown(r, what):
        least, most = r["least_" + what], r["most_" + what]
        return f"{r[what]:.0f}" + (f" ({least:.0f} to {most:.0f})" if least != most else "")

    table(["", "instructions", "shared lines"], [[label(r), shown(r, "instructions"), shown(r, "shared_lines")] for r in found])
    return found


def write_json(path, records):
    with open(path, "w", encoding="utf-8") as out:
        out.write("[\n" + ",\n".join(" " + json.dumps(record) for record in records) + "\n]\n")
    print(f"wrote {path}: {len(records)} records")
