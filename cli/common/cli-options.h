/* SPDX-License-Identifier: MIT */
/* Options that several commands take, and the checks of their values. Each check prints itself what
 * is wrong. */
#pragma once

#include "cli/common/cli.h"
#include "run/base/dims.h"
#include "sim/engine/policy/wp-policy.h"
#include "sim/gpu/wp-resolve.h"

G_BEGIN_DECLS

#define WP_MAX_CORES 1024 /* of --cores, so that a slip of the finger starts no million threads */

/* The launch that replaces the kernel's, as written; NULL: the kernel's own. */
typedef struct
{
  gchar *blocks, *grid, *threads, *registers, *shared_memory;
} WpLaunchOptions;

void wp_launch_options_clear (WpLaunchOptions *launch);

/* Adds their options to TABLE: all of them, or those of a block. */
void wp_cli_add_launch_options (WpOptionTable *table, WpLaunchOptions *launch);
void wp_cli_add_block_options (WpOptionTable *table, WpLaunchOptions *launch);

/* Adds --gpu, for one GPU, and --gpu-set; GPU_SETS is NULL until that is given, free with
 * g_strfreev().
 */
void wp_cli_add_gpu_option (WpOptionTable *table, gchar **gpu, gchar ***gpu_sets);
/* --gpu-set alone. */
void wp_cli_add_gpu_set_option (WpOptionTable *table, gchar ***gpu_sets);

/* Each adds one option: --occupancy, one number; --order; --no-limits. */
void wp_cli_add_occupancy_option (WpOptionTable *table, gchar **occupancy);
void wp_cli_add_order_option (WpOptionTable *table, gchar **order);
void wp_cli_add_no_limits_option (WpOptionTable *table, gboolean *no_limits);

/* Reads them into OPTIONS; what was not given stays. False: an error has been printed. */
gboolean wp_cli_parse_launch (const WpCommand *command, const WpLaunchOptions *launch,
                              WpRunOptions *options);

/* How and where a kernel is simulated, as written, and what of it WpRunOptions does not hold. */
typedef struct
{
  gchar *policy_name, *active_set, *order, *memory, *seed, *cores;
  gchar **policy_settings; /* --policy-set */
  gboolean no_limits;
  GPtrArray *policies; /* owns `policy`; NULL: none has been read */
  const WpPolicy *policy;
  guint max_cores;
} WpMachineOptions;

void wp_machine_options_clear (WpMachineOptions *machine);

/* Adds their options to TABLE; SEED_TEXT and SEED_ARGUMENT describe --seed. */
void wp_cli_add_machine_options (WpOptionTable *table, WpMachineOptions *machine,
                                 const gchar *seed_text, const gchar *seed_argument);

/* Reads them into MACHINE and OPTIONS. False: an error has been printed. */
gboolean wp_cli_parse_machine (const WpCommand *command, WpMachineOptions *machine,
                               WpRunOptions *options);

/* Reads VALUE, a whole number of MIN .. MAX, into NUMBER, which stays where VALUE is NULL. False,
 * here and below: an error has been printed. */
gboolean wp_cli_parse_count (const WpCommand *command, const gchar *option, const gchar *value,
                             guint64 min, guint64 max, gint64 *number);

/* Reads VALUE, as "0.5%", above 0 and below 100, into SHARE: 0.005. */
gboolean wp_cli_parse_percent (const WpCommand *command, const gchar *option, const gchar *value,
                               gdouble *share);

/* Reads VALUE of --threads or of --grid, OPTION, into NUMBER and SIZES, which stay where VALUE is
 * NULL. */
gboolean wp_cli_parse_dims (const WpCommand *command, const gchar *option, const gchar *value,
                            WpDimsKind kind, gint64 *number, guint64 *sizes);

/* Reads VALUE of --cores; NULL: all cores that there are. */
gboolean wp_cli_parse_cores (const WpCommand *command, const gchar *value, gint64 *cores);

/* Of --sms, where SMs are simulated. */
#define WP_CLI_SMS_HELP                                                                            \
  "SMs to simulate; when left out 1, or as many as share a pipeline that the kernel uses"

/* Reads --sms VALUE, a number or "all", into SMS as WpRunOptions has it; NULL leaves it. */
gboolean wp_cli_parse_sms (const WpCommand *command, const gchar *value, gint64 *sms);

/* Checks that VALUE is FIRST or SECOND; NULL means FIRST. */
gboolean wp_cli_parse_choice (const WpCommand *command, const gchar *option, const gchar *value,
                              const gchar *first, const gchar *second, gboolean *is_second);

/* Reads --memory VALUE; NULL leaves it to the kernel. */
gboolean wp_cli_parse_memory (const WpCommand *command, const gchar *value, WpMemoryMode *memory);

/* How to print a report of several runs. */
typedef enum
{
  WP_FORMAT_TEXT,
  WP_FORMAT_CSV,
  WP_FORMAT_JSON
} WpFormat;

/* Reads VALUE of --format; NULL: text. */
gboolean wp_cli_parse_format (const WpCommand *command, const gchar *value, WpFormat *format);

/* Adds --policy-set, of several values each if SEVERAL. */
void wp_cli_add_policy_set_option (WpOptionTable *table, gchar ***settings, gboolean several);

/* The policies called NAMES (NULL: rr) with SETTINGS, as wp_policies_read(); free with
 * g_ptr_array_unref(). NULL: an error has been printed. */
GPtrArray *wp_cli_read_policies (const WpCommand *command, gchar *const *names,
                                 gchar *const *settings, gboolean several);

/* Checks that SETTINGS (NULL: none) are NAME=VALUE, each name once. The kernel's reader checks that
 * there is such a parameter. */
gboolean wp_cli_check_settings (const WpCommand *command, gchar *const *settings);

/* Puts what GPU_SETS (NULL: nothing) say into GPU (--gpu, NULL: not given): with "sms=8,16",
 * "gtx980" becomes "gtx980{sms=8},gtx980{sms=16}", as wp_data_load_gpu() takes each of them. False
 * where a value is missing, or several are given though SEVERAL is FALSE. */
gboolean wp_cli_set_gpus (const WpCommand *command, gchar **gpu, gchar *const *gpu_sets,
                          gboolean several);

/* Checks that FILES is one KERNEL, and that GPU is given; then as wp_cli_set_gpus(). */
gboolean wp_cli_check_kernel_and_gpu (const WpCommand *command, gchar **files, gchar **gpu,
                                      gchar *const *gpu_sets, gboolean several);

/* The same of several kernels, which KERNELS receives (wp_data_expand_kernels()). STATUS is what to
 * exit with where it is false. */
gboolean wp_cli_check_kernels_and_gpu (const WpCommand *command, gchar **files, gchar ***kernels,
                                       gchar **gpu, gchar *const *gpu_sets, WpExit *status);

G_END_DECLS
