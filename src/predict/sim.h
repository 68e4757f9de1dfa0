/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the simulator's files share. A machine has PEs on nodes (which share a port into the network), nodes on routers,
 * and links between routers. A program has a list of operations for each PE. Times are in seconds, amounts in bytes.
 */
#ifndef PREDICT_SIM_H
#define PREDICT_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SIM_DIMENSIONS = 3, SIM_RATES = 32, SIM_PATH = 64 };

enum sim_topology { SIM_CROSSBAR, SIM_BUS, SIM_TORUS, SIM_HYPERCUBE, SIM_FATTREE, SIM_DRAGONFLY };

/* A cost that grows with a message: before + bytes / rate. */
struct sim_cost {
    double fixed, each;
};

struct sim_machine {
    int pes, pes_per_node, nodes_per_router;
    enum sim_topology topology;
    int size[SIM_DIMENSIONS]; /* torus: routers in each; hypercube: its dimension; fat tree: nodes of a leaf;
                                 dragonfly: routers of a group */
    double taper;             /* fat tree: bandwidth upwards of that downwards */
    double link_rate, hop, turn; /* bytes/s of a link, s for each router passed, for each change of dimension */
    int turns_max;            /* changes that cost; 0: all */
    double port_rate;         /* bytes/s of a node into the network, and out of it; 0: no limit */
    double latency;           /* s from one PE to another beside what follows */
    struct sim_cost send, receive; /* what the processors do for a message */
    struct {
        double bytes, rate;
    } rates[SIM_RATES];       /* bytes/s without others, by size: what lies between is interpolated */
    int nrates;
    double eager;             /* longer messages wait for their receiver */
    double share_from;        /* shorter messages do not slow each other down */
    double onesided;          /* s of the processor for a put or get; < 0: what a send takes */
    struct sim_cost get;      /* a fetch of a remote word, and each further byte */
    double barrier_fixed, barrier_log; /* hardware: fixed + log * log2(PEs); fixed < 0: by messages */
    double combine;           /* s a byte of a reduction */
};

enum sim_op {
    SIM_COMPUTE,   /* seconds */
    SIM_SEND,      /* bytes to peer with tag; goes on when the buffer is free */
    SIM_RECEIVE,   /* from peer with tag */
    SIM_ISEND,     /* as SEND, complete by WAIT */
    SIM_IRECEIVE,
    SIM_WAIT, /* for all that ISEND and IRECEIVE have begun; with a tag: for the oldest request of that tag */
    SIM_PUT, /* bytes into peer's memory; goes on when it is there */
    SIM_GET,
    SIM_BARRIER, /* all PEs, as the others below */
    SIM_BROADCAST, /* peer: the root */
    SIM_REDUCE,
    SIM_ALLREDUCE,
    SIM_ALLTOALL, /* bytes for each other PE */
    SIM_MARK, /* tag: what the time is printed for */
    SIM_IPUT,      /* as PUT and GET, complete by QUIET */
    SIM_IGET,
    SIM_QUIET,     /* for all IPUT and IGET */
    SIM_OPS
};

/* As it lies in the program's file, sorted by PE: 32 bytes, little-endian. */
struct sim_step {
    uint32_t pe, op;
    int32_t peer, tag;
    uint64_t bytes;
    double seconds;
};
_Static_assert(sizeof(struct sim_step) == 32, "as report/mpt_report/predict writes it");

/* ---- memory.c: n entries, zeroed, or p made as large as that. Without memory the program ends, saying so. ---- */
void *sim_make(size_t n, size_t size);
void *sim_grow(void *p, int n, size_t size);

/* ---- machine.c ---- */
/* Reads "key value ..." lines. False after a message. */
bool sim_machine_read(const char *path, struct sim_machine *m);
double sim_cost(struct sim_cost c, double bytes);
double sim_rate(const struct sim_machine *m, double bytes); /* bytes/s without others */

/* ---- step.c ---- */
/* False after a message. */
bool sim_steps_are_sound(const struct sim_machine *m, const struct sim_step *steps, size_t n);

/* ---- route.c ---- */
int sim_links(const struct sim_machine *m); /* how many there are, ports included */
double sim_link_rate(const struct sim_machine *m, int link);
struct sim_path {
    int n, hops, turns; /* links; routers passed; changes of dimension */
    int link[SIM_PATH];
};
void sim_route(const struct sim_machine *m, int from, int to, struct sim_path *path);
double sim_distance(const struct sim_machine *m, const struct sim_path *path); /* s for hops and turns */

/* ---- share.c: messages that use the same links share them, max-min fair ---- */
struct sim_share;
struct sim_share *sim_share_new(const struct sim_machine *m);
void sim_share_free(struct sim_share *s);
/* A message of so many bytes, at most `most` bytes/s, begins now; its number. Its end is told by sim_share_next. */
int sim_share_begin(struct sim_share *s, double now, const struct sim_path *path, double bytes, double most);
/* The next message to end, and when; -1: none ends up to the time `other`, when something else happens. */
int sim_share_next(struct sim_share *s, double other, double *when);
void sim_share_end(struct sim_share *s, double now, int flow);

/* ---- collective.c: what a collective is made of, for one PE ---- */
typedef void sim_emit(void *to, struct sim_step step);
void sim_collective(const struct sim_machine *m, struct sim_step step, int sequence, sim_emit *emit, void *to);

/* ---- engine.c ---- */
struct sim_result {
    double *clock; /* of each PE */
    uint64_t events;
    bool stuck; /* some PEs wait for what never comes */
};
typedef void sim_mark(int pe, int tag, double seconds);
bool sim_run(const struct sim_machine *m, const struct sim_step *steps, size_t n, sim_mark *mark,
             struct sim_result *result);

#endif
