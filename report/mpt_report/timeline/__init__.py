# SPDX-License-Identifier: BSD-3-Clause
"""A trace over time: the columns and levels of detail that a page draws."""
