from collections.abc import Sequence
from typing import Annotated, Any

import numpy
from numpy.typing import NDArray


def agree(comm: Communicator, where: str, failed: bool, kind: str, text: str, fingerprint: int, on_disagreement: str) -> None: ...

def now_in_child() -> None: ...

def start_mpi() -> None: ...

def end_mpi() -> None: ...

def abort_job(arg: int, /) -> None: ...

def mpi_has_begun() -> bool: ...

def mpi_has_ended() -> bool: ...

def library_version() -> str: ...

def node_bytes(comm: Communicator, bytes: int) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]: ...

class Communicator:
    def __init__(self, handle: int | None = None) -> None: ...

    @property
    def rank(self) -> int: ...

    @property
    def size(self) -> int: ...

    @property
    def node_ranks(self) -> list[int]: ...

    @property
    def shared_memory_shortfall(self) -> str: ...

    def __eq__(self, arg: Communicator, /) -> bool: ...

class ProcessGrid:
    def __init__(self, comm: Communicator, periodic: Sequence[bool], ranks: Sequence[int], order: str) -> None: ...

    @property
    def ranks(self) -> list[int]: ...

    @property
    def brick(self) -> list[int]: ...

    def coordinates(self, arg: int, /) -> list[int]: ...

    def owned_box(self, cells: Sequence[int]) -> tuple[list[int], list[int]]: ...

    def box_of(self, rank: int, cells: Sequence[int]) -> tuple[list[int], list[int]]: ...

    def owner_of(self, cell: Sequence[int], cells: Sequence[int]) -> int: ...

    def owners_of(self, given: object, cells: Sequence[int], into: object) -> None: ...

class Exchange:
    """
    An exchange that is planned and bound. Grid.halo and IndexHalo.bind make it.

    The arrays of a call may differ from those that it was made with, but not in shape, dtype and strides.
    Each rank must call it as often as its neighbours do.
    """

    def __call__(self, *args) -> object:
        """
        Exchanges, and returns the array, or a tuple of the arrays. Without arguments: in the memory of the last start, or of the arrays that it was made with; returns None.

        Raises Error: argument (an array of another shape), state (it is in flight), timeout, lost.
        """

    def start(self, *arrays: Any) -> Exchange:
        """
        Begins to exchange, and does not wait. Until the end, what is sent must not be written, and what is received must not be read. As a block, `with fill.start(u): ...` waits at its end.
        """

    def start_in_parts(self, *arrays: Any) -> Exchange:
        """
        Begins as `start` does, but each of the `parts` that the exchange was made with may be written until `ready`.
        """

    def ready(self, part: int) -> None:
        """
        Says that the part with this number is written. Any thread may call it, once for each part and start.
        """

    def only(self, fields: Sequence[int], depth: int | None = None) -> Exchange:
        """
        The exchange of some of the fields, by their numbers, and of at most `depth` layers of their halos. It takes these fields in ascending order. Collective the first time; kept.
        """

    def wait(self) -> None:
        """
        Returns when all data has arrived, and what is sent may be written again.
        """

    def test(self) -> bool:
        """Makes progress. Returns True when the exchange is complete."""

    def abandon(self) -> None:
        """
        Gives up the exchange in flight: the arrays are yours again, partly filled. Every later call is an error.
        """

    def __enter__(self) -> object: ...

    def __exit__(self, type: object | None, value: object | None, traceback: object | None) -> None: ...

    @property
    def in_flight(self) -> bool:
        """True between `start` and the end."""

    @property
    def transport(self) -> str:
        """The transports in use, such as "shared"."""

    def explain(self) -> str:
        """
        The plan, the transport of each message and the reason for it, as a text.
        """

    def plan_as_json(self) -> str:
        """The plan of this rank, for tools."""

    @property
    def statistics(self) -> dict:
        """
        What this rank has moved: exchanges, bytes_sent, bytes_received, bytes_copied, seconds_waiting.
        """

class FieldBase:
    def __init__(self, array: object, dimensions: int, minus: Sequence[int], plus: Sequence[int], on_planes: Sequence[bool], components_first: bool, name: str) -> None: ...

class HaloRequest:
    def __init__(self, fields: list, stencil: object, order: str, reverse: bool, update: str, combine_copies: str, parts: Sequence[tuple[Sequence[int], Sequence[int]]], carry: dict) -> None: ...

def from_dlpack(arg: object, /) -> object: ...

def make_halo(grid: ProcessGrid, request: HaloRequest) -> Exchange: ...

class IndexLists:
    @property
    def sends(self) -> list: ...

    @property
    def receives(self) -> list: ...

def lists_from_ids(comm: Communicator, mine: object, ghosts: object) -> IndexLists: ...

def lists_from_owners(comm: Communicator, owners: object, there: object, here: object) -> IndexLists: ...

class IndexRequest:
    def __init__(self, arrays: list, reverse: bool, update: str, combine_copies: str, carry: dict) -> None: ...

def make_index(comm: Communicator, lists: IndexLists, request: IndexRequest) -> Exchange: ...

class Flight:
    def test(self) -> bool: ...

    def take(self) -> tuple: ...

    @property
    def algorithm(self) -> str: ...

def send_to(comm: Communicator, owners: object, values: object, algorithm: str, blocking: bool) -> Flight: ...

def parcels(comm: Communicator, to: Sequence[int], arrays: list, bytes: int, example: object, algorithm: str, blocking: bool) -> Flight: ...

class SparsePattern:
    def __init__(self, comm: Communicator, owners: object, algorithm: str) -> None: ...

    @property
    def sources(self) -> list[int]: ...

    @property
    def offsets(self) -> list[int]: ...

    @property
    def leaving(self) -> int: ...

    @property
    def arriving(self) -> int: ...

    def bind(self, back: bool, leaving: object, arriving: object, carry: dict) -> Exchange: ...

class MotionRequest:
    def __init__(self, comm: Communicator, sources: list, targets: list, sends: Sequence[tuple[int, int, int, int, Sequence[int], Sequence[int]]], receives: Sequence[tuple[int, int, int, int, Sequence[int], Sequence[int]]], carry: dict, where: str) -> None: ...

def make_motion(comm: Communicator, request: MotionRequest) -> Exchange: ...

class RunningCollective:
    def test(self) -> bool: ...

    def wait(self) -> None: ...

    def explain(self) -> str: ...

def collective(comm: Communicator, name: str, send: object | None, send_count: int, receive: object | None, receive_count: int, op: str, root: int, blocking: bool) -> RunningCollective: ...

def barrier(arg: Communicator, /) -> None: ...
