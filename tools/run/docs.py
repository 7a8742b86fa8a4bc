"""./run docs: the manual as a site, build/docs/index.html, which reads without a network.

Sphinx makes it of docs/, Doxygen adds the reference of the C++ and C headers, and FORD that of the Fortran modules.
"""
import os
import re
import shutil
import subprocess
import sys

from . import debian, environments, shell
from .shell import BUILD, ROOT, Failure

# In versions that everybody uses: another one may draw other warnings, which are errors here.
PACKAGES = ["sphinx==9.0.4", "myst-parser==5.2.0", "furo==2025.12.19", "sphinx-design==0.8.0", "sphinx-autoapi==3.9.0",
            "ford==7.0.13"]
FOR_OLDER_PYTHON = ["sphinx==7.4.7", "myst-parser==3.0.1", "furo==2024.8.6", "sphinx-design==0.6.1", "sphinx-autoapi==3.3.3",
                    "ford==7.0.13"]
LONGEST = 300  # lines of a page: what a person reads at one sitting
REFERENCES = os.path.join(BUILD, "references")  # conf.py knows this folder
# What Doxygen does not understand of C++20, and no comment can mend.
BEYOND_DOXYGEN = ("no matching file member found", "Internal inconsistency: scope for class std::numeric_limits")
MISSING = "<!DOCTYPE html><title>Wherry</title><p>{} makes this reference, and was not there when this site was made."


def pages():
    for place, _, names in os.walk(os.path.join(ROOT, "docs")):
        yield from sorted(os.path.join(place, name) for name in names if name.endswith(".md"))


def long_pages():
    """Complaints about pages that are too long."""
    for path in pages():
        with open(path, encoding="utf-8") as file:
            lines = sum(1 for _ in file)
        if lines > LONGEST:
            yield f"{shell.short(path)} has {lines} lines; a page has at most {LONGEST}"


def _said(command, **options):
    """The lines of standard error of a program that must succeed."""
    done = subprocess.run(command, check=False, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, cwd=ROOT, **options)
    lines = [line.replace(ROOT + "/", "") for line in done.stderr.splitlines() if line.strip()]
    return done.returncode, lines


def _version():
    with open(os.path.join(ROOT, "CMakeLists.txt"), encoding="utf-8") as file:
        return re.search(r"project\(Wherry VERSION ([0-9.]+)", file.read()).group(1)


def headers():
    """The reference of the headers, and complaints about their comments."""
    target = os.path.join(REFERENCES, "headers")
    os.makedirs(target)
    if not shell.which("doxygen") and not debian.install("doxygen"):
        shell.say("without doxygen (Debian: apt-get install doxygen) the reference of the C++ and C headers is left out")
        with open(os.path.join(target, "index.html"), "w", encoding="utf-8") as file:
            file.write(MISSING.format("Doxygen"))
        return []
    settings = f"@INCLUDE = docs/Doxyfile\nOUTPUT_DIRECTORY = {target}\nPROJECT_NUMBER = {_version()}\n"
    status, lines = _said(["doxygen", "-"], input=settings)
    if status != 0:
        raise Failure("\n".join(["doxygen failed:"] + lines))
    return [line for line in lines if ": warning: " in line and not any(text in line for text in BEYOND_DOXYGEN)]


def modules(environment):
    """The reference of the Fortran modules."""
    target = os.path.join(REFERENCES, "fortran_modules")
    status, lines = _said([os.path.join(environment, "bin", "ford"), "-q", "-o", target, "docs/ford.txt"])
    if status != 0 or not os.path.exists(os.path.join(target, "index.html")):
        raise Failure("\n".join(["ford failed:"] + lines))


def site(environment):
    """The site, and complaints about its pages."""
    target = os.path.join(BUILD, "docs")
    shutil.rmtree(target, ignore_errors=True)
    status, lines = _said([os.path.join(environment, "bin", "sphinx-build"), "-q", "-E", "-n", "-W", "--keep-going", "-b", "html",
                           "-d", os.path.join(BUILD, "docs-parsed"), "docs", target])
    complaints = [line for line in lines if "WARNING" in line or "ERROR" in line or "CRITICAL" in line]
    if status != 0 and not complaints:
        raise Failure("\n".join(["sphinx-build failed:"] + lines))
    return complaints


def main():
    shell.must_be_writable()
    environment = environments.make("docs", PACKAGES if sys.version_info >= (3, 11) else FOR_OLDER_PYTHON)
    shutil.rmtree(REFERENCES, ignore_errors=True)
    complaints = list(long_pages()) + headers()
    modules(environment)
    complaints += site(environment)
    for line in complaints:
        print("! " + line)
    shell.say(f"open {shell.short(os.path.join(BUILD, 'docs', 'index.html'))}")
    print(f"{0 if complaints else len(list(pages()))} passed, {len(complaints)} failed")
    return 1 if complaints else 0
