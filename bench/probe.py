#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the table of doc/probe.md: what the measuring program gives back of each shipped GPU.

usage: probe.py WARPIPE PAGE"""
import pathlib
import re
import subprocess
import sys

from measure import explain

HEAD = "| GPU | figures | exact | within 1% | different | not told | ops timed | under load, without channels | with |\n" + "| --- |" + " ---: |" * 8
COLUMNS = ("gpu", "figures", "exact", "near", "different", "untold", "timed", "plain", "off")
LAST = re.compile(
    r"(?P<gpu>\S+): (?P<figures>\d+) figures: (?P<exact>\d+) exact \(.*\), (?P<near>\d+) within 1%, "
    r"(?P<different>\d+) different"
    r"(?:; \d+ fitted \(under load (?P<off>[\d.]+%) off at most, without channels (?P<plain>[\d.]+%)\))?"
    r"; (?P<untold>\d+) not told; (?P<timed>\d+ of \d+) ops timed"
)


def measure(warpipe, gpu):
    command = [warpipe, "probe", "--on", gpu, "--compare"]
    last = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[-1]
    found = LAST.match(last).groupdict(default="-")
    return "| " + " | ".join(found[name] for name in COLUMNS) + " |"


def main():
    warpipe, page = sys.argv[1], pathlib.Path(sys.argv[2])
    folder = page.resolve().parent.parent / "configs"
    rows = [measure(warpipe, str(path)) for path in sorted(folder.glob("*.xml"))]
    table = "\n".join(["<!-- table -->", HEAD, *rows, "<!-- end of the table -->"])
    text = re.sub(r"<!-- table -->.*<!-- end of the table -->", lambda _: table, page.read_text(), flags=re.S)
    page.write_text(text)


if __name__ == "__main__":
    explain()
    main()
