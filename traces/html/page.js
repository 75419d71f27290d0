/* SPDX-License-Identifier: MIT */
/* Draws the page from its data (doc/traces.md says what that holds). All text goes in as text. Times are whole ticks: plain
 * numbers where these are exact, big ones else; what is shown as a number is reckoned from them and never from the drawing.
 * A drawing shows the part `view` of the time, in cycles (microseconds where clocks differ), and is redrawn when that moves.
 */
"use strict";
(() => {

// ---- Small things ----

const byId = (id) => document.getElementById(id);
const svgSpace = "http://www.w3.org/2000/svg";

/* An element with attributes and children (nodes or text). */
const make = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const makeSvg = (tag, attributes, ...children) => fill(document.createElementNS(svgSpace, tag), attributes, children);

function fill (element, attributes, children)
{
  for (const [name, value] of Object.entries(attributes || {}))
    if (value !== undefined && value !== null && value !== false)
      element.setAttribute(name, value === true ? "" : value);
  for (const child of children.flat())
    if (child !== null && child !== undefined)
      element.append(child);
  return element;
}

/* The first index from which on ARRAY[index] > value. */
function after (array, value, at = (x) => x)
{
  let low = 0, high = array.length;
  while (low < high)
    {
      const middle = (low + high) >> 1;
      if (at(array[middle]) <= value)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

const plural = (n, word) => n + " " + word + (Number(n) === 1 ? "" : "s");
const clamp = (x, low, high) => Math.min(Math.max(x, low), high);

/* TICKS in cycles, as reports have it: six digits after the point, half up, no zeros at the end. */
function decimal (ticks, perCycle)
{
  const million = 1000000n, n = BigInt(ticks), size = n < 0n ? -n : n;
  const scaled = (size * million * 2n + perCycle) / (perCycle * 2n);
  const digits = String(scaled % million).padStart(6, "0").replace(/0+$/, "");
  return (n < 0n ? "-" : "") + scaled / million + (digits ? "." + digits : "");
}

/* The same, and as a fraction where the decimal is rounded. */
function exact (ticks, perCycle)
{
  let a = BigInt(ticks), b = perCycle;
  if (a * 1000000n % b === 0n)
    return decimal(ticks, perCycle);
  for (let [x, y] = [a < 0n ? -a : a, b]; ; [x, y] = [y, x % y])
    if (y === 0n)
      {
        a /= x;
        b /= x;
        break;
      }
  return decimal(ticks, perCycle) + " (" + a + "/" + b + ")";
}

/* A ratio, four digits. */
function ratio (value)
{
  if (!Number.isFinite(value))
    return "\u2013";
  return String(Number(value.toPrecision(4)));
}

const percent = (share) => (100 * share).toFixed(1) + "%";

// ---- Colours ----

/* Computation green, memory orange, barriers yellow, as Lemeire draws them; then the rest of Okabe and Ito's. */
const otherColours = ["#56b4e9", "#cc79a7", "#0072b2", "#d55e00", "#999999"];
const barrierColour = "#f0e442";
const stalls = [
  { name: "barrier", text: "at a barrier", colour: "#f0e442" },
  { name: "dependency", text: "for a result", colour: "#0072b2" },
  { name: "ilp", text: "between own issues", colour: "#999999" },
  { name: "pipeline", text: "for the pipeline", colour: "#d55e00" },
  { name: "not_selected", text: "for the scheduler", colour: "#cc79a7" },
  { name: "drain", text: "for its last results", colour: "#56b4e9" },
];
const stallColour = Object.fromEntries(stalls.map((stall) => [stall.name, stall.colour]));
const runColours = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];
const dashes = [[], [7, 3], [2, 2], [9, 3, 2, 3], [4, 4], [1, 3]];

const parseColour = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));

function mix (colour, other, share)
{
  const a = parseColour(colour), b = parseColour(other);
  return "rgb(" + a.map((x, i) => Math.round(x * share + b[i] * (1 - share))).join(",") + ")";
}

function isDark (colour)
{
  const [r, g, b] = parseColour(colour);
  return 0.299 * r + 0.587 * g + 0.114 * b < 110;
}

const theme = {};

/* Of the set the one that is too dark on a dark page, lighter there. */
const shade = (colour) => theme.isDark && colour === "#0072b2" ? "#4aa3df" : colour;

function readTheme ()
{
  const style = getComputedStyle(document.documentElement);
  for (const name of ["bg", "fg", "muted", "line", "panel", "accent", "band-0", "band-1", "grid", "hatch"])
    theme[name] = style.getPropertyValue("--" + name).trim();
  theme.tints = new Map();
  theme.isDark = isDark(theme.bg);
}

/* COLOUR as what is in execution, but keeps no pipeline busy. */
function tint (colour)
{
  if (!theme.tints.has(colour))
    theme.tints.set(colour, mix(colour, theme.bg, 0.42));
  return theme.tints.get(colour);
}

// ---- The data ----

const data = JSON.parse(byId("data").textContent);
const clocks = new Set(data.runs.map((raw) => raw.facts.clock_mhz));
const inCycles = clocks.size === 1;
const unit = inCycles ? "cycles" : "\u00b5s";

function parseCycles (text)
{
  const [a, b] = text.split("/");
  return Number(a) / Number(b || 1);
}

function prepare (raw, number)
{
  const { facts, record } = raw;
  const run = { facts, record, number, report: facts.report, bounds: facts.bounds };
  run.name = facts.label || "";
  run.perCycle = BigInt(record.ticks_per_cycle);
  run.number = number;
  /* Whether plain numbers hold all times. */
  run.N = BigInt(record.elapsed) < 2n ** 51n ? Number : BigInt;
  run.scale = 1 / Number(run.perCycle) / (inCycles ? 1 : parseCycles(facts.clock_mhz));
  run.x = (ticks) => Number(ticks) * run.scale;
  run.elapsed = run.N(record.elapsed);
  run.end = run.x(run.elapsed);
  run.from = run.x(record.from);
  run.to = run.x(record.to);
  run.issuesUntil = record.issues_until === undefined ? null : run.x(record.issues_until);
  run.warpsUntil = record.warps_until === undefined ? null : run.x(record.warps_until);
  preparePipelines(run);
  prepareGraph(run);
  prepareWarps(run);
  prepareIssues(run);
  prepareLanes(run);
  run.occupancy = prepareCurve(run, record.occupancy);
  run.flights = record.flights.map((curve) => prepareCurve(run, curve));
  return run;
}

function preparePipelines (run)
{
  const pipelines = run.record.pipelines, free = [...otherColours];
  let compute = false, memory = false;

  run.pipelines = pipelines;
  for (const pipeline of pipelines)
    if (pipeline.memory && !memory)
      {
        pipeline.colour = "#e69f00";
        memory = true;
      }
    else if (!pipeline.memory && !compute)
      {
        pipeline.colour = "#009e73";
        compute = true;
      }
  for (const pipeline of pipelines)
    if (!pipeline.colour)
      {
        pipeline.colour = free.shift();
        free.push(pipeline.colour);
      }
  run.used = pipelines.map((pipeline, i) => i).filter((i) => pipelines[i].used);
}

/* Instructions as written, by their number in the machine: their number in the program and their text. */
function prepareGraph (run)
{
  run.written = new Map();
  for (const program of run.facts.graph)
    {
      let number = 0;
      for (const node of program.nodes)
        if (node.instr !== undefined)
          {
            node.number = number++;
            run.written.set(node.instr, node);
          }
    }
}

function prepareWarps (run)
{
  const columns = run.record.warps, n = columns.n;
  let time = run.N(0);

  run.warps = [];
  for (let i = 0; i < n; i++)
    {
      time += run.N(columns.start[i]);
      const lives = columns.life[i] === -1;
      const end = lives ? null : time + run.N(columns.life[i]);
      run.warps.push({
        block: columns.block[i], warp: columns.warp[i], age: columns.age[i], slot: columns.slot[i],
        scheduler: columns.scheduler[i], issued: columns.issued[i], start: time, end,
        x0: run.x(time), x1: lives ? run.end : run.x(end),
        band: Math.floor(columns.age[i] / run.record.warps_per_block) % 2, issues: [],
      });
    }
}

function prepareIssues (run)
{
  const { N, record } = run, columns = record.issues, n = columns.n;
  const Times = N === Number ? Float64Array : BigInt64Array;
  let time = N(0);

  run.n = n;
  run.time = new Times(n);
  run.start = new Times(n);
  run.complete = new Times(n); // of a barrier: its release, or 0 where that is not known
  run.warpOf = columns.warp;
  run.instrOf = columns.instr;
  run.xt = new Float64Array(n); // issue
  run.xs = new Float64Array(n); // start
  run.xb = new Float64Array(n); // its pipeline takes the next
  run.xc = new Float64Array(n); // complete
  for (let i = 0; i < n; i++)
    {
      const instr = record.instrs[columns.instr[i]];
      time += N(columns.time[i]);
      const start = time + N(columns.start[i]);
      const served = columns.served ? start + N(columns.served[i]) : start;
      let complete = instr.posted ? time : served + N(instr.completion);
      if (instr.pipeline === undefined)
        complete = columns.release && columns.release[i] !== -1 ? time + N(columns.release[i]) : time;
      run.time[i] = time;
      run.start[i] = start;
      run.complete[i] = complete;
      run.xt[i] = run.x(time);
      run.xs[i] = run.x(start);
      run.xb[i] = run.x(instr.pipeline === undefined ? start : start + N(instr.issue));
      run.xc[i] = run.x(complete);
      run.warps[columns.warp[i]].issues.push(i);
    }
  run.wait = new Array(n);
  for (const warp of run.warps)
    findWaits(run, warp);
}

const served = (run, i) =>
  run.start[i] + (run.record.issues.served ? run.N(run.record.issues.served[i]) : run.N(0));

/* When what instruction I of a warp gives is there for a consumer that waits for it LATENCY. */
const isThere = (run, i, latency) =>
  run.record.instrs[run.instrOf[i]].posted ? run.time[i] : served(run, i) + latency;

/* What each issue of WARP waited for. What issued before the window is not there to be found. */
function findWaits (run, warp)
{
  const { N, record } = run, columns = record.issues, last = new Map();

  for (const i of warp.issues)
    {
      const instr = record.instrs[run.instrOf[i]], before = (column) => run.time[i] - N(column[i]);
      const wait = { from: before(columns.since), ready: before(columns.ready), accept: before(columns.accept), producers: [] };
      wait.why = columns.why[i] === -1 ? null : stalls[columns.why[i]].name;
      wait.follows = columns.follows !== undefined && columns.follows[i] === 1;
      for (const [producer, latency] of instr.deps)
        {
          const list = last.get(producer) || [];
          let k = list.length - 1;
          while (k >= 0 && columns.index[list[k]] >= columns.index[i])
            k--;
          if (k >= 0)
            wait.producers.push({ issue: list[k], at: isThere(run, list[k], N(latency)) });
        }
      const producer = wait.producers.find((one) => one.at === wait.ready);
      wait.producer = wait.why === "dependency" && producer ? producer.issue : null;
      run.wait[i] = wait;
      if (!last.has(run.instrOf[i]))
        last.set(run.instrOf[i], []);
      last.get(run.instrOf[i]).push(i);
    }
}

const MAX_LANES = 1024;

/* A row for each warp slot, and one for each instance of a pipeline that is used. */
function prepareLanes (run)
{
  const slots = [...new Set(run.warps.map((warp) => warp.slot).filter((slot) => slot >= 0))].sort((a, b) => a - b);

  run.leftOut = Math.max(slots.length - MAX_LANES, 0);
  run.lanes = slots.slice(0, MAX_LANES).map((slot) => ({ slot, warps: [], issues: [], reach: 0 }));
  const laneOf = new Map(run.lanes.map((lane, i) => [lane.slot, i]));
  for (const warp of run.warps)
    {
      const lane = run.lanes[laneOf.get(warp.slot)];
      warp.lane = lane ? laneOf.get(warp.slot) : -1;
      if (lane)
        lane.warps.push(warp);
    }
  run.units = [];
  const unitOf = new Map();
  for (const p of run.used)
    for (let k = 0; k < run.pipelines[p].instances; k++)
      {
        unitOf.set(p + "/" + k, run.units.length);
        run.units.push({
          pipeline: p, issues: [], reach: 0, busy: 0,
          name: run.pipelines[p].name + (run.pipelines[p].instances > 1 ? " " + k : ""),
        });
      }
  for (let i = 0; i < run.n; i++)
    {
      const warp = run.warps[run.warpOf[i]], p = run.record.instrs[run.instrOf[i]].pipeline;
      const lane = run.lanes[warp.lane];
      if (lane)
        {
          lane.issues.push(i);
          lane.reach = Math.max(lane.reach, run.xc[i] - run.xt[i], run.xb[i] - run.xt[i]);
        }
      if (p === undefined)
        continue;
      const unit = run.units[unitOf.get(p + "/" + (run.pipelines[p].instances > 1 ? warp.scheduler : 0))];
      unit.issues.push(i);
    }
  for (const unit of run.units)
    {
      unit.issues.sort((a, b) => run.xs[a] - run.xs[b]);
      for (const i of unit.issues)
        unit.reach = Math.max(unit.reach, run.xb[i] - run.xs[i]);
    }
}

/* A curve to draw: times and values, or bins. */
function prepareCurve (run, curve)
{
  let time = run.N(0);

  if (curve.time)
    return {
      x: curve.time.map((step) => run.x(time += run.N(step))), value: curve.value,
      top: curve.value.reduce((a, b) => Math.max(a, b), 0),
    };
  return {
    width: run.x(curve.width), min: curve.min, max: curve.max, mean: curve.mean,
    top: curve.max.reduce((a, b) => Math.max(a, b), 0),
  };
}

const runs = data.runs.map(prepare);
const total = Math.max(...runs.map((run) => run.end), Number.MIN_VALUE);
const many = runs.length > 1;

// ---- The part of the time that is shown ----

const finest = Math.max(total * 1e-9, Math.min(...runs.map((run) => 2 * run.scale)));
const view = { from: Math.min(...runs.map((run) => run.from)), to: Math.max(...runs.map((run) => run.to)) };
if (!(view.to > view.from))
  Object.assign(view, { from: 0, to: total });

function show (from, to)
{
  const span = clamp(to - from, Math.min(finest, total), total);

  if (to - from !== span)
    {
      const middle = (from + to) / 2;
      from = middle - span / 2;
    }
  view.from = clamp(from, 0, total - span);
  view.to = view.from + span;
  drawSoon();
}

const move = (share) => show(view.from + share * (view.to - view.from), view.to + share * (view.to - view.from));

/* So that what is at AT stays there. */
function zoom (factor, at = (view.from + view.to) / 2)
{
  show(at - (at - view.from) * factor, at + (view.to - at) * factor);
}

// ---- Strips: drawings over time, one below the other ----

const strips = [];
let width = 800, left = 64;
const right = 10;

const toX = (time) => left + (time - view.from) / (view.to - view.from) * (width - left - right);
const toTime = (x) => view.from + (x - left) / (width - left - right) * (view.to - view.from);
const perPixel = () => (view.to - view.from) / (width - left - right);

function sizeCanvas (canvas, height)
{
  const scale = window.devicePixelRatio || 1;

  canvas.style.height = height + "px";
  if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale))
    {
      canvas.width = Math.round(width * scale);
      canvas.height = Math.round(height * scale);
    }
  const context = canvas.getContext("2d");
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = "12px system-ui, 'Liberation Sans', 'DejaVu Sans', sans-serif";
  context.textBaseline = "middle";
  return context;
}

/* A strip of RUN: HEIGHT and DRAW (context, height) are functions; HOVER (x, y) says what is there. */
function addStrip (run, name, kind, height, draw, hover)
{
  const canvas = make("canvas", { "data-kind": kind, "data-run": run.number, role: "img", "aria-label": name });
  const output = make("output", {});
  const label = make("span", {}, make("b", {}), name);
  const element = make("div", { class: "strip" }, make("div", { class: "name" }, label, output), canvas);
  const strip = { run, kind, canvas, element, output, height, draw, hover, name, stale: true };

  canvas.style.height = height() + "px";
  byId("strips").append(element);
  strips.push(strip);
  return strip;
}

/* Within the part that is drawn. */
function clip (context, height)
{
  context.save();
  context.beginPath();
  context.rect(left, 0, width - left - right, height);
  context.clip();
}

function drawStrip (strip)
{
  const height = strip.height();
  const context = sizeCanvas(strip.canvas, height);

  strip.stale = false;
  strip.draw(context, height);
  strip.canvas.dataset.left = left;
  strip.canvas.dataset.right = width - right;
}

/* Those in sight; the others when they come into it. */
function drawStrips ()
{
  for (const strip of strips)
    {
      const place = strip.canvas.getBoundingClientRect();
      if (strip.stale && place.bottom > -100 && place.top < window.innerHeight + 100)
        drawStrip(strip);
    }
}

let isDrawing = false;

function drawSoon ()
{
  for (const strip of strips)
    strip.stale = true;
  if (isDrawing)
    return;
  isDrawing = true;
  requestAnimationFrame(() => {
    isDrawing = false;
    drawAxis();
    drawOverview();
    drawStrips();
    placeSelection();
  });
}

// ---- Axis and overview ----

/* 1, 2 or 5 times a power of ten, so that about N of them are in SPAN. */
function findStep (span, n)
{
  const raw = span / Math.max(n, 1), power = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 5, 10].map((x) => x * power).find((step) => step >= raw) || 10 * power;
}

/* TIME with as many digits as STEP needs. */
function labelTime (time, step)
{
  const digits = clamp(-Math.floor(Math.log10(step) + 1e-9), 0, 12);
  return time.toFixed(digits);
}

function eachTick (visit)
{
  const step = findStep(view.to - view.from, (width - left - right) / 110);

  for (let k = Math.ceil(view.from / step - 1e-9); k * step <= view.to * (1 + 1e-12); k++)
    visit(k * step, toX(k * step), step);
}

function drawAxis ()
{
  const context = sizeCanvas(byId("axis"), 26);
  const digits = findStep((view.to - view.from) / 50, 1);
  const isWhole = view.from === 0 && view.to === total;

  context.fillStyle = theme.fg;
  context.strokeStyle = theme.muted;
  context.textAlign = "center";
  eachTick((time, x, step) => {
    const text = labelTime(time, step), half = context.measureText(text).width / 2;
    context.fillText(text, clamp(x, left + half - 20, width - half - 2), 9);
    context.beginPath();
    context.moveTo(x, 18);
    context.lineTo(x, 26);
    context.stroke();
  });
  context.textAlign = "left";
  context.fillStyle = theme.muted;
  context.fillText(unit, 0, 9);
  byId("where").textContent = labelTime(view.from, digits) + " to " + labelTime(view.to, digits) + " " + unit
    + (isWhole ? " (the whole run)" : "");
}

function drawOverview ()
{
  const height = 26, context = sizeCanvas(byId("overview"), height);
  const place = (time) => left + time / total * (width - left - right);
  const curve = runs[0].occupancy;

  context.fillStyle = theme.panel;
  context.fillRect(left, 0, width - left - right, height);
  context.fillStyle = theme.hatch;
  context.beginPath();
  traceCurve(context, curve, 0, total, runs[0].end, place, (value) => height - value / Math.max(curve.top, 1) * (height - 4), true);
  context.fill();
  context.strokeStyle = theme.accent;
  context.lineWidth = 2;
  const x0 = place(view.from), x1 = Math.max(place(view.to), x0 + 3);
  context.globalAlpha = 0.18;
  context.fillStyle = theme.accent;
  context.fillRect(x0, 0, x1 - x0, height);
  context.globalAlpha = 1;
  context.strokeRect(x0 + 1, 1, Math.max(x1 - x0 - 2, 1), height - 2);
  context.fillStyle = theme.muted;
  context.fillText("all", 0, height / 2);
}

function drawGrid (context, height)
{
  context.strokeStyle = theme.grid;
  context.lineWidth = 1;
  eachTick((time, x) => {
    context.beginPath();
    context.moveTo(Math.round(x) + 0.5, 0);
    context.lineTo(Math.round(x) + 0.5, height);
    context.stroke();
  });
}

// ---- Curves ----

/* A path along CURVE from FROM to TO; it ends at END. AREA: closed along the bottom. Of bins: the means. */
function traceCurve (context, curve, from, to, end, x, y, area)
{
  const first = curve.x ? Math.max(after(curve.x, from) - 1, 0) : Math.max(Math.floor(from / curve.width), 0);
  const n = curve.x ? curve.x.length : curve.mean.length;
  const stop = Math.min(to, end);
  let last = null;

  for (let i = first; i < n; i++)
    {
      const begins = curve.x ? curve.x[i] : i * curve.width;
      const ends = curve.x ? (i + 1 < n ? curve.x[i + 1] : end) : (i + 1) * curve.width;
      const value = y(curve.x ? curve.value[i] : curve.mean[i]);
      if (begins > stop)
        break;
      if (last === null)
        {
          context.moveTo(x(Math.max(begins, from)), area ? y(0) : value);
        }
      context.lineTo(x(Math.max(begins, from)), value);
      last = x(Math.min(ends, stop));
      context.lineTo(last, value);
    }
  if (area && last !== null)
    context.lineTo(last, y(0));
}

/* What CURVE is at TIME: a text. */
function readCurve (curve, time)
{
  if (curve.x)
    {
      const i = after(curve.x, time) - 1;
      return i < 0 ? "0" : String(curve.value[i]);
    }
  const i = clamp(Math.floor(time / curve.width), 0, curve.mean.length - 1);
  return curve.min[i] === curve.max[i] ? String(curve.min[i]) : curve.min[i] + " to " + curve.max[i] + ", mean " + ratio(curve.mean[i]);
}

/* Between the least and the greatest of each bin. */
function fillBand (context, curve, y, colour)
{
  if (curve.x)
    return;
  context.fillStyle = colour;
  context.globalAlpha = 0.3;
  const first = Math.max(Math.floor(view.from / curve.width), 0);
  for (let i = first; i < curve.min.length && i * curve.width <= view.to; i++)
    {
      const x0 = toX(i * curve.width), x1 = toX((i + 1) * curve.width);
      context.fillRect(x0, y(curve.max[i]), Math.max(x1 - x0, 0.7), Math.max(y(curve.min[i]) - y(curve.max[i]), 1));
    }
  context.globalAlpha = 1;
}

function drawScale (context, top, y)
{
  const step = Math.max(findStep(top, 4), 1);

  context.textAlign = "right";
  context.fillStyle = theme.muted;
  context.strokeStyle = theme.grid;
  for (let value = 0; value <= top; value += step)
    {
      context.fillText(String(value), left - 6, clamp(y(value), 6, y(0) - 1));
      context.beginPath();
      context.moveTo(left, Math.round(y(value)) + 0.5);
      context.lineTo(width - right, Math.round(y(value)) + 0.5);
      context.stroke();
    }
}

function addCurveStrip (run, name, kind, curves)
{
  const top = Math.max(1, ...curves.map((one) => one.curve.top));
  const y = (height) => (value) => height - 3 - value / top * (height - 10);

  const strip = addStrip(run, name, kind, () => 76, (context, height) => {
    const at = y(height);
    drawScale(context, top, at);
    clip(context, height);
    drawGrid(context, height);
    for (const { curve, colour, dash, area } of curves)
      {
        fillBand(context, curve, at, colour());
        context.beginPath();
        traceCurve(context, curve, view.from, view.to, run.end, toX, at, area);
        if (area)
          {
            context.fillStyle = colour();
            context.globalAlpha = 0.35;
            context.fill();
            context.globalAlpha = 1;
          }
        context.strokeStyle = colour();
        context.lineWidth = 1.7;
        context.setLineDash(dash);
        context.stroke();
        context.setLineDash([]);
      }
    context.restore();
  }, (time) => ({
    value: time > run.end ? "" : curves.map((one) => (one.name ? one.name + " " : "") + readCurve(one.curve, time)).join(", "),
  }));
  if (curves.length > 1)
    strip.element.querySelector(".name span").append(...curves.map((one) => makeSample(one.colour(), one.dash, one.name)));
}

/* A piece of a line, and what it stands for. */
function makeSample (colour, dash, name)
{
  return make("span", { class: "sample" }, makeSvg("svg", { width: 26, height: 8, "aria-hidden": "true" },
    makeSvg("path", { d: "M0 4h26", stroke: colour, "stroke-width": 2, "stroke-dasharray": dash.join(" ") || null })), name);
}

// ---- Warps and pipelines ----

function getRowHeight (n)
{
  return [[4, 30], [8, 26], [16, 20], [32, 15], [64, 11], [128, 7], [256, 4]].find(([most]) => n <= most)?.[1] || 2;
}

function hatch (context, x0, x1, height, text)
{
  x0 = Math.max(x0, left);
  x1 = Math.min(x1, width - right);
  if (x1 - x0 < 1)
    return;
  context.save();
  context.beginPath();
  context.rect(x0, 0, x1 - x0, height);
  context.clip();
  context.strokeStyle = theme.hatch;
  context.lineWidth = 1;
  context.beginPath();
  for (let x = x0 - height; x < x1; x += 9)
    {
      context.moveTo(x, height);
      context.lineTo(x + height, 0);
    }
  context.stroke();
  if (text && x1 - x0 > context.measureText(text).width + 20)
    {
      const middle = (x0 + x1) / 2, half = context.measureText(text).width / 2 + 6;
      context.fillStyle = theme.bg;
      context.fillRect(middle - half, height / 2 - 10, 2 * half, 20);
      context.fillStyle = theme.fg;
      context.textAlign = "center";
      context.fillText(text, middle, height / 2);
    }
  context.restore();
}

/* What of the run is not there to be drawn. */
function hatchRest (context, run, until, height, what)
{
  if (until !== null)
    hatch(context, toX(until), toX(run.to), height, "later " + what + " are not kept");
  if (run.from > 0)
    hatch(context, toX(0), toX(run.from), height, "not in the window");
  if (run.to < run.end)
    hatch(context, toX(run.to), toX(run.end), height, "not in the window");
}

const colourOf = (run, i) => {
  const p = run.record.instrs[run.instrOf[i]].pipeline;
  return p === undefined ? barrierColour : run.pipelines[p].colour;
};

/* The first of LIST that may reach into the view. */
const findFirst = (list, at, reach) => after(list, view.from - reach, (i) => at[i] - 1e-12);

function drawResidence (context, lane, y, height)
{
  let last = -1;

  for (const warp of lane.warps)
    {
      if (warp.x1 < view.from || warp.x0 > view.to)
        continue;
      const x0 = toX(warp.x0), x1 = toX(warp.x1);
      if (x1 - last < 0.5)
        continue;
      context.fillStyle = theme["band-" + warp.band];
      context.fillRect(x0, y, Math.max(x1 - x0, 0.5), height);
      last = x1;
    }
}

/* Far away: how long results are awaited, one colour a stretch. */
function drawLaneFar (context, run, lane, y, height)
{
  let colour = null, x0 = 0, x1 = -1;
  const flush = () => {
    if (colour !== null)
      {
        context.fillStyle = colour;
        context.fillRect(x0, y, Math.max(x1 - x0, 0.6), height);
      }
  };

  for (let k = findFirst(lane.issues, run.xt, lane.reach); k < lane.issues.length; k++)
    {
      const i = lane.issues[k];
      if (run.xt[i] > view.to)
        break;
      const from = toX(run.xt[i]), to = toX(Math.max(run.xc[i], run.xb[i])), next = tint(colourOf(run, i));
      if (next === colour && from <= x1 + 0.8)
        {
          x1 = Math.max(x1, to);
          continue;
        }
      if (to < x1 + 0.4)
        continue;
      flush();
      colour = next;
      x0 = from;
      x1 = to;
    }
  flush();
}

function drawWait (context, run, i, y, height)
{
  const wait = run.wait[i];
  const part = (from, to, colour) => {
    const x0 = toX(run.x(from)), x1 = toX(run.x(to));
    if (x1 - x0 < 0.3)
      return;
    context.fillStyle = colour;
    context.fillRect(x0, y, x1 - x0, height);
  };

  if (wait.follows)
    return;
  if (wait.why !== null)
    part(wait.from, wait.ready, shade(stallColour[wait.why]));
  part(wait.ready, wait.accept, stallColour.pipeline);
  part(wait.accept, run.time[i], stallColour.not_selected);
}

/* Near: each instruction from its issue on; below it what it waited for. */
function drawLaneNear (context, run, lane, y, height)
{
  const strip = height >= 12 ? 4 : 2, bar = height - strip - 1;
  const first = findFirst(lane.issues, run.xt, lane.reach);
  const seen = [];

  for (let k = first; k < lane.issues.length && run.xt[lane.issues[k]] <= view.to; k++)
    seen.push(lane.issues[k]);
  for (const i of seen)
    {
      const x0 = toX(run.xt[i]), xs = toX(run.xs[i]), xc = toX(run.xc[i]);
      context.fillStyle = tint(colourOf(run, i));
      if (xs - x0 >= 1)
        context.fillRect(x0, y + bar / 2 - 1, xs - x0, 2); // waits in the pipeline's queue
      if (xc > xs)
        context.fillRect(xs, y + 1, Math.max(xc - xs, 0.7), bar - 1);
    }
  for (const i of seen)
    {
      const x0 = toX(run.xs[i]), x1 = Math.max(toX(run.xb[i]), x0 + 2);
      context.fillStyle = colourOf(run, i);
      context.fillRect(x0, y + 1, x1 - x0 - (x1 - x0 > 4 ? 0.8 : 0), bar - 1);
    }
  for (const i of seen)
    drawWait(context, run, i, y + height - strip, strip - 1);
  /* One that issues after the view may have waited within it. */
  const next = lane.issues[first + seen.length];
  if (next !== undefined)
    drawWait(context, run, next, y + height - strip, strip - 1);
  if (bar >= 13)
    writeNames(context, run, seen.sort((a, b) => run.xs[a] - run.xs[b]), y + bar / 2 + 0.5);
}

/* The name of each instruction of SEEN, which are by start, where there is room: on its bar, or behind it up to the next. */
function writeNames (context, run, seen, y)
{
  context.textAlign = "left";
  seen.forEach((i, k) => {
    const node = run.written.get(run.instrOf[i]), op = run.record.instrs[run.instrOf[i]].op;
    const names = [op, op.split(".")[0], node ? String(node.number) : op];
    const start = Math.max(toX(run.xs[i]), left), bar = Math.max(toX(run.xb[i]), start + 2);
    const end = Math.max(toX(run.xc[i]), bar), next = k + 1 < seen.length ? toX(run.xs[seen[k + 1]]) : Infinity;
    const fits = (from, to) => names.find((name) => context.measureText(name).width <= Math.min(to, next) - from - 5);
    const onBar = fits(start, bar), behind = fits(bar, end);
    if (!onBar && !behind)
      return;
    /* The longer one is the better one, as names get shorter. */
    const isBehind = !onBar || (behind && names.indexOf(behind) < names.indexOf(onBar));
    context.fillStyle = isBehind ? theme.fg : isDark(colourOf(run, i)) ? "#ffffff" : "#111111";
    context.fillText(isBehind ? behind : onBar, (isBehind ? bar : start) + 3, y);
  });
}

function outline (context, run, i, y, height, colour)
{
  const x0 = toX(run.xt[i]), x1 = Math.max(toX(Math.max(run.xc[i], run.xb[i])), x0 + 3);

  context.strokeStyle = colour;
  context.lineWidth = 2;
  context.strokeRect(x0 - 1, y, x1 - x0 + 2, height);
}

function labelRows (context, rows, rowHeight, name)
{
  const every = Math.ceil(12 / rowHeight);

  context.fillStyle = theme.muted;
  context.textAlign = "right";
  rows.forEach((row, k) => {
    if (k % every === 0)
      context.fillText(name(row), left - 6, k * rowHeight + Math.max(rowHeight, 12) / 2, left - 8);
  });
}

function addLanes (run)
{
  const rowHeight = getRowHeight(run.lanes.length);
  const height = () => Math.max(run.lanes.length * rowHeight, 20);
  const name = "Warps by slot" + (run.leftOut ? " (the first " + MAX_LANES + "; " + run.leftOut + " more are left out)" : "");
  const density = () => run.lanes.reduce((most, lane) => Math.max(most,
    after(lane.issues, view.to, (i) => run.xt[i]) - after(lane.issues, view.from, (i) => run.xt[i])), 0);

  const strip = addStrip(run, name, "lanes", height, (context, all) => {
    const near = density() * 2.5 < width;
    labelRows(context, run.lanes, rowHeight, (lane) => lane.slot);
    clip(context, all);
    run.lanes.forEach((lane, k) => {
      const gap = rowHeight > 3 ? 1 : 0;
      drawResidence(context, lane, k * rowHeight, rowHeight - gap);
      if (near)
        drawLaneNear(context, run, lane, k * rowHeight, rowHeight - gap);
      else
        drawLaneFar(context, run, lane, k * rowHeight + (rowHeight > 6 ? 1 : 0), rowHeight - gap - (rowHeight > 6 ? 2 : 0));
    });
    hatchRest(context, run, run.issuesUntil, all, "instructions");
    if (selected && selected.run === run)
      {
        const row = run.warps[run.warpOf[selected.issue]].lane;
        for (const { issue } of run.wait[selected.issue].producers)
          outline(context, run, issue, row * rowHeight, rowHeight - 1, theme.muted);
        outline(context, run, selected.issue, row * rowHeight, rowHeight - 1, theme.fg);
      }
    context.restore();
  }, (time, y) => hoverLane(run, Math.floor(y / rowHeight), time));
  strip.rowHeight = rowHeight;
  strip.canvas.dataset.row = rowHeight;
  run.laneStrip = strip;
}

/* What is in lane NUMBER at TIME: an instruction that is on its bar, or awaited, or what the warp waits for. */
function hoverLane (run, number, time)
{
  const lane = run.lanes[number], near = 3 * perPixel();

  if (!lane)
    return null;
  const end = after(lane.issues, time + near, (i) => run.xt[i]);
  let inFlight = null;
  for (let k = end - 1; k >= 0 && k > end - 500 && run.xt[lane.issues[k]] >= time - lane.reach - near; k--)
    {
      const i = lane.issues[k];
      if (run.xs[i] - near <= time && time <= Math.max(run.xb[i], run.xs[i] + near))
        return { run, issue: i };
      if (inFlight === null && run.xc[i] >= time)
        inFlight = i;
    }
  if (inFlight !== null)
    return { run, issue: inFlight };
  const warp = lane.warps.find((one) => one.x0 <= time && time <= one.x1);
  const next = lane.issues[end];
  if (warp && next !== undefined && run.warps[run.warpOf[next]] === warp)
    return { run, issue: next };
  return warp ? { run, warp } : null;
}

function addUnits (run)
{
  const rowHeight = run.units.length <= 4 ? 20 : run.units.length <= 10 ? 15 : 10;
  const height = () => Math.max(run.units.length * rowHeight, 10);

  return addStrip(run, "Pipelines: each instruction while it keeps the next one out", "units", height, (context, all) => {
    labelRows(context, run.units, rowHeight, (one) => one.name);
    clip(context, all);
    drawGrid(context, all);
    run.units.forEach((one, k) => drawUnit(context, run, one, k * rowHeight, rowHeight - 1));
    hatchRest(context, run, run.issuesUntil, all, "instructions");
    context.restore();
  }, (time, y) => {
    const one = run.units[Math.floor(y / rowHeight)];
    if (!one)
      return null;
    const k = after(one.issues, time, (i) => run.xs[i]) - 1;
    if (k >= 0 && run.xb[one.issues[k]] >= time - perPixel())
      return { run, issue: one.issues[k] };
    return null;
  });
}

function drawUnit (context, run, one, y, height)
{
  const first = findFirst(one.issues, run.xs, one.reach), end = after(one.issues, view.to, (i) => run.xs[i]);
  const colour = run.pipelines[one.pipeline].colour, columns = width - left - right;

  context.fillStyle = theme.panel;
  context.fillRect(left, y, columns, height);
  context.fillStyle = colour;
  if (end - first < columns / 3)
    {
      for (let k = first; k < end; k++)
        {
          const x0 = toX(run.xs[one.issues[k]]), x1 = toX(run.xb[one.issues[k]]);
          context.fillRect(x0, y, Math.max(x1 - x0 - (x1 - x0 > 4 ? 1 : 0), 1), height);
        }
      return;
    }
  /* How much of each pixel's time it is busy, as colour. */
  const busy = new Float32Array(columns + 1);
  for (let k = first; k < end; k++)
    {
      const x0 = clamp(toX(run.xs[one.issues[k]]) - left, 0, columns), x1 = clamp(toX(run.xb[one.issues[k]]) - left, 0, columns);
      for (let x = Math.floor(x0); x < x1; x++)
        busy[x] += Math.min(x + 1, x1) - Math.max(x, x0);
    }
  for (let x = 0; x < columns; )
    {
      const level = Math.round(Math.min(busy[x], 1) * 16);
      let to = x + 1;
      while (to < columns && Math.round(Math.min(busy[to], 1) * 16) === level)
        to++;
      context.globalAlpha = level / 16;
      if (level > 0)
        context.fillRect(left + x, y, to - x, height);
      x = to;
    }
  context.globalAlpha = 1;
}

// ---- Lives of warps, in the order of their launch: figure 3.3 of Volkov's thesis ----

function addLives (run)
{
  const height = () => clamp(run.warps.length * 14 + 8, 40, 220);
  const longest = run.warps.reduce((most, warp) => Math.max(most, warp.x1 - warp.x0), 0);
  let seen = [];

  return addStrip(run, "Lives of warps, a line each, in the order of launch; blocks in turn dark and light", "lives", height, (context, all) => {
    const first = after(run.warps, view.from - longest, (warp) => warp.x0);
    seen = [];
    for (let k = first; k < run.warps.length && run.warps[k].x0 <= view.to; k++)
      if (run.warps[k].x1 >= view.from)
        seen.push(run.warps[k]);
    const row = Math.min((all - 6) / Math.max(seen.length, 1), 14);
    context.fillStyle = theme.muted;
    context.textAlign = "right";
    const every = Math.max(Math.ceil(14 / row), 1);
    for (let k = 0; k < seen.length; k += every)
      context.fillText(String(seen[k].age), left - 6, 3 + (k + 0.5) * row + (row < 12 ? 3 : 0), left - 8);
    clip(context, all);
    drawGrid(context, all);
    seen.forEach((warp, k) => {
      context.fillStyle = warp.band ? mix("#56b4e9", theme.bg, theme.isDark ? 0.5 : 0.7) : mix(shade("#0072b2"), theme.bg, 0.85);
      const x0 = toX(warp.x0), x1 = toX(warp.x1);
      const thick = clamp(row - 1, Math.min(row, 0.8), 7);
      context.fillRect(x0, 3 + (k + 0.5) * row - thick / 2, Math.max(x1 - x0, 1), thick);
    });
    hatchRest(context, run, run.warpsUntil, all, "warps");
    context.restore();
  }, (time, y) => {
    const row = Math.min((height() - 6) / Math.max(seen.length, 1), 14);
    const warp = seen[Math.floor((y - 3) / row)];
    return warp && warp.x0 <= time && time <= warp.x1 ? { run, warp } : null;
  });
}

function buildStrips ()
{
  for (const run of runs)
    {
      run.title = make("div", { class: "run-title" }, run.name, make("span", { class: "muted" }, ": "
        + decimal(run.elapsed, run.perCycle) + " cycles"));
      if (many)
        byId("strips").append(run.title);
      addCurveStrip(run, "Occupancy: warps resident on the SM", "occupancy",
        [{ curve: run.occupancy, colour: () => theme.accent, dash: [], area: true }]);
      if (run.used.length > 0)
        addCurveStrip(run, "Instructions in flight: issued and not complete", "flight",
          run.used.map((p, k) => ({
            name: run.pipelines[p].name, curve: run.flights[p], dash: dashes[k % dashes.length], area: false,
            colour: () => run.pipelines[p].colour,
          })));
      if (run.units.length > 0)
        addUnits(run);
      addLanes(run);
      addLives(run);
    }
  byId("strips").append(make("div", { id: "cross", hidden: true }), make("div", { id: "marked", hidden: true }));
}

/* Several runs: one after the other, or each drawing of all of them together. */
function arrange (together)
{
  const kinds = [...new Set(strips.map((strip) => strip.kind))], area = byId("strips");
  const place = (strip) => {
    strip.element.querySelector(".name b").textContent = together ? strip.run.name + " " : "";
    area.append(strip.element);
  };

  for (const run of runs)
    {
      run.title.hidden = together;
      area.append(run.title);
      strips.filter((strip) => strip.run === run).forEach(place);
    }
  if (together)
    kinds.forEach((kind) => strips.filter((strip) => strip.kind === kind).forEach(place));
  byId("together").setAttribute("aria-pressed", String(together));
  drawSoon();
}

// ---- What is under the pointer, or selected ----

let selected = null; // { run, issue }

function nameOf (run, id)
{
  const node = run.written.get(id), instr = run.record.instrs[id];
  return (node ? node.number + " " : "") + (instr ? instr.op : node ? node.op : "");
}

const cyclesOf = (run, ticks) => exact(ticks, run.perCycle) + (BigInt(ticks) === run.perCycle ? " cycle" : " cycles");

/* Rows [what, value] about instruction I. */
function describeIssue (run, i)
{
  const { N, record } = run, columns = record.issues, instr = record.instrs[run.instrOf[i]];
  const at = (ticks) => exact(ticks, run.perCycle), wait = run.wait[i], zero = N(0), rows = [];
  const isBarrier = instr.pipeline === undefined;

  rows.push([isBarrier ? "arrives at" : "issues at", at(run.time[i])]);
  if (wait.follows)
    rows.push(["", "in one issue with the instruction before it"]);
  else
    {
      const own = wait.ready - wait.from;
      const why = {
        barrier: "the release of the barrier", ilp: "its turn after its own last issue (ILP latency)",
        dependency: wait.producer === null ? "results of earlier instructions"
          : "the result of " + nameOf(run, run.instrOf[wait.producer]),
      }[wait.why];
      rows.push(["waited for", own > zero ? why + ", " + cyclesOf(run, own) : "nothing: ready at once"]);
      if (wait.accept > wait.ready)
        rows.push(["", "the pipeline, " + cyclesOf(run, wait.accept - wait.ready)]);
      if (run.time[i] > wait.accept)
        rows.push(["", "the scheduler's turn, " + cyclesOf(run, run.time[i] - wait.accept)]);
    }
  for (const producer of wait.producers)
    rows.push(["needs", nameOf(run, run.instrOf[producer.issue]) + ", there at " + at(producer.at)]);
  if (isBarrier)
    {
      rows.push(["released at", columns.release && columns.release[i] !== -1 ? at(run.complete[i]) : "later than is known"]);
      return rows;
    }
  rows.push(["starts at", at(run.start[i]) + " in " + run.pipelines[instr.pipeline].name
    + (run.start[i] > run.time[i] ? ", queued for " + cyclesOf(run, run.start[i] - run.time[i]) : "")]);
  rows.push(["takes it until", at(run.start[i] + N(instr.issue)) + " (\u03bb " + at(instr.issue) + ")"]);
  if (served(run, i) !== run.start[i])
    rows.push(["served at", at(served(run, i))]);
  rows.push(["complete at", instr.posted ? at(run.complete[i]) + " (posted: nobody waits for it)"
    : at(run.complete[i]) + " (\u039b " + at(instr.completion) + ")"]);
  return rows;
}

function describeWarp (run, warp)
{
  const at = (ticks) => exact(ticks, run.perCycle);
  const rows = [["starts at", at(warp.start)]];

  if (warp.end === null)
    rows.push(["ends", "after the run was stopped"]);
  else
    rows.push(["ends at", at(warp.end)], ["lives", cyclesOf(run, warp.end - warp.start)], ["issues", plural(warp.issued, "instruction")]);
  rows.push(["launched as", "warp " + warp.age + " of the SM"]);
  return rows;
}

const titleOf = (warp) => "warp " + warp.warp + " of block " + warp.block + (warp.slot >= 0 ? ", slot " + warp.slot : "");

/* Title, code and rows of THING. */
function describe (thing)
{
  const { run } = thing;

  if (thing.issue === undefined)
    return { title: titleOf(thing.warp), code: null, rows: describeWarp(run, thing.warp) };
  const node = run.written.get(run.instrOf[thing.issue]), warp = run.warps[run.warpOf[thing.issue]];
  return {
    title: titleOf(warp),
    code: nameOf(run, run.instrOf[thing.issue]) + (node && node.context ? " (" + node.context + ")" : "")
      + (node && node.text ? "   " + node.text : ""),
    rows: describeIssue(run, thing.issue),
  };
}

/* At X, Y of the window. */
function showTip (thing, x, y)
{
  const tip = byId("tip"), { title, code, rows } = describe(thing);

  tip.replaceChildren(
    make("p", { class: "what" }, (many ? thing.run.name + ": " : "") + title),
    ...(code ? [make("p", {}, make("code", {}, code))] : []),
    make("table", {}, make("tbody", {}, rows.map(([what, value]) => make("tr", {}, make("td", {}, what), make("td", {}, value))))));
  tip.hidden = false;
  const place = tip.getBoundingClientRect();
  tip.style.left = clamp(x + 16 + place.width > window.innerWidth ? x - place.width - 16 : x + 16, 4, Math.max(window.innerWidth - place.width - 4, 4)) + "px";
  tip.style.top = clamp(y + 18 + place.height > window.innerHeight ? y - place.height - 12 : y + 18, 4, Math.max(window.innerHeight - place.height - 4, 4)) + "px";
}

function hideTip ()
{
  byId("tip").hidden = true;
}

function placeSelection ()
{
  if (!selected)
    return;
  const { run, issue } = selected, place = run.laneStrip.canvas.getBoundingClientRect();
  if (Math.max(run.xc[issue], run.xb[issue]) < view.from || run.xt[issue] > view.to)
    return hideTip();
  const row = run.warps[run.warpOf[issue]].lane;
  showTip(selected, place.left + clamp(toX(run.xt[issue]), left, width - right), place.top + (row + 1) * run.laneStrip.rowHeight);
}

function select (thing)
{
  const { run, issue } = thing, span = view.to - view.from;

  selected = thing;
  if (run.xt[issue] < view.from || run.xt[issue] > view.to)
    show(run.xt[issue] - span / 2, run.xt[issue] + span / 2);
  drawSoon();
  const { title, code, rows } = describe(thing);
  byId("spoken").textContent = [title, code, ...rows.map((row) => row.join(" "))].join("; ");
}

function unselect ()
{
  selected = null;
  hideTip();
  drawSoon();
}

/* The first that can be selected, in sight if there is one. */
function selectFirst ()
{
  for (const run of runs)
    for (const lane of run.lanes)
      if (lane.issues.length > 0)
        {
          const k = Math.min(after(lane.issues, view.from - finest / 4, (i) => run.xt[i]), lane.issues.length - 1);
          return select({ run, issue: lane.issues[k] });
        }
}

function step (by)
{
  if (!selected)
    return selectFirst();
  const { run, issue } = selected, lane = run.lanes[run.warps[run.warpOf[issue]].lane];
  const next = lane.issues[lane.issues.indexOf(issue) + by];
  if (next !== undefined)
    select({ run, issue: next });
}

function stepLane (by)
{
  if (!selected)
    return selectFirst();
  const { run, issue } = selected;
  let number = run.warps[run.warpOf[issue]].lane + by, of = run;
  if (!of.lanes[number])
    {
      of = runs[run.number + by];
      number = by > 0 ? 0 : of ? of.lanes.length - 1 : 0;
    }
  const lane = of && of.lanes[number];
  if (!lane || lane.issues.length === 0)
    return;
  const k = clamp(after(lane.issues, run.xt[issue], (i) => of.xt[i]) - 1, 0, lane.issues.length - 1);
  select({ run: of, issue: lane.issues[k] });
}

// ---- Pointer and keys ----

function setUpPointer ()
{
  const area = byId("strips"), cross = byId("cross"), marked = byId("marked");
  let drag = null;

  const find = (event) => strips.find((strip) => strip.canvas === event.target);
  const xOf = (event) => event.clientX - area.getBoundingClientRect().left;

  area.addEventListener("pointerdown", (event) => {
    const strip = find(event);
    if (!strip || event.button !== 0 || xOf(event) < left)
      return;
    drag = { x: xOf(event), from: view.from, to: view.to, marks: event.shiftKey, strip };
    strip.canvas.setPointerCapture(event.pointerId);
    if (!drag.marks)
      strip.element.classList.add("panning");
  });
  area.addEventListener("pointermove", (event) => {
    const x = xOf(event);
    if (drag && drag.marks)
      {
        marked.hidden = false;
        marked.style.left = Math.min(x, drag.x) + "px";
        marked.style.width = Math.abs(x - drag.x) + "px";
        return;
      }
    if (drag)
      {
        const by = (drag.x - x) / (width - left - right) * (drag.to - drag.from);
        show(drag.from + by, drag.to + by);
        hideTip();
        return;
      }
    hover(find(event), x, event);
  });
  const drop = (event) => {
    if (drag && drag.marks && Math.abs(xOf(event) - drag.x) > 3)
      show(toTime(Math.min(xOf(event), drag.x)), toTime(Math.max(xOf(event), drag.x)));
    if (drag)
      drag.strip.element.classList.remove("panning");
    drag = null;
    marked.hidden = true;
  };
  area.addEventListener("pointerup", drop);
  area.addEventListener("pointercancel", drop);
  area.addEventListener("pointerleave", () => {
    cross.hidden = true;
    for (const strip of strips)
      strip.output.textContent = "";
    if (!selected)
      hideTip();
  });
  area.addEventListener("dblclick", (event) => {
    if (find(event))
      zoom(event.shiftKey ? 3 : 1 / 3, toTime(xOf(event)));
  });
  area.addEventListener("wheel", (event) => {
    if (event.ctrlKey || event.metaKey)
      {
        event.preventDefault();
        zoom(Math.exp(clamp(event.deltaY, -100, 100) / 200), toTime(Math.max(xOf(event), left)));
      }
    else if (Math.abs(event.deltaX) > Math.abs(event.deltaY))
      {
        event.preventDefault();
        move(event.deltaX / width);
      }
  }, { passive: false });
}

function hover (strip, x, event)
{
  const cross = byId("cross"), time = toTime(x), inside = x >= left && x <= width - right;

  cross.hidden = !inside;
  cross.style.left = x + "px";
  for (const one of strips)
    {
      const said = inside && one.hover && (one.kind === "occupancy" || one.kind === "flight") ? one.hover(time).value : "";
      one.output.textContent = said;
    }
  if (!strip || !inside)
    return selected ? undefined : hideTip();
  const there = strip.hover(time, event.clientY - strip.canvas.getBoundingClientRect().top);
  if (there && there.run)
    showTip(there, event.clientX, event.clientY);
  else if (!selected)
    hideTip();
}

function setUpKeys ()
{
  const scale = (factor) => {
    const at = selected ? selected.run.xt[selected.issue] : null;
    zoom(factor, at !== null && at >= view.from && at <= view.to ? at : undefined);
  };
  const keys = {
    ArrowLeft: () => move(-0.15), ArrowRight: () => move(0.15), "+": () => scale(0.5), "=": () => scale(0.5), "-": () => scale(2),
    "0": () => show(0, total), Home: () => show(0, view.to - view.from), End: () => show(total - view.to + view.from, total),
    n: () => step(1), p: () => step(-1), ArrowDown: () => stepLane(1), ArrowUp: () => stepLane(-1),
    Enter: () => selected && show(...around(selected)),
    Escape: unselect,
  };

  byId("strips").addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key])
      return;
    event.preventDefault();
    keys[event.key]();
  });
  byId("strips").addEventListener("blur", () => selected && unselect());
  byId("earlier").onclick = () => move(-0.4);
  byId("later").onclick = () => move(0.4);
  byId("closer").onclick = () => zoom(0.5);
  byId("farther").onclick = () => zoom(2);
  byId("whole").onclick = () => show(0, total);
  byId("together").hidden = !many;
  byId("together").onclick = () => arrange(byId("together").getAttribute("aria-pressed") !== "true");
}

/* From where it began to wait to its end, and something around it. */
function around ({ run, issue })
{
  const wait = run.wait[issue];
  const from = run.x(wait.from), to = Math.max(run.xc[issue], run.xb[issue]);
  const margin = Math.max((to - from) * 0.15, finest);
  return [from - margin, to + margin];
}

function setUpOverview ()
{
  const overview = byId("overview");
  let isDown = false;
  const go = (event) => {
    const share = (event.clientX - overview.getBoundingClientRect().left - left) / (width - left - right);
    const half = (view.to - view.from) / 2;
    show(share * total - half, share * total + half);
  };

  overview.addEventListener("pointerdown", (event) => {
    isDown = true;
    overview.setPointerCapture(event.pointerId);
    go(event);
  });
  overview.addEventListener("pointermove", (event) => isDown && go(event));
  overview.addEventListener("pointerup", () => isDown = false);
}

// ---- Text and tables ----

function buildHeading ()
{
  const { facts, report } = runs[0];
  const same = (get) => runs.every((run) => get(run) === get(runs[0])) ? get(runs[0]) : null;
  const launch = (run) => plural(run.report.launch.blocks, "block") + " of " + plural(run.report.launch.threads, "thread");
  const settings = (run) => run.facts.parameters.map((one) => one.name + "=" + one.value).join(" ");
  const parts = [
    facts.kernel_title, same((run) => run.facts.gpu_title), same(launch), same(settings),
    same((run) => "policy " + run.report.policy), same((run) => run.report.order + " order"),
    same((run) => run.report.memory + " memory" + (run.report.memory === "contended" ? ", seed " + run.report.seed : "")),
    same((run) => run.report.sms + " of " + plural(run.facts.gpu_sms, "SM") + " simulated"),
  ];

  byId("title").textContent = data.page.title;
  byId("subtitle").textContent = parts.filter((part) => part).join(" \u00b7 ");
  for (const sentence of data.page.sentences)
    byId("verdict").append(make("p", { class: "of-all" }, sentence));
  for (const run of runs)
    byId("verdict").append(make("p", {}, many ? make("span", { class: "of" }, run.name) : null, run.facts.verdict));
  for (const section of document.querySelectorAll("main > section"))
    byId("contents").append(make("a", { href: "#" + section.id }, section.querySelector("h2").textContent));
}

/* What is said of a run: [name, value, more]. */
function listFigures (run)
{
  const { report } = run, cycles = decimal(run.elapsed, run.perCycle);

  return [
    ["Time, cycles", cycles, ratio(report.time_us) + " \u00b5s at " + ratio(parseCycles(run.facts.clock_mhz)) + " MHz"],
    ["Occupancy, mean", ratio(report.mean_occupancy) + " warps", "at most " + run.bounds.occupancy + ", limited by " + report.limiters.join(", ").replace("grid", "the size of the grid")],
    ["A warp lives, mean", ratio(report.mean_warp_latency) + " cycles", plural(report.warps, "warp") + " of " + plural(report.blocks, "block")],
    ["Warp throughput", ratio(report.warp_throughput), "warps a cycle and SM"],
    ["Instructions", ratio(report.ipc) + " a cycle", "and SM; " + report.instructions + " in all"],
    ["Issue slots taken", percent(report.scheduler_utilization), "of all schedulers"],
  ];
}

function buildFigures ()
{
  const body = byId("figures-body");

  if (!many)
    body.append(make("dl", { class: "cards" }, listFigures(runs[0]).map(([name, value, more]) =>
      make("div", {}, make("dt", {}, name), make("dd", {}, value, make("small", {}, more))))), makePipelineTable(runs[0]));
  else
    body.append(makeComparison());
}

function makeTable (head, rows)
{
  return make("div", { class: "wide" }, make("table", {},
    make("thead", {}, make("tr", {}, head.map((text) => make("th", { scope: "col" }, text)))),
    make("tbody", {}, rows.map((row) => make("tr", {}, row.map((text, i) => make(i === 0 ? "th" : "td", i === 0 ? { scope: "row" } : {}, text)))))));
}

function makePipelineTable (run)
{
  const rows = run.report.pipelines.filter((one) => one.instructions > 0).map((one) => [
    one.name + (run.pipelines.find((other) => other.name === one.name).instances > 1 ? " (each)" : ""), String(one.instructions),
    percent(one.utilization), ratio(one.ipc), ratio(one.gflops), ratio(one.gbytes_per_s)]);

  return rows.length === 0 ? "" : make("div", {}, make("h3", {}, "Pipelines"),
    makeTable(["", "instructions", "in use", "IPC an SM", "Gflop/s", "GB/s"], rows));
}

function makeComparison ()
{
  const figures = runs.map(listFigures), rows = figures[0].map(([name], i) => [name, ...figures.map((list) => list[i][1])]);
  const names = [...new Set(runs.flatMap((run) => run.report.pipelines.filter((one) => one.instructions > 0).map((one) => one.name)))];

  for (const name of names)
    rows.push([name + " in use", ...runs.map((run) => {
      const one = run.report.pipelines.find((other) => other.name === name);
      return one ? percent(one.utilization) : "\u2013";
    })]);
  return makeTable(["", ...runs.map((run) => run.name)], rows);
}

function buildKept ()
{
  for (const run of runs)
    {
      const { record } = run, at = (ticks) => decimal(ticks, run.perCycle);
      const said = [], say = (sentence) => said.push(sentence[0].toUpperCase() + sentence.slice(1));
      if (record.sms > 1)
        say("SM " + record.sm + " of the " + record.sms + " simulated is drawn.");
      if (run.from > 0 || run.to < run.end)
        say("instructions and warps are those of cycles " + at(record.from) + " to " + at(record.to) + ".");
      if (record.issues_until !== undefined)
        say(plural(run.n, "instruction") + " of " + record.n_issues + " are kept: all before cycle "
          + at(record.issues_until) + "." + (many ? "" : " Another part of the run: --from and --to."));
      if (record.warps_until !== undefined)
        say("lives are kept of warps that start before cycle " + at(record.warps_until) + ".");
      if ([run.occupancy, ...run.flights].some((curve) => curve.width))
        say("curves are thinned: the least, the greatest and the mean of each "
          + at(record.occupancy.width || record.flights.find((curve) => curve.width).width) + " cycles or less.");
      if (!run.report.complete)
        say("the run was stopped before its end.");
      if (said.length > 0)
        byId("kept").append(make("div", {}, many ? make("b", {}, run.name + ": ") : "", said.join(" ")));
    }
}

function buildLegend ()
{
  const swatch = (colour, text, thin) => {
    const box = make("i", { class: "swatch" + (thin ? " thin" : "") });
    box.style.background = colour;
    return make("span", {}, box, text);
  };
  const pipelines = new Map();

  for (const run of runs)
    for (const p of run.used)
      pipelines.set(run.pipelines[p].name, run.pipelines[p].colour);
  const hasBarrier = runs.some((run) => Object.values(run.record.instrs).some((instr) => instr.pipeline === undefined));
  const used = stalls.filter((stall) => runs.some((run) => run.report.stalls[stall.name] > 0) && stall.name !== "drain");
  byId("legend").replaceChildren(make("b", {}, "In a pipeline"),
    ...[...pipelines].map(([name, colour]) => swatch(colour, name)), ...(hasBarrier ? [swatch(barrierColour, "barrier")] : []),
    make("b", {}, "In execution, paler"),
    ...[...pipelines].map(([name, colour]) => swatch(tint(colour), name)),
    make("b", {}, "A warp waits"), ...used.map((stall) => swatch(shade(stall.colour), stall.text, true)));
}

function buildReading ()
{
  const sentences = [
    "Each row of warps is a warp slot of the SM. Its background is a warp that is resident there: blocks are dark and light in turn.",
    "An instruction's full colour is the time for which it keeps its pipeline from starting the next one (issue latency); the paler rest is the time until its result is there (completion latency). A thin line before it: it waits in the pipeline's queue.",
    "The thin line below is what the warp waits for before its next issue. From farther away that is left out, and only what is in execution is drawn.",
    "Point at an instruction for its times and what it waited for; all times are exact.",
    ...(many ? ["The runs stand one below the other on one time axis; \"Together\" puts the same drawing of each together."] : []),
    "Little's law in the picture: the lines that a vertical cut crosses among the lives are the occupancy there; their mean length is the latency of a warp, and how many end in a cycle the throughput.",
  ];

  byId("reading").append(...sentences.map((sentence) => make("li", {}, sentence)));
}

function buildStalls ()
{
  const shares = make("div", { class: many ? "shares" : "shares alone" }), body = byId("stalls-body");

  for (const run of runs)
    {
      const sum = stalls.reduce((all, stall) => all + run.report.stalls[stall.name], 0);
      const stack = make("div", { class: "stack", role: "img", "aria-label": stalls.map((stall) =>
        stall.text + " " + percent(sum ? run.report.stalls[stall.name] / sum : 0)).join(", ") });
      for (const stall of stalls)
        {
          const share = sum ? run.report.stalls[stall.name] / sum : 0;
          const part = make("div", { class: isDark(stall.colour) ? "light" : "", title: stall.text + ": " + percent(share) },
            share > 0.07 ? percent(share) : "");
          if (share === 0)
            continue;
          part.style.background = stall.colour;
          part.style.width = 100 * share + "%";
          stack.append(part);
        }
      shares.append(...(many ? [make("div", {}, run.name)] : []), stack);
    }
  body.append(shares);
  const cell = (run, stall) => {
    const sum = stalls.reduce((all, one) => all + run.report.stalls[one.name], 0);
    return percent(sum ? run.report.stalls[stall.name] / sum : 0);
  };
  const rows = [];
  for (const stall of stalls)
    {
      const box = make("i", { class: "swatch" });
      box.style.background = stall.colour;
      rows.push([make("span", {}, box, " " + stall.text), ...runs.flatMap((run) => many ? [cell(run, stall)] : [cell(run, stall), String(run.report.stalls[stall.name])])]);
      const waited = new Set(stall.name === "dependency" ? runs.flatMap((run) => run.report.pipelines.filter((one) => one.dependency > 0).map((one) => one.name)) : []);
      for (const name of waited)
        rows.push([make("span", { class: "muted" }, "\u2003\u2003of " + name), ...runs.flatMap((run) => {
          const cycles = run.report.pipelines.find((one) => one.name === name)?.dependency || 0;
          const sum = stalls.reduce((all, one) => all + run.report.stalls[one.name], 0);
          return many ? [percent(sum ? cycles / sum : 0)] : [percent(sum ? cycles / sum : 0), String(cycles)];
        })]);
    }
  body.append(makeTable(["", ...(many ? runs.map((run) => run.name) : ["share", "cycles of all warps"])], rows));
}

// ---- Bounds: throughput by occupancy ----

/* Runs with the same bounds share a drawing. */
function groupRuns ()
{
  const groups = new Map();

  for (const run of runs)
    {
      const key = JSON.stringify([run.bounds.kernel, run.bounds.gpu, run.bounds.order, run.bounds.latency_bound, run.bounds.throughput_bound, run.facts.graph]);
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

  for (const group of groupRuns())
    {
      const { bounds, facts } = group[0], needed = bounds.needed_occupancy;
      if (group.length < runs.length)
        body.append(make("h3", {}, group.map((run) => run.name).join(", ")));
      body.append(make("dl", { class: "cards" }, [
        ["Latency bound", bounds.latency_bound + " cycles", "a warp with all to itself" + (bounds.launch_latency ? ", launch of its block included" : "")],
        ["Throughput bound", bounds.throughput_bound + " cycles a warp", "of " + bounds.tightest],
        ["Needed occupancy", needed === null ? "none is enough" : ratio(needed) + " warps", "latency bound / throughput bound"],
        ["Here", bounds.occupancy + " warps", "at most: bound by " + bounds.regime + (bounds.estimates ? "; estimates: warps may be faster in company" : "")],
      ].map(([name, value, more]) => make("div", {}, make("dt", {}, name), make("dd", {}, value, make("small", {}, more))))));
      if (bounds.launch_latency > 0 && group.some((run) => run.report.blocks <= run.report.resident_blocks))
        body.append(make("p", { class: "note" }, "The latency bound counts " + bounds.launch_latency
          + " cycles for the launch of a block in the place of another; the first blocks do not wait for that, so that so short a run may do better."));
      if (!(facts.instructions > 0) || bounds.by_occupancy.length === 0)
        continue;
      const chart = make("div", { class: "chart" }), models = facts.models.filter((model) => model.points.length > 0);
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
  return make("fieldset", { class: "choices" }, make("legend", {}, "Models of others (doc/models.md)"), models.map((model) => {
    const box = make("input", { type: "checkbox", checked: shownModels.has(model.name) });
    box.addEventListener("change", () => {
      if (box.checked)
        shownModels.add(model.name);
      else
        shownModels.delete(model.name);
      draw();
    });
    return make("label", { title: model.title, "data-model": model.name }, box, make("span", {}), model.name + " (" + model.authors + ", " + model.year + ")");
  }));
}

const lineOf = (k) => ({ colour: shade(otherColours[k % 4]), dash: dashes[1 + k % 5] });

/* The line of each of the models that are SHOWN, beside its name. */
function showSamples (choices, shown)
{
  for (const label of choices.querySelectorAll("label"))
    {
      const k = shown.findIndex((model) => model.name === label.dataset.model);
      label.querySelector("span").replaceChildren(...(k < 0 ? [] : [makeSample(lineOf(k).colour, lineOf(k).dash, "")]));
    }
}

function drawChart (chart, group, models)
{
  const { bounds, facts } = group[0], wide = clamp(chart.clientWidth || 700, 300, 960), high = clamp(wide * 0.5, 260, 420);
  const box = { left: 58, right: wide - 14, top: 26, bottom: high - 46 };
  const toIpc = (throughput) => throughput * facts.instructions;
  const curve = bounds.by_occupancy.filter((point) => point.warp_throughput !== null);
  const points = group.map((run) => ({ run, warps: run.report.mean_occupancy, ipc: run.report.ipc }));
  const mostWarps = Math.max(...bounds.by_occupancy.map((point) => point.warps), ...points.map((point) => point.warps), 1);
  const all = [...curve.map((point) => toIpc(point.warp_throughput)), ...points.map((point) => point.ipc)];
  const seenIpc = models.flatMap((model) => model.points.map((point) => toIpc(point.warp_throughput))).filter((ipc) => ipc <= 1.6 * Math.max(...all));
  const mostIpc = Math.max(...all, ...seenIpc) * 1.15 || 1;
  const x = (warps) => box.left + warps / mostWarps * (box.right - box.left);
  const y = (ipc) => box.bottom - ipc / mostIpc * (box.bottom - box.top);
  const svg = makeSvg("svg", { viewBox: `0 0 ${wide} ${high}`, role: "img", "font-size": 13,
    "aria-label": "Instructions a cycle and SM by occupancy: bounds, models and the simulated " + (points.length > 1 ? "points" : "point") });
  const text = (at, up, anchor, what, attributes) => makeSvg("text", { x: at, y: up, "text-anchor": anchor, ...attributes }, what);

  svg.append(makeSvg("clipPath", { id: "clip" }, makeSvg("rect", { x: box.left, y: box.top - 4, width: box.right - box.left, height: box.bottom - box.top + 4 })));
  drawChartAxes(svg, box, mostWarps, mostIpc, x, y, text);
  models.forEach((model, k) => {
    const { colour, dash } = lineOf(k);
    svg.append(makeSvg("path", { fill: "none", stroke: colour, "stroke-width": 2, "stroke-dasharray": dash.join(" "), "clip-path": "url(#clip)",
      d: model.points.map((point, i) => (i ? "L" : "M") + x(point.warps).toFixed(1) + " " + y(Math.min(toIpc(point.warp_throughput), 3 * mostIpc)).toFixed(1)).join("") }));
  });
  const line = [{ warps: 0, ipc: 0 }];
  const ridge = bounds.needed_occupancy !== null && bounds.needed_occupancy < mostWarps ? bounds.needed_occupancy : null;
  const best = toIpc(1 / bounds.throughput_bound), slope = toIpc(1 / bounds.latency_bound);
  if (bounds.latency_bound > 0 && bounds.throughput_bound >= 0)
    line.push(...(ridge === null ? [{ warps: mostWarps, ipc: slope * mostWarps }] : [{ warps: ridge, ipc: best }, { warps: mostWarps, ipc: best }]));
  svg.append(makeSvg("path", { fill: "none", stroke: theme.fg, "stroke-width": 2.6,
    d: line.map((point, i) => (i ? "L" : "M") + x(point.warps).toFixed(1) + " " + y(point.ipc).toFixed(1)).join("") }));
  labelBounds(svg, box, x, y, text, ridge, best, slope, mostWarps);
  points.forEach((point, k) => {
    const near = x(point.warps) > box.right - 190, low = y(point.ipc) > box.bottom - 50;
    svg.append(makeSvg("circle", { cx: x(point.warps), cy: y(point.ipc), r: 6.5, fill: many ? shade(runColours[k % 6]) : theme.accent, stroke: theme.bg, "stroke-width": 2 }));
    svg.append(text(x(point.warps) + (near ? -11 : 11), y(point.ipc) + (low ? -12 - 17 * k : 20 + 17 * k), near ? "end" : "start",
      (many ? point.run.name : "simulated") + ": " + ratio(point.ipc) + " at " + ratio(point.warps) + " warps", { class: "halo", "font-weight": 600 }));
  });
  chart.replaceChildren(svg);
}

function drawChartAxes (svg, box, mostWarps, mostIpc, x, y, text)
{
  const stepX = Math.max(findStep(mostWarps, (box.right - box.left) / 80), 1), stepY = findStep(mostIpc, 5);

  for (let warps = 0; warps <= mostWarps + 1e-9; warps += stepX)
    svg.append(text(x(warps), box.bottom + 18, "middle", String(warps), { class: "muted" }));
  for (let k = 0; k * stepY <= mostIpc; k++)
    svg.append(makeSvg("path", { d: `M${box.left} ${y(k * stepY)}H${box.right}`, stroke: theme.grid }),
      text(box.left - 7, y(k * stepY) + 4, "end", labelTime(k * stepY, stepY), { class: "muted" }));
  svg.append(makeSvg("path", { d: `M${box.left} ${box.top}V${box.bottom}H${box.right}`, stroke: theme.muted, fill: "none" }),
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
      svg.append(text(at.x, at.y - 7, "middle", "latency bound", { class: "halo", transform: `rotate(${angle.toFixed(1)} ${at.x.toFixed(1)} ${at.y.toFixed(1)})` }));
    }
  if (ridge === null)
    return;
  const near = x(ridge) > box.right - 170;
  svg.append(makeSvg("path", { d: `M${x(ridge)} ${y(best)}V${box.bottom}`, stroke: theme.fg, "stroke-dasharray": "2 4" }),
    text(x(ridge) + (near ? -6 : 8), box.bottom - 8, near ? "end" : "start", "needed: " + ratio(ridge) + " warps", { class: "halo" }));
  svg.append(text(near ? box.right : (x(ridge) + box.right) / 2, y(best) - 9, near ? "end" : "middle", "throughput bound", { class: "halo" }));
}

// ---- The kernel's graph ----

const ROW = 28;

/* Each arc to the nearest track in which nothing comes within MARGIN rows of it, short ones first; outermost those
   from an instruction to itself. */
function assignTracks (arcs, margin)
{
  const tracks = [];

  const reach = (arc) => arc.to === arc.from ? Infinity : Math.abs(arc.to - arc.from);

  for (const arc of [...arcs].sort((a, b) => (reach(a) === reach(b) ? a.from - b.from : reach(a) - reach(b))))
    {
      const low = Math.min(arc.from, arc.to) - margin, high = Math.max(arc.from, arc.to) + margin;
      let k = tracks.findIndex((taken) => taken.every(([from, to]) => high <= from || low >= to));
      if (k < 0)
        k = tracks.push([]) - 1;
      tracks[k].push([low, high]);
      arc.track = k;
    }
  return tracks.length;
}

function drawProgram (run, program)
{
  const nodes = program.nodes, rowOf = [], depthOf = [], boxes = [], open = [], forth = [], back = [];
  let rows = 0;

  nodes.forEach((node, i) => {
    depthOf[i] = open.length;
    if (node.kind === "end")
      boxes.push({ ...open.pop(), to: rows - 1 });
    else
      {
        rowOf[i] = rows++;
        if (node.kind === "repeat")
          open.push({ from: rows - 1, depth: open.length, count: node.count });
      }
  });
  while (open.length > 0)
    boxes.push({ ...open.pop(), to: rows - 1 });
  nodes.forEach((node, i) => (node.after || []).forEach((one) => {
    if (rowOf[one.node] !== undefined)
      (one.carried ? back : forth).push({ from: rowOf[one.node], to: rowOf[i], cycles: String(one.cycles), critical: one.critical });
  }));
  for (const arc of findOtherEdges(run, program, nodes, rowOf))
    (arc.to <= arc.from ? back : forth).push(arc);

  const longestOf = (get) => nodes.reduce((most, node) => Math.max(most, (get(node) || "").length), 0);
  const depth = Math.max(0, ...depthOf), textChars = Math.min(longestOf((node) => node.text), 40);
  const trackOf = (arcs) => 16 + 7 * arcs.reduce((most, arc) => Math.max(most, arc.cycles.length), 2);
  const trackBack = trackOf(back), trackForth = trackOf(forth);
  const gutter = 12 + assignTracks(back, 0.3) * trackBack, opAt = gutter + 36 + depth * 14;
  const textAt = opAt + Math.min(longestOf((node) => node.op + (node.context ? " " + node.context : "")), 34) * 8 + 22;
  const costAt = textAt + textChars * 8 + (textChars ? 14 : 0), arcsAt = costAt + 132;
  const wide = arcsAt + assignTracks(forth, 0) * trackForth + 30, high = rows * ROW + 10;
  const svg = makeSvg("svg", { width: wide, height: high, viewBox: `0 0 ${wide} ${high}`, "font-size": 13, role: "img",
    "aria-label": "Instructions of the kernel with their dependences; " + nodes.filter((node) => node.critical).length + " are on the critical path" });
  const y = (row) => 4 + (row + 0.5) * ROW;

  for (const box of boxes.sort((a, b) => a.depth - b.depth))
    svg.append(makeSvg("rect", { x: gutter + 4 + box.depth * 14, y: 4 + box.from * ROW + 2, width: arcsAt - gutter - 10 - box.depth * 28, height: (box.to - box.from + 1) * ROW - 3 - box.depth * 4,
      rx: 7, fill: theme["band-" + (box.depth % 2)], "fill-opacity": 0.6, stroke: theme.muted, "stroke-dasharray": "4 3" }));
  nodes.forEach((node, i) => node.kind !== "end" && drawNode(svg, run, node, y(rowOf[i]), { gutter, depth: depthOf[i], opAt, textAt, costAt, textChars }));
  for (const arc of [...back, ...forth].sort((a, b) => a.critical - b.critical))
    {
      const isBack = back.includes(arc), side = isBack ? -1 : 1, edge = isBack ? gutter : arcsAt;
      drawArc(svg, arc, y, side, edge, edge + side * (14 + arc.track * (isBack ? trackBack : trackForth)));
    }
  return svg;
}

/* What of the critical path is no dependence: instructions one after the other, and barriers. */
function findOtherEdges (run, program, nodes, rowOf)
{
  const names = { ilp: "ILP", pair: "pair", barrier: "barrier" }, found = new Map(), rowOfNumber = [];
  const isOf = (step) => run.facts.graph.length === 1 || run.bounds.segments[step.segment].program === program.name;
  let before = null;
  const take = (step) => {
    const from = before === null ? undefined : rowOfNumber[before], to = rowOfNumber[step.instruction];
    before = isOf(step) ? step.instruction : null;
    if (names[step.edge] && from !== undefined && to !== undefined && before !== null)
      found.set(from + " " + to, { from, to, cycles: (step.cycles ? step.cycles + " " : "") + names[step.edge], critical: true, dotted: true });
  };
  const first = (steps) => steps[0].steps ? first(steps[0].steps) : steps[0];
  const walk = (steps) => steps.forEach((one) => {
    if (!one.steps)
      return take(one);
    walk(one.steps);
    take(first(one.steps));
  });

  nodes.forEach((node, i) => {
    if (node.number !== undefined)
      rowOfNumber[node.number] = rowOf[i];
  });
  walk(run.bounds.critical_path.steps);
  return found.values();
}

function drawNode (svg, run, node, y, place)
{
  const left = place.gutter + 10 + place.depth * 14, strong = node.critical ? 700 : 400;
  const text = (x, what, attributes) => svg.append(makeSvg("text", { x, y: y + 4.5, ...attributes }, what));
  const short = (what, n) => what.length > n ? what.slice(0, n - 1) + "\u2026" : what;

  if (node.kind === "repeat")
    return text(left + 2, node.count + " \u00d7", { "font-weight": 600 });
  const isBarrier = node.kind === "barrier";
  const colour = isBarrier ? barrierColour : node.pipeline !== undefined ? run.pipelines[node.pipeline].colour : theme.line;
  svg.append(makeSvg("rect", { x: place.opAt - 16, y: y - 7, width: 11, height: 14, rx: 2, fill: colour }));
  text(place.opAt - 22, node.number === undefined ? "" : String(node.number), { class: "muted", "text-anchor": "end" });
  text(place.opAt, short((isBarrier ? "barrier" : node.op) + (node.context ? " " + node.context : ""), 34), { class: "mono", "font-weight": strong });
  if (node.text)
    {
      const element = makeSvg("text", { x: place.textAt, y: y + 4.5, class: "mono muted" }, short(node.text, place.textChars));
      element.append(makeSvg("title", {}, node.text));
      svg.append(element);
    }
  if (node.completion !== undefined)
    text(place.costAt, "\u03bb " + node.issue + "  \u039b " + node.completion, { class: "muted", "font-size": 12 });
}

/* From the producer's row to the consumer's, by way of OUT. SIDE: 1 at the right, -1 at the left. */
function drawArc (svg, arc, y, side, edge, out)
{
  const from = y(arc.from) + 4, to = y(arc.to) - (arc.from === arc.to ? 5 : 4);
  const colour = arc.critical ? theme.accent : theme.muted, down = to > from ? 1 : -1, bend = Math.min(8, Math.abs(to - from) / 2);

  svg.append(makeSvg("path", { fill: "none", stroke: colour, "stroke-width": arc.critical ? 3 : 1.3, "stroke-dasharray": arc.dotted ? "2 3" : side < 0 ? "5 3" : null,
    d: `M${edge} ${from}H${out - side * bend}Q${out} ${from} ${out} ${from + down * bend}V${to - down * bend}Q${out} ${to} ${out - side * bend} ${to}H${edge + side * 6}` }));
  svg.append(makeSvg("path", { fill: colour, d: `M${edge} ${to}l${side * 8} -4v8z` }));
  svg.append(makeSvg("text", { x: out + side * 5, y: (from + to) / 2 + 4, "text-anchor": side > 0 ? "start" : "end", "font-size": 12, class: "halo", "font-weight": arc.critical && !arc.dotted ? 700 : 400 }, arc.cycles));
}

/* The critical path in words. */
function listPath (run)
{
  const kinds = { start: "at its start", dependency: "the result before it", ilp: "ILP latency", pair: "in one issue with the one before it", barrier: "the barrier's release" };
  const list = (steps) => make("ol", { class: "path" }, steps.map((one) => one.steps
    ? make("li", {}, one.times + " times", list(one.steps))
    : make("li", {}, make("span", { class: "op" }, one.instruction + " " + one.op), " at " + one.time + " (" + kinds[one.edge] + (one.cycles ? ", " + one.cycles : "") + ")")));
  const path = run.bounds.critical_path;

  return make("details", {}, make("summary", {}, "The critical path, step by step"), list(path.steps),
    make("p", {}, "Then " + path.completion + " cycles to its completion" + (run.bounds.launch_latency ? ", and " + run.bounds.launch_latency + " for the launch of the next block." : ".")));
}

let graphs = [];

function buildGraph ()
{
  const body = byId("graph-body");

  graphs = [];
  body.replaceChildren();
  body.append(make("p", { class: "note" }, "Instructions from top to bottom; an arc leads from one to another that waits for its result, with the cycles until that is there. "
    + "Bold: the critical path, which is a warp's latency alone; dotted where it waits for no result. Dashed, at the left: results of the round before."));
  for (const group of groupRuns())
    {
      const run = group[0];
      if (group.length < runs.length)
        body.append(make("h3", {}, group.map((one) => one.name).join(", ")));
      for (const program of run.facts.graph)
        {
          if (program.name)
            body.append(make("h3", {}, "Program " + program.name));
          body.append(make("div", { class: "graph", tabindex: 0, role: "group", "aria-label": "Graph of the kernel" }, drawProgram(run, program)));
          if (program.n_nodes > program.nodes.length)
            body.append(make("p", { class: "note" }, "The first " + program.nodes.length + " of " + program.n_nodes + " lines; warpipe show has all."));
        }
      body.append(listPath(run));
    }
}

// ---- Theme and size ----

function setUpTheme ()
{
  const root = document.documentElement, prefers = window.matchMedia("(prefers-color-scheme: dark)");
  let chosen = null;
  const apply = () => {
    const dark = chosen === null ? prefers.matches : chosen;
    root.dataset.theme = dark ? "dark" : "light";
    byId("theme").textContent = dark ? "\u2600 Light" : "\u263e Dark";
    byId("theme").setAttribute("aria-label", dark ? "Light theme" : "Dark theme");
    readTheme();
    buildLegend();
    buildGraph();
    charts.forEach((draw) => draw());
    drawSoon();
  };

  byId("theme").onclick = () => {
    chosen = root.dataset.theme !== "dark";
    apply();
  };
  prefers.addEventListener("change", apply);
  apply();
}

function measure ()
{
  width = Math.max(byId("strips").clientWidth, 200);
  left = width < 620 ? 60 : 76;
  charts.forEach((draw) => draw());
  drawSoon();
}

buildHeading();
buildFigures();
buildKept();
buildReading();
buildStrips();
buildStalls();
buildBounds();
setUpTheme();
setUpPointer();
setUpKeys();
setUpOverview();
measure();
window.addEventListener("resize", measure);
window.addEventListener("scroll", drawStrips, { passive: true });
document.documentElement.dataset.ready = "yes";
})();
