! SPDX-License-Identifier: BSD-3-Clause
!
! What mpi_f08 alone has: optional ierror, names of arguments, large counts by
! generic names, operations with large counts, comparison and statuses.
program f08
  use fcheck
  use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
  use mpi_f08
  implicit none
  integer :: size, i
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, my_rank)
  call MPI_Comm_size(comm=MPI_COMM_WORLD, size=size)
  call large()
  call large_types()
  call handles()
  call statuses()
  call sections()
  call profiled()
  call MPI_Finalize()
  call finish()

contains

  subroutine large()
    integer(kind=MPI_COUNT_KIND) :: n
    integer(kind=MPI_COUNT_KIND) :: counts(size)
    integer(kind=MPI_ADDRESS_KIND) :: at(size)
    integer :: x(3), y(3), all_(size), k
    type(MPI_Status) :: status
    type(MPI_Op) :: op
    type(MPI_Request) :: request
    x = my_rank
    n = 3
    call MPI_Sendrecv(x, n, MPI_INTEGER, mod(my_rank + 1, size), 1, y, n, MPI_INTEGER, mod(my_rank + size - 1, size), 1, &
                      MPI_COMM_WORLD, status)
    call check(all(y == mod(my_rank + size - 1, size)), 'large sendrecv')
    call MPI_Get_count(status, MPI_INTEGER, n)
    call check(n == 3, 'large count of a status')
    call MPI_Get_count(status, MPI_INTEGER, k)
    call check(k == 3, 'small count of a status')
    call MPI_Allreduce(x, y, n, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    call check(all(y == size * (size - 1) / 2), 'large allreduce')
    call MPI_Iallreduce(x, y, n, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call check(all(y == size - 1), 'large iallreduce')
    counts = 1
    at = [(size - 1 - i, i = 0, size - 1)]
    call MPI_Allgatherv(my_rank, 1_MPI_COUNT_KIND, MPI_INTEGER, all_, counts, at, MPI_INTEGER, MPI_COMM_WORLD)
    call check(all(all_ == [(size - 1 - i, i = 0, size - 1)]), 'large allgatherv')
    call MPI_Op_create_c(add_large, .true., op)
    call MPI_Allreduce(x, y, 3_MPI_COUNT_KIND, MPI_INTEGER, op, MPI_COMM_WORLD)
    call check(all(y == size * (size - 1) / 2), 'an operation with large counts')
    call MPI_Op_free(op)
  end subroutine

  subroutine add_large(invec, inoutvec, len, datatype)
    type(c_ptr), value :: invec, inoutvec
    integer(kind=MPI_COUNT_KIND) :: len
    type(MPI_Datatype) :: datatype
    integer, pointer :: a(:), b(:)
    call c_f_pointer(invec, a, [len])
    call c_f_pointer(inoutvec, b, [len])
    if (datatype == MPI_INTEGER) b = a + b
  end subroutine

  subroutine large_types()
    type(MPI_Datatype) :: huge_type, parts(1)
    integer(kind=MPI_COUNT_KIND) :: n, lb, extent, ni, na, nc, nd, counts(3)
    integer :: small, combiner, integers(3)
    integer(kind=MPI_ADDRESS_KIND) :: addresses(3)
    n = 5000000000_MPI_COUNT_KIND
    call MPI_Type_contiguous(n, MPI_INTEGER, huge_type)
    call MPI_Type_size(huge_type, n)
    call check(n == 20000000000_MPI_COUNT_KIND, 'large size')
    call MPI_Type_size(huge_type, small)
    call check(small == MPI_UNDEFINED, 'does not fit')
    call MPI_Type_get_extent(huge_type, lb, extent)
    call check(extent == n, 'large extent')
    call MPI_Type_get_envelope(huge_type, ni, na, nc, nd, combiner)
    call check(ni == 0 .and. na == 0 .and. nc == 1 .and. nd == 1 .and. combiner == MPI_COMBINER_CONTIGUOUS, 'large envelope')
    call MPI_Type_get_contents(huge_type, ni, na, nc, nd, integers, addresses, counts, parts)
    call check(counts(1) == 5000000000_MPI_COUNT_KIND .and. parts(1) == MPI_INTEGER, 'large contents')
    call MPI_Type_free(huge_type)
  end subroutine

  subroutine handles()
    type(MPI_Comm) :: a, b
    type(MPI_Datatype) :: types(3)
    integer :: ierror
    call check(MPI_COMM_WORLD == MPI_COMM_WORLD .and. MPI_COMM_WORLD /= MPI_COMM_SELF, 'comparison')
    types = MPI_REAL
    call check(all(types == MPI_REAL), 'comparison of arrays')
    call MPI_Comm_dup(MPI_COMM_SELF, a)
    b%MPI_VAL = a%MPI_VAL
    call check(a == b, 'by value')
    call MPI_Comm_free(comm=b, ierror=ierror)
    call good(ierror, 'free by keyword')
    call check(b == MPI_COMM_NULL, 'null')
  end subroutine

  subroutine statuses()
    type(MPI_Status) :: status, back
    integer :: plain(MPI_STATUS_SIZE), n
    call MPI_Status_set_source(status, 5)
    call MPI_Status_set_tag(status, 6)
    call MPI_Status_set_elements(status, MPI_REAL, 7)
    call MPI_Status_f082f(status, plain)
    call check(plain(MPI_SOURCE) == 5 .and. plain(MPI_TAG) == 6, 'f082f')
    call MPI_Status_f2f08(plain, back)
    call MPI_Get_elements(back, MPI_REAL, n)
    call check(back%MPI_SOURCE == 5 .and. back%MPI_TAG == 6 .and. n == 7, 'f2f08')
  end subroutine

  subroutine sections()
    integer :: a(4, 4), b(4)
    a = 0
    a(2, :) = [(my_rank + i, i = 1, 4)]
    call MPI_Sendrecv(a(2, :), 4, MPI_INTEGER, 0, 0, b, 4, MPI_INTEGER, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE)
    call check(all(b == a(2, :)), 'from a section')
    call MPI_Sendrecv(b, 4, MPI_INTEGER, 0, 0, a(3, :), 4, MPI_INTEGER, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE)
    call check(all(b == a(3, :)), 'into a section')
  end subroutine

  subroutine profiled()
    integer :: n, ierror
    call PMPI_Comm_size(MPI_COMM_WORLD, n, ierror)
    call check(n == size .and. ierror == MPI_SUCCESS, 'the other name')
    call check(PMPI_Wtime() > 0, 'the other clock')
  end subroutine
end program
