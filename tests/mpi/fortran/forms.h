! SPDX-License-Identifier: BSD-3-Clause
!
! One test source, three forms: FORM 77 includes mpif.h, 90 uses mpi, 8 uses mpi_f08. A scope begins with
! USES, implicit none, INCLUDES.
#if FORM == 8
#define USES use mpi_f08
#define INCLUDES
#define COMM_T type(MPI_Comm)
#define TYPE_T type(MPI_Datatype)
#define ERRHANDLER_T type(MPI_Errhandler)
#define FILE_T type(MPI_File)
#define GROUP_T type(MPI_Group)
#define INFO_T type(MPI_Info)
#define MESSAGE_T type(MPI_Message)
#define OP_T type(MPI_Op)
#define REQUEST_T type(MPI_Request)
#define SESSION_T type(MPI_Session)
#define WIN_T type(MPI_Win)
#define STATUS_T(name) type(MPI_Status) :: name
#define STATUSES_T(name,n) type(MPI_Status) :: name(n)
#define SOURCE_OF(s) s%MPI_SOURCE
#define TAG_OF(s) s%MPI_TAG
#define SOURCE_OF_NTH(s,i) s(i)%MPI_SOURCE
#else
#if FORM == 90
#define USES use mpi
#define INCLUDES
#else
#define USES
#define INCLUDES include 'mpif.h'
#endif
#define COMM_T integer
#define TYPE_T integer
#define ERRHANDLER_T integer
#define FILE_T integer
#define GROUP_T integer
#define INFO_T integer
#define MESSAGE_T integer
#define OP_T integer
#define REQUEST_T integer
#define SESSION_T integer
#define WIN_T integer
#define STATUS_T(name) integer :: name(MPI_STATUS_SIZE)
#define STATUSES_T(name,n) integer :: name(MPI_STATUS_SIZE,n)
#define SOURCE_OF(s) s(MPI_SOURCE)
#define TAG_OF(s) s(MPI_TAG)
#define SOURCE_OF_NTH(s,i) s(MPI_SOURCE,i)
#endif
