! SPDX-License-Identifier: BSD-3-Clause
!
! Point-to-point: all modes, statuses, indices that count from one, probes, persistent
! and partitioned requests, buffers, MPI_BOTTOM, kinds of actual arguments.
#include "forms.h"
program p2p
  use fcheck
  USES
  implicit none
  INCLUDES
  integer :: ierr, size, left, right
#include "start.h"
  right = mod(my_rank + 1, size)
  left = mod(my_rank + size - 1, size)
  call ring()
  call modes()
  call buffered()
  call probes()
  call completions()
  call persistent()
  call partitioned()
  call bottom()
  call MPI_Finalize(ierr)
  call finish()

contains

  subroutine ring()
    real :: a(3, 4), b(3, 4)
    character(len=5) :: word
    integer :: n
    STATUS_T(status)
    a = my_rank
    b = -1
    call MPI_Sendrecv(a, 12, MPI_REAL, right, 3, b, 12, MPI_REAL, left, 3, MPI_COMM_WORLD, status, ierr)
    call good(ierr, 'sendrecv')
    call check(all(b == left), 'what sendrecv got')
    call check(SOURCE_OF(status) == left .and. TAG_OF(status) == 3, 'its status')
    call MPI_Get_count(status, MPI_REAL, n, ierr)
    call check(n == 12, 'its count')
    call MPI_Sendrecv(a(2, :), 4, MPI_REAL, right, 4, b(:, 1), 3, MPI_REAL, MPI_PROC_NULL, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call check(all(b(:, 1) == left), 'nothing comes from nobody')
    call MPI_Recv(b(1:2, 2:3), 4, MPI_REAL, left, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call check(all(b == left), 'section as a buffer')
    word = achar(65 + my_rank) // 'bcde'
    call MPI_Sendrecv_replace(word, 5, MPI_CHARACTER, right, 5, left, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call check(word == achar(65 + left) // 'bcde', 'characters')
  end subroutine

  subroutine modes()
    integer, asynchronous :: sent(4), got(4)
    integer :: i
    REQUEST_T :: requests(8)
    STATUSES_T(statuses, 8)
    do i = 1, 4
      sent(i) = 100 * my_rank + i
      call MPI_Irecv(got(i), 1, MPI_INTEGER, left, i, MPI_COMM_WORLD, requests(i), ierr)
    end do
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    call MPI_Isend(sent(1), 1, MPI_INTEGER, right, 1, MPI_COMM_WORLD, requests(5), ierr)
    call MPI_Issend(sent(2), 1, MPI_INTEGER, right, 2, MPI_COMM_WORLD, requests(6), ierr)
    call MPI_Irsend(sent(3), 1, MPI_INTEGER, right, 3, MPI_COMM_WORLD, requests(7), ierr)
    call MPI_Isend(sent(4), 1, MPI_INTEGER, right, 4, MPI_COMM_WORLD, requests(8), ierr)
    call MPI_Waitall(8, requests, statuses, ierr)
    call good(ierr, 'waitall')
    call check(all(got == [(100 * left + i, i = 1, 4)]), 'all modes')
    do i = 1, 4
      call check(SOURCE_OF_NTH(statuses, i) == left, 'statuses of waitall')
      call check(requests(i) == MPI_REQUEST_NULL .and. requests(i + 4) == MPI_REQUEST_NULL, 'requests are null')
    end do
    call MPI_Waitall(8, requests, MPI_STATUSES_IGNORE, ierr)
    call good(ierr, 'waitall of nothing')
  end subroutine

  subroutine buffered()
    character(len=2000), target, asynchronous :: space
    integer :: n, got(10)
    REQUEST_T :: request
    n = len(space)
    call MPI_Buffer_attach(space, n, ierr)
    call good(ierr, 'attach')
    call MPI_Bsend([1, 2, 3, 4, 5, 6, 7, 8, 9, my_rank], 10, MPI_INTEGER, right, 1, MPI_COMM_WORLD, ierr)
    call good(ierr, 'bsend')
    call MPI_Ibsend(my_rank, 1, MPI_INTEGER, right, 2, MPI_COMM_WORLD, request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call MPI_Recv(got, 10, MPI_INTEGER, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call check(got(10) == left .and. got(9) == 9, 'bsend arrived')
    call MPI_Recv(got, 10, MPI_INTEGER, left, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call check(got(1) == left .and. got(2) == 2, 'ibsend arrived')
    call detach(space, len(space))
  end subroutine

  subroutine detach(space, expected)
#if FORM == 8
    use, intrinsic :: iso_c_binding, only: c_ptr, c_loc, c_associated
    character(len=*), target, intent(inout) :: space
    type(c_ptr) :: address
#else
    character(len=*), intent(inout) :: space
    integer :: address(4)
#endif
    integer, intent(in) :: expected
    integer :: n
#if FORM != 8
    address = 17
#endif
    call MPI_Buffer_detach(address, n, ierr)
    call good(ierr, 'detach')
    call check(n == expected, 'size of the buffer')
#if FORM == 8
    call check(c_associated(address, c_loc(space)), 'address of the buffer')
#else
    call check(all(address == 17), 'the address is not returned')
#endif
  end subroutine

  subroutine probes()
    integer :: n, x(3)
    logical :: flag
    MESSAGE_T :: message
    REQUEST_T :: request
    STATUS_T(status)
    integer, asynchronous :: sent(3)
    sent = [my_rank, 7, 8]
    call MPI_Isend(sent, 3, MPI_INTEGER, right, 9, MPI_COMM_WORLD, request, ierr)
    call MPI_Probe(MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, status, ierr)
    call MPI_Get_count(status, MPI_INTEGER, n, ierr)
    call check(n == 3 .and. SOURCE_OF(status) == left, 'probe')
    call MPI_Iprobe(left, MPI_ANY_TAG, MPI_COMM_WORLD, flag, status, ierr)
    call check(flag .and. TAG_OF(status) == 9, 'iprobe')
    call MPI_Iprobe(left, 10, MPI_COMM_WORLD, flag, MPI_STATUS_IGNORE, ierr)
    call check(.not. flag, 'iprobe of nothing')
    call MPI_Mprobe(left, 9, MPI_COMM_WORLD, message, status, ierr)
    call check(message /= MPI_MESSAGE_NULL, 'mprobe')
    call MPI_Mrecv(x, 3, MPI_INTEGER, message, status, ierr)
    call good(ierr, 'mrecv')
    call check(x(1) == left .and. x(3) == 8 .and. message == MPI_MESSAGE_NULL, 'what mrecv got')
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call MPI_Mprobe(MPI_PROC_NULL, 1, MPI_COMM_WORLD, message, status, ierr)
    call check(message == MPI_MESSAGE_NO_PROC, 'message of nobody')
    call MPI_Mrecv(x, 3, MPI_INTEGER, message, MPI_STATUS_IGNORE, ierr)
  end subroutine

  subroutine completions()
    integer, asynchronous :: got(3)
    integer :: index, indices(3), n, i
    logical :: flag
    REQUEST_T :: requests(3)
    STATUS_T(status)
    STATUSES_T(statuses, 3)
    requests = MPI_REQUEST_NULL
    call MPI_Waitany(3, requests, index, status, ierr)
    call check(index == MPI_UNDEFINED, 'waitany of nothing')
    do i = 1, 3
      call MPI_Irecv(got(i), 1, MPI_INTEGER, left, 20 + i, MPI_COMM_WORLD, requests(i), ierr)
    end do
    call MPI_Testany(3, requests, index, flag, status, ierr)
    call check(.not. flag .and. index == MPI_UNDEFINED, 'testany of nothing done')
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    call MPI_Send(5, 1, MPI_INTEGER, right, 22, MPI_COMM_WORLD, ierr)
    call MPI_Waitany(3, requests, index, status, ierr)
    call check(index == 2 .and. TAG_OF(status) == 22 .and. got(2) == 5, 'waitany: the second')
    call check(requests(2) == MPI_REQUEST_NULL .and. requests(1) /= MPI_REQUEST_NULL, 'waitany: its request')
    call MPI_Send(6, 1, MPI_INTEGER, right, 23, MPI_COMM_WORLD, ierr)
    call MPI_Waitsome(3, requests, n, indices, statuses, ierr)
    call check(n == 1 .and. indices(1) == 3 .and. SOURCE_OF_NTH(statuses, 1) == left, 'waitsome: the third')
    call MPI_Request_get_status_any(3, requests, index, flag, status, ierr)
    call check(.not. flag, 'get_status_any: none')
    call MPI_Request_get_status(requests(1), flag, status, ierr)
    call check(.not. flag, 'get_status')
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    call MPI_Send(7, 1, MPI_INTEGER, right, 21, MPI_COMM_WORLD, ierr)
    flag = .false.
    do while (.not. flag)
      call MPI_Testany(3, requests, index, flag, MPI_STATUS_IGNORE, ierr)
    end do
    call check(index == 1 .and. got(1) == 7, 'testany: the first')
    call MPI_Testall(3, requests, flag, MPI_STATUSES_IGNORE, ierr)
    call check(flag, 'testall')
    call MPI_Testsome(3, requests, n, indices, statuses, ierr)
    call check(n == MPI_UNDEFINED, 'testsome of nothing')
    call MPI_Irecv(got(1), 1, MPI_INTEGER, left, 99, MPI_COMM_WORLD, requests(1), ierr)
    call MPI_Cancel(requests(1), ierr)
    call MPI_Wait(requests(1), status, ierr)
    call MPI_Test_cancelled(status, flag, ierr)
    call check(flag, 'cancelled')
  end subroutine

  subroutine persistent()
    integer, asynchronous :: x, y
    integer :: i
    REQUEST_T :: requests(2)
    call MPI_Send_init(x, 1, MPI_INTEGER, right, 31, MPI_COMM_WORLD, requests(1), ierr)
    call MPI_Recv_init(y, 1, MPI_INTEGER, left, 31, MPI_COMM_WORLD, requests(2), ierr)
    do i = 1, 3
      x = 10 * i + my_rank
      call MPI_Startall(2, requests, ierr)
      call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
      call check(y == 10 * i + left, 'persistent')
    end do
    x = -1
    call MPI_Start(requests(2), ierr)
    call MPI_Start(requests(1), ierr)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
    call check(y == -1, 'started one by one')
    call MPI_Request_free(requests(1), ierr)
    call MPI_Request_free(requests(2), ierr)
    call check(requests(2) == MPI_REQUEST_NULL, 'freed')
  end subroutine

  subroutine partitioned()
    integer, asynchronous :: x(6), y(6)
    integer :: i
    logical :: flag
    REQUEST_T :: requests(2)
    if (size == 1) return
    call MPI_Psend_init(x, 3, 2_MPI_COUNT_KIND, MPI_INTEGER, right, 41, MPI_COMM_WORLD, MPI_INFO_NULL, requests(1), ierr)
    call good(ierr, 'psend_init')
    call MPI_Precv_init(y, 3, 2_MPI_COUNT_KIND, MPI_INTEGER, left, 41, MPI_COMM_WORLD, MPI_INFO_NULL, requests(2), ierr)
    call MPI_Startall(2, requests, ierr)
    x = [(my_rank + i, i = 1, 6)]
    call MPI_Pready(1, requests(1), ierr)
    call MPI_Pready_list(2, [0, 2], requests(1), ierr)
    call good(ierr, 'pready_list')
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
    call check(all(y == [(left + i, i = 1, 6)]), 'partitions')
    call MPI_Startall(2, requests, ierr)
    call MPI_Pready_range(0, 2, requests(1), ierr)
    flag = .false.
    do while (.not. flag)
      call MPI_Parrived(requests(2), 1, flag, ierr)
    end do
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
    call MPI_Request_free(requests(1), ierr)
    call MPI_Request_free(requests(2), ierr)
  end subroutine

  subroutine bottom()
    integer, save, asynchronous :: x, y
    integer(kind=MPI_ADDRESS_KIND) :: at(1)
    TYPE_T :: absolute_x, absolute_y
    call MPI_Get_address(x, at(1), ierr)
    call MPI_Type_create_hindexed(1, [1], at, MPI_INTEGER, absolute_x, ierr)
    call MPI_Get_address(y, at(1), ierr)
    call MPI_Type_create_hindexed(1, [1], at, MPI_INTEGER, absolute_y, ierr)
    call MPI_Type_commit(absolute_x, ierr)
    call MPI_Type_commit(absolute_y, ierr)
    x = my_rank
    call MPI_Sendrecv(MPI_BOTTOM, 1, absolute_x, right, 1, MPI_BOTTOM, 1, absolute_y, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call MPI_F_sync_reg(y)
    call good(ierr, 'from bottom to bottom')
    call check(y == left, 'absolute addresses')
    call MPI_Type_free(absolute_x, ierr)
    call MPI_Type_free(absolute_y, ierr)
  end subroutine
end program
