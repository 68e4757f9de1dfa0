# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
printf '%s\n' 'print *, 1' 'end' > prog.f90
printf '%s\n' '#include <math.h>' 'int main(int n, char **v) { return v && exp(n) < 1; }' > prog.c
