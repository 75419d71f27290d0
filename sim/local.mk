# libwarpipe: when and where it executes.
lib_LTLIBRARIES += libwarpipe.la

sim_engine_sources = \
	%reldir%/wp-alone-flow.c \
	%reldir%/wp-alone-state.c \
	%reldir%/wp-alone.c \
	%reldir%/wp-alone.h \
	%reldir%/wp-bounds.c \
	%reldir%/wp-device-private.h \
	%reldir%/wp-device.c \
	%reldir%/wp-draw.h \
	%reldir%/wp-flow.c \
	%reldir%/wp-flow.h \
	%reldir%/wp-heap.c \
	%reldir%/wp-heap.h \
	%reldir%/wp-image.c \
	%reldir%/wp-image.h \
	%reldir%/wp-lanes.c \
	%reldir%/wp-lanes.h \
	%reldir%/wp-machine.c \
	%reldir%/wp-mean.c \
	%reldir%/wp-meet.c \
	%reldir%/wp-meet.h \
	%reldir%/wp-pipeline.c \
	%reldir%/wp-pipeline.h \
	%reldir%/wp-plan.c \
	%reldir%/wp-plan.h \
	%reldir%/wp-policy-block.c \
	%reldir%/wp-policy-gto.c \
	%reldir%/wp-policy-gty.c \
	%reldir%/wp-policy-oldest.c \
	%reldir%/wp-policy-private.h \
	%reldir%/wp-policy-rr.c \
	%reldir%/wp-policy-two-level.c \
	%reldir%/wp-policy.c \
	%reldir%/wp-result.c \
	%reldir%/wp-queue.h \
	%reldir%/wp-skip.c \
	%reldir%/wp-skip.h \
	%reldir%/wp-sm-block.c \
	%reldir%/wp-sm-copy.c \
	%reldir%/wp-sm-flow.c \
	%reldir%/wp-sm-flow.h \
	%reldir%/wp-sm-issue.c \
	%reldir%/wp-sm-lean.c \
	%reldir%/wp-sm-serve.h \
	%reldir%/wp-sm-setup.c \
	%reldir%/wp-sm-wait.h \
	%reldir%/wp-sm.c \
	%reldir%/wp-sm.h \
	%reldir%/wp-tape.c \
	%reldir%/wp-tape.h \
	%reldir%/wp-tell.h \
	%reldir%/wp-time.c \
	%reldir%/wp-trail-path.c \
	%reldir%/wp-trail.c \
	%reldir%/wp-trail.h \
	%reldir%/wp-unroll.c \
	%reldir%/wp-unroll.h \
	%reldir%/wp-wheel.c \
	%reldir%/wp-wheel.h \
	%reldir%/wp-window.c \
	%reldir%/wp-window.h
engine_sources += $(sim_engine_sources)
sim_engine_headers = \
	%reldir%/wp-bounds.h \
	%reldir%/wp-device.h \
	%reldir%/wp-machine.h \
	%reldir%/wp-macros.h \
	%reldir%/wp-mean.h \
	%reldir%/wp-observer.h \
	%reldir%/wp-policy.h \
	%reldir%/wp-result.h \
	%reldir%/wp-time.h
engine_headers += $(sim_engine_headers)

%canon_reldir%_includedir = $(includedir)/warpipe/sim
%canon_reldir%_include_HEADERS = \
	$(sim_engine_headers) \
	%reldir%/wp-capability.h \
	%reldir%/wp-gpu.h \
	%reldir%/wp-idealise.h \
	%reldir%/wp-nearest.h \
	%reldir%/wp-occupancy.h \
	%reldir%/wp-resolve.h
public_headers += $(%canon_reldir%_include_HEADERS)
libwarpipe_la_SOURCES = \
	$(sim_engine_sources) \
	%reldir%/wp-capability.c \
	%reldir%/wp-gpu-chain.c \
	%reldir%/wp-gpu-private.h \
	%reldir%/wp-gpu-shape.c \
	%reldir%/wp-gpu-xml.c \
	%reldir%/wp-gpu-xml.h \
	%reldir%/wp-gpu.c \
	%reldir%/wp-idealise.c \
	%reldir%/wp-nearest.c \
	%reldir%/wp-occupancy.c \
	%reldir%/wp-resolve.c
libwarpipe_la_LIBADD = libidg-xml.la libidg.la $(DEPS_LIBS)
libwarpipe_la_LDFLAGS = $(AM_LDFLAGS) -no-undefined -version-info 0:0:0
