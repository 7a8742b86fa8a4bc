"""What a benchmark's driver says to arguments that it refuses."""
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def refusal(name, *arguments):
    """bench/NAME.py, started as by ./run; gives what it says. It must end with status 1."""
    run = subprocess.run([sys.executable, os.path.join(ROOT, "bench", name + ".py"), *arguments], capture_output=True, text=True,
                         check=False, env=dict(os.environ, WHERRY_BUILD="."))
    if run.returncode != 1:
        raise AssertionError(f"{name} {' '.join(arguments)} ended with status {run.returncode}: {run.stderr}")
    return run.stderr
