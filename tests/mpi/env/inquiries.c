/* SPDX-License-Identifier: BSD-3-Clause */
/* Versions, names, clock (9.1, 9.6), thread levels, the binary interface's questions (chapter 20), MPI_Alloc_mem (9.2),
 * addresses; what may be asked before MPI_Init and after MPI_Finalize. Run: inquiries [LEVEL]. */
#include "mcheck.h"

#include <pthread.h>

static void any_time(int started, int ended)
{
    int a = -1, b = -1, len = -1;
    static char text[MPI_MAX_LIBRARY_VERSION_STRING];
    char error[MPI_MAX_ERROR_STRING];
    MPI_Info info;

    OK(MPI_Get_version(&a, &b));
    CHECK(a == 5 && b == 0 && a == MPI_VERSION && b == MPI_SUBVERSION, "version %d.%d", a, b);
    OK(MPI_Abi_get_version(&a, &b));
    CHECK(a == 1 && b == 0, "ABI %d.%d", a, b);
    OK(MPI_Get_library_version(text, &len));
    CHECK(len == (int)strlen(text) && strncmp(text, "MPT ", 4) == 0, "library version \"%s\", %d", text, len);
    OK(MPI_Initialized(&a));
    OK(MPI_Finalized(&b));
    CHECK(a == started && b == ended, "initialized %d finalized %d, expected %d %d", a, b, started, ended);
    OK(MPI_Error_string(MPI_ERR_COMM, error, &len));
    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "a", "b"));
    OK(MPI_Info_free(&info));
    CHECK(MPI_Comm_fromint(MPI_Comm_toint(MPI_COMM_WORLD)) == MPI_COMM_WORLD, "handles as integers");
    CHECK(MPI_Wtime() > 0, "time %g", MPI_Wtime());
    OK(MPI_Pcontrol(1, "two", 3));
}

static void clock_runs(void)
{
    double t0 = MPI_Wtime(), t1;
    int *global, flag;

    CHECK(MPI_Wtick() > 0 && MPI_Wtick() < 1e-3, "tick %g", MPI_Wtick());
    usleep(20000);
    t1 = MPI_Wtime();
    CHECK(t1 - t0 >= 0.0199 && t1 - t0 < 5, "20 ms took %g s", t1 - t0);
    for (int i = 0; i < 1000; i++) {
        t0 = MPI_Wtime();
        CHECK(t0 >= t1, "time runs backwards by %g", t1 - t0);
        t1 = t0;
    }
    OK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &global, &flag));
    if (flag && *global) { /* what was said to have happened before did so by all clocks */
        double latest, now = MPI_Wtime();

        OK(MPI_Allreduce(&now, &latest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD));
        CHECK(MPI_Wtime() >= latest, "one clock for all: behind by %g", latest - MPI_Wtime());
    }
}

static void names(void)
{
    char name[MPI_MAX_PROCESSOR_NAME], host[256];
    int len;

    OK(MPI_Get_processor_name(name, &len));
    CHECK(len == (int)strlen(name) && len > 0, "name \"%s\" has length %d", name, len);
    CHECK(gethostname(host, sizeof host) == 0 && strncmp(name, host, strlen(host)) == 0, "name %s on host %s", name,
          host);
    FAILS(MPI_Get_processor_name(NULL, &len), MPI_ERR_ARG);
    FAILS(MPI_Get_processor_name(name, NULL), MPI_ERR_ARG);
    FAILS(MPI_Get_version(NULL, &len), MPI_ERR_ARG);
    FAILS(MPI_Get_library_version(NULL, &len), MPI_ERR_ARG);
    FAILS(MPI_Initialized(NULL), MPI_ERR_ARG);
    FAILS(MPI_Finalized(NULL), MPI_ERR_ARG);
    FAILS(MPI_Query_thread(NULL), MPI_ERR_ARG);
    FAILS(MPI_Is_thread_main(NULL), MPI_ERR_ARG);
    FAILS(MPI_Init(NULL, NULL), MPI_ERR_OTHER);
    FAILS(MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &len), MPI_ERR_OTHER);
    FAILS(MPI_Init_thread(NULL, NULL, 3, &len), MPI_ERR_ARG);
}

static void *other_thread(void *arg)
{
    int flag = -1;

    (void)arg;
    OK(MPI_Is_thread_main(&flag));
    CHECK(flag == 0, "another thread is main: %d", flag);
    return NULL;
}

static void threads(int level)
{
    int provided = -1, flag = -1;
    pthread_t thread;

    OK(MPI_Query_thread(&provided));
    CHECK(provided >= level, "level %d, asked for %d", provided, level);
    OK(MPI_Is_thread_main(&flag));
    CHECK(flag == 1, "the main thread is not");
    if (provided < MPI_THREAD_SERIALIZED)
        return;
    pthread_create(&thread, NULL, other_thread, NULL);
    pthread_join(thread, NULL);
}

static void abi(void)
{
    static const struct {
        const char *key;
        size_t size;
    } sizes[] = {{"mpi_aint_size", sizeof(MPI_Aint)},
                 {"mpi_count_size", sizeof(MPI_Count)},
                 {"mpi_offset_size", sizeof(MPI_Offset)}};
    MPI_Info info;
    char text[32];
    int flag, len;

    OK(MPI_Abi_get_info(&info));
    for (int i = 0; i < 3; i++) {
        len = sizeof text;
        OK(MPI_Info_get_string(info, sizes[i].key, &len, text, &flag));
        CHECK(flag && strtoul(text, NULL, 10) == sizes[i].size, "%s is %s", sizes[i].key, text);
    }
    OK(MPI_Info_free(&info));
    FAILS(MPI_Abi_get_info(NULL), MPI_ERR_ARG);
    FAILS(MPI_Abi_get_version(NULL, &len), MPI_ERR_ARG);
}

static void fortran(void)
{
    static const struct {
        const char *key;
        MPI_Datatype type;
    } sizes[] = {{"mpi_logical_size", MPI_LOGICAL},
                 {"mpi_integer_size", MPI_INTEGER},
                 {"mpi_real_size", MPI_REAL},
                 {"mpi_double_precision_size", MPI_DOUBLE_PRECISION}};
    MPI_Info info, other;
    char text[32];
    int flag, len, size, yes = 0, no = 0;
    const int is = -1, is_not = 0;

    OK(MPI_Abi_get_fortran_info(&info));
    for (int i = 0; i < 4; i++) {
        len = sizeof text;
        OK(MPI_Info_get_string(info, sizes[i].key, &len, text, &flag));
        OK(MPI_Type_size(sizes[i].type, &size));
        CHECK(flag && atoi(text) == size, "%s is %s, the type has %d", sizes[i].key, text, size);
    }
    len = sizeof text;
    OK(MPI_Info_get_string(info, "mpi_integer8_supported", &len, text, &flag));
    CHECK(flag && strcmp(text, "true") == 0, "INTEGER*8: %s", text);
    OK(MPI_Info_dup(info, &other));
    OK(MPI_Info_set(other, "mpi_integer_size", "3"));
    FAILS(MPI_Abi_set_fortran_info(other), MPI_ERR_ABI);
    FAILS(MPI_Abi_set_fortran_info(MPI_INFO_NULL), MPI_ERR_INFO);
    OK(MPI_Abi_set_fortran_info(info)); /* what is so already */
    FAILS(MPI_Abi_set_fortran_info(info), MPI_ERR_ABI);
    OK(MPI_Info_free(&other));
    OK(MPI_Info_free(&info));

    OK(MPI_Abi_get_fortran_booleans(4, &yes, &no, &flag));
    CHECK(flag == 0, "booleans that nobody set");
    OK(MPI_Abi_set_fortran_booleans(4, (void *)(uintptr_t)&is, (void *)(uintptr_t)&is_not));
    OK(MPI_Abi_get_fortran_booleans(4, &yes, &no, &flag));
    CHECK(flag == 1 && yes == is && no == is_not, "booleans %d %d", yes, no);
    FAILS(MPI_Abi_set_fortran_booleans(4, (void *)(uintptr_t)&is, (void *)(uintptr_t)&is_not), MPI_ERR_ABI);
    FAILS(MPI_Abi_get_fortran_booleans(3, &yes, &no, &flag), MPI_ERR_ARG);
    FAILS(MPI_Abi_get_fortran_booleans(4, NULL, &no, &flag), MPI_ERR_ARG);
}

static void memory(void)
{
    uint64_t seed = check_seed(21) + (uint64_t)mc_rank;
    void *blocks[100] = {NULL}, *p;
    size_t sizes[100];
    MPI_Info info;

    for (int round = 0; round < 3000; round++) {
        int i = (int)check_random_below(&seed, 100);

        if (blocks[i]) {
            for (size_t k = 0; k < sizes[i]; k += sizes[i] / 7 + 1)
                CHECK(((unsigned char *)blocks[i])[k] == check_pattern((uint64_t)i, k), "block %d, byte %zu changed", i,
                      k);
            OK(MPI_Free_mem(blocks[i]));
            blocks[i] = NULL;
            continue;
        }
        sizes[i] = (size_t)check_random_below(&seed, check_random_below(&seed, 20) ? 5000 : 1000000);
        OK(MPI_Alloc_mem((MPI_Aint)sizes[i], MPI_INFO_NULL, &blocks[i]));
        CHECK(blocks[i] && (uintptr_t)blocks[i] % 16 == 0, "block %p", blocks[i]);
        check_fill(blocks[i], sizes[i], (uint64_t)i);
    }
    for (int i = 0; i < 100; i++)
        if (blocks[i])
            OK(MPI_Free_mem(blocks[i]));
    OK(MPI_Info_create(&info));
    for (long align = 8; align <= 64l << 20; align *= 2) {
        char text[16];

        snprintf(text, sizeof text, "%ld", align);
        OK(MPI_Info_set(info, "mpi_minimum_memory_alignment", text));
        OK(MPI_Alloc_mem(100, info, &p));
        CHECK((uintptr_t)p % (uintptr_t)align == 0, "%p is not aligned to %ld", p, align);
        OK(MPI_Free_mem(p));
    }
    OK(MPI_Info_set(info, "mpi_minimum_memory_alignment", "5000000000000000000"));
    FAILS(MPI_Alloc_mem(100, info, &p), MPI_ERR_NO_MEM);
    OK(MPI_Info_free(&info));
    FAILS(MPI_Free_mem(p), MPI_ERR_BASE);
    FAILS(MPI_Free_mem(&seed), MPI_ERR_BASE);
    FAILS(MPI_Free_mem(NULL), MPI_ERR_BASE);
    FAILS(MPI_Alloc_mem(-1, MPI_INFO_NULL, &p), MPI_ERR_ARG);
    FAILS(MPI_Alloc_mem(8, MPI_INFO_NULL, NULL), MPI_ERR_ARG);
    FAILS(MPI_Alloc_mem(8, (MPI_Info)MPI_COMM_WORLD, &p), MPI_ERR_INFO);
    FAILS(MPI_Alloc_mem((MPI_Aint)1 << 60, MPI_INFO_NULL, &p), MPI_ERR_NO_MEM);
}

static void addresses(void)
{
    int array[10];
    MPI_Aint a, b;

    OK(MPI_Get_address(array, &a));
    OK(MPI_Get_address(array + 7, &b));
    CHECK(a == (MPI_Aint)(intptr_t)array, "address %lld", (long long)a);
    CHECK(MPI_Aint_diff(b, a) == 7 * (MPI_Aint)sizeof(int), "difference %lld", (long long)MPI_Aint_diff(b, a));
    CHECK(MPI_Aint_add(a, 28) == b, "sum %lld", (long long)MPI_Aint_add(a, 28));
    OK(MPI_Get_address(MPI_BOTTOM, &a));
    CHECK(a == 0, "address of MPI_BOTTOM %lld", (long long)a);
    FAILS(MPI_Get_address(array, NULL), MPI_ERR_ARG);
}

int main(int argc, char **argv)
{
    int level = argc > 1 ? atoi(argv[1]) : MPI_THREAD_MULTIPLE, provided = -1, status;

    any_time(0, 0);
    OK(MPI_Init_thread(&argc, &argv, level, &provided));
    CHECK(provided >= level, "level %d, asked for %d", provided, level);
    mc_identify();
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    any_time(1, 0);
    clock_runs();
    names();
    threads(level);
    abi();
    fortran();
    memory();
    addresses();
    status = mc_finish();
    any_time(1, 1);
    return status || check_failures;
}
