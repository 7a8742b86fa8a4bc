"""Bar charts as inline SVG."""
import html

WIDTH, ROW, BAR = 560, 42, 18  # user units, of which the page makes what its width allows
OURS, OTHERS, INK, QUIET = "#1f6feb", "#a8b5c2", "#1c2733", "#66727f"
LETTER, SMALL_LETTER = 8.6, 6.8  # at least the width of one, in names and under them
SHOWN = 70  # room for what is written at a bar's end


class Bar:
    """One bar: what it is, how long, what is written at its end; `about` is a second, smaller line under the name."""

    def __init__(self, name, value, shown, about="", ours=True, steady=True):
        self.name, self.value, self.shown, self.about, self.ours, self.steady = name, value, shown, about, ours, steady


def _text(x, y, words, style=""):
    return f"<text x='{x:.1f}' y='{y:.1f}' {style}>{html.escape(words)}</text>"


def bars(rows, title, mark=None, mark_name=""):
    """The rows under each other. `mark` is a value at which a line is drawn, called `mark_name`."""
    left = min(330.0, 30 + max(max(LETTER * len(row.name), SMALL_LETTER * len(row.about)) for row in rows))
    room = WIDTH - left - SHOWN
    scale = room / max([row.value for row in rows] + ([mark] if mark else []))
    top = 30
    height = top + ROW * len(rows) + (24 if mark else 4)
    drawn = [f"<svg viewBox='0 0 {WIDTH} {height}' role='img' aria-label='{html.escape(title, quote=True)}' font-size='14' fill='{INK}' "
             "font-family='system-ui, sans-serif'>", _text(0, 16, title, "font-weight='600'")]
    for number, row in enumerate(rows):
        y = top + ROW * number
        middle = y + 14 if row.about else y + 19
        drawn.append(_text(left - 10, middle, row.name, "text-anchor='end'" + (" font-weight='600'" if row.ours else "")))
        if row.about:
            drawn.append(_text(left - 10, y + 30, row.about, f"text-anchor='end' font-size='12' fill='{QUIET}'"))
        drawn.append(f"<rect x='{left:.1f}' y='{y + 5}' width='{max(1.0, row.value * scale):.1f}' height='{BAR}' rx='2' "
                     f"fill='{OURS if row.ours else OTHERS}' fill-opacity='{1 if row.steady else 0.45}'/>")
    if mark:
        x, bottom = left + mark * scale, top + ROW * len(rows)
        drawn.append(f"<line x1='{x:.1f}' y1='{top - 4}' x2='{x:.1f}' y2='{bottom}' stroke='{INK}' stroke-dasharray='4 3'/>")
        drawn.append(_text(x, bottom + 16, mark_name, f"text-anchor='middle' font-size='12' fill='{QUIET}'"))
    for number, row in enumerate(rows):  # over the line
        drawn.append(_text(left + row.value * scale + 6, top + ROW * number + 19, row.shown + ("" if row.steady else " ?"),
                           "stroke='white' stroke-width='5' paint-order='stroke'"))
    return "".join(drawn) + "</svg>"
