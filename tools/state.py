#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Check that what a layer knows of its PE lies in the layer's state.

That is one struct for the process and one for each thread (docs/adr/0040). All
other writable data of libmpt's objects, static or not, is an error, unless it is
exempt below with a reason. Layers that are not done yet may have some, and never
more than before.
Usage: state.py SOURCE_FOLDER BUILD_FOLDER [--list]. Prints each breach and exits 1
if there is one; --list: prints all that lies elsewhere in layers not done yet, too.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from layers import objects

# Layer: its state, and how many other writable objects it has. That may only fall.
STATE = {
    "core": (r"core_(state|thread)", 0),
    "coll": (r"coll_(state|thread)", 0),
    "shmem": (r"shmemi(_state|_thread)?", 1),
    "mpi": (r"mpii_(state|thread)", 13),
    "pvm": (r"pvmi(_state|_thread)?", 5),
    "am": (r"ami(_state|_thread)?", 0),
    "splitc": (r"splitci(_state|_thread)?", 2),
}
EXEMPT = {
    r"mpt_\w+": "public names: what programs and fronts have inlined, or refer to",
    "core_params": "what the environment says, read once",
    "core_tcp": "the state of a fabric, whose types only its files know",
    "core_ofi": "the same of the other one",
    "core_ofi_lib": "functions of libfabric, once it is loaded",
    "core_pmix": "functions of libpmix, once it is loaded, and the name it has given this process",
    r"core_task_\w+": "of a process whose PEs are tasks, not of a PE (core/task)",
    "hw": "functions of hwloc, once it is loaded, and what it has read of the machine (core/topo/topology.c)",
}
# Of `objdump -t`: section, then size and name. Data that is only written when it is loaded (.data.rel.ro) is constant.
SYMBOL = re.compile(r"^\S+ .{6}([ O])\s+(\.t?(?:data|bss)\S*|\*COM\*)\s+[0-9a-f]+\s+(?:\.hidden )?(\S+)$", re.M)


def writable(files: list[Path]) -> Iterator[tuple[Path, str]]:
    """Names of objects' data that a program can write to; of static variables of functions without their number."""
    out = subprocess.run(["objdump", "-t", *map(str, files)], capture_output=True, text=True, check=True).stdout
    parts = re.split(r"^(\S.*): +file format .*$", out, flags=re.M)
    for file, text in zip(parts[1::2], parts[2::2], strict=True):
        for kind, section, name in SYMBOL.findall(text):
            is_data = kind == "O" or section == "*COM*" or section.startswith(".t")
            if is_data and not section.startswith(".data.rel.ro") and not name.startswith("."):
                yield Path(file), re.sub(r"\.\d+$", "", name)


def main() -> int:
    root, build = (Path(name).resolve() for name in sys.argv[1:3])
    elsewhere: dict[str, list[str]] = {layer: [] for layer in STATE}
    known = {file: (source, layer) for file, source, layer in objects(root, build)}
    for file, name in writable(list(known)):
        source, layer = known[file]
        if not any(re.fullmatch(form, name) for form in (*EXEMPT, STATE[layer][0])):
            elsewhere[layer].append(f"{source}: {name}")
    bad = 0
    for layer, found in elsewhere.items():
        may = STATE[layer][1]
        if len(found) > may or "--list" in sys.argv:
            print("\n".join(found))
        if len(found) > may:
            print(f"src/{layer}: {len(found)} objects outside of its state, where {may} were: see docs/adr/0040")
            bad += 1
        elif len(found) < may:
            print(f"src/{layer}: {len(found)} objects outside of its state, no longer {may}: say so in state.py")
    print(f"state: {bad} breaches")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
