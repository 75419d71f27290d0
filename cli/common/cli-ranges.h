/* SPDX-License-Identifier: MIT */
/* Lists as options take them: of words, "rr,gto"; of whole numbers, "32", "1-48", "4-64/4" (every
 * fourth from 4 on), "1,2,8-16". Each function prints itself what is wrong.
 */
#pragma once

#include "cli/common/cli.h"
#include "run/base/dims.h"

G_BEGIN_DECLS

/* The words of VALUE of OPTION: at least one, none empty, all different, not checked further. Free
 * with g_strfreev(). NULL after an error. */
GStrv wp_cli_parse_words (const WpCommand *command, const gchar *option, const gchar *value);

/* The numbers of VALUE of OPTION, each of MIN .. MAX, all different, in the order in which they are
 * written; of WpRange, free with g_array_unref(). NULL after an error. */
GArray *wp_cli_parse_ranges (const WpCommand *command, const gchar *option, const gchar *value,
                             guint64 min, guint64 max);

/* The same, for a caller who takes what is there twice once. */
GArray *wp_cli_parse_set (const WpCommand *command, const gchar *option, const gchar *value,
                          guint64 min, guint64 max);

/* The same of --threads (WP_DIMS_BLOCK) or --grid (WP_DIMS_GRID), where sizes may be in the list,
 * too: "256,16x16". */
GArray *wp_cli_parse_dims_list (const WpCommand *command, const gchar *option, const gchar *value,
                                WpDimsKind kind);

/* The list of --blocks BLOCKS, or that of --grid GRID, whichever is not NULL; both must be alike.
 */
GArray *wp_cli_parse_blocks_list (const WpCommand *command, const gchar *blocks, const gchar *grid);

/* The same of addresses, of 64 bits, which may be hexadecimal: "0x1000,0x1080", "0-0x7c/4". */
GArray *wp_cli_parse_addresses (const WpCommand *command, const gchar *option, const gchar *value);

G_END_DECLS
