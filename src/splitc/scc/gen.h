/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The back end of scc. Output follows the tokens: what holds no Split-C is printed as it was written, a
 * Split-C node is rewritten around its children. A global pointer becomes struct sc_global, a spread
 * pointer struct sc_spread, a spread array a pointer to its local part; split-c/rep.h has their operations.
 *
 *   gen.c         the walk over declarations and statements, line marks, verbatim text
 *   gen_type.c    a type of the front end written as C
 *   gen_decl.c    declarations, definitions, spread arrays
 *   gen_init.c    initialisers
 *   gen_expr.c    the value of an expression
 *   gen_addr.c    where a global or spread lvalue lies
 *   gen_bits.c    bit-fields there
 *   gen_assign.c  = op= ++ -- := :-
 *   gen_op.c      arithmetic and comparison of global and spread pointers
 *   gen_call.c    calls, and the typed operations of the language (tolocal, atomic ...)
 *   check.c       what may be converted to what, in Split-C's terms
 */
#ifndef SCC_GEN_H
#define SCC_GEN_H

#include "ast.h"
#include "lex.h"

struct scc_gen {
    struct scc_unit *unit;
    FILE *out;
    bool check;
    bool resync;      /* lines were lost or added: the next statement begins with a line mark */
    uint32_t placed;  /* this token's white space is a line mark and written */
    unsigned flat;    /* inside a macro's argument, where no line mark may stand */
    unsigned serial;  /* makes names of temporaries unique */
    unsigned depth;   /* of compound statements */
    bool access;      /* the address being written is of what is read or written there */
    const struct scc_type *result; /* of the function being written */
};

/* What the back end remembers about a symbol (symbol->gen). */
struct scc_gen_symbol {
    const char *renamed; /* a local static spread array lives at file scope under this name */
};

/* gen.c */
void gen_node(struct scc_gen *g, struct scc_node *node);
void gen_splice(struct scc_gen *g, struct scc_node *node);
void gen_verbatim(struct scc_gen *g, uint32_t first, uint32_t last);
void gen_put(struct scc_gen *g, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *gen_flat(struct scc_gen *g, uint32_t first, uint32_t last);
char *gen_captured(struct scc_gen *g, struct scc_node *node, void (*emit)(struct scc_gen *, struct scc_node *));
void gen_mark(struct scc_gen *g, uint32_t token); /* a line mark, if the lines went astray */

/* gen_type.c: `declarator` is what the type declares, "" for a type name. */
char *gen_type(struct scc_gen *g, const struct scc_type *type, const char *declarator);
char *gen_type_plain(struct scc_gen *g, const struct scc_type *type);
char *gen_size(struct scc_gen *g, const struct scc_type *type); /* sizeof, also of spread arrays */
char *gen_function_type(struct scc_gen *g, const struct scc_type *type, const char *name, bool old_style);
void gen_keep_sizes(struct scc_gen *g, struct scc_type *type);
char *gen_blocks(struct scc_gen *g, const struct scc_type *array); /* how many blocks a spread array has */
const char *gen_typedef_name(struct scc_gen *g, const struct scc_symbol *symbol);
void gen_name_records(struct scc_gen *g, struct scc_node *root);

/* gen_decl.c */
void gen_decl(struct scc_gen *g, struct scc_node *node);
bool gen_rewrites(const struct scc_type *type);
void gen_function(struct scc_gen *g, struct scc_node *node);
bool gen_special_function(struct scc_gen *g, const struct scc_node *node);
void gen_typename(struct scc_gen *g, struct scc_node *node);
void gen_specs(struct scc_gen *g, struct scc_node *node);
void gen_record(struct scc_gen *g, struct scc_node *node);

/* gen_init.c */
void gen_init(struct scc_gen *g, struct scc_node *value, struct scc_type *type);
bool gen_late(const struct scc_node *value, const struct scc_type *type); /* known only when the program runs */
void gen_late_init(struct scc_gen *g, const char *name, struct scc_node *value, struct scc_type *type);

/* gen_expr.c: the value, decayed; the value converted as if assigned; a condition (zero or not). */
void gen_value(struct scc_gen *g, struct scc_node *node);
void gen_as(struct scc_gen *g, struct scc_node *node, const struct scc_type *type);
void gen_cond(struct scc_gen *g, struct scc_node *node);
void gen_convert(struct scc_gen *g, struct scc_node *node, const struct scc_type *from, const struct scc_type *to);
int gen_kind(struct scc_gen *g, const struct scc_node *node); /* PK_ of its value, -1 if that is no pointer */
bool gen_remote(const struct scc_node *node); /* an lvalue reached through a global or spread pointer */
void gen_spread_array(struct scc_gen *g, struct scc_node *node); /* as a spread pointer */

/* gen_addr.c: a struct sc_global, a struct sc_spread. */
void gen_global_address(struct scc_gen *g, struct scc_node *node);
void gen_spread_address(struct scc_gen *g, struct scc_node *node);
void gen_checked_address(struct scc_gen *g, struct scc_node *node);
struct scc_node *gen_strip(struct scc_node *node);

/* gen_bits.c: `field` is the access itself, without parentheses. */
bool gen_bit_field(const struct scc_node *node);
void gen_read_bits(struct scc_gen *g, struct scc_node *field);
void gen_update_bits(struct scc_gen *g, struct scc_node *field, struct scc_node *right, const char *op, bool old);

/* gen_assign.c, gen_op.c, gen_call.c */
void gen_assign(struct scc_gen *g, struct scc_node *node);
void gen_operand(struct scc_gen *g, struct scc_node *right);
void gen_step(struct scc_gen *g, struct scc_node *node, int op, bool post);
void gen_binary(struct scc_gen *g, struct scc_node *node);
void gen_pointer_sum(struct scc_gen *g, struct scc_node *pointer, struct scc_node *index, bool minus);
bool gen_is_collective(const struct scc_node *call);
void gen_call(struct scc_gen *g, struct scc_node *node);
void gen_operation(struct scc_gen *g, struct scc_node *node);

/* check.c: false after saying what is wrong. `doing` is "assigning", "passing" ... */
bool check_convert(struct scc_gen *g, const struct scc_node *node, const struct scc_type *to, const char *doing);

#endif
