! SPDX-License-Identifier: BSD-3-Clause
!
! Datatypes: constructors, what they tell of themselves, packing, names, attributes,
! sizes of Fortran's own types, arrays of many handles.
#include "forms.h"
program types
  use fcheck
  USES
  implicit none
  INCLUDES
  integer :: ierr, i
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, my_rank, ierr)
  call sizes()
  call made()
  call contents()
  call many()
  call packed()
  call parametrised()
#if FORM != 77
  call sizeof()
#endif
  call MPI_Finalize(ierr)
  call finish()

contains

  subroutine size_is(type, bytes, what)
    TYPE_T, intent(in) :: type
    integer, intent(in) :: bytes
    character(len=*), intent(in) :: what
    integer :: n
    call MPI_Type_size(type, n, ierr)
    call check(n == bytes, 'size of ' // what)
  end subroutine

  subroutine sizes()
    call size_is(MPI_INTEGER, storage_size(0) / 8, 'INTEGER')
    call size_is(MPI_REAL, storage_size(0.0) / 8, 'REAL')
    call size_is(MPI_DOUBLE_PRECISION, storage_size(0d0) / 8, 'DOUBLE PRECISION')
    call size_is(MPI_COMPLEX, storage_size((0.0, 0.0)) / 8, 'COMPLEX')
    call size_is(MPI_DOUBLE_COMPLEX, storage_size((0d0, 0d0)) / 8, 'DOUBLE COMPLEX')
    call size_is(MPI_LOGICAL, storage_size(.true.) / 8, 'LOGICAL')
    call size_is(MPI_CHARACTER, 1, 'CHARACTER')
    call size_is(MPI_INTEGER8, 8, 'INTEGER*8')
    call size_is(MPI_REAL8, 8, 'REAL*8')
    call size_is(MPI_COMPLEX16, 16, 'COMPLEX*16')
    call size_is(MPI_2DOUBLE_PRECISION, 16, 'two of DOUBLE PRECISION')
    call size_is(MPI_AINT, storage_size(0_MPI_ADDRESS_KIND) / 8, 'addresses')
    call size_is(MPI_OFFSET, storage_size(0_MPI_OFFSET_KIND) / 8, 'offsets')
    call size_is(MPI_COUNT, storage_size(0_MPI_COUNT_KIND) / 8, 'counts')
  end subroutine

  subroutine made()
    TYPE_T :: column, row, block, copy
    integer :: a(4, 6), b(24), n
    integer(kind=MPI_ADDRESS_KIND) :: lb, extent
    character(len=MPI_MAX_OBJECT_NAME) :: name
    a = reshape([(i, i = 1, 24)], [4, 6])
    call MPI_Type_vector(6, 1, 4, MPI_INTEGER, row, ierr)
    call MPI_Type_commit(row, ierr)
    b = 0
    call MPI_Sendrecv(a(2, 1), 1, row, 0, 0, b, 6, MPI_INTEGER, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE, ierr)
    call check(all(b(1:6) == a(2, :)), 'a row')
    call MPI_Type_create_subarray(2, [4, 6], [2, 3], [1, 2], MPI_ORDER_FORTRAN, MPI_INTEGER, block, ierr)
    call MPI_Type_commit(block, ierr)
    call MPI_Sendrecv(a, 1, block, 0, 0, b, 6, MPI_INTEGER, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE, ierr)
    call check(all(b(1:6) == reshape(a(2:3, 3:5), [6])), 'a block')
    call MPI_Type_contiguous(4, MPI_INTEGER, column, ierr)
    call MPI_Type_get_extent(column, lb, extent, ierr)
    call check(lb == 0 .and. extent == 16, 'extent')
    call MPI_Type_create_resized(column, -4_MPI_ADDRESS_KIND, 64_MPI_ADDRESS_KIND, copy, ierr)
    call MPI_Type_get_extent(copy, lb, extent, ierr)
    call check(lb == -4 .and. extent == 64, 'resized')
    call MPI_Type_get_true_extent(copy, lb, extent, ierr)
    call check(lb == 0 .and. extent == 16, 'true extent')
    call MPI_Type_set_name(column, 'a column', ierr)
    call MPI_Type_get_name(column, name, n, ierr)
    call check(n == 8 .and. name == 'a column', 'name')
    call MPI_Type_get_name(MPI_DOUBLE_PRECISION, name, n, ierr)
    call check(name == 'MPI_DOUBLE_PRECISION', 'name of a predefined type')
    call MPI_Type_free(column, ierr)
    call MPI_Type_free(row, ierr)
    call MPI_Type_free(block, ierr)
    call MPI_Type_free(copy, ierr)
    call check(copy == MPI_DATATYPE_NULL, 'type is null')
  end subroutine

  subroutine contents()
    TYPE_T :: made_of, parts(3), inner
    integer :: ni, na, nd, combiner, integers(10)
    integer(kind=MPI_ADDRESS_KIND) :: addresses(10)
    call MPI_Type_contiguous(2, MPI_REAL, inner, ierr)
    call MPI_Type_create_struct(3, [1, 2, 3], [0_MPI_ADDRESS_KIND, 8_MPI_ADDRESS_KIND, 32_MPI_ADDRESS_KIND], &
                                [MPI_DOUBLE_PRECISION, inner, MPI_CHARACTER], made_of, ierr)
    call good(ierr, 'create_struct')
    call size_is(made_of, 8 + 16 + 3, 'a structure')
    call MPI_Type_get_envelope(made_of, ni, na, nd, combiner, ierr)
    call check(ni == 4 .and. na == 3 .and. nd == 3 .and. combiner == MPI_COMBINER_STRUCT, 'envelope')
    call MPI_Type_get_contents(made_of, ni, na, nd, integers, addresses, parts, ierr)
    call good(ierr, 'contents')
    call check(all(integers(1:4) == [3, 1, 2, 3]) .and. addresses(3) == 32, 'numbers of contents')
    call check(parts(1) == MPI_DOUBLE_PRECISION .and. parts(3) == MPI_CHARACTER, 'predefined types of contents')
    call size_is(parts(2), 8, 'the type within')
    call MPI_Type_free(parts(2), ierr)
    call MPI_Type_free(inner, ierr)
    call MPI_Type_free(made_of, ierr)
  end subroutine

  subroutine many()
    integer, parameter :: n = 300
    TYPE_T :: all_(n), made_of
    REQUEST_T :: requests(2 * n)
    integer, asynchronous :: x(n), y(n)
    all_ = MPI_INTEGER
    call MPI_Type_create_struct(n, [(1, i = 1, n)], [(4_MPI_ADDRESS_KIND * i, i = 0, n - 1)], all_, made_of, ierr)
    call size_is(made_of, 4 * n, 'a structure of many')
    call MPI_Type_free(made_of, ierr)
    x = [(i, i = 1, n)]
    do i = 1, n
      call MPI_Irecv(y(i), 1, MPI_INTEGER, 0, i, MPI_COMM_SELF, requests(i), ierr)
      call MPI_Isend(x(i), 1, MPI_INTEGER, 0, i, MPI_COMM_SELF, requests(n + i), ierr)
    end do
    call MPI_Waitall(2 * n, requests, MPI_STATUSES_IGNORE, ierr)
    call check(all(x == y), 'many requests')
    do i = 1, 2 * n
      call check(requests(i) == MPI_REQUEST_NULL, 'many null requests')
    end do
  end subroutine

  subroutine packed()
    character(len=200) :: space
    integer :: at, x, n
    real :: y(3)
    integer(kind=MPI_ADDRESS_KIND) :: wide_at, wide_n
    at = 0
    call MPI_Pack(17, 1, MPI_INTEGER, space, len(space), at, MPI_COMM_SELF, ierr)
    call MPI_Pack([1.0, 2.0, 3.0], 3, MPI_REAL, space, len(space), at, MPI_COMM_SELF, ierr)
    call MPI_Pack_size(3, MPI_REAL, MPI_COMM_SELF, n, ierr)
    call check(at == 16 .and. n >= 12, 'pack')
    at = 0
    call MPI_Unpack(space, 16, at, x, 1, MPI_INTEGER, MPI_COMM_SELF, ierr)
    call MPI_Unpack(space, 16, at, y, 3, MPI_REAL, MPI_COMM_SELF, ierr)
    call check(x == 17 .and. all(y == [1.0, 2.0, 3.0]), 'unpack')
    wide_at = 0
    call MPI_Pack_external_size('external32', 1, MPI_INTEGER, wide_n, ierr)
    call check(wide_n == 4, 'pack_external_size')
    call MPI_Pack_external('external32', 258, 1, MPI_INTEGER, space, int(len(space), MPI_ADDRESS_KIND), wide_at, ierr)
    call good(ierr, 'pack_external')
    call check(wide_at == 4 .and. iachar(space(3:3)) == 1 .and. iachar(space(4:4)) == 2, 'big endian')
    wide_at = 0
    call MPI_Unpack_external('external32', space, 4_MPI_ADDRESS_KIND, wide_at, x, 1, MPI_INTEGER, ierr)
    call check(x == 258, 'unpack_external')
  end subroutine

  subroutine parametrised()
    TYPE_T :: type
    call MPI_Type_create_f90_real(15, 307, type, ierr)
    call size_is(type, 8, 'a real of 15 digits')
    call MPI_Type_create_f90_integer(9, type, ierr)
    call size_is(type, 4, 'an integer of 9 digits')
    call MPI_Type_create_f90_complex(6, 30, type, ierr)
    call size_is(type, 8, 'a complex of 6 digits')
    call MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, type, ierr)
    call check(type == MPI_REAL8, 'match_size')
  end subroutine

#if FORM != 77
  subroutine sizeof()
    integer :: n
    real :: matrix(2, 3)
    complex(kind=8) :: z
    call MPI_Sizeof(matrix, n, ierr)
    call check(n == 4 .and. ierr == MPI_SUCCESS, 'sizeof real')
    call MPI_Sizeof(z, n, ierr)
    call check(n == 16, 'sizeof complex')
    call MPI_Sizeof(1_8, n, ierr)
    call check(n == 8, 'sizeof integer')
    call MPI_Sizeof('a', n, ierr)
    call check(n == 1, 'sizeof character')
    call MPI_Sizeof(.true., n, ierr)
    call check(n == 4, 'sizeof logical')
  end subroutine
#endif
end program
