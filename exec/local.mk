# Machine code read, decoded and executed; caches looked up; what was executed as a kernel. The library is
# the program's and libwarpipe's.
noinst_LTLIBRARIES += libexec.la
libexec_la_SOURCES = \
	%reldir%/cubin/wp-cubin.h \
	%reldir%/machine/wp-warp.h \
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
	%reldir%/sass/wp-sass.h
