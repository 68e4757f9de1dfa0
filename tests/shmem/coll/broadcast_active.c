/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_broadcast32 and 64 over every active set and root: all members but the root get the data, the root's dest
 * stays as it is, PEs outside are not touched, and pSync is restored. */
#include "typed.h"

enum { LARGE = 100000 };

static long p_sync[2][SHMEM_BCAST_SYNC_SIZE];
static void *source, *dest;

static const struct row {
    struct typed type;
    void (*call)(void *, const void *, size_t, int, int, int, int, long *);
} rows[] = {
    {TYPED_ROW(bits32, uint32_t), shmem_broadcast32},
    {TYPED_ROW(bits64, uint64_t), shmem_broadcast64},
};

static void use_set(const struct row *r, const struct active_set *s, int root, size_t n, int which)
{
    const struct typed *t = &r->type;
    int me = active_index(s, check_me);

    for (size_t i = 0; i < n; i++)
        t->store(source, i, typed_value(check_me, i, root));
    typed_clear(t, dest, n + 1);
    shmem_barrier_all();
    if (me >= 0)
        r->call(dest, source, n, root, s->start, s->log_stride, s->size, p_sync[which]);
    for (size_t i = 0; i <= n; i++) {
        bool got = me >= 0 && me != root && i < n;
        long expected = got ? typed_value(active_member(s, root), i, root) : 99;
        CHECK(t->equal(dest, i, expected),
              "broadcast of %zu %s, set (%d, %d, %d), root %d: element %zu is %ld, expected %ld", n, t->name, s->start,
              s->log_stride, s->size, root, i, t->load(dest, i), expected);
    }
    if (me >= 0)
        sync_restored(p_sync[which], SHMEM_BCAST_SYNC_SIZE, "broadcast");
}

int main(void)
{
    static struct active_set sets[ACTIVE_MAX];
    static const size_t sizes[] = {1, 2, 17, 300};
    check_start();
    int count = active_sets(check_npes, sets), calls = 0;

    source = typed_symmetric((LARGE + 1) * 8);
    dest = typed_symmetric((LARGE + 1) * 8);
    sync_clear(p_sync[0], SHMEM_BCAST_SYNC_SIZE);
    sync_clear(p_sync[1], SHMEM_BCAST_SYNC_SIZE);
    for (int i = 0; i < count; i++)
        for (int root = 0; root < sets[i].size; root++, calls++)
            use_set(&rows[calls % 2], &sets[i], root, sizes[calls / 2 % 4], calls % 2);
    use_set(&rows[0], &sets[count - 1], 0, 0, 0);
    use_set(&rows[0], &sets[count - 1], check_npes - 1, LARGE, 1);
    use_set(&rows[1], &sets[count - 1], 0, LARGE, 0);
    return check_finish();
}
