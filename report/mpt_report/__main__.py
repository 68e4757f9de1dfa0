# SPDX-License-Identifier: BSD-3-Clause
"""`python3 -m mpt_report`, for use from a checkout without installing."""

import sys

from .cli import main

sys.exit(main())
