#!/usr/bin/env python3
"""Tests of where ./run takes the Python from that builds the Python package and runs its tests."""
import argparse
import contextlib
import io
import os
import sys
import tempfile
import unittest
from unittest import mock

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "tools"))
from run import configured, debian, environments, mpi, presets, python_package, shell  # noqa: E402
from run.shell import Failure  # noqa: E402

MPICH = mpi.Mpi("mpich", "mpich-4", "MPICH 4.0.2", "/bin/mpicc.mpich", "/bin/mpicxx.mpich", "/bin/mpiexec.mpich", "/include")


class Presets(unittest.TestCase):
    def test_values_are_a_presets_own_or_inherited(self):
        self.assertEqual("thread", presets.value("tsan", "WHERRY_SANITIZE"))
        self.assertEqual("Debug", presets.value("tsan", "CMAKE_BUILD_TYPE"))
        self.assertEqual("ON", presets.value("tsan", "WHERRY_BUILD_TESTS"))
        self.assertEqual("", presets.value("dev", "WHERRY_SANITIZE"))


def options(**given):
    return argparse.Namespace(**{**dict(mpi="auto", preset="release", define=[], only="", label=[], without=[]), **given})


class Wanted(unittest.TestCase):
    def wanted(self, **given):
        return python_package.tests_are_wanted(options(**given))

    def test_all_tests_have_pythons_among_them(self):
        self.assertTrue(self.wanted())
        self.assertTrue(self.wanted(preset="dev", without=["ranks_3"]))
        self.assertTrue(self.wanted(mpi="mpich", only="python.2"))
        self.assertTrue(self.wanted(label=["unit", "mpi"]))

    def test_some_tests_have_not(self):
        for some in ({"only": "halo_random"}, {"label": ["unit"]}, {"without": ["python"]}, {"without": ["mpi", "expect"]}):
            self.assertFalse(self.wanted(**some), some)

    def test_presets_and_options_turn_them_off(self):
        for off in ({"preset": "asan"}, {"preset": "tsan"}, {"mpi": "simgrid"}, {"define": ["-DWHERRY_SANITIZE=undefined"]},
                    {"define": ["-DWHERRY_PYTHON=off"]}, {"define": ["-DWHERRY_BUILD_TESTS:BOOL=OFF"]}):
            self.assertFalse(self.wanted(**off), off)

    def test_users_own_python_is_taken(self):
        self.assertFalse(self.wanted(define=["-DPython_EXECUTABLE=/opt/bin/python3"]))


class Finding(unittest.TestCase):
    """Which Python it is, by what this one has: the families of the MPIs that mpi4py loads, before it is compiled and afterwards."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.place = os.path.join(folder.name, "python-mpich")
        self.made, self.installed = [], []
        self.families, self.has_modules, self.headers = {}, True, True
        self.said = io.StringIO()
        output = contextlib.redirect_stdout(self.said)
        output.__enter__()
        self.addCleanup(output.__exit__, None, None, None)
        for module, name, what in (
                (python_package, "_family", lambda python: self.families.get(python)),
                (python_package, "_has_headers", lambda: self.headers),
                (shell, "capture", lambda *_: (0 if self.has_modules else 1, "")),
                (debian, "install", lambda *_: False), (environments, "make", self.make), (environments, "install", self.install)):
            patch = mock.patch.object(module, name, what)
            patch.start()
            self.addCleanup(patch.stop)

    def make(self, name, packages, made_for, finish):
        self.made.append((name, packages, made_for))
        finish(self.place)
        return self.place

    def install(self, place, words, what, variables):
        self.installed.append((words, variables["MPICC"]))
        self.families[environments.python(place)] = self.compiled_for

    def test_this_python_will_do(self):
        self.families[sys.executable] = "mpich-4"
        self.assertEqual([], python_package.definitions(MPICH))
        self.assertEqual([], self.made)

    def test_a_relative_of_mpich_is_of_its_family(self):
        self.families[sys.executable] = "mpich"
        self.assertEqual([], python_package.definitions(MPICH))
        self.assertEqual([], self.made)

    def test_the_wheel_fits(self):
        self.families[environments.python(self.place)] = "mpich-4"
        self.assertEqual([f"-DPython_EXECUTABLE={self.place}/bin/python3"], python_package.definitions(MPICH))
        self.assertEqual([], self.installed)
        self.assertEqual("python-mpich", self.made[0][0])
        self.assertIn("MPICH 4.0.2", self.made[0][2])

    def test_another_mpi_or_none_is_no_use(self):
        for loads in ("openmpi-4", "mpich-5", None):
            self.families = {sys.executable: loads, environments.python(self.place): loads}
            self.compiled_for, self.installed = "mpich-4", []
            self.assertEqual([f"-DPython_EXECUTABLE={self.place}/bin/python3"], python_package.definitions(MPICH))
            self.assertEqual([(python_package.COMPILED, "/bin/mpicc.mpich")], self.installed)

    def test_what_cannot_be_had_is_said_in_a_line(self):
        self.compiled_for = "openmpi-4"
        self.assertEqual([], python_package.for_tests(options(), MPICH))
        self.assertIn("mpi4py does not run with MPICH 4.0.2", self.said.getvalue())
        self.assertEqual(1, sum("without the tests of the Python package" in line for line in self.said.getvalue().splitlines()))

    def test_what_is_not_wanted_is_not_looked_for(self):
        self.assertEqual([], python_package.for_tests(options(only="halo_random"), MPICH))
        self.assertEqual(([], ""), (self.made, self.said.getvalue()))

    def test_headers_are_asked_for(self):
        self.headers = False
        with self.assertRaisesRegex(Failure, "python3-dev"):
            python_package.definitions(MPICH)
        self.assertEqual([], self.made)

    def test_an_mpi_that_nobody_knows(self):
        with self.assertRaisesRegex(Failure, "not known to fit"):
            python_package.definitions(mpi.Mpi("path", "other", "an MPI we do not know", "cc", "c++", "mpiexec", ""))

    def test_the_trees_interpreter(self):
        with mock.patch.object(configured, "cache", lambda _: {"Python3_EXECUTABLE": "/a"}):
            self.assertEqual("/a", python_package.interpreter_of("tree"))
        with mock.patch.object(configured, "cache", lambda _: {"Python3_EXECUTABLE": "/a", "Python_EXECUTABLE": "/b"}):
            self.assertEqual("/b", python_package.interpreter_of("tree"))


if __name__ == "__main__":
    unittest.main()
