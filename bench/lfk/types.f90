! SPDX-License-Identifier: BSD-3-Clause
!
! The data of the Livermore kernels for Fortran: the structure of memory.h, member by member, and a function
! that tells the C side how long the compiler made it.
module lfk_types
  use, intrinsic :: iso_c_binding
  implicit none
  integer, parameter :: dp = c_double
  integer, parameter :: x0 = 3003, y0 = 4004, z0 = 5005 ! where X, Y and Z begin in area 1, less one

  type, bind(c) :: lfk
    real(dp) :: u(1001), v(1001), w(1001), x(1001), y(1001), z(1001), g(1001)
    real(dp) :: du1(101), du2(101), du3(101)
    real(dp) :: grd(1001), dex(1001), xi(1001), ex(1001), ex1(1001), dex1(1001), vx(1001), xx(1001), rx(1001)
    real(dp) :: rh(2048)
    real(dp) :: vsp(101), vstp(101), vxne(101), vxnd(101), ve3(101), vlr(101), vlin(101), b5(101)
    real(dp) :: plan(300), d(300), sa(101), sb(101)
    real(dp) :: p(4, 512), px(25, 101), cx(25, 101), vy(101, 25)
    real(dp), dimension(101, 7) :: vh, vf, vg, vs, za, zp, zq, zr, zm, zb, zu, zv, zz
    real(dp), dimension(64, 64) :: b, c, h
    real(dp), dimension(5, 101, 2) :: u1, u2, u3
    real(dp) :: a11, a12, a13, a21, a22, a23, a31, a32, a33, ar, br, c0, cr, di, dk
    real(dp) :: dm22, dm23, dm24, dm25, dm26, dm27, dm28, dn, e3, e6, expmax, flx
    real(dp) :: q, qa, r, ri, s, scale, sig, stb5, t, xnc, xnei, xnm
    integer(c_int64_t) :: k2, k3
    integer(c_int32_t) :: j5, m
    integer(c_int32_t) :: e(96), f(96), ix(1001), ir(1001), zone(300)
  end type lfk

contains

  function lfk_types_bytes() bind(c) result(bytes)
    integer(c_size_t) :: bytes
    type(lfk), allocatable :: one

    allocate (one)
    bytes = c_sizeof(one)
  end function lfk_types_bytes
end module lfk_types
