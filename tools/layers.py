#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Check that each source file includes only what docs/architecture.md allows.

A folder of src/ may include its own headers, the face headers of the layers
below it, public headers and the system's; the folders inside core, mpi and pvm
may include what the table of folders says. Also checked: file sizes, getenv only
in the parameter table's file, clocks only in clock.h, what
is core's own business, one SPDX line at the top of each file. In a build
folder: external names bear the prefix of their folder, libraries export public
names only, and folders call only those below them.
Usage: layers.py SOURCE_FOLDER [BUILD_FOLDER]. Prints each breach and exits 1 if
there is one.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

# Headers of inline functions that know nothing.
BASE = {"core/base/clock.h", "core/base/hash.h", "core/base/number.h", "core/base/path.h"}
# Layer: the headers of other layers it may include (public headers: by folder include/).
ALLOWED = {
    "core": set(),
    "coll": {"core/check/fatal.h", "core/core.h", "core/wait/meet.h", "core/wait/wake_set.h", *BASE},
    "shmem": {
        "core/core.h",
        "core/base/site.h",
        "core/base/site_call.h",
        "core/check/fatal.h",
        "core/check/landing.h",
        "core/check/memory.h",
        "core/rma/amo.h",
        "coll/coll.h",
    },
    "mpi": {
        "core/core.h",
        "core/wait/bias.h",
        "core/wait/meet.h",
        "core/channel/fastpath.h",
        "core/live/dead.h",
        "core/mem/room.h",
        "core/wait/fiber.h",
        "core/base/site.h",
        *BASE,
        "core/base/param.def",
        "core/base/site_call.h",
        "core/check/fatal.h",
        "core/check/finding.h",
        "core/check/landing.h",
        "core/check/memory.h",
        "core/base/child.h",
        "core/check/watch.h",
        "core/task/task.h",
        "core/base/user_socket.h",
        "coll/algorithms.def",
        "coll/block.h",
        "coll/coll.h",
        "coll/block_half.h",
        "coll/layout.h",
        "coll/meet.h",
        "coll/table.h",
    },  # param.def: variables of MPI_T
    "pvm": {
        "core/core.h",
        "core/base/site.h",
        "core/check/fatal.h",
        "core/channel/fastpath.h",
        *BASE,
        "core/base/child.h",
        "core/base/nearest.h",
        "core/base/user_socket.h",
        "coll/coll.h",
    },
    "am": {"core/core.h", "core/check/fatal.h", "core/channel/fastpath.h", "coll/coll.h", *BASE},
    "splitc": {
        "core/core.h",
        "core/base/site.h",
        "core/check/fatal.h",
        "core/check/memory.h",
        *BASE,
        "coll/coll.h",
        "am/am_core.h",
    },
    "instrument": {"core/check/watch.h"},
    "benchlib": set(),  # leaves: not even core
    "mptm": set(),
    "predict": set(),  # a program of its own
    "launch": {
        "core/job/asked.h",
        "core/job/start.h",
        "core/base/child.h",
        "core/base/empty.h",
        "core/base/nearest.h",
        "core/live/leash.h",
        "core/mem/wire.h",
        "core/check/report.h",
        "core/base/json.h",
        "core/trace/folder.h",
        "core/trace/record.h",
        "core/live/supervise.h",
        "core/task/task.h",
        *BASE,
        "core/base/param.h",
        "core/base/error.h",
        "core/topo/cores.h",
        "core/topo/topology.h",
    },
}
# Folder of a layer: the others whose headers its files include. "": the headers on top (core.h, mpii.h, ...), which all
# may include. It tells includes only: what is declared on top may be called from everywhere, unless the layer has an
# ORDER. No two folders include each other.
FOLDERS = {
    "core": {
        "": "adversary base channel check job live mem net rma topo trace wait",
        "adversary": "base task",
        "base": "",
        "channel": "adversary base live mem rma wait",
        "check": "base rma task",
        "job": "adversary base channel live rma task topo",
        "live": "base check mem rma task topo wait",
        "mem": "base task",
        "net": "base channel rma task",
        "rma": "adversary base task",
        "task": "base",
        "topo": "",
        "trace": "base task",
        "wait": "adversary base rma task",
    },
    "mpi": {
        # state.h: of each its own
        "": "check collective comm dyn env front ft io p2p request rma rt start tool trace type ulfm",
        "check": "",
        "collective": "check ft p2p rt topo type",
        "comm": "ft",
        "dyn": "comm ft p2p rt",
        "env": "io rma rt",
        "fortran": "collective front",
        "front": "collective p2p rt type",
        "front_malloc": "",
        "front_mpich": "front",
        "ft": "rt",
        "io": "check collective comm ft type ulfm",
        "p2p": "check ft request rt type",
        "request": "check ft rt",
        "rma": "check comm dyn ft rt type ulfm",
        "rt": "",
        "start": "env ft p2p request rma rt ulfm",
        "tool": "start",
        "topo": "comm",
        "trace": "",
        "traced": "io rma trace",
        "type": "",
        "ulfm": "comm ft p2p rt",
    },
    "pvm": {
        "": "front group mbox msg output pack spawn vm",
        "console": "",
        "fortran": "",
        "front": "",
        "group": "",
        "mbox": "msg",
        "msg": "pack",
        "output": "msg vm",
        "pack": "",
        "spawn": "msg output pack",
        "task": "msg",
        "vm": "front",
    },
}
# Layer: its folders from the bottom up; consoles, and fronts without files in the layer's objects, are above all. Files
# call functions of their own folder and of those before it, as the symbols of their objects tell, ...
ORDER = {
    "core": "base task adversary mem check topo wait rma trace live channel net job",
    "mpi": "rt env ft type check trace request p2p collective comm dyn topo ulfm start rma front tool io traced",
    "pvm": "vm pack msg output task group spawn mbox",
}
# ... and these, which are called from below.
UP = {
    "core_progress": "whatever waits makes progress meanwhile",
    "core_job_check": "a wait that lasts looks whether anybody is left who could end it",
    "core_job_check_loop": "the same of a loop over tests",
    "core_poller_look": "and whether such a loop is a wait",
    "core_channel_traffic": "which a PE that does something has",
    "core_segment_map_whole": "a process whose PEs are tasks maps the job before they begin",
    "mpt_fast": "everybody's",
    "mpii_state": "everybody's",
    "mpii_thread": "everybody's",
    "mpii_started": "most calls ask whether MPI is up",
    "mpii_world_up": "or has been, of what lives longer",
    "mpii_check_session": "or whether a session is",
    "mpii_pset_group": "sessions know process sets, the calls that make groups want them",
    "mpii_error": "checks of arguments raise errors, of which env knows the handlers",
    "mpii_bad_handle": "which say what a stale handle was",
    "mpii_rma_epoch_left": "the end of MPI tells epochs that are open",
    "mpii_basic_types": "a table that checks look at",
    "mpii_type_first_used": "such a type is made when its handle is first seen",
    "mpii_comm_release": "what holds a communicator gives it back",
    "mpii_group_find": "the dead are found in groups",
    "mpii_comm_on_node": "whether a communicator has a block is a matter of where its members are",
    "mpii_topo_hold": "a communicator's topology goes with it",
    "mpii_topo_release": "a communicator's topology goes with it",
    "mpii_topo_neighbours": "of whom neighbourhood collectives are",
    "mpii_procs_hash": "communicators across jobs name processes by what dyn knows of them",
    "mpii_procs_in": "in messages",
    "mpii_procs_out": "in messages",
    "mpii_proc_before": "and orders them so",
    "mpii_dyn_appnum": "an attribute of the world that a spawn decides",
    "mpii_dyn_asked": "what was asked for when this job was spawned is in MPI_INFO_ENV",
    "mpii_win_attr": "attributes of windows",
    "mpii_win_attrs": "attributes of windows",
    "mpii_traced_start": "the start of MPI has calls recorded",
    "mpii_rma_quicken_troubled": "windows notice deaths",
    "pvmi": "everybody's",
    "pvmi_enrol": "each call enrols the task in PVM",
    "pvmi_offer_drop": "a buffer's message that is still offered goes with it",
    "pvmi_offer_there": "or is kept as long as it is",
    "pvmi_queue_remove": "a buffer that is freed may wait in a queue",
    "pvmi_system_takes": "messages to the system are for who spawns",
    "pvmi_group_forget": "what is known of a task that has ended is forgotten everywhere",
    "pvmi_mbox_forget": "what is known of a task that has ended is forgotten everywhere",
}
# Public headers each layer may include; faces may not include another face's.
PUBLIC = {
    "core": ("mpt/fast.h", "mpt/trace.h", "mpt/version.h"),
    "coll": ("mpt/fast.h",),
    "launch": ("mpt/fast.h", "mpt/version.h"),
    "shmem": ("mpt/", "shmem.h", "shmemx.h", "mpp/"),
    "mpi": ("mpt/fast.h", "mpt/version.h", "mpi.h", "calls.h", "mpich_calls.h", "mpich_tables.h"),  # generated ones too
    "pvm": ("mpt/fast.h", "mpt/version.h", "pvm3.h", "pvm_names.h"),
    "am": ("mpt/fast.h", "am.h"),
    "splitc": ("mpt/", "split-c/", "am.h"),
    "benchlib": ("benchlib.h",),
    "mptm": ("mptm.h",),
}
# How external names begin that stay inside the library; one that is a prefix alone is the layer's state.
PREFIX = {
    "core": r"core_",
    "coll": r"coll_",
    "shmem": r"shmemi(_|$)|shmemf_",
    "mpi": r"mpii_",
    "pvm": r"pvmi(_|$)",
    "am": r"ami(_|$)",
    "splitc": r"splitci(_|$)",
}
# Library: how the names begin that it may export, INTERPOSED ones apart. libmpt_core.a is for unit tests and not
# installed.
CRAY = r"_?(my_pe|num_pes)_?$|p?start_pes_?$|sh(malloc|free|realloc|memalign)$|shp(alloc|deallc|clmove)_$"
EXPORTS = {
    "libmpt": rf"p?shmemx?_|am_|gam_|sc_|mpt_|{CRAY}",
    "libmpi": r"P?MPI[XR]?_",
    "libmpich": r"P?MPI[XR]?_",
    "libmpi_abi": r"P?MPIX?_|mpt_",
    "libmpifort_abi": r"P?MPIX?_|mpt_|p?mpix?_|__(mpt_)?p?mpi\w*_MOD_|mpif_",
    "libpvm3": r"l?pvm",
    "libmpt_pvm3": r"l?pvm",
    "libgpvm3": r"pvm|Pvm|gs_",
    "libmpt_gpvm3": r"pvm|Pvm|gs_",
    "libfpvm3": r"pvm",
    "libmpt_splitc": r"$",
    "libmptcheck": r"__tsan_|Annotate|mptcheck_|instrument_",
    "libbenchlib": r"bl_|l(gath|scat|getv|setv|putp|putv)",
    "libmptm": r"mptm_|(sin|cos|exp|log|sqrt)$",
}
INTERPOSED = {
    "malloc",
    "calloc",
    "realloc",
    "free",
    "memalign",
    "aligned_alloc",
    "posix_memalign",
    "malloc_usable_size",
    "fork",
}
WAITERS = {"core"}  # may look into one
WAITER_FIELDS = "spins|phase|rung|yields|sleep_ns|spin_end|waited_long|began_us|where|watch|watch_n"
MAX_LINES = 600
GENERATED = {"mpi.h"}  # committed, but written by a tool
CLOCK = re.compile(r"\b(clock_gettime|clock_getres|gettimeofday|_*rdtscp?) *\(")
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.M)


def breaches_of(root: Path, file: Path) -> list[str]:
    text = file.read_text()
    layer = file.relative_to(root / "src").parts[0]
    found = []
    for name in INCLUDE.findall(text):
        first = name.split("/")[0]
        if first == layer:
            continue
        if (file.parent / name).exists():
            if first in ALLOWED:  # the compiler looks beside the file first
                found.append(f"includes {name} beside it, in a folder called like the layer {first}")
            continue
        if first in ALLOWED and "/" in name and (root / "src" / name).exists():
            if name not in ALLOWED[layer]:
                found.append(f"includes {name}: layer {layer} may include only {sorted(ALLOWED[layer])} of others")
        elif not name.startswith(PUBLIC.get(layer, ("mpt/fast.h",))):
            found.append(f"includes {name}, which is not a header layer {layer} may use")
    if re.search(r"\b(secure_)?getenv *\(", text) and not file.name.startswith("param"):
        found.append("calls getenv: parameters are read in core/base/param.c only")
    if layer != "core" and "core_peers" in text:
        found.append("looks into core_peers: that is what core/channel/fastpath.h is for")
    for name in set(re.findall(r"struct core_waiter \*?(\w+)", text)) if layer not in WAITERS else ():
        if re.search(rf"\b{name}(\.|->)({WAITER_FIELDS})\b", text):
            found.append(f"looks into the waiter {name}: ask core_wait_*")
    if CLOCK.search(text) and file.name != "clock.h":
        found.append("reads a clock: ask core/base/clock.h")
    return found


def unread(root: Path) -> Iterator[str]:
    for folder in sorted({file.parent for file in (root / "src").rglob("*.c")}):
        if not (folder / "README.md").exists():
            yield f"{folder.relative_to(root)}: has no README.md that says what it is for and what to read first"


def folder_breaches(root: Path) -> Iterator[str]:
    """Folders inside a layer include what FOLDERS says, and all of that."""
    for layer, allowed in FOLDERS.items():
        unused = {(folder, other) for folder, others in allowed.items() for other in others.split()}
        for file in sorted((root / "src" / layer).rglob("*")):
            if file.suffix not in {".c", ".h", ".def"}:
                continue
            own = file.parent.relative_to(root / "src" / layer).as_posix().removeprefix(".")
            where = file.relative_to(root)
            if own not in allowed or (not own and file.suffix == ".c" and file.name != "state.c"):
                yield f"{where}: belongs in a folder, one that {Path(__file__).name} knows"
                continue
            for name in INCLUDE.findall(file.read_text()):
                part = name.split("/")
                if part[0] != layer or len(part) < 3 or part[1] == own:
                    continue
                if part[1] not in allowed[own].split():
                    yield f"{where}: includes {name}: {layer}/{own} may include only {allowed[own].split()} of others"
                unused.discard((own, part[1]))
        for own, other in sorted(unused):
            yield f"src/{layer}/{own}: includes nothing of {other} any more: {Path(__file__).name} need not allow it"


def common_breaches(file: Path) -> list[str]:
    lines = file.read_text().splitlines()
    found = []
    if len(lines) > MAX_LINES and file.name not in GENERATED:
        found.append(f"has {len(lines)} lines, more than {MAX_LINES}")
    if not any("SPDX-License-Identifier" in line for line in lines[:3]):
        found.append("has no SPDX line at its top")
    return found


def external(file: Path, table: str) -> Iterator[tuple[str, str]]:
    """Visibility and name of what an object, archive or shared library defines for others."""
    out = subprocess.run(["readelf", "-W", table, str(file)], capture_output=True, text=True, check=True).stdout
    for line in out.splitlines():
        field = line.split()  # number, value, size, type, binding, visibility, section, name
        if len(field) == 8 and field[4] in {"GLOBAL", "WEAK", "UNIQUE"} and field[6].isdigit():
            yield field[5], field[7].split("@")[0]


def objects(root: Path, build: Path) -> Iterator[tuple[Path, Path, str]]:
    """The objects that libmpt is made of: file, source below root or build, layer."""
    folder = build / "CMakeFiles"
    for file in sorted(folder.glob("mpt_objects_*.dir/**/*.o")):
        source = Path(*file.relative_to(folder).parts[1:]).with_suffix("")
        if any((top / source).exists() for top in (root, build)):  # else of a file that is no more
            yield file, source, source.parts[1] if source.parts[0] == "src" else "mpi"  # generated


def name_breaches(root: Path, build: Path) -> Iterator[str]:
    """External names in the objects of libmpt: what is hidden has its layer's prefix, all else is public."""
    for file, source, layer in objects(root, build):
        for visibility, name in external(file, "--syms"):
            if visibility == "DEFAULT" and not re.match(EXPORTS["libmpt"], name):
                yield f"{source}: {name} is exported, but not public"
            elif visibility != "DEFAULT" and not re.match(PREFIX[layer], name):
                yield f"{source}: {name} lacks the prefix of its layer, {PREFIX[layer]}"


def call_breaches(root: Path, build: Path) -> Iterator[str]:
    """Folders that use what a folder above them in ORDER defines."""
    sources = {str(file): source for file, source, layer in objects(root, build) if layer in ORDER}
    out = subprocess.run(["nm", "-A", *sources], capture_output=True, text=True, check=True).stdout
    symbols = re.findall(r"^(.*?):[0-9a-f ]+ (\w) (\S+)$", out, re.M)
    defined = {name: sources[file].parts for file, kind, name in symbols if kind in "BCDRTVW"}
    for file, kind, name in symbols:
        parts, definer = sources[file].parts, defined.get(name, ())
        if kind != "U" or name in UP or definer[1:2] != parts[1:2] or len(definer) < 4 or len(parts) < 4:
            continue
        layer, user = parts[1], parts[2]
        order = ORDER[layer].split()
        if not {user, definer[2]} <= set(order):
            yield f"{sources[file]}: uses {name} of {layer}/{definer[2]}: where do the two folders stand in ORDER?"
        elif order.index(user) < order.index(definer[2]):
            yield f"{sources[file]}: uses {name} of {layer}/{definer[2]}, which lies above {layer}/{user}"


def export_breaches(build: Path) -> Iterator[str]:
    for file in sorted((build / "lib").glob("lib*")):
        library = file.name.split(".")[0]
        if file.is_symlink() or library == "libmpt_core" or file.read_bytes()[:4] not in {b"\x7fELF", b"!<ar"}:
            continue
        if library not in EXPORTS:
            yield f"{file.name}: what may it export? {Path(__file__).name} does not say"
            continue
        for visibility, name in external(file, "--dyn-syms" if ".so" in file.name else "--syms"):
            # Archives of the faces are not joined: of what is hidden there, too, the names count.
            if name not in INTERPOSED and not re.match(EXPORTS[library], name):
                yield f"{file.name}: exports {name} ({visibility.lower()})"


def main() -> int:
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    bad = 0
    for text in (*folder_breaches(root), *unread(root)):
        print(text)
        bad += 1
    if len(sys.argv) > 2:
        build = Path(sys.argv[2]).resolve()
        for text in (*name_breaches(root, build), *call_breaches(root, build), *export_breaches(build)):
            print(text)
            bad += 1
    for folder in ("src", "include", "bench", "tests", "tools"):
        for file in sorted((root / folder).rglob("*")):
            if file.suffix not in {".c", ".h", ".def", ".py", ".fh", ".f90", ".F90", ".sh"}:
                continue
            found = common_breaches(file)
            if folder == "src" and file.suffix in {".c", ".h", ".def"}:
                found += breaches_of(root, file)
            for text in found:
                print(f"{file.relative_to(root)}: {text}")
            bad += len(found)
    print(f"layers: {bad} breaches")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
