! SPDX-License-Identifier: BSD-3-Clause
!
! Livermore kernels 1 to 12 in Fortran, as kernels_a.c has them in C. Compiled once for each set of compiler
! options, each copy under names of its own.
#define KERNEL(routine, suffix) \
  subroutine routine(m, flat, n) bind(c, name=LFK_TEXT//suffix); use lfk_types; implicit none; \
  type(lfk), intent(inout) :: m; real(dp), intent(inout) :: flat(*); integer(c_int), value :: n

! hydro fragment; reads past Z's end, into G
KERNEL(k01, "_k01")
  real(dp) :: q, r, t
  integer :: k

  q = m%q
  r = m%r
  t = m%t
  do k = 1, n
    flat(x0 + k) = q + flat(y0 + k)*(r*flat(z0 + k + 10) + t*flat(z0 + k + 11))
  end do
end subroutine

! incomplete Cholesky conjugate gradient: each sweep halves the vector and writes behind the one before
KERNEL(k02, "_k02")
  integer :: i, k, first, last, left

  left = n
  last = 0
  do
    first = last
    last = last + left
    left = left/2
    i = last + 1
    do k = first + 2, last, 2
      i = i + 1
      m%x(i) = m%x(k) - m%v(k)*m%x(k - 1) - m%v(k + 1)*m%x(k + 1)
    end do
    if (left <= 1) exit
  end do
end subroutine

! inner product
KERNEL(k03, "_k03")
  real(dp) :: q
  integer :: k

  q = 0
  do k = 1, n
    q = q + m%z(k)*m%x(k)
  end do
  m%q = q
end subroutine

! banded linear equations; X runs on into Y
KERNEL(k04, "_k04")
  real(dp) :: temp
  integer :: j, k, at

  do k = 7, 1001, (1001 - 7)/2
    at = x0 + k - 6
    temp = flat(x0 + k - 1)
    do j = 5, n, 5
      temp = temp - flat(at)*flat(y0 + j)
      at = at + 1
    end do
    flat(x0 + k - 1) = flat(y0 + 5)*temp
  end do
end subroutine

! tri-diagonal elimination, below the diagonal
KERNEL(k05, "_k05")
  integer :: i

  do i = 2, n
    m%x(i) = m%z(i)*(m%y(i) - m%x(i - 1))
  end do
end subroutine

! general linear recurrence
KERNEL(k06, "_k06")
  integer :: i, k

  do i = 2, n
    m%w(i) = 0.01_dp
    do k = 1, i - 1
      m%w(i) = m%w(i) + m%b(i, k)*m%w(i - k)
    end do
  end do
end subroutine

! equation of state fragment
KERNEL(k07, "_k07")
  real(dp) :: q, r, t
  integer :: k

  q = m%q
  r = m%r
  t = m%t
  do k = 1, n
    m%x(k) = m%u(k) + r*(m%z(k) + r*m%y(k)) &
             + t*(m%u(k + 3) + r*(m%u(k + 2) + r*m%u(k + 1)) + t*(m%u(k + 6) + q*(m%u(k + 5) + q*m%u(k + 4))))
  end do
end subroutine

! alternating direction implicit integration
KERNEL(k08, "_k08")
  real(dp) :: sig
  integer :: kx, ky

  sig = m%sig
  do kx = 2, 3
    do ky = 2, n
      m%du1(ky) = m%u1(kx, ky + 1, 1) - m%u1(kx, ky - 1, 1)
      m%du2(ky) = m%u2(kx, ky + 1, 1) - m%u2(kx, ky - 1, 1)
      m%du3(ky) = m%u3(kx, ky + 1, 1) - m%u3(kx, ky - 1, 1)
      m%u1(kx, ky, 2) = m%u1(kx, ky, 1) + m%a11*m%du1(ky) + m%a12*m%du2(ky) + m%a13*m%du3(ky) &
                        + sig*(m%u1(kx + 1, ky, 1) - 2*m%u1(kx, ky, 1) + m%u1(kx - 1, ky, 1))
      m%u2(kx, ky, 2) = m%u2(kx, ky, 1) + m%a21*m%du1(ky) + m%a22*m%du2(ky) + m%a23*m%du3(ky) &
                        + sig*(m%u2(kx + 1, ky, 1) - 2*m%u2(kx, ky, 1) + m%u2(kx - 1, ky, 1))
      m%u3(kx, ky, 2) = m%u3(kx, ky, 1) + m%a31*m%du1(ky) + m%a32*m%du2(ky) + m%a33*m%du3(ky) &
                        + sig*(m%u3(kx + 1, ky, 1) - 2*m%u3(kx, ky, 1) + m%u3(kx - 1, ky, 1))
    end do
  end do
end subroutine

! integrate predictors
KERNEL(k09, "_k09")
  integer :: k

  do k = 1, n
    m%px(1, k) = m%dm28*m%px(13, k) + m%dm27*m%px(12, k) + m%dm26*m%px(11, k) + m%dm25*m%px(10, k) &
                 + m%dm24*m%px(9, k) + m%dm23*m%px(8, k) + m%dm22*m%px(7, k) + m%c0*(m%px(5, k) + m%px(6, k)) + m%px(3, k)
  end do
end subroutine

! difference predictors: each difference takes the place of the value it was made from
KERNEL(k10, "_k10")
  real(dp) :: now, next
  integer :: i, k

  do k = 1, n
    now = m%cx(5, k)
    do i = 5, 13
      next = now - m%px(i, k)
      m%px(i, k) = now
      now = next
    end do
    m%px(14, k) = now
  end do
end subroutine

! first sum
KERNEL(k11, "_k11")
  integer :: k

  m%x(1) = m%y(1)
  do k = 2, n
    m%x(k) = m%x(k - 1) + m%y(k)
  end do
end subroutine

! first difference
KERNEL(k12, "_k12")
  integer :: k

  do k = 1, n
    m%x(k) = m%y(k + 1) - m%y(k)
  end do
end subroutine
