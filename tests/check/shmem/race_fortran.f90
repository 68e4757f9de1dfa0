! SPDX-License-Identifier: BSD-3-Clause
!
! A result is put to a neighbour, which sends it on without waiting for it.
! check: race
! compile: -cpp
program race_fortran
    implicit none
    include 'shmem.fh'
    integer, save :: box(16), forward(16)
    integer :: mine(16), me, n, shmem_my_pe, shmem_n_pes
    external shmem_my_pe, shmem_n_pes
    call shmem_init()
    me = shmem_my_pe()
    n = shmem_n_pes()
    mine = me
    call shmem_put32(box, mine, 16, mod(me + 1, n)) ! found
#ifndef WRONG
    call shmem_barrier_all()
#endif
    call shmem_put32(forward, box, 16, mod(me + 1, n)) ! found
    call shmem_barrier_all()
    call shmem_finalize()
end program
