/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Fortran: the virtual machine's hosts, its clocks, its end, and the output of
 * tasks.
 */
#include <stdio.h>
#include <string.h>

#include "fortran.h"

static int with_text(int (*call)(char *), const char *text, size_t n)
{
    struct pvmf_text t;
    pvmf_text(&t, text, n);
    int rc = call(t.s);
    pvmf_done(&t);
    return rc;
}

static int with_host(int (*call)(char **, int, int *), const char *name, size_t n)
{
    struct pvmf_text t;
    int status = 0;
    pvmf_text(&t, name, n);
    int rc = call(&t.s, 1, &status);
    pvmf_done(&t);
    return rc < 0 || rc == 1 ? rc : status;
}

void pvmfaddhost_(const char *host, int *info, size_t n)
{
    *info = with_host(pvm_addhosts, host, n);
}
void pvmfdelhost_(const char *host, int *info, size_t n)
{
    *info = with_host(pvm_delhosts, host, n);
}
void pvmfmstat_(const char *host, int *status, size_t n)
{
    *status = with_text(pvm_mstat, host, n);
}
void pvmfarchcode_(const char *arch, int *code, size_t n)
{
    *code = with_text(pvm_archcode, arch, n);
}
void pvmfhalt_(int *info)
{
    *info = pvm_halt();
}

/* Returned output goes to this task's standard output, or no longer. */
void pvmfcatchout_(const int *on, int *info)
{
    *info = pvm_catchout(*on ? stdout : NULL);
}

void pvmfsleep_(const int *seconds)
{
    extern void pvmsleep(int);
    pvmsleep(*seconds);
}

void pvmfconfig_(int *nhost, int *narch, int *tid, char *name, char *arch, int *speed, int *info, size_t name_n,
                 size_t arch_n)
{
    static struct pvmf_walk walk;
    static struct pvmhostinfo *hosts;
    static int formats;
    if (pvmf_walk_begins(&walk, nhost)) {
        int count, rc = pvm_config(&count, &formats, &hosts);
        if (rc < 0) {
            *info = rc;
            return;
        }
        walk = (struct pvmf_walk){.n = count};
    }
    *nhost = walk.n;
    *narch = formats;
    *info = 1;
    const struct pvmhostinfo *h = &hosts[pvmf_walk_step(&walk)];
    *tid = h->hi_tid;
    *speed = h->hi_speed;
    pvmf_fill(name, name_n, h->hi_name);
    pvmf_fill(arch, arch_n, h->hi_arch);
}

void pvmfhostsync_(const int *host, int *clock_s, int *clock_us, int *delta_s, int *delta_us, int *info)
{
    struct timeval now = {0}, delta = {0};
    *info = pvm_hostsync(*host, &now, &delta);
    *clock_s = (int)now.tv_sec;
    *clock_us = (int)now.tv_usec;
    *delta_s = (int)delta.tv_sec;
    *delta_us = (int)delta.tv_usec;
}

/* The arguments of a daemon, in one text with blanks between them. */
void pvmfstartpvmd_(const char *args, const int *block, int *info, size_t n)
{
    enum { MOST = 64 };
    struct pvmf_text t;
    char *argv[MOST + 1], *rest;
    int argc = 0;
    pvmf_text(&t, args, n);
    for (char *word = strtok_r(t.s, " ", &rest); word && argc < MOST; word = strtok_r(NULL, " ", &rest))
        argv[argc++] = word;
    argv[argc] = NULL;
    *info = pvm_start_pvmd(argc, argv, *block);
    pvmf_done(&t);
}
