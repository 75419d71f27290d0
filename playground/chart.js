/* SPDX-License-Identifier: MIT */
/* Axes, lines and texts of the charts, as SVG: sharp on a projector, and with selectable text. */

/* Makes a chart called NAME, as wide as ELEMENT, with x from 0 to RIGHT and y from 0 to TOP. */
function makeChart (element, height, name, { right, top, xName, yName, left = 52 })
{
  const width = Math.max(element.clientWidth, 240),
    box = { left, right: width - 14, top: 26, bottom: height - 40 };
  const x = (value) => box.left + value / right * (box.right - box.left),
    y = (value) => box.bottom - value / top * (box.bottom - box.top);
  const svg = makeSvg("svg", { width, height, viewBox: "0 0 " + width + " " + height, role: "img",
    "aria-label": name });
  const chart = { svg, box, x, y, width, height, right, top, value: (px) =>
    (px - box.left) / (box.right - box.left) * right };
  const everyX = Math.max(findStep(right, width < 420 ? 5 : 8), 1), everyY = findStep(top, 4);

  for (let k = 0; k * everyY <= top * 1.001; k++)
    svg.append(makeSvg("path",
      { class: "grid", d: "M" + box.left + " " + y(k * everyY) + "H" + box.right }),
      makeSvg("text", { class: "muted end", x: box.left - 7, y: y(k * everyY) + 4 },
        ratio(k * everyY)));
  for (let k = 0; k * everyX <= right * 1.001; k++)
    svg.append(makeSvg("text", { class: "muted middle", x: x(k * everyX), y: box.bottom + 17 },
      ratio(k * everyX)));
  svg.append(makeSvg("text", { class: "muted middle", x: (box.left + box.right) / 2,
    y: height - 6 }, xName),
    makeSvg("text", { class: "muted", x: 4, y: 13 }, yName),
    makeSvg("path", { class: "axis", d: "M" + box.left + " " + box.top + "V" + box.bottom + "H"
      + box.right }));
  element.replaceChildren(svg);
  return chart;
}

const pathOf = (points) =>
  points.map(([x, y], i) => (i ? "L" : "M") + x.toFixed(1) + " " + y.toFixed(1)).join("");

/* Adds a line through POINTS, given as values. STYLE is a class. */
function addLine (chart, points, style, colour, dash)
{
  const path = makeSvg("path",
    { class: "curve " + style, d: pathOf(points.map(([x, y]) => [chart.x(x), chart.y(y)])),
    "stroke-dasharray": dash || null });
  if (colour)
    path.style.stroke = colour;
  chart.svg.append(path);
}

/* Writes TEXT near a point, inside the chart; `dx` and `dy` are its distance in pixels. */
function addWord (chart, value, top, text, dx, dy, style)
{
  const word = makeSvg("text", { class: "halo " + (style || ""), x: 0, y: 0 }, text);

  chart.svg.append(word);
  const wide = word.getComputedTextLength(), at = chart.x(value) + dx;
  word.setAttribute("x", clamp(dx < 0 ? at - wide : at, 4, chart.width - wide - 4).toFixed(1));
  word.setAttribute("y", clamp(chart.y(top) + dy, 24, chart.box.bottom - 6).toFixed(1));
}
