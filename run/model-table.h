/* SPDX-License-Identifier: MIT */
/* The analytical models beside the simulation, at a list of occupancies, for a kernel with one set
 * of parameters.
 *
 * The models speak of an SM that always has its full number of warps. A simulated run has that too,
 * but for its beginning (the first blocks come without a launch latency) and its end (the last
 * blocks leave the SM half empty). Both weigh less the more generations of blocks there are:
 * WP_MODEL_GENERATIONS at each occupancy, with which they are about a per cent, unless the number
 * of blocks is given or matters (programs for some blocks only).
 */
#pragma once

#include "models/wp-model.h"
#include "run/base/ranges.h"
#include "run/simulate/batch.h"
#include "sim/bounds/wp-bounds.h"

G_BEGIN_DECLS

#define WP_MODEL_GENERATIONS 40
#define WP_MODEL_MAX_POINTS 1024 /* occupancies, and values of a parameter */

/* What one model says. */
typedef struct
{
  const WpModel *model;
  const gchar *why;              /* it applies at none of the occupancies (static); else NULL */
  WpModelResult *results;        /* [n_points]; where it does not apply, its throughput is NAN */
  gdouble smallest, largest;     /* estimate / simulated; NAN where there is none */
  guint smallest_at, largest_at; /* at which point */
} WpEstimates;

typedef struct
{
  IdgKernel *kernel;
  const WpGpu *gpu; /* borrowed */
  WpRunOptions options;
  gchar *value; /* of the parameter that is varied, or NULL */
  gint64 warps_per_block;
  guint n_points;
  gint64 *warps;        /* [n_points] resident ones, rising */
  gboolean as_launched; /* the launch's blocks; else WP_MODEL_GENERATIONS */
  gint64 most;          /* warps that an SM can have */
  gchar *limiters;      /* what keeps it from having more; or NULL */
  gchar *left_out;      /* occupancies asked for that cannot be reached, and why; or NULL */
  gdouble instructions; /* of a warp, the mean */
  gdouble *simulated;   /* [n_points] warps a cycle and SM */
  guint n_models;
  WpEstimates *estimates; /* [n_models] */

  /* Private: */
  WpResolved *resolved;
  WpBounds *bounds;
  WpModelInput input;
  gboolean has_input;
  IdgKernel *chains[2];            /* of the main arithmetic and memory instruction */
  guint first_run, first_chain[2]; /* in the list of runs */
  gdouble *measured[2];
} WpModelTable;

/* Takes KERNEL over and finds the occupancies: RANGES (of WpRange) as far as they can be reached,
 * or (NULL) whole blocks up to what fits. NULL with ERROR. */
WpModelTable *wp_model_table_new (IdgKernel *kernel, const WpGpu *gpu, const WpRunOptions *options,
                                  const GArray *ranges, GError **error);
void wp_model_table_free (WpModelTable *table);

/* Counts what models want to know; the rest is as for wp_find_bounds(). False with ERROR. */
gboolean wp_model_table_count (WpModelTable *table, const WpProgress *progress, guint64 max_steps,
                               gint *interrupted, GError **error);

/* Appends the simulations that are wanted to RUNS (of WpBatchRun); MEASURED: those of single
 * instructions, too. */
void wp_model_table_add_runs (WpModelTable *table, gboolean measured, GArray *runs);

/* Takes the figures of RUNS, which are done, and asks MODELS. */
void wp_model_table_fill (WpModelTable *table, const GArray *runs, const WpModel *const *models,
                          guint n_models);

/* Estimate / simulated at POINT; NAN where there is none. */
gdouble wp_model_table_get_ratio (const WpModelTable *table, const WpEstimates *estimates,
                                  guint point);

G_END_DECLS
