// SPDX-License-Identifier: MIT
// The engine for scripts (README.md): machines in, totals and tables out. Sums are exact until they
// become text or, last of all, a number.

const ENGINE_LIMIT = 100000;
const ENGINE_BUDGET = 20000000;
const ENGINE_SECONDS = 10;
const ENGINE_SLICE = 65536;             // of a budget, between two checks of the clock
const ENGINE_BOUNDS_BUDGET = 100; // x 10^5 steps

// Returns a sum of 128 bits, hi x 2^64 + lo, from memory.
function engineSum(words, at) {
  return words[at] + (words[at + 1] << 64n);
}

function engineDivide(a, b) {
  return b === 0 ? 0 : a / b;
}

// Returns how many of BLOCKS an SM can get, at least 1.
function engineCountBlocks(blocks, sms) {
  return Math.max(Math.ceil(Number(blocks) / sms), 1);
}

// Formats NUM / DEN ticks as the command line does: at most six digits, half up.
function engineFormat(num, den, ticksPerCycle) {
  const unit = den * BigInt(ticksPerCycle);
  const millionths = (num * 2000000n + unit) / (2n * unit);
  const rest = String(millionths % 1000000n).padStart(6, "0").replace(/0+$/, "");
  return String(millionths / 1000000n) + (rest === "" ? "" : `.${rest}`);
}

class WarpipeEngine {
  static get STALLS() {
    return ENGINE_STALLS;
  }

  static get REASONS() {
    return ENGINE_REASONS;
  }

  // MODULE is an array of bytes, or a base64 string of them.
  static async open(module) {
    const bytes = typeof module === "string"
      ? Uint8Array.from(atob(module.trim()), c => c.charCodeAt(0)) : module;
    const engine = new WarpipeEngine(await WebAssembly.compile(bytes));
    engine.start();
    engine.policies = engine.findPolicies();
    return engine;
  }

  // Formats TICKS (a whole number, or a BigInt) in cycles.
  static format(ticks, ticksPerCycle) {
    const exact = BigInt(ticks);
    return exact < 0n ? `-${engineFormat(-exact, 1n, ticksPerCycle)}`
      : engineFormat(exact, 1n, ticksPerCycle);
  }

  // Predicts warp throughput, in warps per cycle and SM, with WARPS resident warps.
  static predict(bounds, warps) {
    return Math.min(warps / bounds.latency, 1 / bounds.throughput);
  }

  constructor(module) {
    this.module = module;
  }

  // The module is small enough to compile synchronously, and has no imports.
  start() {
    this.bindings = new WebAssembly.Instance(this.module, {}).exports;
    this.bindings._initialize();
  }

  text(address) {
    const bytes = new Uint8Array(this.bindings.memory.buffer);
    return new TextDecoder().decode(bytes.slice(address, bytes.indexOf(0, address)));
  }

  findPolicies() {
    const policies = [];
    for (let i = 0; this.bindings.wp_bindings_get_policy_name(i) !== 0; i++)
      policies.push({
        name: this.text(this.bindings.wp_bindings_get_policy_name(i)),
        summary: this.text(this.bindings.wp_bindings_get_policy_summary(i)),
        dataflow: this.bindings.wp_bindings_policy_takes_dataflow(i) !== 0,
      });
    return policies;
  }

  // ---- Calls ----

  // Calls USE (address) with WORDS in memory.
  lend(words, use) {
    const address = this.bindings.wp_bindings_take(words.halves.length * 4);
    if (address === 0)
      throw new Error("out of memory");
    new Int32Array(this.bindings.memory.buffer, address, words.halves.length).set(words.halves);
    try {
      return use(address);
    } finally {
      this.bindings.wp_bindings_give_back(address);
    }
  }

  // Calls USE (bindings, machine), with the bindings to the machine that OBJECT describes.
  // After a trap, which only a bug in the engine can cause, the next call makes a new instance.
  with(object, use) {
    const machine = engineReadMachine(object);
    machine.policyNumber = this.policies.findIndex(policy => policy.name === machine.policy);
    if (machine.policyNumber < 0)
      throw new Error(`machine: "policy" is ${JSON.stringify(machine.policy)}; expected one of `
        + this.policies.map(p => p.name).join(", "));
    let address = 0;
    try {
      const words = engineEncode(machine);
      address = this.lend(words, at => this.bindings.wp_bindings_new(at, words.length));
      if (address === 0)
        throw new Error("out of memory");
      this.refuse(address);
      const result = use(address, machine);
      this.bindings.wp_bindings_free(address);
      return result;
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) {
        this.start();
        throw new Error("the engine stopped: this machine is too large for a page, or warpipe is "
          + "wrong");
      }
      if (address !== 0)
        this.bindings.wp_bindings_free(address);
      throw error;
    }
  }

  refuse(address) {
    const problem = this.bindings.wp_bindings_get_problem(address);
    if (problem !== 0)
      throw new Error(this.text(problem));
  }

  words(address, n) {
    return new BigUint64Array(this.bindings.memory.buffer, this.bindings.wp_bindings_get_words(address),
      n).slice();
  }

  // Limits resident blocks to the blocks that there are, because each takes memory of the SM.
  run(address, machine, { residentBlocks = machine.residentBlocks, blocks = machine.blocks,
    limit = 0, first = false, budget, seconds }) {
    const options = new EngineWords();
    const held = Math.min(residentBlocks, engineCountBlocks(blocks, machine.simulatedSms));
    [machine.policyNumber, held, blocks, limit, first ? 1 : 0].forEach(value => options.put(value));
    if (this.lend(options, at => this.bindings.wp_bindings_start(address, at)) !== 0)
      this.refuse(address);
    const until = performance.now() + seconds * 1000;
    let status = 1;
    for (let left = budget; status === 1 && left > 0 && performance.now() < until;
      left -= ENGINE_SLICE)
      status = this.bindings.wp_bindings_go_on(address, Math.min(left, ENGINE_SLICE));
    if (status === 2)
      throw new Error(this.text(this.bindings.wp_bindings_get_problem(address))
        + " would come at 2^62 ticks or later: the run is too long to be exact");
    if (this.bindings.wp_bindings_finish(address) !== 0)
      this.refuse(address);
    return this.totals(address, machine, residentBlocks);
  }

  // ---- Totals ----

  totals(address, machine, residentBlocks) {
    const n = 25 + 5 * machine.pipelines.length;
    const words = this.words(address, n + 1);
    const ticksPerCycle = machine.ticksPerCycle;
    const cycles = sum => Number(sum) / ticksPerCycle;
    const [elapsed, complete, until, ended, warps, instructions, issues] = words;
    const lifetimes = engineSum(words, 7), occupied = engineSum(words, 9),
      slotTime = engineSum(words, 11);
    const smCycles = cycles(elapsed) * machine.simulatedSms;
    const useCycles = cycles(words[n]);
    const result = {
      cycles: engineFormat(elapsed, 1n, ticksPerCycle), cyclesNumber: cycles(elapsed),
      ticks: elapsed, ticksPerCycle,
      drained: useCycles, complete: complete !== 0n, blocks: Number(ended), warps: Number(warps),
      instructions: Number(instructions), issues: Number(issues),
      ipc: engineDivide(Number(instructions), smCycles),
      warpThroughput: engineDivide(Number(warps), smCycles),
      meanOccupancy: engineDivide(cycles(complete !== 0n ? lifetimes : occupied), smCycles),
      meanWarpLatency: engineDivide(cycles(lifetimes), Number(warps)),
      schedulerUtilization: engineDivide(cycles(slotTime),
        smCycles * machine.schedulers * machine.issueLimit),
      residentBlocks, residentWarps: residentBlocks * machine.warpsPerBlock, stalls: {},
      stallsText: {}, pipelines: [],
      until: BigInt.asIntN(64, until),
    };
    ENGINE_STALLS.forEach((name, i) => {
      const sum = engineSum(words, 13 + 2 * i);
      result.stalls[name] = cycles(sum);
      result.stallsText[name] = engineFormat(sum, 1n, ticksPerCycle);
    });
    result.pipelines = machine.pipelines.map((pipeline, i) => {
      const at = 25 + 5 * i;
      const busy = cycles(engineSum(words, at + 1)), waits = engineSum(words, at + 3);
      const instances = pipeline.perScheduler ? machine.schedulers : 1;
      const inAll = Math.ceil(machine.simulatedSms / pipeline.shared) * instances;
      return {
        name: pipeline.name, perScheduler: pipeline.perScheduler, instances,
        shared: pipeline.shared, instructions: Number(words[at]), busy,
        utilization: engineDivide(busy, useCycles * inAll),
        backlog: engineDivide(busy, inAll) - cycles(elapsed),
        ipc: engineDivide(Number(words[at]), smCycles),
        dependency: cycles(waits), dependencyText: engineFormat(waits, 1n, ticksPerCycle),
      };
    });
    return result;
  }

  // ---- Tables ----

  column(address, table, column, n) {
    return n === 0 ? new Float64Array(0)
      : new Float64Array(this.bindings.memory.buffer,
      this.bindings.wp_bindings_get_column(address, table, column), n).slice();
  }

  // Returns the columns NAMES of TABLE, those from WHOLE on as 32-bit numbers.
  table(address, table, names, whole) {
    const n = this.bindings.wp_bindings_get_n_rows(address, table);
    const rows = { n };
    names.forEach((name, i) => {
      const column = this.column(address, table, i, n);
      rows[name] = i < whole ? column : Uint32Array.from(column);
    });
    return rows;
  }

  readLog(address, machine) {
    const log = this.table(address, 0, ["time", "start", "complete", "ready", "accept", "block",
      "index", "producer", "sm", "scheduler",
      "slot", "warp", "instr", "follows", "reason", "producerInstr"], 8);
    const ops = new Map();
    machine.flat.forEach(({ instr }) => ops.set(instr.op, ops.has(instr.op) ? ops.get(instr.op)
      : ops.size));
    log.ops = [...ops.keys()];
    log.instructions = machine.programs.flatMap((program, number) => program.flat.map(one =>
      this.describeInstruction(one, number)));
    log.op = log.instr.map(instr => ops.get(machine.flat[instr].instr.op));
    log.pipeline = Int32Array.from(log.instr, instr => log.instructions[instr].pipeline);
    log.passes = this.readPasses(address, log);
    return log;
  }

  describeInstruction({ instr, cost, number }, program) {
    return {
      program, number, op: instr.op, context: cost.mix > 0 ? cost.context : instr.context,
      text: instr.text, pipeline: instr.barrier ? -1 : instr.pipeline,
      issue: Number(cost.issue), completion: Number(cost.completion),
      inFlight: Number(cost.inFlight),
      path: cost.path.map(pass => ({ pipeline: pass.pipeline, issue: Number(pass.issue) })),
    };
  }

  readPasses(address, log) {
    const rows = this.table(address, 3, ["start", "issue", "instr", "place", "sm"], 2);
    rows.issue = Int32Array.from(rows.issue);
    rows.pipeline = rows.instr.map((instr, i) => rows.place[i] === 0
      ? log.instructions[instr].pipeline
      : log.instructions[instr].path[rows.place[i] - 1].pipeline);
    return rows;
  }

  // Warps that end at one time are recorded in the order of their ends: sorts them as the command
  // line's table does.
  readLifetimes(address) {
    const names = ["end", "sm", "slot", "age", "block", "warp", "scheduler", "start", "issued",
      "producerInstr", ...ENGINE_STALLS.slice(0, 5)];
    const rows = this.table(address, 1, names, names.length);
    const order = Array.from({ length: rows.n }, (_, i) => i).sort((a, b) =>
      rows.end[a] - rows.end[b] || rows.sm[a] - rows.sm[b] || rows.slot[a] - rows.slot[b]
        || rows.age[a] - rows.age[b]);
    for (const name of names) {
      const column = rows[name];
      const sorted = order.map(i => column[i]);
      rows[name] = ["sm", "slot", "warp", "scheduler", "producerInstr"].includes(name)
      ? Uint32Array.from(sorted) : Float64Array.from(sorted);
    }
    delete rows.age;
    return rows;
  }

  readTables(address, machine, run) {
    run.log = this.readLog(address, machine);
    run.log.whole = run.until < 0n;
    run.log.until = run.log.whole ? Infinity : Number(run.until);
    run.lifetimes = this.readLifetimes(address);
    run.blockTable = this.table(address, 2, ["block", "sm", "launch", "end"], 4);
    run.blockTable.sm = Uint32Array.from(run.blockTable.sm);
    run.waits = EngineWaits.find(machine, run.log, run.lifetimes, run.blockTable);
    run.lifetimes.drain = this.findDrains(run.lifetimes);
  }

  findDrains(lifetimes) {
    return lifetimes.end.map((end, i) =>
      ENGINE_STALLS.slice(0, 5).reduce((left, name) => left - lifetimes[name][i],
      end - lifetimes.start[i]));
  }

  // ---- What is asked ----

  // Returns null, or why OBJECT is rejected.
  check(object) {
    try {
      this.with(object, () => null);
      return null;
    } catch (error) {
      return error.message;
    }
  }

  simulate(object, { log = false, limit = ENGINE_LIMIT, first = false, budget = ENGINE_BUDGET,
    seconds = ENGINE_SECONDS } = {}) {
    return this.with(object, (address, machine) => {
      const run = this.run(address, machine,
        { limit: log ? limit : 0, first, budget, seconds });
      if (log)
        this.readTables(address, machine, run);
      delete run.until;
      return run;
    });
  }

  curve(object, points, { budget = ENGINE_BUDGET, seconds = ENGINE_SECONDS } = {}) {
    return this.with(object, (address, machine) => points.map(point => {
      const { residentBlocks, blocks = machine.blocks } = typeof point === "number"
        ? { residentBlocks: point } : point;
      const run = this.run(address, machine,
        { residentBlocks, blocks, budget: Math.ceil(budget / points.length),
        seconds: seconds / points.length });
      return {
        residentBlocks, residentWarps: residentBlocks * machine.warpsPerBlock, blocks,
        cycles: run.cycles, cyclesNumber: run.cyclesNumber,
        warpThroughput: run.warpThroughput, ipc: run.ipc, meanOccupancy: run.meanOccupancy,
        complete: run.complete,
      };
    }));
  }

  bounds(object) {
    return this.with(object, (address, machine) => {
      if (this.bindings.wp_bindings_find_bounds(address, ENGINE_BOUNDS_BUDGET) !== 0)
        this.refuse(address);
      const words = this.words(address, 3 + 3 * (3 + machine.pipelines.length));
      const ticksPerCycle = Number(words[2]);
      const mean = i => {
        const num = engineSum(words, 3 + 3 * i), den = words[5 + 3 * i];
        return { cycles: Number(num) / Number(den) / ticksPerCycle,
          cyclesText: engineFormat(num, den, ticksPerCycle) };
      };
      const latency = mean(0), throughput = mean(1);
      const needed = latency.cycles === 0 && throughput.cycles === 0 ? 0
        : latency.cycles / throughput.cycles;
      const tightest = Number(words[0]);
      return {
        latency: latency.cycles, latencyText: latency.cyclesText,
        launchLatency: Number(machine.launchLatency) / machine.ticksPerCycle,
        throughput: throughput.cycles, throughputText: throughput.cyclesText,
        tightest: tightest < machine.pipelines.length ? machine.pipelines[tightest].name
        : "schedulers",
        pipelines: machine.pipelines.map((pipeline, i) =>
          ({ name: pipeline.name, ...mean(3 + i) })), schedulers: mean(2), needed,
        estimates: words[1] !== 0n,
      };
    });
  }
}
