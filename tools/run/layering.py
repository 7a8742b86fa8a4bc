"""The house's floors (DESIGN): who may include what.

An arrow goes down only; plan and geometry know no MPI; a pattern never includes another pattern's internals; what stands
outside the library (apps, bench, bindings, compat) uses public headers only. No header includes itself, however far around. The library calls MPI by its PMPI names.
"""
import os
import re

from .shell import ROOT

# A module and the modules that it may include besides itself.
PATTERNS = ("halo", "blocks", "particles", "deep", "collective", "notify")
LOWER = {"core": set(), "geometry": {"core"}, "plan": {"core", "geometry"}, "device": {"core", "geometry", "plan"},
         "flight": {"core"}, "channel": {"core", "flight"}, "transport": {"core", "geometry", "plan", "device", "flight", "channel"},
         "motion": {"core", "geometry", "plan", "device", "flight", "channel", "transport"}}
LOWER["gpi2"] = {"core", "geometry", "plan", "device", "flight", "channel", "transport"}  # a transport, in a library of its own
LOWER["sparse"] = {"core", "geometry", "plan", "device", "flight", "channel", "transport"}
for _pattern in PATTERNS:
    LOWER[_pattern] = LOWER["motion"] | {"motion", "sparse"} | set(PATTERNS) - {_pattern}
# MPI-free modules, and the MPI-free headers of core that they may include. Others of core would bring MPI in.
PURE = ("geometry", "plan")
OUTSIDE = ("apps", "bench", "bindings", "compat")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
# MPI by the name that users and tools may replace, whether it is called or only pointed to. Starting and ending it is for
# them to see, and types are no functions.
TYPES = ("Aint|Comm|Count|Datatype|Errhandler|Fint|File|Group|Info|Message|Offset|Op|Request|Session|Status|T_(?:enum|[a-z]+_handle|pvar_session)|Win"
         "|User_function|[A-Z][a-z_]+_function")
CALL = re.compile(r'(?<![A-Za-z_0-9"])(?<!operator )(?!MPI_(?:Init|Init_thread|Finalize|Abort)\()(?!MPI_(?:' + TYPES +
                  r')(?![A-Za-z0-9_]))MPI_[A-Z][A-Za-z0-9_]*[a-z][A-Za-z0-9_]*')
ENDINGS = (".hpp", ".h", ".cpp", ".c", ".cu", ".hxx", ".ipp")


def sources(*folders):
    for folder in folders:
        for place, subfolders, files in os.walk(os.path.join(ROOT, folder)):
            subfolders[:] = sorted(name for name in subfolders if not name.startswith(("build", ".")))
            for name in sorted(files):
                if name.endswith(ENDINGS):
                    yield os.path.relpath(os.path.join(place, name), ROOT)


def includes(path):
    """(line number, quote mark, what) of a file's includes."""
    with open(os.path.join(ROOT, path), encoding="utf-8", errors="replace") as text:
        for number, line in enumerate(text, 1):
            found = INCLUDE.match(line)
            if found:
                yield number, found.group(1), found.group(2)


def calls(path):
    """(line number, name) of MPI's functions in a file that are called, not defined, and not by their PMPI names."""
    with open(os.path.join(ROOT, path), encoding="utf-8", errors="replace") as text:
        for number, line in enumerate(text, 1):
            code = re.sub(r'"(?:[^"\\]|\\.)*"', '""', line.split("//")[0])
            if code.startswith('extern ""'):
                continue
            for found in CALL.findall(code):
                yield number, found


def _module_of(path):
    parts = path.split("/")
    if parts[0] == "src" and len(parts) > 2:
        return parts[1]
    if parts[:2] == ["include", "wherry"] and len(parts) > 3:
        return parts[2]
    return None


def _target(what, module):
    """(module, internal?) that an include names; (None, False) for others' headers."""
    parts = what.split("/")
    if parts[0] == "wherry" and len(parts) > 2:
        return parts[1], "detail" in parts or "internal" in parts
    if parts[0] in LOWER and len(parts) > 1:
        return parts[0], True  # src/<module>/x.hpp, found through src/ on the include path
    if len(parts) == 1 and module and os.path.exists(os.path.join(ROOT, "src", module, what)):
        return module, True
    return None, False


def _own(path, what):
    """Whether an include names a file of the includer's own folder tree (bench/halo/x.hpp as "halo/x.hpp")."""
    folder = os.path.dirname(path)
    while folder:
        if os.path.exists(os.path.join(ROOT, folder, what)):
            return True
        folder = os.path.dirname(folder)
    return False


def _brings_mpi(header, seen):
    """Whether include/<header> includes mpi.h, directly or through our own headers."""
    if header in seen:
        return False
    seen.add(header)
    path = os.path.join("include", header)
    if not os.path.exists(os.path.join(ROOT, path)):
        return False
    return any(what == "mpi.h" or _brings_mpi(what, seen) for _, _, what in includes(path))


def _header_of(path, what):
    """The header of ours that an include names, relative to the root; None for others'."""
    for place in (os.path.dirname(path), "include", "src"):
        found = os.path.normpath(os.path.join(place, what))
        if os.path.exists(os.path.join(ROOT, found)):
            return found
    return None


def cycles():
    """Headers that include each other, as lists, each once: what only works in one order of includes."""
    below, found = {}, []

    def visit(path, way):
        if path in way:
            found.append(way[way.index(path):])
        elif path not in below:
            named = (_header_of(path, what) for _, _, what in includes(path))
            below[path] = [header for header in named if header]
            for header in below[path]:
                visit(header, way + [path])

    for path in sources("include", "src"):
        visit(path, [])
    return found


def check():
    """The faults, as lines "file:number: what is wrong"."""
    faults = []
    for path in sources("include", "src"):
        for number, call in calls(path):
            faults.append(f"{path}:{number}: P{call} it must be: the library never meets a preloaded collective")
        module = _module_of(path)
        if module is None or module not in LOWER:
            continue
        for number, _, what in includes(path):
            place = f"{path}:{number}"
            target, internal = _target(what, module)
            if module in PURE and (what == "mpi.h" or _brings_mpi(what, set())):
                faults.append(f"{place}: {module} knows no MPI, but {what} brings mpi.h in")
            if target is None or target == module or target not in LOWER:
                continue
            if target not in LOWER[module]:
                faults.append(f"{place}: {module} may not include {target} (a higher floor)")
            elif module in PATTERNS and target in PATTERNS and internal:
                faults.append(f"{place}: {module} includes the internals of {target}")
            elif internal and path.startswith("include/") and not what.startswith("wherry/"):
                faults.append(f"{place}: a public header includes {what} from src/")
    for circle in cycles():
        faults.append(f"{circle[0]}: includes itself by way of {', '.join(circle[1:] + circle[:1])}")
    for path in sources(*OUTSIDE):
        for number, mark, what in includes(path):
            target, internal = _target(what, None)
            if target in LOWER and internal and not _own(path, what):
                faults.append(f"{path}:{number}: {path.split('/')[0]} uses public headers only, not {what}")
            elif "src/" in what and what.startswith(".."):
                faults.append(f"{path}:{number}: reaches into src/: {what}")
    return faults


def lengths():
    """(warnings, errors) for long files."""
    warnings, errors = [], []
    for path in sources("include", "src", "apps", "bench", "bindings", "compat", "tests"):
        with open(os.path.join(ROOT, path), encoding="utf-8", errors="replace") as text:
            count = sum(1 for _ in text)
        if count > 1000:
            errors.append(f"{path}: {count} lines; 1,000 is the limit")
        elif count > 400:
            warnings.append(f"{path}: {count} lines; past 400 a file asks to become two ideas")
    return warnings, errors
