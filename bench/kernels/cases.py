# SPDX-License-Identifier: MIT
"""The kernels that were measured: their configurations, how each is compiled and launched."""
import csv
import hashlib
import os

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(HERE, os.pardir, "data")

# A counter as a row names it: what the measurements call it, and how the program's JSON does.
COUNTERS = {
    "warp_instructions": ("warp_instructions", ("warp_instructions",)),
    "thread_instructions": (("fp32_threads", "integer_threads", "control_threads",
                             "memory_threads", "misc_threads"), ("thread_instructions",)),
    "shared_load_wavefronts": ("shared_load_wavefronts", ("shared_load_wavefronts",)),
    "shared_store_wavefronts": ("shared_store_wavefronts", ("shared_store_wavefronts",)),
    "global_load_requests": ("global_load_requests", ("global_loads",)),
    "local_load_sectors": ("local_load_sectors", ("local_load_sectors",)),
    "l2_read_sectors": ("l2_read_sectors", ("l2_read_sectors",)),
    "l2_write_sectors": ("l2_write_sectors", ("l2_write_sectors",)),
    "dram_read_sectors": ("dram_read_sectors", ("memory_read_sectors",)),
    "dram_write_sectors": ("dram_write_sectors", ("memory_write_sectors",)),
}


def brackets(grid, block):
    """What stands between a kernel's name and its arguments."""
    return f"<<<dim3({grid[0]},{grid[1]}),dim3({block[0]},{block[1]})>>>"


class Configuration:
    """One of a case: the values of its columns, and what was measured."""

    def __init__(self, case, values, measured):
        self.case, self.values, self.measured = case, values, measured
        self.label = "-".join(str(values[column]) for column in case.columns)
        key = repr(tuple(values[column] for column in case.columns))
        self.order = hashlib.md5(key.encode(), usedforsecurity=False).hexdigest()
        self.held_out = False

    def __getitem__(self, column):
        return self.values[column]


class Case:
    """What kernels have in common. `clock`: rated, MHz; `gbs`: of memory, GB/s; `rows`: that are
    run when nothing is said."""
    counters = {}
    kernel = property(lambda self: self.name)  # what it is compiled as
    apart = False  # accesses to shared memory: see work.Kernels
    as_measured = True  # the machine code is like the one that was measured

    def read(self, folder):
        with open(os.path.join(folder, self.file), encoding="utf-8") as text:
            return list(csv.DictReader(line for line in text if not line.startswith("#")))

    def spread(self, folder, n):
        """N configurations, spread over the space by a hash; 0: all. Those after the first
        `fitted` are held out: whoever looks for what is wrong looks at the others."""
        found = sorted(self.configurations(folder), key=lambda one: one.order)
        for one in found[self.fitted:]:
            one.held_out = True
        return found[:n] if n else found

    def threads(self, one):
        x, y = self.sizes(one)[1]
        return x * y

    def blocks(self, one):
        x, y = self.sizes(one)[0]
        return x * y

    def configurations(self, folder):
        for row in self.read(folder):
            values = {column: int(row[column]) for column in self.columns}
            yield Configuration(self, values, {"us": float(row["us"])})


class Convolution(Case):
    """See convolution.cu; others measured it twice, with and without a padding that did nothing."""
    name, title, file = "convolution", "convolution", "convolution-2080ti.csv"
    columns = ("block_size_x", "block_size_y", "tile_size_x", "tile_size_y", "read_only")
    macros = ("BLOCK_X", "BLOCK_Y", "TILE_X", "TILE_Y", "READ_ONLY")
    gpu, arch, device = "rtx2080ti", "sm_75", "a GeForce RTX 2080 Ti"
    counters = COUNTERS
    sms, clock, gbs = 68, 1545, 616
    rows, fitted, generation = 600, 300, "Turing"

    def configurations(self, folder):
        found = {}
        for row in self.read(folder):
            found.setdefault(tuple(int(row[column]) for column in self.columns), []).append(row)
        for key, rows in found.items():
            # What disturbs a measurement makes it longer.
            best = min(rows, key=lambda row: float(row["us"]))
            measured = {name: sum(float(best[part]) for part in
                                  ([source] if isinstance(source, str) else source))
                        for name, (source, _) in self.counters.items()}
            measured |= {name: float(best[name]) for name in
                         ("us", "registers", "shared_memory", "issue_active_percent",
                          "warps_active_percent")}
            yield Configuration(self, dict(zip(self.columns, key)), measured)

    def source(self, _folder):
        return os.path.join(HERE, "convolution.cu")

    def options(self, one, _folder):
        return [f"-D{macro}={one[column]}" for macro, column in zip(self.macros, self.columns)]

    def sizes(self, one):
        x, y = one["block_size_x"], one["block_size_y"]
        return [-(-4096 // (x * one["tile_size_x"])), -(-4096 // (y * one["tile_size_y"]))], [x, y]

    def launch(self, one):
        return f"convolution{brackets(*self.sizes(one))}(out,in)"

    def flops(self, _one):
        return 2 * 225 * 4096 * 4096


class Gemm(Case):
    """CLBlast's kernel for products of matrices, which stays where the measurements are. Accesses
    to shared memory stay apart, as the measured times say that they were."""
    name, title, file = "gemm", "GEMM", "gemm-a100-40.csv"
    apart = True
    columns = ("MWG", "NWG", "KWG", "MDIMC", "NDIMC", "MDIMA", "NDIMB", "KWI", "VWM", "VWN", "STRM",
               "STRN", "SA", "SB")
    parts = ("cl_to_cuda.h", "common.opencl", "xgemm_part1.opencl", "xgemm_part2.opencl",
             "xgemm_part3.opencl", "xgemm_part4.opencl")

    gpu, arch, device = "a100-40", "sm_80", "an A100-PCIE-40GB"
    sms, clock, gbs = 108, 1410, 1555
    rows, fitted, generation = 300, 150, "Ampere"

    def source(self, _folder):
        return "".join(f'#include "{part}"\n' for part in self.parts)

    def options(self, one, folder):
        return [f"-I{os.path.join(folder, 'gemm')}", "-DPRECISION=32", "-DGEMMK=0", "-DKREG=1",
                *[f"-D{column}={one[column]}" for column in self.columns]]

    def sizes(self, one):
        return [4096 // one["MWG"], 4096 // one["NWG"]], [one["MDIMC"], one["NDIMC"]]

    def launch(self, one):
        return f"Xgemm{brackets(*self.sizes(one))}(4096,4096,4096,1.5f,0.5f,A,B,C,0,0)"

    def flops(self, _one):
        return 2 * 4096 ** 3


def row_file(case):
    return os.path.join(DATA, f"kernels-{case.name}-{case.gpu}.csv")


class MergedGemm(Gemm):
    """The same as today's compiler makes it, which merges neighbouring accesses to shared memory."""
    name, title = "gemm-merged", "GEMM as compiled today"
    kernel = "gemm"
    apart, as_measured, rows, fitted = False, False, 100, 150


CASES = {case.name: case for case in (Convolution(), Gemm(), MergedGemm())}
