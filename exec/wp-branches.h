/* SPDX-License-Identifier: MIT */
/* What --branch says of branches whose side depends on unknown data: "k.cu:12=taken",
 * "k.cu:12=not", "k.cu:12=both", "all=taken", each with ":0-3" behind it for these warps of a block
 * alone. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct WpBranches WpBranches;

/* Parses TEXTS (NULL-terminated; NULL: none). NULL with an error of IDG_ERROR. */
WpBranches *wp_branches_new (const gchar *const *texts, GError **error);
void wp_branches_free (WpBranches *branches);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpBranches, wp_branches_free)

typedef struct
{
  const gchar *file; /* NULL: not known */
  guint line;
} WpBranchPlace;

/* Which lanes of warp WARP take the branch that is at both PLACES, which may be the same: all,
 * none, or with "both" the first 16. The last rule that fits counts; a line goes before "all".
 * FALSE: none fits. */
gboolean wp_branches_get (WpBranches *branches, const WpBranchPlace places[2], guint warp,
                          guint32 *lanes);

/* The text of a rule that was never asked for, NULL: none. */
const gchar *wp_branches_find_unused (const WpBranches *branches);

G_END_DECLS
