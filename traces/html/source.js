/* SPDX-License-Identifier: MIT */
/* The source beside the time line: its lines where these are known, or else the instructions as
 * written where they have text. What is pointed at, or selected, is marked in it; a line that is
 * chosen is looked for. */

const sourceRows = new Map(); // by "file:line", or "#number": the element of a row
let sourceAt = null;          // the row that is marked
let sourceNext = 0;           // the row that keys are at

/* Returns [{ key, label, text }] of files whose source could be read. */
function listSource (run)
{
  return (run.facts.sources || []).flatMap((source) => source.lines.map((text, i) => ({
    key: source.file + ":" + (source.first + i), label: String(source.first + i), text,
  })));
}

/* The same of instructions with text. */
function listInstructions (run)
{
  const nodes = run.facts.graph.flatMap((program) => program.nodes).filter((node) =>
    node.number !== undefined);

  return nodes.some((node) => node.text) && run.facts.graph.length === 1 ? nodes.map((node) => ({
    key: "#" + node.number, label: String(node.number), text: node.text || node.op,
  })) : [];
}

function buildSource ()
{
  const run = runs.find((one) => listSource(one).length > 0), rows = run ? listSource(run)
    : listInstructions(runs[0]);
  const list = byId("source-lines");

  if (rows.length === 0)
    return;
  byId("source-title").textContent = run ? "Source" : "Instructions";
  rows.forEach(({ key, label, text }, i) => {
    const row = make("li", { id: "source-" + i, role: "option", "aria-selected": "false",
      "data-key": key }, make("b", {}, label), make("code", {}, text));
    sourceRows.set(key, row);
    row.onclick = () => chooseSource(i);
    list.append(row);
  });
  list.addEventListener("keydown", (event) => {
    const next = { ArrowDown: sourceNext + 1, ArrowUp: sourceNext - 1, Home: 0,
      End: rows.length - 1 }[event.key];
    if (event.key === "Enter")
      chooseSource(sourceNext);
    else if (next === undefined)
      return;
    else
      moveSource(clamp(next, 0, rows.length - 1));
    event.preventDefault();
  });
  moveSource(0);
  byId("source").hidden = false;
  byId("beside").classList.add("has-source");
}

function moveSource (i)
{
  const list = byId("source-lines");

  list.children[sourceNext].classList.remove("next");
  sourceNext = i;
  list.children[i].classList.add("next");
  list.setAttribute("aria-activedescendant", "source-" + i);
  reveal(list, list.children[i]);
}

function chooseSource (i)
{
  moveSource(i);
  searchFor(byId("source-lines").children[i].dataset.key);
}

/* Scrolls LIST, and not the page, so that ROW is seen. */
function reveal (list, row)
{
  const top = row.offsetTop - list.offsetTop;

  if (top < list.scrollTop || top + row.offsetHeight > list.scrollTop + list.clientHeight)
    list.scrollTop = top - list.clientHeight / 3;
}

/* Marks the row of THING, if it is an instruction that has one; null: none. */
function markSource (thing)
{
  const node = thing?.issue !== undefined ? thing.run.writtenOf(thing.run.instrOf[thing.issue])
    : undefined;
  const line = lineOf(node);
  const row = node && (sourceRows.get(line ? line.file + ":" + line.line : "")
    || sourceRows.get("#" + node.number));

  if (row === sourceAt)
    return;
  sourceAt?.classList.remove("at");
  sourceAt?.setAttribute("aria-selected", "false");
  sourceAt = row || null;
  if (!row)
    return;
  row.classList.add("at");
  row.setAttribute("aria-selected", "true");
  reveal(byId("source-lines"), row);
}
