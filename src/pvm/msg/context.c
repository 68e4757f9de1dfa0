/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Contexts: numbers that keep a library's messages apart from its program's. Which
 * are taken is a bit each in the machine's tables, so every task may give one back.
 * A number given back is the last one to be used again.
 */
#include "pvm/msg/message.h"

enum { FIRST = 1 << 18, BITS = 64, WORDS = PVMI_CONTEXTS / BITS };
_Static_assert(FIRST + PVMI_CONTEXTS <= PVMI_CONTEXT_SYSTEM + 2, "the last ones are the system's");

/* Under the lock. The context of the first free bit from `from` on in this word; -1: none. */
static int take_in(int word, int from)
{
    uint64_t copy, *bits, free;
    int bit;

    bits = pvmi_look(PVMI_AT(contexts[word]), sizeof copy, &copy);
    free = ~*bits & ~0ull << from;
    if (!free)
        return -1;
    bit = __builtin_ctzll(free);
    if (FIRST + word * BITS + bit >= PVMI_CONTEXT_SYSTEM)
        return -1;
    *bits |= 1ull << bit;
    pvmi_put(PVMI_AT(contexts[word]), sizeof *bits, bits);
    return word * BITS + bit;
}

/* Under the lock. Round from the one last given out. */
static int take_next(void)
{
    int32_t copy, *next = pvmi_look(PVMI_AT(next_context), sizeof copy, &copy);
    int start = *next > 0 && *next < PVMI_CONTEXTS ? *next : 1, found = -1;

    for (int i = 0; i <= WORDS && found < 0; i++) {
        int word = (start / BITS + i) % WORDS;

        found = take_in(word, i == 0 ? start % BITS : word == 0);
    }
    if (found < 0)
        return PvmOutOfRes;
    *next = found + 1;
    pvmi_put(PVMI_AT(next_context), sizeof *next, next);
    return FIRST + found;
}

int pvm_newcontext(void)
{
    int rc = pvmi_begin("pvm_newcontext");

    if (rc < 0)
        return rc;
    pvmi_lock();
    rc = take_next();
    pvmi_unlock();
    return rc < 0 ? pvmi_fail(rc, "all contexts are taken") : rc;
}

static int give_back(int context)
{
    int at = context - FIRST;
    uint64_t copy, *bits;
    bool was;

    if (at < 0 || at >= PVMI_CONTEXTS)
        return PvmNotFound;
    bits = pvmi_look(PVMI_AT(contexts[at / BITS]), sizeof copy, &copy);
    was = *bits >> at % BITS & 1;
    *bits &= ~(1ull << at % BITS);
    pvmi_put(PVMI_AT(contexts[at / BITS]), sizeof *bits, bits);
    return was ? 0 : PvmNotFound;
}

int pvm_freecontext(int context)
{
    int rc = pvmi_begin("pvm_freecontext");

    if (rc < 0)
        return rc;
    if (context == PvmBaseContext)
        return pvmi_fail(PvmBadParam, "the base context stays");
    pvmi_lock();
    rc = give_back(context);
    pvmi_unlock();
    return rc < 0 ? pvmi_fail(rc, "%d is no context in use", context) : 0;
}

/* Any number will do that is not the system's: programs choose their own. */
int pvm_setcontext(int context)
{
    int rc = pvmi_begin("pvm_setcontext"), old = pvmi.context;

    if (rc < 0)
        return rc;
    if (context < 0 || context == PVMI_CONTEXT_SYSTEM || context == PVMI_CONTEXT_GROUP)
        return pvmi_fail(PvmBadParam, "%d is no context of a program's", context);
    pvmi.context = context;
    pvmi_front_update();
    return old;
}

int pvm_getcontext(void)
{
    int rc = pvmi_begin("pvm_getcontext");

    return rc < 0 ? rc : pvmi.context;
}
