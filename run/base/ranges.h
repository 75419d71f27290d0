/* SPDX-License-Identifier: MIT */
/* Lists as options take them: of words, "rr,gto"; of whole numbers, "32", "1-48", "4-64/4" (every
 * fourth from 4 on), "1,2,8-16". */
#pragma once

#include "cli/common/commands.h"

G_BEGIN_DECLS

typedef struct
{
  guint64 first, last, step; /* first <= last, step >= 1 */
  gboolean is_range;         /* written as one */
} WpRange;

/* The words of VALUE of OPTION, at least one, none empty, all different, not checked further. NULL:
 * all has been said. Free with g_strfreev(). */
GStrv wp_cli_parse_words (const WpCommand *command, const gchar *option, const gchar *value);

/* Reads VALUE of OPTION, numbers of MIN .. MAX; each item in the order in which it is written.
 * NULL: all has been said. Of WpRange; free with g_array_unref(). */
GArray *wp_cli_parse_ranges (const WpCommand *command, const gchar *option, const gchar *value,
                             guint64 min, guint64 max);

/* The same of addresses, of 64 bits, which may be hexadecimal: "0x1000,0x1080", "0-0x7c/4". */
GArray *wp_cli_parse_addresses (const WpCommand *command, const gchar *option, const gchar *value);

/* How many numbers RANGES have, the same one counted as often as it is written; G_MAXUINT64 if more
 * than fit. */
guint64 wp_ranges_count (const GArray *ranges);

/* The numbers of RANGES as they are written, of guint64. So much memory as they are many: count
 * them first. */
GArray *wp_ranges_list (const GArray *ranges);

G_END_DECLS
