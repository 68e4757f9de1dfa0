// SPDX-License-Identifier: BSD-3-Clause
// Mouse, fingers and keys.
"use strict";

const CLICK = 4; // pixels that a click may move

function place(event) {
  const box = mpt.chart.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
}

function onWheel(event) {
  const [x] = place(event);
  event.preventDefault();
  if (x < layout.names && !event.ctrlKey) {
    scrollTo(layout.scroll + event.deltaY);
    redraw();
  } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
    pan((event.deltaX || event.deltaY) / 1000);
  } else zoom(Math.exp(Math.max(-1, Math.min(event.deltaY / 300, 1))), toTime(Math.max(x, layout.names)));
}

const pointers = new Map();
let drag = null;

function onDown(event) {
  const [x, y] = place(event);
  mpt.chart.setPointerCapture(event.pointerId);
  pointers.set(event.pointerId, [x, y]);
  if (pointers.size === 2) {
    drag = { pinch: spread(), at: toTime(middle()) };
    return;
  }
  const range = event.shiftKey || y < RULER;
  drag = { x, y, range, from: view.from, to: view.to, scroll: layout.scroll, moved: false };
}

function spread() {
  const [a, b] = [...pointers.values()];
  return Math.max(Math.hypot(a[0] - b[0], a[1] - b[1]), 1);
}

function middle() {
  const [a, b] = [...pointers.values()];
  return (a[0] + b[0]) / 2;
}

function onMove(event) {
  const [x, y] = place(event);
  if (pointers.has(event.pointerId)) pointers.set(event.pointerId, [x, y]);
  if (!drag) {
    showTip(x, y);
    return;
  }
  document.getElementById("tip").hidden = true;
  if (drag.pinch) {
    if (pointers.size === 2) {
      zoom(drag.pinch / spread(), drag.at);
      drag.pinch = spread();
    }
    return;
  }
  drag.moved = drag.moved || Math.hypot(x - drag.x, y - drag.y) > CLICK;
  if (!drag.moved) return;
  if (drag.range) {
    mpt.range = [drag.x, x];
    redraw();
    return;
  }
  const by = ((drag.x - x) / (layout.width - layout.names)) * (drag.to - drag.from);
  scrollTo(drag.scroll + drag.y - y);
  show(drag.from + by, drag.to + by);
}

function onUp(event) {
  const [x, y] = place(event);
  pointers.delete(event.pointerId);
  if (drag && !drag.pinch && !drag.moved) click(x, y);
  if (drag?.range && drag.moved) {
    const [from, to] = [toTime(Math.min(drag.x, x)), toTime(Math.max(drag.x, x))];
    mpt.range = null;
    show(from, to);
  }
  if (pointers.size === 0) drag = null;
}

function click(x, y) {
  const row = rowAt(y);
  if (row?.host !== undefined && x < layout.names) {
    fold([row.host]);
    return;
  }
  choose(callAt(x, y));
}

function fold(hosts) {
  const unfold = hosts.every((host) => layout.folded.has(host));
  for (const host of hosts) {
    if (unfold) layout.folded.delete(host);
    else layout.folded.add(host);
  }
  layRows();
  redraw();
}

function lanesBy(factor) {
  layout.lane = Math.min(Math.max(Math.round(layout.height1 * factor), 5), 200);
  layRows();
  redraw();
}

function everything() {
  show(0, mpt.model.whole);
}

const KEYS = {
  "+": () => zoom(0.7), "=": () => zoom(0.7), w: () => zoom(0.7), "-": () => zoom(1 / 0.7), s: () => zoom(1 / 0.7),
  ArrowLeft: () => pan(-0.15), a: () => pan(-0.15), ArrowRight: () => pan(0.15), d: () => pan(0.15),
  ArrowUp: () => walk(-1, 0), ArrowDown: () => walk(1, 0), ",": () => walk(0, -1), ".": () => walk(0, 1),
  Enter: () => follow(), z: () => mpt.chosen !== NONE && visit(mpt.chosen, true),
  Home: everything, 0: everything, Escape: () => choose(NONE), "[": () => lanesBy(0.8), "]": () => lanesBy(1.25),
  PageUp: () => (scrollTo(layout.scroll - layout.height * 0.8), redraw()),
  PageDown: () => (scrollTo(layout.scroll + layout.height * 0.8), redraw()),
  "/": () => document.getElementById("query").focus(), n: () => next(1), p: () => next(-1),
  h: () => fold([...hostsOf(mpt.model).keys()]),
};

function onKey(event) {
  if (event.target.matches?.("input, button, summary") || event.ctrlKey || event.metaKey || event.altKey) return;
  const action = KEYS[event.key];
  if (!action) return;
  event.preventDefault();
  action();
}

function pressed(name, change) {
  const button = document.getElementById(name);
  button.onclick = () => {
    const on = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(on));
    change(on);
    redraw();
  };
}

function listen() {
  const on = (name, action) => (document.getElementById(name).onclick = action);
  mpt.chart.addEventListener("wheel", onWheel, { passive: false });
  mpt.chart.addEventListener("pointerdown", onDown);
  mpt.chart.addEventListener("pointermove", onMove);
  mpt.chart.addEventListener("pointerup", onUp);
  mpt.chart.addEventListener("pointercancel", onUp);
  mpt.chart.addEventListener("pointerleave", () => (document.getElementById("tip").hidden = true));
  document.addEventListener("keydown", onKey);
  mpt.minimap.addEventListener("pointerdown", toMinimap);
  mpt.minimap.addEventListener("pointermove", (event) => event.buttons && toMinimap(event));
  on("closer", () => zoom(0.5));
  on("wider", () => zoom(2));
  on("all", everything);
  on("taller", () => lanesBy(1.25));
  on("flatter", () => lanesBy(0.8));
  on("print", () => window.print());
  on("previous", () => next(-1));
  on("theme", switchTheme);
  pressed("arrows", (value) => (shown.arrows = value));
  pressed("bands", (value) => (shown.bands = value));
  document.getElementById("search").onsubmit = (event) => {
    event.preventDefault();
    next(1);
  };
  document.getElementById("listing").ontoggle = listing;
}

function toMinimap(event) {
  const box = mpt.minimap.getBoundingClientRect();
  const at = ((event.clientX - box.left) / box.width) * mpt.model.whole;
  const half = (view.to - view.from) / 2;
  show(at - half, at + half);
}
