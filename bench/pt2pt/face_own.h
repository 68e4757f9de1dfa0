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

/* What is sent from, and a place of `bytes` for what comes from each process. */
struct face_room {
    size_t bytes;
    char *out, *in;
};
extern struct face_room face_room;
/* For interfaces that take any memory; all of it is written once. */
void face_make_room(size_t bytes);
void face_drop_room(void);
/* "prefix_name", of the program that is started. */
const char *face_name(const char *prefix, const struct face_program *p);

#endif
