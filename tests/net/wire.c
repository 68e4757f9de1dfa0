/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An Ethernet switch in user space between TAP interfaces, with delay, loss and
 * ports that can be cut. It stands in for the kernel's netem where that is not
 * compiled in. Usage: wire PORT...; prints "ready" when the interfaces exist,
 * then obeys lines on stdin: shape MS PERCENT, cut PORT#, join PORT#; answers
 * "done" or "error"; ends when stdin does.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { PORTS = 16, FRAME = 1514 + 4, QUEUE = 1 << 14, BURST = 64 };

struct frame {
    double due;
    short to, len;
    unsigned char bytes[FRAME];
};

struct port {
    int fd;
    bool cut;
    bool known; /* address seen */
    unsigned char mac[6];
};

static struct port port[PORTS];
static int ports;
static struct frame *queue; /* ring: the delay is the same for all, so due times are in order */
static unsigned head, tail;
static double delay_s, loss;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static bool lost(void)
{
    return loss > 0 && drand48() < loss;
}

static void enqueue(int to, const unsigned char *bytes, int len)
{
    if (head - tail == QUEUE || port[to].cut || lost())
        return;
    struct frame *f = &queue[head++ % QUEUE];
    f->due = now() + delay_s;
    f->to = (short)to;
    f->len = (short)len;
    memcpy(f->bytes, bytes, (size_t)len);
}

static void receive(int from)
{
    unsigned char b[FRAME];
    for (int k = 0; k < BURST; k++) {
        ssize_t n = read(port[from].fd, b, sizeof b);
        if (n < 14)
            return;
        memcpy(port[from].mac, b + 6, 6);
        port[from].known = true;
        if (port[from].cut)
            continue;
        int only = -1;
        for (int i = 0; i < ports && !(b[0] & 1); i++)
            if (port[i].known && !memcmp(port[i].mac, b, 6))
                only = i;
        for (int i = 0; i < ports; i++)
            if (i != from && (only < 0 || i == only))
                enqueue(i, b, (int)n);
    }
}

static void deliver(double t)
{
    for (; tail != head && queue[tail % QUEUE].due <= t; tail++) {
        struct frame *f = &queue[tail % QUEUE];
        if (!port[f->to].cut && write(port[f->to].fd, f->bytes, (size_t)f->len) < 0 && errno != EIO && errno != EAGAIN)
            perror("wire: write");
    }
}

static bool obey(const char *line)
{
    double ms, percent;
    int i;
    if (sscanf(line, "shape %lf %lf", &ms, &percent) == 2) {
        delay_s = ms * 1e-3;
        loss = percent * 1e-2;
        return true;
    }
    bool cut = sscanf(line, "cut %d", &i) == 1;
    if ((!cut && sscanf(line, "join %d", &i) != 1) || i < 0 || i >= ports)
        return false;
    port[i].cut = cut;
    return true;
}

static bool make_port(const char *name)
{
    struct ifreq r;
    memset(&r, 0, sizeof r);
    r.ifr_flags = IFF_TAP | IFF_NO_PI;
    snprintf(r.ifr_name, sizeof r.ifr_name, "%s", name);
    int fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK);
    if (fd < 0 || ioctl(fd, TUNSETIFF, &r) < 0) {
        fprintf(stderr, "wire: %s: %s\n", name, strerror(errno));
        return false;
    }
    port[ports++].fd = fd;
    return true;
}

/* One round: sleep until a frame comes, one is due or a command comes. */
static bool turn(void)
{
    struct pollfd p[PORTS + 1] = {[0] = {.fd = 0, .events = POLLIN}};
    for (int i = 0; i < ports; i++)
        p[i + 1] = (struct pollfd){.fd = port[i].fd, .events = POLLIN};
    struct timespec wait, *limit = NULL;
    if (tail != head) {
        double s = queue[tail % QUEUE].due - now();
        wait.tv_sec = s > 0 ? (time_t)s : 0;
        wait.tv_nsec = s > 0 ? (long)((s - (double)wait.tv_sec) * 1e9) : 0;
        limit = &wait;
    }
    if (ppoll(p, (nfds_t)ports + 1, limit, NULL) < 0)
        return errno == EINTR;
    for (int i = 0; i < ports; i++)
        if (p[i + 1].revents & POLLIN)
            receive(i);
    deliver(now());
    if (!p[0].revents)
        return true;
    char line[128];
    if (!fgets(line, sizeof line, stdin))
        return false;
    puts(obey(line) ? "done" : "error");
    return true;
}

int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    setvbuf(stdin, NULL, _IONBF, 0);
    queue = calloc(QUEUE, sizeof *queue);
    if (!queue || argc < 2 || argc > PORTS + 1)
        return 2;
    for (int i = 1; i < argc; i++)
        if (!make_port(argv[i]))
            return 1;
    puts("ready");
    while (turn())
        continue;
    return 0;
}
