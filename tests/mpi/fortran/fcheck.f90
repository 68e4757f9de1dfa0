! SPDX-License-Identifier: BSD-3-Clause
!
! Checks for the Fortran tests: failures are counted and named; finish stops the
! program with status 1 when there were any.
module fcheck
  implicit none
  integer :: failures = 0, my_rank = -1
contains
  subroutine check(ok, what)
    logical, intent(in) :: ok
    character(len=*), intent(in) :: what
    if (ok) return
    failures = failures + 1
    write (0, '(a,i0,2a)') 'FAIL rank ', my_rank, ': ', what
  end subroutine

  subroutine good(ierror, what)
    integer, intent(in) :: ierror
    character(len=*), intent(in) :: what
    if (ierror == 0) return
    failures = failures + 1
    write (0, '(a,i0,3a,i0)') 'FAIL rank ', my_rank, ': ', what, ' returned ', ierror
  end subroutine

  subroutine finish()
    if (failures > 0) stop 1
  end subroutine
end module
