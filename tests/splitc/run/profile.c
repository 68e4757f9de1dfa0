/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Moves known amounts on known lines; profile.py reads the report of MPT_SPLITC_PROFILE.
 */
#include "sccheck.h"

static double value[10];

static int splitc_main(void)
{
    struct sc_global there = sc_global_of((MYPROC + 1) % PROCS, value);
    double got[10];

    for (int i = 0; i < 10; i++)
        SC_WRITE(double, sc_plus(there, i * (long)sizeof(double)), i); /* line A */
    barrier();
    bulk_get(got, there, sizeof got); /* line B */
    sync();
    CHECK(got[9] == 9);
    SC_STORE(int, there, 1); /* line C */
    all_store_sync();
    return check_status();
}
SC_MAIN_INT(splitc_main())
