! SPDX-License-Identifier: BSD-3-Clause
! $ gfortran lgetv.f90 $(pkg-config --libs benchlib) -o framed && ./framed
program copy
  implicit none
  integer, parameter :: n = 1000
  integer :: i, ni
  integer, external :: lputp
  real(8) :: x(n), y(n)

  x = [(real(i, 8), i = 1, n)]
  y = 0
  ! LISTING
  if (any(x /= y)) error stop 'not the same'
end program
