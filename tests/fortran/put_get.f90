! SPDX-License-Identifier: BSD-3-Clause
!
! Every contiguous put and get, blocking and not, moves exactly nelems elements of
! the size its name tells, and nothing beside them.
module put_get_buffers
    implicit none
    integer, parameter :: room = 2048, margin = 16
    integer(1), parameter :: empty = 85
    integer(1), save, target :: dest(room), source(room)
end module

program put_get
    use shmem
    use put_get_buffers
    implicit none
    integer :: me, npes
    call check_start()
    me = shmem_my_pe()
    npes = shmem_n_pes()

    call moves('character', 1, shmem_character_put, shmem_character_get)
    call moves('character nbi', 1, shmem_character_put_nbi, shmem_character_get_nbi)
    call moves('complex', 8, shmem_complex_put, shmem_complex_get)
    call moves('complex nbi', 8, shmem_complex_put_nbi, shmem_complex_get_nbi)
    call moves('double', 8, shmem_double_put, shmem_double_get)
    call moves('double nbi', 8, shmem_double_put_nbi, shmem_double_get_nbi)
    call moves('integer', 4, shmem_integer_put, shmem_integer_get)
    call moves('integer nbi', 4, shmem_integer_put_nbi, shmem_integer_get_nbi)
    call moves('logical', 4, shmem_logical_put, shmem_logical_get)
    call moves('logical nbi', 4, shmem_logical_put_nbi, shmem_logical_get_nbi)
    call moves('real', 4, shmem_real_put, shmem_real_get)
    call moves('real nbi', 4, shmem_real_put_nbi, shmem_real_get_nbi)
    call moves('plain', 8, shmem_put, shmem_get)
    call moves('plain nbi', 8, shmem_put_nbi, shmem_get_nbi)
    call moves('4', 4, shmem_put4, shmem_get4)
    call moves('4 nbi', 4, shmem_put4_nbi, shmem_get4_nbi)
    call moves('8', 8, shmem_put8, shmem_get8)
    call moves('8 nbi', 8, shmem_put8_nbi, shmem_get8_nbi)
    call moves('16', 16, shmem_put16, shmem_get16)
    call moves('16 nbi', 16, shmem_put16_nbi, shmem_get16_nbi)
    call moves('32', 4, shmem_put32, shmem_get32)
    call moves('32 nbi', 4, shmem_put32_nbi, shmem_get32_nbi)
    call moves('64', 8, shmem_put64, shmem_get64)
    call moves('64 nbi', 8, shmem_put64_nbi, shmem_get64_nbi)
    call moves('128', 16, shmem_put128, shmem_get128)
    call moves('128 nbi', 16, shmem_put128_nbi, shmem_get128_nbi)
    call moves('mem', 1, shmem_putmem, shmem_getmem)
    call moves('mem nbi', 1, shmem_putmem_nbi, shmem_getmem_nbi)
    call check_finish()

contains

    integer(1) function pattern(pe, i)
        integer, intent(in) :: pe, i
        pattern = int(mod(pe * 31 + i * 7, 61), 1)
    end function

    ! Bytes [margin+1, margin+n] of dest are those of PE `from`, all others empty.
    subroutine verify(name, from, n)
        character(*), intent(in) :: name
        integer, intent(in) :: from, n
        integer :: i
        logical :: right
        right = all(dest(:margin) == empty) .and. all(dest(margin + n + 1:) == empty)
        do i = margin + 1, margin + n
            right = right .and. dest(i) == pattern(from, i)
        end do
        call check(right, name)
    end subroutine

    subroutine moves(name, width, put, get)
        character(*), intent(in) :: name
        integer, intent(in) :: width
        procedure(shmem_i_move) :: put, get
        integer, parameter :: counts(6) = [0, 1, 3, 7, 50, 100]
        integer :: i, k, left, right
        left = mod(me + npes - 1, npes)
        right = mod(me + 1, npes)
        do i = 1, room
            source(i) = pattern(me, i)
        end do
        do k = 1, size(counts)
            dest = empty
            call shmem_barrier_all()
            call put(dest(margin + 1), source(margin + 1), counts(k), right)
            call shmem_barrier_all()
            call verify('put '//name, left, counts(k) * width)
            call shmem_barrier_all()
            dest = empty
            call get(dest(margin + 1), source(margin + 1), counts(k), right)
            call shmem_quiet()
            call verify('get '//name, right, counts(k) * width)
        end do
        call shmem_barrier_all()
    end subroutine
end program
