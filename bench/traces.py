# SPDX-License-Identifier: MIT
"""What does it cost to write down a million issues: as a table, as a trace for each viewer?"""
import os
import tempfile

from measure import QUICK, Workload, explain, figure, heading, line, run

explain()

ISSUES = 100_000 if QUICK else 1_000_000
SECONDS, MEGABYTES = 10, 100  # at most
KINDS = [[], ["--issues"], ["--chrome"], ["--chrome", "--arrows"], ["--konata"]]
CASES = [("vector-add", "gtx980", 16), ("lemeire-barrier", "simple", 1),
         ("volkov-mix", "gtx680", 8)]


def main():
    heading("Traces", f"""
About {ISSUES:,} issues on one SM, each written to a file of the temporary folder. Wanted for a
million: less than {SECONDS} s of the processor and {MEGABYTES} MB of memory; the disk's time comes
on top.
""")
    line(f"{'kernel':16}", f"{'gpu':8}", f"{'written as':18}", f"{'issues':>9}", f"{'seconds':>8}",
         f"{'elapsed':>8}", f"{'MB':>6}", f"{'file/MB':>8}", "  ")
    with tempfile.TemporaryDirectory() as folder:
        for kernel, gpu, sms in CASES:
            workload = Workload(kernel, gpu, sms)
            for kind in KINDS:
                path = os.path.join(folder, "trace")
                file = [path] if kind else []
                done = run(workload.launch(workload.generations(ISSUES), *kind[:1],
                                           *file, *kind[1:]))
                size = os.path.getsize(path) / 1e6 if file else None
                fine = done.seconds < SECONDS and done.megabytes < MEGABYTES
                line(f"{kernel:16}", f"{gpu:8}", f"{' '.join(kind) or '-':18}",
                     f"{done.report['instructions']:9}",
                     figure(done.seconds, 8, 2), figure(done.elapsed, 8, 2),
                     figure(done.megabytes, 6), figure(size, 8), "" if fine else "TOO MUCH")
                if file:
                    os.unlink(path)


main()
