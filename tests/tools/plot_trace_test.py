#!/usr/bin/env python3
"""Tests of tools/plot_trace.py: which spans are drawn, how deep, faults in files, and a picture where matplotlib is there."""
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tools"))
sys.dont_write_bytecode = True
import plot_trace  # noqa: E402


def span(name, ts, dur, pid=0):
    return {"name": name, "cat": "halo exchange", "ph": "X", "ts": ts, "dur": dur, "pid": pid, "tid": 0, "args": {}}


TRACE = [{"name": "process_name", "ph": "M", "pid": 0, "args": {"name": "rank 0"}}, span("start", 5000, 900), span("send", 5100, 300),
         span("wait", 7000, 500), span("start", 5050, 100, pid=1)]


class Spans(unittest.TestCase):
    def file_of(self, text):
        file = tempfile.NamedTemporaryFile("w", suffix=".json", delete=False, encoding="utf-8")
        self.addCleanup(os.remove, file.name)
        with file:
            file.write(text)
        return file.name

    def test_times_begin_with_the_first_and_some_are_chosen(self):
        spans = plot_trace.load(self.file_of(json.dumps(TRACE)))
        drawn, begin, end = plot_trace.chosen(spans, 0, None)
        self.assertEqual([0, 0.05, 0.1, 2], [round(e["ts"], 6) for e in drawn])
        self.assertEqual((0, 2.5), (begin, end))
        self.assertEqual(["wait"], [e["name"] for e in plot_trace.chosen(spans, 1, 2)[0]])
        with self.assertRaises(plot_trace.Unfit):
            plot_trace.chosen(spans, 10, 1)

    def test_depths(self):
        mine = [e for e in plot_trace.load(self.file_of(json.dumps(TRACE))) if e["pid"] == 0]
        self.assertEqual([("start", 0), ("send", 1), ("wait", 0)], [(e["name"], deep) for e, deep in plot_trace.depths(mine)])

    def test_faults(self):
        for text, said in (("boom", "Expecting value"), ("{}", "is no trace"), ("[]", "has no events")):
            with self.assertRaises(plot_trace.Unfit) as caught:
                plot_trace.load(self.file_of(text))
            self.assertIn(said, str(caught.exception))

    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "matplotlib is not in this Python")
    def test_picture(self):
        path = self.file_of(json.dumps(TRACE))
        picture = path + ".png"
        self.addCleanup(lambda: os.path.exists(picture) and os.remove(picture))
        said = subprocess.run([sys.executable, "-B", os.path.join(ROOT, "tools", "plot_trace.py"), path, "-o", picture], check=True,
                              capture_output=True, text=True).stdout
        self.assertIn("4 events of 2 ranks", said)
        with open(picture, "rb") as file:
            self.assertEqual(b"\x89PNG\r\n\x1a\n", file.read(8))


if __name__ == "__main__":
    unittest.main()
