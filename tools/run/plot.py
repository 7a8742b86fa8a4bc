"""./run plot: tools/plot_plan.py, in a Python that has matplotlib."""
import os
import subprocess
import sys

from . import toolchain
from .shell import ROOT


def main(arguments):
    # Help needs no matplotlib.
    help_only = not arguments or {"-h", "--help"} & set(arguments)
    python = sys.executable if help_only else toolchain.python_with_matplotlib()
    return subprocess.run([python, "-B", os.path.join(ROOT, "tools", "plot_plan.py"), *arguments], check=False).returncode
