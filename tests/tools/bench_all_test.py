#!/usr/bin/env python3
"""Tests of bench/all.py: which records make the table."""
import os
import sys
import unittest

from refusals import ROOT, refusal

sys.path.insert(0, os.path.join(ROOT, "bench"))
sys.dont_write_bytecode = True
import importlib  # noqa: E402

bench_all = importlib.import_module("all")


def record(case, ours, ours_us, peer, peer_us, steady=True):
    return {"case": case, "ours": ours, "ours_us": ours_us, "peer": peer, "peer_us": peer_us, "steady": steady}


class Table(unittest.TestCase):
    def test_the_best_rival_and_no_limit(self):
        part = bench_all.Part("x", "x", [], ("auto",), ("memcpy",))
        rows = bench_all.rows_of(part, [record("a", "auto", 10, "slow", 50), record("a", "auto", 10, "quick", 20), record("a", "auto", 10, "memcpy, warm", 5),
                                        record("a", "other", 1, "quick", 20), record("b", "auto", 0.061, "quick", 0.03, False), {"bench": "machine"}])
        self.assertEqual([["a", "auto", "10", "quick", "20", "2.00", ""], ["b", "auto", "0.061", "quick", "0.03", "0.49", "not steady"]], rows)

    def test_all_parts_are_benchmarks(self):
        for part in bench_all.PARTS:
            self.assertTrue(os.path.exists(os.path.join(ROOT, "bench", part.name + ".py")), part.name)

    def test_a_wrong_part_is_named(self):
        self.assertIn("there is no part frob", refusal("all", "--only", "halo,frob"))


if __name__ == "__main__":
    unittest.main()
