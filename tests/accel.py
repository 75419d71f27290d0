# SPDX-License-Identifier: MIT
# Accel-Sim traces, written in each layout that tracers have had, and what `warpipe import` makes of them. TAP.
import gzip
import json
import lzma
import os
import random
import re
import resource
import subprocess
import sys
import xml.etree.ElementTree as tree

FULL = 0xFFFFFFFF


# ---- Traces ----

class Instr:
    """What a warp executes: registers by name, addresses of the lanes in the mask, by lane."""

    def __init__(self, pc, text, mask=FULL, addresses=None, width=4, line=7):
        words = text.split()  # "R4 LDG.E R2": before the opcode is what is written
        at = next(i for i, w in enumerate(words) if not re.fullmatch(r"U?[RP]\d+", w))
        self.pc, self.mask, self.line = pc, mask, line
        self.dests, self.opcode, self.sources = words[:at], words[at], words[at + 1:]
        self.addresses, self.width = addresses, width

    def format(self, version, mode, prefix, has_line):
        lanes = [k for k in range(32) if self.mask >> k & 1]
        words = [prefix] if version < 3 else []
        words += [str(self.line)] if has_line else []
        words += ["%04x" % self.pc, "%08x" % self.mask]
        words += [str(len(self.dests)), *self.dests, self.opcode, str(len(self.sources)), *self.sources]
        if self.addresses is None:
            words.append("0")
        else:
            at = [self.addresses(k) for k in lanes]
            steps = [b - a for a, b in zip(at, at[1:])]
            piece = len(lanes) > 1 and lanes[-1] - lanes[0] == len(lanes) - 1 and len(set(steps)) == 1
            words.append(str(self.width))
            if mode == 0 or not lanes:
                words += ["0", *("0x%016x" % a for a in at)]
            elif mode == 1 and piece:
                words += ["1", "0x%x" % at[0], str(steps[0])]
            else:
                words += ["2", "0x%x" % at[0], *map(str, steps)]
        if version >= 4:
            words.append("0")
        return " ".join(words) + " "


class Trace:
    """Blocks by (x, y, z), of warps by number, of Instr."""

    def __init__(self, grid=(1, 1, 1), block=(32, 1, 1), binary=80, shared=0, registers=16, name="_Z1kPf", number=1):
        self.grid, self.block, self.binary, self.shared, self.registers = grid, block, binary, shared, registers
        self.name, self.number, self.blocks = name, number, {}

    def format(self, version=5, mode=1, has_line=False, said_line=None, said_version=None, shuffle=None, insts=0,
               end="\n"):
        said_line = has_line if said_line is None else said_line
        text = ["-kernel name = " + self.name, "-kernel id = %d" % self.number, "-grid dim = (%d,%d,%d)" % self.grid,
                "-block dim = (%d,%d,%d)" % self.block, "-shmem = %d" % self.shared, "-nregs = %d" % self.registers,
                "-binary version = %d" % self.binary, "-cuda stream id = 0",
                "-shmem base_addr = 0x00007fb139000000", "-local mem base_addr = 0x00007fb137000000",
                "-nvbit version = 1.7", "-accelsim tracer version = %s" % (said_version or version)]
        text += ["-enable lineinfo = %d" % said_line] if version >= 4 or said_line else []
        text += ["", "#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width", "", ""]
        order = list(self.blocks)
        if shuffle is not None:
            random.Random(shuffle).shuffle(order)
        for place in order:
            text += ["#BEGIN_TB", "", "thread block = %d,%d,%d" % place, ""]
            warps = list(self.blocks[place])
            if shuffle is not None:
                random.Random(shuffle + 1).shuffle(warps)
            for warp in warps:
                steps = self.blocks[place][warp]
                text += ["warp = %d" % warp] + ([] if insts is None else ["insts = %d" % (len(steps) + insts)])
                text += [s.format(version, mode, "%d %d %d %d" % (*place, warp), has_line) for s in steps] + [""]
            text += ["#END_TB", ""]
        return end.join(text)


def make_loops():
    """Four blocks of two warps: loops, a barrier, lanes that leave, accesses of all kinds."""
    trace = Trace(grid=(2, 2, 1), block=(8, 8, 1), shared=4096)
    for y in range(2):
        for x in range(2):
            trace.blocks[x, y, 0] = {w: make_warp(x, y, w) for w in range(2)}
    return trace


def make_warp(x, y, w):
    lanes = 0x000000FF if (x, y, w) == (1, 1, 1) else FULL
    base = 0x7FB0FC400000 + 0x1000 * (2 * y + x) + 0x80 * w
    steps = [Instr(0x0000, "R1 MOV"), Instr(0x0010, "R6 S2R"), Instr(0x0020, "R2 IMAD.WIDE R6 R7"),
             Instr(0x0030, "EXIT", FULL & ~lanes)]
    for i in range(5):
        steps += [Instr(0x0040, "R4 LDG.E R2", lanes, lambda k: base + 4 * k),
                  Instr(0x0050, "R5 LDG.E.64 R2", lanes, lambda k: base + 8 * k, 8),
                  Instr(0x0060, "R8 LDS R9", lanes, lambda k: 8 * k),
                  Instr(0x0070, "STL R1 R8", lanes, lambda k: 0xFFFDC0),
                  Instr(0x0080, "R10 FFMA R4 R8 R10", lanes),
                  Instr(0x0090, "BRA", lanes if i < 4 else 0)]
    steps += [Instr(0x00A0, "BAR.SYNC.DEFER_BLOCKING", lanes),
              Instr(0x00B0, "STG.E R2 R10", lanes, lambda k: base + 0x2000 + 4 * (k * 7 % 32)),
              Instr(0x00C0, "EXIT", lanes)]
    return steps


def make_permute(is_random):
    """Volkov 2016, listing 3.6: a[i] = b[c[i]], compiled as listing 3.5 is."""
    n, at = 16384, {"a": 0x7F0000000000, "b": 0x7F0010000000, "c": 0x7F0020000000}
    c = list(range(n))
    if is_random:
        random.Random(1).shuffle(c)
    trace = Trace(grid=(n // 256, 1, 1), block=(256, 1, 1), binary=52)
    for block in range(n // 256):
        trace.blocks[block, 0, 0] = {}
        for warp in range(8):
            i = block * 256 + warp * 32
            trace.blocks[block, 0, 0][warp] = [
                Instr(0x08, "R1 MOV"), Instr(0x10, "R0 S2R"), Instr(0x18, "R2 S2R"), Instr(0x28, "R0 IMAD R2 R0"),
                Instr(0x30, "R2 ISCADD R0"), Instr(0x38, "R2 LDG R2", FULL, lambda k: at["c"] + 4 * (i + k)),
                Instr(0x48, "R3 ISCADD R2"), Instr(0x50, "R3 LDG R3", FULL, lambda k: at["b"] + 4 * c[i + k]),
                Instr(0x58, "R4 ISCADD R0"), Instr(0x68, "STG R4 R3", FULL, lambda k: at["a"] + 4 * (i + k)),
                Instr(0x70, "EXIT")]
    return trace


def write(path, text):
    data = text.encode()
    if path.endswith(".gz"):
        data = gzip.compress(data)
    elif path.endswith(".xz"):
        data = lzma.compress(data)
    with open(path, "wb") as file:
        file.write(data)
    return path


# ---- Results ----

def warpipe(*words, **options):
    return subprocess.run(["warpipe", *words], capture_output=True, text=True, **options)


def load(path, *options, notes=""):
    """The kernel of a trace as XML; NOTES: all notes of the import."""
    done = warpipe("import", path, *options)
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(notes, done.stderr, re.S), done.stderr
    return done.stdout


def fail(path, *options):
    done = warpipe("import", path, *options)
    assert done.returncode == 1 and done.stdout == "", (done.returncode, done.stdout, done.stderr)
    assert done.stderr.count("\n") == 1, done.stderr
    return done.stderr


def ranges(text, n):
    words = text.split() if text else ["0-%d" % (n - 1)]
    return sum(int(w.split("-")[-1]) - int(w.split("-")[0]) + 1 for w in words)


def count(element):
    own = sum(count(e) for e in element) if element.tag in ("repeat", "program") else 1
    return own * int(element.get("count", 1))


def executed(xml):
    """Instructions that all warps of the launch execute."""
    kernel = tree.fromstring(xml)
    launch = kernel.find("launch")
    warps = (int(launch.get("threads")) + 31) // 32
    return sum(count(p) * ranges(p.get("blocks"), int(launch.get("blocks"))) * ranges(p.get("warps"), warps)
               for p in kernel.findall("program"))


def traced(text):
    """Lines of instructions whose mask is not 0 (of versions without numbers before the address)."""
    return sum(1 for line in text.split("\n")
               if re.match(r"[0-9a-f]{4} [0-9a-f]{8} ", line) and line.split()[1] != "00000000")


def instructions(xml):
    return [e for e in tree.fromstring(xml).iter() if e.tag == "i"]


def find(xml, opcode):
    return [e for e in instructions(xml) if re.search(r" %s\b" % re.escape(opcode), e.get("text"))]


def one_warp(*steps, binary=80):
    trace = Trace(binary=binary)
    trace.blocks[0, 0, 0] = {0: list(steps)}
    return load(write("one.traceg", trace.format()))


# ---- Tests ----

TESTS = []


def test(function):
    TESTS.append(function)
    return function


@test
def all_versions_and_address_modes_say_the_same():
    expected = load(write("k.traceg", make_loops().format()))
    for version in (1, 2, 3, 4, 5, "1.2"):
        for mode in (0, 1, 2):
            number = int(float(version))
            path = write("v.traceg", make_loops().format(version=number, mode=mode, said_version=version))
            assert load(path) == expected, (version, mode)
    assert executed(expected) == traced(make_loops().format())


@test
def the_layout_is_found_where_the_header_is_wrong():
    expected = load("k.traceg")
    for version, said in ((2, 5), (5, 2), (1, 4)):
        path = write("w.traceg", make_loops().format(version=version, said_version=said))
        assert load(path) == expected, (version, said)
    with_line = load(write("w.traceg", make_loops().format(has_line=True)))
    assert re.sub(r" \(line 7\)", "", with_line) == expected and "0x0050 LDG.E.64 (line 7)" in with_line
    assert load(write("w.traceg", make_loops().format(has_line=True, said_line=False))) == with_line
    assert load(write("w.traceg", make_loops().format(has_line=False, said_line=True))) == expected
    assert load(write("w.traceg", make_loops().format(version=2, has_line=True))) == with_line
    assert load(write("w.traceg", make_loops().format(end="\r\n"))) == expected
    old = re.sub("-accelsim.*\n|-enable.*\n|#traces.*\n", "", make_loops().format(version=2))
    assert load(write("w.traceg", old)) == expected


def reads_xz():
    return "\nwith liblzma:" in warpipe("--version").stdout


@test
def damaged_in_any_byte_a_compressed_file_is_refused_or_the_same():
    expected = load("k.traceg")
    for suffix in (".gz", ".xz") if reads_xz() else (".gz",):
        write("d.traceg" + suffix, make_loops().format())
        data = open("d.traceg" + suffix, "rb").read()
        refused = 0
        for at in list(range(0, len(data), max(1, len(data) // 60))) + list(range(len(data) - 24, len(data))):
            with open("d.traceg" + suffix, "wb") as file:
                file.write(data[:at] + bytes([data[at] ^ 4]) + data[at + 1:])
            done = warpipe("import", "d.traceg" + suffix, "-o", "d.xml")
            refused += done.returncode != 0
            assert done.returncode in (0, 1), done
            assert done.returncode or open("d.xml").read().replace("d.traceg" + suffix, "k.traceg") == expected, at
        assert refused > 50, refused


@test
def several_members_of_gzip_are_one_file():
    text = make_loops().format().encode()
    for end in (b"", bytes(512)):
        with open("m.traceg.gz", "wb") as file:
            file.write(gzip.compress(text[:100]) + gzip.compress(text[100:]) + end)
        assert load("m.traceg.gz") == load("k.traceg")


@test
def compressed_files_and_lists():
    if not reads_xz():
        return "SKIP built without liblzma"
    expected = load("k.traceg")
    for suffix in (".gz", ".xz"):
        assert load(write("c.traceg" + suffix, make_loops().format())) == expected
        data = open("c.traceg" + suffix, "rb").read()
        with open("cut.traceg" + suffix, "wb") as file:
            file.write(data[:len(data) // 2])
        assert "cannot be read" in fail("cut.traceg" + suffix)
    os.rename("c.traceg.gz", "kernel-7.traceg.gz")
    for listed in ("kernel-7.traceg", "kernel-7.traceg.gz", "kernel-7.traceg.xz"):
        write("kernelslist.g", "MemcpyHtoD,0x00007fb0fc400000,200000\n%s\n" % listed)
        assert load("kernelslist.g") == expected, listed
    write("kernelslist.g", "# two GPUs\r\n\r\nncclCommInitAll\r\nncclGroupStart\r\n// the only one\r\nkernel-7.traceg\r\n"
          "ncclAllReduce,0x10\r\nMemcpyDtoH,0x1,2")
    assert load("kernelslist.g") == expected
    os.rename("kernel-7.traceg.gz", "anything")
    assert load("anything") == expected


@test
def one_kernel_of_several():
    other = Trace(name="_Z5otherPf", number=2)
    other.blocks[0, 0, 0] = {0: [Instr(0, "EXIT")]}
    again = make_loops()
    again.number = 3
    xz, gz = (".xz", ".gz") if reads_xz() else ("", "")
    write("kernel-1.traceg" + xz, make_loops().format())
    write("kernel-2.traceg", other.format())
    write("kernel-3.traceg" + gz, again.format())
    write("kernelslist.g", "kernel-1.traceg\nMemcpyHtoD,0x1,2\nkernel-2.traceg\nkernel-3.traceg" + gz + "\n")
    message = fail("kernelslist.g")
    for word in ("--entry", "1 _Z1kPf (kernel-1.traceg)", "2 _Z5otherPf (kernel-2.traceg)"):
        assert word in message, message
    for entry in ("2", "_Z5otherPf", "other", "kernel-2.traceg"):
        assert tree.fromstring(load("kernelslist.g", "--entry", entry)).get("name") == "_Z5otherPf", entry
    assert load("kernelslist.g", "--entry", "kernel-3.traceg") == load("kernelslist.g", "--entry", "1")
    assert "several kernels" in fail("kernelslist.g", "--entry", "_Z1kPf")
    assert "no kernel" in fail("kernelslist.g", "--entry", "4")
    assert load("kernel-2.traceg", "--entry", "2") and "there is 2" in fail("kernel-2.traceg", "--entry", "3")


@test
def blocks_and_warps_in_any_order():
    expected = load("k.traceg")
    for seed in range(8):
        assert load(write("s.traceg", make_loops().format(shuffle=seed))) == expected


@test
def counts_of_lines():
    expected = load("k.traceg")
    assert load(write("n.traceg", make_loops().format(insts=None))) == expected
    assert load(write("n.traceg", make_loops().format(insts=-3)), notes=".*insts = 34, and 37 lines.*\n") == expected
    assert "n.traceg:23: insts = 38, and 37 lines follow" in fail(write("n.traceg", make_loops().format(insts=1)))


@test
def warps_and_blocks_that_are_missing():
    trace = make_loops()
    del trace.blocks[1, 0, 0][0]
    xml = load(write("m.traceg", trace.format()), notes="[^\n]*1 warps of its blocks are not in it[^\n]*\n")
    assert executed(xml) == traced(trace.format())
    del trace.blocks[0, 0, 0]
    xml = load(write("m.traceg", trace.format()), notes=".*has 3 blocks of a grid of 4;.*")
    assert executed(xml) == traced(trace.format())
    assert 'blocks="3"' in xml
    assert warpipe("run", "m.traceg", "--gpu", "v100").returncode == 0


@test
def the_first_blocks_only():
    text = make_loops().format()
    xml = load("k.traceg", "--blocks", "2")
    assert 'blocks="2"' in xml
    assert executed(xml) == traced("#END_TB".join(text.split("#END_TB")[:2]))
    # What follows is not read.
    assert load(write("b.traceg", "#END_TB".join(text.split("#END_TB")[:2]) + "#END_TB\nnothing\n"), "--blocks", "2") == xml
    assert "--blocks 5" in fail("k.traceg", "--blocks", "5")


@test
def loops_fold():
    repeats = [e for e in tree.fromstring(load("k.traceg")).iter() if e.tag == "repeat"]
    assert repeats and all(e.get("count") == "4" and len(e) == 6 for e in repeats)


@test
def addresses_give_contexts():
    cases = (("R4 LDG.E R2", 4, lambda k: 0x1000 + 4 * k, None), ("R4 LDG.E R2", 4, lambda k: 0x1000 + 8 * k, "sectors-8"),
             ("R4 LDG.E R2", 4, lambda k: 0x1004 + 4 * k, "sectors-5"), ("R4 LDG.E R2", 4, lambda k: 0x1000, "sectors-1"),
             ("R4 LDG.E.128 R2", 16, lambda k: 0x1000 + 16 * k, "sectors-16"),
             ("R4 LDG.E.S16 R2", 4, lambda k: 0x1000 + 2 * k, "sectors-2"),
             ("R4 LDG.E R2", 4, lambda k: 0x1000 + 4 * (k * k * 997 % 65521), "random"),
             ("R4 LDS R2", 4, lambda k: 4 * k, None), ("R4 LDS R2", 4, lambda k: 16 * k, "conflict-4"),
             ("R4 LDS R2", 4, lambda k: 64, None), ("R4 LDL R1", 4, lambda k: 0xFFFDC0, None),
             ("STL R1 R4", 4, lambda k: 0xFFFDC0 + 4 * k, "sectors-32"), ("R4 LDC R2", 4, lambda k: 64 * k, None))
    for text, width, addresses, context in cases:
        xml = one_warp(Instr(0, text, FULL, addresses, width))
        assert instructions(xml)[0].get("context") == context, (text, instructions(xml)[0].attrib)
    xml = one_warp(Instr(0, "R4 LDG.E R2", 0xFFFF, lambda k: 0x1000 + 4 * k))
    assert instructions(xml)[0].get("context") == "sectors-2"
    one_warp(Instr(0, "R4 LDS.64 R2", FULL, lambda k: 8 * k, 8))
    for banks, context in (("32x4", "conflict-2"), ("32x8", None)):
        assert instructions(load("one.traceg", "--banks", banks))[0].get("context") == context, banks


@test
def dependences_go_by_width():
    def after(steps):
        xml = one_warp(*(Instr(16 * i, s, FULL, (lambda k: 4 * k) if "[" in s else None) if isinstance(s, str) else s
                         for i, s in enumerate(steps)))
        nodes = instructions(xml)
        names = {e.get("id"): i for i, e in enumerate(nodes) if e.get("id")}
        return [sorted(names[w] for w in (e.get("after") or "").split()) for e in nodes]

    at = lambda k: 4 * k
    assert after(["R4 MOV", "R5 MOV", Instr(32, "R8 LDG.E R4", FULL, at)])[2] == [0, 1]
    assert after(["R4 MOV", "R5 MOV", Instr(32, "R8 LDS R4", FULL, at)])[2] == [0]
    assert after([Instr(0, "R8 LDG.E.128 R2", FULL, at, 16), "R0 FADD R11 R11", "R1 FADD R12"])[1:] == [[0], []]
    assert after(["R6 MOV", "R7 MOV", "R8 MOV", "R9 MOV", Instr(64, "STG.E.64 R2 R8", FULL, at, 8)])[4] == [2, 3]
    assert after(["R4 IMAD.WIDE R6 R7 R8", "R0 MOV R5"])[1] == [0]
    assert after(["R8 MOV", "R9 MOV", "R4 IMAD.WIDE R6 R7 R8"])[2] == [0, 1]
    assert after(["R5 MOV", "R4 MOV", "SHFL.IDX R5 R4", "R6 FADD R5"])[2:] == [[1], [2]]
    assert after(["R5 MOV", "R2 MOV", Instr(32, "ATOMG.E.ADD.STRONG.GPU R5 R2 R4", FULL, at), "R6 MOV R5"])[2:] == [[1], [2]]
    assert after(["R255 MOV", "R4 FADD R255 R255"])[1] == []
    assert after(["UR4 UMOV", "R4 MOV UR4", "R5 MOV R4"])[1:] == [[0], [1]]


@test
def branches_fall_through_or_not():
    def contexts(pcs, binary):
        xml = one_warp(*(Instr(pc, "BRA") for pc in pcs), binary=binary)
        return [e.get("context") for e in instructions(xml)]

    assert contexts((0x00, 0x10, 0x30), 80) == ["not-taken", None, None]
    # Between instructions of 8 bytes there are words of control codes: every fourth before Volta,
    # every eighth before Maxwell.
    assert contexts((0x08, 0x10, 0x18, 0x28, 0x38), 60) == ["not-taken"] * 3 + [None] * 2
    assert contexts((0x28, 0x30, 0x38, 0x48, 0x58), 35) == ["not-taken"] * 3 + [None] * 2
    # Instructions after a branch or a lane's exit wait for it.
    xml = one_warp(Instr(0x00, "BRA"), Instr(0x10, "R1 MOV"), Instr(0x20, "EXIT", 1), Instr(0x30, "BAR.SYNC", FULL - 1))
    names = [e.get("id") for e in instructions(xml)]
    assert instructions(xml)[1].get("after") == names[0] and tree.fromstring(xml).find(".//barrier").get("after") == names[2]


@test
def the_real_trace():
    folder = os.environ["abs_srcdir"] + "/tests/accel"
    text = open(folder + "/kernel-1.traceg").read()
    xml = load(folder + "/kernelslist.g", notes=".*has 3 blocks of a grid of 196;.*")
    assert executed(xml) == traced(text) == 2 * 8 * 16 + 2 * 16 + 17 + 5 * 6, executed(xml)
    run = warpipe("run", folder + "/kernelslist.g", "--gpu", "v100", "--sms", "all", "--format", "json")
    assert json.loads(run.stdout)["instructions"] == executed(xml), run.stderr
    write("kernel.xml", xml)
    assert warpipe("validate", "kernel.xml").returncode == 0
    again = warpipe("run", "kernel.xml", "--gpu", "v100", "--sms", "all", "--format", "json")
    # The notes are of the import, and not of the kernel.xml that it made.
    reports = [json.loads(done.stdout) for done in (run, again)]
    differ = [key for key in reports[0] if reports[0][key] != reports[1].get(key)]
    assert len(reports[0]) > 20 and set(differ) <= {"kernel", "notes"}, differ


@test
def what_a_trace_cannot_say_is_a_warning():
    copy = Instr(0x10, "LDGSTS.E.BYPASS.128 R2 R4", FULL, lambda k: 0x1000 + 16 * k, 16)
    wait = Instr(0x20, "DEPBAR.LE")
    for steps, warning in (((wait,), ""), ((copy,), ""),
                           ((copy, wait), r"waits for asynchronous copies \(1 instruction: cp.async.wait_group at one.traceg:[0-9]+\)"),
                           ((wait, Instr(0x30, "R1 SYNCS.PHASECHK.TRANS64.TRYWAIT R2")),
                            r"waits through mbarrier \(1 instruction: mbarrier.try_wait.shared.b64 at one.traceg:[0-9]+\)")):
        trace = Trace()
        trace.blocks[0, 0, 0] = {0: list(steps)}
        said = r"warpipe: warning: lower-bound: times are a lower bound; not modelled: %s\n" % warning
        xml = load(write("one.traceg", trace.format()), notes=said if warning else "")
        assert (xml.find('<warning name="lower-bound"') >= 0) == bool(warning), xml


@test
def a_random_permutation_needs_little_occupancy():
    # Volkov 2016, section 3.10: 6% to 15% of full occupancy, against 50% to over 100%.
    for name, is_random in (("ordered", False), ("random", True)):
        xml = load(write(name + ".traceg", make_permute(is_random).format()))
        assert len(tree.fromstring(xml).findall("program")) == 1
        assert [e.get("context") for e in find(xml, "LDG")] == [None, "random" if is_random else None]
        write(name + ".xml", xml)
    for gpu, full in (("8800gtx", 24), ("gtx280", 32), ("gtx480", 48), ("gtx680", 64), ("gtx980", 64)):
        ordered, other = (json.loads(warpipe("bounds", name + ".xml", "--gpu", gpu, "--format", "json").stdout)
                          for name in ("ordered", "random"))
        print("# %s: %.3g and %.3g of %d warps" % (gpu, ordered["needed_occupancy"], other["needed_occupancy"], full))
        assert other["needed_occupancy"] <= 0.15 * full, gpu
        assert other["needed_occupancy"] < ordered["needed_occupancy"] / 4, gpu


def long_trace(path, n):
    """N lines: a warp of n / 2 in a loop, and many short ones."""
    with open(path, "w") as file:
        text = Trace(grid=(1 + n // 3200, 1, 1), block=(512, 1, 1)).format()
        file.write(text)
        loop = "".join(Instr(16 * i, "R4 FFMA R4 R2").format(5, 1, "", False) + "\n" for i in range(99)) + \
            Instr(16 * 99, "BRA").format(5, 1, "", False) + "\n"
        file.write("#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = %d\n" % (n // 200 * 100))
        for i in range(n // 200):
            file.write(loop)
        file.write("#END_TB\n")
        for block in range(1, 1 + n // 3200):
            file.write("#BEGIN_TB\nthread block = %d,0,0\n" % block)
            file.write("".join("warp = %d\ninsts = 100\n%s" % (w, loop) for w in range(16)))
            file.write("#END_TB\n")


@test
def a_long_trace_in_little_memory():
    if os.environ.get("SAN_CFLAGS"):
        return "SKIP sanitizers need more memory than that"
    n = int(os.environ.get("WARPIPE_LONG_TRACE") or 200000)
    long_trace("long.traceg", n)
    # Address space: libraries and 16 bytes for each line of the longest warp.
    most = (300 << 20) + 16 * n
    done = warpipe("import", "long.traceg", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (most, most)))
    assert done.returncode == 0, done.stderr
    assert executed(done.stdout) == n // 200 * 100 + n // 3200 * 1600
    assert len(done.stdout) < 40000
    os.remove("long.traceg")


def main():
    failed = 0
    print("1..%d" % len(TESTS))
    for number, function in enumerate(TESTS, 1):
        title = function.__name__.replace("_", " ")
        try:
            skipped = function()
            print("ok %d - %s%s" % (number, title, " # " + skipped if skipped else ""))
        except (AssertionError, OSError, ValueError, KeyError, IndexError) as problem:
            failed = 1
            print("# " + repr(problem).replace("\n", " ")[:2000])
            print("not ok %d - %s" % (number, title))
        sys.stdout.flush()
    return failed


sys.exit(main())
