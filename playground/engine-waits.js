// SPDX-License-Identifier: MIT
// What each warp waited for until each of its issues (MODEL.md, section 9). The engine tells when a warp was ready, not what for:
// that follows from the machine and from what the warp did before. Of dependences that are complete at one time the first counts, a
// dependence goes before the ILP latency, a barrier before both. In dataflow order a dependence is on the last instance before the
// instruction in program order, whatever has issued since: there results are kept by dynamic instruction.

const ENGINE_STALLS = ["barrier", "dependency", "ilp", "pipeline", "not_selected", "drain"];

// Where the instructions of PROGRAM stand when its repeats are unrolled: for each a rising list.
function engineUnroll(program) {
  const places = program.instrs.map(() => []);
  const counters = [];
  let k = 0;
  for (let pc = 0; pc < program.code.length; pc++) {
    const [kind, arg, count] = program.code[pc];
    if (kind === 0)
      places[arg].push(k++);
    else if (kind === 1)
      counters.push(count);
    else if (--counters[counters.length - 1] > 0)
      pc = arg;
    else
      counters.pop();
  }
  return places;
}

// The last of the rising PLACES that is before K, or -1. O(log n).
function engineFindBefore(places, k) {
  let low = 0, high = places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (places[middle] < k)
      low = middle + 1;
    else
      high = middle;
  }
  return low === 0 ? -1 : places[low - 1];
}

class EngineWaits {
  // MACHINE as engineReadMachine() has it; INSTRS: for each of the engine's instructions its own and its program.
  constructor(machine, instrs) {
    this.machine = machine;
    this.instrs = instrs;
    this.warps = new Map();
    this.ilp = Number(machine.ilpLatency);
    this.rows = { issue: [], sm: [], slot: [], block: [], warp: [], kind: [], pipeline: [], from: [], to: [] };
  }

  launch(block, start) {
    this.warps.set(block, Array.from({ length: this.machine.warpsPerBlock }, () => (
      { last: start, issued: 0, atBarrier: false, release: 0, end: start, endPipeline: -1, results: new Map() })));
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

  // The result that PRODUCER means for dynamic instruction INDEX, or nothing.
  find(warp, program, producer, index) {
    if (!this.machine.dataflow)
      return warp.results.get(producer);
    if (program.places === undefined)
      program.places = engineUnroll(program);
    return warp.results.get(engineFindBefore(program.places[producer], index));
  }

  // What made WARP wait until READY: kind and pipeline.
  findCause(warp, { instr, program }, index, ready) {
    const turn = warp.issued === 0 ? warp.last : warp.last + this.ilp;
    let kind = 2, pipeline = -1;
    if (this.machine.dataflow && instr.barrier) {
      if (warp.end >= turn)
        [kind, pipeline] = [1, warp.endPipeline];
    } else {
      let latest = turn - 1, order = 0;
      for (const { producer, latency } of instr.after) {
        const result = this.find(warp, program, producer, index);
        if (result === undefined)
          continue;
        const complete = result.base + Number(latency);
        if (complete < latest || (complete === latest && !(this.machine.dataflow && result.order < order)))
          continue;
        [latest, order] = [complete, result.order];
        [kind, pipeline] = [1, program.instrs[producer].pipeline];
      }
    }
    return warp.atBarrier && warp.release >= ready ? [0, -1] : [kind, pipeline];
  }

  remember(warp, instr, number, index, time, complete) {
    warp.issued++;
    warp.last = time;
    warp.atBarrier = instr.barrier;
    if (instr.barrier) {
      warp.release = complete;
      return;
    }
    if (complete > warp.end) {
      warp.end = complete;
      warp.endPipeline = instr.pipeline;
    }
    if (instr.value !== ENGINE_NONE)
      warp.results.set(this.machine.dataflow ? index : number,
        { base: instr.posted ? time : complete - Number(instr.completion), order: warp.issued });
  }

  issue(row, log) {
    const time = log.time[row], ready = log.ready[row], slot = log.slot[row], sm = log.sm[row];
    const block = log.block[row], number = log.warp[row];
    const warp = this.warps.get(block)[number];
    const known = this.instrs[log.instr[row]];
    const accepted = Math.max(log.accept[row], ready);
    const [kind, pipeline] = this.findCause(warp, known, log.index[row], ready);
    this.add(row, sm, slot, block, number, kind, pipeline, warp.last, ready);
    this.add(row, sm, slot, block, number, 3, known.instr.barrier ? -1 : known.instr.pipeline, ready, accepted);
    this.add(row, sm, slot, block, number, 4, -1, accepted, time);
    this.remember(warp, known.instr, known.number, log.index[row], time, log.complete[row]);
  }

  end(row, lifetimes) {
    const block = lifetimes.block[row], number = lifetimes.warp[row], end = lifetimes.end[row];
    const warp = this.warps.get(block)[number];
    const pipeline = warp.atBarrier && warp.release === end ? -1 : warp.endPipeline;
    this.add(-1, lifetimes.sm[row], lifetimes.slot[row], block, number, 5, pipeline, warp.last, end);
  }

  // The table, of what LOG, LIFETIMES and BLOCKS have.
  static find(machine, instrs, log, lifetimes, blocks) {
    const waits = new EngineWaits(machine, instrs);
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
