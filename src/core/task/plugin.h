/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Libraries that programs load by dlopen: each PE has its own copy, as of those that it was linked with. The loader
 * makes one, the model, without running its constructors; it is the copy of the process's first PE. Those of others
 * follow what the loader has left in the model.
 *
 *   plugin.c        the list of them, and a PE's dlopen and dlclose
 *   plugin_load.c   a model, with the libraries that it needs and that are not there yet
 *   plugin_copy.c   a copy
 *   plugin_find.c   where the file of a name is
 */
#ifndef CORE_PLUGIN_H
#define CORE_PLUGIN_H

#include "core/task/host.h"

struct core_plugin_word { /* of the model: an address in an image of the program or of a plugin */
    uintptr_t at;
    const struct core_image *in;
};

struct core_plugin_copy { /* by task */
    uintptr_t base;  /* 0: it has none */
    size_t reserved; /* so much memory, from `start` on; 0: the model's */
    char *start;
    unsigned opens;
    unsigned order; /* in which its constructors have run */
};

struct core_plugin {
    struct core_image m; /* first: what is `in` a plugin is found by it. m.first is the model */
    struct core_plugin *next;
    dev_t device;
    ino_t inode;
    void *handle; /* the loader's, for the model */
    char path[CORE_IMAGE_PATH];
    bool stays; /* RTLD_NODELETE */
    struct core_plugin **needs;
    unsigned n_needs;
    char **fresh; /* what is in its writable segments before anything runs, by segment */
    struct core_plugin_word *words;
    unsigned n_words;
    struct core_plugin_copy copies[];
};

/* For dlopen. False: it is none, and the loader's task; else *handle is what dlopen gives. `in`: who asks, or NULL. */
bool core_plugin_open(struct core_task *t, const char *name, int mode, const struct core_image *in, void **handle);
/* Is it of one? Then *rc is what dlclose gives. */
bool core_plugin_close(struct core_task *t, void *handle, int *rc);
/* All that this task has open, at its end. */
void core_plugins_end(struct core_task *t);

/* Of the loader's handle; of the task's copy with this address; of the model with it. NULL: none. */
struct core_plugin *core_plugin_of(void *handle);
struct core_plugin *core_plugin_at(const struct core_task *t, uintptr_t address);
struct core_plugin *core_plugin_model_at(uintptr_t address);
struct core_plugin *core_plugin_next(const struct core_plugin *after); /* NULL: the first */

/* plugin_load.c: under the list's lock. NULL: it cannot be copied, or not be loaded. Of the former, where the loader
 * may do without symbols that are missing (RTLD_LAZY), `missing` says which. */
enum { CORE_PLUGIN_MISSING = 256 };
struct core_plugin *core_plugin_load(struct core_task_host *h, const char *path, int mode, char *missing);
/* To and from the list. */
void core_plugin_add(struct core_plugin *p);
void core_plugin_remove(struct core_plugin *p);
struct core_plugin *core_plugin_in_file(const char *path);

/* plugin_copy.c: the task's copy. 0 or a negative errno. When all that it uses is there: as if it had just been loaded.
 * And no longer. */
int core_plugin_copy(struct core_task *t, struct core_plugin *p);
void core_plugin_fill(struct core_task *t, struct core_plugin *p);
void core_plugin_drop(struct core_task *t, struct core_plugin *p);

/* plugin_find.c: malloc'ed; NULL: there is none. */
char *core_plugin_find(const char *name, const struct core_image *in);

#endif
