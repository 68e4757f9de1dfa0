/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is to happen, by time: a heap.
 */
#ifndef PREDICT_QUEUE_H
#define PREDICT_QUEUE_H

/* At one time, what is later in this list comes first. */
enum sim_event_kind { SIM_PE_GOES_ON, SIM_MESSAGE_BEGINS, SIM_MESSAGE_IS_THERE };

struct sim_event {
    double when;
    enum sim_event_kind kind;
    int number;       /* of the PE or of the message */
    unsigned version; /* what the owner likes */
};

struct sim_queue {
    struct sim_event *heap; /* the first one is next */
    int n, room;
};

void sim_queue_push(struct sim_queue *q, struct sim_event x);
struct sim_event sim_queue_pop(struct sim_queue *q);

#endif
