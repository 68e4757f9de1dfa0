! SPDX-License-Identifier: BSD-3-Clause
!
! Reductions of every kind of number, into another array and in place, over all
! PEs and over those from PE 1 on. Values are small whole numbers, so that the
! result is exact; REAL(16) also carries bits that no smaller kind holds.
module reduction_buffers
    use shmem
    implicit none
    integer, parameter :: n = 1037
    integer(2), save, target :: d2(n), s2(n), w2(n)
    integer(4), save, target :: d4(n), s4(n), w4(n)
    integer(8), save, target :: d8(n), s8(n), w8(n)
    real(4), save, target :: dr4(n), sr4(n), wr4(n)
    real(8), save, target :: dr8(n), sr8(n), wr8(n)
    real(16), save, target :: dr16(n), sr16(n), wr16(n)
    complex(4), save, target :: dc4(n), sc4(n), wc4(n)
    complex(8), save, target :: dc8(n), sc8(n), wc8(n)
    integer, save, target :: sync(SHMEM_REDUCE_SYNC_SIZE, 0:1) = SHMEM_SYNC_VALUE
end module

program reductions
    use shmem
    use reduction_buffers
    implicit none
    integer :: me, npes
    call check_start()
    me = shmem_my_pe()
    npes = shmem_n_pes()
    call every_kind(0, npes)
    call shmem_barrier_all()
    if (me >= 1) call every_kind(1, npes - 1)
    call shmem_barrier_all()
    call check(all(sync == SHMEM_SYNC_VALUE), 'pSync is left as it was')
    call check_finish()

end program

! All reductions of all kinds over the PEs [start, start + size).
subroutine every_kind(start, size)
    use shmem
    use reduction_buffers
    implicit none
    integer, intent(in) :: start, size
    integer :: me, calls = 0
    me = shmem_my_pe()
    call four('sum', shmem_int2_sum_to_all, shmem_int4_sum_to_all, shmem_int8_sum_to_all, shmem_real4_sum_to_all, &
              shmem_real8_sum_to_all, shmem_real16_sum_to_all)
    call four('prod', shmem_int2_prod_to_all, shmem_int4_prod_to_all, shmem_int8_prod_to_all, &
              shmem_real4_prod_to_all, shmem_real8_prod_to_all, shmem_real16_prod_to_all)
    call four('max', shmem_int2_max_to_all, shmem_int4_max_to_all, shmem_int8_max_to_all, shmem_real4_max_to_all, &
              shmem_real8_max_to_all, shmem_real16_max_to_all)
    call four('min', shmem_int2_min_to_all, shmem_int4_min_to_all, shmem_int8_min_to_all, shmem_real4_min_to_all, &
              shmem_real8_min_to_all, shmem_real16_min_to_all)
    call whole('and', shmem_int2_and_to_all, shmem_int4_and_to_all, shmem_int8_and_to_all)
    call whole('or', shmem_int2_or_to_all, shmem_int4_or_to_all, shmem_int8_or_to_all)
    call whole('xor', shmem_int2_xor_to_all, shmem_int4_xor_to_all, shmem_int8_xor_to_all)
    call complex_kinds()
    call quadruple()
contains

    ! What PE `pe` brings as element i: 1, 2 or 3.
    integer function part(pe, i)
        integer, intent(in) :: pe, i
        part = 1 + mod(pe + i, 3)
    end function

    ! The expected element i.
    integer(8) function expected(op, i)
        character(*), intent(in) :: op
        integer, intent(in) :: i
        integer :: pe
        expected = part(start, i)
        do pe = start + 1, start + size - 1
            select case (op)
            case ('sum'); expected = expected + part(pe, i)
            case ('prod'); expected = expected * part(pe, i)
            case ('max'); expected = max(expected, int(part(pe, i), 8))
            case ('min'); expected = min(expected, int(part(pe, i), 8))
            case ('and'); expected = iand(expected, int(part(pe, i), 8))
            case ('or'); expected = ior(expected, int(part(pe, i), 8))
            case ('xor'); expected = ieor(expected, int(part(pe, i), 8))
            end select
        end do
    end function

    subroutine whole(op, i2, i4, i8)
        character(*), intent(in) :: op
        procedure(shmem_i_to_all) :: i2, i4, i8
        integer :: i
        integer(8) :: right(n)
        right = [(expected(op, i), i=1, n)]
        call fill()
        call i2(d2, s2, n, start, 0, size, w2, next_sync())
        call check(all(d2 == right), 'int2 '//op)
        call i4(d4, s4, n, start, 0, size, w4, next_sync())
        call check(all(d4 == right), 'int4 '//op)
        call i8(d8, s8, n, start, 0, size, w8, next_sync())
        call check(all(d8 == right), 'int8 '//op)
        call i2(s2, s2, n, start, 0, size, w2, next_sync())
        call check(all(s2 == right), 'int2 in place '//op)
        call i4(s4, s4, n, start, 0, size, w4, next_sync())
        call check(all(s4 == right), 'int4 in place '//op)
        call i8(s8, s8, n, start, 0, size, w8, next_sync())
        call check(all(s8 == right), 'int8 in place '//op)
    end subroutine

    subroutine four(op, i2, i4, i8, r4, r8, r16)
        character(*), intent(in) :: op
        procedure(shmem_i_to_all) :: i2, i4, i8, r4, r8, r16
        integer :: i
        integer(8) :: right(n)
        call whole(op, i2, i4, i8)
        right = [(expected(op, i), i=1, n)]
        call r4(dr4, sr4, n, start, 0, size, wr4, next_sync())
        call check(all(dr4 == right), 'real4 '//op)
        call r8(dr8, sr8, n, start, 0, size, wr8, next_sync())
        call check(all(dr8 == right), 'real8 '//op)
        call r16(dr16, sr16, n, start, 0, size, wr16, next_sync())
        call check(all(dr16 == right), 'real16 '//op)
        call r4(sr4, sr4, n, start, 0, size, wr4, next_sync())
        call check(all(sr4 == right), 'real4 in place '//op)
        call r16(sr16, sr16, n, start, 0, size, wr16, next_sync())
        call check(all(sr16 == right), 'real16 in place '//op)
    end subroutine

    ! Sums are those of both parts; the product of numbers a(1+i) with whole a is prod(a) (1+i)**size.
    subroutine complex_kinds()
        integer :: i
        complex(8) :: right(n)
        call fill()
        right = [(cmplx(expected('sum', i), expected('sum', i), 8), i=1, n)]
        call shmem_comp4_sum_to_all(dc4, sc4, n, start, 0, size, wc4, next_sync())
        call check(all(dc4 == right), 'comp4 sum')
        call shmem_comp8_sum_to_all(dc8, sc8, n, start, 0, size, wc8, next_sync())
        call check(all(dc8 == right), 'comp8 sum')
        right = [(expected('prod', i) * (1d0, 1d0)**size, i=1, n)]
        call shmem_comp4_prod_to_all(dc4, sc4, n, start, 0, size, wc4, next_sync())
        call check(all(abs(dc4 - right) <= 1e-5 * abs(right)), 'comp4 prod')
        call shmem_comp8_prod_to_all(dc8, sc8, n, start, 0, size, wc8, next_sync())
        call check(all(abs(dc8 - right) <= 1e-13 * abs(right)), 'comp8 prod')
        call bits()
    end subroutine

    ! XOR of complex numbers is that of their bits.
    subroutine bits()
        integer(4) :: right4
        integer(8) :: right8
        integer :: pe
        right4 = 0
        right8 = 0
        do pe = start, start + size - 1
            right4 = ieor(right4, transfer(real(part(pe, n), 4), right4))
            right8 = ieor(right8, transfer(real(part(pe, n), 8), right8))
        end do
        call shmem_comp4_xor_to_all(dc4, sc4, n, start, 0, size, wc4, next_sync())
        call check(all(transfer(dc4(n), [right4]) == right4), 'comp4 xor')
        call shmem_comp8_xor_to_all(dc8, sc8, n, start, 0, size, wc8, next_sync())
        call check(all(transfer(dc8(n), [right8]) == right8), 'comp8 xor')
    end subroutine

    ! A sum that needs 113 bits of mantissa.
    subroutine quadruple()
        real(16) :: small
        integer :: pe
        small = 2.0_16**(-100)
        sr16 = merge(1.0_16, (me + 1) * small, me == start)
        call shmem_real16_sum_to_all(dr16, sr16, n, start, 0, size, wr16, next_sync())
        small = 1.0_16 + small * sum([(pe + 1, pe=start + 1, start + size - 1)])
        call check(all(dr16 == small), 'real16 sum keeps 113 bits')
    end subroutine

    subroutine fill()
        integer :: i
        s8 = [(part(me, i), i=1, n)]
        s2 = int(s8, 2)
        s4 = int(s8, 4)
        sr4 = s4
        sr8 = real(s8, 8)
        sr16 = s4
        sc8 = cmplx(s8, s8, 8)
        sc4 = cmplx(s4, s4, 4)
    end subroutine

    ! Two work arrays in turn: a PE may still be in the last call when the next begins.
    function next_sync() result(work)
        integer, pointer :: work(:)
        calls = calls + 1
        work => sync(:, mod(calls, 2))
    end function
end subroutine
