! SPDX-License-Identifier: BSD-3-Clause
! $ mpifort regions.f90 -o framed
! $ mptrun -n 2 ./framed
program regions
  use mpi
  implicit none
  integer :: err
  ! LISTING

  call mpi_init(err)
  call mpt_region_begin('assemble')
  call mpi_barrier(mpi_comm_world, err)
  call mpt_region_end()
  call mpi_finalize(err)
end program
