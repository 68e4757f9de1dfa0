# SPDX-License-Identifier: BSD-3-Clause
"""What `mptrun --trace` has recorded: read, brought together, explained."""
