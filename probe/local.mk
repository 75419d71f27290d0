# The measuring program: microbenchmarks that find a GPU's description. Part of the program, not installed.
noinst_LTLIBRARIES += libprobe.la
libprobe_la_SOURCES = \
	%reldir%/code/wp-probe-code.c \
	%reldir%/code/wp-probe-code.h \
	%reldir%/cuda/wp-cuda-ops.def \
	%reldir%/cuda/wp-cuda-source.c \
	%reldir%/cuda/wp-cuda-source.h \
	%reldir%/cuda/wp-cuda-calls.def \
	%reldir%/cuda/wp-cuda-code.c \
	%reldir%/cuda/wp-cuda-code.h \
	%reldir%/cuda/wp-cuda.c \
	%reldir%/cuda/wp-cuda.h \
	%reldir%/cuda/wp-probe-cuda.c \
	%reldir%/cuda/wp-probe-cuda.h \
	%reldir%/describe/wp-probe-compare.c \
	%reldir%/describe/wp-probe-describe.c \
	%reldir%/describe/wp-probe-describe.h \
	%reldir%/describe/wp-probe-number.c \
	%reldir%/describe/wp-probe-number.h \
	%reldir%/fit/wp-probe-fit.c \
	%reldir%/fit/wp-probe-fit.h \
	%reldir%/measure/wp-probe-blocks.c \
	%reldir%/measure/wp-probe-device.h \
	%reldir%/measure/wp-probe-latency.c \
	%reldir%/measure/wp-probe-limits.c \
	%reldir%/measure/wp-probe-load.c \
	%reldir%/measure/wp-probe-measure.c \
	%reldir%/measure/wp-probe-memory.c \
	%reldir%/measure/wp-probe-ops.def \
	%reldir%/measure/wp-probe-private.h \
	%reldir%/measure/wp-probe-queues.c \
	%reldir%/measure/wp-probe-rates.c \
	%reldir%/measure/wp-probe-timing.c \
	%reldir%/measure/wp-probe-timing.h \
	%reldir%/measure/wp-probe-units.c \
	%reldir%/measure/wp-probe.c \
	%reldir%/measure/wp-probe.h \
	%reldir%/opencl/wp-opencl-calls.def \
	%reldir%/opencl/wp-opencl-ops.def \
	%reldir%/opencl/wp-opencl-source.c \
	%reldir%/opencl/wp-opencl-source.h \
	%reldir%/opencl/wp-opencl.c \
	%reldir%/opencl/wp-opencl.h \
	%reldir%/opencl/wp-probe-opencl.c \
	%reldir%/opencl/wp-probe-opencl.h \
	%reldir%/simulated/wp-probe-simulated.c \
	%reldir%/simulated/wp-probe-simulated.h
libprobe_la_LIBADD = -lm
