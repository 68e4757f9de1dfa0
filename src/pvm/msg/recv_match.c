/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pvm_recvf: a function of the program chooses among all messages, those of other
 * contexts too. It sees each in the order of arrival, once in a call that waits.
 */
#include "pvm/msg/message.h"

/* The library's own choice, as a program that calls what pvm_recvf returned gets it. */
static int usual(int bufid, int tid, int tag)
{
    const struct pvmi_msg *m = pvmi_msg_of(bufid);

    return m && m->context == pvmi.context && (tid == -1 || tid == m->src) && (tag == -1 || tag == m->tag);
}

int (*pvm_recvf(int (*match)(int bufid, int tid, int tag)))(int bufid, int tid, int tag)
{
    int (*old)(int, int, int) = pvmi.msg.matcher ? pvmi.msg.matcher : usual;

    pvmi.msg.matcher = match == usual ? NULL : match;
    return old;
}

/* What the function says of `m`; a code when it can't be asked. *gone: it has freed the message. */
static int ask(struct pvmi_msg *m, const struct pvmi_wanted *want, bool *gone)
{
    int id = pvmi_msg_id(m), rank;

    if (id < 0)
        return id;
    rank = pvmi.msg.matcher(id, want->tid, want->tag);
    *gone = pvmi_msg_of(id) != m;
    return rank;
}

/* The first one not seen; of all again when the queue is not as it was. */
static struct pvmi_msg *unseen(struct pvmi_wanted *want)
{
    struct pvmi_msg *m;

    if (want->removals != pvmi.msg.removals)
        want->seen = NULL;
    want->removals = pvmi.msg.removals;
    m = pvmi_queue_next(want->seen);
    while (m && m->context >= PVMI_CONTEXT_SYSTEM)
        m = pvmi_queue_next(m);
    return m;
}

struct pvmi_msg *pvmi_find_chosen(struct pvmi_wanted *want)
{
    struct pvmi_msg *best = NULL, *m;
    int best_rank = 0;
    bool gone = false;

    while ((m = unseen(want))) {
        int rank = ask(m, want, &gone);

        if (rank < 0) {
            want->failed = rank;
            return NULL;
        }
        if (gone || want->removals != pvmi.msg.removals) { /* it has received or freed something: all again */
            best = NULL;
            best_rank = 0;
            continue;
        }
        if (rank > best_rank) {
            best = m;
            best_rank = rank;
        }
        if (rank == 1)
            break;
        want->seen = m;
    }
    if (m) /* 1: this one, whatever came before */
        best = m;
    if (best && want->take)
        pvmi_queue_remove(best);
    return best;
}
