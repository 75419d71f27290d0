/* SPDX-License-Identifier: MIT */
/* Lists as options take them: of words, "rr,gto"; of whole numbers, "32", "1-48", "4-64/4" (every
 * fourth from 4 on), "1,2,8-16". Errors (WP_ERROR_OPTION) begin with the list in quotes, so that
 * callers can put the option before it.
 */
#pragma once

#include "run/base/ranges.h"

G_BEGIN_DECLS

/* The words of VALUE: at least one, none empty, all different. Free with g_strfreev(). NULL with
 * ERROR. O(length). */
GStrv wp_list_parse_words (const gchar *value, GError **error);

/* The first of ITEMS (NULL at the end) that has come before; NULL: all differ. O(length). */
const gchar *wp_list_find_twice (gchar *const *items);

/* The numbers of VALUE, each of MIN .. MAX, in the order in which they are written; of WpRange,
 * free with g_array_unref(). NULL with ERROR. */
GArray *wp_list_parse_numbers (const gchar *value, guint64 min, guint64 max, GError **error);

/* Whether a number is twice in RANGES, and which is in *NUMBER. O(n log n) for n ranges, and the
 * pairs of those that overlap. */
gboolean wp_list_find_number_twice (const GArray *ranges, guint64 *number);

/* The same of addresses, of 64 bits, which may be hexadecimal: "0x1000,0x1080", "0-0x7c/4". */
GArray *wp_list_parse_addresses (const gchar *value, GError **error);

G_END_DECLS
