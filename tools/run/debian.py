"""Debian's packages: installed as root; fetched and unpacked into .wherry/ without."""
import glob
import os
import re
import shutil

from . import progress, shell
from .shell import PRIVATE, Failure

PATIENCE = 300  # seconds for another apt-get to end: a second ./run's, or the one that a fresh machine starts by itself
_updated = False


def present():
    return bool(shell.which("apt-get") and shell.which("dpkg"))


def installed(name):
    status, text = shell.capture(["dpkg-query", "-W", "-f", "${Status}", name])
    return status == 0 and text.endswith(" installed")


def may_install():
    return shell.is_root() and present()


def install(*packages):
    """Installs them when we may. True when it worked."""
    if not may_install():
        return False
    _update()
    shell.say("installing with apt: " + " ".join(packages) + _size_in_words(packages))
    command = ["apt-get", "-o", f"DPkg::Lock::Timeout={PATIENCE}", *_install("-y", packages)]
    status, text = progress.logged("apt-get install", command, env=_environment(), check=False, name="apt-install")
    if status:
        shell.warn(f"apt-get install failed: {progress.reason(text) or 'build/logs/apt-install.log says why'}")
    return status == 0


def _environment():
    return dict(os.environ, DEBIAN_FRONTEND="noninteractive", LC_ALL="C")


def _install(answer, packages):
    return ["install", "-q", answer, "--no-install-recommends", *packages]


def _update():
    global _updated
    if not _updated:
        progress.logged("apt-get update", ["apt-get", "update", "-q"], env=_environment(), check=False, name="apt-update")
        _updated = True


def _size_in_words(packages):
    """" (52.3 MB to fetch, 214 MB on the disk)": with all that they depend on; nothing where apt does not tell."""
    text = shell.capture(["apt-get", *_install("--assume-no", packages)], env=_environment())[1]
    words = [f"{found[1]} {what}" for pattern, what in ((r"Need to get ([\d.,]+ \w?B)", "to fetch"),
                                                        (r"([\d.,]+ \w?B) of additional disk space", "on the disk"))
             for found in [re.search(pattern, text)] if found]
    return f" ({', '.join(words)})" if words else ""


def unpack(names, folder):
    """Downloads packages and unpacks them into `folder`, without root. A Failure says why it cannot be."""
    downloads = os.path.join(folder, "packages")
    shutil.rmtree(downloads, ignore_errors=True)  # what an interrupted ./run left there
    os.makedirs(downloads)
    for name in names:
        _download(name, downloads)
    for package in glob.glob(os.path.join(downloads, "*.deb")):
        progress.logged("dpkg", ["dpkg", "-x", package, folder])


def _download(name, folder):
    shell.say(f"fetching Debian's {name} into {shell.short(os.path.dirname(folder))}")
    if _apt_get(["download", "-q", name], folder)[0] == 0:
        return
    # With lists of our own: the system's may be old, or removed, as containers' images do.
    own = _own_lists()
    said = ""
    for words in ([*own, "update", "-q"], [*own, "download", "-q", name]):
        status, text = _apt_get(words, folder)
        said += text  # an update that reached nobody warns, and succeeds
        if status:
            raise Failure(f"cannot fetch Debian's {name}: {progress.reason(said) or progress.last_line(said)}")


def _apt_get(words, folder):
    what = "apt-get " + ("update" if "update" in words else "download")
    return progress.logged(what, ["apt-get", *words], cwd=folder, check=False, name=what.replace(" ", "-"))


def _own_lists():
    folder = os.path.join(PRIVATE, "apt")
    for part in ("lists/partial", "cache/archives/partial"):
        os.makedirs(os.path.join(folder, part), exist_ok=True)
    return ["-o", f"Dir::State::lists={folder}/lists", "-o", f"Dir::Cache={folder}/cache"]
