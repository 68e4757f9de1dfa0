// SPDX-License-Identifier: BSD-3-Clause
// The columns of the page: base64, deflated, each in planes of bytes.
"use strict";

const mpt = (window.mpt = {});

const ARRAYS = {
  u1: Uint8Array, u2: Uint16Array, u4: Uint32Array, i4: Int32Array, f8: Float64Array,
};

function bytesOf(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const letters = atob(text);
  const found = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) found[i] = letters.charCodeAt(i);
  return found;
}

async function inflated(bytes, size) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const found = new Uint8Array(size);
  const reader = stream.getReader();
  let at = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    found.set(part.value, at);
    at += part.value.length;
  }
  return found;
}

function column(raw, about) {
  const made = new ARRAYS[about.type](about.length);
  const width = made.BYTES_PER_ELEMENT;
  const bytes = new Uint8Array(made.buffer);
  if (width === 1) {
    bytes.set(raw.subarray(about.at, about.at + about.length));
    return made;
  }
  for (let plane = 0; plane < width; plane++) {
    const from = about.at + plane * about.length;
    for (let i = 0, to = plane; i < about.length; i++, to += width) bytes[to] = raw[from + i];
  }
  return made;
}

async function unpack(about, text) {
  const raw = await inflated(bytesOf(text), about.size);
  const found = {};
  for (const one of about.columns) found[one.name] = column(raw, one);
  return found;
}
