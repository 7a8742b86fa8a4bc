"""What a configured build tree would build: CMake's own answer (its file API), before anything is built."""
import glob
import json
import os

API = os.path.join(".cmake", "api", "v1")


def ask(tree):
    """To be called before configuring: CMake answers in the tree."""
    folder = os.path.join(tree, API, "query")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "codemodel-v2"), "w", encoding="utf-8"):
        pass


class Model:
    """The targets of a tree."""

    def __init__(self, programs, sources):
        self.programs = programs  # path of a program in the build tree -> target
        self.sources = sources    # target -> absolute paths of its sources


def read(tree):
    replies = os.path.join(tree, API, "reply")
    newest = max(glob.glob(os.path.join(replies, "index-*.json")))
    index = _load(newest)
    model = _load(os.path.join(replies, index["reply"]["codemodel-v2"]["jsonFile"]))
    source_folder, build_folder = model["paths"]["source"], model["paths"]["build"]
    programs, sources = {}, {}
    for entry in model["configurations"][0]["targets"]:
        target = _load(os.path.join(replies, entry["jsonFile"]))
        if target["type"] != "EXECUTABLE":
            continue
        sources[target["name"]] = [os.path.join(source_folder, source["path"]) for source in target.get("sources", [])]
        for artifact in target.get("artifacts", []):
            programs[os.path.join(build_folder, artifact["path"])] = target["name"]
    return Model(programs, sources)


def _load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)
