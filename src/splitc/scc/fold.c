/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Integer constant expressions (C17 6.6): sizes of arrays, bit-fields and enumerators need their values.
 * Arithmetic wraps in the type's width; what C leaves undefined (division by zero, wide shifts) is no constant. */
#include "parse.h"

int64_t scc_wrap(const struct scc_type *t, int64_t value)
{
    bool is_unsigned = scc_is_unsigned(t);
    uint64_t size = scc_size_of(t);
    if (t->kind == TY_BOOL)
        return value != 0;
    if (size >= 8 || size == 0)
        return value;
    unsigned shift = 64 - 8 * (unsigned)size;
    uint64_t up = (uint64_t)value << shift;
    return is_unsigned ? (int64_t)(up >> shift) : (int64_t)up >> shift;
}

static bool divide(int op, bool is_unsigned, int64_t a, int64_t b, int64_t *result)
{
    if (b == 0 || (!is_unsigned && b == -1 && a == INT64_MIN))
        return false;
    if (is_unsigned)
        *result = (int64_t)(op == P_SLASH ? (uint64_t)a / (uint64_t)b : (uint64_t)a % (uint64_t)b);
    else
        *result = op == P_SLASH ? a / b : a % b;
    return true;
}

static bool less(bool is_unsigned, int64_t a, int64_t b)
{
    return is_unsigned ? (uint64_t)a < (uint64_t)b : a < b;
}

static bool shift(int op, bool is_unsigned, int64_t a, int64_t b, int64_t *result)
{
    if (b < 0 || b > 63)
        return false;
    if (op == P_LSHIFT)
        *result = (int64_t)((uint64_t)a << b);
    else
        *result = is_unsigned ? (int64_t)((uint64_t)a >> b) : a >> b;
    return true;
}

static bool calculate(int op, bool is_unsigned, int64_t a, int64_t b, int64_t *r)
{
    uint64_t x = (uint64_t)a, y = (uint64_t)b;
    switch (op) {
    case P_PLUS:
        *r = (int64_t)(x + y);
        return true;
    case P_MINUS:
        *r = (int64_t)(x - y);
        return true;
    case P_STAR:
        *r = (int64_t)(x * y);
        return true;
    case P_AND:
        *r = a & b;
        return true;
    case P_OR:
        *r = a | b;
        return true;
    case P_XOR:
        *r = a ^ b;
        return true;
    case P_EQUAL:
        *r = a == b;
        return true;
    case P_NOT_EQUAL:
        *r = a != b;
        return true;
    case P_LESS:
        *r = less(is_unsigned, a, b);
        return true;
    case P_GREATER:
        *r = less(is_unsigned, b, a);
        return true;
    case P_LESS_EQUAL:
        *r = !less(is_unsigned, b, a);
        return true;
    case P_GREATER_EQUAL:
        *r = !less(is_unsigned, a, b);
        return true;
    case P_SLASH:
    case P_PERCENT:
        return divide(op, is_unsigned, a, b, r);
    case P_LSHIFT:
    case P_RSHIFT:
        return shift(op, is_unsigned, a, b, r);
    default:
        return false;
    }
}

static void fold_binary(struct scc_parser *p, struct scc_node *n)
{
    struct scc_node *a = n->child, *b = a->next;
    if (n->op == P_ANDAND || n->op == P_OROR) {
        bool decided = a->constant && (a->value != 0) == (n->op == P_OROR);
        n->constant = decided || (a->constant && b->constant);
        n->value = decided ? n->op == P_OROR : n->constant && b->value != 0;
        return;
    }
    if (!a->constant || !b->constant)
        return;
    bool is_shift = n->op == P_LSHIFT || n->op == P_RSHIFT;
    struct scc_type *t = is_shift ? n->type : scc_common_type(p, a->type, b->type);
    if (!scc_is_integer(t) || scc_size_of(t) > 8)
        return;
    int64_t x = scc_wrap(t, a->value), y = is_shift ? b->value : scc_wrap(t, b->value), r = 0;
    n->constant = calculate(n->op, scc_is_unsigned(t), x, y, &r);
    n->value = n->constant ? scc_wrap(n->type, r) : 0;
}

static void fold_unary(struct scc_node *n)
{
    const struct scc_node *of = n->child;
    if (!of->constant || scc_size_of(n->type) > 8 || !scc_is_integer(n->type))
        return;
    n->constant = true;
    switch (n->op) {
    case P_PLUS:
        n->value = of->value;
        break;
    case P_MINUS:
        n->value = (int64_t)(0 - (uint64_t)of->value);
        break;
    case P_TILDE:
        n->value = ~of->value;
        break;
    case P_NOT:
        n->value = of->value == 0;
        break;
    default:
        n->constant = false;
        return;
    }
    n->value = scc_wrap(n->type, n->value);
}

static void fold_cond(struct scc_node *n)
{
    const struct scc_node *test = n->child, *middle = test->next, *right = middle->next;
    const struct scc_node *taken = !test->constant ? NULL
                                   : test->value   ? (middle->kind == N_NONE ? test : middle)
                                                   : right;
    if (taken == NULL || !taken->constant || !scc_is_integer(n->type))
        return;
    n->constant = true;
    n->value = scc_wrap(n->type, taken->value);
}

static const struct scc_type *with_sign(const struct scc_parser *p, const struct scc_type *type)
{
    return type->kind == TY_CHAR && p->arm ? p->basic[TY_UCHAR] : type;
}

void scc_fold(struct scc_parser *p, struct scc_node *n)
{
    if (n->kind == X_BINARY)
        fold_binary(p, n);
    else if (n->kind == X_UNARY)
        fold_unary(n);
    else if (n->kind == X_COND)
        fold_cond(n);
    if (n->kind == X_CAST) {
        const struct scc_node *of = n->child->next;
        n->constant = of->constant && scc_is_integer(n->type) && scc_size_of(n->type) <= 8;
        n->value = n->constant ? scc_wrap(with_sign(p, n->type), of->value) : 0;
    }
    if (n->constant && n->kind != X_PAREN && n->kind != X_EXTENSION)
        n->null = n->value == 0 && scc_is_integer(n->type);
}
