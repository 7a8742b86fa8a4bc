#!/usr/bin/env python3
"""Every public class of the headers has to be named in the walk of tests/transport/mpi/moved_from.cpp."""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parents[2]
walk = root / "tests/transport/mpi/moved_from.cpp"
definition = re.compile(r"^(?:template <.*> )?class (?:\[\[\w+\]\] )?([\w:]+)(?: final)?(?: :.*)? ?{", re.M)


def without_detail(text: str) -> str:
    """The text without what is in namespace detail."""
    return re.sub(r"^namespace (?:\w+::)*detail {.*?^}  // namespace (?:\w+::)*detail$", "", text, flags=re.M | re.S)


def classes(header: pathlib.Path) -> set[str]:
    text = without_detail(header.read_text())
    found = {name.split("::")[-1] for name in definition.findall(text)}
    return {name for name in found if f"{name}(const {name}&) = delete" not in text}


named = set(re.findall(r"\w+", " ".join(re.findall(r'"([\w, ]+)"', walk.read_text()))))
headers = [h for h in (root / "include/wherry").rglob("*.hpp") if "detail" not in h.parts]
found = {name: header for header in headers for name in classes(header)}
if len(found) < 50:
    sys.exit(f"only {len(found)} classes were found in {len(headers)} headers: the pattern is wrong")
missing = sorted(set(found) - named)
for name in missing:
    print(f"{found[name].relative_to(root)}: {name} is public and can be moved; {walk.relative_to(root)} does not say what "
          "becomes of one that was moved from")
sys.exit(1 if missing else 0)
