# When and where it executes. Part of libwarpipe (run/local.mk) and of the program.
noinst_LTLIBRARIES += libengine.la libsim.la

sim_engine_sources = \
	%reldir%/base/wp-compiler.h \
	%reldir%/base/wp-key-list.c \
	%reldir%/base/wp-key-list.h \
	%reldir%/base/wp-key-queue.c \
	%reldir%/base/wp-key-queue.h \
	%reldir%/base/wp-mean.c \
	%reldir%/base/wp-measure.h \
	%reldir%/base/wp-queue.h \
	%reldir%/base/wp-slot-list.c \
	%reldir%/base/wp-slot-list.h \
	%reldir%/base/wp-ready-sets.c \
	%reldir%/base/wp-ready-sets.h \
	%reldir%/base/wp-time.c \
	%reldir%/base/wp-wheel.c \
	%reldir%/base/wp-wheel.h \
	%reldir%/bounds/wp-bounds-means.c \
	%reldir%/bounds/wp-bounds-means.h \
	%reldir%/bounds/wp-bounds-recorder.c \
	%reldir%/bounds/wp-bounds-recorder.h \
	%reldir%/bounds/wp-bounds.c \
	%reldir%/bounds/wp-floor.c \
	%reldir%/bounds/wp-tails.c \
	%reldir%/bounds/wp-tails.h \
	%reldir%/bounds/wp-windows.c \
	%reldir%/bounds/wp-windows.h \
	%reldir%/bounds/wp-unlimited.c \
	%reldir%/bounds/wp-unlimited.h \
	%reldir%/bounds/wp-bounds-path.c \
	%reldir%/bounds/wp-bounds-trail.c \
	%reldir%/bounds/wp-bounds-trail.h \
	%reldir%/engine/core/wp-device-core.c \
	%reldir%/engine/core/wp-device-core.h \
	%reldir%/engine/core/wp-flow.c \
	%reldir%/engine/core/wp-flow.h \
	%reldir%/engine/core/wp-look.h \
	%reldir%/engine/core/wp-notify.h \
	%reldir%/engine/core/wp-pipeline.c \
	%reldir%/engine/core/wp-pipeline.h \
	%reldir%/engine/core/wp-plan-classes.c \
	%reldir%/engine/core/wp-plan-classes.h \
	%reldir%/engine/core/wp-plan-prune.c \
	%reldir%/engine/core/wp-plan-prune.h \
	%reldir%/engine/core/wp-plan.c \
	%reldir%/engine/core/wp-plan.h \
	%reldir%/engine/core/wp-policy-private.h \
	%reldir%/engine/core/wp-starts.c \
	%reldir%/engine/core/wp-starts.h \
	%reldir%/engine/core/wp-sm-account.c \
	%reldir%/engine/core/wp-sm-account.h \
	%reldir%/engine/core/wp-sm-block.c \
	%reldir%/engine/core/wp-sm-block.h \
	%reldir%/engine/core/wp-sm-cause.c \
	%reldir%/engine/core/wp-sm-cause.h \
	%reldir%/engine/core/wp-sm-copy.c \
	%reldir%/engine/core/wp-sm-copy.h \
	%reldir%/engine/core/wp-sm-choice.h \
	%reldir%/engine/core/wp-sm-fast.c \
	%reldir%/engine/core/wp-sm-fast.h \
	%reldir%/engine/core/wp-sm-flow.c \
	%reldir%/engine/core/wp-sm-flow.h \
	%reldir%/engine/core/wp-sm-host.h \
	%reldir%/engine/core/wp-sm-issue.c \
	%reldir%/engine/core/wp-sm-lockstep.c \
	%reldir%/engine/core/wp-sm-lockstep.h \
	%reldir%/engine/core/wp-sm-many-flow.h \
	%reldir%/engine/core/wp-sm-many.c \
	%reldir%/engine/core/wp-sm-many.h \
	%reldir%/engine/core/wp-sm-mix.c \
	%reldir%/engine/core/wp-sm-mix.h \
	%reldir%/engine/core/wp-sm-issue.h \
	%reldir%/engine/core/wp-sm-ready.h \
	%reldir%/engine/core/wp-sm-quiet.c \
	%reldir%/engine/core/wp-sm-quiet.h \
	%reldir%/engine/core/wp-sm-rotation.c \
	%reldir%/engine/core/wp-sm-rotation.h \
	%reldir%/engine/core/wp-sm-path.c \
	%reldir%/engine/core/wp-sm-path.h \
	%reldir%/engine/core/wp-sm-serve.h \
	%reldir%/engine/core/wp-sm-setup.c \
	%reldir%/engine/core/wp-sm-setup.h \
	%reldir%/engine/core/wp-sm-single.c \
	%reldir%/engine/core/wp-sm-single.h \
	%reldir%/engine/core/wp-sm-state.h \
	%reldir%/engine/core/wp-sm-step.c \
	%reldir%/engine/core/wp-sm-step.h \
	%reldir%/engine/core/wp-sm-visits.h \
	%reldir%/engine/core/wp-sm-told.c \
	%reldir%/engine/core/wp-sm-told.h \
	%reldir%/engine/core/wp-sm-wait.c \
	%reldir%/engine/core/wp-sm-wait.h \
	%reldir%/engine/core/wp-sm-waited.c \
	%reldir%/engine/core/wp-sm-waited.h \
	%reldir%/engine/core/wp-sm.c \
	%reldir%/engine/core/wp-sm.h \
	%reldir%/engine/core/wp-tally.c \
	%reldir%/engine/core/wp-tally.h \
	%reldir%/engine/core/wp-unroll.c \
	%reldir%/engine/core/wp-unroll.h \
	%reldir%/engine/core/wp-visits.h \
	%reldir%/engine/core/wp-wake-list.c \
	%reldir%/engine/core/wp-wake-list.h \
	%reldir%/engine/policy/wp-policy-block.c \
	%reldir%/engine/policy/wp-policy-gto.c \
	%reldir%/engine/policy/wp-policy-gty.c \
	%reldir%/engine/policy/wp-policy-list.h \
	%reldir%/engine/policy/wp-policy-oldest.c \
	%reldir%/engine/policy/wp-policy-pick.h \
	%reldir%/engine/policy/wp-policy-plugin.c \
	%reldir%/engine/policy/wp-policy-rr.c \
	%reldir%/engine/policy/wp-policy-two-level.c \
	%reldir%/engine/policy/wp-policy.c \
	%reldir%/engine/steady/wp-replay.c \
	%reldir%/engine/steady/wp-replay.h \
	%reldir%/engine/steady/wp-replicas.c \
	%reldir%/engine/steady/wp-replicas.h \
	%reldir%/engine/steady/wp-snapshot.c \
	%reldir%/engine/steady/wp-snapshot.h \
	%reldir%/engine/steady/wp-steady.c \
	%reldir%/engine/steady/wp-steady.h \
	%reldir%/engine/steady/wp-window.c \
	%reldir%/engine/steady/wp-window.h \
	%reldir%/engine/wp-device-private.h \
	%reldir%/engine/wp-device.c \
	%reldir%/machine/wp-machine.c \
	%reldir%/machine/wp-random.h \
	%reldir%/machine/wp-result.c
engine_sources += $(sim_engine_sources)
sim_engine_headers = \
	%reldir%/bounds/wp-bounds-data.h \
	%reldir%/bounds/wp-bounds.h \
	%reldir%/bounds/wp-floor.h \
	%reldir%/engine/wp-device.h \
	%reldir%/machine/wp-machine.h \
	%reldir%/base/wp-macros.h \
	%reldir%/base/wp-mean.h \
	%reldir%/machine/wp-observer.h \
	%reldir%/engine/policy/wp-policy-plugin.h \
	%reldir%/engine/policy/wp-policy.h \
	%reldir%/machine/wp-result.h \
	%reldir%/machine/wp-stay.h \
	%reldir%/machine/wp-stuck.h \
	%reldir%/base/wp-time.h
engine_headers += $(sim_engine_headers)

%canon_reldir%_includedir = $(includedir)/warpipe
nobase_%canon_reldir%_include_HEADERS = \
	$(sim_engine_headers) \
	%reldir%/gpu/wp-capability.h \
	%reldir%/gpu/wp-gpu-oddities.h \
	%reldir%/gpu/wp-gpu.h \
	%reldir%/gpu/wp-idealise.h \
	%reldir%/gpu/wp-match.h \
	%reldir%/gpu/wp-nearest.h \
	%reldir%/gpu/wp-occupancy.h \
	%reldir%/gpu/wp-resolve.h \
	%reldir%/gpu/wp-types.h
public_headers += $(nobase_%canon_reldir%_include_HEADERS)
libengine_la_SOURCES = $(sim_engine_sources)
libengine_la_CFLAGS = $(AM_CFLAGS) $(ENGINE_CFLAGS)
libsim_la_LIBADD = libengine.la
libsim_la_SOURCES = \
	%reldir%/gpu/wp-block-work.h \
	%reldir%/gpu/wp-capability.c \
	%reldir%/gpu/wp-gpu-chain.c \
	%reldir%/gpu/wp-gpu-private.h \
	%reldir%/gpu/wp-gpu-oddities.c \
	%reldir%/gpu/wp-gpu-scale.c \
	%reldir%/gpu/wp-gpu-set.c \
	%reldir%/gpu/wp-gpu-shape.c \
	%reldir%/gpu/wp-gpu-xml.c \
	%reldir%/gpu/wp-gpu-xml.h \
	%reldir%/gpu/wp-gpu.c \
	%reldir%/gpu/wp-idealise.c \
	%reldir%/gpu/wp-match.c \
	%reldir%/gpu/wp-nearest.c \
	%reldir%/gpu/wp-occupancy.c \
	%reldir%/gpu/wp-resolve-costs.c \
	%reldir%/gpu/wp-resolve-hits.c \
	%reldir%/gpu/wp-resolve-launch.c \
	%reldir%/gpu/wp-resolve-machine.c \
	%reldir%/gpu/wp-resolve-program.c \
	%reldir%/gpu/wp-resolve-sample.c \
	%reldir%/gpu/wp-resolve-tick.c \
	%reldir%/gpu/wp-resolve-values.c \
	%reldir%/gpu/wp-resolver.c \
	%reldir%/gpu/wp-resolver.h
