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
      if (bounds.launch_latency > 0
        && group.some((run) => run.report.blocks <= run.report.resident_blocks))
        body.append(make("p", { class: "note" }, "The latency bound counts " + bounds.launch_latency
          + " cycles for the launch of a block in the place of another; the first blocks do not "
          + "wait for that, so that so short a run may do better."));
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

const lineOf = (k) => ({ colour: shade(otherColours[k % 4]), dash: dashes[1 + k % 5] });

/* Adds a sample of the line of each model in SHOWN to its name. */
function showSamples (choices, shown)
{
  for (const label of choices.querySelectorAll("label"))
    {
      const k = shown.findIndex((model) => model.name === label.dataset.model);
      label.querySelector("span").replaceChildren(...(k < 0 ? []
        : [makeSample(lineOf(k).colour, lineOf(k).dash, "")]));
    }
}

function drawChart (chart, group, models)
{
  const { bounds, facts } = group[0], wide = clamp(chart.clientWidth || 700, 300, 960),
    high = clamp(wide * 0.5, 260, 420);
  const box = { left: 58, right: wide - 14, top: 26, bottom: high - 46 };
  const toIpc = (throughput) => throughput * facts.instructions;
  const curve = bounds.by_occupancy.filter((point) => point.warp_throughput !== null);
  const points = group.map((run) =>
    ({ run, warps: run.report.mean_occupancy, ipc: run.report.ipc }));
  const mostWarps = Math.max(...bounds.by_occupancy.map((point) => point.warps),
    ...points.map((point) => point.warps), 1);
  const all = [...curve.map((point) => toIpc(point.warp_throughput)),
    ...points.map((point) => point.ipc)];
  const seenIpc = models.flatMap((model) =>
    model.points.map((point) => toIpc(point.warp_throughput))).filter((ipc) =>
    ipc <= 1.6 * Math.max(...all));
  const mostIpc = Math.max(...all, ...seenIpc) * 1.15 || 1;
  const x = (warps) => box.left + warps / mostWarps * (box.right - box.left);
  const y = (ipc) => box.bottom - ipc / mostIpc * (box.bottom - box.top);
  const svg = makeSvg("svg", { viewBox: `0 0 ${wide} ${high}`, role: "img", "font-size": 13,
    "aria-label": "Instructions a cycle and SM by occupancy: bounds, models and the simulated "
      + (points.length > 1 ? "points" : "point") });
  const text = (at, up, anchor, what, attributes) =>
    makeSvg("text", { x: at, y: up, "text-anchor": anchor, ...attributes }, what);

  svg.append(makeSvg("clipPath", { id: "clip" },
    makeSvg("rect", { x: box.left, y: box.top - 4, width: box.right - box.left,
    height: box.bottom - box.top + 4 })));
  drawChartAxes(svg, box, mostWarps, mostIpc, x, y, text);
  models.forEach((model, k) => {
    const { colour, dash } = lineOf(k);
    svg.append(makeSvg("path",
      { fill: "none", stroke: colour, "stroke-width": 2, "stroke-dasharray": dash.join(" "),
      "clip-path": "url(#clip)",
      d: model.points.map((point, i) => (i ? "L" : "M") + x(point.warps).toFixed(1) + " "
        + y(Math.min(toIpc(point.warp_throughput), 3 * mostIpc)).toFixed(1)).join("") }));
  });
  const line = [{ warps: 0, ipc: 0 }];
  const ridge = bounds.needed_occupancy !== null && bounds.needed_occupancy < mostWarps
    ? bounds.needed_occupancy : null;
  const best = toIpc(1 / bounds.throughput_bound), slope = toIpc(1 / bounds.latency_bound);
  if (bounds.latency_bound > 0 && bounds.throughput_bound >= 0)
    line.push(...(ridge === null ? [{ warps: mostWarps, ipc: slope * mostWarps }]
      : [{ warps: ridge, ipc: best }, { warps: mostWarps, ipc: best }]));
  svg.append(makeSvg("path", { fill: "none", stroke: theme.fg, "stroke-width": 2.6,
    d: line.map((point, i) => (i ? "L" : "M") + x(point.warps).toFixed(1) + " "
      + y(point.ipc).toFixed(1)).join("") }));
  labelBounds(svg, box, x, y, text, ridge, best, slope, mostWarps);
  points.forEach((point, k) => {
    const near = x(point.warps) > box.right - 190, low = y(point.ipc) > box.bottom - 50;
    svg.append(makeSvg("circle", { cx: x(point.warps), cy: y(point.ipc), r: 6.5, fill: many
      ? shade(runColours[k % 6]) : theme.accent, stroke: theme.bg, "stroke-width": 2 }));
    svg.append(text(x(point.warps) + (near ? -11 : 11),
      y(point.ipc) + (low ? -12 - 17 * k : 20 + 17 * k), near ? "end" : "start",
      (many ? point.run.name : "simulated") + ": " + ratio(point.ipc) + " at " + ratio(point.warps)
        + " warps", { class: "halo", "font-weight": 600 }));
  });
  chart.replaceChildren(svg);
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

function labelBounds (svg, box, x, y, text, ridge, best, slope, mostWarps)
{
  const until = ridge === null ? mostWarps : ridge;
  const angle = Math.atan2(y(0) - y(slope * until), x(until) - x(0)) * -180 / Math.PI;
  const long = Math.hypot(y(0) - y(slope * until), x(until) - x(0));

  if (long > 150 && Number.isFinite(angle))
    {
      const at = { x: x(until * 0.62), y: y(slope * until * 0.62) };
      svg.append(text(at.x, at.y - 7, "middle", "latency bound",
        { class: "halo",
          transform: `rotate(${angle.toFixed(1)} ${at.x.toFixed(1)} ${at.y.toFixed(1)})` }));
    }
  if (ridge === null)
    return;
  const near = x(ridge) > box.right - 170;
  svg.append(makeSvg("path", { d: `M${x(ridge)} ${y(best)}V${box.bottom}`, stroke: theme.fg,
    "stroke-dasharray": "2 4" }),
    text(x(ridge) + (near ? -6 : 8), box.bottom - 8, near ? "end" : "start",
      "needed: " + ratio(ridge) + " warps", { class: "halo" }));
  svg.append(text(near ? box.right : (x(ridge) + box.right) / 2, y(best) - 9, near ? "end"
    : "middle", "throughput bound", { class: "halo" }));
}
