// SPDX-License-Identifier: BSD-3-Clause
// The page's begin, its frames and its state as tests and screen readers see it.
"use strict";

let asked = false;

function redraw() {
  if (asked) return;
  asked = true;
  requestAnimationFrame(frame);
}

function frame() {
  const begun = performance.now();
  const ratio = mpt.ratio;
  const context = mpt.chart.getContext("2d");
  asked = false;
  paintLanes(context, ratio);
  paintOverlay(context, ratio);
  paintMinimap();
  tellView();
  listing();
  mpt.frames++;
  mpt.frameMs = performance.now() - begun;
}

function tellView() {
  const { model } = mpt;
  let calls = 0;
  for (const lane of model.lanes) {
    const [first, last] = callsIn(model, lane, view.from, view.to);
    calls += last - first;
  }
  mpt.view = { from: view.from, to: view.to, calls, arrows: mpt.arrowsDrawn, chosen: mpt.chosen };
  const some = mpt.arrowsDrawn || !shown.arrows ? "" : "; zoom in for messages as arrows";
  document.getElementById("view").textContent =
    `${duration(view.from)} to ${duration(view.to)} (${duration(view.to - view.from)}): ${calls} calls on ${model.lanes.length} lanes${some}`;
}

function resize() {
  mpt.ratio = Math.min(window.devicePixelRatio || 1, 2);
  layout.width = mpt.chart.clientWidth;
  layout.height = mpt.chart.clientHeight;
  layout.names = layout.width < 500 ? 52 : 88;
  mpt.chart.width = Math.round(layout.width * mpt.ratio);
  mpt.chart.height = Math.round(layout.height * mpt.ratio);
  layRows();
  drawMinimap(mpt.ratio);
  redraw();
}

function legend() {
  const { kind, count, about } = mpt.model;
  const used = new Set();
  for (let i = 0; i < count && used.size < KINDS; i++) used.add(kind[i]);
  const items = about.kinds.map((name, i) => [name, i]).filter(([, i]) => used.has(i));
  document.getElementById("legend").replaceChildren(...items.map(([name, i]) => {
    const item = element("li", name);
    const mark = element("i", "");
    mark.style.background = `var(--k${i})`;
    item.prepend(mark);
    return item;
  }));
}

function recolour() {
  readColours();
  drawMinimap(mpt.ratio);
  redraw();
}

/* As the system says, until the button has been used. */
const system = matchMedia("(prefers-color-scheme: dark)");
let themed = false;

function setTheme(dark) {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
}

function switchTheme() {
  themed = true;
  setTheme(document.documentElement.dataset.theme !== "dark");
  recolour();
}

function followSystem() {
  if (themed) return;
  setTheme(system.matches);
  recolour();
}

async function begin() {
  const about = JSON.parse(document.getElementById("about").textContent);
  const columns = await unpack(about, document.getElementById("columns").textContent);
  mpt.frames = 0;
  mpt.chart = document.getElementById("chart");
  mpt.minimap = document.getElementById("minimap");
  mpt.model = modelOf(about, columns);
  mpt.model.density = densityOf(mpt.model.messages, mpt.model.whole);
  Object.assign(mpt, { show, zoom, pan, choose, visit, find, next, search, callAt, layout, factsOf, partnersOf, toX, laneY });
  view.to = mpt.model.whole;
  setTheme(system.matches);
  readColours();
  legend();
  resize();
  listen();
  new ResizeObserver(resize).observe(document.getElementById("stage"));
  system.addEventListener("change", followSystem);
  mpt.ready = performance.now();
}

mpt.frame = frame;
mpt.started = begin();
mpt.started.catch((error) => {
  document.getElementById("view").textContent = `this page cannot be shown: ${error.message}`;
  throw error;
});
