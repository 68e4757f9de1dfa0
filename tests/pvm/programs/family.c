/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Three tasks of this program: what they know of each other, notifications of their
 * ends, multicast, a group of all, arguments, and output caught by the first.
 */
#include "say.h"

enum { CHILDREN = 3 };

static int child(int parent, int argc, char **argv)
{
    int *tids, n = pvm_siblings(&tids), me = pvm_mytid(), facts[4] = {n, argc, 0, pvm_getcontext() > 0}, instance;
    for (int i = 0; i < n; i++)
        facts[2] |= tids[i] == me ? 1 << i : 0;
    instance = pvm_joingroup("family");
    pvm_initsend(PvmDataDefault);
    pvm_pkint(facts, 4, 1);
    pvm_pkstr(argc > 1 ? argv[1] : "");
    pvm_send(parent, 1);
    printf("joined: %d\n", instance >= 0);
    fflush(stdout);
    pvm_recv(parent, 2);
    pvm_barrier("family", CHILDREN + 1);
    if (me != tids[0])
        pvm_exit();
    return 3; /* the first leaves by ending */
}

int main(int argc, char **argv)
{
    int parent, tids[CHILDREN], n, seen = 0, context;
    char text[64], *arguments[] = {"an argument", "2", NULL};
    parent = (say_begin(), pvm_setopt(PvmAutoErr, 0), pvm_parent());
    if (parent > 0)
        return child(parent, argc, argv);
    SAY(pvm_catchout(stdout));
    context = pvm_newcontext();
    pvm_setcontext(context);
    SAY(pvm_spawn(strrchr(argv[0], '/') ? strrchr(argv[0], '/') + 1 : argv[0], arguments, PvmTaskDefault, NULL,
                  CHILDREN, tids));
    for (int i = 0; i < CHILDREN; i++) {
        int facts[4], from, bytes, tag, bufid = pvm_recv(-1, 1);
        pvm_bufinfo(bufid, &bytes, &tag, &from);
        pvm_upkint(facts, 4, 1);
        pvm_upkstr(text);
        seen |= facts[2];
        printf("siblings %d, argc %d, context %d, '%s', parent's child %d, state %d\n", facts[0], facts[1], facts[3],
               text, from == tids[0] || from == tids[1] || from == tids[2], pvm_pstat(from));
    }
    SAY(seen);
    SAY(pvm_notify(PvmTaskExit, 9, CHILDREN, tids));
    pvm_initsend(PvmDataRaw);
    SAY(pvm_mcast(tids, CHILDREN, 2));
    SAY(pvm_joingroup("family") >= 0);
    SAY(pvm_barrier("family", CHILDREN + 1));
    for (int i = 0, gone; i < CHILDREN; i++) {
        int bytes, tag, from, bufid = pvm_recv(-1, 9);
        pvm_bufinfo(bufid, &bytes, &tag, &from);
        pvm_upkint(&gone, 1, 1);
        printf("an end: %d bytes, of the machine %d, of a child %d\n", bytes, from == (int)0x80000000,
               gone == tids[0] || gone == tids[1] || gone == tids[2]);
    }
    SAY(pvm_notify(PvmTaskExit, 10, 1, tids)); /* it has ended already */
    SAY(pvm_recv(-1, 10) > 0);
    SAY(pvm_upkint(&n, 1, 1));
    SAY(n == tids[0]);
    SAY(pvm_pstat(tids[0]));
    SAY(pvm_gsize("family"));
    SAY(pvm_exit());
    return 0;
}
