/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Variables in gfortran's print, write and read, which its library looks at. `kind` is a size in bytes, nearly so of
 * reals.
 */
#include "instrument/look.h"

#define TRANSFER(name, how)                                                            \
    void _gfortran_transfer_##name(void *state, void *at, int kind);                   \
    void mptcheck__gfortran_transfer_##name(void *state, void *at, int kind);          \
    void mptcheck__gfortran_transfer_##name(void *state, void *at, int kind)           \
    {                                                                                  \
        instrument_look_range(at, kind == 10 ? 16 : (size_t)kind, how, INSTRUMENT_PC); \
        _gfortran_transfer_##name(state, at, kind);                                    \
    }
TRANSFER(integer, CORE_WATCH_WRITE)
TRANSFER(integer_write, CORE_WATCH_READ)
TRANSFER(real, CORE_WATCH_WRITE)
TRANSFER(real_write, CORE_WATCH_READ)
TRANSFER(logical, CORE_WATCH_WRITE)
TRANSFER(logical_write, CORE_WATCH_READ)
