# SPDX-License-Identifier: BSD-3-Clause
"""Reports of message passing benchmarks: measured figures beside published ones and the hardware's limits.

Reading order: runs (what was loaded), limits, goals, tables, text and page (what shows them), drive (measuring), cli.
"""

__version__ = "0.1.0"
