/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The state of base: see core/state.h.
 */
#ifndef CORE_BASE_STATE_H
#define CORE_BASE_STATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct core_dw;
struct core_socket_name;

enum { CORE_SITE_FRAMES = 1024, CORE_SITE_CALLERS = 256 };

struct core_threads_state {
    const char *single; /* thread.h; not 0: the PE has one thread */
};

struct core_base_state {
    void (*end)(int status); /* how core_fatal ends the job; NULL: it ends this process */
    struct {
        pthread_mutex_t lock;
        struct core_socket_name *first; /* names that this process has */
        bool swept;
    } sockets; /* user_socket.c */
    struct core_dw *dw; /* libdw, once it is loaded (site_dw.c) */
    bool no_dw;         /* it has been looked for */
    uint64_t frames[CORE_SITE_FRAMES]; /* which code is this library's (site.c) */
    uint8_t depths[CORE_SITE_CALLERS]; /* how many frames lead out of it, by callers of core_site */
    char param_text[256]; /* the last value that core_param_row has written */
};

#endif
