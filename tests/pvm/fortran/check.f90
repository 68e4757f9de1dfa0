! SPDX-License-Identifier: BSD-3-Clause
!
! What the Fortran tests share: checks that name what failed, counted, and the end
! of a test. External procedures, so that programs of both source forms use them.
subroutine check(ok, text)
  logical, intent(in) :: ok
  character(*), intent(in) :: text
  integer :: failed
  common /failures/ failed
  if (ok) return
  failed = failed + 1
  print '(2a)', 'FAIL: ', text
end subroutine

! An INFO that must have this value.
subroutine gives(info, expected, text)
  integer, intent(in) :: info, expected
  character(*), intent(in) :: text
  character(60) :: values
  write (values, '(a,i0,a,i0)') ' gave ', info, ', expected ', expected
  call check(info == expected, text // trim(values))
end subroutine

subroutine finish()
  integer :: failed, info
  common /failures/ failed
  call pvmfexit(info)
  call gives(info, 0, 'pvmfexit')
  if (failed > 0) stop 1
end subroutine

block data
  integer :: failed
  common /failures/ failed
  data failed /0/
end block data
