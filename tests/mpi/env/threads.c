/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_THREAD_MULTIPLE in this chapter: threads make, use and free objects at once; the user's callbacks may take a lock
 * that another thread holds while it calls MPI (as an interpreter's). */
#include "mcheck.h"

#include <pthread.h>

enum { THREADS = 4, ROUNDS = 300 };

static pthread_mutex_t users = PTHREAD_MUTEX_INITIALIZER;
static int keyval, stop;
static long deleted, handled;

static int copy_fn(MPI_Comm comm, int key, void *extra_state, void *in, void *out, int *flag)
{
    (void)comm;
    (void)key;
    (void)extra_state;
    pthread_mutex_lock(&users);
    *(void **)out = (char *)in + 1;
    *flag = 1;
    pthread_mutex_unlock(&users);
    return MPI_SUCCESS;
}

static int delete_fn(MPI_Comm comm, int key, void *value, void *extra_state)
{
    (void)comm;
    (void)key;
    (void)value;
    (void)extra_state;
    pthread_mutex_lock(&users);
    deleted++;
    pthread_mutex_unlock(&users);
    return MPI_SUCCESS;
}

static void on_error(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
    pthread_mutex_lock(&users);
    handled++;
    pthread_mutex_unlock(&users);
}

static int query_fn(void *extra_state, MPI_Status *status)
{
    pthread_mutex_lock(&users);
    MPI_Status_set_elements(status, MPI_INT, *(int *)extra_state);
    pthread_mutex_unlock(&users);
    return MPI_SUCCESS;
}

static int free_fn(void *extra_state)
{
    (void)extra_state;
    return MPI_SUCCESS;
}

static int cancel_fn(void *extra_state, int complete)
{
    (void)extra_state;
    (void)complete;
    return MPI_SUCCESS;
}

/* Calls MPI with the users' lock held. */
static void *holder(void *arg)
{
    int rank;

    (void)arg;
    while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
        pthread_mutex_lock(&users);
        OK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
        CHECK(rank == mc_rank, "rank %d", rank);
        pthread_mutex_unlock(&users);
        usleep(10);
    }
    return NULL;
}

static void infos(int thread, int round)
{
    MPI_Info info, copy;
    char key[32], value[32];
    int len = sizeof value, flag = 0;

    snprintf(key, sizeof key, "%d.%d", thread, round);
    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, key, key));
    OK(MPI_Info_dup(info, &copy));
    OK(MPI_Info_free(&info));
    OK(MPI_Info_get_string(copy, key, &len, value, &flag));
    CHECK(flag && strcmp(value, key) == 0, "%s = %s", key, value);
    OK(MPI_Info_free(&copy));
}

static void attributes(MPI_Comm comm, long value)
{
    MPI_Comm copy;
    void *got;
    int flag;

    OK(MPI_Comm_set_attr(comm, keyval, (void *)value));
    OK(MPI_Comm_dup(comm, &copy));
    OK(MPI_Comm_get_attr(copy, keyval, &got, &flag));
    CHECK(flag && (long)(intptr_t)got == value + 1, "attribute %ld, expected %ld", (long)(intptr_t)got, value + 1);
    OK(MPI_Comm_free(&copy));
    OK(MPI_Comm_delete_attr(comm, keyval));
}

static void requests(int value)
{
    MPI_Request r;
    MPI_Status s;
    int n = -1;

    OK(MPI_Grequest_start(query_fn, free_fn, cancel_fn, &value, &r));
    OK(MPI_Grequest_complete(r));
    OK(MPI_Wait(&r, &s));
    OK(MPI_Get_count(&s, MPI_INT, &n));
    CHECK(n == value, "%d elements, expected %d", n, value);
}

/* What is wrong in one thread is told to that thread. */
static void errors(MPI_Comm comm, int thread)
{
    char text[MPI_MAX_ERROR_STRING], expected[32];
    int len, code = MPI_Send(NULL, 0, MPI_INT, 100 + thread, 0, comm);

    OK(MPI_Error_string(code, text, &len));
    snprintf(expected, sizeof expected, "dest is %d", 100 + thread);
    CHECK(strstr(text, expected), "thread %d is told \"%s\"", thread, text);
}

static void *worker(void *arg)
{
    int thread = (int)(intptr_t)arg;
    MPI_Errhandler h;
    MPI_Comm comm;

    OK(MPI_Comm_dup(MPI_COMM_SELF, &comm));
    OK(MPI_Comm_create_errhandler(on_error, &h));
    OK(MPI_Comm_set_errhandler(comm, h));
    OK(MPI_Errhandler_free(&h));
    for (int round = 0; round < ROUNDS; round++) {
        infos(thread, round);
        attributes(comm, thread * 1000 + round);
        requests(round);
        errors(comm, thread);
    }
    OK(MPI_Comm_free(&comm));
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS], other;

    mc_start_threads();
    OK(MPI_Comm_create_keyval(copy_fn, delete_fn, &keyval, NULL));
    pthread_create(&other, NULL, holder, NULL);
    for (intptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    pthread_join(other, NULL);
    CHECK(deleted == 2 * THREADS * ROUNDS, "%ld deletes, expected %d", deleted, 2 * THREADS * ROUNDS);
    CHECK(handled == THREADS * ROUNDS, "%ld errors handled, expected %d", handled, THREADS * ROUNDS);
    OK(MPI_Comm_free_keyval(&keyval));
    return mc_finish();
}
