/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Variables whose address means something (MPI_BOTTOM, MPI_IN_PLACE, ...): the
 * common blocks that mpif.h and the modules declare, one for each. A program's
 * own copy may take the place of these; all refer to that one then.
 */
#include "fortran.h"

#define COMMON _Alignas(32) /* as gfortran wants it of any common block */
COMMON int mpt_f_bottom_, mpt_f_in_place_, mpt_f_automatic_, mpt_f_errcodes_ignore_, mpt_f_unweighted_,
    mpt_f_weights_empty_;
COMMON int mpt_f_status_ignore_[8], mpt_f_statuses_ignore_[8];
COMMON char mpt_f_argv_null_, mpt_f_argvs_null_;

/* The same addresses as C programs know them (19.3.5): mpi.h has macros of these names, others look the variables up.
 */
#define VARIABLE(Type_, name_, at_)                         \
    extern MPIF_PUBLIC Type_ *mpif_##name_ __asm__(#name_); \
    Type_ *mpif_##name_ = (Type_ *)(at_)
VARIABLE(MPI_Fint, MPI_F_STATUS_IGNORE, mpt_f_status_ignore_);
VARIABLE(MPI_Fint, MPI_F_STATUSES_IGNORE, mpt_f_statuses_ignore_);
VARIABLE(MPI_F08_status, MPI_F08_STATUS_IGNORE, mpt_f_status_ignore_);
VARIABLE(MPI_F08_status, MPI_F08_STATUSES_IGNORE, mpt_f_statuses_ignore_);
