# Machine code read, decoded and executed; caches looked up; what was executed as a kernel. The library is
# the program's and libwarpipe's.
noinst_LTLIBRARIES += libexec.la
libexec_la_SOURCES = \
	%reldir%/cubin/wp-cubin-attributes.c \
	%reldir%/cubin/wp-cubin-demangle.c \
	%reldir%/cubin/wp-cubin-functions.c \
	%reldir%/cubin/wp-cubin-image.c \
	%reldir%/cubin/wp-cubin-info.c \
	%reldir%/cubin/wp-cubin-info.h \
	%reldir%/cubin/wp-cubin-lines.c \
	%reldir%/cubin/wp-cubin-lines.h \
	%reldir%/cubin/wp-cubin-load.c \
	%reldir%/cubin/wp-cubin-private.h \
	%reldir%/cubin/wp-cubin-source.c \
	%reldir%/cubin/wp-cubin-symbols.c \
	%reldir%/cubin/wp-cubin.c \
	%reldir%/cubin/wp-cubin.h \
	%reldir%/cubin/wp-elf.c \
	%reldir%/cubin/wp-elf.h \
	%reldir%/cubin/wp-fatbin-lz4.c \
	%reldir%/cubin/wp-fatbin.c \
	%reldir%/cubin/wp-fatbin.h \
	%reldir%/fold/wp-fold-blocks.c \
	%reldir%/fold/wp-fold-blocks.h \
	%reldir%/fold/wp-fold-code.c \
	%reldir%/fold/wp-fold-code.h \
	%reldir%/fold/wp-fold-input.h \
	%reldir%/fold/wp-fold-lines.c \
	%reldir%/fold/wp-fold-lines.h \
	%reldir%/fold/wp-fold-text.c \
	%reldir%/fold/wp-fold-text.h \
	%reldir%/fold/wp-fold.c \
	%reldir%/fold/wp-fold.h \
	%reldir%/launch/wp-launch-expression.c \
	%reldir%/launch/wp-launch-find.c \
	%reldir%/launch/wp-launch-lex.c \
	%reldir%/launch/wp-launch-lex.h \
	%reldir%/launch/wp-launch-match.c \
	%reldir%/launch/wp-launch-operators.c \
	%reldir%/launch/wp-launch-operators.h \
	%reldir%/launch/wp-launch-parser.c \
	%reldir%/launch/wp-launch-parser.h \
	%reldir%/launch/wp-launch-type.c \
	%reldir%/launch/wp-launch-type.h \
	%reldir%/launch/wp-launch-value.c \
	%reldir%/launch/wp-launch-value.h \
	%reldir%/launch/wp-launch.c \
	%reldir%/launch/wp-launch.h \
	%reldir%/machine/wp-block.h \
	%reldir%/machine/wp-number.c \
	%reldir%/machine/wp-number.h \
	%reldir%/machine/wp-ops-arith.c \
	%reldir%/machine/wp-ops-arith.h \
	%reldir%/machine/wp-ops-convert.c \
	%reldir%/machine/wp-ops-double.c \
	%reldir%/machine/wp-ops-exchange.c \
	%reldir%/machine/wp-ops-families.def \
	%reldir%/machine/wp-ops-float.c \
	%reldir%/machine/wp-ops-integer.c \
	%reldir%/machine/wp-ops-special.c \
	%reldir%/machine/wp-ops.h \
	%reldir%/machine/wp-prepare.c \
	%reldir%/machine/wp-prepare.h \
	%reldir%/machine/wp-program.h \
	%reldir%/machine/wp-rows-convert.c \
	%reldir%/machine/wp-rows-double.c \
	%reldir%/machine/wp-rows-float.h \
	%reldir%/machine/wp-rows-single.c \
	%reldir%/machine/wp-rows.h \
	%reldir%/machine/wp-warp.c \
	%reldir%/machine/wp-warp.h \
	%reldir%/memory/wp-access.h \
	%reldir%/memory/wp-bytes.c \
	%reldir%/memory/wp-bytes.h \
	%reldir%/memory/wp-cache.c \
	%reldir%/memory/wp-cache.h \
	%reldir%/memory/wp-caches.c \
	%reldir%/memory/wp-caches.h \
	%reldir%/memory/wp-coalesce.c \
	%reldir%/memory/wp-coalesce.h \
	%reldir%/memory/wp-counts.c \
	%reldir%/memory/wp-counts.h \
	%reldir%/memory/wp-fill.c \
	%reldir%/memory/wp-fill.h \
	%reldir%/memory/wp-memory-access.c \
	%reldir%/memory/wp-memory-dump.c \
	%reldir%/memory/wp-memory-private.h \
	%reldir%/memory/wp-memory.c \
	%reldir%/memory/wp-memory.h \
	%reldir%/memory/wp-shared.c \
	%reldir%/memory/wp-shared.h \
	%reldir%/sass/wp-sass-decode.c \
	%reldir%/sass/wp-sass-name.c \
	%reldir%/sass/wp-sass-operand.c \
	%reldir%/sass/wp-sass-operand.h \
	%reldir%/sass/wp-sass-ops.def \
	%reldir%/sass/wp-sass-special.c \
	%reldir%/sass/wp-sass-table-atomic.c \
	%reldir%/sass/wp-sass-table-control.c \
	%reldir%/sass/wp-sass-table-convert.c \
	%reldir%/sass/wp-sass-table-exchange.c \
	%reldir%/sass/wp-sass-table-float.c \
	%reldir%/sass/wp-sass-table-half.c \
	%reldir%/sass/wp-sass-table-integer.c \
	%reldir%/sass/wp-sass-table-matrix.c \
	%reldir%/sass/wp-sass-table-memory.c \
	%reldir%/sass/wp-sass-table-uniform.c \
	%reldir%/sass/wp-sass-table.h \
	%reldir%/sass/wp-sass-text.c \
	%reldir%/sass/wp-sass-words.def \
	%reldir%/sass/wp-sass.h \
	%reldir%/trail/wp-trail-classes.c \
	%reldir%/trail/wp-trail-classes.h \
	%reldir%/trail/wp-trail-private.h \
	%reldir%/trail/wp-trail-reader.c \
	%reldir%/trail/wp-trail-rows.c \
	%reldir%/trail/wp-trail-rows.h \
	%reldir%/trail/wp-trail-store.c \
	%reldir%/trail/wp-trail.c \
	%reldir%/trail/wp-trail.h
if WITH_ZSTD
libexec_la_SOURCES += %reldir%/cubin/wp-fatbin-zstd.c
else
libexec_la_SOURCES += %reldir%/cubin/wp-fatbin-plain.c
endif
libexec_la_CPPFLAGS = $(AM_CPPFLAGS) $(ZSTD_CFLAGS)
libexec_la_LIBADD = $(ZSTD_LIBS)
# Results are those of IEEE arithmetic on every host: no product and sum becomes one operation unless
# the code says so. Loops over the lanes of a warp become vectors.
libexec_la_CFLAGS = $(AM_CFLAGS) -ffp-contract=off -fno-math-errno -fno-trapping-math \
	-ftree-vectorize
