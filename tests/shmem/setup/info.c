/* SPDX-License-Identifier: BSD-3-Clause */
/* Version, name and the constants of the library: what the calls say is what the header says, values that must differ
 * do, and the old names are the new ones. */
#include "check.h"

static const long distinct_cmp[] = {SHMEM_CMP_EQ, SHMEM_CMP_NE, SHMEM_CMP_GT, SHMEM_CMP_GE, SHMEM_CMP_LT, SHMEM_CMP_LE};
static const long distinct_option[] = {SHMEM_CTX_SERIALIZED, SHMEM_CTX_PRIVATE, SHMEM_CTX_NOSTORE};

/* Array sizes: they must be constants when the program is compiled. */
static long barrier_work[SHMEM_BARRIER_SYNC_SIZE], sync_work[SHMEM_SYNC_SIZE], bcast_work[SHMEM_BCAST_SYNC_SIZE],
    collect_work[SHMEM_COLLECT_SYNC_SIZE], reduce_work[SHMEM_REDUCE_SYNC_SIZE], alltoall_work[SHMEM_ALLTOALL_SYNC_SIZE],
    alltoalls_work[SHMEM_ALLTOALLS_SYNC_SIZE], data_work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
_Static_assert(SHMEM_MAJOR_VERSION == 1 && SHMEM_MINOR_VERSION == 6, "this is OpenSHMEM 1.6");
_Static_assert(_SHMEM_MAJOR_VERSION == SHMEM_MAJOR_VERSION && _SHMEM_MINOR_VERSION == SHMEM_MINOR_VERSION, "twins");
_Static_assert(_SHMEM_MAX_NAME_LEN == SHMEM_MAX_NAME_LEN && _SHMEM_SYNC_VALUE == SHMEM_SYNC_VALUE, "twins");
_Static_assert(_SHMEM_BARRIER_SYNC_SIZE == SHMEM_BARRIER_SYNC_SIZE, "twins");
_Static_assert(_SHMEM_BCAST_SYNC_SIZE == SHMEM_BCAST_SYNC_SIZE, "twins");
_Static_assert(_SHMEM_COLLECT_SYNC_SIZE == SHMEM_COLLECT_SYNC_SIZE, "twins");
_Static_assert(_SHMEM_REDUCE_SYNC_SIZE == SHMEM_REDUCE_SYNC_SIZE, "twins");
_Static_assert(_SHMEM_REDUCE_MIN_WRKDATA_SIZE == SHMEM_REDUCE_MIN_WRKDATA_SIZE, "twins");
_Static_assert(_SHMEM_CMP_EQ == SHMEM_CMP_EQ && _SHMEM_CMP_NE == SHMEM_CMP_NE, "twins");
_Static_assert(_SHMEM_CMP_GT == SHMEM_CMP_GT && _SHMEM_CMP_GE == SHMEM_CMP_GE, "twins");
_Static_assert(_SHMEM_CMP_LT == SHMEM_CMP_LT && _SHMEM_CMP_LE == SHMEM_CMP_LE, "twins");
_Static_assert(SHMEM_THREAD_SINGLE < SHMEM_THREAD_FUNNELED && SHMEM_THREAD_FUNNELED < SHMEM_THREAD_SERIALIZED &&
                   SHMEM_THREAD_SERIALIZED < SHMEM_THREAD_MULTIPLE,
               "thread levels are in order");
_Static_assert(SHMEM_SIGNAL_SET != SHMEM_SIGNAL_ADD, "signal operations differ");

static void check_distinct(const long *values, size_t n, const char *what)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++)
            CHECK(values[i] != values[k], "%s %zu and %zu are both %ld", what, k, i, values[i]);
}

int main(void)
{
    int major = -1, minor = -1;
    char name[SHMEM_MAX_NAME_LEN];
    check_start();

    shmem_info_get_version(&major, &minor);
    CHECK(major == SHMEM_MAJOR_VERSION && minor == SHMEM_MINOR_VERSION, "version is %d.%d, the header says %d.%d",
          major, minor, SHMEM_MAJOR_VERSION, SHMEM_MINOR_VERSION);
    memset(name, 'x', sizeof name);
    shmem_info_get_name(name);
    REQUIRE(memchr(name, 0, sizeof name) != NULL, "the name does not end within SHMEM_MAX_NAME_LEN, %d",
            SHMEM_MAX_NAME_LEN);
    CHECK(strcmp(name, SHMEM_VENDOR_STRING) == 0, "name is \"%s\", the header says \"%s\"", name, SHMEM_VENDOR_STRING);
    CHECK(strcmp(_SHMEM_VENDOR_STRING, SHMEM_VENDOR_STRING) == 0, "the old name is \"%s\"", _SHMEM_VENDOR_STRING);
    check_distinct(distinct_cmp, CHECK_COUNT(distinct_cmp), "SHMEM_CMP");
    check_distinct(distinct_option, CHECK_COUNT(distinct_option), "SHMEM_CTX option");
    CHECK((SHMEM_CTX_SERIALIZED & SHMEM_CTX_PRIVATE) == 0 && (SHMEM_CTX_SERIALIZED & SHMEM_CTX_NOSTORE) == 0 &&
              (SHMEM_CTX_PRIVATE & SHMEM_CTX_NOSTORE) == 0,
          "context options %ld, %ld, %ld share bits", distinct_option[0], distinct_option[1], distinct_option[2]);
    CHECK((SHMEM_MALLOC_ATOMICS_REMOTE & SHMEM_MALLOC_SIGNAL_REMOTE) == 0, "hints %ld and %ld share bits",
          (long)SHMEM_MALLOC_ATOMICS_REMOTE, (long)SHMEM_MALLOC_SIGNAL_REMOTE);
    /* work arrays are symmetric globals like any other */
    long *const work[] = {barrier_work, sync_work,     bcast_work,     collect_work,
                          reduce_work,  alltoall_work, alltoalls_work, data_work};
    for (size_t i = 0; i < CHECK_COUNT(work); i++)
        CHECK(shmem_addr_accessible(work[i], check_next()), "work array %zu is not accessible on PE %d", i,
              check_next());
    return check_finish();
}
