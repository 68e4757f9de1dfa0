# SPDX-License-Identifier: BSD-3-Clause
"""A headless browser for the tests of the page, and a reader of the pictures it takes; no packages needed."""

from __future__ import annotations

import json
import re
import shutil
import struct
import subprocess
import zlib
from html import unescape
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome-headless-shell")

# Asked of the page when its plots are drawn: what is wider than the window, what text cannot be read.
PROBE = """
<script>
(function () {
  "use strict";
  function channel(v) { v /= 255; return v <= 0.03928 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4); }
  function parse(text) { var m = text.match(/[\\d.]+/g); return m ? m.map(Number) : [0, 0, 0, 0]; }
  function light(c) { return 0.2126 * channel(c[0]) + 0.7152 * channel(c[1]) + 0.0722 * channel(c[2]); }
  function behind(node) {
    for (; node && node.nodeType === 1; node = node.parentElement) {
      var c = parse(getComputedStyle(node).backgroundColor);
      if (c.length < 4 || c[3] > 0.5) { return c; }
    }
    return [255, 255, 255];
  }
  function contrast(node, colour) {
    var a = light(colour), b = light(behind(node.closest("svg") ? node.closest(".chart") : node));
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  }
  function opacity(node) {
    for (var all = 1; node && node.nodeType === 1; node = node.parentElement) { all *= getComputedStyle(node).opacity; }
    return all;
  }
  function ink(node) {
    var style = getComputedStyle(node);
    return parse(node.closest("svg") ? style.fill : style.color);
  }
  function look() {
    var faint = [], wide = [], texts = 0;
    document.querySelectorAll("body *").forEach(function (node) {
      var own = Array.prototype.some.call(node.childNodes, function (c) { return c.nodeType === 3 && c.data.trim(); });
      if (!own || /^(SCRIPT|STYLE)$/.test(node.tagName)) { return; }
      var box = node.getBoundingClientRect();
      if (!box.width || !box.height || node.closest(".heatmaplayer")) { return; }
      if (node.closest("svg") && opacity(node) < 0.6) { return; }
      texts += 1;
      var found = contrast(node, ink(node));
      if (found < 3) { faint.push(node.tagName + " " + node.textContent.trim().slice(0, 40) + " " + found.toFixed(2)); }
      if (!node.closest(".scroll") && !node.closest("svg") && box.right > innerWidth + 1) {
        wide.push(node.tagName + " " + node.textContent.trim().slice(0, 40));
      }
    });
    var charts = document.querySelectorAll(".chart"), drawn = 0, spilled = [];
    charts.forEach(function (box) {
      if (box.querySelector("svg.main-svg .cartesianlayer")) { drawn += 1; }
      box.querySelectorAll("svg text").forEach(function (t) {
        var a = t.getBoundingClientRect(), b = box.getBoundingClientRect();
        if (a.width && (a.right > b.right + 2 || a.left < b.left - 2 || a.bottom > b.bottom + 2)) {
          spilled.push(box.dataset.spec + ": " + t.textContent);
        }
      });
    });
    var out = document.createElement("pre");
    out.id = "looked";
    out.textContent = JSON.stringify({ width: document.documentElement.scrollWidth, window: innerWidth, texts: texts,
      faint: faint, wide: wide, charts: charts.length, drawn: drawn, spilled: spilled,
      paper: getComputedStyle(document.body).backgroundColor });
    document.body.appendChild(out);
  }
  addEventListener("load", function () { setTimeout(look, 1500); });
})();
</script>
"""


def find() -> str | None:
    return next((found for name in NAMES if (found := shutil.which(name))), None)


def call(scratch: Path, *words: str, width: int = 1280, height: int = 1600) -> str:
    """Run the browser once with a profile of its own; its standard output."""
    command = [find(), "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-extensions",
               "--disable-dev-shm-usage", "--virtual-time-budget=8000", f"--user-data-dir={scratch / 'profile'}",
               f"--window-size={width},{height}", *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=90, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def themed(page: Path, theme: str, probe: bool) -> Path:
    """A copy of the page in one scheme, with the questions in it when asked."""
    text = page.read_text(encoding="utf-8").replace("<html ", f'<html data-theme="{theme}" ', 1)
    if probe:
        at = text.rindex("</body>")
        text = text[:at] + PROBE + text[at:]
    made = page.with_name(f"{theme}{'-probe' if probe else ''}.html")
    made.write_text(text, encoding="utf-8")
    return made


def look(page: Path, theme: str, width: int) -> dict:
    """What the page says of itself in a window so wide."""
    text = call(page.parent, "--dump-dom", themed(page, theme, True).as_uri(), width=width)
    found = re.search(r'<pre id="looked">(.*?)</pre>', text, re.S)
    assert found, "the page's plots were not drawn in time"
    return json.loads(unescape(found[1]))


PAPER = """
<script>
addEventListener("load", function () {
  setTimeout(function () {
    dispatchEvent(new Event("beforeprint"));
    setTimeout(function () {
      var found = [], out = document.createElement("pre");
      document.querySelectorAll(".chart").forEach(function (box) {
        var alone = box.closest(".pair").children.length === 1, svg = box.querySelector("svg.main-svg");
        found.push([box.dataset.spec, alone, svg ? svg.getBoundingClientRect().width : 0]);
      });
      out.id = "paper";
      out.textContent = JSON.stringify({ plots: found, open: document.querySelectorAll("details[open]").length,
        raw: document.querySelectorAll("#all-figures details[open]").length });
      document.body.appendChild(out);
    }, 1500);
  }, 1000);
});
</script>
"""


def printed(page: Path) -> dict:
    """What the page makes ready for paper: each plot, whether it is alone in its row, its width."""
    text = page.read_text(encoding="utf-8")
    at = text.rindex("</body>")
    made = page.with_name("paper.html")
    made.write_text(text[:at] + PAPER + text[at:], encoding="utf-8")
    found = re.search(r'<pre id="paper">(.*?)</pre>', call(page.parent, "--dump-dom", made.as_uri()), re.S)
    assert found, "the page's plots were not drawn in time"
    return json.loads(unescape(found[1]))


def picture(page: Path, theme: str, width: int, height: int) -> Path:
    made = page.with_name(f"{theme}.png")
    call(page.parent, f"--screenshot={made}", themed(page, theme, False).as_uri(), width=width, height=height)
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
    data, at, packed, head = path.read_bytes(), 8, b"", ()
    while at < len(data):
        size, name = struct.unpack(">I4s", data[at:at + 8])
        if name == b"IHDR":
            head = struct.unpack(">IIBBBBB", data[at + 8:at + 8 + size])
        elif name == b"IDAT":
            packed += data[at + 8:at + 8 + size]
        at += size + 12
    width, height, depth, colour = head[:4]
    assert depth == 8 and colour in (2, 6) and head[6] == 0
    step, raw, above, out = (3 if colour == 2 else 4), zlib.decompress(packed), b"", []
    stride = width * step
    above = bytes(stride)
    for y in range(height):
        start = y * (stride + 1)
        row = bytearray(raw[start + 1:start + 1 + stride])
        if raw[start]:
            unfilter(raw[start], row, above, step)
        above = bytes(row)
        out.append([tuple(row[x:x + 3]) for x in range(0, stride, step)])
    return out
