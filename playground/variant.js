/* SPDX-License-Identifier: MIT */
/* Machines that come from files: a kernel on a GPU as the command line has resolved it. What can be
 * changed: warps at a time, schedulers, the policy, and for each pipeline factors: for \u03bb of all
 * that passes it, for \u039b of those that it is the last of, for its limit of what is in flight, for
 * its turnaround; and for each context of a mix one for its weight. */

const presets = new Map(JSON.parse(byId("presets").textContent).map((preset) =>
  [preset.name, preset]));

/* Factors are whole quarters: with four times as many ticks in a cycle, all times stay whole. */
const quarters = 4;

const limitFactors = [0.25, 0.5, 0.75, 1, 1.5, 2, 4, 16], turnFactors = [0, 0.5, 1, 2, 4],
  weightFactors = [0, 0.25, 0.5, 1, 2, 4, 16];
const factorKey = (pipeline, what) => "x" + what + pipeline;

const instructionsOf = (machine) => machine.programs.flatMap((program) => program.instructions);

/* What INSTR costs, in each context of its mix: all pipelines that it passes, and the last, which
 * its result is of. */
const costsOf = (instr) => instr.mix || [instr];
const passedBy = (instr, cost) => [instr.pipeline, ...(cost.path || []).map((pass) =>
  pass.pipeline)];
const lastOf = (instr, cost) => passedBy(instr, cost).at(-1);

/* Returns the pipelines that instructions of MACHINE pass, by index. */
function findUsed (machine)
{
  const used = new Set(instructionsOf(machine).flatMap((instr) =>
    costsOf(instr).flatMap((cost) => passedBy(instr, cost))));
  return machine.pipelines.map((_, i) => i).filter((i) => used.has(i));
}

/* Returns the different mixes of MACHINE: {context, parts}. */
const findMixes = (machine) => [...new Map(instructionsOf(machine).filter((instr) =>
  instr.mix?.length > 1).map((instr) => [instr.context, instr.mix]))]
  .map(([context, parts]) => ({ context, parts }));

/* With more rows, none would be visible. */
const mostWarps = 1024;

/* Returns how many blocks are on an SM at a time: as in the file, but at most as many as can be
 * drawn. */
const findPlaces = (machine) =>
  Math.min(machine.resident_blocks, Math.ceil(machine.blocks / (machine.simulated_sms ?? 1)));
const findDrawnPlaces = (machine) =>
  Math.min(findPlaces(machine), Math.max(Math.floor(mostWarps / machine.warps_per_block), 1));

/* Returns about N numbers at most, spread evenly from 1 to MOST, including both. */
function spreadOver (most, n)
{
  const step = Math.ceil(most / n), steps = count(Math.floor(most / step)).map((k) => k * step);
  return [...new Set([1, ...steps, most])];
}

/* Adds the factors of pipeline I: those that would change something. */
function describePipeline (described, machine, i)
{
  const pipeline = machine.pipelines[i];
  const add = (what, label, values, help) => {
    described[factorKey(i, what)] = { group: "Pipeline " + pipeline.name, label, values, initial: 1,
      unit: "times", help: help + ", as a multiple of what the file says." };
  };

  add("l", "\u03bb, as a multiple", factors,
    "How long each instruction that passes it keeps the next one out");
  if (instructionsOf(machine).some((instr) => costsOf(instr).some((cost) =>
    lastOf(instr, cost) === i)))
    add("L", "\u039b, as a multiple", factors,
      "How long until the result is there of what goes no further than this");
  if (pipeline.inflight)
    add("i", "in flight at most, as a multiple", limitFactors,
      "How many instructions it lets in that are not complete (" + pipeline.inflight + ")");
  if (pipeline.turnaround)
    add("t", "turnaround, as a multiple", turnFactors,
      "How long it takes to turn from reading to writing, and back");
}

const mixKey = (mix, part) => "xw" + mix + "." + part;

/* Adds factors for the weights of each mix. */
function describeMixes (described, machine)
{
  findMixes(machine).forEach(({ context, parts }, m) => {
    const total = parts.reduce((sum, part) => sum + part.weight, 0);
    parts.forEach((part, k) => {
      const name = part.context ?? "no context";
      described[mixKey(m, k)] = { group: "Mix " + context, label: name + ", "
        + percent(part.weight / total) + ", as a multiple", values: weightFactors, initial: 1,
        unit: "times", help: "How often an instruction comes out as it is with " + name
          + ", beside the others of the mix, as a multiple of what the file says." };
    });
  });
}

/* Returns the initial settings of MACHINE, and their fields. */
function describeMachine (machine)
{
  const wide = machine.warps_per_block, places = findDrawnPlaces(machine),
    schedulers = machine.scheduler.count ?? 1;
  const described = {
    warps: { ...fields.warps, group: "Launch", initial: places * wide,
      values: spreadOver(places, 256).map((n) => n * wide) },
    sched: { ...fields.sched, initial: schedulers,
      values: [...new Set([1, 2, 4, 8, schedulers])].sort((a, b) => a - b) },
    policy: { ...fields.policy, initial: machine.policy },
  };

  for (const i of findUsed(machine))
    describePipeline(described, machine, i);
  describeMixes(described, machine);
  return described;
}

const settingsOfMachine = (name, machine) =>
  ({ kernel: name, ...Object.fromEntries(Object.entries(describeMachine(machine)).map(([key,
    field]) => [key, field.initial])) });

/* Returns how many new ticks make one old tick of PIPELINE, as far as WHAT is concerned. */
const scaleOf = (settings, pipeline, what) => quarters * (settings[factorKey(pipeline, what)] ?? 1);

/* Returns the members NAMES of OBJECT, those that are there, times BY. */
const scaleMembers = (object, by, ...names) => Object.fromEntries(names
  .filter((name) => object[name] !== undefined).map((name) => [name, object[name] * by]));

/* COST of INSTR: its own, or in a context of its mix. */
function scaleCost (cost, instr, settings)
{
  const scale = (pipeline, what) => scaleOf(settings, pipeline, what);

  return {
    ...cost, ...scaleMembers(cost, scale(instr.pipeline, "l"), "issue", "issue_last"),
    ...scaleMembers(cost, scale(lastOf(instr, cost), "L"), "completion", "in_flight"),
    path: (cost.path || []).map((pass) => ({ ...pass,
      ...scaleMembers(pass, scale(pass.pipeline, "l"), "issue", "issue_last") })),
  };
}

/* The latency of DEP, which is a list where PRODUCER has a mix. */
function scaleLatency (dep, producer, settings)
{
  const by = (cost) => scaleOf(settings, lastOf(producer, cost), "L");

  return producer.mix ? dep.latency.map((latency, k) => latency * by(producer.mix[k]))
    : dep.latency * by(producer);
}

function scaleInstruction (instr, program, settings)
{
  const scaled = instr.mix
    ? { ...instr, mix: instr.mix.map((cost) => scaleCost(cost, instr, settings)) }
    : scaleCost(instr, instr, settings);

  return { ...scaled, ...scaleMembers(instr, quarters, "stall"), after: (instr.after || []).map((dep) => ({ ...dep,
    latency: scaleLatency(dep, program.instructions[dep.producer], settings) })) };
}

const scaleProgram = (program, settings) => ({ ...program,
  instructions: program.instructions.map((instr) => scaleInstruction(instr, program, settings)) });

function scalePipeline (pipeline, i, settings)
{
  const limit = settings[factorKey(i, "i")];

  return {
    ...pipeline, ...scaleMembers(pipeline, quarters, "channel_issue", "channel_issue_last"),
    ...scaleMembers(pipeline, scaleOf(settings, i, "t"), "turnaround", "turnaround_last"),
    ...(limit === undefined ? {}
      : { inflight: Math.max(Math.round(pipeline.inflight * limit), 1) }),
  };
}

/* Returns the weights of INSTR's mix, by factors in SETTINGS. */
function weigh (instr, mixes, settings)
{
  const m = mixes.findIndex(({ context }) => context === instr.context);
  return instr.mix.map((part, k) => part.weight * quarters * (settings[mixKey(m, k)] ?? 1));
}

/* Changes the weights of mixes. What has none any more is left out, there and in the latencies of
 * those who depend on it. */
function weighProgram (program, mixes, settings)
{
  const kept = program.instructions.map((instr) => instr.mix?.length > 1
    ? weigh(instr, mixes, settings) : null);

  return { ...program, instructions: program.instructions.map((instr, i) => ({
    ...instr,
    ...(kept[i] ? { mix: instr.mix.map((part, k) => ({ ...part, weight: kept[i][k] }))
      .filter((part) => part.weight > 0) } : {}),
    after: (instr.after || []).map((dep) => kept[dep.producer]
      ? { ...dep, latency: dep.latency.filter((_, k) => kept[dep.producer][k] > 0) } : dep),
  })) };
}

function weighMixes (machine, settings)
{
  const mixes = findMixes(machine);

  if (!mixes.some(({ parts }, m) => parts.some((_, k) => (settings[mixKey(m, k)] ?? 1) !== 1)))
    return machine;
  if (mixes.some(({ parts }, m) => parts.every((_, k) => settings[mixKey(m, k)] === 0)))
    throw new Error("a mix of which nothing is left");
  return { ...machine, programs: machine.programs.map((program) =>
    weighProgram(program, mixes, settings)) };
}

const isTime = (key) => key[0] === "x" && key[1] !== "w";

/* Channels and spreads (contended memory) are not scaled, but use the same ticks. */
function scaleTicks (machine, settings)
{
  if (!Object.keys(settings).some((key) => isTime(key) && settings[key] !== 1))
    return machine;
  return {
    ...machine,
    ticks_per_cycle: machine.ticks_per_cycle * quarters,
    scheduler: { ...machine.scheduler, interval: machine.scheduler.interval * quarters,
      ilp_latency: (machine.scheduler.ilp_latency || 0) * quarters },
    launch_latency: (machine.launch_latency || 0) * quarters,
    barrier_latency: (machine.barrier_latency || 0) * quarters,
    pipelines: machine.pipelines.map((pipeline, i) => scalePipeline(pipeline, i, settings)),
    spreads: (machine.spreads || []).map((spread) =>
      ({ ...spread, add: spread.add.map((ticks) => ticks * quarters) })),
    programs: machine.programs.map((program) => scaleProgram(program, settings)),
  };
}

/* Each of PLACES gets as many blocks as in the launch, so that the runs of a curve are comparable,
 * however few blocks there are. */
const countBlocks = (machine, places) =>
  Math.min(Math.max(Math.round(places * machine.blocks / findPlaces(machine)), 1),
  machine.blocks);

function varyMachine (machine, settings)
{
  const scaled = weighMixes(scaleTicks(machine, settings), settings),
    places = Math.max(Math.floor(settings.warps / machine.warps_per_block), 1);

  return { ...scaled, policy: settings.policy, resident_blocks: places,
    blocks: countBlocks(machine, places),
    scheduler: { ...scaled.scheduler, count: settings.sched } };
}

/* Plans about 64 occupancies at most, spread evenly over what fits. */
const planMachineCurve = (machine) => spreadOver(findDrawnPlaces(machine), 64)
  .map((n) => ({ residentBlocks: n, blocks: countBlocks(machine, n) }));

// ---- What a user opens ----

/* Each file that is opened is a separate kernel, so that an edited file is not mistaken for its
 * earlier version, and both can be compared. */
const opened = new Map();

function parseMachine (text)
{
  let machine = null;

  try
    {
      machine = JSON.parse(text);
    }
  catch (error)
    {
      throw new Error("This is no JSON: " + error.message);
    }
  if (machine?.format !== "warpipe-machine")
    throw new Error("This is no machine file: `warpipe run KERNEL --gpu GPU --machine FILE.json` "
      + "writes one.");
  return machine;
}

/* Opens the machine in TEXT, from a file called NAME, and returns its name as a kernel. */
function openMachine (text, name)
{
  const machine = parseMachine(text), kernel = "file-" + (opened.size + 1),
    refused = engine.check(machine);

  if (refused)
    throw new Error(refused);
  if (findPlaces(machine) < 1)
    throw new Error("Nothing runs: the launch has no blocks.");
  if (machine.warps_per_block > mostWarps)
    throw new Error("Blocks of " + machine.warps_per_block
      + " warps are more than the page can draw (" + mostWarps + ").");
  opened.set(kernel, { machine, name, title: name });
  return kernel;
}

const isOpened = (kernel) => opened.has(kernel);
const findSource = (kernel) => opened.get(kernel) || presets.get(kernel);
const machineOf = (kernel) => findSource(kernel)?.machine;
