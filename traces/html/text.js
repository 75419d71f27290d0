/* SPDX-License-Identifier: MIT */
/* The text about the runs: heading, metrics, legend, where the time went. */

/* Returns what is to be known before any verdict, each once: boxes of the warnings, with the names
 * of the runs where not all have it, and the notes. */
function listWarnings ()
{
  const said = new Map();
  const notes = [...new Set(runs.flatMap((run) => run.report.notes))];
  const boxes = [];

  for (const run of runs)
    for (const warning of run.report.warnings)
    {
      const key = warning.name + ": " + warning.text;
      said.set(key, { warning, names: [...(said.get(key) || { names: [] }).names, run.name] });
    }
  for (const { warning: { name, text, no_verdict: grave }, names } of said.values())
    boxes.push(make("p", { class: grave ? "warning grave" : "warning" },
      names.length < runs.length ? make("span", { class: "of" }, names.join(", ")) : null,
      make("strong", {}, "Warning: " + name), " " + text));
  if (notes.length > 0)
    boxes.push(make("details", { class: "notes" },
      make("summary", {}, plural(notes.length, "note") + " on what was assumed"),
      make("ul", {}, ...notes.map((note) => make("li", {}, note)))));
  return boxes;
}

function buildHeading ()
{
  const { facts, report } = runs[0];
  const same = (get) => runs.every((run) => get(run) === get(runs[0])) ? get(runs[0]) : null;
  const launch = (run) => plural(run.report.launch.blocks, "block") + " of "
    + plural(run.report.launch.threads, "thread");
  const settings = (run) => run.facts.parameters.map((one) => one.name + "=" + one.value).join(" ");
  const parts = [
    facts.kernel_title, same((run) => run.facts.gpu_title), same(launch), same(settings),
    same((run) => "policy " + run.report.policy), same((run) => run.report.order + " order"),
    same((run) => run.report.memory + " memory" + (run.report.memory === "contended"
      ? ", seed " + run.report.seed : "")),
    same((run) => run.report.sms + " of " + plural(run.facts.gpu_sms, "SM") + " simulated"),
  ];

  byId("title").textContent = data.page.title;
  byId("subtitle").textContent = parts.filter((part) => part).join(" \u00b7 ");
  byId("verdict").append(...listWarnings());
  for (const sentence of data.page.sentences)
    byId("verdict").append(make("p", { class: "of-all" }, sentence));
  for (const run of runs)
    byId("verdict").append(make("p", {}, many ? make("span", { class: "of" }, run.name) : null,
      run.facts.verdict));
  for (const section of document.querySelectorAll("main > section"))
    byId("contents").append(make("a", { href: "#" + section.id },
      section.querySelector("h2").textContent));
}

/* Returns the metrics of a run: [name, value, more]. */
function listFigures (run)
{
  const { report } = run, ends = decimal(run.elapsed, run.perCycle);
  const queued = run.facts.stores_queued;

  return [
    ["Time, cycles", queued ? String(report.cycles_drained) : ends,
      ratio(queued ? report.time_drained_us : report.time_us) + " \u00b5s at "
      + ratio(parseCycles(run.facts.clock_mhz)) + " MHz"
      + (queued ? ", until the last store is done; the last warp ends at " + ends : "")],
    ["Occupancy, mean", ratio(report.mean_occupancy) + " warps", "at most " + run.bounds.occupancy
      + ", limited by " + report.limiters.join(", ").replace("grid", "the size of the grid")],
    ["A warp lives, mean", ratio(report.mean_warp_latency) + " cycles", plural(report.warps, "warp")
      + " of " + plural(report.blocks, "block")],
    ["Warp throughput", ratio(report.warp_throughput), "warps a cycle and SM"],
    ["Instructions", ratio(report.ipc) + " a cycle", "and SM; " + report.instructions + " in all"],
    ["Issue slots taken", percent(report.scheduler_utilization), "of all schedulers"],
  ];
}

function buildFigures ()
{
  const body = byId("figures-body");

  if (!many)
    body.append(make("dl", { class: "cards" }, listFigures(runs[0]).map(([name, value, more]) =>
      make("div", {}, make("dt", {}, name), make("dd", {}, value, make("small", {}, more))))),
      makePipelineTable(runs[0]));
  else
    body.append(makeComparison());
}

function makeTable (head, rows)
{
  return make("div", { class: "wide" }, make("table", {},
    make("thead", {}, make("tr", {}, head.map((text) => make("th", { scope: "col" }, text)))),
    make("tbody", {}, rows.map((row) =>
      make("tr", {}, row.map((text, i) => make(i === 0 ? "th" : "td", i === 0 ? { scope: "row" }
      : {}, text)))))));
}

function makePipelineTable (run)
{
  const rows = run.report.pipelines.filter((one) => one.instructions > 0).map((one) => [
    one.name + (one.shared ? " (of " + one.shared + " SMs)"
      : run.pipelines.find((other) => other.name === one.name).instances > 1 ? " (each)" : ""),
    String(one.instructions),
    percent(one.utilization), ratio(one.ipc), ratio(one.gflops), ratio(one.gbytes_per_s)]);

  return rows.length === 0 ? "" : make("div", {}, make("h3", {}, "Pipelines"),
    makeTable(["", "instructions", "in use", "IPC an SM", "Gflop/s", "GB/s"], rows));
}

function makeComparison ()
{
  const figures = runs.map(listFigures),
    rows = figures[0].map(([name], i) => [name, ...figures.map((list) => list[i][1])]);
  const names = [...new Set(runs.flatMap((run) =>
    run.report.pipelines.filter((one) => one.instructions > 0).map((one) => one.name)))];

  for (const name of names)
    rows.push([name + " in use", ...runs.map((run) => {
      const one = run.report.pipelines.find((other) => other.name === name);
      return one ? percent(one.utilization) : "\u2013";
    })]);
  return makeTable(["", ...runs.map((run) => run.name)], rows);
}

function buildKept ()
{
  for (const run of runs)
    {
      const { record } = run, at = (ticks) => decimal(ticks, run.perCycle);
      const said = [], say = (sentence) => said.push(sentence[0].toUpperCase() + sentence.slice(1));
      if (record.sms > 1)
        say("SM " + record.sm + " of the " + record.sms + " simulated is drawn.");
      if (run.from > 0 || run.to < run.end)
        say("instructions and warps are those of cycles " + at(record.from) + " to " + at(record.to)
          + (run.seen < run.end ? ", and curves end soon after." : "."));
      if (record.issues_until !== undefined)
        say(plural(run.n, "instruction") + " of " + record.n_issues + " are kept: all before cycle "
          + at(record.issues_until) + "."
          + (many ? "" : " Another part of the run: --from and --to."));
      if (record.warps_until !== undefined)
        say("lives are kept of warps that start before cycle " + at(record.warps_until) + ".");
      if ([run.occupancy, ...run.flights].some((curve) => curve.width))
        say("curves are thinned: the least, the greatest and the mean of each "
          + at(record.occupancy.width || record.flights.find((curve) => curve.width).width)
          + " cycles or less.");
      if (!run.report.complete)
        say("the run was stopped before its end.");
      if (said.length > 0)
        byId("kept").append(make("div", {}, many ? make("b", {}, run.name + ": ") : "",
          said.join(" ")));
    }
}

function buildLegend ()
{
  const swatch = (colour, text, thin) => {
    const box = make("i", { class: "swatch" + (thin ? " thin" : "") });
    box.style.background = colour;
    return make("span", {}, box, text);
  };
  const pipelines = new Map();

  for (const run of runs)
    for (const p of run.used)
      pipelines.set(run.pipelines[p].name, run.pipelines[p].colour);
  const hasBarrier = runs.some((run) =>
    Object.values(run.record.instrs).some((instr) => instr.pipeline === undefined));
  const used = stalls.filter((stall) => runs.some((run) => run.report.stalls[stall.name] > 0)
    && stall.name !== "drain");
  byId("legend").replaceChildren(make("b", {}, "In a pipeline"),
    ...[...pipelines].map(([name, colour]) => swatch(colour, name)),
    ...(hasBarrier ? [swatch(barrierColour, "barrier")] : []),
    make("b", {}, "In execution, paler"),
    ...[...pipelines].map(([name, colour]) => swatch(tint(colour), name)),
    make("b", {}, "A warp waits"),
    ...used.map((stall) => swatch(waitColour(stall.name), stall.text, true)));
}

function buildReading ()
{
  const sentences = [
    "Each row of warps is a warp slot of the SM. Its background is a warp that is resident there: "
      + "blocks are dark and light in turn.",
    "An instruction's full colour is the time for which it keeps its pipeline from starting the "
      + "next one (issue latency); the paler rest is the time until its result is there "
      + "(completion latency). A thin line before it: it waits in the pipeline's queue.",
    "The thin line below is what the warp waits for before its next issue. From farther away that "
      + "is left out, and only what is in execution is drawn.",
    "Point at an instruction for its times and what it waited for; all times are exact.",
    ...(many ? ["The runs are one below the other on one time axis; \"Together\" puts the same "
      + "drawing of each together."] : []),
    "Little's law in the picture: the lines that a vertical cut crosses among the lives are the "
      + "occupancy there; their mean length is the latency of a warp, and how many end in a cycle "
      + "the throughput.",
  ];

  byId("reading").append(...sentences.map((sentence) => make("li", {}, sentence)));
}

function buildStalls ()
{
  const shares = make("div", { class: many ? "shares" : "shares alone" }),
    body = byId("stalls-body");

  for (const run of runs)
    {
      const sum = stalls.reduce((all, stall) => all + run.report.stalls[stall.name], 0);
      const stack = make("div", { class: "stack", role: "img", "aria-label": stalls.map((stall) =>
        stall.text + " " + percent(sum ? run.report.stalls[stall.name] / sum : 0)).join(", ") });
      for (const stall of stalls)
        {
          const share = sum ? run.report.stalls[stall.name] / sum : 0;
          const part = make("div",
            { class: isDark(waitColour(stall.name)) ? "light" : "", title: stall.text + ": "
            + percent(share) },
            share > 0.07 ? percent(share) : "");
          if (share === 0)
            continue;
          part.style.background = waitColour(stall.name);
          part.style.width = 100 * share + "%";
          stack.append(part);
        }
      shares.append(...(many ? [make("div", {}, run.name)] : []), stack);
    }
  body.replaceChildren(shares);
  const cell = (run, stall) => {
    const sum = stalls.reduce((all, one) => all + run.report.stalls[one.name], 0);
    return percent(sum ? run.report.stalls[stall.name] / sum : 0);
  };
  const rows = [];
  for (const stall of stalls)
    {
      const box = make("i", { class: "swatch" });
      box.style.background = waitColour(stall.name);
      rows.push([make("span", {}, box, " " + stall.text),
        ...runs.flatMap((run) => many ? [cell(run, stall)]
        : [cell(run, stall), String(run.report.stalls[stall.name])])]);
      const waited = new Set(stall.name === "dependency"
        ? runs.flatMap((run) =>
        run.report.pipelines.filter((one) => one.dependency > 0).map((one) => one.name)) : []);
      for (const name of waited)
        rows.push([make("span", { class: "muted" }, "\u2003\u2003of " + name),
          ...runs.flatMap((run) => {
          const cycles = run.report.pipelines.find((one) => one.name === name)?.dependency || 0;
          const sum = stalls.reduce((all, one) => all + run.report.stalls[one.name], 0);
          return many ? [percent(sum ? cycles / sum : 0)]
            : [percent(sum ? cycles / sum : 0), String(cycles)];
        })]);
    }
  body.append(makeTable(["",
    ...(many ? runs.map((run) => run.name) : ["share", "cycles of all warps"])], rows));
}
