# SPDX-License-Identifier: MIT
"""What does contended memory cost? The same launches with ideal memory, and with random numbers for
each access."""
from measure import QUICK, Workload, explain, figure, heading, line, machine_each, run

explain()

GPUS = (("8800gtx", 16), ("gtx280", 30), ("gtx480", 15), ("gtx680", 8), ("gtx980", 16))
KERNELS = (
    ("stream", "--threads", "256"),  # loads only: every instruction uses random numbers
    ("volkov-mix", "--threads", "256", "--set", "alpha=32"),  # one in 33
    ("vector-add",),  # many short blocks
)
LONG = 500_000 if QUICK else 5_000_000  # instructions of a timed run
VARIANTS = (("--no-skip",), ("--memory", "contended"), ())


def row(workload):
    ideal, drawn = machine_each([workload.pair(20_000, *variant) for variant in VARIANTS[:2]])
    plain, contended, skipping = (run(workload.sized(LONG, *variant)).seconds
                                  for variant in VARIANTS)
    times = None if ideal is None else drawn / ideal
    line(f"{workload.kernel:10}", f"{workload.gpu:7}", figure(ideal, 9), figure(drawn, 9),
         figure(times, 6, 2),
         figure(plain, 9, 2), figure(contended, 9, 2), figure(skipping, 9, 3),
         figure(contended / skipping, 9))


heading("Contended memory", f"""
each: machine instructions for each warp instruction, by callgrind, ideal with --no-skip and
contended, and how many times as many the latter are. s: seconds of processor time for
{LONG / 1e6:g} million instructions or a little more on one SM, start-up included. Contended runs
that use random numbers cannot skip. skipping: seconds of ideal runs that skip; times: how many
times as long the contended ones take.
""")
line(f"{'kernel':10}", f"{'GPU':7}", "    ideal", "contended", " times", "    ideal", "contended",
     " skipping", "    times")
line(" " * 10, " " * 7, "     each", "     each", "      ", "        s", "        s",
     "        s", "         ")
for kernel, *options in KERNELS:
    for gpu, sms in GPUS[-1:] if QUICK else GPUS:
        row(Workload(kernel, gpu, sms, *options))
