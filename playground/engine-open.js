// SPDX-License-Identifier: MIT
// The engine embedded in the page, for the rest of the page and, as `warpipe.engine`, for a
// browser's console.
const warpipeEngine = (() => {
  const element = document.getElementById("engine");
  const text = element.textContent;
  element.remove();
  return WarpipeEngine.open(text).then(engine => {
    window.warpipe = { engine, WarpipeEngine };
    return engine;
  });
})();
