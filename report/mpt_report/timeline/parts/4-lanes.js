// SPDX-License-Identifier: BSD-3-Clause
// Paints lanes into a picture's own pixels: where a pixel holds many calls, the shares of their kinds as a column; else
// the calls. The work of a frame depends on the picture's size, hardly on the trace's.
"use strict";

const LABEL_LEAST = 34; // pixels of a call that shows its name
const STRIP = 5; // of regions
const LABELS = 500;

const paint = { colours: new Uint32Array(KINDS), image: null, pixels: null, width: 0, height: 0, labels: [], mix: null };

function parsed(text) {
  const number = parseInt(text.trim().slice(1), 16);
  return [(number >> 16) & 255, (number >> 8) & 255, number & 255];
}

function pixel([red, green, blue]) {
  return (0xff000000 | (blue << 16) | (green << 8) | red) >>> 0;
}

/** Reads the page's colours; called again when its scheme changes. */
function readColours() {
  const style = getComputedStyle(document.documentElement);
  const named = (name) => style.getPropertyValue(`--${name}`).trim();
  for (let kind = 0; kind < KINDS; kind++) paint.colours[kind] = pixel(parsed(named(`k${kind}`)));
  for (const name of ["paper", "lane", "ink", "soft", "line", "accent", "message", "store", "card"]) paint[name] = named(name);
  paint.kinds = Array.from({ length: KINDS }, (_, kind) => named(`k${kind}`));
  paint.back = pixel(parsed(paint.paper));
  paint.empty = pixel(parsed(paint.lane));
}

/** A colour of its own for each name of a region. */
function regionColour(name) {
  const hue = (name * 137.508) % 360;
  return `hsl(${hue.toFixed(0)} 45% 55%)`;
}

const regionPixels = new Map();
function regionPixel(name) {
  if (!regionPixels.has(name)) {
    const hue = ((name * 137.508) % 360) / 60;
    const part = (shift) => {
      const k = (hue * 60 / 30 + shift) % 12;
      return Math.round(255 * (0.55 - 0.45 * 0.45 * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
    };
    regionPixels.set(name, pixel([part(0), part(8), part(4)]));
  }
  return regionPixels.get(name);
}

/** The level whose bins are at most a pixel wide, or -1 where even the finest are wider. */
function levelOf(lane, perPixel, whole) {
  const finest = whole / lane.bins;
  if (perPixel < finest) return NONE;
  return Math.min(Math.floor(Math.log2(perPixel / finest)), Math.log2(lane.bins));
}

/** Adds a lane's shares to paint.mix, KINDS for each pixel column from `left` on. */
function mixLevel(lane, level, left, scale, perPixel, weight) {
  const { levels, whole } = mpt.model;
  const bins = lane.bins >> level;
  const at = lane.at + (2 * lane.bins - 2 * bins) * KINDS;
  const perBin = whole / bins;
  for (let x = left, to = 0; x < paint.width; x++, to += KINDS) {
    const time = view.from + (x - left) * perPixel;
    const low = Math.min(Math.floor(time / perBin), bins - 1);
    const high = Math.min(Math.max(Math.ceil((time + perPixel) / perBin), low + 1), bins);
    const part = weight / (high - low);
    for (let bin = low; bin < high; bin++) {
      const from = at + bin * KINDS;
      for (let kind = 0; kind < KINDS; kind++) paint.mix[to + kind] += levels[from + kind] * part;
    }
  }
}

/** Paints paint.mix as columns from the bottom up. */
function fillMix(left, top, height) {
  const { pixels, width, colours, mix } = paint;
  const low = Math.max(top, 0);
  const bottom = Math.min(top + height, paint.height);
  for (let x = left, from = 0; x < width; x++, from += KINDS) {
    let sum = 0;
    let y = top + height - 1;
    for (let kind = 0; kind < KINDS; kind++) {
      const share = mix[from + kind];
      if (share <= 0) continue;
      sum += share;
      const until = top + height - Math.round((sum / 255) * height);
      for (; y >= until; y--) if (y >= low && y < bottom) pixels[y * width + x] = colours[kind];
    }
    for (; y >= low; y--) if (y < bottom) pixels[y * width + x] = paint.empty;
  }
}

/** Copies one row of pixels to `height` rows. */
function fillRow(row, left, top, height) {
  for (let y = Math.max(top, 0); y < Math.min(top + height, paint.height); y++) {
    paint.pixels.set(row, y * paint.width + left);
  }
}

/** Paints single calls; of those that share a pixel the longest shows. */
function fillCalls(lane, left, top, height, perPixel, ratio) {
  const { begin, end, kind } = mpt.model;
  const width = paint.width - left;
  const row = paint.row.subarray(0, width);
  const best = paint.best.subarray(0, width);
  row.fill(paint.empty);
  best.fill(0);
  const [first, last] = callsIn(mpt.model, lane, view.from, view.to);
  for (let i = first; i < last; i++) {
    const x = Math.floor((begin[i] - view.from) / perPixel);
    const until = Math.floor((end[i] - view.from) / perPixel);
    const from = Math.max(x, 0);
    const to = Math.min(Math.max(until, from + 1), width);
    const colour = paint.colours[kind[i]];
    if (until - x <= 1) {
      if (from < width && end[i] - begin[i] >= best[from]) {
        best[from] = end[i] - begin[i];
        row[from] = colour;
      }
      continue;
    }
    row.fill(colour, from, to);
    if (to - from > 3) row[to - 1] = paint.empty;
    if (to - from >= LABEL_LEAST * ratio && height >= 13 * ratio && paint.labels.length < LABELS) {
      paint.labels.push({ text: mpt.model.about.names[mpt.model.call[i]], x: from + left, width: to - from, y: top + height / 2 });
    }
  }
  fillRow(row, left, top, height);
}

/** Regions as a strip along the lane's top, handlers within its lower part. */
function fillSpans(lane, left, top, height, perPixel) {
  const spans = mpt.model.spans;
  const strip = Math.min(STRIP * paint.ratio, Math.floor(height / 3));
  const width = paint.width - left;
  for (let i = lane.spans[0]; i < lane.spans[1] && spans.begin[i] < view.to; i++) {
    if (spans.end[i] < view.from) continue;
    const from = Math.max(Math.floor((spans.begin[i] - view.from) / perPixel), 0);
    const to = Math.min(Math.max(Math.floor((spans.end[i] - view.from) / perPixel), from + 1), width);
    const low = spans.region[i] ? top : top + Math.floor(height * 0.7);
    const high = spans.region[i] ? top + strip : top + height;
    const colour = spans.region[i] ? regionPixel(spans.name[i]) : paint.colours[KINDS - 1];
    for (let y = Math.max(low, 0); y < Math.min(high, paint.height); y++) {
      paint.pixels.fill(colour, y * paint.width + left + from, y * paint.width + left + to);
    }
  }
}

function hasRegions(lane) {
  return lane.spans[1] > lane.spans[0];
}

function paintRow(row, left, perPixel, ratio) {
  const model = mpt.model;
  const top = Math.round(rowTop(row) * ratio);
  const height = Math.round((row.height - GAP) * ratio);
  if (top + height < TOP * ratio || top > paint.height || (row.host !== undefined && !row.folded)) return;
  const lanes = row.lanes ?? [row.lane];
  const strip = !row.folded && hasRegions(model.lanes[row.lane]) && height >= 12 * ratio ? STRIP * ratio : 0;
  if (!row.folded && levelOf(model.lanes[row.lane], perPixel, model.whole) === NONE) {
    fillCalls(model.lanes[row.lane], left, top + strip, height - strip, perPixel, ratio);
  } else {
    paint.mix.fill(0);
    for (const lane of lanes) {
      const level = Math.max(levelOf(model.lanes[lane], perPixel, model.whole), 0);
      mixLevel(model.lanes[lane], level, left, ratio, perPixel, 1 / lanes.length);
    }
    fillMix(left, top + strip, height - strip);
  }
  if (strip) fillSpans(model.lanes[row.lane], left, top, height, perPixel);
}

/** All rows in view into the canvas. `ratio` is device pixels per CSS pixel. */
function paintLanes(context, ratio) {
  const canvas = context.canvas;
  if (paint.width !== canvas.width || paint.height !== canvas.height) {
    paint.width = canvas.width;
    paint.height = canvas.height;
    paint.image = new ImageData(canvas.width, canvas.height);
    paint.pixels = new Uint32Array(paint.image.data.buffer);
    paint.row = new Uint32Array(canvas.width);
    paint.best = new Float64Array(canvas.width);
    paint.mix = new Float32Array(canvas.width * KINDS);
  }
  paint.ratio = ratio;
  paint.labels = [];
  paint.pixels.fill(paint.back);
  const left = Math.round(layout.names * ratio);
  const perPixel = (view.to - view.from) / (paint.width - left);
  for (const row of layout.rows) paintRow(row, left, perPixel, ratio);
  context.putImageData(paint.image, 0, 0);
}
