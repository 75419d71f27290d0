/* SPDX-License-Identifier: MIT */
/* Makes the teaching kernel and the teaching machine from settings: as the flat machine that the
 * engine runs (FORMATS.md, "warpipe-machine"), and as the two files that the command line reads, so
 * that everybody can repeat the run there.
 *
 * In each warp, the kernel runs rounds of a load and some adds in each of `ilp` chains; in a chain,
 * each instruction needs the result of the one before. A barrier follows the loads or, if there are
 * none, the adds. */

const chains = (settings) => count(settings.ilp).map((n) => n - 1);

/* The program as a list of lines: {repeat}, {end}, {id, op, after} and {barrier, after}. */
function planProgram (settings)
{
  const { load, adds, barrier } = settings, lines = [{ repeat: settings.rounds }];
  const wait = (name) =>
    lines.push({ barrier: true, after: chains(settings).map((c) => name + c) });

  for (const c of load ? chains(settings) : [])
    lines.push({ id: "ld" + c, op: "load", after: [(adds ? "add" : "ld") + c] });
  if (barrier && load)
    wait("ld");
  if (adds)
    {
      lines.push({ repeat: adds });
      for (const c of chains(settings))
        lines.push({ id: "add" + c, op: "add", after: load ? ["ld" + c, "add" + c] : ["add" + c] });
      lines.push({ end: true });
    }
  if (barrier && !load)
    wait("add");
  lines.push({ end: true });
  return lines;
}

/* Returns the ticks in a cycle: all times of the settings are whole quarters. Those of unused
 * pipelines do not count. */
function countTicks (settings)
{
  const used = [settings.launch, ...(settings.adds ? [settings.cl, settings.cL] : []),
    ...(settings.load ? [settings.ml, settings.mL] : [])];
  return [1, 2, 4].find((ticks) => used.every((time) => Number.isInteger(time * ticks)));
}

function buildProgram (settings, ticks)
{
  const instructions = [], repeats = [], open = [], number = new Map();
  const pipelines = { add: [0, settings.cl, settings.cL], load: [1, settings.ml, settings.mL] };
  const lines = planProgram(settings);

  lines.filter((line) => line.op || line.barrier).forEach((line, i) => line.id
    && number.set(line.id, { number: i, op: line.op }));
  for (const line of lines)
    if (line.repeat !== undefined)
      {
        open.push({ first: instructions.length, count: line.repeat });
        repeats.push(open.at(-1));
      }
    else if (line.end)
      open.pop().last = instructions.length - 1;
    else
      {
        const after = line.after.map((id) => ({ producer: number.get(id).number,
          latency: pipelines[number.get(id).op][2] * ticks }));
        const [pipeline, issue, completion] = line.barrier ? [null, 0, 0] : pipelines[line.op];
        instructions.push(line.barrier ? { op: "bar.sync", pipeline, after }
          : { op: line.op, pipeline, issue: issue * ticks, completion: completion * ticks, after });
      }
  return { instructions, repeats };
}

function buildMachine (settings)
{
  const ticks = countTicks(settings),
    places = Math.max(Math.floor(settings.warps / settings.block), 1);

  return {
    format: "warpipe-machine", version: 1, kernel: "teaching", gpu: "teaching",
    policy: settings.policy, order: "program", memory: "ideal", seed: 1, active_set: 8,
    ticks_per_cycle: ticks, sms: 1, simulated_sms: 1,
    scheduler: { count: settings.sched, interval: ticks, issue_limit: 1, dual_issue: 1,
      ilp_latency: 0 },
    launch_latency: settings.launch * ticks, barrier_latency: 0,
    blocks: places * settings.turns, warps_per_block: settings.block, resident_blocks: places,
    pipelines: [{ name: "compute", kind: "compute", scope: "sm", queue: 0 },
      { name: "memory", kind: "memory", scope: "sm", queue: 0 }],
    spreads: [],
    programs: [buildProgram(settings, ticks)],
    rows: [[{ first_warp: 0, program: 0 }]],
    block_ranges: [{ first_block: 0, row: 0 }],
  };
}

/* Returns the points of the curve, one for each occupancy: resident blocks, and blocks in all. */
function planCurve (settings)
{
  return count(Math.max(Math.floor(settings.room / settings.block), 1))
    .map((places) => ({ residentBlocks: places, blocks: places * settings.turns }));
}

// ---- The same as files ----

function writeKernel (settings)
{
  const places = Math.max(Math.floor(settings.warps / settings.block), 1), lines = [];
  let depth = 2;
  const put = (text) => lines.push("  ".repeat(depth) + text);

  for (const line of planProgram(settings))
    if (line.repeat !== undefined)
      {
        put("<repeat count=\"" + line.repeat + "\">");
        depth++;
      }
    else if (line.end)
      {
        depth--;
        put("</repeat>");
      }
    else if (line.barrier)
      put("<barrier after=\"" + line.after.join(" ") + "\"/>");
    else
      put("<i id=\"" + line.id + "\" op=\"" + line.op + "\" after=\""
        + line.after.join(" ") + "\"/>");
  return ["<kernel name=\"teaching\" title=\"rounds of loads and adds\">",
    "  <launch blocks=\"" + places * settings.turns + "\" threads=\""
      + settings.block * 32 + "\"/>",
    "  <program>", ...lines, "  </program>", "</kernel>", ""].join("\n");
}

/* The GPU has room for just the resident warps, so that no option is needed. */
function writeGpu (settings)
{
  const warps = Math.max(Math.floor(settings.warps / settings.block), 1) * settings.block;
  const op = (name, pipeline, issue, completion) =>
    "  <op name=\"" + name + "\" pipeline=\"" + pipeline + "\" issue=\"" + issue
      + "\" completion=\"" + completion + "\"/>";

  return ["<gpu name=\"teaching\" title=\"a machine for teaching\">",
    "  <device sms=\"1\" clock-mhz=\"1000\" warp-size=\"32\"/>",
    "  <limits warps=\"" + warps + "\"/>",
    "  <launch latency=\"" + settings.launch + "\"/>",
    "  <scheduler count=\"" + settings.sched + "\" interval=\"1\"/>",
    "  <pipeline name=\"compute\" kind=\"compute\" scope=\"sm\" queue=\"0\"/>",
    "  <pipeline name=\"memory\" kind=\"memory\" scope=\"sm\" queue=\"0\"/>",
    op("add", "compute", settings.cl, settings.cL), op("load", "memory", settings.ml, settings.mL),
    "</gpu>", ""].join("\n");
}

const writeCommand = (settings) => "warpipe run kernel.xml --gpu gpu.xml --policy "
  + settings.policy;
