"""Counts system calls between marks that a benchmark program writes (to file -1, so that only strace sees them)."""
import os
import re
import shutil
import tempfile

from . import driver

CALL = re.compile(r"^(?:\d+ +)?(\w+)\(")
MARK = re.compile(r'write\(-1, "wherry (begin|end) ([^"]*)"')


def calls_between_marks(name, arguments, ranks=2):
    """{what: (times, [calls])} of all ranks together, or a line that says why not."""
    if not shutil.which("strace"):
        return "strace is missing (apt-get install strace), so they were not counted"
    folder = tempfile.mkdtemp(prefix="wherry-strace-")
    try:
        before = ["strace", "-ff", "-qq", "-o", os.path.join(folder, "trace")]
        driver.start(name, ranks, arguments, 180, before)
        result = {}
        for file in sorted(os.listdir(folder)):
            _read(os.path.join(folder, file), result)
        return result or "strace saw no marks; is ptrace allowed here?"
    except driver.Failure as failure:
        return f"not counted, {failure}"
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _read(path, result):
    inside = None
    with open(path, encoding="utf-8", errors="replace") as lines:
        for text in lines:
            mark = MARK.search(text)
            if mark:
                times, calls = result.get(mark.group(2), (0, []))
                inside = mark.group(2) if mark.group(1) == "begin" else None
                result[mark.group(2)] = (times + (inside is not None), calls)
            elif inside is not None:
                call = CALL.match(text)
                if call:
                    result[inside][1].append(call.group(1))
