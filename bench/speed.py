# SPDX-License-Identifier: MIT
"""How fast is the engine? Kernels by policy and order, with and without a table, skipping or
not."""
import os

from measure import QUICK, Workload, cores, explain, figure, heading, line, machine_each, run

explain()

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "path-gpu.xml")

# The first is the headline: 64 warps of volkov-mix.
KERNELS = (
    ("volkov-mix", "gtx980", 16, "--threads", "512", "--set", "alpha=32"),  # memory and long chains
    ("volkov-mix-shared", "gtx980", 16, "--threads", "512"),  # shared memory
    ("kothapalli-matmul", "gtx280", 30, "--set", "tiles=8"),  # long chains, one scheduler
    ("lemeire-barrier", "gtx980", 16),  # a barrier for every five instructions
    ("lemeire-two-series", "gtx680", 8, "--threads", "256"),  # dual issue
    ("vector-add", "gtx980", 16),  # short blocks
    # A path of three pipelines, the last shared by four SMs, which are simulated together.
    ("volkov-mix", PATH, 16, "--threads", "512", "--set", "alpha=32"),
    ("vector-add", PATH, 16),
)
ORDERS = (("program", ("rr", "gto", "two-level")), ("dataflow", ("rr", "gto", "two-level")))
VARIANTS = tuple((*table, *skip) for table in ((), ("--issues", "/dev/null"))
                 for skip in (("--no-skip",), ()))

# Instructions of a timed run, by order: long enough that start-up counts for little.
LONG = {"program": 2_000_000 if QUICK else 20_000_000, "dataflow": 200_000 if QUICK else 2_000_000}


def speeds(workload, order, options):
    for variant in VARIANTS:
        instructions = LONG[order] // 40 if "--issues" in variant else LONG[order]
        done = run(workload.sized(instructions, *options, *variant))
        yield done.report["instructions"] / done.seconds / 1e6, done.megabytes


def row(workload, order, policy):
    options = ("--order", order, "--policy", policy)
    gpu = os.path.basename(workload.gpu).removesuffix("-gpu.xml")
    names = (f"{workload.kernel:18}", f"{gpu:6}", f"{order:8}", f"{policy:9}")
    if order == "dataflow" and policy == "two-level":
        line(*names, *[figure(None, 7)] * 8, figure(None, 5))
        return
    each = machine_each([workload.pair(2_500 if "--issues" in variant else 20_000,
                                       *options, *variant)
                         for variant in VARIANTS])
    speed = list(speeds(workload, order, options))
    # Where both lengths are mostly skipped their difference says nothing.
    cells = [figure(value, 7) for (million, _), count in zip(speed, each)
             for value in (million, count if count >= 1 else None)]
    line(*names, *cells, figure(max(megabytes for _, megabytes in speed), 5))


print(cores())
heading("Speed", f"""
M/s: million warp instructions a second of processor time, start-up included. each: machine
instructions for each warp instruction, by callgrind, start-up left out. MB: peak of resident
memory, the most of the four runs. --issues goes to /dev/null. Two-level scheduling is refused in
dataflow order. One SM is simulated, for {LONG['program'] / 1e6:g} million instructions or a little
more (dataflow order {LONG['dataflow'] / 1e6:g} million; with --issues a fortieth). Where a period
comes, skipping gains the more the longer the run.
""")
BLANK = " " * 47
line(BLANK, f"{'no table':^34}", f"{'--issues':^34}")
line(BLANK, *[f"{skip:^16}" for skip in ("--no-skip", "skipping") * 2])
line(f"{'kernel':18}", f"{'GPU':6}", f"{'order':8}", f"{'policy':9}",
     *["    M/s", "   each"] * 4, "   MB")
for kernel in KERNELS[:1] + KERNELS[-1:] if QUICK else KERNELS:
    subject = Workload(*kernel)
    for one_order, policies in ORDERS:
        for one_policy in policies:
            row(subject, one_order, one_policy)
