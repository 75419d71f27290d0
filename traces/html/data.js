/* SPDX-License-Identifier: MIT */
/* Prepares the page's data about each run for drawing. */

const data = JSON.parse(byId("data").textContent);
const clocks = new Set(data.runs.map((raw) => raw.facts.clock_mhz));
const inCycles = clocks.size === 1;
const unit = inCycles ? "cycles" : "\u00b5s";

function parseCycles (text)
{
  const [a, b] = text.split("/");
  return Number(a) / Number(b || 1);
}

/* REPORT with rates for the run's whole time, which is 1 / SCALE as long as that until the last
 * warp ends. */
function scaleRates (report, scale)
{
  const scaled = { ...report };

  for (const name of ["ipc", "mean_occupancy", "warp_throughput", "scheduler_utilization"])
    scaled[name] = scale * report[name];
  scaled.pipelines = report.pipelines.map((one) => ({ ...one, ipc: scale * one.ipc }));
  return scaled;
}

function prepare (raw, number)
{
  const { facts, record } = raw;
  const run = { facts, record, number, bounds: facts.bounds };
  run.name = facts.label || "";
  run.perCycle = BigInt(record.ticks_per_cycle);
  run.number = number;
  /* Use plain numbers if they can hold all times. */
  run.N = BigInt(facts.drained ?? record.elapsed) < 2n ** 51n ? Number : BigInt;
  run.scale = 1 / Number(run.perCycle) / (inCycles ? 1 : parseCycles(facts.clock_mhz));
  run.x = (ticks) => Number(ticks) * run.scale;
  run.elapsed = run.N(record.elapsed);
  /* The run's time: until the last store is done, where stores are queued as the last warp ends. */
  run.whole = run.N(facts.drained ?? record.elapsed);
  run.end = run.x(run.whole);
  run.seen = record.seen === undefined ? run.end : run.x(record.seen); // where curves end
  run.from = run.x(record.from);
  run.to = String(record.to) === String(record.elapsed) ? run.end : run.x(record.to);
  run.report = facts.drained
    ? scaleRates(facts.report, Number(record.elapsed) / Number(facts.drained)) : facts.report;
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
  run.pipelines = run.record.pipelines;
  run.used = run.pipelines.map((pipeline, i) => i).filter((i) => run.pipelines[i].used);
}

/* Gives each pipeline its colour, the same in all runs and as in a picture (wp-picture-draw.c): in
 * the machine's order, but to those that are used first where there are more than colours. */
function colourPipelines ()
{
  const all = runs.flatMap((run) => run.pipelines), colours = new Map(), free = [...otherColours];
  const compute = all.find((one) => !one.memory), memory = all.filter((one) => one.memory);

  if (compute)
    colours.set(compute.name, "#009e73");
  if (memory.length > 0)
    colours.set((memory.find((one) => one.name === "memory") || memory[0]).name, "#e69f00");
  const names = new Set(all.map((one) => one.name));
  const first = names.size - colours.size > free.length ? all.filter((one) => one.used) : [];
  for (const pipeline of [...first, ...all])
    if (!colours.has(pipeline.name))
      {
        colours.set(pipeline.name, free[0]);
        free.push(free.shift());
      }
  for (const pipeline of all)
    pipeline.colour = colours.get(pipeline.name);
}

/* Maps an instruction's number in the machine to its number in the program and its text. */
function prepareGraph (run)
{
  run.written = new Map();
  run.firstOf = (id) => run.record.instrs[id].first ?? id; // of a mix
  run.writtenOf = (id) => run.written.get(run.firstOf(id));
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
        complete = columns.release && columns.release[i] !== -1
        ? time + N(columns.release[i]) : time;
      run.time[i] = time;
      run.start[i] = start;
      run.complete[i] = complete;
      run.xt[i] = run.x(time);
      run.xs[i] = run.x(start);
      run.xb[i] = run.x(instr.pipeline === undefined ? start : start + keepsOf(run, i));
      run.xc[i] = run.x(complete);
      run.warps[columns.warp[i]].issues.push(i);
    }
  preparePaths(run);
  run.wait = new Array(n);
  for (const warp of run.warps)
    findWaits(run, warp);
}

/* How long issue I keeps its pipeline. */
const keepsOf = (run, i) => run.N(run.record.instrs[run.instrOf[i]].issue)
  + (run.record.issues.keeps ? run.N(run.record.issues.keeps[i]) : run.N(0));

/* Finds the stays of each issue in the pipelines of its path. */
function preparePaths (run)
{
  const { N, record } = run, columns = record.issues;
  let at = 0;

  run.path = new Map(); // by issue: [{ pipeline, from, to }]
  for (let i = 0; columns.passes && i < run.n; i++)
    {
      const stays = [];
      let from = run.start[i];
      for (let k = 0; k < columns.passes[i]; k++)
        {
          const [pipeline, keeps] = record.passes[columns.path[i] + k];
          from += N(record.begins[at++]);
          stays.push({ pipeline, from, to: from + N(keeps) });
        }
      if (stays.length > 0)
        run.path.set(i, stays);
    }
}

/* All that instructions use of pipelines, with those of other SMs in pipelines that are shared:
 * [{ pipeline, x0, x1, issue or sm }]. */
function findUses (run)
{
  const { N, record } = run, others = record.others, uses = [];
  let from = N(0);

  for (let i = 0; i < run.n; i++)
    {
      const pipeline = record.instrs[run.instrOf[i]].pipeline;
      if (pipeline === undefined)
        continue;
      uses.push({ pipeline, x0: run.xs[i], x1: run.xb[i], issue: i });
      for (const stay of run.path.get(i) || [])
        uses.push({
          pipeline: stay.pipeline, x0: run.x(stay.from), x1: run.x(stay.to), issue: i,
        });
    }
  for (let i = 0; others && i < others.n; i++)
    {
      from += N(others.from[i]);
      uses.push({
        pipeline: others.pipeline[i], x0: run.x(from), x1: run.x(from + N(others.keeps[i])),
        sm: others.sm[i],
      });
    }
  return uses;
}

const served = (run, i) =>
  run.start[i] + (run.record.issues.served ? run.N(run.record.issues.served[i]) : run.N(0));

/* Returns when the result of instruction I of a warp is ready for a consumer with that LATENCY. */
const isThere = (run, i, latency) =>
  run.record.instrs[run.instrOf[i]].posted ? run.time[i] : served(run, i) + latency;

/* Finds what each issue of WARP waited for. Producers that issued before the window are unknown. */
function findWaits (run, warp)
{
  const { N, record } = run, columns = record.issues, last = new Map();

  for (const i of warp.issues)
    {
      const instr = record.instrs[run.instrOf[i]], before = (column) => run.time[i] - N(column[i]);
      const wait = { from: before(columns.since), ready: before(columns.ready),
        accept: before(columns.accept), producers: [] };
      wait.why = columns.why[i] === -1 ? null : stalls[columns.why[i]].name;
      wait.follows = columns.follows !== undefined && columns.follows[i] === 1;
      for (const [producer, latency, distance, set] of instr.deps)
        {
          const list = last.get(producer) || [];
          let k = list.length - 1;
          while (k >= 0 && columns.index[list[k]] >= columns.index[i])
            k--;
          k -= (distance || 1) - 1;
          if (k >= 0 && (record.instrs[run.instrOf[list[k]]].set || 0) === (set || 0))
            wait.producers.push({ issue: list[k], at: isThere(run, list[k], N(latency)) });
        }
      const producer = wait.producers.find((one) => one.at === wait.ready);
      wait.producer = wait.why === "dependency" && producer ? producer.issue : null;
      run.wait[i] = wait;
      const first = run.firstOf(run.instrOf[i]);
      if (!last.has(first))
        last.set(first, []);
      last.get(first).push(i);
    }
}

const MAX_LANES = 1024;

/* Makes a row for each warp slot, and one for each instance of a pipeline that is used. */
function prepareLanes (run)
{
  const slots = [...new Set(run.warps.map((warp) => warp.slot).filter((slot) =>
    slot >= 0))].sort((a, b) => a - b);

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
          pipeline: p, uses: [], reach: 0,
          name: run.pipelines[p].name + (run.pipelines[p].instances > 1 ? " " + k : "")
            + (run.pipelines[p].shared ? " \u2020" : ""),
        });
      }
  for (let i = 0; i < run.n; i++)
    {
      const lane = run.lanes[run.warps[run.warpOf[i]].lane];
      if (!lane)
        continue;
      lane.issues.push(i);
      lane.reach = Math.max(lane.reach, run.xc[i] - run.xt[i], run.xb[i] - run.xt[i]);
    }
  for (const use of findUses(run))
    {
      const instances = run.pipelines[use.pipeline].instances;
      const unit = run.units[unitOf.get(use.pipeline + "/" + (instances > 1
        ? run.warps[run.warpOf[use.issue]].scheduler : 0))];
      unit.uses.push(use);
    }
  for (const unit of run.units)
    {
      unit.uses.sort((a, b) => a.x0 - b.x0);
      for (const use of unit.uses)
        unit.reach = Math.max(unit.reach, use.x1 - use.x0);
    }
}

/* Prepares a curve: times and values, or bins. */
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
colourPipelines();
const total = Math.max(...runs.map((run) => run.end), Number.MIN_VALUE);
const many = runs.length > 1;
