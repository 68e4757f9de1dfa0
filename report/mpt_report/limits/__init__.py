# SPDX-License-Identifier: BSD-3-Clause
"""What the machine allows each test at most."""
