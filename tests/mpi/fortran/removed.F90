! SPDX-License-Identifier: BSD-3-Clause
!
! What MPI-3.0 removed, as programs of MPI-1's time use it: addresses and displacements are default integers.
#include "forms.h"
module old_handlers
  implicit none
  integer :: handled = 0, last_code = 0
contains
  subroutine on_error(comm, code)
    integer :: comm, code
    handled = handled + 1
    last_code = code
  end subroutine
end module

program removed
  USES
  use fcheck
  use old_handlers
  implicit none
  INCLUDES
  external :: MPI_Address, MPI_Type_struct, MPI_Type_hvector, MPI_Type_hindexed, MPI_Type_extent, MPI_Type_lb
  external :: MPI_Type_ub, MPI_Errhandler_create, MPI_Errhandler_set, MPI_Errhandler_get
  integer :: ierr, size, bytes, lb, ub, extent, type, row, all, base, right, left, class, handler, before, got
  integer :: blocks(3), at(3), types(3), status(MPI_STATUS_SIZE), a(4, 4), b(4, 4), i, j
  integer :: ids(2)
  double precision :: place(3)
  common /particle/ place, ids
  double precision :: kept(3)
  integer :: kept_ids(2)
#include "start.h"
  right = mod(my_rank + 1, size)
  left = mod(my_rank + size - 1, size)

  ! A structure by differences of addresses, from one common block into itself.
  call MPI_Address(place, base, ierr)
  call good(ierr, 'MPI_Address')
  call MPI_Address(ids, at(2), ierr)
  at(1) = 0
  at(2) = at(2) - base
  at(3) = 40
  call check(at(2) == 24, 'the difference of two addresses')
  blocks = [3, 2, 1]
  types = [MPI_DOUBLE_PRECISION, MPI_INTEGER, MPI_UB]
  call MPI_Type_struct(3, blocks, at, types, type, ierr)
  call good(ierr, 'MPI_Type_struct')
  call MPI_Type_commit(type, ierr)
  call MPI_Type_extent(type, extent, ierr)
  call MPI_Type_lb(type, lb, ierr)
  call MPI_Type_ub(type, ub, ierr)
  call MPI_Type_size(type, bytes, ierr)
  call check(extent == 40 .and. lb == 0 .and. ub == 40 .and. bytes == 32, 'bounds of the structure')
  place = [1d0, 2d0, 3d0] * (my_rank + 1)
  ids = [my_rank, -my_rank]
  call MPI_Sendrecv_replace(place, 1, type, right, 1, left, 1, MPI_COMM_WORLD, status, ierr)
  kept = place
  kept_ids = ids
  call check(all_equal(kept, [1d0, 2d0, 3d0] * (left + 1)) .and. kept_ids(1) == left .and. kept_ids(2) == -left, &
             'a structure from the left')
  call MPI_Type_free(type, ierr)

  ! A transposition.
  a = reshape([(i, i=1, 16)], [4, 4])
  b = 0
  call MPI_Type_extent(MPI_INTEGER, bytes, ierr)
  call MPI_Type_vector(4, 1, 4, MPI_INTEGER, row, ierr)
  call MPI_Type_hvector(4, 1, bytes, row, all, ierr)
  call good(ierr, 'MPI_Type_hvector')
  call MPI_Type_commit(all, ierr)
  call MPI_Sendrecv(a, 1, all, my_rank, 2, b, 16, MPI_INTEGER, my_rank, 2, MPI_COMM_WORLD, status, ierr)
  do j = 1, 4
    do i = 1, 4
      call check(b(i, j) == a(j, i), 'the transposed matrix')
    end do
  end do
  call MPI_Type_hindexed(2, [2, 1], [12, 0], MPI_INTEGER, type, ierr)
  call good(ierr, 'MPI_Type_hindexed')
  call MPI_Type_commit(type, ierr)
  b = 0
  call MPI_Sendrecv(a, 1, type, my_rank, 3, b, 3, MPI_INTEGER, my_rank, 3, MPI_COMM_WORLD, status, ierr)
  call check(b(1, 1) == 4 .and. b(2, 1) == 5 .and. b(3, 1) == 1, 'hindexed')

  call MPI_Type_free(row, ierr)
  call MPI_Type_free(all, ierr)
  call MPI_Type_free(type, ierr)

  ! Error handlers.
  call MPI_Errhandler_get(MPI_COMM_WORLD, before, ierr)
  call MPI_Errhandler_create(on_error, handler, ierr)
  call good(ierr, 'MPI_Errhandler_create')
  call MPI_Errhandler_set(MPI_COMM_WORLD, handler, ierr)
  call good(ierr, 'MPI_Errhandler_set')
  call MPI_Errhandler_get(MPI_COMM_WORLD, got, ierr)
  call check(got == handler, 'MPI_Errhandler_get')
  call MPI_Send(a, 1, MPI_INTEGER, size + 3, 0, MPI_COMM_WORLD, ierr)
  call MPI_Error_class(last_code, class, ierr)
  call check(handled == 1 .and. class == MPI_ERR_RANK, 'the handler was called')
  call MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  call MPI_Errhandler_set(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierr)
  call MPI_Type_struct(-1, blocks, at, types, type, ierr)
  call MPI_Error_class(ierr, class, i)
  call check(class == MPI_ERR_COUNT, 'a negative count')
  call MPI_Errhandler_set(MPI_COMM_WORLD, before, ierr)
  call MPI_Errhandler_free(handler, ierr)
  call MPI_Errhandler_free(got, ierr)
  call MPI_Errhandler_free(before, ierr)
  call MPI_Finalize(ierr)
  call finish()
contains
  logical function all_equal(x, y)
    double precision :: x(:), y(:)
    all_equal = maxval(abs(x - y)) == 0
  end function
end program
