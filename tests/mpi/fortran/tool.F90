! SPDX-License-Identifier: BSD-3-Clause
!
! A tool's view (15.2): it defines MPI_ names itself, and reaches the library by PMPI_
! ones. Fixed names of specific procedures are what it defines for mpi_f08.
#include "forms.h"
#if FORM == 8
#define BARRIER mpi_barrier_f08
#define OPTIONAL_ optional,
#else
#define BARRIER mpi_barrier
#define OPTIONAL_
#endif
module counts
  implicit none
  integer :: barriers = 0
end module

subroutine BARRIER(comm, ierror)
  use counts
  USES, barrier_unused => BARRIER, own_unused => MPI_Barrier
  implicit none
  COMM_T, intent(in) :: comm
  integer, OPTIONAL_ intent(out) :: ierror
  barriers = barriers + 1
  call PMPI_Barrier(comm, ierror)
end subroutine

program tool
  use fcheck
  use counts
  USES
  implicit none
  integer :: ierr
  call MPI_Init(ierr)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call good(ierr, 'barrier')
#if FORM == 8
  call MPI_Barrier(MPI_COMM_WORLD)
  call check(barriers == 2, 'counted')
#else
  call check(barriers == 1, 'counted')
#endif
  call PMPI_Barrier(MPI_COMM_WORLD, ierr)
  call check(barriers <= 2, 'not counted')
  call MPI_Finalize(ierr)
  call finish()
end program
