/* SPDX-License-Identifier: MIT */
/* Computes the points of a run's curve: throughput at each occupancy, whatever the current one is.
 * A curve that takes too long for a slider's move is computed in slices, few warps first, so that
 * the page stays responsive. */

const curves = new Map();
const sliceTime = 35; // milliseconds
const pointLimits = { budget: 4000000, seconds: 1 }; // of four points
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

/* Computes four points at a time, until the slice is over. */
function extendCurve (curve, until)
{
  while (!isWhole(curve) && performance.now() < until)
    curve.points.push(...engine.curve(curve.machine,
      curve.plan.slice(curve.points.length, curve.points.length
      + 4), pointLimits));
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
