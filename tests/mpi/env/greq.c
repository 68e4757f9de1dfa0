/* SPDX-License-Identifier: BSD-3-Clause */
/* Generalized requests (13.2): what each call of the library does to the user's functions, in which order, with which
 * results; completion by another thread while the main one waits. */
#include "mcheck.h"

#include <pthread.h>

struct work {
    int queries, frees, cancels, complete; /* complete: what the cancel function was told */
    int query_code, free_code, cancel_code;
    int elements;
};

static int query_fn(void *extra_state, MPI_Status *status)
{
    struct work *w = extra_state;

    w->queries++;
    CHECK(w->frees == 0, "queried after it was freed");
    MPI_Status_set_elements(status, MPI_INT, w->elements);
    MPI_Status_set_cancelled(status, w->cancels > 0);
    status->MPI_SOURCE = 31;
    status->MPI_TAG = 32;
    return w->query_code;
}

static int free_fn(void *extra_state)
{
    struct work *w = extra_state;

    w->frees++;
    return w->free_code;
}

static int cancel_fn(void *extra_state, int complete)
{
    struct work *w = extra_state;

    w->cancels++;
    w->complete = complete;
    return w->cancel_code;
}

static MPI_Request start(struct work *w)
{
    MPI_Request r = MPI_REQUEST_NULL;

    OK(MPI_Grequest_start(query_fn, free_fn, cancel_fn, w, &r));
    CHECK(r != MPI_REQUEST_NULL, "no request");
    return r;
}

static void check_status(const MPI_Status *s, int elements, int cancelled)
{
    int n = -1, flag = -1;

    OK(MPI_Get_count(s, MPI_INT, &n));
    OK(MPI_Test_cancelled(s, &flag));
    CHECK(n == elements && flag == cancelled && s->MPI_SOURCE == 31 && s->MPI_TAG == 32,
          "status: %d elements, cancelled %d, source %d, tag %d", n, flag, s->MPI_SOURCE, s->MPI_TAG);
}

static void waits(void)
{
    struct work w = {.elements = 5}, more[3] = {{.elements = 1}, {.elements = 2}, {.elements = 3}};
    MPI_Status s, all[3];
    MPI_Request r = start(&w), rs[3];
    int flag = -1, index, done, indices[3];

    OK(MPI_Test(&r, &flag, &s));
    CHECK(flag == 0 && w.queries == 0 && r != MPI_REQUEST_NULL, "incomplete: flag %d, %d queries", flag, w.queries);
    OK(MPI_Grequest_complete(r));
    CHECK(w.queries == 0 && w.frees == 0, "completing calls nothing");
    OK(MPI_Request_get_status(r, &flag, &s));
    CHECK(flag == 1 && w.queries == 1 && w.frees == 0, "get_status: %d queries, %d frees", w.queries, w.frees);
    check_status(&s, 5, 0);
    OK(MPI_Wait(&r, &s));
    CHECK(r == MPI_REQUEST_NULL && w.queries == 2 && w.frees == 1, "wait: %d queries, %d frees", w.queries, w.frees);
    check_status(&s, 5, 0);

    for (int i = 0; i < 3; i++)
        rs[i] = start(&more[i]);
    OK(MPI_Testany(3, rs, &index, &flag, &s));
    CHECK(flag == 0, "none is complete, index %d", index);
    OK(MPI_Grequest_complete(rs[1]));
    OK(MPI_Waitany(3, rs, &index, &s));
    CHECK(index == 1, "index %d", index);
    check_status(&s, 2, 0);
    OK(MPI_Grequest_complete(rs[2]));
    OK(MPI_Waitsome(3, rs, &done, indices, all));
    CHECK(done == 1 && indices[0] == 2, "%d done, index %d", done, indices[0]);
    check_status(&all[0], 3, 0);
    OK(MPI_Grequest_complete(rs[0]));
    OK(MPI_Waitall(3, rs, all));
    check_status(&all[0], 1, 0);
    for (int i = 0; i < 3; i++)
        CHECK(more[i].queries == 1 && more[i].frees == 1, "request %d: %d queries, %d frees", i, more[i].queries,
              more[i].frees);
    w = (struct work){.elements = 1};
    r = start(&w);
    OK(MPI_Grequest_complete(r));
    OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
    CHECK(w.queries == 1 && w.frees == 1, "status ignored: %d queries, %d frees", w.queries, w.frees);
}

static void freed_and_cancelled(void)
{
    struct work w = {.elements = 1};
    MPI_Request r = start(&w), copy = r;
    MPI_Status s;

    OK(MPI_Request_free(&r));
    CHECK(w.frees == 0, "freed before completion");
    OK(MPI_Grequest_complete(copy));
    CHECK(w.frees == 1, "%d frees", w.frees);
    w = (struct work){0};
    r = start(&w);
    OK(MPI_Grequest_complete(r));
    OK(MPI_Request_free(&r));
    CHECK(w.frees == 1, "completed, then freed: %d frees", w.frees);
    w = (struct work){0};
    r = start(&w);
    OK(MPI_Cancel(&r));
    CHECK(w.cancels == 1 && w.complete == 0, "%d cancels, complete %d", w.cancels, w.complete);
    OK(MPI_Grequest_complete(r));
    OK(MPI_Cancel(&r));
    CHECK(w.cancels == 2 && w.complete == 1, "%d cancels, complete %d", w.cancels, w.complete);
    OK(MPI_Wait(&r, &s));
    check_status(&s, 0, 1);
}

static void codes(void)
{
    struct work w = {.query_code = MPI_ERR_IO};
    MPI_Request r = start(&w), rs[2];
    MPI_Status s, all[2];

    OK(MPI_Grequest_complete(r));
    FAILS(MPI_Wait(&r, &s), MPI_ERR_IO);
    CHECK(w.frees == 1 && r == MPI_REQUEST_NULL, "after a failing query: %d frees", w.frees);
    w = (struct work){.free_code = MPI_ERR_NO_SPACE};
    r = start(&w);
    OK(MPI_Grequest_complete(r));
    FAILS(MPI_Wait(&r, &s), MPI_ERR_NO_SPACE);
    w = (struct work){.cancel_code = MPI_ERR_NAME};
    r = start(&w);
    FAILS(MPI_Cancel(&r), MPI_ERR_NAME);
    OK(MPI_Grequest_complete(r));
    OK(MPI_Wait(&r, &s));
    struct work two[2] = {{.elements = 1}, {.query_code = MPI_ERR_QUOTA}};
    for (int i = 0; i < 2; i++) {
        rs[i] = start(&two[i]);
        OK(MPI_Grequest_complete(rs[i]));
    }
    FAILS(MPI_Waitall(2, rs, all), MPI_ERR_IN_STATUS);
    CHECK(all[0].MPI_ERROR == MPI_SUCCESS && all[1].MPI_ERROR == MPI_ERR_QUOTA, "errors %d and %d", all[0].MPI_ERROR,
          all[1].MPI_ERROR);
}

static void *complete_later(void *arg)
{
    usleep(20000);
    OK(MPI_Grequest_complete(*(MPI_Request *)arg));
    return NULL;
}

static void by_thread(void)
{
    for (int round = 0; round < 5; round++) {
        struct work w = {.elements = round};
        MPI_Request r = start(&w), copy = r;
        MPI_Status s;
        pthread_t thread;
        double t = MPI_Wtime();

        pthread_create(&thread, NULL, complete_later, &copy);
        OK(MPI_Wait(&r, &s));
        check_status(&s, round, 0);
        CHECK(MPI_Wtime() - t < 2, "waited %g s for 20 ms", MPI_Wtime() - t);
        pthread_join(thread, NULL);
    }
}

static void wrong(void)
{
    struct work w = {0};
    MPI_Request r = start(&w), copy = r, receive, freed;
    char text[MPI_MAX_ERROR_STRING];
    static int buffer; /* a freed receive writes it when it likes */
    int n;

    FAILS(MPI_Grequest_start(query_fn, free_fn, cancel_fn, NULL, NULL), MPI_ERR_ARG);
    FAILS(MPI_Grequest_complete(MPI_REQUEST_NULL), MPI_ERR_REQUEST);
    OK(MPI_Irecv(&buffer, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &receive));
    FAILS(MPI_Grequest_complete(receive), MPI_ERR_REQUEST);
    OK(MPI_Cancel(&receive));
    OK(MPI_Wait(&receive, MPI_STATUS_IGNORE));
    OK(MPI_Irecv(&buffer, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &receive));
    freed = receive;
    OK(MPI_Request_free(&receive));
    MPI_Error_string(MPI_Grequest_complete(freed), text, &n);
    CHECK(strstr(text, "MPI_ERR_REQUEST") && strstr(text, "freed"), "a freed receive: %s", text);
    OK(MPI_Send(&buffer, 1, MPI_INT, 0, 0, MPI_COMM_SELF));
    OK(MPI_Grequest_complete(r));
    FAILS(MPI_Grequest_complete(r), MPI_ERR_REQUEST);
    OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
    FAILS(MPI_Grequest_complete(copy), MPI_ERR_REQUEST);
}

int main(void)
{
    mc_start_threads();
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    waits();
    freed_and_cancelled();
    codes();
    by_thread();
    wrong();
    return mc_finish();
}
