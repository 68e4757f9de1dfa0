/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The library's variables, as a program sees them: one object whether the program
 * copies it (not position independent), refers to it or is linked statically.
 */
#include <pvm3.h>
#include <stdio.h>
#include <string.h>

extern char *pvm_errlist[];
extern int pvm_nerr, pvmmytid, pvmdebmask, pvmmyctx;

#define EXPECT(cond) (void)((cond) || (failed = printf("not so: %s\n", #cond)))

int main(void)
{
    int failed = 0, tid;

    EXPECT(pvmmytid == -1 && pvm_errno == 0 && pvm_nerr == 37);
    tid = pvm_mytid();
    EXPECT(tid > 0 && pvmmytid == tid);
    pvm_setopt(PvmAutoErr, 0);
    EXPECT(pvm_send(tid, -4) == PvmBadParam && pvm_errno == PvmBadParam);
    EXPECT(strcmp(pvm_errlist[-pvm_errno], pvm_strerror()) == 0);
    EXPECT(pvm_gsize("no such group") == PvmNoGroup && pvm_errno == PvmNoGroup);
    EXPECT(strcmp(pvm_errlist[-PvmNoGroup], pvm_strerror()) == 0);
    for (int i = 0; i < pvm_nerr; i++)
        EXPECT(pvm_errlist[i] && pvm_errlist[i][0]);
    pvm_setopt(PvmDebugMask, 3);
    EXPECT(pvmdebmask == 3);
    pvm_setcontext(77);
    EXPECT(pvmmyctx == 77);
    pvm_exit();
    EXPECT(pvmmytid == -1);
    if (!failed)
        puts("one object");
    return failed != 0;
}
