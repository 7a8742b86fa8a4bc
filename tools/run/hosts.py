"""Several hosts on one machine, to try what ranks do that share no memory: network namespaces, which only a network joins,
each with a host name of its own. Needs root, and ip (iproute2)."""
import os
import shutil
import subprocess
import sys
import tempfile

PREFIX = "wherry-"
FOLDER = "wherry-hosts-"
NETWORK = "10.77.0"
# A program called as ssh is called: HOST, and what a shell there would be told.
AGENT = """#!/bin/sh
name={prefix}{process}-${{1##*.}}
shift
exec ip netns exec "$name" {separate} sh -c "hostname $name; $*"
"""
# Nothing of one host is another's business: names, memory, processes. Whoever starts a host's processes ends them.
SEPARATE = "unshare --uts --ipc --pid --fork --kill-child --mount-proc"


class Failure(Exception):
    """Says why there are no hosts here."""


def _ip(*words):
    result = subprocess.run(["ip", *words], capture_output=True, text=True)
    if result.returncode:
        raise Failure(f"ip {' '.join(words)}: {result.stderr.strip() or 'failed'}")
    return result.stdout


def _forget_old():
    """Those of launchers that were killed."""
    for line in _ip("netns", "list").splitlines():
        name = line.split()[0] if line.split() else ""
        process = name[len(PREFIX):].split("-")[0] if name.startswith(PREFIX) else ""
        if process.isdigit() and not os.path.exists(f"/proc/{process}"):
            subprocess.run(["ip", "netns", "delete", name], capture_output=True)
    for folder in os.listdir(tempfile.gettempdir()):
        process = folder[len(FOLDER):].split("-")[0] if folder.startswith(FOLDER) else ""
        if process.isdigit() and not os.path.exists(f"/proc/{process}"):
            shutil.rmtree(os.path.join(tempfile.gettempdir(), folder), ignore_errors=True)


class Hosts:
    """`count` hosts while the context lasts. With `shape`, words for `tc qdisc add ... root`, each sends through that."""

    def __init__(self, count, shape=""):
        self.count, self.shape = count, shape
        self.names = [f"{PREFIX}{os.getpid()}-{i + 1}" for i in range(count)]

    def address(self, i):
        return f"{NETWORK}.{i + 1}"

    def __enter__(self):
        if os.geteuid() != 0:
            raise Failure("hosts on one machine are made by root only")
        missing = [word for word in ("ip", "tc", "unshare", "setpriv", "hostname") if not shutil.which(word)]
        if missing:
            raise Failure(f"there is no {', no '.join(missing)} here (packages iproute2, util-linux, hostname)")
        _forget_old()
        self.folder = tempfile.mkdtemp(prefix=f"{FOLDER}{os.getpid()}-")
        try:
            self._make()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for name in self.names:
            subprocess.run(["ip", "netns", "delete", name], capture_output=True)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _make(self):
        for name in self.names:
            _ip("netns", "add", name)
            _ip("-n", name, "link", "set", "lo", "up")
        switch = self.names[0]  # has the switch in it
        _ip("-n", switch, "link", "add", "switch", "type", "bridge")
        _ip("-n", switch, "link", "set", "switch", "up")
        for i, name in enumerate(self.names):
            _ip("link", "add", "net", "netns", name, "type", "veth", "peer", "name", f"port{i + 1}", "netns", switch)
            _ip("-n", switch, "link", "set", f"port{i + 1}", "master", "switch", "up")
            _ip("-n", name, "addr", "add", f"{self.address(i)}/24", "dev", "net")
            _ip("-n", name, "link", "set", "net", "up")
            if self.shape:
                line = ["ip", "netns", "exec", name, "tc", "qdisc", "add", "dev", "net", "root", *self.shape.split()]
                result = subprocess.run(line, capture_output=True, text=True)
                if result.returncode:
                    raise Failure(f"{' '.join(line[4:])}: {result.stderr.strip()}")
        self.agent = os.path.join(self.folder, "agent")
        with open(self.agent, "w", encoding="utf-8") as file:
            file.write(AGENT.format(prefix=PREFIX, process=os.getpid(), separate=SEPARATE))
        os.chmod(self.agent, 0o700)
        self._try()

    def _try(self):
        """A word from the first to the last, started as MPI starts its own: what is not allowed here may show only now."""
        hears = (f"import socket; server = socket.create_server(('{self.address(self.count - 1)}', 0)); server.settimeout(10); "
                 "print(server.getsockname()[1], flush=True); print(server.accept()[0].recv(4).decode())")
        with subprocess.Popen([self.agent, self.address(self.count - 1), f'{sys.executable} -c "{hears}"'], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as server:
            port = server.stdout.readline().strip()
            says = f"import socket; socket.create_connection(('{self.address(self.count - 1)}', {port}), 10).send(b'word')"
            told = subprocess.run(self.inside([sys.executable, "-c", says]), capture_output=True, text=True) if port else None
            heard, problem = server.communicate()
        if heard.strip() != "word":
            raise Failure((problem.strip() or (told.stderr.strip() if told else "") or "they do not reach each other").splitlines()[-1])

    def shares(self, ranks):
        """Of consecutive ranks, how many each host has; (address, ranks) of those that have some."""
        cut = [ranks // self.count + (i < ranks % self.count) for i in range(self.count)]
        return [(self.address(i), n) for i, n in enumerate(cut) if n]

    def inside(self, line):
        """A command line that is run on the first host."""
        return ["setpriv", "--pdeathsig", "KILL", "ip", "netns", "exec", self.names[0], *SEPARATE.split(), "sh", "-c",
                f'hostname {self.names[0]}; exec "$@"', "sh", *line]
