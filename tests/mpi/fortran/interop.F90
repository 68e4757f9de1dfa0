! SPDX-License-Identifier: BSD-3-Clause
!
! Fortran and C in one program (19.3): handles, statuses, attributes and operations
! cross the border. And handlers of windows and files, which C calls.
#include "forms.h"
#if FORM == 8
#define NUMBER(h) h%MPI_VAL
#else
#define NUMBER(h) h
#endif
module callbacks
  implicit none
  integer :: of_window = 0, of_file = 0, of_session = 0
contains
#if FORM == 8
  subroutine sum_pairs(a, b, len, datatype)
    use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
    use mpi_f08
    type(c_ptr), value :: a, b
    integer :: len
    type(MPI_Datatype) :: datatype
    integer, pointer :: x(:), y(:)
    call c_f_pointer(a, x, [2 * len])
    call c_f_pointer(b, y, [2 * len])
#else
  subroutine sum_pairs(x, y, len, datatype)
    integer :: len, datatype, x(2 * len), y(2 * len)
#endif
    y = x + y
  end subroutine

  subroutine on_window(win, code)
    USES
    implicit none
    INCLUDES
    WIN_T :: win
    integer :: code
    if (win /= MPI_WIN_NULL) of_window = code
  end subroutine

  subroutine on_file(file, code)
    USES
    implicit none
    INCLUDES
    FILE_T :: file
    integer :: code
    of_file = code
  end subroutine

  subroutine on_session(session, code)
    USES
    implicit none
    INCLUDES
    SESSION_T :: session
    integer :: code
    if (session /= MPI_SESSION_NULL) of_session = code
  end subroutine
end module

program interop
  use fcheck
  USES
  implicit none
  INCLUDES
  integer :: ierr, size
  integer, external :: c_attribute_of_fortran, c_set_attribute, c_status, c_make_status, c_handles, c_null_status, c_lengths
#include "start.h"
  call handles()
  call statuses()
  call attributes()
  call handlers()
  call lengths()
  call MPI_Finalize(ierr)
  call finish()

contains

  subroutine handles()
    use callbacks
    COMM_T :: comm
    GROUP_T :: group, world
    TYPE_T :: pair
    OP_T :: op
    call MPI_Comm_split(MPI_COMM_WORLD, mod(my_rank, 2), 0, comm, ierr)
    call MPI_Comm_group(comm, group, ierr)
    call MPI_Type_contiguous(2, MPI_INTEGER, pair, ierr)
    call MPI_Type_commit(pair, ierr)
    call MPI_Op_create(sum_pairs, .true., op, ierr)
    call check(c_handles(NUMBER(comm), NUMBER(pair), NUMBER(op), NUMBER(group)) == 0, 'handles')
    call check(c_handles(NUMBER(MPI_COMM_WORLD), NUMBER(MPI_2INTEGER), NUMBER(op), number_of_world(world)) == 0, 'predefined handles')
    call MPI_Group_free(world, ierr)
    call MPI_Op_free(op, ierr)
    call MPI_Type_free(pair, ierr)
    call MPI_Group_free(group, ierr)
    call MPI_Comm_free(comm, ierr)
  end subroutine

  integer function number_of_world(group)
    GROUP_T :: group
    call MPI_Comm_group(MPI_COMM_WORLD, group, ierr)
    number_of_world = NUMBER(group)
  end function

  subroutine statuses()
    integer :: plain(MPI_STATUS_SIZE), n
    STATUS_T(status)
    call MPI_Sendrecv([1, 2, 3], 3, MPI_INTEGER, my_rank, 9, plain, 8, MPI_INTEGER, my_rank, 9, MPI_COMM_WORLD, status, ierr)
#if FORM == 8
    call MPI_Status_f082f(status, plain)
#else
    plain = status
#endif
    call check(c_status(plain, my_rank, 9, 3) == 0, 'a status')
    call check(c_make_status(plain) == 0, 'c2f')
#if FORM == 8
    call MPI_Status_f2f08(plain, status)
#else
    status = plain
#endif
    call MPI_Get_elements(status, MPI_REAL, n, ierr)
    call check(SOURCE_OF(status) == 11 .and. TAG_OF(status) == 12 .and. n == 13, 'a status of C')
    call check(c_null_status() == 0, 'no status')
  end subroutine

  subroutine attributes()
    COMM_T :: comm, copy
    integer :: key
    integer(kind=MPI_ADDRESS_KIND) :: value, address
    logical :: flag
    call MPI_Comm_dup(MPI_COMM_SELF, comm, ierr)
    call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, key, 0_MPI_ADDRESS_KIND, ierr)
    value = -12345678901_MPI_ADDRESS_KIND
    call MPI_Comm_set_attr(comm, key, value, ierr)
    call check(c_attribute_of_fortran(NUMBER(comm), key, value) == 0, 'set by Fortran')
    call check(c_set_attribute(NUMBER(comm), key, address) == 0, 'set by C')
    call MPI_Comm_get_attr(comm, key, value, flag, ierr)
    call check(flag .and. value == address, 'C has set it')
    call MPI_Comm_dup(comm, copy, ierr)
    call MPI_Comm_get_attr(copy, key, value, flag, ierr)
    call check(flag .and. value == address, 'C has set what was copied')
    call MPI_Comm_free(copy, ierr)
    call MPI_Comm_free(comm, ierr)
    call MPI_Comm_free_keyval(key, ierr)
  end subroutine

  subroutine handlers()
    use callbacks
    ERRHANDLER_T :: handler
    WIN_T :: win
    SESSION_T :: session
    FILE_T :: fh
    integer :: class
    call MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
    call MPI_Win_create_errhandler(on_window, handler, ierr)
    call MPI_Win_set_errhandler(win, handler, ierr)
    call MPI_Win_call_errhandler(win, MPI_ERR_RMA_SYNC, ierr)
    call check(of_window == MPI_ERR_RMA_SYNC, 'handler of a window')
    call MPI_Errhandler_free(handler, ierr)
    call MPI_Win_free(win, ierr)
    call MPI_File_create_errhandler(on_file, handler, ierr)
    call MPI_File_set_errhandler(MPI_FILE_NULL, handler, ierr)
    call MPI_File_open(MPI_COMM_SELF, '/nowhere/at all', MPI_MODE_RDONLY, MPI_INFO_NULL, fh, ierr)
    call MPI_Error_class(of_file, class, ierr)
    call check(class == MPI_ERR_NO_SUCH_FILE, 'handler of files')
    call MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN, ierr)
    call MPI_Errhandler_free(handler, ierr)
    call MPI_Session_create_errhandler(on_session, handler, ierr)
    call MPI_Session_init(MPI_INFO_NULL, handler, session, ierr)
    call MPI_Session_call_errhandler(session, MPI_ERR_ARG, ierr)
    call check(of_session == MPI_ERR_ARG, 'handler of a session')
    call MPI_Errhandler_free(handler, ierr)
    call MPI_Session_finalize(session, ierr)
  end subroutine

  ! The longest strings have no zero at their end here: the constants are one less than C's (19.3.9), and what is as long
  ! as they say comes back whole.
  subroutine lengths()
    character(len=MPI_MAX_OBJECT_NAME) :: name, name_back
    character(len=MPI_MAX_INFO_KEY) :: key, key_back
    character(len=MPI_MAX_INFO_VAL) :: val, val_back
    character(len=MPI_MAX_ERROR_STRING) :: text, text_back
    integer :: n, code, class
    logical :: flag
    INFO_T :: info
    call check(c_lengths([MPI_MAX_DATAREP_STRING, MPI_MAX_ERROR_STRING, MPI_MAX_INFO_KEY, MPI_MAX_INFO_VAL, &
                          MPI_MAX_LIBRARY_VERSION_STRING, MPI_MAX_OBJECT_NAME, MPI_MAX_PORT_NAME, MPI_MAX_PROCESSOR_NAME, &
                          MPI_MAX_PSET_NAME_LEN, MPI_MAX_STRINGTAG_LEN]) == 0, 'constants')
    name = repeat('n', len(name))
    call MPI_Comm_set_name(MPI_COMM_SELF, name, ierr)
    call good(ierr, 'the longest name')
    call MPI_Comm_get_name(MPI_COMM_SELF, name_back, n, ierr)
    call check(name_back == name .and. n == len(name), 'the longest name comes back')
    key = repeat('k', len(key))
    val = repeat('v', len(val))
    call MPI_Info_create(info, ierr)
    call MPI_Info_set(info, key, val, ierr)
    call good(ierr, 'the longest key and value')
    call MPI_Info_get_nthkey(info, 0, key_back, ierr)
    n = len(val_back)
    call MPI_Info_get_string(info, key, n, val_back, flag, ierr)
    call check(flag .and. key_back == key .and. val_back == val .and. n == len(val), 'the longest key and value come back')
    call MPI_Info_free(info, ierr)
    text = repeat('t', len(text))
    call MPI_Add_error_class(class, ierr)
    call MPI_Add_error_code(class, code, ierr)
    call MPI_Add_error_string(code, text, ierr)
    call good(ierr, 'the longest text')
    call MPI_Error_string(code, text_back, n, ierr)
    call check(text_back == text .and. n == len(text), 'the longest text comes back')
  end subroutine
end program
