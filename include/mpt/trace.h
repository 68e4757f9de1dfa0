/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Regions of a program in its trace (mptrun --trace, docs/trace.md): phases that its profile and timeline show by name.
 * For C and C++ programs of every interface; link with -lmpt. Fortran: interfaces in docs/trace.md. Where nothing is
 * recorded they cost a call.
 */
#ifndef MPT_TRACE_H
#define MPT_TRACE_H

#ifdef __cplusplus
extern "C" {
#endif

/* From here to the next mpt_region_end of this thread that has no region within. name: copied; the same text is the
 * same region. Up to 64 lie within each other, what goes deeper is not recorded. Before the job has started, nothing
 * is. */
void mpt_region_begin(const char *name);
/* Without a region that is open: does nothing. */
void mpt_region_end(void);

#ifdef __cplusplus
}

/* A region that ends with its block: mpt_region r("assemble"); */
struct mpt_region {
    explicit mpt_region(const char *name)
    {
        mpt_region_begin(name);
    }
    ~mpt_region()
    {
        mpt_region_end();
    }
    mpt_region(const mpt_region &) = delete;
    mpt_region &operator=(const mpt_region &) = delete;
};
#endif
#endif
