! SPDX-License-Identifier: BSD-3-Clause
!
! Dynamic processes: the program starts itself, with a command and arguments that
! have blanks inside, before and behind them; names of ports.
#include "forms.h"
program spawn
  use fcheck
  USES
  implicit none
  INCLUDES
  integer :: ierr, size, errcodes(3)
  COMM_T :: parent, children
  character(len=500) :: me, command
#include "start.h"
  call MPI_Comm_get_parent(parent, ierr)
  call get_command_argument(0, me)
  if (parent == MPI_COMM_NULL) then
    call start_one()
    call start_several()
    call names()
  else
    call child()
  end if
  call MPI_Finalize(ierr)
  call finish()

contains

  subroutine start_one()
    character(len=20) :: arguments(3)
    integer :: n, sum
    arguments = ['   one              ', ' two words          ', '                    ']
    errcodes = -1
    command = '  ' // me
    call MPI_Comm_spawn(command, arguments, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, children, errcodes, ierr)
    call good(ierr, 'spawn')
    call check(all(errcodes(1:2) == MPI_SUCCESS), 'error codes')
    call MPI_Comm_remote_size(children, n, ierr)
    call check(n == 2, 'two children')
    call MPI_Allreduce(1, sum, 1, MPI_INTEGER, MPI_SUM, children, ierr)
    call check(sum == 2 * 2, 'what children say')
    call MPI_Comm_disconnect(children, ierr)
    call check(children == MPI_COMM_NULL, 'disconnected')
  end subroutine

  subroutine start_several()
    character(len=500) :: commands(2)
    character(len=12) :: arguments(2, 2)
    integer :: n, sum
    commands(1) = me
    commands(2) = ' ' // me
    arguments(1, :) = ['  first ', '        ']
    arguments(2, :) = ['second  ', '        ']
    call MPI_Comm_spawn_multiple(2, commands, arguments, [1, 2], [MPI_INFO_NULL, MPI_INFO_NULL], 0, MPI_COMM_WORLD, children, &
                                 MPI_ERRCODES_IGNORE, ierr)
    call good(ierr, 'spawn_multiple')
    call MPI_Comm_remote_size(children, n, ierr)
    call check(n == 3, 'three children')
    call MPI_Allreduce(1, sum, 1, MPI_INTEGER, MPI_SUM, children, ierr)
    call check(sum == 10 + 20 + 20, 'what they say')
    call MPI_Comm_disconnect(children, ierr)
  end subroutine

  subroutine names()
    character(len=MPI_MAX_PORT_NAME) :: port, found
    character(len=60) :: service
    if (my_rank == 0) then
      write (service, '(a, i0)') 'fortran service ', getpid() ! of this process: the same test runs beside it
      call MPI_Open_port(MPI_INFO_NULL, port, ierr)
      call good(ierr, 'open_port')
      call check(len_trim(port) > 0, 'a name')
      call MPI_Publish_name(trim(service), MPI_INFO_NULL, port, ierr)
      call good(ierr, 'publish')
      call MPI_Lookup_name(trim(service)//'  ', MPI_INFO_NULL, found, ierr)
      call check(ierr == MPI_SUCCESS .and. found == port, 'lookup')
      call MPI_Unpublish_name(trim(service), MPI_INFO_NULL, port, ierr)
      call MPI_Close_port(port, ierr)
      call good(ierr, 'close_port')
    end if
  end subroutine

  ! It tells the parents which arguments it was given.
  subroutine child()
    character(len=40) :: first, second
    integer :: answer, sum
    call get_command_argument(1, first)
    call get_command_argument(2, second)
    answer = 0
    if (first == 'one' .and. second == 'two words' .and. command_argument_count() == 2) answer = 2
    if (first == 'first' .and. command_argument_count() == 1) answer = 10
    if (first == 'second' .and. command_argument_count() == 1) answer = 20
    call MPI_Allreduce(answer, sum, 1, MPI_INTEGER, MPI_SUM, parent, ierr)
    call good(ierr, 'allreduce of children')
    call MPI_Comm_disconnect(parent, ierr)
  end subroutine
end program
