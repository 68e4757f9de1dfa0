/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What buffers and their memory remember: pvmi.pack.
 */
#ifndef PVM_PACK_STATE_H
#define PVM_PACK_STATE_H

#include <stddef.h>

enum {
    PVMI_ROOMS = 4,    /* sizes of chunks in private memory of which spare ones are kept (chunk.c) */
    PVMI_CLASSES_OF_BLOCKS = 13
};

struct pvmi_pack_state {
    struct pvmi_msg *spare; /* buffer.c */
    unsigned spares;
    struct {
        struct pvmi_msg **msg; /* by bufid; NULL: free */
        int *next;             /* of the queue of free ones */
        int n, used;           /* room; numbers ever used are below `used` */
        int first, last, waiting;
    } ids;
    struct pvmi_spare {
        size_t room; /* behind the struct */
        struct pvmi_chunk *list;
        unsigned n;
    } chunks[PVMI_ROOMS];
    struct {
        struct pvmi_hold *free[PVMI_CLASSES_OF_BLOCKS];
        size_t kept;                    /* bytes of all these */
        struct pvmi_hold *first, *last; /* those that others still refer to, as far as known */
    } blocks;
    unsigned shortages; /* of blocks: not each is worth looking for dead tasks */
};

#endif
