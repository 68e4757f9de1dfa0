/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The memory mailbox entries lie in: blocks one after the other, each behind a
 * head with its length. Taking walks from the beginning, joins free neighbours and
 * cuts the first that fits. Entries are few and stay long; that need not be fast.
 */
#include "core/base/number.h"
#include "pvm/mbox/mbox.h"

struct head {
    uint64_t bytes; /* of the block, its head included; 0: nothing was ever here, to the end of the space */
    uint64_t used;
};
enum { GRAIN = 64 };
#define SPACE (sizeof(((struct pvmi_tables *)0)->mbox) - offsetof(struct pvmi_mbox, space))

size_t pvmi_space_at(uint64_t at)
{
    return PVMI_AT(mbox) + offsetof(struct pvmi_mbox, space) + at;
}

static struct head read_head(uint64_t at)
{
    struct head copy;
    return *(struct head *)pvmi_look(pvmi_space_at(at), sizeof copy, &copy);
}

static void write_head(uint64_t at, struct head h)
{
    struct head copy, *p = pvmi_look(pvmi_space_at(at), sizeof copy, &copy);
    *p = h;
    pvmi_put(pvmi_space_at(at), sizeof h, p);
}

/* The free block at `at` with all free ones behind it. */
static struct head join_free(uint64_t at, struct head h)
{
    while (at + h.bytes < SPACE) {
        struct head next = read_head(at + h.bytes);
        if (next.bytes == 0)
            return (struct head){0, 0};
        if (next.used)
            break;
        h.bytes += next.bytes;
    }
    return h;
}

/* Use the first `need` bytes of the free block at `at`. */
static void cut(uint64_t at, struct head h, uint64_t need)
{
    if (h.bytes == 0) { /* fresh: what follows must be fresh, too */
        write_head(at, (struct head){need, 1});
        if (at + need < SPACE)
            write_head(at + need, (struct head){0, 0});
        return;
    }
    if (h.bytes > need)
        write_head(at + need, (struct head){h.bytes - need, 0});
    write_head(at, (struct head){need, 1});
}

uint64_t pvmi_space_take(size_t n)
{
    uint64_t need = core_round_up(n + sizeof(struct head), GRAIN);
    for (uint64_t at = 0; at < SPACE;) {
        struct head h = read_head(at);
        if (!h.used && h.bytes)
            h = join_free(at, h);
        if (!h.used && (h.bytes ? h.bytes >= need : SPACE - at >= need)) {
            cut(at, h, need);
            return at + sizeof(struct head);
        }
        if (h.bytes == 0)
            break;
        if (!h.used)
            write_head(at, h);
        at += h.bytes;
    }
    return UINT64_MAX;
}

void pvmi_space_drop(uint64_t at)
{
    struct head h = read_head(at - sizeof h);
    h.used = 0;
    write_head(at - sizeof h, h);
}
