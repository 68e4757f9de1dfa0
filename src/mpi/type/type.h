/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the files of the datatype chapter share: how a type was made (recipe),
 * and the program of block copies that it becomes. Programs don't know types:
 * a type that is freed may leave its program to those built from it.
 */
#ifndef MPI_TYPE_H
#define MPI_TYPE_H

#include "mpi/mpii.h"

/* ------------------------------------------------------------- recipe --
 * The arguments of the constructor as Type_get_contents gives them back (5.1.13). */
struct mpii_type_recipe {
    int combiner;
    MPI_Count nints, naddrs, ncounts, ntypes;
    int *ints;
    MPI_Aint *addrs;
    MPI_Count *counts;
    struct mpii_type **types; /* holds references */
    struct mpii_type *nest;   /* subarray, darray: hidden type that lays it out; a reference */
    MPI_Aint at;              /* of nest */
};

/* A type is a sequence of terms: n times, `stride` apart, a block of `length` consecutive `type`s. */
struct mpii_term {
    MPI_Aint at;
    MPI_Count n;
    MPI_Aint stride;
    MPI_Count length;
    struct mpii_type *type;
};
MPI_Count mpii_type_terms(const struct mpii_type *t);
void mpii_type_term(const struct mpii_type *t, MPI_Count i, struct mpii_term *term);

/* --------------------------------------------------- making (type_make.c) --
 * A type with room for a recipe of these sizes; its children are put in by the
 * caller with mpii_type_adopt. NULL: out of memory. */
struct mpii_type *mpii_type_new(int combiner, MPI_Count nints, MPI_Count naddrs, MPI_Count ncounts, MPI_Count ntypes);
void mpii_type_adopt(struct mpii_type *t, MPI_Count i, struct mpii_type *child); /* holds child */
/* Computes size and bounds from the terms. Gives the new handle out, or frees t and raises an error. t may be NULL: out
 * of memory. */
int mpii_type_finish(struct mpii_type *t, MPI_Datatype *newtype, const char *call);
/* The same without handle and error: false: it does not fit. */
bool mpii_type_measure(struct mpii_type *t);
/* May not be freed: named, or by Type_create_f90_xxx. */
static inline bool mpii_type_is_predefined(const struct mpii_type *t)
{
    return !t->recipe ||
           (t->recipe->combiner >= MPI_COMBINER_F90_REAL && t->recipe->combiner <= MPI_COMBINER_F90_INTEGER);
}
/* The argument of a constructor: in use, committed or not. */
int mpii_type_arg(MPI_Datatype handle, struct mpii_type **t, const char *arg, const char *call);
/* For the nests of subarray and darray: n times child, stride bytes apart. Consumes the reference to child; NULL: out
 * of memory, or does not fit. */
struct mpii_type *mpii_type_hvector(MPI_Count n, MPI_Aint stride, struct mpii_type *child);

/* ------------------------------------------------------ programs (type_flat.c) --
 * A program is a sequence of steps, or a list of blocks; its packed form is theirs, one after the other. */
struct mpii_step {
    MPI_Aint at; /* of the first repetition */
    MPI_Count n; /* repetitions, >= 1 */
    MPI_Aint stride; /* bytes between them; of no meaning when n == 1 */
    MPI_Count bytes; /* packed bytes of one, >= 1 */
    MPI_Count start; /* packed offset of this step */
    struct mpii_type_program *body; /* NULL: a block of memory */
    const struct mpii_type *basic; /* typed programs: what the block consists of */
};
struct mpii_type_program {
    int refs;
    int nblocks; /* blocks in all, if no step has a body and they are few; else 0 */
    bool foreign; /* holds MPI_PACKED (typed programs) */
    MPI_Count size; /* packed bytes */
    MPI_Count elements; /* basic elements (typed programs) */
    MPI_Count external; /* bytes in external32 (typed programs) */
    uint64_t hash, power; /* of the sequence of elements (typed programs) */
    MPI_Aint *list; /* NULL, or instead of steps: blocks of `block` bytes at irregular displacements (not in typed
                       programs) */
    MPI_Count nlist, block;
    MPI_Count nsteps;
    struct mpii_step steps[];
};
enum { MPII_FEW_BLOCKS = 16 };

/* Sets t->program (and dense), or t->typed. False: out of memory. */
bool mpii_type_compile(struct mpii_type *t);
const struct mpii_type_program *mpii_type_typed(const struct mpii_type *t); /* NULL: out of memory */
void mpii_program_release(struct mpii_type_program *p); /* NULL is fine */
/* `count` of these, extent apart, as one step. */
void mpii_program_repeat(struct mpii_type_program *p, MPI_Aint extent, MPI_Count count, struct mpii_step *step);

/* Elements, and a hash of their sequence, of a typed program (type_sign.c). */
void mpii_program_sign(struct mpii_type_program *p);

/* -------------------------------------------------- walking (type_walk.c) --
 * Calls visit for each run of equal blocks (n blocks of `bytes` at memory + i x stride) of packed bytes [from, to) of
 * `step`, in order, until it returns false. */
struct mpii_walk {
    bool (*visit)(struct mpii_walk *w, uintptr_t memory, MPI_Aint stride, MPI_Count bytes, MPI_Count n,
                  const struct mpii_type *basic);
    /* NULL, or called for blocks at base + list[i], i < n, in one go */
    void (*gather)(struct mpii_walk *w, uintptr_t base, const MPI_Aint *list, MPI_Count bytes, MPI_Count n);
    bool interchange; /* visits of the inner blocks of many small bodies may come as strided runs: needs `packed` */
    char *packed; /* pack and unpack: where the next byte of the packed form is */
    MPI_Aint apart; /* of packed blocks in a visit; 0: they are adjacent */
};
bool mpii_walk_step(struct mpii_walk *w, const struct mpii_step *step, uintptr_t base, MPI_Count from, MPI_Count to);
/* Packed bytes [from, end) of a step of memory at `base`. */
void mpii_pack_step(void *to, uintptr_t base, const struct mpii_step *s, MPI_Count from, MPI_Count end);
void mpii_unpack_step(uintptr_t base, const struct mpii_step *s, MPI_Count at, MPI_Count end, const void *from);

/* -------------------------------------------------- copying (type_copy.c) --
 * A regular layout as plain data, for another process: loops, the outermost first, around blocks of equal size. */
enum { MPII_LEVELS = 4 };
struct mpii_regular {
    MPI_Count bytes; /* of a block */
    int levels;
    struct {
        MPI_Count n;
        MPI_Aint stride;
    } level[MPII_LEVELS];
};
/* False: it is not of that kind. *at: where the first block is, from the buffer's address on. */
bool mpii_regular_of(MPI_Count count, const struct mpii_type *t, struct mpii_regular *r, MPI_Aint *at);
/* Packed bytes [from, end) of what lies at `first` into the same of (buf, count, t). */
void mpii_copy_regular(void *buf, MPI_Count count, const struct mpii_type *t, const void *first,
                       const struct mpii_regular *r, MPI_Count from, MPI_Count end);

/* ------------------------------------------------- basic types (type_basic.c) -- */
enum mpii_class { MPII_CHAR, MPII_INT, MPII_UINT, MPII_FLOAT, MPII_LONG_DOUBLE, MPII_LOGICAL, MPII_PACK };
struct mpii_basic {
    MPI_Datatype handle;
    const char *name;
    uint8_t class; /* enum mpii_class */
    uint8_t parts; /* 2: complex */
    uint8_t size; /* of a part, here */
    uint8_t align;
    uint8_t external; /* bytes of a part in external32 (14.5.2) */
};
/* The row of a type of one element kind (t->basic); NULL: none such. */
const struct mpii_basic *mpii_basic_row(const struct mpii_type *t);
/* Is t a predefined pair, and of what; the predefined pair of these, or NULL. */
bool mpii_type_pair(const struct mpii_type *t, struct mpii_type **value, struct mpii_type **index);
struct mpii_type *mpii_type_pair_of(const struct mpii_type *value, const struct mpii_type *index);

/* op.c: with --check, a call of the program communicates: not from the function of an operation (6.9.5). */
void mpii_op_say_call(void) __attribute__((cold));
static inline void mpii_op_look(void)
{
    if (MPT_UNLIKELY(mpii_thread.rt.reducing))
        mpii_op_say_call();
}

#endif
