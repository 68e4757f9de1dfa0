# SPDX-License-Identifier: BSD-3-Clause
"""Connections to a port that say nothing: they take neither all descriptors of the server nor its processor time, and a
client gets through. By the machine's sockets and by TCP; of another user, they are sent away at once. And another user
who takes all names of sockets that can be made of what is to be seen: the server's other ranks can listen all the
same."""

import os
import pathlib
import re
import resource
import socket
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "launch"))
import harness as h

PROGRAM = h.BUILD / "tests" / "t_mpi_dyn_strangers"
DESCRIPTORS, KNOCKS = 300, 1500
resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]),) * 2)


def cpu(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def knock(address, family, n):
    """As many connections as are taken within two seconds."""
    found, until = [], time.monotonic() + 2
    while len(found) < n and time.monotonic() < until:
        s = socket.socket(family, socket.SOCK_STREAM)
        s.setblocking(False)
        error = s.connect_ex(address)
        if error in (0, 115):  # EINPROGRESS
            found.append(s)
        else:
            s.close()
            time.sleep(0.002)
    return found


def attempt(what, env, family, other_user=False):
    server = h.start(["sh", "-c", f"ulimit -n {DESCRIPTORS}; exec {PROGRAM}"], env)
    name = server.stdout.readline().strip()
    call, ip, port = re.match(r"mpt:\w{16}\.\w+\.\w+:\w+\.(\w{16}):(\w{8})\.(\w{4})", name).groups()
    if family == socket.AF_UNIX:
        address = f"\0mpt/{call}"
    else:
        address = (socket.inet_ntoa(int(ip, 16).to_bytes(4, sys.byteorder)), socket.ntohs(int(port, 16)))
    if other_user:
        os.seteuid(65534)
    strangers = knock(address, family, KNOCKS)
    if other_user:
        os.seteuid(0)
    h.expect(len(strangers) >= 64, f"{what}: only {len(strangers)} connections")
    time.sleep(0.5)
    before = cpu(server.pid)
    time.sleep(1.5)
    used = cpu(server.pid) - before
    h.expect(used < 0.5, f"{what}: {used:.2f} s of processor time in 1.5 s of waiting")
    held = len(list(pathlib.Path(f"/proc/{server.pid}/fd").iterdir()))
    h.expect(held < (64 if other_user else DESCRIPTORS - 50), f"{what}: the server has {held} descriptors open")
    r = h.run([PROGRAM, name], env, limit=60)
    h.expect(r.status == 0, f"{what}: the client", r)
    r = h.collect(server, 30)
    h.expect(r.status == 0 and "got 42" in r.out, f"{what}: the server", r)
    for s in strangers:
        s.close()


def names_made_of(port):
    """Of the sockets of PE 1, by what everybody can see: the port of PE 0 and the machine's list of sockets."""
    parts = re.match(r"mpt:([\w.]+):([\w.]+):", port)
    numbers = [n for part in parts.groups() for n in part.split(".")]
    seen = re.findall(r"@(mpt/\S+)", pathlib.Path("/proc/net/unix").read_text())
    for first in numbers:
        yield f"mpt/{first}/1"
        yield f"mpt/{first}.1"
        if len(first) == 16:
            yield f"mpt/{(int(first, 16) + 1) % 2**64:016x}"
    for name in seen:
        yield name + "1"
        yield re.sub(r"0$", "1", name)


def squat():
    """The server's rank 1 opens its socket when somebody else has taken what names there are."""
    go = h.SCRATCH / "go"
    server = h.start([h.MPTRUN, "-n", "2", PROGRAM, "after", go])
    port = server.stdout.readline().strip()
    h.expect(port[4:20] not in pathlib.Path("/proc/net/unix").read_text(), "names of sockets tell the job's number")
    taken = []
    os.seteuid(65534)
    for name in set(names_made_of(port)):
        s = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            s.bind("\0" + name)
            s.listen()
            taken.append(s)
        except OSError:
            s.close()  # PE 0 has it
    os.seteuid(0)
    h.expect(len(taken) > 4, f"names taken by another user: only {len(taken)}")
    go.touch()
    r = h.run([PROGRAM, port], limit=60)
    h.expect(r.status == 0, "names taken by another user: the client", r)
    r = h.collect(server, 30)
    h.expect(r.status == 0 and "got 42" in r.out, "names taken by another user: the server", r)
    for s in taken:
        s.close()


attempt("by the machine's sockets", {}, socket.AF_UNIX)
attempt("by TCP", {"MPT_PORT_IFACE": "127.0.0.1"}, socket.AF_INET)
if os.geteuid() == 0:
    attempt("another user", {}, socket.AF_UNIX, other_user=True)
    squat()
else:
    print("not tried as another user: not root", flush=True)
r = h.run([h.MPTRUN, "-n", "2", PROGRAM, "poor"])
h.expect(
    r.status == 0 and "cannot listen for other jobs" in r.err, "a rank without a socket: nobody waits for clients", r
)
h.finish()
