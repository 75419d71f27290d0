# SPDX-License-Identifier: MIT
"""What does a run cost as it grows: with the grid, with a repeat, with warps, schedulers, the
program, different warps, SMs, and cores? And what do bounds cost?"""
import os
import tempfile

from measure import QUICK, TooLong, Workload, explain, figure, heading, line, machine_each, run

explain()

LIMIT = 5 if QUICK else 20  # seconds for a run


def limited(arguments):
    try:
        return run(arguments, LIMIT)
    except TooLong:
        return None


def time_cells(done):
    if done is None:
        return [figure(f"> {LIMIT}", 8), figure(None, 6)]
    return [figure(done.seconds, 8), figure(done.megabytes, 6)]


def skipped_share(report):
    cycles = float(report["cycles"])
    return f"{100 * float(report['skipped']) / cycles:.4f}%" if cycles else "-"


def grow(label, width, sizes, arguments_of, plain_until):
    """Prints a line for each size. Runs without skipping stop at PLAIN_UNTIL; once a run has taken
    too long, larger ones are omitted."""
    line(f"{label:>{width}}", f"{'cycles':>24}", f"{'skipped':>9}", f"{'skipping':^16}",
         f"{'--no-skip':^16}",
         "  cycles")
    line(" " * width, " " * 24, " " * 9, *["       s", "    MB"] * 2, "   alike")
    for size in sizes:
        skipping = limited(arguments_of(size))
        plain = limited([*arguments_of(size), "--no-skip"]) if size <= plain_until else None
        same = None
        if skipping and plain:
            same = "yes" if skipping.report["cycles"] == plain.report["cycles"] else "NO"
        report = skipping.report if skipping else None
        line(f"{size:{width}}", figure(str(report["cycles"]) if report else None, 24),
             figure(skipped_share(report) if report else None, 9), *time_cells(skipping),
             *(time_cells(plain) if size <= plain_until else [figure(None, 8), figure(None, 6)]),
             figure(same, 8))
        if skipping is None:
            break


def cost(workload, counted=True):
    """Nanoseconds and machine instructions for each instruction, by the difference of two runs; MB
    of the long one; seconds before the first instruction."""
    few = workload.generations(20_000)
    many = max(workload.generations(1_000_000 if QUICK else 5_000_000), 2 * few)
    short, long = (run(workload.launch(generations, "--no-skip")) for generations in (few, many))
    more = long.report["instructions"] - short.report["instructions"]
    each = (long.seconds - short.seconds) / more
    count = machine_each([workload.pair(20_000, "--no-skip")])[0] if counted else None
    start = max(short.seconds - each * short.report["instructions"], 0)
    return each * 1e9, count, long.megabytes, start


def grid():
    heading("Growth with the grid", """
vector-add on gtx980, blocks of 256 threads, one SM of 16 simulated.
""")
    grow("blocks", 10, [10 ** e for e in range(2, 10)],
         lambda n: ["vector-add", "--gpu", "gtx980", "--blocks", n],
         10 ** 5)


def rounds():
    heading("Growth with a repeat", """
volkov-mix on gtx980 at alpha 32: one generation of 4 blocks of 16 warps on an SM, with that many
rounds each.
""")
    grow("rounds", 10, [10 ** e for e in range(1, 10)],
         lambda n: ["volkov-mix", "--gpu", "gtx980", "--threads", "512", "--blocks", 64, "--set",
                    f"rounds={n}"],
         10 ** (3 if QUICK else 4))


def bounds():
    heading("Bounds and the length of a warp", """
warpipe bounds, volkov-mix on gtx980 at alpha 32: that many rounds of 33 instructions, of which
few are walked.
""")
    line(f"{'rounds':>10}", f"{'latency bound':>24}", "       s")
    for size in [10 ** e for e in range(1, 10)]:
        done = limited(["bounds", "volkov-mix", "--gpu", "gtx980", "--set", f"rounds={size}"])
        line(f"{size:10}", figure(str(done.report["latency_bound"]) if done else None, 24),
             time_cells(done)[0])


def cost_heading(label):
    line(f"{label:>12}", "     ns", "   each", "     MB")


def cost_line(size, figures):
    line(f"{size:12}", *[figure(value, 7) for value in figures])


def warps():
    heading("Growth with warps", """
volkov-mix on gtx980 at alpha 32, blocks of one warp, --no-limits --occupancy WARPS --no-skip. ns
and each: nanoseconds and machine instructions for each warp instruction, start-up left out.
""")
    cost_heading("warps")
    for n in (1, 4, 16, 64, 256, 1024, 2048):
        workload = Workload("volkov-mix", "gtx980", 16, "--no-limits", "--occupancy", str(n))
        cost_line(n, cost(workload)[:3])


def schedulers(folder):
    heading("Growth with schedulers", """
The same with 64 warps (blocks of 16) on a GPU that is gtx980 with so many schedulers.
""")
    cost_heading("schedulers")
    for n in (1, 2, 4, 8, 16, 32, 64):
        gpu = os.path.join(folder, f"schedulers-{n}.xml")
        with open(gpu, "w", encoding="ascii") as out:
            out.write(f'<gpu name="schedulers-{n}" like="gtx980"><scheduler count="{n}"/></gpu>\n')
        cost_line(n, cost(Workload("volkov-mix", gpu, 16, "--threads", "512"))[:3])


def write_chain(path, length):
    with open(path, "w", encoding="ascii") as out:
        out.write('<kernel name="chain"><launch blocks="1" threads="512"/><program>\n<i id="i0" op="add.f32"/>\n')
        for i in range(1, length):
            out.write(f'<i id="i{i}" op="add.f32" after="i{i - 1}"/>\n')
        out.write("</program></kernel>\n")


def lengths(folder):
    heading("Growth with the program", """
A chain of dependent adds, written out, on gtx980 with 64 warps (blocks of 16), --no-skip. start:
seconds before the first instruction, reading included.
""")
    line(f"{'instructions':>12}", "     ns", "   each", "     MB", "  start")
    for n in (10, 100, 1000, 10_000) if QUICK else (10, 100, 1000, 10_000, 100_000, 1_000_000):
        kernel = os.path.join(folder, f"chain-{n}.xml")
        write_chain(kernel, n)
        # Under callgrind the longest would take a minute to read.
        cost_line(n, cost(Workload(kernel, "gtx980", 16), counted=n <= 10_000))


def write_unrolled(path, length):
    """As a compiler that has unrolled a loop writes it: a load for 16, which the latter half of
    them waits for."""
    with open(path, "w", encoding="ascii") as out:
        out.write('<kernel name="unrolled"><launch blocks="132" threads="512"/><program>\n')
        for i in range(length):
            after = [i - 1] if i % 16 > 1 else []
            after += [i - i % 16] if i % 16 >= 8 else []
            names = " ".join(f"i{k}" for k in after)
            waits = f' after="{names}"' if names else ""
            op = "fma.f32" if i % 16 else "ld.global"
            out.write(f'<i id="i{i}" op="{op}"{waits}/>\n')
        out.write("</program></kernel>\n")


def programs(folder):
    heading("Growth with the program, all SMs", """
Unrolled code on all 132 SMs of h100-sxm, a block of 16 warps on each: SMs in one state are
simulated once, with --no-skip each by itself.
""")

    def arguments_of(n):
        kernel = os.path.join(folder, f"unrolled-{n}.xml")
        write_unrolled(kernel, n)
        return [kernel, "--gpu", "h100-sxm", "--sms", "all"]

    grow("instructions", 12, [10 ** e for e in range(3, 6 if QUICK else 7)], arguments_of, 10 ** 5)


TRACE = """-kernel name = different
-kernel id = 1
-grid dim = ({blocks},1,1)
-block dim = (1024,1,1)
-shmem = 0
-nregs = 32
-binary version = 80
-cuda stream id = 0
-shmem base_addr = 0x00007fb139000000
-local mem base_addr = 0x00007fb137000000
-nvbit version = 1.7
-accelsim tracer version = 5
-enable lineinfo = 0

"""


def write_warp(out, number, length):
    """The registers that the instructions read are the digits of the warp's number."""
    out.write(f"insts = {length}\n")
    for i in range(length - 1):
        digit = number >> 2 * i & 3
        if i % 16 == 0:
            out.write(f"{16 * i:04x} ffffffff 1 R{4 + digit} LDG.E 1 R2 4 1 0x7fb0fc400000 4 0 \n")
        else:
            out.write(f"{16 * i:04x} ffffffff 1 R{4 + i % 8} FFMA 2 R{4 + (i + digit) % 8} R{4 + digit} 0 0 \n")
    out.write(f"{16 * (length - 1):04x} ffffffff 0 EXIT 0 0 0 \n\n")


def write_trace(path, warps, length):
    blocks = warps // 32
    with open(path, "w", encoding="ascii") as out:
        out.write(TRACE.format(blocks=blocks))
        for block in range(blocks):
            out.write(f"#BEGIN_TB\n\nthread block = {block},0,0\n\n")
            for warp in range(32):
                out.write(f"warp = {warp}\n")
                write_warp(out, 32 * block + warp, length)
            out.write("#END_TB\n")


def different(folder):
    heading("Growth with different warps", """
A trace in which no two warps execute the same, 30 instructions each, on all SMs of a100-80;
reading it included.
""")
    line(f"{'warps':>12}", f"{'cycles':>14}", "       s", "    MB")
    for n in (1024, 8192) if QUICK else (1024, 8192, 32_000):
        trace = os.path.join(folder, "different.traceg")
        write_trace(trace, n, 30)
        done = limited([trace, "--gpu", "a100-80", "--sms", "all"])
        line(f"{n:12}", figure(str(done.report["cycles"]) if done else None, 14),
             *time_cells(done))


def sms(folder):
    heading("Growth with SMs", """
vector-add with contended memory, 200 blocks for each SM, on a GPU that is h100-sxm with so many
SMs, all simulated, on one core. ns: for each warp instruction, start-up included.
""")
    line(f"{'SMs':>12}", "      ns", "       s", "    MB")
    for n in (1, 4, 16, 66, 132, 264):
        gpu = os.path.join(folder, f"sms-{n}.xml")
        with open(gpu, "w", encoding="ascii") as out:
            out.write(f'<gpu name="sms-{n}" like="h100-sxm"><device sms="{n}"/></gpu>\n')
        done = limited(["vector-add", "--gpu", gpu, "--memory", "contended", "--sms", "all",
                        "--cores", "1", "--blocks", 200 * n])
        each = done.seconds / done.report["instructions"] * 1e9 if done else None
        line(f"{n:12}", figure(each, 8), *time_cells(done))


def cores():
    heading("Growth with cores", f"""
SMs that differ, as memory is contended: all of them, on so many cores (this machine has
{os.cpu_count()}). s: by the clock; cpu: of the processor.
""")
    line(f"{'kernel':12}", f"{'gpu':10}", " cores", "       s", "     cpu")
    times = 1 if QUICK else 4
    runs = (("vector-add", "h100-sxm", "--blocks", str(50_000 * times)),
            ("vector-add", "gtx980", "--blocks", str(100_000 * times)),
            ("volkov-mix", "gtx980", "--threads", "512", "--blocks", str(4000 * times)))
    for kernel, gpu, *options in runs:
        for n in range(1, min(os.cpu_count(), 4) + 1):
            done = run([kernel, "--gpu", gpu, "--memory", "contended", "--sms", "all", *options,
                        "--cores", str(n)])
            line(f"{kernel:12}", f"{gpu:10}", f"{n:6}", figure(done.elapsed, 8, 2),
                 figure(done.seconds, 8, 2))


def devices():
    heading("The whole device", """
--sms all --no-skip on gtx980, all 16 SMs: seconds by the clock on one core and on all of this
machine.
""")
    line(f"{'kernel':12}", "M instructions", " one core", "all cores", "     MB")
    cores = ("--cores", "1"), ()
    times = 1 if QUICK else 20
    runs = (("volkov-mix", "--threads", "512", "--blocks", str(1000 * times)),
            ("vector-add", "--blocks", str(100_000 * times)))
    for kernel, *options in runs:
        one, every = (run([kernel, "--gpu", "gtx980", "--sms", "all", "--no-skip", *options, *n])
                      for n in cores)
        line(f"{kernel:12}", figure(one.report["instructions"] / 1e6, 14), figure(one.elapsed, 9),
             figure(every.elapsed, 9), figure(every.megabytes, 7))


grid()
rounds()
bounds()
warps()
with tempfile.TemporaryDirectory() as temporary:
    schedulers(temporary)
    lengths(temporary)
    programs(temporary)
    different(temporary)
    sms(temporary)
cores()
devices()
