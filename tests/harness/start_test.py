#!/usr/bin/env python3
"""Tests of how ./run starts: on machines that lack things, interrupted, on full disks, seen from outside.

What machines lack is hidden by programs that play python3, apt-get and dpkg; tools/bare_machine does the same on real ones.
"""
import contextlib
import errno
import importlib.util
import io
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import zipfile
from unittest import mock

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "tools"))
from run import build, cli, configured, debian, demo, environments, mpi, needs, progress, shell, testing, toolchain  # noqa: E402
from run.shell import Failure  # noqa: E402

# Plays Debian's python3, which makes environments but lacks what would put pip into them, and pip itself.
PYTHON = """#!/bin/sh
echo "$*" >> "$WORLD/calls"
has() { test -e "$WORLD/$1"; }
case "$*" in
  *sys.version_info*) cat "$WORLD/version";;
  "-m venv --without-pip "*) has no-venv-at-all && exit 1
    mkdir -p "$4/bin" "$4/lib/python3.11/site-packages"; cp "$0" "$4/bin/python3";;
  "-m venv "*) mkdir -p "$3/bin"; cp "$0" "$3/bin/python3"
    has full && echo "[Errno 28] No space left on device" && exit 1
    has venv || { echo "ensurepip is not available"; exit 1; }
    mkdir -p "$3/lib/python3.11/site-packages"; touch "$3/has-pip";;
  "-m pip --version") has pip;;
  "-m pip install --target "*) has offline && echo "Failed to establish a new connection: [Errno 101]" && exit 1
    has pip && touch "$(dirname $0)/../any" && touch "${5%/lib/*}/has-pip";;
  "-m pip install "*) has offline && echo "Failed to establish a new connection: [Errno 101]" && echo "No matching" && exit 1
    has full-later && echo "OSError: [Errno 28] No space left on device" && exit 1
    here=$(dirname "$0")/..; test -e "$here/has-pip" || test -e "$here/lib/python3.11/site-packages/pip/__init__.py" || exit 1
    for name in $*; do printf '#!/bin/sh\\n' > "$(dirname $0)/$name"; chmod +x "$(dirname $0)/$name"; done;;
esac
"""
APT = """#!/bin/sh
echo "apt-get $*" >> "$WORLD/calls"
has() { test -e "$WORLD/$1"; }
has offline && echo "Temporary failure resolving 'somewhere'" && exit 100
case "$*" in
  *install*python3-venv*) touch "$WORLD/venv";;
  *Dir::State*update*) touch "$WORLD/lists";;
  *download*) has lists || { echo "E: Unable to locate package"; exit 100; }; touch "package.deb";;
esac
"""
DPKG = """#!/bin/sh
mkdir -p "$3/usr/share/python-wheels" "$3/usr/share/ca-certificates/mozilla"
cp "$WORLD/pip.whl" "$3/usr/share/python-wheels/pip-23.whl"
for name in one two; do echo "certificate $name" > "$3/usr/share/ca-certificates/mozilla/$name.crt"; done
"""


class World(unittest.TestCase):
    """A checkout's .wherry and build in a temporary folder, and a machine that has only what a test gives it."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.private, self.bin = os.path.join(self.folder, ".wherry"), os.path.join(self.folder, "bin")
        os.makedirs(self.bin)
        self.put("version", "3 11\n")
        with zipfile.ZipFile(os.path.join(self.folder, "pip.whl"), "w") as pip:
            for name in ("pip/__init__.py", "pip/_vendor/certifi/core.py"):
                pip.writestr(name, "as Debian has it")
        self.replace(mock.patch.object(environments, "SYSTEM_CERTIFICATES", os.path.join(self.folder, "certificates")))
        for name, text in (("python3", PYTHON), ("apt-get", APT), ("dpkg", DPKG)):
            self.program(name, text)
        path = os.pathsep.join([self.bin, "/usr/bin", "/bin"])
        self.replace(mock.patch.dict(os.environ, {"WORLD": self.folder, "PATH": path}))
        self.replace(mock.patch.object(sys, "executable", os.path.join(self.bin, "python3")))
        self.replace(mock.patch.object(shell, "is_root", lambda: False))
        self.replace(mock.patch.object(debian, "_updated", False))
        for module in (environments, debian, shell):
            self.replace(mock.patch.object(module, "PRIVATE", self.private))
        for module in (progress, shell):
            self.replace(mock.patch.object(module, "BUILD", os.path.join(self.folder, "build")))
        self.said = io.StringIO()
        output = contextlib.redirect_stdout(self.said)
        output.__enter__()
        self.addCleanup(output.__exit__, None, None, None)

    def replace(self, patch):
        patch.start()
        self.addCleanup(patch.stop)

    def put(self, name, text=""):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def program(self, name, text):
        path = os.path.join(self.bin, name)
        self.put(os.path.join("bin", name), text)
        os.chmod(path, 0o755)

    def without(self, *names):
        for name in names:
            os.remove(os.path.join(self.folder, name))

    def calls(self):
        with open(os.path.join(self.folder, "calls"), encoding="utf-8") as file:
            return file.read()

    def make(self):
        return environments.make("tools", ["cmake"])

    def assert_whole(self):
        self.assertEqual(os.path.join(self.private, "tools"), environments.find("tools", ["cmake"]))
        self.assertIsNotNone(environments.program("tools", ["cmake"], "cmake"))

    def assert_fails(self, *words):
        with self.assertRaises(Failure) as failure:
            self.make()
        for word in words:
            self.assertIn(word, str(failure.exception))
        self.assertFalse(os.path.exists(os.path.join(self.private, "tools")))
        return str(failure.exception)


class Environments(World):
    def test_python_with_venv(self):
        self.put("venv")
        self.make()
        self.assert_whole()

    def test_pip_but_no_venv(self):
        self.put("pip")
        self.make()
        self.assert_whole()

    def test_neither_pip_nor_venv_on_debian(self):
        self.put("lists")
        self.make()
        self.assert_whole()

    def test_debians_pip_trusts_somebody_where_the_system_has_no_list(self):
        self.put("lists")
        certifi = os.path.join(self.make(), "lib", "python3.11", "site-packages", "pip", "_vendor", "certifi")
        spec = importlib.util.spec_from_file_location("certifi_core", os.path.join(certifi, "core.py"))
        core = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(core)
        self.assertEqual("certificate one\n\ncertificate two\n\n", core.contents())

    def test_debians_pip_trusts_whom_the_system_trusts(self):
        self.put("lists")
        self.put("certificates")
        certifi = os.path.join(self.make(), "lib", "python3.11", "site-packages", "pip", "_vendor", "certifi")
        self.assertEqual(["core.py"], os.listdir(certifi))

    def test_apt_has_no_lists(self):
        self.make()
        self.assert_whole()
        self.assertIn("Dir::State", self.calls())

    def test_root_installs_venv(self):
        with mock.patch.object(shell, "is_root", lambda: True):
            self.make()
        self.assert_whole()
        self.assertIn("install -q -y --no-install-recommends python3-venv", self.calls())

    def test_neither_pip_nor_venv_nor_apt_names_one_thing(self):
        with mock.patch.object(debian, "present", lambda: False):
            text = self.assert_fails("python3-venv")
        self.assertEqual(1, text.count("apt-get"))

    def test_no_venv_module_at_all(self):
        self.put("no-venv-at-all")
        self.assert_fails("python3-venv")

    def test_offline_then_online(self):
        for has in ("venv", "pip", "lists"):
            self.put(has)
            self.put("offline")
            self.assert_fails("no connection")
            self.without("offline", has)
        self.put("venv")
        self.make()
        self.assert_whole()

    def test_a_full_disk_is_called_so(self):
        self.put("full")
        self.assert_fails("the disk is full")
        self.without("full")
        self.put("venv")
        self.put("full-later")
        self.assert_fails("the disk is full", "MiB free")
        self.without("full-later")
        self.make()
        self.assert_whole()

    def test_what_is_not_whole_is_made_anew(self):
        place = os.path.join(self.private, "tools")
        os.makedirs(os.path.join(place, "bin"))
        self.assertIsNone(environments.find("tools", ["cmake"]))
        self.put("venv")
        self.make()
        self.assert_whole()
        for spoil in (lambda: self.put(".wherry/tools/sealed.json", "{"), lambda: self.put("version", "3 12\n"),
                      lambda: os.remove(os.path.join(place, "bin", "python3")), lambda: self.move(place)):
            spoil()
            self.assertIsNone(environments.find("tools", ["cmake"]))
            self.make()
            self.assert_whole()
        self.assertIsNone(environments.find("tools", ["cmake", "ninja"]))

    @staticmethod
    def move(place):
        """As when the whole checkout is moved: scripts hold the old path."""
        os.rename(place, place + "-elsewhere")
        shutil.copytree(place + "-elsewhere", place)
        seal = os.path.join(place, "sealed.json")
        with open(seal, encoding="utf-8") as file:
            text = file.read()
        with open(seal, "w", encoding="utf-8") as file:
            file.write(text.replace("/tools", "/tools-elsewhere"))

    def test_the_users_own_settings_lead_pip_nowhere_else(self):
        self.put("venv")
        with mock.patch.dict(os.environ, {"PYTHONPATH": "/nowhere", "PIP_USER": "1", "PIP_TARGET": "/nowhere"}):
            self.make()
            self.assertFalse({"PYTHONPATH", "PIP_USER", "PIP_TARGET"} & set(environments._clean()))


    def test_an_update_of_apt_that_reached_nobody_succeeds(self):
        self.program("apt-get", "#!/bin/sh\ncase $* in *update*) echo W: Temporary failure resolving;; *) exit 100;; esac\n")
        self.assert_fails("no connection")

    def test_paths_with_spaces_keep_wrappers_elsewhere(self):
        self.assertEqual("/a/b/.wherry", shell.private_folder("/a/b"))
        with mock.patch.dict(os.environ, {"XDG_CACHE_HOME": "/cache"}):
            first, second = shell.private_folder("/a b/c"), shell.private_folder("/a b/d")
        self.assertRegex(first, "^/cache/wherry-[0-9a-f]+$")
        self.assertNotEqual(first, second)


class Needs(World):
    def installed_for(self, targets, here=()):
        asked = []
        with mock.patch.object(debian, "install", lambda *packages: asked.extend(packages) or True), \
                mock.patch.object(needs, "_present", lambda headers: set(here)):
            needs.install(targets)
        return asked

    def test_the_demonstration_needs_no_library(self):
        self.assertEqual([], self.installed_for(["halo_demo", "redblack3d", "nas_mg", "ray_scene", "lattice_boltzmann", "wherry_info"]))

    def test_targets_say_what_they_need(self):
        self.assertEqual(["libfftw3-dev"], self.installed_for(["nas_ft"]))
        self.assertEqual(["libfftw3-dev", "libopenblas-dev"], self.installed_for(needs.APPLICATIONS))
        self.assertEqual([], self.installed_for(["nas_ft"], here=["fftw3.h"]))

    def test_tests_by_name(self):
        self.assertEqual(["nas_ft"], needs.named("app.nas_ft_S"))
        self.assertEqual([], needs.named("halo_errors"))

    def test_what_is_left_out_is_said(self):
        needs.install(["summa"]) if not needs._present({"openblas_config.h": ()}) else self.skipTest("OpenBLAS is here")
        self.assertIn("summa", self.said.getvalue())

    def test_a_tree_of_another_place_is_made_anew(self):
        tree = os.path.join(self.folder, "build", "openmpi-dev")
        os.makedirs(tree)
        self.put("build/openmpi-dev/CMakeCache.txt", f"CMAKE_HOME_DIRECTORY:INTERNAL={ROOT}\n")
        build._forget_if_moved(tree)
        self.assertTrue(os.path.exists(tree))
        self.put("build/openmpi-dev/CMakeCache.txt", "CMAKE_HOME_DIRECTORY:INTERNAL=/where/it/was\n")
        build._forget_if_moved(tree)
        self.assertFalse(os.path.exists(tree))

    def test_what_cmake_did_not_find_is_looked_for_again(self):
        tree = os.path.join(self.folder, "build", "openmpi-dev")
        os.makedirs(tree)
        found = mpi.Mpi("openmpi", "openmpi-4", "Open MPI 4", "cc", "cxx", "mpiexec", "include")
        self.program("cmake", f"#!/bin/sh\necho HAVE_THREADS=NO > {tree}/CMakeCache.txt; exit 1\n")
        with mock.patch.object(build, "folder", lambda *_: tree), mock.patch.object(toolchain, "cmake", lambda: "cmake"), \
                mock.patch.object(toolchain, "ninja", lambda: "ninja"), self.assertRaises(Failure):
            build._configure(found, "dev", ())
        self.assertFalse(os.path.exists(os.path.join(tree, "CMakeCache.txt")))

    def test_one_command_of_root_is_named(self):
        with mock.patch.object(toolchain, "missing_packages", lambda: ["cmake"]), \
                mock.patch.object(mpi, "missing_packages", lambda kind: ("libopenmpi-dev", "openmpi-bin")):
            self.assertIn("apt-get install cmake libopenmpi-dev openmpi-bin", build._enough("auto"))


class Configured(World):
    """CMake runs when something that it was given has changed; what it reads itself is ninja's business."""

    def setUp(self):
        super().setUp()
        self.tree = os.path.join(self.folder, "build", "openmpi-release")
        os.makedirs(os.path.join(self.tree, ".cmake", "api", "v1", "reply"))
        self.replace(mock.patch.object(needs, "present", lambda: {"fftw3.h"}))
        for name in ("build.ninja", ".cmake/api/v1/reply/index-1.json"):
            self.put(f"build/openmpi-release/{name}")
        self.put("build/openmpi-release/CMakeCache.txt", "# a comment=1\nWHERRY_WERROR:BOOL=ON\nMPI_C_COMPILER:FILEPATH=/bin/mpicc\n")
        self.definitions = ["-DMPI_C_COMPILER=/bin/mpicc"]
        configured.Asked(self.definitions, "Open MPI 4").keep(self.tree)

    def holds(self, more=(), version="Open MPI 4"):
        return configured.Asked([*self.definitions, *more], version).holds_in(self.tree)

    def test_what_is_configured_is_not_configured_again(self):
        self.assertTrue(self.holds())
        self.assertTrue(self.holds(["-DWHERRY_WERROR:BOOL=ON"]))

    def test_what_differs_is(self):
        self.assertFalse(self.holds(["-DWHERRY_WERROR=OFF"]))
        self.assertFalse(self.holds(["-DANOTHER=1"]))
        self.assertFalse(self.holds(version="Open MPI 5"))
        with mock.patch.object(needs, "present", set):
            self.assertFalse(self.holds())
        with mock.patch.object(configured, "ROOT", self.folder):
            self.put("CMakePresets.json", "{}")
            self.assertFalse(self.holds())

    def test_what_is_not_whole_is(self):
        for name in ("build.ninja", "CMakeCache.txt", ".cmake/api/v1/reply/index-1.json", "configured.json"):
            path = os.path.join(self.tree, name)
            os.rename(path, path + ".away")
            self.assertFalse(self.holds(), name)
            os.rename(path + ".away", path)
            self.assertTrue(self.holds(), name)
        configured.forget(self.tree)
        self.assertFalse(self.holds())

    def test_cmake_runs_once(self):
        self.program("cmake", "#!/bin/sh\necho cmake >> $WORLD/calls\n")
        self.program("ninja", "#!/bin/sh\necho ninja $* >> $WORLD/calls\n")
        self.put("build/openmpi-release/CMakeCache.txt", "".join(
            f"{name}:STRING={value}\n" for name, value in (
                ("CMAKE_MAKE_PROGRAM", os.path.join(self.bin, "ninja")), ("MPI_C_COMPILER", "cc"), ("MPI_CXX_COMPILER", "cxx"),
                ("MPIEXEC_EXECUTABLE", "mpiexec"), ("Python3_EXECUTABLE", sys.executable))) + f"CMAKE_HOME_DIRECTORY:INTERNAL={ROOT}\n")
        found = mpi.Mpi("openmpi", "openmpi-4", "Open MPI 4.1", "cc", "cxx", "mpiexec", "include")
        with mock.patch.object(build, "folder", lambda *_: self.tree), mock.patch.object(toolchain, "cmake", lambda: "cmake"):
            for _ in range(3):
                build._configure(found, "release", ())
        self.assertEqual(1, self.calls().count("cmake"))
        self.assertEqual(2, self.calls().count("build.ninja"))


class Beforehand(World):
    """What is said before anything is installed or built."""

    SIZES = "Need to get 52.3 MB of archives.\nAfter this operation, 214 MB of additional disk space will be used.\n"

    def announced(self, root):
        self.program("apt-get", f"#!/bin/sh\necho \"$*\" >> $WORLD/calls\ncase $* in *--assume-no*) printf '{self.SIZES}'; exit 1;; esac\n")
        options = mock.Mock(mpi="auto", preset="release", quick=True, device=False, ranks=None)
        with mock.patch.object(shell, "is_root", lambda: root), mock.patch.object(mpi, "find", lambda kind: None), \
                mock.patch.object(toolchain, "missing_packages", lambda: ["cmake"]):
            demo.announce(options, ["halo_demo"], list(demo.parts(options, self.folder)))
        return self.said.getvalue()

    def test_root_hears_what_is_installed_and_how_large_it_is(self):
        text = self.announced(True)
        self.assertIn("installing with apt: cmake libopenmpi-dev openmpi-bin (52.3 MB to fetch, 214 MB on the disk)", text)
        self.assertRegex(text, r"this takes about \d+ minutes: \d+ (minutes|s) to build with \d+ compilers at once, \d+ s to run")
        self.assertLess(text.index("this takes"), text.index("installing"))
        self.assertNotIn("matplotlib", self.calls())

    def test_others_hear_what_is_missing(self):
        self.assertIn("missing here: cmake, libopenmpi-dev, openmpi-bin", self.announced(False))


class Progress(World):
    def test_steps_of_ninja(self):
        line = progress.Line("building")
        line.step("[3/40] Building CXX object src/core/CMakeFiles/wherry_core.dir/error.cpp.o\n")
        self.assertIn("building: 3 of 40, src/core/error.cpp, 0 s", line.text())

    def test_steps_of_ctest(self):
        line = testing.Tests()
        for text in ("      Start 12: halo_errors.2\n", "      Start 13: plan\n", " 7/40 Test #13: plan ....   Passed    0.1 sec\n"):
            line.step(text)
        self.assertIn("testing: 7 of 40, running halo_errors.2, 0 s", line.text())

    def test_says_on_a_pipe_how_far_it_is(self):
        with mock.patch.object(progress, "EVERY", 0.1):
            progress.logged("building", ["sh", "-c", "echo '[1/2] Linking x'; sleep 0.5"])
        self.assertIn("building: 1 of 2, Linking x", self.said.getvalue())

    def test_rewrites_its_line_on_a_terminal(self):
        with mock.patch.object(progress, "EVERY", 0.1), mock.patch.object(shell, "TERMINAL", True):
            progress.logged("building", ["sh", "-c", "echo '[1/2] Linking x'; sleep 0.5"])
        text = self.said.getvalue()
        self.assertIn("\r    building: 1 of 2, Linking x", text)
        self.assertNotIn("\n", text)
        self.assertRegex(text, "\r +\r$")

    def test_names_causes(self):
        with self.assertRaises(Failure) as failure:
            progress.logged("building", ["sh", "-c", "echo fatal error: x.o: No space left on device; exit 1"])
        self.assertRegex(str(failure.exception), "the disk is full: .* MiB free in")
        self.assertEqual(124, progress.run(["sleep", "60"], timeout=0.2))

    def test_a_program_that_does_not_say_that_the_disk_is_full(self):
        with mock.patch.object(progress, "_free", lambda: {"/here": 1000, "/there": 1 << 40}), \
                self.assertRaisesRegex(Failure, "the disk is full: 0 MiB free in /here, 1048576 MiB free in /there"):
            progress.logged("configuring", ["sh", "-c", "echo no threads here; exit 1"])

    def test_a_log_that_does_not_fit(self):
        os.makedirs(os.path.join(self.folder, "build", "logs"))
        os.symlink("/dev/full", os.path.join(self.folder, "build", "logs", "building.log"))
        with self.assertRaises(OSError) as problem:
            progress.logged("building", ["echo", "much"])
        self.assertEqual(errno.ENOSPC, problem.exception.errno)

    def test_a_build_stops_at_its_first_error_and_shows_it(self):
        tree = os.path.join(self.folder, "build", "tree")
        os.makedirs(tree)
        with open(os.path.join(tree, "build.ninja"), "w") as rules:
            rules.write("rule talk\n  command = seq 100\nrule fail\n  command = echo error: $out; false\n  description = $out\nbuild noise: talk\n"
                        + "".join(f"build {name}: fail noise\n" for name in ("one", "two", "three")))
        ninja = shutil.which("ninja", path=REAL_PATH)
        if not ninja:
            self.skipTest("there is no ninja in the path")
        found = mpi.Mpi("openmpi", "openmpi-4", "Open MPI 4", "/bin/cc", "/bin/c++", "/bin/mpiexec", "/include")
        with mock.patch.object(toolchain, "ninja", lambda: ninja), mock.patch.object(shell, "jobs", lambda: 1), \
                self.assertRaises(Failure):
            build.compile_targets(found, tree)
        shown = self.said.getvalue().splitlines()
        self.assertIn("FAILED: ", shown[0])
        self.assertEqual(1, sum("FAILED: " in line for line in shown))

    def test_nothing_is_left_behind(self):
        for way in (signal.SIGINT, signal.SIGTERM):
            mark = f"98765.{way:d}{os.getpid()}"
            # A shell's background job, which a test may be, begins with SIGINT ignored.
            script = ("import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler);"
                      f"sys.path.insert(0, {os.path.join(ROOT, 'tools')!r}); from run import cli, progress;"
                      f"cli.COMMANDS['x'] = lambda words: progress.run(['sh', '-c', 'sleep {mark} & sleep {mark}; true']);"
                      "sys.exit(cli.main(['x']))")
            child = subprocess.Popen([REAL_PYTHON, "-B", "-c", script], stderr=subprocess.PIPE, text=True)
            self.until(lambda: self.sleepers(mark) == 2)
            child.send_signal(way)
            self.assertIn("stopped", child.communicate(timeout=30)[1])
            self.assertEqual(128 + way, child.returncode)
            self.until(lambda: self.sleepers(mark) == 0)

    @staticmethod
    def sleepers(mark):
        count = 0
        for name in os.listdir("/proc"):
            with contextlib.suppress(OSError):
                if name.isdigit():
                    with open(f"/proc/{name}/cmdline", "rb") as file:
                        count += file.read() == b"sleep\0" + mark.encode() + b"\0"
        return count

    def until(self, holds):
        end = time.time() + 30
        while not holds():
            self.assertLess(time.time(), end)
            time.sleep(0.02)


REAL_PYTHON, REAL_PATH = sys.executable, os.environ.get("PATH", "")


class FromOutside(unittest.TestCase):
    """./run of a copy of the checkout's tools: nothing is built here."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.checkout = os.path.join(folder.name, "a path with spaces")
        os.makedirs(self.checkout)
        for name in ("run", "tools", "bench"):
            copy = shutil.copytree if os.path.isdir(os.path.join(ROOT, name)) else shutil.copy
            copy(os.path.join(ROOT, name), os.path.join(self.checkout, name))

    def run_it(self, *words, **variables):
        """(status, all that is said), called from another folder."""
        run = subprocess.run([REAL_PYTHON, os.path.join(self.checkout, "run"), *words], cwd="/", text=True, check=False,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=dict(os.environ, **variables))
        self.assertNotIn("Traceback", run.stdout)
        return run.returncode, run.stdout

    def made(self):
        return [name for name in ("build", ".wherry") if os.path.exists(os.path.join(self.checkout, name))]

    def test_help_builds_nothing(self):
        for words in (["--help"], ["bench", "--help"], ["bench", "halo", "--help"], ["bench", "deep", "-h"], ["demo", "--help"],
                      ["test", "--help"], ["info", "--help"], ["lint", "--help"], ["plot", "--help"], ["plan", "--help"], ["clean", "--help"]):
            status, text = self.run_it(*words)
            self.assertEqual(0, status, shlex.join(words))
            self.assertIn("./run" if words[0] != "plot" else "usage", text)
        self.assertEqual([], self.made())

    def test_help_lists_the_benchmarks_with_a_line_each(self):
        for asked in (["bench", "--help"], ["bench"]):
            status, text = self.run_it(*asked)
            self.assertEqual(0, status)
            for words in ("blocks", "hand-written MPI", "deep", "Boost", "halo exchange beside"):
                self.assertIn(words, text)

    def test_info_builds_nothing(self):
        status, text = self.run_it("info")
        self.assertEqual(0, status)
        self.assertIn("./run info --build", text)
        self.assertEqual([], self.made())

    def test_wrong_words(self):
        for words, expected in ((["--frob"], "there is no command '--frob'"), (["demo", "--frob"], "unrecognized arguments: --frob"),
                                (["test", "--ranks", "two"], "expected numbers from 1"), (["test", "--ranks", "0"], "numbers from 1"),
                                (["bench", "pigeon"], "there are: all, beside, bindings, blocks, collective, "), (["test", "--mpi", "lam"], "invalid choice"),
                                (["test", "--only", "halo", "--only", "deep"], "--only is given twice"),
                                (["plan", "halo", "8x8"], "--ranks is missing"), (["plan", "halo", "8y8", "--ranks", "2"], "512x512x512"),
                                (["plan", "halo", "8x8", "--ranks", "3", "--grid", "2x2"], "--grid 2x2 is 4 ranks"),
                                (["plan", "halo", "8x8", "--ranks", "2", "--periodic", "101"], "3 digits for 2 dimensions"),
                                (["plan", "halo", "8x8", "--ranks", "0"], "from 1 to 1048576"), (["plan"], "required"),
                                (["plan", "boxes", "/nowhere.json"], "no file '/nowhere.json'"),
                                (["plan", "boxes", "/nowhere.json", "--ranks", "2"], "boxes have owners"),
                                (["plan", "halo", "8x8", "--ranks", "2", "--picture", "/nowhere/a.svg"], "cannot write '/nowhere/a.svg'"),
                                (["clean", "everything"], "unrecognized")):
            status, text = self.run_it(*words)
            self.assertNotEqual(0, status)
            self.assertIn(expected, text)
        self.assertEqual([], self.made())

    def test_jobs(self):
        for value in ("garbage", "0", "-1", "1.5", "²", "99999999999"):
            status, text = self.run_it("demo", WHERRY_JOBS=value)
            self.assertEqual(1, status)
            self.assertIn(f"WHERRY_JOBS is '{value}', expected a number from 1", text)
        self.assertEqual([], self.made())

    def test_a_checkout_that_cannot_be_written(self):
        with open(os.path.join(self.checkout, "build"), "w", encoding="utf-8"):
            pass  # root may write everywhere else
        for command in ("demo", "test", "bench halo"):
            status, text = self.run_it(*command.split())
            self.assertEqual(1, status)
            self.assertIn("cannot write in", text)
            self.assertIn("copy the checkout", text)

    def test_a_full_disk_anywhere(self):
        for number, words in ((errno.ENOSPC, "the disk is full: "), (errno.EROFS, "Read-only file system: /x")):
            said = io.StringIO()
            with mock.patch.dict(cli.COMMANDS, x=mock.Mock(side_effect=OSError(number, os.strerror(number), "/x"))), \
                    mock.patch.object(signal, "signal"), contextlib.redirect_stderr(said):
                self.assertEqual(1, cli.main(["x"]))
            self.assertIn(words, said.getvalue())

    def test_two_at_once_take_turns(self):
        lock = os.path.join(self.checkout, "lock")
        script = (f"import sys; sys.path.insert(0, {os.path.join(ROOT, 'tools')!r}); from run import shell\n"
                  f"with shell.locked({lock!r}, 'builds'): print('mine', flush=True); sys.stdin.read()")
        first, second = (subprocess.Popen([REAL_PYTHON, "-B", "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
                         for _ in range(2))
        with first, second:
            early, late = (first, second) if first.stdout.readline() == "mine\n" else (second, first)
            if late is second:
                self.assertIn("waiting for another ./run that builds", second.stdout.readline())
            early.stdin.close()
            self.assertEqual("mine\n", late.stdout.readline())
            late.stdin.close()


if __name__ == "__main__":
    unittest.main()
