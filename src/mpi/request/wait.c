/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Waiting for requests, and how the end of one is reported (3.7.3 to 3.7.5).
 */
#include "mpi/request/request.h"

#include <stdlib.h>
#include <string.h>

#include "mpi/check/watch.h"
#include "mpi/ft/ft.h"

/* ------------------------------------------------------ reporting the end -- */

/* With --check, of the calls that have their part in it. */
static bool has_blame(const struct mpii_request *r, int error, struct mpii_blame *b)
{
    return MPT_UNLIKELY(core_params.check) && r->ops->blame && r->ops->blame(r, error, b);
}

static int raise_truncated(struct mpii_comm *c, const struct mpii_request *r, const char *call)
{
    struct mpii_blame b;

    return mpii_error_blame(
        has_blame(r, MPI_ERR_TRUNCATE, &b) ? &b : NULL, c, MPI_ERR_TRUNCATE, call,
        "the message of rank %d with tag %d is longer than the receive's buffer of %lld bytes: the rest is lost",
        r->source, r->tag, (long long)r->bytes);
}

int mpii_request_raise(struct mpii_comm *c, const struct mpii_request *r, int error, const char *call)
{
    if (r->ops->raise)
        return r->ops->raise(r, error, call);
    if (error == MPI_ERR_TRUNCATE)
        return raise_truncated(c, r, call);
    if (mpii_ft_class(error))
        return mpii_ft_raise(c, error, call);
    return mpii_error(c, error, call, "a %s failed", r->ops->what);
}

int mpii_request_check(MPI_Request handle, struct mpii_request **r, const char *call)
{
    *r = NULL;
    if (handle == MPI_REQUEST_NULL)
        return MPI_SUCCESS;
    *r = mpii_request_of(handle);
    if (MPT_LIKELY(*r != NULL))
        return MPI_SUCCESS;
    MPII_TRY(mpii_check_started(call));
    return mpii_error(NULL, MPI_ERR_REQUEST, call, "request is %p, which is not a request (freed, or completed?)",
                      mpii_bad_handle(MPII_REQUEST, handle));
}

int mpii_request_needed(MPI_Request *handle, struct mpii_request **r, const char *call)
{
    MPII_TRY(mpii_check_pointer(NULL, handle, "request", call));
    MPII_TRY(mpii_request_check(*handle, r, call));
    return *r ? MPI_SUCCESS : mpii_error(NULL, MPI_ERR_REQUEST, call, "request is MPI_REQUEST_NULL");
}

int mpii_request_status(struct mpii_request *r, MPI_Status *status)
{
    MPI_Status mine;
    int error = r->error, said;

    mpii_status_set(status, r->source, r->tag, r->bytes, r->cancelled);
    if (MPT_LIKELY(!r->ops->query))
        return error;
    if (status == MPI_STATUS_IGNORE) {
        status = &mine;
        memset(status, 0, sizeof *status);
    }
    said = r->ops->query(r, status);
    return error != MPI_SUCCESS ? error : said;
}

/* The last report of a request: a generalized one's free function has its say, too (13.2). */
static int take_status(struct mpii_request *r, MPI_Status *status)
{
    int error = mpii_request_status(r, status), freed;

    if (MPT_UNLIKELY(core_trace_on()))
        mpii_trace_ended(r);
    if (MPT_LIKELY(!r->ops->query))
        return error;
    freed = mpii_greq_free(r);
    return error != MPI_SUCCESS ? error : freed;
}

static void give_back(struct mpii_request *r, MPI_Request *handle)
{
    if (MPT_UNLIKELY(r->error == MPIX_ERR_PROC_FAILED_PENDING)) {
        r->done = false; /* and active still */
        mpii_ft_look_again();
        return;
    }
    if (mpii_watch_has(r))
        mpii_watch_end(r);
    if (r->persistent) {
        r->active = false;
        return;
    }
    *handle = MPI_REQUEST_NULL;
    mpii_request_free(r);
}

int mpii_request_report(struct mpii_request *r, MPI_Request *handle, MPI_Status *status)
{
    int error = take_status(r, status);

    give_back(r, handle);
    return error;
}

int mpii_request_report_raise(struct mpii_request *r, MPI_Request *handle, MPI_Status *status, const char *call)
{
    int error = take_status(r, status);

    if (MPT_UNLIKELY(error != MPI_SUCCESS)) {
        struct mpii_request said = *r;

        if (said.comm)
            said.comm->anchor.object.refs++;
        give_back(r, handle);
        error = mpii_request_raise(said.comm, &said, error, call);
        if (said.comm)
            mpii_comm_release(said.comm);
        return error;
    }
    give_back(r, handle);
    return MPI_SUCCESS;
}

/* A request that has nothing to say but that it is done, to whoever does not ask for more. */
static inline bool is_plain(const struct mpii_request *r, const MPI_Status statuses[])
{
    return r && r->error == MPI_SUCCESS && statuses == MPI_STATUSES_IGNORE && !r->ops->query && !r->persistent &&
           !mpii_watch_has(r) && !core_trace_on();
}

void mpii_request_await(struct mpii_request *r, const char *call)
{
    MPI_Request handle = mpii_request_handle(r);
    struct mpii_await await;
    struct core_waiter w;
    char text[MPII_WHERE];

    if (!r->done && r->ops->look)
        r->ops->look(r);
    if (r->done)
        return;
    mpii_state.counters.waits++;
    mpii_wait_begin(&w, MPT_UNLIKELY(core_params.check) ? mpii_request_where(text, call, 1, &handle) : call);
    if (MPT_UNLIKELY(core_params.check)) {
        await = (struct mpii_await){call, 1, &handle, true, false, strcmp(call, "MPI_Wait") != 0, {NULL, NULL, NULL}};
        core_wait_by(&w, mpii_await_by(&await));
    }
    while (!r->done)
        mpii_wait_pause(&w);
    mpii_wait_end(&w);
}

int mpii_request_finish(struct mpii_request *r, MPI_Status *status, const char *call)
{
    MPI_Request mine;

    mpii_request_await(r, call);
    if (MPT_LIKELY(is_plain(r, status))) {
        mpii_request_free(r);
        return MPI_SUCCESS;
    }
    if (MPT_UNLIKELY(r->error == MPIX_ERR_PROC_FAILED_PENDING))
        r->ops->give_up(r, MPIX_ERR_PROC_FAILED); /* nobody could wait for it again */
    return mpii_request_report_raise(r, &mine, status, call);
}

/* ------------------------------------------------------------------- calls -- */

static inline void tell_of_wait(int count, const MPI_Request requests[])
{
    if (MPT_UNLIKELY(core_params.check) && mpii_state.rt.waits)
        mpii_state.rt.waits(count, requests);
}

int mpii_Wait(MPI_Request *request, MPI_Status *status)
{
    struct mpii_request *r;

    MPII_TRY(mpii_check_pointer(NULL, request, "request", __func__));
    MPII_TRY(mpii_request_check(*request, &r, __func__));
    if (!mpii_request_is_active(r)) {
        mpii_status_empty(status);
        return MPI_SUCCESS;
    }
    MPII_TRY(mpii_requests_enter(1, request, &r, __func__));
    tell_of_wait(1, request);
    mpii_request_await(r, "MPI_Wait");
    mpii_requests_leave(1, request);
    if (MPT_LIKELY(is_plain(r, status))) {
        *request = MPI_REQUEST_NULL;
        mpii_request_free(r);
        return MPI_SUCCESS;
    }
    return mpii_request_report_raise(r, request, status, __func__);
}

int mpii_requests_check(int count, const MPI_Request requests[], const char *call)
{
    struct mpii_request *r;

    MPII_TRY(mpii_check_count(NULL, count, "count", call));
    if (count > 0)
        MPII_TRY(mpii_check_pointer(NULL, requests, "array_of_requests", call));
    for (int i = 0; i < count; i++)
        if (MPT_UNLIKELY(!mpii_request_in(requests[i])))
            MPII_TRY(mpii_request_check(requests[i], &r, call));
    return MPI_SUCCESS;
}

static MPI_Status *at(MPI_Status statuses[], int i)
{
    return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[i];
}

/* With statuses, every one says how it went once one of them went wrong. */
static void note_error(struct mpii_several *s, int error, MPI_Status statuses[], int i)
{
    if (error != MPI_SUCCESS && s->error == MPI_SUCCESS) {
        for (int j = 0; statuses != MPI_STATUSES_IGNORE && j < i; j++)
            statuses[j].MPI_ERROR = MPI_SUCCESS;
        s->error = error;
    }
    if (s->error != MPI_SUCCESS && statuses != MPI_STATUSES_IGNORE)
        statuses[i].MPI_ERROR = error;
}

/* NULL: nothing more is known. */
static struct mpii_blame *blame_of(const struct mpii_request *r, int error)
{
    struct mpii_blame b, *kept;

    if (!has_blame(r, error, &b) || !(kept = malloc(sizeof *kept)))
        return NULL;
    *kept = b;
    return kept;
}

void mpii_several_add(struct mpii_several *s, struct mpii_request *r, MPI_Request *handle, MPI_Status statuses[], int i)
{
    int error = take_status(r, at(statuses, i));

    if (MPT_UNLIKELY(error != MPI_SUCCESS && !s->comm)) {
        s->comm = r->comm;
        if (s->comm)
            s->comm->anchor.object.refs++;
    }
    if (MPT_UNLIKELY(error != MPI_SUCCESS && !s->blame))
        s->blame = blame_of(r, error);
    give_back(r, handle);
    note_error(s, error, statuses, i);
    if (MPT_UNLIKELY(error != MPI_SUCCESS && s->error == MPI_ERR_PENDING))
        s->error = error;
}

void mpii_several_pending(struct mpii_several *s, MPI_Status statuses[], int i)
{
    note_error(s, MPI_ERR_PENDING, statuses, i);
}

void mpii_several_none(struct mpii_several *s, MPI_Status statuses[], int i)
{
    mpii_status_empty(at(statuses, i));
    note_error(s, MPI_SUCCESS, statuses, i);
}

int mpii_several_end(struct mpii_several *s, const char *call)
{
    int error = MPI_SUCCESS;

    if (MPT_UNLIKELY(s->error != MPI_SUCCESS)) {
        error = mpii_error_blame(
            s->blame, s->comm, MPI_ERR_IN_STATUS, call,
            "of several requests some failed, the first with error class %d; the statuses say which", s->error);
        free(s->blame);
    }
    if (s->comm)
        mpii_comm_release(s->comm);
    return error;
}

/* Every one is done, or one is lost: report them in order. A handle that stands twice is found out here. */
int mpii_requests_report(int count, MPI_Request requests[], MPI_Status statuses[], const char *call)
{
    struct mpii_several s = {.error = MPI_SUCCESS};

    for (int i = 0; i < count; i++) {
        struct mpii_request *r = mpii_request_in(requests[i]);

        if (MPT_LIKELY(is_plain(r, statuses) && r->done)) {
            requests[i] = MPI_REQUEST_NULL;
            mpii_request_free(r);
            continue;
        }
        MPII_TRY(mpii_request_check(requests[i], &r, call));
        if (!mpii_request_is_active(r))
            mpii_several_none(&s, statuses, i);
        else if (r->done)
            mpii_several_add(&s, r, &requests[i], statuses, i);
        else
            mpii_several_pending(&s, statuses, i);
    }
    return mpii_several_end(&s, call);
}

bool mpii_requests_any_lost(int count, const MPI_Request requests[])
{
    for (int i = 0; i < count; i++) {
        const struct mpii_request *r = mpii_request_in(requests[i]);

        if (mpii_request_is_active(r) && mpii_request_is_lost(r))
            return true;
    }
    return false;
}

/* Those that are not done may never be when one is lost: a receive of what could not be sent. */
static void wait_for_all(int count, const MPI_Request requests[], struct core_waiter *w)
{
    unsigned lost = 0;

    for (int i = 0; i < count; i++) {
        struct mpii_request *r = mpii_request_in(requests[i]);

        if (mpii_request_is_active(r) && !r->done && r->ops->look)
            r->ops->look(r);
        while (mpii_request_is_active(r) && !r->done) {
            if (MPT_UNLIKELY(mpii_state.request.lost != lost)) {
                lost = mpii_state.request.lost;
                if (mpii_requests_any_lost(count, requests))
                    return;
            }
            mpii_wait_pause(w);
        }
    }
}

int mpii_Waitall(int count, MPI_Request array_of_requests[], MPI_Status array_of_statuses[])
{
    struct core_waiter w;
    struct mpii_await await;
    char text[MPII_WHERE];

    MPII_TRY(mpii_requests_check(count, array_of_requests, __func__));
    MPII_TRY(mpii_requests_enter(count, array_of_requests, &w, __func__));
    tell_of_wait(count, array_of_requests);
    mpii_wait_begin(&w, mpii_request_where(text, "MPI_Waitall", count, array_of_requests));
    if (MPT_UNLIKELY(core_params.check)) {
        await = (struct mpii_await){"MPI_Waitall", count, array_of_requests, true, true, false, {NULL, NULL, NULL}};
        core_wait_by(&w, mpii_await_by(&await));
    }
    wait_for_all(count, array_of_requests, &w);
    mpii_wait_end(&w);
    mpii_requests_leave(count, array_of_requests);
    return mpii_requests_report(count, array_of_requests, array_of_statuses, __func__);
}

/* One that is done, i or another one. */
static int pick(int count, const MPI_Request requests[], int i)
{
    unsigned n = 1;

    for (int j = i + 1; j < count; j++) {
        const struct mpii_request *r = mpii_request_of(requests[j]);

        if (mpii_request_is_active(r) && r->done && core_adversary_choose(++n) == 0)
            i = j;
    }
    return i;
}

int mpii_requests_find_done(int count, const MPI_Request requests[], bool *any_active)
{
    *any_active = false;
    for (int i = 0; i < count; i++) {
        const struct mpii_request *r = mpii_request_of(requests[i]);

        if (!mpii_request_is_active(r))
            continue;
        *any_active = true;
        if (r->done)
            return core_adversary_does(CORE_ADVERSARY_PICK) ? pick(count, requests, i) : i;
    }
    return MPI_UNDEFINED;
}

/* Of several that may end at any time, which is told of as such; one is waited for as by MPI_Wait. */
static void tell_of_choice(int count, const MPI_Request requests[])
{
    int active = 0;

    for (int i = 0; i < count; i++)
        active += mpii_request_is_active(mpii_request_in(requests[i]));
    if (active > 1)
        mpii_depends_on_time();
    else
        tell_of_wait(count, requests);
}

int mpii_Waitany(int count, MPI_Request array_of_requests[], int *index, MPI_Status *status)
{
    struct core_waiter w;
    struct mpii_await await;
    char text[MPII_WHERE];
    bool any;
    int i;

    MPII_TRY(mpii_requests_check(count, array_of_requests, __func__));
    MPII_TRY(mpii_check_pointer(NULL, index, "index", __func__));
    MPII_TRY(mpii_requests_enter(count, array_of_requests, &w, __func__));
    mpii_wait_begin(&w, mpii_request_where(text, "MPI_Waitany", count, array_of_requests));
    if (MPT_UNLIKELY(core_params.check)) {
        tell_of_choice(count, array_of_requests);
        await = (struct mpii_await){"MPI_Waitany", count, array_of_requests, false, true, false, {NULL, NULL, NULL}};
        core_wait_by(&w, mpii_await_by(&await));
    }
    while ((i = mpii_requests_find_done(count, array_of_requests, &any)) == MPI_UNDEFINED && any)
        mpii_wait_pause(&w);
    mpii_wait_end(&w);
    mpii_requests_leave(count, array_of_requests);
    *index = i;
    if (i == MPI_UNDEFINED) {
        mpii_status_empty(status);
        return MPI_SUCCESS;
    }
    return mpii_request_report_raise(mpii_request_of(array_of_requests[i]), &array_of_requests[i], status, __func__);
}

/* Reports those that are done now. */
int mpii_requests_report_some(int count, MPI_Request requests[], int *outcount, int indices[], MPI_Status statuses[],
                              const char *call)
{
    struct mpii_several s = {.error = MPI_SUCCESS};
    int n = 0;

    for (int i = 0; i < count; i++) {
        struct mpii_request *r = mpii_request_of(requests[i]);

        if (!mpii_request_is_active(r) || !r->done)
            continue;
        indices[n] = i;
        mpii_several_add(&s, r, &requests[i], statuses, n++);
    }
    *outcount = n;
    return mpii_several_end(&s, call);
}

int mpii_Waitsome(int incount, MPI_Request array_of_requests[], int *outcount, int array_of_indices[],
                  MPI_Status array_of_statuses[])
{
    struct core_waiter w;
    struct mpii_await await;
    char text[MPII_WHERE];
    bool any;

    MPII_TRY(mpii_requests_check(incount, array_of_requests, __func__));
    MPII_TRY(mpii_check_pointer(NULL, outcount, "outcount", __func__));
    if (incount > 0)
        MPII_TRY(mpii_check_pointer(NULL, array_of_indices, "array_of_indices", __func__));
    MPII_TRY(mpii_requests_enter(incount, array_of_requests, &w, __func__));
    mpii_wait_begin(&w, mpii_request_where(text, "MPI_Waitsome", incount, array_of_requests));
    if (MPT_UNLIKELY(core_params.check)) {
        tell_of_choice(incount, array_of_requests);
        await = (struct mpii_await){"MPI_Waitsome", incount, array_of_requests, false, true, false, {NULL, NULL, NULL}};
        core_wait_by(&w, mpii_await_by(&await));
    }
    while (mpii_requests_find_done(incount, array_of_requests, &any) == MPI_UNDEFINED && any)
        mpii_wait_pause(&w);
    mpii_wait_end(&w);
    mpii_requests_leave(incount, array_of_requests);
    if (!any) {
        *outcount = MPI_UNDEFINED;
        return MPI_SUCCESS;
    }
    return mpii_requests_report_some(incount, array_of_requests, outcount, array_of_indices, array_of_statuses,
                                     __func__);
}
