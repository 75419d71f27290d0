/* SPDX-License-Identifier: MIT */
/* The drawings of each machine, one or two side by side, and the buttons that move the clock. */

const kinds = [
  { kind: "places", draw: drawPlaces, name: "Blocks and warps on the multiprocessor" },
  { kind: "lanes", draw: drawLanes, name: "Instructions in the pipelines" },
  { kind: "rows", draw: drawRows, name: "Warps over time" },
];

function sayDifference (settings, key)
{
  const { kind, label } = fieldsOf(settings)[key];

  if (kind === "switch")
    return (settings[key] ? "" : "no ") + label.replace(/^A /, "");
  return kind === "choice" ? writeValue(key, settings[key]) : label.charAt(0).toLowerCase()
    + label.slice(1) + ": "
    + settings[key];
}

/* Returns the name of a machine; if there are two of a kind, it says how they differ. */
function nameSide (k)
{
  const settings = app.sides[k], other = app.sides[1 - k];
  const title = isTeaching(settings) ? "" : findSource(settings.kernel).title;

  if (!other || other.kernel !== settings.kernel)
    return title || (other ? "teaching kernel" : "");
  const differing = Object.keys(fieldsOf(settings)).filter((key) => settings[key] !== other[key]);
  return differing.slice(0, 3).map((key) => sayDifference(settings, key)).join("; ") || title
    || "the same";
}

function buildSide (k)
{
  const canvases = kinds.map(({ kind, name }) => make("canvas",
    { class: kind, "data-kind": kind, "data-side": k, role: "img", "aria-label": name }));

  return make("div", { class: "machine", tabindex: "0", role: "group", "data-side": k,
    "aria-describedby": "keys" },
    make("h3", {}, make("b", { class: "side" }, "AB"[k]), make("span", { class: "differs" })),
    ...canvases);
}

/* Returns the pipelines that several SMs share and that something passes. */
const sharedOf = (run) => run.machine.pipelines.filter((pipeline, p) => pipeline.shared > 1
  && run.result.pipelines[p].instructions > 0);

/* Says how many SMs are simulated, and which is drawn. */
function sayMultiprocessors (run)
{
  const { sms, simulated_sms: simulated } = run.machine, shared = sharedOf(run);
  const why = shared.map(({ name, shared: k }) => k + " share " + name);
  const some = simulated === 1 ? "One multiprocessor" : simulated + " multiprocessors";

  if (!shared.length)
    return "Of several multiprocessors the first is drawn; the figures are of all.";
  return some + " of " + sms + (simulated === 1 ? " is" : " are") + " simulated (" + why.join(", ")
    + ")" + (simulated === 1 ? ", with its part of it."
    : "; the first is drawn, the figures are of all.");
}

/* Says which part of the runs is not drawn, or not even simulated. */
function sayKept ()
{
  const says = [], seen = Math.min(...app.runs.map((run) => run.seen));

  if (app.runs.some((run) => !run.result.complete))
    says.push("Too long a run for a page: it was cut, and the figures are of the part done.");
  if (seen < Infinity)
    says.push("Drawn are the first " + tidy(seen) + " cycles.");
  app.runs.filter((run) => run.machine.simulated_sms > 1 || sharedOf(run).length)
    .forEach((run, k, list) => {
      if (!k || sayMultiprocessors(run) !== sayMultiprocessors(list[0]))
        says.push(sayMultiprocessors(run));
    });
  for (const { machine } of app.sides.map((side) => ({ machine: machineOf(side.kernel) })))
    if (machine && findDrawnPlaces(machine) < findPlaces(machine))
      says.push("The file has room for " + findPlaces(machine) * machine.warps_per_block
        + " warps at a time; here it is "
        + findDrawnPlaces(machine) * machine.warps_per_block + ".");
  return says.join(" ");
}

function buildStage ()
{
  const element = byId("machines"), n = app.runs.length;

  if (element.children.length !== n)
    {
      element.replaceChildren(...app.runs.map((_, k) => buildSide(k)));
      element.classList.toggle("two", n > 1);
      [...element.children].forEach(setUpPointer);
    }
  [...element.children].forEach((machine, k) => {
    const name = nameSide(k);
    machine.querySelector("h3").hidden = n === 1 && !name;
    machine.querySelector(".side").hidden = n === 1;
    machine.querySelector(".differs").textContent = name;
    machine.setAttribute("aria-label", (n > 1 ? "Machine " + "AB"[k] : "Machine")
      + (name ? ", " + name : ""));
  });
  byId("kept").textContent = sayKept();
}

function drawStage ()
{
  for (const machine of byId("machines").children)
    {
      const run = app.runs[machine.dataset.side];
      if (run)
        kinds.forEach(({ kind, draw }) => draw(machine.querySelector("canvas." + kind), run));
    }
}

// ---- Buttons ----

function drawTransport ()
{
  const button = byId("play");

  button.textContent = clock.isPlaying ? "\u275a\u275a Pause" : "\u25b6 Play";
  byId("clock").textContent = "cycle " + tidy(clock.isPlaying ? Math.floor(clock.at * 10) / 10
    : clock.at) + " of "
    + tidy(clock.end);
  byId("scrub").value = Math.round(clock.at / clock.end * 1000);
  byId("scrub").setAttribute("aria-valuetext", "cycle " + tidy(clock.at));
  byId("speed").value = String(clock.speed);
  byId("back").disabled = byId("first").disabled = clock.at <= 0;
  byId("next").disabled = clock.at >= clock.end;
}

function setUpTransport ()
{
  byId("speed").append(...speeds.map((speed) => make("option", { value: speed },
    speed < 1 ? "a cycle in 2 s" : plural(speed, "cycle") + " a second")));
  byId("play").onclick = toggle;
  byId("first").onclick = () => {
    pause();
    seek(0);
  };
  byId("back").onclick = () => stepAndSay(-1);
  byId("next").onclick = () => stepAndSay(1);
  byId("closer").onclick = () => zoom(0.5);
  byId("farther").onclick = () => zoom(2);
  byId("scrub").addEventListener("input", () => {
    pause();
    seek(byId("scrub").value / 1000 * clock.end);
  });
  byId("speed").addEventListener("change", () => {
    clock.speed = Number(byId("speed").value);
    clock.isOwnSpeed = true;
  });
}
