/* SPDX-License-Identifier: MIT */
/* Where two schedules part: the first issue of one simulation that the other does not make. Both run in lock step, and what
 * one has issued is kept until the other has come as far; then both run once more, up to there, to be asked which warps
 * could have issued.
 */
#pragma once

#include "cli/cli-pace.h"
#include "cli/simulate.h"

G_BEGIN_DECLS

/* Issues after which no difference is looked for any more: 2^24, which take seconds. */
#define WP_PARTING_MAX_ISSUES (G_GUINT64_CONSTANT (1) << 24)

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
  WP_PARTING_FOUND,
  WP_PARTING_NONE,     /* both issue the same to the end */
  WP_PARTING_TOO_LATE, /* the same for as long as was looked */
} WpPartingKind;

typedef struct
{
  WpPartingKind kind;
  guint64 issues; /* instructions that both have issued alike until then */
  gchar *time;    /* in cycles, exact */
  guint32 sm, scheduler;
  WpPick picks[2];
} WpParting;

/* One of the two; all borrowed. They differ in nothing but the policy and its active set. */
typedef struct
{
  const IdgKernel *kernel;
  const WpGpu *gpu;
  const WpPolicy *policy;
  WpRunOptions options;
} WpPartingRun;

/* Looks for it. A signal, or the end of *MAX_ISSUES (0: there is none; what it takes is taken off), ends the search and
 * sets *INTERRUPTED. False with ERROR. */
gboolean wp_parting_find (const WpPartingRun runs[2], const WpSignals *signals, guint64 *max_issues,
                          gint *interrupted, WpParting *parting, GError **error);
void wp_parting_clear (WpParting *parting);

G_END_DECLS
