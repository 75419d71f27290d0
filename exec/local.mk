# Machine code read, decoded and executed; caches looked up; what was executed as a kernel. The library is
# the program's and libwarpipe's.
noinst_LTLIBRARIES += libexec.la
libexec_la_SOURCES = \
	%reldir%/cubin/wp-cubin.h \
	%reldir%/machine/wp-block.h \
	%reldir%/machine/wp-ops-families.def \
	%reldir%/machine/wp-ops-integer.c \
	%reldir%/machine/wp-ops.h \
	%reldir%/machine/wp-prepare.c \
	%reldir%/machine/wp-prepare.h \
	%reldir%/machine/wp-program.h \
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
	%reldir%/sass/wp-sass-name.c \
	%reldir%/sass/wp-sass-ops.def \
	%reldir%/sass/wp-sass-words.def \
	%reldir%/sass/wp-sass.h \
	%reldir%/trail/wp-trail-private.h \
	%reldir%/trail/wp-trail-reader.c \
	%reldir%/trail/wp-trail-store.c \
	%reldir%/trail/wp-trail.c \
	%reldir%/trail/wp-trail.h
