/* SPDX-License-Identifier: MIT */
/* Machines that come from files: a kernel on a GPU as the command line has resolved it. What can be changed of one: warps at
 * a time, schedulers, the policy, and of each pipeline its latencies by a factor. */

const presets = new Map(JSON.parse(byId("presets").textContent).map((preset) => [preset.name, preset]));

/* Factors are whole quarters: with four times the ticks in a cycle all times stay whole. */
const quarters = 4;

const factorKey = (pipeline, what) => "x" + what + pipeline;

/* Pipelines that some instruction of MACHINE uses, by index. */
function findUsed (machine)
{
  const used = new Set(machine.programs.flatMap((program) => program.instructions.map((instr) => instr.pipeline)));
  return machine.pipelines.map((_, i) => i).filter((i) => used.has(i));
}

/* The settings that MACHINE starts with, and their fields. */
function describeMachine (machine)
{
  const wide = machine.warps_per_block, most = Math.min(machine.resident_blocks, machine.blocks);
  const mostPlaces = Math.min(most, 256);
  const described = {
    warps: { ...fields.warps, group: "Launch", initial: mostPlaces * wide, values: count(mostPlaces).map((n) => n * wide) },
    sched: { ...fields.sched, initial: machine.scheduler.count,
      values: [...new Set([1, 2, 4, 8, machine.scheduler.count])].sort((a, b) => a - b) },
    policy: { ...fields.policy, initial: machine.policy },
  };

  for (const i of findUsed(machine))
    {
      const group = "Pipeline " + machine.pipelines[i].name;
      described[factorKey(i, "l")] = { group, label: "\u03bb, as a multiple", values: factors, initial: 1, unit: "times",
        help: "How long each instruction keeps the next one out, as a multiple of what the file says." };
      described[factorKey(i, "L")] = { group, label: "\u039b, as a multiple", values: factors, initial: 1, unit: "times",
        help: "How long until its result is there, as a multiple of what the file says." };
    }
  return described;
}

const settingsOfMachine = (name, machine) =>
  ({ kernel: name, ...Object.fromEntries(Object.entries(describeMachine(machine)).map(([key, field]) => [key, field.initial])) });

function scaleProgram (program, settings)
{
  const by = (pipeline, what) => pipeline === null || pipeline === undefined ? quarters
    : quarters * (settings[factorKey(pipeline, what)] ?? 1);

  return { ...program, instructions: program.instructions.map((instr) => ({
    ...instr,
    issue: (instr.issue || 0) * by(instr.pipeline, "l"),
    completion: (instr.completion || 0) * by(instr.pipeline, "L"),
    after: (instr.after || []).map((dep) => ({ producer: dep.producer,
      latency: dep.latency * by(program.instructions[dep.producer].pipeline, "L") })),
  })) };
}

/* Channels and spreads (contended memory) are not scaled, but are in the same ticks. */
function scaleTicks (machine, settings)
{
  if (!Object.keys(settings).some((key) => key[0] === "x" && settings[key] !== 1))
    return machine;
  return {
    ...machine,
    ticks_per_cycle: machine.ticks_per_cycle * quarters,
    scheduler: { ...machine.scheduler, interval: machine.scheduler.interval * quarters,
      ilp_latency: (machine.scheduler.ilp_latency || 0) * quarters },
    launch_latency: (machine.launch_latency || 0) * quarters,
    barrier_latency: (machine.barrier_latency || 0) * quarters,
    pipelines: machine.pipelines.map((pipeline) => ({ ...pipeline, channel_issue: (pipeline.channel_issue || 0) * quarters })),
    spreads: (machine.spreads || []).map((spread) => ({ ...spread, add: spread.add.map((ticks) => ticks * quarters) })),
    programs: machine.programs.map((program) => scaleProgram(program, settings)),
  };
}

/* As many blocks come to each of PLACES as in the launch: so the runs of a curve compare, however few blocks there are. */
const countBlocks = (machine, places) => Math.min(Math.max(Math.round(places * machine.blocks / machine.resident_blocks), 1),
  machine.blocks);

function varyMachine (machine, settings)
{
  const scaled = scaleTicks(machine, settings), places = Math.max(Math.floor(settings.warps / machine.warps_per_block), 1);

  return { ...scaled, policy: settings.policy, resident_blocks: places, blocks: countBlocks(machine, places),
    scheduler: { ...scaled.scheduler, count: settings.sched } };
}

/* At most 64 occupancies, evenly over what fits. */
function planMachineCurve (machine)
{
  const most = Math.min(machine.resident_blocks, machine.blocks), step = Math.ceil(most / 64);
  return count(most).filter((n) => n % step === 0 || n === most || n === 1)
    .map((n) => ({ residentBlocks: n, blocks: countBlocks(machine, n) }));
}

// ---- What a user opens ----

const opened = { machine: null, name: "" };

function openMachine (text, name)
{
  const machine = JSON.parse(text);

  if (machine.format !== "warpipe-machine" || machine.version !== 1)
    throw new Error("This is no machine file: `warpipe run KERNEL --gpu GPU --machine FILE.json` writes one.");
  const refused = engine.check(machine);
  if (refused)
    throw new Error(refused);
  opened.machine = machine;
  opened.name = name;
}

const machineOf = (kernel) => kernel === "file" ? opened.machine : presets.has(kernel) ? presets.get(kernel).machine : null;
