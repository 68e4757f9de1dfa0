# SPDX-License-Identifier: BSD-3-Clause
"""Reports of message passing benchmarks: measured figures beside published ones and the hardware's limits.

Reading order: records, published, provider, study (what was loaded), newsletter, paper, lab, goals, network, compare
(the tables), page (the HTML), drive (measuring), cli.
"""

__version__ = "0.1.0"
