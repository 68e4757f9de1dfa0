! SPDX-License-Identifier: BSD-3-Clause
!
! Strided puts and gets, and gather and scatter by an index vector, in words of 4
! bytes: an element of `width` words, strides and indices counted in elements.
module strided_buffers
    implicit none
    integer, parameter :: room = 512, n = 7
    integer(4), save, target :: dest(0:room - 1), source(0:room - 1)
end module

program strided
    use shmem
    use strided_buffers
    implicit none
    integer(4), save :: index4(n) = [9, 0, 3, 12, 4, 20, 7]
    integer(8), save :: index8(n) = [9, 0, 3, 12, 4, 20, 7]
    integer :: me, npes, left, right, i
    call check_start()
    me = shmem_my_pe()
    npes = shmem_n_pes()
    left = mod(me + npes - 1, npes)
    right = mod(me + 1, npes)
    source = [(word(me, i), i=0, room - 1)]

    call strides('complex', 2, shmem_complex_iput, shmem_complex_iget)
    call strides('double', 2, shmem_double_iput, shmem_double_iget)
    call strides('integer', 1, shmem_integer_iput, shmem_integer_iget)
    call strides('logical', 1, shmem_logical_iput, shmem_logical_iget)
    call strides('real', 1, shmem_real_iput, shmem_real_iget)
    call strides('plain', 2, shmem_iput, shmem_iget)
    call strides('4', 1, shmem_iput4, shmem_iget4)
    call strides('8', 2, shmem_iput8, shmem_iget8)
    call strides('16', 4, shmem_iput16, shmem_iget16)
    call strides('32', 1, shmem_iput32, shmem_iget32)
    call strides('64', 2, shmem_iput64, shmem_iget64)
    call strides('128', 4, shmem_iput128, shmem_iget128)

    call indexed4('4', shmem_ixput4, shmem_ixget4)
    call indexed4('32', shmem_ixput32, shmem_ixget32)
    call indexed8('plain', shmem_ixput, shmem_ixget)
    call indexed8('8', shmem_ixput8, shmem_ixget8)
    call indexed8('64', shmem_ixput64, shmem_ixget64)
    call characters()
    call check_finish()

contains

    integer(4) function word(pe, i)
        integer, intent(in) :: pe, i
        word = pe * 10000 + i + 1
    end function

    subroutine clear()
        call shmem_barrier_all()
        dest = 0
        call shmem_barrier_all()
    end subroutine

    ! dest is zero but for elements to(k), which are elements from(k) of PE `pe`.
    subroutine verify(name, pe, width, to, from)
        character(*), intent(in) :: name
        integer, intent(in) :: pe, width, to(:), from(:)
        integer(4) :: expected(0:room - 1)
        integer :: k, w
        expected = 0
        do k = 1, n
            do w = 0, width - 1
                expected(to(k) * width + w) = word(pe, from(k) * width + w)
            end do
        end do
        call check(all(dest == expected), name)
    end subroutine

    subroutine strides(name, width, iput, iget)
        character(*), intent(in) :: name
        integer, intent(in) :: width
        procedure(shmem_i_stride) :: iput, iget
        integer :: steps(n)
        steps = [(i, i=0, n - 1)]
        call clear()
        call iput(dest, source, 3, 2, n, right)
        call shmem_barrier_all()
        call verify('iput '//name, left, width, 3 * steps, 2 * steps)
        call clear()
        call iget(dest, source, 5, 4, n, right)
        call verify('iget '//name, right, width, 5 * steps, 4 * steps)
    end subroutine

    subroutine indexed4(name, ixput, ixget)
        character(*), intent(in) :: name
        procedure(shmem_i_index4) :: ixput, ixget
        call clear()
        call ixput(dest, source, index4, n, right)
        call shmem_barrier_all()
        call verify('ixput '//name, left, 1, int(index4), [(i, i=0, n - 1)])
        call clear()
        call ixget(dest, source, index4, n, right)
        call verify('ixget '//name, right, 1, [(i, i=0, n - 1)], int(index4))
    end subroutine

    subroutine indexed8(name, ixput, ixget)
        character(*), intent(in) :: name
        procedure(shmem_i_index8) :: ixput, ixget
        call clear()
        call ixput(dest, source, index8, n, right)
        call shmem_barrier_all()
        call verify('ixput '//name, left, 2, int(index8), [(i, i=0, n - 1)])
        call clear()
        call ixget(dest, source, index8, n, right)
        call verify('ixget '//name, right, 2, [(i, i=0, n - 1)], int(index8))
    end subroutine

    ! Elements of one byte, as text.
    subroutine characters()
        character(12), save :: text, mine
        text = '............'
        mine = 'abcdefghijkl'
        call shmem_barrier_all()
        call shmem_character_iput(text, mine, 2, 3, 4, right)
        call shmem_barrier_all()
        call check(text == 'a.d.g.j.....', 'iput character: '//text)
        call shmem_barrier_all()
        text = '............'
        call shmem_character_iget(text, mine, 3, 2, 4, right)
        call check(text == 'a..c..e..g..', 'iget character: '//text)
    end subroutine
end program
