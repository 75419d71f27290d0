/* SPDX-License-Identifier: MIT */
/* Private: hints, which are what the user said of a listing (--trip, --branch, --context), looked
 * up in it. */
#pragma once

#include "idg/import/base/idg-import-options.h"
#include "idg/import/flow/idg-walk.h"

G_BEGIN_DECLS

/* A hint for some branches. */
typedef struct
{
  GArray *instrs;  /* of guint */
  GArray *targets; /* of guint, of indexed branches; beside `instrs` */
  IdgHint hint;
  GArray *warps; /* of IdgRange; NULL: all */
  gboolean rest; /* a hint for `all`: for the branches that no other hint names */
} IdgBranchHint;

typedef struct
{
  const IdgCode *code; /* borrowed, as FLOW */
  const IdgFlow *flow;
  GPtrArray *branches;    /* of IdgBranchHint; those for `all` come last */
  gint64 *trips;          /* by instruction: of the loop that begins there, or IDG_TRIPS_UNKNOWN */
  gint64 other_trips;     /* of the loops that no other hint names, or IDG_TRIPS_UNKNOWN */
  const gchar **contexts; /* by instruction, or NULL; borrowed from the import */
} IdgHints;

/* The hints of IMPORT, looked up in CODE and its FLOW; all three must outlive them. NULL with ERROR
 * where one cannot be read or names nothing there. O(hints x instructions). Free with
 * idg_hints_free(). */
IdgHints *idg_hints_new (const IdgCode *code, const IdgFlow *flow, const IdgImport *import,
                         GError **error);
void idg_hints_free (IdgHints *hints);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IdgHints, idg_hints_free)

G_END_DECLS
