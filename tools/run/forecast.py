"""./run plan: wherry_plan, which needs no mpirun, of a release tree."""
import subprocess

from . import build


def main(arguments):
    _, tree = build.build("auto", "release", targets=["wherry_plan_program"])
    return subprocess.run([build.program(tree, "wherry_plan"), *arguments], check=False).returncode
