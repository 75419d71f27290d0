// SPDX-License-Identifier: MIT
// Turns a machine, as engineReadMachine() has it, into the 64-bit words that wp-bindings-read.c
// accepts.

// An array of 64-bit words, each written as two halves.
class EngineWords {
  constructor() {
    this.halves = [];
  }

  put(value) {
    if (typeof value === "bigint")
      this.halves.push(Number(BigInt.asIntN(32, value)), Number(BigInt.asIntN(32, value >> 32n)));
    else
      this.halves.push(value | 0, Math.floor(value / 4294967296) | 0);
  }

  get length() {
    return this.halves.length / 2;
  }
}

// Returns the dependences of an instruction as the engine has them: on a mix, one for each set of
// places.
function engineListDependences(program, instr) {
  return instr.after.flatMap(({ made, distance, latencies }) => made.sets.map((i, set) =>
    [program.firstInstr + made.place + i, made.value + set * made.kept + distance - 1,
      engineLastPipeline(made, made.costs[i]), latencies[i]]));
}

function enginePutInstruction(words, { instr, cost }, first) {
  [instr.pipeline, instr.value === ENGINE_NONE ? ENGINE_NONE : instr.value + cost.set * instr.kept,
    first.dep, instr.nDeps, cost.issue, cost.completion, cost.reach, cost.slots,
    cost.posted ? 1 : 0, cost.transactions, cost.spread, instr.kept, instr.name, cost.issueLast,
    cost.inFlight, instr.write ? 1 : 0, first.pass, cost.path.length, cost.mix, cost.mixPlace,
    cost.upto, instr.stall, cost.late ? 1 : 0].forEach(value => words.put(value));
}

function enginePutPrograms(machine, words) {
  const deps = [], first = { dep: 0, pass: 0 };
  let firstCode = 0, firstInstr = 0;
  for (const program of machine.programs) {
    [firstCode, program.code.length, firstInstr, program.flat.length, program.nValues,
      program.depth, program.nDynamic]
      .forEach(value => words.put(value));
    program.firstInstr = firstInstr;
    firstCode += program.code.length;
    firstInstr += program.flat.length;
  }
  for (const program of machine.programs)
    for (const instr of program.instrs) {
      const its = engineListDependences(program, instr);
      instr.firstDep = deps.length;
      instr.nDeps = its.length;
      deps.push(...its);
    }
  for (const one of machine.flat) {
    first.dep = one.instr.firstDep;
    enginePutInstruction(words, one, first);
    first.pass += one.cost.path.length;
  }
  for (const pass of machine.flat.flatMap(one => one.cost.path))
    [pass.pipeline, pass.issue, pass.issueLast, pass.transactions]
      .forEach(value => words.put(value));
  deps.flat().forEach(value => words.put(value));
  for (const program of machine.programs)
    for (const [kind, arg, count] of program.code) {
      words.put(kind);
      words.put(kind === 0 ? program.firstInstr + program.instrs[arg].place : arg);
      words.put(count);
    }
}

function engineEncode(machine) {
  const words = new EngineWords();
  const sum = (list, count) => list.reduce((total, item) => total + count(item), 0);
  const points = machine.spreads.flat();
  [6, machine.ticksPerCycle, machine.sms, machine.schedulers, machine.interval, machine.ilpLatency,
    machine.launchLatency,
    machine.barrierLatency, machine.issueLimit, machine.dualIssue, machine.pipelines.length,
    machine.programs.length,
    machine.flat.length, sum(machine.programs, program => sum(program.instrs, instr =>
      sum(instr.after, ({ made }) => made.sets.length))),
    sum(machine.programs, program => program.code.length),
    machine.spreads.length, machine.ranges.length, machine.rows.length,
    sum(machine.rows, row => row.length), machine.barriers.length,
    sum(machine.flat, ({ cost }) => cost.path.length), machine.blocks, machine.warpsPerBlock,
    Math.min(machine.residentBlocks, engineCountBlocks(machine.blocks, machine.simulatedSms)),
    machine.simulatedSms, machine.dataflow ? 1 : 0, machine.contended ? 1 : 0,
    machine.seed, machine.activeSet, points.length].forEach(value => words.put(value));
  machine.spreads.forEach(spread => words.put(spread.length));
  points.forEach(([at, add]) => { words.put(at); words.put(add); });
  for (const pipeline of machine.pipelines)
    [pipeline.queue, pipeline.perScheduler ? 1 : 0, pipeline.memory ? 1 : 0, pipeline.never ? 1 : 0,
      pipeline.channels, pipeline.channelIssue, pipeline.inflight, pipeline.turnaround,
      pipeline.shared, pipeline.channelIssueLast, pipeline.turnaroundLast]
      .forEach(value => words.put(value));
  enginePutPrograms(machine, words);
  machine.ranges.forEach(range => { words.put(range.firstBlock); words.put(range.row); });
  let firstSegment = 0;
  for (const row of machine.rows) {
    words.put(firstSegment);
    words.put(row.length);
    firstSegment += row.length;
  }
  machine.rows.flat().forEach(segment => { words.put(segment.firstWarp);
    words.put(segment.program); });
  machine.barriers.forEach(warps => words.put(warps));
  return words;
}
