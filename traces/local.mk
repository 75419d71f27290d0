# Recorders and exporters of what the observer reports. Part of the program, not installed.
noinst_LTLIBRARIES += libtraces.la
libtraces_la_SOURCES = \
	%reldir%/wp-curve.c \
	%reldir%/wp-curve.h \
	%reldir%/wp-draw-cairo.c \
	%reldir%/wp-draw.h \
	%reldir%/wp-follow.c \
	%reldir%/wp-follow.h \
	%reldir%/wp-html-page.c \
	%reldir%/wp-html-parts.h \
	%reldir%/wp-lifetimes.c \
	%reldir%/wp-lifetimes.h \
	%reldir%/wp-picture-draw.c \
	%reldir%/wp-picture.h \
	%reldir%/wp-sorter.c \
	%reldir%/wp-sorter.h \
	%reldir%/wp-spool.c \
	%reldir%/wp-spool.h \
	%reldir%/wp-thinned.c \
	%reldir%/wp-thinned.h \
	%reldir%/wp-timeline-draw.c \
	%reldir%/wp-timeline.h \
	%reldir%/wp-trace-chrome.c \
	%reldir%/wp-trace-html.c \
	%reldir%/wp-trace-html.h \
	%reldir%/wp-trace-issues.c \
	%reldir%/wp-trace-konata.c \
	%reldir%/wp-trace-lifetimes.c \
	%reldir%/wp-trace-occupancy.c \
	%reldir%/wp-trace-picture.c \
	%reldir%/wp-trace-timeline.c \
	%reldir%/wp-trace.c \
	%reldir%/wp-trace.h

# The page's parts, as texts in the program; those of the script in the order in which they are to stand.
html_parts = \
	%reldir%/html/page.html \
	%reldir%/html/page.css \
	%reldir%/html/base.js \
	%reldir%/html/data.js \
	%reldir%/html/strips.js \
	%reldir%/html/lanes.js \
	%reldir%/html/point.js \
	%reldir%/html/text.js \
	%reldir%/html/bounds.js \
	%reldir%/html/graph.js \
	%reldir%/html/start.js
nodist_libtraces_la_SOURCES = %reldir%/wp-html-parts.c
CLEANFILES += %reldir%/wp-html-parts.c
EXTRA_DIST += %reldir%/html/embed.awk $(html_parts)
%reldir%/wp-html-parts.c: %reldir%/html/embed.awk $(html_parts)
	$(AM_V_GEN)$(MKDIR_P) %reldir% && top=`pwd` && parts=$@ && cd $(srcdir) && \
	$(AWK) -f %reldir%/html/embed.awk $(html_parts) >"$$top/$$parts.tmp" && cd "$$top" && mv $@.tmp $@
libtraces_la_LIBADD = $(CAIRO_LIBS)
libtraces_la_CPPFLAGS = $(AM_CPPFLAGS) $(CAIRO_CFLAGS)
