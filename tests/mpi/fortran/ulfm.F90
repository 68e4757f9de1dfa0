! SPDX-License-Identifier: BSD-3-Clause
!
! Failure mitigation: the last rank dies (without finalizing), the others agree, shrink and go on.
#include "forms.h"
program ulfm
  USES
  use fcheck
  implicit none
  INCLUDES
  COMM_T :: shrunk, later
  GROUP_T :: failed
  REQUEST_T :: request
  integer :: ierr, size, class, flag, n, total
  logical :: revoked
#include "start.h"
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  if (size > 1 .and. my_rank == size - 1) stop 3
  flag = 7
  if (my_rank == 0) flag = 6
  call MPIX_Comm_agree(MPI_COMM_WORLD, flag, ierr)
  call MPI_Error_class(ierr, class, total)
  if (size > 1) call check(class == MPIX_ERR_PROC_FAILED, 'class of an agreement')
  call check(flag == 6, 'flag of an agreement')
  call MPIX_Comm_get_failed(MPI_COMM_WORLD, failed, ierr)
  call good(ierr, 'MPIX_Comm_get_failed')
  call MPI_Group_size(failed, n, ierr)
  call check(n == min(size - 1, 1), 'number of the failed')
  call MPIX_Comm_ack_failed(MPI_COMM_WORLD, n, total, ierr)
  call check(total == n, 'number of the acknowledged')
  call MPIX_Comm_failure_ack(MPI_COMM_WORLD, ierr)
  call good(ierr, 'MPIX_Comm_failure_ack')
  call MPIX_Comm_failure_get_acked(MPI_COMM_WORLD, failed, ierr)
  call good(ierr, 'MPIX_Comm_failure_get_acked')
  flag = 3
  call MPIX_Comm_iagree(MPI_COMM_WORLD, flag, request, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call check(ierr == MPI_SUCCESS .and. flag == 3, 'nonblocking agreement')
  call MPIX_Comm_shrink(MPI_COMM_WORLD, shrunk, ierr)
  call good(ierr, 'MPIX_Comm_shrink')
  call MPI_Comm_size(shrunk, n, ierr)
  call check(n == max(size - 1, 1), 'size of the shrunk')
  call MPIX_Comm_ishrink(MPI_COMM_WORLD, later, request, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call MPI_Allreduce(1, total, 1, MPI_INTEGER, MPI_SUM, later, ierr)
  call check(ierr == MPI_SUCCESS .and. total == n, 'sum over the survivors')
  call MPIX_Comm_revoke(later, ierr)
  call MPIX_Comm_is_revoked(later, revoked, ierr)
  call check(revoked, 'revoked')
  call MPI_Barrier(later, ierr)
  call MPI_Error_class(ierr, class, total)
  call check(class == MPIX_ERR_REVOKED, 'class of what was revoked')
  call MPI_Comm_free(later, ierr)
  call MPI_Comm_free(shrunk, ierr)
  call MPI_Finalize(ierr)
  call finish()
end program
