# SPDX-License-Identifier: BSD-3-Clause
"""What was measured, what was published, and what of the one answers the other: loaded, ordered and joined."""
