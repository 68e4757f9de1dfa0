#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# likwid-bench's copies and stores as a benchmark program: takes the options that all have and writes the rates of every
# vector kernel that the processor has as methods of our tests, at the sizes that ours measured in the same folder (else
# the seed's). The widest kernels come first, for each call takes more than a second whatever it measures; what the time
# does not allow is left out. likwid-bench checks no results, so these are records that nobody verified.
# Usage: likwid --out FILE [--max-seconds S] [other options, passed over]
set -eu

out='' seconds=10
while [ $# -gt 0 ]; do
    case $1 in
        --out) out=$2; shift ;;
        --max-seconds) seconds=$2; shift ;;
    esac
    shift
done
[ -n "$out" ] || { echo "usage: likwid --out FILE [--max-seconds S]" >&2; exit 2; }
command -v likwid-bench >/dev/null || { echo "likwid: there is no likwid-bench (package likwid)" >&2; exit 2; }
ours=$(ls "$(dirname "$out")"/mpt-transfers-*.jsonl 2>/dev/null | tail -n 1 || true)
end=$(awk -v now="$(date +%s.%N)" -v seconds="$seconds" 'BEGIN { printf "%.3f", now + seconds }')

printf '{"test":"environment","env":{"date":"%s","library":"none","implementation":"likwid-bench","npes":1,"cores":%s}}\n' \
    "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$(nproc)" >"$out"

# Words of a vector in our block copies: one line "SIZE N" for each size.
sizes() {
    [ -z "$ours" ] || sed -n 's/.*"test":"block copy".*"n":\([0-9]*\),"size":"\([a-z]*\)".*/\2 \1/p' "$ours" | sort -u -k 1,1r
}
wanted=$(sizes)
[ -n "$wanted" ] || wanted="seed 2000000"

# Kernels in the order of their width; the scalar ones are left to our own plain loops.
kernels() {
    for width in sve512 sve256 sve128 avx512 avx neon sse; do
        case $width in
            avx512) grep -qw avx512f /proc/cpuinfo || continue ;;
            avx) grep -qw avx /proc/cpuinfo || continue ;;
        esac
        likwid-bench -a | sed -n "s/^\(\(copy\|store\)\(_mem\)\?_$width\) .*/\1/p" | sort -t _ -k 2
    done
}

measure() { # measure SIZE N KERNEL
    case $3 in
        copy*) test="block copy" vectors=2 ;;
        *) test="data initialization" vectors=1 ;;
    esac
    bytes=$(($2 * 8 * vectors))
    turns=$((2000000000 / bytes + 4)) # some tenths of a second
    rate=$(timeout 60 likwid-bench -t "$3" -w "S0:${bytes}B:1" -i "$turns" 2>&1 | awk '/^MByte\/s:/ { print $2 }')
    [ -n "$rate" ] || { echo "likwid: likwid-bench -t $3 told no rate" >&2; exit 1; }
    printf '{"test":"%s","library":"none","implementation":"likwid-bench","params":{"npes":1,"method":"likwid-bench %s","n":%s,"size":"%s"},"metric":"bandwidth","unit":"MB/s","value":%s,"n":1,"min":%s,"median":%s,"max":%s,"verified":null}\n' \
        "$test" "$3" "$2" "$1" "$rate" "$rate" "$rate" "$rate" >>"$out"
}

printf '%s\n' "$wanted" | while read -r size n; do
    for kernel in $(kernels); do
        awk -v now="$(date +%s.%N)" -v end="$end" 'BEGIN { exit now >= end }' || break
        measure "$size" "$n" "$kernel"
    done
done
