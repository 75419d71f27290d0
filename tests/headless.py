# SPDX-License-Identifier: MIT
"""A page in headless Chromium, for the tests that drive pages. Errors are collected in `problems`."""
import os
import shutil
import sys
import time

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

problems = []


def check(is_right, what):
    if not is_right:
        problems.append(what)


def start():
    """A browser; quit() it. Its profile is in the working folder."""
    options = Options()
    arguments = ["--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                 f"--user-data-dir={os.getcwd()}/profile"]
    if os.geteuid() == 0:
        arguments.append("--no-sandbox")
    for argument in arguments:
        options.add_argument(argument)
    options.binary_location = shutil.which("chromium")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)


class Page:
    def __init__(self, driver, name, width=1200, height=900, theme="light"):
        self.driver = driver
        self.name = name
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": theme}]})
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                               {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        driver.get_log("performance")
        driver.get(f"file://{os.getcwd()}/{name}")
        self.wait(lambda: self.run("return document.documentElement.dataset.ready") == "yes", "the page is not ready")
        self.frame()

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def find(self, selector):
        return self.driver.find_element("css selector", selector)

    def check(self, is_right, what):
        check(is_right, f"{self.name}: {what}")

    def wait(self, is_so, what):
        until = time.time() + 10
        while not is_so() and time.time() < until:
            time.sleep(0.02)
        self.check(is_so(), what)

    def frame(self):
        """Waits until the page is drawn."""
        self.driver.execute_async_script("const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(done))")

    def finish(self, loads=1):
        """No page writes to the console or makes requests; it was opened LOADS times."""
        said = [entry["message"] for entry in self.driver.get_log("browser")]
        self.check(not said, f"the console has {said}")
        # The page with which a browser starts may still be loading; it is the browser's own.
        asked = [entry["message"] for entry in self.driver.get_log("performance")
                 if "Network.requestWillBeSent\"" in entry["message"] and '"documentURL":"chrome://' not in entry["message"]]
        others = [message for message in asked if f"{self.name}" not in message]
        self.check(len(asked) <= loads and not others, f"requests were made: {others}")
        self.check(self.run("return performance.getEntriesByType('resource').length") == 0, "something was fetched")


def report():
    """Ends the test with its errors."""
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)
