# What runs policies in Python (run/base/policy-script.c loads it): it is not linked with libpython, which is there
# before it. Written against the limited API.
python_policy_sources = \
	%reldir%/policy/calls.c \
	%reldir%/policy/errors.c \
	%reldir%/policy/private.h \
	%reldir%/policy/script.c \
	%reldir%/policy/view.c \
	%reldir%/policy/warp.c
EXTRA_DIST += $(python_policy_sources)
if WITH_PYTHON_POLICIES
pkglib_LTLIBRARIES += warpipe-python.la
warpipe_python_la_SOURCES = $(python_policy_sources)
warpipe_python_la_CPPFLAGS = $(AM_CPPFLAGS) $(PYTHON_EMBED_CFLAGS) -DPy_LIMITED_API=0x030b0000
warpipe_python_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared
endif
