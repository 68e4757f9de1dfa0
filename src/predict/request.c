/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lists are short: a program waits for what it begins.
 */
#include "predict/request.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predict/sim.h"

struct sim_request {
    int tag;
    bool ended;
    double when;
};

static int find(const struct sim_requests *r, int tag, bool ended)
{
    for (int i = 0; i < r->n; i++)
        if (r->tagged[i].tag == tag && r->tagged[i].ended == ended)
            return i;
    return -1;
}

void sim_request_begin(struct sim_requests *r, int tag)
{
    r->open++;
    if (tag <= 0)
        return;
    if (r->n == r->room)
        r->tagged = sim_grow(r->tagged, r->room = 2 * r->room + 16, sizeof *r->tagged);
    r->tagged[r->n++] = (struct sim_request){.tag = tag};
}

void sim_request_end(struct sim_requests *r, int tag, double when)
{
    int i = find(r, tag, false);

    r->open--;
    r->latest = fmax(r->latest, when);
    if (i >= 0) {
        r->tagged[i].ended = true;
        r->tagged[i].when = when;
    }
}

bool sim_request_take(struct sim_requests *r, int tag, double *when)
{
    int i = find(r, tag, true);

    if (i < 0)
        return false;
    *when = r->tagged[i].when;
    memmove(&r->tagged[i], &r->tagged[i + 1], (size_t)(--r->n - i) * sizeof *r->tagged);
    return true;
}

bool sim_request_is_open(const struct sim_requests *r, int tag)
{
    return find(r, tag, false) >= 0;
}

void sim_request_clear(struct sim_requests *r)
{
    r->n = 0;
}

void sim_request_free(struct sim_requests *r)
{
    free(r->tagged);
}
