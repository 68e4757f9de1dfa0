/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bad tids, tags and counts: the standard's codes, pvm_errno, one line on stderr as
 * PvmAutoErr says; and sends to nobody, which are no error.
 */
#include "family.h"

#include <fcntl.h>
#include <sys/mman.h>

static void sending(void)
{
    GIVES(pvm_send(pc_tid, -1), PvmBadParam);
    pvm_freebuf(pvm_setsbuf(0));
    GIVES(pvm_send(pc_tid, 1), PvmNoBuf);
    CHECK(pvm_errno == PvmNoBuf, "pvm_errno %d", pvm_errno);
    OK(pvm_initsend(PvmDataDefault));
    GIVES(pvm_send(-1, 1), PvmBadParam);
    GIVES(pvm_send(0x40000, 1), PvmBadParam);       /* a host */
    GIVES(pvm_send((int)0x80040000, 1), PvmBadParam); /* its daemon of old */
    GIVES(pvm_send(0x7ffc0001, 1), PvmBadParam);
    GIVES(pvm_send(1 << 18 | (pc_size + 5), 1), 0); /* nobody yet */
    GIVES(pvm_send(4000 << 18 | 1, 1), 0);          /* no such host */
    GIVES(pvm_send(pc_size + 1000, 1), 0);
    OK(pvm_setopt(PvmResvTids, 1));
    GIVES(pvm_send(0x40000, -3), 0);
    OK(pvm_setopt(PvmResvTids, 0));
    GIVES(pvm_send(pc_tid, 0x7fffffff), 0);
    CHECK(pvm_recv(-1, 0x7fffffff) > 0, "the largest tag");
}

static void receiving(void)
{
    GIVES(pvm_recv(-1, -2), PvmBadParam);
    GIVES(pvm_nrecv(-1, -2), PvmBadParam);
    GIVES(pvm_nrecv(-2, 1), PvmBadParam);
    GIVES(pvm_recv(4000 << 18 | 1, 1), PvmBadParam);
    GIVES(pvm_probe(-77, -1), PvmBadParam);
    GIVES(pvm_trecv(0x7ffc0001, -1, NULL), PvmBadParam);
    GIVES(pvm_nrecv((int)0x80000000, 1), 0); /* whose notifications are */
    GIVES(pvm_nrecv((int)0x80040000, 1), 0);
    GIVES(pvm_nrecv(-1, 12345), 0);
}

/* Text of what a call that fails prints. */
static size_t printed(int how, char *text, size_t n)
{
    int file = memfd_create("printed", 0), before = dup(2);
    fflush(stderr);
    dup2(file, 2);
    pvm_setopt(PvmAutoErr, how);
    pvm_send(pc_tid, -7);
    pvm_setopt(PvmAutoErr, 0);
    dup2(before, 2);
    close(before);
    ssize_t got = pread(file, text, n - 1, 0);
    close(file);
    text[got > 0 ? got : 0] = 0;
    return got > 0 ? (size_t)got : 0;
}

static void reporting(void)
{
    char text[512], start[64];
    CHECK(printed(0, text, sizeof text) == 0, "silent: %s", text);
    CHECK(printed(1, text, sizeof text) > 0, "nothing was printed");
    snprintf(start, sizeof start, "libpvm [t%x]: pvm_send(): Bad parameter", (unsigned)pc_tid);
    CHECK(strncmp(text, start, strlen(start)) == 0 && strstr(text, "-7"), "printed: %s", text);
    CHECK(strchr(text, '\n') == text + strlen(text) - 1, "not one line: %s", text);
}

static void others(void)
{
    struct timeval t, d;
    int args[11] = {5}, n = -1, mask[4] = {-1}, *fds = NULL;
    GIVES(pvm_hostsync(0, &t, &d), PvmNoHost);
    GIVES(pvm_hostsync(4000 << 18, &t, &d), PvmNoHost);
    GIVES(pvm_hostsync(pc_tid, &t, &d), 0);
    CHECK(t.tv_sec > 1000000000 && d.tv_usec >= 0 && d.tv_usec < 1000000 && (d.tv_sec == 0 || d.tv_sec == -1),
          "%ld, %ld.%06ld", (long)t.tv_sec, (long)d.tv_sec, (long)d.tv_usec);
    GIVES(pvm_hostsync(pvm_tidtohost(pc_tid), NULL, NULL), 0);
    GIVES(pvm_tickle(0, args, &n, mask), PvmBadParam);
    GIVES(pvm_tickle(11, args, &n, mask), PvmBadParam);
    GIVES(pvm_tickle(1, NULL, &n, mask), PvmBadParam);
    GIVES(pvm_tickle(1, args, &n, mask), 0);
    CHECK(n == 1 && mask[0] == pvm_getopt(PvmDebugMask), "%d answers, mask %d", n, mask[0]);
    args[0] = 99;
    GIVES(pvm_tickle(1, args, &n, NULL), 0);
    CHECK(n == 0, "%d answers", n);
    GIVES(pvm_getfds(NULL), PvmBadParam);
    CHECK(pvm_getfds(&fds) >= 1 && fds && fcntl(fds[0], F_GETFD) >= 0, "no descriptor");
}

int main(void)
{
    fm_start();
    sending();
    receiving();
    reporting();
    others();
    fm_barrier();
    return fm_finish();
}
