! SPDX-License-Identifier: BSD-3-Clause
!
! Array sections that are not contiguous in mpi_f08: windows and files.
program sections_out
  use fcheck
  use mpi_f08
  implicit none
  integer :: size, next, previous
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, my_rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  next = mod(my_rank + 1, size)
  previous = mod(my_rank + size - 1, size)
  call windows()
  call files()
  call MPI_Finalize()
  call finish()

contains

  ! n integers that tell the rank and their number.
  function numbers(rank, n) result(x)
    integer, intent(in) :: rank, n
    integer :: x(n), k
    x = [(1000 * rank + k, k = 1, n)]
  end function

  subroutine windows()
    integer, asynchronous :: memory(100), a(3, 40), b(2, 40), old(2, 40)
    integer :: expected(40)
    type(MPI_Win) :: win
    type(MPI_Request) :: r
    memory = 0
    a(2, :) = numbers(my_rank, 40)
    expected = numbers(previous, 40)
    call MPI_Win_create(memory, int(400, MPI_ADDRESS_KIND), 4, MPI_INFO_NULL, MPI_COMM_WORLD, win)
    call MPI_Win_fence(0, win)
    call MPI_Put(a(2, 40:1:-1), 40, MPI_INTEGER, next, 10_MPI_ADDRESS_KIND, 40, MPI_INTEGER, win)
    call MPI_Win_fence(0, win)
    call check(all(memory(50:11:-1) == expected) .and. all(memory(51:) == 0), 'put')
    call MPI_Win_fence(0, win) ! who has looked lets others change it
    b = 0
    call MPI_Get(b(2, :), 40, MPI_INTEGER, next, 10_MPI_ADDRESS_KIND, 40, MPI_INTEGER, win)
    call MPI_Win_fence(0, win)
    call check(all(b(2, 40:1:-1) == a(2, :)) .and. all(b(1, :) == 0), 'get')
    call MPI_Accumulate(a(2, :), 40, MPI_INTEGER, next, 10_MPI_ADDRESS_KIND, 40, MPI_INTEGER, MPI_SUM, win)
    call MPI_Win_fence(0, win)
    call check(all(memory(11:50) == expected + expected(40:1:-1)), 'accumulate')
    call MPI_Win_fence(0, win) ! who has looked lets others change it
    old = 0
    call MPI_Get_accumulate(a(2, :), 40, MPI_INTEGER, old(1, 40:1:-1), 40, MPI_INTEGER, next, 10_MPI_ADDRESS_KIND, 40, MPI_INTEGER, &
                            MPI_REPLACE, win)
    call MPI_Win_fence(0, win)
    call check(all(memory(11:50) == expected), 'get_accumulate replaces')
    call MPI_Win_fence(0, win) ! who has looked lets others change it
    call check(all(old(1, :) == a(2, :) + a(2, 40:1:-1)) .and. all(old(2, :) == 0), 'and returns what was there')
    call MPI_Fetch_and_op(a(2, 3:4), old(2, 5:6), MPI_INTEGER, next, 10_MPI_ADDRESS_KIND, MPI_SUM, win)
    call MPI_Win_fence(0, win)
    call check(old(2, 5) == a(2, 1) .and. memory(11) == expected(1) + expected(3), 'fetch_and_op')
    call MPI_Win_lock(MPI_LOCK_SHARED, next, 0, win)
    call MPI_Rput(a(2, ::2), 20, MPI_INTEGER, next, 60_MPI_ADDRESS_KIND, 20, MPI_INTEGER, win, r)
    call MPI_Wait(r, MPI_STATUS_IGNORE)
    call MPI_Win_flush(next, win)
    b = 0
    call MPI_Rget(b(1, 20:1:-1), 20, MPI_INTEGER, next, 60_MPI_ADDRESS_KIND, 20, MPI_INTEGER, win, r)
    call MPI_Wait(r, MPI_STATUS_IGNORE)
    call MPI_Win_unlock(next, win)
    call check(all(b(1, 20:1:-1) == a(2, ::2)) .and. all(b(2, :) == 0), 'rput and rget')
    call MPI_Win_free(win)
  end subroutine

  subroutine files()
    type(MPI_File) :: fh
    type(MPI_Request) :: r
    type(MPI_Status) :: status
    character(len=1000) :: name
    integer, asynchronous :: a(3, 50), b(2, 50)
    integer(kind=MPI_OFFSET_KIND) :: at
    integer :: n
    if (my_rank == 0) n = getpid() ! tests run at the same time
    call MPI_Bcast(n, 1, MPI_INTEGER, 0, MPI_COMM_WORLD)
    write (name, '(2a,i0)') MPT_TEST_FOLDER, '/mpt-sections-', n
    call MPI_File_open(MPI_COMM_WORLD, name, ior(ior(MPI_MODE_CREATE, MPI_MODE_RDWR), MPI_MODE_DELETE_ON_CLOSE), MPI_INFO_NULL, fh, n)
    call good(n, 'open')
    a(2, :) = numbers(my_rank, 50)
    at = 200 * my_rank
    call MPI_File_iwrite_at(fh, at, a(2, 50:1:-1), 50, MPI_INTEGER, r)
    call MPI_Wait(r, status)
    call MPI_Get_count(status, MPI_INTEGER, n)
    call check(n == 50, 'iwrite_at counts')
    call MPI_File_sync(fh)
    call MPI_Barrier(MPI_COMM_WORLD)
    at = 200 * previous
    b = 0
    call MPI_File_iread_at(fh, at, b(1, :), 50, MPI_INTEGER, r)
    call MPI_Wait(r, status)
    call check(all(b(1, 50:1:-1) == numbers(previous, 50)) .and. all(b(2, :) == 0), 'iread_at')
    call MPI_Barrier(MPI_COMM_WORLD)
    ! Split collective, in big-endian: elements are converted where they lie.
    call MPI_File_set_view(fh, 0_MPI_OFFSET_KIND, MPI_INTEGER, MPI_INTEGER, 'external32', MPI_INFO_NULL)
    at = 50 * my_rank
    call MPI_File_write_at_all_begin(fh, at, a(2, :), 50, MPI_INTEGER)
    call MPI_File_write_at_all_end(fh, a(2, :), status)
    call MPI_File_sync(fh)
    call MPI_Barrier(MPI_COMM_WORLD)
    at = 50 * previous
    call MPI_File_read_at_all_begin(fh, at, b(2, :), 50, MPI_INTEGER)
    call MPI_File_read_at_all_end(fh, b(2, :), status)
    call check(all(b(2, :) == numbers(previous, 50)), 'split collective access')
    call MPI_File_seek(fh, at, MPI_SEEK_SET)
    b = 0
    call MPI_File_iread_all(fh, b(2, 50:1:-1), 50, MPI_INTEGER, r)
    call MPI_Wait(r, status)
    call check(all(b(2, 50:1:-1) == numbers(previous, 50)) .and. all(b(1, :) == 0), 'iread_all')
    call MPI_File_close(fh)
  end subroutine
end program
