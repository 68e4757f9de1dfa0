# SPDX-License-Identifier: BSD-3-Clause
"""One picture for the first screen: how long a message and a crowded barrier take here and with other libraries.

`measure` lets the libraries take turns, `data` is what they gave and the file it is kept in, `draw` makes the SVG,
`command` is `mpt picture`.
"""
