! SPDX-License-Identifier: BSD-3-Clause
!
! Locks in an INTEGER: mutual exclusion of all PEs, test_lock, neighbours of the
! lock left alone, and the lock word zero again when free.
program locks
    use shmem
    implicit none
    integer, parameter :: rounds = 500
    integer, save, target :: word(5) = [11, 0, 22, 0, 33] ! locks are words 2 and 4
    integer(8), save, target :: total = 0, inside = 0
    integer(8) :: seen
    integer :: me, npes, k, taken
    call check_start()
    me = shmem_my_pe()
    npes = shmem_n_pes()

    do k = 1, rounds
        call shmem_set_lock(word(2))
        call guarded_step()
        call shmem_clear_lock(word(2))
    end do
    taken = 0
    do while (taken < rounds)
        if (shmem_test_lock(word(2)) /= 0) cycle
        taken = taken + 1
        call guarded_step()
        call shmem_clear_lock(word(2))
    end do
    call shmem_barrier_all()
    if (me == 0) call check_equal(total, 2_8 * rounds * npes, 'sum under the lock')

    ! Two locks held at once, and a held one is not to be had.
    call shmem_set_lock(word(2))
    call shmem_set_lock(word(4))
    call shmem_clear_lock(word(2))
    call shmem_clear_lock(word(4))
    call shmem_barrier_all()
    if (me == 0) call shmem_set_lock(word(4))
    call shmem_barrier_all()
    call check(shmem_test_lock(word(4)) == 1, 'test of a held lock')
    call shmem_barrier_all()
    if (me == 0) call shmem_clear_lock(word(4))
    call shmem_barrier_all()
    call check(all(word == [11, 0, 22, 0, 33]), 'words of and beside free locks')
    call check_finish()

contains

    ! Not atomic by itself: only the lock makes it right.
    subroutine guarded_step()
        call check(shmem_int8_finc(inside, 0) == 0, 'somebody else is inside')
        call shmem_get8(seen, total, 1, 0)
        seen = seen + 1
        call shmem_put8(total, seen, 1, 0)
        call shmem_int8_add(inside, -1_8, 0)
    end subroutine
end program
