"""What the presets of CMakePresets.json set."""
import json
import os

from .shell import ROOT


def value(preset, name):
    """The preset's value of a variable of CMake, its own or inherited; "" where it has none."""
    with open(os.path.join(ROOT, "CMakePresets.json"), encoding="utf-8") as file:
        presets = {one["name"]: one for one in json.load(file)["configurePresets"]}
    while preset:
        found = presets[preset].get("cacheVariables", {}).get(name)
        if found is not None:
            return found
        preset = presets[preset].get("inherits")
    return ""
