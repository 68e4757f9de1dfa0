! SPDX-License-Identifier: BSD-3-Clause
!
! Broadcast, collect, fcollect, alltoall and alltoalls in both sizes, and barriers,
! over all PEs and over every second PE, with a pSync that lies on half a word.
module collective_buffers
    use shmem
    implicit none
    integer, parameter :: room = 4096
    integer(4), save, target :: dest(0:room - 1), source(0:room - 1)
    integer, save, target :: sync1(SHMEM_COLLECT_SYNC_SIZE + 1) = SHMEM_SYNC_VALUE
    integer, save, target :: sync2(SHMEM_COLLECT_SYNC_SIZE + 1) = SHMEM_SYNC_VALUE
    integer, save, target :: flag = 0
end module

program collectives
    use shmem
    use collective_buffers
    implicit none
    integer :: me, npes
    call check_start()
    me = shmem_my_pe()
    npes = shmem_n_pes()
    call all_calls(0, 0, npes, sync1(1), sync2(1))
    call all_calls(0, 0, npes, sync1(2), sync2(2))
    if (mod(me, 2) == 0) call all_calls(0, 1, (npes + 1) / 2, sync1(1), sync2(2))
    call shmem_barrier_all()
    if (me >= 1) call all_calls(1, 0, npes - 1, sync1(2), sync2(1))
    call shmem_barrier_all()
    call check(all(sync1 == SHMEM_SYNC_VALUE) .and. all(sync2 == SHMEM_SYNC_VALUE), 'pSync is left as it was')
    call check_finish()

end program

! Every call, over the PEs start + i * 2**log_stride, i < n, with two work arrays in turn.
subroutine all_calls(start, log_stride, n, a, b)
    use shmem
    use collective_buffers
    implicit none
    integer, intent(in) :: start, log_stride, n
    integer :: a(*), b(*)
    integer :: i, rank
    rank = (shmem_my_pe() - start) / 2**log_stride
    source = [(word(rank, i), i=0, room - 1)]
    call broadcasts('', 2, shmem_broadcast)
    call broadcasts('4', 1, shmem_broadcast4)
    call broadcasts('8', 2, shmem_broadcast8)
    call broadcasts('32', 1, shmem_broadcast32)
    call broadcasts('64', 2, shmem_broadcast64)
    call collects('', 2, shmem_collect, shmem_fcollect)
    call collects('4', 1, shmem_collect4, shmem_fcollect4)
    call collects('8', 2, shmem_collect8, shmem_fcollect8)
    call collects('32', 1, shmem_collect32, shmem_fcollect32)
    call collects('64', 2, shmem_collect64, shmem_fcollect64)
    call exchanges('32', 1, shmem_alltoall32, shmem_alltoalls32)
    call exchanges('64', 2, shmem_alltoall64, shmem_alltoalls64)
    call barriers()
    call clear()
contains

    integer(4) function word(rank, i)
        integer, intent(in) :: rank, i
        word = rank * 1000 + i + 1
    end function

    subroutine clear()
        call shmem_barrier(start, log_stride, n, a)
        dest = 0
        call shmem_barrier(start, log_stride, n, b)
    end subroutine

    ! The root's own dest is not written.
    subroutine broadcasts(name, width, broadcast)
        character(*), intent(in) :: name
        integer, intent(in) :: width
        procedure(shmem_i_broadcast) :: broadcast
        integer :: root, bytes
        root = n - 1
        bytes = 33 * width
        call clear()
        call broadcast(dest, source, 33, root, start, log_stride, n, a)
        if (rank == root) then
            call check(all(dest == 0), 'broadcast'//name//' on the root')
        else
            call check(all(dest(:bytes - 1) == [(word(root, i), i=0, bytes - 1)]) .and. all(dest(bytes:) == 0), &
                       'broadcast'//name)
        end if
    end subroutine

    ! collect: rank r gives r + 1 elements; fcollect: each gives 5.
    subroutine collects(name, width, collect, fcollect)
        character(*), intent(in) :: name
        integer, intent(in) :: width
        procedure(shmem_i_collect) :: collect, fcollect
        call clear()
        call collect(dest, source, rank + 1, start, log_stride, n, a)
        call in_order('collect'//name, [((i + 1) * width, i=0, n - 1)])
        call clear()
        call fcollect(dest, source, 5, start, log_stride, n, b)
        call in_order('fcollect'//name, [(5 * width, i=0, n - 1)])
    end subroutine

    subroutine in_order(name, words)
        character(*), intent(in) :: name
        integer, intent(in) :: words(0:)
        integer :: r, at
        logical :: right
        right = .true.
        at = 0
        do r = 0, n - 1
            right = right .and. all(dest(at:at + words(r) - 1) == [(word(r, i), i=0, words(r) - 1)])
            at = at + words(r)
        end do
        call check(right .and. all(dest(at:) == 0), name)
    end subroutine

    ! Block r of a PE's dest is block `rank` of rank r's source.
    subroutine exchanges(name, width, alltoall, alltoalls)
        character(*), intent(in) :: name
        integer, intent(in) :: width
        procedure(shmem_i_collect) :: alltoall
        procedure(shmem_i_alltoalls) :: alltoalls
        integer(4) :: expected(0:room - 1)
        integer :: r, k, w
        call clear()
        call alltoall(dest, source, 3, start, log_stride, n, a)
        expected = 0
        do r = 0, n - 1
            do w = 0, 3 * width - 1
                expected(r * 3 * width + w) = word(r, rank * 3 * width + w)
            end do
        end do
        call check(all(dest == expected), 'alltoall'//name)
        call clear()
        call alltoalls(dest, source, 2, 3, 4, start, log_stride, n, b)
        expected = 0
        do r = 0, n - 1
            do k = 0, 3
                do w = 0, width - 1
                    expected((r * 4 + k) * 2 * width + w) = word(r, (rank * 4 + k) * 3 * width + w)
                end do
            end do
        end do
        call check(all(dest == expected), 'alltoalls'//name)
    end subroutine

    ! Everybody's increment is seen after either call.
    subroutine barriers()
        call clear()
        call shmem_int4_inc(dest, start)
        call shmem_barrier(start, log_stride, n, a)
        call check(shmem_int4_fetch(dest(0), start) == n, 'barrier')
        call shmem_sync(start, log_stride, n, b)
        call shmem_int4_inc(dest, start)
        call shmem_sync(start, log_stride, n, a)
        call check(shmem_int4_fetch(dest(0), start) == 2 * n, 'sync')
    end subroutine
end subroutine
