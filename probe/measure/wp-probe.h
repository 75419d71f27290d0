/* SPDX-License-Identifier: MIT */
/* The measuring program: finds what a description of a GPU says by running microbenchmarks on it,
 * as J. Lemeire's do, and keeps each figure with what was timed. Where launches cannot tell a
 * figure it is said not to be told. */
#pragma once

#include "probe/measure/wp-probe-device.h"

G_BEGIN_DECLS

/* A figure, from RUNS launches. SPREAD: by how much two ways to compute it from them differ.
 * PRECISION: by how much, relative, it may be wrong beside; 0: by nothing. */
typedef struct
{
  gdouble value, spread, precision;
  guint runs;
  gboolean is_told;
} WpProbeFigure;

typedef enum
{
  WP_PROBE_COMPUTE,
  WP_PROBE_LOCAL,       /* of the SM's own memory, and what may use its unit */
  WP_PROBE_STORE_LOCAL, /* nothing waits for it */
  WP_PROBE_GLOBAL,
  WP_PROBE_STORE_GLOBAL,
} WpProbeFamily;

#define WP_PROBE_NO_UNIT G_MAXUINT
#define WP_PROBE_MAX_STAGES 3

/* A pipeline that an instruction passes, and for how long it keeps it. */
typedef struct
{
  guint unit;
  WpProbeFigure issue;
} WpProbeStage;

/* How long one instruction's result takes for another's: an index of `ops`. */
typedef struct
{
  guint op;
  gdouble completion;
} WpProbeConsumer;

typedef struct
{
  const gchar *name, *access; /* static */
  WpProbeFamily family;
  guint flops, bytes;
  WpProbeFigure chain;       /* cycles for each of a dependent chain, one warp */
  WpProbeFigure alone;       /* of one alone: its completion */
  WpProbeFigure one_warp;    /* for each of independent ones, one warp */
  WpProbeFigure scheduler;   /* likewise, many warps on one scheduler */
  WpProbeFigure sm;          /* likewise, on one SM */
  WpProbeFigure device;      /* likewise, for each SM, all of them busy */
  gboolean is_per_scheduler; /* its pipeline is one scheduler's */
  guint n_stages;
  WpProbeStage stages[WP_PROBE_MAX_STAGES]; /* the first is its own pipeline */
  GArray *consumers;                        /* of WpProbeConsumer: other than `alone` */
} WpProbeOp;

typedef struct
{
  gchar *name;
  gboolean is_per_scheduler, is_memory;
  guint longest; /* the op of it that takes longest: index of `ops` */
  gint64 queue;  /* -1: not bounded as far as was tried */
  gboolean queue_told;
  gint64 inflight; /* 0: not reached */
  guint shared;    /* SMs that have one together */
  WpProbeFigure turnaround;
} WpProbeUnit;

#define WP_PROBE_LOADS 8
#define WP_PROBE_MEASURED 0.3 /* share of the time, about, until channels are fitted */

/* Memory under load: bytes that an SM reads in a cycle where it has COUNT loads under way at a time.
 * 0: not measured. */
typedef struct
{
  guint count;
  gdouble reads, copies; /* COPIES: and with each load a store goes out */
} WpProbeLoad;

/* The channels of memory (MODEL.md, section 11) with which a simulation comes nearest to its loads. */
typedef struct
{
  guint channels;        /* 0: none */
  const gchar *why_none; /* static */
  gdouble issue;         /* cycles that a visit keeps one */
  guint load_visits, store_visits;
  gdouble shift; /* cycles that a load takes longer, so that one alone takes what it does */
  gdouble off,
      plain; /* the most that a load differs from the simulation, relative: with, without */
  gboolean is_told;
} WpProbeChannels;

typedef struct
{
  WpProbeDevice *device; /* borrowed */
  gboolean is_quick;
  gboolean is_rough; /* fewer loads are measured, and for a shorter time */
  void (*report) (gpointer data, gdouble share); /* or NULL */
  gpointer data;
  GError *error; /* the first; nothing runs after it */
  gboolean is_stopped;
  guint64 launches;

  gint64 attributes[WP_PROBE_N_ATTRIBUTES];
  guint warps; /* of the largest block that is used */
  guint schedulers;
  WpProbeFigure interval, ilp, barrier, launch;
  guint dual_issue;
  gint64 register_allocation, register_partitions, shared_memory_allocation; /* 0: not told */
  gboolean register_per_block;
  WpProbeLoad loads[WP_PROBE_LOADS];
  WpProbeChannels channels;
  GArray *ops;      /* of WpProbeOp */
  GPtrArray *units; /* of WpProbeUnit */
} WpProbe;

/* ONLY: the ops to time, NULL-terminated; NULL: all that the device has. Ops that are not in the table
 * are for the caller to refuse. */
WpProbe *wp_probe_new (WpProbeDevice *device, gboolean is_quick, const gchar *const *only);
void wp_probe_free (WpProbe *probe);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpProbe, wp_probe_free)

/* Measures all there is. False with ERROR, or with `is_stopped` and no error where the device's goes_on() has
 * said so. */
gboolean wp_probe_measure (WpProbe *probe, GError **error);

/* Measures memory under load, as wp_probe_measure() does, and nothing else. SHARERS: how many SMs share
 * memory. */
void wp_probe_measure_loads (WpProbe *probe, guint sharers);

static inline WpProbeOp *
wp_probe_get_op (const WpProbe *probe, guint i)
{
  return &g_array_index (probe->ops, WpProbeOp, i);
}

static inline WpProbeUnit *
wp_probe_get_unit (const WpProbe *probe, guint i)
{
  return g_ptr_array_index (probe->units, i);
}

/* The unit that a load from memory passes last, or NULL: none was found. */
WpProbeUnit *wp_probe_get_memory (const WpProbe *probe);

/* The names of the ops that can be timed, each once, NULL-terminated; free with g_free(). */
const gchar **wp_probe_list_ops (void);

/* The op NAME with ACCESS (may be NULL) that was measured, or NULL. */
WpProbeOp *wp_probe_find_op (const WpProbe *probe, const gchar *name, const gchar *access);

G_END_DECLS
