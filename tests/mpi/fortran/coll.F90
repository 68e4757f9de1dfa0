! SPDX-License-Identifier: BSD-3-Clause
!
! Collectives: blocking, nonblocking, persistent, MPI_IN_PLACE, arrays of datatypes,
! Fortran's operations, neighbourhoods.
#include "forms.h"
module reductions
  implicit none
contains
#if FORM == 8
  subroutine keep_last(invec, inoutvec, len, datatype)
    use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
    use mpi_f08
    type(c_ptr), value :: invec, inoutvec
    integer :: len
    type(MPI_Datatype) :: datatype
    integer, pointer :: a(:), b(:)
    call c_f_pointer(invec, a, [len])
    call c_f_pointer(inoutvec, b, [len])
    if (datatype /= MPI_INTEGER) b = -1000
    b = 2 * a + b
  end subroutine
#else
  subroutine keep_last(a, b, len, datatype)
    USES
    implicit none
    INCLUDES
    integer :: len, datatype
    integer :: a(len), b(len)
    if (datatype /= MPI_INTEGER) b = -1000
    b = 2 * a + b
  end subroutine
#endif

#if FORM == 8
  subroutine of_pairs(a, b, len, datatype)
    use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
    use mpi_f08
    type(c_ptr), value :: a, b
    integer :: len
    type(MPI_Datatype) :: datatype
    integer, pointer :: x(:, :), y(:, :)
    integer :: bytes
    call c_f_pointer(a, x, [2, len])
    call c_f_pointer(b, y, [2, len])
    call MPI_Type_size(datatype, bytes)
#else
  subroutine of_pairs(x, y, len, datatype)
    USES
    implicit none
    INCLUDES
    integer :: len, datatype, x(2, len), y(2, len), bytes, ierr
    call MPI_Type_size(datatype, bytes, ierr)
#endif
    if (bytes /= 8) y = -1000
    y(1, :) = y(1, :) + x(1, :)
    y(2, :) = max(y(2, :), x(2, :))
  end subroutine
end module

program coll
  use fcheck
  USES
  implicit none
  INCLUDES
  integer :: ierr, size, i
#include "start.h"
  call rooted()
  call to_all()
  call uneven()
  call operations()
  call later()
  call typed()
  call neighbours()
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
  call finish()

contains

  subroutine rooted()
    double precision :: x(5)
    complex :: z, sum
    integer :: all_(size), mine, root
    do root = 0, size - 1
      x = my_rank
      call MPI_Bcast(x, 5, MPI_DOUBLE_PRECISION, root, MPI_COMM_WORLD, ierr)
      call check(all(x == root), 'bcast')
      call MPI_Gather(10 * my_rank, 1, MPI_INTEGER, all_, 1, MPI_INTEGER, root, MPI_COMM_WORLD, ierr)
      if (my_rank == root) call check(all(all_ == [(10 * i, i = 0, size - 1)]), 'gather')
      if (my_rank == root) then
        all_ = [(i * i, i = 1, size)]
        call MPI_Scatter(all_, 1, MPI_INTEGER, MPI_IN_PLACE, 1, MPI_INTEGER, root, MPI_COMM_WORLD, ierr)
      else
        call MPI_Scatter(all_, 1, MPI_INTEGER, mine, 1, MPI_INTEGER, root, MPI_COMM_WORLD, ierr)
        call check(mine == (my_rank + 1) ** 2, 'scatter')
      end if
      z = cmplx(my_rank, 1)
      call MPI_Reduce(z, sum, 1, MPI_COMPLEX, MPI_SUM, root, MPI_COMM_WORLD, ierr)
      if (my_rank == root) call check(sum == cmplx(size * (size - 1) / 2, size), 'reduce of complex')
    end do
  end subroutine

  subroutine to_all()
    integer :: x(size), y(size), pair(2), best(2)
    logical :: both
    x = my_rank
    call MPI_Alltoall(x, 1, MPI_INTEGER, y, 1, MPI_INTEGER, MPI_COMM_WORLD, ierr)
    call check(all(y == [(i, i = 0, size - 1)]), 'alltoall')
    x(my_rank + 1) = 7 * my_rank
    call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, x, 1, MPI_INTEGER, MPI_COMM_WORLD, ierr)
    call good(ierr, 'allgather in place')
    call check(all(x == [(7 * i, i = 0, size - 1)]), 'allgather')
    call MPI_Allreduce(MPI_IN_PLACE, x, size, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, ierr)
    call check(all(x == [(7 * i, i = 0, size - 1)]), 'allreduce in place')
    call MPI_Scan(my_rank, i, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
    call check(i == my_rank * (my_rank + 1) / 2, 'scan')
    i = 0
    call MPI_Exscan(my_rank, i, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
    call check(i == my_rank * (my_rank - 1) / 2, 'exscan')
    call MPI_Allreduce(my_rank == 0, both, 1, MPI_LOGICAL, MPI_LAND, MPI_COMM_WORLD, ierr)
    call check(both .eqv. size == 1, 'logicals')
    pair = [mod(my_rank, 2), my_rank]
    call MPI_Allreduce(pair, best, 1, MPI_2INTEGER, MPI_MAXLOC, MPI_COMM_WORLD, ierr)
    call check(best(1) == min(1, size - 1) .and. best(2) == min(1, size - 1), 'maxloc')
    call MPI_Reduce_scatter_block(x, i, 1, MPI_INTEGER, MPI_MIN, MPI_COMM_WORLD, ierr)
    call check(i == 7 * my_rank, 'reduce_scatter_block')
    call MPI_Reduce_scatter(x, i, [(1, i = 1, size)], MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
    call check(i == 7 * my_rank * size, 'reduce_scatter')
    call MPI_Reduce_local([1, 2], pair, 2, MPI_INTEGER, MPI_SUM, ierr)
    call check(all(pair == [mod(my_rank, 2) + 1, my_rank + 2]), 'reduce_local')
  end subroutine

  subroutine uneven()
    integer :: counts(size), at(size), n, total
    integer, allocatable :: x(:), all_(:)
    counts = [(i, i = 1, size)]
    at = [(i * (i - 1) / 2, i = 1, size)]
    n = my_rank + 1
    total = size * (size + 1) / 2
    allocate (x(n), all_(total))
    x = my_rank
    all_ = -1
    call MPI_Allgatherv(x, n, MPI_INTEGER, all_, counts, at, MPI_INTEGER, MPI_COMM_WORLD, ierr)
    do i = 1, size
      call check(all(all_(at(i) + 1:at(i) + i) == i - 1), 'allgatherv')
    end do
    call MPI_Scatterv(all_, counts, at, MPI_INTEGER, x, n, MPI_INTEGER, size - 1, MPI_COMM_WORLD, ierr)
    call check(all(x == my_rank), 'scatterv')
    call MPI_Gatherv(x, n, MPI_INTEGER, all_, counts, at, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
    call good(ierr, 'gatherv')
  end subroutine

  subroutine operations()
    use reductions
    OP_T :: op
    TYPE_T :: pair
    logical :: commutes
    integer :: x, y, expected, a(2), b(2)
    call MPI_Op_create(keep_last, .false., op, ierr)
    call good(ierr, 'op_create')
    call MPI_Op_commutative(op, commutes, ierr)
    call check(.not. commutes, 'commutative')
    x = my_rank + 1
    call MPI_Allreduce(x, y, 1, MPI_INTEGER, op, MPI_COMM_WORLD, ierr)
    call good(ierr, 'allreduce with an operation of ours')
    if (size <= 2) then
      expected = 2 * 1 + 2
      if (size == 1) expected = 1
      call check(y == expected, 'in the order of ranks')
    end if
    call MPI_Op_free(op, ierr)
    call check(op == MPI_OP_NULL, 'op is null')
    call MPI_Type_contiguous(2, MPI_INTEGER, pair, ierr)
    call MPI_Type_commit(pair, ierr)
    call MPI_Op_create(of_pairs, .true., op, ierr)
    a = [my_rank, my_rank]
    call MPI_Allreduce(a, b, 1, pair, op, MPI_COMM_WORLD, ierr)
    call check(b(1) == size * (size - 1) / 2 .and. b(2) == size - 1, 'an operation on a derived type')
    call MPI_Op_free(op, ierr)
    call MPI_Type_free(pair, ierr)
  end subroutine

  subroutine later()
    REQUEST_T :: requests(4)
    integer, asynchronous :: x, sum, y(size), b
    integer :: k
    x = my_rank + 1
    b = my_rank
    call MPI_Iallreduce(x, sum, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, requests(1), ierr)
    call MPI_Ibcast(b, 1, MPI_INTEGER, size - 1, MPI_COMM_WORLD, requests(2), ierr)
    call MPI_Iallgather(x, 1, MPI_INTEGER, y, 1, MPI_INTEGER, MPI_COMM_WORLD, requests(3), ierr)
    call MPI_Ibarrier(MPI_COMM_WORLD, requests(4), ierr)
    call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE, ierr)
    call good(ierr, 'waitall of collectives')
    call check(sum == size * (size + 1) / 2 .and. b == size - 1 .and. all(y == [(i, i = 1, size)]), 'nonblocking')
    call MPI_Allreduce_init(x, sum, 1, MPI_INTEGER, MPI_PROD, MPI_COMM_WORLD, MPI_INFO_NULL, requests(1), ierr)
    do k = 1, 2
      x = k
      call MPI_Start(requests(1), ierr)
      call MPI_Wait(requests(1), MPI_STATUS_IGNORE, ierr)
      call check(sum == k ** size, 'persistent')
    end do
    call MPI_Request_free(requests(1), ierr)
  end subroutine

  ! More processes than MPIF_HERE are not at hand: long arrays of handles are tested by types.F90.
  subroutine typed()
    integer, asynchronous :: ones(size), x(size), y(size), at(size)
    TYPE_T :: types(size)
    REQUEST_T :: request
    ones = 1
    at = [(4 * i, i = 0, size - 1)]
    types = MPI_INTEGER
    x = [(100 * my_rank + i, i = 0, size - 1)]
    y = -1
    call MPI_Alltoallw(x, ones, at, types, y, ones, at, types, MPI_COMM_WORLD, ierr)
    call good(ierr, 'alltoallw')
    call check(all(y == [(100 * i + my_rank, i = 0, size - 1)]), 'alltoallw')
    y = x
    call MPI_Alltoallw(MPI_IN_PLACE, ones, at, types, y, ones, at, types, MPI_COMM_WORLD, ierr)
    call check(all(y == [(100 * i + my_rank, i = 0, size - 1)]), 'alltoallw in place')
    y = -1
    call MPI_Ialltoallw(x, ones, at, types, y, ones, at, types, MPI_COMM_WORLD, request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call check(all(y == [(100 * i + my_rank, i = 0, size - 1)]), 'ialltoallw')
    y = -1
    call MPI_Alltoallw_init(x, ones, at, types, y, ones, at, types, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierr)
    call MPI_Start(request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call check(all(y == [(100 * i + my_rank, i = 0, size - 1)]), 'alltoallw_init')
    call MPI_Request_free(request, ierr)
  end subroutine

  subroutine neighbours()
    COMM_T :: ring
    integer :: x(2), left, right
    integer(kind=MPI_ADDRESS_KIND) :: at(2)
    TYPE_T :: types(2)
    call MPI_Cart_create(MPI_COMM_WORLD, 1, [size], [.true.], .false., ring, ierr)
    call good(ierr, 'cart_create')
    call MPI_Cart_shift(ring, 0, 1, left, right, ierr)
    call MPI_Neighbor_allgather(my_rank, 1, MPI_INTEGER, x, 1, MPI_INTEGER, ring, ierr)
    call check(all(x == [left, right]), 'neighbor_allgather')
    at = [0, 4]
    types = MPI_INTEGER
    x = -1
    call MPI_Neighbor_alltoallw([my_rank, my_rank], [1, 1], at, types, x, [1, 1], at, types, ring, ierr)
    call good(ierr, 'neighbor_alltoallw')
    call check(all(x == [left, right]), 'neighbor_alltoallw')
    call MPI_Comm_free(ring, ierr)
    call check(ring == MPI_COMM_NULL, 'ring is null')
  end subroutine
end program
