/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Draws the plots with the page's colours, those in sight first, and draws them again when the theme changes; keeps the
 * contents small on a phone; searches; says which tables go on to the right. Without it the page is still whole: every
 * figure also stands in a table.
 */
(function () {
  "use strict";

  var root = document.documentElement, before = null;
  var system = window.matchMedia("(prefers-color-scheme: dark)");

  function variable(name) {
    return getComputedStyle(root).getPropertyValue(name).trim();
  }

  function axis(old) {
    return Object.assign({}, old, {
      gridcolor: variable("--grid"), linecolor: variable("--line"), zeroline: false,
      tickfont: { size: before ? 9 : 12 }, title: Object.assign({ standoff: 8 }, old && old.title)
    });
  }

  /* Where the marks below a plot would lie on each other, every second of them, or third, has to do. */
  var TICK = 46, SIDES = 90;

  function thinned(old, width) {
    var all = old && old.tickvals, step = all ? Math.ceil(all.length * TICK / Math.max(width - SIDES, TICK)) : 1;
    if (step < 2) { return old; }
    function kept(_, place) { return place % step === 0; }
    return Object.assign({}, old, { tickvals: all.filter(kept), ticktext: old.ticktext.filter(kept) });
  }

  /* A column of A4 or letter paper; a plot alone in its row has both. Plots must be drawn for it before it is laid out. */
  var COLUMN = 338, ROW = 690;

  function onPaper(box) {
    var row = box.closest(".pair");
    return row && row.children.length > 1 ? COLUMN : ROW;
  }

  function themed(layout, width, paper) {
    return Object.assign({}, layout, {
      paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
      font: { color: variable("--ink"), family: getComputedStyle(document.body).fontFamily, size: paper ? 10 : 13 },
      width: paper ? width : undefined, autosize: !paper,
      xaxis: axis(thinned(layout.xaxis, width)), yaxis: axis(layout.yaxis),
      hoverlabel: { bgcolor: variable("--card"), bordercolor: variable("--line"), font: { color: variable("--ink") } },
      modebar: { bgcolor: "rgba(0,0,0,0)", color: variable("--soft"), activecolor: variable("--accent") },
      height: (paper && layout.height <= 440 ? 290 : layout.height) + (width < 560 ? legendExtra(layout, paper) : 0)
    });
  }

  /* On a phone the legend takes a line for each curve; give it the room below the plot. */
  function legendExtra(layout, paper) {
    return layout.showlegend === false ? 0 : (paper ? 13 : 18) * (layout.meta && layout.meta.curves || 0);
  }

  function draw(box) {
    var spec = JSON.parse(document.getElementById(box.dataset.spec).textContent);
    var width = before ? onPaper(box) : box.clientWidth;
    Plotly.react(box, spec.data, themed(spec.layout, width, Boolean(before)), {
      responsive: !before, displaylogo: false, modeBarButtonsToRemove: ["lasso2d", "select2d", "autoScale2d"],
      displayModeBar: box.clientWidth < 560 ? false : "hover"
    });
  }

  function drawAll() {
    if (window.Plotly) { document.querySelectorAll(".chart").forEach(draw); }
  }

  /* Those in sight at once, then some at a time, so that a reader may scroll and read meanwhile. */
  var waiting = Array.from(document.querySelectorAll(".chart")), TURN = 100;      /* ms */

  function inSight(box) {
    var at = box.getBoundingClientRect();
    return at.bottom > 0 && at.top < innerHeight;
  }

  function drawSome() {
    var until = performance.now() + TURN, seen = waiting.filter(inSight);
    waiting = waiting.filter(function (box) { return !seen.includes(box); });
    seen.forEach(draw);
    while (waiting.length && performance.now() < until) { draw(waiting.shift()); }
    if (waiting.length) { setTimeout(drawSome, 0); } else { root.dataset.drawn = "all"; }
  }

  /* The plots' library is packed: base64 of gzip. */
  async function unpack(text) {
    var bytes = Uint8Array.from(atob(text), function (c) { return c.charCodeAt(0); });
    var script = document.createElement("script");
    script.textContent = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
    document.head.appendChild(script);
  }

  function plots() {
    var packed = document.getElementById("plotly");
    if (!packed || !waiting.length) { root.dataset.drawn = "all"; return; }
    unpack(packed.textContent).then(drawSome).catch(function () {
      waiting.forEach(function (box) { box.textContent = "This browser cannot unpack the plots; the tables have all figures."; });
    });
  }

  var NARROW = 1200;      /* as in the style sheet */

  function contents() {
    var list = document.querySelector("nav details");
    root.classList.add("live");
    if (!list) { return; }
    list.open = innerWidth >= NARROW;
    list.addEventListener("click", function (event) {
      if (event.target.closest("a") && innerWidth < NARROW) { list.open = false; }
    });
    addEventListener("resize", function () { if (innerWidth >= NARROW) { list.open = true; } });
  }

  function markWide() {
    document.querySelectorAll(".scroll").forEach(function (box) {
      box.classList.toggle("wide", box.querySelector("table").offsetWidth > box.clientWidth + 1);
    });
  }

  var MOST_FOUND = 12, index = null;

  function titleOf(node) {
    var table = node.closest("table");
    return table && node.tagName === "TR" ? table.getAttribute("aria-label") : "";
  }

  function searched() {
    return Array.from(document.querySelectorAll("main h2, main h3, main summary, main tbody tr")).map(function (node) {
      var words = Array.from(node.tagName === "TR" ? node.cells : [node]).map(function (one) { return one.textContent.trim(); });
      return { node: node, words: words.join(" · ").slice(0, 90), under: titleOf(node), all: (titleOf(node) + " " + words.join(" ")).toLowerCase() };
    });
  }

  function show(node) {
    for (var up = node.parentElement; up; up = up.parentElement) { if (up.tagName === "DETAILS") { up.open = true; } }
    if (node.tagName === "SUMMARY") { node.parentElement.open = true; }
    node.scrollIntoView({ block: "center" });
    node.classList.remove("hit");
    void node.offsetWidth;      /* begins the animation anew */
    node.classList.add("hit");
  }

  function search() {
    var field = document.getElementById("search"), out = document.getElementById("found");
    if (!field) { return; }
    field.hidden = false;
    field.addEventListener("input", function () {
      var words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
      index = index || searched();
      out.hidden = !words.length;
      out.textContent = "";
      var hits = words.length ? index.filter(function (one) {
        return words.every(function (word) { return one.all.includes(word); });
      }) : [];
      hits.slice(0, MOST_FOUND).forEach(function (one) {
        var item = out.appendChild(document.createElement("li")), link = item.appendChild(document.createElement("button"));
        link.type = "button";
        link.textContent = one.words;
        if (one.under) { link.appendChild(document.createElement("small")).textContent = one.under; }
        link.addEventListener("click", function () { show(one.node); });
      });
      if (words.length && hits.length !== out.children.length || !hits.length) {
        out.appendChild(document.createElement("li")).textContent = hits.length ? hits.length - MOST_FOUND + " more" : "nothing found";
      }
    });
  }

  document.getElementById("theme").addEventListener("click", function () {
    var dark = root.dataset.theme ? root.dataset.theme === "dark" : system.matches;
    root.dataset.theme = dark ? "light" : "dark";
    drawAll();
  });
  system.addEventListener("change", drawAll);

  /* Paper is white, and what is folded cannot be opened there; the raw figures would be most of it and stay folded. */
  addEventListener("beforeprint", function () {
    if (before) { return; }
    before = { theme: root.dataset.theme, closed: Array.from(document.querySelectorAll("section:not(#all-figures) details:not([open])")) };
    root.dataset.theme = "light";
    before.closed.forEach(function (one) { one.open = true; });
    waiting = [];
    drawAll();
  });
  addEventListener("afterprint", function () {
    if (!before) { return; }
    if (before.theme) { root.dataset.theme = before.theme; } else { delete root.dataset.theme; }
    before.closed.forEach(function (one) { one.open = false; });
    before = null;
    drawAll();
  });
  contents();
  search();
  markWide();
  addEventListener("resize", markWide);
  document.addEventListener("toggle", markWide, true);
  plots();
})();
