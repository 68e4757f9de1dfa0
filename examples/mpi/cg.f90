! SPDX-License-Identifier: BSD-3-Clause
!
! Conjugate gradients with the module mpi_f08: a one-dimensional Poisson problem, its unknowns dealt out in blocks. A
! step exchanges one value with each neighbour and sums two dot products. Rank and communicator are typed, error
! arguments are left out. The solution is i*(n+1-i).
!
!   mpifort -O2 cg.f90 -o cg && mpiexec -n 4 ./cg
program conjugate_gradients
    use mpi_f08
    implicit none
    integer, parameter :: dp = kind(1d0), n = 600
    type(MPI_Comm) :: world
    integer :: rank, ranks, first, mine, left, right, i, step
    real(dp), allocatable :: x(:), r(:), p(:), q(:)
    real(dp) :: rr, rr_new, alpha, error, largest

    call MPI_Init()
    world = MPI_COMM_WORLD
    call MPI_Comm_rank(world, rank)
    call MPI_Comm_size(world, ranks)
    left = merge(rank - 1, MPI_PROC_NULL, rank > 0)
    right = merge(rank + 1, MPI_PROC_NULL, rank < ranks - 1)
    first = n / ranks * rank + min(rank, mod(n, ranks)) ! unknowns before ours
    mine = n / ranks + merge(1, 0, rank < mod(n, ranks))

    allocate (x(mine), r(mine), q(mine), p(0:mine + 1))
    x = 0
    r = 2
    p = 0
    p(1:mine) = r
    rr = dot(r, r)
    do step = 1, n
        call exchange_ends()
        do i = 1, mine
            q(i) = 2 * p(i) - p(i - 1) - p(i + 1)
        end do
        alpha = rr / dot(p(1:mine), q)
        x = x + alpha * p(1:mine)
        r = r - alpha * q
        rr_new = dot(r, r)
        if (rr_new < 1d-16) exit
        p(1:mine) = r + rr_new / rr * p(1:mine)
        rr = rr_new
    end do

    error = 0
    do i = 1, mine
        error = max(error, abs(x(i) - real(first + i, dp) * (n + 1 - first - i)))
    end do
    call MPI_Allreduce(error, largest, 1, MPI_DOUBLE_PRECISION, MPI_MAX, world)
    if (rank == 0) print '(a, i0, a, es8.1)', 'solved in ', step, ' steps, largest error ', largest
    call MPI_Finalize()
    if (largest > 1d-6) stop 1

contains

    function dot(a, b) result(total)
        real(dp), intent(in) :: a(:), b(:)
        real(dp) :: part, total

        part = dot_product(a, b)
        call MPI_Allreduce(part, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, world)
    end function

    ! p(0) and p(mine+1) from the neighbours; at the ends of the domain they stay 0.
    subroutine exchange_ends()
        call MPI_Sendrecv(p(mine), 1, MPI_DOUBLE_PRECISION, right, 0, &
                          p(0), 1, MPI_DOUBLE_PRECISION, left, 0, world, MPI_STATUS_IGNORE)
        call MPI_Sendrecv(p(1), 1, MPI_DOUBLE_PRECISION, left, 1, &
                          p(mine + 1), 1, MPI_DOUBLE_PRECISION, right, 1, world, MPI_STATUS_IGNORE)
    end subroutine
end program
