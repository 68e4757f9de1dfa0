! SPDX-License-Identifier: BSD-3-Clause
!
! SHPALLOC, SHPCLMOVE and SHPDEALLC with Cray pointers and with TYPE(C_PTR), their
! error codes, and SHMEM_PTR. A length of n words has room for n REAL(8).
program heap
    use shmem
    use, intrinsic :: iso_c_binding
    implicit none
    integer, parameter :: n = 1000
    real(8) :: a(n), b(n), there(n)
    integer, save, target :: own = 5
    pointer (pa, a), (pb, b), (pt, there)
    type(c_ptr) :: modern
    integer(8), pointer :: view(:)
    integer(8) :: address, old
    integer :: me, npes, left, right, status, i
    call check_start()
    me = shmem_my_pe()
    npes = shmem_n_pes()
    left = mod(me + npes - 1, npes)
    right = mod(me + 1, npes)

    call shpalloc(pa, n, status, 0)
    call check(status == 0, 'shpalloc')
    call shpalloc(pb, n, status, 0)
    call check(status == 0, 'second shpalloc')
    a = [(me * n + i, i=1, n)]
    b = -1
    call shmem_barrier_all()
    call shmem_put8(b, a, n, right)
    call shmem_barrier_all()
    call check(all(b == [(left * n + i, i=1, n)]), 'put to the heap')

    ! The neighbour's block and variable, read where they are, unless a network is between.
    pt = shmem_ptr(a, right)
    if (pt /= 0) then
        call check(there(n) == right * n + n, 'read by shmem_ptr')
    end if
    call check((shmem_ptr(own, right) /= 0) .eqv. (pt /= 0), 'shmem_ptr of heap and variable')
    call check(shmem_addr_accessible(a, right) .and. shmem_addr_accessible(own, right), 'addr_accessible')
    call check(.not. shmem_addr_accessible(left, right), 'a variable on the stack is not accessible')
    call check(shmem_ptr(own, me) /= 0 .and. shmem_ptr(left, right) == 0, 'shmem_ptr of variables')
    call shmem_barrier_all()

    ! Shrinking stays; growing past the next block moves and keeps what was there.
    old = pa
    call shpclmove(pa, n / 2, status, 0)
    call check(status == 0 .and. pa == old, 'shpclmove to a smaller block')
    call shpclmove(pa, n * 100, status, 0)
    call check(status == 1 .and. pa /= old, 'shpclmove to a larger block')
    call check(all(a(:n / 2) == [(me * n + i, i=1, n / 2)]), 'shpclmove keeps the contents')
    call check(shmem_ptr(a, me) /= 0, 'a moved block is symmetric')

    call errors()

    call shpdeallc(pb, status, 0)
    call check(status == 0, 'shpdeallc')
    call shpdeallc(pb, status, 0)
    call check(status == -4, 'shpdeallc of a free block')
    call shpdeallc(pa, status, 0)
    call check(status == 0, 'shpdeallc of a moved block')

    call shpalloc(modern, n, status, 1)
    call c_f_pointer(modern, view, [n])
    view = me
    call shmem_barrier_all()
    call check(shmem_int8_fetch(view(n), right) == right, 'heap by TYPE(C_PTR)')
    call shmem_barrier_all()
    call shpdeallc(modern, status, 1)
    call check(status == 0, 'shpdeallc of TYPE(C_PTR)')
    call check_finish()

contains

    subroutine errors()
        integer(8) :: kept
        kept = pa
        address = 0
        call shpalloc(address, 0, status, 0)
        call check(status == -1 .and. address == 0, 'shpalloc of nothing')
        call shpalloc(address, -5, status, 0)
        call check(status == -1 .and. address == 0, 'shpalloc of less than nothing')
        call shpalloc(address, huge(1), status, 0)
        call check(status == -2 .and. address == 0, 'shpalloc of more than there is')
        call shpclmove(pa, 0, status, 0)
        call check(status == -1 .and. pa == kept, 'shpclmove to nothing')
        call shpclmove(pa, huge(1), status, 0)
        call check(status == -2 .and. pa == kept, 'shpclmove to more than there is')
        address = loc(own)
        call shpclmove(address, 5, status, 0)
        call check(status == -3, 'shpclmove of a variable')
        call shpdeallc(address, status, 0)
        call check(status == -3, 'shpdeallc of a variable')
        address = pa + 8
        call shpclmove(address, 5, status, 0)
        call check(status == -5, 'shpclmove inside a block')
        address = pa + 8 * 50 * n
        call shpdeallc(address, status, 0)
        call check(status == -5, 'shpdeallc inside a block')
        call shpalloc(address, 8000000, status, 0)
        call check(status == 0, 'shpalloc of 64 MB')
        kept = address
        address = kept + 8 * 7000000
        call shpdeallc(address, status, 0)
        call check(status == -5, 'shpdeallc far inside a block')
        call shpdeallc(kept, status, 0)
        call check(status == 0, 'shpdeallc of 64 MB')
        address = kept + 8 * 7000000
        call shpdeallc(address, status, 0)
        call check(status == -4, 'shpdeallc where a block was')
    end subroutine
end program
