/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The mailbox's part of the tables (pvmi_tables.mbox): entries, each a whole
 * message under a class name and an index, and the space their bytes lie in. All
 * of it is read and changed under pvmi_lock.
 */
#ifndef PVM_MBOX_H
#define PVM_MBOX_H

#include "pvm/pvmi.h"

enum { PVMI_ENTRIES = 2048, PVMI_CLASS_NAME = 128 };

struct pvmi_entry {
    char name[PVMI_CLASS_NAME];
    int32_t index, owner; /* owner: tid, 0: gone */
    int32_t flags;
    int32_t src, tag, context, encoding, wid; /* the message's */
    uint64_t at, n;                           /* its bytes in the space */
};

struct pvmi_mbox {
    uint32_t high;               /* entries ever used are below */
    uint32_t used[PVMI_ENTRIES]; /* hash of the name, 0: free */
    struct pvmi_entry entry[PVMI_ENTRIES];
    _Alignas(64) unsigned char space[];
};

/* mbox.c: put a message under a name; `only_new`: PvmDenied where there is one. The index, or a code, reported. */
struct pvmi_put {
    int flags, index;
    bool only_new;
};
int pvmi_mbox_put(const char *name, struct pvmi_msg *m, struct pvmi_put how);
/* The entry as a message (free it), or a code, reported. *found: its index. */
int pvmi_mbox_get(const char *name, int index, int flags, struct pvmi_msg **m, int *found);
int pvmi_mbox_delete(const char *name, int index);

/* mbox_space.c: n bytes in the space, UINT64_MAX: no room. */
uint64_t pvmi_space_take(size_t n);
void pvmi_space_drop(uint64_t at);
/* Their offset among the tables. */
size_t pvmi_space_at(uint64_t at);

#endif
