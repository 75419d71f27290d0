/* SPDX-License-Identifier: MIT */
/* Options that several commands take, and the checks of their values. Each check says itself what is wrong. */
#pragma once

#include "cli/commands.h"
#include "sim/wp-policy.h"
#include "sim/wp-resolve.h"

G_BEGIN_DECLS

/* The launch in place of the kernel's, as written; NULL: as the kernel has it. */
typedef struct
{
  gchar *blocks, *threads, *registers, *shared_memory;
} WpLaunchOptions;

void wp_launch_options_clear (WpLaunchOptions *launch);

/* Their entries in a command's table, for LAUNCH, a WpLaunchOptions. */
#define WP_LAUNCH_ENTRIES(launch)                                                                  \
  { "blocks",                                                                                      \
    0,                                                                                             \
    0,                                                                                             \
    G_OPTION_ARG_FILENAME,                                                                         \
    &(launch)->blocks,                                                                             \
    "Blocks to launch, in place of the kernel's",                                                  \
    "N" },                                                                                         \
      WP_BLOCK_ENTRIES (launch)

/* Of them those that say what a block is. */
#define WP_BLOCK_ENTRIES(launch)                                                                       \
  { "threads", 0, 0, G_OPTION_ARG_FILENAME, &(launch)->threads, "Threads per block", "N" },            \
      { "registers", 0, 0, G_OPTION_ARG_FILENAME, &(launch)->registers, "Registers per thread", "N" }, \
  {                                                                                                    \
    "shared-memory", 0, 0, G_OPTION_ARG_FILENAME, &(launch)->shared_memory,                            \
        "Bytes of shared memory per block", "N"                                                        \
  }

#define WP_GPU_ENTRY(gpu)                                                                          \
  {                                                                                                \
    "gpu", 0, 0, G_OPTION_ARG_FILENAME, gpu,                                                       \
        "GPU description: a file, or the name of a shipped one", "GPU"                             \
  }

/* Reads them into OPTIONS; what was not said stays. */
gboolean wp_cli_parse_launch (const WpCommand *command, const WpLaunchOptions *launch,
                              WpRunOptions *options);

/* VALUE, a whole number of MIN .. MAX, into NUMBER, which stays where VALUE is NULL. */
gboolean wp_cli_parse_count (const WpCommand *command, const gchar *option, const gchar *value,
                             guint64 min, guint64 max, gint64 *number);

/* VALUE is the first or the second of two words; left out, it is the first. */
gboolean wp_cli_parse_choice (const WpCommand *command, const gchar *option, const gchar *value,
                              const gchar *first, const gchar *second, gboolean *is_second);

/* The policy of that NAME (NULL: rr), or NULL. */
const WpPolicy *wp_cli_find_policy (const WpCommand *command, const gchar *name);

/* SETTINGS (NULL: none) are NAME=VALUE, each name once; whether the kernel has such a parameter is for its reader to
 * say. */
gboolean wp_cli_check_settings (const WpCommand *command, gchar *const *settings);

/* FILES is one KERNEL, and GPU is given. */
gboolean wp_cli_check_kernel_and_gpu (const WpCommand *command, gchar **files, const gchar *gpu);

G_END_DECLS
