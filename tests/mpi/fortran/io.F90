! SPDX-License-Identifier: BSD-3-Clause
!
! Files: open, views, explicit and individual and shared pointers, collective and
! nonblocking access, errors, a data representation with Fortran's conversions.
#include "forms.h"
program io
  use fcheck
  USES
  implicit none
  INCLUDES
  integer :: ierr, size, i
  character(len=1000) :: name
#include "start.h"
  if (my_rank == 0) i = getpid() ! tests run at the same time
  call MPI_Bcast(i, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  write (name, '(2a,i0,a,i0)') MPT_TEST_FOLDER, '/mpt-fortran-', i, '-', FORM
  call explicit()
  call views()
  call errors()
  call MPI_Finalize(ierr)
  call finish()

contains

  subroutine explicit()
    FILE_T :: fh
    REQUEST_T :: request
    STATUS_T(status)
    integer, asynchronous :: x(4), y(4)
    integer :: n, amode
    integer(kind=MPI_OFFSET_KIND) :: offset
    call MPI_File_open(MPI_COMM_WORLD, name, ior(MPI_MODE_CREATE, MPI_MODE_RDWR), MPI_INFO_NULL, fh, ierr)
    call good(ierr, 'open')
    call MPI_File_get_amode(fh, amode, ierr)
    call check(iand(amode, MPI_MODE_RDWR) /= 0, 'amode')
    x = [(10 * my_rank + i, i = 1, 4)]
    offset = 16 * my_rank
    call MPI_File_write_at_all(fh, offset, x, 4, MPI_INTEGER, status, ierr)
    call good(ierr, 'write_at_all')
    call MPI_Get_count(status, MPI_INTEGER, n, ierr)
    call check(n == 4, 'count of a write')
    call MPI_File_sync(fh, ierr)
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    call MPI_File_get_size(fh, offset, ierr)
    call check(offset == 16 * size, 'file size')
    offset = 16 * mod(my_rank + 1, size)
    call MPI_File_iread_at(fh, offset, y, 4, MPI_INTEGER, request, ierr)
    call MPI_Wait(request, status, ierr)
    call check(all(y == [(10 * mod(my_rank + 1, size) + i, i = 1, 4)]), 'iread_at')
    call MPI_File_seek(fh, int(4, MPI_OFFSET_KIND), MPI_SEEK_SET, ierr)
    call MPI_File_read(fh, y, 2, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
    call check(all(y(1:2) == [2, 3]), 'read at the pointer')
    call MPI_File_get_position(fh, offset, ierr)
    call check(offset == 12, 'the pointer moved')
    call MPI_File_seek_shared(fh, 0_MPI_OFFSET_KIND, MPI_SEEK_SET, ierr)
    call MPI_File_read_ordered(fh, y, 4, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
    call check(all(y == x), 'read_ordered')
    call MPI_File_close(fh, ierr)
    call good(ierr, 'close')
    call check(fh == MPI_FILE_NULL, 'fh is null')
  end subroutine

  subroutine views()
    FILE_T :: fh
    TYPE_T :: every, etype, filetype
    integer :: y(4), n
    integer(kind=MPI_OFFSET_KIND) :: disp
    character(len=30) :: datarep
    call MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDONLY, MPI_INFO_NULL, fh, ierr)
    call MPI_Type_create_resized(MPI_INTEGER, 0_MPI_ADDRESS_KIND, int(4 * size, MPI_ADDRESS_KIND), every, ierr)
    call MPI_Type_commit(every, ierr)
    call MPI_File_set_view(fh, int(4 * my_rank, MPI_OFFSET_KIND), MPI_INTEGER, every, 'native', MPI_INFO_NULL, ierr)
    call good(ierr, 'set_view')
    datarep = repeat('#', 30)
    call MPI_File_get_view(fh, disp, etype, filetype, datarep, ierr)
    call check(disp == 4 * my_rank .and. etype == MPI_INTEGER .and. datarep == 'native', 'get_view')
    call MPI_File_read_all(fh, y, 4, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
    do i = 1, 4
      n = (i - 1) * size + my_rank
      call check(y(i) == 10 * (n / 4) + mod(n, 4) + 1, 'read through a view')
    end do
    call MPI_Type_free(every, ierr)
    call MPI_File_close(fh, ierr)
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    if (my_rank == 0) call MPI_File_delete(name, MPI_INFO_NULL, ierr)
    call good(ierr, 'delete')
  end subroutine

  subroutine errors()
    FILE_T :: fh
    integer :: class
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    call MPI_File_open(MPI_COMM_WORLD, trim(name) // '-none', MPI_MODE_RDONLY, MPI_INFO_NULL, fh, ierr)
    call MPI_Error_class(ierr, class, i)
    call check(class == MPI_ERR_NO_SUCH_FILE, 'no such file')
  end subroutine
end program
