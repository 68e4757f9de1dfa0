/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How items of each type look in a message: as in memory (Raw, InPlace), or as XDR
 * (Default): big-endian, shorts widened to 4 bytes. Longs keep 8 bytes, where
 * PVM on 64-bit machines cut them to 4 and lost the sign.
 */
#include "pvm/pack/buffer.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "XDR is the other byte order");
_Static_assert(sizeof(long) == 8 && sizeof(int) == 4 && sizeof(short) == 2, "sizes in the table");

static void put_same(const struct pvmi_codec *c, void *to, const void *from, ptrdiff_t stride, size_t n)
{
    core_copy_strided(to, (ptrdiff_t)c->size, from, stride, c->size, n);
}

static void get_same(const struct pvmi_codec *c, void *to, ptrdiff_t stride, const void *from, size_t n)
{
    core_copy_strided(to, stride, from, (ptrdiff_t)c->size, c->size, n);
}

static void put_swapped(const struct pvmi_codec *c, void *to, const void *from, ptrdiff_t stride, size_t n)
{
    if (stride == (ptrdiff_t)c->size) {
        core_swap(to, from, c->width, n * c->parts);
        return;
    }
    for (size_t at = 0; at < c->size; at += c->width)
        core_swap_strided((char *)to + at, (ptrdiff_t)c->size, (const char *)from + at, stride, c->width, n);
}

static void get_swapped(const struct pvmi_codec *c, void *to, ptrdiff_t stride, const void *from, size_t n)
{
    if (stride == (ptrdiff_t)c->size) {
        core_swap(to, from, c->width, n * c->parts);
        return;
    }
    for (size_t at = 0; at < c->size; at += c->width)
        core_swap_strided((char *)to + at, stride, (const char *)from + at, (ptrdiff_t)c->size, c->width, n);
}

/* Two bytes of four hold the number; the other two its sign. Eight at a time where they lie together: this is done
 * by instructions that all processors of these architectures have. */
enum { SHORTS = 8 };
typedef uint16_t shorts __attribute__((vector_size(2 * SHORTS)));

static inline uint16_t sign_of(const struct pvmi_codec *c, uint16_t x)
{
    return c->is_signed && x & 0x8000 ? 0xffff : 0;
}

static size_t put_eights(const struct pvmi_codec *c, char *to, const char *from, size_t n)
{
    const shorts none = {0};
    size_t i = 0;

    for (; n - i >= SHORTS; i += SHORTS) {
        shorts x, y, sign, wide[2];

        __builtin_memcpy(&x, from + 2 * i, sizeof x);
        sign = c->is_signed ? none - (x >> 15) : none;
        y = x << 8 | x >> 8;
        wide[0] = __builtin_shufflevector(sign, y, 0, 8, 1, 9, 2, 10, 3, 11);
        wide[1] = __builtin_shufflevector(sign, y, 4, 12, 5, 13, 6, 14, 7, 15);
        __builtin_memcpy(to + 4 * i, wide, sizeof wide);
    }
    return i;
}

static void put_short(const struct pvmi_codec *c, void *to, const void *from, ptrdiff_t stride, size_t n)
{
    size_t i = stride == (ptrdiff_t)c->size ? put_eights(c, to, from, n) : 0;
    const char *s = (const char *)from + (ptrdiff_t)i * stride;
    char *d = (char *)to + i * c->wire;

    for (; i < n; i++, s += stride, d += c->wire) {
        uint16_t x, pair[2];

        __builtin_memcpy(&x, s, sizeof x);
        pair[0] = sign_of(c, x);
        pair[1] = __builtin_bswap16(x);
        __builtin_memcpy(d, pair, sizeof pair);
    }
}

static size_t get_eights(char *to, const char *from, size_t n)
{
    size_t i = 0;

    for (; n - i >= SHORTS; i += SHORTS) {
        shorts wide[2], x;

        __builtin_memcpy(wide, from + 4 * i, sizeof wide);
        x = __builtin_shufflevector(wide[0], wide[1], 1, 3, 5, 7, 9, 11, 13, 15);
        x = x << 8 | x >> 8;
        __builtin_memcpy(to + 2 * i, &x, sizeof x);
    }
    return i;
}

/* What does not fit is cut off, as in the library of old. */
static void get_short(const struct pvmi_codec *c, void *to, ptrdiff_t stride, const void *from, size_t n)
{
    size_t i = stride == (ptrdiff_t)c->size ? get_eights(to, from, n) : 0;

    core_swap_strided((char *)to + (ptrdiff_t)i * stride, stride, (const char *)from + i * c->wire + 2,
                      (ptrdiff_t)c->wire, c->size, n - i);
}

#define SAME(bytes) {.size = bytes, .wire = bytes, .width = bytes, .parts = 1, .put = put_same, .get = get_same}
#define SWAPPED(width_, parts_)   \
    {.size = (width_) * (parts_), \
     .wire = (width_) * (parts_), \
     .width = width_,             \
     .parts = parts_,             \
     .put = put_swapped,          \
     .get = get_swapped}

static const struct pvmi_codec raw[] = {
    [PVM_BYTE] = SAME(1),   [PVM_SHORT] = SAME(2),  [PVM_INT] = SAME(4),    [PVM_FLOAT] = SAME(4),
    [PVM_CPLX] = SAME(8),   [PVM_DOUBLE] = SAME(8), [PVM_DCPLX] = SAME(16), [PVM_LONG] = SAME(8),
    [PVM_USHORT] = SAME(2), [PVM_UINT] = SAME(4),   [PVM_ULONG] = SAME(8),
};
static const struct pvmi_codec xdr[] = {
    [PVM_BYTE] = SAME(1),
    [PVM_SHORT] = {.size = 2, .wire = 4, .width = 2, .parts = 1, .is_signed = true, .put = put_short, .get = get_short},
    [PVM_INT] = SWAPPED(4, 1),
    [PVM_FLOAT] = SWAPPED(4, 1),
    [PVM_CPLX] = SWAPPED(4, 2),
    [PVM_DOUBLE] = SWAPPED(8, 1),
    [PVM_DCPLX] = SWAPPED(8, 2),
    [PVM_LONG] = SWAPPED(8, 1),
    [PVM_USHORT] = {.size = 2, .wire = 4, .width = 2, .parts = 1, .put = put_short, .get = get_short},
    [PVM_UINT] = SWAPPED(4, 1),
    [PVM_ULONG] = SWAPPED(8, 1),
};

static bool is_raw(int encoding)
{
    return encoding == PvmDataRaw || encoding == PvmDataInPlace;
}

const struct pvmi_codec *pvmi_codec_of(int type, int encoding)
{
    if (type < PVM_BYTE || type > PVM_ULONG)
        return NULL;
    return is_raw(encoding) ? &raw[type] : &xdr[type];
}

size_t pvmi_size_of(int type)
{
    const struct pvmi_codec *c = pvmi_codec_of(type, PvmDataRaw);

    return c ? c->size : 0;
}

size_t pvmi_padding(int encoding, size_t n)
{
    return is_raw(encoding) ? 0 : -n & 3;
}

/* Raw shows the sizes and forms of this machine's numbers: IEEE, little-endian, 64-bit longs. */
static const struct {
    int encoding, shown;
} shown[] = {
    {PvmDataDefault, 0x10000000}, {PvmDataRaw, 0x408c41}, {PvmDataInPlace, 0x20000000}, {PvmDataTrace, 0x40000000}};

int pvmi_encoding_shown(int encoding)
{
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        if (shown[i].encoding == encoding)
            return shown[i].shown;
    return 0;
}

int pvmi_encoding_of(int value)
{
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        if (shown[i].shown == value)
            return shown[i].encoding;
    return -1;
}
