/* SPDX-License-Identifier: MIT */
/* Counterfactuals: simulates a kernel on a GPU again with one thing ideal at a time
 * (sim/gpu/wp-idealise.h), and then with two, to find what each would gain and what it hides.
 *
 * The pairs are the best thing with each other one. Where even the best gains little, they are all
 * pairs: two things may then limit the kernel, each hiding the other. What would change nothing is
 * not simulated, and machines that are the same to the last tick are simulated once: as two things
 * ideal may be that one of them is, and as two seeds are where nothing is random. */
#pragma once

#include "run/base/sample.h"
#include "run/simulate/batch.h"
#include "run/simulate/resident.h"

G_BEGIN_DECLS

/* Shares of the time: a gain below the first does not matter, one below the second is small. */
#define WP_EXPLAIN_MATTERS 0.01
#define WP_EXPLAIN_MUCH 0.1

/* What limits a run. */
typedef enum
{
  WP_BINDING_NOTHING,    /* it takes no time */
  WP_BINDING_PIPELINE,   /* one is in use (nearly) all the time */
  WP_BINDING_SCHEDULERS, /* the issue slots are */
  WP_BINDING_EMPTY, /* places are empty: blocks are being replaced, or wait for their last warps */
  WP_BINDING_RESULTS, /* warps wait for a pipeline's results */
  WP_BINDING_BARRIER, /* warps wait at barriers */
  WP_BINDING_ILP,     /* between their own issues */
  WP_BINDING_TURNS,   /* for pipelines and schedulers that are not busy all the time */
  WP_BINDING_DRAIN,   /* for their last results */
  WP_N_BINDINGS
} WpBindingKind;

typedef struct
{
  WpBindingKind kind;
  guint32 pipeline;   /* of WP_BINDING_PIPELINE and WP_BINDING_RESULTS: in the machine */
  gdouble share;      /* of the time, of the places for warps, or of their lives: 0 .. 1 */
  gboolean is_uneven; /* the share is of the SM with the most blocks, and that of all is less */
} WpBinding;

/* One of a case's runs, of which there is one for each seed. */
typedef struct
{
  gdouble cycles;         /* until the last store is done, where stores are queued at the end */
  gdouble ended, drained; /* until the last warp ends; until the last pipeline is free */
  gchar ended_text[WP_TIME_CHARS], drained_text[WP_TIME_CHARS];
  WpBinding binding;
  GPtrArray *warnings;   /* of WpWarning, of the case as it is with the first seed; else NULL */
  gdouble *use, *waited; /* by pipeline: utilization, and share of warps' lives spent on its
                          * results; owned */
} WpCaseRun;

/* A run with some things ideal; of several seeds, their mean. */
typedef struct WpCase WpCase;
struct WpCase
{
  guint32 ideals; /* a set of WP_IDEAL_BIT() */
  guint n_kinds;
  WpIdealKind kinds[2];   /* the same, in the order of reports */
  const WpPolicy *policy; /* NULL: that of all others */
  gchar *why;             /* why it is not simulated; NULL: it is, and the rest holds */
  gboolean quiet;         /* why: the GPU has no such thing, and nothing is said of it */
  gchar ended_text[WP_TIME_CHARS], drained_text[WP_TIME_CHARS]; /* as of WpCaseRun */
  gdouble cycles; /* by which gains go: until the last warp, and store, is done */
  gdouble ended;
  gdouble gain;          /* share of the time that it would save; may be negative */
  gdouble speedup;       /* infinite where it would take no time */
  WpBinding binding;     /* of the first seed */
  WpCaseRun *runs;       /* [n_seeds] */
  WpSample times, gains; /* cycles, and shares saved, by seed: each against the run as it is with
                            the same one */
  guint64 hash;          /* private, as the next two: of its machine's bytes */
  gboolean is_random;    /* runs with other seeds are others */
  const WpCase *same;    /* whose runs its own would be again; NULL: it has its own */
};

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
  gdouble time_us;             /* of as_it_is.ended */
  const GPtrArray *warnings;   /* of WpWarning: of the run as it is, with the first seed; of it */
  GPtrArray *notes;            /* of gchar, as of WpReport */
  WpCase singles[WP_N_IDEALS]; /* by WpIdealKind */
  guint n_ranked;
  const WpCase *ranked[WP_N_IDEALS]; /* the others that were simulated, the best first */
  /* What hits in a cache would gain: more than less latency and more bandwidth together, and often
   * out of reach, so that it is no verdict and part of no pair. */
  guint n_hits;
  const WpCase *hits[2];
  /* As it is, but by WP_GREEDY_POLICY (greedy.h): what schedulers that are not fair would make of
   * it. */
  gboolean has_greedy;
  WpCase greedy;
  guint n_simulated; /* runs that were made, for all cases and seeds */
  guint n_pairs;
  WpCase pairs[WP_N_IDEALS * (WP_N_IDEALS - 1) / 2]; /* the best first */
} WpExplanation;

/* Finds what can be made ideal. Runs are to be made with each of the SEEDS, at least one, in place
 * of that of OPTIONS. All arguments are borrowed. NULL with ERROR where the kernel does not run on
 * the GPU. */
WpExplanation *wp_explanation_new (const IdgKernel *kernel, const WpGpu *gpu,
                                   const WpPolicy *policy, const WpRunOptions *options,
                                   const guint64 *seeds, guint n_seeds, GError **error);
void wp_explanation_free (WpExplanation *explanation);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpExplanation, wp_explanation_free)

/* Simulates. BATCH is complete but for its policy; where it is interrupted, EXPLANATION has no
 * results. FALSE with ERROR. */
gboolean wp_explanation_run (WpExplanation *explanation, WpBatch *batch, GError **error);

/* The best single case, or NULL where none gains anything that matters. */
const WpCase *wp_explanation_get_first (const WpExplanation *explanation);

/* The pair that limits the kernel where no single thing gains much, but both together
 * WP_EXPLAIN_MUCH more; or NULL. */
const WpCase *wp_explanation_get_together (const WpExplanation *explanation);

/* Whether one case gains so much that only pairs with it were simulated. */
gboolean wp_explanation_is_clear (const WpExplanation *explanation);

G_END_DECLS
