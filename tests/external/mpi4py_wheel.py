# SPDX-License-Identifier: BSD-3-Clause
#
# Run by mpi4py_wheel.sh with mpi4py's binary wheel: the ranks are those of one job of SIZE, the library is that of
# FOLDER, and each kind of call that passes something of MPICH's ABI (handles, constants, statuses, callbacks, error
# classes) works. Every rank prints its number. Usage: mpi4py_wheel.py SIZE FOLDER
import sys
from pathlib import Path

from mpi4py import MPI

try:
    import numpy
except ImportError:
    numpy = None


def check(holds, what):
    if not holds:
        sys.exit(f"rank {MPI.COMM_WORLD.rank} of {MPI.COMM_WORLD.size}: {what}")


def library(folder):
    version = MPI.Get_library_version()
    check(version.startswith("MPT "), f"the library says it is {version!r}")
    with Path("/proc/self/maps").open() as maps:
        loaded = {line.split()[-1] for line in maps if "/libmpi" in line}
    check(loaded and all(path.startswith(folder + "/") for path in loaded), f"loaded are {sorted(loaded)}")


def messages(comm):
    right, left = (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size
    for length in 1, 100, 1000000:  # within a cache line, in a message, left for the receiver to fetch
        sent, got, status = bytes([comm.rank]) * length, bytearray(length), MPI.Status()
        request = comm.Isend([sent, MPI.BYTE], right, tag=length)
        comm.Recv([got, MPI.BYTE], MPI.ANY_SOURCE, MPI.ANY_TAG, status)
        request.Wait()
        told = status.Get_source(), status.Get_tag(), status.Get_count(MPI.BYTE)
        check(told == (left, length, length), f"the status says {told}")
        check(got == bytes([left]) * length, f"{length} bytes arrived changed")
    check(comm.sendrecv({"rank": comm.rank}, right, source=left) == {"rank": left}, "an object arrived changed")
    try:
        comm.send(None, comm.size)
        check(False, "a rank that does not exist was sent to")
    except MPI.Exception as error:
        check(error.Get_error_class() == MPI.ERR_RANK, f"a wrong rank is an error of class {error.Get_error_class()}")


def arrays(comm):
    if numpy is None:
        return
    mine = numpy.arange(12.0).reshape(3, 4) + 100 * comm.rank
    column = MPI.DOUBLE.Create_vector(3, 1, 4).Commit()
    got = numpy.empty(3 * comm.size)
    comm.Allgather([mine, 1, column], [got, 3, MPI.DOUBLE])
    column.Free()
    check(
        (got.reshape(comm.size, 3) == [[100 * r, 100 * r + 4, 100 * r + 8] for r in range(comm.size)]).all(), "columns"
    )
    total = numpy.empty_like(mine)
    comm.Allreduce(mine, total)
    check(
        (total == comm.size * numpy.arange(12.0).reshape(3, 4) + 50 * comm.size * (comm.size - 1)).all(),
        "a sum of arrays",
    )


def collectives(comm):
    ranks = list(range(comm.size))
    check(comm.allgather(comm.rank) == ranks, "allgather")
    check(comm.allreduce(comm.rank) == sum(ranks), "allreduce")
    check(comm.allreduce((float(comm.rank), comm.rank), MPI.MAXLOC) == (float(ranks[-1]), ranks[-1]), "MAXLOC")
    check(comm.bcast("root's" if comm.rank == 0 else None) == "root's", "bcast")

    # Maps x -> a x + b modulo 251, one after another: associative, not commutative. The library calls this.
    def compose(left, right, _):
        for i in range(0, len(right), 2):
            a, b = left[i], left[i + 1]
            right[i : i + 2] = bytes([a * right[i] % 251, (a * right[i + 1] + b) % 251])

    operation, pair = MPI.Op.Create(compose, commute=False), MPI.BYTE.Create_contiguous(2).Commit()
    maps, got = [bytes([rank + 2, 3 * rank + 1]) for rank in ranks], bytearray(2)
    comm.Allreduce([maps[comm.rank], 1, pair], [got, 1, pair], operation)
    operation.Free()
    pair.Free()
    wanted = bytearray(maps[-1])
    for each in maps[-2::-1]:
        compose(each, wanted, pair)
    check(got == wanted, f"an operation of the program's own gives {list(got)}, not {list(wanted)}")
    half = comm.Split(comm.rank % 2, -comm.rank)
    check(half.allgather(comm.rank) == ranks[comm.rank % 2 :: 2][::-1], "split")
    half.Free()


def window(comm):
    right, left = (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size
    memory = MPI.Win.Allocate(8, comm=comm)
    memory.Fence()
    memory.Put([comm.rank.to_bytes(8, "little"), MPI.BYTE], right)
    memory.Fence()
    got = int.from_bytes(memory.tomemory().tobytes(), "little")
    memory.Free()
    check(got == left, f"the window holds {got}, not {left}")


def spawned(comm):
    children = comm.Spawn(sys.executable, [__file__, "child"], maxprocs=2)
    check(children.remote_size == 2, f"{children.remote_size} children")
    got = children.allreduce(comm.rank)  # what the other side's sum is
    children.Disconnect()
    check(got == 20 + 21, f"the children's sum is {got}")


def child():
    parent = MPI.Comm.Get_parent()
    got = parent.allreduce(20 + MPI.COMM_WORLD.rank)
    check(got == sum(range(parent.remote_size)), f"the parents' sum is {got}")
    parent.Disconnect()


if sys.argv[1] == "child":
    child()
else:
    world = MPI.COMM_WORLD
    check(world.size == int(sys.argv[1]), f"not one of {sys.argv[1]}")
    library(sys.argv[2])
    for part in messages, arrays, collectives, window, spawned:
        part(world)
    print(f"{world.rank} of {world.size}", flush=True)
