# libidg: what must execute, and after what. Knows no GPU.
lib_LTLIBRARIES += libidg.la
noinst_LTLIBRARIES += libidg-import.la libidg-xml.la

idg_engine_sources = %reldir%/idg-program.c
engine_sources += $(idg_engine_sources)
engine_headers += %reldir%/idg-macros.h %reldir%/idg-program.h

# Reading XML with line numbers and bounds, and holding it against a schema: both libraries and the program need
# some of it, neither library exports it.
libidg_xml_la_SOURCES = \
	%reldir%/idg-schema-xml.c \
	%reldir%/idg-schema.h \
	%reldir%/idg-xml-shape.c \
	%reldir%/idg-xml.c \
	%reldir%/idg-xml.h

%canon_reldir%_includedir = $(includedir)/warpipe/idg
%canon_reldir%_include_HEADERS = \
	%reldir%/idg-coalesce.h \
	%reldir%/idg-graph.h \
	%reldir%/idg-import.h \
	%reldir%/idg-kernel.h \
	%reldir%/idg-macros.h \
	%reldir%/idg-program.h
public_headers += $(%canon_reldir%_include_HEADERS)
# Kernels from what other tools print: a library of its own, so that tests reach what libidg does not export.
libidg_import_la_SOURCES = \
	%reldir%/idg-accel-build.c \
	%reldir%/idg-accel-classes.c \
	%reldir%/idg-accel-context.c \
	%reldir%/idg-accel-fold.c \
	%reldir%/idg-accel-header.c \
	%reldir%/idg-accel-lines.c \
	%reldir%/idg-accel-parse.c \
	%reldir%/idg-accel-program.c \
	%reldir%/idg-accel-ranges.c \
	%reldir%/idg-accel-warps.c \
	%reldir%/idg-accel-warps.h \
	%reldir%/idg-accel.h \
	%reldir%/idg-coalesce.c \
	%reldir%/idg-code.c \
	%reldir%/idg-code.h \
	%reldir%/idg-dominate.c \
	%reldir%/idg-flow.c \
	%reldir%/idg-flow.h \
	%reldir%/idg-frontend-ptx.c \
	%reldir%/idg-frontend-sass-instr.c \
	%reldir%/idg-frontend-sass-lines.c \
	%reldir%/idg-frontend-sass-meaning.c \
	%reldir%/idg-frontend-sass-operands.c \
	%reldir%/idg-frontend-sass-roles.c \
	%reldir%/idg-frontend-sass-ways.c \
	%reldir%/idg-frontend-sass.c \
	%reldir%/idg-frontend-sass.h \
	%reldir%/idg-frontend-trace.c \
	%reldir%/idg-frontend.c \
	%reldir%/idg-frontend.h \
	%reldir%/idg-import.c \
	%reldir%/idg-layout.c \
	%reldir%/idg-layout.h \
	%reldir%/idg-loops.c \
	%reldir%/idg-ops-modifiers.c \
	%reldir%/idg-ops-nearest.c \
	%reldir%/idg-ops-private.h \
	%reldir%/idg-ops-ptx.c \
	%reldir%/idg-ops-sass.c \
	%reldir%/idg-ops.c \
	%reldir%/idg-ops.h \
	%reldir%/idg-ptx-body.c \
	%reldir%/idg-ptx-body.h \
	%reldir%/idg-ptx-call.c \
	%reldir%/idg-ptx-declare.c \
	%reldir%/idg-ptx-emit.c \
	%reldir%/idg-ptx-emit.h \
	%reldir%/idg-ptx-lex.c \
	%reldir%/idg-ptx-lex.h \
	%reldir%/idg-ptx-math.c \
	%reldir%/idg-ptx-module.c \
	%reldir%/idg-ptx-opcode.c \
	%reldir%/idg-ptx-operand.c \
	%reldir%/idg-ptx-param.c \
	%reldir%/idg-ptx-scope.c \
	%reldir%/idg-ptx.h \
	%reldir%/idg-ptxas-log.c \
	%reldir%/idg-trips.c \
	%reldir%/idg-walk.c \
	%reldir%/idg-walk.h
libidg_import_la_CPPFLAGS = $(AM_CPPFLAGS) $(ARCHIVE_CFLAGS)
libidg_import_la_LIBADD = $(ARCHIVE_LIBS)
libidg_la_SOURCES = \
	$(idg_engine_sources) \
	%reldir%/idg-graph-dot.c \
	%reldir%/idg-graph-graphml.c \
	%reldir%/idg-graph.c \
	%reldir%/idg-kernel.c \
	%reldir%/idg-kernel-write.c \
	%reldir%/idg-kernel-xml.c
libidg_la_LIBADD = libidg-import.la libidg-xml.la $(DEPS_LIBS)
libidg_la_LDFLAGS = $(AM_LDFLAGS) -no-undefined -version-info 0:0:0

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
EXTRA_DIST += %reldir%/kernels/README.md
