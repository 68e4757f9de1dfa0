! SPDX-License-Identifier: BSD-3-Clause
!
! One-sided: windows over an array, allocated and shared (both forms of the base
! address), all kinds of access and synchronisation, attributes of windows.
#include "forms.h"
program rma
  use fcheck
  use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
  USES
  implicit none
  INCLUDES
  integer :: ierr, size, right, left, i
  integer, asynchronous, save :: memory(10)
#include "start.h"
  right = mod(my_rank + 1, size)
  left = mod(my_rank + size - 1, size)
  call created()
  call allocated_()
  call shared()
  call dynamic()
  call memory_()
  call MPI_Finalize(ierr)
  call finish()

contains

  subroutine created()
    WIN_T :: win
    GROUP_T :: world, neighbour
    integer, asynchronous :: x(2), old
    integer(kind=MPI_ADDRESS_KIND) :: value
    logical :: flag
    character(len=MPI_MAX_OBJECT_NAME) :: name
    integer :: n
    memory = my_rank
    call MPI_Win_create(memory, 40_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
    call good(ierr, 'win_create')
    call MPI_Win_set_name(win, 'window', ierr)
    call MPI_Win_get_name(win, name, n, ierr)
    call check(name == 'window' .and. n == 6, 'name')
    call MPI_Win_get_attr(win, MPI_WIN_SIZE, value, flag, ierr)
    call check(flag .and. value == 40, 'size')
    call MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, value, flag, ierr)
    call check(flag .and. value == 4, 'disp_unit')
    call MPI_Win_get_attr(win, MPI_WIN_BASE, value, flag, ierr)
    call check(flag .and. value == loc(memory), 'base')
    call MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, value, flag, ierr)
    call check(flag .and. value == MPI_WIN_FLAVOR_CREATE, 'flavor')
    call MPI_Win_fence(0, win, ierr)
    x = [100 + my_rank, 200 + my_rank]
    call MPI_Put(x, 2, MPI_INTEGER, right, 3_MPI_ADDRESS_KIND, 2, MPI_INTEGER, win, ierr)
    call MPI_Win_fence(0, win, ierr)
    call check(all(memory(4:5) == [100 + left, 200 + left]), 'put')
    call MPI_Get(x, 2, MPI_INTEGER, right, 3_MPI_ADDRESS_KIND, 2, MPI_INTEGER, win, ierr)
    call MPI_Win_fence(0, win, ierr)
    call check(all(x == [100 + my_rank, 200 + my_rank]), 'get')
    memory(1) = 0
    call MPI_Win_fence(0, win, ierr)
    call MPI_Accumulate(my_rank + 1, 1, MPI_INTEGER, 0, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, MPI_SUM, win, ierr)
    call MPI_Win_fence(0, win, ierr)
    if (my_rank == 0) call check(memory(1) == size * (size + 1) / 2, 'accumulate')
    call MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win, ierr)
    call MPI_Fetch_and_op(1, old, MPI_INTEGER, 0, 1_MPI_ADDRESS_KIND, MPI_SUM, win, ierr)
    call MPI_Win_unlock(0, win, ierr)
    call check(old >= 0 .and. old < size, 'fetch_and_op')
    call MPI_Win_lock_all(0, win, ierr)
    call MPI_Compare_and_swap(-5, my_rank, old, MPI_INTEGER, right, 9_MPI_ADDRESS_KIND, win, ierr)
    call MPI_Win_flush(right, win, ierr)
    call check(old == my_rank .or. old == right, 'compare_and_swap')
    call MPI_Win_unlock_all(win, ierr)
    call MPI_Barrier(MPI_COMM_WORLD, ierr) ! no window is locked that is exposed now
    call MPI_Comm_group(MPI_COMM_WORLD, world, ierr)
    call MPI_Group_incl(world, 1, [left], neighbour, ierr)
    call MPI_Win_post(neighbour, 0, win, ierr)
    call MPI_Group_free(neighbour, ierr)
    call MPI_Group_incl(world, 1, [right], neighbour, ierr)
    call MPI_Win_start(neighbour, 0, win, ierr)
    call MPI_Put(my_rank, 1, MPI_INTEGER, right, 7_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)
    call MPI_Win_complete(win, ierr)
    call MPI_Win_wait(win, ierr)
    call check(memory(8) == left, 'post and start')
    call MPI_Group_free(neighbour, ierr)
    call MPI_Group_free(world, ierr)
    call MPI_Win_free(win, ierr)
    call check(win == MPI_WIN_NULL, 'win is null')
  end subroutine

  subroutine allocated_()
    WIN_T :: win
    REQUEST_T :: request
    integer, asynchronous :: x
#if FORM == 77
    integer(kind=MPI_ADDRESS_KIND) :: base
#else
    type(c_ptr) :: base
    integer, pointer :: p(:)
#endif
    call MPI_Win_allocate(16_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, win, ierr)
    call good(ierr, 'win_allocate')
    call MPI_Win_lock_all(0, win, ierr)
    x = my_rank + 50
    call MPI_Rput(x, 1, MPI_INTEGER, right, 2_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call MPI_Win_flush_all(win, ierr)
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    call MPI_Win_sync(win, ierr)
#if FORM != 77
    call c_f_pointer(base, p, [4])
    call check(p(3) == left + 50, 'rput')
#endif
    x = -1
    call MPI_Rget(x, 1, MPI_INTEGER, my_rank, 2_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call check(x == left + 50, 'rget')
    call MPI_Win_unlock_all(win, ierr)
    call MPI_Win_free(win, ierr)
  end subroutine

  subroutine shared()
    WIN_T :: win
    COMM_T :: node
    integer(kind=MPI_ADDRESS_KIND) :: base, bytes, there
    integer :: unit, n, rank
    call MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, node, ierr)
    call MPI_Comm_size(node, n, ierr)
    call MPI_Comm_rank(node, rank, ierr)
#if FORM == 8
    call shared_8(node, win, rank, n)
#else
    call MPI_Win_allocate_shared(8_MPI_ADDRESS_KIND, 8, MPI_INFO_NULL, node, base, win, ierr)
    call good(ierr, 'win_allocate_shared')
    call MPI_Win_shared_query(win, rank, bytes, unit, there, ierr)
    call check(bytes == 8 .and. unit == 8 .and. there == base, 'shared_query')
#endif
    call MPI_Win_fence(0, win, ierr)
    call MPI_Win_free(win, ierr)
    call MPI_Comm_free(node, ierr)
  end subroutine

#if FORM == 8
  subroutine shared_8(node, win, rank, n)
    COMM_T, intent(in) :: node
    WIN_T, intent(out) :: win
    integer, intent(in) :: rank, n
    type(c_ptr) :: mine, other
    integer, pointer :: p, q
    integer(kind=MPI_ADDRESS_KIND) :: bytes
    integer :: unit
    call MPI_Win_allocate_shared(8_MPI_ADDRESS_KIND, 8, MPI_INFO_NULL, node, mine, win)
    call c_f_pointer(mine, p)
    p = rank
    call MPI_Win_fence(0, win)
    call MPI_Win_shared_query(win, mod(rank + 1, n), bytes, unit, other)
    call c_f_pointer(other, q)
    call check(q == mod(rank + 1, n), 'load from a neighbour')
    call MPI_Win_fence(0, win)
  end subroutine
#endif

  subroutine dynamic()
    WIN_T :: win
    integer(kind=MPI_ADDRESS_KIND) :: at, all_(size)
    call MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
    call MPI_Win_attach(win, memory, 40_MPI_ADDRESS_KIND, ierr)
    call good(ierr, 'attach')
    call MPI_Get_address(memory, at, ierr)
    call MPI_Allgather(at, 1, MPI_AINT, all_, 1, MPI_AINT, MPI_COMM_WORLD, ierr)
    memory = 0
    call MPI_Win_fence(0, win, ierr)
    call MPI_Put(my_rank, 1, MPI_INTEGER, right, MPI_Aint_add(all_(right + 1), 8_MPI_ADDRESS_KIND), 1, MPI_INTEGER, win, ierr)
    call MPI_Win_fence(0, win, ierr)
    call check(memory(3) == left, 'put by address')
    call MPI_Win_detach(win, memory, ierr)
    call MPI_Win_free(win, ierr)
  end subroutine

  subroutine memory_()
#if FORM == 77
    real :: a(1)
    integer(kind=MPI_ADDRESS_KIND) :: base
    pointer (base, a)
    call MPI_Alloc_mem(400_MPI_ADDRESS_KIND, MPI_INFO_NULL, base, ierr)
    a(1) = 5
    call check(a(1) == 5, 'alloc_mem')
    call MPI_Free_mem(a, ierr)
#else
    type(c_ptr) :: base
    real, pointer :: a(:)
    call MPI_Alloc_mem(400_MPI_ADDRESS_KIND, MPI_INFO_NULL, base, ierr)
    call good(ierr, 'alloc_mem')
    call c_f_pointer(base, a, [100])
    a = [(i, i = 1, 100)]
    call check(sum(a) == 5050, 'alloc_mem')
    call MPI_Free_mem(a, ierr)
#endif
    call good(ierr, 'free_mem')
  end subroutine
end program
