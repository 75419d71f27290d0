# SPDX-License-Identifier: MIT
"""The estimates of analytical models for the same launches (`warpipe models`)."""
import concurrent.futures
import csv
import os

from contended import warpipe

# In the order of the columns; `ideal` and `contended` are simulations.
MODELS = {"volkov": "Volkov, basic", "volkov-contention": "Volkov, contention",
          "lemeire": "Lemeire", "roofline": "roofline"}


def ask(arguments, occupancies):
    """Warps a cycle and SM by each model, for each of OCCUPANCIES, as (dictionary, ...); None where
    one does not apply."""
    text = warpipe(*arguments, "--model", ",".join(MODELS), "--occupancy",
                   ",".join(map(str, occupancies)), "--format", "csv",
                   command="models")
    return [{name: float(row[name]) if row[name] else None for name in MODELS}
            for row in csv.DictReader(text.splitlines())]


def of_streams(gpu, name, points, launch, streams, length):
    """GB/s, as the benchmark counts them, for each point of stream.py."""
    def one(point):
        arguments, _ = launch(gpu, name, point, length)
        at = arguments.index("--occupancy")
        found = ask(arguments[:at] + arguments[at + 2:], [arguments[at + 1]])[0]
        warps = -(-point.threads // 32)
        scale = 8 * streams[point.kernel] * point.threads / warps * gpu.sms * gpu.clock / 1000
        return {model: None if ipc is None else ipc * scale for model, ipc in found.items()}

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(one, points))


def of_loads(gpu, warps, kernel="stream", rounds=320):
    """GB/s of the device, of Volkov's dependent loads (fit.py)."""
    arguments = [kernel, "--gpu", gpu.name, "--no-limits", "--blocks", warps * gpu.sms, "--set",
                 f"rounds={rounds}"]
    loads = rounds * (2 if kernel == "stream-ilp2" else 1)
    return {model: ipc * loads * gpu.gbs_of_ipc for model, ipc in ask(arguments, [warps])[0].items()
            if ipc is not None}


