! SPDX-License-Identifier: BSD-3-Clause
!
! Atomic operations: each one's exact effect and result on the next PE, then sums
! and tickets that all PEs take from PE 0 at once.
program atomics
    use shmem
    implicit none
    integer, parameter :: rounds = 2000
    integer(4), save, target :: i4 = 0, ticket4 = 0, taken4(0:4 * rounds * 16 - 1) = 0
    integer(8), save, target :: i8 = 0, ticket8 = 0, bits = 0
    real(4), save, target :: r4 = 0
    real(8), save, target :: r8 = 0
    integer, save, target :: i = 0
    integer(8), parameter :: big = 2_8**40
    integer :: me, npes, right, k
    integer(4) :: t4
    integer(8) :: sum8, old
    call check_start()
    me = shmem_my_pe()
    npes = shmem_n_pes()
    right = mod(me + 1, npes)

    call shmem_int4_set(i4, -7_4, right)
    call check(shmem_int4_fetch(i4, right) == -7, 'int4 set, fetch')
    call check(shmem_int4_swap(i4, 9_4, right) == -7, 'int4 swap')
    call check(shmem_int4_cswap(i4, 8_4, 1_4, right) == 9, 'int4 cswap, other value')
    call check(shmem_int4_cswap(i4, 9_4, 10_4, right) == 9, 'int4 cswap, same value')
    call check(shmem_int4_fadd(i4, 5_4, right) == 10, 'int4 fadd')
    call check(shmem_int4_finc(i4, right) == 15, 'int4 finc')
    call shmem_int4_add(i4, -20_4, right)
    call shmem_int4_inc(i4, right)
    call check(shmem_int4_mswap(i4, 15_4, 6_4, right) == -3, 'int4 mswap')
    call check(shmem_int4_fetch(i4, right) == -10, 'int4 add, inc, mswap')

    call shmem_int8_set(i8, -big, right)
    call check(shmem_int8_fetch(i8, right) == -big, 'int8 set, fetch')
    call check(shmem_int8_swap(i8, 9 * big, right) == -big, 'int8 swap')
    call check(shmem_int8_cswap(i8, 8 * big, 1_8, right) == 9 * big, 'int8 cswap, other value')
    call check(shmem_int8_cswap(i8, 9 * big, 10 * big, right) == 9 * big, 'int8 cswap, same value')
    call check(shmem_int8_fadd(i8, 5 * big, right) == 10 * big, 'int8 fadd')
    call check(shmem_int8_finc(i8, right) == 15 * big, 'int8 finc')
    call shmem_int8_add(i8, -20 * big, right)
    call shmem_int8_inc(i8, right)
    call check(shmem_int8_mswap(i8, 15_8, 6_8, right) == -5 * big + 2, 'int8 mswap')
    call check(shmem_int8_fetch(i8, right) == -5 * big + 6, 'int8 add, inc, mswap')

    call shmem_real4_set(r4, 1.5_4, right)
    call check(shmem_real4_swap(r4, -2.5_4, right) == 1.5_4, 'real4 set, swap')
    call check(shmem_real4_fetch(r4, right) == -2.5_4, 'real4 fetch')
    call shmem_real8_set(r8, 1.25_8, right)
    call check(shmem_real8_swap(r8, -1e300_8, right) == 1.25_8, 'real8 set, swap')
    call check(shmem_real8_fetch(r8, right) == -1e300_8, 'real8 fetch')
    call check(shmem_swap(i, 77, right) == 0, 'swap, first')
    call check(shmem_swap(i, 78, right) == 77, 'swap, second')
    call shmem_barrier_all()

    do k = 1, rounds
        t4 = shmem_int4_finc(ticket4, 0)
        call shmem_int4_inc(taken4(t4), 0)
        call shmem_int8_add(ticket8, int(me + 1, 8), 0)
    end do
    ! Each PE flips its own bit an odd number of times, others flip theirs beside it.
    do k = 1, 2 * rounds + 1
        old = shmem_int8_mswap(bits, ishft(1_8, me), ishft(int(mod(k, 2), 8), me), 0)
    end do
    call shmem_barrier_all()
    sum8 = int(rounds, 8) * npes * (npes + 1) / 2
    if (me == 0) then
        call check(ticket4 == rounds * npes, 'tickets')
        call check(all(taken4(0:rounds * npes - 1) == 1), 'each ticket was taken once')
        call check_equal(ticket8, sum8, 'concurrent int8_add')
        call check_equal(bits, ishft(1_8, npes) - 1, 'concurrent int8_mswap')
    end if
    call check(btest(old, me) .eqv. .false., 'mswap sees its own last value')
    call check_finish()
end program
