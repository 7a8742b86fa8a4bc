!> Array files: x-arrays in files, one or many in each, written while the program computes or not.
module wherry_array_files
  use, intrinsic :: iso_c_binding, only: c_char, c_int, c_int64_t, c_loc, c_null_ptr, c_ptr, c_sizeof
  use, intrinsic :: iso_fortran_env, only: int64
  use wherry_errors, only: for_c, settle
  use wherry_grids, only: box_for_c, wherry_box
  use wherry_handles
  use wherry_interface
  implicit none
  private
  public :: wherry_write_array, wherry_read_array, wherry_read_floor_plan, wherry_array_series_create
  public :: wherry_array_series_write, wherry_array_series_read, wherry_array_series_size, wherry_array_series_steps
  public :: wherry_array_writer_create, wherry_array_writer_start, wherry_array_writer_test, wherry_array_writer_wait

  !> Options for writing and reading files, the same on all ranks.
  type, public :: wherry_array_file_options
    character(103) :: type = '' !< the name of the element type in the file; blank: 'float64' and so on
    logical :: snapshot = .false. !< for writing: the array is copied at the start and may then be changed
    integer(int64) :: buffer_bytes = 0 !< size of a rank's transfer buffer; 0: 64 MiB
    integer(int64) :: piece = 0 !< for writing: about how many bytes share a checksum; 0: 1 MiB
  end type

contains

  subroutine put_file_options(options, how, name)
    type(wherry_array_file_options), intent(in), optional :: options
    type(c_wherry_array_file_options), intent(inout) :: how
    character(kind=c_char), allocatable, target, intent(inout) :: name(:)
    how%struct_size = c_sizeof(how)
    if (.not. present(options)) return
    allocate(name(len_trim(options%type) + 1))
    name(:) = for_c(options%type)
    if (options%type /= '') how%type = c_loc(name)
    how%snapshot = merge(1_c_int, 0_c_int, options%snapshot)
    how%buffer_bytes = options%buffer_bytes
    how%piece = options%piece
  end subroutine
  subroutine put_section(section, box, where)
    type(wherry_box), intent(in), optional :: section
    type(c_wherry_box), target, intent(inout) :: box
    type(c_ptr), intent(out) :: where
    where = c_null_ptr
    if (.not. present(section)) return
    box = box_for_c(section)
    where = c_loc(box)
  end subroutine
  !> Writes the boxes of an x-array, or of a section of it, without their ghost cells. A write either completes or leaves
  !> the previous file as it was. Collective over the array's communicator.
  subroutine wherry_write_array(path, array, section, options, ierror, errmsg)
    character(*), intent(in) :: path
    type(wherry_x_array), intent(in) :: array
    type(wherry_box), intent(in), optional :: section
    type(wherry_array_file_options), intent(in), optional :: options
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_array_file_options), target :: how
    character(kind=c_char), allocatable, target :: name(:)
    type(c_wherry_box), target :: box
    type(c_ptr) :: where
    call put_section(section, box, where)
    call put_file_options(options, how, name)
    call settle(c_write_array(for_c(path), array%c_handle, where, c_loc(how)), ierror, errmsg)
  end subroutine
  !> Fills those cells of an x-array that are in the file; `filled` is their number on all ranks. Collective.
  subroutine wherry_read_array(path, array, section, filled, options, ierror, errmsg)
    character(*), intent(in) :: path
    type(wherry_x_array), intent(in) :: array
    type(wherry_box), intent(in), optional :: section
    integer(int64), intent(out), optional :: filled
    type(wherry_array_file_options), intent(in), optional :: options
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_array_file_options), target :: how
    character(kind=c_char), allocatable, target :: name(:)
    type(c_wherry_box), target :: box
    type(c_ptr) :: where
    integer(c_int64_t) :: cells
    integer(c_int) :: status
    cells = 0
    call put_section(section, box, where)
    call put_file_options(options, how, name)
    status = c_read_array(for_c(path), array%c_handle, where, c_loc(how), cells)
    if (present(filled)) filled = cells
    call settle(status, ierror, errmsg)
  end subroutine
  !> Reads the boxes of a file as a floor plan, assigned to the ranks in the order of the file. Collective over `comm`.
  subroutine wherry_read_floor_plan(comm, path, plan, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    character(*), intent(in) :: path
    type(wherry_floor_plan), intent(inout) :: plan
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    call wherry_floor_plan_free(plan, status)
    call settle(c_read_floor_plan(comm%c_handle, for_c(path), plan%c_handle), ierror, errmsg)
  end subroutine
  !> Opens a file of many arrays, each under a name and a step, or creates it. Collective over `comm`.
  subroutine wherry_array_series_create(comm, path, series, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    character(*), intent(in) :: path
    type(wherry_array_series), intent(inout) :: series
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    call wherry_array_series_free(series, status)
    call settle(c_array_series_create(comm%c_handle, for_c(path), series%c_handle), ierror, errmsg)
  end subroutine
  !> Adds an array to the file. Collective.
  subroutine wherry_array_series_write(series, name, step, array, section, options, ierror, errmsg)
    type(wherry_array_series), intent(in) :: series
    character(*), intent(in) :: name
    integer, intent(in) :: step
    type(wherry_x_array), intent(in) :: array
    type(wherry_box), intent(in), optional :: section
    type(wherry_array_file_options), intent(in), optional :: options
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_array_file_options), target :: how
    character(kind=c_char), allocatable, target :: type_name(:)
    type(c_wherry_box), target :: box
    type(c_ptr) :: where
    call put_section(section, box, where)
    call put_file_options(options, how, type_name)
    call settle(c_array_series_write(series%c_handle, for_c(name), int(step, c_int64_t), array%c_handle, where, &
      c_loc(how)), ierror, errmsg)
  end subroutine
  !> Fills those cells of an x-array that are in the file under this name and step. Collective.
  subroutine wherry_array_series_read(series, name, step, array, section, filled, options, ierror, errmsg)
    type(wherry_array_series), intent(in) :: series
    character(*), intent(in) :: name
    integer, intent(in) :: step
    type(wherry_x_array), intent(in) :: array
    type(wherry_box), intent(in), optional :: section
    integer(int64), intent(out), optional :: filled
    type(wherry_array_file_options), intent(in), optional :: options
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_array_file_options), target :: how
    character(kind=c_char), allocatable, target :: type_name(:)
    type(c_wherry_box), target :: box
    type(c_ptr) :: where
    integer(c_int64_t) :: cells
    integer(c_int) :: status
    cells = 0
    call put_section(section, box, where)
    call put_file_options(options, how, type_name)
    status = c_array_series_read(series%c_handle, for_c(name), int(step, c_int64_t), array%c_handle, where, c_loc(how), cells)
    if (present(filled)) filled = cells
    call settle(status, ierror, errmsg)
  end subroutine
  !> The number of arrays in the file. Local.
  subroutine wherry_array_series_size(series, count, ierror, errmsg)
    type(wherry_array_series), intent(in) :: series
    integer, intent(out) :: count
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: number
    integer(c_int) :: status
    number = 0
    status = c_array_series_size(series%c_handle, number)
    count = int(number)
    call settle(status, ierror, errmsg)
  end subroutine
  !> The steps under which the file has an array of this name. Local.
  subroutine wherry_array_series_steps(series, name, steps, ierror, errmsg)
    type(wherry_array_series), intent(in) :: series
    character(*), intent(in) :: name
    integer(int64), allocatable, intent(out) :: steps(:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int64_t), allocatable :: list(:)
    integer(c_int64_t) :: all
    integer(c_int) :: status, count
    all = 0
    count = 0
    status = c_array_series_size(series%c_handle, all)
    allocate(list(max(all, 1_c_int64_t)))
    if (status == 0) status = c_array_series_steps(series%c_handle, for_c(name), size(list, kind=c_int), list, count)
    allocate(steps(count))
    steps = list(:count)
    call settle(status, ierror, errmsg)
  end subroutine
  !> Makes what writes the same x-array any number of times while the program computes. Collective.
  subroutine wherry_array_writer_create(array, writer, section, options, ierror, errmsg)
    type(wherry_x_array), intent(in) :: array
    type(wherry_array_writer), intent(inout) :: writer
    type(wherry_box), intent(in), optional :: section
    type(wherry_array_file_options), intent(in), optional :: options
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_array_file_options), target :: how
    character(kind=c_char), allocatable, target :: name(:)
    type(c_wherry_box), target :: box
    type(c_ptr) :: where
    integer(c_int) :: status
    call wherry_array_writer_free(writer, status)
    call put_section(section, box, where)
    call put_file_options(options, how, name)
    call settle(c_array_writer_create(array%c_handle, where, c_loc(how), writer%c_handle), ierror, errmsg)
  end subroutine
  !> Opens a file and begins to write. Until the write is complete, the array must not be changed, unless `snapshot` is set.
  !> Collective.
  subroutine wherry_array_writer_start(writer, path, ierror, errmsg)
    type(wherry_array_writer), intent(in) :: writer
    character(*), intent(in) :: path
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    call settle(c_array_writer_start(writer%c_handle, for_c(path)), ierror, errmsg)
  end subroutine
  !> Makes progress. `done` tells whether the file is complete. All ranks call this or the wait until it is.
  subroutine wherry_array_writer_test(writer, done, ierror, errmsg)
    type(wherry_array_writer), intent(in) :: writer
    logical, intent(out) :: done
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status, complete
    complete = 0
    status = c_array_writer_test(writer%c_handle, complete)
    done = complete /= 0
    call settle(status, ierror, errmsg)
  end subroutine
  !> Returns when the file is complete. Collective.
  subroutine wherry_array_writer_wait(writer, ierror, errmsg)
    type(wherry_array_writer), intent(in) :: writer
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    call settle(c_array_writer_wait(writer%c_handle), ierror, errmsg)
  end subroutine

end module
