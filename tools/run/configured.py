"""Whether a build tree is configured as it is asked for: then CMake need not run. Where CMake's own files change, ninja runs it."""
import glob
import hashlib
import json
import os

from . import codemodel, needs
from .shell import ROOT


class Asked:
    """What a tree is to be configured with."""

    def __init__(self, definitions, version):
        self._definitions = dict(_definition(word) for word in definitions)
        with open(os.path.join(ROOT, "CMakePresets.json"), "rb") as file:
            presets = hashlib.sha256(file.read()).hexdigest()
        # CMake has looked for these, and ninja does not know of them.
        self._outside = {"presets": presets, "mpi": version, "libraries": sorted(needs.present())}

    def holds_in(self, tree):
        """True where the tree has been configured so, completely."""
        return (_kept(tree) == self._outside and os.path.exists(os.path.join(tree, "build.ninja"))
                and bool(glob.glob(os.path.join(tree, codemodel.API, "reply", "index-*.json")))
                and self._definitions.items() <= cache(tree).items())

    def keep(self, tree):
        with open(_file(tree), "w", encoding="utf-8") as file:
            json.dump(self._outside, file, indent=1)


def forget(tree):
    """To be called before CMake runs, which may fail half way."""
    if os.path.exists(_file(tree)):
        os.remove(_file(tree))


def _definition(word):
    name, _, value = word[len("-D"):].partition("=")
    return name.partition(":")[0], value


def _file(tree):
    return os.path.join(tree, "configured.json")


def _kept(tree):
    try:
        with open(_file(tree), encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError):
        return None


def cache(tree):
    """{name: value} of CMakeCache.txt."""
    try:
        with open(os.path.join(tree, "CMakeCache.txt"), encoding="utf-8", errors="replace") as file:
            return dict(_definition("-D" + line.rstrip("\n")) for line in file if "=" in line and not line.startswith(("#", "//")))
    except OSError:
        return {}
