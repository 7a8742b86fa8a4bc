! An error that nobody asks for ends the job with its text: of a call, and of an assignment of objects.
program stops
  use test_support
  implicit none
  type(wherry_exchange) :: fill
  type(wherry_communicator) :: copy
  character(20) :: what
  call begin()
  call get_command_argument(1, what)
  select case (what)
  case ('call')
    call wherry_exchange_start(fill)
  case ('assignment')
    copy = comm
  case ('member')
    call assign_structure()
  end select
  call finish('stops')
contains
  subroutine assign_structure()
    type :: simulation
      type(wherry_communicator) :: comm
      integer :: step = 0
    end type
    type(simulation) :: one, two
    call wherry_communicator_create(MPI_COMM_WORLD, one%comm)
    two = one
    call require(two%step == 0, 'never')
  end subroutine
end program
