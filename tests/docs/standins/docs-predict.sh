# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
mpicc -g -O2 examples/mpi/stencil.c -o prog -lm
