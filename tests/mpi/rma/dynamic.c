/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Dynamic windows: memory of all kinds attached and detached while the window
 * lives, linked lists through it, and access to what is not attached.
 */
#include "window.h"

enum { REGIONS = 20, LARGE = 200000 };

static MPI_Aint address(const void *p)
{
    MPI_Aint at;

    OK(MPI_Get_address(p, &at));
    return at;
}

/* Regions of many sizes come and go; each rank writes to one of its neighbour's. */
static void regions(MPI_Win win)
{
    int right = (mc_rank + 1) % mc_size, left = (mc_rank + mc_size - 1) % mc_size;
    char *region[REGIONS], *data = malloc(LARGE);
    MPI_Aint mine[REGIONS], theirs[REGIONS];

    for (int i = 0; i < REGIONS; i++) {
        size_t n = i % 2 ? LARGE : 1 + (size_t)i * 13;

        if (i % 3 == 0)
            OK(MPI_Alloc_mem((MPI_Aint)n, MPI_INFO_NULL, &region[i]));
        else
            region[i] = malloc(n);
        OK(MPI_Win_attach(win, region[i], (MPI_Aint)n));
        mine[i] = address(region[i]);
    }
    MPI_Sendrecv(mine, REGIONS, MPI_AINT, left, 0, theirs, REGIONS, MPI_AINT, right, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, right, 0, win));
    for (int i = 0; i < REGIONS; i++) {
        size_t n = i % 2 ? LARGE : 1 + (size_t)i * 13;

        check_fill(data, n, (uint64_t)(100 * mc_rank + i));
        OK(MPI_Put(data, (int)n, MPI_BYTE, right, theirs[i], (int)n, MPI_BYTE, win));
        OK(MPI_Win_flush_local(right, win)); /* data is written anew */
    }
    OK(MPI_Win_flush(right, win));
    memset(data, 0, LARGE);
    OK(MPI_Get(data, 1000, MPI_BYTE, right, MPI_Aint_add(theirs[1], 5000), 1000, MPI_BYTE, win));
    OK(MPI_Win_unlock(right, win));
    for (size_t i = 0; i < 1000; i++)
        if (!CHECK((unsigned char)data[i] == check_pattern((uint64_t)(100 * mc_rank + 1), 5000 + i),
                   "byte %zu from the middle", i))
            break;
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < REGIONS; i++) {
        size_t n = i % 2 ? LARGE : 1 + (size_t)i * 13, wrong = check_differs(region[i], n, (uint64_t)(100 * left + i));

        CHECK(wrong == n, "region %d of %zu bytes differs at %zu", i, n, wrong);
        OK(MPI_Win_detach(win, region[i]));
        if (i % 3 == 0)
            OK(MPI_Free_mem(region[i]));
        else
            free(region[i]);
    }
    free(data);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* A list over all ranks: everyone appends nodes at the end that it finds by walking and compare-and-swap. */
struct node {
    int64_t value;
    int64_t next_rank; /* -1: the end */
    MPI_Aint next;
};

enum { EACH = 10 };

/* The end of the list, as far as this rank knows. */
struct end {
    int rank;
    MPI_Aint at;
};

static MPI_Aint next_rank(MPI_Aint node)
{
    return MPI_Aint_add(node, offsetof(struct node, next_rank));
}

static MPI_Aint next_node(MPI_Aint node)
{
    return MPI_Aint_add(node, offsetof(struct node, next));
}

/* From where the last one was found, as the list only grows. Who makes the end busy appends. */
static void take_end(MPI_Win win, struct end *end)
{
    int64_t old, none = -1, busy = -2;

    for (;;) {
        MPI_Aint next;

        OK(MPI_Compare_and_swap(&busy, &none, &old, MPI_INT64_T, end->rank, next_rank(end->at), win));
        OK(MPI_Win_flush(end->rank, win));
        if (old == none)
            return;
        if (old == busy)
            continue;
        OK(MPI_Get(&next, 1, MPI_AINT, end->rank, next_node(end->at), 1, MPI_AINT, win));
        OK(MPI_Win_flush(end->rank, win));
        *end = (struct end){(int)old, next};
    }
}

static void append(MPI_Win win, struct node *node, struct end *end)
{
    int64_t me = mc_rank;
    MPI_Aint own = address(node);

    OK(MPI_Win_sync(win));
    take_end(win, end);
    OK(MPI_Put(&own, 1, MPI_AINT, end->rank, next_node(end->at), 1, MPI_AINT, win));
    OK(MPI_Win_flush(end->rank, win));
    OK(MPI_Accumulate(&me, 1, MPI_INT64_T, end->rank, next_rank(end->at), 1, MPI_INT64_T, MPI_REPLACE, win));
    OK(MPI_Win_flush(end->rank, win));
}

/* All of it from the head, which is no rank's: each rank's nodes are in the order that it appended them in. */
static void walk(MPI_Win win, MPI_Aint at)
{
    int64_t seen[64] = {0};

    for (int n = 0, r = 0; n <= EACH * mc_size && r >= 0; n++) {
        struct node node;

        OK(MPI_Get(&node, sizeof node, MPI_BYTE, r, at, sizeof node, MPI_BYTE, win));
        OK(MPI_Win_flush(r, win));
        if (n > 0 && CHECK(node.value >= 0 && node.value / 100 < mc_size, "node %d: %lld", n, (long long)node.value))
            CHECK(seen[node.value / 100]++ == node.value % 100, "nodes of rank %lld are in order",
                  (long long)node.value / 100);
        CHECK((node.next_rank == -1) == (n == EACH * mc_size), "the list has %d nodes", EACH * mc_size);
        r = (int)node.next_rank;
        at = node.next;
    }
}

static void lists(MPI_Win win)
{
    struct node *nodes = malloc(EACH * sizeof *nodes), *first = NULL;
    MPI_Aint head;
    struct end end;

    if (mc_rank == 0) {
        first = malloc(sizeof *first);
        *first = (struct node){-1, -1, 0};
        OK(MPI_Win_attach(win, first, sizeof *first));
    }
    OK(MPI_Win_attach(win, nodes, EACH * sizeof *nodes));
    head = first ? address(first) : 0;
    MPI_Bcast(&head, 1, MPI_AINT, 0, MPI_COMM_WORLD);
    end = (struct end){0, head};
    OK(MPI_Win_lock_all(0, win));
    for (int i = 0; i < EACH; i++) {
        nodes[i] = (struct node){mc_rank * 100 + i, -1, 0};
        append(win, &nodes[i], &end);
    }
    OK(MPI_Win_unlock_all(win));
    MPI_Barrier(MPI_COMM_WORLD);
    OK(MPI_Win_lock_all(0, win));
    walk(win, head);
    OK(MPI_Win_unlock_all(win));
    MPI_Barrier(MPI_COMM_WORLD);
    OK(MPI_Win_detach(win, nodes));
    free(nodes);
    if (first) {
        OK(MPI_Win_detach(win, first));
        free(first);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Access outside what is attached is an error by the end of the epoch, and touches nothing. */
static void mistakes(MPI_Win win)
{
    int64_t *memory = calloc(8, sizeof *memory), value = 7;
    MPI_Aint *at = malloc((size_t)mc_size * sizeof *at), own = address(memory);
    MPI_Request r = MPI_REQUEST_NULL;
    int right = (mc_rank + 1) % mc_size, code, class_ = 0;

    OK(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
    FAILS(MPI_Win_attach(win, memory, -1), MPI_ERR_SIZE);
    FAILS(MPI_Win_attach(win, NULL, 8), MPI_ERR_RMA_ATTACH);
    FAILS(MPI_Win_detach(win, memory), MPI_ERR_RMA_ATTACH);
    OK(MPI_Win_attach(win, memory + 2, 16));
    FAILS(MPI_Win_attach(win, memory + 3, 16), MPI_ERR_RMA_ATTACH);
    FAILS(MPI_Win_detach(win, memory + 3), MPI_ERR_RMA_ATTACH);
    OK(MPI_Win_attach(win, memory + 4, 8));
    {
        MPI_Aint size, unit;
        void *p;

        FAILS(MPI_Win_shared_query_c(win, 0, &size, &unit, &p), MPI_ERR_RMA_FLAVOR);
    }
    MPI_Allgather(&own, 1, MPI_AINT, at, 1, MPI_AINT, MPI_COMM_WORLD);
    OK(MPI_Win_lock(MPI_LOCK_SHARED, right, 0, win));
    code = MPI_Put(&value, 1, MPI_INT64_T, right, at[right], 1, MPI_INT64_T, win);
    if (code == MPI_SUCCESS)
        code = MPI_Win_flush(right, win);
    MPI_Error_class(code, &class_);
    CHECK(class_ == MPI_ERR_RMA_RANGE, "a put before the region: class %d", class_);
    code = MPI_Rget(&value, 1, MPI_INT64_T, right, MPI_Aint_add(at[right], 28), 1, MPI_INT64_T, win, &r);
    if (code == MPI_SUCCESS)
        OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
    CHECK(value == 0, "what is attached can be read: %lld", (long long)value);
    OK(MPI_Put(&own, 1, MPI_INT64_T, right, MPI_Aint_add(at[right], 16), 1, MPI_INT64_T, win));
    OK(MPI_Win_unlock(right, win));
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(memory[0] == 0 && memory[2] == at[(mc_rank + mc_size - 1) % mc_size] && memory[5] == 0, "%lld %lld %lld",
          (long long)memory[0], (long long)memory[2], (long long)memory[5]);
    OK(MPI_Win_detach(win, memory + 2));
    OK(MPI_Win_detach(win, memory + 4));
    FAILS(MPI_Win_detach(win, memory + 4), MPI_ERR_RMA_ATTACH);
    free(memory);
    free(at);
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(void)
{
    MPI_Win win;
    int *left_attached = malloc(64);

    mc_start();
    OK(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    regions(win);
    lists(win);
    regions(win);
    mistakes(win);
    OK(MPI_Win_attach(win, left_attached, 64));
    OK(MPI_Win_free(&win));
    free(left_attached);
    return mc_finish();
}
