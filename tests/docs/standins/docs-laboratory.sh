# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Records that were measured once, as those of three runs.
for run in results old new; do
    mkdir $run
    cp report/tests/data/real-run.jsonl $run/
done
cp report/../README.md .
