# The playground: the engine as WebAssembly in one static page. `make playground` makes it, `make check` tests it where
# configure has found what it takes; nothing else needs it.

# The parts of the page, in the order in which they are to stand: scripts share one scope.
playground_engine = \
	%reldir%/engine-machine.js \
	%reldir%/engine-words.js \
	%reldir%/engine-waits.js \
	%reldir%/engine.js \
	%reldir%/engine-open.js
playground_scripts = \
	$(playground_engine) \
	traces/html/base.js \
	%reldir%/pack.js \
	%reldir%/settings.js \
	%reldir%/builder.js \
	%reldir%/variant.js \
	%reldir%/state.js \
	%reldir%/link.js \
	%reldir%/clock.js \
	%reldir%/points.js \
	%reldir%/simulate.js \
	%reldir%/why.js \
	%reldir%/reader.js \
	%reldir%/words.js \
	%reldir%/own.js \
	%reldir%/canvas.js \
	%reldir%/lanes.js \
	%reldir%/rows.js \
	%reldir%/places.js \
	%reldir%/chart.js \
	%reldir%/curve.js \
	%reldir%/cusp.js \
	%reldir%/panels.js \
	%reldir%/legend.js \
	%reldir%/stage.js \
	%reldir%/point.js \
	%reldir%/pin.js \
	%reldir%/controls.js \
	%reldir%/lessons.js \
	%reldir%/lesson.js \
	%reldir%/start.js
playground_styles = %reldir%/page.css
playground_html = %reldir%/own.html

playground_bindings = \
	%reldir%/wp-bindings-log.c \
	%reldir%/wp-bindings-read.c \
	%reldir%/wp-bindings.c \
	%reldir%/wp-bindings.h
playground_stand_in = \
	%reldir%/reader/stand-in/absent.c \
	%reldir%/reader/stand-in/config.h \
	%reldir%/reader/stand-in/dlfcn.h \
	%reldir%/reader/stand-in/expat.c \
	%reldir%/reader/stand-in/expat.h \
	%reldir%/reader/stand-in/fcntl.h \
	%reldir%/reader/stand-in/files.c \
	%reldir%/reader/stand-in/files.h \
	%reldir%/reader/stand-in/glib-array.c \
	%reldir%/reader/stand-in/glib-error.c \
	%reldir%/reader/stand-in/glib-hash.c \
	%reldir%/reader/stand-in/glib-memory.c \
	%reldir%/reader/stand-in/glib-string.c \
	%reldir%/reader/stand-in/glib-text.c \
	%reldir%/reader/stand-in/glib-utf8.c \
	%reldir%/reader/stand-in/glib.h \
	%reldir%/reader/stand-in/signal.h \
	%reldir%/reader/stand-in/sort.c \
	%reldir%/reader/stand-in/sort.h \
	%reldir%/reader/stand-in/sys/resource.h \
	%reldir%/reader/stand-in/unistd.h
playground_reader = $(playground_stand_in) %reldir%/reader/wp-reader.c %reldir%/reader/wp-reader.h
# What of the program reads kernels and GPUs, and writes machines; but for what is in the `case` below.
reader_sources = $(libidg_la_SOURCES) $(libidg_import_la_SOURCES) $(libidg_xml_la_SOURCES) $(libsim_la_SOURCES) \
	sim/base/wp-time.c \
	sim/machine/wp-machine.c \
	run/base/assumptions.c \
	run/base/check-ops.c \
	run/base/dims.c \
	run/base/lists.c \
	run/base/ranges.c \
	run/simulate/block-work.c \
	run/simulate/costly.c \
	run/simulate/hotspots.c \
	run/simulate/resident.c \
	run/simulate/source-place.c \
	run/simulate/warnings-blocks.c \
	run/simulate/warnings-setting.c \
	run/simulate/warnings.c \
	cli/common/cli-json.c \
	cli/common/cli-launch.c \
	cli/run/machine-json.c
playground_tools = %reldir%/assemble.awk %reldir%/assemble.sh %reldir%/gpus.sh %reldir%/presets.sh
EXTRA_DIST += $(playground_scripts) $(playground_styles) $(playground_html) $(playground_bindings) $(playground_reader) \
	$(playground_tools) \
	%reldir%/README.md %reldir%/lessons.json %reldir%/page.html %reldir%/presets.list

.PHONY: playground playground-dist clean-playground
playground_folder = $(PACKAGE)-playground-$(VERSION)
clean-local: clean-playground
clean-playground:
	rm -rf $(playground_folder) $(playground_folder).tar.gz

if HAVE_PLAYGROUND
playground: %reldir%/warpipe.html
check_DATA = %reldir%/warpipe.html
CLEANFILES += %reldir%/engine.wasm %reldir%/reader.wasm %reldir%/presets.json %reldir%/warpipe.html

# No standard streams, no environment, no imports: what the module calls is in it. Its stack lies below its data, so that one that
# is too deep ends the call and spoils nothing.
wasm_flags = --target=wasm32-wasi -std=c11 -O2 -DNDEBUG -Wall -Wextra -Wno-unused-variable -fvisibility=hidden -nostartfiles \
	-Wl,--no-entry -Wl,--strip-all -Wl,-z,stack-size=1048576 -Wl,--stack-first -Wl,--max-memory=1073741824
# Unrolled loops would be a tenth of it, and the page is to stay small.
%reldir%/engine.wasm: $(playground_bindings) $(engine_sources) $(engine_headers)
	$(AM_V_GEN)$(MKDIR_P) %reldir% && top=`pwd` && cd $(srcdir) && sources= && \
	for source in $(playground_bindings) $(engine_sources); do \
	  case $$source in *.c) sources="$$sources $$source";; esac; \
	done && $(WASM_CC) $(wasm_flags) -fno-unroll-loops -I. -I%reldir% $$sources -o "$$top/$@.tmp" && mv "$$top/$@.tmp" "$$top/$@"

# It is asked for functions by their names alone; the C library's streams, which nothing is written to, are left to the page to refuse.
# It is to be small: what it reads was pasted or dropped, and how fast it is nobody sees.
%reldir%/reader.wasm: $(playground_reader) $(reader_sources)
	$(AM_V_GEN)$(MKDIR_P) %reldir% && top=`pwd` && cd $(srcdir) && sources= && \
	for source in $(playground_reader) $(reader_sources); do \
	  case $$source in \
	    idg/import/accel/* | idg/kernel/idg-graph* | idg/kernel/idg-coalesce.c | idg/kernel/idg-signals.c | sim/bounds/*) ;; \
	    sim/engine/*) ;; \
	    *.c) sources="$$sources $$source";; \
	  esac; \
	done && $(WASM_CC) $(wasm_flags) -Os -D_GNU_SOURCE -I%reldir%/reader/stand-in -I%reldir%/reader -I. -Iinclude $$sources \
	  -o "$$top/$@.tmp" && mv "$$top/$@.tmp" "$$top/$@"

# Made by the program, of shipped files.
%reldir%/presets.json: %reldir%/presets.list %reldir%/presets.sh warpipe$(EXEEXT) $(dist_kernels_DATA) $(dist_gpus_DATA)
	$(AM_V_GEN)WARPIPE_DATA_DIR='$(abs_top_srcdir)' $(SHELL) $(srcdir)/%reldir%/presets.sh ./warpipe$(EXEEXT) \
	  <$(srcdir)/%reldir%/presets.list >$@.tmp && mv $@.tmp $@

%reldir%/warpipe.html: %reldir%/engine.wasm %reldir%/reader.wasm %reldir%/presets.json %reldir%/page.html %reldir%/lessons.json $(playground_tools) \
		$(dist_gpus_DATA) \
		$(playground_scripts) $(playground_styles) $(playground_html)
	$(AM_V_GEN)AWK='$(AWK)' srcdir='$(srcdir)' $(SHELL) $(srcdir)/%reldir%/assemble.sh %reldir%/page.html \
	  %reldir%/engine.wasm %reldir%/reader.wasm %reldir%/presets.json "`cd $(srcdir) && echo $(dist_gpus_DATA)`" \
	  $(playground_scripts) $(playground_styles) $(playground_html) \
	  >$@.tmp && mv $@.tmp $@

# The playground as a folder that any static host serves, and as one file of a release.
playground-dist: %reldir%/warpipe.html
	rm -rf $(playground_folder) && $(MKDIR_P) $(playground_folder)
	cp %reldir%/warpipe.html $(playground_folder)/index.html
	cp $(srcdir)/%reldir%/lessons.json $(srcdir)/LICENSE $(playground_folder)
	tardir=$(playground_folder) && $(am__tar) | gzip -9n >$(playground_folder).tar.gz.tmp
	mv $(playground_folder).tar.gz.tmp $(playground_folder).tar.gz
	@echo "$(playground_folder): the folder to serve; $(playground_folder).tar.gz: the same as a file"
else
playground-dist: playground
playground:
	@echo "the playground needs a clang that makes WebAssembly: apt-get install clang lld wasi-libc libclang-rt-14-dev-wasm32," \
	  "then configure again" >&2; exit 1
endif
