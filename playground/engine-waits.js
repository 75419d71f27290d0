// SPDX-License-Identifier: MIT
// Where each warp's time went until each of its issues, and until its end (MODEL.md, section 9). What it waited for until it was ready
// the engine says; not since when: that is its issue before, or its start.

const ENGINE_STALLS = ["barrier", "dependency", "ilp", "pipeline", "not_selected", "drain"];

// What a warp waited for, and the stall that it counts as: a start and a pair take no time.
const ENGINE_REASONS = ["start", "barrier", "dependency", "ilp", "pair"];
const ENGINE_REASON_STALLS = ["ilp", "barrier", "dependency", "ilp", "ilp"].map(name => ENGINE_STALLS.indexOf(name));

class EngineWaits {
  // MACHINE as engineReadMachine() has it.
  constructor(machine) {
    this.machine = machine;
    this.last = new Map(); // block -> for each of its warps the time of its last issue, or its start
    this.rows = { issue: [], sm: [], slot: [], block: [], warp: [], kind: [], pipeline: [], from: [], to: [] };
  }

  launch(block, start) {
    this.last.set(block, new Array(this.machine.warpsPerBlock).fill(start));
  }

  add(issue, sm, slot, block, warp, kind, pipeline, from, to) {
    if (from >= to)
      return;
    const { rows } = this;
    rows.issue.push(issue);
    rows.sm.push(sm);
    rows.slot.push(slot);
    rows.block.push(block);
    rows.warp.push(warp);
    rows.kind.push(kind);
    rows.pipeline.push(pipeline);
    rows.from.push(from);
    rows.to.push(to);
  }

  // The pipeline of one of the engine's instructions, and the last that it passes, which its result is of; -1 of none, and of a
  // barrier.
  findPipeline(instr) {
    return instr === ENGINE_NONE || this.machine.flat[instr].instr.barrier ? -1 : this.machine.flat[instr].instr.pipeline;
  }

  findLast(instr) {
    return this.findPipeline(instr) < 0 ? -1 : engineLastPipeline(this.machine.flat[instr].instr, this.machine.flat[instr].cost);
  }

  issue(row, log) {
    const time = log.time[row], ready = log.ready[row], accepted = Math.max(log.accept[row], ready);
    const place = [log.sm[row], log.slot[row], log.block[row], log.warp[row]];
    const last = this.last.get(log.block[row]);
    this.add(row, ...place, ENGINE_REASON_STALLS[log.reason[row]], this.findLast(log.producerInstr[row]), last[log.warp[row]], ready);
    this.add(row, ...place, 3, this.findPipeline(log.instr[row]), ready, accepted);
    this.add(row, ...place, 4, -1, accepted, time);
    last[log.warp[row]] = time;
  }

  end(row, lifetimes) {
    const block = lifetimes.block[row], warp = lifetimes.warp[row];
    this.add(-1, lifetimes.sm[row], lifetimes.slot[row], block, warp, 5, this.findLast(lifetimes.producerInstr[row]),
      this.last.get(block)[warp], lifetimes.end[row]);
  }

  // The table, of what LOG, LIFETIMES and BLOCKS have.
  static find(machine, log, lifetimes, blocks) {
    const waits = new EngineWaits(machine);
    for (let i = 0; i < blocks.n; i++)
      waits.launch(blocks.block[i], blocks.launch[i]);
    for (let i = 0; i < log.n; i++)
      waits.issue(i, log);
    for (let i = 0; i < lifetimes.n; i++)
      waits.end(i, lifetimes);
    const { rows } = waits;
    return {
      n: rows.issue.length, issue: Int32Array.from(rows.issue), sm: Uint32Array.from(rows.sm), slot: Uint32Array.from(rows.slot),
      block: Float64Array.from(rows.block), warp: Uint32Array.from(rows.warp), kind: Uint8Array.from(rows.kind),
      pipeline: Int8Array.from(rows.pipeline), from: Float64Array.from(rows.from), to: Float64Array.from(rows.to),
    };
  }
}
