"""Each file includes the standard headers of the names that it uses, itself or in its own header. Other headers include them by chance, and
not with every compiler's library (<functional> of GCC 14 no longer includes <cstdint>)."""
import os
import re

from . import layering

FOLDERS = ("include", "src", "apps", "bench", "bindings", "compat", "tests")
# A header, and some of its names.
NAMES = {
    "algorithm": r"std::(?:sort|any_of|all_of|none_of|count|count_if|find|find_if|copy|copy_n|fill|fill_n|max_element|min_element|lower_bound|unique|"
                 r"transform|equal|partition|reverse)\(",
    "array": r"std::array<",
    "atomic": r"std::atomic\b",
    "chrono": r"std::chrono\b",
    "cmath": r"std::(?:sqrt|fabs|pow|floor|ceil|isnan|isinf|sin|cos|exp|log)\(",
    "cstdint": r"std::u?int(?:8|16|32|64|ptr)_t\b",
    "cstring": r"std::(?:memcpy|memset|memcmp|memmove|strlen|strncpy|strcmp)\(",
    "functional": r"std::function<",
    "limits": r"std::numeric_limits\b",
    "memory": r"std::(?:unique_ptr|make_unique|shared_ptr|make_shared)<",
    "numeric": r"std::(?:accumulate|iota)\(",
    "optional": r"std::optional<",
    "thread": r"std::(?:this_)?thread\b",
    "tuple": r"std::(?:tuple<|tie\()",
    "utility": r"std::(?:exchange\(|pair<)",
}


def read(path):
    with open(os.path.join(layering.ROOT, path), encoding="utf-8", errors="replace") as file:
        return file.read()


def missing(path):
    text = read(path)
    code = re.sub(r'//.*|"(?:[^"\\\n]|\\.)*"', "", text)
    has = text
    own = os.path.splitext(path)[0] + ".hpp"
    public = own.replace("src/", "include/wherry/", 1)
    for header in {own, public} - {path}:
        if os.path.exists(os.path.join(layering.ROOT, header)):
            has += read(header)
    return [name for name, pattern in NAMES.items()
            if re.search(pattern, code) and not re.search(r"#\s*include\s*<" + name + ">", has)]


def check():
    return [f"{path}: names what <{name}> has, and does not include it"
            for path in layering.sources(*FOLDERS) if path.endswith((".hpp", ".cpp")) for name in missing(path)]
