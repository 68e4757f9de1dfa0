/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What moves the transport's bytes from PE to PE: libfabric (ofi_*.c), or sockets of
 * TCP (tcp_*.c). The transport above decides what is sent; the fabric sends it.
 *
 * All but progress and may_sleep are called with the transport's lock held. What
 * begins an operation returns 0 (it is taken), -EAGAIN (no room now: progress may
 * make some) or another negative errno, which ends the job. Of each pair of PEs
 * messages arrive in the order of their sending, once.
 */
#ifndef CORE_NET_FABRIC_H
#define CORE_NET_FABRIC_H

#include "core/net/net.h"

struct core_net_fabric {
    /* Choose a device and open it, fill core_state.net.promise. A message has been printed when it fails. */
    int (*open)(bool one_host);
    /* Memory is registered: messages may be received. */
    int (*ready)(void);
    void (*close)(void); /* also what was opened in part */

    const char *(*kind)(void); /* of the network, for messages; all PEs must have the same */
    /* What peers need to reach this PE: at most *n bytes; and a peer's. Messages have been printed when they fail. */
    int (*card)(void *card, size_t *n);
    int (*meet)(int pe, const void *card, size_t n);
    bool (*met)(void); /* all PEs' cards were taken; true: adapters carry out the program's atomics */
    bool (*address)(void *sockaddr, size_t n); /* the device's own; false: it has none */

    /* Memory that peers may read, and write if `writable`; fills key and handle. */
    int (*enroll)(struct core_net_memory *m, void *p, size_t n, bool writable);
    void (*release)(struct core_net_memory *m);

    bool (*busy)(int pe); /* more to that PE would have to wait; may be NULL: never */
    /* op->n bytes at op->data, and the tail, to op->pe; core_net_op_done or core_net_op_free when they may change. */
    int (*send)(struct core_net_op *op);
    /* core_net_op_done when the source may change; with `delivered` when the target has the bytes. */
    int (*write)(struct core_net_op *op, const void *from, struct core_net_target to, size_t n, bool delivered);
    int (*read)(struct core_net_op *op, void *to, struct core_net_target from, size_t n);
    /* Operands are in op. NULL: the fabric has none. */
    int (*atomic)(struct core_net_op *op, enum core_amo_op which, unsigned width, struct core_net_target at,
                  void *fetch);

    /* One thread at a time, without the lock: core_net_handle for each message that came, core_net_op_done for what is
     * done. Returns how many. */
    int (*progress)(void);
    void (*flush)(void); /* lock held: what core_net_pump_soon was asked for; may be NULL */
    bool (*may_sleep)(void); /* until fd is readable */
    const char *(*error)(int error);
};

extern const struct core_net_fabric core_ofi_fabric; /* NULL open: built without libfabric's headers */
extern const struct core_net_fabric core_tcp_fabric;
bool core_ofi_beyond_sockets(bool one_host); /* does libfabric reach more than sockets would? */

#endif
