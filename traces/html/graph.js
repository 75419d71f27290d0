/* SPDX-License-Identifier: MIT */
/* Draws the kernel as rows, with arcs next to them for what waits for what. */

const ROW = 28;

/* Puts each arc into the nearest track in which no other arc comes within MARGIN rows of it: short
 * arcs first, and those from an instruction to itself outermost. */
function assignTracks (arcs, margin)
{
  const tracks = [];

  const reach = (arc) => arc.to === arc.from ? Infinity : Math.abs(arc.to - arc.from);

  for (const arc of [...arcs].sort((a, b) =>
    (reach(a) === reach(b) ? a.from - b.from : reach(a) - reach(b))))
    {
      const low = Math.min(arc.from, arc.to) - margin, high = Math.max(arc.from, arc.to) + margin;
      let k = tracks.findIndex((taken) => taken.every(([from, to]) => high <= from || low >= to));
      if (k < 0)
        k = tracks.push([]) - 1;
      tracks[k].push([low, high]);
      arc.track = k;
    }
  return tracks.length;
}

function drawProgram (run, program)
{
  const nodes = program.nodes, rowOf = [], depthOf = [], boxes = [], open = [],
    forth = [], back = [];
  let rows = 0;

  nodes.forEach((node, i) => {
    depthOf[i] = open.length;
    if (node.kind === "end")
      boxes.push({ ...open.pop(), to: rows - 1 });
    else
      {
        rowOf[i] = rows++;
        if (node.kind === "repeat")
          open.push({ from: rows - 1, depth: open.length, count: node.count });
      }
  });
  while (open.length > 0)
    boxes.push({ ...open.pop(), to: rows - 1 });
  nodes.forEach((node, i) => (node.after || []).forEach((one) => {
    if (rowOf[one.node] !== undefined)
      (one.carried ? back : forth).push({ from: rowOf[one.node], to: rowOf[i],
        cycles: one.cycles + (one.distance ? ", :" + one.distance : ""), critical: one.critical });
  }));
  for (const arc of findOtherEdges(run, program, nodes, rowOf))
    (arc.to <= arc.from ? back : forth).push(arc);

  const longestOf = (get) =>
    nodes.reduce((most, node) => Math.max(most, (get(node) || "").length), 0);
  const depth = Math.max(0, ...depthOf), textChars = Math.min(longestOf((node) => node.text), 40);
  const trackOf = (arcs) =>
    16 + 7 * arcs.reduce((most, arc) => Math.max(most, arc.cycles.length), 2);
  const trackBack = trackOf(back), trackForth = trackOf(forth);
  const gutter = 12 + assignTracks(back, 0.3) * trackBack, opAt = gutter + 36 + depth * 14;
  const textAt = opAt + Math.min(longestOf((node) =>
    node.op + (node.context ? " " + node.context : "")), 34) * 8 + 22;
  const costAt = textAt + textChars * 8 + (textChars ? 14 : 0), arcsAt = costAt + 132;
  const wide = arcsAt + assignTracks(forth, 0) * trackForth + 30, high = rows * ROW + 10;
  const svg = makeSvg("svg", { width: wide, height: high, viewBox: `0 0 ${wide} ${high}`,
    "font-size": 13, role: "img",
    "aria-label": "Instructions of the kernel with their dependences; "
      + nodes.filter((node) => node.critical).length + " are on the critical path" });
  const y = (row) => 4 + (row + 0.5) * ROW;

  for (const box of boxes.sort((a, b) => a.depth - b.depth))
    svg.append(makeSvg("rect", { x: gutter + 4 + box.depth * 14, y: 4 + box.from * ROW + 2,
      width: arcsAt - gutter - 10 - box.depth * 28, height: (box.to - box.from + 1) * ROW - 3
      - box.depth * 4,
      rx: 7, fill: theme["band-" + (box.depth % 2)], "fill-opacity": 0.6, stroke: theme.muted,
      "stroke-dasharray": "4 3" }));
  nodes.forEach((node, i) => node.kind !== "end"
    && drawNode(svg, run, node, y(rowOf[i]),
    { gutter, depth: depthOf[i], opAt, textAt, costAt, textChars }));
  for (const arc of [...back, ...forth].sort((a, b) => a.critical - b.critical))
    {
      const isBack = back.includes(arc), side = isBack ? -1 : 1, edge = isBack ? gutter : arcsAt;
      drawArc(svg, arc, y, side, edge,
        edge + side * (14 + arc.track * (isBack ? trackBack : trackForth)));
    }
  return svg;
}

/* Finds the edges of the critical path that are no dependences: consecutive instructions, and
 * barriers. */
function findOtherEdges (run, program, nodes, rowOf)
{
  const names = { ilp: "ILP", pair: "pair", barrier: "barrier" }, found = new Map(),
    rowOfNumber = [];
  const isOf = (step) => run.facts.graph.length === 1 || run.bounds.segments[step.segment].program
    === program.name;
  let before = null;
  const take = (step) => {
    const from = before === null ? undefined : rowOfNumber[before],
      to = rowOfNumber[step.instruction];
    before = isOf(step) ? step.instruction : null;
    if (names[step.edge] && from !== undefined && to !== undefined && before !== null)
      found.set(from + " " + to,
        { from, to, cycles: (step.cycles ? step.cycles + " " : "") + names[step.edge],
        critical: true, dotted: true });
  };
  const first = (steps) => steps[0].steps ? first(steps[0].steps) : steps[0];
  const walk = (steps) => steps.forEach((one) => {
    if (!one.steps)
      return take(one);
    walk(one.steps);
    take(first(one.steps));
  });

  nodes.forEach((node, i) => {
    if (node.number !== undefined)
      rowOfNumber[node.number] = rowOf[i];
  });
  walk(run.bounds.critical_path.steps);
  return found.values();
}

function drawNode (svg, run, node, y, place)
{
  const left = place.gutter + 10 + place.depth * 14, strong = node.critical ? 700 : 400;
  const text = (x, what, attributes) =>
    svg.append(makeSvg("text", { x, y: y + 4.5, ...attributes }, what));
  const short = (what, n) => what.length > n ? what.slice(0, n - 1) + "\u2026" : what;

  if (node.kind === "repeat")
    return text(left + 2, node.count + " \u00d7", { "font-weight": 600 });
  const isBarrier = node.kind === "barrier" || node.kind === "arrive";
  const colour = isBarrier ? barrierColour : node.pipeline !== undefined
    ? run.pipelines[node.pipeline].colour : theme.line;
  svg.append(makeSvg("rect", { x: place.opAt - 16, y: y - 7, width: 11, height: 14, rx: 2,
    fill: colour }));
  text(place.opAt - 22, node.number === undefined ? "" : String(node.number),
    { class: "muted", "text-anchor": "end" });
  text(place.opAt, short((isBarrier ? node.kind : node.op) + (node.context ? " " + node.context
    : ""), 34), { class: "mono", "font-weight": strong });
  if (node.text)
    {
      const element = makeSvg("text", { x: place.textAt, y: y + 4.5, class: "mono muted" },
        short(node.text, place.textChars));
      element.append(makeSvg("title", {}, node.text));
      svg.append(element);
    }
  if (node.completion !== undefined)
    text(place.costAt, "\u03bb " + node.issue + "  \u039b " + node.completion,
      { class: "muted", "font-size": 12 });
}

/* Draws an arc from the producer's row to the consumer's, by way of OUT. SIDE: 1 for the right, -1
 * for the left. */
function drawArc (svg, arc, y, side, edge, out)
{
  const from = y(arc.from) + 4, to = y(arc.to) - (arc.from === arc.to ? 5 : 4);
  const colour = arc.critical ? theme.accent : theme.muted, down = to > from ? 1 : -1,
    bend = Math.min(8, Math.abs(to - from) / 2);

  svg.append(makeSvg("path", { fill: "none", stroke: colour, "stroke-width": arc.critical ? 3 : 1.3,
    "stroke-dasharray": arc.dotted ? "2 3" : side < 0 ? "5 3" : null,
    d: `M${edge} ${from}H${out - side * bend}Q${out} ${from} ${out} ${from + down * bend}`
      + `V${to - down * bend}Q${out} ${to} ${out - side * bend} ${to}H${edge + side * 6}` }));
  svg.append(makeSvg("path", { fill: colour, d: `M${edge} ${to}l${side * 8} -4v8z` }));
  svg.append(makeSvg("text", { x: out + side * 5, y: (from + to) / 2 + 4, "text-anchor": side > 0
    ? "start" : "end", "font-size": 12, class: "halo", "font-weight": arc.critical && !arc.dotted
    ? 700 : 400 }, arc.cycles));
}

/* Lists the critical path in words. */
function listPath (run)
{
  const kinds = { start: "at its start", dependency: "the result before it", ilp: "ILP latency",
    pair: "in one issue with the one before it", barrier: "the barrier's release" };
  const list = (steps) => make("ol", { class: "path" }, steps.map((one) => one.steps
    ? make("li", {}, one.times + " times", list(one.steps))
    : make("li", {}, make("span", { class: "op" }, one.instruction + " " + one.op),
    " at " + one.time + " (" + kinds[one.edge] + (one.cycles ? ", " + one.cycles : "") + ")")));
  const path = run.bounds.critical_path;

  return make("details", {}, make("summary", {}, "The critical path, step by step"),
    list(path.steps),
    make("p", {}, "Then " + path.completion + " cycles to its completion"
      + (run.bounds.launch_latency ? ", and " + run.bounds.launch_latency
      + " for the launch of the next block." : ".")));
}

let graphs = [];

function buildGraph ()
{
  const body = byId("graph-body");

  graphs = [];
  body.replaceChildren();
  body.append(make("p", { class: "note" },
    "Instructions from top to bottom; an arc leads from one to another that waits for its result, "
    + "with the cycles until that is there. "
    + "Bold: the critical path, which is a warp's latency alone; dotted where it waits for no "
    + "result. Dashed, at the left: results of the round before; :2 is the second last one."));
  listNoBounds(body);
  for (const group of groupRuns())
    {
      const run = group[0];
      if (group.length < runs.length)
        body.append(make("h3", {}, group.map((one) => one.name).join(", ")));
      for (const program of run.facts.graph)
        {
          if (program.name)
            body.append(make("h3", {}, "Program " + program.name));
          body.append(make("div",
            { class: "graph", tabindex: 0, role: "group", "aria-label": "Graph of the kernel" },
            drawProgram(run, program)));
          if (program.n_nodes > program.nodes.length)
            body.append(make("p", { class: "note" }, "The first " + program.nodes.length + " of "
              + program.n_nodes + " lines; warpipe show has all."));
        }
      body.append(listPath(run));
    }
}
