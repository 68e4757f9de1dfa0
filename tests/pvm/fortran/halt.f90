! SPDX-License-Identifier: BSD-3-Clause
!
! pvmfhalt ends the machine, and this task with it.
program halt
  integer :: info
  call pvmfmytid(info)
  call pvmfhalt(info)
  print '(a,i0)', 'FAIL: pvmfhalt returned ', info
  stop 1
end program
