/* SPDX-License-Identifier: MIT */
/* What was measured, as a description of a GPU, and beside another description. */
#pragma once

#include "probe/measure/wp-probe.h"
#include "sim/gpu/wp-gpu.h"

G_BEGIN_DECLS

/* The description, as the text of a file of FORMATS.md, with what was timed in a comment on each
 * figure. NAME is what it calls the GPU. Free with g_free(). Linear in what was measured. */
gchar *wp_probe_describe (const WpProbe *probe, const gchar *name);

typedef enum
{
  WP_PROBE_SAME, /* exact */
  WP_PROBE_NEAR, /* within 1% */
  WP_PROBE_OTHER,
  WP_PROBE_FITTED, /* so that simulations of both come near one another: neither need be the other */
  WP_PROBE_UNTOLD, /* no launch can tell, and the description has a value that is not the default */
  WP_PROBE_N_VERDICTS
} WpProbeVerdict;

/* A figure of two descriptions. */
typedef struct
{
  gchar *what, *was, *is;
  WpProbeVerdict verdict;
} WpProbeRow;

typedef struct
{
  GPtrArray *rows; /* of WpProbeRow */
  guint counts[WP_PROBE_N_VERDICTS];
} WpProbeComparison;

/* What IS, the description that came back, has of WAS, figure by figure, in the order of a
 * description. */
WpProbeComparison *wp_probe_compare (const WpProbe *probe, const WpGpu *was, const WpGpu *is);
void wp_probe_comparison_free (WpProbeComparison *comparison);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpProbeComparison, wp_probe_comparison_free)

/* "exact", "within 1%", "different", "fitted", "not told". */
const gchar *wp_probe_verdict_get_name (WpProbeVerdict verdict);

G_END_DECLS
