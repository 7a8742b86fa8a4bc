"""./run plot: tools/plot_plan.py or tools/plot_trace.py, by what the file is, in a Python that has matplotlib."""
import os
import subprocess
import sys

from . import toolchain
from .shell import ROOT


def _is_trace(path):
    """A trace is a list, a plan an object; what is neither plot_plan complains about."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read(100).lstrip().startswith("[")
    except (OSError, ValueError):
        return False


def main(arguments):
    # Help needs no matplotlib.
    help_only = not arguments or {"-h", "--help"} & set(arguments)
    python = sys.executable if help_only else toolchain.python_with_matplotlib()
    tool = "plot_trace.py" if any(_is_trace(word) for word in arguments if not word.startswith("-")) else "plot_plan.py"
    status = subprocess.run([python, "-B", os.path.join(ROOT, "tools", tool), *arguments], check=False).returncode
    if help_only and tool == "plot_plan.py":
        print("\nA trace (WHERRY_TRACE=file) is drawn as well:\n")
        subprocess.run([python, "-B", os.path.join(ROOT, "tools", "plot_trace.py"), "--help"], check=False)
    return status
