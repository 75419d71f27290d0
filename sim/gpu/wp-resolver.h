/* SPDX-License-Identifier: MIT */
/* What wp_resolve() works on, and its parts. Private to wp-resolve*.c, each of which says what it
 * does; wp-resolve-machine.c calls the others. */
#pragma once

#include "sim/gpu/wp-resolve.h"

G_BEGIN_DECLS

/* Everything that a machine points to, with what wp_resolve() returns. */
typedef struct
{
  WpResolved resolved; /* first, so that one is the other */
  GPtrArray *costs;    /* of WpCost: what instructions point to */
  GArray *programs, *instrs, *deps, *code, *spreads, *passes, *block_ranges, *rows, *segments;
  GArray *barriers; /* of WpBarrierDesc */
  GArray *nodes;    /* of const IdgNode *, one for each instruction */
  GHashTable *ops;  /* from each of the costs to its WpGpuOp */
  gboolean mixed;   /* an instruction is of a mix */
  GPtrArray *names; /* the kernel's strings */
  GPtrArray *owned; /* the arrays of spreads */
  WpPipelineDesc *pipelines;
} WpArena;

/* What an instruction costs in one of the contexts of a mix. */
typedef struct
{
  WpGpuCost cost;
  guint32 upto; /* the weights up to this one, that included; 0: it is no mix */
  guint32 set;  /* of those that complete alike (WpInstr), from 0 on */
} WpResolverContext;

/* The cost of an instruction as written, looked up. */
typedef struct
{
  const WpGpuOp *op;                 /* NULL: a barrier, or a repeat's end */
  guint32 n;                         /* contexts: of a mix several; else 1, of no op 0 */
  guint32 n_sets;                    /* of these */
  const WpResolverContext *contexts; /* [n] */
} WpResolverCost;

/* A denominator of times. */
typedef struct
{
  gint64 den;
  gchar *label; /* the first value with that denominator, and its place */
} WpDenominator;

typedef struct
{
  const IdgKernel *kernel;
  const WpGpu *gpu;
  const WpRunOptions *options;
  gboolean contended; /* memory is */
  WpResolved *resolved;
  WpArena *arena;
  GPtrArray *costs;  /* of arrays of WpResolverCost: one array for each program, one element
 * for each node; all in one piece */
  GArray *barriers;  /* of IdgBarrier: the kernel's, with names */
  GHashTable *cache; /* "op\ncontext" -> WpResolverCost, so that each pair is looked up once */
  GHashTable *machine_costs; /* of the machine: from what they are for (wp-resolve-program.c) */
  GHashTable *name_ids;      /* op as written -> index + 1 into arena->names */
  GHashTable *spread_ids;    /* WpGpuSpread -> index + 1 into arena->spreads */
  GArray *denominators;      /* of WpDenominator: those found so far, each once */
  gint64 lcm; /* the least common multiple of the denominators; 0: it would exceed the
                           * limit */
} WpResolver;

/* Sets an error that names KERNEL's file, and LINE of it, if that is not 0. */
void wp_resolver_fail (const IdgKernel *kernel, gint line, WpError code, GError **error,
                       const gchar *format, ...) G_GNUC_PRINTF (5, 6);

/* Tells whether the options ask for the idealisation KIND. */
static inline gboolean
wp_resolver_is_ideal (const WpResolver *r, WpIdealKind kind)
{
  return (r->options->ideals & WP_IDEAL_BIT (kind)) != 0;
}

static inline void
wp_resolver_note_ideal (WpResolver *r, WpIdealKind kind)
{
  r->resolved->idealised |= WP_IDEAL_BIT (kind);
}

/* ---- wp-resolve-costs.c ---- */

gboolean wp_resolver_look_up_all (WpResolver *r, GError **error);

/* Returns Lambda of PRODUCER in its context I for a consumer that is looked up as CONSUMER (NULL: a
 * barrier). */
WpCycles wp_resolver_get_latency (const WpResolverCost *producer, guint i, const WpGpuOp *consumer);

/* ---- wp-resolve-hits.c ---- */

/* What NODE is looked up in for CONTEXT (NULL: none), its own or one of its mix: the same, but
 * where the options ask for another. Borrowed from CONTEXT, or from the arena. */
const gchar *wp_resolver_get_context (WpResolver *r, const IdgNode *node, const gchar *context);

/* ---- wp-resolve-tick.c: after wp_resolver_look_up_all() ---- */

gboolean wp_resolver_find_tick (WpResolver *r, GError **error);

WpTick wp_resolver_to_ticks (const WpResolver *r, WpCycles value);

/* The same of a time of pipeline P, for the first group of those that share it, and for the
 * LAST. */
WpTick wp_resolver_to_shared (const WpResolver *r, guint p, WpCycles value, gboolean last);

/* Whether TIME, of pipeline P, is a whole number of ticks. */
gboolean wp_resolver_fits_tick (const WpResolver *r, guint p, WpCycles time);

/* ---- wp-resolve-launch.c ---- */

/* Where SMs share pipelines, after wp_resolver_look_up_all(). */
gboolean wp_resolver_fit_launch (WpResolver *r, GError **error);

gboolean wp_resolver_assign_programs (WpResolver *r, GError **error);

/* How many SMs share pipeline P, as far as the kernel has to do with it. */
guint32 wp_resolver_get_shared (const WpResolver *r, guint p);

/* Whether SMs of the GPU share a pipeline. */
gboolean wp_resolver_shares (const WpGpu *gpu);

/* ---- wp-resolve-sample.c: at the end, but for idealisations ---- */

/* Says what blocks of the launch do, and takes those that are simulated from all of it where the
 * first ones do more or less. O(ranges of blocks). */
void wp_resolver_sample_blocks (WpResolver *r);

/* ---- wp-resolve-program.c: after wp_resolver_find_tick() ---- */

/* Returns a table for machine_costs. */
GHashTable *wp_resolver_new_costs (void);

/* Checks that no instruction can complete before it starts. */
gboolean wp_resolver_check_spreads (WpResolver *r, GError **error);

/* Writes the arrays of the kernel's program P. */
gboolean wp_resolver_add_program (WpResolver *r, guint p, GError **error);

/* ---- wp-resolve-values.c ---- */

#define WP_DROPPED G_MAXUINT32 /* the place of a node that does not execute */

/* Gives each instruction of PROGRAM that others depend on places where a warp keeps its last
 * completions (`value`), given how many (`n_kept`). PLACE: in the machine, of each node, or
 * WP_DROPPED. Returns how many places there are. O(nodes + dependences x depth). */
guint32 wp_resolver_place_values (WpResolver *r, const IdgProgram *program,
                                  const WpResolverCost *costs, const guint32 *place);

G_END_DECLS
