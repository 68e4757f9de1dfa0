# SPDX-License-Identifier: BSD-3-Clause
"""C11 generics: for each of the 73 names and each type it serves, with and without a context, a generated function
calls the generic, and the object code must call the function of that very type and return that type.
64-bit Linux gives several TYPENAMEs one C type (long is int64_t and ptrdiff_t); any of these will do.
The same for the overloads that stand for the generics in C++."""

import collections
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "launch"))
import api
import harness as h

Case = collections.namedtuple("Case", "symbol accepted text")


def body(f, generic):
    if f.result == "void":
        return f"{{ {generic}({f.arguments()}); }}"
    return f"{{ SAME_TYPE({generic}({f.arguments()}), {f.result}); return {generic}({f.arguments()}); }}"


def case(f, suffix, params):
    symbol = f"case_{f.name}{suffix}"
    accepted = {f.name.replace(f"_{f.typename}_", f"_{t}_", 1) for t in api.TYPES if api.same_type(t, f.typename)}
    if f.generic == "shmem_wait_until" and api.same_type(f.typename, "long"):
        accepted.add("shmem_wait_until")  # the old function of that very name and type
    plist = ", ".join(f"{t} {n}" for t, n in params)
    return Case(symbol, accepted, f"{f.result} {symbol}({plist}) {body(f, f.generic)}")


def typed_cases():
    for f in (f for f in api.functions() if f.generic and f.typename):
        yield case(f, "", f.params)
        # what may be const in the prototype may also be given without
        loose = [(t.replace("const ", ""), n) for t, n in f.params]
        if loose != f.params:
            yield case(f, "_loose", loose)


def other_cases():
    """The three generics that are not typed: they tell their forms by the first argument."""
    sig = "uint64_t *a, uint64_t s, int pe"
    yield Case(
        "case_sync_team", {"shmem_team_sync"}, "int case_sync_team(shmem_team_t team) { return shmem_sync(team); }"
    )
    yield Case(
        "case_sync_set", {"shmem_sync"}, "void case_sync_set(int s, int l, int n, long *p) { shmem_sync(s, l, n, p); }"
    )
    for op in ("add", "set"):
        yield Case(f"case_{op}", {f"shmem_signal_{op}"}, f"void case_{op}({sig}) {{ shmem_signal_{op}(a, s, pe); }}")
        yield Case(
            f"case_ctx_{op}",
            {f"shmem_ctx_signal_{op}"},
            f"void case_ctx_{op}(shmem_ctx_t c, {sig}) {{ shmem_signal_{op}(c, a, s, pe); }}",
        )


def called(path):
    """The functions each section of an object file calls."""
    done = subprocess.run(["readelf", "-Wr", str(path)], capture_output=True, text=True, check=True)
    calls, section = collections.defaultdict(set), None
    for line in done.stdout.splitlines():
        head = re.search(r"'\.rela?\.text\.(\w+)'", line)
        if head or line.startswith("Relocation"):
            section = head[1] if head else None
        target = re.search(r"\b(p?shmem_\w+)", line)
        if section and target and not head:
            calls[section].add(target[1])
    return calls


C_HEAD = """#include <shmem.h>
#define SAME_TYPE(e, T) _Static_assert(__builtin_types_compatible_p(__typeof__(e), T), "result")
"""
CXX_HEAD = """#include <shmem.h>
#include <type_traits>
#define SAME_TYPE(e, T) static_assert(std::is_same<decltype(e), T>::value, "result")
extern "C" {
"""


def check(wrapper, suffix, head, tail, flags):
    source = h.SCRATCH / f"dispatch{suffix}"
    target = h.SCRATCH / "dispatch.o"
    source.write_text(head + "\n".join(c.text for c in cases) + tail + "\n")
    done = h.run(
        [
            h.BUILD / "bin" / wrapper,
            "-c",
            "-ffunction-sections",
            "-Wall",
            "-Wextra",
            "-Werror",
            *flags,
            source,
            "-o",
            target,
        ],
        limit=120,
    )
    if not h.expect(done.status == 0, f"{wrapper} {flags}: the generics compile", done):
        return
    calls = called(target)
    wrong = [
        f"{c.symbol} calls {sorted(calls[c.symbol])}"
        for c in cases
        if not (calls[c.symbol] and calls[c.symbol] <= c.accepted)
    ]
    h.expect(not wrong, f"{wrapper} {flags}: {len(wrong)} of {len(cases)} choose wrongly, the first: {wrong[:10]}")


cases = list(typed_cases()) + list(other_cases())
covered = {f.generic for f in api.functions() if f.generic} | {"shmem_sync", "shmem_signal_add", "shmem_signal_set"}
h.expect(covered == set(api.GENERICS) and len(covered) == 73, f"generics not covered: {set(api.GENERICS) - covered}")
print(f"{len(cases)} cases of {len(covered)} generics")
for standard in ("c11", "gnu17"):
    check("oshcc", ".c", C_HEAD, "", ["-O0", f"-std={standard}"])
# overloads are inline functions, gone in optimized code; the library's own inlining would hide the calls
check("oshc++", ".cc", CXX_HEAD, "\n}", ["-O2", "-DSHMEM_NO_INLINE", "-std=gnu++17"])
h.finish()
