/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The type of every expression (C17 6.5, GNU C, Split-C). The C compiler behind judges plain C; here a
 * type that cannot be known becomes TY_ERROR, which silences whatever is built on it. */
#include "parse.h"

#include <string.h>

static struct scc_type *value(struct scc_parser *p, const struct scc_node *n)
{
    return scc_value_type(p->unit, n);
}

struct scc_type *scc_promote(struct scc_parser *p, struct scc_type *t)
{
    t = scc_qualified(p->unit, t, 0);
    if (t->kind == TY_ENUM)
        t = t->record->underlying ? t->record->underlying : p->basic[TY_UINT];
    return t->kind >= TY_BOOL && t->kind <= TY_USHORT ? p->basic[TY_INT] : t;
}

static int float_rank(int kind)
{
    static const uint8_t ranks[TY_DECIMAL128 + 1] = {
        [TY_BFLOAT16] = 1,   [TY_FLOAT16] = 2,    [TY_FLOAT] = 3,       [TY_FLOAT32] = 4,  [TY_DOUBLE] = 5,
        [TY_FLOAT32X] = 6,   [TY_FLOAT64] = 7,    [TY_LDOUBLE] = 8,     [TY_FLOAT64X] = 9, [TY_FLOAT128] = 10,
        [TY_DECIMAL32] = 11, [TY_DECIMAL64] = 12, [TY_DECIMAL128] = 13,
    };
    return ranks[kind];
}

static struct scc_type *common_integer(struct scc_parser *p, struct scc_type *a, struct scc_type *b)
{
    bool ua = scc_is_unsigned(a), ub = scc_is_unsigned(b);
    if (ua == ub)
        return a->kind > b->kind ? a : b;
    struct scc_type *u = ua ? a : b, *s = ua ? b : a;
    if (u->kind > s->kind) /* each unsigned kind is numbered just after its signed one */
        return u;
    return s->size > u->size ? s : p->basic[s->kind + 1];
}

struct scc_type *scc_common_type(struct scc_parser *p, struct scc_type *a, struct scc_type *b)
{
    if (a->kind == TY_VECTOR || b->kind == TY_VECTOR)
        return a->kind == TY_VECTOR ? a : b;
    if (!scc_is_arithmetic(a) || !scc_is_arithmetic(b))
        return p->basic[TY_ERROR];
    if (a->kind == TY_COMPLEX || b->kind == TY_COMPLEX) {
        struct scc_type *part =
            scc_common_type(p, a->kind == TY_COMPLEX ? a->base : a, b->kind == TY_COMPLEX ? b->base : b);
        return scc_complex_of(p->unit, part);
    }
    a = scc_promote(p, a);
    b = scc_promote(p, b);
    int ra = float_rank(a->kind), rb = float_rank(b->kind);
    if (ra != 0 || rb != 0)
        return ra >= rb ? a : b;
    return common_integer(p, a, b);
}

static void type_ident(struct scc_parser *p, struct scc_node *n)
{
    struct scc_symbol *s = n->symbol;
    n->type = s ? s->type : p->basic[TY_ERROR];
    if (s == NULL)
        return;
    if (s->kind == SY_TYPEDEF) {
        scc_error(p->unit, n->first, "'%s' is a type, not a value", s->name->text);
        n->type = p->basic[TY_ERROR];
    }
    n->lvalue = s->kind == SY_VARIABLE || s->kind == SY_PARAM;
    if (s->kind == SY_ENUMERATOR) {
        n->constant = true;
        n->value = s->value;
    }
    n->splitc = scc_is_spread_array(n->type);
}

static void type_string(struct scc_parser *p, struct scc_node *n)
{
    uint64_t count = 1;
    int kind = TY_CHAR;
    for (uint32_t i = n->first; i <= n->last; i++) {
        const struct scc_token *t = &p->unit->tokens[i];
        if (t->kind != TK_STRING)
            continue;
        count += scc_string_length(p, t);
        if (scc_prefix_kind(p, t->text) != TY_CHAR)
            kind = scc_prefix_kind(p, t->text);
    }
    if (p->unit->tokens[n->first].kind != TK_STRING && p->function != NULL)
        count += p->function->name->len; /* __func__ */
    n->type = scc_array_of(p->unit, p->basic[kind], count);
    n->lvalue = true;
}

/* What a wrapper shares with the node it wraps. */
static void like(struct scc_node *n, const struct scc_node *inner)
{
    n->type = inner->type;
    n->lvalue = inner->lvalue;
    n->place = inner->place;
    n->constant = inner->constant;
    n->null = inner->null;
    n->value = inner->constant ? inner->value : 0;
    n->splitc |= inner->splitc;
}

static void type_paren(struct scc_parser *p, struct scc_node *n)
{
    if (n->child != NULL)
        like(n, n->child);
    else
        n->type = p->basic[TY_ERROR];
}

static struct scc_type *function_type(struct scc_type *t)
{
    if (t->kind == TY_POINTER && t->pointer == PK_LOCAL)
        t = t->base;
    return t->kind == TY_FUNCTION ? t : NULL;
}

/* GNU's __builtin_tgmath(f, d, l, ..., x): the result has the widest type of the values. */
static struct scc_type *tgmath(struct scc_parser *p, struct scc_node *n)
{
    struct scc_type *t = NULL;
    for (struct scc_node *a = n->child->next; a != NULL; a = a->next) {
        struct scc_type *v = value(p, a);
        if (!scc_is_arithmetic(v))
            continue;
        if (scc_is_integer(v))
            v = p->basic[TY_DOUBLE];
        t = t ? scc_common_type(p, t, v) : v;
    }
    return t ? t : p->basic[TY_ERROR];
}

static void type_call(struct scc_parser *p, struct scc_node *n)
{
    struct scc_type *f = function_type(n->child->type);
    n->type = f ? f->base : p->basic[TY_ERROR];
    const struct scc_name *name = n->child->kind == X_IDENT ? n->child->symbol->name : NULL;
    if (name != NULL && n->child->symbol->kind == SY_BUILTIN && strcmp(name->text, "__builtin_tgmath") == 0)
        n->type = tgmath(p, n);
    if (name != NULL && strcmp(name->text, "__builtin_constant_p") == 0)
        n->constant = false;
    for (struct scc_param *a = f ? f->params : NULL; a != NULL; a = a->next)
        n->splitc |= scc_involves_splitc(a->type);
}

static struct scc_type *pointee(struct scc_parser *p, const struct scc_node *n)
{
    struct scc_type *t = value(p, n);
    return t->kind == TY_POINTER ? t->base : p->basic[TY_ERROR];
}

static void type_operation(struct scc_parser *p, struct scc_node *n)
{
    struct scc_node *a = n->child, *b = a ? a->next : NULL;
    n->splitc = true;
    n->type = p->basic[TY_ERROR];
    if (a == NULL)
        return;
    struct scc_type *f = NULL;
    switch (n->op) {
    case SC_TOLOCAL:
        n->type = scc_pointer_to(p->unit, pointee(p, a), PK_LOCAL);
        break;
    case SC_TOGLOBAL:
        n->type = scc_pointer_to(p->unit, pointee(p, b ? b : a), PK_GLOBAL);
        break;
    case SC_TOSPREAD:
        n->type = scc_pointer_to(p->unit, pointee(p, b ? b : a), PK_SPREAD);
        break;
    case SC_TOPROC:
    case SC_IS_LOCAL:
        n->type = p->basic[TY_INT];
        break;
    case SC_ATOMIC:
        f = function_type(a->type);
        n->type = f ? f->base : p->basic[TY_ERROR];
        break;
    default:
        break;
    }
}

static bool is_comparison(int op)
{
    return (op >= P_LESS && op <= P_NOT_EQUAL) || op == P_ANDAND || op == P_OROR;
}

static struct scc_type *binary_type(struct scc_parser *p, struct scc_node *n, struct scc_type *a, struct scc_type *b)
{
    if (is_comparison(n->op)) {
        struct scc_type *v = a->kind == TY_VECTOR ? a : b->kind == TY_VECTOR ? b : NULL;
        return v && n->op != P_ANDAND && n->op != P_OROR ? v : p->basic[TY_INT];
    }
    bool pa = a->kind == TY_POINTER, pb = b->kind == TY_POINTER;
    if (n->op == P_MINUS && pa && pb)
        return p->basic[TY_LONG];
    if ((n->op == P_PLUS || n->op == P_MINUS) && pa)
        return a;
    if (n->op == P_PLUS && pb)
        return b;
    if (n->op == P_LSHIFT || n->op == P_RSHIFT)
        return a->kind == TY_VECTOR ? a : b->kind == TY_VECTOR ? b : scc_promote(p, a);
    return scc_common_type(p, a, b);
}

static void type_binary(struct scc_parser *p, struct scc_node *n)
{
    n->type = binary_type(p, n, value(p, n->child), value(p, n->child->next));
}

static void type_assign(struct scc_parser *p, struct scc_node *n)
{
    n->type = scc_qualified(p->unit, n->child->type, 0);
    n->splitc |= n->op == P_GETPUT || n->op == P_STORE;
}

static struct scc_type *pointer_union(struct scc_parser *p, struct scc_type *a, struct scc_type *b)
{
    int kind = a->pointer > b->pointer ? a->pointer : b->pointer;
    if (a->pointer != b->pointer && kind == PK_SPREAD)
        kind = PK_GLOBAL;
    struct scc_type *base = b->base->kind == TY_VOID ? b->base : a->base;
    base = scc_qualified(p->unit, base, a->base->quals | b->base->quals);
    return scc_pointer_to(p->unit, base, kind);
}

static void type_cond(struct scc_parser *p, struct scc_node *n)
{
    struct scc_node *middle = n->child->next, *right = middle->next;
    if (middle->kind == N_NONE)
        middle = n->child;
    struct scc_type *a = value(p, middle), *b = value(p, right);
    bool pa = a->kind == TY_POINTER, pb = b->kind == TY_POINTER;
    if (pa && pb && !middle->null && !right->null)
        n->type = pointer_union(p, a, b);
    else if (pa && pb)
        n->type = middle->null ? b : a;
    else if (pa || pb)
        n->type = pa ? a : b;
    else if (scc_is_arithmetic(a) && scc_is_arithmetic(b))
        n->type = scc_common_type(p, a, b);
    else
        n->type = a->kind == TY_VOID || b->kind == TY_VOID ? p->basic[TY_VOID] : a;
}

static void type_comma(struct scc_parser *p, struct scc_node *n)
{
    n->type = value(p, n->child->next);
}

static void type_cast(struct scc_parser *p, struct scc_node *n)
{
    n->type = scc_qualified(p->unit, n->child->type, 0);
    const struct scc_node *operand = n->child->next;
    bool plain_void = scc_is_pointer(n->type, PK_LOCAL) && n->type->base->kind == TY_VOID && n->type->base->quals == 0;
    n->null = operand->null && (plain_void || scc_is_integer(n->type));
}

static void type_compound(struct scc_parser *p, struct scc_node *n)
{
    (void)p;
    n->lvalue = true;
}

static void type_sizeof(struct scc_parser *p, struct scc_node *n)
{
    const struct scc_node *of = n->child;
    struct scc_type *t = of->type;
    n->type = p->basic[TY_ULONG];
    uint64_t size = n->op == KW_ALIGNOF ? scc_align_of(t) : t->kind == TY_FUNCTION ? 1 : scc_size_of(t);
    bool empty = scc_is_record(t) && t->record->complete;
    bool array = t->kind == TY_ARRAY && !t->variable && !t->incomplete && !t->spread;
    bool known = t->kind != TY_ERROR && !scc_is_spread_array(t) && !t->vla;
    n->constant = known && (size != 0 || empty || array);
    n->value = n->constant ? (int64_t)size : 0;
}

static void type_statement(struct scc_parser *p, struct scc_node *n)
{
    struct scc_node *last = n->child->tail;
    while (last != NULL && last->kind == S_LABEL)
        last = last->tail;
    n->type = last != NULL && last->kind == S_EXPR && last->child ? value(p, last->child) : p->basic[TY_VOID];
}

static void type_label(struct scc_parser *p, struct scc_node *n)
{
    n->type = scc_pointer_to(p->unit, p->basic[TY_VOID], PK_LOCAL);
}

static struct scc_type *vector_like(struct scc_parser *p, const struct scc_node *n)
{
    return n ? n->type : p->basic[TY_ERROR];
}

static void type_builtin(struct scc_parser *p, struct scc_node *n)
{
    struct scc_node *a = n->child, *b = a->next;
    n->type = p->basic[TY_INT];
    switch (n->op) {
    case KW_VA_ARG:
    case KW_CONVERTVECTOR:
        n->type = vector_like(p, b);
        break;
    case KW_OFFSETOF: {
        uint64_t offset = 0;
        const struct scc_token *t = &p->unit->tokens[n->last - 1]; /* one plain member: its offset is known */
        bool plain = t->kind == TK_IDENT && t[-1].punct == P_COMMA && a->kind == N_TYPENAME;
        n->constant = plain && scc_find_member(a->type, t->name, &offset) != NULL;
        n->type = p->basic[TY_ULONG];
        n->value = (int64_t)offset;
        break;
    }
    case KW_TYPES_COMPATIBLE:
        n->constant = b != NULL && a->kind == N_TYPENAME && b->kind == N_TYPENAME;
        n->value = n->constant && scc_same_type(a->type, b->type);
        break;
    case KW_CHOOSE_EXPR:
        if (b != NULL && b->next != NULL && a->constant)
            like(n, a->value ? b : b->next);
        else
            n->type = p->basic[TY_ERROR];
        break;
    default:
        break;
    }
}

static void (*const rules[N_KINDS])(struct scc_parser *, struct scc_node *) = {
    [X_IDENT] = type_ident,       [X_STRING] = type_string,
    [X_PAREN] = type_paren,       [X_EXTENSION] = type_paren,
    [X_GENERIC] = NULL,           [X_CALL] = type_call,
    [X_SC_CALL] = type_operation, [X_SUBSCRIPT] = scc_type_access,
    [X_MEMBER] = scc_type_access, [X_ARROW] = scc_type_access,
    [X_POST] = scc_type_access,   [X_UNARY] = scc_type_access,
    [X_BINARY] = type_binary,     [X_ASSIGN] = type_assign,
    [X_COND] = type_cond,         [X_COMMA] = type_comma,
    [X_CAST] = type_cast,         [X_COMPOUND] = type_compound,
    [X_SIZEOF] = type_sizeof,     [X_STATEMENT] = type_statement,
    [X_LABEL] = type_label,       [X_BUILTIN] = type_builtin,
};

void scc_type_expression(struct scc_parser *p, struct scc_node *n)
{
    if (n->kind == X_GENERIC) { /* control, chosen */
        struct scc_node *chosen = n->child->next;
        if (chosen != NULL)
            like(n, chosen);
        else
            n->type = p->basic[TY_ERROR];
        return;
    }
    rules[n->kind](p, n);
    scc_fold(p, n);
    bool touched = n->kind != X_IDENT && n->kind != X_PAREN && n->kind != X_EXTENSION && n->kind != X_LABEL;
    if (touched && (scc_is_pointer(n->type, -1) ? n->type->pointer != PK_LOCAL : scc_is_spread_array(n->type)))
        n->splitc = true;
    for (const struct scc_node *kid = n->child; touched && kid != NULL; kid = kid->next)
        if (kid->kind >= X_FIRST &&
            (scc_is_spread_array(kid->type) || (kid->type->kind == TY_POINTER && kid->type->pointer != PK_LOCAL)))
            n->splitc = true;
    if (n->lvalue && n->place != PL_LOCAL)
        n->splitc = true;
}
