!> Ghosts of particles: copies of each particle on the ranks whose part of the space is near it.
module wherry_particle_ghosts
  use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_loc, c_sizeof
  use, intrinsic :: iso_fortran_env, only: real64
  use wherry_errors, only: refuse, settle
  use wherry_handles
  use wherry_interface
  use wherry_options
  use wherry_particle_arrays, only: in_place, lie_apart, positions_for_c, wherry_particle_array, wherry_positions
  implicit none
  private
  public :: wherry_ghost_particles_create, wherry_ghost_particles_plan, wherry_ghost_particles_count
  public :: wherry_ghost_particles_owner_of, wherry_ghost_particles_fill, wherry_ghost_particles_fill_positions
  public :: wherry_ghost_particles_sum_back, wherry_ghost_particles_start_fill
  public :: wherry_ghost_particles_start_fill_positions, wherry_ghost_particles_start_sum_back
  public :: wherry_ghost_particles_test, wherry_ghost_particles_wait, wherry_ghost_particles_resize
  public :: wherry_ghost_particles_drop

contains

  !> Makes ghosts, and finds the ranks within the cut-off. A particle has a ghost on each rank that has a part of the space
  !> within the cut-off, and one for each periodic image of it, also on its own rank. Collective.
  subroutine wherry_ghost_particles_create(exchange, cutoff, ghosts, carry, ierror, errmsg)
    type(wherry_particle_exchange), intent(in) :: exchange
    real(real64), intent(in) :: cutoff
    type(wherry_ghost_particles), intent(inout) :: ghosts
    type(wherry_carry_options), intent(in), optional :: carry
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_ghost_particle_options), target :: how
    type(names_for_c), target :: names
    integer(c_int) :: status
    call wherry_ghost_particles_free(ghosts, status)
    how%struct_size = c_sizeof(how)
    if (present(carry)) how%carry = carry_for_c(carry, names)
    status = c_ghost_particles_create(exchange%c_handle, cutoff, c_loc(how), ghosts%c_handle)
    call settle(status, ierror, errmsg)
  end subroutine
  !> The number of particles of this rank, and of their ghosts, which follow them in the arrays. Local.
  subroutine wherry_ghost_particles_count(ghosts, owned, count, ierror, errmsg)
    type(wherry_ghost_particles), intent(in) :: ghosts
    integer, intent(out) :: owned, count
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: mine, copies
    integer(c_int) :: status
    mine = 0
    copies = 0
    status = c_ghost_particles_count(ghosts%c_handle, mine, copies)
    owned = int(mine)
    count = int(copies)
    call settle(status, ierror, errmsg)
  end subroutine
  !> The rank that owns ghost k, from 1. Local.
  subroutine wherry_ghost_particles_owner_of(ghosts, k, rank, ierror, errmsg)
    type(wherry_ghost_particles), intent(in) :: ghosts
    integer, intent(in) :: k
    integer, intent(out) :: rank
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status, owner
    owner = -1
    status = c_ghost_particles_owner_of(ghosts%c_handle, int(k, c_int64_t) - 1, owner)
    rank = int(owner)
    call settle(status, ierror, errmsg)
  end subroutine
  !> Makes progress. `done` tells whether the exchange that was started has ended, or none was started.
  subroutine wherry_ghost_particles_test(ghosts, done, ierror, errmsg)
    type(wherry_ghost_particles), intent(in) :: ghosts
    logical, intent(out) :: done
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status, complete
    complete = 0
    status = c_ghost_particles_test(ghosts%c_handle, complete)
    done = complete /= 0
    call settle(status, ierror, errmsg)
  end subroutine
  !> Ends the exchange that was started.
  subroutine wherry_ghost_particles_wait(ghosts, ierror, errmsg)
    type(wherry_ghost_particles), intent(in) :: ghosts
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    call settle(c_ghost_particles_wait(ghosts%c_handle), ierror, errmsg)
  end subroutine

  !> Finds the particles that have ghosts, lengthens the arrays by the ghosts of this rank, and fills them. The first arrays
  !> have the positions. Collective.
  subroutine wherry_ghost_particles_plan(ghosts, arrays, positions, ierror, errmsg)
    type(wherry_ghost_particles), intent(in) :: ghosts
    type(wherry_particle_array), target, contiguous, intent(inout) :: arrays(:)
    type(wherry_positions), intent(in), optional :: positions
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_positions), target :: where
    if (present(positions)) where = positions_for_c(positions)
    call settle(c_ghost_particles_plan(ghosts%c_handle, c_loc(where), size(arrays, kind=c_int), arrays), &
      ierror, errmsg)
  end subroutine

  !> Fills the ghosts of arrays of which the first have positions, which are shifted by the periods of their images.
  subroutine wherry_ghost_particles_fill_positions(ghosts, arrays, positions, ierror, errmsg)
    type(wherry_ghost_particles), intent(in) :: ghosts
    type(wherry_particle_array), target, contiguous, intent(inout) :: arrays(:)
    type(wherry_positions), intent(in), optional :: positions
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_positions), target :: where
    if (present(positions)) where = positions_for_c(positions)
    call settle(c_ghost_particles_fill_positions(ghosts%c_handle, c_loc(where), size(arrays, kind=c_int), arrays), &
      ierror, errmsg)
  end subroutine

  !> The same, started: the arrays must stay where they are until the wait returns.
  subroutine wherry_ghost_particles_start_fill_positions(ghosts, arrays, positions, ierror, errmsg)
    type(wherry_ghost_particles), intent(in) :: ghosts
    type(wherry_particle_array), target, intent(inout) :: arrays(:)
    type(wherry_positions), intent(in), optional :: positions
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(wherry_particle_array), pointer, contiguous :: all(:)
    integer(c_int) :: status
    type(c_wherry_positions), target :: where
    if (present(positions)) where = positions_for_c(positions)
    if (is_contiguous(arrays)) then
      call in_place(arrays, all)
      status = c_ghost_particles_start_fill_positions(ghosts%c_handle, c_loc(where), size(arrays, kind=c_int), all)
    else
      status = refuse('wherry_ghost_particles_start_fill_positions', lie_apart)
    end if
    call settle(status, ierror, errmsg)
  end subroutine

  !> Fills the ghosts of arrays with the values of their owners. The arrays have an element for each particle and each ghost.
  !> Collective when arrays of these types are filled for the first time after the plan; later calls are local to start.
  subroutine wherry_ghost_particles_fill(ghosts, arrays, ierror, errmsg)
    type(wherry_ghost_particles), intent(in) :: ghosts
    type(wherry_particle_array), target, contiguous, intent(inout) :: arrays(:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    call settle(c_ghost_particles_fill(ghosts%c_handle, size(arrays, kind=c_int), arrays), &
      ierror, errmsg)
  end subroutine

  !> The same, started: the arrays must stay where they are until the wait returns.
  subroutine wherry_ghost_particles_start_fill(ghosts, arrays, ierror, errmsg)
    type(wherry_ghost_particles), intent(in) :: ghosts
    type(wherry_particle_array), target, intent(inout) :: arrays(:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(wherry_particle_array), pointer, contiguous :: all(:)
    integer(c_int) :: status
    if (is_contiguous(arrays)) then
      call in_place(arrays, all)
      status = c_ghost_particles_start_fill(ghosts%c_handle, size(arrays, kind=c_int), all)
    else
      status = refuse('wherry_ghost_particles_start_fill', lie_apart)
    end if
    call settle(status, ierror, errmsg)
  end subroutine

  !> Adds the values of ghosts to those of their owners, in a fixed order. The ghosts keep their values.
  subroutine wherry_ghost_particles_sum_back(ghosts, arrays, ierror, errmsg)
    type(wherry_ghost_particles), intent(in) :: ghosts
    type(wherry_particle_array), target, contiguous, intent(inout) :: arrays(:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    call settle(c_ghost_particles_sum_back(ghosts%c_handle, size(arrays, kind=c_int), arrays), &
      ierror, errmsg)
  end subroutine

  !> The same, started: the arrays must stay where they are until the wait returns.
  subroutine wherry_ghost_particles_start_sum_back(ghosts, arrays, ierror, errmsg)
    type(wherry_ghost_particles), intent(in) :: ghosts
    type(wherry_particle_array), target, intent(inout) :: arrays(:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(wherry_particle_array), pointer, contiguous :: all(:)
    integer(c_int) :: status
    if (is_contiguous(arrays)) then
      call in_place(arrays, all)
      status = c_ghost_particles_start_sum_back(ghosts%c_handle, size(arrays, kind=c_int), all)
    else
      status = refuse('wherry_ghost_particles_start_sum_back', lie_apart)
    end if
    call settle(status, ierror, errmsg)
  end subroutine

  !> Gives arrays, such as those of forces, an element for each particle of this rank and each ghost. Local.
  subroutine wherry_ghost_particles_resize(ghosts, arrays, ierror, errmsg)
    type(wherry_ghost_particles), intent(in) :: ghosts
    type(wherry_particle_array), target, contiguous, intent(inout) :: arrays(:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    call settle(c_ghost_particles_resize(ghosts%c_handle, size(arrays, kind=c_int), arrays), &
      ierror, errmsg)
  end subroutine

  !> Shortens the arrays to this rank's own particles, before the next move. Local.
  subroutine wherry_ghost_particles_drop(ghosts, arrays, ierror, errmsg)
    type(wherry_ghost_particles), intent(in) :: ghosts
    type(wherry_particle_array), target, contiguous, intent(inout) :: arrays(:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    call settle(c_ghost_particles_drop(ghosts%c_handle, size(arrays, kind=c_int), arrays), &
      ierror, errmsg)
  end subroutine

end module
