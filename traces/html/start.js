/* SPDX-License-Identifier: MIT */
/* Theme and size; then all parts are built. */

function setUpTheme ()
{
  const root = document.documentElement,
    prefers = window.matchMedia("(prefers-color-scheme: dark)");
  let chosen = null;
  const apply = () => {
    const dark = chosen === null ? prefers.matches : chosen;
    root.dataset.theme = dark ? "dark" : "light";
    byId("theme").textContent = dark ? "\u2600 Light" : "\u263e Dark";
    byId("theme").setAttribute("aria-label", dark ? "Light theme" : "Dark theme");
    readTheme();
    buildLegend();
    buildStalls();
    buildGraph();
    charts.forEach((draw) => draw());
    markScrolling();
    drawSoon();
  };

  byId("theme").onclick = () => {
    chosen = root.dataset.theme !== "dark";
    apply();
  };
  prefers.addEventListener("change", apply);
  apply();
}

/* Marks what scrolls sideways, and lets it be reached, and scrolled, by keys. */
function markScrolling ()
{
  for (const box of document.querySelectorAll(".wide, .graph, #source-lines"))
    {
      const scrolls = box.scrollWidth > box.clientWidth + 1;
      box.classList.toggle("scrolls", scrolls);
      if (!box.classList.contains("wide"))
        continue; // has a name of its own
      if (scrolls)
        fill(box, { tabindex: 0, role: "region", "aria-label": "Scrolls sideways" }, []);
      else
        ["tabindex", "role", "aria-label"].forEach((name) => box.removeAttribute(name));
    }
}

function measure ()
{
  width = Math.max(byId("strips").clientWidth, 200);
  left = width < 620 ? 60 : 76;
  charts.forEach((draw) => draw());
  markScrolling();
  drawSoon();
}

buildLines();
buildHeading();
buildFigures();
buildKept();
buildReading();
buildStrips();
buildSource();
buildBounds();
setUpTheme();
setUpPointer();
setUpKeys();
setUpSearch();
setUpPins();
setUpOverview();
measure();
window.addEventListener("resize", measure);
window.addEventListener("scroll", drawStrips, { passive: true });
document.documentElement.dataset.ready = "yes";
