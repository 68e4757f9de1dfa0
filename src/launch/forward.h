/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Merges what the PEs write, by whole lines: a line never mixes with another
 * PE's. What nobody reads stays in the PEs' pipes, so memory is bounded and
 * nothing is lost; the PEs then wait, as with any full pipe.
 *
 * A line that has not ended (a prompt, a progress bar) is passed on when its
 * stream has been quiet for a while. It is then the last thing on its sink, and
 * other lines wait a short time for its end before they break it.
 */
#ifndef LAUNCH_FORWARD_H
#define LAUNCH_FORWARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "launch/sink.h"

/* What the user wants of the output. */
struct forward_how {
    bool tag;   /* prefix lines with the PE */
    bool stamp; /* and with the time */
    bool merge; /* the PEs' stderr goes to our stdout */
    bool files_only;      /* what goes to files goes nowhere else */
    const char *files[2]; /* patterns (output_file.h) of files for each PE's stdout and stderr; NULL: none */
};

/* epoll data of descriptors that are not forward's. */
#define FORWARD_NOT_MINE UINT64_MAX

struct stream {
    int fd;               /* our end of the pipe; -1 closed */
    int file;             /* gets all that passes, too; -1: none */
    unsigned pe;
    struct forward_sink *to;
    char *data;           /* what is not passed on yet: n bytes */
    size_t n;
    size_t left;          /* when closing: bytes of the pipe still to be read */
    uint64_t last;        /* time of the last byte */
    bool ready;           /* the pipe may hold more */
    bool mid_line;        /* what was passed on last is an unfinished line */
};

struct forward_sink {
    struct sink sink;
    struct stream *owner; /* whose unfinished line is last on the sink */
    uint64_t held;        /* since when others wait for the owner, 0: none */
};

struct forward {
    struct stream *streams;
    uint64_t *busy;       /* a bit for each stream that is ready or holds something */
    unsigned nstreams, open, per_pe;
    int fd_min;           /* our ends of the pipes have numbers from here on */
    struct forward_sink sinks[2]; /* stdout, stderr; one when they are the same file */
    unsigned nsinks;
    int epoll_fd;
    struct forward_how how;
    bool closing;
};

/* 0 or negative errno. */
int forward_init(struct forward *f, unsigned npes, struct forward_how how, int epoll_fd);

/* Make the pipes of a PE; *out and *err become its ends (perhaps the same), which have the
 * lowest numbers that are free: with three free ones below fd_min they are below it. */
int forward_open(struct forward *f, unsigned pe, int *out, int *err);

void forward_event(struct forward *f, uint64_t data);

/* Move what can be moved. True when there is more to do at once. */
bool forward_run(struct forward *f, uint64_t now);

/* Milliseconds until forward_run has something to do without an event, -1 never. */
int forward_timeout(const struct forward *f, uint64_t now);

/* Take all that the PEs have written so far, as far as the sinks take it. */
void forward_drain(struct forward *f);

/* No PE is left: what their pipes hold is all there will be, though a process
 * they left in the background may hold them open. */
void forward_close(struct forward *f);

/* A whole line of our own on stderr. */
void forward_message(struct forward *f, const char *line, size_t n);

/* Everything is written or dropped. */
bool forward_done(const struct forward *f);

/* errno of the first failed write, 0 for none; *fd is the descriptor. */
int forward_error(const struct forward *f, int *fd);

#endif
