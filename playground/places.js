/* SPDX-License-Identifier: MIT */
/* Draws the multiprocessor at the clock's time: blocks that are waiting to be launched, resident
 * blocks with their warps, each warp in the colour and pattern of what it waits for, and blocks
 * that have ended. */

const gapBetween = 3;

/* Arranges the chips of a block's warps in boxes, and as many boxes on a line as fit. */
function layPlaces (run, width)
{
  const side = width < 560 ? 66 : 92, wide = run.machine.warps_per_block, room = width - 2 * side;
  const most = run.slots > 48 && width < 900 || run.slots > 128 ? 15 : run.slots > 32
    && width < 700 ? 20
    : run.slots > 16 || width < 560 ? 26 : 32;
  const fitting = Math.floor((room - 8) / wide) - gapBetween, size = fitting >= 18
    ? Math.min(most, fitting) : most;
  const perBox = Math.max(Math.min(wide, Math.floor((room - 8) / (size
    + gapBetween))), 1), rowsOfBox = Math.ceil(wide / perBox);
  const boxWide = Math.max(perBox * (size + gapBetween) + 5, wide === 1 ? size + 8 : 0),
    head = wide === 1 ? 0 : 14;
  const boxHigh = rowsOfBox * (size + gapBetween) + 5 + head,
    perLine = Math.max(Math.floor((room + 4) / (boxWide + 4)), 1);
  const lines = Math.ceil(run.places.length / perLine), used = Math.min(run.places.length, perLine);
  return { side, size, perBox, boxWide, boxHigh, head, perLine,
    left: side + Math.max((room - used * (boxWide + 4)) / 2, 0),
    height: lines * (boxHigh + 4) + 4 };
}

const placeOf = (laid, p) =>
  ({ x: laid.left + (p % laid.perLine) * (laid.boxWide + 4),
    y: 2 + Math.floor(p / laid.perLine) * (laid.boxHigh + 4) });

function drawPile (context, x, middle, wide, number, word)
{
  const high = 40;

  for (let k = Math.min(number, 3) - 1; k >= 0; k--)
    {
      roundedRect(context, x + 4 + k * 3, middle - high / 2 - k * 3 + 3, wide - 14, high - 6, 5);
      context.fillStyle = theme.panel;
      context.fill();
      context.strokeStyle = theme.line;
      context.stroke();
    }
  context.fillStyle = number ? theme.fg : theme.muted;
  setFont(context, 15, "600");
  centre(context, String(number), x + wide / 2 - 2, middle - 5, wide);
  context.fillStyle = theme.muted;
  setFont(context, wide < 70 ? 10.5 : 11.5);
  centre(context, word, x + wide / 2 - 2, middle + 9, wide + 20);
}

function drawChip (context, run, warp, x, y, size, t)
{
  const { kind, last } = stateOf(run, warp, t), isOver = t >= warp.end - slack,
    isPlain = kind === "none" || kind === "cut";

  roundedRect(context, x, y, size, size, 5);
  if (isOver)
    {
      context.strokeStyle = theme.line;
      context.stroke();
      return;
    }
  const p = kind === "issue" ? run.log.pipeline[last] : -1;
  context.fillStyle = kind === "issue" ? (p < 0 ? barrierColour : run.colours[p]) : isPlain
  ? theme.panel
    : patternOf(context, kind);
  context.fill();
  context.strokeStyle = theme.fg;
  context.lineWidth = warp.slot === app.slot ? 3 : kind === "issue" ? 2 : 0.5;
  context.stroke();
  context.lineWidth = 1;
  if (size < 24)
    return;
  const text = String(warp.number);
  setFont(context, text.length > 2 ? 10.5 : 12, "600");
  const half = context.measureText(text).width / 2 + 2.5;
  if (kind !== "issue" && !isPlain)
    {
      roundedRect(context, x + size / 2 - half, y + size / 2 - 7.5, 2 * half, 15, 4);
      context.fillStyle = theme.bg;
      context.fill();
    }
  context.fillStyle = kind === "issue" ? inkOn(p < 0 ? barrierColour : run.colours[p]) : theme.fg;
  centre(context, text, x + size / 2, y + size / 2, size + 4);
}

/* In play, a block slides in from the side of the waiting ones for a quarter of a second. */
function findSlide (block, t)
{
  const arrives = 0.25 * clock.speed;
  return clock.isPlaying && !stillMotion.matches && block.launch > 0 && t - block.launch < arrives
    ? 1 - (t - block.launch) / arrives : 0;
}

function drawPlace (context, run, laid, p, t)
{
  const { x, y } = placeOf(laid, p), list = run.places[p],
    i = after(list, t + slack, (block) => block.launch) - 1;
  const block = i >= 0 && t < list[i].end - slack ? list[i] : null;

  roundedRect(context, x + 0.5, y + 0.5, laid.boxWide - 1, laid.boxHigh - 1, 6);
  context.setLineDash(block ? [] : [4, 3]);
  context.strokeStyle = theme.line;
  context.stroke();
  context.setLineDash([]);
  if (!block)
    return;
  const slide = findSlide(block, t), shift = -slide * slide * 40;
  context.globalAlpha = 1 - slide;
  roundedRect(context, x + shift + 0.5, y + 0.5, laid.boxWide - 1, laid.boxHigh - 1, 6);
  context.fillStyle = theme["band-" + block.number % 2];
  context.fill();
  context.strokeStyle = theme.muted;
  context.stroke();
  if (laid.head)
    {
      context.fillStyle = theme.fg;
      setFont(context, 11.5);
      centre(context, "block " + block.number, x + shift + laid.boxWide / 2, y + 9,
        laid.boxWide - 2)
        || centre(context, String(block.number), x + shift + laid.boxWide / 2, y + 9, laid.boxWide);
    }
  block.warps.forEach((warp, w) =>
    drawChip(context, run, warp, x + shift + 4 + (w % laid.perBox) * (laid.size + gapBetween),
    y + laid.head + 4 + Math.floor(w / laid.perBox) * (laid.size + gapBetween), laid.size, t));
  context.globalAlpha = 1;
}

function drawPlaces (canvas, run)
{
  const laid = layPlaces(run, Math.max(canvas.clientWidth, 100)), t = Math.min(clock.at, run.end);
  const { context, width, height } = prepareCanvas(canvas, Math.max(laid.height, 48));
  const come = run.blocks.filter((block) => block.launch <= t + slack).length,
    done = run.blocks.filter((block) => block.end <= t + slack).length;

  canvas.drawn = laid;
  drawPile(context, 0, height / 2, laid.side - 8, run.total - come, "to come");
  drawPile(context, width - laid.side + 8, height / 2, laid.side - 8, done, "done");
  for (let p = 0; p < run.places.length; p++)
    drawPlace(context, run, laid, p, t);
}

/* Returns the slot whose warp is at X, Y of a canvas of places, or null. */
function findInPlaces (canvas, run, x, y)
{
  const laid = canvas.drawn;

  for (let p = 0; laid && p < run.places.length; p++)
    {
      const place = placeOf(laid, p), pitch = laid.size + gapBetween;
      const column = Math.floor((x - place.x - 3) / pitch),
        row = Math.floor((y - place.y - laid.head - 3) / pitch),
        w = row * laid.perBox + column;
      if (column >= 0 && column < laid.perBox && row >= 0 && w < run.machine.warps_per_block
        && x - place.x < laid.boxWide)
        return p * run.machine.warps_per_block + w < run.slots
          ? p * run.machine.warps_per_block + w : null;
    }
  return null;
}
