/* SPDX-License-Identifier: MIT */
/* The table of commands, and what they share. A command is one file, cmd-NAME.c, and a line in
 * cli.c. */
#pragma once

#include "cli/common/cli.h"
#include "idg/kernel/idg-kernel.h"
#include "sim/gpu/wp-capability.h"

typedef struct
{
  const gchar *name;
  const gchar *arguments; /* "KERNEL --gpu GPU" */
  const gchar *summary;   /* a line */
  const gchar *details;   /* more, for --help; or NULL */
  /* ARGV: the command's own, ARGV[0] its name. */
  WpExit (*run) (gchar **argv, guint64 max_issues);
} WpCommand;

extern const WpCommand wp_command_run, wp_command_bounds, wp_command_occupancy, wp_command_models,
    wp_command_explain, wp_command_sweep, wp_command_compare, wp_command_diff, wp_command_list,
    wp_command_validate, wp_command_show, wp_command_import, wp_command_coalesce;

/* The I-th command, or NULL past the last. */
const WpCommand *wp_command_get (gsize i);

/* Takes ENTRIES out of ARGV (a copy is made; FILES gets what is left, without ARGV[0], free with
 * g_strfreev()). Understands --help and -h. True to go on; else STATUS is what to exit with, and
 * all has been said. */
gboolean wp_cli_parse (const WpCommand *command, const GOptionEntry *entries, gchar **argv,
                       GStrv *files, WpExit *status);

/* MESSAGE on one line and in UTF-8, whatever the names in it are made of. Free with g_free(). */
gchar *wp_cli_make_printable (const gchar *message);

/* Says "warpipe: MESSAGE" on standard error. */
void wp_cli_complain (const gchar *format, ...) G_GNUC_PRINTF (1, 2);

/* The same for the command line, with a pointer to COMMAND's --help; returns WP_EXIT_USAGE. */
WpExit wp_cli_usage (const WpCommand *command, const gchar *format, ...) G_GNUC_PRINTF (2, 3);

/* Says ERROR and returns the exit status that goes with it. */
WpExit wp_cli_fail (const GError *error);

/* Reads VALUE as a whole number of MIN .. MAX for OPTION. False: all has been said. */
gboolean wp_cli_parse_number (const WpCommand *command, const gchar *option, const gchar *value,
                              guint64 min, guint64 max, guint64 *number);

/* ---- Shipped descriptions: cli-data.c ---- */

typedef enum
{
  WP_DATA_GPUS,
  WP_DATA_KERNELS
} WpDataKind;

/* Where shipped descriptions of KIND are sought, in order; NULL-terminated, free with g_strfreev().
 */
gchar **wp_data_get_folders (WpDataKind kind);

/* The path of what NAME means: a file if there is one of that name or NAME has a slash or ends in
 * ".xml", else the shipped description of that name; NULL with ERROR that lists the nearest. Free
 * with g_free(). */
gchar *wp_data_find (WpDataKind kind, const gchar *name, GError **error);

/* Paths of all shipped descriptions of KIND, by name. Free with g_strfreev(). */
gchar **wp_data_list (WpDataKind kind);

WpGpu *wp_data_load_gpu (const gchar *name, GError **error);
/* The shipped table of limits by compute capability; free with g_ptr_array_unref(). */
GPtrArray *wp_data_load_capabilities (GError **error);
IdgKernel *wp_data_load_kernel (const gchar *name, const gchar *const *settings, GError **error);
