/* SPDX-License-Identifier: MIT */
/* A run by source line, for kernels whose instructions have lines: what issued, what that took of
 * the issue slots and of each pipeline, what warps waited for, and what accesses asked of the
 * caches. */
#pragma once

#include "run/simulate/line-stalls.h"
#include "run/simulate/source-line.h"
#include "sim/machine/wp-result.h"

G_BEGIN_DECLS

typedef struct
{
  gchar *file; /* without its folder */
  guint line;
  gchar *source;             /* its text; NULL: the file cannot be read */
  guint64 instructions;      /* of warps */
  guint64 slots;             /* issue slots that these took */
  gdouble *use;              /* [n_pipelines]: of all that a pipeline did, 0 .. 1 */
  WpSum stalls[WP_N_CAUSES]; /* ticks */
  WpSum stalled;             /* all of them */
  IdgLineAccesses accesses;  /* `file` is NULL; zeros: none, or not counted */
} WpLine;

typedef struct
{
  guint n;
  WpLine *lines; /* by file and line */
  guint32 n_pipelines;
  guint64 slots; /* of all instructions, those without a line included */
  WpSum stalled; /* likewise */
} WpByLine;

/* Adds up RESULT, of a run of KERNEL as RESOLVED, which STALLS (may be NULL: no stalls) watched.
 * Free with wp_by_line_free(). O(the kernel). */
WpByLine *wp_by_line_new (const IdgKernel *kernel, const WpResolved *resolved,
                          const WpResult *result, const WpLineStalls *stalls);
void wp_by_line_free (WpByLine *lines);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpByLine, wp_by_line_free)

/* The cause that LINE waits for most. */
WpCause wp_line_find_cause (const WpLine *line);

G_END_DECLS
