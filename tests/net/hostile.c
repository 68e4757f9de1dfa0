/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A stranger who can reach a job's endpoints and knows all about MPT but what is
 * secret: a client of libfabric that reads and writes PEs' memory by guessed
 * keys, sends them rubbish and forged messages, and leaves in the middle of a
 * transfer; and plain sockets that say nothing, or rubbish. Usage:
 * hostile MODE SECONDS SEED PORT...; says what it got: "read KEY", "wrote KEY".
 * The status is 0 also then: whether the job suffers is for the caller to see.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/net/ofi.h"

enum { PORTS_MAX = 64, BIG = 1 << 20, KEYS = 65, WAIT_MS = 5, NOBODY = 65534 };

static struct {
    struct fi_info *info;
    struct fid_fabric *fabric;
    struct fid_domain *domain;
    struct fid_ep *ep;
    struct fid_cq *cq;
    struct fid_av *av;
} c;

static uint16_t port[PORTS_MAX];
static fi_addr_t target[PORTS_MAX];
static int ports;
static double end;
static unsigned char data[BIG];

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void die(const char *what, int rc)
{
    fprintf(stderr, "hostile: %s: %s\n", what, fi_strerror(-rc));
    exit(77);
}

static void must(const char *what, int rc)
{
    if (rc != 0)
        die(what, rc);
}

static uint64_t any(void)
{
    return (uint64_t)mrand48() << 32 ^ (uint64_t)mrand48();
}

static void fill(void *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((unsigned char *)p)[i] = (unsigned char)(lrand48() >> 8);
}

static struct sockaddr_in address_of(int i)
{
    return (struct sockaddr_in){
        .sin_family = AF_INET, .sin_port = htons(port[i]), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

/* ------------------------------------------------------- client of libfabric -- */

static void open_endpoint(void)
{
    struct fi_cq_attr cq = {.format = FI_CQ_FORMAT_MSG};
    struct fi_av_attr av = {.type = FI_AV_TABLE};
    must("fi_cq_open", fi_cq_open(c.domain, &cq, &c.cq, NULL));
    must("fi_av_open", fi_av_open(c.domain, &av, &c.av, NULL));
    must("fi_endpoint", fi_endpoint(c.domain, c.info, &c.ep, NULL));
    must("fi_ep_bind", fi_ep_bind(c.ep, &c.av->fid, 0));
    must("fi_ep_bind", fi_ep_bind(c.ep, &c.cq->fid, FI_TRANSMIT | FI_RECV));
    must("fi_enable", fi_enable(c.ep));
    for (int i = 0; i < ports; i++) {
        struct sockaddr_in a = address_of(i);
        fi_av_insert(c.av, &a, 1, &target[i], 0, NULL);
    }
}

/* A PE that was asked for what it does not have ends the connection. */
static void open_again(void)
{
    fi_close(&c.ep->fid);
    fi_close(&c.cq->fid);
    fi_close(&c.av->fid);
    open_endpoint();
}

static void open_client(void)
{
    struct fi_info *h = fi_allocinfo();
    char limit[16];
    snprintf(limit, sizeof limit, "%d", NET_MSG_MAX);
    setenv("FI_OFI_RXM_EAGER_LIMIT", limit, 1); /* else PEs refuse the connection */
    h->caps = FI_MSG | FI_RMA;
    h->mode = FI_CONTEXT | FI_CONTEXT2;
    h->ep_attr->type = FI_EP_RDM;
    h->addr_format = FI_SOCKADDR_IN;
    h->domain_attr->mr_mode = FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY | FI_MR_ENDPOINT;
    h->fabric_attr->prov_name = strdup("tcp");
    must("fi_getinfo", fi_getinfo(FI_VERSION(1, 11), "127.0.0.1", NULL, FI_SOURCE, h, &c.info));
    must("fi_fabric", fi_fabric(c.info->fabric_attr, &c.fabric, NULL));
    must("fi_domain", fi_domain(c.fabric, c.info, &c.domain, NULL));
    open_endpoint();
    fi_freeinfo(h);
}

/* 1: an operation is done; 0: nothing happened for so long; -1: it failed. */
static int completion(int ms)
{
    struct fi_cq_msg_entry e;
    double until = now() + 1e-3 * ms;
    do {
        ssize_t n = fi_cq_read(c.cq, &e, 1);
        if (n == 1)
            return 1;
        if (n == -FI_EAVAIL) {
            struct fi_cq_err_entry bad = {0};
            fi_cq_readerr(c.cq, &bad, 0);
            return -1;
        }
    } while (now() < until);
    return 0;
}

static void send_some(int to, size_t n)
{
    static struct fi_context2 context;
    ssize_t rc;
    double until = now() + 0.2;
    while ((rc = fi_send(c.ep, data, n, NULL, target[to], &context)) == -FI_EAGAIN && now() < until)
        completion(1);
    if (rc == 0)
        completion(WAIT_MS);
}

/* Done by the PE, as far as the provider can tell. */
static bool access_by(bool write, int to, uint64_t key, uint64_t at)
{
    static struct fi_context2 context;
    struct iovec iov = {data, 64};
    struct fi_rma_iov rma = {at, 64, key};
    struct fi_msg_rma m = {
        .msg_iov = &iov, .iov_count = 1, .addr = target[to], .rma_iov = &rma, .rma_iov_count = 1, .context = &context};
    ssize_t rc;
    double until = now() + 0.2;
    fill(data, 64);
    do
        rc = write ? fi_writemsg(c.ep, &m, FI_COMPLETION | FI_DELIVERY_COMPLETE) : fi_readmsg(c.ep, &m, FI_COMPLETION);
    while (rc == -FI_EAGAIN && (completion(1), now() < until));
    return rc == 0 && completion(WAIT_MS) == 1;
}

static void keys(void)
{
    for (unsigned i = 0; now() < end; i++)
        for (int to = 0; to < ports; to++) {
            uint64_t key = i / 2 < KEYS ? i / 2 : i & 2 ? 256 + any() % 4096 : any();
            bool write = i & 1;
            if (access_by(write, to, key, i / 2 < KEYS ? 0 : any() % 512 * 8))
                printf("%s %llu\n", write ? "wrote" : "read", (unsigned long long)key);
            else
                open_again();
        }
}

static void messages(void)
{
    static const size_t sizes[] = {1, 2, 31, 32, 33, 64, 1000, 8192, 66000, NET_MSG_MAX, NET_MSG_MAX + 1, 200000, BIG};
    for (unsigned i = 0; now() < end; i++)
        for (int to = 0; to < ports; to++) {
            size_t n = i < sizeof sizes / sizeof *sizes ? sizes[i] : 1 + any() % 20000;
            fill(data, n < 256 ? n : 256);
            send_some(to, n);
        }
}

/* Everything as a PE would say it, but for what only PEs of the job know. */
static void heads(void)
{
    struct core_net_head *h = (struct core_net_head *)data;
    for (unsigned i = 0; now() < end; i++)
        for (int to = 0; to < ports; to++) {
            size_t n = sizeof *h + any() % (i & 1 ? 64 : 4096);
            fill(data, n);
            h->kind = (uint8_t)(i % NET_M_KINDS);
            h->op = (uint8_t)(any() % CORE_AMO_OPS);
            h->width = 8;
            h->from = (int32_t)(any() % (unsigned)ports);
            h->address = (any() & 3) << 62 | (any() & 0xffff8);
            h->cookie = i & 4 ? any() : any() % 100;
            send_some(to, n);
        }
}

/* Answers that nobody waits for, with addresses and small numbers. */
static void answers(void)
{
    struct core_net_head *h = (struct core_net_head *)data;
    for (unsigned i = 0; now() < end; i++)
        for (int to = 0; to < ports; to++) {
            fill(data, sizeof *h + 64);
            *h = (struct core_net_head){.kind = i & 1 ? NET_M_ANSWER : NET_M_BLOCKS,
                                        .from = (int32_t)(any() % (unsigned)ports)};
            h->cookie = i & 2 ? (uintptr_t)data : i & 4 ? any() : i / 8;
            send_some(to, sizeof *h + 64);
        }
}

/* Offers much that PEs have to fetch, and then does not move. */
static void offer(int begun)
{
    enum { OFFERS = 600 };
    static struct fi_context2 context[OFFERS];
    open_client();
    for (int i = 0; i < OFFERS; i++) {
        if (i == OFFERS / 4 && write(begun, "x", 1) != 1)
            return;
        while (fi_send(c.ep, data, BIG, NULL, target[i % ports], &context[i]) == -FI_EAGAIN && now() < end)
            completion(1);
        completion(0);
    }
    for (;;)
        pause();
}

/* Ends while PEs take what it sends. */
static void stop_after(unsigned us)
{
    while (now() < end) {
        int begun[2];
        pid_t child = pipe2(begun, O_CLOEXEC) == 0 ? fork() : -1;
        if (child == 0)
            offer(begun[1]);
        close(begun[1]);
        if (child < 0 || read(begun[0], &(char){0}, 1) != 1)
            exit(2);
        for (double until = now() + 1e-6 * us; now() < until && now() < end;)
            usleep(1000);
        kill(child, SIGKILL);
        while (waitpid(child, NULL, 0) < 0)
            continue;
        close(begun[0]);
    }
}

static void leaves(void)
{
    stop_after((unsigned)any() % 50000);
}

static void freezes(void)
{
    stop_after(1000000000);
}

/* --------------------------------------------------------------- plain sockets -- */

static int call(int to)
{
    struct sockaddr_in a = address_of(to);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd >= 0)
        connect(fd, (struct sockaddr *)&a, sizeof a);
    return fd;
}

static void rubbish(void)
{
    while (now() < end)
        for (int to = 0; to < ports; to++) {
            int fd = call(to);
            size_t n = 1 + any() % 3000;
            usleep(500);
            fill(data, n);
            send(fd, data, n, MSG_NOSIGNAL);
            usleep(500);
            close(fd);
        }
}

static void silence(void)
{
    enum { OPEN = 200 };
    int fd[OPEN];
    for (int i = 0; i < OPEN; i++)
        fd[i] = call(i % ports);
    while (now() < end)
        for (int i = 0; i < OPEN && now() < end; i++) {
            usleep(2000);
            close(fd[i]);
            fd[i] = call(i % ports);
        }
}

/* All of the greeting between PEs but the proof, or not even that. */
static void greetings(void)
{
    struct {
        char magic[8];
        int32_t from, to;
        uint64_t number;
    } hello = {.magic = "MPT-tcp1"};
    while (now() < end)
        for (int to = 0; to < ports; to++) {
            uint64_t word[4] = {0};
            int fd = call(to);
            usleep(300);
            hello.from = any() % 8 ? (int32_t)(any() % (unsigned)ports) : (int32_t)any();
            hello.to = any() % 8 ? (int32_t)(any() % (unsigned)ports) : (int32_t)any();
            hello.number = any();
            send(fd, &hello, any() % 4 ? sizeof hello : any() % sizeof hello, MSG_NOSIGNAL);
            usleep(300);
            ssize_t n = recv(fd, word, sizeof word[0], 0), first = n > 0 ? n : 0;
            if (n != sizeof word[0] || any() % 2) /* else what came is sent back */
                fill(word, sizeof word);
            send(fd, word, 8 + 8 * (any() % 4), MSG_NOSIGNAL);
            usleep(300);
            n = recv(fd, word, sizeof word, 0);
            if (n > 0 && first + n > 8) { /* more than the challenge */
                printf("welcome of %zd bytes\n", n);
                exit(0);
            }
            close(fd);
        }
}

/* As many as this process may have, held. */
static void crowd(void)
{
    enum { OPEN = 1000 };
    static int fd[OPEN];
    for (int i = 0; i < OPEN; i++)
        fd[i] = call(i % ports);
    for (int i = 0; now() < end; i = (i + 1) % OPEN) {
        if (fd[i] < 0 || recv(fd[i], data, 8, 0) == 0) {
            close(fd[i]);
            fd[i] = call(i % ports);
        }
        usleep(100);
    }
}

static const struct {
    const char *name;
    void (*run)(void);
    bool client;
} modes[] = {{"keys", keys, true},        {"messages", messages, true}, {"heads", heads, true},
             {"answers", answers, true},  {"leaves", leaves, false},    {"freezes", freezes, false},
             {"rubbish", rubbish, false}, {"silence", silence, false},  {"greetings", greetings, false},
             {"crowd", crowd, false}};

int main(int argc, char **argv)
{
    if (argc < 5)
        return 2;
    if (geteuid() == 0 && (setgid(NOBODY) != 0 || setuid(NOBODY) != 0))
        return 77;
    signal(SIGPIPE, SIG_IGN);
    end = now() + atof(argv[2]);
    srand48(atol(argv[3]));
    for (int i = 4; i < argc && ports < PORTS_MAX; i++)
        port[ports++] = (uint16_t)atoi(argv[i]);
    for (unsigned i = 0; i < sizeof modes / sizeof *modes; i++)
        if (strcmp(modes[i].name, argv[1]) == 0) {
            if (modes[i].client)
                open_client();
            modes[i].run();
            return 0;
        }
    return 2;
}
