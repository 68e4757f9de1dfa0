/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The business cards of PEs: what each tells all others before it uses the network.
 */
#ifndef CORE_CARDS_H
#define CORE_CARDS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Plain data. */
enum { CORE_CARD_NET = 640, CORE_CARD_DETECTOR = 32 };
struct core_card {
    uint64_t magic, build; /* of the library: core_wire_build() */
    uint64_t heap_size, data_len;
    char version[16], host[64];
    pid_t pid;
    int32_t node; /* lowest PE of those that share memory with this one */
    uint32_t records; /* the recorder is on */
    uint32_t net_n, life_n;
    _Alignas(8) unsigned char net[CORE_CARD_NET];       /* the transport's, a structure of its own */
    _Alignas(8) unsigned char life[CORE_CARD_DETECTOR]; /* the lifeline's address (detector.c) */
};

/* The card of PE pe; NULL while there is no network. */
const struct core_card *core_card_of(int pe);

/* The transport's part of it. */
const void *core_card_net(int pe, size_t *n);

#endif
