# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
mkdir run results
cp report/tests/data/real-run.jsonl run/
cp report/tests/data/real-run.jsonl results/
