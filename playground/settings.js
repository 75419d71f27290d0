/* SPDX-License-Identifier: MIT */
/* What can be set: for each setting, its label, its values and how they are written. A state of the
 * page is an object with a value for each key; links contain those that differ from the start
 * (link.js). */

const lambdas = [0.25, 0.5, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32];
const completions = [1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 32, 48, 64, 96, 128, 192, 256, 384];
const factors = [0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4];
const count = (n) => Array.from({ length: n }, (_, i) => i + 1);

/* Settings of the teaching machine, in the order in which they are shown. `initial` is the value in
 * free play. */
const fields = {
  warps: { group: "Work", label: "Warps at a time", values: count(64), initial: 8,
    help: "How many warps the multiprocessor holds: the occupancy." },
  block: { group: "Work", label: "Warps in a block", values: [1, 2, 4, 8], initial: 2,
    help: "Warps of a block start together and meet at barriers; the place of a block is free when "
      + "its last warp has "
      + "ended." },
  ilp: { group: "Work", label: "Independent chains in a warp (ILP)", values: count(8), initial: 1,
    help: "Each warp works at so many chains of instructions in turn. Within a chain each needs "
      + "the result of the one "
      + "before." },
  load: { group: "Work", label: "A load in each round", values: [0, 1], initial: 1, kind: "switch",
    help: "A round begins with a load from memory, for each chain." },
  adds: { group: "Work", label: "Adds in a round",
    values: [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32], initial: 4,
    help: "With a load in each round this is the arithmetic intensity: adds for each load." },
  barrier: { group: "Work", label: "A barrier in each round", values: [0, 1], initial: 0,
    kind: "switch",
    help: "All warps of a block wait there for the last of them." },
  rounds: { group: "Work", label: "Rounds", values: [1, 2, 3, 4, 6, 8, 12, 16], initial: 4,
    help: "How often a warp "
    + "does all this." },
  turns: { group: "Work", label: "Blocks for each place", values: [1, 2, 3, 4, 6], initial: 3,
    help: "So many blocks in all come to each place on the multiprocessor, one after the other." },
  cl: { group: "Compute pipeline", label: "\u03bb, issue latency", values: lambdas, initial: 1,
    unit: "cycles",
    help: "The pipeline takes the next add so many cycles after the last. The gap." },
  cL: { group: "Compute pipeline", label: "\u039b, completion latency", values: completions,
    initial: 8, unit: "cycles",
    help: "So long until an add has its result. The length." },
  ml: { group: "Memory pipeline", label: "\u03bb, issue latency", values: lambdas, initial: 4,
    unit: "cycles",
    help: "Memory takes the next load so many cycles after the last. The gap." },
  mL: { group: "Memory pipeline", label: "\u039b, completion latency", values: completions,
    initial: 48, unit: "cycles",
    help: "So long until a load has its result. The length." },
  sched: { group: "Schedulers", label: "Schedulers", values: [1, 2, 4], initial: 1,
    help: "Each has its share of the warps and issues one instruction a cycle. The pipelines are "
      + "shared." },
  policy: { group: "Schedulers", label: "Which warp goes next",
    values: ["rr", "gto", "gty", "oldest", "block", "two-level"],
    initial: "rr",
    kind: "choice", help: "The scheduler's choice among the warps that can issue." },
  launch: { group: "Schedulers", label: "Cycles until a block is replaced",
    values: [0, 4, 8, 16, 32, 64, 128], initial: 0,
    unit: "cycles",
    help: "Between the end of a block and the start of the next in its place." },
  room: { group: "Schedulers", label: "Room for warps", values: [8, 16, 32, 64], initial: 64,
    help: "The most warps that this multiprocessor could hold; the right end of the curve." },
};

const policyNames = {
  rr: "round robin", gto: "greedy, then oldest", gty: "greedy, then youngest",
  oldest: "oldest first",
  block: "oldest block first", "two-level": "two levels",
};

const freeSettings = Object.fromEntries(Object.entries(fields).map(([key, field]) =>
  [key, field.initial]));
freeSettings.kernel = "teaching";

const isTeaching = (settings) => settings.kernel === "teaching";

/* Returns the element of VALUES nearest to VALUE, or the first one if VALUE is of another type. */
function nearest (values, value)
{
  if (typeof values[0] === "string")
    return values.includes(value) ? value : values[0];
  return values.reduce((best, x) => Math.abs(x - value) < Math.abs(best - value) ? x : best);
}

/* Returns the values that KEY may have, given the other settings. */
function valuesOf (settings, key)
{
  if (key === "warps")
    return count(Math.max(Math.floor(settings.room / settings.block), 1)).map((n) =>
      n * settings.block);
  if (key === "block")
    return fields.block.values.filter((n) => n <= settings.room);
  if (key === "adds" && !settings.load)
    return fields.adds.values.filter((n) => n > 0);
  return fields[key].values;
}

/* Returns SETTINGS with each value replaced by one that is allowed. */
function mend (settings)
{
  const mended = { ...settings };

  for (const key of ["room", "block", ...Object.keys(fields)])
    mended[key] = nearest(valuesOf(mended, key), mended[key]);
  return mended;
}

/* Returns how a value is written next to its slider. */
function writeValue (key, value)
{
  if (key === "policy")
    return policyNames[value] || value;
  return String(value);
}
