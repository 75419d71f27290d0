# libidg: what must execute, and after what. Knows no GPU.
lib_LTLIBRARIES += libidg.la
noinst_LTLIBRARIES += libidg-import.la libidg-xml.la

idg_engine_sources = %reldir%/kernel/idg-pool.c %reldir%/kernel/idg-pool.h %reldir%/kernel/idg-program.c
engine_sources += $(idg_engine_sources)
engine_headers += %reldir%/kernel/idg-macros.h %reldir%/kernel/idg-pool.h %reldir%/kernel/idg-program.h

# Reading XML with line numbers and bounds, holding it against a table of shapes, names and "did you mean": both libraries and the program
# need some of it, neither library exports it.
libidg_xml_la_SOURCES = \
	%reldir%/kernel/idg-demangle.c \
	%reldir%/kernel/idg-demangle.h \
	%reldir%/kernel/idg-problem.c \
	%reldir%/kernel/idg-problem.h \
	%reldir%/kernel/idg-signals.c \
	%reldir%/kernel/idg-signals.h \
	%reldir%/kernel/idg-suggest.c \
	%reldir%/kernel/idg-suggest.h \
	%reldir%/kernel/idg-text.c \
	%reldir%/kernel/idg-text.h \
	%reldir%/xml/idg-head.c \
	%reldir%/xml/idg-head.h \
	%reldir%/xml/idg-text.c \
	%reldir%/xml/idg-text.h \
	%reldir%/xml/idg-xml-problem.c \
	%reldir%/xml/idg-xml-problem.h \
	%reldir%/xml/idg-xml-shape.c \
	%reldir%/xml/idg-xml-types.c \
	%reldir%/xml/idg-xml.c \
	%reldir%/xml/idg-xml.h

%canon_reldir%_includedir = $(includedir)/warpipe
nobase_%canon_reldir%_include_HEADERS = \
	%reldir%/kernel/idg-coalesce.h \
	%reldir%/kernel/idg-graph.h \
	%reldir%/import/base/idg-import-options.h \
	%reldir%/import/idg-import.h \
	%reldir%/kernel/idg-barriers.h \
	%reldir%/kernel/idg-kernel.h \
	%reldir%/kernel/idg-macros.h \
	%reldir%/kernel/idg-mix.h \
	%reldir%/kernel/idg-program.h \
	%reldir%/kernel/idg-types.h \
	%reldir%/kernel/idg-unused.h
public_headers += $(nobase_%canon_reldir%_include_HEADERS)
# Kernels from what other tools print: a library of its own, so that tests reach what libidg does not export.
libidg_import_la_SOURCES = \
	%reldir%/import/base/idg-frontend.h \
	%reldir%/import/base/idg-import-options.c \
	%reldir%/import/base/idg-import-private.h \
	%reldir%/import/base/idg-notes.c \
	%reldir%/import/base/idg-notes.h \
	%reldir%/import/flow/idg-groups.c \
	%reldir%/import/flow/idg-groups.h \
	%reldir%/import/flow/idg-hints.c \
	%reldir%/import/flow/idg-hints.h \
	%reldir%/import/flow/idg-listing.c \
	%reldir%/import/flow/idg-listing.h \
	%reldir%/import/accel/idg-accel-bytes.c \
	%reldir%/import/accel/idg-accel-bytes.h \
	%reldir%/import/accel/idg-accel-unpack-zlib.c \
	%reldir%/import/accel/idg-accel-unpack.h \
	%reldir%/import/accel/idg-accel-classes.c \
	%reldir%/import/accel/idg-accel-context.c \
	%reldir%/import/accel/idg-accel-header.c \
	%reldir%/import/accel/idg-accel-lines.c \
	%reldir%/import/accel/idg-accel-parse.c \
	%reldir%/import/accel/idg-accel.h \
	%reldir%/kernel/idg-coalesce.c \
	%reldir%/import/flow/idg-async.c \
	%reldir%/import/flow/idg-async.h \
	%reldir%/import/flow/idg-carried.c \
	%reldir%/import/flow/idg-carried.h \
	%reldir%/import/flow/idg-code.c \
	%reldir%/import/flow/idg-code.h \
	%reldir%/import/flow/idg-dominate.c \
	%reldir%/import/flow/idg-effects.c \
	%reldir%/import/flow/idg-flow.c \
	%reldir%/import/flow/idg-flow.h \
	%reldir%/import/ptx/idg-frontend-ptx.c \
	%reldir%/import/sass/idg-frontend-sass-instr.c \
	%reldir%/import/sass/idg-frontend-sass-lines.c \
	%reldir%/import/sass/idg-frontend-sass-meaning.c \
	%reldir%/import/sass/idg-frontend-sass-operands.c \
	%reldir%/import/sass/idg-frontend-sass-roles.c \
	%reldir%/import/sass/idg-frontend-sass-ways.c \
	%reldir%/import/sass/idg-frontend-sass.c \
	%reldir%/import/sass/idg-frontend-sass.h \
	%reldir%/import/accel/idg-frontend-trace.c \
	%reldir%/import/fold/idg-fold-build.c \
	%reldir%/import/fold/idg-fold-classes.c \
	%reldir%/import/fold/idg-fold-fetch.c \
	%reldir%/import/fold/idg-fold-program.c \
	%reldir%/import/fold/idg-fold-ranges.c \
	%reldir%/import/fold/idg-fold-sequence.c \
	%reldir%/import/fold/idg-fold-warps.c \
	%reldir%/import/fold/idg-fold-warps.h \
	%reldir%/import/fold/idg-fold.h \
	%reldir%/import/idg-import.c \
	%reldir%/import/flow/idg-layout.c \
	%reldir%/import/flow/idg-layout.h \
	%reldir%/import/flow/idg-loops.c \
	%reldir%/import/flow/idg-copies.c \
	%reldir%/import/flow/idg-places.c \
	%reldir%/import/flow/idg-places.h \
	%reldir%/import/flow/idg-share.c \
	%reldir%/import/flow/idg-share.h \
	%reldir%/import/flow/idg-plan-ahead.c \
	%reldir%/import/flow/idg-plan-branch.c \
	%reldir%/import/flow/idg-plan-path.c \
	%reldir%/import/flow/idg-plan-private.h \
	%reldir%/import/flow/idg-plan-rounds.c \
	%reldir%/import/flow/idg-plan.c \
	%reldir%/import/flow/idg-plan.h \
	%reldir%/import/ops/idg-ops-access.c \
	%reldir%/import/ops/idg-ops-modifiers.c \
	%reldir%/import/ops/idg-ops-nearest.c \
	%reldir%/import/ops/idg-ops-private.h \
	%reldir%/import/ops/idg-ops-ptx.c \
	%reldir%/import/ops/idg-ops-sass.c \
	%reldir%/import/ops/idg-ops-suffix.c \
	%reldir%/import/ops/idg-ops-unmodelled.c \
	%reldir%/import/ops/idg-ops-value.c \
	%reldir%/import/ops/idg-ops.c \
	%reldir%/import/ops/idg-ops.h \
	%reldir%/import/ptx/idg-ptx-body.c \
	%reldir%/import/ptx/idg-ptx-body.h \
	%reldir%/import/ptx/idg-ptx-call.c \
	%reldir%/import/ptx/idg-ptx-declare.c \
	%reldir%/import/ptx/idg-ptx-emit.c \
	%reldir%/import/ptx/idg-ptx-images.c \
	%reldir%/import/ptx/idg-ptx-emit.h \
	%reldir%/import/ptx/idg-ptx-lex.c \
	%reldir%/import/ptx/idg-ptx-lex.h \
	%reldir%/import/ptx/idg-ptx-limits.c \
	%reldir%/import/ptx/idg-ptx-listing.c \
	%reldir%/import/ptx/idg-ptx-math.c \
	%reldir%/import/ptx/idg-ptx-module.c \
	%reldir%/import/ptx/idg-ptx-opcode.c \
	%reldir%/import/ptx/idg-ptx-operand.c \
	%reldir%/import/ptx/idg-ptx-param.c \
	%reldir%/import/ptx/idg-ptx-scope.c \
	%reldir%/import/ptx/idg-ptx.h \
	%reldir%/import/ptx/idg-ptxas-log.c \
	%reldir%/import/flow/idg-trips.c \
	%reldir%/import/flow/idg-uniform.c \
	%reldir%/import/flow/idg-uniform.h \
	%reldir%/import/flow/idg-unroll.c \
	%reldir%/import/flow/idg-values.c \
	%reldir%/import/flow/idg-values.h \
	%reldir%/import/flow/idg-walk.c \
	%reldir%/import/flow/idg-walk.h
if WITH_LZMA
libidg_import_la_SOURCES += %reldir%/import/accel/idg-accel-unpack-lzma.c
else
libidg_import_la_SOURCES += %reldir%/import/accel/idg-accel-unpack-plain.c
endif
libidg_import_la_CPPFLAGS = $(AM_CPPFLAGS) $(ZLIB_CFLAGS) $(LZMA_CFLAGS)
libidg_import_la_CFLAGS = $(AM_CFLAGS) $(LONG_CFLAGS)
libidg_import_la_LIBADD = $(ZLIB_LIBS) $(LZMA_LIBS)
libidg_la_SOURCES = \
	$(idg_engine_sources) \
	%reldir%/kernel/idg-graph-dot.c \
	%reldir%/kernel/idg-graph-graphml.c \
	%reldir%/kernel/idg-graph.c \
	%reldir%/xml/idg-kernel-shape.c \
	%reldir%/xml/idg-kernel-shape.h \
	%reldir%/xml/idg-kernel-write.c \
	%reldir%/kernel/idg-barriers.c \
	%reldir%/kernel/idg-kernel.c \
	%reldir%/kernel/idg-mix.c \
	%reldir%/kernel/idg-unused.c \
	%reldir%/xml/idg-kernel-xml.c
libidg_la_LIBADD = libidg-import.la libidg-xml.la $(DEPS_LIBS)
libidg_la_LDFLAGS = $(AM_LDFLAGS) -no-undefined -version-info 2:0:2

kernelsdir = $(pkgdatadir)/kernels
dist_kernels_DATA = \
	%reldir%/kernels/kernel.rng \
	%reldir%/kernels/barrier-divergence.xml \
	%reldir%/kernels/ilp-latencies-load.xml \
	%reldir%/kernels/ilp-latencies-store.xml \
	%reldir%/kernels/ilp-latencies.xml \
	%reldir%/kernels/kothapalli-histogram.xml \
	%reldir%/kernels/kothapalli-list-ranking.xml \
	%reldir%/kernels/kothapalli-matmul.xml \
	%reldir%/kernels/lemeire-3-computations.xml \
	%reldir%/kernels/lemeire-balanced.xml \
	%reldir%/kernels/lemeire-barrier.xml \
	%reldir%/kernels/lemeire-communication-bound.xml \
	%reldir%/kernels/lemeire-computation-bound.xml \
	%reldir%/kernels/lemeire-computation-memory.xml \
	%reldir%/kernels/lemeire-no-barrier.xml \
	%reldir%/kernels/lemeire-two-series.xml \
	%reldir%/kernels/permute-coalesced.xml \
	%reldir%/kernels/permute-random.xml \
	%reldir%/kernels/register-latencies.xml \
	%reldir%/kernels/stream-ilp2.xml \
	%reldir%/kernels/stream-ilp4.xml \
	%reldir%/kernels/stream-ilp8.xml \
	%reldir%/kernels/stream.xml \
	%reldir%/kernels/vector-abs-negative.xml \
	%reldir%/kernels/vector-abs-positive.xml \
	%reldir%/kernels/vector-add.xml \
	%reldir%/kernels/volkov-mix-sfu.xml \
	%reldir%/kernels/volkov-mix-shared.xml \
	%reldir%/kernels/volkov-mix.xml \
	%reldir%/kernels/workload.xml
EXTRA_DIST += %reldir%/libidg.symbols %reldir%/kernels/README.md

# For studies of scheduling: warpipe sweep suite. What is in code/ is executed by some of them.
suitedir = $(kernelsdir)/suite
dist_suite_DATA = \
	%reldir%/kernels/suite/chase.xml \
	%reldir%/kernels/suite/columns.xml \
	%reldir%/kernels/suite/conflicts.xml \
	%reldir%/kernels/suite/doubles.xml \
	%reldir%/kernels/suite/fma-chain.xml \
	%reldir%/kernels/suite/fma-few.xml \
	%reldir%/kernels/suite/fma-four.xml \
	%reldir%/kernels/suite/gemm-cp-async.xml \
	%reldir%/kernels/suite/gemm-mma.xml \
	%reldir%/kernels/suite/hash.xml \
	%reldir%/kernels/suite/phases.xml \
	%reldir%/kernels/suite/row-softmax.xml \
	%reldir%/kernels/suite/sgemm-8x8.xml \
	%reldir%/kernels/suite/shuffles.xml \
	%reldir%/kernels/suite/sines.xml \
	%reldir%/kernels/suite/stencil-3d.xml \
	%reldir%/kernels/suite/sum-loads.xml \
	%reldir%/kernels/suite/table.xml \
	%reldir%/kernels/suite/tiles.xml \
	%reldir%/kernels/suite/transpose-naive.xml \
	%reldir%/kernels/suite/tree-reduction.xml \
	%reldir%/kernels/suite/tree.xml \
	%reldir%/kernels/suite/triad.xml \
	%reldir%/kernels/suite/uneven.xml
suitecodedir = $(suitedir)/code
dist_suitecode_DATA = \
	%reldir%/kernels/suite/code/suite.cu \
	%reldir%/kernels/suite/code/suite.fatbin

# By hand, with nvcc 13.0, after a change of suite.cu: users need no compiler.
.PHONY: suite-code
suite-code:
	cd '$(srcdir)/%reldir%/kernels/suite/code' && nvcc -O3 -fatbin suite.cu -o suite.fatbin \
	  -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90
