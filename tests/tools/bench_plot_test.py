#!/usr/bin/env python3
"""Tests of bench/harness/plot.py: the figure of a step and its phases over the ranks, where matplotlib is there."""
import contextlib
import io
import os
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "bench"))
from harness import plot  # noqa: E402


def records_of(name, times):
    return [{"exchange": name, "ranks": ranks, "step_us": us, "pack_us": 0.05 * us, "wait_us": 0.1 * us, "unpack_us": 0.05 * us,
             "halo_us": 0.2 * us if ranks > 1 else 0, "last_us": 0.1 * us if ranks > 1 else 0} for ranks, us in times.items()]


class Steps(unittest.TestCase):
    def draw(self, records):
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as said:
            path = os.path.join(folder, "new", "figure.png")
            plot.steps(records, path, "a title")
            if "matplotlib is missing" in said.getvalue():
                self.skipTest("matplotlib is missing")
            with open(path, "rb") as file:
                return file.read()

    def test_a_line_for_each_way(self):
        one, both = (self.draw(records) for records in (
            records_of("packed", {1: 100, 2: 55, 4: 30}),
            records_of("packed", {1: 100, 2: 55, 4: 30}) + records_of("wherry", {1: 100, 2: 50, 4: 27})))
        self.assertTrue(one.startswith(b"\x89PNG") and both.startswith(b"\x89PNG"))
        self.assertNotEqual(one, both)

    def test_ranks_in_any_order_and_only_one(self):
        self.assertEqual(self.draw(records_of("packed", {1: 100, 2: 55})), self.draw(records_of("packed", {2: 55, 1: 100})))
        self.draw(records_of("packed", {1: 100}))


if __name__ == "__main__":
    unittest.main()
