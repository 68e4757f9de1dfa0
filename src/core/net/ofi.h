/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The fabric on libfabric: one endpoint, one completion queue and one address
 * vector per PE. core_state.net.lock is the one thread inside (FI_THREAD_DOMAIN).
 */
#ifndef CORE_NET_OFI_H
#define CORE_NET_OFI_H

#include <rdma/fabric.h>
#include <rdma/fi_atomic.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_eq.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>
#include <signal.h>

#include "core/net/fabric.h"

enum {
    OFI_RECVS = 64,        /* receive buffers posted */
    OFI_RECVS_MOST = 4096, /* ... when strangers hold some */
    OFI_EVENTS = 16,       /* completions read at once */
    OFI_SIGNALS = 12,      /* whose handlers are kept */
};

_Static_assert(sizeof(struct fi_context2) <= sizeof((struct core_net_op *)0)->context,
               "providers keep something at the beginning of an op");

/* Why a PE does without its adapter's atomics; peers read it in its card. */
enum core_ofi_native {
    OFI_NATIVE,
    OFI_NATIVE_UNWANTED,
    OFI_NATIVE_SHARED,
    OFI_NATIVE_EMULATED,
    OFI_NATIVE_LACKING,
    OFI_NATIVE_REASONS
};

/* All that this fabric knows: apart from core_state, as its types are known here only. */
struct core_ofi_state {
    struct fi_info *info;
    struct fid_fabric *fabric;
    struct fid_domain *domain;
    struct fid_ep *ep;
    struct fid_cq *cq;
    struct fid_av *av;
    fi_addr_t *peer;            /* by PE */
    bool own_keys;              /* we choose the keys */
    size_t inject_max;          /* bytes that need no buffer until done */
    enum core_ofi_native native; /* this PE's; of the job: core_state.rma.atomics_native */
    struct core_net_op *newest;      /* receive that was posted last */
    unsigned receives;          /* that were made */
    uint64_t received, seen;    /* completed; at the last look */
    int64_t looked_ns;
    unsigned idle;              /* times that nothing was there */
    bool probing;               /* the newest receive was cancelled, and has not come back */
    struct fi_cq_msg_entry events[OFI_EVENTS]; /* read but not yet handled: [at, n) */
    int at, n;
    bool limit_raised;          /* by us (ofi_limit.c) */
    void *library;              /* NULL: not loaded (ofi_load.c) */
    struct sigaction handlers[OFI_SIGNALS]; /* the program's, while a library is loaded */
};
extern struct core_ofi_state core_ofi;

/* -------------------------------------------------------- ofi_load.c ---- */
struct core_ofi_lib {
    int (*getinfo)(uint32_t version, const char *node, const char *service, uint64_t flags, const struct fi_info *hints,
                   struct fi_info **info);
    void (*freeinfo)(struct fi_info *info);
    struct fi_info *(*dupinfo)(const struct fi_info *info);
    int (*fabric)(struct fi_fabric_attr *attr, struct fid_fabric **fabric, void *context);
    const char *(*strerror)(int errnum);
    uint32_t (*version)(void);
};
extern struct core_ofi_lib core_ofi_lib;
int core_ofi_load(bool quiet); /* else a message has been printed when it fails */
void core_ofi_signals_keep(void); /* around what may load libraries */
void core_ofi_signals_restore(void);

/* ------------------------------------------------------ ofi_choose.c ---- */
/* The provider and interface to use; *info to be freed. A message has been
 * printed when there is none. */
int core_ofi_choose(bool one_host, struct fi_info **info);
/* *info becomes the same network's with atomics; -ENODATA: it has none, *info stays. */
int core_ofi_choose_atomics(bool one_host, struct fi_info **info);
/* Is it, or does it contain, this core or utility provider (tcp;ofi_rxm has both)? A
 * beginning of its name will do. */
bool core_ofi_provider_has(const char *provider, const char *part);

/* ------------------------------------------------------ ofi_memory.c ---- */
int core_ofi_enroll(struct core_net_memory *m, void *p, size_t n, bool writable);
void core_ofi_release(struct core_net_memory *m);

/* ----------------------------------------------------- ofi_message.c ---- */
int core_ofi_send(struct core_net_op *op);
int core_ofi_post_receives(void);
void core_ofi_post_receive(struct core_net_op *op);
void core_ofi_look_after_receives(void); /* now and then while nothing comes; lock held */

/* --------------------------------------------------------- ofi_rma.c ---- */
int core_ofi_write(struct core_net_op *op, const void *from, struct core_net_target to, size_t n, bool delivered);
int core_ofi_read(struct core_net_op *op, void *to, struct core_net_target from, size_t n);

/* ------------------------------------------------------ ofi_native.c ---- */
int core_ofi_native_choose(bool one_host); /* after core_ofi_choose: may change core_ofi.info */
int core_ofi_native_check(void);           /* the endpoint is open */
/* All PEs, or none: PE pe's card says this. An error after a message when it must be. */
int core_ofi_native_meet(int pe, enum core_ofi_native theirs);
int core_ofi_atomic(struct core_net_op *op, enum core_amo_op which, unsigned width, struct core_net_target at,
                    void *fetch);

/* ------------------------------------------------------- ofi_limit.c ---- */
void core_ofi_limit_raise(void); /* around the first look for providers */
void core_ofi_limit_known(void);
size_t core_ofi_push_most(void);

/* ---------------------------------------------------- ofi_progress.c ---- */
int core_ofi_progress(void);
bool core_ofi_may_sleep(void);

#endif
