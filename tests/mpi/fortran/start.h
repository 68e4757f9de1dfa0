! SPDX-License-Identifier: BSD-3-Clause
!
! How the programs begin: who am I, and how many are we.
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, my_rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
