# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# The same as for docs/debugging.md.
# shellcheck source=tests/docs/standins/docs-debugging.sh
. "$(dirname "${BASH_SOURCE[0]}")/docs-debugging.sh"
