/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The table of groups (pvmi_tables.groups) and what its files share. A group's
 * members are known by instance, 0 upwards; it is gone when the last one leaves.
 * All of it is read and changed under pvmi_lock.
 */
#ifndef PVM_GROUP_H
#define PVM_GROUP_H

#include "pvm/pvmi.h"

enum { PVMI_GROUP_NAME = 128 };

struct pvmi_group {
    int32_t at; /* its index in the table */
    uint32_t hash;
    char name[PVMI_GROUP_NAME];
    int32_t size, high;   /* members; instances ever used are below high */
    int32_t frozen;       /* by pvm_freezegroup: the size it keeps; 0: it is dynamic */
    int32_t defunct;      /* a member of a frozen group has left: no barriers any more */
    int32_t waiting, want; /* the barrier under way: members in it, and how many it takes; want 0: none */
    int32_t freezing;     /* it is pvm_freezegroup's */
    int32_t whole;        /* all who came said -1: it takes all who are members */
    int32_t ghosts;       /* came to the barrier under way and died in it: they count, unless it takes all members */
    int32_t lost;         /* members that died and nobody has joined for */
    int32_t member[PVMI_TASKS];  /* slot + 1 of each instance, 0: free */
    uint64_t ticket[PVMI_TASKS]; /* of the members in the barrier; see group_barrier.c */
};

struct pvmi_groups {
    uint32_t used[PVMI_GROUPS]; /* hash of the group there, 0: none */
    struct pvmi_group group[PVMI_GROUPS];
};
_Static_assert(sizeof(struct pvmi_groups) <= sizeof(((struct pvmi_tables *)0)->groups), "groups fit the tables");

/* Under the lock: the group of that name, in place or as a copy; NULL: none. Changes to it
 * are published by pvmi_group_keep. */
struct pvmi_group *pvmi_group_find(const char *name);
void pvmi_group_keep(struct pvmi_group *g);
/* The same, for calls: locks, finds (the null group too, where it means everybody) or fails
 * with the code reported and the lock released. */
int pvmi_group_open(const char *name, struct pvmi_group **g);
/* Instance of a slot, -1: no member. */
int pvmi_group_inst(const struct pvmi_group *g, int slot);

/* group_barrier.c, under the lock: release who waits in it, as that many have come; or in vain. */
enum pvmi_outcome { PVMI_ALL_CAME = 0, PVMI_DEFUNCT = 1, PVMI_MEMBER_DIED = 2 };
void pvmi_group_release(struct pvmi_group *g, enum pvmi_outcome how);
/* The same, after a member has left or died, if the barrier can be complete by that, or never. */
void pvmi_group_fewer(struct pvmi_group *g, bool died);
/* The slot of an instance, -1: none. 0 or a code, reported. */
int pvmi_group_slot(const char *name, int instance, int *slot);
/* The members' slots in the order of instances, into memory the caller frees; *n of them. Reports errors. */
int pvmi_group_members(const char *name, int **slots, int *n);

/* group_frozen.c: static groups that this task is in. */
struct pvmi_frozen {
    struct pvmi_frozen *next;
    int n, size; /* instances, members */
    char name[PVMI_GROUP_NAME];
    int tid[];   /* of each instance, -1: none */
};
const struct pvmi_frozen *pvmi_frozen_find(const char *name); /* NULL: not known, ask the table */
void pvmi_frozen_keep(const struct pvmi_group *g);            /* under the lock */
void pvmi_frozen_drop(const char *name);                      /* NULL: all */

#endif
