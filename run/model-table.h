/* SPDX-License-Identifier: MIT */
/* Estimates of analytical models and the simulated throughput, at a list of occupancies, for a
 * kernel with one set of parameters.
 *
 * The models assume an SM that always has its full number of warps. A simulated run has that too,
 * but for its beginning (the first blocks start without a launch latency) and its end (the last
 * blocks leave the SM half empty). The more generations of blocks there are, the less both weigh:
 * with WP_MODEL_GENERATIONS about a per cent. So that many are simulated at each occupancy, unless
 * the number of blocks is given or matters (programs for some blocks only). */
#pragma once

#include "models/wp-model.h"
#include "run/base/ranges.h"
#include "run/simulate/batch.h"

G_BEGIN_DECLS

#define WP_MODEL_GENERATIONS 40
#define WP_MODEL_MAX_POINTS 1024 /* occupancies, and values of a parameter */

/* The estimates of one model. */
typedef struct
{
  const WpModel *model;
  const gchar *why;              /* why it applies at no occupancy (static), or NULL */
  WpModelResult *results;        /* [n_points]; throughput is NAN where it does not apply */
  gdouble smallest, largest;     /* estimate / simulated; NAN where there is none */
  guint smallest_at, largest_at; /* at which point */
} WpEstimates;

typedef struct WpModelTableWork WpModelTableWork;

typedef struct
{
  IdgKernel *kernel;
  const WpGpu *gpu; /* borrowed */
  WpRunOptions options;
  gchar *value; /* of the parameter that varies, or NULL */
  gint64 warps_per_block;
  guint n_points;
  gint64 *warps;        /* [n_points] resident warps, rising */
  gboolean as_launched; /* with the launch's blocks; else WP_MODEL_GENERATIONS */
  gint64 most;          /* warps that an SM can have */
  gchar *limiters;      /* why not more; or NULL */
  gchar *left_out;      /* occupancies asked for that cannot be reached, and why; or NULL */
  gdouble instructions; /* of a warp, the mean */
  gdouble *simulated;   /* [n_points] warps a cycle and SM */
  guint n_models;
  WpEstimates *estimates; /* [n_models] */
  WpResolved *resolved;   /* with the most warps; NULL until wp_model_table_count() */
  WpModelTableWork *work;
} WpModelTable;

/* Takes KERNEL over and finds the occupancies: those of RANGES (of WpRange) that can be reached, or
 * (NULL) whole blocks up to what fits. NULL with ERROR. */
WpModelTable *wp_model_table_new (IdgKernel *kernel, const WpGpu *gpu, const WpRunOptions *options,
                                  const GArray *ranges, GError **error);
void wp_model_table_free (WpModelTable *table);

/* Counts what the models need (instructions, bounds); the other arguments are as for
 * wp_find_bounds(). FALSE with ERROR. */
gboolean wp_model_table_count (WpModelTable *table, const WpProgress *progress, guint64 max_steps,
                               gint *interrupted, GError **error);

/* Appends the simulations that TABLE needs to RUNS (of WpBatchRun). MEASURED: with those of single
 * instructions. */
void wp_model_table_add_runs (WpModelTable *table, gboolean measured, GArray *runs);

/* Fills in the throughput of RUNS, which have ended, and the estimates of MODELS. */
void wp_model_table_fill (WpModelTable *table, const GArray *runs, const WpModel *const *models,
                          guint n_models);

G_END_DECLS
