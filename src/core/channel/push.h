/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bodies of a middle size that set out for another node before they are asked
 * for: a part of core.h, which includes it.
 */
#ifndef CORE_PUSH_H
#define CORE_PUSH_H

#include <stddef.h>

/* As core_send_rndv_try with a body of up to core_push_most(pe) bytes (0: none), which may be changed on return; the
 * receiver sees a rendezvous body. -EAGAIN: not now; -ENOBUFS: it has not taken enough of what was pushed to it, or n
 * is too much: a rendezvous body will do. */
int core_push_try(int pe, unsigned id, const void *head, size_t head_n, const void *body, size_t n);
size_t core_push_most(int pe);

#endif
