/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a PE has begun and not yet waited for: how many operations are open, when the latest ended, and those with a tag
 * one by one.
 */
#ifndef PREDICT_REQUEST_H
#define PREDICT_REQUEST_H

#include <stdbool.h>

struct sim_requests {
    struct sim_request *tagged;
    int n, room, open;
    double latest;
};

void sim_request_begin(struct sim_requests *r, int tag);
/* The oldest open one of this tag has ended at `when`. */
void sim_request_end(struct sim_requests *r, int tag, double when);
/* True: one of this tag has ended, at *when, and is forgotten. */
bool sim_request_take(struct sim_requests *r, int tag, double *when);
bool sim_request_is_open(const struct sim_requests *r, int tag);
/* All have ended, and are forgotten. */
void sim_request_clear(struct sim_requests *r);
void sim_request_free(struct sim_requests *r);

#endif
