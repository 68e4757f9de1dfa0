/* SPDX-License-Identifier: BSD-3-Clause
 *
 * C calls reduction functions and error handlers without a word about which one it
 * means. So each Fortran procedure gets a C function of its own, out of a stock
 * made by these macros; the same procedure given again gets the same one.
 */
#ifndef MPI_FORTRAN_SLOTS_H
#define MPI_FORTRAN_SLOTS_H

#define MPIF_SLOTS_16(M_, high_) \
    M_(high_##0)                 \
    M_(high_##1)                 \
    M_(high_##2)                 \
    M_(high_##3)                 \
    M_(high_##4)                 \
    M_(high_##5)                 \
    M_(high_##6)                 \
    M_(high_##7) M_(high_##8) M_(high_##9) M_(high_##a) M_(high_##b) M_(high_##c) M_(high_##d) M_(high_##e) M_(high_##f)
#define MPIF_SLOTS_64(M_) MPIF_SLOTS_16(M_, 0x0) MPIF_SLOTS_16(M_, 0x1) MPIF_SLOTS_16(M_, 0x2) MPIF_SLOTS_16(M_, 0x3)
#define MPIF_SLOTS_256(M_) \
    MPIF_SLOTS_64(M_)      \
    MPIF_SLOTS_16(M_, 0x4) \
    MPIF_SLOTS_16(M_, 0x5) \
    MPIF_SLOTS_16(M_, 0x6) \
    MPIF_SLOTS_16(M_, 0x7) \
    MPIF_SLOTS_16(M_, 0x8) \
    MPIF_SLOTS_16(M_, 0x9) \
    MPIF_SLOTS_16(M_, 0xa) \
    MPIF_SLOTS_16(M_, 0xb) MPIF_SLOTS_16(M_, 0xc) MPIF_SLOTS_16(M_, 0xd) MPIF_SLOTS_16(M_, 0xe) MPIF_SLOTS_16(M_, 0xf)

typedef void mpif_procedure(void);

/* The place of a procedure among n; a new one when it has none; -1: none left. */
int mpif_slot(mpif_procedure **slots, int n, mpif_procedure *procedure);

#endif
