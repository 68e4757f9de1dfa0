! SPDX-License-Identifier: BSD-3-Clause
!
! Fortran: arrays, strings, derived types, internal writes.
module kinds
  type :: body
    real(8) :: place(3)
    integer :: id
  end type
contains
  subroutine move(b, by)
    type(body), intent(inout) :: b
    real(8), intent(in) :: by
    b%place = b%place + by
  end subroutine
end module
program loops
  use kinds
  real(8) :: a(100, 100), b(100, 100)
  complex(8) :: c
  type(body) :: one
  character(20) :: text
  integer :: i, j
  do j = 1, 100
    do i = 1, 100
      a(i, j) = i + 100 * j
    end do
  end do
  b = transpose(a)
  a(2:50, :) = b(1:49, :)
  one%place = 1
  one%id = 7
  call move(one, 2d0)
  c = (1d0, 2d0) * (3d0, 4d0)
  write (text, '(i4, f6.2, l2)') one%id, one%place(3), real(c) < 0
  if (sum(b) /= 51005000d0 .or. a(2, 5) /= 105d0 .or. text /= '   7  3.00 T') error stop 1
  print '(a, i0)', 'loops right', 0
end program
