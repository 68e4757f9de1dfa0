! SPDX-License-Identifier: BSD-3-Clause
!
! Pi as in pi.c, in today's Fortran: the module declares every call, and saved
! variables are symmetric.
!
!   oshfort -O2 pi.f90 -o pi && oshrun -np 4 ./pi
program compute_pi
    use shmem
    implicit none
    integer, parameter :: strips = 10000000
    real(8), save :: part = 0, pi, work(SHMEM_REDUCE_MIN_WRKDATA_SIZE)
    integer, save :: sync(SHMEM_REDUCE_SYNC_SIZE) = SHMEM_SYNC_VALUE
    integer :: i

    call shmem_init()
    do i = shmem_my_pe(), strips - 1, shmem_n_pes()
        part = part + 4 / (1 + ((i + 0.5d0) / strips)**2)
    end do
    part = part / strips
    call shmem_real8_sum_to_all(pi, part, 1, 0, 0, shmem_n_pes(), work, sync)

    if (shmem_my_pe() == 0) print '(a, f14.12)', 'pi is ', pi
    call shmem_finalize()
    if (abs(pi - acos(-1d0)) > 1d-10) stop 1
end program
