/* SPDX-License-Identifier: MIT */
/* Computes the points of a run's curve: throughput at each occupancy, whatever the current one is.
 * A curve that takes too long for a slider's move is computed in slices, few warps first, so that
 * the page stays responsive. */

const curves = new Map();
const sliceTime = 35; // milliseconds
const pointLimits = { budget: 1000000, seconds: 0.25 };
let sliceTimer = 0;

const keyOf = (settings) => JSON.stringify({ ...settings, warps: 0 });

/* Returns {plan, points}, which is complete when both have the same length. */
function findCurve (settings, machine)
{
  const key = keyOf(settings);

  if (!curves.has(key))
    {
      if (curves.size > 200)
        curves.clear();
      const plan = isTeaching(settings) ? planCurve(settings)
        : planMachineCurve(machineOf(settings.kernel));
      curves.set(key, { machine, plan, points: [], wide: machine.warps_per_block });
    }
  return curves.get(key);
}

const isWhole = (curve) => curve.points.length === curve.plan.length;
const rightOf = (curve) => curve.plan.at(-1).residentBlocks * curve.wide;

/* Computes points, until the slice is over: four at a time, or one if they take long. */
function extendCurve (curve, until)
{
  let from = performance.now();

  while (!isWhole(curve) && from < until)
    {
      const n = curve.isSlow ? 1 : 4;
      curve.points.push(...engine.curve(curve.machine,
        curve.plan.slice(curve.points.length, curve.points.length + n),
        { budget: n * pointLimits.budget, seconds: n * pointLimits.seconds }));
      const now = performance.now();
      curve.isSlow = now - from > n * sliceTime / 8;
      from = now;
    }
}

/* Computes some missing points of the runs' curves; the rest follows after the next frame. */
function extendCurves ()
{
  const until = performance.now() + sliceTime;

  clearTimeout(sliceTimer);
  app.runs.forEach((run) => extendCurve(run.curve, until));
  if (!app.runs.every((run) => isWhole(run.curve)))
    sliceTimer = setTimeout(() => {
      extendCurves();
      drawCurve();
    }, 0);
}
