/* SPDX-License-Identifier: MIT */
/* The five lessons: text, a question, the answer, and the machine next to it. They follow J.
 * Lemeire's slides on the pipeline model (2024) and V. Volkov's thesis (2016), chapters 3 and 4.
 * Numbers in the answers come from the run next to them. `*word*` is emphasis; a paragraph may be a
 * function of the runs. `veiled` lists what would give away the answer and is hidden until then. */

const simple = { load: 0, adds: 1, rounds: 8, turns: 1, warps: 1, block: 1, room: 16, cl: 1, cL: 4,
  ilp: 1, barrier: 0, sched: 1,
  policy: "rr", launch: 0 };
const withBarrier = { ...simple, load: 1, adds: 4, rounds: 4, turns: 3, warps: 8, barrier: 1, ml: 4,
  mL: 24, launch: 8 };
const useOf = (run, k) => sayUse(run.result.pipelines[k]);

/* Returns the cycles of RUN with some settings changed. */
const timeWith = (run, changes) =>
  engine.simulate(buildMachine(mend({ ...run.settings, ...changes }))).cycles;

const lessons = [
  {
    short: "One warp", title: "One warp: the length of the pipeline",
    sides: [{ ...simple }], at: 9, controls: ["cl", "cL"],
    hidden: ["curve-part", "occupancy-part", "verdict"], veiled: [],
    text: [
      "A *pipeline* takes in one instruction after another and works at several at a time, as a "
        + "car wash does. Two numbers describe it. *\u03bb*, the issue latency, is the *gap*: so "
        + "many cycles must pass before it takes the next one. *\u039b*, the completion latency, "
        + "is the *length*: so many cycles pass until what went in has come out as a result. Here "
        + "\u03bb is 1 and \u039b is 4.",
      "A *warp* is what a GPU schedules: 32 threads that go in step. This one runs eight adds, and "
        + "each needs the result of the one before. Press play, or go from issue to issue with the "
        + "arrows, and look at what is empty in the lane.",
    ],
    question: "A new pipeline takes an add every half cycle (\u03bb = 0.5) and is as long as "
      + "before (\u039b = 4). The eight adds took 32 cycles. And now?",
    answers: [{ text: "16 cycles" }, { text: "20 cycles" },
      { text: "32 cycles, as before", isRight: true }],
    reveal: [{ cl: 0.5 }],
    outcome: [
      ([run]) => "It takes *" + run.result.cycles
        + " cycles*. Nobody stands at the entry; what holds the warp up is its own last result, "
        + "eight times "
        + run.settings.cL + " cycles. *Where each instruction needs the one before, \u039b rules.*",
      ([run]) => "And the pipeline is in use for " + useOf(run, 0)
        + " of the time only. A wider entry is worth nothing as long as there is no one else to go "
        + "in. Let us fetch some.",
    ],
    tries: [{ text: "Half as long: \u039b = 2", sides: [{ cl: 1, cL: 2 }] },
      { text: "Twice as long: \u039b = 8", sides: [{ cl: 1, cL: 8 }] }],
  },
  {
    short: "More warps", title: "More warps: the rate of the pipeline",
    sides: [{ ...simple, turns: 3 }], at: 9, controls: ["warps", "cl", "cL"],
    hidden: ["occupancy-part"],
    veiled: ["curve-part", "figures-part", "verdict"],
    text: [
      "A GPU does not make a warp wait less. It has others to turn to meanwhile: in any cycle the "
        + "*scheduler* issues from a warp that is ready. With enough of them the pipeline never "
        + "runs empty, and the latency, though still there, costs nothing. It is *hidden*.",
      "The machine is that of lesson 1, and each warp still runs its eight adds one after the "
        + "other. How many warps there are at a time is called the *occupancy*.",
    ],
    question: "\u03bb is 1 and \u039b is 4. How many warps at a time does it take to keep the "
      + "pipeline busy?",
    answers: [{ text: "2" }, { text: "4", isRight: true }, { text: "8" }, { text: "16" }],
    reveal: [{ warps: 4 }],
    outcome: [
      ([run]) => "*Four*: \u039b / \u03bb. While one add is on its way for 4 cycles the entry is "
        + "free for three more, which must come from other warps. With "
        + plural(run.result.residentWarps, "warp") + " the pipeline is in use " + useOf(run, 0)
        + " of the time: always but at the very end, when no add is left to go in.",
      "The curve has the rest. Left of the *ridge point* each warp adds as much again, and n warps "
        + "give n / \u039b: the *latency bound*. Right of it the pipeline is full and gives 1 / "
        + "\u03bb, however many ask: the *throughput bound*. With one warp \u039b ruled; *with "
        + "many, \u03bb rules*.",
      "In general: *what is inside = how often something comes \u00d7 how long it stays*. This is "
        + "Little's law. One add a cycle, each for 4 cycles: 4 adds are inside. The same holds of "
        + "warps, to the last digit; see the line under the curve.",
    ],
    tries: [{ text: "2 warps", sides: [{ warps: 2 }] }, { text: "4 warps", sides: [{ warps: 4 }] },
      { text: "8 warps: a queue", sides: [{ warps: 8 }] },
      { text: "\u039b = 12", sides: [{ warps: 4, cL: 12 }] }],
  },
  {
    short: "ILP", title: "Independent instructions in the place of warps",
    sides: [{ ...simple, rounds: 16, turns: 3, cL: 8, warps: 8 }], at: 18,
    controls: ["warps", "ilp"],
    hidden: ["occupancy-part"], veiled: ["curve-part", "figures-part"],
    text: [
      "The pipeline must hold enough *instructions*; nobody said that each has to come from "
        + "another warp. A warp that works at several chains which do not need one another, say "
        + "four sums in place of one, can have an add of each on its way. This is "
        + "*instruction-level parallelism*, ILP.",
      "The pipeline is longer now, \u039b = 8. With one chain in each warp it takes eight warps, "
        + "as you see.",
    ],
    question: "Let each warp have four independent chains of adds. How many warps fill the "
      + "pipeline then?",
    answers: [{ text: "8, as before" }, { text: "4" }, { text: "2", isRight: true }, { text: "1" }],
    reveal: [{ ilp: 4, warps: 2 }],
    outcome: [
      ([run]) => "*Two*: 2 warps \u00d7 4 chains are 8 adds on their way. The pipeline is in use "
        + useOf(run, 0) + " of the time, with a quarter of the warps. What lacks is lost where "
        + "warps end and others begin.",
      "So a low occupancy need not be a slow one. Registers that would have housed other warps can "
        + "house more chains of the same warp, and the need for warps goes down as the curve's "
        + "ridge moves to the left. *What hides latency is work on its way, wherever it comes "
        + "from.*",
    ],
    tries: [{ text: "8 warps, 1 chain", sides: [{ warps: 8, ilp: 1 }] },
      { text: "4 warps, 2 chains", sides: [{ warps: 4, ilp: 2 }] },
      { text: "2 warps, 4 chains", sides: [{ warps: 2, ilp: 4 }] },
      { text: "1 warp, 8 chains", sides: [{ warps: 1, ilp: 8 }] }],
  },
  {
    short: "Two pipelines", title: "Two pipelines, and the cusp",
    sides: [{ ...simple, load: 1, adds: 4, rounds: 6, turns: 2, warps: 8, room: 32, cl: 2, cL: 8,
      ml: 8, mL: 64 }], at: 96,
    controls: ["adds", "warps"], hidden: ["occupancy-part"],
    veiled: ["curve-part", "cusp-part", "figures-part", "verdict"],
    text: [
      "Now each round begins with a load, and *memory* is a pipeline of its own: long and slow. "
        + "Loads alone need \u039b / \u03bb = 64 / 8 = *8 warps*. Adds alone need 8 / 2 = *4 "
        + "warps*.",
      "How many adds there are for each load is the *arithmetic intensity* of a kernel. With few "
        + "of them memory is always full and the kernel *memory-bound*; with many it is "
        + "*compute-bound*. At four, 4 \u00d7 2 cycles of adds come to 8 cycles of memory: it is "
        + "*balanced*, and could keep both busy.",
    ],
    question: "Four adds for each load. How many warps does it take to hide both latencies?",
    answers: [{ text: "4: the adds' need" }, { text: "8: the greater need" },
      { text: "12: both together", isRight: true }],
    reveal: [{ warps: 12 }],
    outcome: [
      ([run]) => "*Twelve.* A warp is in one place at a time: while its load is on its way it has "
        + "no add to offer, and the other way round. 8 loads and 4 adds inside take "
        + ratio(run.bounds.needed) + " warps (" + ratio(run.bounds.latency)
        + " cycles of latency / "
        + ratio(run.bounds.throughput) + " cycles of throughput).",
      ([run]) => "So the need is greatest where a kernel is *balanced*, and falls off to both "
        + "sides. Volkov called this peak the *cusp*. The line is what the bounds say; dots are "
        + "simulated, and lie higher where warps come in bunches and get into each other's way: "
        + "here memory is in use "
        + useOf(run, 1) + " of the time with " + plural(run.result.residentWarps, "warp") + ".",
    ],
    tries: [{ text: "Memory-bound: 1 add", sides: [{ adds: 1, warps: 9 }] },
      { text: "Balanced: 4 adds", sides: [{ adds: 4, warps: 12 }] },
      { text: "\u2026 with 16 warps", sides: [{ adds: 4, warps: 16 }] },
      { text: "Compute-bound: 16 adds", sides: [{ adds: 16, warps: 6 }] }],
  },
  {
    short: "Blocks", title: "Barriers, blocks and schedulers",
    sides: [{ ...withBarrier, block: 8 }, { ...withBarrier, block: 2 }], at: 40,
    controls: ["block", "barrier", "policy", "launch", "sched"], hidden: ["curve-part"],
    veiled: ["figures-part", "stalls-part", "occupancy-part", "verdict", "brief"],
    text: [
      "Warps come in *blocks*. Those of a block start together, and may wait for one another at a "
        + "*barrier*: none goes on until the last has come. The place of a block is free only when "
        + "all its warps have ended, and the next one takes a while to come (8 cycles here).",
      "Both machines have the same work and eight warps at a time. *A* has them in one block of "
        + "eight, *B* in four blocks of two. In each round there is a barrier behind the load.",
    ],
    question: "Which one is done first?",
    answers: [{ text: "A: one large block" }, { text: "B: four small blocks", isRight: true },
      { text: "Both at the same time" }],
    reveal: [{}, {}],
    outcome: [
      ([a, b]) => "*B*: " + b.result.cycles + " cycles against " + a.result.cycles
        + ". In A all warps wait at the same barrier, with nobody left to work; then all compute, "
        + "and memory stands idle; and when the block ends the multiprocessor is empty. In B the "
        + "other blocks go on meanwhile. *It is not enough to have warps; they must not all wait "
        + "for the same thing.*",
      ([, b]) => "Which warp goes next is the *scheduler's* choice, its *policy*. Round robin "
        + "takes one after the other and keeps them abreast; greedy stays with one as long as it "
        + "can, and pulls them apart. Where pipelines are full anyway it matters little; where "
        + "warps meet in bunches it can matter either way. Here greedy loses: B would take "
        + timeWith(b, { policy: "gto" }) + " cycles.",
    ],
    tries: [{ text: "Without the barrier", sides: [{ barrier: 0 }, { barrier: 0 }] },
      { text: "Blocks come at once", sides: [{ launch: 0 }, { launch: 0 }] },
      { text: "Round robin against greedy",
        sides: [{ block: 2, policy: "rr" }, { block: 2, policy: "gto" }] },
      { text: "One scheduler against two",
        sides: [{ block: 2, sched: 1 }, { block: 2, sched: 2 }] }],
  },
];
