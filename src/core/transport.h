/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The seam between a PE's calls and what carries them to another node. PEs of
 * this node never come here: their memory is loaded and stored directly. A
 * network transport fills this struct of functions and sets core_net.
 */
#ifndef CORE_TRANSPORT_H
#define CORE_TRANSPORT_H

#include <stddef.h>

struct core_transport {
    const char *name;
    /* Blocking at the source: the buffer may be reused, or holds the data. */
    void (*put)(int pe, void *remote, const void *local, size_t n);
    void (*get)(int pe, void *local, const void *remote, size_t n);
    int (*send)(int pe, unsigned id, const void *head, size_t head_n, const void *body, size_t n);
    void (*quiet)(void);
    int (*progress)(void);
};

extern const struct core_transport *core_net; /* NULL: one node */

#endif
