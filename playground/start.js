// SPDX-License-Identifier: MIT
warpipeEngine.then(() => {
  document.documentElement.dataset.ready = "yes";
});
