# SPDX-License-Identifier: MIT
"""Counts the instructions of compiled kernels twice: as the import reads them (tests/ptx-count), and
by a regular expression. Kernels are made at random (expressions of four types, counted
and open loops, branches, shared memory) and compiled by clang and nvcc, whichever are there, for
several versions of PTX. Each branch is imported with both of its sides, so that all code counts.

usage: counts.py WARPIPE [--kernels N] [--seed N] [--keep FOLDER]

Prints a row for each compiler and version, and each kernel whose counts differ. Exit status: 0 equal,
1 different, 77 no compiler."""

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

# Version of PTX, and the oldest GPU that the compiler takes with it.
CLANG = [("3.2", "ptx32", "sm_20"), ("4.1", "ptx41", "sm_35"), ("5.0", "ptx50", "sm_60"),
         ("6.3", "ptx63", "sm_70"), ("7.0", "ptx70", "sm_70"), ("7.5", "ptx75", "sm_80")]
NVCC = ["compute_75", "compute_90"]

PRELUDE = """#ifndef __NVCC__
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
static inline __attribute__((device)) int tid (void) { return __nvvm_read_ptx_sreg_tid_x (); }
#else
static inline __device__ int tid (void) { return threadIdx.x; }
#endif
"""


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.depth = 0
        self.kind = self.random.choice(["float", "double", "int", "unsigned long long"])

    def term(self):
        return self.random.choice(["a", "b", "c", "x[t + %d]" % self.random.randrange(9), "(%s)t" % self.kind,
                                   "(%s)%d" % (self.kind, self.random.randrange(1, 99))])

    def expression(self):
        signs = ["+", "-", "*"] + (["&", "^", ">> 3 |"] if "int" in self.kind or "long" in self.kind else ["/"])
        text = self.term()
        for _ in range(self.random.randrange(1, 5)):
            text = "(%s %s %s)" % (text, self.random.choice(signs), self.term())
        return text

    def statement(self, pad):
        sort = self.random.randrange(9 if self.depth < 2 else 5)
        name = self.random.choice("abc")
        if sort < 3:
            return "%s%s = %s;\n" % (pad, name, self.expression())
        if sort == 3:
            return "%sx[t + %d] = %s;\n" % (pad, self.random.randrange(99), name)
        if sort == 4:
            return "%s%s = %s > %s ? %s : %s;\n" % (pad, name, self.term(), self.term(), self.expression(), name)
        self.depth += 1
        body = "".join(self.statement(pad + "  ") for _ in range(self.random.randrange(1, 4)))
        self.depth -= 1
        if sort == 5:
            return "%sif (%s < %s)\n%s  {\n%s%s  }\n" % (pad, self.term(), self.term(), pad, body, pad)
        end = "n" if sort == 6 else str(self.random.randrange(2, 40))
        unroll = "" if sort == 8 else "#pragma unroll 1\n"
        return "%s%sfor (int i%d = 0; i%d < %s; i%d++)\n%s  {\n%s%s  }\n" % (
            unroll, pad, self.depth, self.depth, end, self.depth, pad, body, pad)

    def kernel(self):
        body = "".join(self.statement("  ") for _ in range(self.random.randrange(3, 9)))
        if self.random.random() < 0.4:
            body += "  tile[t & 63] = a;\n  __syncthreads ();\n  b = b + tile[(t + 1) & 63];\n"
        return (PRELUDE + 'extern "C" __global__ void k (%s *x, int n)\n{\n  __shared__ %s tile[64];\n  int t = tid ();\n'
                "  %s a = x[t], b = x[t + 64], c = 3;\n%s  x[t] = a + b + c;\n  if (n == 12345)\n    x[0] = tile[0];\n}\n"
                % (self.kind, self.kind, self.kind, body))


def count_text(ptx):
    """The instructions between the braces of the only kernel."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", ptx, flags=re.S)
    body = text[text.index("{", text.index(".entry")):]
    body = re.sub(r"\.section\b[^{]*\{[^}]*\}", "", body)
    body = re.sub(r"^\s*\.(loc|file)\b[^\n]*", "", body, flags=re.M)
    body = re.sub(r"[$\w]+:(?!:)", "", body)
    # A list of registers has braces of its own, inside of an instruction.
    statements = (part.lstrip(" \t\n{}") for part in body.split(";"))
    return sum(1 for part in statements if re.match(r"@?!?[%\w]", part))


def count_import(options, path):
    done = subprocess.run([options.warpipe, "import", path], capture_output=True, text=True)
    if done.returncode == 0:
        done = subprocess.run([options.ptx_count, path], capture_output=True, text=True)
    return (int(done.stdout) if done.returncode == 0 else None), done.stderr


def compilers():
    if shutil.which("clang"):
        for version, feature, gpu in CLANG:
            yield "clang, PTX %s" % version, [
                "clang", "-x", "cuda", "-nocudainc", "-nocudalib", "--cuda-device-only", "--cuda-gpu-arch=" + gpu,
                "-Wno-unknown-cuda-version", "-Xclang", "-target-feature", "-Xclang", "+" + feature, "-S", "-O2"]
    if shutil.which("nvcc"):
        for target in NVCC:
            yield "nvcc, " + target, ["nvcc", "-ptx", "-arch=" + target]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("warpipe")
    parser.add_argument("ptx_count", metavar="ptx-count")
    parser.add_argument("--kernels", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep")
    options = parser.parse_args()
    folder = options.keep or tempfile.mkdtemp()
    os.makedirs(folder, exist_ok=True)
    rows = list(compilers())
    wrong = n_all = 0
    for title, command in rows:
        n = instructions = refused = 0
        for seed in range(options.seed, options.seed + options.kernels):
            source, ptx = os.path.join(folder, "k%d.cu" % seed), os.path.join(folder, "k%d.ptx" % seed)
            with open(source, "w") as stream:
                stream.write(Maker(seed).kernel())
            done = subprocess.run(command + [source, "-o", ptx], capture_output=True, text=True)
            if done.returncode != 0:
                refused += 1
                continue
            with open(ptx) as stream:
                wanted = count_text(stream.read())
            got, said = count_import(options, ptx)
            n, instructions = n + 1, instructions + wanted
            if got != wanted:
                wrong += 1
                print("%s, seed %d: %s imported, %d in the text" % (title, seed, got, wanted))
                if got is None:
                    print("  " + said.strip())
        n_all += n
        print("%s: %d kernels, %d instructions, %d that it does not compile" % (title, n, instructions, refused))
    print("%d kernels, %d differ" % (n_all, wrong))
    if not options.keep:
        shutil.rmtree(folder)
    return 77 if not rows else 1 if wrong or n_all == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
