/* SPDX-License-Identifier: MIT */
/* The run by source line, with the source beside it where it could be read. The section is there
 * only if some run has lines. */

/* Returns the cell of a share, with a bar behind it. */
function makeShare (share)
{
  const cell = make("span", { class: "share" }, share > 0 ? percent(share) : "");

  if (share > 0)
    cell.style.background = "linear-gradient(to right, var(--band-1) " + 100 * share
      + "%, transparent " + 100 * share + "%)";
  return cell;
}

function sum (values)
{
  return values.reduce((all, value) => all + value, 0);
}

/* Returns what a line waits for, the most first: "wait 80%, barrier 20%". */
function listCauses (line)
{
  const all = sum(Object.values(line.stalls));

  return Object.entries(line.stalls).filter(([, cycles]) => cycles >= 0.1 * all && cycles > 0)
    .sort((a, b) => b[1] - a[1]).map(([name, cycles]) => name + " " + percent(cycles / all))
    .join(", ");
}

function hits (asked, missed)
{
  return asked > 0 ? percent(1 - Math.min(missed, asked) / asked) : "";
}

/* Returns the cells of what the accesses of a line came to. */
function makeAccesses (line)
{
  return [
    line.accesses > 0 ? ratio(line.sectors / line.accesses) : "",
    hits(line.sectors, line.l1_missed_sectors), hits(line.l1_missed_sectors,
      line.l2_missed_sectors),
    line.accesses > 0 ? String(32 * line.l2_missed_sectors) : "",
    line.shared_accesses > 0 ? String(line.conflicts) : "",
  ];
}

/* Returns the rows of one file: each line that has instructions, and those between where the source
 * is known. */
function makeRows (run, file, all)
{
  const lines = run.report.by_line.filter((line) => line.file === file), rows = [];
  const source = run.facts.sources?.find((one) => one.file === file);
  const code = (text) => make("code", {}, text);
  const counted = lines.some((line) => line.accesses !== undefined);
  let next = source ? source.first : 0;
  const add = (until) => {
    for (; source && next < until && next < source.first + source.lines.length; next++)
      rows.push([String(next), code(source.lines[next - source.first]), "", "", "", "",
        ...(counted ? ["", "", "", "", ""] : [])]);
  };

  for (const line of lines)
    {
      add(line.line);
      rows.push([String(line.line),
        code(source ? source.lines[line.line - source.first] : line.source || ""),
        String(line.instructions), makeShare(line.slots / all.slots),
        makeShare(all.waits ? sum(Object.values(line.stalls)) / all.waits : 0), listCauses(line),
        ...(counted ? makeAccesses(line) : [])]);
      next = line.line + 1;
    }
  add(Infinity);
  return rows;
}

function buildLines ()
{
  const section = make("section", { id: "lines", "aria-labelledby": "lines-title" },
    make("h2", { id: "lines-title" }, "By source line"));

  if (!runs.some((run) => run.report.by_line?.length))
    return;
  for (const run of runs.filter((one) => one.report.by_line?.length))
    {
      const lines = run.report.by_line;
      const all = { slots: sum(lines.map((line) => line.slots)),
        waits: sum(lines.map((line) => sum(Object.values(line.stalls)))) };
      for (const file of new Set(lines.map((line) => line.file)))
        {
          const table = makeTable(["line", file, "instructions", "issue slots", "waits",
            "mostly for", ...(lines.some((line) => line.accesses !== undefined)
            ? ["sectors an access", "L1 hits", "L2 hits", "bytes of memory", "bank conflicts"]
            : [])], makeRows(run, file, all));
          table.classList.add("source");
          section.append(...(many ? [make("h3", {}, run.name)] : []), table);
        }
    }
  section.append(make("p", { class: "note" }, "Waits are of warps whose next instruction is of the "
    + "line, by the names of Nsight Compute. Accesses were counted while the kernel was "
    + "executed."));
  byId("bounds").before(section);
}
