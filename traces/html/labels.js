/* SPDX-License-Identifier: MIT */
/* Labels of a chart: each where it crosses no line and no other label, or else in the key below. */

/* Returns how wide TEXT is in a chart. */
const measureText = (() => {
  const context = document.createElement("canvas").getContext("2d");
  return (text, isBold) => {
    context.font = (isBold ? "600 " : "")
      + "13px system-ui, 'Liberation Sans', 'DejaVu Sans', sans-serif";
    return context.measureText(text).width;
  };
})();

/* Tells whether the line from A to B has a point in BOX (Liang and Barsky's clipping). */
function crossesBox ([ax, ay], [bx, by], box)
{
  let from = 0, to = 1;
  const sides = [[ax - bx, ax - box.left], [bx - ax, box.right - ax], [ay - by, ay - box.top],
    [by - ay, box.bottom - ay]];

  for (const [p, q] of sides)
    {
      if (p === 0 && q < 0)
        return false;
      if (p < 0)
        from = Math.max(from, q / p);
      else if (p > 0)
        to = Math.min(to, q / p);
    }
  return from <= to;
}

/* Turns a point by ANGLE degrees about (X, Y). */
function turn ([px, py], x, y, angle)
{
  const a = angle * Math.PI / 180, c = Math.cos(a), s = Math.sin(a);
  return [x + (px - x) * c - (py - y) * s, y + (px - x) * s + (py - y) * c];
}

/* Returns the box of a text of that WIDTH at PLACE, as if it were not turned. */
function boxOf ({ x, y, anchor }, width)
{
  const left = x - (anchor === "end" ? width : anchor === "middle" ? width / 2 : 0);
  return { left: left - 2, right: left + width + 2, top: y - 11, bottom: y + 4 };
}

/* Puts TEXT at the first of PLACES ({ x, y, anchor, angle }) where it is within AREA and crosses
 * none of LINES (lists of points), and adds its edges to them. Returns its element, or null where
 * there is no room. */
function placeLabel (text, places, lines, area, isBold)
{
  const width = measureText(text, isBold);

  for (const place of places)
    {
      const { x, y, anchor, angle = 0 } = place, box = boxOf(place, width);
      const corners = [[box.left, box.top], [box.right, box.top], [box.right, box.bottom],
        [box.left, box.bottom], [box.left, box.top]].map((at) => turn(at, x, y, angle));
      const isInside = corners.every(([cx, cy]) => cx >= area.left && cx <= area.right
        && cy >= area.top && cy <= area.bottom);
      const isFree = () => lines.every((line) => {
        const turned = line.map((at) => turn(at, x, y, -angle));
        return turned.every((at, i) => i === 0 || !crossesBox(turned[i - 1], at, box));
      });
      if (!isInside || !isFree())
        continue;
      lines.push(corners);
      return makeSvg("text", { x, y, "text-anchor": anchor, class: "label",
        "font-weight": isBold ? 600 : null,
        transform: angle ? `rotate(${angle.toFixed(1)} ${x.toFixed(1)} ${y.toFixed(1)})` : null },
        text);
    }
  return null;
}
