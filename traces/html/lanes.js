/* SPDX-License-Identifier: MIT */
/* Draws warps and pipelines over time, and the lives of warps. */

// ---- Warps and pipelines ----

function getRowHeight (n)
{
  return [[4, 30], [8, 26], [16, 20], [32, 15], [64, 11], [128, 7], [256, 4]].find(([most]) =>
    n <= most)?.[1] || 2;
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

/* Hatches the part of the run that was not recorded. */
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

/* Of the last pipeline that it passes, where its result comes from. */
const resultColourOf = (run, i) => {
  const path = run.path.get(i);
  return path ? run.pipelines[path[path.length - 1].pipeline].colour : colourOf(run, i);
};

/* Returns the first of LIST that may reach into the view. */
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

/* Draws a lane from far away: how long results are awaited, one colour for each stretch. */
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
      const from = toX(run.xt[i]), to = toX(Math.max(run.xc[i], run.xb[i])),
        next = tint(resultColourOf(run, i));
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
    part(wait.from, wait.ready, waitColour(wait.why));
  part(wait.ready, wait.accept, waitColour("pipeline"));
  part(wait.accept, run.time[i], waitColour("not_selected"));
}

/* Draws a lane from near: each instruction from its issue on, and below it what it waited for. */
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
      context.fillStyle = tint(resultColourOf(run, i));
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
  /* An instruction that issues after the view may have waited within it. */
  const next = lane.issues[first + seen.length];
  if (next !== undefined)
    drawWait(context, run, next, y + height - strip, strip - 1);
  if (bar >= 13)
    writeNames(context, run, seen.sort((a, b) => run.xs[a] - run.xs[b]), y + bar / 2 + 0.5);
}

/* Writes the name of each instruction of SEEN, sorted by start, if there is room: on its bar, or
 * after it up to the next. */
function writeNames (context, run, seen, y)
{
  context.textAlign = "left";
  seen.forEach((i, k) => {
    const node = run.writtenOf(run.instrOf[i]), op = run.record.instrs[run.instrOf[i]].op;
    const names = [op, op.split(".")[0], node ? String(node.number) : op];
    const start = Math.max(toX(run.xs[i]), left), bar = Math.max(toX(run.xb[i]), start + 2);
    const end = Math.max(toX(run.xc[i]), bar), next = k + 1 < seen.length
      ? toX(run.xs[seen[k + 1]]) : Infinity;
    const fits = (from, to) =>
      names.find((name) => context.measureText(name).width <= Math.min(to, next) - from - 5);
    const onBar = fits(start, bar), behind = fits(bar, end);
    if (!onBar && !behind)
      return;
    /* Names get shorter, so that the longer one is the better one. */
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
  const every = findStep(12 / rowHeight, 1), isNumbered = Number.isInteger(name(rows[0] || {}));

  context.fillStyle = theme.muted;
  context.textAlign = "right";
  rows.forEach((row, k) => {
    if ((isNumbered ? name(row) : k) % Math.max(every, 1) === 0)
      context.fillText(name(row), left - 6, k * rowHeight + Math.max(rowHeight, 12) / 2, left - 8);
  });
}

/* Tells whether so few instructions of each row are in view that they are drawn one by one. */
function isNear (run)
{
  const most = run.lanes.reduce((all, lane) => Math.max(all,
    after(lane.issues, view.to, (i) => run.xt[i]) - after(lane.issues, view.from, (i) =>
      run.xt[i])), 0);
  return most * 2.5 < width;
}

function drawLane (context, run, lane, y, rowHeight, near)
{
  const gap = rowHeight > 3 ? 1 : 0;

  drawResidence(context, lane, y, rowHeight - gap);
  if (near)
    drawLaneNear(context, run, lane, y, rowHeight - gap);
  else
    drawLaneFar(context, run, lane, y + (rowHeight > 6 ? 1 : 0),
      rowHeight - gap - (rowHeight > 6 ? 2 : 0));
  drawFound(context, run, lane, y);
}

function addLanes (run)
{
  const rowHeight = getRowHeight(run.lanes.length);
  const height = () => Math.max(run.lanes.length * rowHeight, 20);
  const name = "Warps by slot" + (run.leftOut ? " (the first " + MAX_LANES + "; " + run.leftOut
    + " more are left out)" : "");

  const strip = addStrip(run, name, "lanes", height, (context, all) => {
    const near = isNear(run);
    labelRows(context, run.lanes, rowHeight, (lane) => lane.slot);
    clip(context, all);
    run.lanes.forEach((lane, k) => drawLane(context, run, lane, k * rowHeight, rowHeight, near));
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

/* Returns what is in lane NUMBER at TIME: an instruction that is on its bar, or awaited, or what
 * the warp waits for. */
function hoverLane (run, number, time)
{
  const lane = run.lanes[number], near = 3 * perPixel();

  if (!lane)
    return null;
  const end = after(lane.issues, time + near, (i) => run.xt[i]);
  let inFlight = null;
  for (let k = end - 1;
    k >= 0 && k > end - 500 && run.xt[lane.issues[k]] >= time - lane.reach - near; k--)
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
  const rowHeight = run.units.length <= 4 ? 20 : run.units.length <= 10 ? 15 : 12; // room for each name
  const height = () => Math.max(run.units.length * rowHeight, 10);
  const shared = [...new Set(run.pipelines.filter((one) => one.used && one.shared).map((one) =>
    one.shared))];
  const name = "Pipelines: each instruction while it keeps the next one out" + (shared.length > 0
    ? "; \u2020 shared by " + shared.join(", ") + ", grey: not of SM " + run.record.sm : "");

  const strip = addStrip(run, name, "units", height, (context, all) => {
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
    const use = one.uses[after(one.uses, time, (other) => other.x0) - 1];
    return use !== undefined && use.issue !== undefined && use.x1 >= time - perPixel()
      ? { run, issue: use.issue } : null;
  });
  strip.canvas.dataset.row = rowHeight;
  return strip;
}

/* Draws USES, which are in view, in a row. */
function drawUses (context, uses, y, height, colour)
{
  const columns = width - left - right;

  context.fillStyle = colour;
  if (uses.length < columns / 3)
    {
      for (const use of uses)
        {
          const x0 = toX(use.x0), x1 = toX(use.x1);
          context.fillRect(x0, y, Math.max(x1 - x0 - (x1 - x0 > 4 ? 1 : 0), 1), height);
        }
      return;
    }
  /* Draws, as colour, how much of each pixel's time is busy. */
  const busy = new Float32Array(columns + 1);
  for (const use of uses)
    {
      const x0 = clamp(toX(use.x0) - left, 0, columns),
        x1 = clamp(toX(use.x1) - left, 0, columns);
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

/* Draws what other SMs use of a pipeline in grey, and over it what this SM uses. */
function drawUnit (context, run, one, y, height)
{
  const first = after(one.uses, view.from - one.reach, (use) => use.x0 - 1e-12),
    end = after(one.uses, view.to, (use) => use.x0), uses = one.uses.slice(first, end);

  context.fillStyle = theme.panel;
  context.fillRect(left, y, width - left - right, height);
  drawUses(context, uses.filter((use) => use.issue === undefined), y, height, theme.muted);
  drawUses(context, uses.filter((use) => use.issue !== undefined), y, height,
    run.pipelines[one.pipeline].colour);
}

// ---- Lives of warps, in the order of their launch: figure 3.3 of Volkov's thesis ----

function addLives (run)
{
  const height = () => clamp(run.warps.length * 14 + 8, 40, 220);
  const longest = run.warps.reduce((most, warp) => Math.max(most, warp.x1 - warp.x0), 0);
  let seen = [];

  return addStrip(run, "Lives of warps, a line each, in the order of launch; blocks in turn dark "
    + "and light", "lives", height, (context, all) => {
    const first = after(run.warps, view.from - longest, (warp) => warp.x0);
    seen = [];
    for (let k = first; k < run.warps.length && run.warps[k].x0 <= view.to; k++)
      if (run.warps[k].x1 >= view.from)
        seen.push(run.warps[k]);
    const row = Math.min((all - 6) / Math.max(seen.length, 1), 14);
    context.fillStyle = theme.muted;
    context.textAlign = "right";
    const every = Math.max(findStep(14 / row, 1), 1);
    for (let k = 0; k < seen.length; k++)
      if (seen[k].age % every === 0)
        context.fillText(String(seen[k].age), left - 6, 3 + (k + 0.5) * row + (row < 12 ? 3 : 0),
          left - 8);
    clip(context, all);
    drawGrid(context, all);
    seen.forEach((warp, k) => {
      context.fillStyle = mix(theme.accent, theme.bg, warp.band ? 0.5 : 0.85);
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
      run.title = make("div", { class: "run-title" }, run.name,
        make("span", { class: "muted" }, ": "
        + decimal(run.whole, run.perCycle) + " cycles"));
      if (many)
        byId("strips").append(run.title);
      addCurveStrip(run, "Occupancy: warps resident on the SM", "occupancy",
        [{ curve: run.occupancy, colour: () => theme.accent, dash: [], area: true }]);
      if (run.used.length > 0)
        addCurveStrip(run, "Instructions in flight: issued and not complete", "flight",
          run.used.map((p, k) => ({
            name: run.pipelines[p].name, curve: run.flights[p],
            dash: dashes[k % dashes.length], area: false,
            colour: () => run.pipelines[p].colour,
          })));
      if (run.units.length > 0)
        addUnits(run);
      addLanes(run);
      addLives(run);
      addPinned(run);
    }
  byId("strips").append(make("div", { id: "cross", hidden: true }),
    make("div", { id: "marked", hidden: true }));
}

/* Arranges several runs: one after another, or by drawing, with that of each run together. */
function arrange (together)
{
  const kinds = [...new Set(strips.map((strip) => strip.kind))].filter((kind) =>
    kind !== "pinned"), area = byId("strips");
  const place = (strip) => {
    strip.element.querySelector(".name b").textContent = together ? strip.run.name + " " : "";
    area.append(strip.element);
  };

  for (const run of runs)
    {
      run.title.hidden = together;
      area.append(run.title);
      strips.filter((strip) => strip.run === run && strip.kind !== "pinned").forEach(place);
    }
  if (together)
    kinds.forEach((kind) => strips.filter((strip) => strip.kind === kind).forEach(place));
  byId("together").setAttribute("aria-pressed", String(together));
  drawSoon();
}
