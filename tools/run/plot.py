"""./run plot: tools/plot_plan.py, in a Python that has matplotlib."""
import os
import subprocess
import sys

from . import toolchain
from .shell import ROOT, Failure


def main(arguments):
    # Help needs no matplotlib.
    python = sys.executable if not arguments or {"-h", "--help"} & set(arguments) else toolchain.python_with("matplotlib")
    if python is None:
        raise Failure("matplotlib is missing and pip could not install it; see build/logs/pip.log")
    return subprocess.run([python, "-B", os.path.join(ROOT, "tools", "plot_plan.py"), *arguments], check=False).returncode
