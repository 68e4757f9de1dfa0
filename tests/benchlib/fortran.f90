! SPDX-License-Identifier: BSD-3-Clause
!
! The seed's loops in Fortran: a block copy by registers, a gather with default and with 8-byte integers, an
! initialisation, and a vector function.
program benchlib_fortran
  implicit none
  integer, parameter :: n = 1000
  real(8) :: x(n), y(n), a(0:n - 1)
  integer :: i, ni, index(n)
  integer(8) :: wide(n)
  integer, external :: lputp
  external :: lgetv, lputv, lgath, lgath8, lsetv, mptm_vsqrt

  do i = 1, n
    x(i) = i
    a(i - 1) = 2 * i
    index(i) = mod(i * 7, n)
    wide(i) = index(i)
  end do
  do i = 1, n, 480
    ni = min(480, n - i + 1)
    call lgetv(x(i), 1, ni)
    call lputv(y(i), 1, ni)
  end do
  if (lputp() /= 0 .or. any(x /= y)) stop 1
  do i = 1, n, 480
    ni = min(480, n - i + 1)
    call lgath(a(0), index(i), ni)
    call lputv(y(i), 1, ni)
  end do
  if (any(y /= a(index))) stop 2
  y = 0
  do i = 1, n, 480
    ni = min(480, n - i + 1)
    call lgath8(a(0), wide(i), ni)
    call lputv(y(i), 1, ni)
  end do
  if (any(y /= a(index))) stop 3
  call lsetv(y, 1, n, 1.5d0)
  if (any(y /= 1.5d0)) stop 4
  call mptm_vsqrt(n, x, y)
  if (any(abs(y * y - x) > 1d-12 * x)) stop 5
end program
