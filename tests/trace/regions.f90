! SPDX-License-Identifier: BSD-3-Clause
! For regions.py: the same in Fortran, with a name that has blanks at its end.
program regions
  use mpi_f08
  implicit none
  interface
    subroutine mpt_region_begin(name)
      character(len=*), intent(in) :: name
    end subroutine
    subroutine mpt_region_end()
    end subroutine
  end interface
  character(len=12) :: name

  name = 'work'
  call MPI_Init()
  call mpt_region_begin('all')
  call mpt_region_begin(name)
  call mpt_region_begin(trim(name))
  call mpt_region_end()
  call mpt_region_end()
  call MPI_Barrier(MPI_COMM_WORLD)
  call mpt_region_end()
  call MPI_Barrier(MPI_COMM_WORLD)
  call MPI_Finalize()
end program
