/* SPDX-License-Identifier: BSD-3-Clause */
/* One wrong call: misuse CALL PE VALUE. PE makes the call with a PE number, address or code as VALUE says; the others
 * wait in a barrier. Built without and with optimization, because small transfers are inlined. */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long good[16], also[16];
static uint64_t sig;
static int value; /* the wrong PE number or code */
static long *bad; /* the wrong address */

#define PE_CALLS(X)                                                                              \
    X(shmem_long_p, (good, 1, value))                                                            \
    X(shmem_long_g, (good, value))                                                               \
    X(shmem_double_p, ((double *)good, 1, value))                                                \
    X(shmem_long_put, (good, also, 4, value))                                                    \
    X(shmem_long_get, (good, also, 4, value))                                                    \
    X(shmem_putmem, (good, also, 128, value))                                                    \
    X(shmem_getmem, (good, also, 3, value))                                                      \
    X(shmem_put64, (good, also, 1, value))                                                       \
    X(shmem_int_put_nbi, ((int *)good, (int *)also, 2, value))                                   \
    X(shmem_getmem_nbi, (good, also, 8, value))                                                  \
    X(shmem_long_iput, (good, also, 2, 1, 4, value))                                             \
    X(shmem_long_iget, (good, also, 1, 2, 4, value))                                             \
    X(shmem_long_ibput, (good, also, 4, 4, 2, 2, value))                                         \
    X(shmem_long_ibget, (good, also, 4, 4, 2, 2, value))                                         \
    X(shmem_long_atomic_fetch_add, (good, 1, value))                                             \
    X(shmem_long_atomic_inc, (good, value))                                                      \
    X(shmem_int_atomic_compare_swap, ((int *)good, 0, 1, value))                                 \
    X(shmem_double_atomic_swap, ((double *)good, 1, value))                                      \
    X(shmem_ulong_atomic_fetch_or_nbi, ((unsigned long *)also, (unsigned long *)good, 1, value)) \
    X(shmem_long_put_signal, (good, also, 2, &sig, 1, SHMEM_SIGNAL_SET, value))                  \
    X(shmem_signal_add, (&sig, 1, value))                                                        \
    X(shmem_ctx_long_p, (SHMEM_CTX_DEFAULT, good, 1, value))                                     \
    X(shmem_ctx_putmem, (SHMEM_CTX_DEFAULT, good, also, 64, value))                              \
    X(shmem_long_broadcast, (SHMEM_TEAM_WORLD, good, also, 1, value))

#define ADDRESS_CALLS(X)                                                               \
    X(shmem_long_p, (bad, 1, 0))                                                       \
    X(shmem_long_g, (bad, 0))                                                          \
    X(shmem_long_put, (bad, also, 4, 0))                                               \
    X(shmem_long_get, (good, bad, 4, 0))                                               \
    X(shmem_putmem, (bad, also, 100, 0))                                               \
    X(shmem_getmem, (good, bad, 100, 0))                                               \
    X(shmem_long_iput, (bad, also, 1, 1, 4, 0))                                        \
    X(shmem_long_put_nbi, (bad, also, 4, 0))                                           \
    X(shmem_long_atomic_add, (bad, 1, 0))                                              \
    X(shmem_long_atomic_fetch, (bad, 0))                                               \
    X(shmem_signal_set, ((uint64_t *)bad, 1, 0))                                       \
    X(shmem_long_put_signal, (good, also, 1, (uint64_t *)bad, 1, SHMEM_SIGNAL_SET, 0)) \
    X(shmem_set_lock, (bad))

#define CODE_CALLS(X)                          \
    X(shmem_long_wait_until, (good, value, 0)) \
    X(shmem_int_test, ((int *)good, value, 0)) \
    X(shmem_long_put_signal, (good, also, 1, &sig, 1, value, 0))

/* Before shmem_init or after shmem_finalize. */
#define EARLY_CALLS(X)                                          \
    X(shmem_barrier_all, ())                                    \
    X(shmem_malloc, (64))                                       \
    X(shmem_long_p, (good, 1, 0))                               \
    X(shmem_long_g, (good, 0))                                  \
    X(shmem_putmem, (good, also, 8, 0))                         \
    X(shmem_long_atomic_add, (good, 1, 0))                      \
    X(shmem_long_sum_reduce, (SHMEM_TEAM_WORLD, good, also, 1)) \
    X(shmem_set_lock, (good))                                   \
    X(shmem_long_wait_until, (good, SHMEM_CMP_EQ, 5))

#define BODY(group, name, args)      \
    static void group##_##name(void) \
    {                                \
        (void)(name)args;            \
    }
#define PE_BODY(name, args) BODY(pe, name, args)
#define ADDRESS_BODY(name, args) BODY(address, name, args)
#define CODE_BODY(name, args) BODY(code, name, args)
#define EARLY_BODY(name, args) BODY(early, name, args)
PE_CALLS(PE_BODY)
ADDRESS_CALLS(ADDRESS_BODY)
CODE_CALLS(CODE_BODY)
EARLY_CALLS(EARLY_BODY)

#define PE_ROW(name, args) {"pe", #name, pe_##name},
#define ADDRESS_ROW(name, args) {"address", #name, address_##name},
#define CODE_ROW(name, args) {"code", #name, code_##name},
#define EARLY_ROW(name, args) {"early", #name, early_##name}, {"late", #name, early_##name},
static const struct row {
    const char *group, *name;
    void (*call)(void);
} rows[] = {PE_CALLS(PE_ROW) ADDRESS_CALLS(ADDRESS_ROW) CODE_CALLS(CODE_ROW) EARLY_CALLS(EARLY_ROW)};

static void choose(const char *text)
{
    static long stack_is_not_symmetric;
    long local = 0;

    if (strcmp(text, "npes") == 0)
        value = shmem_n_pes();
    else
        value = atoi(text);
    if (strcmp(text, "null") == 0)
        bad = NULL;
    else if (strcmp(text, "malloc") == 0)
        bad = malloc(1024);
    else if (strcmp(text, "stack") == 0)
        bad = (long *)(((uintptr_t)&local - 4096) & ~(uintptr_t)63);
    else if (strcmp(text, "kernel") == 0)
        bad = (long *)(uintptr_t)-4096;
    else
        bad = &stack_is_not_symmetric;
}

static int run(const char *group, const char *name)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].group, group) == 0 && strcmp(rows[i].name, name) == 0) {
            rows[i].call();
            printf("%s returned\n", name);
            fflush(stdout);
            return 0;
        }
    fprintf(stderr, "no such call\n");
    return 2;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "list") == 0) {
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
            printf("%s %s\n", rows[i].group, rows[i].name);
        return 0;
    }
    if (argc < 5)
        return 2;
    if (strcmp(argv[1], "early") == 0)
        return run(argv[1], argv[2]);
    shmem_init();
    choose(argv[4]);
    if (strcmp(argv[1], "late") == 0) {
        shmem_finalize();
        return run(argv[1], argv[2]);
    }
    if (shmem_my_pe() == atoi(argv[3]))
        run(argv[1], argv[2]);
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
