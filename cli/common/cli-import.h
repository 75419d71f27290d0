/* SPDX-License-Identifier: MIT */
/* Kernels as commands get them: from a kernel.xml, or by import from what other tools print. */
#pragma once

#include "cli/common/cli-options.h"
#include "idg/import/idg-import.h"

G_BEGIN_DECLS

/* What may be said of a file that is imported, as written. */
typedef struct
{
  gchar *entry, *kernel, *ptxas_log, *banks;
  gchar **trips, **branches, **contexts;
  gboolean strict; /* an instruction that nobody knows is an error */
  GHashTable
      *said; /* of gchar: notes that have been said (wp_import_options_remember()), or NULL */
} WpImportOptions;

/* Where a kernel is loaded several times: says each note once. */
void wp_import_options_remember (WpImportOptions *import);
void wp_import_options_clear (WpImportOptions *import);

/* Their entries, for IMPORT, a WpImportOptions. */
#define WP_IMPORT_ENTRIES(import)                                                                  \
  { "entry",                                                                                       \
    0,                                                                                             \
    0,                                                                                             \
    G_OPTION_ARG_FILENAME,                                                                         \
    &(import)->entry,                                                                              \
    "Of a file to import with several kernels: this one",                                          \
    "NAME" },                                                                                      \
      { "kernel",                                                                                  \
        0,                                                                                         \
        0,                                                                                         \
        G_OPTION_ARG_FILENAME,                                                                     \
        &(import)->kernel,                                                                         \
        "Of a trace with several kernels: the one with this number",                               \
        "ID" },                                                                                    \
      { "trip",                                                                                    \
        0,                                                                                         \
        0,                                                                                         \
        G_OPTION_ARG_FILENAME_ARRAY,                                                               \
        &(import)->trips,                                                                          \
        "The loop that begins at LABEL runs N times (all=N: every other one)",                     \
        "LABEL=N" },                                                                               \
      { "branch",                                                                                  \
        0,                                                                                         \
        0,                                                                                         \
        G_OPTION_ARG_FILENAME_ARRAY,                                                               \
        &(import)->branches,                                                                       \
        "The branch to LABEL is taken, not, or both (:0-3: by these warps)",                       \
        "LABEL=HOW" },                                                                             \
      { "context",                                                                                 \
        0,                                                                                         \
        0,                                                                                         \
        G_OPTION_ARG_FILENAME_ARRAY,                                                               \
        &(import)->contexts,                                                                       \
        "The instruction on LINE of the listing runs in this context",                             \
        "LINE=NAME" },                                                                             \
      { "ptxas-log",                                                                               \
        0,                                                                                         \
        0,                                                                                         \
        G_OPTION_ARG_FILENAME,                                                                     \
        &(import)->ptxas_log,                                                                      \
        "Registers and shared memory from what ptxas -v printed",                                  \
        "FILE" },                                                                                  \
  {                                                                                                \
    "banks", 0, 0, G_OPTION_ARG_FILENAME, &(import)->banks,                                        \
        "Shared memory of a trace: banks and bytes of each; 32x4 when left out", "32x4|16x4|32x8"  \
  }

/* The kernel that NAME means: a shipped one or a kernel.xml, its parameters set by SETTINGS; or a
 * file to import, with IMPORT. OPTIONS (may be NULL) has the launch that was asked for. What the
 * import had to assume is said on standard error, once where IMPORT remembers it. NULL with ERROR.
 */
IdgKernel *wp_cli_load_kernel (const gchar *name, gchar *const *settings,
                               const WpImportOptions *import, const WpRunOptions *options,
                               GError **error);

/* The same, and the GPU that GPU_NAME means, into GPU and KERNEL. */
gboolean wp_cli_load (const gchar *gpu_name, const gchar *kernel_name, gchar *const *settings,
                      const WpImportOptions *import, const WpRunOptions *options, WpGpu **gpu,
                      IdgKernel **kernel, GError **error);

/* The same, of a file that is imported at PATH. */
IdgKernel *wp_cli_import (const gchar *path, const WpImportOptions *import,
                          const WpRunOptions *options, GError **error);

G_END_DECLS
