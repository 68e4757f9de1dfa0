/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The library's parameters, read once from the environment. Rows: param.def.
 */
#ifndef CORE_PARAM_H
#define CORE_PARAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define CORE_PARAM_TYPE_SIZE uint64_t
#define CORE_PARAM_TYPE_UINT unsigned
#define CORE_PARAM_TYPE_BOOL bool
#define CORE_PARAM_TYPE_FLAG bool
#define CORE_PARAM_TYPE_TEXT const char *
#define CORE_PARAM_TYPE_OUTPUT const char *
#define CORE_PARAM_TYPE_CHOICE enum core_word

/* What a CHOICE can be: for example core_params.transport == CORE_TRANSPORT_TCP. */
enum core_word {
#define WORD(field, constant, word) constant,
#include "core/base/param.def"
};

struct core_params {
#define PARAM(field, kind, name, old, def, help) CORE_PARAM_TYPE_##kind field;
#include "core/base/param.def"
};

struct core_param_row {
    const char *name, *old, *kind, *def, *help;
};

extern struct core_params core_params;

/* Read all parameters. Returns 0, or -EINVAL after writing into `why` (size n)
 * which variable has which bad value and what is expected. */
int core_param_load(char *why, size_t n);

/* Row `i` of the table, or NULL past the end; *text (may be NULL) gets the
 * value in force as text, valid until the next call. */
const struct core_param_row *core_param_row(unsigned i, const char **text);

/* Word `k` of those that row `i`, a CHOICE, takes; NULL past the last. */
const char *core_param_word(unsigned i, unsigned k);

/* Would the variable of this name take that text? 0, or -EINVAL with what it takes in `expected`. */
int core_param_check(const char *name, const char *text, char *expected, size_t n);

/* Print the table with values and help (SHMEM_INFO, mptrun --params). */
void core_param_print(FILE *f);

/* OpenSHMEM's size syntax (1.6, section 8): [digits][.digits][kmgt]anything
 * after the suffix. Rounds up. Returns 0 or -EINVAL. */
int core_param_size(const char *text, uint64_t *bytes);

/* The value of a variable that is not ours (other launchers'), or NULL. */
const char *core_param_foreign(const char *name);

/* Has this process more rights than who started it (set-user-ID, file capabilities)? Then no variable is read, as what
 * it says is not to be trusted; and is this one set nevertheless? */
bool core_param_distrusts(void);
bool core_param_hides(const char *name);

#endif
