/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Fortran: the task itself and other tasks. Tables come a row at each call, and
 * from the beginning again behind the last one.
 */
#include <string.h>

#include "fortran.h"

void pvmfmytid_(int *tid)
{
    *tid = pvm_mytid();
}
void pvmfexit_(int *info)
{
    *info = pvm_exit();
}
void pvmfparent_(int *tid)
{
    *tid = pvm_parent();
}
void pvmftidtohost_(const int *tid, int *host)
{
    *host = pvm_tidtohost(*tid);
}
void pvmfgetpe_(const int *tid, int *pe)
{
    *pe = pvm_get_PE(*tid);
}
void pvmfkill_(const int *tid, int *info)
{
    *info = pvm_kill(*tid);
}
void pvmfsendsig_(const int *tid, const int *signal, int *info)
{
    *info = pvm_sendsig(*tid, *signal);
}
void pvmfpstat_(const int *tid, int *status)
{
    *status = pvm_pstat(*tid);
}

void pvmfnotify_(const int *what, const int *tag, const int *count, int *tids, int *info)
{
    *info = pvm_notify(*what, *tag, *count, tids);
}

/* index -1 asks for the number only; one that is none gives PvmNoTask as tid */
void pvmfsiblings_(int *n, const int *index, int *tid)
{
    int *tids;
    *n = pvm_siblings(&tids);
    if (*n >= 0)
        *tid = *index >= 0 && *index < *n ? tids[*index] : PvmNoTask;
}

void pvmfspawn_(const char *file, const int *flags, const char *where, const int *count, int *tids, int *started,
                size_t file_n, size_t where_n)
{
    struct pvmf_text name, place;
    pvmf_text(&name, file, file_n);
    pvmf_text(&place, where, where_n);
    bool anywhere = !place.s[0] || strcmp(place.s, "*") == 0;
    *started = pvm_spawn(name.s, NULL, *flags, anywhere ? NULL : place.s, *count, tids);
    pvmf_done(&name);
    pvmf_done(&place);
}

void pvmftasks_(const int *where, int *n, int *tid, int *parent, int *host, int *flag, char *program, int *info,
                size_t program_n)
{
    static struct pvmf_walk walk;
    static struct pvmtaskinfo *tasks;
    static int asked;
    if (*where != asked)
        walk.n = 0;
    if (pvmf_walk_begins(&walk, n)) {
        int count, rc = pvm_tasks(*where, &count, &tasks);
        if (rc < 0) {
            *info = rc;
            return;
        }
        walk = (struct pvmf_walk){.n = count};
        asked = *where;
    }
    *n = walk.n;
    *info = 1;
    if (walk.n == 0)
        return;
    const struct pvmtaskinfo *t = &tasks[pvmf_walk_step(&walk)];
    *tid = t->ti_tid;
    *parent = t->ti_ptid;
    *host = t->ti_host;
    *flag = t->ti_flag;
    pvmf_fill(program, program_n, t->ti_a_out);
}
