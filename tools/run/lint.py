"""./run lint and ./run format."""
import os
import subprocess
import sys

from . import c_interface, definitions, includes, layering, progress, shell, toolchain
from .shell import ROOT, Failure

GENERATOR = os.path.join(ROOT, "bindings", "fortran", "generate.py")

CODE = ("include", "src", "apps", "bench", "bindings", "compat", "tests", "examples")
TEXT = CODE + ("docs", "tools", "cmake", "run", ".ci", ".github", "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "CMakeLists.txt")


def tracked(*endings):
    """Files that git knows or would take, below our folders."""
    status, text = shell.capture(["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard", "--", *CODE])
    if status == 0:
        names = [name for name in text.splitlines() if os.path.exists(os.path.join(ROOT, name))]
    else:
        names = list(layering.sources(*CODE))
    return sorted(name for name in names if name.endswith(endings))


CODE_ENDINGS = (".hpp", ".h", ".cpp", ".c", ".cu", ".hxx", ".ipp")


def formatted():
    return tracked(*CODE_ENDINGS)


def apply_format(files=()):
    program = toolchain.pinned("clang-format")
    # clang-format would take any text for C++.
    asked = [os.path.relpath(os.path.abspath(name), ROOT) for name in files if name.endswith(CODE_ENDINGS)]
    files = asked if files else formatted()
    if files:
        if progress.run([program, "-i", "--style=file", *files]):
            raise Failure("clang-format failed")
    shell.say(f"formatted {len(files)} files")
    return 0


def check_format():
    program = toolchain.pinned("clang-format")
    files = formatted()
    if not files:
        return []
    run = subprocess.run([program, "--dry-run", "--style=file", *files], cwd=ROOT, capture_output=True, text=True)
    if run.returncode:
        return [run.stderr]
    wrong = sorted({line.split(":")[0] for line in run.stderr.splitlines() if "[-Wclang-format-violations]" in line})
    return [f"{name}: not formatted; ./run format does it" for name in wrong]


def check_spelling():
    program = toolchain.pinned("codespell")
    places = [name for name in TEXT if os.path.exists(os.path.join(ROOT, name))]
    run = subprocess.run([program, "--config", ".codespellrc", *places], cwd=ROOT, capture_output=True, text=True)
    lines = [line for line in (run.stdout + run.stderr).splitlines() if line.strip()]
    return lines if run.returncode else []


def check_lengths():
    warnings, errors = layering.lengths()
    for line in warnings:
        print("warning: " + line)
    return errors


def check_generated():
    """Whether the generated Fortran sources are what their generator writes."""
    run = subprocess.run([sys.executable, GENERATOR, "--check"], capture_output=True, text=True)
    return [line for line in (run.stdout + run.stderr).splitlines() if line.strip()] if run.returncode else []


CHECKS = (("format", check_format), ("spelling", check_spelling), ("layering", layering.check),
          ("standard headers", includes.check), ("definitions", definitions.check),
          ("C interface", c_interface.faults), ("generated Fortran", check_generated),
          ("file lengths", check_lengths))


def main():
    passed = failed = 0
    for name, check in CHECKS:
        shell.say(f"checking {name}")
        faults = check()
        for fault in faults:
            print("  " + fault)
        failed += bool(faults)
        passed += not faults
    print(f"{passed} passed, {failed} failed", flush=True)
    return 1 if failed else 0
