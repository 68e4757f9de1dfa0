#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Builds HPC Challenge (HPL, PTRANS, RandomAccess, FFT, b_eff) from Debian's source package with our mpicc and runs the
# whole of it at 2 and 4 ranks, small. Its own checks of every result judge. Source and OpenBLAS come by apt, unpacked
# in the build folder; nothing is installed. Usage: hpcc.sh BUILD_FOLDER
set -euo pipefail

build=$(cd "${1:?build folder}" && pwd)
. "$(dirname "$0")/apt.sh"
work=$build/external/hpcc
mkdir -p "$work"
cd "$work"

. /etc/os-release
apt_lists "deb $VERSION_CODENAME" "deb-src $VERSION_CODENAME"

if [ ! -d hpcc ]; then
    apt-get -qq update
    # Debian's changes to the source concern paths only, so the original archive is enough.
    apt-get -qq source --download-only hpcc || ls hpcc_*.orig.tar.gz
    apt-get -qq download libopenblas0-pthread libopenblas-pthread-dev
    for package in *.deb; do dpkg -x "$package" blas; done
    mkdir hpcc && tar xf hpcc_*.orig.tar.gz -C hpcc --strip-components=1
fi
blas=$(dirname "$(find "$work/blas" -name libopenblas.so | head -n 1)")

# Two names that MPI-3 removed are given their successors' (the same arguments).
cat >hpcc/hpl/Make.mpt <<END
SHELL = /bin/sh
CD = cd
CP = cp
LN_S = ln -s
MKDIR = mkdir -p
RM = /bin/rm -f
TOUCH = touch
ARCH = mpt
TOPdir = ../../..
LIBdir = \$(TOPdir)/lib/mpt
HPLlib = \$(LIBdir)/libhpl.a
HPL_INCLUDES = -I\$(TOPdir)/include
HPL_LIBS = \$(HPLlib) -L$blas -lopenblas -Wl,-rpath,$blas -lm
HPL_DEFS = -DAdd_ -DF77_INTEGER=int -DStringSunStyle -DMPI_Address=MPI_Get_address -DMPI_Type_struct=MPI_Type_create_struct \$(HPL_INCLUDES)
CC = $build/bin/mpicc
CCNOOPT = \$(HPL_DEFS)
CCFLAGS = \$(HPL_DEFS) -O2 -w
LINKER = $build/bin/mpicc
LINKFLAGS = \$(CCFLAGS)
ARCHIVER = ar
ARFLAGS = r
RANLIB = true
END
[ -x hpcc/hpcc ] || make -C hpcc arch=mpt >build.log 2>&1 || { tail -n 20 build.log; exit 1; }

# Sizes for seconds; every kind of broadcast, both mappings, and a look-ahead.
input() { # input P Q
    cat <<END
HPLinpack benchmark input file
HPC Challenge
HPL.out      output file name
8            device out
2            # of problems sizes (N)
300 500      Ns
1            # of NBs
32           NBs
1            PMAP process mapping
1            # of process grids (P x Q)
$1           Ps
$2           Qs
16.0         threshold
1            # of panel fact
2            PFACTs
1            # of recursive stopping criterium
4            NBMINs
1            # of panels in recursion
2            NDIVs
1            # of recursive panel fact.
1            RFACTs
6            # of broadcast
0 1 2 3 4 5  BCASTs
2            # of lookahead depth
0 1          DEPTHs
2            SWAP
64           swapping threshold
0            L1 in (0=transposed,1=no-transposed) form
0            U  in (0=transposed,1=no-transposed) form
1            Equilibration
8            memory alignment in double
##### separator ######
2            Number of additional problem sizes for PTRANS
130 257      values of N
2            number of additional blocking sizes for PTRANS
13 40        values of NB
END
}

export OPENBLAS_NUM_THREADS=1 LD_LIBRARY_PATH=$build/lib
status=0
run() { # run P Q
    local n=$(($1 * $2)) out
    rm -rf "run.$n" && mkdir "run.$n" && cd "run.$n"
    input "$1" "$2" >hpccinf.txt
    timeout 1200 "$build/bin/mpiexec" -n "$n" ../hpcc/hpcc >log 2>&1 || { echo "failed: hpcc at $n ranks:"; tail -n 20 log; status=1; }
    out=hpccoutf.txt
    local passed wrong success
    passed=$(grep -cE 'PASSED' $out) || true
    wrong=$(grep -cE 'FAILED|Found [1-9][0-9]* errors' $out) || true
    success=$(grep -oE '^Success=[01]' $out || echo 'no summary')
    echo "hpcc at $n ranks: $passed checks of HPL and PTRANS passed, $wrong wrong, $success"
    # 24 systems solved at 2 ranks and 4; PTRANS counts its own.
    if [ "$success" != Success=1 ] || [ "$wrong" != 0 ] || [ "$passed" -lt 24 ]; then
        grep -E 'FAILED|errors|Failure|skipped' $out | head -n 20
        status=1
    fi
    cd ..
}
run 1 2
run 2 2
exit $status
