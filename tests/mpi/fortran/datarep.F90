! SPDX-License-Identifier: BSD-3-Clause
!
! A data representation whose conversions are Fortran procedures: integers lie in the
! file with a number (the extra state) added.
#include "forms.h"
module conversions
  implicit none
contains
  subroutine add(user, file, count, position, sign, extra)
    integer, intent(in) :: count, position, sign, extra
    integer :: user(*), file(*)
    integer :: i
    do i = 1, count
      if (sign > 0) file(i) = user(position + i) + extra
      if (sign < 0) user(position + i) = file(i) - extra
    end do
  end subroutine

  subroutine to_file(userbuf, datatype, count, filebuf, position, extra_state, ierror)
#define SIGN 1
#include "conversion.h"
#undef SIGN
  end subroutine

  subroutine from_file(userbuf, datatype, count, filebuf, position, extra_state, ierror)
#define SIGN -1
#include "conversion.h"
  end subroutine

  subroutine extent(datatype, file_extent, extra_state, ierror)
    USES
    implicit none
    INCLUDES
    TYPE_T :: datatype
    integer(kind=MPI_ADDRESS_KIND) :: file_extent, extra_state, lb
    integer :: ierror
    call MPI_Type_get_extent(datatype, lb, file_extent, ierror)
  end subroutine
end module

program datarep
  use fcheck
  use conversions
  USES
  implicit none
  INCLUDES
  FILE_T :: fh
  integer :: ierr, i, x(6), class
  character(len=1000) :: name
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, my_rank, ierr)
  i = getpid() ! tests run at the same time
  write (name, '(2a,i0,a,i0,a,i0)') MPT_TEST_FOLDER, '/mpt-datarep-', i, '-', my_rank, '-', FORM
  call MPI_Register_datarep('shifted  ', from_file, to_file, extent, 1000_MPI_ADDRESS_KIND, ierr)
  call good(ierr, 'register_datarep')
  call MPI_Register_datarep('shifted', MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL, extent, 0_MPI_ADDRESS_KIND, ierr)
  call MPI_Error_class(ierr, class, i)
  call check(class == MPI_ERR_DUP_DATAREP, 'registered twice')
  call MPI_File_open(MPI_COMM_SELF, name, ior(MPI_MODE_CREATE, MPI_MODE_RDWR), MPI_INFO_NULL, fh, ierr)
  call good(ierr, 'open')
  call MPI_File_set_view(fh, 0_MPI_OFFSET_KIND, MPI_INTEGER, MPI_INTEGER, 'shifted', MPI_INFO_NULL, ierr)
  call good(ierr, 'set_view')
  call MPI_File_write(fh, [(i, i = 1, 6)], 6, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
  call good(ierr, 'write')
  x = 0
  call MPI_File_read_at(fh, 2_MPI_OFFSET_KIND, x, 4, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
  call check(all(x(1:4) == [3, 4, 5, 6]), 'read by the same representation')
  call MPI_File_set_view(fh, 0_MPI_OFFSET_KIND, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL, ierr)
  call MPI_File_read(fh, x, 6, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
  call check(all(x == [(1000 + i, i = 1, 6)]), 'as it is in the file')
  call MPI_File_close(fh, ierr)
  call MPI_File_delete(name, MPI_INFO_NULL, ierr)
  call MPI_Finalize(ierr)
  call finish()
end program
