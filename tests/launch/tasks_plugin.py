# SPDX-License-Identifier: BSD-3-Clause
"""Libraries that a program loads by dlopen: the same whether PEs are processes or tasks, of C and of C++."""

import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import harness as h
from tasks_same import same

h.need_tasks()


def last_segment_behind(path):
    """Moves the last of the segments that are loaded to the end of the table of program headers (64-bit ELF)."""
    data = bytearray(path.read_bytes())
    (at,), (size, n) = struct.unpack_from("<Q", data, 32), struct.unpack_from("<HH", data, 54)
    heads = [bytes(data[at + i * size : at + (i + 1) * size]) for i in range(n)]
    heads.append(heads.pop(max(i for i in range(n) if struct.unpack_from("<I", heads[i])[0] == 1)))
    data[at : at + n * size] = b"".join(heads)
    path.unlink()
    path.write_bytes(data)


here = pathlib.Path(__file__).resolve().parent
LIBRARY = ("-shared", "-fPIC")
program = h.build(here / "tasks_plugin.c", flags=("-rdynamic", "-ldl", "-lpthread"))
# Thread-local variables by the address of a block, and by descriptors, which other processors have always.
DIALECTS = {"x86_64": ((), ("-mtls-dialect=gnu2",))}
for dialect in DIALECTS.get(h.machine(), ((),)):
    flags = (*LIBRARY, *dialect)
    h.build(here / "tasks_plugin_two.c", "libplugin_two.so", flags)
    needs = (*flags, f"-L{h.SCRATCH}", "-Wl,--no-as-needed", "-lplugin_two", "-Wl,-rpath,$ORIGIN")
    h.build(here / "tasks_plugin_one.c", "libplugin_one.so", needs)
    h.build(here / "tasks_plugin_four.c", "libplugin_four.so", (*flags, "-Wl,-rpath,$ORIGIN"))
    for npes in (2, 5):
        same(f"plugin {' '.join(dialect)}, {npes} PEs", [program, h.SCRATCH], npes=npes)

# Segments behind the headers that can be spared, as patchelf lays them.
last_segment_behind(h.SCRATCH / "libplugin_one.so")
same("plugin, headers as of patchelf", [program, h.SCRATCH], npes=5)

CXX = str(h.BUILD / "bin" / "oshc++")
h.build(here / "tasks_plugin_three.cc", "libplugin_three.so", LIBRARY, CXX, "gnu++17")
user = h.build(here / "tasks_plugin_user.cc", flags=("-rdynamic", "-ldl"), wrapper=CXX, standard="gnu++17")
same("plugin of C++", [user, h.SCRATCH], npes=4)

# Symbols are missing, and the loader is asked not to mind: a word of it, once in each process.
five = h.build(here / "tasks_plugin_five.c", "libplugin_five.so", LIBRARY)
lazy = h.build(here / "tasks_plugin_lazy.c", flags=("-ldl",))
r = h.run([h.MPTRUN, "--tasks=1", "-n", "3", lazy, five])
said = r.err.count("libplugin_five.so (undefined symbol: five_nobody_has_this) can be loaded only once")
h.expect(r.status == 0 and said == 1 and r.out.count("counted") == 3 and "missed" not in r.err, "lazy plugin", r)
h.finish()
