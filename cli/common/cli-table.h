/* SPDX-License-Identifier: MIT */
/* The table of a command's options, filled option by option in the order in which --help prints
 * them. All strings but the addresses' contents are borrowed, and must live as long as the table.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct WpOptionTable WpOptionTable;

WpOptionTable *wp_option_table_new (void);
void wp_option_table_free (WpOptionTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpOptionTable, wp_option_table_free)

/* --NAME ARGUMENT. *VALUE becomes the argument as written, free with g_free(); it stays where the
 * option is left out. TEXT describes the option in a line. */
void wp_options_add (WpOptionTable *table, const gchar *name, gchar **value, const gchar *text,
                     const gchar *argument);

/* The same with -LETTER for short. */
void wp_options_add_letter (WpOptionTable *table, const gchar *name, gchar letter, gchar **value,
                            const gchar *text, const gchar *argument);

/* The same of an option that may be given several times: *VALUES is NULL-terminated, free with
 * g_strfreev(). */
void wp_options_add_list (WpOptionTable *table, const gchar *name, gchar ***values,
                          const gchar *text, const gchar *argument);

/* --NAME, which takes no argument and sets *FLAG. */
void wp_options_add_flag (WpOptionTable *table, const gchar *name, gboolean *flag,
                          const gchar *text);

/* What was added so far, with a null entry behind it; borrowed until more is added. */
const GOptionEntry *wp_option_table_get_entries (const WpOptionTable *table);

G_END_DECLS
