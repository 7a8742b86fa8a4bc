#!/usr/bin/env python3
"""Runs traced_program and looks at what it has written: check_trace.py SCHEMA TRACE RANKS COMMAND...

The trace must be valid by the schema in docs/, as far as JSON Schema is used there, and say what the program has done.
"""
import json
import os
import subprocess
import sys

TYPES = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float)}


def faults(value, rule, root, where="trace"):
    """What is wrong with a value, by a schema: $ref, oneOf, type, const, enum, minimum, required, properties, items."""
    known = {"$schema", "$defs", "title", "description", "$ref", "oneOf", "type", "const", "enum", "minimum", "required",
             "properties", "additionalProperties", "items"}
    if set(rule) - known:
        raise SystemExit(f"this test does not know {set(rule) - known} of JSON Schema")
    if "$ref" in rule:
        return faults(value, root["$defs"][rule["$ref"].split("/")[-1]], root, where)
    if "oneOf" in rule:
        tried = [faults(value, one, root, where) for one in rule["oneOf"]]
        return [] if sum(not t for t in tried) == 1 else [f"{where}: not one of {len(tried)}: {min(tried, key=len)}"]
    found = []
    if "type" in rule and (not isinstance(value, TYPES[rule["type"]]) or isinstance(value, bool)):
        return [f"{where} is {value!r}, not of type {rule['type']}"]
    if "const" in rule and value != rule["const"]:
        found.append(f"{where} is {value!r}, not {rule['const']!r}")
    if "enum" in rule and value not in rule["enum"]:
        found.append(f"{where} is {value!r}, none of {rule['enum']}")
    if "minimum" in rule and value < rule["minimum"]:
        found.append(f"{where} is {value!r}")
    found += [f"{where} has no {name}" for name in rule.get("required", []) if name not in value]
    if rule.get("additionalProperties", True) is False:
        found += [f"{where} has a {name}" for name in value if name not in rule["properties"]]
    for name, inner in rule.get("properties", {}).items():
        if name in value:
            found += faults(value[name], inner, root, f"{where}.{name}")
    if "items" in rule:
        for place, item in enumerate(value):
            found += faults(item, rule["items"], root, f"{where}[{place}]")
    return found


def require(holds, what):
    if not holds:
        raise SystemExit(what)


def check_exchange(events, rank, ranks, name, exchanges, sent):
    """All starts and waits of one exchange on a ring of ranks."""
    mine = [e for e in events if e["pid"] == rank and e["cat"] == name]
    neighbours = sorted({(rank - 1) % ranks, (rank + 1) % ranks} - {rank})
    for what in ("start", "wait"):
        spans = [e for e in mine if e["name"] == what]
        require(len(spans) == exchanges, f"rank {rank}: {len(spans)} × {what} of {name}, not {exchanges}")
        for e in spans:
            args = e["args"]
            require(args["peers"] == neighbours, f"rank {rank}, {name}: peers {args['peers']}, not {neighbours}")
            require(args["bytes_sent"] == args["bytes_received"] == sent, f"rank {rank}, {name}: {args}, not {sent} B")
        require(sorted(e["args"]["number"] for e in spans)[-1] <= exchanges, f"rank {rank}, {name}: numbered {spans}")
    return {e["args"]["bound"] for e in mine if e["name"] == "start"}


def main():
    schema, path, ranks = sys.argv[1], sys.argv[2], int(sys.argv[3])
    if os.path.exists(path):
        os.remove(path)
    run = subprocess.run(sys.argv[4:], env=dict(os.environ, WHERRY_TRACE=path, WHERRY_STATS="1"), check=False, text=True,
                         capture_output=True)
    print(run.stdout, run.stderr)
    require(run.returncode == 0, f"the program ended with status {run.returncode}")
    for name in ("pressure", "velocity"):
        require(f"'{name}':" in run.stdout, f"explain() does not say '{name}'")
        require(f"wherry: halo exchange '{name}', rank 0 of {ranks}" in run.stderr, f"the statistics do not say '{name}'")
    with open(schema, encoding="utf-8") as file:
        rule = json.load(file)
    with open(path, encoding="utf-8") as file:
        trace = json.load(file)
    found = faults(trace, rule, rule)
    require(not found, "\n".join(found[:20]))
    damaged = [dict(trace[-1], ts="now"), {"name": "process_name"}]
    require(all(faults([one], rule, rule) for one in damaged), "the schema finds nothing wrong with what is")
    events = [e for e in trace if e["ph"] == "X"]
    require({e["pid"] for e in trace if e["ph"] == "M"} == set(range(ranks)), "not all ranks have a name")
    for rank in range(ranks):
        others = 2 if ranks > 1 else 0  # sides of the ring on which somebody else is
        bound = [check_exchange(events, rank, ranks, "halo exchange 'pressure'", 3, others * 2 * 8),
                 check_exchange(events, rank, ranks, "halo exchange 'velocity'", 3, others * 1 * 4),
                 check_exchange(events, rank, ranks, "halo exchange", 1, others * (2 * 8 + 4))]
        require(len(set.union(*bound)) == 3, f"rank {rank}: bound exchanges are not told apart: {bound}")
        streams = [e for e in events if e["pid"] == rank and e["cat"] == "deep::broadcast" and e["name"] != "wait"]
        require(ranks == 1 or (streams and all(8000 <= e["args"]["bytes"] < 8200 for e in streams)),
                f"rank {rank}: streams of {[e['args'] for e in streams]}")
    print(f"{len(events)} events of {ranks} ranks: right")


if __name__ == "__main__":
    main()
