/* SPDX-License-Identifier: MIT */
/* Turns the settings of a side into a run: the engine's metrics, its log prepared for drawing
 * (times in cycles), and the bounds. */

let engine = null;

/* How much of a run is kept for drawing, and how long a run may be, so that the page stays
 * responsive. If a run has several SMs, the first is drawn. */
const runLimits = { log: true, limit: 60000, first: true, budget: 3000000, seconds: 2 };

/* The first pipeline of each kind (of kind memory the one called so, where there is one) has the
 * colour of Lemeire's drawings, the others those of the rest of Okabe and Ito's set, as far as they
 * are in use. */
function colourPipelines (pipelines, isUsed)
{
  const free = [...otherColours], ofMemory = pipelines.filter(({ kind }) => kind === "memory");
  const compute = pipelines.find(({ kind }) => kind !== "memory"),
    memory = ofMemory.find(({ name }) => name === "memory") || ofMemory[0];

  return pipelines.map((pipeline, p) => pipeline === memory ? "#e69f00"
    : pipeline === compute ? "#009e73" : isUsed(p) && free.shift() || "#999999");
}

const toCycles = (column, perCycle) => Float64Array.from(column, (ticks) => ticks / perCycle);

function prepareIssues (run, log)
{
  const n = log.n, take = new Float64Array(n);

  for (const name of ["time", "start", "complete", "ready", "accept"])
    run[name] = toCycles(log[name], run.perCycle);
  for (let i = 0; i < n; i++)
    take[i] = run.start[i] + log.instructions[log.instr[i]].issue / run.perCycle;
  run.take = take; // the pipeline takes the next from here on
  run.n = n;
  run.log = log;
}

/* Prepares what happens on paths: run.path[i] is a list of {pipeline, start, take} for issue i, and
 * run.foreign has the same of other SMs, in pipelines that they share with the one that is drawn. */
function preparePasses (run, { instructions, passes })
{
  const none = [];

  run.path = new Array(run.n).fill(none);
  run.foreign = [];
  for (let k = 0; k < passes.n; k++)
    {
      const instr = instructions[passes.instr[k]], at = passes.place[k], i = passes.issue[k];
      const { issue } = at ? instr.path[at - 1] : instr, start = passes.start[k] / run.perCycle;
      const pass = { pipeline: passes.pipeline[k], start, take: start + issue / run.perCycle };
      if (i < 0)
        run.foreign.push(pass);
      else if (at === 1)
        run.path[i] = [pass];
      else
        run.path[i].push(pass);
    }
}

/* Of issue I, the last pipeline that it passes, which its result is of, and when it begins there. */
const lastPipeline = (run, i) => run.path[i].at(-1)?.pipeline ?? run.log.pipeline[i];
const lastStart = (run, i) => run.path[i].at(-1)?.start ?? run.start[i];

/* Puts warps in launch order, which gives them the numbers that the page uses, each with its issues
 * and waits. */
function prepareWarps (run, { lifetimes, blockTable, waits, log })
{
  const at = new Map(), perCycle = run.perCycle;

  run.blocks = Array.from({ length: blockTable.n }, (_, i) => ({
    number: blockTable.block[i], launch: blockTable.launch[i] / perCycle,
    end: blockTable.end[i] < 0 ? Infinity : blockTable.end[i] / perCycle, warps: [],
  }));
  run.warps = [];
  for (const block of run.blocks)
    for (let w = 0; w < run.machine.warps_per_block; w++)
      {
        const warp = { number: run.warps.length, block, warp: w, slot: -1, start: block.launch,
          end: Infinity, issues: [],
          waits: [] };
        at.set(block.number + "." + w, warp);
        block.warps.push(warp);
        run.warps.push(warp);
      }
  for (let i = 0; i < lifetimes.n; i++)
    {
      const warp = at.get(lifetimes.block[i] + "." + lifetimes.warp[i]);
      if (warp)
        Object.assign(warp, { slot: lifetimes.slot[i], end: lifetimes.end[i] / perCycle });
    }
  run.warpOf = Array.from({ length: log.n }, (_, i) => at.get(log.block[i] + "." + log.warp[i]));
  run.warpOf.forEach((warp, i) => {
    warp.slot = log.slot[i];
    warp.issues.push(i);
  });
  for (let k = 0; k < waits.n; k++)
    at.get(waits.block[k] + "." + waits.warp[k])?.waits.push({
      issue: waits.issue[k], kind: WarpipeEngine.STALLS[waits.kind[k]], pipeline: waits.pipeline[k],
      from: waits.from[k] / perCycle, to: waits.to[k] / perCycle,
    });
}

/* If the log was cut, there are warps without any entry. They get the slots next to the other warps
 * of their block, and the blocks with which the run begins are placed in order. */
function findSlots (run)
{
  const wide = run.machine.warps_per_block;

  run.blocks.forEach((block, i) => {
    const known = block.warps.find((warp) => warp.slot >= 0);
    const first = known ? known.slot - known.warp : i < run.result.residentBlocks ? i * wide : -1;
    for (const warp of first < 0 ? [] : block.warps)
      warp.slot = warp.slot < 0 ? first + warp.warp : warp.slot;
  });
}

/* Groups warps by slot, and blocks by their place: a block's warps have consecutive slots, because
 * all blocks have one size and release all slots at once. */
function prepareSlots (run)
{
  const wide = run.machine.warps_per_block;

  findSlots(run);
  run.slots = run.result.residentWarps;
  run.bySlot = Array.from({ length: run.slots }, () => []);
  run.places = Array.from({ length: Math.ceil(run.slots / wide) }, () => []);
  for (const warp of run.warps)
    run.bySlot[warp.slot]?.push(warp);
  for (const block of run.blocks)
    run.places[Math.floor(Math.max(Math.min(...block.warps.map((warp) => warp.slot)), 0)
      / wide)]?.push(block);
}

function makeLane (run, pipeline)
{
  return { pipeline, name: run.machine.pipelines[pipeline].name, colour: run.colours[pipeline],
    shared: run.machine.pipelines[pipeline].shared || 1, instances: [], gap: 0, length: 0,
    gaps: new Set(), lengths: new Set(), zeros: new Set() };
}

/* Lists how issue I passes pipelines: `from` is when it has come to one and `end` when it is gone,
 * be it on to the next or because its result is there. */
function listEntries (run, i)
{
  const passes = [{ pipeline: run.log.pipeline[i], start: run.start[i], take: run.take[i] },
    ...run.path[i]];

  return passes.map((pass, k) => ({ ...pass, i, from: k ? passes[k - 1].start : run.time[i],
    isLast: k === passes.length - 1, end: k === passes.length - 1 ? run.complete[i] : pass.take }));
}

function addEntry (run, lanes, entry)
{
  const lane = lanes.get(entry.pipeline);

  if (!lane)
    return;
  const instance = run.machine.pipelines[lane.pipeline].scope === "scheduler"
    ? run.log.scheduler[entry.i] : 0;
  (lane.instances[instance] ||= []).push(entry);
}

/* Notes the \u03bb of each pipeline that INSTR passes, and its \u039b in the last. */
function addTimes (run, lanes, instr)
{
  const passes = [instr, ...instr.path], last = lanes.get(passes.at(-1).pipeline);

  for (const { pipeline, issue } of passes)
    lanes.get(pipeline)?.gaps.add(issue / run.perCycle);
  if (instr.completion > 0)
    last?.lengths.add(instr.completion / run.perCycle);
  else
    last?.zeros.add(0);
}

/* Lists instances of pipelines, each with what passes it, sorted by start. `length` is the longest
 * \u039b of what ends there, `gap` the longest \u03bb. */
function prepareLanes (run)
{
  const { log } = run, lanes = new Map();

  run.colours = colourPipelines(run.machine.pipelines,
    (p) => run.result.pipelines[p].instructions > 0);
  run.machine.pipelines.forEach((_, p) => {
    if (run.result.pipelines[p].instructions > 0)
      lanes.set(p, makeLane(run, p));
  });
  for (let i = 0; i < run.n; i++)
    for (const entry of log.pipeline[i] < 0 ? [] : listEntries(run, i))
      addEntry(run, lanes, entry);
  for (const pass of run.foreign)
    addEntry(run, lanes, { ...pass, i: -1, from: pass.start, isLast: false, end: pass.take });
  for (const instr of new Set(log.instr))
    addTimes(run, lanes, log.instructions[instr]);
  for (const lane of lanes.values())
    {
      lane.lengths = lane.lengths.size ? lane.lengths : lane.zeros;
      lane.gap = Math.max(0, ...lane.gaps);
      lane.length = Math.max(0, ...lane.lengths, lane.gap);
      lane.instances = Array.from(lane.instances, (list) =>
        (list || []).sort((a, b) => a.start - b.start));
    }
  run.lanes = [...lanes.values()].filter((lane) => lane.instances.length);
}

function simulateSide (settings)
{
  const machine = isTeaching(settings) ? buildMachine(settings)
    : varyMachine(machineOf(settings.kernel), settings);
  const result = engine.simulate(machine, runLimits);
  if (result.cyclesNumber === 0)
    throw new Error("all of it takes no time, and there is nothing to draw");
  const run = { settings, machine, result, perCycle: result.ticksPerCycle };

  run.end = result.cyclesNumber;
  run.seen = result.log.whole ? Infinity : Number(result.log.until) / run.perCycle;
  prepareIssues(run, result.log);
  preparePasses(run, result.log);
  prepareWarps(run, result);
  prepareSlots(run);
  prepareLanes(run);
  // blocks of the SM that is drawn
  run.total = machine.simulated_sms > 1 ? run.blocks.length : machine.blocks;
  run.bounds = engine.bounds(machine);
  run.curve = findCurve(settings, machine);
  run.perWarp = result.instructions / Math.max(result.warps, 1);
  return run;
}
