#!/usr/bin/env python3
"""Tests of the page that ./run demo makes: what is said and drawn of given figures."""
import json
import os
import re
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "tools"))
from run import charts, forecast, report  # noqa: E402


def record(ours, ratio, peer="hand-written MPI", **more):
    return dict({"ours": ours, "ours_us": 100.0 * ratio, "peer": peer, "peer_us": 100.0, "ratio": ratio, "steady": True, "ranks": 2,
                 "case": "3 x 250^3 doubles, halo 3", "lines": 4, "peer_lines": 90}, **more)


def part(program, records, ranks=2, status=0):
    return {"program": program, "ranks": ranks, "arguments": [], "status": status, "seconds": 1, "note": "", "records": records}


class Page(unittest.TestCase):
    def page(self, *parts):
        with tempfile.TemporaryDirectory() as folder:
            results, page = os.path.join(folder, "results.json"), os.path.join(folder, "index.html")
            with open(results, "w", encoding="utf-8") as file:
                json.dump({"mpi": "Open MPI 4", "parts": parts}, file)
            report.write(results, page)
            with open(page, encoding="utf-8") as file:
                self.text = file.read()
        self.drawn = re.findall("<svg.*?</svg>", self.text)
        for svg in self.drawn:
            xml.fromstring(svg)
        return self.text

    def test_says_what_was_measured(self):
        text = self.page(part("halo_demo", [record("auto", 0.5)]), part("halo_demo", [record("auto", 1, ranks=1, case="3 x 64^3")], 0))
        self.assertIn("Measured: 3 × 250³ doubles, halo 3", text)
        self.assertIn("<b>2.00 times as fast as MPI written by hand</b> on 2 ranks (50.0\u00a0µs and 100\u00a0µs)", text)
        self.assertIn("4 lines of code for communication instead of 90", text)
        self.assertNotIn("64", text.split("What to do next")[0].split("<p>Each rank has three fields")[1].split("</p>")[0])
        self.assertNotIn("on 1 rank", text)

    def test_what_is_the_same_is_called_so_and_not_drawn(self):
        text = self.page(part("redblack3d", [record("Wherry", 1.004, "MPI by hand")]))
        self.assertIn("as fast as MPI written by hand", text)
        self.assertNotRegex(text, r"\b1(\.00)? times as fast")
        self.assertEqual(1, len(self.drawn))
        self.assertIn("Lines of code", self.drawn[0])

    def test_never_one_times(self):
        for ratio in (0.2, 0.94, 0.96, 0.98, 1.02, 1.04, 1.5):
            self.assertNotRegex(report.in_words(1 / ratio), r"^1(\.0*)? times")

    def test_the_halo_of_the_flow_solver_is_what_is_compared(self):
        shares = {"ours_waiting": 0.042, "peer_waiting": 0.1, "halo_steady": True}
        text = self.page(part("lattice_boltzmann", [
            record("layouts", 1.0, "packed", halo_ratio=0.42, **shares), record("packed", 1.0, "packed", halo_ratio=1.0, **shares),
            record("limit", 1.0, "packed", halo_ratio=0.3, **shares)]))
        self.assertIn("2.38 times as fast as packed messages by hand", text)
        self.assertIn("The whole run, arithmetic included, is as fast as the other", text)
        self.assertIn(">2.38</text>", self.drawn[0])
        self.assertNotIn("limit", self.drawn[0])
        self.assertIn("limit", text.split("all figures")[1])  # nothing is kept back

    def test_a_way_that_beats_ours_is_explained(self):
        text = self.page(part("halo_demo", [record("auto", 0.9), record("one_sided", 0.7), record("datatype", 2)]))
        self.assertIn("On 2 ranks one_sided was faster than auto here.", text)
        self.assertIn("./run info --calibrate", text)
        self.assertIn("whether they win here or lose", text)
        self.assertIn(">0.50</text>", self.drawn[0])
        for way in ("auto", "one_sided", "datatype"):
            self.assertIn(report.WAYS[way].split("'")[0], self.drawn[0])

    def test_what_loses_and_what_is_not_steady_stays(self):
        text = self.page(part("halo_demo", [record("auto", 1.25, steady=False)]))
        self.assertIn("0.80 times as fast as", text)
        self.assertIn("read this as a hint", text)
        self.assertNotIn("verdict good", text)
        self.assertIn("0.80 ?", self.drawn[0])

    def test_what_failed_is_said(self):
        self.assertIn("This went wrong: halo_demo on 2 ranks (status 3)", self.page(part("halo_demo", [], status=3)))

    def test_every_transport_is_explained(self):
        with open(os.path.join(ROOT, "src", "transport", "registry.cpp"), encoding="utf-8") as file:
            names = set(re.findall(r'\{\.name = "(\w+)"', file.read()))
        self.assertTrue({"two_sided", "total_exchange"} <= names <= set(report.WAYS), names - set(report.WAYS))

    def test_the_code_is_the_programs_own(self):
        for section in report.SECTIONS:
            self.assertIn("wherry::", report.code_of(section, (1, 2)), section.headline)

    def test_commands_are_not_cut_off(self):
        text = self.page()
        self.assertIn("<dt><code>./run plan halo 512x512x512 --ranks 4096 --node 64</code></dt>", text)
        self.assertIn("pre-wrap", text)

    def test_bars_stay_inside(self):
        svg = xml.fromstring(charts.bars([charts.Bar("a" * 60, 1e6, "1000000", "b" * 90), charts.Bar("c", 0, "0")], "x < y", 1, "as fast"))
        for bar in svg.iter("rect"):
            self.assertGreaterEqual(float(bar.get("x")), 0)
            self.assertLessEqual(float(bar.get("x")) + float(bar.get("width")), charts.WIDTH - charts.SHOWN + 0.1)


class Forecast(unittest.TestCase):
    def test_every_option_of_the_program_is_known(self):
        with open(os.path.join(ROOT, "apps", "wherry_plan", "main.cpp"), encoding="utf-8") as file:
            usage = file.read().split("usage =")[1].split(";")[0]
        known = {word for action in forecast.parser()._actions for word in action.option_strings if word.startswith("--")}
        self.assertEqual(set(re.findall(r"--\w+", usage)), known - {"--help"})

    def test_words_are_passed_on(self):
        words = ["halo", "64x64", "--ranks", "8", "--node", "4", "--faces"]
        self.assertEqual(sorted(words), sorted(forecast.words_of(words)))
        self.assertEqual(["halo", "64x64"], forecast.words_of(["--ranks", "8", "halo", "64x64"])[:2])


if __name__ == "__main__":
    unittest.main()
