#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The decoder of machine code (exec/sass) against a disassembler: text and control bits of every instruction.

usage: listings.py --disassembler PATH [--write] [--targets 80,90] [--assembler PATH] [FILE...]

FILE: cubins whose names end in sm_XX.cubin; without them the kernels of tests/cuda/execute are compiled for all
targets (nvcc on the PATH; PTX for targets that it no longer knows goes to the --assembler). PATH is called as
`PATH -ndf -b SM80 FILE` for code without a container. --write adds to the lists of tests/listings an
instruction of each new form that is decoded. Exit status 1: a difference. SASS_LISTING names tests/sass-listing."""
import argparse
import collections
import glob
import os
import re
import struct
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TARGETS = ["70", "75", "80", "86", "89", "90", "100", "120"]
KERNELS = os.path.join(ROOT, "tests", "cuda", "execute", "*.cu")
HEAD = "address,high,low,stall,yield,write,read,wait,text"
SHOWN = 3
BATCH = 1 << 20

# "/*01a0*/   @P0 FADD R1, R2, R3 &req={0} &wr=0x1 ?trans4 ;": control bits are shown since sm_100.
LINE = re.compile(r"^\s*/\*([0-9a-f]{4,})\*/\s+(.*?)\s*;")
CONTROL = re.compile(r"\s+[&?].*$")

# What is left of a text where two instructions have the same form.
FORM = [(re.compile(pattern), name) for pattern, name in (
    (r"\bUR\d+", "UR"), (r"\bR\d+", "R"), (r"\bUP\d", "UP"), (r"\bP\d", "P"), (r"-?0x[0-9a-f]+", "I"),
    (r"(?<=[ ,])[+-]?\d+(\.\d+)?(e[+-]\d+)?(?=,|$)", "N"), (r"\bB\d+", "B"), (r"\bSB\d", "SB"))]


def code_of(path):
    """The code of all functions of a cubin, one after the other."""
    with open(path, "rb") as file:
        data = file.read()
    table, = struct.unpack_from("<Q", data, 40)
    size, count, names = struct.unpack_from("<HHH", data, 58)
    heads = [struct.unpack_from("<IIQQQQ", data, table + size * i) for i in range(count)]
    for name, kind, _, _, offset, length in heads:
        start = heads[names][4] + name
        if kind == 1 and data[start:data.index(b"\0", start)].startswith(b".text"):
            yield data[offset:offset + length]


def texts_of(disassembler, target, path):
    """The disassembler's text by address: what it says of the instruction, and of its control bits."""
    run = subprocess.run([disassembler, "-ndf", "-b", "SM" + target, path], capture_output=True, text=True)
    texts = {}
    for line in run.stdout.splitlines():
        found = LINE.match(line)
        if found:
            texts[int(found[1], 16)] = found[2]
    if not texts:
        sys.exit(f"{path}: the disassembler says: {run.stderr.strip()[:200]}")
    return texts


def clean(text):
    """The text without control bits and blanks that say nothing: "c[0x0] [0x160]", "+INF , PT"."""
    return CONTROL.sub("", text).replace(" ,", ",").replace("] [", "][").strip()


def control_of(bits):
    """Stall, yield, write and read barrier, barriers waited for: bits 105 on (Jia et al. 2018, section 2.1)."""
    return [bits >> 105 & 15, 1 - (bits >> 109 & 1), bits >> 110 & 7, bits >> 113 & 7, bits >> 116 & 63]


def shown_control(text):
    """The same as the disassembler's text has them; None: it does not."""
    stall = re.search(r"\?(trans|WAIT)(\d+)", text)
    if not stall:
        return None
    write, read, wait = (re.search(pattern, text) for pattern in
                         (r"&wr=0x(\d)", r"&(?:rd|wr_early)=0x(\d)", r"&req=\{([\d,]*)\}"))
    return [int(stall[2]), int(stall[1] == "WAIT"), int(write[1]) if write else 7, int(read[1]) if read else 7,
            sum(1 << int(barrier) for barrier in wait[1].split(",")) if wait else 0]


def form_of(text):
    text = re.sub(r"^@!?U?P\w ", "@ ", text)
    for pattern, name in FORM:
        text = pattern.sub(name, text)
    return text


class Target:
    """What was seen of a target: counts by op, differences, a row for each form."""

    def __init__(self, name):
        self.name, self.ops, self.different, self.rows = name, collections.Counter(), [], {}

    def compare(self, address, bits, text, ours):
        said, shown, control = clean(text), shown_control(text), control_of(bits)
        op = said.split(" ")[1 if said.startswith("@") else 0].split(".")[0]
        self.ops[op] += 1
        row = ",".join(f"{value:x}" for value in control) + "," + said
        if shown is not None and shown != control:
            self.different.append((address, bits, f"control bits {shown}", f"{control}"))
        if ours != row:
            self.different.append((address, bits, row, ours))
            return
        self.rows.setdefault((bits & 0xfff, form_of(said)),
                             f"{address:x},{bits >> 64:x},{bits & (1 << 64) - 1:x},{row}")

    def keep(self, path):
        """The rows of the list at PATH: a list only grows."""
        with open(path, encoding="ascii") as file:
            for row in file.read().splitlines()[1:]:
                fields = row.split(",", 8)
                self.rows[(int(fields[2], 16) & 0xfff, form_of(fields[8]))] = row

    def write(self, folder):
        path = os.path.join(folder, f"sm_{self.name}.csv")
        if os.path.exists(path):
            self.keep(path)
        with open(path, "w", encoding="ascii") as file:
            file.write("\n".join([HEAD] + sorted(self.rows.values(), key=lambda row: row.split(",", 8)[8])) + "\n")


def batches_of(paths):
    """The code of files, as few pieces as a run of the disassembler takes well."""
    piece = b""
    for path in paths:
        for text in code_of(path):
            piece += text
            if len(piece) > BATCH:
                yield piece
                piece = b""
    if piece:
        yield piece


def read_code(target, code, disassembler, folder):
    path = os.path.join(folder, "code")
    with open(path, "wb") as file:
        file.write(code)
    ours = subprocess.run([os.environ.get("SASS_LISTING", "tests/sass-listing"), target.name, path], check=True,
                          capture_output=True, text=True).stdout.splitlines()
    for address, said in texts_of(disassembler, target.name, path).items():
        target.compare(address, int.from_bytes(code[address:address + 16], "little"), said, ours[address // 16])


def compile_kernels(targets, assembler, folder):
    """Cubins of our kernels; what a target lacks is not compiled for it."""
    for source in sorted(glob.glob(KERNELS)):
        name = os.path.join(folder, os.path.basename(source)[:-3])
        for target in targets:
            cubin = f"{name}.sm_{target}.cubin"
            if target != "70":
                subprocess.run(["nvcc", "-cubin", "-arch=sm_" + target, source, "-o", cubin], capture_output=True)
            elif assembler and subprocess.run(["nvcc", "-ptx", "-arch=compute_75", source, "-o", name + ".ptx"],
                                              capture_output=True).returncode == 0:
                with open(name + ".ptx", encoding="utf-8") as file:
                    text = file.read()
                text = re.sub(r"(?m)^\.version .*", ".version 8.4", re.sub(r"(?m)^\.target .*", ".target sm_70", text))
                with open(name + ".ptx", "w", encoding="utf-8") as file:
                    file.write(text)
                subprocess.run([assembler, "-arch=sm_70", name + ".ptx", "-o", cubin], capture_output=True)
    return sorted(glob.glob(os.path.join(folder, "*.cubin")))


def report(target, files):
    print(f"sm_{target.name}: {files} files, {sum(target.ops.values())} instructions, {len(target.ops)} ops, "
          f"{len(target.rows)} forms, {len(target.different)} different", flush=True)
    for address, bits, said, ours in target.different[:SHOWN]:
        print(f"  {address:#x} {bits:032x}\n    expected {said}\n    decoded  {ours}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--disassembler", default=os.environ.get("DISASSEMBLER"))
    parser.add_argument("--assembler")
    parser.add_argument("--targets", default=",".join(TARGETS))
    parser.add_argument("--write", action="store_true")
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    if not options.disassembler:
        sys.exit("listings.py: no disassembler; --disassembler PATH, or DISASSEMBLER=PATH, says which one")
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        targets = options.targets.split(",")
        files = options.files or compile_kernels(targets, options.assembler, folder)
        for target in map(Target, targets):
            own = [path for path in files if re.search(rf"sm_{target.name}[a-z]?(_\d+)?\.cubin$", path)]
            for code in batches_of(own):
                read_code(target, code, options.disassembler, folder)
            report(target, len(own))
            failed |= bool(target.different)
            if options.write and target.rows:
                target.write(os.path.join(ROOT, "tests", "listings"))
    sys.exit(failed)


if __name__ == "__main__":
    main()
