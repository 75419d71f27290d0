# SPDX-License-Identifier: MIT
"""Simulates contended memory (MODEL.md, section 11) as Volkov measured it on his GPUs. fit.py and
other comparisons share this module.

Each number comes from one run on one SM: n warps start together and do all loads, so that all n are
resident until the first one ends. The mean time that a warp takes for a load is the latency, and n
/ latency is the throughput (Little's law). The start of the run affects one latency out of
thousands; its end, with fewer warps, does not count.
"""
import csv
import fractions
import functools
import json
import math
import os
import subprocess
import sys
import xml.etree.ElementTree

from measure import environment, program

HERE = os.path.dirname(os.path.abspath(__file__))
CONFIGS = os.path.join(HERE, os.pardir, "configs")
BYTES = 128  # of a coalesced load of a warp
KEPLER = "gtx680"  # the GPU of table 6.6

# Table 6.6's first row ends with the greatest of 10 million samples. Its 99th percentile is not
# printed: with 330, the mean is the 303 cycles of section 6.6 (any value from 324 to 337 would do).
P99 = 330


def read_table(name):
    with open(os.path.join(HERE, "data", name), encoding="ascii") as text:
        return list(csv.DictReader(row for row in text if not row.startswith("#")))


class Gpu:
    """A shipped GPU: its row of table 6.4, and what its description says of memory."""

    def __init__(self, row):
        self.name = row["gpu"]
        self.row = {key: float(value) for key, value in row.items() if key != "gpu"}
        self.peak = self.row["peak_gbs"]
        self.schedulers = int(self.row["schedulers"])
        root = xml.etree.ElementTree.parse(os.path.join(CONFIGS, f"{self.name}.xml")).getroot()
        device, curve = root.find("device"), root.find("contention")
        self.sms = int(device.get("sms"))
        self.gbs_of_ipc = BYTES * self.sms * float(device.get("clock-mhz")) / 1000
        self.curve = [float(curve.get(key)) for key in "abc"]
        self.load = root.find("op[@name='ld.global']")
        self.issue = float(fractions.Fraction(self.load.get("issue")))
        self.completion = int(self.load.get("completion"))
        self.transactions = int(self.load.get("transactions"))
        pipeline = root.find("pipeline[@name='memory']")
        self.channels = int(pipeline.get("channels", 0))
        self.channel_issue = float(pipeline.get("channel-issue", 0))

    def context(self, name):
        return self.load.find(f"context[@name='{name}']")

    def warps(self, column):
        """Of an SM, where the table counts those of a scheduler."""
        return round(self.row[column] * self.schedulers)

    def curve_latency(self, gbs):
        """Table 6.5."""
        a, b, c = self.curve
        return a + b * gbs / (c - gbs) if gbs < c else math.inf

    def curve_warps(self, gbs):
        return max(1, round(self.curve_latency(gbs) * gbs / self.gbs_of_ipc))


@functools.lru_cache(maxsize=None)
def read_gpus():
    return {row["gpu"]: Gpu(row) for row in read_table("volkov-table-6.4.csv")}


# ---- Runs ----

def warpipe(*arguments, command="run"):
    words = [program(), command, *map(str, arguments)]
    done = subprocess.run(words, env=environment(), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"failed ({done.returncode}): {' '.join(words)}\n{done.stderr}")
    return done.stdout


def launch(gpu, description, kernel, warps, rounds):
    """n blocks of one warp on one SM, all resident, whatever the GPU's limit of blocks."""
    return [kernel, "--gpu", description, "--memory", "contended", "--no-limits",
            "--occupancy", warps,
            "--blocks", warps * gpu.sms, "--set", f"rounds={rounds}"]


def mean_latency(gpu, description, warps, loads, kernel="stream", chains=1):
    """Cycles of a round of CHAINS instructions, each of which waits for its predecessor in the
    previous round."""
    rounds = loads // (warps * chains)
    report = json.loads(warpipe(*launch(gpu, description, kernel, warps, rounds),
                                "--format", "json"))
    if report["mean_occupancy"] < 0.95 * warps:
        sys.exit(f"{gpu.name}: {rounds} rounds are too few for {warps} warps")
    return report["mean_warp_latency"] / rounds


def stream(gpu, description, warps, loads, kernel="stream", chains=1):
    """GB/s of the device and mean latency of coalesced loads, in cycles."""
    latency = mean_latency(gpu, description, warps, loads, kernel, chains)
    return warps * chains / latency * gpu.gbs_of_ipc, latency


def percentiles(gpu, description, warps, loads, wanted):
    """Percentiles of the time from a load's issue to its result, in a window in which all warps are
    resident."""
    table = warpipe(*launch(gpu, description, "stream", warps, loads // warps), "--issues",
                    "-").splitlines()
    rows = [row.split(",") for row in table if row[:1].isdigit() and row.count(",") >= 9]
    begin, end = 0.02 * float(rows[-1][0]), 0.9 * float(rows[-1][0])
    latencies = sorted(float(row[9]) - float(row[0]) for row in rows
                       if begin <= float(row[0]) <= end)
    return [latencies[math.ceil(len(latencies) * percentile / 100) - 1] for percentile in wanted]


# ---- Spreads ----

def mean_wait(transactions, channels, channel_issue):
    """How long an access waits, on average, for its own transactions if channels are idle: one
    visit for each transaction after the first on the channel that gets most of them. Of the
    channels ^ transactions ways to distribute them, the number of those with at most m on each
    channel is the coefficient of x ^ transactions / transactions! in (1 + x + ... + x ^ m / m!) ^
    channels."""
    wait = 0
    for most in range(1, transactions):
        ways = [1] + [0] * transactions
        for _ in range(channels):
            ways = [sum(math.comb(total, i) * ways[total - i] for i in range(min(most, total) + 1))
                    for total in range(transactions + 1)]
        wait += 1 - fractions.Fraction(ways[transactions], channels ** transactions)
    return float(wait) * channel_issue


def shape():
    """Table 6.6's first row around its mean: at which percentiles, and how far from it."""
    row = read_table("volkov-table-6.6.csv")[0]
    at = [0, 5, 25, 50, 75, 95, 99, 100]
    values = [float(row[key])
              for key in ("min", "5", "25", "50", "75", "95")] + [P99, float(row["max"])]
    mean = sum((at[i + 1] - at[i]) * (values[i] + values[i + 1]) / 200 for i in range(len(at) - 1))
    return at, [value - mean for value in values]


def spread(gpu, wait):
    """The shape, widened by the ratio of the GPU's latency to Kepler's, and earlier by WAIT."""
    at, add = shape()
    scale = gpu.completion / read_gpus()[KEPLER].completion
    return words(at), words(round(scale * value - wait) for value in add)


def words(numbers):
    return " ".join(f"{number:g}" for number in numbers)


def spreads(gpu, channels, channel_issue):
    """The spreads that the rule gives: (name, (at, add)) for the op, whose name is None, and for
    each context with another number of transactions. A published latency includes the time for
    which an access waits for its own transactions; the spread leaves that out, so that the latency
    without load stays the published one. A context leaves out at most its excess over the coalesced
    access."""
    own = mean_wait(gpu.transactions, channels, channel_issue)
    yield None, spread(gpu, own)
    for context in gpu.load.findall("context"):
        transactions = int(context.get("transactions", gpu.transactions))
        if context.get("name").endswith("*") or transactions == gpu.transactions:
            continue
        excess = int(context.get("completion")) - gpu.completion
        yield context.get("name"), spread(gpu, min(mean_wait(transactions, channels, channel_issue),
                                                   own + excess))
