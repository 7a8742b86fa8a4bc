#!/usr/bin/env python3
"""Tests of tools/plot_plan.py: what is drawn where, faults in files, and a picture where matplotlib is there."""
import contextlib
import importlib.util
import io
import itertools
import json
import os
import random
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "tools"))
import plot_plan  # noqa: E402

# What tests/motion/unit/plan_reports.cpp expects of floor_plan::to_json().
TWO_BOXES = ('{"kind":"floor_plan","dimensions":2,"size":2,"complete":true,"boxes":['
             '{"number":0,"owner":0,"lower":[0,0],"upper":[4,2]},'
             '{"number":1,"owner":3,"lower":[4,0],"upper":[6,2]}]}')


def halo_of_two_boxes():
    floor = json.loads(TWO_BOXES)
    sections = [(0, 1, [3, 0], [4, 2]), (1, 0, [4, 0], [5, 2])]
    entries = [{"from": i, "to": j, "source": {"lower": low, "upper": up}, "destination": {"lower": low, "upper": up},
                "axes": [0, 1]} for i, j, low, up in sections]
    return {"kind": "motion_plan", "dimensions": 2, "source": floor, "destination": floor, "entries": entries}


def shuffled_bricks(seed):
    """A floor plan: a rectangle cut at random places, the boxes in random order."""
    numbers = random.Random(seed)
    cuts = [sorted(numbers.sample(range(30), 5)) for _ in range(2)]
    boxes = [{"owner": 0, "lower": [a[0], b[0]], "upper": [a[1], b[1]]}
             for a in zip(cuts[0], cuts[0][1:]) for b in zip(cuts[1], cuts[1][1:])]
    numbers.shuffle(boxes)
    for number, box in enumerate(boxes):
        box["number"] = number
    return {"boxes": boxes}


class Geometry(unittest.TestCase):
    def test_cuts(self):
        box = {"lower": [0, 1, 2], "upper": [3, 4, 5]}
        self.assertEqual(((0, 1), (3, 4)), plot_plan.cut(box, {2: 4}))
        self.assertEqual(((1, 2), (4, 5)), plot_plan.cut(box, {0: 0}))
        self.assertIsNone(plot_plan.cut(box, {2: 5}))
        self.assertEqual(((7, 0), (9, 1)), plot_plan.cut({"lower": [7], "upper": [9]}, {}))
        self.assertIsNone(plot_plan.cut({"lower": [7], "upper": [7]}, {}))

    def test_planes(self):
        self.assertEqual({}, plot_plan.plane_of(2, []))
        self.assertEqual({2: 0, 3: 0}, plot_plan.plane_of(4, []))
        self.assertEqual({0: 7}, plot_plan.plane_of(3, [(0, 7)]))
        for dimensions, at in ((2, [(2, 0)]), (2, [(1, 0)]), (3, [(0, 0), (1, 0)])):
            with self.assertRaises(plot_plan.Unfit):
                plot_plan.plane_of(dimensions, at)

    def test_boxes_apart_leave_room_for_ghost_cells(self):
        for seed, gap in itertools.product(range(20), (0, 4)):
            place = plot_plan.Apart(shuffled_bricks(seed), {}, gap)
            drawn = [place.rectangle(number, box) for number, box in place.cells.items()]
            for (x, y, width, height), (u, v, other, high) in itertools.combinations(drawn, 2):
                between = max(u - x - width, x - u - other, v - y - height, y - v - high)
                self.assertGreaterEqual(between, gap, f"seed {seed}")

    def test_widest_ghost(self):
        plan = halo_of_two_boxes()
        self.assertEqual(1, plot_plan.widest_ghost(plan["destination"], plan["entries"], {}))


class Files(unittest.TestCase):
    def run_on(self, text, *options):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "plan.json")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            said = io.StringIO()
            with contextlib.redirect_stderr(said), contextlib.redirect_stdout(said):
                status = plot_plan.main([path, *options])
            picture = os.path.join(folder, "plan.png")
            start = b""
            if os.path.exists(picture):
                with open(picture, "rb") as file:
                    start = file.read(8)
            return status, said.getvalue(), start

    def test_faults(self):
        self.assertIn("Expecting value", self.run_on("boom")[1])
        self.assertIn("neither", self.run_on('{"kind": "schedule"}')[1])
        self.assertIn("dimensions 0 to 1", self.run_on(TWO_BOXES, "--at", "5=1")[1])
        self.assertEqual(1, self.run_on("[]")[0])
        self.assertIn("damaged", self.run_on('{"kind": "floor_plan"}')[1])

    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "matplotlib is not in this Python")
    def test_pictures(self):
        exchange = halo_of_two_boxes()
        elsewhere = dict(exchange, source=dict(exchange["source"], size=3))
        for plan in (json.loads(TWO_BOXES), exchange, elsewhere):
            status, said, start = self.run_on(json.dumps(plan))
            self.assertEqual((0, b"\x89PNG\r\n\x1a\n"), (status, start), said)


if __name__ == "__main__":
    unittest.main()
