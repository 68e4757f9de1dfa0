/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A PE says in which line of the program it waits (waits.h).
 */
#include "core/base/site.h"
#include "core/internal.h"
#include "core/live/waits.h"

void core_waits_tell(void)
{
    const struct core_header *h = core_seg->header;
    struct core_wire_site *own;

    if (MPT_LIKELY(!__atomic_load_n(&h->ask_sites, __ATOMIC_ACQUIRE)))
        return;
    own = (struct core_wire_site *)(void *)(core_seg->slices + core_seg->idx * h->stride + CORE_SITE_OFFSET);
    if (own->told)
        return;
    core_site_text(core_site(), own->text, sizeof own->text);
    __atomic_store_n(&own->told, 1, __ATOMIC_RELEASE);
}
