/* SPDX-License-Identifier: MIT */
/* Counterfactuals: a kernel on a GPU simulated again with one thing ideal at a time
 * (sim/gpu/wp-idealise.h), and then with two, to find what each would gain and what hides behind
 * it.
 *
 * The pairs are the best thing with each other one; where that gains little alone, all pairs, as
 * then two things may limit the kernel alike, each hiding the other. What changes nothing is not
 * simulated.
 */
#pragma once

#include "run/base/sample.h"
#include "run/simulate/batch.h"
#include "run/simulate/resident.h"

G_BEGIN_DECLS

/* What gains less than this share of the time does not count; what gains less than that is little.
 */
#define WP_EXPLAIN_MATTERS 0.01
#define WP_EXPLAIN_MUCH 0.1

/* What limits a run. */
typedef enum
{
  WP_BINDING_NOTHING,    /* it takes no time */
  WP_BINDING_PIPELINE,   /* one is in use (nearly) all the time */
  WP_BINDING_SCHEDULERS, /* the same of the issue slots */
  WP_BINDING_EMPTY,      /* there are no warps: blocks are replaced, or their last warps awaited */
  WP_BINDING_RESULTS,    /* warps wait for a pipeline's results */
  WP_BINDING_BARRIER,    /* at barriers */
  WP_BINDING_ILP,        /* between issues of their own */
  WP_BINDING_TURNS,      /* for pipelines and schedulers that are not busy all the time */
  WP_BINDING_DRAIN,      /* for their last results */
  WP_N_BINDINGS
} WpBindingKind;

typedef struct
{
  WpBindingKind kind;
  guint32 pipeline; /* of WP_BINDING_PIPELINE and WP_BINDING_RESULTS: in the machine */
  gdouble share;    /* of the time, of the warps' places or of their lives: 0 .. 1 */
} WpBinding;

/* One of a case's runs, of which there is one for each seed. */
typedef struct
{
  gdouble cycles;
  gchar cycles_text[WP_TIME_CHARS];
  WpBinding binding;
} WpCaseRun;

/* A run with some things ideal; of several seeds, their mean. */
typedef struct
{
  guint32 ideals; /* a set of WP_IDEAL_BIT() */
  guint n_kinds;
  WpIdealKind kinds[2]; /* the same, in the order in which they are told */
  gchar *why;           /* it is not simulated: why; else NULL, and the rest holds */
  gchar cycles_text[WP_TIME_CHARS];
  gdouble cycles;
  gdouble gain;          /* share of the time that it would save; may be negative */
  gdouble speedup;       /* infinite where no time is left */
  WpBinding binding;     /* of the first seed */
  WpCaseRun *runs;       /* [n_seeds] */
  WpSample times, gains; /* cycles, and shares saved, by seed: each against the run as it is with
                            the same one */
} WpCase;

typedef struct
{
  const IdgKernel *kernel; /* borrowed, as the next two */
  const WpGpu *gpu;
  const WpPolicy *policy;
  WpRunOptions options; /* with the first seed */
  guint n_seeds;
  const guint64 *seeds; /* borrowed */
  WpResolved *resolved; /* as it is */
  WpResident resident;
  WpCase as_it_is;
  gdouble time_us;
  WpCase singles[WP_N_IDEALS]; /* by WpIdealKind */
  guint n_ranked;
  const WpCase *ranked[WP_N_IDEALS]; /* those that were simulated, the best first */
  guint n_pairs;
  WpCase pairs[WP_N_IDEALS * (WP_N_IDEALS - 1) / 2]; /* the best first */
} WpExplanation;

/* Finds what there is to make ideal. Each run is made with each of the SEEDS, at least one, in
 * place of that of OPTIONS. They are borrowed, as all else. NULL with ERROR where the kernel does
 * not run on the GPU as it is. */
WpExplanation *wp_explanation_new (const IdgKernel *kernel, const WpGpu *gpu,
                                   const WpPolicy *policy, const WpRunOptions *options,
                                   const guint64 *seeds, guint n_seeds, GError **error);
void wp_explanation_free (WpExplanation *explanation);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpExplanation, wp_explanation_free)

/* Simulates. BATCH has all but its policy; where it was interrupted, nothing is known. False with
 * ERROR. */
gboolean wp_explanation_run (WpExplanation *explanation, WpBatch *batch, GError **error);

/* The best of the single ones, or NULL where none gains anything that matters. */
const WpCase *wp_explanation_get_first (const WpExplanation *explanation);

/* The pair that limits the kernel where no single thing gains much: together they gain
 * WP_EXPLAIN_MUCH more. Or NULL. */
const WpCase *wp_explanation_get_together (const WpExplanation *explanation);

/* Whether the pairs are those with the best one, not all. */
gboolean wp_explanation_is_clear (const WpExplanation *explanation);

G_END_DECLS
