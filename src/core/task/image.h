/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program or library of which a process has many copies. The file is patched once
 * and loaded by dlopen: it gets its own variables, and its text is mapped from the file,
 * which all share. Further copies follow the one that the loader has made
 * (image_map.c).
 *
 * What is patched
 *  - that it is a program (DF_1_PIE), and that it is read-only after relocation
 *  - constructors and destructors: they are the PE's, and run when it begins and ends
 *  - thread-local storage: all threads have the first instance's variables, so
 *    relocations become the values that they have there
 *  - copy relocations: done after loading, when what is copied has been relocated
 *  - names of needed libraries that are copied, too: they become paths of those copies
 *  - unique symbols (one in a process): they become ordinary ones
 */
#ifndef CORE_IMAGE_H
#define CORE_IMAGE_H

#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CORE_IMAGE_FOLDER "/proc/self/fd" /* of copies' paths */
enum { CORE_IMAGE_PATH = 64 }; /* bytes of a copy's path */

/* A place in every copy. */
struct core_image_copy { /* n bytes of a library's variable that lies in the program */
    uintptr_t at;
    size_t n;
    const struct core_image *from; /* the library; NULL: all share it, and the first instance has the value */
    uintptr_t value;               /* where in it */
};
struct core_image_slot { /* an address of a function or variable that is replaced */
    uintptr_t at;
    unsigned what; /* index in the caller's table of names */
};

struct core_image_part { /* of a segment, as further copies map it */
    uintptr_t at;
    size_t n;
    uint64_t offset; /* in the image's file; of one that is writable: in the block's */
    int protect;
    bool writable;
    bool stored; /* a page that is copied: what runs early has stored into it */
};

struct core_image {
    char *path;
    const char *soname; /* by which others need it; NULL: the program */
    uintptr_t first;    /* where the first instance lies */
    int file;           /* open */
    char *bytes;        /* its contents, patched */
    size_t size;
    const ElfW(Phdr) * segments;
    unsigned n_segments;
    ElfW(Dyn) * dynamic;
    /* strings: the file's, then the paths of needed copies */
    const char *strings;
    size_t strings_at, strings_n, strings_room; /* in the patched file; of the file's own; with paths */
    uintptr_t strings_address;
    struct core_image **needs; /* images whose copies it needs, in the order of their paths */
    unsigned n_needs;
    uintptr_t text; /* and how much of it there is */
    size_t text_n;
    bool early_text; /* functions run while it is loaded (IFUNC) */
    bool visited;    /* by whoever orders images */
    /* what runs when a copy begins and ends; 0 and NULL: nothing */
    uintptr_t init, fini;
    uintptr_t init_array, fini_array, preinit_array;
    size_t n_init, n_fini, n_preinit;
    struct core_image_copy *copies;
    unsigned n_copies;
    struct core_image_slot *slots;
    unsigned n_slots;
    /* for copies without the loader */
    uintptr_t offset; /* in a block */
    size_t span;
    struct core_image_part *parts;
    unsigned n_parts;
    uint32_t *words; /* that hold addresses in a block */
    unsigned n_words;
    struct {
        uintptr_t at;
        size_t n;
    } *runs; /* of pages that hold them */
    unsigned n_runs;
};

/* Where further copies of all images lie: a block of memory for each task. */
struct core_image_block {
    uintptr_t start;
    size_t stride, alignment;
    unsigned most; /* 0: there are none */
    int file; /* the writable segments, as the loader has left them, with addresses relative to the block */
    char *data;
    size_t size;
};

/* Does `name` mean something that is replaced, and what (an index, or -1)? */
typedef int core_image_names(const char *name);

/* Read the file of an object that is loaded and find what is in it. 0, or a negative errno and `why` it cannot be
 * copied. */
int core_image_open(struct core_image *m, const struct link_map *first, const char *path, bool program,
                    const char **why);
/* Patch it, when all are open: `images` are those that are copied. */
int core_image_patch(struct core_image *m, struct core_image **images, unsigned n, core_image_names *names,
                     const char **why);

/* The same of a library that is loaded later, for its model, which has the variables of threads (plugin.h). */
int core_image_patch_model(struct core_image *m, struct core_image **images, unsigned n, core_image_names *names,
                           const char **why);
void core_image_close(struct core_image *m);

/* Its size in memory, and the alignment that it wants, if it is more than *alignment. */
size_t core_image_span(const struct core_image *m, size_t *alignment);
/* Calls `note` with the place of each word that may hold an address: one in the image itself (`own`), or a symbol's, to
 * which `addend` is added. 0, or what `note` has returned; -ENOTSUP: there are words that only the loader can fill. */
typedef int core_image_note(void *arg, uintptr_t at, bool own, uintptr_t addend);
int core_image_words(const struct core_image *m, core_image_note *note, void *arg);

/* The contents at an address of the file, relative to its base; NULL: none. The value of an entry of its dynamic
 * section; 0: none. */
void *core_image_at(const struct core_image *m, uintptr_t address);
uintptr_t core_image_value(const struct core_image *m, ElfW(Sxword) tag);

/* Where a program begins, relative to its base. */
uintptr_t core_image_entry(const struct core_image *m);

/* The n-th copy as a file: a descriptor and its path. `paths`: those of the copies that it needs, as in `needs`. */
int core_image_make(const struct core_image *m, unsigned n, const char (*paths)[CORE_IMAGE_PATH],
                    char path[CORE_IMAGE_PATH]);
/* After it was loaded at `base`: text that is shared. `fd` is what core_image_make gave. */
int core_image_settle(const struct core_image *m, uintptr_t base, int fd);
/* When all of a copy's images have been loaded; bases[i] is that of images[i]. */
void core_image_copy_variables(const struct core_image *m, const struct core_image *images, const uintptr_t *bases);

/* Learn from the copy that the loader has made, with images at model[i], how to make `most` copies without it.
 * -ENOTSUP: there is something in it that only the loader can do. */
int core_image_learn(struct core_image_block *b, struct core_image *images, unsigned n, const uintptr_t *model,
                     unsigned most);
/* The k-th copy of all images: where they lie. */
int core_image_map(const struct core_image_block *b, const struct core_image *images, unsigned n, unsigned k,
                   uintptr_t *bases);
/* All copies have been made. */
void core_image_learned(struct core_image_block *b);
/* The image whose copy without the loader has this address, and where that copy lies; NULL: none. */
const struct core_image *core_image_of(const struct core_image_block *b, const struct core_image *images, unsigned n,
                                       uintptr_t address, uintptr_t *base);

#endif
