/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Random sequences of packing against a model that works byte by byte; the message
 * then goes one of several ways (in place, inside another message, to the task itself,
 * to the next task), is unpacked in the same order, arrays in parts where that is
 * allowed, and sent on unchanged.
 */
#include "model.h"

enum { AREA = 300000, ITEMS_MAX = 40, ROUNDS = 60 };

struct step {
    const struct type *t; /* NULL: a string */
    int count, stride;
    size_t at; /* in the area */
};

static unsigned char from[AREA], to[AREA], model[8 << 20];
static struct step steps[ITEMS_MAX];

static int some_count(uint64_t *random, size_t size)
{
    static const int scale[] = {4, 30, 300, 3000, 200000};
    size_t n = check_random_below(random, (uint64_t)scale[check_random_below(random, 5)]);

    return (int)(n * size < AREA / 2 ? n : AREA / 2 / size);
}

static void plan(struct step *s, uint64_t *random)
{
    size_t k = check_random_below(random, TYPES + 1), span;

    s->t = k < TYPES ? &types[k] : NULL;
    s->stride = 1;
    s->count = s->t ? some_count(random, s->t->size) : (int)check_random_below(random, 2000);
    if (s->t && s->count < 1000 && check_random_below(random, 3) == 0)
        s->stride = (int)check_random_below(random, 12) - 5;
    span = s->t ? (size_t)s->count * s->t->size * (size_t)(s->stride < 0 ? -s->stride : s->stride) + s->t->size
                : (size_t)s->count + 1;
    s->at = check_random_below(random, AREA - span);
    if (s->stride < 0)
        s->at += span - s->t->size;
}

static size_t pack(int n, int encoding)
{
    static char text[2001];
    size_t length = 0;

    for (int i = 0; i < n; i++) {
        const struct step *s = &steps[i];

        if (s->t) {
            GIVES(do_pack(s->t->id, from + s->at, s->count, s->stride), 0);
            length = model_pack(model, length, s->t, encoding, from + s->at, s->count, s->stride);
        } else {
            for (int k = 0; k < s->count; k++)
                text[k] = (char)(from[s->at + (size_t)k] | 1);
            text[s->count] = 0;
            GIVES(pvm_pkstr(text), 0);
            length = model_string(model, length, encoding, text);
        }
    }
    return length;
}

static void unpack_items(const struct step *s, int encoding, int number, uint64_t *random)
{
    size_t size = s->t->size;
    int done = 0;

    while (done < s->count) {
        int n = s->count - done, back = s->count < 1000 ? (int)check_random_below(random, 5) - 2 : 1;
        unsigned char *d = to + AREA / 2;

        if (check_random_below(random, 2) && (s->t->wire > 1 || encoding == PvmDataRaw))
            n = 1 + (int)check_random_below(random, (uint64_t)n);
        back = (size_t)n * size * (size_t)abs(back) < AREA / 2 - 100 ? back : 1;
        d -= back == 1 ? AREA / 2 - check_random_below(random, 64) : 0;
        GIVES(do_unpack(s->t->id, d, n, back), 0);
        for (int i = back ? 0 : n - 1; i < n; i++) {
            const unsigned char *x = from + (ptrdiff_t)s->at + (ptrdiff_t)(done + i) * s->stride * (ptrdiff_t)size;

            if (!CHECK(memcmp(d + (ptrdiff_t)i * back * (ptrdiff_t)size, x, size) == 0,
                       "step %d: item %d of %d of %s, stride %d, back with %d", number, done + i, s->count, s->t->name,
                       s->stride, back))
                return;
        }
        done += n;
    }
}

static void unpack(int n, int encoding, uint64_t *random)
{
    for (int i = 0; i < n; i++) {
        const struct step *s = &steps[i];

        if (s->t) {
            unpack_items(s, encoding, i, random);
            continue;
        }
        to[s->count] = 1;
        GIVES(pvm_upkstr((char *)to), 0);
        for (int k = 0; k <= s->count; k++)
            if (!CHECK(to[k] == (k < s->count ? from[s->at + (size_t)k] | 1 : 0), "step %d: string of %d, at %d", i,
                       s->count, k))
                break;
    }
    GIVES(pvm_upkbyte((char *)to, 1, 1), PvmNoData);
}

/* The buffer packed goes some way; what is to be unpacked becomes the receive buffer. */
static void travel(int buf, int way, int next, uint64_t *random)
{
    int outer, got;

    switch (way) {
    case 0:
        OK(pvm_setrbuf(buf));
        return;
    case 1:
        outer = pvm_mkbuf((int)check_random_below(random, 2));
        OK(pvm_setsbuf(outer));
        GIVES(pvm_pkmesg(buf), 0);
        OK(pvm_setrbuf(outer));
        got = pvm_upkmesg();
        OK(got);
        OK(pvm_setrbuf(got));
        OK(pvm_freebuf(outer));
        OK(pvm_freebuf(buf));
        return;
    case 2:
        OK(pvm_setsbuf(buf));
        GIVES(pvm_send(pc_tid, 3), 0);
        OK(pvm_freebuf(buf)); /* what is under way stays */
        OK(pvm_recv(pc_tid, 3));
        return;
    default:
        OK(pvm_setsbuf(buf));
        GIVES(pvm_send(next, 4), 0);
        GIVES(pvm_pkint((int *)from, 1000, 1), 0); /* packed later: not part of it */
        OK(pvm_recv(-1, 4));
        if (way == 4) { /* on to the next, as it was received */
            OK(pvm_setsbuf(pvm_getrbuf()));
            GIVES(pvm_send(next, 5), 0);
            OK(pvm_freebuf(pvm_getsbuf()));
            OK(pvm_recv(-1, 5));
        }
    }
}

int main(void)
{
    uint64_t random = check_seed(21); /* equal in all tasks: they pack the same */

    pc_start();
    check_fill(from, sizeof from, 4);
    for (int round = 0; round < ROUNDS; round++) {
        int n = 1 + (int)check_random_below(&random, ITEMS_MAX), encoding = (int)check_random_below(&random, 2),
            old = pvm_getrbuf();
        int buf = pvm_mkbuf(encoding), next = pvm_gettid(NULL, (pc_me + 1) % pc_size);
        size_t length;

        for (int i = 0; i < n; i++)
            plan(&steps[i], &random);
        OK(pvm_setsbuf(buf));
        length = pack(n, encoding);
        check_bytes(buf, model, length, "a sequence");
        travel(buf, round % 5, next, &random);
        if (old && round % 5 < 2)
            OK(pvm_freebuf(old)); /* a receive frees the buffer before */
        check_bytes(pvm_getrbuf(), model, length, "a sequence that has travelled");
        unpack(n, encoding, &random);
    }
    return pc_finish();
}
