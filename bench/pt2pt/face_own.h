/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What an interface's side of the face gives face.c, and gets from it.
 */
#ifndef BENCH_FACE_OWN_H
#define BENCH_FACE_OWN_H

#include "face.h"

/* Ends the whole job with these words. */
void face_die(const char *text) __attribute__((noreturn));
/* The share of time of the next case, of all processes. */
double face_share(const char *label);

/*
 * What is sent from, and places for what comes from each process: of `bytes`, or where buffers rotate, of parts of the
 * whole.
 */
struct face_room {
    size_t bytes;
    size_t landing; /* of `in` for each process: two messages where they are read while the next may come */
    size_t rotates; /* bytes that `out` rotates over, and `in` as a whole; 0: it was not asked for */
    size_t out_bytes, in_bytes;
    char *out, *in;
};
extern struct face_room face_room;
/* Once the job stands: how large it all shall be; and with half of that to rotate over, false if there is none. */
void face_plan_room(const struct face_program *p, size_t bytes);
bool face_halve_room(void);
/* Once it is there. */
void face_open_room(void);
/* For interfaces that take any memory: all of this. */
void face_make_room(const struct face_program *p, size_t bytes);
/* The places of the next message and on to those of the one after it: where it is sent from, where it comes to at its
 * receiver (as the sender's own address of it), and where it came to. The last two stay in step. */
char *face_take_out(void);
char *face_take_there(int to);
char *face_take_in(int from);
/* Where the places for what comes from a process begin. */
char *face_base(int from);
void face_drop_room(void);
/* "prefix_name", of the program that is started. */
const char *face_name(const char *prefix, const struct face_program *p);

#endif
