# Figures: plain data, the gnuplot script that draws them, and gnuplot. Part of the program, not installed.
noinst_LTLIBRARIES += libplots.la
libplots_la_SOURCES = \
	%reldir%/wp-child.c \
	%reldir%/wp-child.h \
	%reldir%/wp-plot-draw.c \
	%reldir%/wp-plot-draw.h \
	%reldir%/wp-plot-csv.c \
	%reldir%/wp-plot-format.c \
	%reldir%/wp-plot-quote.c \
	%reldir%/wp-plot-script.c \
	%reldir%/wp-plot-tex.c \
	%reldir%/wp-plot.c \
	%reldir%/wp-plot.h
libplots_la_LIBADD = -lm
