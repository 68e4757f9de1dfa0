! SPDX-License-Identifier: BSD-3-Clause
!
! Environment: versions, clocks, names, errors and their handlers, infos, attributes
! of MPI_COMM_WORLD, memory, sessions, generalised requests.
#include "forms.h"
module handlers
  implicit none
  integer :: handled = 0, last_code = 0, copies = 0, deletes = 0, queried = 0, freed = 0
contains
  subroutine on_error(comm, code)
    USES
    implicit none
    INCLUDES
    COMM_T :: comm
    integer :: code
    integer :: size, ierr
    handled = handled + 1
    last_code = code
    call MPI_Comm_size(comm, size, ierr)
    if (size < 1) handled = -100
  end subroutine

  subroutine query(extra_state, status, ierror)
    USES
    implicit none
    INCLUDES
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    STATUS_T(status)
    integer :: ierror
    queried = queried + int(extra_state)
    call MPI_Status_set_elements(status, MPI_INTEGER, 7, ierror)
    call MPI_Status_set_cancelled(status, .false., ierror)
    SOURCE_OF(status) = 3
    TAG_OF(status) = 4
  end subroutine

  subroutine free_it(extra_state, ierror)
    USES
    implicit none
    INCLUDES
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    integer :: ierror
    freed = freed + int(extra_state)
    ierror = MPI_SUCCESS
  end subroutine

  subroutine cancel(extra_state, complete, ierror)
    USES
    implicit none
    INCLUDES
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    logical :: complete
    integer :: ierror
    if (complete) freed = freed + 1000 * int(extra_state)
    ierror = MPI_SUCCESS
  end subroutine
end module

program env
  use fcheck
  USES
  implicit none
  INCLUDES
  integer :: ierr, size
  logical :: flag
  call MPI_Initialized(flag, ierr)
  call check(.not. flag, 'initialized too early')
  call MPI_Init(ierr)
  call good(ierr, 'init')
  call MPI_Comm_rank(MPI_COMM_WORLD, my_rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
  call MPI_Initialized(flag, ierr)
  call check(flag, 'initialized')
  call inquiries()
  call booleans()
  call errors()
  call infos()
  call sessions()
  call requests()
  call MPI_Finalize(ierr)
  call good(ierr, 'finalize')
  call MPI_Finalized(flag, ierr)
  call check(flag, 'finalized')
  call finish()

contains

  subroutine inquiries()
    integer :: major, minor, n, provided
    double precision :: before
    character(len=MPI_MAX_LIBRARY_VERSION_STRING) :: version
    character(len=MPI_MAX_PROCESSOR_NAME) :: name
    integer(kind=MPI_ADDRESS_KIND) :: value, a, b
    integer :: x(4)
    call MPI_Get_version(major, minor, ierr)
    call check(major == MPI_VERSION .and. minor == MPI_SUBVERSION, 'version')
    call MPI_Abi_get_version(major, minor, ierr)
    call check(major == 1, 'abi version')
    call MPI_Get_library_version(version, n, ierr)
    call check(n > 0 .and. len_trim(version) == n, 'library version')
    call MPI_Get_processor_name(name, n, ierr)
    call check(n > 0 .and. len_trim(name) == n, 'processor name')
    call MPI_Query_thread(provided, ierr)
    call check(provided >= MPI_THREAD_SINGLE .and. provided <= MPI_THREAD_MULTIPLE, 'thread level')
    before = MPI_Wtime()
    call check(MPI_Wtime() >= before .and. MPI_Wtick() > 0 .and. MPI_Wtick() < 1, 'clock')
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, flag, ierr)
    call check(flag .and. value >= 32767, 'tag_ub')
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, value, flag, ierr)
    if (flag) call check(value >= 1, 'universe size')
    call MPI_Get_address(x(1), a, ierr)
    call MPI_Get_address(x(3), b, ierr)
    call check(MPI_Aint_diff(b, a) == 8 .and. MPI_Aint_add(a, 8_MPI_ADDRESS_KIND) == b, 'addresses')
    call MPI_Get_address(MPI_BOTTOM, a, ierr)
    call check(a == 0, 'address of bottom')
  end subroutine

  subroutine booleans()
    logical :: yes, no, is_set
    yes = .false.
    no = .true.
    call MPI_Abi_get_fortran_booleans(4, yes, no, is_set, ierr)
    call good(ierr, 'get_fortran_booleans')
    call check(is_set .and. yes .and. .not. no, 'booleans as told')
  end subroutine

  subroutine errors()
    use handlers
    ERRHANDLER_T :: handler, old
    integer :: class, code, n, token
    character(len=MPI_MAX_ERROR_STRING) :: text
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
    call MPI_Send(token, 1, MPI_INTEGER, size + 5, 0, MPI_COMM_WORLD, ierr)
    call MPI_Error_class(ierr, class, code)
    call check(class == MPI_ERR_RANK, 'class of a bad rank')
    call MPI_Error_string(class, text, n, ierr)
    call check(n > 0 .and. len_trim(text) == n, 'error string')
    call MPI_Comm_create_errhandler(on_error, handler, ierr)
    call good(ierr, 'create_errhandler')
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler, ierr)
    call MPI_Send(token, 1, MPI_INTEGER, 0, -77, MPI_COMM_WORLD, ierr)
    call MPI_Error_class(last_code, class, ierr)
    call check(handled == 1 .and. class == MPI_ERR_TAG, 'handler was called')
    call MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_OTHER, ierr)
    call check(handled == 2 .and. last_code == MPI_ERR_OTHER, 'call_errhandler')
    call MPI_Comm_get_errhandler(MPI_COMM_WORLD, old, ierr)
    call check(old == handler, 'the same handler')
    call MPI_Errhandler_free(old, ierr)
    call MPI_Errhandler_free(handler, ierr)
    call check(handler == MPI_ERRHANDLER_NULL, 'null after free')
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
    call MPI_Add_error_class(class, ierr)
    call MPI_Add_error_code(class, code, ierr)
    call MPI_Add_error_string(code, 'ours', ierr)
    call MPI_Error_string(code, text, n, ierr)
    call check(n == 4 .and. text == 'ours', 'our error string')
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL, ierr)
  end subroutine

  subroutine infos()
    INFO_T :: info, copy
    character(len=20) :: value, key
    character(len=3) :: short
    integer :: n
    call MPI_Info_create(info, ierr)
    call MPI_Info_set(info, '  colour ', ' light blue  ', ierr)
    call good(ierr, 'info_set')
    call MPI_Info_set(info, 'size', '12', ierr)
    call MPI_Info_get_nkeys(info, n, ierr)
    call check(n == 2, 'nkeys')
    call MPI_Info_get_nthkey(info, 0, key, ierr)
    call check(key == 'colour', 'nthkey')
    value = repeat('#', 20)
    call MPI_Info_get(info, 'colour', 20, value, flag, ierr)
    call check(flag .and. value == 'light blue', 'info_get')
    call MPI_Info_get_valuelen(info, 'colour', n, flag, ierr)
    call check(flag .and. n == 10, 'valuelen')
    n = 3
    call MPI_Info_get_string(info, 'colour', n, short, flag, ierr)
    call check(flag .and. n == 10 .and. short == 'lig', 'get_string cuts')
    n = 20
    call MPI_Info_get_string(info, 'colour ', n, value, flag, ierr)
    call check(flag .and. n == 10 .and. value == 'light blue', 'get_string')
    n = 0
    value = 'untouched'
    call MPI_Info_get_string(info, 'size', n, value, flag, ierr)
    call check(flag .and. n == 2 .and. value == 'untouched', 'length only')
    call MPI_Info_dup(info, copy, ierr)
    call MPI_Info_delete(copy, 'size', ierr)
    call MPI_Info_get(copy, 'size', 20, value, flag, ierr)
    call check(.not. flag, 'deleted')
    call MPI_Info_free(info, ierr)
    call MPI_Info_free(copy, ierr)
    call check(info == MPI_INFO_NULL, 'null info')
    call MPI_Info_create_env(info, ierr)
    call good(ierr, 'create_env')
    call MPI_Info_free(info, ierr)
  end subroutine

  subroutine sessions()
    SESSION_T :: session
    GROUP_T :: group
    COMM_T :: comm
    integer :: n, length, total
    character(len=40) :: name
    logical :: world
    integer :: i
    call MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, session, ierr)
    call good(ierr, 'session_init')
    call MPI_Session_get_num_psets(session, MPI_INFO_NULL, n, ierr)
    world = .false.
    do i = 0, n - 1
      length = len(name)
      call MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, length, name, ierr)
      call check(len_trim(name) == length, 'length of pset name')
      if (name == 'mpi://WORLD') world = .true.
    end do
    call check(world, 'mpi://WORLD')
    call MPI_Group_from_session_pset(session, 'mpi://WORLD  ', group, ierr)
    call good(ierr, 'group_from_session_pset')
    call MPI_Comm_create_from_group(group, 'fortran test', MPI_INFO_NULL, MPI_ERRORS_RETURN, comm, ierr)
    call good(ierr, 'comm_create_from_group')
    call MPI_Allreduce(1, total, 1, MPI_INTEGER, MPI_SUM, comm, ierr)
    call check(total == size, 'allreduce in a session')
    call MPI_Comm_free(comm, ierr)
    call MPI_Group_free(group, ierr)
    call MPI_Session_finalize(session, ierr)
    call good(ierr, 'session_finalize')
  end subroutine

  subroutine requests()
    use handlers
    REQUEST_T :: request
    STATUS_T(status)
    integer :: n
    call MPI_Grequest_start(query, free_it, cancel, 5_MPI_ADDRESS_KIND, request, ierr)
    call good(ierr, 'grequest_start')
    call MPI_Test(request, flag, status, ierr)
    call check(.not. flag, 'not complete yet')
    call MPI_Cancel(request, ierr)
    call MPI_Grequest_complete(request, ierr)
    call MPI_Wait(request, status, ierr)
    call good(ierr, 'wait')
    call MPI_Get_elements(status, MPI_INTEGER, n, ierr)
    call check(n == 7 .and. SOURCE_OF(status) == 3 .and. TAG_OF(status) == 4, 'what query said')
    call check(queried == 5 .and. freed == 5, 'callbacks')
    call check(request == MPI_REQUEST_NULL, 'null request')
  end subroutine
end program
