/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bit-fields behind global and spread pointers. What is read and written is a
 * packed struct of the bytes that hold the field and no others: the neighbours
 * may be another processor's to change.
 */
#include "gen.h"

bool gen_bit_field(const struct scc_node *node)
{
    return (node->kind == X_MEMBER || node->kind == X_ARROW) && node->member && node->member->bits >= 0;
}

static const struct scc_type *record_of(struct scc_gen *g, const struct scc_node *field)
{
    return field->kind == X_ARROW ? scc_value_type(g->unit, field->child)->base : field->child->type;
}

/* sc_bits_ becomes the struct; its first byte's offset is returned. */
static uint64_t name_struct(struct scc_gen *g, const struct scc_node *field)
{
    const struct scc_member *m = field->member;
    uint64_t offset = m->offset;
    scc_find_member(record_of(g, field), m->name, &offset);
    const struct scc_type *type = m->type->plain ? m->type->plain : m->type;
    if (type->kind == TY_SCHAR || type->kind == TY_UCHAR) /* an int as a value; GCC warns of packed fields of char */
        type = scc_basic_type(scc_is_unsigned(type) ? TY_UINT : TY_INT);
    char *declared = gen_type(g, type, m->name->text);
    gen_put(g, " ({ typedef struct {");
    if (m->bit_offset % 8)
        gen_put(g, " unsigned char : %d;", m->bit_offset % 8);
    gen_put(g, " %s : %d; } __attribute__((packed)) sc_bits_;", declared, m->bits);
    return offset + (uint64_t)m->bit_offset / 8;
}

static void address(struct scc_gen *g, struct scc_node *field, uint64_t offset)
{
    struct scc_node *object = field->child;
    gen_put(g, g->check ? " sc_check_global(sc_plus(" : " sc_plus(");
    if (field->kind == X_ARROW) {
        const struct scc_type *type = scc_value_type(g->unit, object);
        gen_convert(g, object, type, scc_pointer_to(g->unit, type->base, PK_GLOBAL));
    } else {
        gen_global_address(g, object);
    }
    gen_put(g, ", %llu)%s", (unsigned long long)offset, g->check ? ", sizeof(sc_bits_), SC_HERE)" : "");
}

void gen_read_bits(struct scc_gen *g, struct scc_node *field)
{
    uint64_t offset = name_struct(g, field);
    gen_put(g, " SC_READ(sc_bits_, ");
    address(g, field, offset);
    gen_put(g, "); }).%s", field->member->name->text);
}

/* `field op right`, NULL right: by 1; its value is the new one, or the old. */
void gen_update_bits(struct scc_gen *g, struct scc_node *field, struct scc_node *right, const char *op, bool old)
{
    const char *name = field->member->name->text;
    uint64_t offset = name_struct(g, field);
    gen_put(g, " SC_UPDATE%s(sc_bits_, ", old ? "_OLD" : "");
    address(g, field, offset);
    gen_put(g, ", ");
    gen_operand(g, right);
    gen_put(g, ", ({ sc_bits_ sc_r_ = sc_old_; sc_r_.%s %s %s; sc_r_; })); }).%s", name, op, right ? "sc_w_" : "1",
            name);
}
