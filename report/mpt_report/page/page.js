/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Draws the plots with the page's colours and draws them again when the theme changes. Without it
 * the page is still whole: every figure also stands in a table.
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
    document.querySelectorAll(".chart").forEach(draw);
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
    drawAll();
  });
  addEventListener("afterprint", function () {
    if (!before) { return; }
    if (before.theme) { root.dataset.theme = before.theme; } else { delete root.dataset.theme; }
    before.closed.forEach(function (one) { one.open = false; });
    before = null;
    drawAll();
  });
  drawAll();
})();
