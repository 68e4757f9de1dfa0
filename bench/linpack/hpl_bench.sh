#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# HPL as a benchmark program: takes the options that all have, runs hpcc at the largest order that ours solved in the same
# folder, on as many processes, and writes its rate as a record. Orders too large for the time are left to the larger of
# those that fit, so that both stand at one order.
# Usage: hpl --out FILE [--max-seconds S] [other options, passed over]
set -eu

out='' seconds=10
while [ $# -gt 0 ]; do
    case $1 in
        --out) out=$2; shift ;;
        --max-seconds) seconds=$2; shift ;;
    esac
    shift
done
[ -n "$out" ] || { echo "usage: hpl --out FILE [--max-seconds S]" >&2; exit 2; }
here=$(dirname "$(readlink -f "$0")")
ours=$(ls "$(dirname "$out")"/mpt-linpack-*.jsonl 2>/dev/null | head -n 1 || true) # of the fewest PEs: HPL's poll
[ -n "$ours" ] || { echo "hpl: no mpt-linpack-*.jsonl beside $out: the program linpack must run before, it tells the order" >&2; exit 1; }

# Of our rates the largest order whose run, at a fifth of our rate for hpcc's other tests and its start, fits the time.
choice=$(awk -v seconds="$seconds" '
    function number(name,   text) {
        if (!match($0, "\"" name "\":[0-9.e+-]+")) return 0
        text = substr($0, RSTART, RLENGTH); sub(/.*:/, "", text)
        return text + 0
    }
    /"metric":"rate"/ {
        n = number("n"); rate = number("value")
        if (n > best && rate > 0 && (n * n * n * 2 / 3 / (rate * 1e9) * 5 < seconds || !best)) {
            best = n; block = number("nb"); pes = number("npes")
        }
    }
    END { if (best) print pes, best, block }' "$ours")
[ -n "$choice" ] || { echo "hpl: no rate in $ours" >&2; exit 1; }
# shellcheck disable=SC2086
set -- $choice

printf '{"test":"environment","env":{"date":"%s","library":"none","implementation":"HPL (hpcc)","npes":%s,"cores":%s}}\n' \
    "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$1" "$(nproc)" >"$out"

# Processes that poll starve each other where others want the cores as well: then there is no rate to tell, which is no failure.
limit=$(awk -v seconds="$seconds" 'BEGIN { print int(2 * seconds + 20) }')
status=0
found=$(timeout "$limit" sh "$here/hpl.sh" "$1" "$2" "$3") || status=$?
case $status in
    0) ;;
    124) echo "hpl: order $2 on $1 processes did not end within $limit s; no rate of HPL in this run" >&2; exit 0 ;;
    *) echo "hpl: hpcc failed at order $2 on $1 processes (status $status)" >&2; exit 1 ;;
esac
printf '%s\n' "$found" | awk -v pes="$1" -v n="$2" -v nb="$3" '
    /^W[RC]/ { rate = $NF + 0; time = $(NF - 1) + 0 }
    /PASSED/ { good = "true" }
    function put(metric, unit, value) {
        printf "{\"test\":\"LINPACK (HPC)\",\"library\":\"none\",\"implementation\":\"HPL (hpcc)\",\"params\":{\"npes\":%d,\"n\":%d," \
               "\"nb\":%d,\"by\":\"HPL\"},\"metric\":\"%s\",\"unit\":\"%s\",\"value\":%.6g,\"n\":1,\"min\":%.6g,\"median\":%.6g," \
               "\"max\":%.6g,\"verified\":%s}\n", pes, n, nb, metric, unit, value, value, value, value, good ? good : "false"
    }
    END { if (!rate) exit 1; put("rate", "Gflop/s", rate); put("time", "s", time); if (!good) exit 1 }' >>"$out" ||
    { echo "hpl: hpcc told no rate, or its residual is too large" >&2; exit 1; }
