! SPDX-License-Identifier: BSD-3-Clause
!
! The compiler may not keep a symmetric variable in a register across a call that
! does not mention it: another PE changes it meanwhile. Compiled with -O3.
program saved
    use shmem
    implicit none
    integer, save :: box = 0, round
    integer :: me, npes, right, mine
    call check_start()
    me = shmem_my_pe()
    npes = shmem_n_pes()
    right = mod(me + 1, npes)
    do round = 1, 100
        box = -1
        call shmem_barrier_all()
        mine = round
        call shmem_integer_put(box, mine, 1, right)
        call shmem_barrier_all()
        call check(box == round, 'a saved variable is read anew after a barrier')
        call shmem_barrier_all()
    end do
    call check_finish()
end program
