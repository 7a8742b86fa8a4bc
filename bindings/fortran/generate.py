#!/usr/bin/env python3
"""Writes the Fortran sources that say the same for every handle, kind and rank.

    bindings/fortran/generate.py          writes them beside this file, into generated/
    bindings/fortran/generate.py --check  says which of them are not what it would write

./run lint runs the check.
"""
import os
import sys
import textwrap

import c_headers

HERE = os.path.dirname(os.path.abspath(__file__))
RANKS = range(1, 8)
NOTE = "! Written by generate.py; changes belong there.\n"

# Handles: the word, and what it stands for in the comments.
HANDLES = [
    ("communicator", "a communicator"),
    ("process_grid", "a process grid"),
    ("exchange", "an exchange, which was planned once and runs any number of times"),
    ("index_lists", "one rank's part of an exchange by indices"),
    ("index_plan", "index lists that have been planned once, for arrays of certain shapes"),
    ("ghost_layers", "the layers of a rank's ghosts, and the exchanges that fill them"),
    ("layered_field", "an array, and the number of layers whose ghosts have the values of their owners"),
    ("arrivals", "elements that have arrived"),
    ("arriving", "a sparse exchange that has begun"),
    ("sparse_plan", "a sparse exchange that is repeated"),
    ("particle_exchange", "what moves particles to their owners"),
    ("ghost_particles", "the ghosts of the particles of an exchange"),
    ("floor_plan", "a floor plan: which boxes there are, and which rank owns each"),
    ("x_array", "a distributed array with one grid for each box of a floor plan"),
    ("motion_plan", "what moves from which box to which box"),
    ("level_coupling", "a coarse and a fine x-array that fill each other"),
    ("array_series", "an open file of many arrays"),
    ("array_writer", "what writes the same x-array any number of times"),
    ("segment", "memory that other ranks write and read"),
    ("segment_queue", "writes and reads of segments with one wait"),
    ("published_layouts", "arrays that ranks of a node read in place"),
    ("passive_messages", "messages for ranks that do not know the senders"),
    ("rank_group", "ranks that communicate without the others of their communicator"),
]

# Element types: a word for the names of procedures, the declaration, and the C interface's type.
KINDS = {
    "integer": [("int8", "integer(int8)", "WHERRY_INT8"), ("int16", "integer(int16)", "WHERRY_INT16"),
                ("int32", "integer(int32)", "WHERRY_INT32"), ("int64", "integer(int64)", "WHERRY_INT64")],
    "real": [("real32", "real(real32)", "WHERRY_FLOAT32"), ("real64", "real(real64)", "WHERRY_FLOAT64")],
    "complex": [("complex64", "complex(real32)", "WHERRY_COMPLEX64"),
                ("complex128", "complex(real64)", "WHERRY_COMPLEX128")],
    # A logical of one byte is C's bool; the others are integers, on which C's logical operations do the same.
    "logical": [("logical8", "logical(int8)", "WHERRY_BOOL"), ("logical16", "logical(int16)", "WHERRY_INT16"),
                ("logical32", "logical(int32)", "WHERRY_INT32"), ("logical64", "logical(int64)", "WHERRY_INT64")],
    "character": [("text", "character(kind=c_char, len=*)", "WHERRY_CHAR")],
}


def colons(rank):
    return "(" + ",".join(":" * rank) + ")"


# What a variable knows besides of its object.
KNOWN = {"particle_exchange": ("dimensions", "of the space; 1 without a space; set by what makes the exchange")}


def handle(word, meaning):
    member, known_by = KNOWN.get(word, ("", ""))
    known = f"    integer :: {member} = 0 !< {known_by}\n" if member else ""
    moved = f"    to%{member} = from%{member}\n" if member else ""
    declaration = f"""
  !> Stands for {meaning}.
  !> It begins as no object, and frees its object when it ends.
  type, public :: wherry_{word}
    type(c_ptr) :: c_handle = c_null_ptr !< the handle in C's interface; c_null_ptr: no object
{known}  contains
    procedure, private :: assign_{word}
    generic :: assignment(=) => assign_{word}
    final :: end_{word}
  end type
"""
    body = f"""
  !> Frees the object; a variable without one is left so. A function of the program's that Wherry has called cannot free: the
  !> variable keeps its object then. Local.
  subroutine wherry_{word}_free({word}, ierror, errmsg)
    type(wherry_{word}), intent(inout) :: {word}
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    status = c_{word}_free({word}%c_handle)
    if (status /= WHERRY_ERROR_STATE) {word}%c_handle = c_null_ptr
    call settle(status, ierror, errmsg)
  end subroutine
  subroutine move_{word}(from, to)
    type(wherry_{word}), intent(inout) :: from, to
    call wherry_{word}_free(to)
    to%c_handle = from%c_handle
{moved}    from%c_handle = c_null_ptr
  end subroutine
  logical function exists_{word}({word}) result(exists)
    type(wherry_{word}), intent(in) :: {word}
    exists = c_associated({word}%c_handle)
  end function
  subroutine assign_{word}(to, from)
    class(wherry_{word}), intent(inout) :: to
    type(wherry_{word}), intent(in) :: from
    if (c_associated(to%c_handle) .or. c_associated(from%c_handle)) &
      call stop_with('wherry_{word}', 'an object belongs to one variable and cannot be assigned; wherry_move moves it')
  end subroutine
  impure elemental subroutine end_{word}({word})
    type(wherry_{word}), intent(inout) :: {word}
    integer(c_int) :: ignored
    if (.not. c_associated({word}%c_handle)) return
    ignored = c_{word}_free({word}%c_handle)
    {word}%c_handle = c_null_ptr
  end subroutine
"""
    return declaration, body


def handles():
    parts = [handle(*one) for one in HANDLES]
    words = [word for word, _ in HANDLES]
    moves, exist = (listed([f"{what}_{word}" for word in words]) for what in ("move", "exists"))
    return f"""{NOTE}!> Handles: variables that own an object of Wherry's.
module wherry_handles
  use, intrinsic :: iso_c_binding, only: c_associated, c_int, c_null_ptr, c_ptr
  use wherry_constants, only: WHERRY_ERROR_STATE
  use wherry_interface
  use wherry_errors, only: settle, stop_with
  implicit none
  private
  public :: wherry_move, wherry_exists
  public :: {listed([f"wherry_{word}_free" for word in words])}
{"".join(declaration for declaration, _ in parts)}
  !> wherry_move(from, to): gives the object to another variable, which frees what it had.
  interface wherry_move
    module procedure {moves}
  end interface
  !> wherry_exists(handle): whether the variable has an object.
  interface wherry_exists
    module procedure {exist}
  end interface

contains
{"".join(body for _, body in parts)}
end module
"""


def view(word, declaration, c_type, rank):
    letter = "(1:1)" if word == "text" else ""
    places = []
    for d in range(rank + 1):
        index = ", ".join(f"{'next' if e == d else 'low'}({e})" for e in range(1, rank + 1))
        places.append(f"      at({d}) = c_loc(array({index}){letter})\n")
    components = "len(array)" if word == "text" else "1"
    present = " .and. len(array) > 0" if letter else ""
    return f"""
  function {word}_{rank}(array, lower_bounds, space) result(view)
    {declaration}, pointer, intent(in) :: array{colons(rank)}
    integer, intent(in), optional :: lower_bounds(:), space
    type(wherry_view) :: view
    type(c_ptr) :: at(0:{rank})
    integer :: low({rank}), next({rank})
    integer(int64) :: n({rank})
    at = c_null_ptr
    n = 0
    next = 1
    low = 1
    if (associated(array)) then
      n = shape(array, int64)
      low = lbound(array)
      next = min(low + 1, ubound(array))
    end if
    if (all(n > 0){present}) then
{"".join(places)}    end if
    view = view_at(at, n, {c_type}, {components}, low, lower_bounds, space)
  end function
"""


def association(word, declaration, c_type, rank):
    dimensions = range(1, rank + 1)
    lower = ", ".join(f"low({d}):" for d in dimensions)
    section = ", ".join(f":n({d})" for d in dimensions)
    return f"""
  subroutine associate_{word}_{rank}(view, array, ierror, errmsg)
    type(wherry_view), intent(in) :: view
    {declaration}, pointer, intent(out) :: array{colons(rank)}
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    {declaration}, pointer :: plain{colons(rank)}
    type(c_ptr) :: address
    integer :: whole({rank}), n({rank}), low({rank})
    integer(c_int) :: status
    nullify(array)
    call shape_of(view, {c_type}, address, whole, n, low, status)
    if (status == 0) then
      call c_f_pointer(address, plain, whole)
      array({lower}) => plain({section})
    end if
    call settle(status, ierror, errmsg)
  end subroutine
"""


def associations(family, kinds):
    names = [f"associate_{word}_{rank}" for word, _, _ in kinds for rank in RANKS]
    needed = sorted({declaration.split("(")[1].rstrip(")") for _, declaration, _ in kinds})
    constants = ", ".join(sorted({c_type for _, _, c_type in kinds}))
    return f"""{NOTE}!> wherry_associate(view, array [, ierror] [, errmsg]) for pointers to arrays of type {family}.
module wherry_associate_{family}
  use, intrinsic :: iso_c_binding, only: c_f_pointer, c_int, c_ptr
  use, intrinsic :: iso_fortran_env, only: {", ".join(needed)}
  use wherry_constants, only: {constants}
  use wherry_errors, only: settle
  use wherry_shapes, only: shape_of
  use wherry_view_types, only: wherry_view
  implicit none
  private
  public :: wherry_associate

  interface wherry_associate
    module procedure {listed(names)}
  end interface

contains
{"".join(association(*kind, rank) for kind in kinds for rank in RANKS)}
end module
"""


def views(family, kinds):
    procedures = [f"{word}_{rank}" for word, _, _ in kinds for rank in RANKS]
    imported = ["c_loc", "c_null_ptr", "c_ptr"] + (["c_char"] if family == "character" else [])
    needed = sorted({declaration.split("(")[1].rstrip(")") for _, declaration, _ in kinds
                     if family != "character"} | {"int64"})
    constants = ", ".join(sorted({c_type for _, _, c_type in kinds}))
    return f"""{NOTE}!> wherry_view(array [, lower_bounds] [, space]) for arrays of type {family}.
module wherry_views_{family}
  use, intrinsic :: iso_c_binding, only: {", ".join(imported)}
  use, intrinsic :: iso_fortran_env, only: {", ".join(needed)}
  use wherry_constants, only: {constants}
  use wherry_view_types, only: wherry_view, view_at
  implicit none
  private
  public :: wherry_view

  interface wherry_view
    module procedure {listed(procedures)}
  end interface

contains
{"".join(view(*kind, rank) for kind in kinds for rank in RANKS)}
end module
"""


LONG_DOUBLE = [("long_double", "real(c_long_double)", "WHERRY_LONG_DOUBLE"),
               ("complex_long_double", "complex(c_long_double)", "WHERRY_COMPLEX_LONG_DOUBLE")]


def long_double():
    """A module of its own, as not every compiler has this kind."""
    procedures = [f"{word}_{rank}" for word, _, _ in LONG_DOUBLE for rank in RANKS]
    return f"""{NOTE}!> wherry_view(array [, lower_bounds] [, space]) for real and complex numbers of the kind c_long_double, and their types.
module wherry_c_long_double
  use, intrinsic :: iso_c_binding, only: c_int32_t, c_loc, c_long_double, c_null_ptr, c_ptr
  use, intrinsic :: iso_fortran_env, only: int64
  use wherry_view_types, only: wherry_view, view_at
  implicit none
  private
  public :: wherry_view

  integer(c_int32_t), parameter, public :: WHERRY_LONG_DOUBLE = &
    int(z'05000000', c_int32_t) + int(storage_size(1.0_c_long_double) / 8, c_int32_t)
  integer(c_int32_t), parameter, public :: WHERRY_COMPLEX_LONG_DOUBLE = &
    int(z'06000000', c_int32_t) + int(2 * storage_size(1.0_c_long_double) / 8, c_int32_t)

  interface wherry_view
    module procedure {listed(procedures)}
  end interface

contains
{"".join(view(*kind, rank) for kind in LONG_DOUBLE for rank in RANKS)}
end module
"""


BYTES = {"int8": 1, "int16": 2, "int32": 4, "int64": 8, "real32": 4, "real64": 8, "complex64": 8, "complex128": 16,
         "logical8": 1, "logical16": 2, "logical32": 4, "logical64": 8}


def listed(names):
    """Names for one statement, in lines of at most 120 letters."""
    return textwrap.fill(", ".join(names), 114, break_long_words=False, break_on_hyphens=False,
                         initial_indent=" " * 26, subsequent_indent="      ").strip().replace(",\n", ", &\n")


def memory(word, declaration, rank):
    dimensions = range(1, rank + 1)
    lower = ", ".join(f"low({d}):" for d in dimensions)
    bounds = ", ".join(f"low({d}):top({d})" for d in dimensions)
    first = ", ".join(f"low({d})" for d in dimensions)
    return f"""
  subroutine allocate_{word}_{rank}(comm, array, extents, lower_bounds, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    {declaration}, pointer, intent(out) :: array{colons(rank)}
    integer, intent(in) :: extents({rank})
    integer, intent(in), optional :: lower_bounds({rank})
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    {declaration}, pointer :: plain{colons(rank)}
    type(c_ptr) :: address
    integer :: n({rank}), low({rank}), top({rank})
    nullify(array)
    n = max(extents, 0)
    low = 1
    if (present(lower_bounds)) low = lower_bounds
    top = low + n - 1
    call allocate_bytes(comm, int(n, int64), {BYTES[word]}_int64, address, ierror, errmsg)
    if (c_associated(address)) then
      call c_f_pointer(address, plain, n)
      array({lower}) => plain
    else if (any(n == 0)) then
      allocate(array({bounds}))
    end if
  end subroutine
  subroutine free_{word}_{rank}(array, ierror, errmsg)
    {declaration}, pointer, intent(inout) :: array{colons(rank)}
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer :: low({rank})
    logical :: freed
    if (present(ierror)) ierror = WHERRY_SUCCESS
    if (.not. associated(array)) return
    if (size(array) == 0) then
      deallocate(array)
    else
      low = lbound(array)
      call free_address(c_loc(array({first})), freed, ierror, errmsg)
      if (freed) nullify(array)
    end if
  end subroutine
"""


def memories(family, kinds):
    names = [f"{word}_{rank}" for word, _, _ in kinds for rank in RANKS]
    needed = sorted({declaration.split("(")[1].rstrip(")") for _, declaration, _ in kinds} | {"int64"})
    return f"""{NOTE}!> wherry_allocate and wherry_free for pointers to arrays of type {family}.
module wherry_memory_{family}
  use, intrinsic :: iso_c_binding, only: c_associated, c_f_pointer, c_loc, c_ptr
  use, intrinsic :: iso_fortran_env, only: {", ".join(needed)}
  use wherry_constants, only: WHERRY_SUCCESS
  use wherry_handles, only: wherry_communicator
  use wherry_memory, only: allocate_bytes, free_address
  implicit none
  private
  public :: wherry_allocate, wherry_free

  interface wherry_allocate
    module procedure {listed(["allocate_" + name for name in names])}
  end interface
  interface wherry_free
    module procedure {listed(["free_" + name for name in names])}
  end interface

contains
{"".join(memory(word, declaration, rank) for word, declaration, _ in kinds for rank in RANKS)}
end module
"""


def sources():
    """(name, text) of each generated file."""
    yield "wherry_interface.f90", c_headers.Interface().module(NOTE)
    yield "wherry_handles.f90", handles()
    yield "wherry_c_long_double.f90", long_double()
    for family, kinds in KINDS.items():
        yield f"wherry_views_{family}.f90", views(family, kinds)
        if family != "character":
            yield f"wherry_memory_{family}.f90", memories(family, kinds)
            yield f"wherry_associate_{family}.f90", associations(family, kinds)


def stale():
    """The generated files that are not what this program writes."""
    faults, names = [], set()
    for name, text in sources():
        names.add(name)
        path = os.path.join(HERE, "generated", name)
        if not os.path.exists(path) or open(path, encoding="utf-8").read() != text:
            faults.append(f"bindings/fortran/generated/{name}: bindings/fortran/generate.py writes it otherwise")
    for name in sorted(os.listdir(os.path.join(HERE, "generated"))):
        if name not in names:
            faults.append(f"bindings/fortran/generated/{name}: bindings/fortran/generate.py does not write it")
    return faults


def main():
    if sys.argv[1:] == ["--check"]:
        faults = stale()
        print("\n".join(faults))
        return 1 if faults else 0
    os.makedirs(os.path.join(HERE, "generated"), exist_ok=True)
    for name, text in sources():
        with open(os.path.join(HERE, "generated", name), "w", encoding="utf-8") as file:
            file.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
