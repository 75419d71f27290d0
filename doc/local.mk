dist_man_MANS = \
	%reldir%/man/warpipe.1 \
	%reldir%/man/warpipe-gpu.5 \
	%reldir%/man/warpipe-kernel.5

bashcompletiondir = $(datadir)/bash-completion/completions
dist_bashcompletion_DATA = %reldir%/completion/warpipe

EXTRA_DIST += %reldir%/examples/embed.c %reldir%/examples/sweep.sbatch
EXTRA_DIST += %reldir%/cluster.md
EXTRA_DIST += %reldir%/models.md %reldir%/performance.md
EXTRA_DIST += %reldir%/bounds.md %reldir%/compare.md
EXTRA_DIST += %reldir%/bounds.md
EXTRA_DIST += %reldir%/explain.md
EXTRA_DIST += %reldir%/fidelity.md
EXTRA_DIST += %reldir%/explain.md %reldir%/traces.md
EXTRA_DIST += %reldir%/page.md
EXTRA_DIST += %reldir%/FORMATS.md %reldir%/MODEL.md \
	%reldir%/pictures/latency-hiding.sh %reldir%/pictures/latency-hiding.svg
