/* SPDX-License-Identifier: MIT */
/* Where two schedules diverge: the first issue of one simulation that the other does not make.
 *
 * Both simulations advance together; issues of the one are kept until the other has come as far.
 * Then both run once more, up to that issue, to find which warps could have issued there. */
#pragma once

#include "run/base/progress.h"
#include "run/simulate/simulation.h"

G_BEGIN_DECLS

/* The search ends after this many issues, 2^24, which take seconds. */
#define WP_DIVERGENCE_MAX_ISSUES (G_GUINT64_CONSTANT (1) << 24)

/* What one of the two simulations does there. */
typedef struct
{
  gboolean issues; /* FALSE: it issues nothing at that time */
  guint pick;      /* the warp that it issues from, among the candidates */
  gchar *op;       /* the op of that issue */
  guint n_candidates;
  WpCandidate *candidates; /* the warps that it could have picked, by slot */
} WpPick;

typedef enum
{
  WP_DIVERGENCE_FOUND,
  WP_DIVERGENCE_NONE,     /* both issue the same to the end */
  WP_DIVERGENCE_TOO_LATE, /* both issue the same up to WP_DIVERGENCE_MAX_ISSUES */
} WpDivergenceKind;

typedef struct
{
  WpDivergenceKind kind;
  guint64 issues; /* that both have made alike until then */
  gchar *time;    /* in cycles, exact */
  guint32 sm, scheduler;
  WpPick picks[2];
} WpDivergence;

/* One of the two simulations; pointers are borrowed. The two differ by nothing but the policy and
 * its active set. */
typedef struct
{
  const IdgKernel *kernel;
  const WpGpu *gpu;
  const WpPolicy *policy;
  WpRunOptions options;
} WpDivergenceRun;

/* Finds where RUNS diverge, into DIVERGENCE, to be freed with wp_divergence_clear() in any case.
 * The search ends early when PROGRESS (may be NULL) cancels it, or after *MAX_ISSUES (0: no
 * limit), from which it subtracts what it used; *INTERRUPTED then says why. FALSE with ERROR. */
gboolean wp_divergence_find (const WpDivergenceRun runs[2], const WpProgress *progress,
                             guint64 *max_issues, gint *interrupted, WpDivergence *divergence,
                             GError **error);
void wp_divergence_clear (WpDivergence *divergence);

G_END_DECLS
