/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Fortran: sending and receiving, contexts, message handlers, options, errors.
 * A buffer of characters has its length behind the other arguments; it is not used.
 */
#include "fortran.h"

void pvmfsend_(const int *tid, const int *tag, int *info)
{
    *info = pvm_send(*tid, *tag);
}
void pvmfmcast_(const int *count, int *tids, const int *tag, int *info)
{
    *info = pvm_mcast(tids, *count, *tag);
}
void pvmfrecv_(const int *tid, const int *tag, int *bufid)
{
    *bufid = pvm_recv(*tid, *tag);
}
void pvmfnrecv_(const int *tid, const int *tag, int *bufid)
{
    *bufid = pvm_nrecv(*tid, *tag);
}
void pvmfprobe_(const int *tid, const int *tag, int *bufid)
{
    *bufid = pvm_probe(*tid, *tag);
}

void pvmftrecv_(const int *tid, const int *tag, const int *seconds, const int *microseconds, int *bufid)
{
    struct timeval limit = {*seconds, *microseconds};
    *bufid = pvm_trecv(*tid, *tag, &limit);
}

void pvmfpsend_(const int *tid, const int *tag, void *p, const int *count, const int *type, int *info)
{
    *info = pvm_psend(*tid, *tag, p, *count, *type);
}

void pvmfprecv_(const int *tid, const int *tag, void *p, const int *count, const int *type, int *from, int *its_tag,
                int *n, int *info)
{
    *info = pvm_precv(*tid, *tag, p, *count, *type, from, its_tag, n);
}

void pvmfnewcontext_(int *context)
{
    *context = pvm_newcontext();
}
void pvmfgetcontext_(int *context)
{
    *context = pvm_getcontext();
}
void pvmfsetcontext_(const int *context, int *old)
{
    *old = pvm_setcontext(*context);
}
void pvmffreecontext_(const int *context, int *info)
{
    *info = pvm_freecontext(*context);
}

/* The handler gets the bufid by value; the message is the receive buffer while it runs. `bufid` is not used. */
void pvmfaddmhf_(const int *tid, const int *tag, const int *context, const int *bufid, int (*handler)(int), int *mhid)
{
    (void)bufid;
    *mhid = pvm_addmhf(*tid, *tag, *context, handler);
}

void pvmfdelmhf_(const int *mhid, int *info)
{
    *info = pvm_delmhf(*mhid);
}

void pvmfsetopt_(const int *what, const int *value, int *old)
{
    *old = pvm_setopt(*what, *value);
}
void pvmfgetopt_(const int *what, int *value)
{
    *value = pvm_getopt(*what);
}
void pvmfadvise_(const int *route, int *info)
{
    *info = pvm_setopt(PvmRoute, *route);
}
void pvmfserror_(const int *how, int *old)
{
    *old = pvm_setopt(PvmAutoErr, *how);
}

void pvmfperror_(const char *text, int *info, size_t n)
{
    struct pvmf_text t;
    pvmf_text(&t, text, n);
    *info = pvm_perror(t.s);
    pvmf_done(&t);
}
