"""SimGrid's SMPI: hundreds of MPI ranks in one process. Fetched from Debian into .wherry/simgrid, never installed.

The ranks are cooperative user-level threads; each has its own copy of the program's statics, since the simulator loads a
copy of the program for each (so programs are linked as shared objects, with Wherry inside: cmake/WherrySimgrid.cmake).
"""
import functools
import glob
import os
import re
import resource
import shlex
import subprocess
import sys
import tempfile

from . import debian, shell
from .shell import PRIVATE, ROOT, Failure

FOLDER = os.path.join(PRIVATE, "simgrid")
RANKS = 256            # what ./run test --mpi simgrid tests on
RANKS_OF_A_HOST = 16   # that share "memory": MPI_COMM_TYPE_SHARED; WHERRY_SIMULATED_NODE overrides

# SimGrid's headers want Boost for one alias of an incomplete type, and forget two headers that Boost brought along.
BOOST = """#include <functional>
#include <string>
namespace boost {
template <class T> class intrusive_ptr;
}
"""


# ------------------------------------------------------------------------------------------------------------- finding

def libraries():
    """The folder of libsimgrid.so, or None."""
    found = glob.glob(os.path.join(FOLDER, "usr", "lib", "*", "libsimgrid.so"))
    return os.path.dirname(found[0]) if found else None


def version():
    found = glob.glob(os.path.join(libraries(), "libsimgrid.so.*"))
    return max((os.path.basename(path)[len("libsimgrid.so."):] for path in found), default="3")


def find():
    """An Mpi, or None. Installs nothing."""
    from . import mpi

    if not libraries() or not os.access(_program("mpiexec"), os.X_OK):
        return None
    number = version()
    return mpi.Mpi("simgrid", "simgrid-" + number.split(".")[0], f"SimGrid {number} (simulated MPI)", _program("mpicc"),
                   _program("mpicxx"), _program("mpiexec"), os.path.join(FOLDER, "usr", "include", "smpi"))


def _program(name):
    return os.path.join(FOLDER, "bin", name)


# ---------------------------------------------------------------------------------------------------------- installing

def install():
    """Downloads Debian's packages and unpacks them; gives what find() gives."""
    if not debian.present():
        raise Failure("SimGrid comes from Debian's packages: this needs apt-get and dpkg (root is not needed)")
    debian.unpack(_wanted(), FOLDER)
    _write(os.path.join(FOLDER, "shim", "boost", "intrusive_ptr.hpp"), BOOST)
    for name, compiler in (("mpicc", "cc"), ("mpicxx", "c++")):
        _write(_program(name), _wrapper(compiler), 0o755)
    _write(_program("mpiexec"), _launcher(), 0o755)
    return find()


def _wanted():
    """libsimgrid-dev and what it needs at run time, less what the system has; no other -dev package (SimGrid's Boost would
    conflict with newer ones)."""
    wanted, queue = [], ["libsimgrid-dev"]
    while queue:
        name = queue.pop(0)
        if name in wanted:
            continue
        wanted.append(name)
        status, text = shell.capture(["apt-cache", "depends", "--no-recommends", "--no-suggests", name])
        if status:
            raise Failure(f"apt knows no package {name}: Debian 12 has it (apt-get update?)")
        for needed in re.findall(r"^\s+Depends: (lib[^\s<>]+)$", text, re.MULTILINE):
            if not needed.endswith("-dev") and not debian.installed(needed):
                queue.append(needed)
    return wanted


def _write(path, text, mode=0o644):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, mode)


def _wrapper(compiler):
    """mpicc and mpicxx. Not smpicxx: that one renames malloc, free, exit and getpid by macros, which no C++ survives."""
    include = os.path.join(FOLDER, "usr", "include")
    flags = f"-I{include}/smpi -I{include} -I{FOLDER}/shim"
    lib = libraries()
    link = f"-L{lib} -lsimgrid -Wl,-rpath,{lib} -Wl,-rpath-link,{lib}"
    return f"""#!/bin/sh
[ "$1" = -show ] && echo "{compiler} {flags} {link}" && exit 0
exec {compiler} {flags} "$@" {link}
"""


def _launcher():
    start = f"import sys; sys.path.insert(0, {os.path.join(ROOT, 'tools')!r}); from run import simgrid; " \
            "sys.exit(simgrid.mpiexec(sys.argv[1:]))"
    return f"#!/bin/sh\nexec {sys.executable} -B -c {shlex.quote(start)} \"$@\"\n"


# ------------------------------------------------------------------------------------------------------------- running

def cmake_options(options):
    """For ./run test: on how many ranks, which is decided when configuring."""
    return ["-DWHERRY_SIMULATED_RANKS=" + ";".join(map(str, options.ranks or [RANKS]))]


def platform(ranks, per_host):
    """Hosts of `per_host` cores. No links: that messages share bandwidth is what costs a simulator its time."""
    hosts = "".join(f'  <host id="host{host}" speed="10Gf" core="{per_host}"/>\n'
                    for host in range((ranks + per_host - 1) // per_host))
    return f"""<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
<zone id="world" routing="None">
{hosts}</zone>
</platform>
"""


# For ./run bench collective_simulated: WHERRY_SIMULATED_NETWORK=crossbar. Flows share links fairly (SimGrid's model CM02, of
# Casanova and Marchal 2002): every host has a link to a crossbar, each way, of 0.5 us and 8.2 GB/s, two between hosts, and a
# loopback of 0.25 us and 8.2 GB/s. A simulated second stands for 1/16 us, which is what a poll takes; figures are powers of
# two, since what is rounded may never end. For lattice_boltzmann_simulated, whose waits are long: coarse_crossbar, a poll 1/4 us.
TICKS, COARSE_TICKS = 16, 4     # simulated seconds for a microsecond


def crossbar(ranks, per_host, ticks=TICKS):
    latency, bandwidth, loopback_latency = ticks // 2, 8192 // ticks, ticks // 4
    hosts = (ranks + per_host - 1) // per_host
    return f"""<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
<cluster id="world" prefix="host" suffix="" radical="0-{hosts - 1}" speed="10Gf" core="{per_host}" bw="{bandwidth}Bps" lat="{latency}s"
         loopback_bw="{bandwidth}Bps" loopback_lat="{loopback_latency}s" sharing_policy="SPLITDUPLEX"/>
</platform>
"""


# Collectives of MPI's own go as Open MPI chooses: SMPI's default all-gather, which making a communicator calls, has all messages
# under way at once, and the simulator shares the links anew whenever one of them ends.
NETWORKS = {"": (platform, {}),
            "crossbar": (crossbar, {"network/model": "CM02", "smpi/coll-selector": "ompi"}),
            # Whoever sends or receives a message is busy with it for 0.5 us: ranks that share a node share no core.
            "crossbar_of_messages": (crossbar, {"network/model": "CM02", "smpi/coll-selector": "ompi", "smpi/os": f"0:{TICKS // 2}:0",
                                                "smpi/ois": f"0:{TICKS // 2}:0", "smpi/or": f"0:{TICKS // 2}:0"}),
            "coarse_crossbar": (functools.partial(crossbar, ticks=COARSE_TICKS), {"network/model": "CM02"})}


def mpiexec(arguments):
    """mpiexec -n RANKS program arguments..."""
    rest, ranks = list(arguments), 1
    while rest and rest[0].startswith("-"):
        option = rest.pop(0)
        if option not in ("-n", "-np") or not rest or not rest[0].isdigit():
            print(f"usage: mpiexec -n RANKS program [arguments]; do not understand {option}", file=sys.stderr)
            return 2
        ranks = int(rest.pop(0))
    if not rest or not ranks:
        print("usage: mpiexec -n RANKS program [arguments]", file=sys.stderr)
        return 2
    per_host = int(os.environ.get("WHERRY_SIMULATED_NODE") or RANKS_OF_A_HOST)
    # Every rank has its own log, and a file for the arena of each communicator.
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    environment = dict(os.environ, LD_LIBRARY_PATH=os.pathsep.join(
        filter(None, [libraries(), os.environ.get("LD_LIBRARY_PATH")])))
    wanted = os.environ.get("WHERRY_SIMULATED_NETWORK", "")
    if wanted not in NETWORKS:
        print(f"mpiexec: WHERRY_SIMULATED_NETWORK is '{wanted}', expected {', '.join(filter(None, NETWORKS))} or nothing", file=sys.stderr)
        return 2
    made, network = NETWORKS[wanted]
    with tempfile.TemporaryDirectory(prefix="wherry-simgrid-") as folder:
        files = {"platform.xml": made(ranks, per_host),
                 "hosts": "".join(f"host{rank // per_host}\n" for rank in range(ranks))}
        for name, text in files.items():
            _write(os.path.join(folder, name), text)
        settings = {"smpi/privatization": "dlopen", "smpi/np": ranks, "smpi/hostfile": os.path.join(folder, "hosts"),
                    "smpi/tmpdir": folder, "smpi/simulate-computation": "no",
                    "smpi/errors-are-fatal": "no",
                    # No send ends before its receive began: SimGrid 3.32 loses small persistent sends that ran ahead.
                    "smpi/send-is-detached-thresh": 0,
                    # A message and a poll take the same whole number of seconds. With times that are rounded, a message
                    # under way loses its rest of latency before its rest of bytes and never ends: a "deadlock".
                    "network/model": "Constant", "network/latency-factor": 1, "smpi/test": 1, "smpi/iprobe": 1,
                    # Growing, as it does else, it makes those who poll at a steady rate do so for ever.
                    "smpi/grow-injected-times": "no",
                    "contexts/factory": os.environ.get("WHERRY_SIMULATED_CONTEXTS") or "raw", **network}
        line = [os.path.join(libraries(), "simgrid", "smpimain"), rest[0]]
        line += [f"--cfg={key}:{value}" for key, value in settings.items()]
        line += ["--log=root.thresh:error", os.path.join(folder, "platform.xml")]
        status = subprocess.run(line + rest[1:], env=environment, stdin=subprocess.DEVNULL).returncode
        return status if status >= 0 else 128 - status
