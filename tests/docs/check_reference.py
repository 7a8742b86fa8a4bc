#!/usr/bin/env python3
"""Is docs/reference.md complete? Every member of every ..._options structure, and every WHERRY_ variable, must be there.

check_reference.py SOURCE_FOLDER
"""
import glob
import os
import re
import sys


def options(folder):
    """{structure: [members]} of the public headers."""
    found = {}
    for path in glob.glob(os.path.join(folder, "include", "wherry", "**", "*.hpp"), recursive=True):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for name, body in re.findall(r"^(?:template <int N> )?struct (\w*options) \{\n(.*?)^\};", text, re.S | re.M):
            body = re.sub(r"//.*|^  detail::.*", "", body, flags=re.M)  # members of a type in detail are ours
            found.setdefault(name, []).extend(re.findall(r"^  [^\n;(]*?\b(\w+)(?:\{[^}]*\}| = [^;]+)?;", body, re.M))
    return found


def settings(folder):
    with open(os.path.join(folder, "src", "core", "settings.cpp"), encoding="utf-8") as file:
        return re.findall(r'^      \{"\w+", "(WHERRY_\w+)"', file.read(), re.M)


def main():
    folder = sys.argv[1]
    with open(os.path.join(folder, "docs", "reference.md"), encoding="utf-8") as file:
        page = file.read()
    structures, missing = options(folder), []
    for name, members in structures.items():
        if f"`{name}`" not in page:
            missing.append(name)
            continue
        begin = page.index(f"`{name}`")
        # Its rows go on until the next structure's.
        following = re.search(r"`\w*options`", page[begin + len(name) + 2:])
        rows = page[begin:begin + len(name) + 2 + following.start()] if following else page[begin:]
        missing += [f"{name}::{member}" for member in members if member != "carry" and f"`{member}`" not in rows]
    variables = settings(folder)
    written = set(re.findall(r"`(WHERRY_\w+)`", page))
    for stem, tails in re.findall(r"`(WHERRY_\w+)`((?:, `_\w+`)+)", page):
        written |= {stem + tail for tail in re.findall(r"`(_\w+)`", tails)}
    missing += [name for name in variables if name not in written]
    if len(structures) < 15 or len(variables) < 15 or not all(structures.values()):
        sys.exit(f"this test does not find what there is: {structures}, {variables}")
    if missing:
        sys.exit("docs/reference.md lacks " + ", ".join(missing))
    print(f"{sum(map(len, structures.values()))} options and {len(variables)} settings: all there")


if __name__ == "__main__":
    main()
