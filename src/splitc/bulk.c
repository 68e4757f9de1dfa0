/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The calls that move blocks of bytes. Within reach they are one copy; otherwise rndv.c's calls serve any size.
 */
#include "splitc/splitci.h"
#include "splitc/trace.h"

void bulk_read(void *to, struct sc_global from, size_t n, const char *file, int line)
{
    SPLITCI_TRACE(t, "bulk_read", __builtin_return_address(0));
    splitci_trace_moved(&t, CORE_TRACE_LOADS, from, n);
    void *p = sc_reach(from);

    if (MPT_UNLIKELY(!p) && n)
        sc_read_far(to, from, n, file, line);
    else if (p != to)
        core_copy(to, p, n);
    sc_order();
    core_looked();
}

void bulk_write(struct sc_global to, const void *from, size_t n, const char *file, int line)
{
    SPLITCI_TRACE(t, "bulk_write", __builtin_return_address(0));
    splitci_trace_moved(&t, CORE_TRACE_STORES, to, n);
    void *p = sc_reach(to);

    sc_order();
    if (MPT_UNLIKELY(!p) && n)
        sc_write_far(to, from, n, file, line);
    else if (p != from)
        core_copy(p, from, n);
}

void bulk_get(void *to, struct sc_global from, size_t n, const char *file, int line)
{
    SPLITCI_TRACE(t, "bulk_get", __builtin_return_address(0));
    splitci_trace_moved(&t, CORE_TRACE_LOADS | CORE_TRACE_BEGINS, from, n);
    void *p = sc_reach(from);

    if (MPT_UNLIKELY(!p) && n)
        sc_get_far(to, from, n, file, line);
    else if (p != to)
        core_copy(to, p, n);
}

void bulk_put(struct sc_global to, const void *from, size_t n, const char *file, int line)
{
    SPLITCI_TRACE(t, "bulk_put", __builtin_return_address(0));
    splitci_trace_moved(&t, CORE_TRACE_STORES | CORE_TRACE_BEGINS, to, n);
    void *p = sc_reach(to);

    if (MPT_UNLIKELY(!p) && n)
        sc_put_far(to, from, n, file, line);
    else if (p != from)
        core_copy(p, from, n);
}

void bulk_store(struct sc_global to, const void *from, size_t n, const char *file, int line)
{
    SPLITCI_TRACE(t, "bulk_store", __builtin_return_address(0));
    splitci_trace_moved(&t, CORE_TRACE_STORES, to, n);
    void *p = sc_reach(to);

    if (MPT_UNLIKELY(!p) && n) {
        sc_store_far(to, from, n, file, line);
        return;
    }
    if (p != from)
        core_copy(p, from, n);
    if (p)
        sc_stored(to.proc, n);
}
