/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Variables whose address means something (MPI_BOTTOM, MPI_IN_PLACE, ...): the
 * common blocks that mpif.h and the modules declare, one for each. A program's
 * own copy may take the place of these; all refer to that one then.
 */
#include "fortran.h"

#define COMMON _Alignas(32) /* as gfortran wants it of any common block */
COMMON int mpt_f_bottom_, mpt_f_in_place_, mpt_f_automatic_, mpt_f_errcodes_ignore_, mpt_f_unweighted_, mpt_f_weights_empty_;
COMMON int mpt_f_status_ignore_[8], mpt_f_statuses_ignore_[8];
COMMON char mpt_f_argv_null_, mpt_f_argvs_null_;
