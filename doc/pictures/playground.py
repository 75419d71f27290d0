# SPDX-License-Identifier: MIT
"""Takes playground.png, the picture of the README, of the page that `make playground` has made.

    playground.py WARPIPE.html | convert - +dither -colors 128 PNG8:playground.png

Needs chromium, chromium-driver, python3-selenium; convert (imagemagick) only makes it smaller.
"""
import base64
import os
import pathlib
import shutil
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests"))
import headless  # noqa: E402

WIDTH, HEIGHT, SCALE = 1500, 1345, 0.66


def main():
    page = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        shutil.copy(page, "playground.html")
        driver = headless.start()
        try:
            driver.execute_cdp_cmd("Emulation.setScrollbarsHidden", {"hidden": True})
            shown = headless.Page(driver, "playground.html#lesson=4&warps=12&shown=1&at=201", width=WIDTH, height=HEIGHT)
            clip = {"x": 0, "y": 0, "width": WIDTH, "height": HEIGHT, "scale": SCALE}
            shown.wait(lambda: shown.run("return document.querySelectorAll('#cusp .dot').length") == 17, "the cusp is not drawn")
            time.sleep(0.2)
            shot = driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png", "clip": clip})
        finally:
            driver.quit()
    sys.stdout.buffer.write(base64.b64decode(shot["data"]))


main()
