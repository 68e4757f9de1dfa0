/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The engine under the datatypes, by its own face (mpii.h), on random types:
 * any piece of the packed form, lists of blocks, spans, counts of elements,
 * signatures, copies from one layout to another, pieces of external32.
 */
#include "mpi/mpii.h"
#include "tree.h"

struct subject {
    const struct tree *tree;
    struct mpii_type *type;
    long count;
    size_t n;        /* packed bytes */
    char *memory, *base, *packed;
    size_t bytes;
};

static struct subject subject_of(const struct tree *t, long count)
{
    struct subject s = {.tree = t, .type = mpii_type_of(t->type), .count = count};
    MPI_Aint low, high;

    map_span(&t->map, count, &low, &high);
    s.n = (size_t)(map_size(&t->map) * count);
    s.bytes = (size_t)(high - low);
    s.memory = malloc(s.bytes + 1);
    s.base = s.memory - low;
    s.packed = malloc(s.n + 1);
    check_fill(s.memory, s.bytes, 3);
    map_pack(&t->map, s.base, count, s.packed);
    return s;
}

static void subject_free(struct subject *s)
{
    free(s->memory);
    free(s->packed);
}

static void check_pieces(const struct subject *s, uint64_t *rng)
{
    char *piece = malloc(s->n + 1);

    for (int i = 0; i < 10; i++) {
        size_t from = check_random_below(rng, s->n + 1), n = check_random_below(rng, s->n - from + 1);

        piece[n] = 'x';
        mpii_pack(piece, s->base, s->count, s->type, (MPI_Count)from, (MPI_Count)n);
        CHECK(memcmp(piece, s->packed + from, n) == 0 && piece[n] == 'x', "bytes %zu to %zu of %ld %s", from, from + n,
              s->count, s->tree->text);
    }
    free(piece);
}

/* Unpacks in pieces, the odd ones first. */
static void check_unpack(const struct subject *s, uint64_t *rng)
{
    char *memory = malloc(s->bytes + 1), *wanted = malloc(s->bytes + 1);
    MPI_Count piece = (MPI_Count)check_random_below(rng, s->n) + 1;
    const MPI_Aint shift = s->base - s->memory;

    memset(memory, 0x55, s->bytes);
    memset(wanted, 0x55, s->bytes);
    map_unpack(&s->tree->map, wanted + shift, s->count, s->packed);
    for (int odd = 1; odd >= 0; odd--)
        for (MPI_Count at = odd * piece; at < (MPI_Count)s->n; at += 2 * piece) {
            MPI_Count n = (MPI_Count)s->n - at < piece ? (MPI_Count)s->n - at : piece;

            mpii_unpack(memory + shift, s->count, s->type, at, s->packed + at, n);
        }
    CHECK(memcmp(memory, wanted, s->bytes) == 0, "pieces of %lld bytes of %ld %s", (long long)piece, s->count,
          s->tree->text);
    free(memory);
    free(wanted);
}

static void check_blocks(const struct subject *s, uint64_t *rng)
{
    MPI_Count from = (MPI_Count)check_random_below(rng, s->n + 1), at = from, done;
    struct mpii_block blocks[7];
    int max = between(rng, 1, 7), n;

    while ((n = mpii_blocks(s->count, s->type, at, blocks, max, &done)) > 0) {
        MPI_Count sum = 0;

        for (int i = 0; i < n; i++) {
            if (!CHECK(at + sum + blocks[i].n <= (MPI_Count)s->n, "too many bytes in the blocks of %s", s->tree->text))
                return;
            CHECK(memcmp(s->base + blocks[i].at, s->packed + at + sum, (size_t)blocks[i].n) == 0,
                  "block %d from %lld of %s", i, (long long)at, s->tree->text);
            sum += blocks[i].n;
        }
        CHECK(sum == done && n <= max, "%d blocks cover %lld bytes, said %lld", n, (long long)sum, (long long)done);
        at += done;
    }
    CHECK(at == (MPI_Count)s->n, "blocks of %s end at %lld of %zu", s->tree->text, (long long)at, s->n);
}

static void check_span(const struct subject *s)
{
    MPI_Count bytes = -1;
    const char *first = mpii_span(s->base, s->count, s->type, &bytes);

    CHECK((size_t)bytes == s->bytes, "span of %ld %s is %lld bytes, expected %zu", s->count, s->tree->text,
          (long long)bytes, s->bytes);
    CHECK(s->bytes == 0 || first == s->memory, "span of %s begins %ld bytes off", s->tree->text,
          (long)(first - s->memory));
}

static void check_elements(const struct subject *s)
{
    const struct map *m = &s->tree->map;
    MPI_Count at = 0, elements = 0;

    CHECK(mpii_elements(s->type, 0) == 0, "no bytes, no elements in %s", s->tree->text);
    for (long k = 0; k < s->count && elements < 3000; k++) {
        for (int i = 0; i < m->n; i++) {
            if (m->entries[i].what < 0)
                continue;
            for (int b = 1; b < basics[m->entries[i].what].size; b++)
                if (!CHECK(mpii_elements(s->type, at + b) == MPI_UNDEFINED, "%lld bytes end inside an element of %s",
                           (long long)at + b, s->tree->text))
                    return;
            at += basics[m->entries[i].what].size;
            elements++;
            if (!CHECK(mpii_elements(s->type, at) == elements, "%lld bytes of %s", (long long)at, s->tree->text))
                return;
            CHECK(mpii_elements_bytes(s->type, elements) == at, "%lld elements of %s", (long long)elements,
                  s->tree->text);
        }
    }
}

/* A struct of the same elements, one by one, in other places: behind each other in reverse order, with gaps. */
static MPI_Datatype scatter(const struct map *m, uint64_t *rng)
{
    long n = map_elements(m), k = 0;
    MPI_Datatype *types = malloc((size_t)(n + 1) * sizeof *types), t;
    MPI_Count *at = malloc((size_t)(n + 1) * sizeof *at), *ones = malloc((size_t)(n + 1) * sizeof *ones), next = 0;

    for (int i = m->n - 1; i >= 0; i--) {
        if (m->entries[i].what < 0)
            continue;
        k++;
        types[n - k] = basics[m->entries[i].what].type;
        at[n - k] = next;
        ones[n - k] = 1;
        next += basics[m->entries[i].what].size + between(rng, 0, 9);
    }
    OK(MPI_Type_create_struct_c(n, ones, at, types, &t));
    OK(MPI_Type_commit(&t));
    free(types);
    free(at);
    free(ones);
    return t;
}

static void check_copy(const struct subject *s, uint64_t *rng)
{
    MPI_Datatype other = scatter(&s->tree->map, rng);
    struct mpii_type *t = mpii_type_of(other);
    char *memory = calloc(1, (size_t)(t->extent * s->count) + 1), *back = malloc(s->n + 1);

    CHECK(mpii_signature(t, s->count) == mpii_signature(s->type, s->count), "signature of %s and its elements",
          s->tree->text);
    mpii_copy(memory, s->count, t, s->base, s->count, s->type);
    mpii_pack(back, memory, s->count, t, 0, (MPI_Count)s->n);
    CHECK(memcmp(back, s->packed, s->n) == 0, "copy from %ld %s", s->count, s->tree->text);
    if (!map_overlaps(&s->tree->map, s->count)) {
        memset(s->memory, 0, s->bytes);
        mpii_copy(s->base, s->count, s->type, memory, s->count, t);
        mpii_pack(back, s->base, s->count, s->type, 0, (MPI_Count)s->n);
        CHECK(memcmp(back, s->packed, s->n) == 0, "copy to %ld %s", s->count, s->tree->text);
    }
    free(memory);
    free(back);
    OK(MPI_Type_free(&other));
}

static void check_element(const struct subject *s)
{
    const struct map *m = &s->tree->map;
    const struct mpii_type *element = mpii_type_element(s->type);
    int what = -1;

    for (int i = 0; i < m->n; i++) {
        if (m->entries[i].what < 0)
            continue;
        if (what >= 0 && what != m->entries[i].what) {
            CHECK(element == NULL, "%s has elements of several types", s->tree->text);
            return;
        }
        what = m->entries[i].what;
    }
    CHECK(what < 0 || (element && element->handle == basics[what].type), "element of %s", s->tree->text);
}

/* Any piece of external32 that begins and ends between elements. */
static void check_external(const struct subject *s, uint64_t *rng)
{
    long elements = map_elements(&s->tree->map) * s->count, a, b;
    MPI_Count from = 0, to = 0, one = -1;
    char *all = malloc(s->n + 1), *piece = malloc(s->n + 1);

    CHECK(mpii_external_size(s->type, &one) && (size_t)(one * s->count) == s->n, "size in external32 of %s",
          s->tree->text);
    CHECK(mpii_external_pack(all, s->base, s->count, s->type, 0, (MPI_Count)s->n), "out of memory");
    a = (long)check_random_below(rng, (uint64_t)elements + 1);
    b = a + (long)check_random_below(rng, (uint64_t)(elements - a) + 1);
    from = mpii_elements_bytes(s->type, a);
    to = mpii_elements_bytes(s->type, b);
    CHECK(mpii_external_pack(piece, s->base, s->count, s->type, from, to - from), "out of memory");
    CHECK(memcmp(piece, all + from, (size_t)(to - from)) == 0, "elements %ld to %ld of %s in external32", a, b,
          s->tree->text);
    if (!map_overlaps(&s->tree->map, s->count)) {
        memset(s->memory, 0, s->bytes);
        CHECK(mpii_external_unpack(s->base, s->count, s->type, from, all + from, (MPI_Count)s->n - from),
              "out of memory");
        CHECK(mpii_external_unpack(s->base, s->count, s->type, 0, all, from), "out of memory");
        mpii_pack(piece, s->base, s->count, s->type, 0, (MPI_Count)s->n);
        CHECK(memcmp(piece, s->packed, s->n) == 0, "back from external32 in two pieces: %s", s->tree->text);
    }
    free(all);
    free(piece);
}

static void check_type(struct tree *t, uint64_t *rng)
{
    struct subject s;

    OK(MPI_Type_commit(&t->type));
    s = subject_of(t, between(rng, 1, below(rng, 4) ? 5 : 60));
    check_pieces(&s, rng);
    check_span(&s);
    check_element(&s);
    if (s.n > 0) {
        check_blocks(&s, rng);
        check_elements(&s);
        if (!map_overlaps(&t->map, s.count))
            check_unpack(&s, rng);
        check_copy(&s, rng);
        map_unpack(&t->map, s.base, s.count, s.packed);
        map_pack(&t->map, s.base, s.count, s.packed);
        check_external(&s, rng);
    }
    subject_free(&s);
}

/* Sequences that differ have different signatures; how they are nested is of no importance. */
static void check_signatures(void)
{
    struct mpii_type *i = mpii_type_of(MPI_INT), *d = mpii_type_of(MPI_DOUBLE), *pair = mpii_type_of(MPI_DOUBLE_INT);
    MPI_Datatype three, both, packed;

    OK(MPI_Type_vector(3, 1, 5, MPI_INT, &three));
    OK(MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 24}, (MPI_Datatype[]){MPI_DOUBLE, MPI_INT}, &both));
    OK(MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 24}, (MPI_Datatype[]){MPI_DOUBLE, MPI_PACKED},
                              &packed));
    CHECK(mpii_signature(mpii_type_of(three), 4) == mpii_signature(i, 12), "4 x 3 ints are 12 ints");
    CHECK(mpii_signature(i, 12) != mpii_signature(i, 13), "12 and 13 ints");
    CHECK(mpii_signature(i, 2) != mpii_signature(d, 1), "2 ints and a double");
    CHECK(mpii_signature(i, 1) != mpii_signature(mpii_type_of(MPI_FLOAT), 1), "int and float");
    CHECK(mpii_signature(mpii_type_of(both), 3) == mpii_signature(pair, 3), "a pair is a struct of its parts");
    CHECK(mpii_signature(pair, 2) != 0 && mpii_signature(mpii_type_of(packed), 2) == 0, "MPI_PACKED fits anything");
    CHECK(mpii_signature(i, 0) == mpii_signature(d, 0), "nothing is nothing");
    CHECK(mpii_elements(pair, 24) == 4, "elements of pairs");
    CHECK(mpii_type_element(pair) == pair, "a pair is its own element");
    OK(MPI_Type_free(&three));
    OK(MPI_Type_free(&both));
    OK(MPI_Type_free(&packed));
}

int main(void)
{
    uint64_t rng;

    mc_start();
    rng = check_seed(99) + (uint64_t)mc_rank * 7919;
    check_signatures();
    for (int i = 0; i < 2000; i++) {
        struct tree t = tree_random(&rng, i % 6);

        if (!t.map.cut)
            check_type(&t, &rng);
        tree_free(&t);
    }
    return mc_finish();
}
