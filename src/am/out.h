/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A store whose body others read later, and what is to be done when they have.
 */
#ifndef AM_OUT_H
#define AM_OUT_H

#include "am/ami.h"

struct ami_out {
    struct core_sending s;
    struct core_sending *next; /* in ami.ended */
    vnn_t dest;
    void *lva, *copy;
    long n;
    handler_mem_t end;
    void *earg;
};

/* Runs what the program wants to be run, and frees it. */
void ami_out_end(struct ami_out *out);

#endif
