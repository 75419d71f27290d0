/* SPDX-License-Identifier: MIT */
/* Which of many launches is the quickest: all combinations of some parameters' values, each
 * simulated, ranked by predicted time. That is of use where all do the same work; what speaks
 * against it is said. */
#pragma once

#include "run/base/load.h"
#include "run/compare/variations.h"
#include "run/simulate/batch.h"
#include "run/tune/known.h"

G_BEGIN_DECLS

#define WP_TUNE_MAX_RUNS 10000

/* Two predicted times are a tie where they differ by no more than this share of the smaller one.
 * doc/fidelity.md: mean errors of kernels that were not fitted are 3 to 6% (streams by GPU 2.6 to
 * 5.8%, tiled products of matrices 3.3 and 6.3%). */
#define WP_TUNE_TIE 0.06

/* One launch. */
typedef struct
{
  gchar *label; /* "tile=16 block=128" */
  guint index;  /* among the combinations, from 0 on */
  gint64 blocks, threads, registers, shared_memory;
  gint64 resident_warps; /* that fit on an SM */
  gint64 most_warps;     /* that are there at a time, as the grid may be smaller */
  gchar *limiters;       /* "registers" */
  gdouble cycles, time_us;
  guint64 instructions;   /* of warps, in all blocks of the launch, about */
  gdouble bytes_written;  /* to the last memory of stores, likewise; NAN where nothing says it */
  gchar *kind, *resource; /* of its verdict, as in reports */
  gchar *verdict;
  gchar *warnings;     /* names, "a, b"; or NULL */
  gboolean no_verdict; /* one of them stands in the way */
  gboolean executed;   /* the kernel was */
  gboolean contended;  /* memory was */
  gboolean is_tie;     /* with the first one */
  GError *error;       /* it cannot run on the GPU: all from `blocks` on is unknown; or NULL */
} WpTuneRow;

typedef struct
{
  GPtrArray *rows;            /* of WpTuneRow, the quickest first; what cannot run comes last */
  GPtrArray *notes;           /* of gchar: what speaks against comparing them */
  guint n_ties;               /* with the first one, that included */
  gboolean executed;          /* its kernels were */
  gboolean contended;         /* memory was */
  const WpKnownErrors *known; /* of kernels that were executed, and like the first one; or NULL */
} WpTuning;

typedef struct
{
  const gchar *kernel;           /* a name or file */
  const WpImportOptions *import; /* with the GPU */
  const GPtrArray *variations;   /* of WpVariation, all of parameters */
  const WpGpu *gpu;
  WpRunOptions options;
} WpTune;

/* Loads and simulates all of TUNE on BATCH's cores. What does not fit on the GPU is a row that says
 * so; any other error ends it. Free with wp_tuning_free(). NULL with ERROR, or without one where
 * BATCH was interrupted. Cost: that of the runs; memory for the kernels of a few of them. */
WpTuning *wp_tune (const WpTune *tune, WpBatch *batch, GError **error);
void wp_tuning_free (WpTuning *tuning);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpTuning, wp_tuning_free)

G_END_DECLS
