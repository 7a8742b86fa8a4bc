"""./run bench notify: notified one-sided writes beside MPI's messages and puts, and shared memory by hand.

2 ranks of one node. Half a round trip by size, the reader using the data in place or copying it out, in our memory and in
the user's own; the rate of many words, each notified of; collectives of groups beside MPI's. Once every message is written
whole before it is sent and read whole when it has come, as programs do, and what that takes by itself is taken off; once it is
written and looked at only at its ends, so that its lines stay where they are. All ways are timed in interleaved rounds of one run.
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import driver, report  # noqa: E402

IN_PLACE, COPIED, MESSAGES = "wherry in place", "wherry copied out", "send, recv"
STAGED, KERNEL = "wherry, user's by staging", "wherry, user's by kernel"
SHORT = {"openmpi": (0.75, 0.85), "mpich": (0.5, 0.5)}  # of messages of 8 bytes: in place, copied out
USERS_SHORT = 0.75                                      # the user's own memory, by staging
HAND = ("shared window by hand", "by hand, copied out")  # the limits: one copy, and two in pieces
NOTHING = "written and read only"                        # is taken off the times of those who write and read all
STAGING = 4096                                           # what is longer goes through the kernel in either
LONG, LONGEST = 0.3, 262144                             # in place, 4 KiB to 256 KiB; copied out never slower to there
BURST = 2.0                                             # of bare release stores


def options():
    parser = driver.parser("notify", __doc__, PARTS)
    parser.add_argument("--sizes", help="bytes, separated by commas (default 8 to 1 Mi)")
    given = driver.parse(parser, seconds=3, quick=0.5)
    return given


def notified(given, mpi, verdicts):
    # Without its single copy Open MPI 4 has no windows where several threads may call it.
    os.environ.setdefault("OMPI_MCA_btl_vader_single_copy_mechanism", "cma")
    words = ["--seconds", str(given.seconds)]
    if given.sizes or given.quick:
        words += ["--sizes", given.sizes or "8,4096,65536,262144"]
    records = driver.start("bench_notify", 2, words, limit=3600)
    cases = {}
    for r in records:
        case = cases.setdefault(r["case"], {r["ours"]: (r["ours_us"], True)})
        case[r["peer"]] = (r["peer_us"], r["steady"])
    print("targets, as ratios of medians")
    for name, times in cases.items():
        judge(name, times, mpi["family"], verdicts)
    return records


def judge(name, times, family, verdicts):
    besides = times[NOTHING][0] if NOTHING in times else 0

    def ratio(ours, peer, target, what, limit=None):
        if ours in times and peer in times:
            steady = times[ours][1] and times[peer][1] and times.get(NOTHING, (0, True))[1]
            theirs = max(times[peer][0] - besides, besides / 10, 1e-9)
            bound = f" (by hand {(times[limit][0] - besides) / theirs:.2f})" if limit in times else ""
            verdicts.judge(f"{name}: {what}{bound}", (times[ours][0] - besides) / theirs, target, "" if steady else "not steady")

    if "round trip" in name or "whole" in name:
        size = int(name.split()[0])
        short = SHORT.get(family, SHORT["openmpi"])
        if size == 8:
            ratio(IN_PLACE, MESSAGES, short[0], "in place / messages", HAND[0])
            ratio(COPIED, MESSAGES, short[1], "copied out / messages", HAND[1])
            ratio(STAGED, MESSAGES, USERS_SHORT, "user's memory / messages")
        elif size <= LONGEST:
            if size >= 4096:
                ratio(IN_PLACE, MESSAGES, LONG, "in place / messages", HAND[0])
            ratio(COPIED, MESSAGES, 1.0, "copied out / messages", HAND[1])
        if size <= STAGING:
            ratio(STAGED, KERNEL, 1.0, "user's memory, as it is / through the kernel")
    elif name.startswith("words"):
        ratio("wherry", "release stores by hand", BURST, "wherry / bare release stores")


def lines():
    pass  # a call is a line in either


PARTS = {"notified": notified}

if __name__ == "__main__":
    picture = ("notified", "Notified writes, half a round trip", (*HAND, "release stores by hand"))
    sys.exit(driver.run("notify", options, PARTS, lines, picture))
