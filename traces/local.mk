# Recorders and exporters of what the observer reports. Part of the program, not installed.
noinst_LTLIBRARIES += libtraces.la
libtraces_la_SOURCES = \
	%reldir%/wp-curve.c \
	%reldir%/wp-curve.h \
	%reldir%/wp-draw-cairo.c \
	%reldir%/wp-draw.h \
	%reldir%/wp-follow.c \
	%reldir%/wp-follow.h \
	%reldir%/wp-lifetimes.c \
	%reldir%/wp-lifetimes.h \
	%reldir%/wp-picture-draw.c \
	%reldir%/wp-picture.h \
	%reldir%/wp-sorter.c \
	%reldir%/wp-sorter.h \
	%reldir%/wp-spool.c \
	%reldir%/wp-spool.h \
	%reldir%/wp-timeline-draw.c \
	%reldir%/wp-timeline.h \
	%reldir%/wp-trace-chrome.c \
	%reldir%/wp-trace-issues.c \
	%reldir%/wp-trace-konata.c \
	%reldir%/wp-trace-lifetimes.c \
	%reldir%/wp-trace-occupancy.c \
	%reldir%/wp-trace-picture.c \
	%reldir%/wp-trace-timeline.c \
	%reldir%/wp-trace.c \
	%reldir%/wp-trace.h
libtraces_la_LIBADD = $(CAIRO_LIBS)
libtraces_la_CPPFLAGS = $(AM_CPPFLAGS) $(CAIRO_CFLAGS)
