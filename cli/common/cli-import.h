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

/* Adds their options to TABLE: those of an import; those of any kernel, which are --set and the
 * same. */
void wp_cli_add_import_options (WpOptionTable *table, WpImportOptions *import);
void wp_cli_add_kernel_options (WpOptionTable *table, gchar ***settings, WpImportOptions *import);

/* False, with what is wrong printed, where IMPORT has a --dump: COMMAND executes the kernel several
 * times, and each time would overwrite the file. */
gboolean wp_cli_check_no_dump (const WpCommand *command, const WpImportOptions *import);

/* A copy of IMPORT, whose strings it borrows, that prints notes, and shows progress on a terminal.
 * PROGRESS is set; it must live as long as the copy. For functions of run/ that load kernels. */
WpImportOptions wp_import_options_make_loud (const WpImportOptions *import, WpProgress *progress);

/* As wp_data_load_gpu(); which GPU was taken is printed. */
WpGpu *wp_cli_load_gpu (const gchar *name, GError **error);

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
