! SPDX-License-Identifier: BSD-3-Clause
!
! The virtual machine, started plainly: hosts and tasks row by row, the mailbox, and
! two tasks of this same program, which tell their family, wait for a signal, are
! killed, and whose ends are notified.
program machine
  implicit none
  include 'fpvm3.h'
  integer :: tid, parent, info
  call pvmfmytid(tid)
  call pvmfsetopt(PVMAUTOERR, 0, info)
  call pvmfparent(parent)
  if (parent > 0) then
    call child()
  else
    call gives(parent, PvmNoParent, 'pvmfparent')
    call hosts()
    call mailbox()
    call family()
    call refusals()
  end if
  call finish()
contains
  subroutine child()
    integer :: n, other, pe
    call pvmfsiblings(n, -1, other)
    call gives(n, 2, 'pvmfsiblings')
    call pvmfsiblings(n, 1, other)
    call pvmfgetpe(tid, pe)
    call pvmfinitsend(PVMDEFAULT, info)
    call pvmfpack(INTEGER4, [other, pe], 2, 1, info)
    call pvmfsend(parent, 1, info)
    print '(a)', 'a line of a child'
    flush (6)
    call pvmfrecv(parent, 2, info) ! for ever: it is killed
  end subroutine

  subroutine hosts()
    integer :: nhost, narch, host, speed, code, n, id, its_parent, its_host, flag, i, clock(4)
    character(64) :: name, arch, program
    nhost = -1
    call pvmfconfig(nhost, narch, host, name, arch, speed, info)
    call check(info >= 0 .and. nhost >= 1 .and. narch == 1 .and. name /= ' ' .and. speed == 1000, 'pvmfconfig')
    call pvmfmstat(name, info)
    call gives(info, 0, 'pvmfmstat')
    call pvmfmstat('no such host', info)
    call gives(info, PvmNoHost, 'pvmfmstat of no host')
    call pvmfarchcode(arch, code)
    call check(code > 0, 'pvmfarchcode')
    call pvmftidtohost(tid, i)
    call gives(i, host, 'pvmftidtohost')
    call pvmfpstat(tid, info)
    call gives(info, 0, 'pvmfpstat')
    call pvmfhostsync(host, clock(1), clock(2), clock(3), clock(4), info)
    call check(info == 0 .and. clock(1) > 0, 'pvmfhostsync')
    n = -1
    do i = 1, 3 ! from the beginning again behind the last
      call pvmftasks(0, n, id, its_parent, its_host, flag, program, info)
      call check(info >= 0 .and. n == 1 .and. id == tid .and. its_parent == 0 .and. its_host == host, 'pvmftasks')
    end do
    call pvmftasks(tid + 1000, n, id, its_parent, its_host, flag, program, info)
    call check(info == 1 .and. n == 0, 'pvmftasks of no task')
  end subroutine

  subroutine mailbox()
    integer :: bufid, i, index, owner, flags, classes, entries, value, old
    character(32) :: name
    integer, parameter :: boxes(3) = [1, 2, 2]
    call pvmfinitsend(PVMDEFAULT, bufid)
    call pvmfpack(INTEGER4, 123, 1, 1, info)
    call pvmfputinfo('box1', bufid, PVMMBOXDEFAULT, info)
    call gives(info, 0, 'pvmfputinfo')
    call pvmfputinfo('box1', bufid, PVMMBOXDEFAULT, info)
    call gives(info, 0, 'pvmfputinfo by its owner again')
    do i = 0, 1
      call pvmfputinfo('box2', bufid, PVMMBOXMULTIINSTANCE, info)
      call gives(info, i, 'pvmfputinfo of several')
    end do
    info = -1
    do i = 1, 3
      call pvmfgetmboxinfo('^box', name, classes, entries, index, owner, flags, info)
      call check(info >= 0 .and. classes == 2 .and. owner == tid .and. name(4:4) == achar(48 + boxes(i)), 'pvmfgetmboxinfo')
    end do
    call pvmfgetmboxinfo('^box', name, classes, entries, index, owner, flags, info)
    call gives(info, PvmNotFound, 'pvmfgetmboxinfo behind the last')
    call pvmfrecvinfo('box1', 0, PVMMBOXDEFAULT, bufid)
    call check(bufid > 0, 'pvmfrecvinfo')
    call pvmfsetrbuf(bufid, old)
    call pvmfunpack(INTEGER4, value, 1, 1, info)
    call gives(value, 123, 'the entry')
    call pvmfdelinfo('box1', 0, 0, info)
    call gives(info, 0, 'pvmfdelinfo')
    call pvmfdelinfo('box1', 0, 0, info)
    call gives(info, PvmNotFound, 'pvmfdelinfo again')
  end subroutine

  subroutine family()
    integer :: tids(2), started, i, bufid, from, tag, bytes, pair(2), ended
    character(512) :: path
    call get_command_argument(0, path)
    call pvmfcatchout(1, info)
    call gives(info, 0, 'pvmfcatchout')
    call pvmfspawn(trim(path), PVMDEFAULT, '*', 2, tids, started)
    call gives(started, 2, 'pvmfspawn')
    if (started /= 2) return
    do i = 1, 2
      call pvmfrecv(-1, 1, bufid)
      call pvmfbufinfo(bufid, bytes, tag, from, info)
      call check(any(tids == from), 'a child that is none')
      call pvmfunpack(INTEGER4, pair, 2, 1, info)
      call gives(pair(1), tids(2), 'its second sibling')
      call check(pair(2) /= 0, 'pvmfgetpe of a spawned task')
    end do
    call pvmfcatchout(0, info)
    call pvmfnotify(PVMTASKEXIT, 9, 2, tids, info)
    call gives(info, 0, 'pvmfnotify')
    call pvmfsendsig(tids(1), 9, info)
    call gives(info, 0, 'pvmfsendsig')
    call pvmfkill(tids(2), info)
    call gives(info, 0, 'pvmfkill')
    do i = 1, 2
      call pvmftrecv(-1, 9, 20, 0, bufid)
      call check(bufid > 0, 'no notification')
      call pvmfunpack(INTEGER4, ended, 1, 1, info)
      call check(any(tids == ended), 'a notification of another')
    end do
    call pvmfpstat(tids(1), info)
    call gives(info, PvmNoTask, 'pvmfpstat of an ended task')
  end subroutine

  subroutine refusals()
    integer :: tids(2)
    call pvmfspawn('no such program', PVMDEFAULT, '*', 2, tids, info)
    call gives(info, 0, 'pvmfspawn of no program')
    call gives(tids(2), PvmNoFile, 'its tid')
    call pvmfspawn('hello', PVMHOST, 'no such host', 2, tids, info)
    call gives(tids(1), PvmNoHost, 'pvmfspawn at no host')
    call pvmfaddhost('elsewhere', info)
    call check(info < 0, 'pvmfaddhost')
    call pvmfdelhost('elsewhere', info)
    call check(info < 0, 'pvmfdelhost')
    call pvmfstartpvmd('-d0 hosts', 1, info)
    call check(info /= 1, 'pvmfstartpvmd')
    call pvmfsleep(0)
  end subroutine
end program
