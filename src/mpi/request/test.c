/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls that look whether requests are done and do not wait (3.7.3 to 3.7.6).
 * They look, make progress when nothing is done, and look again.
 */
#include "mpi/check/watch.h"
#include "mpi/request/request.h"

/* A call that tests these. */
struct tested {
    const char *call;
    int count;
    const MPI_Request *requests;
    bool all; /* of them */
    bool several;
};

/* With MPT_CHECK it may be one of a loop. */
static void in_vain(const struct tested *t)
{
    struct mpii_await a = {t->call, t->count, t->requests, t->all, t->several, false, {NULL, NULL, NULL}};

    mpii_test_failed(t->call, mpii_await_by(&a));
}

/* Ends a row of tests that found nothing, or makes it longer. */
static bool told(bool done, const struct tested *t)
{
    if (done)
        mpii_test_found();
    else if (MPT_UNLIKELY(core_params.check))
        in_vain(t);
    else
        mpii_test_failed(t->call, NULL);
    return done;
}

/* It is done; does a test see it? Not before the next one, if the adversary likes, but what the user has been told
 * stays true. Those without a communicator are done when the user says so. */
static bool is_seen(const struct mpii_request *r)
{
    return r->told || !r->comm || !core_adversary_does(CORE_ADVERSARY_TEST);
}

static bool is_done(const struct mpii_request *r, MPI_Request handle, const char *call)
{
    if (!r->done)
        mpii_progress();
    return told(r->done && is_seen(r), &(struct tested){call, 1, &handle, true, false});
}

int mpii_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    struct mpii_request *r;

    MPII_TRY(mpii_check_pointer(NULL, request, "request", __func__));
    MPII_TRY(mpii_check_pointer(NULL, flag, "flag", __func__));
    MPII_TRY(mpii_request_check(*request, &r, __func__));
    if (!mpii_request_is_active(r)) {
        *flag = 1;
        mpii_status_empty(status);
        return MPI_SUCCESS;
    }
    if (r->done) /* one that finds nothing completes nothing */
        MPII_TRY(mpii_requests_enter(1, request, NULL, __func__));
    *flag = is_done(r, *request, "MPI_Test");
    return *flag ? mpii_request_report_raise(r, request, status, __func__) : MPI_SUCCESS;
}

static bool look_all(int count, const MPI_Request requests[])
{
    for (int i = 0; i < count; i++) {
        const struct mpii_request *r = mpii_request_of(requests[i]);

        if (mpii_request_is_active(r) && !r->done)
            return false;
    }
    return true;
}

static bool are_seen(int count, const MPI_Request requests[])
{
    for (int i = 0; core_adversary_on() && i < count; i++) {
        const struct mpii_request *r = mpii_request_of(requests[i]);

        if (mpii_request_is_active(r) && !is_seen(r))
            return false;
    }
    return true;
}

static bool all_done(int count, const MPI_Request requests[], const char *call)
{
    bool done = look_all(count, requests);

    if (!done) {
        mpii_progress();
        done = look_all(count, requests);
    }
    return told(done && are_seen(count, requests), &(struct tested){call, count, requests, true, true});
}

int mpii_Testall(int count, MPI_Request array_of_requests[], int *flag, MPI_Status array_of_statuses[])
{
    MPII_TRY(mpii_requests_check(count, array_of_requests, __func__));
    MPII_TRY(mpii_check_pointer(NULL, flag, "flag", __func__));
    MPII_TRY(mpii_requests_enter(count, array_of_requests, NULL, __func__));
    *flag = all_done(count, array_of_requests, "MPI_Testall");
    if (MPT_UNLIKELY(!*flag && mpii_state.request.lost > 0))
        *flag = mpii_requests_any_lost(count, array_of_requests); /* the rest may never be done */
    return *flag ? mpii_requests_report(count, array_of_requests, array_of_statuses, __func__) : MPI_SUCCESS;
}

/* Some of them. */
static bool are_told(int count, const MPI_Request requests[])
{
    for (int i = 0; core_adversary_on() && i < count; i++)
        if (mpii_request_is_active(mpii_request_of(requests[i])) && mpii_request_of(requests[i])->told)
            return true;
    return false;
}

/* Index of one that is done, or MPI_UNDEFINED. */
static int find(int count, const MPI_Request requests[], bool *any, const char *call)
{
    int i = mpii_requests_find_done(count, requests, any);

    if (i == MPI_UNDEFINED && *any) {
        mpii_progress();
        i = mpii_requests_find_done(count, requests, any);
    }
    if (i != MPI_UNDEFINED && !are_told(count, requests) && !is_seen(mpii_request_of(requests[i])))
        i = MPI_UNDEFINED;
    told(i != MPI_UNDEFINED || !*any, &(struct tested){call, count, requests, false, true});
    return i;
}

int mpii_Testany(int count, MPI_Request array_of_requests[], int *index, int *flag, MPI_Status *status)
{
    bool any;

    MPII_TRY(mpii_requests_check(count, array_of_requests, __func__));
    MPII_TRY(mpii_check_pointer(NULL, index, "index", __func__));
    MPII_TRY(mpii_check_pointer(NULL, flag, "flag", __func__));
    MPII_TRY(mpii_requests_enter(count, array_of_requests, NULL, __func__));
    *index = find(count, array_of_requests, &any, "MPI_Testany");
    *flag = *index != MPI_UNDEFINED || !any;
    if (*index != MPI_UNDEFINED)
        return mpii_request_report_raise(mpii_request_of(array_of_requests[*index]), &array_of_requests[*index], status,
                                         __func__);
    if (*flag)
        mpii_status_empty(status);
    return MPI_SUCCESS;
}

static int check_some(int count, const MPI_Request requests[], const int *outcount, const int indices[],
                      const char *call)
{
    MPII_TRY(mpii_requests_check(count, requests, call));
    MPII_TRY(mpii_check_pointer(NULL, outcount, "outcount", call));
    return count > 0 ? mpii_check_pointer(NULL, indices, "array_of_indices", call) : MPI_SUCCESS;
}

int mpii_Testsome(int incount, MPI_Request array_of_requests[], int *outcount, int array_of_indices[],
                  MPI_Status array_of_statuses[])
{
    bool any;

    MPII_TRY(check_some(incount, array_of_requests, outcount, array_of_indices, __func__));
    MPII_TRY(mpii_requests_enter(incount, array_of_requests, NULL, __func__));
    *outcount = 0;
    if (find(incount, array_of_requests, &any, "MPI_Testsome") != MPI_UNDEFINED)
        return mpii_requests_report_some(incount, array_of_requests, outcount, array_of_indices, array_of_statuses,
                                         __func__);
    if (!any)
        *outcount = MPI_UNDEFINED;
    return MPI_SUCCESS;
}

/* ------------------------------------------- the same without giving back -- */

static int peek(MPI_Request handle, MPI_Status *status, const char *call)
{
    struct mpii_request *r = mpii_request_of(handle);
    int error = MPI_SUCCESS;

    if (r && mpii_watch_has(r))
        mpii_watch_end(r);
    if (mpii_request_is_active(r)) {
        r->told = true;
        if (r->ops->told)
            r->ops->told(r);
        error = mpii_request_status(r, status);
    } else {
        mpii_status_empty(status);
    }
    return MPT_LIKELY(error == MPI_SUCCESS) ? MPI_SUCCESS : mpii_request_raise(r->comm, r, error, call);
}

int mpii_Request_get_status(MPI_Request request, int *flag, MPI_Status *status)
{
    struct mpii_request *r;

    MPII_TRY(mpii_check_pointer(NULL, flag, "flag", __func__));
    MPII_TRY(mpii_request_check(request, &r, __func__));
    *flag = !mpii_request_is_active(r) || is_done(r, request, "MPI_Request_get_status");
    return *flag ? peek(request, status, __func__) : MPI_SUCCESS;
}

int mpii_Request_get_status_all(int count, const MPI_Request array_of_requests[], int *flag,
                                MPI_Status array_of_statuses[])
{
    MPII_TRY(mpii_requests_check(count, array_of_requests, __func__));
    MPII_TRY(mpii_check_pointer(NULL, flag, "flag", __func__));
    *flag = all_done(count, array_of_requests, "MPI_Request_get_status_all");
    for (int i = 0; *flag && i < count; i++)
        MPII_TRY(peek(array_of_requests[i], array_of_statuses ? &array_of_statuses[i] : MPI_STATUS_IGNORE, __func__));
    return MPI_SUCCESS;
}

int mpii_Request_get_status_any(int count, const MPI_Request array_of_requests[], int *index, int *flag,
                                MPI_Status *status)
{
    bool any;

    MPII_TRY(mpii_requests_check(count, array_of_requests, __func__));
    MPII_TRY(mpii_check_pointer(NULL, index, "index", __func__));
    MPII_TRY(mpii_check_pointer(NULL, flag, "flag", __func__));
    *index = find(count, array_of_requests, &any, "MPI_Request_get_status_any");
    *flag = *index != MPI_UNDEFINED || !any;
    if (*index != MPI_UNDEFINED)
        return peek(array_of_requests[*index], status, __func__);
    if (*flag)
        mpii_status_empty(status);
    return MPI_SUCCESS;
}

int mpii_Request_get_status_some(int incount, const MPI_Request array_of_requests[], int *outcount,
                                 int array_of_indices[], MPI_Status array_of_statuses[])
{
    bool any;

    MPII_TRY(check_some(incount, array_of_requests, outcount, array_of_indices, __func__));
    *outcount = 0;
    find(incount, array_of_requests, &any, "MPI_Request_get_status_some");
    for (int i = 0; i < incount; i++) {
        const struct mpii_request *r = mpii_request_of(array_of_requests[i]);

        if (!mpii_request_is_active(r) || !r->done)
            continue;
        array_of_indices[*outcount] = i;
        MPII_TRY(peek(array_of_requests[i], array_of_statuses ? &array_of_statuses[*outcount] : MPI_STATUS_IGNORE,
                      __func__));
        ++*outcount;
    }
    if (!any)
        *outcount = MPI_UNDEFINED;
    return MPI_SUCCESS;
}
