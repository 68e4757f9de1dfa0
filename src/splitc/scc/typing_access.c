/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where an expression leads: subscripts, members, dereference and address-of. The place of an lvalue
 * (this processor, a global one, a spread one) is decided here and nowhere else. */
#include "parse.h"

static const uint8_t places[] = {[PK_LOCAL] = PL_LOCAL, [PK_GLOBAL] = PL_GLOBAL, [PK_SPREAD] = PL_SPREAD};
static const uint8_t kinds[] = {[PL_LOCAL] = PK_LOCAL, [PL_GLOBAL] = PK_GLOBAL, [PL_SPREAD] = PK_SPREAD};

static void through(struct scc_parser *p, struct scc_node *n, const struct scc_type *pointer)
{
    n->type = p->basic[TY_ERROR];
    if (pointer->kind != TY_POINTER)
        return;
    n->type = pointer->base;
    n->lvalue = n->type->kind != TY_FUNCTION && n->type->kind != TY_VOID;
    n->place = places[pointer->pointer];
}

static void subscript(struct scc_parser *p, struct scc_node *n)
{
    struct scc_node *base = n->child, *index = base->next;
    if (scc_is_integer(base->type) && !scc_is_arithmetic(index->type))
        base = index; /* 3[a] */
    if (scc_is_spread_array(base->type)) {
        n->type = base->type->base;
        n->lvalue = true;
        n->place = scc_is_spread_array(n->type) ? PL_LOCAL : PL_SPREAD;
        return;
    }
    if (base->type->kind == TY_VECTOR) {
        n->type = base->type->base;
        n->lvalue = base->lvalue;
        n->place = base->place == PL_LOCAL ? PL_LOCAL : PL_GLOBAL;
        return;
    }
    through(p, n, scc_value_type(p->unit, base));
}

static void member(struct scc_parser *p, struct scc_node *n)
{
    struct scc_node *of = n->child;
    struct scc_name *name = n->name;
    struct scc_type *record = of->type;
    int place = of->place;
    n->lvalue = of->lvalue;
    if (n->kind == X_ARROW) {
        struct scc_type *t = scc_value_type(p->unit, of);
        place = t->kind == TY_POINTER ? places[t->pointer] : PL_LOCAL;
        record = t->kind == TY_POINTER ? t->base : p->basic[TY_ERROR];
        n->lvalue = true;
    }
    n->place = place == PL_LOCAL ? PL_LOCAL : PL_GLOBAL;
    n->type = p->basic[TY_ERROR];
    if (record->kind == TY_ERROR)
        return;
    n->member = scc_find_member(record, name, NULL);
    if (n->member == NULL) {
        const char *what = scc_type_name(p->unit, record);
        if (n->kind == X_MEMBER && record->kind == TY_POINTER)
            scc_error(p->unit, n->last, "'%s' of a pointer (%s); use '->'", name->text, what);
        else if (scc_is_record(record) && !record->record->complete)
            scc_error(p->unit, n->last, "%s is not complete here", what);
        else
            scc_error(p->unit, n->last, "%s has no member '%s'", what, name->text);
        return;
    }
    n->type = n->member->type;
    if (record->quals != 0)
        n->type = scc_qualified(p->unit, n->type, n->type->quals | (record->quals & ~Q_ATOMIC));
}

static void address(struct scc_parser *p, struct scc_node *n)
{
    const struct scc_node *of = n->child;
    if (scc_is_spread_array(of->type)) {
        n->type = scc_pointer_to(p->unit, scc_block_type(of->type), PK_SPREAD);
        return;
    }
    if (of->member != NULL && of->member->bits >= 0 && (of->kind == X_MEMBER || of->kind == X_ARROW))
        scc_error(p->unit, n->first, "the address of bit-field '%s'", of->member->name ? of->member->name->text : "");
    n->type = of->type->kind == TY_ERROR ? of->type
                                         : scc_pointer_to(p->unit, of->type, of->lvalue ? kinds[of->place] : PK_LOCAL);
}

static void part(struct scc_parser *p, struct scc_node *n)
{
    const struct scc_node *of = n->child;
    n->type = of->type->kind == TY_COMPLEX ? of->type->base : scc_value_type(p->unit, of);
    n->lvalue = of->lvalue && of->type->kind == TY_COMPLEX;
    n->place = of->place == PL_LOCAL ? PL_LOCAL : PL_GLOBAL;
}

static void unary(struct scc_parser *p, struct scc_node *n)
{
    struct scc_node *of = n->child;
    switch (n->op) {
    case P_STAR:
        if (of->type->kind == TY_FUNCTION)
            n->type = of->type;
        else
            through(p, n, scc_value_type(p->unit, of));
        break;
    case P_AND:
        address(p, n);
        break;
    case P_NOT:
        n->type = p->basic[TY_INT];
        break;
    case P_INC:
    case P_DEC:
        n->type = scc_qualified(p->unit, of->type, 0);
        break;
    case KW_REAL:
    case KW_IMAG:
        part(p, n);
        break;
    default: {
        struct scc_type *t = scc_value_type(p->unit, of);
        n->type = scc_is_arithmetic(t) ? scc_promote(p, t) : t;
        break;
    }
    }
}

void scc_type_access(struct scc_parser *p, struct scc_node *n)
{
    switch (n->kind) {
    case X_SUBSCRIPT:
        subscript(p, n);
        break;
    case X_MEMBER:
    case X_ARROW:
        member(p, n);
        break;
    case X_POST:
        n->type = scc_qualified(p->unit, n->child->type, 0);
        break;
    default:
        unary(p, n);
        break;
    }
}
