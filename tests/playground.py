# SPDX-License-Identifier: MIT
"""Compares the engine in the playground's page with the command line: see playground.sh.

    playground.py BUILD

Both tell of a run as text, the page by PROBE: its tables are put in the form of the command line's there.
"""
import json
import os
import subprocess
import sys

import headless

# Combinations of kernel, GPU, policy and occupancy: every policy, both orders, both kinds of memory, one SM, several and all;
# paths, and a pipeline that SMs share. Names with a dot are files of tests/golden.
CASES = """
vector-add gtx680 rr --blocks 64
vector-add gtx680 gto --blocks 64 --occupancy 8
vector-add gtx680 two-level --blocks 64 --occupancy 32 --active-set 2
vector-add gtx480 gty --blocks 60 --occupancy 16
vector-add v100 oldest --blocks 200 --sms 2
vector-add gtx980 rr --blocks 64 --memory contended
vector-add gtx980 rr --blocks 64 --memory contended --seed 18446744073709551615
vector-add simple block --blocks 8 --order dataflow
vector-abs-negative p100 rr --blocks 100
vector-abs-positive gtx280 oldest --blocks 60
lemeire-balanced simple rr
lemeire-balanced simple gty --occupancy 3
lemeire-barrier simple rr
lemeire-barrier simple block --blocks 5 --occupancy 32
lemeire-barrier gtx480 gto --blocks 30 --sms all
lemeire-no-barrier simple oldest
lemeire-two-series simple rr --order program
lemeire-two-series gtx680 gto --blocks 40
lemeire-3-computations simple rr --occupancy 2
lemeire-3-computations titanx two-level --blocks 48
lemeire-communication-bound simple rr
lemeire-computation-bound simple gto
lemeire-computation-memory simple gty --order dataflow
barrier-divergence gtx480 rr --blocks 30 --occupancy 2
barrier-divergence gtx480 two-level --blocks 120
barrier-divergence 8800gtx gto --blocks 64 --order dataflow
barrier-divergence k40m block --blocks 90 --occupancy 16
volkov-mix gtx980 rr --set alpha=4 --set rounds=2 --blocks 128
volkov-mix gtx980 gto --set alpha=0 --set rounds=4 --occupancy 8 --blocks 128
volkov-mix gtx480 oldest --set alpha=16 --set rounds=1 --blocks 60 --occupancy 12
volkov-mix k40m rr --set alpha=2 --set rounds=3 --blocks 90 --memory contended --occupancy 32
volkov-mix 8800gtx block --set alpha=3 --set rounds=2 --blocks 64
volkov-mix titanrtx gty --set alpha=6 --set rounds=2 --blocks 144 --order dataflow
volkov-mix-sfu gtx680 rr --set alpha=4 --set rounds=2 --blocks 64
volkov-mix-sfu gtx980 two-level --set alpha=4 --set rounds=2 --blocks 64 --active-set 3
volkov-mix-shared gtx980 gto --set alpha=4 --set rounds=2 --blocks 64
volkov-mix-shared gtx280 rr --set alpha=4 --set rounds=2 --blocks 60 --memory contended --seed 7
stream gtx980 rr --blocks 32 --occupancy 8 --set rounds=4
stream-ilp2 gtx680 gto --blocks 32 --occupancy 4 --set rounds=4
stream-ilp4 gtx980 oldest --blocks 32 --occupancy 2 --set rounds=4
stream-ilp8 v100 rr --blocks 160 --occupancy 1 --set rounds=4
permute-coalesced gtx480 rr --blocks 30
permute-random gtx480 gto --blocks 30 --memory contended
permute-random titanx gty --blocks 48 --occupancy 16
kothapalli-histogram gtx280 rr --blocks 30 --set elements=64
ilp-latencies gtx680 rr --blocks 1 --threads 32
ilp-latencies-load v100 gto --blocks 1 --threads 32
register-latencies gtx680 rr --blocks 8 --threads 64
workload gtx980 rr --blocks 16 --occupancy 16
workload gtx280 block --blocks 30 --occupancy 8 --order dataflow
machine-path-kernel.xml machine-path.xml rr
machine-path-kernel.xml machine-path.xml gto --sms 2 --memory contended --seed 3
machine-path-kernel.xml machine-path.xml two-level --sms all --active-set 2 --blocks 50
machine-path-kernel.xml machine-path.xml oldest --sms 4 --order dataflow --memory contended
machine-mix-kernel.xml machine-path.xml rr
machine-mix-kernel.xml machine-path.xml gty --sms 2 --memory contended --seed 18446744073709551615
machine-mix-kernel.xml machine-path.xml two-level --sms all --active-set 2 --seed 5
machine-mix-kernel.xml machine-path.xml oldest --sms 4 --order dataflow --seed 6
"""
RANDOM = int(os.environ.get("WARPIPE_PLAYGROUND_CASES", "25"))

FUZZED = int(os.environ.get("WARPIPE_PLAYGROUND_FUZZED", "600"))

PROBE = """
const { engine, WarpipeEngine } = window.warpipe;
const machine = JSON.parse(arguments[0]);
const run = engine.simulate(machine, { log: true, limit: 1000000, budget: 1e9 });
const cycles = ticks => WarpipeEngine.format(ticks, run.ticksPerCycle);
const table = (rows, cells) => Array.from({ length: rows.n }, (_, i) => cells(i).join(",")).join("\\n");
const { log, lifetimes, waits } = run;
const kinds = WarpipeEngine.STALLS.map(() => 0n), results = run.pipelines.map(() => 0n);
for (let i = 0; i < waits.n; i++) {
  const ticks = BigInt(waits.to[i] - waits.from[i]);
  kinds[waits.kind[i]] += ticks;
  if (waits.kind[i] === 1)
    results[waits.pipeline[i]] += ticks;
}
let gaps = 0;
const ends = new Map();
for (let i = 0; i < waits.n; i++) {
  const warp = waits.block[i] * machine.warps_per_block + waits.warp[i];
  gaps += ends.has(warp) && ends.get(warp) !== waits.from[i];
  ends.set(warp, waits.to[i]);
}
return JSON.stringify({
  figures: {
    cycles: run.cycles, ...run.stallsText, complete: run.complete, blocks: run.blocks, warps: run.warps,
    instructions: run.instructions, resident_blocks: run.residentBlocks, resident_warps: run.residentWarps,
  },
  ratios: {
    ipc: run.ipc, mean_occupancy: run.meanOccupancy, mean_warp_latency: run.meanWarpLatency,
    warp_throughput: run.warpThroughput, scheduler_utilization: run.schedulerUtilization,
  },
  pipelines: run.pipelines.map(p => [p.name, p.instructions, p.utilization, p.ipc, p.dependencyText]),
  whole: log.whole,
  waits: WarpipeEngine.STALLS.map((_, i) => cycles(kinds[i])), results: results.map(cycles), gaps,
  issues: table(log, i => [cycles(log.time[i]), log.sm[i], log.scheduler[i], log.block[i], log.warp[i], log.index[i],
    log.ops[log.op[i]], log.pipeline[i] < 0 ? "" : run.pipelines[log.pipeline[i]].name, cycles(log.start[i]),
    cycles(log.complete[i]), WarpipeEngine.REASONS[log.reason[i]], log.producer[i] < 0 ? "" : log.producer[i]]),
  lifetimes: table(lifetimes, i => [lifetimes.sm[i], lifetimes.block[i], lifetimes.warp[i], lifetimes.slot[i],
    lifetimes.scheduler[i], cycles(lifetimes.start[i]), cycles(lifetimes.end[i]), lifetimes.issued[i],
    ...WarpipeEngine.STALLS.map(name => cycles(lifetimes[name][i]))]),
});
"""

BOUNDS = """
const { engine, WarpipeEngine } = window.warpipe;
const bounds = engine.bounds(JSON.parse(arguments[0]));
return JSON.stringify({
  exact: [bounds.latencyText, bounds.throughputText, bounds.tightest, bounds.schedulers.cyclesText, bounds.estimates,
    ...bounds.pipelines.map(p => p.cyclesText)],
  ratios: [bounds.needed, WarpipeEngine.predict(bounds, arguments[1])],
});
"""

# Changes of a machine, and the error that each must give; then the unchanged machine runs as
# before.
WRONG = [
    ("machine.version = 5", "not a machine: expected \"format\": \"warpipe-machine\""),
    ("delete machine.scheduler", "machine: \"scheduler\" is missing; expected an object"),
    ("machine.blocks = 'many'", "machine: \"blocks\" is \"many\"; expected a whole number from 0"),
    ("machine.policy = 'best'", "machine: \"policy\" is \"best\"; expected one of rr, gto"),
    ("machine.pipelines[0].queue = -1", "pipelines[0]: \"queue\" is -1; expected a whole number from 0"),
    ("machine.pipelines[0].queue = 4e9", "pipelines[0]: \"queue\" is 4000000000; expected a whole number from 0 to 65536"),
    ("machine.scheduler.count = 4e9", "scheduler: \"count\" is 4000000000; expected a whole number from 1 to 1024"),
    ("machine.simulated_sms = machine.sms = 65536; machine.blocks = 4e9; machine.scheduler.count = 1024", "out of memory"),
    ("machine.programs[0].instructions[4].transactions = 65537", "expected a whole number from 0 to 65536"),
    ("machine.warps_per_block = 4e9", "resident warps out of range"),
    ("machine.scheduler.dual_issue = 65", "dual issue of too many instructions"),
    ("machine.order = 'dataflow'; machine.scheduler.dual_issue = 1; machine.policy = 'two-level'", "dataflow"),
    ("machine.programs[0].instructions[1].issue = 1.5", "programs[0], instructions[1]: \"issue\" is 1.5; expected a whole number"),
    ("machine.programs[0].instructions[0].completion = '4611686018427387905'", "instructions[0]: \"completion\" is"),
    ("for (const i of machine.programs[0].instructions) i.completion = '4611686018427387000'",
     "would come at 2^62 ticks or later: the run is too long to be exact"),
    ("machine.programs[0].instructions[0].after = [{ producer: 99, latency: 1 }]",
     "programs[0], instructions[0], after[0]: \"producer\" is 99; expected a whole number from 0 to 11"),
    ("machine.programs[0].repeats = [{ first: 0, last: 5, count: 2 }, { first: 3, last: 8, count: 2 }]",
     "programs[0], repeats[1]: \"last\" is 8; expected repeats to be one in the other or apart"),
    ("machine.programs[0].repeats = [{ first: 2, last: 3, count: 2 }, { first: 0, last: 1, count: 2 }]",
     "programs[0], repeats[1]: \"first\" is 0; expected repeats in the order in which they begin"),
    ("machine.programs[0].repeats = Array.from({ length: 65 }, () => ({ first: 0, last: 1, count: 1 }))",
     "programs[0], repeats[64]: \"first\" is 0; expected repeats at most 64 deep"),
    ("machine.programs[0].repeats = [0, 1].map(() => ({ first: 0, last: 1, count: 2147483647 }))",
     "a warp would run more than 2^53 instructions"),
    ("machine.block_ranges[0].first_block = 1", "block 0 has no programs"),
    ("machine.rows = [[]]", "a row out of range"),
    ("machine.spreads = [{ at: [0, 4294967296], add: [4, 2] }]", "a spread that falls"),
]
# The same of a machine with paths.
WRONG_PATHS = [
    ("machine.programs[0].instructions[0].path = {}", 'instructions[0]: "path" is {}; expected a list'),
    ("machine.programs[0].instructions[0].path[1].pipeline = 4",
     'instructions[0], path[1]: "pipeline" is 4; expected a whole number from 0 to 3'),
    ("delete machine.programs[0].instructions[0].path[0].pipeline", 'path[0]: "pipeline" is missing; expected a whole number'),
    ("machine.programs[0].instructions[0].path[0].issue = -1", 'path[0]: "issue" is -1; expected a whole number from 0'),
    ("machine.programs[0].instructions[0].path[0].issue_last = 0.5", 'path[0]: "issue_last" is 0.5; expected a whole number'),
    ("machine.programs[0].instructions[0].path[0].transactions = 65537", "expected a whole number from 0 to 65536"),
    ("machine.programs[0].instructions[0].path = Array(17).fill({ pipeline: 2, issue: 0 })", "expected at most 16 pipelines"),
    ("machine.programs[0].instructions.push({ op: 'bar.sync', pipeline: null, path: [{ pipeline: 2 }] })",
     'instructions[7]: "path" is [{"pipeline":2}]; expected none, of a barrier'),
    ("machine.programs[0].instructions[0].write = 1", 'instructions[0]: "write" is 1; expected true or false'),
    ("machine.programs[0].instructions[0].in_flight = -1", '"in_flight" is -1; expected a whole number from 0'),
    ("machine.programs[0].instructions[0].issue_last = 'x'", '"issue_last" is "x"; expected a whole number'),
    ("machine.pipelines[1].inflight = 0", 'pipelines[1]: "inflight" is 0; expected a whole number from 1 to 65536'),
    ("machine.pipelines[1].inflight = 65537", "expected a whole number from 1 to 65536"),
    ("machine.pipelines[3].inflight = 5", 'pipelines[3]: "inflight" is 5; expected none, as SMs share it'),
    ("machine.pipelines[3].scope = 'scheduler'", 'pipelines[3]: "scope" is "scheduler"; expected "sm", as SMs share it'),
    ("machine.pipelines[3].shared = 0", 'pipelines[3]: "shared" is 0; expected a whole number from 1 to 65536'),
    ("machine.pipelines[3].turnaround = -2", 'pipelines[3]: "turnaround" is -2; expected a whole number from 0'),
    ("machine.pipelines[3].turnaround_last = {}", 'pipelines[3]: "turnaround_last" is {}; expected a whole number'),
    ("machine.memory = 'contended'; machine.pipelines[3].channel_issue_last = 1.5", '"channel_issue_last" is 1.5; expected a whole number'),
    ("machine.pipelines[3].queue = 5", 'instructions[6]: "pipeline" is 3; expected none that SMs share, unless its queue is unbounded'),
    ("for (const p of machine.programs[0].instructions[0].path) p.issue = '4611686018427387000'",
     "would come at 2^62 ticks or later: the run is too long to be exact"),
]
REFUSE = """
const { engine } = window.warpipe;
const machine = JSON.parse(arguments[0]);
const before = engine.simulate(machine).cycles;
return JSON.stringify(arguments[1].map(change => {
  const changed = JSON.parse(arguments[0]);
  new Function("machine", change)(changed);
  let said = null;
  try {
    engine.simulate(changed, { log: true });
  } catch (error) {
    said = error.message;
  }
  return [said, engine.check(machine) === null && engine.simulate(machine).cycles === before];
}));
"""

# Machines with members changed at random: each runs, or is refused in words; the engine stays what it was.
FUZZ = """
const { engine } = window.warpipe;
const [text, cases, seed] = arguments;
let state = seed;
const draw = n => {
  state = (Math.imul(state, 1103515245) + 12345) >>> 0;
  return (state >>> 8) % n;
};
const values = [0, 1, 2, 3, 5, 64, 65, 255, 65535, 65536, 2147483647, 4294967295, 4294967296, 9007199254740991, -1, 1.5, "", "7",
  "4611686018427387904", "9223372036854775807", "18446744073709551615", null, true, false, [], {}, "scheduler", "memory", "contended",
  "dataflow", "unbounded", "never", "two-level"];
const list = (object, places = []) => {
  for (const [name, value] of Object.entries(object)) {
    places.push([object, name]);
    if (typeof value === "object" && value !== null)
      list(value, places);
  }
  return places;
};
const before = engine.simulate(JSON.parse(text)).cycles, bad = [];
let ran = 0;
for (let k = 0; k < cases; k++) {
  const machine = JSON.parse(text), said = [];
  for (let n = 1 + draw(3); n > 0; n--) {
    const places = list(machine), [object, name] = places[draw(places.length)];
    if (draw(8) === 0)
      delete object[name];
    else if (draw(6) === 0 && Array.isArray(object))
      object.push(object[draw(object.length)]);
    else
      object[name] = values[draw(values.length)];
    said.push(name + "=" + JSON.stringify(object[name]));
  }
  try {
    const run = engine.simulate(machine, { log: true, limit: 500, first: draw(2) === 0, budget: 20000, seconds: 0.5 });
    engine.bounds(machine);
    ran += Number.isFinite(run.cyclesNumber);
  } catch (error) {
    if (!(error instanceof Error) || !/[a-z]/.test(error.message) || /engine stopped|undefined|cannot read|not a function/i.test(error.message))
      bad.push(said.join("; ") + ": " + error);
  }
}
return JSON.stringify({ bad, ran, same: engine.simulate(JSON.parse(text)).cycles === before });
"""

# Smaller checks: a curve equals its runs one by one; a log that is cut says up to where it is
# complete, and a run that is cut says so.
ASIDE = """
const { engine } = window.warpipe;
const machine = JSON.parse(arguments[0]);
const points = engine.curve(machine, [1, 3, { residentBlocks: 2, blocks: 9 }]);
const alone = [[1, machine.blocks], [3, machine.blocks], [2, 9]].map(([resident_blocks, blocks]) =>
  engine.simulate({ ...machine, resident_blocks, blocks }));
const whole = engine.simulate(machine, { log: true });
const part = engine.simulate(machine, { log: true, limit: 20 });
const same = ["time", "start", "block", "warp", "index"].every(name =>
  part.log[name].every((value, i) => value === whole.log[name][i]));
return JSON.stringify({
  curve: points.every((point, i) => point.cycles === alone[i].cycles && point.ipc === alone[i].ipc),
  part: part.log.n === 20 && !part.log.whole && part.cycles === whole.cycles && same
    && whole.log.time[20] === part.log.until,
  whole: whole.log.whole && whole.blockTable.n === whole.blocks && whole.blockTable.end.every(end => end > 0),
  cut: engine.simulate({ ...machine, blocks: 100000 }, { log: true, limit: 1000000, budget: 10000 }).complete,
  policies: engine.policies.map(policy => policy.name),
});
"""
# And with mixes: the first load is in one of three contexts.
WRONG_MIXES = [
    ("machine.programs[0].instructions[0].mix = []", 'instructions[0]: "mix" is []; expected 1 to 4096 contexts'),
    ("machine.programs[0].instructions[0].mix = 5", '"mix" is 5; expected a list'),
    ("machine.programs[0].instructions[0].mix[1] = null", "instructions[0], mix[1]: expected an object"),
    ("machine.programs[0].instructions[0].mix[1].weight = 0",
     'instructions[0], mix[1]: "weight" is 0; expected a whole number from 1 to 2147483647'),
    ("machine.programs[0].instructions[0].mix[1].weight = 2147483643", "expected weights of at most 2147483647 in all"),
    ("delete machine.programs[0].instructions[0].mix[2].weight", 'mix[2]: "weight" is missing'),
    ("machine.programs[0].instructions[0].mix[2].issue = -1", 'mix[2]: "issue" is -1; expected a whole number from 0'),
    ("machine.programs[0].instructions[0].mix[2].path[1].pipeline = 9", 'mix[2], path[1]: "pipeline" is 9; expected a whole number'),
    ("machine.programs[0].instructions[2].after[0].latency = 5", 'after[0]: "latency" is 5; expected a list'),
    ("machine.programs[0].instructions[2].after[0].latency = [1, 2]",
     'instructions[2], after[0]: "latency" is [1,2]; expected 3 numbers, as many as the mix has contexts'),
    ("machine.programs[0].instructions[2].after[0].latency[1] = 0.5",
     'instructions[2], after[0], latency 1: "latency" is 0.5; expected a whole number'),
    ("machine.programs[0].instructions.push({ op: 'bar.sync', pipeline: null, mix: [{ weight: 1 }] })",
     'expected none, of a barrier'),
]


# Of paths: what passes begins when it may, one after another in each pipeline, of all SMs that share it; results count from the last.
# What is kept of the first SM alone is a part of the whole, with what the others do in the pipeline that it shares.
PASSES = """
const { engine } = window.warpipe;
const machine = JSON.parse(arguments[0]);
const whole = engine.simulate(machine, { log: true }), first = engine.simulate(machine, { log: true, first: true });
const { log } = whole, { passes } = log;
const ends = log.start.slice(), begins = new Map();
let early = 0, late = 0, crowded = 0;
const enter = (sm, pipeline, scheduler, start, issue) => {
  const { scope, shared = 1 } = machine.pipelines[pipeline];
  const key = [Math.floor(sm / shared), pipeline, scope === "scheduler" ? scheduler : 0].join();
  begins.set(key, [...(begins.get(key) || []), [start, issue]]);
};
for (let i = 0; i < log.n; i++)
  if (log.pipeline[i] >= 0)
    enter(log.sm[i], log.pipeline[i], log.scheduler[i], log.start[i], log.instructions[log.instr[i]].issue);
for (let k = 0; k < passes.n; k++) {
  const i = passes.issue[k], pass = log.instructions[log.instr[i]].path[passes.place[k] - 1];
  early += passes.start[k] < ends[i] || passes.instr[k] !== log.instr[i] || passes.sm[k] !== log.sm[i];
  ends[i] = passes.start[k];
  enter(passes.sm[k], pass.pipeline, log.scheduler[i], passes.start[k], pass.issue);
}
for (let i = 0; i < log.n; i++) {
  const instr = machine.programs[0].instructions[log.instr[i]];
  late += instr.pipeline !== null && !instr.posted && log.complete[i] !== ends[i] + instr.completion;
}
for (const list of begins.values()) {
  list.sort((a, b) => a[0] - b[0]);
  crowded += list.filter(([start], k) => k > 0 && start < list[k - 1][0] + list[k - 1][1]).length;
}
const own = i => passes.sm[i] === 0, shared = i => machine.pipelines[passes.pipeline[i]].shared > passes.sm[i];
const all = Array.from({ length: passes.n }, (_, i) => i), mine = all.filter(own);
const kept = Array.from({ length: first.log.passes.n }, (_, i) => i), foreign = i => first.log.passes.issue[i] < 0;
return JSON.stringify({
  passes: passes.n > 0, early, late, crowded,
  own: kept.filter(i => !foreign(i)).map(i => first.log.passes.start[i]).join() === mine.map(i => passes.start[i]).join(),
  others: kept.filter(foreign).length === all.filter(i => !own(i) && shared(i)).length
    + log.sm.filter((sm, i) => sm > 0 && machine.pipelines[log.pipeline[i]].shared > sm).length,
  issues: first.log.n - log.sm.filter(sm => sm === 0).length, blocks: first.blockTable.n - whole.blockTable.sm.filter(sm => sm === 0).length,
  totals: first.cycles === whole.cycles && first.issues === whole.issues,
});
"""


class Failure(Exception):
    pass


def run(*arguments):
    done = subprocess.run(["warpipe", *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failure(done.stderr.strip())
    return done.stdout


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def read_exactly(text):
    """Times as they are printed."""
    return json.loads(text, parse_float=str, parse_int=str)


def describe(arguments):
    """The command line's results, in the form of PROBE, and the machine."""
    text = run("run", *arguments, "--machine", "machine.json", "--issues", "issues.csv", "--lifetimes", "lifetimes.csv",
               "--format", "json")
    report, exact = json.loads(text), read_exactly(text)
    names = ("blocks", "warps", "instructions", "resident_blocks", "resident_warps", "complete")
    return read("machine.json"), {
        "figures": {"cycles": exact["cycles"], **exact["stalls"], **{name: report[name] for name in names}},
        "ratios": {name: report[name] for name in ("ipc", "mean_occupancy", "mean_warp_latency", "warp_throughput",
                                                   "scheduler_utilization")},
        "pipelines": [[p["name"], p["instructions"], p["utilization"], p["ipc"], e["dependency"]]
                      for p, e in zip(report["pipelines"], exact["pipelines"])],
        "whole": True,
        "waits": list(exact["stalls"].values()), "results": [p["dependency"] for p in exact["pipelines"]], "gaps": 0,
        "issues": read("issues.csv").partition("\n")[2].rstrip("\n"),
        "lifetimes": read("lifetimes.csv").partition("\n")[2].rstrip("\n"),
    }


def round_ratios(value):
    """Ratios have twelve digits in the report."""
    if isinstance(value, list):
        return [round_ratios(item) for item in value]
    if isinstance(value, dict):
        return {name: round_ratios(item) for name, item in value.items()}
    return value if isinstance(value, str) else float(f"{value:.12g}")


def say_difference(page, wanted):
    for name, value in wanted.items():
        rounds = round_ratios if name in ("ratios", "pipelines") else lambda it: it
        if rounds(page[name]) == rounds(value):
            continue
        if isinstance(value, str):
            ours, theirs = page[name].split("\n"), value.split("\n")
            for row in range(max(len(ours), len(theirs))):
                if ours[row:row + 1] != theirs[row:row + 1]:
                    return f"{name}, row {row}: {ours[row:row + 1]}, and not {theirs[row:row + 1]}"
        return f"{name}: {page[name]}, and not {value}"
    return None


def check_case(page, title, arguments):
    machine, wanted = describe(arguments)
    told = json.loads(page.run(PROBE, machine))
    difference = say_difference(told, wanted)
    page.check(difference is None, f"{title}: {difference}")
    return machine


def check_bounds(page, title, machine, arguments):
    text = run("bounds", *arguments, "--format", "json")
    report, exact = json.loads(text), read_exactly(text)
    told = json.loads(page.run(BOUNDS, machine, report["occupancy"]))
    wanted = [exact["latency_bound"], exact["throughput_bound"], exact["tightest"], exact["schedulers"]["cycles"],
              exact["estimates"], *(p["cycles"] for p in exact["pipelines"])]
    page.check(told["exact"] == wanted, f"{title}: bounds are {told['exact']}, and not {wanted}")
    wanted = [report["needed_occupancy"], report["warp_throughput"]]
    page.check(round_ratios(told["ratios"]) == round_ratios(wanted), f"{title}: {told['ratios']}, and not {wanted}")


def drop(arguments, *names):
    """Without the options NAMES and their values."""
    kept, skip = [], False
    for argument in arguments:
        if argument in names:
            skip = True
        elif skip:
            skip = False
        else:
            kept.append(argument)
    return kept


def locate(name):
    return os.path.join(os.environ["abs_srcdir"], "tests", "golden", name) if "." in name else name


def check_shipped(page):
    for line in CASES.strip().split("\n"):
        kernel, gpu, policy, *options = (locate(word) for word in line.split())
        arguments = [kernel, "--gpu", gpu, *options]
        machine = check_case(page, line, [*arguments, "--policy", policy])
        check_bounds(page, line, machine, drop(arguments, "--memory", "--seed", "--active-set"))


def check_random(page, build):
    """Random cases of the tests of the engine; those that are refused are not the page's business, nor are times that a double
    would round: the page cuts its tables there."""
    program = os.path.join(build, "tests", "check-random")
    ran = 0
    for seed in range(1, RANDOM + 1 if os.access(program, os.X_OK) else 1):
        os.makedirs("case", exist_ok=True)
        subprocess.run([program, "--seed", str(seed), "--dump", "case"], stdout=subprocess.DEVNULL, check=True)
        arguments = ["case/kernel.xml", "--gpu", "case/gpu.xml", *read("case/arguments").split()]
        try:
            report = run("run", *arguments, "--format", "json")
        except Failure:
            continue
        exact = json.loads(report)
        if exact["cycles"] * exact["ticks_per_cycle"] < 2**53:
            check_case(page, f"seed {seed}", arguments)
            ran += 1
    page.check(ran > 0 or RANDOM == 0 or not os.access(program, os.X_OK), "no random case ran")


def check_refusals(page, machine, wrong):
    answers = json.loads(page.run(REFUSE, machine, [change for change, _ in wrong]))
    for (change, wanted), (said, sound) in zip(wrong, answers):
        page.check(said is not None and wanted in said, f"{change}: {said}")
        page.check(sound, f"{change}: the engine is not what it was")


def check_aside(page, machine):
    told = json.loads(page.run(ASIDE, machine))
    names = [line.split()[0] for line in run("list", "policies").strip().split("\n")]
    wanted = {"curve": True, "part": True, "whole": True, "cut": False, "policies": names}
    page.check(told == wanted, f"in passing: {told}, and not {wanted}")


def check_fuzz(page, machine):
    told = json.loads(page.run(FUZZ, machine, FUZZED, int(os.environ.get("WARPIPE_SEED", "1"))))
    page.check(not told["bad"] and told["same"] and told["ran"] > FUZZED / 20, f"machines changed at random: {told}")


def check_passes(page, machine):
    told = json.loads(page.run(PASSES, machine))
    wanted = {"passes": True, "early": 0, "late": 0, "crowded": 0, "own": True, "others": True, "issues": 0, "blocks": 0, "totals": True}
    page.check(told == wanted, f"passes: {told}, and not {wanted}")


def check_module(page):
    page.check(page.run("return WebAssembly.Module.imports(window.warpipe.engine.module).length") == 0, "the module imports something")


def main():
    driver = headless.start()
    try:
        page = headless.Page(driver, "playground.html")
        check_module(page)
        check_shipped(page)
        check_random(page, sys.argv[1])
        run("run", "vector-add", "--gpu", "gtx680", "--blocks", "64", "--machine", "machine.json")
        machine = read("machine.json")
        check_refusals(page, machine, WRONG)
        check_aside(page, machine)
        run("run", locate("machine-path-kernel.xml"), "--gpu", locate("machine-path.xml"), "--machine", "machine.json")
        check_refusals(page, read("machine.json"), WRONG_PATHS)
        check_passes(page, read("machine.json"))
        check_fuzz(page, read("machine.json"))
        run("run", locate("machine-mix-kernel.xml"), "--gpu", locate("machine-path.xml"), "--machine", "machine.json")
        check_refusals(page, read("machine.json"), WRONG_MIXES)
        check_fuzz(page, read("machine.json"))
        page.finish()
    finally:
        driver.quit()
    headless.report()


main()
