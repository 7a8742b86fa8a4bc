"""Which tests run, and which programs they need: known once a tree is configured, before anything is built."""
import json
import re

from . import shell, toolchain
from .shell import Failure

TEST = re.compile(r"^\s*WHERRY_(?:UNIT_)?TEST\((\w+)", re.MULTILINE)


def entries(tree):
    """ctest's entries: [{name, labels, command, after}]; the command of a program without arguments that is not built is []."""
    status, text = shell.capture([toolchain.ctest(), "--test-dir", tree, "--show-only=json-v1"])
    if status:
        raise Failure(f"ctest cannot list the tests of {tree}:\n{text}")
    result = []
    for test in json.loads(text[text.index("{"):]).get("tests", []):
        properties = {item["name"]: item["value"] for item in test.get("properties", [])}
        result.append({"name": test["name"], "labels": properties.get("LABELS", []),
                       "command": test.get("command", []), "after": properties.get("DEPENDS", [])})
    return result


def tests_inside(target, model):
    """The names of the tests of a test program, target.name, as its sources have them."""
    names = []
    for path in model.sources.get(target, []):
        try:
            with open(path, encoding="utf-8", errors="replace") as source:
                names += TEST.findall(source.read())
        except OSError:
            continue  # made by the build
    return [f"{target}.{name}" for name in names]


def programs(test, model):
    """The targets that a test starts."""
    found = [model.programs[word] for word in test["command"] if word in model.programs]
    # ctest keeps quiet about a command that is one program, not yet built: such an entry is called like its target.
    found = found or [target for target in model.sources if target == test["name"]]
    if not found and not test["command"]:
        raise Failure(f"the test {test['name']} is one program without arguments: it has to be called like the program's target")
    return found


def fits(test, only, model):
    """Whether `only` is part of the entry's name, or of the name of a test inside; with $ behind it: its end."""
    names = [test["name"]]
    if "harness" in test["labels"]:
        names += [name for target in programs(test, model) for name in tests_inside(target, model)]
    return any(name.endswith(only[:-1]) if only.endswith("$") else only in name for name in names)


def choose(tests, model, only="", ranks=None, labels=(), without=()):
    """The entries to run."""
    chosen = []
    for test in tests:
        counts = [int(label[6:]) for label in test["labels"] if label.startswith("ranks_")]
        if ranks and counts and not set(counts) & set(ranks):
            continue
        if labels and not set(labels) & set(test["labels"]) or set(without) & set(test["labels"]):
            continue
        if not only or fits(test, only, model):
            chosen.append(test)
    return chosen


def targets(chosen, tests, model):
    """What has to be built for the chosen entries."""
    by_name = {test["name"]: test for test in tests}
    wanted, queue, seen = set(), list(chosen), set()
    while queue:
        test = queue.pop()
        if test["name"] in seen:
            continue
        seen.add(test["name"])
        if "consumer" in test["labels"] and "consumer_source" not in test["labels"]:
            wanted.add("wherry_installed")
        if "python" in test["labels"]:
            wanted.add("bench_python" if "bench" in test["labels"] else "wherry_python")
        wanted.update(programs(test, model))
        queue += [by_name[name] for name in test["after"] if name in by_name]
    return sorted(wanted)
