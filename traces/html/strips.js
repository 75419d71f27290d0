/* SPDX-License-Identifier: MIT */
/* Drawings over time, one below another, all of the part of the time in `view`; the axis, and
 * curves. */

// ---- The part of the time that is shown ----

const finest = Math.max(total * 1e-12, Math.min(...runs.map((run) => 2 * run.scale)));
const view = { from: Math.min(...runs.map((run) => run.from)),
  to: Math.max(...runs.map((run) => run.to)) };
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

const move = (share) =>
  show(view.from + share * (view.to - view.from), view.to + share * (view.to - view.from));

/* Zooms so that AT stays in its place. */
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

/* Adds a strip of RUN. HEIGHT and DRAW (context, height) are functions; HOVER (x, y) returns what
 * is there. */
function addStrip (run, name, kind, height, draw, hover)
{
  const canvas = make("canvas", { "data-kind": kind, "data-run": run.number, role: "img",
    "aria-label": name });
  const output = make("output", {});
  const label = make("span", {}, make("b", {}), name);
  const element = make("div", { class: "strip" }, make("div", { class: "name" }, label, output),
    canvas);
  const strip = { run, kind, canvas, element, output, height, draw, hover, name, stale: true };

  canvas.style.height = height() + "px";
  byId("strips").append(element);
  strips.push(strip);
  return strip;
}

/* Clips to the part that is drawn. */
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

/* Draws the visible strips; the others are drawn when they become visible. */
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
    readAgain();
  });
}

// ---- Axis and overview ----

/* Returns 1, 2 or 5 times a power of ten, so that about N of them are in SPAN. */
function findStep (span, n)
{
  const raw = span / Math.max(n, 1), power = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 5, 10].map((x) => x * power).find((step) => step >= raw) || 10 * power;
}

/* Returns TIME with as many digits as STEP needs. */
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
  byId("where").textContent = labelTime(view.from, digits) + " to "
    + labelTime(view.to, digits) + " " + unit
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
  traceCurve(context, curve, 0, total, runs[0].seen, place, (value) =>
    height - value / Math.max(curve.top, 1) * (height - 4), true);
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

/* Traces a path along CURVE from FROM to TO, which ends at END. With AREA, it is closed along the
 * bottom. For bins, it uses the means. */
function traceCurve (context, curve, from, to, end, x, y, area)
{
  const first = curve.x ? Math.max(after(curve.x, from) - 1, 0)
    : Math.max(Math.floor(from / curve.width), 0);
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

/* Returns the value of CURVE at TIME as text. */
function readCurve (curve, time)
{
  if (curve.x)
    {
      const i = after(curve.x, time) - 1;
      return i < 0 ? "0" : String(curve.value[i]);
    }
  const i = clamp(Math.floor(time / curve.width), 0, curve.mean.length - 1);
  return curve.min[i] === curve.max[i] ? String(curve.min[i]) : curve.min[i] + " to " + curve.max[i]
    + ", mean " + ratio(curve.mean[i]);
}

/* Fills the area between the minimum and the maximum of each bin. */
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
      context.fillRect(x0, y(curve.max[i]), Math.max(x1 - x0, 0.7),
        Math.max(y(curve.min[i]) - y(curve.max[i]), 1));
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
        traceCurve(context, curve, view.from, view.to, run.seen, toX, at, area);
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
    if (run.seen < run.end)
      hatch(context, toX(run.seen), toX(run.end), height, "not in the window");
    context.restore();
  }, (time) => ({
    value: time > run.seen ? ""
    : curves.map((one) => (one.name ? one.name + " " : "") + readCurve(one.curve, time)).join(", "),
  }));
  if (curves.length > 1)
    strip.element.querySelector(".name span").append(...curves.map((one) =>
      makeSample(one.colour(), one.dash, one.name)));
}

/* Returns a piece of a line, and what it stands for. */
function makeSample (colour, dash, name)
{
  return make("span", { class: "sample" },
    makeSvg("svg", { width: 26, height: 8, "aria-hidden": "true" },
    makeSvg("path", { d: "M0 4h26", stroke: colour, "stroke-width": 2,
      "stroke-dasharray": dash.join(" ") || null })), name);
}
