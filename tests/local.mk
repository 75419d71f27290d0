# .sh: passes or fails by its exit status (77: skipped). .tap and .test report each case in TAP, as the
# Check programs do. All of them find the shipped data in the source tree.
TEST_EXTENSIONS = .sh .tap .test
tap_driver = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
LOG_DRIVER = $(tap_driver)
# Unit tests run under valgrind, too: filling what they allocate would only double their time.
LOG_COMPILER = env -u MALLOC_PERTURB_
SH_LOG_COMPILER = $(SHELL)
TAP_LOG_DRIVER = $(tap_driver)
TAP_LOG_COMPILER = $(SHELL)
TEST_LOG_DRIVER = $(tap_driver)
TEST_LOG_COMPILER = $(SHELL) $(srcdir)/%reldir%/run-golden.sh

# Without G_SLICE a leaked GArray hides from ASan and valgrind on GLib 2.74. CK_DEFAULT_TIMEOUT: seconds for
# each unit test; Check's own 4 are too few under sanitizers on a busy machine.
AM_TESTS_ENVIRONMENT = \
	LC_ALL=C MALLOC_PERTURB_=69 G_SLICE=always-malloc G_DEBUG=gc-friendly \
	UBSAN_OPTIONS=print_stacktrace=1 CK_DEFAULT_TIMEOUT=$${CK_DEFAULT_TIMEOUT-60} \
	LSAN_OPTIONS=print_suppressions=0:suppressions='$(abs_srcdir)/%reldir%/lsan.supp' \
	WARPIPE_DATA_DIR='$(abs_top_srcdir)' \
	abs_srcdir='$(abs_srcdir)' abs_builddir='$(abs_builddir)' \
	CC='$(CC)' NM='$(NM)' MAKE='$(MAKE)' PYTHON='$(PYTHON)' SAN_CFLAGS='$(SAN_CFLAGS)' \
	BUILD_CFLAGS='$(CPPFLAGS) $(CFLAGS)' \
	engine_sources='$(engine_sources)' engine_headers='$(engine_headers)' \
	public_headers='$(public_headers)'; \
	export LC_ALL MALLOC_PERTURB_ G_SLICE G_DEBUG UBSAN_OPTIONS LSAN_OPTIONS CK_DEFAULT_TIMEOUT WARPIPE_DATA_DIR PYTHON \
	abs_srcdir abs_builddir CC NM MAKE SAN_CFLAGS BUILD_CFLAGS engine_sources engine_headers public_headers;

LDADD = libwarpipe.la libidg.la $(DEPS_LIBS)

# Unit tests, one program a module; the longest come first, so that none is left for the end.
unit_tests =
if HAVE_CHECK
unit_tests += \
	%reldir%/check-skip \
	%reldir%/check-skip-eager \
	%reldir%/check-laws \
	%reldir%/check-random \
	%reldir%/check-library \
	%reldir%/check-accel \
	%reldir%/check-async \
	%reldir%/check-bindings \
	%reldir%/check-bounds \
	%reldir%/check-candidates \
	%reldir%/check-capability \
	%reldir%/check-coalesce \
	%reldir%/check-device \
	%reldir%/check-estimate \
	%reldir%/check-execute-convert \
	%reldir%/check-execute-exchange \
	%reldir%/check-execute-float \
	%reldir%/check-execute-integer \
	%reldir%/check-execute-memory \
	%reldir%/check-execute-run \
	%reldir%/check-execute-warp \
	%reldir%/check-explain \
	%reldir%/check-floor \
	%reldir%/check-fold \
	%reldir%/check-follow \
	%reldir%/check-headroom \
	%reldir%/check-cubin \
	%reldir%/check-launch \
	%reldir%/check-gpu \
	%reldir%/check-kernel \
	%reldir%/check-models \
	%reldir%/check-measure \
	%reldir%/check-probe \
	%reldir%/check-occupancy \
	%reldir%/check-ops \
	%reldir%/check-runs-as \
	%reldir%/check-lines \
	%reldir%/check-plot \
	%reldir%/check-layout \
	%reldir%/check-plugin \
	%reldir%/check-plugin-python \
	%reldir%/check-program \
	%reldir%/check-ptx \
	%reldir%/check-sass \
	%reldir%/check-sass-decode \
	%reldir%/check-sass-listings \
	%reldir%/check-repeat \
	%reldir%/check-stuck \
	%reldir%/check-time \
	%reldir%/check-trace \
	%reldir%/check-trail \
	%reldir%/check-wake-list \
	%reldir%/check-warnings
endif
check_PROGRAMS += $(unit_tests)
TESTS += $(unit_tests)

%canon_reldir%_check_accel_SOURCES = %reldir%/check-accel.c %reldir%/check-main.h
%canon_reldir%_check_accel_LDADD = libidg-import.la libidg-xml.la $(LDADD) $(CHECK_LIBS)
%canon_reldir%_check_async_SOURCES = %reldir%/check-async.c %reldir%/check-main.h
%canon_reldir%_check_async_LDADD = libidg-import.la libidg-xml.la $(LDADD) $(CHECK_LIBS)
%canon_reldir%_check_capability_SOURCES = %reldir%/check-capability.c %reldir%/check-main.h
%canon_reldir%_check_capability_LDADD = $(LDADD) $(CHECK_LIBS)
%canon_reldir%_check_candidates_SOURCES = %reldir%/check-candidates.c %reldir%/check-main.h
%canon_reldir%_check_candidates_LDADD = %reldir%/librandom.a $(LDADD) $(CHECK_LIBS)
%canon_reldir%_check_coalesce_SOURCES = %reldir%/check-coalesce.c %reldir%/check-main.h
%canon_reldir%_check_coalesce_LDADD = $(LDADD) $(CHECK_LIBS)
%canon_reldir%_check_device_SOURCES = %reldir%/check-device.c %reldir%/check-main.h
%canon_reldir%_check_device_LDADD = %reldir%/librandom.a $(LDADD) $(CHECK_LIBS)
%canon_reldir%_check_execute_convert_SOURCES = %reldir%/check-execute-convert.c %reldir%/check-main.h \
	%reldir%/execute-step.h
%canon_reldir%_check_execute_convert_LDADD = libexec.la $(LDADD) $(CHECK_LIBS) -lm
%canon_reldir%_check_execute_exchange_SOURCES = %reldir%/check-execute-exchange.c %reldir%/check-main.h \
	%reldir%/execute-step.h
%canon_reldir%_check_execute_exchange_LDADD = libexec.la $(LDADD) $(CHECK_LIBS) -lm
%canon_reldir%_check_execute_float_SOURCES = %reldir%/check-execute-float.c %reldir%/check-main.h \
	%reldir%/execute-step.h
%canon_reldir%_check_execute_float_LDADD = libexec.la $(LDADD) $(CHECK_LIBS) -lm
%canon_reldir%_check_execute_integer_SOURCES = %reldir%/check-execute-integer.c %reldir%/check-main.h \
	%reldir%/execute-step.h
%canon_reldir%_check_execute_integer_LDADD = libexec.la $(LDADD) $(CHECK_LIBS) -lm
%canon_reldir%_check_execute_memory_SOURCES = %reldir%/check-execute-memory.c %reldir%/check-main.h
%canon_reldir%_check_execute_memory_LDADD = libexec.la $(LDADD) $(CHECK_LIBS)
%canon_reldir%_check_execute_run_SOURCES = %reldir%/check-execute-run.c %reldir%/check-main.h
%canon_reldir%_check_execute_run_LDADD = libexec.la libidg-xml.la $(LDADD) $(CHECK_LIBS)
%canon_reldir%_check_cubin_SOURCES = %reldir%/check-cubin.c %reldir%/check-main.h
%canon_reldir%_check_cubin_LDADD = libexec.la libidg-xml.la $(LDADD) $(CHECK_LIBS)
%canon_reldir%_check_launch_SOURCES = %reldir%/check-launch.c %reldir%/check-main.h
%canon_reldir%_check_launch_LDADD = libexec.la libidg-xml.la $(LDADD) $(CHECK_LIBS)
%canon_reldir%_check_execute_warp_SOURCES = %reldir%/check-execute-warp.c %reldir%/check-main.h \
	%reldir%/execute-step.h
%canon_reldir%_check_execute_warp_LDADD = libexec.la $(LDADD) $(CHECK_LIBS) -lm
%canon_reldir%_check_estimate_SOURCES = %reldir%/check-estimate.c %reldir%/check-main.h
%canon_reldir%_check_estimate_LDADD = librun.la libtables.la libexec.la $(LDADD) $(CHECK_LIBS) -lm
%canon_reldir%_check_fold_SOURCES = %reldir%/check-fold.c %reldir%/check-main.h
%canon_reldir%_check_fold_LDADD = libexec.la libidg-import.la libidg-xml.la $(LDADD) $(CHECK_LIBS)
%canon_reldir%_check_follow_SOURCES = %reldir%/check-follow.c %reldir%/check-main.h
%canon_reldir%_check_follow_LDADD = %reldir%/librandom.a libtraces.la libidg-xml.la $(LDADD) $(CHECK_LIBS)
%canon_reldir%_check_gpu_SOURCES = %reldir%/check-gpu.c %reldir%/check-main.h
%canon_reldir%_check_gpu_LDADD = $(LDADD) $(CHECK_LIBS)
%canon_reldir%_check_kernel_SOURCES = %reldir%/check-kernel.c %reldir%/check-main.h
%canon_reldir%_check_kernel_LDADD = $(LDADD) $(CHECK_LIBS)
%canon_reldir%_check_models_SOURCES = %reldir%/check-models.c %reldir%/check-main.h
%canon_reldir%_check_models_LDADD = libmodels.la $(LDADD) $(CHECK_LIBS) -lm
%canon_reldir%_check_laws_SOURCES = %reldir%/check-laws.c %reldir%/check-main.h %reldir%/own-costs.h
%canon_reldir%_check_laws_LDADD = $(LDADD) $(CHECK_LIBS)
%canon_reldir%_check_occupancy_SOURCES = %reldir%/check-occupancy.c %reldir%/check-main.h
%canon_reldir%_check_occupancy_LDADD = $(LDADD) $(CHECK_LIBS)
%canon_reldir%_check_runs_as_SOURCES = %reldir%/check-runs-as.c %reldir%/check-main.h
%canon_reldir%_check_runs_as_LDADD = libidg-import.la libidg-xml.la $(LDADD) $(CHECK_LIBS)
%canon_reldir%_check_ops_SOURCES = %reldir%/check-ops.c %reldir%/check-main.h
%canon_reldir%_check_ops_LDADD = libidg-import.la libidg-xml.la $(LDADD) $(CHECK_LIBS)
%canon_reldir%_check_sass_SOURCES = %reldir%/check-sass.c %reldir%/check-main.h
%canon_reldir%_check_sass_LDADD = libidg-import.la libidg-xml.la $(LDADD) $(CHECK_LIBS)
%canon_reldir%_check_sass_decode_SOURCES = %reldir%/check-sass-decode.c %reldir%/check-main.h %reldir%/sass-examples.h
%canon_reldir%_check_sass_decode_LDADD = libexec.la $(LDADD) $(CHECK_LIBS) -lm
%canon_reldir%_check_sass_listings_SOURCES = %reldir%/check-sass-listings.c %reldir%/check-main.h
%canon_reldir%_check_sass_listings_LDADD = libexec.la $(LDADD) $(CHECK_LIBS) -lm
%canon_reldir%_check_lines_SOURCES = %reldir%/check-lines.c %reldir%/check-main.h
%canon_reldir%_check_lines_LDADD = %reldir%/librandom.a librun.la libtables.la libexec.la libidg-xml.la $(LDADD) $(CHECK_LIBS)
%canon_reldir%_check_plot_SOURCES = %reldir%/check-plot.c %reldir%/check-main.h
%canon_reldir%_check_plot_LDADD = libplots.la $(LDADD) $(CHECK_LIBS) -lm
%canon_reldir%_check_library_SOURCES = %reldir%/check-library.c %reldir%/check-main.h
%canon_reldir%_check_library_LDADD = $(LDADD) $(CHECK_LIBS) -lm
%canon_reldir%_check_layout_SOURCES = %reldir%/check-layout.c %reldir%/check-main.h
%canon_reldir%_check_layout_LDADD = libidg-import.la libidg-xml.la $(LDADD) $(CHECK_LIBS)
%canon_reldir%_check_plugin_SOURCES = %reldir%/check-plugin.c
%canon_reldir%_check_plugin_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/include
%canon_reldir%_check_plugin_LDADD = %reldir%/librandom.a $(LDADD) $(CHECK_LIBS)
%canon_reldir%_check_plugin_python_SOURCES = %reldir%/check-plugin-python.c
%canon_reldir%_check_plugin_python_LDADD = %reldir%/librandom.a librun.la libtables.la libexec.la libidg-xml.la $(LDADD) $(CHECK_LIBS)
%canon_reldir%_check_program_SOURCES = %reldir%/check-program.c %reldir%/check-main.h
%canon_reldir%_check_program_LDADD = $(LDADD) $(CHECK_LIBS)
%canon_reldir%_check_ptx_SOURCES = %reldir%/check-ptx.c %reldir%/check-main.h
%canon_reldir%_check_ptx_LDADD = libidg-import.la libidg-xml.la $(LDADD) $(CHECK_LIBS)
random_sources = %reldir%/literal.c %reldir%/literal.h %reldir%/random-case.c %reldir%/random-case.h \
	%reldir%/random-main.c %reldir%/random-main.h %reldir%/record.c %reldir%/record.h
# A library, as Automake would compile them again for each program with flags of its own. literal.c is an engine, too, and
# runs as long.
EXTRA_LIBRARIES += %reldir%/librandom.a
%canon_reldir%_librandom_a_SOURCES = $(random_sources)
%canon_reldir%_librandom_a_CFLAGS = $(AM_CFLAGS) $(ENGINE_CFLAGS)
%canon_reldir%_check_bounds_SOURCES = %reldir%/check-bounds.c %reldir%/own-costs.h
%canon_reldir%_check_bindings_SOURCES = %reldir%/check-bindings.c %reldir%/check-main.h \
	playground/wp-bindings-log.c playground/wp-bindings-read.c playground/wp-bindings.h
%canon_reldir%_check_bindings_LDADD = %reldir%/librandom.a $(LDADD) $(CHECK_LIBS)
%canon_reldir%_check_bounds_LDADD = %reldir%/librandom.a $(LDADD) $(CHECK_LIBS)
%canon_reldir%_check_explain_SOURCES = %reldir%/check-explain.c %reldir%/check-main.h
%canon_reldir%_check_explain_LDADD = libcommands.la libtables.la libexec.la libidg-xml.la $(LDADD) $(CHECK_LIBS) -lm
%canon_reldir%_check_floor_SOURCES = %reldir%/check-floor.c %reldir%/check-main.h
%canon_reldir%_check_floor_LDADD = %reldir%/librandom.a $(LDADD) $(CHECK_LIBS)
%canon_reldir%_check_headroom_SOURCES = %reldir%/check-headroom.c %reldir%/check-main.h
%canon_reldir%_check_headroom_LDADD = %reldir%/librandom.a libcommands.la libtables.la libexec.la libidg-xml.la $(LDADD) $(CHECK_LIBS) -lm
%canon_reldir%_check_random_SOURCES = %reldir%/check-random.c
%canon_reldir%_check_repeat_SOURCES = %reldir%/check-repeat.c
%canon_reldir%_check_repeat_LDADD = %reldir%/librandom.a libtraces.la libidg-xml.la $(LDADD) $(CHECK_LIBS)
%canon_reldir%_check_skip_SOURCES = %reldir%/check-skip.c
%canon_reldir%_check_skip_LDADD = %reldir%/librandom.a $(LDADD) $(CHECK_LIBS)
# An engine of its own that looks for steady states nearly everywhere: it finds most even in short runs. What knows of
# that (sim/engine/core/wp-look.h) is compiled again, and comes before what there is of it in libengine.
%canon_reldir%_check_skip_eager_SOURCES = %reldir%/check-skip.c \
	sim/engine/core/wp-plan.c sim/engine/steady/wp-steady.c
%canon_reldir%_check_skip_eager_CPPFLAGS = $(AM_CPPFLAGS) -DWP_STEADY_EAGERLY
%canon_reldir%_check_skip_eager_CFLAGS = $(AM_CFLAGS) $(ENGINE_CFLAGS)
%canon_reldir%_check_skip_eager_LDADD = %reldir%/librandom.a libengine.la $(LDADD) $(CHECK_LIBS)
%canon_reldir%_check_random_LDADD = %reldir%/librandom.a $(LDADD) $(CHECK_LIBS)
%canon_reldir%_check_probe_SOURCES = %reldir%/check-probe.c %reldir%/check-main.h
%canon_reldir%_check_probe_LDADD = libprobe.la libidg-xml.la $(LDADD) $(CHECK_LIBS) -lm
%canon_reldir%_check_measure_SOURCES = %reldir%/check-measure.c %reldir%/check-main.h
%canon_reldir%_check_measure_LDADD = $(LDADD) $(CHECK_LIBS)
%canon_reldir%_check_stuck_SOURCES = %reldir%/check-stuck.c %reldir%/check-main.h
%canon_reldir%_check_stuck_LDADD = $(LDADD) $(CHECK_LIBS)
%canon_reldir%_check_time_SOURCES = %reldir%/check-time.c %reldir%/check-main.h
%canon_reldir%_check_time_LDADD = $(LDADD) $(CHECK_LIBS)
%canon_reldir%_check_trace_SOURCES = %reldir%/check-trace.c %reldir%/check-main.h
%canon_reldir%_check_trace_LDADD = libtraces.la libidg-xml.la $(LDADD) $(CHECK_LIBS)
%canon_reldir%_check_trail_SOURCES = %reldir%/check-trail.c %reldir%/check-main.h
%canon_reldir%_check_trail_LDADD = libexec.la $(LDADD) $(CHECK_LIBS)
%canon_reldir%_check_warnings_SOURCES = %reldir%/check-warnings.c %reldir%/check-main.h
%canon_reldir%_check_warnings_LDADD = librun.la libtables.la libexec.la libidg-xml.la $(LDADD) $(CHECK_LIBS)
%canon_reldir%_check_wake_list_SOURCES = %reldir%/check-wake-list.c %reldir%/check-main.h sim/base/wp-key-list.c \
	sim/base/wp-key-queue.c sim/base/wp-ready-sets.c sim/base/wp-slot-list.c sim/base/wp-wheel.c
# Not exported by the library: objects of its own.
%canon_reldir%_check_wake_list_CPPFLAGS = $(AM_CPPFLAGS)
%canon_reldir%_check_wake_list_LDADD = $(DEPS_LIBS) $(CHECK_LIBS)

# What the program prints (golden/README.md). The files are listed, as the folder holds logs once tests have run.
golden_tests = \
	%reldir%/golden/arafa.test \
	%reldir%/golden/black-scholes.test \
	%reldir%/golden/by-line.test \
	%reldir%/golden/indices.test \
	%reldir%/golden/unset.test \
	%reldir%/golden/estimate.test \
	%reldir%/golden/fold.test \
	%reldir%/golden/bounds.test \
	%reldir%/golden/calculator.test \
	%reldir%/golden/coalesce.test \
	%reldir%/golden/compare.test \
	%reldir%/golden/contended.test \
	%reldir%/golden/dataflow.test \
	%reldir%/golden/execute-views.test \
	%reldir%/golden/execute-cluster.test \
	%reldir%/golden/execute-tensor.test \
	%reldir%/golden/execute-waits.test \
	%reldir%/golden/explain.test \
	%reldir%/golden/fetch.test \
	%reldir%/golden/figure-4.7.test \
	%reldir%/golden/figure-5.1.test \
	%reldir%/golden/kernels.test \
	%reldir%/golden/list-gpus.test \
	%reldir%/golden/list-policies.test \
	%reldir%/golden/listings-3.test \
	%reldir%/golden/list-ops.test \
	%reldir%/golden/machine.test \
	%reldir%/golden/microbenchmarks.test \
	%reldir%/golden/mixes.test \
	%reldir%/golden/models-published.test \
	%reldir%/golden/models.test \
	%reldir%/golden/nearest.test \
	%reldir%/golden/occupancy.test \
	%reldir%/golden/path.test \
	%reldir%/golden/permute.test \
	%reldir%/golden/probe.test \
	%reldir%/golden/plot-print.test %reldir%/golden/plot.test \
	%reldir%/golden/report.test \
	%reldir%/golden/section-14.test \
	%reldir%/golden/seeds.test \
	%reldir%/golden/demangle.test \
	%reldir%/golden/gpu-set.test \
	%reldir%/golden/sass.test \
	%reldir%/golden/wild.test \
	%reldir%/golden/show.test \
	%reldir%/golden/spellings.test \
	%reldir%/golden/sweep.test \
	%reldir%/golden/table-4.2.test \
	%reldir%/golden/table-6.2.test \
	%reldir%/golden/table-6.3.test \
	%reldir%/golden/tables.test \
	%reldir%/golden/timeline.test \
	%reldir%/golden/transposes.test \
	%reldir%/golden/tune.test \
	%reldir%/golden/vector-add.test \
	%reldir%/golden/whole-device.test
TESTS += $(golden_tests)
golden_data = \
	%reldir%/golden/README.md \
	%reldir%/golden/arafa-latencies.csv \
	%reldir%/golden/arafa-ops.txt \
	%reldir%/golden/attained.sh \
	%reldir%/golden/bounds-barrier.json \
	%reldir%/golden/bounds-barrier.out \
	%reldir%/golden/bounds-specialised.xml \
	%reldir%/golden/bounds-table-3.4.out \
	%reldir%/golden/bounds-vector-add.out \
	%reldir%/golden/by-line.cu \
	%reldir%/golden/by-line.json \
	%reldir%/golden/by-line.out \
	%reldir%/golden/by-line.xml \
	%reldir%/golden/calculator.json \
	%reldir%/golden/calculator.out \
	%reldir%/golden/chain-add.xml \
	%reldir%/golden/chain-sfu.xml \
	%reldir%/golden/chain-smem.xml \
	%reldir%/golden/chain-smem2.xml \
	%reldir%/golden/coalesce-16.out \
	%reldir%/golden/coalesce-addresses.out \
	%reldir%/golden/coalesce-offset.out \
	%reldir%/golden/coalesce-random.out \
	%reldir%/golden/coalesce-reverse.out \
	%reldir%/golden/coalesce-shared-8.out \
	%reldir%/golden/coalesce-shared-broadcast.out \
	%reldir%/golden/coalesce-shared.json \
	%reldir%/golden/coalesce-shared.out \
	%reldir%/golden/compare-diff.csv \
	%reldir%/golden/gpu-set-compare.csv \
	%reldir%/golden/templates.ptx \
	%reldir%/golden/compare-diff.out \
	%reldir%/golden/compare-policies.out \
	%reldir%/golden/compare-work.out \
	%reldir%/golden/compare.csv \
	%reldir%/golden/compare.json \
	%reldir%/golden/contended-1.csv \
	%reldir%/golden/contended-kernel.xml \
	%reldir%/golden/contended-max.csv \
	%reldir%/golden/contended.xml \
	%reldir%/golden/documented.sh \
	%reldir%/golden/double-buffer.xml \
	%reldir%/golden/mix-gpu.xml \
	%reldir%/golden/mix.xml \
	%reldir%/golden/mixes-bounds.out \
	%reldir%/golden/explain-balanced.xml \
	%reldir%/golden/explain-barriers.xml \
	%reldir%/golden/explain-compute-latency.xml \
	%reldir%/golden/explain-compute-throughput.xml \
	%reldir%/golden/explain-contexts.json \
	%reldir%/golden/explain-contexts.xml \
	%reldir%/golden/explain-edited.sh \
	%reldir%/golden/explain-first.sh \
	%reldir%/golden/explain-gpu.xml \
	%reldir%/golden/explain-ilp-latency.xml \
	%reldir%/golden/explain-memory-bandwidth.xml \
	%reldir%/golden/explain-memory-latency.xml \
	%reldir%/golden/explain-occupancy.xml \
	%reldir%/golden/explain-replacement.xml \
	%reldir%/golden/explain-schedulers.xml \
	%reldir%/golden/explain-volkov-mix.out \
	%reldir%/golden/figure-4.7-free.xml \
	%reldir%/golden/figure-4.7-staggered.xml \
	%reldir%/golden/figure-4.7.xml \
	%reldir%/golden/gtx680-latency.xml \
	%reldir%/golden/gtx980-0.xml \
	%reldir%/golden/huang-stride-2.xml \
	%reldir%/golden/huang-synthetic.xml \
	%reldir%/golden/in-flight.awk \
	%reldir%/golden/in-order.xml \
	%reldir%/golden/latencies.sh \
	%reldir%/golden/listing-3.3.xml \
	%reldir%/golden/machine-barrier.json \
	%reldir%/golden/machine-contended.json \
	%reldir%/golden/machine-mix-kernel.xml \
	%reldir%/golden/machine-path-kernel.xml \
	%reldir%/golden/machine-path.json \
	%reldir%/golden/machine-path.xml \
	%reldir%/golden/machine-repeats.xml \
	%reldir%/golden/mix-throughput.sh \
	%reldir%/golden/models-gtx280.csv \
	%reldir%/golden/models-gtx480.csv \
	%reldir%/golden/models-gtx980.csv \
	%reldir%/golden/models-list.out \
	%reldir%/golden/models-one.out \
	%reldir%/golden/models-round.awk \
	%reldir%/golden/models-table-4.2.sh \
	%reldir%/golden/models-text.out \
	%reldir%/golden/models.json \
	%reldir%/golden/nearest-gpu.xml \
	%reldir%/golden/nearest.xml \
	%reldir%/golden/needed-black-scholes.sh \
	%reldir%/golden/needed-occupancy.sh \
	%reldir%/golden/needed-warps.sh \
	%reldir%/golden/path-explain.out \
	%reldir%/golden/path-gpu.xml \
	%reldir%/golden/path-levels-gpu.xml \
	%reldir%/golden/path-levels.xml \
	%reldir%/golden/path-timeline.out \
	%reldir%/golden/path.xml \
	%reldir%/golden/per-operation.sh \
	%reldir%/golden/permute-loads.sh \
	%reldir%/golden/plot-bars.gnuplot \
	%reldir%/golden/plot-cpi.gnuplot \
	%reldir%/golden/plot-lifetimes.gnuplot \
	%reldir%/golden/plot-models.gnuplot \
	%reldir%/golden/plot-needed.gnuplot \
	%reldir%/golden/probe-gpu.xml \
	%reldir%/golden/plot-occupancy.gnuplot \
	%reldir%/golden/plot-policies.gnuplot \
	%reldir%/golden/plot-throughput.gnuplot \
	%reldir%/golden/estimate.out \
	%reldir%/golden/report-barrier.out \
	%reldir%/golden/report-vector-add.out \
	%reldir%/golden/report.json \
	%reldir%/golden/same-ops.sh \
	%reldir%/golden/show-barrier-simple.out \
	%reldir%/golden/section-14-show.out \
	%reldir%/golden/show-barrier.dot \
	%reldir%/golden/show-barrier.graphml \
	%reldir%/golden/show-barrier.out \
	%reldir%/golden/producer-consumer.xml \
	%reldir%/golden/sass-diverge.xml \
	%reldir%/golden/sass-matmul.xml \
	%reldir%/golden/sass-pairs.xml \
	%reldir%/golden/sass-reduce.xml \
	%reldir%/golden/sass-saxpy.xml \
	%reldir%/golden/sass-stencil.xml \
	%reldir%/golden/sass-tensor.xml \
	%reldir%/golden/sass-tree.xml \
	%reldir%/golden/sass-unrolled.xml \
	%reldir%/golden/wild-assembler.xml \
	%reldir%/golden/wild-kepler.xml \
	%reldir%/golden/wild-maxas.xml \
	%reldir%/golden/wild-maxwell.xml \
	%reldir%/golden/wild-vectors.xml \
	%reldir%/golden/show-dataflow.out \
	%reldir%/golden/show-names.out \
	%reldir%/golden/show-names.xml \
	%reldir%/golden/show-specialised.out \
	%reldir%/golden/show-vector-add.dot \
	%reldir%/golden/show-vector-add.out \
	%reldir%/golden/sweep-columns.out \
	%reldir%/golden/sweep-order.out \
	%reldir%/golden/sweep-refused.out \
	%reldir%/golden/table-3.2.xml \
	%reldir%/golden/table-3.4.xml \
	%reldir%/golden/tables-issues.csv \
	%reldir%/golden/tables-lifetimes.csv \
	%reldir%/golden/tables-occupancy.csv \
	%reldir%/golden/timeline-3-computations.out \
	%reldir%/golden/timeline-ascii.out \
	%reldir%/golden/timeline-balanced.out \
	%reldir%/golden/timeline-barrier-blocks.out \
	%reldir%/golden/timeline-barrier.out \
	%reldir%/golden/timeline-communication-bound.out \
	%reldir%/golden/timeline-computation-bound.out \
	%reldir%/golden/timeline-computation-memory.out \
	%reldir%/golden/timeline-no-barrier-blocks.out \
	%reldir%/golden/timeline-no-barrier.out \
	%reldir%/golden/timeline-sm.out \
	%reldir%/golden/timeline-two-series.out \
	%reldir%/golden/timeline-vector-add.out \
	%reldir%/golden/timeline-windows.out \
	%reldir%/golden/together.sh \
	%reldir%/golden/transpose-times.sh \
	%reldir%/golden/tune-run.out \
	%reldir%/golden/tune-tie.csv \
	%reldir%/golden/tune-tie.json \
	%reldir%/golden/tune-tie.out \
	%reldir%/golden/tune-top.out \
	%reldir%/golden/two-sms.xml \
	%reldir%/golden/volkov-latencies.csv \
	%reldir%/golden/volkov-model-parameters.csv \
	%reldir%/golden/volkov-needed-warps.csv \
	%reldir%/golden/volkov-ops.txt \
	%reldir%/golden/whole-device-issues.csv
EXTRA_DIST += $(golden_tests) $(golden_data) %reldir%/run-golden.sh

# What gnuplot draws; skipped where it is missing, except for what happens then.
TESTS += %reldir%/plot.tap
EXTRA_DIST += %reldir%/plot.tap

# Bad inputs (bad/README.md). The whole folder is data.
TESTS += %reldir%/bad.tap
EXTRA_DIST += %reldir%/bad.tap %reldir%/bad
check_PROGRAMS += %reldir%/commands
%canon_reldir%_commands_SOURCES = %reldir%/commands.c
%canon_reldir%_commands_LDADD = $(warpipe_LDADD)

# Ways to be confidently wrong (wrong/README.md). The whole folder is data.
TESTS += %reldir%/wrong.tap
EXTRA_DIST += %reldir%/wrong.tap %reldir%/wrong

# The schemas are made from the readers' tables, which no library exports: they are compiled again.
check_PROGRAMS += %reldir%/schemas
%canon_reldir%_schemas_SOURCES = %reldir%/schemas.c idg/xml/idg-kernel-shape.c sim/gpu/wp-gpu-shape.c
%canon_reldir%_schemas_CPPFLAGS = $(AM_CPPFLAGS)
%canon_reldir%_schemas_LDADD = libidg-xml.la $(LDADD)
.PHONY: schemas
schemas: %reldir%/schemas$(EXEEXT)
	%reldir%/schemas gpu >gpu.tmp && mv gpu.tmp $(srcdir)/configs/gpu.rng
	%reldir%/schemas kernel >kernel.tmp && mv kernel.tmp $(srcdir)/idg/kernels/kernel.rng

# They are up to date, and agree with the readers; skipped where xmllint is missing.
TESTS += %reldir%/schema.tap
EXTRA_DIST += %reldir%/schema.tap

# What a build may lack. built-with.sh is read by other tests.
TESTS += %reldir%/without.tap
EXTRA_DIST += %reldir%/without.tap %reldir%/built-with.sh

# The manual pages and the completions against what --help prints.
TESTS += %reldir%/completion.tap %reldir%/options.tap
EXTRA_DIST += %reldir%/completion.tap %reldir%/options.tap %reldir%/complete.bash %reldir%/complete.fish %reldir%/complete.zsh

# The occupancy calculator against a second computation, over every row of the shipped table.
TESTS += %reldir%/occupancy-pairs.tap
EXTRA_DIST += %reldir%/occupancy-pairs.tap

# Listings of Volkov's thesis, as text, against the shipped kernels that say the same.
TESTS += %reldir%/sass.tap
EXTRA_DIST += %reldir%/sass.tap %reldir%/sass
# Files as other tools write them, for golden/wild.test. The whole folder is data.
EXTRA_DIST += %reldir%/wild

# The alpha of the largest needed occupancy, by simulation, on five GPUs.
TESTS += %reldir%/compile.tap
EXTRA_DIST += %reldir%/compile.tap
EXTRA_DIST += %reldir%/cuda/cubin/units.cu %reldir%/cuda/cubin/units.fatbin %reldir%/cuda/cubin/units-packed.fatbin %reldir%/cuda/cubin/units.sm_80.cubin \
	%reldir%/cuda/cubin/units.sm_90-cuda12.cubin %reldir%/cuda/cubin/units.sm_100.cubin \
	%reldir%/cuda/cubin/inlined.cu %reldir%/cuda/cubin/inlined.sm_80.cubin \
	%reldir%/cuda/cubin/waits.cu %reldir%/cuda/cubin/waits.sm_86.cubin \
	%reldir%/cuda/cubin/transposes.cu %reldir%/cuda/cubin/transposes.sm_90.cubin \
	%reldir%/cuda/cubin/clusters.cu %reldir%/cuda/cubin/clusters.sm_90.cubin \
	%reldir%/cuda/cubin/cooperative.cu %reldir%/cuda/cubin/cooperative.sm_80.cubin \
	%reldir%/cuda/cubin/long-code.cu %reldir%/cuda/cubin/long-code.sm_75.cubin \
	%reldir%/cuda/cubin/cooperative.sm_90.cubin %reldir%/cuda/cubin/cooperative.sm_100.cubin
TESTS += %reldir%/cusp.tap
EXTRA_DIST += %reldir%/cusp.tap

# CUDA kernels as nvcc makes PTX of them, and older PTX: imported, and run on all GPUs. The whole folder is data.
TESTS += %reldir%/cuda.tap
EXTRA_DIST += %reldir%/cuda.tap %reldir%/cuda

# Kernels executed from their fixtures, against what the CPU computes (cuda/execute): to the bit, so products and sums
# must not be fused, and directions of rounding be kept.
check_PROGRAMS += %reldir%/cuda/execute/reference
%canon_reldir%_cuda_execute_reference_SOURCES = \
	%reldir%/cuda/execute/reference.c \
	%reldir%/cuda/execute/reference.h \
	%reldir%/cuda/execute/reference-barrier.c \
	%reldir%/cuda/execute/reference-basic.c \
	%reldir%/cuda/execute/reference-bulk.c \
	%reldir%/cuda/execute/reference-cluster.c \
	%reldir%/cuda/execute/reference-tensor.c \
	%reldir%/cuda/execute/reference-float.c \
	%reldir%/cuda/execute/reference-graph.c \
	%reldir%/cuda/execute/reference-grid.c \
	%reldir%/cuda/execute/reference-half.c \
	%reldir%/cuda/execute/reference-image.c \
	%reldir%/cuda/execute/reference-integer.c \
	%reldir%/cuda/execute/reference-language.c \
	%reldir%/cuda/execute/reference-library.c \
	%reldir%/cuda/execute/reference-matrix.c \
	%reldir%/cuda/execute/reference-quantize.c \
	%reldir%/cuda/execute/reference-random.c \
	%reldir%/cuda/execute/reference-roles.c \
	%reldir%/cuda/execute/reference-science.c \
	%reldir%/cuda/execute/reference-warp.c
%canon_reldir%_cuda_execute_reference_CFLAGS = $(AM_CFLAGS) -ffp-contract=off -frounding-math -fno-builtin
%canon_reldir%_cuda_execute_reference_LDADD = -lm
TESTS += %reldir%/execute.tap
TESTS += %reldir%/execute-more.tap
EXTRA_DIST += %reldir%/execute.tap %reldir%/execute.py %reldir%/execute-more.tap %reldir%/execute-more.py

# How many instructions of a PTX file the import reads, for bench/counts.py: `make check-counts` compares
# that with a count of its own over kernels that clang and nvcc compile.
check_PROGRAMS += %reldir%/ptx-count
%canon_reldir%_ptx_count_SOURCES = %reldir%/ptx-count.c
%canon_reldir%_ptx_count_LDADD = libidg-import.la libidg-xml.la $(LDADD)

check-counts: all %reldir%/ptx-count
	@$(PYTHON3) -B "$(srcdir)/bench/counts.py" ./warpipe %reldir%/ptx-count
.PHONY: check-counts

# The text of machine code: an instruction of each form, for check-sass-listings. `make validate-decoder
# DISASSEMBLER=PATH` compares all instructions of these kernels, for all targets; VALIDATE_DECODER=--write adds
# to the lists.
check_PROGRAMS += %reldir%/sass-listing
%canon_reldir%_sass_listing_SOURCES = %reldir%/sass-listing.c
%canon_reldir%_sass_listing_LDADD = libexec.la $(LDADD) -lm
EXTRA_DIST += %reldir%/listings
.PHONY: validate-decoder
validate-decoder: all %reldir%/sass-listing
	@SASS_LISTING='%reldir%/sass-listing' DISASSEMBLER='$(DISASSEMBLER)' $(PYTHON3) -B \
		"$(srcdir)/bench/listings.py" $(VALIDATE_DECODER)

# Each form of PTX's instructions, assembled by ptxas: executed, and alike on all targets. Rewrites the second table of
# cuda/execute/README.md. VALIDATE_FORMS='--match ^cvt' does a part.
.PHONY: validate-forms
validate-forms: all
	@WARPIPE_DATA_DIR='$(abs_top_srcdir)' WARPIPE='$(abs_builddir)/warpipe' $(PYTHON3) -B "$(srcdir)/bench/forms.py" \
		$(if $(VALIDATE_FORMS),$(VALIDATE_FORMS),--page "$(srcdir)/%reldir%/cuda/execute/README.md")

# All of them for all targets, compiled by nvcc; rewrites the table of cuda/execute/README.md where all are right.
# VALIDATE_EXECUTION='--compile 80 --cases sgemm' does a part; with NVCC_OPTIONS='-G' (or another, as '-Xptxas -O0')
# nvcc has more options, and the table stays as it is.
.PHONY: validate-execution
validate-execution: all %reldir%/cuda/execute/reference
	@abs_srcdir='$(abs_srcdir)' WARPIPE_DATA_DIR='$(abs_top_srcdir)' PATH="$(abs_builddir):$$PATH" \
		REFERENCE='%reldir%/cuda/execute/reference' $(PYTHON3) -B "$(srcdir)/%reldir%/execute.py" \
		--compile $(if $(NVCC_OPTIONS),--nvcc='$(NVCC_OPTIONS)',--page "$(srcdir)/%reldir%/cuda/execute/README.md") \
		$(VALIDATE_EXECUTION)

# The verdicts of an expert on these kernels. The whole folder is data.
TESTS += %reldir%/experts.tap
EXTRA_DIST += %reldir%/experts.tap %reldir%/experts.py %reldir%/experts

# The pages of doc/studies, and README.md, against what their commands print.
TESTS += %reldir%/studies.tap %reldir%/readme.tap
EXTRA_DIST += %reldir%/studies.tap %reldir%/readme.tap

# Traces of Accel-Sim; a real one, and those that accel.py writes.
TESTS += %reldir%/accel.tap
EXTRA_DIST += %reldir%/accel.tap %reldir%/accel.py %reldir%/accel/README.md %reldir%/accel/kernel-1.traceg \
	%reldir%/accel/kernelslist.g

# A sweep by several processes; most of it is skipped without --with-mpi.
TESTS += %reldir%/mpi.tap
EXTRA_DIST += %reldir%/mpi.tap

# The tree and what is installed.
script_tests = \
	%reldir%/baseline.sh \
	%reldir%/bench-help.sh \
	%reldir%/browser.sh \
	%reldir%/access.sh \
	%reldir%/caches.sh \
	%reldir%/cores.sh \
	%reldir%/cycles.sh \
	%reldir%/engine-alone.sh \
	%reldir%/policies.sh \
	%reldir%/suite.sh \
	%reldir%/policies-python.sh \
	%reldir%/fit.sh \
	%reldir%/format.sh \
	%reldir%/fuzz-corpus.sh \
	%reldir%/growth.sh \
	%reldir%/inject.sh \
	%reldir%/interrupt.sh \
	%reldir%/compare-kernels.sh \
	%reldir%/headroom.sh \
	%reldir%/probe-devices.sh \
	%reldir%/symbols.sh \
	%reldir%/release.sh \
	%reldir%/words.sh \
	%reldir%/outputs.sh \
	%reldir%/kernels.sh \
	%reldir%/layering.sh \
	%reldir%/library.sh \
	%reldir%/listing-cost.sh \
	%reldir%/lists.sh \
	%reldir%/memory.sh \
	%reldir%/page.sh \
	%reldir%/partings.sh \
	%reldir%/picture.sh \
	%reldir%/playground.sh \
	%reldir%/playground-lessons.sh \
	%reldir%/playground-own.sh \
	%reldir%/reference.sh \
	%reldir%/resume.sh \
	%reldir%/show.sh \
	%reldir%/signals.sh \
	%reldir%/sweep.sh \
	%reldir%/python.sh \
	%reldir%/text.sh \
	%reldir%/terminal.sh \
	%reldir%/threads.sh \
	%reldir%/traces.sh \
	%reldir%/validate.sh
TESTS += $(script_tests)
EXTRA_DIST += $(script_tests) %reldir%/install.sh %reldir%/inject.c %reldir%/inject.py %reldir%/names.py %reldir%/notebook.py %reldir%/python.py %reldir%/threads.c %reldir%/order.c %reldir%/stand-in-cuda.c %reldir%/release-check.sh %reldir%/tarball-lacks.sh \
	%reldir%/cycles.py %reldir%/README.md %reldir%/engine-alone.c %reldir%/glib.supp %reldir%/lsan.supp \
	%reldir%/drift.xml %reldir%/drift-gpu.xml %reldir%/browser.py %reldir%/chrome.py %reldir%/headless.py %reldir%/headless.sh %reldir%/konata.py %reldir%/library.py \
	%reldir%/page.py %reldir%/picture.py %reldir%/path.sh %reldir%/scratch.sh %reldir%/playground.py %reldir%/playground-lessons.py %reldir%/playground-own.py %reldir%/resume.py %reldir%/signals.py %reldir%/show.py %reldir%/sweep.py

# Fuzz targets. With --enable-fuzzers they are libFuzzer's; without, fuzz-main.c runs them over the files
# that it is given, so that what was found once stays found (fuzz-corpus.sh).
fuzz_targets = \
	%reldir%/fuzz-accel \
	%reldir%/fuzz-capability \
	%reldir%/fuzz-command-line \
	%reldir%/fuzz-cubin \
	%reldir%/fuzz-data \
	%reldir%/fuzz-decode \
	%reldir%/fuzz-execute \
	%reldir%/fuzz-files \
	%reldir%/fuzz-gpu \
	%reldir%/fuzz-hints \
	%reldir%/fuzz-kernel \
	%reldir%/fuzz-launch \
	%reldir%/fuzz-policy \
	%reldir%/fuzz-ptx \
	%reldir%/fuzz-report \
	%reldir%/fuzz-resume \
	%reldir%/fuzz-sass
check_PROGRAMS += $(fuzz_targets)
if ENABLE_FUZZERS
fuzz_main =
else
fuzz_main = %reldir%/fuzz-main.c
endif
fuzz_ldflags = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
%canon_reldir%_fuzz_accel_SOURCES = %reldir%/fuzz-accel.c %reldir%/fuzz-import.h %reldir%/fuzz.h $(fuzz_main)
%canon_reldir%_fuzz_accel_LDADD = libidg-import.la libidg-xml.la $(LDADD)
%canon_reldir%_fuzz_accel_LDFLAGS = $(fuzz_ldflags)
%canon_reldir%_fuzz_capability_SOURCES = %reldir%/fuzz-capability.c %reldir%/fuzz.h $(fuzz_main)
%canon_reldir%_fuzz_capability_LDADD = libcli.la libtraces.la libplots.la libexec.la libidg-xml.la $(LDADD)
%canon_reldir%_fuzz_capability_LDFLAGS = $(fuzz_ldflags)
%canon_reldir%_fuzz_command_line_SOURCES = %reldir%/fuzz-command-line.c %reldir%/fuzz-folder.h %reldir%/fuzz.h $(fuzz_main)
%canon_reldir%_fuzz_command_line_LDADD = libcli.la libtraces.la libmodels.la libplots.la libexec.la libidg-xml.la $(LDADD)
%canon_reldir%_fuzz_command_line_LDFLAGS = $(fuzz_ldflags)
%canon_reldir%_fuzz_decode_SOURCES = %reldir%/fuzz-decode.c %reldir%/fuzz.h $(fuzz_main)
%canon_reldir%_fuzz_decode_LDADD = libexec.la $(LDADD) -lm
%canon_reldir%_fuzz_decode_LDFLAGS = $(fuzz_ldflags)
%canon_reldir%_fuzz_data_SOURCES = %reldir%/fuzz-data.c %reldir%/fuzz.h $(fuzz_main)
%canon_reldir%_fuzz_data_LDADD = libexec.la $(LDADD) -lm
%canon_reldir%_fuzz_data_LDFLAGS = $(fuzz_ldflags)
%canon_reldir%_fuzz_cubin_SOURCES = %reldir%/fuzz-cubin.c %reldir%/fuzz.h $(fuzz_main)
%canon_reldir%_fuzz_cubin_LDADD = libexec.la libidg-xml.la $(LDADD) -lm
%canon_reldir%_fuzz_cubin_LDFLAGS = $(fuzz_ldflags)
%canon_reldir%_fuzz_launch_SOURCES = %reldir%/fuzz-launch.c %reldir%/fuzz.h $(fuzz_main)
%canon_reldir%_fuzz_launch_LDADD = libexec.la libidg-xml.la $(LDADD) -lm
%canon_reldir%_fuzz_launch_LDFLAGS = $(fuzz_ldflags)
%canon_reldir%_fuzz_files_SOURCES = %reldir%/fuzz-files.c %reldir%/fuzz-folder.h %reldir%/fuzz.h $(fuzz_main)
%canon_reldir%_fuzz_files_LDADD = libcli.la libtraces.la libmodels.la libplots.la libexec.la libidg-xml.la $(LDADD)
%canon_reldir%_fuzz_files_LDFLAGS = $(fuzz_ldflags)
%canon_reldir%_fuzz_report_SOURCES = %reldir%/fuzz-report.c %reldir%/fuzz-folder.h %reldir%/fuzz.h $(fuzz_main)
%canon_reldir%_fuzz_report_LDADD = libcli.la libtraces.la libmodels.la libplots.la libexec.la libidg-xml.la $(LDADD)
%canon_reldir%_fuzz_report_LDFLAGS = $(fuzz_ldflags)
%canon_reldir%_fuzz_resume_SOURCES = %reldir%/fuzz-resume.c %reldir%/fuzz-folder.h %reldir%/fuzz.h $(fuzz_main)
%canon_reldir%_fuzz_resume_LDADD = libcli.la libtraces.la libmodels.la libplots.la libexec.la libidg-xml.la $(LDADD)
%canon_reldir%_fuzz_resume_LDFLAGS = $(fuzz_ldflags)
%canon_reldir%_fuzz_execute_SOURCES = %reldir%/fuzz-execute.c %reldir%/fuzz-import.h %reldir%/fuzz.h $(fuzz_main)
%canon_reldir%_fuzz_execute_LDADD = libexec.la libidg-xml.la $(LDADD) -lm
%canon_reldir%_fuzz_execute_LDFLAGS = $(fuzz_ldflags)
%canon_reldir%_fuzz_policy_SOURCES = %reldir%/fuzz-policy.c %reldir%/random-case.c %reldir%/random-case.h %reldir%/fuzz.h $(fuzz_main)
%canon_reldir%_fuzz_policy_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/include
%canon_reldir%_fuzz_policy_LDFLAGS = $(fuzz_ldflags)
%canon_reldir%_fuzz_gpu_SOURCES = %reldir%/fuzz-gpu.c %reldir%/fuzz.h $(fuzz_main)
%canon_reldir%_fuzz_gpu_LDFLAGS = $(fuzz_ldflags)
%canon_reldir%_fuzz_hints_SOURCES = %reldir%/fuzz-hints.c %reldir%/fuzz-import.h %reldir%/fuzz.h $(fuzz_main)
%canon_reldir%_fuzz_hints_LDADD = libidg-import.la libidg-xml.la $(LDADD)
%canon_reldir%_fuzz_hints_LDFLAGS = $(fuzz_ldflags)
%canon_reldir%_fuzz_kernel_SOURCES = %reldir%/fuzz-kernel.c %reldir%/fuzz.h $(fuzz_main)
%canon_reldir%_fuzz_kernel_LDFLAGS = $(fuzz_ldflags)
%canon_reldir%_fuzz_ptx_SOURCES = %reldir%/fuzz-ptx.c %reldir%/fuzz-import.h %reldir%/fuzz.h $(fuzz_main)
%canon_reldir%_fuzz_ptx_LDADD = libidg-import.la libidg-xml.la $(LDADD)
%canon_reldir%_fuzz_ptx_LDFLAGS = $(fuzz_ldflags)
%canon_reldir%_fuzz_sass_SOURCES = %reldir%/fuzz-sass.c %reldir%/fuzz-import.h %reldir%/fuzz.h $(fuzz_main)
%canon_reldir%_fuzz_sass_LDADD = libidg-import.la libidg-xml.la $(LDADD)
%canon_reldir%_fuzz_sass_LDFLAGS = $(fuzz_ldflags)
EXTRA_DIST += %reldir%/fuzz-main.c %reldir%/fuzz-seeds.py %reldir%/fuzz-sum.sh \
	%reldir%/fuzz/accel.dict \
	%reldir%/fuzz/capability.dict \
	%reldir%/fuzz/command-line.dict \
	%reldir%/fuzz/cubin.dict \
	%reldir%/fuzz/data.dict \
	%reldir%/fuzz/decode.dict \
	%reldir%/fuzz/gpu.dict \
	%reldir%/fuzz/hints.dict \
	%reldir%/fuzz/kernel.dict \
	%reldir%/fuzz/launch.dict \
	%reldir%/fuzz/ptx.dict \
	%reldir%/fuzz/report.dict \
	%reldir%/fuzz/sass.dict \
	%reldir%/fuzz/files.dict \
	%reldir%/fuzz/corpus

# `make -j2 fuzz`: each target for FUZZ_SECONDS, from FUZZ_SEED (0: another one each time). New inputs go to the
# build directory; a finding is kept there as fuzz-found/NAME-*.
#
# `make -j4 fuzz-long` goes on where the last one ended, and goes on after a finding: all targets together take a day of
# one processor (FUZZ_SECONDS, if it is given: each target so long). It ends with the runs, the coverage and the findings
# of each target, and fails where there are any.
FUZZ_SECONDS = 60
FUZZ_IMPORT_SECONDS = $(FUZZ_SECONDS)
FUZZ_LONG_SECONDS = 5400
FUZZ_SEED = 1
FUZZ_MODE =
fuzz_runs = fuzz-run-accel fuzz-run-capability fuzz-run-command-line fuzz-run-cubin fuzz-run-data fuzz-run-decode fuzz-run-execute fuzz-run-files fuzz-run-gpu fuzz-run-hints fuzz-run-kernel fuzz-run-launch fuzz-run-policy fuzz-run-ptx fuzz-run-report fuzz-run-resume fuzz-run-sass
.PHONY: fuzz fuzz-long fuzzers $(fuzz_runs)
fuzzers: $(fuzz_targets)
fuzz: $(fuzz_runs)
fuzz-long: fuzzers
	+@seconds=$${FUZZ_SECONDS-$(FUZZ_LONG_SECONDS)}; \
	$(MKDIR_P) fuzz-found; touch fuzz-found/.began; \
	$(MAKE) -k fuzz FUZZ_SECONDS="$$seconds" FUZZ_IMPORT_SECONDS="$$seconds" FUZZ_SEED=0 \
	  FUZZ_MODE='-fork=1 -ignore_crashes=1 -ignore_timeouts=1 -ignore_ooms=1' >/dev/null 2>&1; \
	$(SHELL) '$(srcdir)/%reldir%/fuzz-sum.sh' $(fuzz_runs:fuzz-run-%=%)
fuzz-run-accel: %reldir%/fuzz-accel
fuzz-run-capability: %reldir%/fuzz-capability
fuzz-run-command-line: %reldir%/fuzz-command-line
fuzz-run-cubin: %reldir%/fuzz-cubin
fuzz-run-data: %reldir%/fuzz-data
fuzz-run-decode: %reldir%/fuzz-decode
fuzz-run-execute: %reldir%/fuzz-execute
fuzz-run-files: %reldir%/fuzz-files
fuzz-run-gpu: %reldir%/fuzz-gpu
fuzz-run-hints: %reldir%/fuzz-hints
fuzz-run-kernel: %reldir%/fuzz-kernel
fuzz-run-launch: %reldir%/fuzz-launch
fuzz-run-policy: %reldir%/fuzz-policy
fuzz-run-ptx: %reldir%/fuzz-ptx
fuzz-run-report: %reldir%/fuzz-report
fuzz-run-resume: %reldir%/fuzz-resume
fuzz-run-sass: %reldir%/fuzz-sass
$(fuzz_runs):
	@set -e; name=$(@:fuzz-run-%=%); \
	case $$name in accel | ptx | sass) seconds='$(FUZZ_IMPORT_SECONDS)' ;; *) seconds='$(FUZZ_SECONDS)' ;; esac; \
	build='$(abs_builddir)'; corpus=$$build/fuzz-corpus/$$name; made=$$build/fuzz-seeds/$$name; \
	rm -rf "$$made"; $(MKDIR_P) $$corpus $$made fuzz-found; options=; \
	seeds="$(abs_srcdir)/tests/fuzz/corpus/$$name $$made"; \
	$(PYTHON3) -B '$(srcdir)/%reldir%/fuzz-seeds.py' $$name '$(abs_srcdir)' $$made; \
	case $$name in \
	  command-line | report | resume) options=-close_fd_mask=3;; \
	esac; \
	test ! -f '$(abs_srcdir)'/tests/fuzz/$$name.dict || \
	  options="$$options -dict=$(abs_srcdir)/tests/fuzz/$$name.dict"; \
	$(AM_TESTS_ENVIRONMENT) \
	G_DEBUG=gc-friendly,fatal-criticals \
	%reldir%/fuzz-$$name -seed=$(FUZZ_SEED) -max_total_time=$$seconds -timeout=20 -rss_limit_mb=3000 -max_len=16384 \
	  -print_final_stats=1 -artifact_prefix=$$build/fuzz-found/$$name- $$options $(FUZZ_MODE) \
	  $$corpus $$seeds >fuzz-$$name.log 2>&1 || \
	  { sed -n "/runtime error\|ERROR: /,/SUMMARY/p" fuzz-$$name.log | head -n 60; tail -n 12 fuzz-$$name.log; exit 1; }; \
	grep -E '^(Done|stat::(number_of_executed_units|new_units_added))' fuzz-$$name.log || :

clean-local:
	-rm -rf fuzz-corpus fuzz-found fuzz-seeds fuzz-*.log valgrind.log
	-test ! -h configs || rm -f configs
	-test ! -h idg/kernels || rm -f idg/kernels

# What is installed, by `make installcheck` after `make install`; `make distcheck` does both.
installcheck-local:
	$(AM_TESTS_ENVIRONMENT) prefix='$(prefix)' lib='$(libdir)' $(SHELL) $(srcdir)/%reldir%/install.sh

# Unit tests under valgrind. Not AX_VALGRIND_CHECK: its G_SLICE=...,debug-blocks hides leaks before GLib 2.76.
# A few random cases will do: the law is the full suite's business, the memory is this one's.
# check-skip has nothing else, check-estimate runs what pays to be estimated, and check-library runs the program
# beside threads, which takes long here: all run under the sanitizers. So do check-laws and check-repeat, many runs
# of an engine whose memory check-random, check-bounds and check-device look at. check-plugin-python has libpython in it,
# which frees little of its own. Tables of ops and of machine code (check-ops, check-runs-as, check-sass-decode), and
# arithmetic on words of a warp that are all written (check-execute-integer; -float and -exchange are of its kind, and
# stay), keep nothing that could be read before it is set. Without forks each program is translated once and not for
# each test.
not_for_valgrind = \
	%reldir%/check-estimate \
	%reldir%/check-execute-integer \
	%reldir%/check-laws \
	%reldir%/check-library \
	%reldir%/check-ops \
	%reldir%/check-plugin-python \
	%reldir%/check-repeat \
	%reldir%/check-runs-as \
	%reldir%/check-sass-decode \
	%reldir%/check-skip \
	%reldir%/check-skip-eager
.PHONY: check-valgrind
check-valgrind: $(check_PROGRAMS)
	CK_FORK=no WARPIPE_RANDOM_CASES=$${WARPIPE_VALGRIND_CASES-20} WARPIPE_SKIP_CASES=6 \
	WARPIPE_EXPLAIN_EXAMPLES=2 WARPIPE_SMALL_INPUTS=1 $(MAKE) check-TESTS TESTS='$(filter-out $(not_for_valgrind),$(unit_tests))' TEST_SUITE_LOG=valgrind.log \
		LOG_COMPILER='$(LIBTOOL) --mode=execute valgrind' \
		LOG_FLAGS='-q --error-exitcode=9 --leak-check=full --suppressions=$(abs_srcdir)/%reldir%/glib.supp'

# What finds most in a minute, on two cores. The slowest test comes first.
quick_too_long = \
	%reldir%/check-laws \
	%reldir%/check-skip-eager \
	%reldir%/golden/calculator.test \
	%reldir%/golden/compare.test \
	%reldir%/golden/kernels.test \
	%reldir%/golden/models.test \
	%reldir%/golden/table-6.3.test
quick_scripts = \
	%reldir%/cycles.sh \
	%reldir%/engine-alone.sh \
	%reldir%/format.sh \
	%reldir%/layering.sh \
	%reldir%/lists.sh \
	%reldir%/options.tap \
	%reldir%/sass.tap \
	%reldir%/schema.tap
QUICK_CASES = 200
QUICK_SKIP_CASES = 60
.PHONY: check-quick
check-quick: all-am
	@status=0; programs=; goldens=; \
	for test in $(unit_tests); do \
	  case ' $(quick_too_long) ' in *" $$test "*) ;; *) programs="$$programs $$test";; esac; \
	done; \
	for test in $(golden_tests); do \
	  case ' $(quick_too_long) ' in *" $$test "*) ;; *) goldens="$$goldens $$test";; esac; \
	done; \
	tests="%reldir%/bad.tap$$programs$$goldens $(quick_scripts)"; \
	case "$${MAKEFLAGS-}" in *-j*) jobs=;; *) jobs=-j2;; esac; \
	WARPIPE_RANDOM_CASES=$${WARPIPE_RANDOM_CASES-$(QUICK_CASES)} \
	WARPIPE_SKIP_CASES=$${WARPIPE_SKIP_CASES-$(QUICK_SKIP_CASES)} \
	$(MAKE) $$jobs check-TESTS TESTS="$$tests" check_PROGRAMS="$$programs %reldir%/schemas" TEST_SUITE_LOG=quick.log || status=$$?; \
	echo "Left out, and run by make -j2 check:"; \
	for test in $(TESTS); do \
	  case " $$tests " in *" $$test "*) ;; *) printf '%s ' $$test;; esac; \
	done | sed 's,%reldir%/,,g' | fold -s -w 98 | sed 's/^/  /'; \
	echo; echo "  and all but $(QUICK_CASES) random cases, or $(QUICK_SKIP_CASES) of the long ones."; \
	echo "Only ./selftest runs other compilers, sanitizers, valgrind, fuzzers and distcheck."; \
	exit $$status

# What gcc -fanalyzer and clang-tidy find: nothing. TOOLS=gcc, TOOLS=tidy: one of them; ONLY='...': some files.
.PHONY: analyze
analyze:
	@$(AM_TESTS_ENVIRONMENT) \
	ANALYZE_FLAGS='$(DEFS) -I$(abs_builddir) -I$(abs_srcdir) -std=gnu11 $(DEPS_CFLAGS) $(JSON_CFLAGS) $(CAIRO_CFLAGS) $(ZLIB_CFLAGS) $(LZMA_CFLAGS) $(ZSTD_CFLAGS)' \
	TOOLS='$(TOOLS)' SOURCES='$(ONLY)' $(SHELL) '$(srcdir)/%reldir%/analyze.sh'
EXTRA_DIST += %reldir%/analyze.sh

# Rewrites every C file as .clang-format says.
.PHONY: format
format:
	cd $(srcdir) && clang-format -i `find idg sim exec traces models plots run include cli playground tests bench doc -name '*.[ch]' 2>/dev/null`
