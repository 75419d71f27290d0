# libwarpipe: when and where it executes.
lib_LTLIBRARIES += libwarpipe.la

sim_engine_sources = \
	%reldir%/bounds/wp-bounds.c \
	%reldir%/bounds/wp-recorder.c \
	%reldir%/bounds/wp-recorder.h \
	%reldir%/bounds/wp-unlimited.c \
	%reldir%/bounds/wp-unlimited.h \
	%reldir%/engine/wp-device-private.h \
	%reldir%/engine/wp-device.c \
	%reldir%/machine/wp-random.h \
	%reldir%/engine/wp-flow.c \
	%reldir%/engine/wp-flow.h \
	%reldir%/base/wp-heap.c \
	%reldir%/base/wp-heap.h \
	%reldir%/engine/steady/wp-snapshot.c \
	%reldir%/engine/steady/wp-snapshot.h \
	%reldir%/engine/steady/wp-replicas.c \
	%reldir%/engine/steady/wp-replicas.h \
	%reldir%/machine/wp-machine.c \
	%reldir%/base/wp-mean.c \
	%reldir%/engine/wp-pipeline.c \
	%reldir%/engine/wp-pipeline.h \
	%reldir%/engine/wp-plan.c \
	%reldir%/engine/wp-plan.h \
	%reldir%/engine/policy/wp-policy-block.c \
	%reldir%/engine/policy/wp-policy-gto.c \
	%reldir%/engine/policy/wp-policy-gty.c \
	%reldir%/engine/policy/wp-policy-oldest.c \
	%reldir%/engine/policy/wp-policy-private.h \
	%reldir%/engine/policy/wp-policy-rr.c \
	%reldir%/engine/policy/wp-policy-two-level.c \
	%reldir%/engine/policy/wp-policy.c \
	%reldir%/machine/wp-result.c \
	%reldir%/base/wp-queue.h \
	%reldir%/engine/steady/wp-steady.c \
	%reldir%/engine/steady/wp-steady.h \
	%reldir%/engine/wp-sm-block.c \
	%reldir%/engine/wp-sm-cause.c \
	%reldir%/engine/wp-sm-copy.c \
	%reldir%/engine/wp-sm-flow.c \
	%reldir%/engine/wp-sm-flow.h \
	%reldir%/engine/wp-sm-issue.c \
	%reldir%/engine/wp-sm-fast.c \
	%reldir%/engine/wp-sm-serve.h \
	%reldir%/engine/wp-sm-setup.c \
	%reldir%/engine/wp-sm-wait.h \
	%reldir%/engine/wp-sm.c \
	%reldir%/engine/wp-sm.h \
	%reldir%/engine/steady/wp-replay.c \
	%reldir%/engine/steady/wp-replay.h \
	%reldir%/engine/wp-notify.h \
	%reldir%/base/wp-time.c \
	%reldir%/bounds/wp-trail-path.c \
	%reldir%/bounds/wp-trail.c \
	%reldir%/bounds/wp-trail.h \
	%reldir%/engine/wp-unroll.c \
	%reldir%/engine/wp-unroll.h \
	%reldir%/base/wp-wheel.c \
	%reldir%/base/wp-wheel.h \
	%reldir%/engine/steady/wp-window.c \
	%reldir%/engine/steady/wp-window.h
engine_sources += $(sim_engine_sources)
sim_engine_headers = \
	%reldir%/bounds/wp-bounds.h \
	%reldir%/engine/wp-device.h \
	%reldir%/machine/wp-machine.h \
	%reldir%/base/wp-macros.h \
	%reldir%/base/wp-mean.h \
	%reldir%/machine/wp-observer.h \
	%reldir%/engine/policy/wp-policy.h \
	%reldir%/machine/wp-result.h \
	%reldir%/base/wp-time.h
engine_headers += $(sim_engine_headers)

%canon_reldir%_includedir = $(includedir)/warpipe
nobase_%canon_reldir%_include_HEADERS = \
	$(sim_engine_headers) \
	%reldir%/gpu/wp-capability.h \
	%reldir%/gpu/wp-gpu.h \
	%reldir%/gpu/wp-idealise.h \
	%reldir%/gpu/wp-nearest.h \
	%reldir%/gpu/wp-occupancy.h \
	%reldir%/gpu/wp-resolve.h
public_headers += $(nobase_%canon_reldir%_include_HEADERS)
libwarpipe_la_SOURCES = \
	$(sim_engine_sources) \
	%reldir%/gpu/wp-capability.c \
	%reldir%/gpu/wp-gpu-chain.c \
	%reldir%/gpu/wp-gpu-private.h \
	%reldir%/gpu/wp-gpu-shape.c \
	%reldir%/gpu/wp-gpu-xml.c \
	%reldir%/gpu/wp-gpu-xml.h \
	%reldir%/gpu/wp-gpu.c \
	%reldir%/gpu/wp-idealise.c \
	%reldir%/gpu/wp-nearest.c \
	%reldir%/gpu/wp-occupancy.c \
	%reldir%/gpu/wp-resolve.c
libwarpipe_la_LIBADD = libidg-xml.la libidg.la $(DEPS_LIBS)
libwarpipe_la_LDFLAGS = $(AM_LDFLAGS) -no-undefined -version-info 0:0:0
