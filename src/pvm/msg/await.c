/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Waiting for one of the task's own words, which others set (vm/table.c). Whatever
 * else the task has to do meanwhile is done here, as in a receive.
 */
#include "pvm/pvmi.h"

void pvmi_await(int word, uint64_t not_this, const char *where)
{
    struct core_waiter w;
    core_wait_begin_for(&w, where, pvmi_own_word(word), sizeof(uint64_t));
    while (pvmi_word(word) == not_this) {
        core_wait_pause(&w);
        pvmi_machine_check(where);
        if (MPT_UNLIKELY(pvmi.msg.due)) {
            core_wait_end(&w);
            pvmi_attend();
            core_wait_begin_for(&w, where, pvmi_own_word(word), sizeof(uint64_t));
        }
    }
    core_wait_end(&w);
}
