/* SPDX-License-Identifier: MIT */
/* Options of commands that import kernels. What an import had to assume is printed on standard
 * error, and its progress is shown on a terminal.
 */
#pragma once

#include "cli/common/cli-options.h"
#include "run/base/load.h"

G_BEGIN_DECLS

/* Prints each note of IMPORT once, where a kernel is loaded several times. */
void wp_import_options_remember (WpImportOptions *import);

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

/* A copy of IMPORT, whose strings it borrows, that prints notes, and shows progress on a terminal.
 * PROGRESS is set; it must live as long as the copy. For functions of run/ that load kernels. */
WpImportOptions wp_import_options_make_loud (const WpImportOptions *import, WpProgress *progress);

/* As wp_load_kernel(), wp_load() and wp_load_import(); notes are printed. */
IdgKernel *wp_cli_load_kernel (const gchar *name, gchar *const *settings,
                               const WpImportOptions *import, const WpRunOptions *launch,
                               GError **error);
gboolean wp_cli_load (const gchar *gpu_name, const gchar *kernel_name, gchar *const *settings,
                      const WpImportOptions *import, const WpRunOptions *launch, WpGpu **gpu,
                      IdgKernel **kernel, GError **error);
IdgKernel *wp_cli_import (const gchar *path, const WpImportOptions *import,
                          const WpRunOptions *launch, GError **error);

G_END_DECLS
