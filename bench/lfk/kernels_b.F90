! SPDX-License-Identifier: BSD-3-Clause
!
! Livermore kernels 13 to 24 in Fortran, as kernels_b.c has them in C: the same decisions in the same order.
#define KERNEL(routine, suffix) \
  subroutine routine(m, flat, n) bind(c, name=LFK_TEXT//suffix); use lfk_types; implicit none; \
  type(lfk), intent(inout) :: m; real(dp), intent(inout) :: flat(*); integer(c_int), value :: n

! particles in a two-dimensional cell
KERNEL(k13, "_k13")
  integer :: i1, j1, i2, j2, k

  do k = 1, n
    i1 = 1 + iand(int(m%p(1, k)), 63)
    j1 = 1 + iand(int(m%p(2, k)), 63)
    m%p(3, k) = m%p(3, k) + m%b(i1, j1)
    m%p(4, k) = m%p(4, k) + m%c(i1, j1)
    m%p(1, k) = m%p(1, k) + m%p(3, k)
    m%p(2, k) = m%p(2, k) + m%p(4, k)
    i2 = iand(int(m%p(1, k)), 63)
    j2 = iand(int(m%p(2, k)), 63)
    m%p(1, k) = m%p(1, k) + m%y(i2 + 32)
    m%p(2, k) = m%p(2, k) + m%z(j2 + 32)
    i2 = i2 + m%e(i2 + 32)
    j2 = j2 + m%f(j2 + 32)
    m%h(i2, j2) = m%h(i2, j2) + 1
  end do
end subroutine

! particles in a one-dimensional cell
KERNEL(k14, "_k14")
  real(dp) :: flx
  integer :: k

  flx = m%flx
  do k = 1, n
    m%vx(k) = 0
    m%xx(k) = 0
    m%ix(k) = int(m%grd(k))
    m%xi(k) = m%ix(k)
    m%ex1(k) = m%ex(m%ix(k))
    m%dex1(k) = m%dex(m%ix(k))
  end do
  do k = 1, n
    m%vx(k) = m%vx(k) + m%ex1(k) + (m%xx(k) - m%xi(k))*m%dex1(k)
    m%xx(k) = m%xx(k) + m%vx(k) + flx
    m%ir(k) = int(m%xx(k))
    m%rx(k) = m%xx(k) - m%ir(k)
    m%ir(k) = iand(m%ir(k), 2047) + 1
    m%xx(k) = m%rx(k) + m%ir(k)
  end do
  do k = 1, n
    m%rh(m%ir(k)) = m%rh(m%ir(k)) + 1 - m%rx(k)
    m%rh(m%ir(k) + 1) = m%rh(m%ir(k) + 1) + m%rx(k)
  end do
end subroutine

! casual Fortran: decisions at every point of a grid
KERNEL(k15, "_k15")
  real(dp), parameter :: ar = 0.053_dp, br = 0.073_dp
  real(dp) :: r, s, t
  integer :: j, k

  do j = 2, 7
    do k = 2, n
      if (j == 7) then
        m%vy(k, j) = 0
        cycle
      end if
      t = merge(ar, br, m%vh(k, j + 1) > m%vh(k, j))
      if (m%vf(k, j) < m%vf(k - 1, j)) then
        r = max(m%vh(k - 1, j), m%vh(k - 1, j + 1))
        s = m%vf(k - 1, j)
      else
        r = max(m%vh(k, j), m%vh(k, j + 1))
        s = m%vf(k, j)
      end if
      m%vy(k, j) = sqrt(m%vg(k, j)**2 + r*r)*t/s
      if (k == n) then
        m%vs(k, j) = 0
        cycle
      end if
      if (m%vf(k, j) < m%vf(k, j - 1)) then
        r = max(m%vg(k, j - 1), m%vg(k + 1, j - 1))
        s = m%vf(k, j - 1)
        t = br
      else
        r = max(m%vg(k, j), m%vg(k + 1, j))
        s = m%vf(k, j)
        t = ar
      end if
      m%vs(k, j) = sqrt(m%vh(k, j)**2 + r*r)*t/s
    end do
  end do
end subroutine

! Monte Carlo search: from group to group until a test is met or all groups were seen
KERNEL(k16, "_k16")
  integer, parameter :: first = 1
  integer :: k, base, at, turn
  real(dp) :: test

  m%m = first
  base = 1
  k = 1
  do while (k <= n)
    at = base + k + k
    m%k2 = m%k2 + 1
    m%j5 = m%zone(at)
    if (m%j5 == n) return
    test = beside(m%j5)
    turn = m%zone(at - 1)
    if (test == 0 .or. turn == 0) return
    k = k + 1
    if ((test < 0) .eqv. (turn < 0)) cycle
    m%m = m%m + 1
    if (m%m > m%zone(1)) m%m = 1
    if (m%m == first) return
    base = 2*n*(m%m - 1) + 1
    k = 1
  end do

contains

  ! The test of one zone; k3 counts those beyond the table.
  function beside(zone) result(test)
    integer, intent(in) :: zone
    real(dp) :: test
    integer :: third

    third = n/3
    if (zone > n) then
      m%k3 = m%k3 + 1
      test = m%d(zone) - (m%d(zone - 1)*(m%t - m%d(zone - 2))**2 + (m%s - m%d(zone - 3))**2 + (m%r - m%d(zone - 4))**2)
    else if (zone < n - 2*third) then
      test = m%plan(zone) - m%t
    else if (zone < n - third) then
      test = m%plan(zone) - m%s
    else
      test = m%plan(zone) - m%r
    end if
  end function
end subroutine

! implicit, conditional computation
KERNEL(k17, "_k17")
  real(dp), parameter :: scale = 5.0_dp/3.0_dp
  real(dp) :: xnm, e6, e3, xnei, xnc
  integer :: k

  xnm = 1.0_dp/3.0_dp
  e6 = 1.03_dp/3.07_dp
  do k = n, 2, -1
    e3 = xnm*m%vlr(k) + m%vlin(k)
    xnei = m%vxne(k)
    m%vxnd(k) = e6
    xnc = scale*e3
    if (xnm > xnc .or. xnei > xnc) then
      e6 = xnm*m%vsp(k) + m%vstp(k)
      m%vxne(k) = e6
      m%ve3(k) = e6
    else
      m%ve3(k) = e3
      e6 = e3 + e3 - xnm
      m%vxne(k) = e3 + e3 - xnei
    end if
    xnm = e6
  end do
  m%xnm = xnm
end subroutine

! explicit hydrodynamics in two dimensions
KERNEL(k18, "_k18")
  real(dp), parameter :: t = 0.0037_dp, s = 0.0041_dp
  integer :: j, k

  do k = 2, 6
    do j = 2, n
      m%za(j, k) = (m%zp(j - 1, k + 1) + m%zq(j - 1, k + 1) - m%zp(j - 1, k) - m%zq(j - 1, k)) &
                   *(m%zr(j, k) + m%zr(j - 1, k))/(m%zm(j - 1, k) + m%zm(j - 1, k + 1))
      m%zb(j, k) = (m%zp(j - 1, k) + m%zq(j - 1, k) - m%zp(j, k) - m%zq(j, k)) &
                   *(m%zr(j, k) + m%zr(j, k - 1))/(m%zm(j, k) + m%zm(j - 1, k))
    end do
  end do
  do k = 2, 6
    do j = 2, n
      m%zu(j, k) = m%zu(j, k) &
                   + s*(m%za(j, k)*(m%zz(j, k) - m%zz(j + 1, k)) - m%za(j - 1, k)*(m%zz(j, k) - m%zz(j - 1, k)) &
                        - m%zb(j, k)*(m%zz(j, k) - m%zz(j, k - 1)) + m%zb(j, k + 1)*(m%zz(j, k) - m%zz(j, k + 1)))
      m%zv(j, k) = m%zv(j, k) &
                   + s*(m%za(j, k)*(m%zr(j, k) - m%zr(j + 1, k)) - m%za(j - 1, k)*(m%zr(j, k) - m%zr(j - 1, k)) &
                        - m%zb(j, k)*(m%zr(j, k) - m%zr(j, k - 1)) + m%zb(j, k + 1)*(m%zr(j, k) - m%zr(j, k + 1)))
    end do
  end do
  do k = 2, 6
    do j = 2, n
      m%zr(j, k) = m%zr(j, k) + t*m%zu(j, k)
      m%zz(j, k) = m%zz(j, k) + t*m%zv(j, k)
    end do
  end do
end subroutine

! general linear recurrence, forwards and then backwards
KERNEL(k19, "_k19")
  real(dp) :: stb5
  integer :: k

  stb5 = m%stb5
  do k = 1, n
    m%b5(k) = m%sa(k) + stb5*m%sb(k)
    stb5 = m%b5(k) - stb5
  end do
  do k = n, 1, -1
    m%b5(k) = m%sa(k) + stb5*m%sb(k)
    stb5 = m%b5(k) - stb5
  end do
  m%stb5 = stb5
end subroutine

! discrete ordinates transport
KERNEL(k20, "_k20")
  real(dp) :: di, dn, dk, s, t
  integer :: k

  dk = m%dk
  s = m%s
  t = m%t
  do k = 1, n
    di = m%y(k) - m%g(k)/(m%xx(k) + dk)
    dn = 0.2_dp
    if (di /= 0) dn = max(s, min(m%z(k)/di, t))
    m%x(k) = ((m%w(k) + m%v(k)*dn)*m%xx(k) + m%u(k))/(m%vx(k) + m%v(k)*dn)
    m%xx(k + 1) = (m%x(k) - m%xx(k))*dn + m%xx(k)
  end do
end subroutine

! matrix times matrix
KERNEL(k21, "_k21")
  integer :: i, j, k

  do k = 1, 25
    do i = 1, 25
      do j = 1, n
        m%px(i, j) = m%px(i, j) + m%vy(i, k)*m%cx(k, j)
      end do
    end do
  end do
end subroutine

! Planckian distribution
KERNEL(k22, "_k22")
  integer :: k

  do k = 1, n
    m%y(k) = m%u(k)/m%v(k)
    m%w(k) = m%x(k)/(exp(m%y(k)) - 1)
  end do
end subroutine

! implicit hydrodynamics in two dimensions
KERNEL(k23, "_k23")
  real(dp) :: qa
  integer :: j, k

  do j = 2, 6
    do k = 2, n
      qa = m%za(k, j + 1)*m%zr(k, j) + m%za(k, j - 1)*m%zb(k, j) + m%za(k + 1, j)*m%zu(k, j) + m%za(k - 1, j)*m%zv(k, j) &
           + m%zz(k, j)
      m%za(k, j) = m%za(k, j) + 0.175_dp*(qa - m%za(k, j))
    end do
  end do
end subroutine

! place of the first minimum
KERNEL(k24, "_k24")
  integer :: k, least

  least = 1
  do k = 2, n
    if (m%x(k) < m%x(least)) least = k
  end do
  m%m = least
end subroutine
