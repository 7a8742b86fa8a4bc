#!/usr/bin/env python3
"""Tests of bench/beside.py: which records are compared, and how."""
import os
import sys
import unittest

from refusals import ROOT, refusal

sys.path.insert(0, os.path.join(ROOT, "bench"))
sys.dont_write_bytecode = True
import beside  # noqa: E402


def timing(us, n=8, **more):
    return {"kind": "timing", "n": n, "method": "auto", "us": us, "lower_us": us / 2, "spread": 0.1, "rounds": int(100 / us), **more}


class Compared(unittest.TestCase):
    def test_the_median_of_the_turns_ratios(self):
        # The machine is ten times as slow in the second turn: medians of each side by itself would say 2 of these.
        turns = [([timing(1.0)], [timing(2.0)]), ([timing(10.0)], [timing(20.0)]), ([timing(1.0)], [timing(3.0)])]
        (case, figure, then, now, ratio, _), = beside.compare(turns)
        self.assertEqual(("us", 1.0, 3.0, 2.0), (figure, then, now, ratio))
        self.assertIn(("method", "auto"), case)

    def test_by_labels_that_both_give(self):
        turns = [([timing(1.0), timing(5.0, 16)], [timing(5.0, 16, element="double"), timing(2.0, element="double"), timing(7.0, 32, element="double")])]
        self.assertEqual({8: 2.0, 16: 1.0}, {dict(case)["n"]: ratio for case, _, _, _, ratio, _ in beside.compare(turns)})

    def test_kinds_and_figures_of_one_only_are_left_out(self):
        turns = [([timing(1.0, plan_us=2.0)], [timing(1.0, bind_us=3.0), {"kind": "new", "n": 8, "us": 1.0}])]
        self.assertEqual(["us"], [figure for _, figure, *_ in beside.compare(turns)])

    def test_nothing_in_common_is_an_error(self):
        with self.assertRaisesRegex(beside.driver.Failure, "no case in common"):
            beside.show(beside.compare([([timing(1.0)], [timing(1.0, 16)])]))

    def test_a_wrong_commit_is_named(self):
        self.assertIn("no-such-commit", refusal("beside", "no-such-commit", "bench_halo"))


if __name__ == "__main__":
    unittest.main()
