/* SPDX-License-Identifier: MIT */
/* Private: holds a file against a RelaxNG schema. Not installed; linked into the program.
 *
 * The readers know all that the schemas know and say it better. This is the second opinion of
 * `warpipe validate`.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Whether LENGTH bytes of DATA, which a reader has accepted, are valid by the schema at SCHEMA.
 * Else ERROR (of DOMAIN, an IdgXmlCode) reads "NAME:LINE: ..." with the first thing that the schema
 * finds. Fetches nothing. */
gboolean idg_schema_check (const gchar *data, gsize length, const gchar *name, const gchar *schema,
                           GQuark domain, GError **error);

G_END_DECLS
