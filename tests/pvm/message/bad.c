/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every call with every sort of number and NULL that programs get wrong: none may
 * crash, hang or answer with what is no code of PVM. What each code is the chapters'
 * own tests say.
 */
#include <limits.h>
#include <sys/time.h>

#include "pcheck.h"

int pvm_settmask(int who, char *mask); /* libpvm3 has these, and pvm3.h has not */
int pvm_gettmask(int who, char *mask);
int lpvmerr(const char *call, int code);
int pvm_advise(int route);

static int number[] = {INT_MIN,
                       (int)0x80000000 + 1,
                       (int)0x80040000,
                       -2147221503,
                       -65536,
                       -33,
                       -3,
                       -2,
                       -1,
                       0,
                       1,
                       2,
                       7,
                       31,
                       1000,
                       0x3ffff,
                       0x40000,
                       0x40000 + 8000,
                       4000 << 18 | 1,
                       0x3fffffff,
                       0x40000001,
                       0x7ffc0001,
                       INT_MAX};
enum { NUMBERS = sizeof number / sizeof *number, FAR = 9999 };

static void judge(const char *call, int rc, int a, int b, int c)
{
    CHECK(rc >= 0 || (rc <= PvmBadParam && rc >= PvmIPLoopback), "%s with %d (%#x), %d, %d returned %d", call, a,
          (unsigned)a, b, c, rc);
}

#define ONE(call)                       \
    for (int i = 0; i < NUMBERS; i++) { \
        int a = number[i];              \
        judge(#call, call, a, 0, 0);    \
    }
#define TWO(call)                                             \
    for (int i = 0; i < NUMBERS * NUMBERS; i++) {             \
        int a = number[i % NUMBERS], b = number[i / NUMBERS]; \
        judge(#call, call, a, b, 0);                          \
    }
#define THREE(call)                                                                                        \
    for (int i = 0; i < NUMBERS * NUMBERS * NUMBERS; i++) {                                                \
        int a = number[i % NUMBERS], b = number[i / NUMBERS % NUMBERS], c = number[i / NUMBERS / NUMBERS]; \
        judge(#call, call, a, b, c);                                                                       \
    }

static int data[64];

static int handler(int id)
{
    return id;
}

/* Not the tids of tasks that are there. */
static int no_task(int tid)
{
    return tid == pc_tid || tid == 0 ? -5 : tid;
}

/* Lengths that are no memory of ours are wanted only where they must be refused. */
static int few(int n)
{
    return n > 60 ? -n : n;
}

static void buffers(void)
{
    struct pvmminfo info;

    ONE(pvm_mkbuf(a));
    ONE(pvm_initsend(a));
    ONE(pvm_setsbuf(a));
    ONE(pvm_setrbuf(a));
    ONE(pvm_bufinfo(a, NULL, NULL, NULL));
    ONE(pvm_getminfo(a, NULL));
    ONE(pvm_setminfo(a, NULL));
    ONE(pvm_getminfo(a, &info));
    ONE(pvm_getmwid(a));
    TWO(pvm_setmwid(a, b));
    ONE(pvm_pkmesg(a));
    ONE(pvm_pkmesgbody(a));
    ONE(pvm_putinfo("bad", a, PvmMboxDefault));
    TWO(pvm_putinfo(NULL, a, b));
    ONE(pvm_freebuf(a));
}

#define PACK(type, ctype)                                     \
    TWO(pvm_pk##type((ctype *)(void *)data, few(a), b & 1));  \
    TWO(pvm_pk##type(NULL, a, b));                            \
    TWO(pvm_upk##type((ctype *)(void *)data, few(a), b & 1)); \
    TWO(pvm_upk##type(NULL, a, b));

static void packing(int encoding)
{
    OK(pvm_initsend(encoding));
    PACK(byte, char)
    PACK(short, short)
    PACK(int, int)
    OK(pvm_setrbuf(pvm_mkbuf(encoding)));
    ONE(pvm_upkmesg() + 0 * a);
    ONE(pvm_pkstr(NULL) + 0 * a);
    ONE(pvm_upkstr(NULL) + 0 * a);
    ONE(pvm_packf(NULL) + 0 * a);
    ONE(pvm_unpackf(NULL) + 0 * a);
    ONE(pvm_packf("%z%q") + 0 * a);
    ONE(pvm_unpackf("%") + 0 * a);
}

static void messages(void)
{
    struct timeval now = {0, 0}, before = {-1, -1};

    OK(pvm_initsend(PvmDataDefault));
    TWO(pvm_send(no_task(a), b));
    THREE(pvm_mcast(NULL, a, b + 0 * c));
    TWO(pvm_mcast(number, b < 0 ? b : 1, a));
    THREE(pvm_psend(no_task(a), 1, data, few(b), c));
    THREE(pvm_psend(no_task(a), b, NULL, c, PVM_INT));
    TWO(pvm_nrecv(a, b));
    TWO(pvm_probe(a, b));
    TWO(pvm_trecv(a, b, &now));
    TWO(pvm_trecv(a, b, &before));
    TWO(pvm_precv(-1, 1, data, a < 0 ? a : -1, b, NULL, NULL, NULL));
    ONE(pvm_precv(-1, -4, data, 1, a, NULL, NULL, NULL));
    GIVES(pvm_getfds(NULL), PvmBadParam);
}

static void contexts_and_options(void)
{
    ONE(pvm_setcontext(a == INT_MAX ? -1 : a));
    OK(pvm_setcontext(PvmBaseContext));
    ONE(pvm_freecontext(a));
    TWO(pvm_addmhf(a, b, 0, NULL));
    THREE(pvm_addmhf(a, b, c < -1 ? c : -2, handler));
    ONE(pvm_delmhf(a));
    ONE(pvm_getopt(a));
    TWO(pvm_setopt(a > 0 && a <= PvmNoReset ? -a : a, b));
    ONE(pvm_setopt(PvmRoute, a));
    ONE(pvm_setopt(PvmPollTime, a));
    ONE(pvm_setopt(PvmFragSize, a));
    ONE(pvm_settmask(a, NULL));
    ONE(pvm_gettmask(a, NULL));
    ONE(lpvmerr(NULL, a) < 0 ? PvmBadParam : 0);
    ONE(pvm_advise(a) < 0 ? PvmBadParam : 0);
}

static void machine(void)
{
    int n, got[16];

    ONE(pvm_tidtohost(a));
    ONE(pvm_pstat(a));
    ONE(pvm_tasks(a, NULL, NULL));
    ONE(pvm_kill(no_task(a)));
    TWO(pvm_sendsig(no_task(a), b));
    THREE(pvm_notify(a, b, c, NULL));
    TWO(pvm_notify(a, b, -1, number));
    ONE(pvm_notify(PvmTaskExit, 1, 1, &a));
    TWO(pvm_addhosts(NULL, a, NULL) + 0 * b);
    ONE(pvm_delhosts(NULL, a, NULL));
    ONE(pvm_hostsync(a, NULL, NULL));
    TWO(pvm_tickle(a, NULL, b ? &n : NULL, got));
    TWO(pvm_spawn(NULL, NULL, a, NULL, b, NULL));
    ONE(pvm_spawn("/no/such/program", NULL, a, NULL, 1, NULL));
    ONE(pvm_spawn("/no/such/program", NULL, 0, NULL, a > 100 ? -a : a, NULL));
    GIVES(pvm_mstat(NULL), PvmBadParam);
    GIVES(pvm_archcode(NULL), PvmBadParam);
    GIVES(pvm_export(NULL), PvmBadParam);
    GIVES(pvm_unexport("a=b"), PvmBadParam);
    OK(pvm_config(NULL, NULL, NULL));
    OK(pvm_getnoresets(NULL, NULL));
    judge("pvm_siblings(NULL)", pvm_siblings(NULL), 0, 0, 0);
    ONE(pvm_get_PE(a) >= -1 ? 0 : -1);
}

static void mailbox_and_groups(void)
{
    int x = 0;

    TWO(pvm_recvinfo(NULL, a, b & ~PvmMboxWaitForInfo));
    TWO(pvm_recvinfo("none", a, b & ~PvmMboxWaitForInfo));
    TWO(pvm_delinfo(NULL, a, b));
    TWO(pvm_delinfo("none", a, b));
    judge("pvm_getmboxinfo", pvm_getmboxinfo(NULL, NULL, NULL), 0, 0, 0);
    judge("pvm_getmboxinfo", pvm_getmboxinfo("[", NULL, NULL), 0, 0, 0);
    ONE(pvm_insert(NULL, a, 0));
    ONE(pvm_lookup(NULL, a, NULL));
    ONE(pvm_delete(NULL, a));
    ONE(pvm_gettid("none", a));
    ONE(pvm_getinst("none", a));
    ONE(pvm_barrier("none", a));
    ONE(pvm_freezegroup("none", a));
    ONE(pvm_bcast("none", a));
    OK(pvm_joingroup("lone"));
    ONE(pvm_gettid("lone", a));
    ONE(pvm_getinst("lone", a));
    ONE(pvm_barrier("lone", a > 0 ? -a : a == -1 ? 0 : a));
    THREE(pvm_reduce(PvmSum, NULL, a, b, 1, "lone", c));
    THREE(pvm_gather(NULL, NULL, a, b, c, "lone", 0));
    THREE(pvm_scatter(NULL, NULL, a, b, c, "lone", 0));
    THREE(pvm_reduce(NULL, &x, 1, PVM_INT, a, "lone", b + 0 * c));
    TWO(pvm_reduce(PvmSum, &x, 1, a == PVM_INT ? -1 : few(a) > 2 ? PVM_INT : -1, b, "lone", 0));
    OK(pvm_lvgroup("lone"));
    judge("pvm_lvgroup", pvm_lvgroup(NULL), 0, 0, 0);
    judge("pvm_joingroup", pvm_joingroup(NULL), 0, 0, 0);
}

int main(void)
{
    pc_start();
    pvm_setopt(PvmAutoErr, 0);
    for (int encoding = PvmDataDefault; encoding <= PvmDataInPlace; encoding++)
        packing(encoding);
    buffers();
    messages();
    machine();
    mailbox_and_groups();
    contexts_and_options();
    CHECK(pvm_mytid() == pc_tid, "the tid has changed");
    return pc_finish();
}
