/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the files of the I/O chapter share (MPI-5.0, 14), in reading order: hints,
 * representations, views, the file, one access to it, and the ways to move data.
 *
 * A view makes the file a stream: the bytes of its filetype's data, tile after tile,
 * as they lie in the file. Accesses are ranges of the stream; only view.c knows
 * where they are.
 */
#ifndef MPI_IO_H
#define MPI_IO_H

#include "mpi/mpii.h"

struct mpii_file;

/* ------------------------------------------------- hints (file_info.c) -- */

enum { IO_AUTOMATIC, IO_ENABLE, IO_DISABLE };
struct mpii_io_hints {
    int64_t cb_nodes;       /* processes that read and write in collective accesses */
    int64_t cb_buffer_size; /* bytes each of them has in hand */
    int64_t cb_read, cb_write;
    int64_t sieve_read;     /* independent reads: small pieces by one large read */
    int64_t sieve_size;
    int64_t permissions;
};
void mpii_io_hints_default(struct mpii_io_hints *h, const struct mpii_comm *c);
/* Takes what `info` gives. creation: also what cannot change later. */
void mpii_io_hints_take(struct mpii_io_hints *h, MPI_Info info, bool creation);

/* ------------------------------------- data representations (view_rep.c) -- */

enum mpii_io_rep_kind { IO_NATIVE, IO_EXTERNAL32, IO_USER };
struct mpii_io_rep {
    char name[MPI_MAX_DATAREP_STRING];
    enum mpii_io_rep_kind kind;
    bool wide; /* the functions are of the large form */
    MPII_Function *read, *write; /* NULL: nothing to convert */
    MPI_Datarep_extent_function *extent;
    void *extra;
    const struct mpii_io_rep *next;
};
const struct mpii_io_rep *mpii_io_rep_find(const char *name); /* NULL: none such */
/* Extent in the file of a predefined datatype. An error class. */
int mpii_io_rep_extent(const struct mpii_io_rep *rep, MPI_Datatype basic, MPI_Aint *extent);

/* t as it lies in a file of this representation: a committed type of bytes, with a
 * reference for the caller. NULL: *error says why (view_type.c). */
struct mpii_type *mpii_io_type_in_file(const struct mpii_io_rep *rep, struct mpii_type *t, int *error);
/* Basic elements, and their bytes in memory, in the first n file bytes of t (view_type.c). */
struct mpii_io_prefix {
    MPI_Count elements, memory;
};
struct mpii_io_prefix mpii_io_type_prefix(const struct mpii_io_rep *rep, struct mpii_type *t, MPI_Count n);

/* ------------------------------------------------------ views (view.c) -- */

struct mpii_io_view {
    MPI_Offset disp;
    struct mpii_type *etype, *filetype; /* the user's: references */
    struct mpii_type *layout;           /* filetype as it lies in the file: a reference */
    MPI_Count etype_size;               /* bytes of an etype in the file */
    bool rises;                         /* the stream's bytes follow each other in the file, within a tile */
    bool apart;                         /* and from tile to tile */
    MPI_Count run;                      /* mean bytes of the stream that are together in the file; 0: all */
    const struct mpii_io_rep *rep;
};
int mpii_io_view_set(struct mpii_io_view *v, MPI_Offset disp, struct mpii_type *etype, struct mpii_type *filetype,
                     const struct mpii_io_rep *rep, bool writes, const char **why);
void mpii_io_view_clear(struct mpii_io_view *v);
/* Place in the file of byte `at` of the stream. */
MPI_Offset mpii_io_view_locate(const struct mpii_io_view *v, MPI_Offset at);
/* Does it rise in the file from byte to byte of [at, at + n)? What is below then works on parts of that range. */
bool mpii_io_view_rises(const struct mpii_io_view *v, MPI_Offset at, MPI_Count n);
/* The other way: the first byte of [from, to), which rises, that lies at displacement `disp` or behind; `to`: none
 * does. */
MPI_Offset mpii_io_view_before(const struct mpii_io_view *v, MPI_Offset disp, MPI_Offset from, MPI_Offset to);
/* Where in the stream a file of `size` bytes ends. */
MPI_Offset mpii_io_view_end(const struct mpii_io_view *v, MPI_Offset size);
/* All of the file that bytes [at, at + n) touch lies in [low, high). n > 0; any range. */
struct mpii_io_span {
    MPI_Offset low, high;
};
struct mpii_io_span mpii_io_view_span(const struct mpii_io_view *v, MPI_Offset at, MPI_Count n);
/* n equal blocks of the file. */
struct mpii_io_run {
    MPI_Offset at;
    MPI_Count bytes, stride, n;
};
/* Calls visit for the runs of [at, at + n) of the stream, in order, until it returns false. */
void mpii_io_view_runs(const struct mpii_io_view *v, MPI_Offset at, MPI_Count n,
                       bool (*visit)(void *arg, const struct mpii_io_run *run), void *arg);

/* ------------------------------------------------------ files (file_*.c) -- */

struct mpii_io_shared; /* the shared file pointer: io_shared.c */

enum mpii_io_split {
    IO_NO_SPLIT,
    IO_READ_ALL,
    IO_READ_AT_ALL,
    IO_READ_ORDERED,
    IO_WRITE_ALL,
    IO_WRITE_AT_ALL,
    IO_WRITE_ORDERED
};

struct mpii_file {
    struct mpii_anchor anchor;
    struct mpii_comm *comm; /* our own */
    char *name;
    int fd, amode;
    bool atomic;
    bool dirty;             /* written here since the last sync */
    bool syncs;             /* the one of its node that calls fsync */
    struct mpii_io_hints hints;
    struct mpii_io_view view;
    MPI_Offset position;    /* individual file pointer, in etypes */
    struct mpii_io_shared *shared;
    uint32_t exchanges;     /* collective accesses so far: same on all members */
    int pending;            /* nonblocking ones under way */
    enum mpii_io_split split;    /* the split collective that has begun */
    const void *split_buf;
    MPI_Count split_bytes;
    bool views_differ; /* with --check: found out at the last MPI_File_set_view, at this line */
    uintptr_t view_site;
};

int mpii_io_check_file(MPI_File handle, struct mpii_file **f, const char *call);
/* The file of a question, and where its answer goes. */
int mpii_io_check_asked(MPI_File handle, struct mpii_file **f, const void *out, const char *arg, const char *call);
/* Not allowed in sequential mode. */
int mpii_io_check_random(struct mpii_file *f, const char *call);
/* With --check, of classes that tell of the file system elsewhere: the call goes against the file's amode. */
extern const struct mpii_blame mpii_io_against_amode;
/* No split collective has begun and not ended. */
int mpii_io_check_split(struct mpii_file *f, const char *call);
/* Until all nonblocking collective accesses are done. */
void mpii_io_wait_quiet(struct mpii_file *f, const char *call);
/* With --check: says so if the program has not completed one before this call, as it must. */
void mpii_io_check_completed(const struct mpii_file *f, const char *call);
/* With --check: all processes must have the same view where they use the shared file pointer. */
void mpii_io_compare_views(struct mpii_file *f);
void mpii_io_check_views(const struct mpii_file *f, const char *call);
/* With --check: have all opened the same file? */
int mpii_io_check_one_file(const struct mpii_file *f, const char *call);
/* Class of an errno of the file system. */
int mpii_io_class_of(int error);
/* Raise it, naming the file and what was tried. f may be NULL (no file yet). */
int mpii_io_raise_errno(struct mpii_file *f, const char *name, int error, const char *tried, const char *call);
/* All members learn the worst error class of `error` (which its maker has raised); the others raise it, too. */
int mpii_io_agree(void *object, struct mpii_comm *c, int error, const char *call);
/* Are these n values the same on all members? Collective. */
bool mpii_io_same(struct mpii_comm *c, const int64_t *values, int n);

/* -------------------------------------------- shared pointer (io_shared.c) --
 * In etypes. Collective: init, finish. */
int mpii_io_shared_init(struct mpii_file *f);
void mpii_io_shared_finish(struct mpii_file *f);
MPI_Offset mpii_io_shared_add(struct mpii_file *f, MPI_Offset etypes); /* the old value */
void mpii_io_shared_set(struct mpii_file *f, MPI_Offset value);        /* on rank 0, while nobody else uses it */

/* -------------------------------------------------------- one access -- */

struct mpii_io_access {
    struct mpii_file *f;
    bool write;
    void *buf; /* the user's */
    MPI_Count count;
    struct mpii_type *type;
    MPI_Offset at;   /* of the stream */
    MPI_Count bytes; /* of it */
    /* The same bytes in memory: the user's buffer, or what was (or will be) converted. */
    void *from;
    MPI_Count from_count;
    struct mpii_type *from_type;
    void *converted;
    MPI_Count done; /* bytes of the stream */
    int error;      /* class */
    int os_error;   /* its cause, or 0 */
};
/* Make from ... from_type; convert when writing (io_access.c). Class. */
int mpii_io_access_begin(struct mpii_io_access *a);
/* Convert what was read; gives back memory. *bytes: in memory, for the status. Class. */
int mpii_io_access_end(struct mpii_io_access *a, MPI_Count *bytes);
int mpii_io_access_raise(const struct mpii_io_access *a, int class, const char *call);

/* Independent transfer of all of it (io_move.c). Sets done and error. */
void mpii_io_move(struct mpii_io_access *a);
/* All of n bytes from displacement `disp` on, but for the end of the file; *done bytes were moved. errno or 0. */
int mpii_io_file_read(int fd, void *to, MPI_Count n, MPI_Offset disp, MPI_Count *done);
int mpii_io_file_write(int fd, const void *from, MPI_Count n, MPI_Offset disp, MPI_Count *done);
/* Bytes of a run that lie in buffer `window`, whose first byte is at displacement `low` of the file, to or from packed
 * memory. */
void mpii_io_run_gather(const struct mpii_io_run *run, const char *window, MPI_Offset low, char *packed);
void mpii_io_run_scatter(const struct mpii_io_run *run, char *window, MPI_Offset low, const char *packed);

/* Collective transfer (io_exchange.c): the object holds what is under way, step never waits. */
struct mpii_io_exchange;
/* Takes part in f's next collective access. NULL: out of memory. */
struct mpii_io_exchange *mpii_io_exchange_new(struct mpii_file *f, struct mpii_io_access *a);
bool mpii_io_exchange_step(struct mpii_io_exchange *x); /* true: done, a's result is there */
void mpii_io_exchange_free(struct mpii_io_exchange *x);

#endif
