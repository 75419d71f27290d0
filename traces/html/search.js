/* SPDX-License-Identifier: MIT */
/* Looks for instructions by op, text, warp, block, slot or source line: marks them in the rows of
 * warps, and goes from one to the next. */

/* The source line of an instruction as written, { file, line }, or null: its text begins with
 * "file:line: ". */
function lineOf (node)
{
  const parts = /^([^ :]+):([1-9][0-9]*): /.exec(node?.text || "");
  return parts && { file: parts[1].replace(/.*\//, ""), line: Number(parts[2]) };
}

/* Returns what QUERY asks for: [{ kind, value }], of which all must hold. */
function parseQuery (query)
{
  const words = query.trim().toLowerCase().split(/\s+/).filter((word) => word), wanted = [];

  for (let i = 0; i < words.length; i++)
    {
      const whole = /^(warp|block|slot|line)[:=]?([0-9]+)$/.exec(words[i]);
      const named = /^(warp|block|slot|line)$/.test(words[i])
        && /^[0-9]+$/.test(words[i + 1] || "");
      const place = /^([^:]+):([0-9]+)$/.exec(words[i]), number = /^#([0-9]+)$/.exec(words[i]);
      if (whole)
        wanted.push({ kind: whole[1], value: Number(whole[2]) });
      else if (named)
        wanted.push({ kind: words[i], value: Number(words[++i]) });
      else if (number)
        wanted.push({ kind: "number", value: Number(number[1]) });
      else if (place)
        wanted.push({ kind: "place", file: place[1], value: Number(place[2]) });
      else
        wanted.push({ kind: "text", value: words[i] });
    }
  return wanted;
}

/* Tells whether the instruction of that id is what one part of a query asks for, of a kind that
 * says nothing of warps. */
function isInstr (run, id, { kind, file, value })
{
  const node = run.writtenOf(id), line = lineOf(node);

  if (kind === "number")
    return node !== undefined && node.number === value;
  if (kind === "line")
    return line !== null && line.line === value;
  if (kind === "place")
    return line !== null && line.line === value && line.file.toLowerCase().endsWith(file);
  return [run.record.instrs[id].op, node?.context, node?.text].some((text) =>
    text?.toLowerCase().includes(value));
}

/* Finds what QUERY asks for in RUN: the numbers of issues, in order. */
function findIssues (run, wanted)
{
  const ofWarps = wanted.filter((one) => ["warp", "block", "slot"].includes(one.kind));
  const ofInstrs = wanted.filter((one) => !ofWarps.includes(one));
  const warps = run.warps.map((warp) => ofWarps.every((one) => warp[one.kind] === one.value));
  const instrs = new Map(Object.keys(run.record.instrs).map((id) =>
    [Number(id), ofInstrs.every((one) => isInstr(run, Number(id), one))]));
  const issues = [];

  for (let i = 0; i < run.n; i++)
    if (warps[run.warpOf[i]] && instrs.get(run.instrOf[i]) && run.warps[run.warpOf[i]].lane >= 0)
      issues.push(i);
  return issues;
}

let found = []; // [{ run, issue }], by run, then by time

function search (query)
{
  const wanted = parseQuery(query);

  found = [];
  for (const run of runs)
    {
      const issues = wanted.length > 0 ? findIssues(run, wanted) : [];
      run.isFound = new Set(issues);
      found.push(...issues.map((issue) => ({ run, issue })));
    }
  sayFound(wanted.length > 0);
  drawSoon();
}

function sayFound (isAsked)
{
  const at = selected ? found.findIndex((one) => one.run === selected.run
    && one.issue === selected.issue) : -1;

  byId("found").textContent = !isAsked ? "" : found.length === 0 ? "nothing found"
    : (at >= 0 ? at + 1 + " of " : "") + plural(found.length, "instruction");
}

/* Goes to the next thing that was found, or back: the first is the first in view. */
function goFound (by)
{
  if (found.length === 0)
    return;
  let at = selected ? found.findIndex((one) => one.run === selected.run
    && one.issue === selected.issue) : -1;
  if (at >= 0)
    at = (at + by + found.length) % found.length;
  else
    at = Math.max(found.findIndex(({ run, issue }) => run.xt[issue] >= view.from), 0);
  select(found[at]);
}

/* Draws a line above what was found in a row. */
function drawFound (context, run, lane, y)
{
  let last = -1;

  if (!run.isFound || run.isFound.size === 0)
    return;
  context.fillStyle = theme.fg;
  for (let k = findFirst(lane.issues, run.xt, lane.reach);
    k < lane.issues.length && run.xt[lane.issues[k]] <= view.to; k++)
    {
      const i = lane.issues[k];
      if (!run.isFound.has(i))
        continue;
      const x0 = toX(run.xt[i]), x1 = Math.max(toX(Math.max(run.xc[i], run.xb[i])), x0 + 2);
      if (x1 < last + 0.5)
        continue;
      context.fillRect(x0, y, x1 - x0, 2);
      last = x1;
    }
}

function setUpSearch ()
{
  const box = byId("search");

  box.addEventListener("input", () => search(box.value));
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter")
      goFound(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape")
      {
        box.value = "";
        search("");
        unselect();
      }
    else
      return;
    event.preventDefault();
  });
  byId("back").onclick = () => goFound(-1);
  byId("next").onclick = () => goFound(1);
}

/* Asks for QUERY as if it had been typed, and goes there. */
function searchFor (query)
{
  byId("search").value = query;
  search(query);
  goFound(1);
}
