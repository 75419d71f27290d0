/* SPDX-License-Identifier: MIT */
/* A sweep: the product of lists of values, one simulation and one row of a table for each
 * combination.
 *
 * The order of rows is fixed: axes stand in the order of their columns, and the last varies
 * fastest. A row depends on nothing but the sweep and its number, so that rows may be found in any
 * order, by anybody who has made the same sweep.
 */
#pragma once

#include "run/base/load.h"
#include "run/base/ranges.h"
#include "run/simulate/simulation.h"

G_BEGIN_DECLS

#define WP_SWEEP_MAX_ROWS G_GUINT64_CONSTANT (100000000)

/* In the order of their columns; the kernel's parameters, each an axis of its own, come after the
 * GPUs. */
typedef enum
{
  WP_AXIS_GPU,
  WP_AXIS_THREADS,
  WP_AXIS_REGISTERS,
  WP_AXIS_SHARED_MEMORY,
  WP_AXIS_BLOCKS,
  WP_AXIS_SMS, /* 0: all */
  WP_AXIS_OCCUPANCY,
  WP_AXIS_POLICY,
  WP_AXIS_ACTIVE_SET,
  WP_AXIS_ORDER,  /* of WpOrder */
  WP_AXIS_MEMORY, /* 1: contended */
  WP_AXIS_SEED,
  WP_N_AXES
} WpAxis;

typedef struct
{
  gchar *kernel_name; /* as the command line has it */
  gchar *path, *text; /* the kernel's file, read once */
  gsize length;
  IdgKernel *kernel;   /* with its parameters' own values */
  GStrv gpu_names;     /* as the command line has them */
  GPtrArray *gpus;     /* of WpGpu */
  GPtrArray *policies; /* of const WpPolicy */
  GPtrArray
      *pipelines; /* of const gchar: those of all GPUs, by name, in order of first appearance */
  /* Of WpRange, or NULL: not asked for, which is one value, the default. GPUs and policies are
   * numbers of theirs. */
  GArray *axes[WP_N_AXES];
  GArray **settings; /* likewise, [kernel->parameters->len] */
  gboolean no_limits;
  guint64 n_rows;
  gchar *digest; /* the same for the same sweep only; ends each of its rows */
} WpSweep;

/* A sweep of KERNEL on GPUS (names, NULL-terminated), all read; the caller sets the other axes,
 * taking care that there are policies, and then calls wp_sweep_finish(). NULL with ERROR. */
WpSweep *wp_sweep_new (const gchar *kernel, const WpImportOptions *import,
                       const WpRunOptions *launch, gchar *const *gpus, GError **error);
void wp_sweep_free (WpSweep *sweep);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpSweep, wp_sweep_free)

/* Gives the kernel's parameter NAME the values RANGES (taken over). False with ERROR if there is
 * none of that name. */
gboolean wp_sweep_set (WpSweep *sweep, const gchar *name, GArray *ranges, GError **error);

/* Counts rows, at most WP_SWEEP_MAX_ROWS, and makes the digest. False: there are more. */
gboolean wp_sweep_finish (WpSweep *sweep);

/* A combination, decoded. */
typedef struct
{
  guint64 row;
  guint64 values[WP_N_AXES]; /* where the axis is asked for */
  guint64 settings;          /* which combination of them */
} WpSweepPoint;

void wp_sweep_get_point (const WpSweep *sweep, guint64 row, WpSweepPoint *point);

/* The value of parameter I in combination SETTINGS; only where it is asked for. */
guint64 wp_sweep_get_setting (const WpSweep *sweep, guint64 settings, guint i);

/* What the run of POINT asks for. */
void wp_sweep_get_options (const WpSweep *sweep, const WpSweepPoint *point, WpRunOptions *options);

/* The number of values of an axis. */
guint64 wp_sweep_count (const GArray *ranges);

G_END_DECLS
