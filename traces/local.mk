# Recorders and exporters of what the observer reports. The tables are part of libwarpipe, too; the rest is
# the program's alone.
noinst_LTLIBRARIES += libtables.la libtraces.la
libtables_la_SOURCES = \
	%reldir%/table/wp-curve.c \
	%reldir%/table/wp-curve.h \
	%reldir%/table/wp-follow.c \
	%reldir%/table/wp-follow.h \
	%reldir%/table/wp-lifetimes.c \
	%reldir%/table/wp-lifetimes.h \
	%reldir%/table/wp-row-text.c \
	%reldir%/table/wp-row-text.h \
	%reldir%/table/wp-sorter.c \
	%reldir%/table/wp-sorter.h \
	%reldir%/table/wp-spool.c \
	%reldir%/table/wp-spool.h \
	%reldir%/table/wp-thinned.c \
	%reldir%/table/wp-thinned.h \
	%reldir%/table/wp-trace-issues.c \
	%reldir%/table/wp-trace-lifetimes.c \
	%reldir%/table/wp-trace-occupancy.c \
	%reldir%/table/wp-trace.c \
	%reldir%/table/wp-trace.h
libtraces_la_SOURCES = \
	%reldir%/html/wp-html-json.c \
	%reldir%/html/wp-html-json.h \
	%reldir%/html/wp-html-page.c \
	%reldir%/html/wp-html-page.h \
	%reldir%/html/wp-html-parts.h \
	%reldir%/draw/wp-library.c \
	%reldir%/draw/wp-library.h \
	%reldir%/draw/wp-timeline-draw.c \
	%reldir%/draw/wp-timeline.c \
	%reldir%/draw/wp-timeline.h \
	%reldir%/viewer/wp-trace-chrome.c \
	%reldir%/html/wp-trace-html.c \
	%reldir%/html/wp-trace-html.h \
	%reldir%/viewer/wp-trace-konata.c \
	%reldir%/draw/wp-trace-timeline.c

# The page's parts, as texts in the program; those of the script in the order in which they are to stand.
html_parts = \
	%reldir%/html/page.html \
	%reldir%/html/page.css \
	%reldir%/html/base.js \
	%reldir%/html/data.js \
	%reldir%/html/strips.js \
	%reldir%/html/lanes.js \
	%reldir%/html/search.js \
	%reldir%/html/source.js \
	%reldir%/html/pinned.js \
	%reldir%/html/point.js \
	%reldir%/html/text.js \
	%reldir%/html/lines.js \
	%reldir%/html/labels.js \
	%reldir%/html/bounds.js \
	%reldir%/html/graph.js \
	%reldir%/html/start.js
nodist_libtraces_la_SOURCES = %reldir%/wp-html-parts.c
CLEANFILES += %reldir%/wp-html-parts.c
EXTRA_DIST += %reldir%/html/embed.awk $(html_parts)
%reldir%/wp-html-parts.c: %reldir%/html/embed.awk $(html_parts)
	$(AM_V_GEN)$(MKDIR_P) %reldir% && top=`pwd` && parts=$@ && cd $(srcdir) && \
	$(AWK) -f %reldir%/html/embed.awk $(html_parts) >"$$top/$$parts.tmp" && cd "$$top" && mv $@.tmp $@
if WITH_CAIRO
libtraces_la_SOURCES += \
	%reldir%/draw/wp-cairo.def \
	%reldir%/draw/wp-canvas-cairo.c \
	%reldir%/draw/wp-canvas.h \
	%reldir%/draw/wp-picture-draw.c \
	%reldir%/draw/wp-picture.h \
	%reldir%/draw/wp-trace-picture.c
else
libtraces_la_SOURCES += %reldir%/draw/wp-trace-picture-none.c
endif
libtraces_la_LIBADD = libtables.la $(CAIRO_LIBS)
libtraces_la_CPPFLAGS = $(AM_CPPFLAGS) $(CAIRO_CFLAGS)
