/* SPDX-License-Identifier: MIT */
/* Private: hints, which are what the user says about a listing (--trip, --branch, --context),
 * looked up in that listing. */
#pragma once

#include "idg/import/base/idg-import-options.h"
#include "idg/import/flow/idg-walk.h"

G_BEGIN_DECLS

/* A hint for some branches. */
typedef struct
{
  GArray *instrs;  /* of guint: the branches */
  GArray *targets; /* of guint: the targets of those that are indexed branches; parallel to `instrs`
                    */
  IdgHint hint;
  GArray *warps; /* of IdgRange; NULL: all */
  gboolean rest; /* a hint for `all`, that is, for the branches that no other hint names */
} IdgBranchHint;

/* A hint as it was given, to see whether it took effect. */
typedef struct
{
  const gchar *option; /* "trip", "branch", "context" */
  const gchar *text;   /* borrowed from the import */
  GArray *instrs;      /* of guint: what it names; empty: `all` */
  gboolean is_source;  /* by a line of the source */
  gint64 rounds;       /* of a trip */
  IdgHint hint;        /* of a branch */
  gchar *context;      /* of a context */
} IdgGivenHint;

typedef struct
{
  const IdgCode *code; /* borrowed, as is `flow` */
  const IdgFlow *flow;
  GPtrArray *branches;    /* of IdgBranchHint; those for `all` come last */
  gint64 *trips;          /* by instruction: iterations of the loop that begins there, or
                           * IDG_TRIPS_UNKNOWN */
  gint64 *source_trips;   /* the same, in rounds of the source */
  GPtrArray *given;       /* of IdgGivenHint */
  gint64 other_trips;     /* iterations of the loops that no other hint names, or IDG_TRIPS_UNKNOWN
                           */
  const gchar **contexts; /* by instruction, or NULL; borrowed from `given` */
} IdgHints;

/* Looks up the hints of IMPORT in CODE and its FLOW; all three must outlive the result. Returns
 * NULL with ERROR if a hint cannot be parsed or names something that the listing does not have.
 * O(hints x instructions). Free with idg_hints_free(). */
IdgHints *idg_hints_new (const IdgCode *code, const IdgFlow *flow, const IdgImport *import,
                         GError **error);
/* Checks that each hint took effect: an error says why it did not. Loops that no warp enters become
 * notes of IMPORT and, where nobody asked for that, warnings of KERNEL. */
gboolean idg_hints_check (const IdgHints *hints, const IdgOutcome *outcome, IdgKernel *kernel,
                          IdgImport *import, GError **error);
void idg_hints_free (IdgHints *hints);

/* Tells whether a hint says that the loop that begins at the instruction FIRST runs 0 times: one
 * that names it, or else the one for all others. O(1). */
gboolean idg_hints_skips (const IdgHints *hints, guint first);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IdgHints, idg_hints_free)

G_END_DECLS
