# SPDX-License-Identifier: MIT
"""What does a warp instruction cost on each shipped GPU? Machine instructions for each simulated one,
for kernels that are shipped and for those of a compiler (tests/cuda). One SM, no skipping.

gpus.py            prints the table
gpus.py --markdown prints it as doc/performance.md has it"""
import concurrent.futures
import glob
import os
import statistics
import sys

from measure import HAVE_VALGRIND, QUICK, Workload, count_simulation, explain, heading, line

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir)
MARKDOWN = "--markdown" in sys.argv[1:]
SIZE = 40_000  # instructions of a run, about

SHIPPED = (
    ("volkov-mix", "volkov-mix", ("--threads", "512", "--set", "alpha=32")),
    ("vector-add", "vector-add", ()),
)
COMPILED = (  # whose grids are for GPUs that PTX of today is for
    ("SGEMM 16", "sgemm-16", "--threads 16x16 --registers 32 --trip sgemm-16.cu:14=32"),
    ("SGEMM 64", "sgemm-8x8", "--threads 256 --registers 127 --trip sgemm-8x8.cu:18=24"),
    ("stencil", "stencil-3d", "--threads 32x8 --registers 32 --trip stencil-3d.cu:12=30"),
    ("reduction", "tree-reduction", "--threads 256 --registers 13 --shared-memory 1024"
     " --trip tree-reduction.cu:13=16"),
)
MEMORIES = ((), ("--memory", "contended"))


def gpus():
    names = sorted(os.path.basename(path)[:-4]
                   for path in glob.glob(os.path.join(SOURCE, "configs", "*.xml")))
    return names[::6] if QUICK else names


def columns():
    for title, kernel, options in SHIPPED:
        yield title, kernel, options
    for title, name, options in COMPILED:
        path = os.path.join(SOURCE, "tests", "cuda", f"{name}.sm_80.ptx")
        yield title, path, ("--no-lines", *options.split())


def measure(gpu, kernel, options):
    """None where the GPU cannot run the kernel."""
    try:
        workload = Workload(kernel, gpu, 1, "--gpu-set", "sms=1", *options)
    except SystemExit:
        return None
    machine, simulated = count_simulation(workload.sized(SIZE, "--no-skip"))
    return machine / simulated


def measure_all():
    """{(GPU, title): what each of a column's runs takes}"""
    wanted = [(gpu, title + (", contended" if memory else ""), kernel, (*options, *memory))
              for gpu in gpus() for title, kernel, options in columns() for memory in MEMORIES]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        counts = pool.map(lambda one: measure(one[0], one[2], one[3]), wanted)
    return {one[:2]: count for one, count in zip(wanted, counts)}


def cells(counts, gpu):
    for title, _, _ in columns():
        plain, random = counts[gpu, title], counts[gpu, title + ", contended"]
        yield "-" if plain is None else f"{plain:.0f}, {random:.0f}"


def main():
    counts = measure_all()
    titles = [title for title, _, _ in columns()]
    if MARKDOWN:
        print("| GPU | " + " | ".join(titles) + " |\n| --- |" + " ---: |" * len(titles))
        for gpu in gpus():
            print(f"| `{gpu}` | " + " | ".join(cells(counts, gpu)) + " |")
        return
    heading("GPUs", """
Machine instructions for each simulated one, by callgrind, start-up left out: with ideal memory, with
contended memory. One SM, rr, --no-skip; kernels from a compiler without lines (--no-lines).""")
    line(f"{'':12}", *[f"{title:>12}" for title in titles])
    for gpu in gpus():
        line(f"{gpu:12}", *[f"{cell:>12}" for cell in cells(counts, gpu)])
    for title in titles:
        known = [counts[gpu, title] for gpu in gpus() if counts[gpu, title] is not None]
        line(f"{title}: median {statistics.median(known):.0f}, most {max(known):.0f}")


if __name__ == "__main__":
    explain()
    if not HAVE_VALGRIND:
        sys.exit("gpus.py: needs valgrind")
    main()
