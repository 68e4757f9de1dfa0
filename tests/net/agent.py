# SPDX-License-Identifier: BSD-3-Clause
"""A remote shell between the hosts of hosts.py: both ends. A process of one namespace may not enter another beside it,
so the test itself serves: the agent, called as a launcher calls a remote shell, hands over its words and its three
files; the server starts them by a shell on the host asked for, with the environment such a shell would have, so that
nothing of the caller's goes along unasked. The agent exits with the command's status.
"""

import contextlib
import json
import os
import pathlib
import socket
import subprocess
import sys
import threading


class Server:
    def __init__(self, path, prefixes, env):
        """`prefixes`: the words that run a command on a host, for each of its names."""
        self.path, self.prefixes, self.env = str(path), prefixes, env
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.listener.bind(self.path)
        self.listener.listen(64)
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            try:
                link, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._run, args=(link,), daemon=True).start()

    def _run(self, link):
        with link:
            message, files, _, _ = socket.recv_fds(link, 1 << 17, 3)
            host, *words = json.loads(message)
            child, status = None, 255
            if host in self.prefixes:
                child = subprocess.Popen(
                    [*self.prefixes[host], "sh", "-c", " ".join(words)],
                    env=self.env,
                    cwd="/",
                    stdin=files[0],
                    stdout=files[1],
                    stderr=files[2],
                    start_new_session=True,
                )
            else:
                os.write(files[2], f"agent: no host {host}\n".encode())
            for fd in files:
                os.close(fd)
            if child:
                status = child.wait() % 256
            with contextlib.suppress(OSError):
                link.send(bytes([status]))

    def close(self):
        self.listener.close()
        pathlib.Path(self.path).unlink(missing_ok=True)


def main():
    path, *words = sys.argv[1:]
    while words and words[0].startswith("-"):  # options for a remote shell
        words.pop(0)
    link = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    link.connect(path)
    socket.send_fds(link, [json.dumps(words).encode()], [0, 1, 2])
    answer = link.recv(1)
    sys.exit(answer[0] if answer else 255)


if __name__ == "__main__":
    main()
