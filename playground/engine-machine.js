// SPDX-License-Identifier: MIT
// Reads a machine (doc/FORMATS.md, "Machines"). Whatever a file contains, an error names the place
// in it. What follows from the rest is computed here: where results are kept, the longest reach of an
// instruction, code, sums.

const ENGINE_NONE = 0xffffffff;         // no pipeline, value, spread; no limit of a queue
const ENGINE_TICKS = 2n ** 62n;         // WP_TICK_LIMIT
const ENGINE_DYNAMIC = 2 ** 53;         // instructions of a warp
const ENGINE_DEPTH = 64;
const ENGINE_DISTANCE = 64;             // of a dependence
const ENGINE_STALL = 255;               // cycles
const ENGINE_PASSES = 16;               // pipelines in a path
const ENGINE_CONTEXTS = 4096;           // in a mix
const ENGINE_WEIGHTS = 2147483647;      // of a mix, in all
// The same limits as for a GPU's file, for what takes memory or time.
const ENGINE_SMS = 65536, ENGINE_SCHEDULERS = 1024, ENGINE_UNITS = 65536;

// Reads members of an object from a file. WHERE is its place, for messages.
class EngineReader {
  constructor(object, where) {
    if (typeof object !== "object" || object === null || Array.isArray(object))
      throw new Error(`${where}: expected an object`);
    this.object = object;
    this.where = where;
  }

  fail(name, wanted) {
    const value = this.object[name];
    const given = value === undefined ? "is missing"
      : `is ${String(JSON.stringify(value)).slice(0, 40)}`;
    throw new Error(`${this.where}: "${name}" ${given}; expected ${wanted}`);
  }

  // Returns a whole number from LEAST to MOST: a number or, from 2^53 on, a string of digits, which
  // becomes a BigInt.
  whole(name, least, most, usual) {
    let value = this.object[name];
    if (value === undefined && usual !== undefined)
      return usual;
    if (typeof value === "string" && /^-?[0-9]{1,20}$/.test(value)) {
      value = BigInt(value);
      if (value > -9007199254740992n && value < 9007199254740992n)
        value = Number(value);
    } else if (!Number.isSafeInteger(value))
      this.fail(name, `a whole number from ${least} to ${most}`);
    if (value < least || value > most)
      this.fail(name, `a whole number from ${least} to ${most}`);
    return value;
  }

  ticks(name, usual) {
    return this.whole(name, 0, ENGINE_TICKS, usual);
  }

  count(name, least, usual) {
    return this.whole(name, least, ENGINE_NONE - 1, usual);
  }

  choice(name, choices, usual) {
    const value = this.object[name] === undefined ? usual : this.object[name];
    if (!choices.includes(value))
      this.fail(name, `one of ${choices.join(", ")}`);
    return value;
  }

  flag(name) {
    if (this.object[name] !== undefined && typeof this.object[name] !== "boolean")
      this.fail(name, "true or false");
    return this.object[name] === true;
  }

  list(name, usual) {
    const value = this.object[name] === undefined ? usual : this.object[name];
    if (!Array.isArray(value))
      this.fail(name, "a list");
    return [...value];
  }

  rows(name, usual) {
    return this.list(name, usual).map((row, i) =>
      new EngineReader(row, `${this.where === "machine" ? "" : this.where + ", "}${name}[${i}]`));
  }

  child(name) {
    if (this.object[name] === undefined)
      this.fail(name, "an object");
    return new EngineReader(this.object[name], name);
  }
}

function engineCompare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

// With ideal memory there are neither channels nor spreads, whatever a file has. What SMs share has
// other times in the last group of them, where that is smaller.
function engineReadPipeline(row, contended) {
  const queue = row.object.queue === "unbounded" ? ENGINE_NONE
    : row.whole("queue", 0, ENGINE_UNITS, 0);
  const channelIssue = contended ? row.ticks("channel_issue", 0) : 0;
  const turnaround = row.ticks("turnaround", 0);
  const pipeline = {
    name: typeof row.object.name === "string" ? row.object.name : row.fail("name", "a text"),
    queue,
    perScheduler: row.choice("scope", ["sm", "scheduler"], "sm") === "scheduler",
    memory: row.choice("kind", ["compute", "memory"], "compute") === "memory",
    never: row.choice("pairing", ["any", "never"], "any") === "never",
    channels: contended ? row.whole("channels", 0, ENGINE_UNITS, 0) : 0,
    channelIssue, turnaround,
    inflight: row.whole("inflight", 1, ENGINE_UNITS, 0),
    shared: row.whole("shared", 1, ENGINE_SMS, 1),
    channelIssueLast: contended ? row.ticks("channel_issue_last", channelIssue) : 0,
    turnaroundLast: row.ticks("turnaround_last", turnaround),
  };
  if (pipeline.shared > 1 && pipeline.perScheduler)
    row.fail("scope", "\"sm\", as SMs share it");
  if (pipeline.shared > 1 && pipeline.inflight > 0)
    row.fail("inflight", "none, as SMs share it");
  return pipeline;
}

function engineReadSpread(row) {
  const at = row.list("at"), add = row.list("add");
  if (at.length !== add.length || at.length < 2)
    row.fail("add", "as many numbers as \"at\" has, and at least 2");
  const points = at.map((value, i) =>
    new EngineReader({ at: value, add: add[i] }, `${row.where}, point ${i}`));
  return points.map(point =>
    [point.whole("at", 0, 4294967296), point.whole("add", -ENGINE_TICKS, ENGINE_TICKS)]);
}

// What an instruction passes behind its own pipeline.
function engineReadPath(row, machine) {
  const path = row.rows("path", []);
  if (path.length > ENGINE_PASSES)
    row.fail("path", `at most ${ENGINE_PASSES} pipelines`);
  return path.map(pass => {
    const issue = pass.ticks("issue", 0);
    return {
      pipeline: pass.whole("pipeline", 0, machine.pipelines.length - 1),
      issue, issueLast: pass.ticks("issue_last", issue),
      transactions: pass.whole("transactions", 0, ENGINE_UNITS, 1),
    };
  });
}

// The last pipeline that an instruction passes at COST: results are of that.
function engineLastPipeline(instr, cost) {
  return cost.path.length > 0 ? cost.path[cost.path.length - 1].pipeline : instr.pipeline;
}

// What an instruction costs: its own, or in one context of its mix.
function engineReadCost(row, machine, posted) {
  const { object } = row;
  const issue = row.ticks("issue", 0), completion = row.ticks("completion", 0);
  return {
    issue, completion, posted, late: row.flag("late"),
    issueLast: row.ticks("issue_last", issue),
    inFlight: row.ticks("in_flight", completion),
    path: engineReadPath(row, machine),
    slots: row.count("slots", 1, 1),
    transactions: row.whole("transactions", 0, ENGINE_UNITS, 1),
    spread: object.spread === undefined || object.spread === null || !machine.contended
      ? ENGINE_NONE : row.whole("spread", 0, machine.spreads.length - 1),
    reach: completion,
  };
}

// Returns the costs of an instruction, one for each context of its mix: `upto` are the weights up to
// its own.
function engineReadMix(row, machine) {
  const posted = row.flag("posted");
  if (row.object.mix === undefined)
    return [{ ...engineReadCost(row, machine, posted), mix: 0, mixPlace: 0, upto: 0 }];
  const contexts = row.rows("mix");
  if (contexts.length < 1 || contexts.length > ENGINE_CONTEXTS)
    row.fail("mix", `1 to ${ENGINE_CONTEXTS} contexts`);
  let upto = 0;
  return contexts.map((context, i) => {
    upto += context.whole("weight", 1, ENGINE_WEIGHTS);
    if (upto > ENGINE_WEIGHTS)
      context.fail("weight", `weights of at most ${ENGINE_WEIGHTS} in all`);
    return { ...engineReadCost(context, machine, posted || context.flag("posted")),
      mix: contexts.length, mixPlace: i, upto, context: context.object.context };
  });
}

// Returns an instruction without its dependences. It stands for as many of the engine's in a row as
// it has costs.
function engineReadInstruction(row, machine) {
  const { object } = row;
  const barrier = object.pipeline === null;
  const instr = {
    op: typeof object.op === "string" ? object.op : row.fail("op", "a text"),
    context: object.context, text: object.text,
    barrier,
    // 0: the barrier without a name.
    name: barrier && object.barrier !== undefined
      ? 1 + row.whole("barrier", 0, machine.barriers.length - 1) : 0,
    kept: 1,
    pipeline: barrier ? ENGINE_NONE : row.whole("pipeline", 0, machine.pipelines.length - 1),
    write: row.flag("write"),
    stall: row.ticks("stall", 0),
    costs: engineReadMix(row, machine),
    users: [],                          // latencies of those that depend on it, a list for each cost
    value: ENGINE_NONE, after: [],
  };
  if (barrier && instr.costs[0].posted && instr.name === 0)
    row.fail("barrier", "the barrier at which it arrives");
  if (barrier && instr.costs[0].path.length > 0)
    row.fail("path", "none, of a barrier");
  if (instr.stall % machine.ticksPerCycle !== 0
      || instr.stall > ENGINE_STALL * machine.ticksPerCycle || (barrier && instr.stall > 0))
    row.fail("stall", `whole cycles, at most ${ENGINE_STALL}, and none of a barrier`);
  if (barrier && object.mix !== undefined)
    row.fail("mix", "none, of a barrier");
  const own = barrier ? null : machine.pipelines[instr.pipeline];
  if (own !== null && own.shared > 1 && own.queue !== ENGINE_NONE)
    row.fail("pipeline", "none that SMs share, unless its queue is unbounded");
  return instr;
}

// Reads the latency of a dependence on MADE: one for each of its costs.
function engineReadLatencies(dependence, made) {
  if (made.costs[0].mix === 0)
    return [dependence.ticks("latency")];
  const latencies = dependence.list("latency");
  if (latencies.length !== made.costs.length)
    dependence.fail("latency", `${made.costs.length} numbers, as many as the mix has contexts`);
  return latencies.map((latency, i) =>
    new EngineReader({ latency }, `${dependence.where}, latency ${i}`).ticks("latency"));
}

// Returns the dependences of an instruction. Notes how far they reach back, of which each producer
// keeps as many results, and how long it takes for whom.
function engineReadDependences(row, instrs) {
  return row.rows("after", []).map(dependence => {
    const producer = dependence.whole("producer", 0, instrs.length - 1);
    const distance = dependence.whole("distance", 1, ENGINE_DISTANCE, 1);
    const made = instrs[producer];
    if (made.barrier)
      dependence.fail("producer", "no barrier");
    const latencies = engineReadLatencies(dependence, made);
    made.kept = Math.max(made.kept, distance);
    latencies.forEach((latency, i) => {
      const cost = made.costs[i];
      cost.reach = engineCompare(latency, cost.reach) > 0 ? latency : cost.reach;
    });
    made.users.push(latencies);
    return { made, distance, latencies };
  });
}

// Gives places to the results of INSTR, if something depends on it: those of its contexts that are
// alike to all that do have one set of places.
function engineGivePlaces(instr, machine, program) {
  const sets = new Map();
  instr.sets = [];
  if (instr.users.length === 0)
    return;
  instr.value = program.nValues;
  instr.costs.forEach((cost, i) => {
    const passed = [instr.pipeline, ...cost.path.map(pass => pass.pipeline)];
    const key = [cost.completion, cost.posted, passed[passed.length - 1],
      passed.some(pipeline => machine.pipelines[pipeline].memory),
      ...instr.users.map(latencies => latencies[i])].join();
    if (!sets.has(key)) {
      sets.set(key, sets.size);
      instr.sets.push(i);
    }
    cost.set = sets.get(key);
  });
  program.nValues += sets.size * instr.kept;
}

// Returns repeats as the engine has them: code, with the heads and ends of repeats between the
// instructions.
function engineMakeCode(row, program) {
  const n = program.instrs.length;
  const repeats = row.rows("repeats", []).map(repeat => {
    const first = repeat.whole("first", 0, n - 1);
    return { first, last: repeat.whole("last", first, n - 1),
      count: repeat.whole("count", 1, 2147483647), repeat };
  });
  const open = [], sums = [0];
  let next = 0;
  for (let k = 0; k < n; k++) {
    for (; next < repeats.length && repeats[next].first === k; next++) {
      const repeat = repeats[next];
      if (open.length > 0 && repeat.last > open[open.length - 1].last)
        repeat.repeat.fail("last", "repeats to be one in the other or apart");
      if (open.length === ENGINE_DEPTH)
        repeat.repeat.fail("first", `repeats at most ${ENGINE_DEPTH} deep`);
      open.push({ ...repeat, head: program.code.length });
      program.code.push([1, 0, repeat.count]);
      program.depth = Math.max(program.depth, open.length);
      sums.push(0);
    }
    program.code.push([0, k, 0]);
    sums[sums.length - 1]++;
    for (; open.length > 0 && open[open.length - 1].last === k;) {
      const { head, count } = open.pop();
      program.code[head][1] = program.code.length;
      program.code.push([2, head, 0]);
      const sum = sums.pop() * count + sums[sums.length - 1];
      if (sum > ENGINE_DYNAMIC)
        throw new Error(`${row.where}: a warp would run more than 2^53 instructions`);
      sums[sums.length - 1] = sum;
    }
  }
  if (next < repeats.length)
    repeats[next].repeat.fail("first", "repeats in the order in which they begin, the outer first");
  program.nDynamic = sums[0];
}

// Returns the engine's instructions: of a mix there are several in a row.
function engineFlatten(program) {
  let place = 0;
  for (const instr of program.instrs) {
    instr.place = place;
    place += instr.costs.length;
  }
  program.flat = program.instrs.flatMap((instr, number) => instr.costs.map(cost =>
    ({ instr, cost, number })));
}

function engineReadProgram(row, machine) {
  const rows = row.rows("instructions");
  const program = { instrs: [], flat: [], code: [], nValues: 0, depth: 0, nDynamic: 0 };
  program.instrs = rows.map(instruction => engineReadInstruction(instruction, machine));
  rows.forEach((instruction, i) => {
    program.instrs[i].after = engineReadDependences(instruction, program.instrs);
  });
  program.instrs.forEach(instr => engineGivePlaces(instr, machine, program));
  engineFlatten(program);
  engineMakeCode(row, program);
  return program;
}

function engineReadAssignment(top, machine) {
  machine.rows = top.list("rows", [[{ first_warp: 0, program: 0 }]]).map((row, i) => {
    if (!Array.isArray(row))
      throw new Error(`rows[${i}]: expected a list`);
    return row.map((segment, j) => {
      const reader = new EngineReader(segment, `rows[${i}][${j}]`);
      return { firstWarp: reader.count("first_warp", 0),
        program: reader.whole("program", 0, machine.programs.length - 1) };
    });
  });
  machine.ranges = top.rows("block_ranges", [{ first_block: 0, row: 0 }]).map(range => ({
    firstBlock: range.whole("first_block", 0, 2n ** 63n - 1n),
    row: range.whole("row", 0, machine.rows.length - 1),
  }));
}

// Reads a file and checks what the engine's own check, which names no place, does not.
function engineReadMachine(object) {
  const top = new EngineReader(object, "machine");
  if (object.format !== "warpipe-machine" || ![1, 2, 3, 4].includes(object.version))
    throw new Error("not a machine: expected \"format\": \"warpipe-machine\" and \"version\": 1 to 4, "
      + "as `warpipe run --machine FILE` writes it");
  const scheduler = top.child("scheduler");
  const machine = {
    policy: typeof object.policy === "string" ? object.policy : top.fail("policy", "a text"),
    dataflow: top.choice("order", ["program", "dataflow"], "program") === "dataflow",
    contended: top.choice("memory", ["ideal", "contended"], "ideal") === "contended",
    seed: top.whole("seed", 0, 2n ** 64n - 1n, 1),
    activeSet: top.count("active_set", 1, 8),
    ticksPerCycle: top.whole("ticks_per_cycle", 1, 2147483648, 1),
    sms: top.whole("sms", 1, ENGINE_SMS, 1),
    simulatedSms: top.whole("simulated_sms", 1, ENGINE_SMS, 1),
    schedulers: scheduler.whole("count", 1, ENGINE_SCHEDULERS, 1),
    interval: scheduler.ticks("interval"),
    issueLimit: scheduler.count("issue_limit", 1, 1),
    dualIssue: scheduler.count("dual_issue", 1, 1),
    ilpLatency: scheduler.ticks("ilp_latency", 0),
    launchLatency: top.ticks("launch_latency", 0),
    barrierLatency: top.ticks("barrier_latency", 0),
    blocks: top.whole("blocks", 0, 2n ** 63n - 1n),
    warpsPerBlock: top.count("warps_per_block", 1),
    residentBlocks: top.whole("resident_blocks", 1, 2 ** 53 - 1),
    pipelines: top.rows("pipelines").map(row =>
      engineReadPipeline(row, object.memory === "contended")),
    spreads: top.rows("spreads", []).map(engineReadSpread),
    barriers: top.rows("barriers", []).map(row => row.whole("warps", 0, 2147483647, 0)),
  };
  machine.programs = top.rows("programs").map(row => engineReadProgram(row, machine));
  machine.flat = machine.programs.flatMap(program => program.flat);
  engineReadAssignment(top, machine);
  return machine;
}
