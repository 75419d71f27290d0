/* SPDX-License-Identifier: MIT */
/* The panels beside the drawing: metrics, where the warps' time went, occupancy over time, and a
 * verdict in words. */

/* Where instructions are in queues when the last warp ends, the share is of the time until they are
 * done, as in `warpipe run`. */
const sayUse = (pipeline) => percent(Math.min(pipeline.utilization, 1));

/* Says how many instructions a pipeline has, and for how long it continues with posted ones after
 * all warps have ended. */
function sayLoad (run, { instructions, backlog, shared })
{
  return plural(instructions, "instruction")
    + (shared > 1 ? " of the SMs that share it" : "")
    + (backlog > run.result.cyclesNumber / 1000
    ? "; " + cycles(Number(ratio(backlog)))
      + " of stores in its queue at the end" : "");
}

/* Says for how long stores are in queues when the last warp has ended. */
const sayQueued = ({ drained, cyclesNumber }) => drained > cyclesNumber
  ? "; stores are in queues for " + cycles(Number(ratio(drained - cyclesNumber))) + " more" : "";

const busiest = (run) =>
  run.result.pipelines.reduce((a, b) => b.utilization > a.utilization ? b : a);

/* Says what warps wait for other than their own results, if that is at least a tenth of their time.
 */
function sayHindrance (waits)
{
  const total = Object.values(waits).reduce((a, b) => a + b, 0);
  const words = { pipeline: "at the entry of a pipeline", barrier: "at barriers",
    not_selected: "for the scheduler",
    ilp: "for their own turn", drain: "for their last results" };
  const some = Object.keys(words).filter((name) => waits[name] > 0.1 * total).sort((a, b) =>
    waits[b] - waits[a]);
  return some.length ? "Warps wait "
    + some.map((name) => words[name] + " for " + percent(waits[name] / total)).join(" and ")
    + " of their lives."
    : "What they wait for is results: they come and go in bunches, or there is too little work "
    + "left at the end.";
}

/* Says what limits RUN, in a sentence or two. */
function sayVerdict (run)
{
  const { bounds, result } = run, warps = result.residentWarps, top = busiest(run),
    used = Math.min(Math.max(top.utilization, result.schedulerUtilization), 1);
  const name = top.utilization >= result.schedulerUtilization ? top.name : "schedulers";

  if (used >= 0.9)
    return capital(name) + (name === "schedulers" ? " are" : " is") + " in use " + percent(used)
      + " of the time: latency is hidden. More warps would change little.";
  if (warps < bounds.needed)
    return plural(warps, "warp") + " of the " + ratio(bounds.needed)
      + " that it takes: latency shows. No pipeline is "
      + "in use more than "
      + sayUse(top) + " of the time.";
  return "Warps enough by the bounds (" + ratio(bounds.needed) + "), and yet " + name
    + (name === "schedulers" ? " are" : " is")
    + " in use but " + percent(used)
    + " of the time. " + sayHindrance(result.stalls);
}

/* Returns the letter of a machine, if there are two. */
const makeSide = (k) => app.runs.length > 1 ? make("b", { class: "side" }, "AB"[k]) : null;

function listFigures (run)
{
  const { result, bounds } = run;
  return [
    ["Time", result.cycles, "cycles" + sayQueued(result), "time"],
    ["Instructions a cycle", ratio(result.ipc), "CPI " + ratio(1 / result.ipc), "ipc"],
    ["Warps, on average", ratio(result.meanOccupancy), "of " + result.residentWarps + " at most",
      "occupancy"],
    ["Warps needed", ratio(bounds.needed),
      ratio(bounds.latency) + " cycles alone / " + ratio(bounds.throughput) + " of "
        + bounds.tightest, "needed"],
    ...result.pipelines.filter((pipeline) => pipeline.instructions > 0)
      .map((pipeline) => ["In use: " + pipeline.name, sayUse(pipeline), sayLoad(run, pipeline),
        "use-" + pipeline.name]),
    ["In use: schedulers", percent(result.schedulerUtilization),
      plural(run.machine.scheduler.count, "scheduler"),
      "use-schedulers"],
  ];
}

function drawFigures ()
{
  const lists = app.runs.map(listFigures),
    names = [...new Set(lists.flatMap((list) => list.map(([name]) => name)))];

  byId("figures").replaceChildren(...names.map((name) => make("div", {}, make("dt", {}, name),
    lists.map((list, k) => {
      const found = list.find(([one]) => one === name);
      return make("dd", found ? { "data-figure": (k ? "b." : "") + found[3] } : {}, makeSide(k),
        make("span", {}, found ? found[1] : "\u2013"), make("small", {}, found ? found[2] : ""));
    }))));
  byId("verdict").replaceChildren(...app.runs.map((run, k) =>
    make("p", {}, makeSide(k), sayVerdict(run))));
}

/* Little's law: a warp's mean latency times the throughput is the mean number of warps inside. It
 * is exact in any run, but not in a part of one. */
function drawLittle ()
{
  byId("little").replaceChildren(...app.runs.map((run, k) => !run.result.complete ? ""
    : make("p", {}, makeSide(k),
    make("b", {}, ratio(run.result.meanOccupancy)), run.result.meanOccupancy === 1
    ? " warp inside = " : " warps inside = ",
    make("b", {}, ratio(run.result.warpThroughput)), " warps a cycle \u00d7 ",
    make("b", {}, ratio(run.result.meanWarpLatency)), " cycles that each stays")));
}

// ---- Stalls ----

/* Returns a sample of STALL's colour and pattern, as an image, so that it fits into any line of
 * text. */
function makeStallSample (stall, width, height)
{
  const canvas = make("canvas", { width: width * 2, height: height * 2, class: "swatch",
    "aria-hidden": "true" }),
    context = canvas.getContext("2d");

  canvas.style.width = width + "px";
  canvas.style.height = height + "px";
  context.scale(2, 2);
  context.fillStyle = patternOf(context, stall);
  context.fillRect(0, 0, width, height);
  return canvas;
}

function drawStallBar (canvas, run, total)
{
  const { context, width } = prepareCanvas(canvas, 34);
  let x = 0;

  for (const { name } of stalls)
    {
      const wide = run.result.stalls[name] / total * width;
      if (wide <= 0)
        continue;
      context.fillStyle = patternOf(context, name);
      context.fillRect(x, 0, Math.max(wide - 1, 0.5), 34);
      const text = percent(run.result.stalls[name] / total);
      setFont(context, 12.5, "600");
      const half = context.measureText(text).width / 2 + 4;
      if (wide > 2 * half + 8)
        {
          roundedRect(context, x + wide / 2 - half, 8, 2 * half, 18, 4);
          context.fillStyle = theme.bg;
          context.fill();
          context.fillStyle = theme.fg;
          centre(context, text, x + wide / 2, 17, wide);
        }
      x += wide;
    }
}

function drawStalls ()
{
  const totals = app.runs.map((run) => Object.values(run.result.stalls).reduce((a, b) => a + b, 0)
    || 1);
  const shown = stalls.filter(({ name }) => app.runs.some((run) => run.result.stalls[name] > 0));
  const share = (k, name) => percent(app.runs[k].result.stalls[name] / totals[k]);
  const bars = app.runs.map((run, k) => make("canvas", { class: "bar", role: "img", "aria-label":
    "Where the warps' time went" + (app.runs.length > 1 ? ", machine " + "AB"[k] : "") + ": "
      + shown.map(({ name, text }) => share(k, name) + " " + text).join(", ") }));

  byId("stalls").replaceChildren(...bars.flatMap((bar, k) => [makeSide(k) || "", bar]),
    make("ul", { class: "legend" },
      shown.map(({ name, text }) => make("li", {}, makeStallSample(name, 20, 13),
      text + " " + app.runs.map((_, k) => share(k, name)).join(" / ")))));
  bars.forEach((bar, k) => drawStallBar(bar, app.runs[k], totals[k]));
}

// ---- Occupancy over time ----

function findOccupancy (run)
{
  const changes = new Map();

  for (const warp of run.warps)
    if (warp.start < run.seen)
      {
        changes.set(warp.start, (changes.get(warp.start) || 0) + 1);
        if (warp.end < run.seen)
          changes.set(warp.end, (changes.get(warp.end) || 0) - 1);
      }
  let now = 0;
  return [...changes].sort((a, b) => a[0] - b[0]).map(([time, change]) => [time, now += change]);
}

const occupancyHeight = 96;

function drawOccupancy ()
{
  const canvas = byId("occupancy"), { context, width } = prepareCanvas(canvas, occupancyHeight);
  const most = Math.max(1, ...app.runs.map((run) => run.slots)), left = 34, right = width - 8,
    bottom = occupancyHeight - 20;
  const x = (time) => left + time / clock.end * (right - left), y = (value) =>
    bottom - value / most * (bottom - 8);

  setFont(context, 12);
  context.fillStyle = theme.muted;
  context.textAlign = "right";
  for (const value of [0, most])
    {
      context.fillText(String(value), left - 6, y(value));
      context.strokeStyle = theme.grid;
      line(context, left, y(value), right, y(value));
    }
  const every = findStep(clock.end, (right - left) / 90);
  context.textAlign = "center";
  for (let k = 0; k * every <= clock.end; k++)
    context.fillText(tidy(k * every), clamp(x(k * every), left, right - 10), bottom + 12);
  app.runs.forEach((run, k) => {
    run.occupancy ||= findOccupancy(run);
    context.beginPath();
    context.moveTo(x(0), y(0));
    let last = 0;
    for (const [time, value] of run.occupancy)
      {
        context.lineTo(x(time), y(last));
        context.lineTo(x(time), y(value));
        last = value;
      }
    context.lineTo(x(Math.min(run.end, run.seen)), y(last));
    context.strokeStyle = context.fillStyle = sideColours()[k];
    context.lineWidth = 2;
    context.setLineDash(k ? [6, 4] : []);
    context.stroke();
    context.setLineDash([]);
    if (!k)
      {
        context.globalAlpha = 0.14;
        context.lineTo(x(Math.min(run.end, run.seen)), y(0));
        context.fill();
        context.globalAlpha = 1;
      }
    context.lineWidth = 1;
  });
  context.strokeStyle = theme.accent;
  context.lineWidth = 2;
  line(context, x(clock.at), 2, x(clock.at), bottom);
  context.lineWidth = 1;
  canvas.setAttribute("aria-label", "Warps that are resident, over time: "
    + app.runs.map((run) => ratio(run.result.meanOccupancy)
    + " on average, " + run.slots + " at most").join("; "));
}

function setUpOccupancy ()
{
  byId("occupancy").addEventListener("click", (event) => {
    const place = byId("occupancy").getBoundingClientRect();
    seek((event.clientX - place.left - 34) / (place.width - 42) * clock.end);
  });
}
