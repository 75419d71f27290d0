/* SPDX-License-Identifier: MIT */
/* The legend of colours and patterns, under the drawings. */

function makePlainSample (colour, isPale)
{
  const sample = make("span", { class: "swatch", "aria-hidden": "true" });
  sample.style.background = isPale ? tint(colour) : colour;
  return sample;
}

function drawLegend ()
{
  const lanes = new Map(app.runs.flatMap((run) =>
    run.lanes.map((lane) => [lane.name, lane.colour])));
  const waiting = stalls.filter(({ name }) => app.runs.some((run) => run.result.stalls[name] > 0));

  byId("legend").replaceChildren(
    make("div", { class: "legend" }, make("b", {}, "In execution:"),
      [...lanes].map(([name, colour]) =>
      make("span", {}, makePlainSample(colour), makePlainSample(colour, true),
        name + ": keeps the entry (\u03bb), "
        + "then until its result (\u039b)")),
      app.runs.some((run) => run.foreign.length) ? make("span", {}, makePlainSample(foreignColour),
        "of other multiprocessors, in what they share") : null),
    make("div", { class: "legend" }, make("b", {}, "A warp waits:"),
      waiting.map(({ name, text }) => make("span", {}, makeStallSample(name, 20, 13), text))));
}
