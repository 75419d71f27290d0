# SPDX-License-Identifier: MIT
"""Executed kernels, by what `run` reports of them, in TAP: verdicts of an expert, told the launch alone; transposes in the
measured order; sectors that a stencil and a tiled product miss in L1 and L2, and instructions of kernels whose data decide
about their way, equal to what is counted by hand; uses of pipelines that stay the same within 1% where few of a grid's
blocks are executed; notes on data that are not known."""
import json
import os
import re
import struct
import subprocess
import tempfile

SOURCE = os.environ["abs_srcdir"]
CUDA = os.path.join(SOURCE, "tests", "cuda")
FIXTURES = os.path.join("execute", "fixtures")
NUMBER = 0


def check(is_right, title, *more):
    global NUMBER
    NUMBER += 1
    print("ok" if is_right else "not ok", NUMBER, "-", title, flush=True)
    for line in more if not is_right else ():
        print("#", line, flush=True)


def run(cubin, gpu, launch, *options):
    """The report, or None and what was said."""
    command = ["warpipe", "run", os.path.join(CUDA, cubin), "--gpu", gpu, "--launch", launch, "--format", "json", *options]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    return json.loads(result.stdout) if result.stdout else None, result.stderr


def check_verdict(kernel, gpu, launch, expected):
    target = "sm_90" if gpu.startswith("h100") else "sm_80"
    report, errors = run(f"{kernel}.{target}.cubin", gpu, launch)
    said = f"{report['verdict']['kind']} {report['verdict']['resource']}" if report else errors
    check(said == expected, f"{kernel} on {gpu}, told its launch alone: {expected}", said)
    return report


def check_transposes(gpu):
    """Measured on an H100 (doc/fidelity-kernels.md): the padded one is the fastest, then the tiled one; the naive one takes
    3.6 times as long by blocks of 1024 threads, and 5.8 times as long as the padded one by blocks of 256."""
    cycles = {}
    for kind, expected in ("naive", None), ("tiled", "throughput lsu"), ("padded", "throughput memory"):
        launch = f"transpose_{kind}<<<dim3(128,128), dim3(32,8)>>>(TO, FROM, 4096)"
        if expected:
            report = check_verdict(f"transpose-{kind}", gpu, launch, expected)
        else:
            report, _ = run(f"transpose-{kind}.{'sm_90' if gpu.startswith('h100') else 'sm_80'}.cubin", gpu, launch)
        cycles[kind] = report["cycles"] if report else 0
    said = ", ".join(f"{kind} {value:.0f}" for kind, value in cycles.items())
    naive, tiled = (cycles[kind] / max(cycles["padded"], 1) for kind in ("naive", "tiled"))
    check(1 < tiled < 2.2 and 1.4 < naive < 6 and tiled < naive, f"transposes on {gpu} come in the order that is measured",
          said)


def run_case(cubin, launch, folder, *options):
    path = os.path.join(folder, "out")
    report, errors = run(os.path.join(FIXTURES, cubin), "a100-80", launch, "--dump", f"OUT={path}", *options)
    data = b""
    if report and os.path.exists(path):
        with open(path, "rb") as file:
            data = file.read()
    return report, errors, data


def check_equal(values, expected, title):
    """Compares dictionaries."""
    wrong = [f"{key}: {values.get(key)}, not {value}" for key, value in expected.items() if values.get(key) != value]
    check(not wrong, title, *wrong)


def count(report, lines, name):
    """The sum over these lines of the source."""
    return sum(row[name] for row in report["by_line"] if row["line"] in lines) if report else None


def check_stencil():
    """In a grid of 128 x 128 x 12 points, blocks of 32 x 8 make 10 planes of 126 x 126 points; 108 SMs for 64 blocks, so
    that each has an L1 for itself, which holds all that the block asks for.

    Asked for: 10 planes x 126 rows x 4 warps of 4 sectors each by `here`, by `above` and by `below`. Around them i - nx and
    i + nx ask for as many; i - 1 for one more where a warp has a left neighbour, and i + 1 where it has a right one: 3 of 4.
    L1 lacks each sector once a block. Of planes 1 to 10: 4 sectors of each of the block's rows with points and of two rows
    more, (126 + 16 x 2) x 4 blocks side by side x 4, and of rows with points 1 + 2 + 2 + 1 sectors at the sides. Of planes
    0 and 11: 126 rows x 4 x 4. L2 lacks each sector once: of planes 1 to 10 all 128 rows of 16, of planes 0 and 11 126."""
    asked = 10 * 126 * 4 * 4
    around = 4 * asked + 2 * 10 * 126 * 3
    of_l1 = 10 * ((126 + 16 * 2) * 16 + 126 * 6) + 2 * 126 * 16
    report, _ = run("stencil-3d.sm_80.cubin", "a100-40", "stencil_3d<<<dim3(4,16), dim3(32,8)>>>(IN, OUT, 128, 128, 12, 0.1f)")
    loads = (14, 15, 16, 17)
    check_equal({"sectors": count(report, loads, "sectors"), "of around": count(report, (17,), "sectors"),
                 "lacked by L1": count(report, loads, "l1_missed_sectors"),
                 "lacked by L2": count(report, loads, "l2_missed_sectors"),
                 "stored": count(report, (19,), "sectors"), "written": count(report, (19,), "l2_missed_sectors")},
                {"sectors": 3 * asked + around, "of around": around, "lacked by L1": of_l1,
                 "lacked by L2": 10 * 128 * 16 + 2 * 126 * 16, "stored": asked, "written": asked},
                "stencil-3d: neighbours hit, sector by sector")


def check_tiles():
    """Matrices of 256 x 256: 256 blocks of 8 warps load 16 tiles of each; a warp has 2 rows of 16 floats, 4 sectors. The
    blocks of an SM (every 108th) share neither rows nor columns of tiles, so that L1 never hits; L2 lacks each matrix once."""
    report, _ = run(os.path.join(FIXTURES, "sgemm.sm_80.cubin"), "a100-80",
                    "sgemm_tiled<<<dim3(16,16), dim3(16,16)>>>(A, B, C, 256)")
    names = "accesses", "sectors", "l1_missed_sectors", "l2_missed_sectors"
    matrix, tiles = 256 * 256 * 4 // 32, 256 * 8 * 16
    for line, expected in (32, (tiles, tiles * 4, tiles * 4, matrix)), (33, (tiles, tiles * 4, tiles * 4, matrix)), \
            (40, (256 * 8, matrix, matrix, matrix)):
        check_equal({name: count(report, (line,), name) for name in names}, dict(zip(names, expected)),
                    f"sgemm_tiled: each matrix moves once, line {line}")


def check_instructions(case, title, gpu, expected, *options):
    """EXPECTED: of lines the instructions, of 0 all of them; of (line, "accesses") those."""
    cubin, launch = case
    report, errors = run(os.path.join(FIXTURES, cubin), gpu, launch, "--sms", "all", *options)
    values = {key: (report["instructions"] if key == 0 else count(report, key[:1], key[1]) if isinstance(key, tuple)
                    else count(report, (key,), "instructions")) for key in expected} if report else {}
    check_equal(values, expected, title)
    return errors


def check_divergent():
    """8 warps. 11 instructions come before the loop (4 of line 95), 12 are in it (5 of line 95, 4 of 97, 1 of 98, 2 of 100),
    and 32 times round one lane less goes on: each that leaves passes BSYNC (of line 95) for itself, then waits. Together
    they execute the last 4."""
    check_instructions(("notes.sm_80.cubin", "divergent<<<4, 64>>>(OUT)"), "divergent: as counted by hand", "a100-80",
                       {0: 8 * (11 + 32 * 12 + 32 + 4), 95: 8 * (4 + 32 * 5 + 32), 97: 8 * 32 * 4, 98: 8 * (2 + 32),
                        100: 8 * 32 * 2, (102, "accesses"): 8})


BFS = "graphs.sm_86.cubin", "bfs<<<1, 64>>>(ROWS, COLUMNS, LEVELS, 40, 0)"


def check_bfs(folder):
    """A search of 40 nodes, of which 0, 1, 2, 3 (warp 0) and 33 (warp 1) are reached. Before the loop there are 6
    instructions up to the first exit, 6 up to the second, 7 up to that of nodes without edges, 3. A turn is 10, then 4 that
    store, BSYNC, 3. Who ends executes an exit.

    Warp 0 goes round 3 times. First nodes 0, 1, 2 all store: 18, and node 0 ends: 1. Then 1 stores and 2 does not: BSYNC
    twice, 19, and 1 ends: 1. Then 2 stores: 18, 1. Warp 1 goes round 5 times without a store: 5 x 14, 1."""
    edges = {0: [10], 1: [10, 11], 2: [12, 0, 13], 33: [0, 1, 2, 3, 33]}
    columns = [column for node in sorted(edges) for column in edges[node]]
    rows = [sum(len(edges.get(other, ())) for other in range(node)) for node in range(41)]
    reached = {0, 1, 2, 3, 33}
    files = {"ROWS": rows, "COLUMNS": columns, "LEVELS": [0 if node in reached else -1 for node in range(40)]}
    options = ["--dump", f"LEVELS={os.path.join(folder, 'levels')}"]
    for name, values in files.items():
        path = os.path.join(folder, name)
        with open(path, "wb") as file:
            file.write(struct.pack(f"<{len(values)}i", *values))
        options += ["--data", f"{name}=file:{path}"]
    before, turns = 6 + 6 + 7 + 3, 3 + 5
    errors = check_instructions(BFS, "bfs of a graph from files: as counted by hand", "a40",
                                {0: before + 18 + 1 + 19 + 1 + 18 + 1 + before + 5 * 14 + 1, 57: 4,
                                 (52, "accesses"): 2, (54, "accesses"): 2 * 2 + 3, (55, "accesses"): 2 * turns,
                                 (56, "accesses"): 3}, *options)
    with open(os.path.join(folder, "levels"), "rb") as file:
        levels = struct.unpack("<40i", file.read())
    expected = tuple(0 if node in reached else 1 if node in (10, 11, 12, 13) else -1 for node in range(40))
    check(levels == expected and not errors, "bfs of a graph from files: the next level is found", str(levels), errors)


def check_bfs_unknown():
    """Nobody knows the graph, and no lane takes a branch: all nodes below 40 go round once and store, 6 + 6 + 7 + 3 + 18 + 1
    of each warp. Where the branches of line 54 are taken, no node has edges: 6 + 6 + 7."""
    check_instructions(BFS, "bfs of an unknown graph: once round", "a40", {0: 2 * 41, (56, "accesses"): 2, 57: 2})
    check_instructions(BFS, "bfs of an unknown graph, told that no node has edges", "a40", {0: 2 * 19, 57: 0},
                       "--branch", "graphs.cu:54=taken")


SAMPLED = (
    (f"{FIXTURES}/copy.sm_80.cubin", "saxpy<<<8192, 256>>>(2097152, 2.5f, X, Y)", 200000),
    (f"{FIXTURES}/transpose.sm_80.cubin", "transpose_tiled<<<dim3(64,64), dim3(32,8)>>>(IN, OUT, 2048, 2048)", 300000),
    ("stencil-3d.sm_80.cubin", "stencil_3d<<<dim3(16,192), dim3(32,8)>>>(IN, OUT, 512, 1536, 4, 0.1f)", 300000),
    (f"{FIXTURES}/sgemm.sm_80.cubin", "sgemm_tiled<<<dim3(24,24), dim3(16,16)>>>(A, B, C, 384)", 1500000),
    ("sgemm-16.sm_80.cubin", "sgemm_16<<<dim3(32,40), dim3(16,16)>>>(A, B, C, 512)", 12000000),
    (f"{FIXTURES}/stencil.sm_86.cubin", "stencil_2d<<<dim3(33,100), dim3(32,8)>>>(IN, OUT, 1050, 800)", 100000),
    (f"{FIXTURES}/stencil.sm_86.cubin", "convolve_columns<<<dim3(40,100), dim3(32,8)>>>(IN, OUT, 1280, 800)", 700000),
    ("row-softmax.sm_80.cubin", "row_softmax<<<2048, dim3(32,8)>>>(IN, OUT, 128)", 500000),
    ("byte-histogram.sm_80.cubin", "byte_histogram<<<4096, 256>>>(IN, OUT, 2097152)", 500000,
     "--data", "IN=u32:random:1", "--data", "OUT=u32:zeros"))


def check_sampled(folder):
    """On 12 SMs of an A100 with their part of its memory's speed, so that a wave is small and a grid has many."""
    path = os.path.join(folder, "small.xml")
    with open(os.path.join(SOURCE, "configs", "a100-80.xml"), encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace('sms="108"', 'sms="12"').replace('pin-gbs="2039"', 'pin-gbs="227"'))
    for cubin, launch, limit, *options in SAMPLED:
        full, _ = run(cubin, path, launch, *options)
        some, errors = run(cubin, path, launch, "--execute-limit", str(limit), *options)
        wrong = [errors]
        noted = [any("were executed" in note for note in report["notes"]) if report else None for report in (full, some)]
        if noted == [False, True]:
            wrong = [f"{a['name']}: {a['utilization']:.4f} of all blocks, {b['utilization']:.4f} of some"
                     for a, b in zip(full["pipelines"], some["pipelines"])
                     if abs(a["utilization"] - b["utilization"]) > 0.01 * a["utilization"]]
        check(not wrong, f"{launch.split('(')[0].split('<')[0]}: some blocks executed are as all of them", *wrong)


def check_unknown(folder):
    """What data would decide is noted, with its line and the name of the buffer."""
    notes = {"unknown_branch<<<4, 64>>>(UNKNOWN, OUT, 200)": r"notes\.cu:\d+: .*UNKNOWN",
             "unknown_address<<<4, 64>>>(UNKNOWN, TABLE, OUT, 200)": r"notes\.cu:\d+: .*UNKNOWN",
             "unknown_trips<<<4, 64>>>(UNKNOWN, OUT, 200)": r"notes\.cu:\d+: .*UNKNOWN",
             "unknown_rows<<<40, 64>>>(UNKNOWN, TABLE, OUT)": r"on UNKNOWN, which is unknown: random numbers stand for what it holds"}
    for launch, pattern in notes.items():
        report, errors, _ = run_case("notes.sm_80.cubin", launch, folder)
        check(report and re.search(pattern, errors), f"{launch}: what is not known is noted", errors)
    report, errors, _ = run_case("notes.sm_80.cubin", "unknown_dense<<<4, 64>>>(UNKNOWN, OUT, 200)", folder)
    check(report and "UNKNOWN" not in errors, "unknown_dense: nothing depends on data, and nothing is noted", errors)
    _, errors, _ = run_case("atomics.sm_75.cubin", "atomics_loop<<<3, 64>>>(UNKNOWN, OUT)", folder, "--data", "OUT=u32:zeros")
    check(re.search(r"depends on OUT, to which data were stored that nobody gave.*--data NAME=HOW", errors),
          "atomics_loop: who is given is not asked for", errors)
    # What nobody stored is 0, unless somebody may have stored it: then no --data decides it. Where such a branch led to
    # an error, the note stands before it.
    zero = r"notes\.cu:\d+: shared memory is read where nothing was stored"
    report, errors, _ = run_case("notes.sm_80.cubin", "unwritten<<<1, 64>>>(OUT)", folder)
    check(report and re.search(zero, errors) and not re.search(r"notes\.cu.*(depends|--data)", errors),
          "unwritten: what nobody stored is 0, and a note says so", errors)
    report, errors, _ = run_case("notes.sm_80.cubin", "unwritten<<<1, 64>>>(OUT)", folder, "--data", "OUT=u32:zeros@32")
    check(not report and re.search(zero + r"(?s:.*)beyond its end", errors), "unwritten: so it is before an error", errors)
    report, errors, out = run_case("notes.sm_80.cubin", "counted<<<1, 64>>>(OUT)", folder)
    check(out == struct.pack("<64I", *[6 + 0x700] * 64) and re.search(zero, errors),
          "counted: an atomic adds to 0, and of a word the bytes are 0 that nobody stored", errors, out.hex())
    pattern = r"notes\.cu:\d+: a branch depends on what shared or local memory holds .* --branch"
    report, errors, _ = run_case("notes.sm_80.cubin", "scattered<<<1, 64>>>(UNKNOWN, OUT)", folder)
    check(report and re.search(pattern, errors) and not re.search(zero, errors),
          "scattered: what somebody may have stored is unknown", errors)
    report, errors, _ = run_case("notes.sm_80.cubin", "scattered<<<1, 64>>>(UNKNOWN, OUT)", folder, "--data",
                                 "OUT=u32:zeros@32")
    check(not report and re.search(pattern + r"(?s:.*)beyond its end", errors), "scattered: so it is before an error",
          errors)


def check_slow_paths():
    """Of data that nobody gave, no thread takes the slow path of a division or a root, as with ordinary numbers."""
    for cubin, launch, data in (("float.sm_80", "ieee_single<<<4, 64>>>(X, Y, OUT, 250)", "f32:random:1:1:2"),
                                ("float.sm_80", "ieee_double<<<4, 64>>>(X, Y, OUT, 250)", "f64:random:1:1:2"),
                                ("science.sm_120", "nbody<<<3, 64>>>(X, OUT, 150)", "f32:random:1:1:2")):
        file, gpu = os.path.join(FIXTURES, f"{cubin}.cubin"), "rtx5090" if "120" in cubin else "a100-80"
        given = [word for name in "XY" if name in launch for word in ("--data", f"{name}={data}")]
        counts = [run(file, gpu, launch, *more)[0]["counters"]["warp_instructions"] for more in (given, ())]
        check(counts[0] == counts[1], f"{launch}: as many instructions with data as without", counts)
    file = os.path.join(FIXTURES, "float.sm_80.cubin")
    for kernel, kind in ("math_single", "f32"), ("math_double", "f64"):
        counts = [run(file, "a100-80", f"{kernel}<<<4, 64>>>(X, OUT, 250)", *more)[0]["counters"]["warp_instructions"]
                  for more in (("--data", f"X={kind}:random:1:1:2"), ())]
        check(counts[1] < 1.5 * counts[0], f"{kernel}: sines of what nobody gave are those of small numbers", counts)


def check_part():
    """Where what is resident at a time is beyond the limit, all of it is executed side by side for a while, and then some
    blocks to their end. All others do as these do, and find in the caches what all found until then."""
    for cubin, launch, limit, blocks, least, most in (
            ("sgemm-16.sm_80.cubin", "sgemm_16<<<dim3(28,28), dim3(16,16)>>>(A, B, C, 448)", 2000000, 784, 1, 200),
            ("sgemm-8x8.sm_80.cubin", "sgemm_8x8<<<dim3(12,12), 256>>>(A, B, C, 1536)", 6000000, 144, 1, 20)):
        whole, _ = run(cubin, "a100-80", launch)
        report, errors = run(cubin, "a100-80", launch, "--execute-limit", str(limit))
        name = launch.split("<")[0]
        found = re.search(rf"of {blocks} blocks the first (\d+) w[a-z]+ executed", errors)
        check(found and least <= int(found.group(1)) <= most, f"{name}, a wave beyond the limit: some blocks end", errors)
        names = "instructions", "sectors", "l1_missed_sectors", "l2_missed_sectors"
        pairs = [(name, count(whole, range(1, 99), name), count(report, range(1, 99), name)) for name in names]
        pairs += [(a["name"], a["utilization"], b["utilization"]) for a, b in zip(whole["pipelines"], report["pipelines"])]
        wrong = [f"{name}: {a} of all blocks, {b} of some" for name, a, b in pairs if abs(a - b) > 0.02 * a]
        check(not wrong, f"{name}, a wave beyond the limit: as all of it, within 2%", *wrong)


def check_atomics():
    """Atomics pass L2 and memory as what they find there says; of those that meet nobody knows what they take."""
    cubin = os.path.join(CUDA, FIXTURES, "histogram.sm_80.cubin")
    # Counters of blocks: few add them up, or so many that all add to the same ones for long.
    for kind, blocks, data, met in (("global", 4096, "iota", True), ("global", 4096, "zeros", True),
                                    ("shared", 512, "iota", True), ("shared", 8, "iota", False)):
        launch = f"histogram_{kind}<<<{blocks}, 256>>>(IN, OUT, 1048576)"
        line = ["--gpu", "a100-80", "--launch", launch, "--data", "OUT=u32:zeros", "--data", f"IN=u8:{data}"]
        command = ["warpipe", "run", cubin, *line, "--format", "json"]
        report = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
        names = [warning["name"] for warning in report["warnings"]]
        check(("atomics-meet" in names) == met and (report["verdict"]["kind"] == "none") == met,
              f"{launch}, {line[-1]}: {'no ' if met else 'a '}verdict", names)
    command = ["warpipe", "import", cubin, *line, "-o", "-"]
    kernel = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    check(re.search(r'op="red.global.add.u32" context="access-\d', kernel), "what an atomic finds in caches is its context", kernel)


def check_refused():
    """A launch that cannot be made is a row that says why, also where it is the first."""
    file = os.path.join(CUDA, "sgemm-16.sm_80.cubin")
    for launch, values, why in (("<<<1, dim3(16, $t)>>>", "128,16", "2048 threads; expected at most 1024"),
                                ("<<<1, dim3(16, $t)>>>", "16,0", "too small; expected 1 to 1024"),
                                ("<<<1, dim3(16, 16), $t>>>", "250000,16", "bytes of shared memory")):
        for command in "sweep", "tune":
            line = ["warpipe", command, file, "--gpu", "a100-80", "--launch", f"sgemm_16{launch}(A, B, C, 16)", "--set",
                    f"t={values}", "--format", "csv"]
            result = subprocess.run(line[:-2] if command == "sweep" else line, capture_output=True, text=True, check=False)
            rows = [row for row in result.stdout.splitlines()[1:] if row]
            wrong = [row for row in rows if why in row]
            check(result.returncode == 0 and len(rows) == 2 and len(wrong) == 1, f"{command} --set t={values}: a row says why",
                  result.stdout, result.stderr)


def main():
    check_refused()
    check_atomics()
    check_transposes("a100-40")
    check_transposes("h100-sxm")
    check_verdict("tree-reduction", "a100-40", "tree_reduction<<<4096, 256, 1024>>>(IN, OUT, 16777216)", "throughput memory")
    check_verdict("tree-reduction", "h100-sxm", "tree_reduction<<<4096, 256, 1024>>>(IN, OUT, 16777216)", "latency memory")
    check_verdict("stencil-3d", "a100-40", "stencil_3d<<<dim3(16,64), dim3(32,8)>>>(IN, OUT, 512, 512, 40, 0.1f)",
                  "throughput memory")
    check_part()
    check_slow_paths()
    check_stencil()
    check_tiles()
    check_divergent()
    check_bfs_unknown()
    with tempfile.TemporaryDirectory() as folder:
        check_bfs(folder)
        check_sampled(folder)
        check_unknown(folder)
        _, errors, data = run_case("copy.sm_80.cubin", "copy_float4<<<4, 32>>>(OUT, IN, 128)", folder, "--data", "IN=f32:iota")
        check(len(data) == 2048 and struct.unpack("<512f", data) == tuple(range(512)), "iota comes out of a copy", errors)
    print(f"1..{NUMBER}")


main()
