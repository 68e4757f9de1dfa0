/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pvm_trecv's limits: none, zero, negative, short, long enough; the ways of polling;
 * a wait outside, on the descriptors of pvm_getfds, that a message ends.
 */
#include "family.h"

#include <poll.h>
#include <time.h>

static long now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static void send_later(int pe, int tag, long us)
{
    nanosleep(&(struct timespec){us / 1000000, us % 1000000 * 1000}, NULL);
    pvm_initsend(PvmDataRaw);
    OK(pvm_send(fm_name(pe), tag));
}

static void limits(void)
{
    static const struct timeval none_left[] = {{0, 0}, {-1, 0}, {0, -5}, {-3, 999999}};
    for (size_t i = 0; i < 4; i++) {
        struct timeval t = none_left[i];
        GIVES(pvm_trecv(-1, 50, &t), 0);
    }
    static const long us[] = {1, 300, 5000, 60000};
    for (size_t i = 0; i < 4; i++) {
        struct timeval t = {0, us[i]};
        long before = now_us();
        GIVES(pvm_trecv(-1, 50, &t), 0);
        long took = now_us() - before;
        CHECK(took >= us[i] && took < us[i] + 2000000, "a limit of %ld us took %ld us", us[i], took);
        CHECK(t.tv_sec == 0 && t.tv_usec == us[i], "the limit was changed");
    }
    struct timeval t = {0, 1500000}; /* more than a second of microseconds */
    pvm_initsend(PvmDataRaw);
    OK(pvm_send(pc_tid, 51));
    CHECK(pvm_trecv(-1, 51, &t) > 0, "a message that is there");
    OK(pvm_send(pc_tid, 51));
    CHECK(pvm_trecv(pc_tid, 51, NULL) > 0, "without a limit");
    t = (struct timeval){0x7fffffffffffffff, 0};
    OK(pvm_send(pc_tid, 51));
    CHECK(pvm_trecv(-1, -1, &t) > 0, "with the longest limit");
}

/* PE 0 waits, the others send late. */
static void late(int type, int n)
{
    if (type)
        OK(pvm_setopt(PvmPollType, type));
    OK(pvm_setopt(PvmPollTime, n));
    fm_barrier();
    if (pc_me > 0) {
        send_later(0, 60, 20000);
        send_later(0, 61, 20000);
        return;
    }
    for (int pe = 1; pe < pc_size; pe++) {
        struct timeval t = {10, 0};
        CHECK(pvm_trecv(fm_name(pe), 60, &t) > 0, "nothing of PE %d within 10 s", pe);
        CHECK(pvm_recv(fm_name(pe), 61) > 0, "nothing of PE %d", pe);
    }
}

/* select() on the descriptors: a message makes one readable, and pvm_nrecv finds it. */
static void outside(void)
{
    int *fds, n, found = 0, rounds = 0;
    long end = now_us() + 20000000;
    fm_barrier();
    if (pc_me > 0) {
        for (int i = 0; i < 5; i++)
            send_later(0, 70, 10000);
        return;
    }
    n = pvm_getfds(&fds);
    CHECK(n >= 1, "%d descriptors", n);
    while (found < 5 * (pc_size - 1) && now_us() < end) {
        struct pollfd p[8];
        for (int i = 0; i < n && i < 8; i++)
            p[i] = (struct pollfd){.fd = fds[i], .events = POLLIN};
        int ready = poll(p, (nfds_t)(n < 8 ? n : 8), 5000);
        CHECK(ready > 0, "no descriptor became readable in 5 s (%d messages so far)", found);
        if (ready <= 0)
            break;
        rounds++;
        while (pvm_nrecv(-1, 70) > 0)
            found++;
    }
    CHECK(found == 5 * (pc_size - 1), "%d messages in %d rounds", found, rounds);
}

int main(void)
{
    fm_start();
    limits();
    late(0, 0);
    late(PvmPollConstant, 0);
    late(PvmPollSleep, 100);
    outside();
    fm_barrier();
    return fm_finish();
}
