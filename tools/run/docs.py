"""./run docs: the manual as a site, build/docs/index.html, made by Sphinx from docs/. It reads without a network."""
import os
import re
import subprocess

from . import environments, shell
from .shell import BUILD, ROOT, Failure

# In the versions that everybody uses: another one may draw warnings, which are errors here.
PACKAGES = ("docs", ["sphinx==9.0.4", "myst-parser==5.2.0", "furo==2025.12.19", "sphinx-design==0.8.0"])
OLDER_PYTHON = ("docs", ["sphinx==7.4.7", "myst-parser==3.0.1", "furo==2024.8.6", "sphinx-design==0.6.1"])  # before 3.11
LONGEST = 300  # lines of a page, which is what a person reads at one sitting


def _pages():
    folder = os.path.join(ROOT, "docs")
    for place, _, names in os.walk(folder):
        yield from (os.path.join(place, name) for name in names if name.endswith(".md"))


def _long_pages():
    """Complaints about pages that are too long."""
    for path in sorted(_pages()):
        with open(path, encoding="utf-8") as file:
            lines = sum(1 for _ in file)
        if lines > LONGEST:
            yield f"{shell.short(path)} has {lines} lines; a page has at most {LONGEST}"


def _sphinx(source, target, builder):
    import sys

    packages = PACKAGES if sys.version_info >= (3, 11) else OLDER_PYTHON
    program = os.path.join(environments.make(*packages), "bin", "sphinx-build")
    doctrees = os.path.join(BUILD, "docs-doctrees")
    # Links to files outside of docs/ are in the site as copies of these files.
    command = [program, "-q", "-E", "-n", "-W", "--keep-going", "-b", builder, "-d", doctrees, source, target]
    done = subprocess.run(command, check=False, stderr=subprocess.PIPE, text=True)
    return [line for line in done.stderr.splitlines() if re.search(r"\S", line)], done.returncode


def main():
    target = os.path.join(BUILD, "docs")
    complaints = list(_long_pages())
    lines, status = _sphinx(os.path.join(ROOT, "docs"), target, "html")
    complaints += [re.sub("^" + re.escape(ROOT) + "/", "", line) for line in lines if "WARNING" in line or "ERROR" in line]
    if status != 0 and not complaints:
        raise Failure("\n".join(["sphinx-build failed:"] + lines))
    for line in complaints:
        print("! " + line)
    pages = sum(1 for _ in _pages())
    shell.say(f"open {shell.short(os.path.join(target, 'index.html'))}")
    print(f"{pages if not complaints else 0} passed, {len(complaints)} failed")
    return 1 if complaints else 0
