# SPDX-License-Identifier: BSD-3-Clause
"""A headless browser for the tests of the page, and a reader of the pictures it takes; no packages needed."""

from __future__ import annotations

import json
import os
import re
import shutil
import struct
import subprocess
import zlib
from html import unescape
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome-headless-shell")

PROBE = Path(__file__).with_name("probe.js")
A4 = 703  # CSS pixels between the margins of the page's own rule
# A window may not be as narrow as a phone; a frame may.
FRAME = """<!DOCTYPE html><html><body style="margin:0"><iframe src="{page}" width="{width}" height="{height}"
style="border:0"></iframe><script>addEventListener("message", function (event) {{
var out = document.createElement("pre"); out.id = "looked"; out.textContent = event.data;
document.body.appendChild(out);
}});</script></body></html>
"""


def find() -> str | None:
    return next((found for name in NAMES if (found := shutil.which(name))), None)


def call(scratch: Path, *words: str, width: int = 1280, height: int = 1600) -> str:
    """Run the browser once with a profile of its own; its standard output."""
    command = [
        find() or "chromium",
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        "--disable-extensions",
        "--disable-dev-shm-usage",
        "--virtual-time-budget=8000",
        f"--user-data-dir={scratch / 'profile'}",
        f"--window-size={width},{height}",
        *words,
    ]
    scratch.mkdir(parents=True, exist_ok=True)
    env = {**os.environ, "TMPDIR": str(scratch)}  # where it leaves a folder
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False, env=env)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def themed(page: Path, theme: str, probe: str = "") -> Path:
    """A copy of the page in one scheme; with the questions in it for a screen or for paper."""
    text = page.read_text(encoding="utf-8").replace("<html ", f'<html data-theme="{theme}" ', 1)
    if probe:
        at = text.rindex("</body>")
        code = (
            f'<script data-paper="{"yes" if probe == "paper" else "no"}">{PROBE.read_text(encoding="utf-8")}</script>'
        )
        text = f"{text[:at]}{code}{text[at:]}"
    made = page.with_name(f"{page.stem}-{theme}{probe}.html")
    made.write_text(text, encoding="utf-8")
    return made


def look(page: Path, theme: str, width: int, height: int = 1000, paper: bool = False) -> dict:
    """What the page says of itself in a frame so wide, or on a sheet of paper."""
    made = themed(page, theme, "paper" if paper else "screen")
    frame = page.with_name(f"{made.stem}-frame.html")
    frame.write_text(FRAME.format(page=made.name, width=width, height=height), encoding="utf-8")
    text = call(page.parent, "--dump-dom", frame.as_uri(), width=max(width, 600), height=height)
    found = re.search(r'<pre id="looked">(.*?)</pre>', text, re.S)
    assert found, "the page's plots were not drawn in time"
    return json.loads(unescape(found[1]))


def picture(page: Path, theme: str, width: int, height: int) -> Path:
    made = page.with_name(f"{theme}.png")
    call(page.parent, f"--screenshot={made}", themed(page, theme).as_uri(), width=width, height=height)
    return made


def unfilter(kind: int, row: bytearray, above: bytes, step: int) -> None:
    """Undo one of the five filters of PNG, in place."""
    for i in range(len(row)):
        left = row[i - step] if i >= step else 0
        corner = above[i - step] if i >= step else 0
        if kind == 4:
            guess = left + above[i] - corner
            near = min((left, above[i], corner), key=lambda one: abs(guess - one))
        else:
            near = (0, left, above[i], (left + above[i]) // 2)[kind]
        row[i] = (row[i] + near) & 255


def pixels(path: Path) -> list[list[tuple[int, int, int]]]:
    """Rows of a picture's colours; only what browsers write: eight bits, not interlaced."""
    data, at, packed = path.read_bytes(), 8, b""
    head: tuple[int, ...] = ()
    while at < len(data):
        size, name = struct.unpack(">I4s", data[at : at + 8])
        if name == b"IHDR":
            head = struct.unpack(">IIBBBBB", data[at + 8 : at + 8 + size])
        elif name == b"IDAT":
            packed += data[at + 8 : at + 8 + size]
        at += size + 12
    width, height, depth, colour = head[:4]
    assert depth == 8 and colour in (2, 6) and head[6] == 0
    step, raw, above, out = (3 if colour == 2 else 4), zlib.decompress(packed), b"", []
    stride = width * step
    above = bytes(stride)
    for y in range(height):
        start = y * (stride + 1)
        row = bytearray(raw[start + 1 : start + 1 + stride])
        if raw[start]:
            unfilter(raw[start], row, above, step)
        above = bytes(row)
        out.append([(row[x], row[x + 1], row[x + 2]) for x in range(0, stride, step)])
    return out
