# SPDX-License-Identifier: BSD-3-Clause
"""gdb and PEs that are tasks of one process (mptrun --tasks), running or as a core file.

Each task has a thread that never runs. gdb shows on that thread the stack that the task has left, so that `thread
apply all bt` has all PEs, and `mpt tasks`, `mpt bt` and `mpt pe` find the thread of a PE. One thread runs all tasks:
the PE that runs is there. If that is not the first PE, then what the first has left is on the thread of the other.

gdb loads this file with libmpt.so where it trusts the folder (docs/tasks.md). What it reads of the library is in
src/core/task/debug.c.
"""

import contextlib
import struct

import gdb
from gdb.unwinder import Unwinder

VERSION = 2
MANY = 64  # tasks whose symbols are not all read at once
WORDS = (
    "version task_size image_size n tasks board images n_images ready running "
    "stack thread pe ended where bases path first woken"
).split()
# What core_task_swap leaves at the stack pointer of a task: control words first, then these.
SAVED = ("r15", "r14", "r13", "r12", "rbx", "rbp", "rip")
SYSCALL = b"\x0f\x05"


def memory(address, n):
    return bytes(gdb.selected_inferior().read_memory(address, n))


def word(address):
    return struct.unpack("<Q", memory(address, 8))[0]


def half(address):
    return struct.unpack("<I", memory(address, 4))[0]


def text(address):
    """A string of the program's; "" where it cannot be read."""
    got = b""
    try:
        while address and len(got) < 4096 and not got.endswith(b"\0"):
            got += memory(address + len(got), 1)
    except gdb.MemoryError:
        pass
    return got.rstrip(b"\0").decode(errors="replace")


class Task:
    """One PE of the process, as its memory says now."""

    def __init__(self, at, index, layout):
        def field(name):
            return at + layout[name]

        self.index = index
        self.stack, self.thread = word(field("stack")), word(field("thread"))
        self.pe, self.ended = half(field("pe")), memory(field("ended"), 1) != b"\0"
        self.where, self.bases = word(field("where")), word(field("bases"))


class Process:
    """The tasks of the process that is debugged. Its symbols are those of the files of which tasks have copies."""

    def __init__(self, address):
        words = struct.unpack(f"<{len(WORDS)}I", memory(address + 8, 4 * len(WORDS)))
        self.layout = dict(zip(WORDS, words, strict=True))
        self.address = address
        self.files = {}  # that were added, by task: paths and addresses
        self.told = False
        self.ran = None  # of a core file: the task that ran

    def host(self):
        """Address of the table; 0: no tasks, or not yet."""
        return word(self.address) if self.layout["version"] == VERSION else 0

    def tasks(self):
        host, at = self.host(), self.layout
        if not host:
            return []
        first = word(host + at["tasks"])
        return [Task(first + i * at["task_size"], i, at) for i in range(half(host + at["n"]))]

    def running(self):
        """The task that runs; None: not known yet. The board is not in core files."""
        try:
            return half(word(self.host() + self.layout["board"]) + self.layout["running"])
        except gdb.MemoryError:
            return self.ran

    def ready(self, task):
        """Somebody has woken it: of its own process, or another, by the board."""
        at = task.index // 64 * 8
        woken = word(self.host() + self.layout["woken"] + at)
        with contextlib.suppress(gdb.MemoryError):
            woken |= word(word(self.host() + self.layout["board"]) + self.layout["ready"] + at)
        return woken >> task.index % 64 & 1 != 0

    def look(self, pointers):
        """Thread pointers of threads, by the number that the kernel gives them, tell which task runs."""
        carrier = pointers.get(gdb.selected_inferior().pid)
        for task in self.tasks():
            if task.thread == carrier and self.running() is None:
                self.ran = task.index
                gdb.invalidate_cached_frames()

    def add_symbols(self, task):
        """gdb knows the first instances from the loader, which of copies knows a name at most that leads nowhere."""
        if not task.bases or task.index in self.files:
            return
        images, n = word(self.host() + self.layout["images"]), half(self.host() + self.layout["n_images"])
        self.files[task.index] = []
        for i in range(n):
            path = text(word(images + i * self.layout["image_size"] + self.layout["path"]))
            base = word(task.bases + 8 * i)
            try:
                gdb.execute(f'add-symbol-file -o {base:#x} "{path}"', to_string=True)
                self.files[task.index].append((path, base))
            except gdb.error as error:
                print(f"mpt: no symbols of {path}: {error}")

    def remove_symbols(self):
        for added in self.files.values():
            for _, base in added:
                with contextlib.suppress(gdb.error):
                    gdb.execute(f"remove-symbol-file -a {base:#x}", to_string=True)
        self.files = {}


# Process by the number of the inferior. gdb runs this file again for each copy of the library whose symbols are added.
again = hasattr(gdb, "mpt_processes")
known = gdb.mpt_processes = getattr(gdb, "mpt_processes", {})


def process():
    """That of the selected inferior; None: there are no tasks."""
    number = gdb.selected_inferior().num
    if number not in known:
        try:
            known[number] = Process(int(gdb.parse_and_eval("(unsigned long)&mpt_tasks")))
        except (gdb.error, gdb.MemoryError):
            return None
    try:
        return known[number] if known[number].host() else None
    except gdb.MemoryError:
        return None


class FrameId:
    def __init__(self, sp, pc):
        self.sp, self.pc = sp, pc


class Sleeper(Unwinder):
    """The innermost frame of a thread that never runs is in a system call. The one above it is its task's."""

    def __init__(self):
        super().__init__("mpt-tasks")

    def task_of(self, thread_pointer):
        here = process()
        tasks = here.tasks() if here else []
        running = here.running() if here else None
        for task in tasks if running is not None else []:
            if task.thread == thread_pointer and task.index != 0:
                task = tasks[0] if task.index == running else task
                return None if task.index == running or task.ended else task
        return None

    def __call__(self, frame):
        try:
            pc = int(frame.read_register("rip"))
            if memory(pc - 2, 2) != SYSCALL or int(frame.read_register("orig_rax")) != SYS_PAUSE:
                return None
            task = self.task_of(int(frame.read_register("fs_base")))
            if not task:
                return None
            # As if it lay inside of the task's frames, else gdb takes the stack for a damaged one.
            info = frame.create_unwind_info(FrameId(gdb.Value(task.stack), gdb.Value(pc)))
            kind = gdb.lookup_type("unsigned long")
            for i, name in enumerate(SAVED):
                info.add_saved_register(name, gdb.Value(word(task.stack + 8 + 8 * i)).cast(kind))
            info.add_saved_register("rsp", gdb.Value(task.stack + 8 + 8 * len(SAVED)).cast(kind))
            return info
        except (gdb.error, gdb.MemoryError, ValueError):
            return None


SYS_PAUSE = 34


def threads(here):
    """The thread on which gdb shows each task, by the task's index, as the unwinder has it."""
    before, by_number, pointers = gdb.selected_thread(), {}, {}
    try:
        for thread in gdb.selected_inferior().threads():
            thread.switch()
            by_number[thread.ptid[1]] = thread
            pointers[thread.ptid[1]] = int(gdb.newest_frame().read_register("fs_base"))
    finally:
        if before:
            before.switch()
    here.look(pointers)
    carrier, running = gdb.selected_inferior().pid, here.running()
    own = {pointer: by_number[number] for number, pointer in pointers.items() if number != carrier}
    found = {task.index: own.get(task.thread) for task in here.tasks()}
    if running is not None:
        found[0] = found[running]
        found[running] = by_number.get(carrier)
    return found


def state(here, task, running):
    call = text(task.where)
    if task.where and not call:  # in a core file, which leaves constants to the program's file
        here.add_symbols(task)
        call = text(task.where)
    if task.ended:
        return "has ended"
    if task.index != running and here.ready(task):
        return f"can run, in {call}" if call else "can run"
    if call:
        return f"waits in {call}"
    return "runs" if task.index == running else "waits"


def need():
    here = process()
    if not here:
        raise gdb.GdbError("no tasks: this process is one PE, or has not begun")
    return here


def tell(_event=None):
    """When the process stops for the first time with tasks: names of threads, and symbols unless they are many."""
    here = process()
    tasks = here.tasks() if here and not here.told else []
    if not tasks:
        return
    here.told = True
    if len(tasks) <= MANY:
        for task in tasks:
            here.add_symbols(task)
    for index, thread in threads(here).items():
        if thread:
            thread.name = f"PE {tasks[index].pe}"


class Mpt(gdb.Command):
    """PEs that are tasks of this process (mptrun --tasks)."""

    def __init__(self):
        super().__init__("mpt", gdb.COMMAND_STACK, prefix=True)


class Tasks(gdb.Command):
    """List the PEs of this process: thread, state, the call each waits in, and where its copy of the program lies."""

    def __init__(self):
        super().__init__("mpt tasks", gdb.COMMAND_STACK)

    def invoke(self, _argument, _from_tty):
        here = need()
        shown = threads(here)
        tasks, running = here.tasks(), here.running()
        for task in tasks:
            thread = shown.get(task.index)
            number = f"thread {thread.num}" if thread else "no thread"
            images = word(here.host() + here.layout["images"])
            base = word(task.bases) if task.bases else word(images + here.layout["first"])
            print(f"PE {task.pe}: {number}, {state(here, task, running)} (program at {base:#x})")


def find(here, argument):
    """The task of the PE that the user means."""
    tasks = here.tasks()
    if not argument.isdigit() or not any(task.pe == int(argument) for task in tasks):
        raise gdb.GdbError(f"PE {argument}: this process has PEs {tasks[0].pe} to {tasks[-1].pe}")
    return tasks[int(argument) - tasks[0].pe]


def select(here, task, shown, end):
    """Go to the thread that shows a task, and say what the task does."""
    if task.ended or not shown.get(task.index):
        raise gdb.GdbError(f"PE {task.pe} has ended")
    here.add_symbols(task)
    shown[task.index].switch()
    print(f"PE {task.pe} {state(here, task, here.running())}{end}")


class Select(gdb.Command):
    """Select the thread that shows the stack of a PE: mpt pe N."""

    def __init__(self):
        super().__init__("mpt pe", gdb.COMMAND_STACK)

    def invoke(self, argument, _from_tty):
        here = need()
        select(here, find(here, argument.strip()), threads(here), "")
        gdb.execute("frame")


class Backtrace(gdb.Command):
    """The stack of a PE, or of all: mpt bt [N | all]. Without an argument: all."""

    def __init__(self):
        super().__init__("mpt bt", gdb.COMMAND_STACK)

    def invoke(self, argument, _from_tty):
        here, argument, before = need(), argument.strip(), gdb.selected_thread()
        shown = threads(here)
        living = [task for task in here.tasks() if not task.ended]
        try:
            for task in living if argument in ("", "all") else [find(here, argument)]:
                select(here, task, shown, ":")
                gdb.execute("bt")
        finally:
            before.switch()


def forget(event):
    here = known.pop(event.inferior.num, None)
    if here:
        here.remove_symbols()


if not again:
    gdb.unwinder.register_unwinder(None, Sleeper())
    for command in (Mpt, Tasks, Select, Backtrace):
        command()
    gdb.events.stop.connect(tell)
    gdb.events.exited.connect(forget)
    gdb.execute("handle SIG63 nostop noprint pass", to_string=True)  # the timer that interrupts PEs
    if gdb.selected_thread():
        tell()
