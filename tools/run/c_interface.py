"""What libwherry_c.so promises to programs that are compiled already: bindings/c/abi.txt lists every function, structure and constant
of the C headers. A change of a line breaks such programs, so that lint wants it to be made on purpose:

    python3 tools/run/c_interface.py --write

writes the list anew. The functions must also be those of bindings/c/exported.map, and options must not end with unused bytes (c_layout.py).
"""
import glob
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import c_layout  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDER = os.path.join(ROOT, "bindings", "c")
LIST, NAMES = os.path.join(FOLDER, "abi.txt"), os.path.join(FOLDER, "exported.map")


def code(path):
    """A header's declarations, without comments, preprocessor lines, the part for C++, and inline functions' bodies."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    constants = re.findall(r"^#define (WHERRY_\w+) (.+)$", text, flags=re.M)
    text = re.sub(r"^#ifdef __cplusplus\n(?:(?!#endif|#else).*\n)*(?:#else\n)?", "", text, flags=re.M)
    text = re.sub(r"^#.*(?:\\\n.*)*$", "", text, flags=re.M)
    text = re.sub(r"^(static inline [^{]*)\{.*?\}$", r"\1;", text, flags=re.M | re.S)
    text = re.sub(r"extern \"C\" \{|^\}$", "", text, flags=re.M)
    return constants, text


def declarations():
    """(kind, text) of all that the headers declare, in a normal form: one line each, single spaces."""
    found = []
    for path in sorted(glob.glob(os.path.join(FOLDER, "include", "**", "*.h"), recursive=True)):
        constants, text = code(path)
        found += [("constant", f"{name} {value.strip()}") for name, value in constants]
        depth, start = 0, 0
        for place, letter in enumerate(text):
            depth += {"{": 1, "}": -1}.get(letter, 0)
            if letter == ";" and depth == 0:
                line = re.sub(r"\s+", " ", text[start:place]).strip()
                line = re.sub(r" ?([*(),;{}=]) ?", r"\1", line)
                start = place + 1
                if line:
                    found.append(("function" if line.endswith(")") and not line.startswith("typedef") else "type", line))
    return found


def functions(found):
    return sorted({re.search(r"\b(wherry_\w+)\(", line).group(1) for kind, line in found
                   if kind == "function" and not line.startswith("static inline")})


def exported():
    with open(NAMES, encoding="utf-8") as file:
        return sorted(re.findall(r"^ +(wherry_\w+);$", file.read(), flags=re.M))


def faults():
    found = declarations()
    lines = [f"{kind}: {line}" for kind, line in found]
    with open(LIST, encoding="utf-8") as file:
        promised = [line.rstrip("\n") for line in file if not line.startswith("#")]
    result = [f"bindings/c/abi.txt: programs rely on '{line}', which the headers no longer have" for line in promised if line not in lines]
    result += [f"bindings/c/abi.txt has no '{line}': python3 tools/run/c_interface.py --write" for line in lines if line not in promised]
    declared, shown = functions(found), exported()
    result += [f"bindings/c/exported.map: {name} is declared and not shown" for name in declared if name not in shown]
    result += [f"bindings/c/exported.map: {name} is shown and not declared" for name in shown if name not in declared]
    return result + c_layout.faults(found)


def write():
    with open(LIST, "w", encoding="utf-8") as file:
        file.write("# What libwherry_c.so promises, written by tools/run/c_interface.py: a line that changes breaks compiled programs.\n")
        file.writelines(f"{kind}: {line}\n" for kind, line in declarations())


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        write()
    sys.exit("\n".join(faults()) or 0)
