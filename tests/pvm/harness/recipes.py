# SPDX-License-Identifier: BSD-3-Clause
"""What is compiled of PVM's examples, and how each of them is run and looked at."""

from dataclasses import dataclass, field

from machines import Step

# Program: its source below the folder of the examples, options. Those that PVM's own makefiles name, and the rest.
C = {
    name: (f"examples/{name}.c", "")
    for name in """gexample gmbi hello hello_other inherit1 inherit2 inherit3 inherita inheritb lmbi master1 mbox
     mhf_server mhf_tickle ptest rme slave1 spmd task0 task1 task_end timing timing_slave""".split()
}
C |= {name: (f"gexamples/{name}.c", "") for name in "ge gexamp gs joinleave thb tjf tjl tnb trsg tst".split()}
C |= {
    "dbwtest": ("examples/bwtest.c", "-DPACK -DENCODE=PvmDataDefault"),
    "ibwtest": ("examples/bwtest.c", "-DPACK -DENCODE=PvmDataInPlace"),
    "rbwtest": ("examples/bwtest.c", "-DPACK -DENCODE=PvmDataRaw"),
    "pbwtest": ("examples/bwtest.c", ""),
}
WITH_TASKF = "task0 task1 task_end rme lmbi gmbi".split()  # these have taskf.c besides
FORTRAN = {
    "fgexample": "examples/gexample.f",
    "fmaster1": "examples/master1.f",
    "fslave1": "examples/slave1.f",
    "fspmd": "examples/spmd.f",
    "hitc": "examples/hitc.f",
    "hitc_slave": "examples/hitc_slave.f",
    "frsg": "gexamples/frsg.f",
}
# Debian's binaries under other names
RENAMED = {"hello": "hello.pvm", "gs": "gs.pvm"}


UNORDERED = {"family"}  # of tests/pvm/programs: several tasks print


@dataclass
class Recipe:
    name: str
    steps: list[Step]
    numbers: bool = False  # numbers are times: their values do not count
    order: bool = True  # of the lines; False where several tasks print
    shared: bool = False  # several programs in one machine
    kept: bool = True  # by a task besides; False where the first program is there to the end
    drop: str | None = None  # lines that are not compared
    needs: list[str] = field(default_factory=list)
    files: str | None = None  # pattern of files that it leaves: their names count

    def programs(self) -> list[str]:
        return [step.words.split()[0] for step in self.steps] + self.needs


def one(name: str, words: str = "", **more) -> Recipe:
    stdin = more.pop("stdin", None)
    return Recipe(name, [Step(words or name, stdin=stdin, limit=more.pop("limit", 20.0))], **more)


# What one types at mhf_tickle: load a handler for tag 1000, ask for it, end the server, end
TICKLE = "1\n1000\n0\n1\n" + "0\n9\n8\n"

RECIPES = [
    one("hello", needs=["hello_other"]),
    one("master1", order=False, needs=["slave1"]),
    one("fmaster1", order=False, needs=["fslave1"]),
    one("spmd", "starter 4 spmd", order=False, needs=["spmd"]),
    one("fspmd", "starter 4 fspmd", order=False, needs=["fspmd"]),
    one("timing", numbers=True, needs=["timing_slave"], limit=60.0),
    *(
        one(name, f"starter 2 {name}", numbers=True, order=False, needs=[name], limit=60.0)
        for name in ("dbwtest", "ibwtest", "pbwtest", "rbwtest")
    ),
    one("gexample", stdin="10\n3\n", order=False),
    one("fgexample", order=False),
    one("hitc", "starter 1 hitc", order=False, numbers=True, needs=["hitc", "hitc_slave"], limit=60.0),
    one("inherita1", "inherita inherit1", needs=["inherit1", "inherit2"]),
    one("inherita3", "inherita inherit3", needs=["inherit3", "inherit2"]),
    one("inheritb1", "inheritb inherit1", needs=["inherit1", "inherit2"]),
    one("inheritb3", "inheritb inherit3", needs=["inherit3", "inherit2"]),
    one("ge", "starter 1 ge 3", order=False, needs=["ge"], drop="match up|libpvm|group ge size"),
    one("gexamp", "starter 1 gexamp 4", order=False, needs=["gexamp"]),
    one("gs", "starter 1 gs 3", order=False, needs=["gs"], drop="waiting on kids"),
    one("joinleave", "joinleave 300"),
    one("thb", "thb 3", order=False, needs=["tnb"]),
    one("tjf"),
    one("tjl"),
    one("tst"),
    one("trsg", stdin="3\n20\n", order=False),
    one("frsg", stdin="3\n20\n", order=False),
    one("ptest", "starter 2 ptest 2", order=False, needs=["ptest"], limit=60.0),
    one("mbox"),
    one("mbox_several", "mbox minst pers owrit"),
    one("starter", "starter 2 nosuchprogram", order=False),
    Recipe(
        "service",
        [
            Step("task0 clock", back=True),
            Step("task1 clock"),
            Step("gmbi clock"),
            Step("task1 none"),
            Step("rme clock 0"),
            Step("task_end clock 0 d"),
        ],
        shared=True,
    ),
    Recipe(
        "services",
        [
            Step("lmbi 3 dp e"),
            Step("lmbi 2 m w", back=True),
            Step("gmbi *"),
            Step("rme none 0"),
            Step("task_end none 0 d", quiet=True),
        ],
        shared=True,
        drop="pvmgs",
    ),
    Recipe(
        "handlers",
        [Step("mhf_server", back=True), Step("mhf_tickle", stdin=TICKLE)],
        shared=True,
        order=False,
        numbers=True,
        drop="pvmdisplaymhfinfo|handles|Display Message|^message handlers|^mhid|free list",
    ),
]

# Programs that exist as Debian's binaries only. {root} is where its packages are unpacked, {host} this machine.
BINARIES = "tablix2 tablix2_kernel NPpvm".split()
BINARY_RECIPES = [
    Recipe(
        "tablix2",
        [
            Step(
                "tablix2 -n 2 -t 1 -d 1 -o found_ -i {root}/usr/lib/x86_64-linux-gnu/tablix2 "
                "{root}/usr/share/doc/tablix2/examples/hint.xml",
                limit=90.0,
            )
        ],
        numbers=True,
        order=False,
        drop="Copyright",
        needs=["tablix2_kernel"],
        files="found_result*.xml",
    ),
    Recipe(
        "netpipe",
        [
            Step("NPpvm -u 1000 -o receiver", back=True, limit=60.0),
            Step("NPpvm -h {host} -u 1000 -o sender", limit=60.0),
        ],
        numbers=True,
        shared=True,
        kept=False,
        files="sender",
    ),
]
