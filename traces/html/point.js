/* SPDX-License-Identifier: MIT */
/* What is under the pointer or selected by keys, and navigation. */

// ---- What is under the pointer, or selected ----

let selected = null; // { run, issue }
let pointer = null; // { x, y } of the window, where it has moved since something was selected

function nameOf (run, id)
{
  const node = run.writtenOf(id), instr = run.record.instrs[id];
  return (node ? node.number + " " : "") + (instr ? instr.op : node ? node.op : "");
}

const cyclesOf = (run, ticks) => exact(ticks, run.perCycle) + (BigInt(ticks) === run.perCycle
  ? " cycle" : " cycles");

/* Returns rows [what, value] about instruction I. */
function describeIssue (run, i)
{
  const { N, record } = run, columns = record.issues, instr = record.instrs[run.instrOf[i]];
  const at = (ticks) => exact(ticks, run.perCycle), wait = run.wait[i], zero = N(0), rows = [];
  const isBarrier = instr.pipeline === undefined;

  rows.push([isBarrier ? "arrives at" : "issues at", at(run.time[i])]);
  if (wait.follows)
    rows.push(["", "in one issue with the instruction before it"]);
  else
    {
      const own = wait.ready - wait.from;
      const why = {
        barrier: "the release of the barrier",
        ilp: "its turn after its own last issue (ILP latency)",
        dependency: wait.producer === null ? "results of earlier instructions"
          : "the result of " + nameOf(run, run.instrOf[wait.producer]),
      }[wait.why];
      rows.push(["waited for", own > zero ? why + ", " + cyclesOf(run, own)
        : "nothing: ready at once"]);
      if (wait.accept > wait.ready)
        rows.push(["", "the pipeline, " + cyclesOf(run, wait.accept - wait.ready)]);
      if (run.time[i] > wait.accept)
        rows.push(["", "the scheduler's turn, " + cyclesOf(run, run.time[i] - wait.accept)]);
    }
  for (const producer of wait.producers)
    rows.push(["needs", nameOf(run, run.instrOf[producer.issue]) + ", there at "
      + at(producer.at)]);
  if (isBarrier)
    {
      rows.push(["released at", columns.release && columns.release[i] !== -1 ? at(run.complete[i])
        : "later than is known"]);
      return rows;
    }
  rows.push(["starts at", at(run.start[i]) + " in " + run.pipelines[instr.pipeline].name
    + (run.start[i] > run.time[i] ? ", queued for " + cyclesOf(run, run.start[i] - run.time[i])
    : "")]);
  rows.push(["takes it until", at(run.start[i] + keepsOf(run, i)) + " (\u03bb "
    + at(keepsOf(run, i)) + ")"]);
  let before = run.start[i];
  for (const stay of run.path.get(i) || [])
    {
      rows.push(["then " + run.pipelines[stay.pipeline].name, "from " + at(stay.from) + " until "
        + at(stay.to) + (stay.from > before ? ", after " + cyclesOf(run, stay.from - before)
        + " in its queue" : "")]);
      before = stay.from;
    }
  if (served(run, i) !== run.start[i])
    rows.push(["served at", at(served(run, i))]);
  rows.push(["complete at", instr.posted ? at(run.complete[i]) + " (posted: nobody waits for it)"
    : at(run.complete[i]) + " (\u039b " + at(instr.completion) + ")"]);
  return rows;
}

function describeWarp (run, warp)
{
  const at = (ticks) => exact(ticks, run.perCycle);
  const rows = [["starts at", at(warp.start)]];

  if (warp.end === null)
    rows.push(["ends", "after the run was stopped"]);
  else
    rows.push(["ends at", at(warp.end)], ["lives", cyclesOf(run, warp.end - warp.start)],
      ["issues", plural(warp.issued, "instruction")]);
  rows.push(["launched as", "warp " + warp.age + " of the SM"]);
  return rows;
}

const titleOf = (warp) => "warp " + warp.warp + " of block " + warp.block
  + (warp.slot >= 0 ? ", slot " + warp.slot : "");

/* Returns title, code and rows for THING. */
function describe (thing)
{
  const { run } = thing;

  if (thing.issue === undefined)
    return { title: titleOf(thing.warp), code: null, rows: describeWarp(run, thing.warp) };
  const node = run.writtenOf(run.instrOf[thing.issue]), warp = run.warps[run.warpOf[thing.issue]];
  return {
    title: titleOf(warp),
    code: nameOf(run, run.instrOf[thing.issue])
      + (node && node.context ? " (" + node.context + ")" : "")
      + (node && node.text ? "   " + node.text : ""),
    rows: describeIssue(run, thing.issue),
  };
}

/* Shows the tip for THING at X, Y of the window. */
function showTip (thing, x, y)
{
  const tip = byId("tip"), { title, code, rows } = describe(thing);

  markSource(thing);

  tip.replaceChildren(
    make("p", { class: "what" }, (many ? thing.run.name + ": " : "") + title),
    ...(code ? [make("p", {}, make("code", {}, code))] : []),
    make("table", {}, make("tbody", {},
      rows.map(([what, value]) => make("tr", {}, make("td", {}, what), make("td", {}, value))))));
  tip.hidden = false;
  const place = tip.getBoundingClientRect();
  tip.style.left = clamp(x + 16 + place.width > window.innerWidth ? x - place.width - 16 : x + 16,
    4, Math.max(window.innerWidth - place.width - 4, 4)) + "px";
  tip.style.top = clamp(y + 18 + place.height > window.innerHeight ? y - place.height - 12 : y + 18,
    4, Math.max(window.innerHeight - place.height - 4, 4)) + "px";
}

function hideTip ()
{
  markSource(selected);
  byId("tip").hidden = true;
}

function placeSelection ()
{
  if (!selected)
    return;
  const { run, issue } = selected, place = run.laneStrip.canvas.getBoundingClientRect();
  if (Math.max(run.xc[issue], run.xb[issue]) < view.from || run.xt[issue] > view.to)
    return hideTip();
  const row = run.warps[run.warpOf[issue]].lane;
  showTip(selected, place.left + clamp(toX(run.xt[issue]), left, width - right),
    place.top + (row + 1) * run.laneStrip.rowHeight);
}

function select (thing)
{
  const { run, issue } = thing, span = view.to - view.from;

  selected = thing;
  pointer = null;
  chosenRow = { run, lane: run.warps[run.warpOf[issue]].lane };
  if (run.xt[issue] < view.from || run.xt[issue] > view.to)
    show(run.xt[issue] - span / 2, run.xt[issue] + span / 2);
  drawSoon();
  const { title, code, rows } = describe(thing);
  markSource(thing);
  if (found.length > 0)
    sayFound(true);
  byId("spoken").textContent = [title, code, ...rows.map((row) => row.join(" "))].join("; ");
}

function unselect ()
{
  selected = null;
  hideTip();
  drawSoon();
}

/* Selects the first thing, a visible one if there is any. */
function selectFirst ()
{
  for (const run of runs)
    for (const lane of run.lanes)
      if (lane.issues.length > 0)
        {
          const k = Math.min(after(lane.issues, view.from - finest / 4, (i) => run.xt[i]),
            lane.issues.length - 1);
          return select({ run, issue: lane.issues[k] });
        }
}

function step (by)
{
  if (!selected)
    return selectFirst();
  const { run, issue } = selected, lane = run.lanes[run.warps[run.warpOf[issue]].lane];
  const next = lane.issues[lane.issues.indexOf(issue) + by];
  if (next !== undefined)
    select({ run, issue: next });
}

function stepLane (by)
{
  if (!selected)
    return selectFirst();
  const { run, issue } = selected;
  let number = run.warps[run.warpOf[issue]].lane + by, of = run;
  if (!of.lanes[number])
    {
      of = runs[run.number + by];
      number = by > 0 ? 0 : of ? of.lanes.length - 1 : 0;
    }
  const lane = of && of.lanes[number];
  if (!lane || lane.issues.length === 0)
    return;
  const k = clamp(after(lane.issues, run.xt[issue], (i) => of.xt[i]) - 1, 0,
    lane.issues.length - 1);
  select({ run: of, issue: lane.issues[k] });
}

// ---- Pointer and keys ----

function setUpPointer ()
{
  [byId("strips"), byId("pinned")].forEach(setUpPointerIn);
}

function setUpPointerIn (area)
{
  const marked = byId("marked");
  let drag = null;

  const find = (event) => strips.find((strip) => strip.canvas === event.target);
  const xOf = (event) => event.clientX - area.getBoundingClientRect().left;

  area.addEventListener("pointerdown", (event) => {
    const strip = find(event);
    if (!strip || event.button !== 0 || xOf(event) < left)
      return;
    pointer = null;
    drag = { x: xOf(event), from: view.from, to: view.to, marks: event.shiftKey, strip };
    strip.canvas.setPointerCapture(event.pointerId);
    if (!drag.marks)
      strip.element.classList.add("panning");
  });
  area.addEventListener("pointermove", (event) => {
    const x = xOf(event);
    if (drag && drag.marks)
      {
        marked.hidden = false;
        marked.style.left = Math.min(x, drag.x) + "px";
        marked.style.width = Math.abs(x - drag.x) + "px";
        return;
      }
    if (drag)
      {
        const by = (drag.x - x) / (width - left - right) * (drag.to - drag.from);
        show(drag.from + by, drag.to + by);
        hideTip();
        return;
      }
    pointer = { x: event.clientX, y: event.clientY };
    hover(find(event), x, event);
  });
  const drop = (event) => {
    if (drag && drag.marks && Math.abs(xOf(event) - drag.x) > 3)
      show(toTime(Math.min(xOf(event), drag.x)), toTime(Math.max(xOf(event), drag.x)));
    const isTap = drag && event.type === "pointerup" && event.pointerType !== "mouse"
      && Math.abs(xOf(event) - drag.x) <= 6;
    if (drag)
      drag.strip.element.classList.remove("panning");
    drag = null;
    marked.hidden = true;
    if (isTap)
      {
        pointer = { x: event.clientX, y: event.clientY };
        hover(find(event), xOf(event), event);
      }
  };
  area.addEventListener("pointerup", drop);
  area.addEventListener("pointercancel", drop);
  area.addEventListener("pointerleave", (event) => {
    if (event.pointerType === "touch")
      return; // a finger that is lifted leaves what it has pointed at
    pointer = null;
    readAt(null);
    if (!selected)
      hideTip();
  });
  area.addEventListener("dblclick", (event) => {
    if (find(event))
      zoom(event.shiftKey ? 3 : 1 / 3, toTime(xOf(event)));
  });
  area.addEventListener("wheel", (event) => {
    if (event.ctrlKey || event.metaKey)
      {
        event.preventDefault();
        zoom(Math.exp(clamp(event.deltaY, -100, 100) / 200), toTime(Math.max(xOf(event), left)));
      }
    else if (Math.abs(event.deltaX) > Math.abs(event.deltaY))
      {
        event.preventDefault();
        move(event.deltaX / width);
      }
  }, { passive: false });
}

/* Shows what the curves have at X, or nothing for null. */
function readAt (x)
{
  const cross = byId("cross");

  cross.hidden = x === null;
  cross.style.left = x + "px";
  for (const one of strips)
    if (one.kind === "occupancy" || one.kind === "flight")
      one.output.textContent = x === null ? "" : one.hover(toTime(x)).value;
}

/* Says again, after the view has changed, what is under the pointer where it rests, or at the
 * instruction that was selected by keys. */
function readAgain ()
{
  if (pointer !== null)
    {
      const under = document.elementFromPoint(pointer.x, pointer.y);
      hover(strips.find((strip) => strip.canvas === under),
        pointer.x - byId("strips").getBoundingClientRect().left,
        { clientX: pointer.x, clientY: pointer.y });
      return;
    }
  const x = selected ? toX(selected.run.xt[selected.issue]) : null;
  readAt(x !== null && x >= left && x <= width - right ? x : null);
}

function hover (strip, x, event)
{
  const time = toTime(x), inside = x >= left && x <= width - right;

  readAt(inside ? x : null);
  if (!strip || !inside)
    return selected ? undefined : hideTip();
  const there = strip.hover(time, event.clientY - strip.canvas.getBoundingClientRect().top);
  if (there && there.run)
    showTip(there, event.clientX, event.clientY);
  else if (!selected)
    hideTip();
}

function setUpKeys ()
{
  const scale = (factor) => {
    const at = selected ? selected.run.xt[selected.issue] : null;
    zoom(factor, at !== null && at >= view.from && at <= view.to ? at : undefined);
  };
  const keys = {
    ArrowLeft: () => move(-0.15), ArrowRight: () => move(0.15), "+": () => scale(0.5), "=": () =>
      scale(0.5), "-": () => scale(2),
    "0": () => show(0, total), Home: () => show(0, view.to - view.from), End: () =>
      show(total - view.to + view.from, total),
    n: () => step(1), p: () => step(-1), ArrowDown: () => stepLane(1), ArrowUp: () => stepLane(-1),
    Enter: () => selected && show(...around(selected)),
    Escape: unselect, "/": () => byId("search").focus(), k: pinChosen,
  };

  byId("strips").addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key])
      return;
    event.preventDefault();
    keys[event.key]();
  });
  byId("strips").addEventListener("blur", () => selected && unselect());
  byId("earlier").onclick = () => move(-0.4);
  byId("later").onclick = () => move(0.4);
  byId("closer").onclick = () => zoom(0.5);
  byId("farther").onclick = () => zoom(2);
  byId("whole").onclick = () => show(0, total);
  byId("together").hidden = !many;
  byId("together").onclick = () =>
    arrange(byId("together").getAttribute("aria-pressed") !== "true");
}

/* Returns the time from the start of its wait to its end, with some margin. */
function around ({ run, issue })
{
  const wait = run.wait[issue];
  const from = run.x(wait.from), to = Math.max(run.xc[issue], run.xb[issue]);
  const margin = Math.max((to - from) * 0.15, finest);
  return [from - margin, to + margin];
}

function setUpOverview ()
{
  const overview = byId("overview");
  let isDown = false;
  const go = (event) => {
    const share = (event.clientX - overview.getBoundingClientRect().left - left)
      / (width - left - right);
    const half = (view.to - view.from) / 2;
    show(share * total - half, share * total + half);
  };

  overview.addEventListener("pointerdown", (event) => {
    isDown = true;
    overview.setPointerCapture(event.pointerId);
    go(event);
  });
  overview.addEventListener("pointermove", (event) => isDown && go(event));
  overview.addEventListener("pointerup", () => isDown = false);
}
