# SPDX-License-Identifier: BSD-3-Clause
"""Archives that are the same whenever and wherever they are made: of a commit, and of a folder."""

import hashlib
import io
import subprocess
import tarfile
from pathlib import Path


def sha256(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def zipped(data: bytes, file: Path) -> None:
    """By gzip itself, as Python's differs with the library below; without name and time."""
    with file.open("wb") as out:
        subprocess.run(["gzip", "-n", "-9"], input=data, stdout=out, check=True)


def of_commit(root: Path, commit: str, top: str, file: Path) -> None:
    """Its files below a folder `top`, with the commit's time and rights that do not hang on anybody's umask."""
    words = ["git", "-C", root, "-c", "tar.umask=0022", "archive", f"--prefix={top}/", commit]
    zipped(subprocess.run(words, check=True, capture_output=True).stdout, file)


def of_folder(folder: Path, top: str, time: int, file: Path) -> None:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for path in sorted(folder.rglob("*")):
            entry = tar.gettarinfo(path, f"{top}/{path.relative_to(folder)}")
            entry.mtime, entry.uid, entry.gid, entry.uname, entry.gname = time, 0, 0, "", ""
            entry.mode = 0o755 if path.is_dir() or entry.mode & 0o100 else 0o644
            if path.is_file() and not path.is_symlink():
                with path.open("rb") as content:
                    tar.addfile(entry, content)
            else:
                tar.addfile(entry)
    zipped(made.getvalue(), file)
