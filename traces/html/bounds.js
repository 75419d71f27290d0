/* SPDX-License-Identifier: MIT */
/* Bounds, models and the runs by occupancy. */

/* Runs that have no bounds, as a block alone stops before its end: says so. */
function listNoBounds (body)
{
  for (const run of runs.filter((one) => one.bounds.none))
    body.append(make("p", { class: "note" }, (runs.length > 1 ? run.name + ": " : "")
      + run.bounds.none));
}

/* Runs with the same bounds share a drawing. */
function groupRuns ()
{
  const groups = new Map();

  for (const run of runs.filter((one) => !one.bounds.none))
    {
      const key = JSON.stringify([run.bounds.kernel, run.bounds.gpu, run.bounds.order,
        run.bounds.latency_bound, run.bounds.throughput_bound, run.facts.graph]);
      if (!groups.has(key))
        groups.set(key, []);
      groups.get(key).push(run);
    }
  return [...groups.values()];
}

const shownModels = new Set(["volkov-contention", "roofline", "hong"]);

function buildBounds ()
{
  const body = byId("bounds-body");

  listNoBounds(body);
  for (const group of groupRuns())
    {
      const { bounds, facts } = group[0], needed = bounds.needed_occupancy;
      if (group.length < runs.length)
        body.append(make("h3", {}, group.map((run) => run.name).join(", ")));
      body.append(make("dl", { class: "cards" }, [
        ["Latency bound", bounds.latency_bound + " cycles", "a warp with all to itself"
          + (bounds.launch_latency ? ", launch of its block included" : "")],
        ["Throughput bound", bounds.throughput_bound + " cycles a warp", "of " + bounds.tightest],
        ["Needed occupancy", needed === null ? "none is enough" : ratio(needed) + " warps",
          "latency bound / throughput bound"],
        ["Here", bounds.occupancy + " warps", "at most: bound by " + bounds.regime
          + (bounds.estimates ? "; estimates: warps may be faster in company" : "")],
      ].map(([name, value, more]) =>
        make("div", {}, make("dt", {}, name), make("dd", {}, value, make("small", {}, more))))));
      if (bounds.launch_latency > 0)
        body.append(make("p", { class: "note" }, "The latency bound counts "
          + bounds.launch_latency + " cycles for the launch of a block in the place of another. "
          + "The drawing is by the warps that are resident on average, which those that are being "
          + "launched are not, and does not count it."));
      if (!(facts.instructions > 0) || bounds.by_occupancy.length === 0)
        continue;
      const chart = make("div", { class: "chart" }),
        models = facts.models.filter((model) => model.points.length > 0);
      const choices = make("div", {});
      const draw = () => {
        const shown = models.filter((model) => shownModels.has(model.name));
        drawChart(chart, group, shown);
        showSamples(choices, shown);
      };
      body.append(chart, choices);
      choices.append(makeModelChoices(models, draw));
      charts.push(draw);
    }
}

const charts = [];

function makeModelChoices (models, draw)
{
  return make("fieldset", { class: "choices" },
    make("legend", {}, "Models of others (doc/models.md)"), models.map((model) => {
    const box = make("input", { type: "checkbox", checked: shownModels.has(model.name) });
    box.addEventListener("change", () => {
      if (box.checked)
        shownModels.add(model.name);
      else
        shownModels.delete(model.name);
      draw();
    });
    return make("label", { title: model.title, "data-model": model.name }, box, make("span", {}),
      model.name + " (" + model.authors + ", " + model.year + ")");
  }));
}

/* The lines of models are told apart by their dashes. */
const dashOf = (k) => dashes[1 + k % 5];

/* Adds a sample of the line of each model in SHOWN to its name. */
function showSamples (choices, shown)
{
  for (const label of choices.querySelectorAll("label"))
    {
      const k = shown.findIndex((model) => model.name === label.dataset.model);
      label.querySelector("span").replaceChildren(...(k < 0 ? []
        : [makeSample(theme.muted, dashOf(k), "")]));
    }
}

/* What a chart is drawn with: its box, scales, and the lines that no label may cross. */
function makeScales (chart, group, models)
{
  const { bounds, facts } = group[0], wide = clamp(chart.clientWidth || 700, 300, 960),
    high = clamp(wide * 0.5, 260, 420);
  const box = { left: 58, right: wide - 14, top: 26, bottom: high - 46 };
  const toIpc = (throughput) => throughput * facts.instructions;
  const points = group.map((run) =>
    ({ run, warps: run.report.mean_occupancy, ipc: run.report.ipc }));
  const mostWarps = Math.max(...bounds.by_occupancy.map((point) => point.warps),
    ...points.map((point) => point.warps), 1);
  /* Warps are those that are resident on average: while a block is launched in the place of
   * another, its warps are not. So that is no part of the latency here. */
  const latency = bounds.latency_bound - bounds.launch_latency;
  const best = toIpc(1 / bounds.throughput_bound), slope = toIpc(1 / latency);
  const isDrawn = latency > 0 || (latency === 0 && bounds.throughput_bound > 0);
  const needed = isDrawn ? latency / bounds.throughput_bound : null;
  const ridge = needed !== null && needed < mostWarps ? needed : null;
  const all = [...(isDrawn ? [Math.min(best, slope * mostWarps)] : []), 0,
    ...points.map((point) => point.ipc)];
  const seenIpc = models.flatMap((model) =>
    model.points.map((point) => toIpc(point.warp_throughput))).filter((ipc) =>
    ipc <= 1.6 * Math.max(...all));
  const mostIpc = Math.max(...all, ...seenIpc) * 1.15 || 1;

  return {
    wide, high, box, toIpc, points, mostWarps, mostIpc, best, slope, isDrawn, ridge, lines: [],
    x: (warps) => box.left + warps / mostWarps * (box.right - box.left),
    y: (ipc) => box.bottom - ipc / mostIpc * (box.bottom - box.top),
  };
}

function drawChart (chart, group, models)
{
  const scales = makeScales(chart, group, models);
  const { wide, high, box, toIpc, points, mostWarps, mostIpc, best, slope, ridge, x, y, lines }
    = scales;
  const svg = makeSvg("svg", { viewBox: `0 0 ${wide} ${high}`, role: "img", "font-size": 13,
    "aria-label": "Instructions a cycle and SM by occupancy: bounds, models and the simulated "
      + (points.length > 1 ? "points" : "point") });
  const text = (at, up, anchor, what, attributes) =>
    makeSvg("text", { x: at, y: up, "text-anchor": anchor, ...attributes }, what);
  const trace = (line) => line.map(([px, py], i) => (i ? "L" : "M") + px.toFixed(1) + " "
    + py.toFixed(1)).join("");

  svg.append(makeSvg("clipPath", { id: "clip" },
    makeSvg("rect", { x: box.left, y: box.top - 4, width: box.right - box.left,
    height: box.bottom - box.top + 4 })));
  drawChartAxes(svg, box, mostWarps, mostIpc, x, y, text);
  models.forEach((model, k) => {
    const line = model.points.map((point) => [x(point.warps),
      y(Math.min(toIpc(point.warp_throughput), 3 * mostIpc))]);
    lines.push(line);
    svg.append(makeSvg("path", { fill: "none", stroke: theme.muted, "stroke-width": 2,
      "stroke-dasharray": dashOf(k).join(" "), "clip-path": "url(#clip)", d: trace(line) }));
  });
  if (scales.isDrawn)
    {
      const line = [[x(0), y(0)], ...(ridge === null ? [[x(mostWarps), y(slope * mostWarps)]]
        : [[x(ridge), y(best)], [x(mostWarps), y(best)]])];
      lines.push(line);
      svg.append(makeSvg("path", { class: "roofline", fill: "none", stroke: theme.fg,
        "stroke-width": 2.6, d: trace(line) }));
    }
  if (ridge !== null)
    {
      lines.push([[x(ridge), y(best)], [x(ridge), box.bottom]]);
      svg.append(makeSvg("path", { d: trace(lines[lines.length - 1]), stroke: theme.fg,
        "stroke-dasharray": "2 4" }));
    }
  for (const point of points)
    {
      const px = x(point.warps), py = y(point.ipc);
      lines.push([[px - 6, py], [px + 6, py]], [[px, py - 6], [px, py + 6]]);
    }
  points.forEach((point, k) => svg.append(makeMark(k, x(point.warps), y(point.ipc))));
  chart.replaceChildren(svg, labelChart(svg, scales));
}

/* Runs are told apart by the shapes of their marks. */
const shapes = ["M-6.5 0A6.5 6.5 0 1 1 6.5 0A6.5 6.5 0 1 1 -6.5 0Z", "M-6 -6H6V6H-6Z",
  "M0 -7.5L7.5 6H-7.5Z", "M0 -8L8 0L0 8L-8 0Z", "M-7.5 -6H7.5L0 7.5Z",
  "M-2.5 -7H2.5V-2.5H7V2.5H2.5V7H-2.5V2.5H-7V-2.5H-2.5Z"];

const makeMark = (k, px, py) => makeSvg("path", { d: shapes[k % shapes.length], fill: theme.accent,
  stroke: theme.bg, "stroke-width": 1.5,
  transform: `translate(${px.toFixed(1)} ${py.toFixed(1)})` });

const makeKeyMark = (k) => makeSvg("svg", { width: 18, height: 18, viewBox: "-9 -9 18 18",
  "aria-hidden": "true" }, makeMark(k, 0, 0));

/* Labels bounds and points where there is room; returns the key, which has all points, and what had
 * no room. */
function labelChart (svg, scales)
{
  const { wide, high, box, points, x, y, lines, ridge } = scales, key = make("div",
    { class: "legend" });
  const area = { left: box.left + 2, right: wide - 4, top: 2, bottom: box.bottom - 1 };
  const put = (text, places, isBold) => {
    const label = placeLabel(text, places, lines, area, isBold);
    if (label)
      svg.append(label);
    return label !== null;
  };

  if (scales.isDrawn)
    labelBounds(key, scales, put);
  points.forEach((point, k) => {
    const px = x(point.warps), py = y(point.ipc), name = many ? point.run.name : "simulated";
    const said = name + ": " + ratio(point.ipc) + " at " + ratio(point.warps) + " warps";
    const places = [16, 28, 40].flatMap((by) => [by, -by + 8].flatMap((up) =>
      [["start", 11], ["end", -11], ["middle", 0]].map(([anchor, side]) =>
        ({ x: px + (Math.abs(up) > 20 ? side / 3 : side), y: py + up, anchor }))));
    if (points.length > 6 || !put(said, places, true))
      put(name, places, true);
    key.append(make("span", {}, makeKeyMark(k), said));
  });
  return key;
}

function drawChartAxes (svg, box, mostWarps, mostIpc, x, y, text)
{
  const stepX = Math.max(findStep(mostWarps, (box.right - box.left) / 80), 1),
    stepY = findStep(mostIpc, 5);

  for (let warps = 0; warps <= mostWarps + 1e-9; warps += stepX)
    svg.append(text(x(warps), box.bottom + 18, "middle", String(warps), { class: "muted" }));
  for (let k = 0; k * stepY <= mostIpc; k++)
    svg.append(makeSvg("path",
      { d: `M${box.left} ${y(k * stepY)}H${box.right}`, stroke: theme.grid }),
      text(box.left - 7, y(k * stepY) + 4, "end", labelTime(k * stepY, stepY), { class: "muted" }));
  svg.append(makeSvg("path", { d: `M${box.left} ${box.top}V${box.bottom}H${box.right}`,
    stroke: theme.muted, fill: "none" }),
    text((box.left + box.right) / 2, box.bottom + 37, "middle", "warps resident on an SM", {}),
    text(4, 14, "start", "instructions a cycle and SM", {}));
}

function labelBounds (key, { box, mostWarps, best, slope, x, y, ridge }, put)
{
  const until = ridge === null ? mostWarps : ridge;
  const angle = Math.atan2(y(0) - y(slope * until), x(until) - x(0)) * -180 / Math.PI;
  const shares = [0.62, 0.5, 0.75, 0.38, 0.86, 0.25];
  /* Above the rising line, or below it, in its direction. */
  const along = [-8, 17].flatMap((off) => shares.map((share) => {
    const a = angle * Math.PI / 180;
    return { x: x(until * share) - off * Math.sin(a), y: y(slope * until * share)
      + off * Math.cos(a), anchor: "middle", angle };
  }));
  const say = (text, places) => put(text, places) || key.append(make("span", {}, text));

  if (until > 0 && !put("latency bound", along))
    key.append(make("span", {}, makeSample(theme.fg, [], "rising: latency bound")));
  if (ridge === null)
    return;
  if (!put("throughput bound", [-8, 18].flatMap((off) => shares.map((share) =>
    ({ x: x(ridge + (mostWarps - ridge) * share), y: y(best) + off, anchor: "middle" })))
    .concat([{ x: box.right, y: y(best) - 8, anchor: "end" },
      { x: x(ridge) - 4, y: y(best) - 8, anchor: "end" }])))
    key.append(make("span", {}, makeSample(theme.fg, [], "level: throughput bound")));
  say("needed on average: " + ratio(ridge) + " warps", [8, 26, 44, 62].flatMap((up) =>
    [{ x: x(ridge) + 8, y: box.bottom - up, anchor: "start" },
      { x: x(ridge) - 8, y: box.bottom - up, anchor: "end" }]));
}
