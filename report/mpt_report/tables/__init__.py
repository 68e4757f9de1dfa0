# SPDX-License-Identifier: BSD-3-Clause
"""The tables of the report, as plain data; each module makes those of one subject."""
