#!/usr/bin/env python3
"""Tests of ./run's own parts: adding up results, the layering check, choosing tests, launch lines."""
import json
import os
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "tools"))
from run import codemodel, definitions, demo, hosts, includes, launch, layering, report, selection, testing  # noqa: E402
from run.shell import Failure  # noqa: E402


class AddUp(unittest.TestCase):
    def sum_of(self, *cases):
        with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
            file.write("<testsuite>" + "".join(cases) + "</testsuite>")
            file.flush()
            return testing.add_up(file.name)

    def test_counts_inner_tests_and_single_entries(self):
        self.assertEqual((5, 0, 1, []), self.sum_of(
            '<testcase name="a" status="run"><system-out>x\n4 passed, 0 failed, 1 skipped\n</system-out></testcase>',
            '<testcase name="b" status="run"><system-out>anything</system-out></testcase>'))

    def test_counts_random_cases(self):
        with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
            file.write('<testsuite><testcase name="a" status="run"><system-out>FAILED x (7 of 8 cases)\n'
                       '2 passed, 0 failed, 1 skipped; random cases: halos 57 of 300, cells_of_2 12 of 40\n</system-out>'
                       '</testcase><testcase name="b" status="run"><system-out>3 passed, 0 failed\n</system-out></testcase>'
                       '</testsuite>')
            file.flush()
            self.assertEqual((5, 0, 1, []), testing.add_up(file.name))
            self.assertEqual(69, testing.random_cases(file.name))

    def test_counts_failures(self):
        self.assertEqual((1, 2, 0, ["a"]), self.sum_of(
            '<testcase name="a" status="fail"><failure/><system-out>1 passed, 2 failed\n</system-out></testcase>'))

    def test_a_crash_after_a_good_summary_is_a_failure(self):
        self.assertEqual((3, 1, 0, ["a"]), self.sum_of(
            '<testcase name="a" status="fail"><failure/><system-out>3 passed, 0 failed\n</system-out></testcase>'))

    def test_a_crash_without_summary_is_a_failure(self):
        self.assertEqual((0, 1, 0, ["a"]), self.sum_of(
            '<testcase name="a" status="fail"><failure/><system-out>boom</system-out></testcase>'))

    def test_a_program_that_is_not_there_is_a_failure(self):
        self.assertEqual((0, 1, 0, ["a"]), self.sum_of(
            '<testcase name="a" status="notrun"><skipped message="Unable to find executable"/></testcase>'))

    def test_a_skip_is_a_skip(self):
        self.assertEqual((0, 0, 1, []), self.sum_of(
            '<testcase name="a" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/></testcase>'))


class Choosing(unittest.TestCase):
    """Which tests run and what is built for them, from CMake's and ctest's answers before anything is built."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        source = os.path.join(folder.name, "halo.cpp")
        with open(source, "w", encoding="utf-8") as file:
            file.write("// WHERRY_TEST(not_me\nWHERRY_TEST(swapped, ranks(1, 2)) {\n}\n  WHERRY_TEST(of_planes,\n ranks(2)) {}\n"
                       "WHERRY_UNIT_TEST(alone) {}")
        self.model = codemodel.Model({"/tree/halo": "halo", "/tree/rays": "rays"},
                                     {"halo": [source, "/no/such.cpp"], "unit_plan": [], "rays": []})
        self.tests = [self.entry("halo.2", "harness mpi ranks_2", "launch -n 2 /tree/halo"),
                      self.entry("halo.4", "harness mpi ranks_4", "launch -n 4 /tree/halo"),
                      self.entry("unit_plan", "harness unit"),
                      self.entry("picture", "expect", "look", after=["rays.1"]),
                      self.entry("rays.1", "expect ranks_1", "launch -n 1 /tree/rays"),
                      self.entry("must_not_compile.x", "must_not_compile", "compile x.cpp"),
                      self.entry("python.2", "mpi python ranks_2", "launch -n 2 /usr/bin/python3 run.py"),
                      self.entry("bench_python.2", "mpi bench python ranks_2", "launch -n 2 /usr/bin/python3 exchanges.py"),
                      self.entry("installed", "consumer", "install")]

    @staticmethod
    def entry(name, labels, command="", after=()):
        return {"name": name, "labels": labels.split(), "command": command.split(), "after": list(after)}

    def names(self, **how):
        return [test["name"] for test in selection.choose(self.tests, self.model, **how)]

    def targets(self, only):
        return selection.targets(selection.choose(self.tests, self.model, only), self.tests, self.model)

    def test_ranks_leave_tests_without_ranks_in(self):
        self.assertEqual(["halo.2", "unit_plan", "picture", "must_not_compile.x", "python.2", "bench_python.2", "installed"],
                         self.names(ranks=[2]))

    def test_labels(self):
        self.assertEqual(["unit_plan"], self.names(labels=["unit"]))
        self.assertNotIn("unit_plan", self.names(without=["harness"]))

    def test_only(self):
        self.assertEqual(["halo.4"], self.names(only="o.4"))

    def test_only_knows_the_tests_inside_before_they_are_built(self):
        self.assertEqual(["halo.2", "halo.4"], self.names(only="of_pla"))
        self.assertEqual(["halo.2", "halo.4"], self.names(only="halo.swapped$"))
        self.assertEqual(["halo.2", "halo.4"], self.names(only="alone"))
        self.assertEqual([], self.names(only="halo.swap$"))
        self.assertEqual([], self.names(only="not_me"))

    def test_builds_the_programs_that_run(self):
        self.assertEqual(["halo"], self.targets("of_planes"))
        self.assertEqual(["unit_plan"], self.targets("unit_plan"))
        self.assertEqual([], self.targets("must_not"))

    def test_builds_what_makes_a_tests_input(self):
        self.assertEqual(["rays"], self.targets("picture"))

    def test_a_program_that_nobody_finds_is_named(self):
        self.tests.append(self.entry("device.row", "unit"))
        with self.assertRaisesRegex(Failure, "device.row"):
            self.targets("device.row")

    def test_the_python_package_is_built_for_its_tests(self):
        self.assertEqual(["bench_python"], self.targets("bench_python"))
        self.assertEqual(["bench_python", "wherry_python"], self.targets("python.2"))

    def test_what_is_installed_is_built(self):
        self.assertEqual(["wherry_installed"], self.targets("installed"))


class SeveralHosts(unittest.TestCase):
    """What is known of hosts before there are any."""

    def setUp(self):
        self.hosts = hosts.Hosts(4)
        self.hosts.agent = "agent"

    def test_ranks_are_dealt_evenly_and_in_order(self):
        self.assertEqual([("10.77.0.1", 2), ("10.77.0.2", 2), ("10.77.0.3", 1), ("10.77.0.4", 1)], self.hosts.shares(6))
        self.assertEqual([("10.77.0.1", 1), ("10.77.0.2", 1)], self.hosts.shares(2))

    def test_each_mpi_is_told_where_they_are(self):
        for family, where in (("openmpi-4", "--host"), ("mpich-4", "-hosts")):
            line = launch.command(family, "mpiexec", 6, ["program"], hosts=self.hosts)
            self.assertEqual("10.77.0.1:2,10.77.0.2:2,10.77.0.3:1,10.77.0.4:1", line[line.index(where) + 1])
            self.assertIn("agent", line)
        with self.assertRaises(SystemExit):
            launch.command("other", "mpiexec", 6, ["program"], hosts=self.hosts)

    def test_a_wrong_number_is_said(self):
        for wrong in ("0", "-1", "two", "251"):
            self.assertEqual(2, launch.main(["--hosts", wrong, "program"]))


class Warnings(unittest.TestCase):
    """A newer compiler warns of more: that must not stop anybody but us."""

    def test_no_preset_makes_them_errors(self):
        with open(os.path.join(ROOT, "CMakePresets.json"), encoding="utf-8") as file:
            self.assertNotIn("WERROR", file.read())

    def test_ci_makes_them_errors_in_every_part_that_compiles(self):
        with open(os.path.join(ROOT, ".ci", "run"), encoding="utf-8") as file:
            lines = file.read().splitlines()
        parts = [line for line in lines if line.startswith("part ") and not line.endswith(("./run lint", "./run docs"))]
        self.assertTrue(parts)
        self.assertTrue(all('"${test[@]}"' in line for line in parts))
        self.assertTrue(any(line.startswith("test=(./run test -D WHERRY_WERROR=ON ") for line in lines))


class OfFiles(unittest.TestCase):
    check = None

    def faults_of(self, **files):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = os.path.join(folder, name.replace("__", "/") + ".hpp")
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
            before, layering.ROOT = layering.ROOT, folder
            try:
                return type(self).check()
            finally:
                layering.ROOT = before


class StandardHeaders(OfFiles):
    check = staticmethod(includes.check)

    def test_what_is_named_is_included(self):
        self.assertEqual([], self.faults_of(src__core__a="#include <cstdint>\nstd::int64_t x;", src__core__b="// std::int64_t"))
        faults = self.faults_of(src__core__a="#include <vector>\nstd::int64_t x;")
        self.assertEqual(["src/core/a.hpp: names what <cstdint> has, and does not include it"], faults)


class Definitions(OfFiles):
    check = staticmethod(definitions.check)
    PLACE = "namespace wherry {\n%sstruct place {\n  int x;\n};\n%s}  // namespace wherry\n"

    def test_one_name_is_one_class(self):
        named = self.PLACE % ("", "")
        unnamed = self.PLACE % ("namespace {\n", "}  // namespace\n")
        elsewhere = self.PLACE % ("namespace detail {\n", "}  // namespace detail\n")
        self.assertEqual([], self.faults_of(src__core__a=named, src__plan__b=unnamed, src__plan__c=elsewhere,
                                            src__plan__d="namespace wherry {\nstruct place;\n}  // namespace wherry\n"))
        faults = self.faults_of(src__core__a=named, src__plan__b=named)
        self.assertEqual(["wherry::place is defined more than once: src/core/a.hpp:2, src/plan/b.hpp:2"], faults)


class Layering(OfFiles):
    check = staticmethod(layering.check)

    def test_downwards_is_fine(self):
        self.assertEqual([], self.faults_of(include__wherry__halo__a='#include "wherry/transport/b.hpp"',
                                            include__wherry__transport__b="#include <mpi.h>"))

    def test_upwards_is_not(self):
        faults = self.faults_of(include__wherry__transport__b='#include "wherry/halo/a.hpp"')
        self.assertEqual(1, len(faults))
        self.assertIn("higher floor", faults[0])

    def test_plan_knows_no_mpi_even_indirectly(self):
        faults = self.faults_of(include__wherry__plan__p='#include "wherry/core/c.hpp"',
                                include__wherry__core__c="#include <mpi.h>")
        self.assertEqual(1, len(faults))
        self.assertIn("knows no MPI", faults[0])

    def test_patterns_keep_out_of_each_others_internals(self):
        faults = self.faults_of(src__blocks__a='#include "halo/inner.hpp"', src__halo__inner="")
        self.assertIn("internals of halo", "".join(faults))

    def test_apps_use_public_headers_only(self):
        faults = self.faults_of(apps__x__a='#include "plan/kernels.hpp"')
        self.assertIn("public headers only", "".join(faults))

    def test_the_library_calls_mpi_by_its_pmpi_names(self):
        good = 'PMPI_Test(r); MPI_Init_thread(a); check(PMPI_Wait(r), "MPI_Wait(r)"); MPI_Comm c;  // MPI_Test(r)'
        self.assertEqual([], self.faults_of(src__core__a=good, apps__x__a="MPI_Barrier(c);"))
        for bad in ("MPI_Barrier(c);", "call(MPI_Barrier, c);", "auto* f = &MPI_Barrier;"):
            self.assertIn("PMPI_Barrier it must be", "".join(self.faults_of(src__core__a=bad)))
        types = "MPI_Comm c; MPI_Comm_copy_attr_function* f; MPI_User_function* u; MPI_T_enum e; MPI_Status s = x;"
        self.assertEqual([], self.faults_of(src__core__a=types))
        self.assertIn("PMPI_T_init_thread", "".join(self.faults_of(src__core__a="MPI_T_init_thread(a, b);")))

    def test_no_header_includes_itself_however_far_around(self):
        faults = self.faults_of(include__wherry__deep__a='#include "wherry/deep/b.hpp"', src__deep__d="",
                                include__wherry__deep__b='#include "wherry/deep/c.hpp"\n#include "wherry/deep/e.hpp"',
                                include__wherry__deep__c='#include "wherry/deep/a.hpp"', include__wherry__deep__e="")
        self.assertEqual(1, len(faults))
        self.assertIn("a.hpp: includes itself by way of", faults[0])
        self.assertEqual([], self.faults_of(src__deep__d='#include "e.hpp"', src__deep__e=""))

    def test_a_benchmarks_own_folder_may_be_called_like_a_module(self):
        self.assertEqual([], self.faults_of(bench__halo__a='#include "halo/b.hpp"', bench__halo__b=""))


class Launching(unittest.TestCase):
    def test_open_mpi_4_and_5_are_told_differently_to_oversubscribe(self):
        self.assertIn("--oversubscribe", launch.command("openmpi-4", "mpiexec", 8, ["p"]))
        self.assertNotIn("--oversubscribe", launch.command("openmpi-5", "mpiexec", 8, ["p"]))
        self.assertIn("PRTE_MCA_rmaps_default_mapping_policy", launch.environment("openmpi-5", 8))

    def test_only_mpichs_ranks_load_a_library_and_only_when_told(self):
        line = launch.command("mpich-4", "mpiexec", 4, ["program"], "/yield.so")
        self.assertEqual("/yield.so", line[line.index("LD_PRELOAD") + 1].split(":")[0])
        self.assertNotIn("LD_PRELOAD", launch.command("mpich-4", "mpiexec", 4, ["program"]))
        self.assertNotIn("LD_PRELOAD", launch.command("openmpi-4", "mpiexec", 4, ["program"], "/yield.so"))

    def test_the_users_variables_win(self):
        self.assertEqual("x", launch.apply("openmpi-4", 2, {"OMPI_MCA_pml": "x"})["OMPI_MCA_pml"])


    def test_each_job_has_a_session_folder_of_its_own(self):
        with tempfile.TemporaryDirectory() as base:
            os.makedirs(os.path.join(base, "0", "left"))  # no process has this number
            mine = launch.session_folder(base)
            self.assertEqual([os.path.basename(mine)], os.listdir(base))
            self.assertEqual(mine, launch.session_folder(base))
            os.symlink(base, base + ".link")
            self.assertIsNone(launch.session_folder(base + ".link"))
            os.remove(base + ".link")


class Demo(unittest.TestCase):
    def test_reads_every_form_of_json(self):
        for text in ('[{"a": 1}]', '{"records": [{"a": 1}]}', '{"a": 1}', '{"a": 1}\nnot json\n'):
            with tempfile.NamedTemporaryFile("w") as file:
                file.write(text)
                file.flush()
                self.assertEqual([{"a": 1}], demo.records_of(file.name))

    def test_the_page_survives_odd_records(self):
        self.assertIn("<td>x&lt;</td>", report.table([{"a": "x<"}]))
        odd = [{"ours": "auto", "peer": "hand-written MPI", "ours_us": 0, "peer_us": 1}, {"ours": 3}, {"bench": "machine"}, {}]
        page = self.page_of([{"program": name, "ranks": 2, "arguments": [], "status": None, "seconds": 0.0, "note": "not built",
                              "records": odd} for name in demo.PROGRAMS])
        self.assertIn("This part did not run", page)

    def page_of(self, parts):
        with tempfile.TemporaryDirectory() as folder:
            results, page = os.path.join(folder, "results.json"), os.path.join(folder, "index.html")
            with open(results, "w", encoding="utf-8") as file:
                json.dump({"mpi": "an MPI", "parts": parts}, file)
            report.write(results, page)
            with open(page, encoding="utf-8") as file:
                return file.read()

    def test_one_direction_of_ratio(self):
        def part(ratio, status=0):
            return {"program": "halo_demo", "ranks": 2, "arguments": [], "status": status, "seconds": 1.0, "note": "", "records": [
                {"ours": "auto", "peer": "hand-written MPI", "ours_us": 10.0, "peer_us": 10 / ratio, "ratio": ratio, "steady": True}]}

        self.assertIn("<b>4.00 times as fast as MPI written by hand</b> on 2 ranks", self.page_of([part(0.25)]))
        self.assertIn("<td>4</td>", self.page_of([part(0.25)]))
        self.assertIn("class='verdict good'", self.page_of([part(0.25)]))
        slower = self.page_of([part(2.0)])
        self.assertIn("0.50 times as fast as", slower)
        self.assertNotIn("class='verdict good'", slower)
        self.assertIn("This went wrong: halo_demo on 2 ranks (status 3)", self.page_of([part(0.25, status=3)]))


if __name__ == "__main__":
    unittest.main()
