/* SPDX-License-Identifier: MIT */
/* Draws throughput by occupancy: the simulation, both bounds, the ridge point where they meet, and
 * the current occupancy. The second machine's curve is dashed. */

const sideColours = () => [theme.accent, "#d55e00"];

const predict = (run, warps) => WarpipeEngine.predict(run.bounds, warps) * run.perWarp;
const peakOf = (run) => run.bounds.throughput > 0 ? run.perWarp / run.bounds.throughput : Infinity;
const pointsOf = (run) => run.curve.points.map((point) => [point.residentWarps, point.ipc]);
const placeOfRun = (run) => [run.result.residentWarps, run.result.ipc];

/* Writes the peak above its line or, if the chart is narrow, above the chart. */
function addPeakWord (chart, peak, text, needed)
{
  const isFar = needed > chart.right * 0.6;

  if (chart.width >= 480)
    addWord(chart, isFar ? 0 : chart.right, peak, "throughput " + text, isFar ? 8 : -2,
      -7, "muted");
  else
    chart.svg.append(makeSvg("text", { class: "muted end", x: chart.width - 4, y: 13 }, text));
}

/* Says where the ridge is if it is outside of the chart. The text is above the chart, next to the
 * name of the axis. */
function addFarRidge (chart, { bounds }, isSeen)
{
  const text = "ridge at " + ratio(bounds.needed) + " warps", isWide = chart.width >= 480;

  if (isWide || !isSeen)
    chart.svg.append(makeSvg("text", { class: "strong end", x: chart.width - 14, y: 13 },
      isWide && !isSeen ? "throughput bound: " + bounds.tightest + ", " + text : text));
}

function addBounds (chart, run, isAlone)
{
  const { needed, latency, throughput, tightest } = run.bounds, right = chart.right;
  const meets = Math.min(needed, right), peak = peakOf(run);
  const share = latency > 0 ? run.perWarp / latency : 0, steep = share > 0
    ? Math.min(right, chart.top / share) : 0;
  const isSeen = peak < chart.top;

  if (steep > 0)
    addLine(chart, [[0, 0], [steep, steep * share]], "bound", null, "6 4");
  if (isSeen)
    addLine(chart, [[0, peak], [right, peak]], "bound", null, "2 3");
  if (!isAlone)
    return;
  if (isSeen)
    addPeakWord(chart, peak, "bound: " + tightest + (needed > right ? "" : ", " + ratio(peak)),
      needed);
  if (needed <= right && throughput > 0)
    {
      const x = chart.x(meets), y = chart.y(peak);
      chart.svg.append(makeSvg("path",
        { class: "ridge", d: "M" + x + " " + (y - 7) + "l7 7l-7 7l-7 -7z" }));
      addWord(chart, meets, peak, "ridge: " + ratio(needed) + " warps", x - chart.box.left > 150
        ? -14 : 34, -9, "strong");
    }
  else if (Number.isFinite(needed))
    addFarRidge(chart, run, isSeen);
}

function addHere (chart, run, k, isAlone)
{
  const [warps, ipc] = placeOfRun(run), x = chart.x(warps), y = chart.y(ipc),
    colour = sideColours()[k];
  const mark = k ? makeSvg("rect", { class: "here", x: x - 6.5, y: y - 6.5, width: 13, height: 13 })
    : makeSvg("circle", { class: "here", cx: x, cy: y, r: 7.5 });

  mark.style.fill = colour;
  chart.svg.append(makeSvg("path",
    { class: "drop", d: "M" + x + " " + chart.box.bottom + "V" + y }), mark);
  addWord(chart, warps, ipc, isAlone ? "you are here: " + ratio(ipc) : "AB"[k] + ": " + ratio(ipc),
    warps > chart.right / 2 ? -12 : 12,
    k ? 36 : 22, "strong");
}

function drawCurve ()
{
  const element = byId("curve"), runs = app.runs, isAlone = runs.length === 1;
  const right = Math.max(...runs.map((run) => rightOf(run.curve)));
  const highest = Math.max(...runs.flatMap((run) =>
    [run.result.ipc, ...run.curve.points.map((point) => point.ipc),
    Math.min(peakOf(run), predict(run, right) * 1.2)]), 1e-9);
  const chart = makeChart(element, element.clientWidth < 420 ? 250 : 300, describeCurve(), {
    right, top: highest * 1.16, xName: "warps at a time (occupancy)", yName: "instructions a cycle",
  });

  runs.forEach((run) => addBounds(chart, run, isAlone));
  runs.forEach((run, k) => addLine(chart, pointsOf(run), "simulated", sideColours()[k], k
    ? "7 4" : null));
  if (isAlone && runs[0].curve.plan.length <= 33)
    for (const [warps, ipc] of pointsOf(runs[0]))
      chart.svg.append(makeSvg("circle",
        { class: "dot", cx: chart.x(warps), cy: chart.y(ipc), r: 2.6 }));
  runs.forEach((run, k) => addHere(chart, run, k, isAlone));
  element.chart = chart;
  element.dataset.points = runs.map((run) => run.curve.points.length).join();
  element.dataset.whole = runs.every((run) => isWhole(run.curve)) ? "yes" : "no";
}

function describeCurve ()
{
  return app.runs.map((run, k) => (app.runs.length > 1 ? "Machine " + "AB"[k] + ": " : "")
    + "throughput by occupancy, up to "
    + ratio(Math.max(run.result.ipc, ...run.curve.points.map((point) => point.ipc)))
    + " instructions a cycle; the "
    + "bounds meet at " + ratio(run.bounds.needed)
    + " warps; " + ratio(run.result.ipc) + " at " + run.result.residentWarps
    + " warps, where you are.").join(" ");
}

/* A click on the curve sets the warps. */
function setUpCurve ()
{
  byId("curve").addEventListener("click", (event) => {
    const chart = byId("curve").chart, place = byId("curve").getBoundingClientRect(),
      x = event.clientX - place.left;
    if (chart && x > chart.box.left - 10)
      set("warps", Math.max(Math.round(chart.value(x)), 1));
  });
}
