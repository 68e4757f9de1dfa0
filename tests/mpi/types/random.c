/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Random datatypes against their type maps: bounds and sizes, pack and unpack,
 * envelope and contents from which an equal type is made, and messages between
 * two layouts of the same elements.
 */
#include "tree.h"

static void check_bounds(const struct tree *t)
{
    MPI_Aint low, high, lb = map_lb(&t->map), extent = map_extent(&t->map), a = -1, b = -1;
    MPI_Count size = map_size(&t->map), c = -1, d = -1;
    int small = -1;

    map_true(&t->map, &low, &high);
    OK(MPI_Type_size(t->type, &small));
    OK(MPI_Type_size_c(t->type, &c));
    CHECK(small == size && c == size, "size %d and %lld of %s, expected %lld", small, (long long)c, t->text,
          (long long)size);
    OK(MPI_Type_get_extent(t->type, &a, &b));
    OK(MPI_Type_get_extent_c(t->type, &c, &d));
    CHECK(a == lb && b == extent, "bounds %ld, %ld of %s, expected %ld, %ld", (long)a, (long)b, t->text, (long)lb,
          (long)extent);
    CHECK(c == a && d == b, "both forms agree on %s", t->text);
    OK(MPI_Type_get_true_extent(t->type, &a, &b));
    OK(MPI_Type_get_true_extent_x(t->type, &c, &d));
    CHECK(a == low && b == high - low, "true bounds %ld, %ld of %s, expected %ld, %ld", (long)a, (long)b, t->text,
          (long)low, (long)(high - low));
    CHECK(c == a && d == b, "both forms agree on %s", t->text);
}

struct place {
    char *memory, *base; /* base: the buffer's address for MPI */
    size_t bytes;
};

static struct place place_for(const struct map *m, long count, uint64_t seed)
{
    struct place p;
    MPI_Aint low, high;

    map_span(m, count, &low, &high);
    p.bytes = (size_t)(high - low) + 64;
    p.memory = malloc(p.bytes);
    p.base = p.memory + 32 - low;
    check_fill(p.memory, p.bytes, seed);
    return p;
}

static void check_pack(const struct tree *t, long count)
{
    size_t n = (size_t)(map_size(&t->map) * count), bytes;
    struct place p = place_for(&t->map, count, 7);
    char *packed = malloc(n + 1), *wanted = malloc(n + 1), *copy;
    int position = 0;
    MPI_Count position_c = 0;

    packed[n] = 'x';
    map_pack(&t->map, p.base, count, wanted);
    OK(MPI_Pack(p.base, (int)count, t->type, packed, (int)n, &position, MPI_COMM_WORLD));
    CHECK((size_t)position == n && packed[n] == 'x', "position %d after %zu bytes of %s", position, n, t->text);
    CHECK(memcmp(packed, wanted, n) == 0, "packed form of %ld %s", count, t->text);
    if (!map_overlaps(&t->map, count)) {
        bytes = p.bytes;
        copy = malloc(bytes);
        memcpy(copy, p.memory, bytes);
        check_fill(wanted, n, 9);
        memcpy(packed, wanted, n);
        map_unpack(&t->map, copy + (p.base - p.memory), count, wanted);
        OK(MPI_Unpack_c(packed, (MPI_Count)n, &position_c, p.base, count, t->type, MPI_COMM_WORLD));
        CHECK((size_t)position_c == n, "position %lld after %zu bytes of %s", (long long)position_c, n, t->text);
        CHECK(memcmp(copy, p.memory, bytes) == 0, "memory after unpacking %ld %s", count, t->text);
        free(copy);
    }
    free(p.memory);
    free(packed);
    free(wanted);
}

/* A type made from the arguments that another reports. */
static MPI_Datatype make_again(int combiner, const int *i, const MPI_Aint *a, const MPI_Count *c, MPI_Count nc,
                               const MPI_Datatype *d)
{
    MPI_Datatype t = MPI_DATATYPE_NULL;
    bool wide = nc > 0;

    switch (combiner) {
    case MPI_COMBINER_DUP:
        OK(MPI_Type_dup(d[0], &t));
        break;
    case MPI_COMBINER_CONTIGUOUS:
        OK(wide ? MPI_Type_contiguous_c(c[0], d[0], &t) : MPI_Type_contiguous(i[0], d[0], &t));
        break;
    case MPI_COMBINER_VECTOR:
        OK(wide ? MPI_Type_vector_c(c[0], c[1], c[2], d[0], &t) : MPI_Type_vector(i[0], i[1], i[2], d[0], &t));
        break;
    case MPI_COMBINER_HVECTOR:
        OK(wide ? MPI_Type_create_hvector_c(c[0], c[1], c[2], d[0], &t)
                : MPI_Type_create_hvector(i[0], i[1], a[0], d[0], &t));
        break;
    case MPI_COMBINER_INDEXED:
        OK(wide ? MPI_Type_indexed_c(c[0], c + 1, c + 1 + c[0], d[0], &t)
                : MPI_Type_indexed(i[0], i + 1, i + 1 + i[0], d[0], &t));
        break;
    case MPI_COMBINER_HINDEXED:
        OK(wide ? MPI_Type_create_hindexed_c(c[0], c + 1, c + 1 + c[0], d[0], &t)
                : MPI_Type_create_hindexed(i[0], i + 1, a, d[0], &t));
        break;
    case MPI_COMBINER_INDEXED_BLOCK:
        OK(wide ? MPI_Type_create_indexed_block_c(c[0], c[1], c + 2, d[0], &t)
                : MPI_Type_create_indexed_block(i[0], i[1], i + 2, d[0], &t));
        break;
    case MPI_COMBINER_HINDEXED_BLOCK:
        OK(wide ? MPI_Type_create_hindexed_block_c(c[0], c[1], c + 2, d[0], &t)
                : MPI_Type_create_hindexed_block(i[0], i[1], a, d[0], &t));
        break;
    case MPI_COMBINER_STRUCT:
        OK(wide ? MPI_Type_create_struct_c(c[0], c + 1, c + 1 + c[0], d, &t)
                : MPI_Type_create_struct(i[0], i + 1, a, d, &t));
        break;
    case MPI_COMBINER_SUBARRAY:
        OK(wide ? MPI_Type_create_subarray_c(i[0], c, c + i[0], c + 2 * i[0], i[1], d[0], &t)
                : MPI_Type_create_subarray(i[0], i + 1, i + 1 + i[0], i + 1 + 2 * i[0], i[1 + 3 * i[0]], d[0], &t));
        break;
    case MPI_COMBINER_RESIZED:
        OK(wide ? MPI_Type_create_resized_c(d[0], c[0], c[1], &t) : MPI_Type_create_resized(d[0], a[0], a[1], &t));
        break;
    default:
        CHECK(false, "combiner %d", combiner);
    }
    return t;
}

static void check_contents(const struct tree *t)
{
    MPI_Count ni = -1, na = -1, nc = -1, nd = -1, counts[64];
    int combiner = -1, ints[64];
    MPI_Aint addrs[64];
    MPI_Datatype types[64];
    struct tree again = *t;

    OK(MPI_Type_get_envelope_c(t->type, &ni, &na, &nc, &nd, &combiner));
    if (combiner == MPI_COMBINER_NAMED)
        return;
    if (!CHECK(ni <= 64 && na <= 64 && nc <= 64 && nd <= 64, "envelope %lld %lld %lld %lld", (long long)ni,
               (long long)na, (long long)nc, (long long)nd))
        return;
    OK(MPI_Type_get_contents_c(t->type, ni, na, nc, nd, ints, addrs, counts, types));
    again.type = make_again(combiner, ints, addrs, counts, nc, types);
    for (int i = 0; i < nd; i++) {
        struct tree child = {.type = types[i], .map = {0}};

        tree_free(&child);
    }
    check_bounds(&again);
    OK(MPI_Type_commit(&again.type));
    check_pack(&again, 2);
    OK(MPI_Type_free(&again.type));
}

/* Send as this type, receive as contiguous elements in the same order, and back. */
static void check_message(const struct tree *t, long count)
{
    size_t n = (size_t)(map_size(&t->map) * count);
    struct place p = place_for(&t->map, count, 11), q = place_for(&t->map, count, 13);
    char *flat = malloc(n + 1), *wanted = malloc(n + 1), *memory = malloc(q.bytes);
    MPI_Status status;
    MPI_Count elements = -1, wanted_elements = map_elements(&t->map) * count;

    map_pack(&t->map, p.base, count, wanted);
    OK(MPI_Sendrecv(p.base, (int)count, t->type, 0, 1, flat, (int)n, MPI_PACKED, 0, 1, MPI_COMM_SELF,
                    MPI_STATUS_IGNORE));
    CHECK(memcmp(flat, wanted, n) == 0, "message of %ld %s as bytes", count, t->text);
    if (!map_overlaps(&t->map, count)) {
        memcpy(memory, q.memory, q.bytes);
        map_unpack(&t->map, memory + (q.base - q.memory), count, wanted);
        OK(MPI_Sendrecv(p.base, (int)count, t->type, 0, 1, q.base, (int)count, t->type, 0, 1, MPI_COMM_SELF, &status));
        CHECK(memcmp(memory, q.memory, q.bytes) == 0, "message from %ld %s to the same", count, t->text);
        OK(MPI_Get_elements_c(&status, t->type, &elements));
        CHECK(elements == wanted_elements, "%lld elements in %ld %s, expected %lld", (long long)elements, count,
              t->text, (long long)wanted_elements);
    }
    free(p.memory);
    free(q.memory);
    free(flat);
    free(wanted);
    free(memory);
}

int main(void)
{
    uint64_t rng;
    int tested = 0;

    mc_start();
    rng = check_seed(2024) + (uint64_t)mc_rank * 1000003;
    for (int i = 0; i < 1500; i++) {
        struct tree t = tree_random(&rng, i % 6);
        long count = between(&rng, 1, 12);

        if (!t.map.cut) {
            check_bounds(&t);
            OK(MPI_Type_commit(&t.type));
            check_pack(&t, 1);
            check_pack(&t, count);
            check_contents(&t);
            check_message(&t, count);
            tested++;
        }
        tree_free(&t);
    }
    CHECK(tested > 1000, "only %d types were small enough", tested);
    return mc_finish();
}
