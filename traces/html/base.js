/* SPDX-License-Identifier: MIT */
/* Helpers that all parts of the script use, and colours. The parts draw the page from its data
 * (doc/page.md describes them). All text is inserted as text. Times are whole ticks, as plain
 * numbers if these are exact and otherwise as BigInts: numbers on the page are computed from them
 * and never from the drawing. */

// ---- Small things ----

const byId = (id) => document.getElementById(id);
const svgSpace = "http://www.w3.org/2000/svg";

/* Returns an element with attributes and children (nodes or text). */
const make = (tag, attributes, ...children) =>
  fill(document.createElement(tag), attributes, children);
const makeSvg = (tag, attributes, ...children) =>
  fill(document.createElementNS(svgSpace, tag), attributes, children);

function fill (element, attributes, children)
{
  for (const [name, value] of Object.entries(attributes || {}))
    if (value !== undefined && value !== null && value !== false)
      element.setAttribute(name, value === true ? "" : value);
  for (const child of children.flat())
    if (child !== null && child !== undefined)
      element.append(child);
  return element;
}

/* Returns the first index for which ARRAY[index] > value. */
function after (array, value, at = (x) => x)
{
  let low = 0, high = array.length;
  while (low < high)
    {
      const middle = (low + high) >> 1;
      if (at(array[middle]) <= value)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

const plural = (n, word) => n + " " + word + (Number(n) === 1 ? "" : "s");
const clamp = (x, low, high) => Math.min(Math.max(x, low), high);

/* Returns TICKS in cycles, as in reports: six digits after the point, half up, without trailing
 * zeros. */
function decimal (ticks, perCycle)
{
  const million = 1000000n, n = BigInt(ticks), size = n < 0n ? -n : n;
  const scaled = (size * million * 2n + perCycle) / (perCycle * 2n);
  const digits = String(scaled % million).padStart(6, "0").replace(/0+$/, "");
  return (n < 0n ? "-" : "") + scaled / million + (digits ? "." + digits : "");
}

/* Returns TICKS in cycles, also as a fraction if the decimal is rounded. */
function exact (ticks, perCycle)
{
  let a = BigInt(ticks), b = perCycle;
  if (a * 1000000n % b === 0n)
    return decimal(ticks, perCycle);
  for (let [x, y] = [a < 0n ? -a : a, b]; ; [x, y] = [y, x % y])
    if (y === 0n)
      {
        a /= x;
        b /= x;
        break;
      }
  return decimal(ticks, perCycle) + " (" + a + "/" + b + ")";
}

/* Returns a ratio with four digits. */
function ratio (value)
{
  if (!Number.isFinite(value))
    return "\u2013";
  return String(Number(value.toPrecision(4)));
}

const percent = (share) => (100 * share).toFixed(1) + "%";

// ---- Colours ----

/* Each colour means one thing. Pipelines: computation is green, memory orange and barriers yellow,
 * as in Lemeire's drawings; the rest are Okabe and Ito's colours, and others. What warps wait for
 * has colours of its own, for light and for dark pages, which differ in lightness, too. The accent
 * is warps, and runs; models are grey. */
const otherColours = ["#56b4e9", "#d55e00", "#6f4e9c", "#8c6d31", "#17807e", "#a5d65a", "#f4a6c0",
  "#0072b2"];
const barrierColour = "#f0e442";
const stalls = [
  { name: "barrier", text: "at a barrier", colours: [barrierColour, barrierColour] },
  { name: "dependency", text: "for a result", colours: ["#1f1a66", "#8580ff"] },
  { name: "ilp", text: "between own issues", colours: ["#8c8c8c", "#8c8c8c"] },
  { name: "pipeline", text: "for the pipeline", colours: ["#a01a4a", "#e8477f"] },
  { name: "not_selected", text: "for the scheduler", colours: ["#c77cff", "#e4b8ff"] },
  { name: "drain", text: "for its last results", colours: ["#bcc6d0", "#c3ccd5"] },
];
const waitColour = (name) =>
  stalls.find((stall) => stall.name === name).colours[theme.isDark ? 1 : 0];
const dashes = [[], [7, 3], [2, 2], [9, 3, 2, 3], [4, 4], [1, 3]];

const parseColour = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));

function mix (colour, other, share)
{
  const a = parseColour(colour), b = parseColour(other);
  return "rgb(" + a.map((x, i) => Math.round(x * share + b[i] * (1 - share))).join(",") + ")";
}

function isDark (colour)
{
  const [r, g, b] = parseColour(colour);
  return 0.299 * r + 0.587 * g + 0.114 * b < 110;
}

const theme = {};

function readTheme ()
{
  const style = getComputedStyle(document.documentElement);
  for (const name of ["bg", "fg", "muted", "line", "panel", "accent", "band-0", "band-1",
    "grid", "hatch"])
    theme[name] = style.getPropertyValue("--" + name).trim();
  theme.tints = new Map();
  theme.isDark = isDark(theme.bg);
}

/* Returns COLOUR for what is in execution, but does not occupy its pipeline. */
function tint (colour)
{
  if (!theme.tints.has(colour))
    theme.tints.set(colour, mix(colour, theme.bg, 0.42));
  return theme.tints.get(colour);
}
