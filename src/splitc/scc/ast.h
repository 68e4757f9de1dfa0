/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the translator's front end hands to its back end: tokens, types, symbols, the syntax tree and
 * diagnostics. Every node knows its first and last token, so a node without Split-C is printed as it
 * was written; only nodes marked `splitc` have to be looked at. All memory lives in the unit's arena. */
#ifndef SCC_AST_H
#define SCC_AST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct scc_unit;
struct scc_node;
struct scc_type;
struct scc_symbol;

/* ---- Tokens ---------------------------------------------------------------------------------- */

enum scc_token_kind {
    TK_EOF,
    TK_IDENT,
    TK_KEYWORD,
    TK_NUMBER,
    TK_CHAR,
    TK_STRING,
    TK_PUNCT,
    TK_PRAGMA /* a whole line */,
    TK_OTHER
};

/* An interned identifier. `symbol` and `tag` are what it names in the innermost scope while parsing. */
struct scc_name {
    struct scc_name *chain;
    const char *text;
    uint32_t len;
    uint32_t hash;
    uint16_t keyword; /* 0 or a KW_ value (lex.h) */
    struct scc_symbol *symbol;
    struct scc_symbol *tag;
};

/* Tokens are an array; nodes hold indices. White space before a token (with its line marks) is the text
 * between the end of the token before it and its `src`. `text` differs from `src` only where a string
 * held raw newlines: print `text`, skip `src_len`. */
struct scc_token {
    const char *text;
    const char *src;
    struct scc_name *name; /* identifiers and keywords */
    uint32_t len;
    uint32_t src_len;
    uint32_t file; /* index into unit->files */
    uint32_t line;
    uint16_t column; /* 1..; in the preprocessed text */
    uint16_t punct;  /* TK_PUNCT: a P_ value (lex.h) */
    uint8_t kind;
    bool space;  /* white space before it */
    bool system; /* comes from a system header: `global` and `spread` are ordinary names there */
};

/* ---- Types ----------------------------------------------------------------------------------- */

enum scc_type_kind {
    TY_ERROR, /* unknown: something was wrong, said already; accept it anywhere */
    TY_VOID,
    TY_BOOL,
    TY_CHAR,
    TY_SCHAR,
    TY_UCHAR,
    TY_SHORT,
    TY_USHORT,
    TY_INT,
    TY_UINT,
    TY_LONG,
    TY_ULONG,
    TY_LLONG,
    TY_ULLONG,
    TY_INT128,
    TY_UINT128,
    TY_FLOAT16,
    TY_BFLOAT16,
    TY_FLOAT,
    TY_DOUBLE,
    TY_LDOUBLE,
    TY_FLOAT128, /* _FloatN of the same format: distinct below */
    TY_FLOAT32,
    TY_FLOAT64,
    TY_FLOAT32X,
    TY_FLOAT64X,
    TY_DECIMAL32,
    TY_DECIMAL64,
    TY_DECIMAL128,
    TY_ENUM,
    TY_COMPLEX /* of base */,
    TY_POINTER,
    TY_ARRAY,
    TY_FUNCTION,
    TY_STRUCT,
    TY_UNION,
    TY_VECTOR
};

enum scc_pointer_kind { PK_LOCAL, PK_GLOBAL, PK_SPREAD };

enum { Q_CONST = 1, Q_VOLATILE = 2, Q_RESTRICT = 4, Q_ATOMIC = 8 };

struct scc_member {
    struct scc_member *next;
    struct scc_name *name; /* NULL: anonymous struct or union, or unnamed bit-field */
    struct scc_type *type;
    uint64_t offset;
    int bits;         /* -1: no bit-field */
    int bit_offset;
    uint32_t align;   /* from an attribute, or 0 */
    struct scc_node *node;
};

struct scc_param {
    struct scc_param *next;
    struct scc_type
        *type; /* adjusted: arrays and functions are pointers, a spread array a spread pointer to its block */
    struct scc_symbol *symbol; /* NULL: unnamed */
};

/* A struct, union or enum; shared by every qualified version of the type. */
struct scc_record {
    struct scc_name *tag; /* NULL: anonymous */
    struct scc_member *members;
    struct scc_type *underlying; /* enum */
    bool complete, packed, transparent, flexible;
    bool splitc; /* a member (at any depth by value) is a global or spread pointer */
    uint64_t size;
    uint32_t align;
    struct scc_node *node; /* N_RECORD or N_ENUM that defined it */
    struct scc_type *type; /* unqualified */
};

struct scc_type {
    uint8_t kind;    /* scc_type_kind */
    uint8_t quals;   /* Q_ */
    uint8_t pointer; /* TY_POINTER: scc_pointer_kind */
    bool spread;     /* TY_ARRAY: a dimension left of `::`. The block is the first base that is not spread */
    bool vla;        /* TY_ARRAY: `count` is not known here; `dim` holds the expression (NULL for [*] and []) */
    bool incomplete; /* TY_ARRAY: [] */
    bool variadic, old_style; /* TY_FUNCTION: `...`; no prototype */
    bool unsigned_enum;
    bool variable; /* contains a VLA at any depth: sizes must be computed at run time */
    uint32_t align;
    uint64_t size;  /* 0 if unknown (VLA, incomplete) */
    uint64_t count; /* TY_ARRAY elements, TY_VECTOR lanes */
    struct scc_type *base; /* pointee, element, result, complex's part */
    struct scc_node *dim;
    struct scc_param *params;
    struct scc_record *record;
    struct scc_symbol *name; /* the typedef it was written with, or NULL */
    struct scc_type *plain;  /* unqualified version, or itself */
};

/* ---- Symbols --------------------------------------------------------------------------------- */

enum scc_symbol_kind { SY_VARIABLE, SY_FUNCTION, SY_PARAM, SY_TYPEDEF, SY_ENUMERATOR, SY_TAG, SY_BUILTIN };
enum scc_storage { ST_NONE, ST_EXTERN, ST_STATIC, ST_AUTO, ST_REGISTER, ST_TYPEDEF };

struct scc_symbol {
    struct scc_symbol *outer; /* what the name meant outside */
    struct scc_symbol *scope_next;
    struct scc_name *name;
    struct scc_type *type; /* a SY_PARAM that is a spread array keeps its array type here (dimensions are needed) */
    struct scc_node *node; /* N_DECLARATOR or N_PARAM that declared it (the newest) */
    int64_t value;         /* SY_ENUMERATOR */
    uint32_t token;
    uint16_t depth; /* 0: file scope */
    uint8_t kind, storage;
    bool thread, defined, implicit, inlined;
    bool internal; /* a declaration said static */
    bool system; /* declared in a system header */
    bool hidden; /* a typedef whose name means something else in an inner scope */
    void *gen;   /* for the back end */
};

/* ---- Nodes ----------------------------------------------------------------------------------- */

/* Children are a list in the order of their tokens (child, next); scc_kid(n, i) is the i-th. A part that
 * is left out but has a fixed place is N_NONE, with last < first. "..." below: any number. */
enum scc_node_kind {
    N_NONE,
    /* Declarations */
    N_UNIT,       /* N_DECL, N_FUNCTION, N_ASM, N_EMPTY, N_STATIC_ASSERT ... */
    N_DECL,       /* N_SPECS N_DECLARATOR...; with the `;` */
    N_FUNCTION,   /* a definition: N_SPECS N_DECLARATOR N_DECL... (K&R parameters) N_COMPOUND; symbol set */
    N_SPECS,      /* specifiers: N_RECORD, N_ENUM, N_TYPEOF, N_ATTRIBUTE, N_ALIGNAS ...; type, storage set */
    N_RECORD,     /* struct or union with its body: N_ATTRIBUTE, N_DECL (members; no symbol), N_STATIC_ASSERT... */
    N_ENUM,       /* with its body: constant expressions */
    N_TYPEOF,     /* one expression or N_TYPENAME */
    N_ALIGNAS,    /* one expression or N_TYPENAME */
    N_ATTRIBUTE,  /* opaque tokens */
    N_DECLARATOR, /* declares `symbol` (or member `member`) with `type`; N_PARAM, N_DIM, N_ATTRIBUTE, N_BITS, N_INIT ...
                   */
    N_PARAM, /* N_SPECS N_DECLARATOR; symbol (NULL if unnamed), type unadjusted */
    N_DIM, /* the expression in [ ] of a declarator; spread: op 1 */
    N_BITS, /* the expression after `:` of a bit-field */
    N_INIT, /* `= initialiser`: one expression or N_INIT_LIST (tokens without the `=`) */
    N_INIT_LIST, /* { }: N_INIT_ITEM... ; type: what it initialises if known */
    N_INIT_ITEM, /* designator expressions (X_ nodes, op 1 on the node) ... value (last child) */
    N_TYPENAME, /* a type in a cast, sizeof ...: N_SPECS N_DECLARATOR (abstract); type */
    N_STATIC_ASSERT,
    N_ASM, /* file-scope or statement asm: operand expressions ... */
    N_EMPTY, /* `;`, a pragma */
    /* Statements */
    S_COMPOUND, /* declarations and statements ... */
    S_EXPR, /* one expression, `;` */
    S_IF, /* condition then [else] (N_NONE) */
    S_WHILE, /* condition body */
    S_DO, /* body condition */
    S_FOR, /* init (N_DECL, expression or N_NONE) condition step body */
    S_SWITCH, /* value body */
    S_CASE, /* value [value of a range] statement */
    S_DEFAULT, /* statement */
    S_LABEL, /* statement; name */
    S_GOTO, /* name, or one expression (computed) */
    S_RETURN, /* [value] (N_NONE); `type` is the function's result */
    S_BREAK,
    S_CONTINUE,
    S_LOCAL_LABELS,
    /* Expressions: from X_FIRST on `type` is never NULL */
    X_FIRST,
    X_IDENT = X_FIRST, /* symbol (NULL only with type TY_ERROR) */
    X_NUMBER,
    X_CHAR,
    X_STRING, /* one or more string tokens */
    X_PAREN, /* one */
    X_CALL, /* function, arguments ... */
    X_SC_CALL, /* arguments ...; op: SC_; a typed operation of the language */
    X_SUBSCRIPT, /* base index (in the order written) */
    X_MEMBER, /* object; member */
    X_ARROW, /* pointer; member */
    X_POST, /* operand; op P_INC, P_DEC */
    X_UNARY, /* operand; op: P_ (+ - ! ~ * & ++ --), KW_REAL, KW_IMAG */
    X_BINARY, /* left right; op */
    X_ASSIGN, /* left right; op: P_ASSIGN, P_ADD_ASSIGN ..., P_GETPUT (:=), P_STORE (:-) */
    X_COND, /* condition [middle] (N_NONE for ?:) right */
    X_COMMA, /* left right */
    X_CAST, /* N_TYPENAME operand */
    X_COMPOUND, /* N_TYPENAME N_INIT_LIST */
    X_SIZEOF, /* expression or N_TYPENAME; op KW_SIZEOF or KW_ALIGNOF */
    X_STATEMENT, /* ({ }): S_COMPOUND */
    X_LABEL, /* &&label */
    X_GENERIC, /* control, then the chosen value (others are opaque tokens): see parse_generic */
    X_EXTENSION, /* __extension__ operand */
    X_BUILTIN, /* __builtin_offsetof, va_arg, types_compatible_p, choose_expr: N_TYPENAME and expressions ... */
    N_KINDS
};

/* Operations whose result type depends on their arguments; names are ordinary identifiers unless the
 * program declares them itself. */
enum scc_operation {
    SC_NONE,
    SC_TOLOCAL, /* tolocal(g): T * of a global or spread pointer, or of a block of a spread array */
    SC_TOGLOBAL, /* toglobal(proc, p): T *global;  also toglobal(spread) */
    SC_TOSPREAD, /* tospread(proc, p): T *spread */
    SC_TOPROC, /* toproc(g): int */
    SC_IS_LOCAL, /* is_local(g): int */
    SC_ATOMIC, /* atomic(f, g, ...): the result of f */
};

/* Where an lvalue lies; decides what `&` of it and the decay of an array give. */
enum scc_place {
    PL_LOCAL, /* this processor */
    PL_GLOBAL, /* through a global pointer, or a part of a spread array's block */
    PL_SPREAD /* `*s`, `s[i]`, `A[i]`: `&` gives a spread pointer again; a block array decays to a global pointer */
};

struct scc_node {
    uint16_t kind; /* scc_node_kind */
    uint16_t op;
    uint8_t place; /* scc_place of an lvalue */
    uint8_t storage; /* N_SPECS */
    bool splitc; /* this node or one below it needs rewriting */
    bool lvalue;
    bool constant; /* an integer constant: `value`, as the node's type has it */
    bool null; /* a null pointer constant: 0 or (void *)0 */
    bool thread, inlined; /* N_SPECS */
    uint32_t first, last; /* tokens, both inclusive; last < first: empty, stands before `first` */
    struct scc_node *child, *next;
    struct scc_node *tail; /* last child */
    struct scc_type *type; /* X_: before decay (an array stays an array): see scc_value_type() */
    union {
        int64_t value;
        struct scc_name *name;
    };
    struct scc_symbol *symbol;
    struct scc_member *member;
    const char *kept; /* for the back end, a dimension: the variable that holds its value at the declaration */
};

/* ---- Unit and diagnostics -------------------------------------------------------------------- */

struct scc_file {
    const char *name;
    char *text; /* read when a diagnostic shows a line of it */
    size_t len;
    bool tried;
};

enum { SCC_MAX_ERRORS = 20 };

struct scc_unit {
    const char *text; /* preprocessed text */
    size_t len;
    struct scc_token *tokens; /* tokens[token_count - 1] is TK_EOF */
    uint32_t token_count;
    struct scc_file *files;
    uint32_t file_count;
    struct scc_node *root; /* N_UNIT, or NULL after an error that ended the parse */
    int errors, warnings;
    bool stop; /* more than SCC_MAX_ERRORS */
    FILE *diagnostics; /* stderr unless set */
    struct scc_arena *arena;
    struct scc_parser *parser;
};

/* What scc was compiled for translates for itself. */
#if defined(__aarch64__)
#define SCC_TARGET "aarch64"
#else
#define SCC_TARGET "x86_64"
#endif

/* Parse preprocessed text (kept by reference: leave it in place; text[len] must be 0).
 * target: "x86_64" or "aarch64". Always returns a unit; look at ->errors. */
struct scc_unit *scc_parse(const char *text, size_t len, const char *name, const char *target, FILE *diagnostics);
void scc_free(struct scc_unit *unit);

void *scc_alloc(struct scc_unit *unit, size_t bytes); /* zeroed, of the arena */
char *scc_printf(struct scc_unit *unit, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* file:line:column: error: message, the source line and a caret under the token. */
void scc_error(struct scc_unit *unit, uint32_t token, const char *format, ...) __attribute__((format(printf, 3, 4)));
void scc_warning(struct scc_unit *unit, uint32_t token, const char *format, ...) __attribute__((format(printf, 3, 4)));
void scc_note(struct scc_unit *unit, uint32_t token, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Write tokens first..last as they were written, each with the white space before it, if white_first also the first's.
 */
void scc_print_tokens(FILE *out, const struct scc_unit *unit, uint32_t first, uint32_t last, bool white_first);
void scc_print_white(FILE *out, const struct scc_unit *unit, uint32_t token); /* white space before it only */

static inline struct scc_node *scc_kid(const struct scc_node *node, int i)
{
    struct scc_node *kid = node->child;
    while (kid != NULL && i-- > 0)
        kid = kid->next;
    return kid;
}

static inline bool scc_is_empty(const struct scc_node *node)
{
    return node->last < node->first;
}

/* ---- Questions about types (type.c) ---------------------------------------------------------- */

uint64_t scc_size_of(
    const struct scc_type *type); /* 0: unknown here. Prefer it to ->size (records and enums are completed late) */
uint32_t scc_align_of(const struct scc_type *type);
/* The type of the node as a value: arrays and functions decay (a spread array to T-block *spread, an array
 * reached through a global or spread pointer to T *global), qualifiers drop. */
struct scc_type *scc_value_type(struct scc_unit *unit, const struct scc_node *node);
bool scc_is_integer(const struct scc_type *type); /* with enum and bool */
bool scc_is_arithmetic(const struct scc_type *type);
bool scc_is_unsigned(const struct scc_type *type);
bool scc_is_pointer(const struct scc_type *type, int kind); /* kind < 0: any */
bool scc_is_record(const struct scc_type *type);
bool scc_is_spread_array(const struct scc_type *type);
struct scc_type *scc_block_type(struct scc_type *spread_array); /* right of `::` */
bool scc_involves_splitc(const struct scc_type *type); /* its representation in C differs from what is written */
bool scc_same_type(const struct scc_type *a, const struct scc_type *b); /* compatible, qualifiers of the top ignored */
struct scc_type *scc_pointer_to(struct scc_unit *unit, struct scc_type *base, int pointer_kind);
struct scc_type *scc_qualified(struct scc_unit *unit, struct scc_type *type, int quals);
struct scc_type *scc_basic_type(int kind); /* one static object per arithmetic kind, void and TY_ERROR */
const char *scc_type_name(struct scc_unit *unit, const struct scc_type *type); /* for messages: "double *spread" */
struct scc_member *scc_find_member(const struct scc_type *record, const struct scc_name *name, uint64_t *offset);
struct scc_symbol *scc_lookup(struct scc_unit *unit, const char *name); /* at file scope, after the parse */

#endif
