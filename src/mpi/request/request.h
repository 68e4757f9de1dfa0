/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Requests, as those who make them and the calls that wait for them or test them see
 * them: what mpii.h offers to all is not repeated here.
 */
#ifndef MPI_REQUEST_H
#define MPI_REQUEST_H

#include "mpi/mpii.h"

/* ------------------------------------------------------------ request.c -- */
static inline struct mpii_request *mpii_request_in(MPI_Request handle) /* mpii_request_of, without a call */
{
    return (uintptr_t)handle < MPII_PREDEFINED_MAX ? NULL : (struct mpii_request *)mpii_object_of(handle, MPII_REQUEST);
}
void mpii_request_free(struct mpii_request *r);

/* It has ended because there was no memory, or for a reason that nobody expects: its receiver waits in vain.
 * A call that starts it says so itself, and waits for several requests give up. */
static inline bool mpii_request_is_lost(const struct mpii_request *r)
{
    return MPT_UNLIKELY(r->error == MPI_ERR_NO_MEM || r->error == MPI_ERR_INTERN) && r->done;
}

/* --------------------------------------------------------------- wait.c -- */
/* A request of the user's array: its object, NULL for MPI_REQUEST_NULL; raises MPI_ERR_REQUEST. */
int mpii_request_check(MPI_Request handle, struct mpii_request **r, const char *call);
int mpii_request_needed(MPI_Request *handle, struct mpii_request **r, const char *call); /* not MPI_REQUEST_NULL */
void mpii_status_empty(MPI_Status *status);
static inline bool mpii_request_is_active(const struct mpii_request *r)
{
    return r && r->active;
}
/* Of a request that is done: fill the status, give the request back (or make it inactive); the error class. */
int mpii_request_report(struct mpii_request *r, MPI_Request *handle, MPI_Status *status);
int mpii_request_status(struct mpii_request *r, MPI_Status *status); /* only the first part */
/* The same, with the error raised. */
int mpii_request_report_raise(struct mpii_request *r, MPI_Request *handle, MPI_Status *status, const char *call);
/* Of an internal request: wait, then raise its error as the call's. */
int mpii_request_finish(struct mpii_request *r, MPI_Status *status, const char *call);
void mpii_request_await(struct mpii_request *r, const char *call);
/* What a wait is for, with MPT_CHECK=1: the first of the requests that is not done; else only the call. */
enum { MPII_WHERE = 112 };
const char *mpii_request_where(char text[MPII_WHERE], const char *call, int count, const MPI_Request requests[]);
/* For core_wait_by: a wait for all of these requests, or for any of them; it lasts as long as the wait. */
enum { MPII_AWAIT_TEXT = 144 };
struct mpii_await {
    const char *call;
    int count;
    const MPI_Request *requests;
    bool all;
    bool several; /* the call is of an array */
    bool own;     /* the call began the request itself */
    struct core_blocked_by by;
};
const struct core_blocked_by *mpii_await_by(struct mpii_await *a);
int mpii_request_raise(struct mpii_comm *c, const struct mpii_request *r, int error, const char *call);

/* -------------------------------------------------------------- claim.c -- */
int mpii_requests_claim(int count, const MPI_Request requests[], const void *wait, const char *call);
void mpii_requests_unclaim(int count, const MPI_Request requests[]);
/* A call that waits for requests begins, and ends. With --check: no other thread may be in one for any of them
 * (11.6.2). `wait`: an address of the call's own; NULL: it only tests. */
static inline int mpii_requests_enter(int count, const MPI_Request requests[], const void *wait, const char *call)
{
    return MPT_LIKELY(!core_params.check) ? MPI_SUCCESS : mpii_requests_claim(count, requests, wait, call);
}
static inline void mpii_requests_leave(int count, const MPI_Request requests[])
{
    if (MPT_UNLIKELY(core_params.check))
        mpii_requests_unclaim(count, requests);
}

/* Of arrays of requests. */
struct mpii_several {
    int error; /* the first */
    struct mpii_comm *comm; /* on which it is raised; held */
    struct mpii_blame *blame; /* with --check: of the first that has one, or NULL */
};
void mpii_several_add(struct mpii_several *s, struct mpii_request *r, MPI_Request *handle, MPI_Status statuses[],
                      int i);
void mpii_several_pending(struct mpii_several *s, MPI_Status statuses[], int i); /* it has not ended */
void mpii_several_none(struct mpii_several *s, MPI_Status statuses[], int i);
int mpii_several_end(struct mpii_several *s, const char *call);
int mpii_requests_check(int count, const MPI_Request requests[], const char *call);
int mpii_requests_find_done(int count, const MPI_Request requests[], bool *any_active); /* MPI_UNDEFINED: none */
bool mpii_requests_any_lost(int count, const MPI_Request requests[]);
int mpii_requests_report(int count, MPI_Request requests[], MPI_Status statuses[], const char *call);
int mpii_requests_report_some(int count, MPI_Request requests[], int *outcount, int indices[], MPI_Status statuses[],
                              const char *call);

#endif
