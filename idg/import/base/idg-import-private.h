/* SPDX-License-Identifier: MIT */
/* Private: what an import keeps behind what is seen of it. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

struct IdgImport;

/* Adds NOTE to the notes of IMPORT, unless it is there already. O(1). */
void idg_import_add_note (struct IdgImport *import, const gchar *note);

G_END_DECLS
