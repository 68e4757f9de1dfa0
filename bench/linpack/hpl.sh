#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# HPL, as Debian's hpcc contains it, for one order on a grid of 1 x PES, with look-ahead as it is usually set. hpcc's
# other tests run as well and take about as long.
# Usage: hpl.sh PES ORDER BLOCK. Prints HPL's lines with rate and residual.
set -eu
[ $# = 3 ] || { echo "usage: hpl.sh PES ORDER BLOCK" >&2; exit 2; }
command -v hpcc >/dev/null || { echo "hpl.sh: there is no hpcc (package hpcc)" >&2; exit 2; }
# Debian links hpcc with Open MPI; the first mpirun of PATH may be another library's.
launcher=$(command -v mpirun.openmpi || command -v mpirun) || { echo "hpl.sh: there is no mpirun" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 143' TERM INT HUP
cd "$folder"
cat >hpccinf.txt <<END
HPLinpack benchmark input file
one order
HPL.out      output file name (if any)
8            device out (6=stdout,7=stderr,file)
1            # of problems sizes (N)
$2           Ns
1            # of NBs
$3           NBs
0            PMAP process mapping (0=Row-,1=Column-major)
1            # of process grids (P x Q)
1            Ps
$1           Qs
16.0         threshold
1            # of panel fact
2            PFACTs (0=left, 1=Crout, 2=Right)
1            # of recursive stopping criterium
4            NBMINs (>= 1)
1            # of panels in recursion
2            NDIVs
1            # of recursive panel fact.
1            RFACTs (0=left, 1=Crout, 2=Right)
1            # of broadcast
1            BCASTs (0=1rg,1=1rM,2=2rg,3=2rM,4=Lng,5=LnM)
1            # of lookahead depth
1            DEPTHs (>=0)
2            SWAP (0=bin-exch,1=long,2=mix)
64           swapping threshold
0            L1 in (0=transposed,1=no-transposed) form
0            U  in (0=transposed,1=no-transposed) form
1            Equilibration (0=no,1=yes)
8            memory alignment in double (> 0)
##### This line (no. 32) is ignored (it serves as a separator). ######
0            Number of additional problem sizes for PTRANS
1200         values of N
0            number of additional blocking sizes for PTRANS
40           values of NB
END
OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
    "$launcher" -np "$1" hpcc
grep -E '^W[RC]|^\|\|Ax-b\|\|' hpccoutf.txt
