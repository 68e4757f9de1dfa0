/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpt/tracefile.h on damaged traces, for fuzz.py: FILE COUNT SEED. Each time some bytes of the file are changed, or its
 * end is cut off, and all that the header offers is asked of what is left, in memory that ends where the file does. Of
 * the file as it is, how many calls there are by name is printed.
 */
#include <mpt/tracefile.h>
#include <stdio.h>

static uint64_t state;

static uint64_t next(void) /* splitmix64 */
{
    uint64_t z = state += 0x9e3779b97f4a7c15ull;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

static uint64_t look(struct mpt_tracefile *f)
{
    struct mpt_trace_record r;
    uint64_t sum = 0;
    int32_t pes[8];
    char text[16];

    for (uint64_t i = 0; mpt_tracefile_get(f, i, &r); i++) {
        sum += strlen(mpt_tracefile_name(f, r.call)) + strlen(mpt_tracefile_line(f, r.site));
        sum += mpt_tracefile_members(f, r.group, pes, 8) + mpt_tracefile_sources(f, r.group, pes, 8);
        sum += (uint64_t)mpt_tracefile_body(f, i, text, sizeof text);
        sum += mpt_tracefile_seconds(f, r.begin) > 0;
    }
    return sum;
}

static void count(struct mpt_tracefile *f)
{
    struct mpt_trace_record r;
    unsigned calls[1 << 16] = {0};

    for (uint64_t i = 0; mpt_tracefile_get(f, i, &r); i++)
        if (r.kind == MPT_TRACE_CALL)
            calls[r.call]++;
    for (unsigned i = 0; i < 1 << 16; i++)
        if (calls[i])
            printf("%s %u\n", mpt_tracefile_name(f, (uint16_t)i), calls[i]);
}

static uint64_t damage(const unsigned char *whole, size_t n)
{
    static const uint64_t bad[] = {0, 1, 0xff, 0x7fffffff, 0xffffffff, UINT64_MAX, 1ull << 63, 63, 64};
    size_t left = next() % 4 ? n : next() % (n + 1);
    unsigned char *data = malloc(left ? left : 1); /* of just that size: what is read beyond it is seen */
    struct mpt_tracefile f;
    uint64_t sum = 0;

    memcpy(data, whole, left);
    for (unsigned changes = (unsigned)(next() % 16); left >= 16 && changes > 0; changes--) {
        size_t at = next() % (left - 8);
        uint64_t value = next() % 2 ? next() : bad[next() % (sizeof bad / sizeof *bad)];

        memcpy(data + at, &value, 1 + next() % 8);
    }
    if (!mpt_tracefile_bytes(&f, data, left)) {
        sum = look(&f);
        mpt_tracefile_close(&f);
    }
    free(data);
    return sum;
}

int main(int argc, char **argv)
{
    struct mpt_tracefile f;
    unsigned char *whole;
    const char *wrong;
    uint64_t sum = 0;
    size_t n;

    if (argc < 4)
        return 2;
    if ((wrong = mpt_tracefile_open(&f, argv[1]))) {
        fprintf(stderr, "%s: %s\n", argv[1], wrong);
        return 1;
    }
    count(&f);
    n = f.size;
    whole = malloc(n);
    memcpy(whole, f.data, n);
    mpt_tracefile_close(&f);
    state = strtoull(argv[3], NULL, 0);
    for (long i = atol(argv[2]); i > 0; i--)
        sum += damage(whole, n);
    fprintf(stderr, "%llx\n", (unsigned long long)sum);
    free(whole);
    return 0;
}
