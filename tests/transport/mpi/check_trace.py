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


def tree(nodes, rank, root):
    """Whom a rank gets the data of a broadcast from, and gives them to: a node's first rank, or the root, to its node;
    those to each other along a binomial tree of the nodes, counted from the root's. nodes: of each rank."""
    leaders = {node: root if node == nodes[root] else nodes.index(node) for node in nodes}
    if leaders[nodes[rank]] != rank:
        return leaders[nodes[rank]], []
    order = sorted(leaders)
    order = order[order.index(nodes[root]):] + order[:order.index(nodes[root])]
    place = order.index(nodes[rank])
    above = leaders[order[place & (place - 1)]] if place else None
    reach = place & -place if place else len(order)  # of what is below
    below = [leaders[order[place + step]] for step in (1 << i for i in range(20)) if step < reach and place + step < len(order)]
    return above, sorted(below + [other for other, node in enumerate(nodes) if node == nodes[rank] and other != rank])


def streams_of(rank, ranks):
    """{call: [(event, peers)]}: what traced_program's deep copies are to show, by what it does alone."""
    apart = list(range(ranks))  # what goes by messages
    by_messages = os.environ.get("WHERRY_TRANSPORT", "auto") == "two_sided"
    size = int(os.environ.get("WHERRY_NODE_SIZE", "0")) or ranks
    nodes = apart if by_messages else [r // size for r in range(ranks)]

    def broadcast(root, places):
        source, to = tree(places, rank, root)
        return ("send", to) if rank == root else ("receive", [source])

    before, after = (rank - 1) % ranks, (rank + 1) % ranks
    every = {"deep::start_send": [("send", [after])], "deep::start_receive": [("receive", [before])],
             "deep::start_bcast": [broadcast(ranks - 1, apart)]}
    if ranks == 1:
        return every
    return every | {
        "deep::send": [("send", [after])] * (2 if rank + 1 < ranks else 0),
        "deep::receive": [("receive", [before])] * (2 if rank > 0 else 0),
        "deep::bcast": [broadcast(0, nodes)],
        "deep::allgather": [broadcast(root, nodes) for root in range(ranks)],
        "deep::gather": [("send", [0])] if rank else [("receive", [other]) for other in range(1, ranks)]}


def check_streams(events, rank, ranks, said):
    for call, expected in streams_of(rank, ranks).items():
        mine = [e for e in events if e["pid"] == rank and e["cat"] == call]
        moved = sorted((e["name"], e["args"].get("peers", [])) for e in mine if e["name"] != "wait")
        require(moved == sorted(expected), f"rank {rank}, {call}: {moved}, not {sorted(expected)}")
        peers = sorted({p for _, ranks_of in expected for p in ranks_of})
        # A broadcast that has not begun may come by either way.
        packed = tree(list(range(ranks)), rank, ranks - 1)[0]
        strange = [e for e in mine if e["name"] == "wait" and set(e["args"].get("peers", [])) - {*peers, packed}]
        require(not strange, f"rank {rank}, {call}: waits for {strange}, not {peers}")
        if rank == 0 and peers:
            listed = ", with rank " + ", ".join(map(str, peers))
            for where, text in (("the statistics", said.stderr), ("explain_streams", said.stdout)):
                lines = [two for two in zip(text.splitlines(), text.splitlines()[1:] + [""]) if f"{call}" in two[0]]
                require(any(f"{call}," in first and second.endswith(listed) or f"{call}:" in first and first.endswith(listed)
                            for first, second in lines), f"{where} do not say '{listed}' of {call}: {lines}")


def check_names(events, rank, ranks, said):
    """What has two of a kind is told apart."""
    def of(name, what):
        return [e for e in events if e["pid"] == rank and e["cat"] == name and e["name"] == what]

    # What is there already is not waited for.
    require(len(of("segment 'ring'", "wait")) <= 2 and len(of("segment 'other'", "wait")) <= 1, f"rank {rank}: too many waits")
    require(len(of("segment 'ring'", "copy out")) == 1 and not of("segment 'other'", "copy out"), f"rank {rank}: copies out")
    for what in ("publish", "read", "await readers"):
        require(len(of("published_layouts 'rims'", what)) == 1, f"rank {rank}: not one {what} of 'rims'")
    if rank == 0:
        counted = [line.split(": ")[2].split(",")[0] for line in said.stderr.splitlines() if "wherry: segment 'ring', rank 0" in line]
        require(counted == ["3 exchanges"], f"segment 'ring' has counted {counted}")
        for line in (f"wherry: segment 'other', rank 0 of {ranks}", f"wherry: published_layouts 'rims', rank 0 of {ranks}"):
            require(line in said.stderr, f"the statistics do not say: {line}")
        for line in ("segment 'ring' of 80 bytes", "segment 'other' of 80 bytes", "'rims':\n"):
            require(line in said.stdout, f"explain() does not say: {line}")


def check_collectives(events, rank, ranks, said):
    """What traced_program's collectives show: (collective, implementation): {event: how many}, and the bytes of each."""
    both_ways = 48 if ranks > 1 else 0
    expected = {("allreduce", "recursive_doubling"): ({"run": 2}, both_ways),
                ("allreduce", "ring"): ({"begin": 3, "wait": 3, "end": 3}, both_ways),
                ("bcast", "binomial"): ({"begin": 1, "wait": 1, "end": 1}, both_ways // 2),
                ("scan", "mpi"): ({"run": 1}, 24 * ((rank > 0) + (rank + 1 < ranks)))}
    for (what, by), (names, size) in expected.items():
        mine = [e for e in events if e["pid"] == rank and e["cat"] == what and e["args"]["transport"] == by]
        counted = {name: sum(e["name"] == name for e in mine) for name in {e["name"] for e in mine}}
        require(counted == names, f"rank {rank}, {what} by {by}: {counted}, not {names}")
        require(all(e["args"]["bytes"] == size for e in mine), f"rank {rank}, {what}: {mine}, not {size} B")
        for name, count in names.items():
            numbers = sorted(e["args"]["number"] for e in mine if e["name"] == name)
            require(numbers == list(range(1, count + 1)), f"rank {rank}, {what}: numbered {numbers}")
    strange = {e["cat"] for e in events if e["name"] in ("run", "begin", "end")} - {what for what, _ in expected}
    require(not strange, f"events of {strange}, which nobody has called")
    if rank == 0:
        lines = said.stderr.splitlines()
        place = lines.index("wherry: scan, rank 0, by mpi: 1 calls")
        require(lines[place + 1] == "wherry:   1 of them fell through: ring cannot: there is no such algorithm for it",
                f"the statistics do not say why: {lines[place:place + 2]}")


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
        streams = [e for e in events if e["pid"] == rank and e["cat"] == "deep::bcast" and e["name"] != "wait"]
        require(ranks == 1 or (streams and all(8000 <= e["args"]["bytes"] < 8200 for e in streams)),
                f"rank {rank}: streams of {[e['args'] for e in streams]}")
        check_streams(events, rank, ranks, run)
        check_names(events, rank, ranks, run)
        check_collectives(events, rank, ranks, run)
    print(f"{len(events)} events of {ranks} ranks: right")


if __name__ == "__main__":
    main()
