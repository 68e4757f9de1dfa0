# SPDX-License-Identifier: BSD-3-Clause
"""How long a program of messages takes on another machine: machine files, programs, the simulator, its validation."""
