/* SPDX-License-Identifier: MIT */
/* Where two schedules part: the first issue of one simulation that the other does not make. Both
 * run in lock step, and what one has issued is kept until the other has come as far; then both run
 * once more, up to there, to be asked which warps could have issued.
 */
#pragma once

#include "run/base/progress.h"
#include "run/simulate/simulation.h"

G_BEGIN_DECLS

/* Issues after which no difference is looked for any more: 2^24, which take seconds. */
#define WP_DIVERGENCE_MAX_ISSUES (G_GUINT64_CONSTANT (1) << 24)

/* What one of the two does there. */
typedef struct
{
  gboolean issues; /* false: it issues nothing there and then */
  guint pick;      /* the warp that it issues from, among the candidates */
  gchar *op;       /* what that issues */
  guint n_candidates;
  WpCandidate *candidates; /* the warps that it could have picked, by slot */
} WpPick;

typedef enum
{
  WP_DIVERGENCE_FOUND,
  WP_DIVERGENCE_NONE,     /* both issue the same to the end */
  WP_DIVERGENCE_TOO_LATE, /* the same for as long as was looked */
} WpDivergenceKind;

typedef struct
{
  WpDivergenceKind kind;
  guint64 issues; /* instructions that both have issued alike until then */
  gchar *time;    /* in cycles, exact */
  guint32 sm, scheduler;
  WpPick picks[2];
} WpDivergence;

/* One of the two; all borrowed. They differ in nothing but the policy and its active set. */
typedef struct
{
  const IdgKernel *kernel;
  const WpGpu *gpu;
  const WpPolicy *policy;
  WpRunOptions options;
} WpDivergenceRun;

/* Looks for it. A signal, or the end of *MAX_ISSUES (0: there is none; what it takes is taken off),
 * ends the search and sets *INTERRUPTED. False with ERROR. */
gboolean wp_divergence_find (const WpDivergenceRun runs[2], const WpProgress *progress,
                             guint64 *max_issues, gint *interrupted, WpDivergence *divergence,
                             GError **error);
void wp_divergence_clear (WpDivergence *divergence);

G_END_DECLS
