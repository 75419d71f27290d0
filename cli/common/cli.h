/* SPDX-License-Identifier: MIT */
/* What all commands share: exit statuses, messages, the reading of options. */
#pragma once

#include "cli/common/cli-command.h"
#include "cli/common/cli-table.h"

G_BEGIN_DECLS

/* Takes the options of TABLE, and --help and -h, out of ARGV (a copy is made; FILES gets what is
 * left, without ARGV[0], free with g_strfreev()). True to go on; else STATUS is what to exit with,
 * and help or an error has been printed. */
gboolean wp_cli_parse (const WpCommand *command, const WpOptionTable *table, gchar **argv,
                       GStrv *files, WpExit *status);

/* Prints "warpipe: MESSAGE" on standard error. */
void wp_cli_complain (const gchar *format, ...) G_GNUC_PRINTF (1, 2);

/* The same for the command line, with a pointer to COMMAND's --help; returns WP_EXIT_USAGE. */
WpExit wp_cli_usage (const WpCommand *command, const gchar *format, ...) G_GNUC_PRINTF (2, 3);

/* Prints ERROR and returns the exit status that goes with it. */
WpExit wp_cli_fail (const GError *error);

/* Reads VALUE as a whole number of MIN .. MAX for OPTION. False: an error has been printed. */
gboolean wp_cli_parse_number (const WpCommand *command, const gchar *option, const gchar *value,
                              guint64 min, guint64 max, guint64 *number);

G_END_DECLS
