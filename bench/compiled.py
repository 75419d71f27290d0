# SPDX-License-Identifier: MIT
"""How does a run of a kernel from a compiler (tests/cuda) grow: with the grid, with and without a period;
with warps, instructions of its PTX, SMs, cores?"""
import os
import tempfile

from measure import QUICK, TooLong, Workload, explain, figure, heading, line, machine_each, run

explain()

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir)
LIMIT = 5 if QUICK else 20  # seconds for a run
GPU = "h100-sxm"
SMS = 132

KERNELS = {
    "sgemm-16": "--threads 16x16 --registers 32 --trip sgemm-16.cu:14=32",
    "stencil-3d": "--threads 32x8 --registers 32 --trip stencil-3d.cu:12=30",
    "tree-reduction": "--threads 256 --registers 13 --shared-memory 1024 --trip tree-reduction.cu:13=16",
    "byte-histogram": "--threads 256 --registers 16 --trip byte-histogram.cu:11=16",
}


def kernel(name):
    return [os.path.join(SOURCE, "tests", "cuda", f"{name}.sm_80.ptx"), "--no-lines", *KERNELS[name].split()]


def limited(arguments):
    try:
        return run(arguments, LIMIT)
    except TooLong:
        return None


def seconds(done):
    return figure(done.seconds if done else f"> {LIMIT}", 8)


def skipped(report):
    return f"{100 * float(report['skipped']) / float(report['cycles']):.2f}%"


def stated(done):
    estimate = done.report.get("estimate") if done else None
    return f"{100 * float(estimate['error']):.2f}%" if estimate and estimate["kind"] == "estimated" else "-"


def grid():
    heading("Growth with the grid, kernels from a compiler", f"""
One SM of {GPU}, which gets so many blocks. skipped: of its time, where a state recurs. --estimate
simulates until the mean of a generation is known, and states its error; - where a state recurred.
""")
    line(f"{'kernel':16}", f"{'blocks':>10}", "       s", "  skipped", "estimate", "  stated", "    MB")
    for name in KERNELS:
        for n in [10 ** e for e in ((2, 4, 9) if QUICK else (2, 3, 4, 5, 7, 9))]:
            arguments = [*kernel(name), "--gpu", GPU, "--gpu-set", "sms=1", "--blocks", n]
            plain, estimate = limited(arguments), limited([*arguments, "--estimate"])
            line(f"{name:16}", f"{n:10}", seconds(plain),
                 f"{skipped(plain.report) if plain else '-':>9}", seconds(estimate), f"{stated(estimate):>8}",
                 figure(max(done.megabytes for done in (plain, estimate) if done), 6)
                 if plain or estimate else "")


def warps():
    heading("Growth with warps, kernels from a compiler", f"""
On one SM of {GPU}, --no-limits --occupancy WARPS --no-skip: machine instructions for each warp
instruction.
""")
    line(f"{'warps':>8}", *[f"{name:>16}" for name in KERNELS])
    for n in (8, 64, 256, 2048) if QUICK else (8, 16, 32, 64, 128, 256, 512, 1024, 2048):
        workloads = [Workload(path, GPU, 1, "--gpu-set", "sms=1", *options, "--no-limits", "--occupancy", str(n))
                     for path, *options in map(kernel, KERNELS)]
        each = machine_each([workload.pair(20_000, "--no-skip") for workload in workloads])
        line(f"{n:8}", *[figure(count, 16) for count in each])


PTX = """.version 7.0
.target sm_80
.address_size 64
.visible .entry long_one (.param .u64 p)
{
.reg .f32 %f<18>;
.reg .b64 %a;
ld.param.u64 %a, [p];
"""


def write_ptx(path, length):
    """As an unrolled loop: a load for 16, for which the latter half of them waits."""
    with open(path, "w", encoding="ascii") as out:
        out.write(PTX)
        for i in range(length):
            if i % 16 == 0:
                out.write(f"ld.global.f32 %f16, [%a + {4 * i}];\n")
            else:
                out.write(f"fma.rn.f32 %f{i % 8}, %f{i % 8}, %f{16 if i % 16 >= 8 else 17}, %f{i % 8};\n")
        out.write("st.global.f32 [%a], %f0;\nret;\n}\n")


def programs(folder):
    heading("Growth with the program, kernels from a compiler", f"""
Straight PTX of so many instructions, on one SM of {GPU} with 16 warps, and on all: seconds and MB,
import included.
""")
    line(f"{'instructions':>12}", "one SM/s", "    MB", " all SMs/s", "    MB")
    for n in [10 ** e for e in range(3, 6 if QUICK else 7)]:
        path = os.path.join(folder, "long.ptx")
        write_ptx(path, n)
        runs = [limited([path, "--gpu", GPU, "--threads", "512", "--blocks", SMS, *sms])
                for sms in ((), ("--sms", "all"))]
        line(f"{n:12}", *[cell for done in runs
                          for cell in (seconds(done), figure(done.megabytes if done else None, 6))])


def sms(folder):
    heading("Growth with SMs, kernels from a compiler", f"""
sgemm-16 with contended memory, 16 blocks for each SM, on a GPU that is {GPU} with so many SMs, all
simulated, on one core. ns: for each warp instruction, start-up included.
""")
    line(f"{'SMs':>8}", "      ns", "       s", "    MB")
    for n in (1, 4, 16, 66, 132, 264):
        gpu = os.path.join(folder, f"sms-{n}.xml")
        with open(gpu, "w", encoding="ascii") as out:
            out.write(f'<gpu name="sms-{n}" like="{GPU}"><device sms="{n}"/></gpu>\n')
        done = limited([*kernel("sgemm-16"), "--gpu", gpu, "--memory", "contended", "--sms", "all",
                        "--cores", "1", "--blocks", 16 * n])
        each = done.seconds / done.report["instructions"] * 1e9 if done else None
        line(f"{n:8}", figure(each, 8), seconds(done), figure(done.megabytes if done else None, 6))


def cores():
    heading("Growth with cores, kernels from a compiler", f"""
Contended memory, all {SMS} SMs of {GPU}, on so many cores (this machine has {os.cpu_count()}). s: by
the clock; cpu: of the processor; times: as fast as one core.
""")
    line(f"{'kernel':16}", " cores", "       s", "     cpu", "   times")
    for name in KERNELS:
        one = None
        for n in range(1, min(os.cpu_count(), 4) + 1):
            done = run([*kernel(name), "--gpu", GPU, "--memory", "contended", "--sms", "all", "--blocks",
                        SMS * (8 if QUICK else 48), "--cores", str(n)])
            one = one or done
            line(f"{name:16}", f"{n:6}", figure(done.elapsed, 8, 2), figure(done.seconds, 8, 2),
                 figure(one.elapsed / done.elapsed, 8, 2))


def main():
    grid()
    warps()
    with tempfile.TemporaryDirectory() as folder:
        programs(folder)
        sms(folder)
    cores()


main()
