! SPDX-License-Identifier: BSD-3-Clause
!
! Buffers, packing of every type, sending and receiving of every kind, contexts,
! handlers and options, in free form: each task sends to the next of a ring.
subroutine on_message() ! it finds the message as receive buffer
  include 'fpvm3.h'
  integer :: value, info, handled
  common /handled/ handled
  call pvmfunpack(INTEGER4, value, 1, 1, info)
  handled = value
end subroutine

program messages
  implicit none
  include 'fpvm3.h'
  integer :: tid, me, n, next, prev, info
  character(8) :: pvmall
  common /pvmall/ pvmall
  call pvmfmytid(tid)
  call check(tid > 0, 'pvmfmytid')
  call pvmfsetopt(PVMAUTOERR, 0, info)
  call gives(info, 1, 'pvmfsetopt')
  call pvmfgetpe(tid, me)
  call pvmfgsize(pvmall, n)
  call pvmfgettid(pvmall, mod(me + 1, n), next)
  call pvmfgettid(' ', mod(me + n - 1, n), prev)
  call types(PVMDEFAULT)
  call types(PVMRAW)
  call buffers()
  call kinds()
  call contexts()
  call handlers()
  call options()
  call finish()
contains
  subroutine types(encoding)
    integer, intent(in) :: encoding
    integer :: i, bufid
    integer(2) :: h(3)
    integer(8) :: l(2)
    real :: x(6)
    double precision :: d(2)
    complex :: c(2)
    complex(kind(1d0)) :: z
    character(9) :: s
    character(4) :: b
    call pvmfinitsend(encoding, bufid)
    call check(bufid > 0, 'pvmfinitsend')
    call pvmfpack(STRING, 'nine char', 9, 1, info)
    call pvmfpack(BYTE1, 'abcd', 4, 1, info)
    call pvmfpack(INTEGER2, [1_2, -2_2, 3_2], 3, 1, info)
    call pvmfpack(INTEGER4, [me, n], 2, 1, info)
    call pvmfpack(INTEGER8, [-1_8, 2_8**40 + me], 2, 1, info)
    call pvmfpack(REAL4, [1., 2., 3., 4., 5., 6.], 3, 2, info)
    call pvmfpack(COMPLEX8, [(1., 2.), (3., 4.)], 2, 1, info)
    call pvmfpack(REAL8, [.5d0, -1d300], 2, 1, info)
    call pvmfpack(COMPLEX16, (7d0, 8d0), 1, 1, info)
    call gives(info, 0, 'pvmfpack')
    call pvmfpack(99, h, 1, 1, info)
    call gives(info, PvmBadParam, 'pvmfpack of no type')
    call pvmfpack(-1, h, 1, 1, info)
    call gives(info, PvmBadParam, 'pvmfpack of a negative type')
    call pvmfpack(INTEGER4, h, -1, 1, info)
    call gives(info, PvmBadParam, 'pvmfpack of a negative count')
    call pvmfsend(next, 10 + encoding, info)
    call gives(info, 0, 'pvmfsend')
    call pvmfrecv(prev, 10 + encoding, bufid)
    call check(bufid > 0, 'pvmfrecv')
    call pvmfunpack(STRING, s, 9, 1, info)
    call check(s == 'nine char', 'STRING is ' // s)
    call pvmfunpack(BYTE1, b, 4, 1, info)
    call check(b == 'abcd', 'BYTE1 is ' // b)
    call pvmfunpack(INTEGER2, h, 3, 1, info)
    call check(all(h == [1_2, -2_2, 3_2]), 'INTEGER2')
    call pvmfunpack(INTEGER4, i, 1, 1, info)
    call gives(i, mod(me + n - 1, n), 'INTEGER4')
    call pvmfunpack(INTEGER4, i, 1, 1, info)
    call gives(i, n, 'second INTEGER4')
    call pvmfunpack(INTEGER8, l, 2, 1, info)
    call check(all(l == [-1_8, 2_8**40 + mod(me + n - 1, n)]), 'INTEGER8')
    x = 0
    call pvmfunpack(REAL4, x, 3, 1, info)
    call check(all(x == [1., 3., 5., 0., 0., 0.]), 'REAL4 with stride')
    call pvmfunpack(COMPLEX8, c, 2, 1, info)
    call check(all(c == [(1., 2.), (3., 4.)]), 'COMPLEX8')
    call pvmfunpack(REAL8, d, 2, 1, info)
    call check(all(d == [.5d0, -1d300]), 'REAL8')
    call pvmfunpack(COMPLEX16, z, 1, 1, info)
    call check(z == (7d0, 8d0), 'COMPLEX16')
    call gives(info, 0, 'pvmfunpack')
    call pvmfunpack(INTEGER4, i, 1, 1, info)
    call gives(info, PvmNoData, 'pvmfunpack behind the end')
    call pvmfunpack(77, i, 1, 1, info)
    call gives(info, PvmBadParam, 'pvmfunpack of no type')
  end subroutine

  subroutine buffers()
    integer :: a, b, old, bytes, tag, from, len, ctx, wid, enc, crc, src, dst, value
    call pvmfmkbuf(PVMDEFAULT, a)
    call pvmfmkbuf(PVMDEFAULT, b)
    call check(a > 0 .and. b > 0 .and. a /= b, 'pvmfmkbuf')
    call pvmfsetsbuf(a, old)
    call pvmfpack(INTEGER4, 41, 1, 1, info)
    call pvmfgetsbuf(info)
    call gives(info, a, 'pvmfgetsbuf')
    call pvmfbufinfo(a, bytes, tag, from, info)
    call gives(bytes, 4, 'pvmfbufinfo')
    call pvmfsetsbuf(b, info)
    call gives(info, a, 'pvmfsetsbuf')
    call pvmfpkmesg(a, info)
    call gives(info, 0, 'pvmfpkmesg')
    call pvmfpkmesgbody(a, info)
    call gives(info, 0, 'pvmfpkmesgbody')
    call pvmfsetminfo(b, 0, 5, 77, 0, 0, info)
    call gives(info, 0, 'pvmfsetminfo')
    call pvmfgetminfo(b, len, ctx, tag, wid, enc, crc, src, dst, info)
    call gives(info, 0, 'pvmfgetminfo')
    call gives(wid, 77, 'wid of pvmfgetminfo')
    call gives(tag, 5, 'tag of pvmfgetminfo')
    call pvmfsend(tid, 20, info)
    call pvmfrecv(tid, 20, a)
    call pvmfgetrbuf(info)
    call gives(info, a, 'pvmfgetrbuf')
    call pvmfupkmesg(a, b)
    call check(b > 0, 'pvmfupkmesg')
    call pvmfgetrbuf(info)
    call gives(info, a, 'receive buffer after pvmfupkmesg')
    call pvmfunpack(INTEGER4, value, 1, 1, info)
    call gives(value, 41, 'the packed body')
    call pvmfsetrbuf(b, info)
    call gives(info, a, 'pvmfsetrbuf')
    call pvmfunpack(INTEGER4, value, 1, 1, info)
    call gives(value, 41, 'the packed message')
    call pvmffreebuf(b, info)
    call gives(info, 0, 'pvmffreebuf')
    call pvmffreebuf(b, info)
    call gives(info, PvmNoSuchBuf, 'pvmffreebuf again')
    call pvmfupkmesg(b, info)
    call gives(info, PvmNoSuchBuf, 'pvmfupkmesg of no buffer')
    call pvmfgetminfo(b, len, ctx, tag, wid, enc, crc, src, dst, info)
    call gives(info, PvmNoSuchBuf, 'pvmfgetminfo of no buffer')
    call pvmfsetminfo(b, 0, 5, 77, 0, 0, info)
    call gives(info, PvmNoSuchBuf, 'pvmfsetminfo of no buffer')
  end subroutine

  subroutine kinds()
    integer :: list(2), i, from, tag, length, bufid
    real :: x(3)
    call pvmfnrecv(-1, 30, info)
    call gives(info, 0, 'pvmfnrecv of nothing')
    call pvmfprobe(-1, 30, info)
    call gives(info, 0, 'pvmfprobe of nothing')
    call pvmftrecv(-1, 30, 0, 2000, info)
    call gives(info, 0, 'pvmftrecv of nothing')
    call pvmfpsend(next, 31, [1.5, me + .25, 3.], 3, REAL4, info)
    call gives(info, 0, 'pvmfpsend')
    call pvmfprecv(-1, 31, x, 3, REAL4, from, tag, length, info)
    call gives(info, 0, 'pvmfprecv')
    call check(from == prev .and. tag == 31 .and. x(2) == mod(me + n - 1, n) + .25, 'what pvmfprecv took')
    call gives(length, 12, 'length of pvmfprecv')
    list = [tid, next]
    call pvmfinitsend(PVMDEFAULT, info)
    call pvmfpack(INTEGER4, me, 1, 1, info)
    call pvmfmcast(2, list, 32, info)
    call gives(info, 0, 'pvmfmcast')
    if (n > 1) then
      call pvmftrecv(prev, 32, 20, 0, bufid)
      call check(bufid > 0, 'pvmftrecv')
      call pvmfunpack(INTEGER4, i, 1, 1, info)
      call gives(i, mod(me + n - 1, n), 'pvmfmcast to the next')
    end if
    call pvmfsend(tid, 33, info)
    bufid = 0
    do i = 1, 1000000
      call pvmfprobe(tid, 33, bufid)
      if (bufid /= 0) exit
    end do
    call pvmfnrecv(tid, 33, info)
    call check(info > 0 .and. bufid > 0, 'pvmfnrecv after pvmfprobe')
  end subroutine

  subroutine contexts()
    integer :: mine, old
    call pvmfnewcontext(mine)
    call check(mine > 0, 'pvmfnewcontext')
    call pvmfsetcontext(mine, old)
    call gives(old, 0, 'pvmfsetcontext')
    call pvmfgetcontext(info)
    call gives(info, mine, 'pvmfgetcontext')
    call pvmfsetcontext(0, old)
    call pvmffreecontext(mine, info)
    call gives(info, 0, 'pvmffreecontext')
    call pvmffreecontext(mine, info)
    call check(info < 0, 'pvmffreecontext again')
  end subroutine

  subroutine handlers()
    integer :: mhid, handled, i
    external :: on_message
    common /handled/ handled
    handled = 0
    call pvmfaddmhf(tid, 40, 0, i, on_message, mhid)
    call check(mhid >= 0, 'pvmfaddmhf')
    call pvmfinitsend(PVMDEFAULT, info)
    call pvmfpack(INTEGER4, 4711, 1, 1, info)
    call pvmfsend(tid, 40, info)
    do i = 1, 1000000
      if (handled /= 0) exit
      call pvmfnrecv(tid, 41, info)
    end do
    call gives(handled, 4711, 'the handler')
    call pvmfdelmhf(mhid, info)
    call gives(info, 0, 'pvmfdelmhf')
    call pvmfdelmhf(mhid, info)
    call gives(info, PvmNotFound, 'pvmfdelmhf again')
  end subroutine

  subroutine options()
    integer :: value
    call pvmfgetopt(PVM_DATA_MAX, value)
    call check(value > 0, 'pvmfgetopt(PVM_DATA_MAX)')
    call pvmfsetopt(PVM_DATA_MAX, 1, info)
    call gives(info, PvmBadParam, 'pvmfsetopt(PVM_DATA_MAX)')
    call pvmfadvise(PVMROUTEDIRECT, info)
    call check(info >= 0, 'pvmfadvise')
    call pvmfgetopt(PVMROUTE, value)
    call gives(value, PVMROUTEDIRECT, 'pvmfgetopt after pvmfadvise')
    call pvmfserror(0, info)
    call gives(info, 0, 'pvmfserror')
    call pvmfperror('expected, of the Fortran test', info)
    call gives(info, 0, 'pvmfperror')
  end subroutine
end program
