# `make bench` runs each of these from the build directory; a new benchmark is a line here. `make bench BENCH_QUICK=1`
# runs less of each. PYTHON3=/usr/bin/python3 where the first python3 in PATH is not Debian's and has no SimPy.
PYTHON3 = python3
bench_programs = \
	%reldir%/speed.py \
	%reldir%/gpus.py \
	%reldir%/drawn.py \
	%reldir%/growth.py \
	%reldir%/compiled.py \
	%reldir%/execute.py \
	%reldir%/sweep.py \
	%reldir%/traces.py \
	%reldir%/others.py
EXTRA_DIST += $(bench_programs) \
	%reldir%/probe.py \
	%reldir%/baseline.json \
	%reldir%/baseline.py \
	%reldir%/caches.py \
	%reldir%/contended.py \
	%reldir%/cuda/course.cu \
	%reldir%/cuda/gpu-l2-stream.cu \
	%reldir%/cuda/gpu-l2-stream.ptx \
	%reldir%/cuda/gpu-stream.cu \
	%reldir%/cuda/gpu-stream.ptx \
	%reldir%/cuda/incore.cu \
	%reldir%/cuda/incore.ptx \
	%reldir%/cuda/integer-products.cu \
	%reldir%/estimate.py \
	%reldir%/headroom.py \
	%reldir%/data/estimate.csv \
	%reldir%/data/gemm-rtx3080ti.csv \
	%reldir%/data/kernels-ablations.csv \
	%reldir%/data/kernels-convolution-rtx2080ti.csv \
	%reldir%/data/kernels-gemm-a100-40.csv \
	%reldir%/data/kernels-gemm-merged-a100-40.csv \
	%reldir%/data/kernels-ledger.csv \
	%reldir%/data/public-kernels.csv \
	%reldir%/data/gpu-l2-stream-a100-80.csv \
	%reldir%/data/gpu-l2-stream-a40.csv \
	%reldir%/data/gpu-roofline-a100-40.csv \
	%reldir%/data/gpu-roofline-a40.csv \
	%reldir%/data/gpu-stream-a40.csv \
	%reldir%/data/gpu-stream-h100-pcie.csv \
	%reldir%/data/gpu-stream-l40.csv \
	%reldir%/data/gpu-stream-v100.csv \
	%reldir%/data/incore-v100.csv \
	%reldir%/data/volkov-not-fitted.csv \
	%reldir%/data/volkov-table-6.4.csv \
	%reldir%/data/volkov-table-6.6.csv \
	%reldir%/figures.py \
	%reldir%/fit.py \
	%reldir%/forms.py \
	%reldir%/gemm-l1.xml \
	%reldir%/gemm-naive.xml \
	%reldir%/gemm-tiled.xml \
	%reldir%/incore.py \
	%reldir%/kernels/ablate.py \
	%reldir%/kernels/baselines.py \
	%reldir%/kernels/cases.py \
	%reldir%/kernels/convolution.cu \
	%reldir%/kernels/known.py \
	%reldir%/kernels/known_errors.py \
	%reldir%/kernels/ledger.py \
	%reldir%/kernels/main.py \
	%reldir%/kernels/page.py \
	%reldir%/kernels/power.py \
	%reldir%/kernels/rows.py \
	%reldir%/kernels/said.py \
	%reldir%/kernels/scatter.py \
	%reldir%/kernels/scores.py \
	%reldir%/kernels/tables.py \
	%reldir%/kernels/work.py \
	%reldir%/listing.py \
	%reldir%/counts.py \
	%reldir%/listings.py \
	%reldir%/measure.py \
	%reldir%/mix-gpu.xml \
	%reldir%/path-gpu.xml \
	%reldir%/places.py \
	%reldir%/rivals.py \
	%reldir%/roofline.xml \
	%reldir%/rule.py \
	%reldir%/simpy-mix.py \
	%reldir%/stream.py \
	%reldir%/validate.py

bench_run = BENCH_QUICK='$(BENCH_QUICK)' abs_builddir='$(abs_builddir)' WARPIPE_DATA_DIR='$(abs_top_srcdir)' \
	CC='$(CC)' BUILD_CFLAGS='$(CPPFLAGS) $(CFLAGS)' SAN_CFLAGS='$(SAN_CFLAGS)' $(PYTHON3) -B

.PHONY: bench baseline caches fit stream validate validate-kernels
bench: all
	@set -e; for program in $(bench_programs); do $(bench_run) "$(srcdir)/$$program"; done

# What tests/baseline.sh compares with: rewritten when a change of cost is meant.
baseline: all tests/commands$(EXEEXT)
	@$(bench_run) "$(srcdir)/%reldir%/baseline.py" --write

# Kernels that live from the load/store unit, caches or arithmetic, against what was measured; rewrites the tables of
# doc/fidelity-caches.md.
caches: all
	@$(bench_run) "$(srcdir)/%reldir%/caches.py" $(CACHES)

# Contended memory against what was measured (doc/fidelity.md). make fit FIT=--search finds its figures anew.
fit: all
	@$(bench_run) "$(srcdir)/%reldir%/fit.py" $(FIT)

# Streaming kernels on newer GPUs, likewise. make stream STREAM=--search fits the numbers of the rule for their memory.
stream: all
	@$(bench_run) "$(srcdir)/%reldir%/stream.py" $(STREAM)

# Every comparison; rewrites the tables and plots of doc/fidelity.md (needs gnuplot).
validate: all
	@$(bench_run) "$(srcdir)/%reldir%/validate.py" $(VALIDATE)

# Kernels that others measured, against what the program says of them with nothing told; rewrites bench/data/kernels-*.csv
# and the tables of doc/fidelity-kernels.md. Needs nvcc and the measurements. VALIDATE_KERNELS='--case gemm --rows 50'
# does a part and leaves the page; --help has the rest.
MEASURED = $(abs_top_srcdir)/../shared/measured
validate-kernels: all
	@MEASURED='$(MEASURED)' $(bench_run) "$(srcdir)/%reldir%/kernels/main.py" $(VALIDATE_KERNELS)

# What the measuring program gives back of the shipped GPUs: doc/probe.md.
.PHONY: probe-table
probe-table: warpipe
	$(PYTHON3) -B $(srcdir)/%reldir%/probe.py ./warpipe $(srcdir)/doc/probe.md
