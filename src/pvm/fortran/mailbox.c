/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Fortran: the mailbox. pvmfgetmboxinfo gives one entry of one class at each
 * call, PvmNotFound behind the last, and begins anew when info is -1 at the call.
 */
#include <stdlib.h>
#include <string.h>

#include "fortran.h"

void pvmfputinfo_(const char *name, const int *bufid, const int *flags, int *index, size_t n)
{
    struct pvmf_text t;
    pvmf_text(&t, name, n);
    *index = pvm_putinfo(t.s, *bufid, *flags);
    pvmf_done(&t);
}

void pvmfrecvinfo_(const char *name, const int *index, const int *flags, int *bufid, size_t n)
{
    struct pvmf_text t;
    pvmf_text(&t, name, n);
    *bufid = pvm_recvinfo(t.s, *index, *flags);
    pvmf_done(&t);
}

void pvmfdelinfo_(const char *name, const int *index, const int *flags, int *info, size_t n)
{
    struct pvmf_text t;
    pvmf_text(&t, name, n);
    *info = pvm_delinfo(t.s, *index, *flags);
    pvmf_done(&t);
}

static struct {
    char *pattern; /* NULL: nothing is being walked through */
    struct pvmmboxinfo *classes;
    int n, class, entry; /* classes; the next entry to give */
} walk;

static int begin(const char *pattern)
{
    free(walk.pattern);
    walk.pattern = NULL;
    walk.class = walk.entry = 0;
    int rc = pvm_getmboxinfo((char *)(size_t)pattern, &walk.n, &walk.classes);
    if (rc >= 0 && !(walk.pattern = strdup(pattern)))
        rc = PvmNoMem;
    return rc;
}

void pvmfgetmboxinfo_(const char *pattern, char *name, int *nclasses, int *nentries, int *index, int *owner, int *flags,
                      int *info, size_t pattern_n, size_t name_n)
{
    struct pvmf_text t;
    pvmf_text(&t, pattern, pattern_n);
    bool anew = *info == -1 || !walk.pattern || strcmp(walk.pattern, t.s) != 0;
    int rc = anew ? begin(t.s) : 0;
    pvmf_done(&t);
    *info = rc;
    if (rc < 0)
        return;
    while (walk.class < walk.n && walk.entry >= walk.classes[walk.class].mi_nentries)
        walk.class ++, walk.entry = 0;
    *nclasses = walk.n;
    *info = walk.class < walk.n ? 1 : PvmNotFound;
    if (*info < 0) {
        free(walk.pattern);
        walk.pattern = NULL;
        return;
    }
    const struct pvmmboxinfo *c = &walk.classes[walk.class];
    pvmf_fill(name, name_n, c->mi_name);
    *nentries = c->mi_nentries;
    *index = c->mi_indices[walk.entry];
    *owner = c->mi_owners[walk.entry];
    *flags = c->mi_flags[walk.entry];
    walk.entry++;
}
