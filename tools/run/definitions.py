"""No two classes of the library have one qualified name. No compiler sees two such classes in two files, and the linker takes the functions
of one for both. (The preset odr compares whole definitions in one link; this takes a second.)"""
import collections
import re

from . import layering
from .includes import read

FOLDERS = ("include", "src", "compat", "bindings")
OPENS = re.compile(r"(?:inline )?namespace ?([\w:]*)(?: \[\[.*\]\])? \{")
CLOSES = re.compile(r"\}  // (?:inline )?namespace")
# clang-format begins each definition of a namespace in the first column. A specialisation is no class of its own.
DEFINES = re.compile(r"(?:template <.*> )?(?:struct|class|enum class|union) (?:alignas\(\w+\) )?(?:\[\[.*\]\] )?([\w:]+)(?: final)?(?: : [^;]*)?(?: \{.*)?$")


def definitions(path):
    """(qualified name, line number) of the classes that a file defines outside of unnamed namespaces."""
    inside = []
    lines = read(path).splitlines()
    for number, line in enumerate(lines, 1):
        if found := OPENS.match(line):
            if not line.rstrip().endswith("}"):
                inside.append(found.group(1))
        elif CLOSES.match(line) and inside:
            inside.pop()
        elif (found := DEFINES.match(line)) and "" not in inside and any("{" in text for text in lines[number - 1:number + 3]):
            yield "::".join([*inside, found.group(1)]), number


def check():
    places = collections.defaultdict(list)
    for path in layering.sources(*FOLDERS):
        if path.endswith((".hpp", ".cpp", ".cu")):
            for name, number in definitions(path):
                places[name].append(f"{path}:{number}")
    return [f"{name} is defined more than once: {', '.join(where)}" for name, where in sorted(places.items()) if len(where) > 1]
