/* SPDX-License-Identifier: MIT */
/* Draws how many warps it takes to hide all latency, by adds for each load (Volkov 2016, section
 * 4.5): a line for the bounds, and dots for how many the simulation needs to reach 95% of the best
 * throughput at any occupancy. */

const enough = 0.95;
const cusp = { key: "", bounds: [], dots: [], pending: 0 };

const withAdds = (settings, adds) => mend({ ...settings, adds, load: 1 });

function findEnough (settings)
{
  const machine = buildMachine(settings), far = 2.2 * engine.bounds(machine).needed
    + settings.block;
  const plan = planCurve({ ...settings, turns: 2 }).filter((point) =>
    point.residentBlocks * settings.block <= far);
  const points = engine.curve(machine, plan), most = Math.max(...points.map((point) => point.ipc));
  return points.find((point) => point.ipc >= enough * most).residentWarps;
}

/* Computes the line at once, and the dots one by one, so that the page stays responsive. The search
 * for a dot stops at about twice the warps that the bounds ask for. */
function startCusp (settings)
{
  const key = JSON.stringify({ ...settings, warps: 0, adds: 0 }), values = fields.adds.values;

  if (key === cusp.key)
    return;
  clearTimeout(cusp.pending);
  Object.assign(cusp, { key, dots: [], bounds: values.map((adds) => [adds,
    engine.bounds(buildMachine(withAdds(settings, adds))).needed]) });
  const next = () => {
    const adds = values[cusp.dots.length];
    if (adds === undefined)
      return;
    cusp.dots.push([adds, findEnough(withAdds(settings, adds))]);
    drawCusp();
    cusp.pending = setTimeout(next, 15);
  };
  cusp.pending = setTimeout(next, 60);
}

const showsCusp = () => !byId("cusp-part").hidden && isTeaching(app.sides[0])
  && app.sides[0].load === 1;

function drawCusp ()
{
  if (!showsCusp())
    return;
  startCusp(app.sides[0]);
  const run = app.runs[0], element = byId("cusp"), adds = app.sides[0].adds,
    most = Math.max(...fields.adds.values);
  const top = Math.max(...cusp.bounds.map(([, needed]) => needed),
    ...cusp.dots.map(([, needed]) => needed)) * 1.25;
  const chart = makeChart(element, element.clientWidth < 420 ? 230 : 260, describeCusp(), {
    right: most, top, xName: "adds for each load (arithmetic intensity)",
    yName: "warps needed to hide all latency",
  });

  addLine(chart, cusp.bounds, "simulated", theme.accent);
  for (const [x, needed] of cusp.dots)
    chart.svg.append(makeSvg("circle",
      { class: "dot", cx: chart.x(x), cy: chart.y(needed), r: 3.4 }));
  const [peakAt, peak] = cusp.bounds.reduce((a, b) => b[1] > a[1] ? b : a);
  // above all dots
  addWord(chart, peakAt, top / 1.25, "the cusp: " + ratio(peak) + " warps", 8, -8, "strong");
  const x = chart.x(adds), y = chart.y(run.bounds.needed);
  const here = makeSvg("circle", { class: "here", cx: x, cy: y, r: 7.5 });
  here.style.fill = theme.accent;
  chart.svg.append(makeSvg("path",
    { class: "drop", d: "M" + x + " " + chart.box.bottom + "V" + y }), here);
}

function describeCusp ()
{
  const [peakAt, peak] = cusp.bounds.reduce((a, b) => b[1] > a[1] ? b : a);
  return "Warps needed by adds for each load: " + ratio(cusp.bounds[0][1]) + " with none, most at "
    + peakAt + " (" + ratio(peak) + "), "
    + ratio(cusp.bounds.at(-1)[1]) + " with " + cusp.bounds.at(-1)[0] + ".";
}
