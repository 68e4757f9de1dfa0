/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernels' copies, one for each language and set of options; the build writes the list.
 */
#include "lfk.h"
#include "names.h"

#define LFK_ROW(v, name, language, beside) LFK_DECLARE(v)
#include "lfk_variants.inc"
#undef LFK_ROW

#define LFK_ROW(v, name, language, beside) {name, language, beside, LFK_LIST(v)},
const struct lfk_variant lfk_variants[] = {
#include "lfk_variants.inc"
};
const int lfk_variant_count = sizeof lfk_variants / sizeof *lfk_variants;

#ifdef LFK_FORTRAN
size_t lfk_types_bytes(void);

bool lfk_variants_agree(void)
{
    return lfk_types_bytes() == sizeof(struct lfk);
}
#else
bool lfk_variants_agree(void)
{
    return true;
}
#endif
