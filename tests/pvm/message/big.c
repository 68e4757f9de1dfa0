/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Long messages: 64 MiB of every encoding, and 1 GiB ("huge" as an argument), to the
 * next task and to itself; one that no memory is there for.
 */
#include "family.h"

static void send_and_read(size_t n, int encoding, uint64_t *words)
{
    int next = (pc_me + 1) % pc_size, last = (pc_me + pc_size - 1) % pc_size, got = 0;
    size_t count = n / 8, wrong = 0;
    for (size_t i = 0; i < count; i++)
        words[i] = i * 0x9e3779b97f4a7c15u + (uint64_t)pc_me;
    OK(pvm_initsend(encoding));
    OK(pvm_pkulong(words, (int)count, 1));
    GIVES(pvm_send(fm_name(next), encoding), 0);
    pvm_freebuf(pvm_setsbuf(0));
    memset(words, 0, n);
    int id = pvm_recv(fm_name(last), encoding);
    OK(pvm_bufinfo(id, &got, NULL, NULL));
    CHECK((size_t)got == n, "%d bytes", got);
    OK(pvm_upkulong(words, (int)count, 1));
    for (size_t i = 0; i < count; i++)
        wrong += words[i] != i * 0x9e3779b97f4a7c15u + (uint64_t)last;
    CHECK(wrong == 0, "encoding %d: %zu of %zu words are wrong", encoding, wrong, count);
    pvm_freebuf(pvm_setrbuf(0));
}

static void direct(size_t n, uint64_t *words)
{
    int next = (pc_me + 1) % pc_size, last = (pc_me + pc_size - 1) % pc_size, got = 0;
    size_t count = n / 8, wrong = 0;
    for (size_t i = 0; i < count; i++)
        words[i] = i ^ (uint64_t)pc_me << 40;
    OK(pvm_psend(fm_name(next), 9, words, (int)count, PVM_ULONG));
    memset(words, 0, n);
    OK(pvm_precv(fm_name(last), 9, words, (int)count, PVM_ULONG, NULL, NULL, &got));
    for (size_t i = 0; i < count; i++)
        wrong += words[i] != (i ^ (uint64_t)last << 40);
    CHECK((size_t)got == n && wrong == 0, "%d bytes, %zu words are wrong", got, wrong);
}

static size_t memory_left(void)
{
    char line[128];
    size_t kib = 0;
    FILE *f = fopen("/proc/meminfo", "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "MemAvailable: %zu", &kib) == 1)
            break;
    if (f)
        fclose(f);
    return kib << 10;
}

int main(int argc, char **argv)
{
    bool huge = argc > 1 && strcmp(argv[1], "huge") == 0;
    size_t n = huge ? (1ul << 30) - 8 : 64ul << 20; /* lengths are ints */
    fm_start();
    /* at each task: the words, what is sent, and at most as much again */
    if (memory_left() < 3 * n * (size_t)pc_size + (1ul << 30))
        pc_skip("too little memory");
    fm_barrier();
    uint64_t *words = malloc(n);
    CHECK(words != NULL, "no memory");
    for (int encoding = PvmDataDefault; words && encoding <= PvmDataInPlace; encoding++)
        send_and_read(n, encoding, words);
    if (words)
        direct(n, words);
    free(words);
    fm_barrier();
    return fm_finish();
}
