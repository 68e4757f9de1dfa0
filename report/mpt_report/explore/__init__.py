# SPDX-License-Identifier: BSD-3-Clause
"""`mpt explore`: runs a program under the adversary with many seeds, and shrinks the first that makes it fail."""
