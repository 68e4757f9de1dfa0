/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is declared before the first line: the compiler's builtins (result types of those whose type
 * matters; the rest are of unknown type, which is accepted anywhere) and Split-C's typed operations. */
#include "parse.h"

#include <string.h>

static const struct {
    const char *name;
    uint8_t operation;
} operations[] = {
    {"tolocal", SC_TOLOCAL}, {"toglobal", SC_TOGLOBAL}, {"tospread", SC_TOSPREAD},
    {"toproc", SC_TOPROC},   {"is_local", SC_IS_LOCAL}, {"atomic", SC_ATOMIC},
};

int scc_operation_of(const struct scc_name *name)
{
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++)
        if (strcmp(operations[i].name, name->text) == 0)
            return operations[i].operation;
    return SC_NONE;
}

enum { POINTER = 64 }; /* a pointer to the kind */

/* By the name after __builtin_; a trailing * stands for any ending. */
static const struct {
    const char *name;
    uint8_t result;
} builtins[] = {
    {"expect*", TY_LONG},
    {"constant_p", TY_INT},
    {"object_size", TY_ULONG},
    {"dynamic_object_size", TY_ULONG},
    {"unreachable", TY_VOID},
    {"trap", TY_VOID},
    {"abort", TY_VOID},
    {"exit", TY_VOID},
    {"prefetch", TY_VOID},
    {"va_start", TY_VOID},
    {"va_end", TY_VOID},
    {"va_copy", TY_VOID},
    {"va_arg_pack_len", TY_INT},
    {"va_arg_pack", TY_INT},
    {"strlen", TY_ULONG},
    {"strspn", TY_ULONG},
    {"strcspn", TY_ULONG},
    {"memcmp", TY_INT},
    {"strcmp", TY_INT},
    {"strncmp", TY_INT},
    {"strcasecmp", TY_INT},
    {"mem*", POINTER | TY_VOID},
    {"__mem*", POINTER | TY_VOID},
    {"mempcpy", POINTER | TY_VOID},
    {"alloca*", POINTER | TY_VOID},
    {"malloc", POINTER | TY_VOID},
    {"calloc", POINTER | TY_VOID},
    {"realloc", POINTER | TY_VOID},
    {"str*", POINTER | TY_CHAR},
    {"stp*", POINTER | TY_CHAR},
    {"__str*", POINTER | TY_CHAR},
    {"__stp*", POINTER | TY_CHAR},
    {"return_address", POINTER | TY_VOID},
    {"frame_address", POINTER | TY_VOID},
    {"extract_return_addr", POINTER | TY_VOID},
    {"assume_aligned", POINTER | TY_VOID},
    {"apply*", POINTER | TY_VOID},
    {"thread_pointer", POINTER | TY_VOID},
    {"bswap16", TY_USHORT},
    {"bswap32", TY_UINT},
    {"bswap64", TY_ULONG},
    {"bswap128", TY_UINT128},
    {"clz*", TY_INT},
    {"ctz*", TY_INT},
    {"clrsb*", TY_INT},
    {"ffs*", TY_INT},
    {"popcount*", TY_INT},
    {"parity*", TY_INT},
    {"isnan*", TY_INT},
    {"isinf*", TY_INT},
    {"isfinite*", TY_INT},
    {"isnormal*", TY_INT},
    {"isgreater*", TY_INT},
    {"isless*", TY_INT},
    {"isunordered", TY_INT},
    {"signbit*", TY_INT},
    {"fpclassify", TY_INT},
    {"classify_type", TY_INT},
    {"add_overflow*", TY_BOOL},
    {"sub_overflow*", TY_BOOL},
    {"mul_overflow*", TY_BOOL},
    {"printf", TY_INT},
    {"cpu_supports", TY_INT},
    {"cpu_is", TY_INT},
    {"cpu_init", TY_INT},
    {"abs", TY_INT},
    {"labs", TY_LONG},
    {"llabs", TY_LLONG},
    {"huge_val", TY_DOUBLE},
    {"huge_valf", TY_FLOAT},
    {"huge_vall", TY_LDOUBLE},
    {"huge_valf128", TY_FLOAT128},
    {"inf", TY_DOUBLE},
    {"inff", TY_FLOAT},
    {"infl", TY_LDOUBLE},
    {"nan", TY_DOUBLE},
    {"nanf", TY_FLOAT},
    {"nanl", TY_LDOUBLE},
    {"nans", TY_DOUBLE},
    {"nansf", TY_FLOAT},
    {"fabs", TY_DOUBLE},
    {"fabsf", TY_FLOAT},
    {"fabsl", TY_LDOUBLE},
    {"sqrt", TY_DOUBLE},
    {"sqrtf", TY_FLOAT},
    {"sqrtl", TY_LDOUBLE},
    {"copysign", TY_DOUBLE},
    {"copysignf", TY_FLOAT},
    {"copysignl", TY_LDOUBLE},
    {"fma", TY_DOUBLE},
    {"fmaf", TY_FLOAT},
    {"fmin", TY_DOUBLE},
    {"fmax", TY_DOUBLE},
    {"floor", TY_DOUBLE},
    {"ceil", TY_DOUBLE},
    {"trunc", TY_DOUBLE},
    {"round", TY_DOUBLE},
    {"rint", TY_DOUBLE},
    {"sin", TY_DOUBLE},
    {"cos", TY_DOUBLE},
    {"exp", TY_DOUBLE},
    {"log", TY_DOUBLE},
    {"pow", TY_DOUBLE},
    {"powi", TY_DOUBLE},
};

static bool matches(const char *pattern, const char *name)
{
    size_t len = strlen(pattern);
    if (pattern[len - 1] == '*')
        return strncmp(pattern, name, len - 1) == 0;
    return strcmp(pattern, name) == 0;
}

static struct scc_type *result_of(struct scc_parser *p, const char *name)
{
    for (size_t i = 0; i < sizeof builtins / sizeof builtins[0]; i++) {
        if (!matches(builtins[i].name, name))
            continue;
        struct scc_type *t = p->basic[builtins[i].result & ~POINTER];
        return builtins[i].result & POINTER ? scc_pointer_to(p->unit, t, PK_LOCAL) : t;
    }
    return p->basic[TY_ERROR];
}

static bool starts(const struct scc_name *name, const char *prefix)
{
    return strncmp(name->text, prefix, strlen(prefix)) == 0;
}

struct scc_symbol *scc_builtin(struct scc_parser *p, struct scc_name *name, uint32_t token)
{
    bool builtin = starts(name, "__builtin_");
    if (!builtin && !starts(name, "__sync_") && !starts(name, "__atomic_"))
        return NULL;
    struct scc_type *result = builtin ? result_of(p, name->text + strlen("__builtin_")) : p->basic[TY_ERROR];
    struct scc_type *type = scc_function_returning(p->unit, result);
    type->old_style = true;
    struct scc_symbol *s = scc_alloc(p->unit, sizeof *s);
    *s = (struct scc_symbol){.name = name, .kind = SY_BUILTIN, .type = type, .token = token};
    name->symbol = s; /* for the whole file: no scope owns it */
    return s;
}

static void typedef_name(struct scc_parser *p, const char *text, struct scc_type *type)
{
    struct scc_name *name = scc_intern(p->unit, text, strlen(text));
    struct scc_symbol *s = scc_alloc(p->unit, sizeof *s);
    *s = (struct scc_symbol){.name = name, .kind = SY_TYPEDEF, .storage = ST_TYPEDEF, .type = type, .system = true};
    name->symbol = s;
}

/* va_list: an array of one structure on x86-64, a structure on arm64; programs see only its size. */
void scc_builtins(struct scc_parser *p)
{
    struct scc_type *record = scc_new_type(p->unit, TY_STRUCT);
    record->record = scc_alloc(p->unit, sizeof *record->record);
    *record->record = (struct scc_record){.complete = true, .size = p->arm ? 32 : 24, .align = 8, .type = record};
    record->record->tag = scc_intern(p->unit, "__va_list_tag", 13);
    p->va_list = p->arm ? record : scc_array_of(p->unit, record, 1);
    typedef_name(p, "__builtin_va_list", p->va_list);
    typedef_name(p, "__int128_t", p->basic[TY_INT128]);
    typedef_name(p, "__uint128_t", p->basic[TY_UINT128]);
}
