# SPDX-License-Identifier: BSD-3-Clause
"""The header declares every function of OpenSHMEM 1.6 and its profiling twin with exactly the standard's types: a
program that takes all their addresses in pointers of these types compiles without a warning, links and runs."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "launch"))
import api
import harness as h


def program():
    lines = ["#include <shmem.h>", "#include <stdio.h>"]
    table = []
    for f in api.functions():
        for name in (f.name, api.twin(f.name)):
            lines.append(f"static {f.result} (*const to_{name})({f.types()}) = {name};")
            table.append(f"(void (*)(void))to_{name},")
    # reached through volatile memory, so that the linker must find every one
    lines += [
        "int main(void) {",
        "    void (*volatile all[])(void) = {",
        *table,
        "    };",
        "    size_t missing = 0;",
        "    for (size_t i = 0; i < sizeof all / sizeof *all; i++) missing += all[i] == 0;",
        "    shmem_init();",
        '    printf("%zu functions, %zu missing\\n", sizeof all / sizeof *all, missing);',
        "    shmem_finalize();",
        "    return missing != 0;",
        "}",
    ]
    return "\n".join(lines) + "\n"


STRICT = ["-Wall", "-Wextra", "-Werror", "-Wno-cast-function-type", "-Wno-deprecated-declarations"]
text = program()
for flags in (["-O0"], ["-O2"], ["-O2", "-DSHMEM_NO_GENERICS"]):
    name = "prototypes" + "".join(flags)
    r = h.oshrun(1, h.build(text, name, [*STRICT, *flags]))
    expected = f"{2 * len(api.functions())} functions, 0 missing\n"
    h.expect(r.status == 0 and r.out == expected, f"{flags}: expected {expected!r}", r)
h.finish()
