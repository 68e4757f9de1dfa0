! SPDX-License-Identifier: BSD-3-Clause
!
! Array sections that are not contiguous as buffers of mpi_f08 (19.1.12): messages of all kinds.
! What is sent comes back to where it is looked at after the completion: a copy of the compiler's would be gone.
module shapes
  implicit none
  type particle
    sequence
    integer :: id
    real :: place(3)
    character(len=4) :: name
  end type
  type base
    integer :: first
  end type
  type, extends(base) :: longer
    integer :: more(2)
  end type
end module

program sections
  use fcheck
  use mpi_f08
  use shapes
  implicit none
  integer :: size, next, previous, i
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, my_rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  next = mod(my_rank + 1, size)
  previous = mod(my_rank + size - 1, size)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN)
  call check(MPI_SUBARRAYS_SUPPORTED .and. MPI_ASYNC_PROTECTS_NONBLOCKING, 'constants')
  call plain()
  call components()
  call characters()
  call flat()
  call arrays()
  call partial_counts()
  call laid_over()
  call random_shapes()
  call persistent()
  call partitioned()
  call other_messages()
  call wrong()
  call MPI_Finalize()
  call finish()

contains

  ! n integers that tell the rank and their number.
  function numbers(rank, n) result(x)
    integer, intent(in) :: rank, n
    integer :: x(n), k
    x = [(1000 * rank + k, k = 1, n)]
  end function

  ! Rows, blocks, backwards; the rest stays as it was.
  subroutine plain()
    integer, asynchronous :: a(8, 9), b(8, 9)
    type(MPI_Request) :: r(8)
    a = reshape(numbers(my_rank, 72), [8, 9])
    b = -1
    call MPI_Irecv(b(2, :), 9, MPI_INTEGER, previous, 1, MPI_COMM_WORLD, r(1))
    call MPI_Irecv(b(8:3:-2, 1:9:4), 9, MPI_INTEGER, previous, 2, MPI_COMM_WORLD, r(2))
    call MPI_Irecv(b(5:7, 2:3), 6, MPI_INTEGER, previous, 3, MPI_COMM_WORLD, r(3))
    call MPI_Irecv(b(1, 9:2:-1), 8_MPI_COUNT_KIND, MPI_INTEGER, previous, 4, MPI_COMM_WORLD, r(4))
    call MPI_Isend(a(7, :), 9, MPI_INTEGER, next, 1, MPI_COMM_WORLD, r(5))
    call MPI_Issend(a(8:3:-2, 1:9:4), 9, MPI_INTEGER, next, 2, MPI_COMM_WORLD, r(6))
    call MPI_Isend(a(2:4, 8:9), 6, MPI_INTEGER, next, 3, MPI_COMM_WORLD, r(7))
    call MPI_Isend(a(1, 1:8), 8_MPI_COUNT_KIND, MPI_INTEGER, next, 4, MPI_COMM_WORLD, r(8))
    call MPI_Waitall(8, r, MPI_STATUSES_IGNORE)
    a = reshape(numbers(previous, 72), [8, 9])
    call check(all(b(2, :) == a(7, :)), 'a row')
    call check(all(b(8:4:-2, 1:9:4) == a(8:4:-2, 1:9:4)), 'a block backwards')
    call check(all(b(5:7, 2:3) == a(2:4, 8:9)), 'a block')
    call check(all(b(1, 9:2:-1) == a(1, 1:8)), 'a row backwards')
    call check(count(b == -1) == 72 - 9 - 9 - 6 - 8, 'nothing else')
  end subroutine

  ! Parts of variables of derived type and of complex numbers: gfortran copies them for a call, so blocking calls only. Pointers
  ! to them that come from elsewhere, and assumed-shape arguments, are passed as they are.
  subroutine components()
    type(particle), asynchronous, target :: p(7), q(7)
    complex :: z(5), w(5)
    real, pointer, asynchronous :: y(:)
    real, asynchronous :: x(8)
    type(MPI_Request) :: r(2)
    p = [(particle(i, [1., 2., 3.] * i + my_rank, 'abcd'), i = 1, 7)]
    q = particle(0, 0., '    ')
    z = [(cmplx(i, my_rank), i = 1, 5)]
    w = 0
    x = 0
    call MPI_Sendrecv(p%id, 7, MPI_INTEGER, next, 1, q(:)%id, 7, MPI_INTEGER, previous, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call MPI_Sendrecv(z%re, 5, MPI_REAL, next, 4, w%re, 5, MPI_REAL, previous, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call MPI_Sendrecv(p(::2)%place(1), 4, MPI_REAL, next, 5, q(::2)%place(1), 4, MPI_REAL, previous, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call receive(x(8:2:-2), r(1))
    call point(y, q)
    call MPI_Irecv(y, 7, MPI_REAL, previous, 3, MPI_COMM_WORLD, r(2))
    call MPI_Send([1., 3., 5., 7.] + my_rank, 4, MPI_REAL, next, 2, MPI_COMM_WORLD)
    call MPI_Send(p%place(2), 7, MPI_REAL, next, 3, MPI_COMM_WORLD)
    call MPI_Waitall(2, r, MPI_STATUSES_IGNORE)
    call check(all(q%id == p%id), 'components')
    call check(all(q(::2)%place(1) == [1., 3., 5., 7.] + previous) .and. all(q(2::2)%place(1) == 0), 'components of every other')
    call check(all(x == [0., 7., 0., 5., 0., 3., 0., 1.] + merge(previous, 0, x > 0)), 'an assumed-shape argument')
    call check(all(q(7:1:-1)%place(3) == [(2. * i + previous, i = 1, 7)]), 'components by a pointer')
    call check(all(w%re == z%re) .and. all(aimag(w) == 0), 'parts of complex numbers')
    call check(all(q%name == '    ') .and. all(q%place(2) == 0), 'nothing else')
  end subroutine

  subroutine point(y, q)
    real, pointer, intent(out) :: y(:)
    type(particle), target :: q(:)
    y => q(7:1:-1)%place(3)
  end subroutine

  subroutine receive(x, request)
    real, intent(inout), asynchronous :: x(:)
    type(MPI_Request), intent(out) :: request
    call MPI_Irecv(x, 4, MPI_REAL, previous, 2, MPI_COMM_WORLD, request)
  end subroutine

  subroutine characters()
    character(len=5), asynchronous :: a(6), b(6)
    type(MPI_Request) :: r
    a = ['alpha', 'bravo', 'charl', 'delta', 'echo ', 'foxtr']
    b = '.....'
    call MPI_Irecv(b(::2), 15, MPI_CHARACTER, previous, 1, MPI_COMM_WORLD, r)
    call MPI_Send(a(2::2), 15, MPI_CHARACTER, next, 1, MPI_COMM_WORLD)
    call MPI_Sendrecv(a(1:3)(1:2), 6, MPI_CHARACTER, next, 2, b(2::2)(2:3), 6, MPI_CHARACTER, previous, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call MPI_Wait(r, MPI_STATUS_IGNORE)
    call check(all(b == ['bravo', '.al..', 'delta', '.br..', 'foxtr', '.ch..']), 'strings and parts of them')
  end subroutine

  ! What needs no view: scalars, elements that stand for what follows, nothing, arrays of assumed size, special addresses.
  subroutine flat()
    integer, asynchronous, target :: a(4, 5), b(4, 5), one, none(0)
    integer, allocatable :: missing(:, :)
    type(MPI_Request) :: r(2)
    type(MPI_Datatype) :: absolute
    integer(kind=MPI_ADDRESS_KIND) :: places(2)
    a = reshape(numbers(my_rank, 20), [4, 5])
    b = 0
    call MPI_Irecv(b(3, 2), 3, MPI_INTEGER, previous, 1, MPI_COMM_WORLD, r(1))
    call MPI_Isend(a(1, 1), 3, MPI_INTEGER, next, 1, MPI_COMM_WORLD, r(2))
    call MPI_Waitall(2, r, MPI_STATUSES_IGNORE)
    call check(all([b(3:4, 2), b(1, 3)] == numbers(previous, 3)) .and. count(b /= 0) == 3, 'from an element on')
    call MPI_Sendrecv(my_rank, 1, MPI_INTEGER, next, 2, one, 1, MPI_INTEGER, previous, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call check(one == previous, 'an expression and a scalar')
    call MPI_Sendrecv(a(3:2, ::2), 0, MPI_INTEGER, next, 3, none, 0, MPI_INTEGER, previous, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    if (my_rank == 0) allocate (missing(1, size))
    call MPI_Gather(my_rank, 1, MPI_INTEGER, missing, 1, MPI_INTEGER, 0, MPI_COMM_WORLD)
    if (my_rank == 0) call check(all(missing(1, :) == [(i, i = 0, size - 1)]), 'an array that only the root has')
    call assumed_size(a, b)
    call check(all(b(:, 1:3) == a(:, 3:5)), 'assumed size')
    call MPI_Get_address(a(2, :), places(1))
    call MPI_Get_address(a(2, 1), places(2))
    call check(places(1) == places(2), 'address of a section')
    call MPI_Get_address(b(4, 5), places(2))
    call MPI_Type_create_hindexed_block(2, 1, places, MPI_INTEGER, absolute)
    call MPI_Type_commit(absolute)
    call MPI_Isend(MPI_BOTTOM, 1, absolute, next, 4, MPI_COMM_WORLD, r(1))
    call MPI_Recv(b(1, :), 2, MPI_INTEGER, previous, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call MPI_Wait(r(1), MPI_STATUS_IGNORE)
    call check(b(1, 1) == 1000 * previous + 2, 'MPI_BOTTOM')
    call MPI_Type_free(absolute)
  end subroutine

  subroutine assumed_size(x, y)
    integer, asynchronous :: x(4, *), y(4, *)
    integer, asynchronous :: z(2, 3)
    type(MPI_Request) :: r
    call MPI_Irecv(y, 12, MPI_INTEGER, my_rank, 0, MPI_COMM_WORLD, r)
    call MPI_Send(x(1, 3), 12, MPI_INTEGER, my_rank, 0, MPI_COMM_WORLD)
    call MPI_Wait(r, MPI_STATUS_IGNORE)
    call MPI_Irecv(z, 6, MPI_INTEGER, my_rank, 0, MPI_COMM_WORLD, r)
    call MPI_Send(x(2:3, 1:3), 6, MPI_INTEGER, my_rank, 0, MPI_COMM_WORLD)
    call MPI_Wait(r, MPI_STATUS_IGNORE)
    call check(all(z == x(2:3, 1:3)), 'a section of an assumed-size array')
  end subroutine

  ! Whole arrays of all kinds: what intrinsic functions have allocated, polymorphic ones, with lower bounds of their own.
  subroutine arrays()
    integer, allocatable, asynchronous :: packed(:), reshaped(:, :), product(:, :), turned(:, :)
    class(base), allocatable, asynchronous :: a(:)
    type(longer), asynchronous :: b(-2:1), c(2)
    type(MPI_Request) :: r(6)
    integer :: m(3, 4), got(3, 4, 4)
    m = reshape([(i, i = 1, 12)], [3, 4])
    packed = pack(m, m > 0)
    reshaped = reshape(m, [3, 4])
    turned = transpose(m)
    product = matmul(m, turned)
    call MPI_Isend(packed, 12, MPI_INTEGER, my_rank, 0, MPI_COMM_WORLD, r(1))
    call MPI_Isend(reshaped, 12, MPI_INTEGER, my_rank, 0, MPI_COMM_WORLD, r(2))
    call MPI_Isend(turned, 12, MPI_INTEGER, my_rank, 0, MPI_COMM_WORLD, r(3))
    call MPI_Isend(product, 9, MPI_INTEGER, my_rank, 0, MPI_COMM_WORLD, r(4))
    do i = 1, 4
      call MPI_Recv(got(:, :, i), 12, MPI_INTEGER, my_rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    end do
    call MPI_Waitall(4, r, MPI_STATUSES_IGNORE)
    call check(all(got(:, :, 1) == m) .and. all(got(:, :, 2) == m), 'packed and reshaped')
    call check(all(reshape(got(:, :, 3), [4, 3]) == transpose(m)), 'transposed')
    call check(all(got(:, :3, 4) == matmul(m, transpose(m))), 'multiplied')
    a = [(longer(i, [10 * i, 20 * i]), i = 1, 4)]
    b = longer(0, 0)
    call MPI_Irecv(b, 12, MPI_INTEGER, my_rank, 0, MPI_COMM_WORLD, r(5))
    call MPI_Irecv(c, 6, MPI_INTEGER, my_rank, 1, MPI_COMM_WORLD, r(6))
    call MPI_Send(a, 12, MPI_INTEGER, my_rank, 0, MPI_COMM_WORLD)
    call MPI_Send(a(4:1:-2), 6, MPI_INTEGER, my_rank, 1, MPI_COMM_WORLD)
    call MPI_Waitall(2, r(5:6), MPI_STATUSES_IGNORE)
    call check(all(b%first == [1, 2, 3, 4]) .and. all(b%more(2) == [20, 40, 60, 80]), 'a polymorphic array')
    call check(all(c%first == [4, 2]) .and. all(c%more(1) == [40, 20]), 'a section of it')
  end subroutine

  ! Any number of elements, of sections of three dimensions.
  subroutine partial_counts()
    integer, asynchronous :: a(7, 5, 6), b(60), c(7, 5, 6)
    integer :: expected(60), n
    type(MPI_Request) :: r(2)
    a = reshape(numbers(0, 210), [7, 5, 6])
    expected = reshape(a(7:1:-2, 1:5, 2:6:2), [60])
    do n = 1, 60
      b = 0
      c = 0
      call MPI_Irecv(b, n, MPI_INTEGER, my_rank, 0, MPI_COMM_WORLD, r(1))
      call MPI_Isend(a(7:1:-2, 1:5, 2:6:2), n, MPI_INTEGER, my_rank, 0, MPI_COMM_WORLD, r(2))
      call MPI_Waitall(2, r, MPI_STATUSES_IGNORE)
      call check(all(b(:n) == expected(:n)) .and. all(b(n + 1:) == 0), 'the first elements of a section')
      call MPI_Irecv(c(7:1:-2, 1:5, 2:6:2), n, MPI_INTEGER, my_rank, 0, MPI_COMM_WORLD, r(1))
      call MPI_Isend(b, n, MPI_INTEGER, my_rank, 0, MPI_COMM_WORLD, r(2))
      call MPI_Waitall(2, r, MPI_STATUSES_IGNORE)
      call check(sum(c) == sum(expected(:n)) .and. all(reshape(c(7:1:-2, :, 2:6:2), [60]) == b), 'into the first elements')
    end do
  end subroutine

  ! A datatype is laid over the section's elements as if these were contiguous.
  subroutine laid_over()
    type(MPI_Datatype) :: t, u
    complex, asynchronous :: z(6)
    character(len=1), asynchronous :: c(64), d(64)
    type(MPI_Request) :: r
    real :: x(5)
    integer :: k, number
    call MPI_Type_contiguous(3, MPI_INTEGER, t)
    call over(t, 5, 'triples')
    call MPI_Type_vector(3, 2, 4, MPI_INTEGER, t)
    call over(t, 2, 'a vector')
    call MPI_Type_indexed(3, [2, 1, 3], [11, 4, 0], MPI_INTEGER, t)
    call over(t, 1, 'blocks out of order')
    call MPI_Type_vector(2, 1, 3, MPI_INTEGER, u)
    call MPI_Type_create_resized(u, 0_MPI_ADDRESS_KIND, 8_MPI_ADDRESS_KIND, t)
    call MPI_Type_free(u)
    call over(t, 4, 'elements between each other')
    call MPI_Type_create_struct(2, [3, 2], [2_MPI_ADDRESS_KIND, 24_MPI_ADDRESS_KIND], [MPI_INTEGER2, MPI_INTEGER], t)
    call over(t, 3, 'a structure')
    call MPI_Type_contiguous(3, MPI_INTEGER8, t)
    call over(t, 2, 'numbers longer than elements')
    call MPI_Type_dup(MPI_INTEGER2, t)
    call over(t, 15, 'numbers shorter than elements')
    ! Half a complex number, and a number that lies in four places.
    z = [(cmplx(i, -i), i = 1, 6)]
    call MPI_Isend(z(1:5:2), 5, MPI_REAL, my_rank, 0, MPI_COMM_WORLD, r)
    call MPI_Recv(x, 5, MPI_REAL, my_rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call MPI_Wait(r, MPI_STATUS_IGNORE)
    call check(all(x == [1., -1., 3., -3., 5.]), 'reals of complex numbers')
    c = [(achar(k), k = 1, 64)]
    d = '.'
    call MPI_Irecv(d(64:1:-2), 8, MPI_INTEGER, my_rank, 0, MPI_COMM_WORLD, r)
    call MPI_Send(c(1::2), 8, MPI_INTEGER, my_rank, 0, MPI_COMM_WORLD)
    call MPI_Wait(r, MPI_STATUS_IGNORE)
    call check(all(d(64:2:-2) == c(1::2)) .and. all(d(1::2) == '.'), 'numbers of bytes far apart')
    call MPI_Sendrecv(c(1::2), 1, MPI_INTEGER, my_rank, 0, number, 1, MPI_INTEGER, my_rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call check(number == transfer(c(1:7:2), number), 'one of them')
  end subroutine

  ! n of t, which is freed, from and to a section: the same as from and to its elements in a row.
  subroutine over(t, n, what)
    type(MPI_Datatype), intent(inout) :: t
    integer, intent(in) :: n
    character(len=*), intent(in) :: what
    integer, asynchronous :: a(5, 24), b(4, 14), row(24), back(28)
    character(len=1) :: packed(200), also(200)
    type(MPI_Request) :: r
    integer :: bytes
    call MPI_Type_commit(t)
    call MPI_Type_size(t, bytes)
    bytes = bytes * n
    a = reshape(numbers(3, 120), [5, 24])
    row = a(4, :)
    call MPI_Isend(a(4, :), n, t, my_rank, 0, MPI_COMM_WORLD, r)
    call MPI_Recv(packed, 200, MPI_PACKED, my_rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call MPI_Wait(r, MPI_STATUS_IGNORE)
    call MPI_Isend(row, n, t, my_rank, 0, MPI_COMM_WORLD, r)
    call MPI_Recv(also, 200, MPI_PACKED, my_rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call MPI_Wait(r, MPI_STATUS_IGNORE)
    call check(all(packed(:bytes) == also(:bytes)), 'from a section: ' // what)
    b = 0
    back = 0
    call MPI_Irecv(b(4:1:-2, 14:1:-1), n, t, my_rank, 0, MPI_COMM_WORLD, r)
    call MPI_Send(row, n, t, my_rank, 0, MPI_COMM_WORLD)
    call MPI_Wait(r, MPI_STATUS_IGNORE)
    call MPI_Irecv(back, n, t, my_rank, 0, MPI_COMM_WORLD, r)
    call MPI_Send(row, n, t, my_rank, 0, MPI_COMM_WORLD)
    call MPI_Wait(r, MPI_STATUS_IGNORE)
    call check(all(reshape(b(4:1:-2, 14:1:-1), [28]) == back) .and. sum(b) == sum(back), 'to a section: ' // what)
    call MPI_Type_free(t)
  end subroutine

  ! Sections and types by chance, to and from; the seed is the same in every run.
  subroutine random_shapes()
    integer, parameter :: cases = 400, bytes = 12 * 10 * 11 * 4
    integer, asynchronous :: a(12, 10, 11), b(12, 10, 11)
    integer, allocatable, asynchronous :: row(:)
    integer, allocatable :: seed(:)
    character(len=1) :: packed(bytes), also(bytes)
    integer :: first(3), last(3), step(3), n, k, m
    type(MPI_Datatype) :: types(5)
    type(MPI_Request) :: r
    integer(kind=MPI_ADDRESS_KIND) :: lb, extent
    call random_seed(size=n)
    allocate (seed(n))
    seed = 20000
    call random_seed(put=seed)
    types(1) = MPI_INTEGER
    types(2) = MPI_INTEGER2
    call MPI_Type_contiguous(3, MPI_INTEGER, types(3))
    call MPI_Type_vector(2, 1, 2, MPI_INTEGER8, types(4))
    call MPI_Type_create_struct(2, [1, 3], [4_MPI_ADDRESS_KIND, 8_MPI_ADDRESS_KIND], [MPI_INTEGER, MPI_INTEGER1], types(5))
    a = reshape(numbers(my_rank, 12 * 10 * 11), [12, 10, 11])
    do k = 1, cases
      call bounds(first, last, step)
      m = mod(k, 5) + 1
      if (m > 2) call MPI_Type_commit(types(m))
      row = pack(a(first(1):last(1):step(1), first(2):last(2):step(2), first(3):last(3):step(3)), .true.)
      call MPI_Type_get_true_extent(types(m), lb, extent)
      n = int(4 * ubound(row, 1) - lb - extent)
      call MPI_Type_get_extent(types(m), lb, extent)
      if (n < 0) cycle
      n = min(below(int(n / extent) + 2), int(n / extent) + 1)
      packed = '.'
      also = '.'
      call MPI_Isend(a(first(1):last(1):step(1), first(2):last(2):step(2), first(3):last(3):step(3)), n, types(m), my_rank, 0, &
                     MPI_COMM_WORLD, r)
      call MPI_Recv(packed, bytes, MPI_PACKED, my_rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
      call MPI_Wait(r, MPI_STATUS_IGNORE)
      call MPI_Sendrecv(row, n, types(m), my_rank, 0, also, bytes, MPI_PACKED, my_rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
      call check(all(packed == also), 'a random section is sent')
      b = 0
      call MPI_Irecv(b(first(1):last(1):step(1), first(2):last(2):step(2), first(3):last(3):step(3)), n, types(m), my_rank, 0, &
                     MPI_COMM_WORLD, r)
      call MPI_Send(row, n, types(m), my_rank, 0, MPI_COMM_WORLD)
      call MPI_Wait(r, MPI_STATUS_IGNORE)
      row = 0
      call MPI_Irecv(row, n, types(m), my_rank, 0, MPI_COMM_WORLD, r)
      call MPI_Send(a(first(1):last(1):step(1), first(2):last(2):step(2), first(3):last(3):step(3)), n, types(m), my_rank, 0, MPI_COMM_WORLD)
      call MPI_Wait(r, MPI_STATUS_IGNORE)
      call check(all(pack(b(first(1):last(1):step(1), first(2):last(2):step(2), first(3):last(3):step(3)), .true.) == row) .and. &
                 sum(b) == sum(row), 'a random section receives')
    end do
    do m = 3, 5
      call MPI_Type_free(types(m))
    end do
  end subroutine

  ! 1 to n, or less when there is none.
  integer function below(n)
    integer, intent(in) :: n
    real :: x
    call random_number(x)
    below = 1 + int(x * n)
  end function

  subroutine bounds(first, last, step)
    integer, intent(out) :: first(3), last(3), step(3)
    integer :: d, sizes(3), one
    sizes = [12, 10, 11]
    do d = 1, 3
      one = below(sizes(d))
      first(d) = one
      last(d) = below(sizes(d))
      step(d) = below(3)
      if (last(d) < first(d)) step(d) = -step(d)
    end do
  end subroutine

  ! What is in the section when it is started counts.
  subroutine persistent()
    integer, asynchronous :: a(3, 500), b(2, 500)
    type(MPI_Request) :: r(2)
    integer :: round
    call MPI_Recv_init(b(2, :), 500, MPI_INTEGER, previous, 0, MPI_COMM_WORLD, r(1))
    call MPI_Send_init(a(2, 500:1:-1), 500, MPI_INTEGER, next, 0, MPI_COMM_WORLD, r(2))
    do round = 1, 3
      a(2, :) = numbers(my_rank, 500) * round
      b = 0
      call MPI_Startall(2, r)
      call MPI_Waitall(2, r, MPI_STATUSES_IGNORE)
      call check(all(b(2, 500:1:-1) == numbers(previous, 500) * round) .and. all(b(1, :) == 0), 'a persistent request')
    end do
    call MPI_Request_free(r(1))
    call MPI_Request_free(r(2))
  end subroutine

  ! Partitions begin anywhere in the section.
  subroutine partitioned()
    integer, asynchronous :: a(2, 5, 18), b(7, 30)
    type(MPI_Request) :: r(2)
    integer :: round, k
    call MPI_Precv_init(b(7:2:-1, 1:30:2), 5, 18_MPI_COUNT_KIND, MPI_INTEGER, previous, 0, MPI_COMM_WORLD, MPI_INFO_NULL, r(1))
    call MPI_Psend_init(a(2, :, :), 6, 15_MPI_COUNT_KIND, MPI_INTEGER, next, 0, MPI_COMM_WORLD, MPI_INFO_NULL, r(2))
    do round = 1, 2
      b = 0
      call MPI_Startall(2, r)
      a(2, :, :) = reshape(numbers(my_rank, 90) * round, [5, 18])
      do k = 5, 0, -1
        call MPI_Pready(k, r(2))
      end do
      call MPI_Waitall(2, r, MPI_STATUSES_IGNORE)
      call check(all(reshape(b(7:2:-1, 1:30:2), [90]) == numbers(previous, 90) * round), 'partitions')
      call check(all(b(:, 2:30:2) == 0) .and. all(b(1, :) == 0), 'nothing else')
    end do
    call MPI_Request_free(r(1))
    call MPI_Request_free(r(2))
  end subroutine

  subroutine other_messages()
    integer, asynchronous :: a(3, 40), b(40, 2), buffer(200)
    integer :: expected(40), position
    character(len=1), asynchronous :: packed(2, 400)
    type(MPI_Request) :: r
    type(MPI_Message) :: message
    type(MPI_Status) :: status
    a(2, :) = numbers(my_rank, 40)
    expected = numbers(previous, 40)
    call MPI_Sendrecv_replace(a(2, :), 40, MPI_INTEGER, next, 0, previous, 0, MPI_COMM_WORLD, status)
    call check(all(a(2, :) == expected), 'sendrecv_replace')
    call MPI_Isendrecv_replace(a(2, :), 40, MPI_INTEGER, previous, 0, next, 0, MPI_COMM_WORLD, r)
    call MPI_Wait(r, status)
    call check(all(a(2, :) == numbers(my_rank, 40)), 'isendrecv_replace')
    call MPI_Isendrecv(a(2, :), 40, MPI_INTEGER, next, 0, b(40:1:-1, 1), 40, MPI_INTEGER, previous, 0, MPI_COMM_WORLD, r)
    call MPI_Wait(r, status)
    call check(all(b(40:1:-1, 1) == expected), 'isendrecv')
    call MPI_Buffer_attach(buffer, 800)
    call MPI_Ibsend(a(2, :), 40, MPI_INTEGER, next, 5, MPI_COMM_WORLD, r)
    call MPI_Wait(r, MPI_STATUS_IGNORE)
    a(2, :) = 0
    call MPI_Mprobe(previous, 5, MPI_COMM_WORLD, message, status)
    call MPI_Get_count(status, MPI_INTEGER, i)
    call check(i == 40, 'count of a section')
    b = 0
    call MPI_Imrecv(b(40:1:-1, 2), 40, MPI_INTEGER, message, r)
    call MPI_Wait(r, MPI_STATUS_IGNORE)
    call check(all(b(40:1:-1, 2) == expected) .and. all(b(:, 1) == 0), 'ibsend and imrecv')
    call MPI_Buffer_flush()
    call detach()
    packed = '.'
    position = 0
    call MPI_Pack(b(40:1:-1, 2), 40, MPI_INTEGER, packed(2, :), 400, position, MPI_COMM_WORLD)
    a = 0
    position = 0
    call MPI_Unpack(packed(2, :), 400, position, a(3, :), 40, MPI_INTEGER, MPI_COMM_WORLD)
    call check(all(a(3, :) == expected) .and. sum(a) == sum(expected) .and. all(packed(1, :) == '.'), 'pack and unpack')
    call external()
  end subroutine

  subroutine detach()
    use, intrinsic :: iso_c_binding
    type(c_ptr) :: p
    integer :: bytes
    call MPI_Buffer_detach(p, bytes)
    call check(bytes == 800, 'the attached buffer')
  end subroutine

  subroutine external()
    integer :: a(2, 10), b(10)
    character(len=1) :: packed(3, 40)
    integer(kind=MPI_ADDRESS_KIND) :: position
    a(2, :) = numbers(5, 10)
    position = 0
    call MPI_Pack_external('external32  ', a(2, :), 10, MPI_INTEGER, packed(3, :), 40_MPI_ADDRESS_KIND, position)
    call check(position == 40, 'pack_external')
    position = 0
    b = 0
    call MPI_Unpack_external('external32', packed(3, :), 40_MPI_ADDRESS_KIND, position, b(10:1:-1), 10, MPI_INTEGER)
    call check(all(b(10:1:-1) == a(2, :)), 'unpack_external')
  end subroutine

  ! Sections that are too small, or not what the call can use.
  subroutine wrong()
    integer, asynchronous :: a(4, 10)
    type(MPI_Request) :: r
    type(MPI_Win) :: win
    integer :: code, class
    a = 0
    call MPI_Isend(a(1, :), 11, MPI_INTEGER, my_rank, 0, MPI_COMM_WORLD, r, code)
    call MPI_Error_class(code, class)
    call check(class == MPI_ERR_BUFFER, 'more than the section has')
    call MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, win)
    call MPI_Win_attach(win, a(1, :), 40_MPI_ADDRESS_KIND, code)
    call MPI_Error_class(code, class)
    call check(class == MPI_ERR_BUFFER, 'a window of a section')
    call MPI_Win_free(win)
    call MPI_Send(a(1, :), 5, MPI_DATATYPE_NULL, my_rank, 0, MPI_COMM_WORLD, code)
    call MPI_Error_class(code, class)
    call check(class == MPI_ERR_TYPE, 'no datatype')
    call MPI_Send(a(1, :), -1, MPI_INTEGER, my_rank, 0, MPI_COMM_WORLD, code)
    call MPI_Error_class(code, class)
    call check(class == MPI_ERR_COUNT, 'a negative count')
  end subroutine
end program
