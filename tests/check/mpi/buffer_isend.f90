! SPDX-License-Identifier: BSD-3-Clause
!
! The field is advanced while its border is being sent.
! check: buffer-in-use
! compile: -cpp
program buffer_isend
  use mpi_f08
  implicit none
  integer :: rank, nranks, i
  type(MPI_Request) :: request
  real(8), asynchronous :: field(100)
  real(8) :: border(10)

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, nranks)
  field = rank
  call MPI_Isend(field(91:100), 10, MPI_DOUBLE_PRECISION, mod(rank + 1, nranks), 0, MPI_COMM_WORLD, request) ! found
#ifdef WRONG
  do i = 1, 100
#else
  do i = 1, 90
#endif
    field(i) = field(i) + i
  end do
  call MPI_Recv(border, 10, MPI_DOUBLE_PRECISION, mod(rank + nranks - 1, nranks), 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  call MPI_Finalize()
end program
