! SPDX-License-Identifier: BSD-3-Clause
!
! Array sections that are not contiguous in the collectives of mpi_f08: blocking, nonblocking and persistent, each held
! against the blocking call with arrays that are contiguous. What is between the elements of a section stays as it was.
program sections_coll
  use fcheck
  use mpi_f08
  implicit none
  integer, parameter :: n = 30
  integer :: size, i
  integer, external :: c_wait
  ! The section that is sent is s(2, :), the one that is received d(2, m:1:-1).
  integer, allocatable, asynchronous :: s(:, :), d(:, :)
  integer, allocatable :: sent(:), expected(:)
  type(MPI_Request) :: r
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, my_rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  call reductions()
  call scatters()
  call moves()
  call to_all()
  call in_place()
  call neighbours()
  call gaps()
  call inter()
  call local()
  call MPI_Finalize()
  call finish()

contains

  ! A new round: m elements to send, k to receive.
  subroutine begin(m, k)
    integer, intent(in) :: m, k
    integer, save :: rounds = 0
    rounds = rounds + 1
    if (allocated(s)) deallocate (s, d, sent, expected)
    allocate (s(3, m), d(2, k), sent(m), expected(k))
    sent = [(1000 * my_rank + 7 * rounds + i, i = 1, m)]
    s = -5
    s(2, :) = sent
    d = -1
    expected = -1
  end subroutine

  subroutine same(what)
    character(len=*), intent(in) :: what
    integer :: k
    k = ubound(d, 2)
    call check(all(d(2, k:1:-1) == expected), what)
    call check(all(d(1, :) == -1) .and. all(s(1::2, :) == -5), what // ': nothing else')
    d = -1
  end subroutine

  ! A persistent request, whose second round has other data: all sent values are 3 higher.
  subroutine twice(what)
    character(len=*), intent(in) :: what
    call MPI_Start(r)
    call MPI_Wait(r, MPI_STATUS_IGNORE)
    call same(what // ', first start')
    s(2, :) = s(2, :) + 3
    call MPI_Start(r)
    call MPI_Wait(r, MPI_STATUS_IGNORE)
    d(2, :) = d(2, :) - merge(3, 0, d(2, :) /= -1)
    call same(what // ', second start')
    s(2, :) = sent
    call MPI_Request_free(r)
  end subroutine

  subroutine reductions()
    call begin(n, n)
    call MPI_Allreduce(sent, expected, n, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD)
    call MPI_Allreduce(s(2, :), d(2, n:1:-1), n, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD)
    call same('allreduce')
    call MPI_Iallreduce(s(2, :), d(2, n:1:-1), n, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, r)
    call MPI_Wait(r, MPI_STATUS_IGNORE)
    call same('iallreduce')
    call MPI_Iallreduce(s(2, :), d(2, n:1:-1), int(n, MPI_COUNT_KIND), MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, r)
    call MPI_Wait(r, MPI_STATUS_IGNORE)
    call same('iallreduce, large count')
    call MPI_Iallreduce(s(2, :), d(2, n:1:-1), n, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, r)
    call good(c_wait(r%MPI_VAL), 'a wait in C')
    call same('iallreduce that C completes')
    call MPI_Iallreduce(sent, d(2, n:1:-1), n, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, r)
    call MPI_Wait(r, MPI_STATUS_IGNORE)
    call same('iallreduce from an array')
    call MPI_Allreduce_init(s(2, :), d(2, n:1:-1), n, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, MPI_INFO_NULL, r)
    call twice('allreduce_init')
    expected = -1
    call MPI_Reduce(sent, expected, n, MPI_INTEGER, MPI_MIN, size - 1, MPI_COMM_WORLD)
    call MPI_Ireduce(s(2, :), d(2, n:1:-1), n, MPI_INTEGER, MPI_MIN, size - 1, MPI_COMM_WORLD, r)
    call MPI_Wait(r, MPI_STATUS_IGNORE)
    call same('ireduce')
    call MPI_Reduce_init(s(2, :), d(2, n:1:-1), n, MPI_INTEGER, MPI_MIN, size - 1, MPI_COMM_WORLD, MPI_INFO_NULL, r)
    call twice('reduce_init')
    call MPI_Scan(sent, expected, n, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD)
    call MPI_Iscan(s(2, :), d(2, n:1:-1), n, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, r)
    call MPI_Wait(r, MPI_STATUS_IGNORE)
    call same('iscan')
    expected = -1
    call MPI_Exscan(sent, expected, n, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD)
    call MPI_Iexscan(s(2, :), d(2, n:1:-1), n, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, r)
    call MPI_Wait(r, MPI_STATUS_IGNORE)
    call same('iexscan')
    call MPI_Exscan_init(s(2, :), d(2, n:1:-1), n, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, MPI_INFO_NULL, r)
    call twice('exscan_init')
  end subroutine

  subroutine scatters()
    integer, asynchronous :: counts(size), places(size)
    call begin(5 * size, 5)
    call MPI_Reduce_scatter_block(sent, expected, 5, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD)
    call MPI_Ireduce_scatter_block(s(2, :), d(2, 5:1:-1), 5, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, r)
    call MPI_Wait(r, MPI_STATUS_IGNORE)
    call same('ireduce_scatter_block')
    counts = [(i, i = 1, size)]
    call begin(sum(counts), my_rank + 1)
    call MPI_Reduce_scatter(sent, expected, counts, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD)
    call MPI_Ireduce_scatter(s(2, :), d(2, my_rank + 1:1:-1), counts, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, r)
    call MPI_Wait(r, MPI_STATUS_IGNORE)
    call same('ireduce_scatter')
    call MPI_Reduce_scatter_init(s(2, :), d(2, my_rank + 1:1:-1), counts, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, MPI_INFO_NULL, r)
    call twice('reduce_scatter_init')
    call begin(4 * size, 4)
    call MPI_Scatter(sent, 4, MPI_INTEGER, expected, 4, MPI_INTEGER, 0, MPI_COMM_WORLD)
    call MPI_Scatter(s(2, :), 4, MPI_INTEGER, d(2, 4:1:-1), 4, MPI_INTEGER, 0, MPI_COMM_WORLD)
    call same('scatter')
    call MPI_Iscatter(s(2, :), 4, MPI_INTEGER, d(2, 4:1:-1), 4, MPI_INTEGER, 0, MPI_COMM_WORLD, r)
    call MPI_Wait(r, MPI_STATUS_IGNORE)
    call same('iscatter')
    call MPI_Scatter_init(s(2, :), 4, MPI_INTEGER, d(2, 4:1:-1), 4, MPI_INTEGER, 0, MPI_COMM_WORLD, MPI_INFO_NULL, r)
    call twice('scatter_init')
    counts = 4
    places = [(4 * i, i = size - 1, 0, -1)]
    call MPI_Iscatterv(s(2, :), counts, places, MPI_INTEGER, d(2, 4:1:-1), 4, MPI_INTEGER, 0, MPI_COMM_WORLD, r)
    call MPI_Scatterv(sent, counts, places, MPI_INTEGER, expected, 4, MPI_INTEGER, 0, MPI_COMM_WORLD)
    call MPI_Wait(r, MPI_STATUS_IGNORE)
    call same('iscatterv')
  end subroutine

  subroutine moves()
    type(MPI_Datatype) :: every_other
    integer, asynchronous :: counts(size), places(size)
    integer :: k
    call begin(6, 6 * size)
    k = 6 * size
    call MPI_Allgather(sent, 6, MPI_INTEGER, expected, 6, MPI_INTEGER, MPI_COMM_WORLD)
    call MPI_Allgather(s(2, :), 6, MPI_INTEGER, d(2, k:1:-1), 6, MPI_INTEGER, MPI_COMM_WORLD)
    call same('allgather')
    call MPI_Iallgather(s(2, :), 6, MPI_INTEGER, d(2, k:1:-1), 6, MPI_INTEGER, MPI_COMM_WORLD, r)
    call MPI_Wait(r, MPI_STATUS_IGNORE)
    call same('iallgather')
    call MPI_Allgather_init(s(2, :), 6, MPI_INTEGER, d(2, k:1:-1), 6, MPI_INTEGER, MPI_COMM_WORLD, MPI_INFO_NULL, r)
    call twice('allgather_init')
    call MPI_Type_vector(3, 1, 2, MPI_INTEGER, every_other)
    call MPI_Type_commit(every_other)
    expected = -1
    call MPI_Gather(sent, 1, every_other, expected, 1, every_other, 0, MPI_COMM_WORLD)
    call MPI_Igather(s(2, :), 1, every_other, d(2, k:1:-1), 1, every_other, 0, MPI_COMM_WORLD, r)
    call MPI_Wait(r, MPI_STATUS_IGNORE)
    call same('igather of a derived type')
    call MPI_Type_free(every_other)
    counts = 6
    places = [(6 * i, i = size - 1, 0, -1)]
    call MPI_Allgatherv(sent, 6, MPI_INTEGER, expected, counts, places, MPI_INTEGER, MPI_COMM_WORLD)
    call MPI_Iallgatherv(s(2, :), 6, MPI_INTEGER, d(2, k:1:-1), counts, places, MPI_INTEGER, MPI_COMM_WORLD, r)
    call MPI_Wait(r, MPI_STATUS_IGNORE)
    call same('iallgatherv')
    call broadcasts()
  end subroutine

  subroutine broadcasts()
    integer :: round
    call begin(n, n)
    expected = [(i, i = 1, n)]
    if (my_rank == 0) d(2, n:1:-1) = expected
    call MPI_Bcast(d(2, n:1:-1), n, MPI_INTEGER, 0, MPI_COMM_WORLD)
    call same('bcast')
    if (my_rank == 0) d(2, n:1:-1) = expected
    call MPI_Ibcast(d(2, n:1:-1), n, MPI_INTEGER, 0, MPI_COMM_WORLD, r)
    call MPI_Wait(r, MPI_STATUS_IGNORE)
    call same('ibcast')
    call MPI_Bcast_init(d(2, n:1:-1), n, MPI_INTEGER, size - 1, MPI_COMM_WORLD, MPI_INFO_NULL, r)
    do round = 1, 2
      expected = [(round * i, i = 1, n)]
      if (my_rank == size - 1) d(2, n:1:-1) = expected
      call MPI_Start(r)
      call MPI_Wait(r, MPI_STATUS_IGNORE)
      call same('bcast_init')
    end do
    call MPI_Request_free(r)
  end subroutine

  subroutine to_all()
    integer :: k
    type(MPI_Datatype), asynchronous :: types(size)
    integer, asynchronous :: counts(size), places(size)
    k = 3 * size
    call begin(k, k)
    call MPI_Alltoall(sent, 3, MPI_INTEGER, expected, 3, MPI_INTEGER, MPI_COMM_WORLD)
    call MPI_Alltoall(s(2, :), 3, MPI_INTEGER, d(2, k:1:-1), 3, MPI_INTEGER, MPI_COMM_WORLD)
    call same('alltoall')
    call MPI_Ialltoall(s(2, :), 3, MPI_INTEGER, d(2, k:1:-1), 3, MPI_INTEGER, MPI_COMM_WORLD, r)
    call MPI_Wait(r, MPI_STATUS_IGNORE)
    call same('ialltoall')
    call MPI_Alltoall_init(s(2, :), 3, MPI_INTEGER, d(2, k:1:-1), 3, MPI_INTEGER, MPI_COMM_WORLD, MPI_INFO_NULL, r)
    call twice('alltoall_init')
    types = MPI_INTEGER
    counts = 3
    places = [(12 * i, i = 0, size - 1)]
    call MPI_Ialltoallw(s(2, :), counts, places, types, d(2, k:1:-1), counts, places, types, MPI_COMM_WORLD, r)
    call MPI_Wait(r, MPI_STATUS_IGNORE)
    call same('ialltoallw')
  end subroutine

  ! The section is both sides.
  subroutine in_place()
    call begin(n, n)
    call MPI_Allreduce(sent, expected, n, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD)
    d(2, n:1:-1) = sent
    call MPI_Allreduce(MPI_IN_PLACE, d(2, n:1:-1), n, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD)
    call same('allreduce in place')
    d(2, n:1:-1) = sent
    call MPI_Iallreduce(MPI_IN_PLACE, d(2, n:1:-1), n, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, r)
    call MPI_Wait(r, MPI_STATUS_IGNORE)
    call same('iallreduce in place')
    call begin(3 * size, 3 * size)
    call MPI_Alltoall(sent, 3, MPI_INTEGER, expected, 3, MPI_INTEGER, MPI_COMM_WORLD)
    d(2, 3 * size:1:-1) = sent
    call MPI_Ialltoall(MPI_IN_PLACE, 0, MPI_INTEGER, d(2, 3 * size:1:-1), 3, MPI_INTEGER, MPI_COMM_WORLD, r)
    call MPI_Wait(r, MPI_STATUS_IGNORE)
    call same('ialltoall in place')
  end subroutine

  subroutine neighbours()
    type(MPI_Comm) :: ring
    integer(kind=MPI_ADDRESS_KIND), asynchronous :: at(2)
    integer, asynchronous :: counts(2)
    type(MPI_Datatype), asynchronous :: types(2)
    call MPI_Cart_create(MPI_COMM_WORLD, 1, [size], [.true.], .false., ring)
    call begin(8, 8)
    call MPI_Neighbor_alltoall(sent, 4, MPI_INTEGER, expected, 4, MPI_INTEGER, ring)
    call MPI_Ineighbor_alltoall(s(2, :), 4, MPI_INTEGER, d(2, 8:1:-1), 4, MPI_INTEGER, ring, r)
    call MPI_Wait(r, MPI_STATUS_IGNORE)
    call same('ineighbor_alltoall')
    at = [0, 16]
    counts = 4
    types = MPI_INTEGER
    call MPI_Neighbor_alltoallw_init(s(2, :), counts, at, types, d(2, 8:1:-1), counts, at, types, ring, MPI_INFO_NULL, r)
    call twice('neighbor_alltoallw_init')
    call MPI_Neighbor_allgather(sent, 4, MPI_INTEGER, expected, 4, MPI_INTEGER, ring)
    call MPI_Neighbor_allgather(s(2, :), 4, MPI_INTEGER, d(2, 8:1:-1), 4, MPI_INTEGER, ring)
    call same('neighbor_allgather')
    call MPI_Comm_free(ring)
  end subroutine

  ! Two operations into one section: neither touches what the other receives.
  subroutine gaps()
    type(MPI_Request) :: both(2)
    integer, asynchronous :: counts(size), even(size), odd(size), more(1)
    integer :: k
    k = 2 * size
    call begin(1, k)
    counts = 1
    even = [(2 * i, i = 0, size - 1)]
    odd = even + 1
    more = sent + 100000
    call MPI_Iallgatherv(s(2, :), 1, MPI_INTEGER, d(2, k:1:-1), counts, even, MPI_INTEGER, MPI_COMM_WORLD, both(1))
    call MPI_Iallgatherv(more, 1, MPI_INTEGER, d(2, k:1:-1), counts, odd, MPI_INTEGER, MPI_COMM_WORLD, both(2))
    call MPI_Waitall(2, both, MPI_STATUSES_IGNORE)
    call MPI_Allgather(sent, 1, MPI_INTEGER, expected(1:k:2), 1, MPI_INTEGER, MPI_COMM_WORLD)
    expected(2:k:2) = expected(1:k:2) + 100000
    call same('two operations into one section')
  end subroutine

  ! Between two groups: each gets the other's.
  subroutine inter()
    type(MPI_Comm) :: half, other
    if (size < 2) return
    call MPI_Comm_split(MPI_COMM_WORLD, mod(my_rank, 2), my_rank, half)
    call MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - mod(my_rank, 2), 0, other)
    call begin(n, n)
    call MPI_Allreduce(sent, expected, n, MPI_INTEGER, MPI_MAX, other)
    call MPI_Iallreduce(s(2, :), d(2, n:1:-1), n, MPI_INTEGER, MPI_MAX, other, r)
    call MPI_Wait(r, MPI_STATUS_IGNORE)
    call same('iallreduce between groups')
    call MPI_Comm_free(other)
    call MPI_Comm_free(half)
  end subroutine

  subroutine local()
    call begin(n, n)
    d(2, :) = 1000
    expected = 1000 + sent
    call MPI_Reduce_local(s(2, :), d(2, n:1:-1), n, MPI_INTEGER, MPI_SUM)
    call same('reduce_local')
  end subroutine
end program
