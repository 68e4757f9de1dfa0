# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
oshcc examples/shmem/hello.c -o program
