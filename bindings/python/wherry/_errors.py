"""The exception of the library, and errors of one rank that all ranks hear of."""
import zlib

from . import _core


class Error(RuntimeError):
    """Every error that wherry reports. Its text names the call, the argument and the rank.

    kind    "argument", "mismatch", "state", "resource", "timeout", "mpi" or "lost"
    where   the call that failed, such as "halo"
    text    what is wrong
    rank    the rank that found it, or -1
    peers   the other ranks involved, such as those that are late

    An argument error or a mismatch that is found in a collective call is raised on all ranks.
    """

    def __init__(self, text, kind="argument", where="", rank=-1, peers=()):
        place = where + (f", rank {rank}" if rank >= 0 else "")
        super().__init__(f"wherry: {place}: {text} [{kind}]")
        self.text = text
        self.kind = kind
        self.where = where
        self.rank = rank
        self.peers = tuple(peers)


def refuse(where, text, kind="argument", rank=-1):
    """Raises an Error with this text."""
    raise Error(text, kind, where, rank)


def collectively(comm, where, step, same=None, otherwise=""):
    """Returns step(), which may raise. If it raises on one rank, an Error is raised on all ranks.

    All ranks of `comm` call it. `same` is a value that all ranks must have; if they have not, the text of the error is `otherwise`.
    """
    result = failure = None
    try:
        result = step()
    except Exception as error:
        failure = error
    kind = text = ""
    if failure is not None:
        kind = getattr(failure, "kind", "argument")
        text = failure.text if isinstance(failure, Error) else f"{type(failure).__name__}: {failure}"
    word = 0 if same is None else zlib.crc32(repr(same).encode())
    try:
        _core.agree(comm, where, failure is not None, kind, text, word, otherwise)
    except Error as agreed:
        if failure is None or isinstance(failure, Error):
            raise agreed from None
        raise agreed from failure
    return result
