/* SPDX-License-Identifier: MIT */
/* Private: text as editors and shells save it. What a shell of Windows redirects into a file is
 * UTF-16 with a byte order mark; some editors put one before UTF-8. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The file at PATH as idg_xml_read() reads it, in UTF-8 and without a byte order mark. Without a
 * mark its bytes are as they are. */
GByteArray *idg_text_read (const gchar *path, GQuark domain, GError **error);

/* The same for the first LENGTH bytes of a file, HEAD, in their place. Returns how many they are
 * then: no more than before, since what has no room is left out. */
gsize idg_text_decode_head (gchar *head, gsize length);

G_END_DECLS
