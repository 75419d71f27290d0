/* SPDX-License-Identifier: MIT */
/* Rows of warps that are pinned: drawn once more, larger, below the axis, where they stay in sight
 * while the page scrolls. */

const PINNED_HEIGHT = 26;
let chosenRow = null; // { run, lane }: of what was selected last

/* Pins a row, or no longer. */
function togglePin (run, number)
{
  const at = run.pinned.indexOf(number);

  if (!run.lanes[number])
    return;
  if (at >= 0)
    run.pinned.splice(at, 1);
  else
    run.pinned.push(number);
  run.pinned.sort((a, b) => a - b);
  run.pinStrip.element.hidden = run.pinned.length === 0;
  byId("spoken").textContent = "slot " + run.lanes[number].slot + (at >= 0 ? " is no longer pinned"
    : " is pinned");
  drawSoon();
}

function pinChosen ()
{
  if (chosenRow)
    togglePin(chosenRow.run, chosenRow.lane);
}

function addPinned (run)
{
  run.pinned = [];
  run.pinStrip = addStrip(run, (many ? run.name + ": " : "") + "Pinned warps, by slot", "pinned",
    () => Math.max(run.pinned.length, 1) * PINNED_HEIGHT, (context, all) => {
    labelRows(context, run.pinned.map((number) => run.lanes[number]), PINNED_HEIGHT, (lane) =>
      "slot " + lane.slot);
    clip(context, all);
    run.pinned.forEach((number, k) => drawLane(context, run, run.lanes[number], k * PINNED_HEIGHT,
      PINNED_HEIGHT, isNear(run)));
    hatchRest(context, run, run.issuesUntil, all, "instructions");
    context.restore();
  }, (time, y) => hoverLane(run, run.pinned[Math.floor(y / PINNED_HEIGHT)], time));
  run.pinStrip.element.hidden = true;
  byId("pinned").append(run.pinStrip.element);
}

/* Pins by a click at the number of a row, in either drawing. */
function setUpPins ()
{
  for (const area of [byId("strips"), byId("pinned")])
    area.addEventListener("click", (event) => {
      const strip = strips.find((one) => one.canvas === event.target);
      const place = event.target.getBoundingClientRect();
      if (!strip || event.clientX - place.left >= left)
        return;
      const y = event.clientY - place.top;
      if (strip.kind === "lanes")
        togglePin(strip.run, Math.floor(y / strip.rowHeight));
      else if (strip.kind === "pinned")
        togglePin(strip.run, strip.run.pinned[Math.floor(y / PINNED_HEIGHT)]);
    });
  byId("pin").onclick = pinChosen;
}
