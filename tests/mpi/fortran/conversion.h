! SPDX-License-Identifier: BSD-3-Clause
!
! The body of both conversions of datarep.F90: SIGN says which way.
#if FORM == 8
    use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
#endif
    USES
    implicit none
    INCLUDES
#if FORM == 8
    type(c_ptr), value :: userbuf, filebuf
    integer, pointer :: user(:), file(:)
#else
    integer :: userbuf(*), filebuf(*)
#endif
    TYPE_T :: datatype
    integer :: count, ierror
    integer(kind=MPI_OFFSET_KIND) :: position
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
#if FORM == 8
    call c_f_pointer(userbuf, user, [count + int(position)])
    call c_f_pointer(filebuf, file, [count])
    call add(user, file, count, int(position), SIGN, int(extra_state))
#else
    call add(userbuf, filebuf, count, int(position), SIGN, int(extra_state))
#endif
    ierror = merge(MPI_SUCCESS, MPI_ERR_CONVERSION, datatype == MPI_INTEGER)
