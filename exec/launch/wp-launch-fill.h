/* SPDX-License-Identifier: MIT */
/* Texts that have parameters of the kernel file, or of --set, as $NAME or ${NAME}. */
#pragma once

#include "exec/launch/wp-launch-value.h"

G_BEGIN_DECLS

/* TEXT with the values of its $NAMEs; free with g_free(). NULL with an error of IDG_ERROR that
 * names the one that LOOKUP, which may be NULL, does not know. O(TEXT). */
gchar *wp_launch_fill (const gchar *text, WpLaunchLookup lookup, gpointer data, GError **error);

G_END_DECLS
