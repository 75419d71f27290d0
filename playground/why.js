/* SPDX-License-Identifier: MIT */
/* Describes in a sentence what a warp or an instruction does at a time. Everything comes from the
 * engine's log. */

const slack = 1e-9;
const tidy = (value) => String(Number(value.toFixed(3)));
const cycles = (value) => plural(tidy(value), "cycle");

const findWarp = (run, slot, t) => {
  const list = run.bySlot[slot] || [], i = after(list, t + slack, (warp) => warp.start) - 1;
  return i >= 0 && t < list[i].end - slack ? list[i] : null;
};

const findWait = (warp, t) => {
  const i = after(warp.waits, t + slack, (wait) => wait.from) - 1;
  return i >= 0 && t < warp.waits[i].to - slack ? warp.waits[i] : null;
};

/* Returns the last issue of WARP at or before T, as an index into warp.issues, or -1. */
const findIssue = (run, warp, t) => after(warp.issues, t + slack, (i) => run.time[i]) - 1;

const instrOf = (run, i) => run.log.instructions[run.log.instr[i]];
const opOf = (run, i) => run.log.ops[run.log.op[i]] === "bar.sync" ? "barrier"
  : run.log.ops[run.log.op[i]];
const contextOf = (run, i) => instrOf(run, i).context ? " (" + instrOf(run, i).context + ")" : "";
const nameWarp = (warp) => "warp " + warp.number;
const pipelineName = (run, p) => run.machine.pipelines[p].name;
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/* Returns the part of a warp's life at T: `kind` is a stall's name, "issue" at an issue, "cut" if
 * its next issue is not kept, or "none". */
function stateOf (run, warp, t)
{
  const wait = findWait(warp, t), k = findIssue(run, warp, t);
  const issue = k >= 0 && Math.abs(run.time[warp.issues[k]] - t) <= slack ? warp.issues[k] : -1;
  const isCut = run.seen < Infinity && k === warp.issues.length - 1 && t < warp.end - slack;
  return { wait, issue, last: k >= 0 ? warp.issues[k] : -1, kind: issue >= 0 ? "issue" : wait
    ? wait.kind : isCut ? "cut" : "none" };
}

/* Returns the instruction of WARP whose result it waits for until wait.to. */
function findProducer (run, warp, wait)
{
  const before = warp.issues.filter((i) => run.time[i] <= wait.from + slack
    && lastPipeline(run, i) === wait.pipeline);
  return before.findLast((i) => Math.abs(run.complete[i] - wait.to) <= slack)
    ?? before.at(-1) ?? -1;
}

const sayNext = (run, wait) => wait.issue < 0 ? "it can go on"
  : "its next " + opOf(run, wait.issue) + " can go";

/* Says how far issue I has come on its path at T. */
function sayWhere (run, i, t)
{
  const next = run.path[i].find(({ start }) => start > t + slack);

  if (next)
    return "; it is let into " + pipelineName(run, next.pipeline) + " at " + tidy(next.start);
  return run.path[i].length ? "; it is in " + pipelineName(run, lastPipeline(run, i)) : "";
}

function sayDependency (run, warp, wait, t)
{
  const i = findProducer(run, warp, wait);

  if (i < 0)
    return "waits for a result until " + tidy(wait.to);
  return "waits for the result of its " + opOf(run, i) + " (issued at " + tidy(run.time[i])
    + ", there at " + tidy(wait.to) + sayWhere(run, i, t)
    + "), then "
    + sayNext(run, wait);
}

/* Names the last arrival, for which a barrier is still closed. */
function sayBarrier (run, warp, wait)
{
  const arrival = warp.issues.findLast((i) => run.log.pipeline[i] < 0
    && run.time[i] <= wait.from + slack);
  const k = arrival === undefined ? -1
    : warp.issues.filter((i) => run.log.pipeline[i] < 0).indexOf(arrival);
  const others = warp.block.warps.map((other) =>
    ({ other, i: other.issues.filter((i) => run.log.pipeline[i] < 0)[k] }))
    .filter(({ i }) => i !== undefined);
  const last = others.reduce((a, b) => !a || run.time[b.i] > run.time[a.i] ? b : a, null);

  return "waits at the barrier" + (last && last.other !== warp
    ? " for the rest of block " + warp.block.number + ": the last to come is "
      + nameWarp(last.other) + ", at " + tidy(run.time[last.i])
    : "; it opens at " + tidy(wait.to));
}

/* Counts what has been let into the pipeline that issue NEXT goes to, and is not complete at T. */
function countInFlight (run, next, t)
{
  const pipeline = run.log.pipeline[next], { scope } = run.machine.pipelines[pipeline];
  let n = 0;

  for (let i = 0; i < next; i++)
    if (run.log.pipeline[i] === pipeline && run.time[i] <= t + slack
      && (scope !== "scheduler" || run.log.scheduler[i] === run.log.scheduler[next]))
      n += Math.max(run.complete[i], lastStart(run, i) + instrOf(run, i).inFlight / run.perCycle)
        > t + slack;
  return n;
}

function sayPipeline (run, wait, t)
{
  const name = pipelineName(run, wait.pipeline), { inflight } = run.machine.pipelines[wait.pipeline],
    lane = run.lanes.find((one) => one.pipeline === wait.pipeline);
  const isFull = inflight && countInFlight(run, wait.issue, t) >= inflight;
  const gaps = isFull ? ", which has all in flight that it can have (" + inflight + ")"
    : lane && lane.gaps.size === 1 ? ", which takes one every " + cycles(lane.gap)
    + " (\u03bb)" : "";
  return "is ready, and waits to be let into " + name + gaps + "; its " + opOf(run, wait.issue)
    + " goes in at "
    + tidy(run.time[wait.issue])
    + ", in " + cycles(run.time[wait.issue] - t);
}

function sayScheduler (run, warp, wait, t)
{
  const scheduler = run.log.scheduler[wait.issue];
  let i = after(run.time, t + slack) - 1;

  while (i >= 0 && (run.log.scheduler[i] !== scheduler || run.warpOf[i] === warp))
    i--;
  return "is ready, but the scheduler issues one instruction at a time"
    + (i >= 0 ? " and has chosen "
    + nameWarp(run.warpOf[i]) : "")
    + "; its turn comes at " + tidy(wait.to);
}

/* Says where issue I goes on to. */
function sayPath (run, i)
{
  const parts = run.path[i].map(({ pipeline, start }) => "in " + pipelineName(run, pipeline) + " at "
    + tidy(start));
  return parts.length ? ", from where it goes on: it is " + joinWords(parts) : "";
}

const joinWords = (parts) => parts.length < 2 ? parts.join()
  : parts.slice(0, -1).join(", ") + " and " + parts.at(-1);

function sayIssue (run, warp, i)
{
  const instr = instrOf(run, i);

  if (run.log.pipeline[i] < 0)
    return "arrives at the barrier" + (run.complete[i] > run.time[i] + slack ? ", which opens at "
      + tidy(run.complete[i]) : ", as the last of its block: it opens");
  const queued = run.start[i] > run.time[i] + slack ? ", where it starts at " + tidy(run.start[i])
    : "";
  return "issues its " + opOf(run, i) + contextOf(run, i) + " to " + pipelineName(run, run.log.pipeline[i]) + queued
    + sayPath(run, i) + (run.complete[i] > run.time[i] ? "; the result is there at " + tidy(run.complete[i])
    : "; nobody waits for it")
    + (instr.text ? " (" + instr.text + ")" : "");
}

function sayState (run, warp, t)
{
  const { wait, issue, kind } = stateOf(run, warp, t);

  if (kind === "issue")
    return sayIssue(run, warp, issue);
  if (kind === "dependency")
    return sayDependency(run, warp, wait, t);
  if (kind === "barrier")
    return sayBarrier(run, warp, wait);
  if (kind === "ilp")
    return "may issue again at " + tidy(wait.to)
      + ": so long it must pause between two instructions of its own";
  if (kind === "pipeline")
    return sayPipeline(run, wait, t);
  if (kind === "not_selected")
    return sayScheduler(run, warp, wait, t);
  if (kind === "drain")
    return "has issued all that it has, and ends when its last result is there, at "
      + tidy(warp.end);
  return kind === "cut" ? "waits, and issues next at a time that is not kept: the run is long"
    : "is on its way";
}

function sayPlace (run, warp)
{
  const wide = run.machine.warps_per_block;
  return wide === 1 ? "" : " (block " + warp.block.number + ")";
}

/* Describes slot SLOT at T in a sentence. */
function sayWarp (run, slot, t)
{
  if (t >= run.seen)
    return "What happens from " + tidy(run.seen)
      + " on is not kept: the run is long. The figures count all of it.";
  const warp = findWarp(run, slot, t);
  if (warp)
    return capital(nameWarp(warp)) + sayPlace(run, warp) + " " + sayState(run, warp, t) + ".";
  const next = run.bySlot[slot]?.find((one) => one.start > t);
  return next ? "The place is empty; block " + next.block.number + " comes at " + tidy(next.start)
    + "." : "The place is empty: no blocks are left.";
}

/* Says what becomes of ENTRY behind its pipeline. */
function sayOnward (run, { i, pipeline, start, isLast })
{
  const length = run.complete[i] - start;

  if (!isLast)
    {
      const next = run.path[i].find((pass) => pass.start >= start && pass.pipeline !== pipeline)
        || run.path[i].at(-1);
      return "goes on to " + pipelineName(run, next.pipeline) + ", where it is let in at "
        + tidy(next.start);
    }
  return length > 0 && run.complete[i] > run.time[i]
    ? "has its result at " + tidy(run.complete[i]) + " (\u039b " + tidy(length) + ")"
    : "and nobody waits for its result";
}

/* Describes ENTRY, an instruction in one of the pipelines that it passes. */
function sayInstruction (run, entry)
{
  const { i, pipeline, start, take } = entry;

  if (i < 0)
    return "Of another multiprocessor, which shares " + pipelineName(run, pipeline)
      + " with this one: entered it at " + tidy(start) + " and kept the next one out until "
      + tidy(take) + " (\u03bb " + tidy(take - start) + ").";
  const warp = run.warpOf[i], instr = instrOf(run, i);
  return capital(opOf(run, i)) + contextOf(run, i) + " of " + nameWarp(warp) + sayPlace(run, warp)
    + ": entered " + pipelineName(run, pipeline) + " at " + tidy(start) + ", kept the next one out until "
    + tidy(take) + " (\u03bb " + tidy(take - start) + "), " + sayOnward(run, entry)
    + (instr.text ? ". " + instr.text : "") + ".";
}

/* Describes what all warps do at T in a sentence. */
function sayAll (run, t)
{
  const counts = {}, what = {
    issue: "issuing", dependency: "waiting for a result", pipeline: "waiting to enter a pipeline",
    not_selected: "waiting for the scheduler",
    barrier: "at a barrier", ilp: "pausing", drain: "waiting for the last result",
    none: "moving on",
    cut: "waiting until later than is kept",
  };

  for (let slot = 0; slot < run.slots; slot++)
    {
      const warp = findWarp(run, slot, t);
      if (warp)
        {
          const { kind } = stateOf(run, warp, t);
          counts[kind] = (counts[kind] || 0) + 1;
        }
    }
  const total = Object.values(counts).reduce((a, b) => a + b, 0);
  if (!total)
    return t >= run.end - slack ? "All warps have ended." : "No warp is on the multiprocessor.";
  if (run.slots === 1)
    return sayWarp(run, 0, t);
  const parts = Object.keys(what).filter((kind) => counts[kind]).map((kind) => counts[kind] + " "
    + what[kind]);
  return "Of " + plural(total, "warp") + ": " + parts.join(", ") + ".";
}
