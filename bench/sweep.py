# SPDX-License-Identifier: MIT
"""How long does a sweep of ten thousand runs take: five GPUs, forty occupancies, ten mixes, five
policies?"""
import os
import shutil
import subprocess
import tempfile
import time

from measure import QUICK, cores, environment, explain, figure, heading, line, program

explain()

GPUS = "8800gtx,gtx280,gtx480,gtx680,gtx980"
ALPHAS = "4,64" if QUICK else "1,2,4,8,16,32,64,128,256,512"
OCCUPANCIES = "4-40/4" if QUICK else "1-40"
POLICIES = "rr,gto" if QUICK else "rr,gto,gty,oldest,two-level"
LIMIT = 60  # seconds on two cores


def has_mpi():
    version = subprocess.run([program(), "--version"], env=environment(), check=True,
                             capture_output=True, text=True)
    return version.stdout.rstrip().endswith("with MPI") and shutil.which("mpirun") is not None


def sweep(n_processes, n_cores, path):
    """Seconds by the clock, and of the processor."""
    launcher = ["mpirun", "--oversubscribe", "-n", str(n_processes)] if n_processes else []
    # mpirun does not run for root, who may be all that there is in a container, unless told so
    # twice.
    allowed = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    before = os.times()
    began = time.monotonic()
    # 1600 blocks are 100 for each of the 16 SMs of gtx980, and between 53 and 200 on the others.
    subprocess.run([*launcher, program(), "sweep", "volkov-mix", "--gpu", GPUS, "--occupancy",
                    OCCUPANCIES, "--set",
                    f"alpha={ALPHAS}", "--policy", POLICIES, "--no-limits", "--blocks",
                    "1600", "--cores",
                    str(n_cores), "--output", path], env=environment() | allowed, check=True)
    elapsed = time.monotonic() - began
    after = os.times()
    return elapsed, after.children_user + after.children_system - before.children_user - before.children_system


def main():
    heading("A sweep", f"""
volkov-mix on {GPUS} at occupancies {OCCUPANCIES}, alphas {ALPHAS}, policies {POLICIES}; one SM,
1600 blocks. On {cores()}. Wanted: 10,000 rows in less than {LIMIT} s on two cores. Processes: of
mpirun, where there is MPI.
""")
    line(f"{'processes':>9}", f"{'cores':>5}", f"{'rows':>6}", f"{'seconds':>8}",
         f"{'processor':>9}",
         f"{'ms each':>8}", "  alike")
    tables = []
    with tempfile.TemporaryDirectory() as folder:
        for n_processes, n_cores in [(0, 2), (0, 1)] + ([(2, 1), (3, 1)] if has_mpi() else []):
            path = os.path.join(folder, f"{n_processes}-{n_cores}.csv")
            elapsed, processor = sweep(n_processes, n_cores, path)
            with open(path, "rb") as table:
                tables.append(table.read())
            rows = tables[-1].count(b"\n") - 1
            line(f"{n_processes or '-':>9}", f"{n_cores:5}", f"{rows:6}", figure(elapsed, 8),
                 figure(processor, 9),
                 figure(1000 * processor / rows, 8),
                 figure("yes" if tables[-1] == tables[0] else "NO", 7))


main()
