! SPDX-License-Identifier: BSD-3-Clause
!
! Waiting: a token goes round the ring once for each call and comparison.
program waiting
    use shmem
    implicit none
    integer, save, target :: flag = 0
    integer(4), save, target :: flag4 = 0
    integer(8), save, target :: flag8 = 0
    integer, parameter :: compare(6) = &
        [SHMEM_CMP_EQ, SHMEM_CMP_NE, SHMEM_CMP_GT, SHMEM_CMP_GE, SHMEM_CMP_LT, SHMEM_CMP_LE]
    integer, parameter :: until(6) = [5, 3, 4, 5, 0, -1] ! each met by the value sent, not by the one before
    integer, parameter :: before(6) = [3, 3, 3, 3, 3, 3], sent(6) = [5, 4, 5, 6, -1, -1]
    integer :: me, npes, right, k
    call check_start()
    me = shmem_my_pe()
    npes = shmem_n_pes()
    right = mod(me + 1, npes)

    do k = 1, 6
        flag = before(k)
        flag4 = before(k)
        flag8 = before(k)
        call shmem_barrier_all()
        if (me == 0) call pass_on(k)
        call shmem_wait_until(flag, compare(k), until(k))
        call shmem_int4_wait_until(flag4, compare(k), int(until(k), 4))
        call shmem_int8_wait_until(flag8, compare(k), int(until(k), 8))
        call check(flag == sent(k) .and. flag4 == sent(k) .and. flag8 == sent(k), 'wait_until')
        if (me /= 0) call pass_on(k)
        call shmem_barrier_all()
    end do

    flag = 1
    flag4 = 1
    flag8 = 1
    call shmem_barrier_all()
    if (me == 0) call pass_on(1)
    call shmem_wait(flag, 1)
    call shmem_int4_wait(flag4, 1_4)
    call shmem_int8_wait(flag8, 1_8)
    call check(flag == sent(1) .and. flag4 == sent(1) .and. flag8 == sent(1), 'wait')
    if (me /= 0) call pass_on(1)
    call check_finish()

contains

    subroutine pass_on(k)
        integer, intent(in) :: k
        call shmem_integer_put(flag, sent(k), 1, right)
        call shmem_put4(flag4, int(sent(k), 4), 1, right)
        call shmem_fence()
        call shmem_put8(flag8, int(sent(k), 8), 1, right)
    end subroutine
end program
