/* SPDX-License-Identifier: MIT */
/* Executes a file with device code for a command: options in their words, notes, progress, and the
 * files that --dump asks for. */
#pragma once

#include "idg/kernel/idg-kernel.h"
#include "run/base/import-options.h"
#include "sim/gpu/wp-resolve.h"

G_BEGIN_DECLS

/* Whether the file at PATH is executed, with IMPORT's launches: CUDA source and machine code always
 * (it takes --launch), PTX where there is a launch and an assembler for it. */
gboolean wp_execute_is_for (const gchar *path, const WpImportOptions *import);

/* The first of IMPORT's options that are for such files alone, NULL: none is given. */
const gchar *wp_execute_find_given (const WpImportOptions *import);

/* Whether the file at PATH is PTX that IMPORT would have executed, were there ptxas on the PATH;
 * and the sizes of its last launch. FALSE with ERROR where that is wrong. */
gboolean wp_execute_lacks_assembler (const gchar *path, const WpImportOptions *import);
gboolean wp_execute_read_sizes (const gchar *path, const WpImportOptions *import, guint grid[3],
                                guint block[3], GError **error);

/* The kernel of the launch that IMPORT asks for: the last one, or the one that --kernel names by
 * its number, after all others. SETTINGS ("NAME=VALUE", NULL-terminated; NULL: none) are what $NAME
 * is; each has to be used. NULL with ERROR. */
IdgKernel *wp_execute_kernel (const gchar *path, gchar *const *settings,
                              const WpImportOptions *import, const WpRunOptions *options,
                              GError **error);

/* What the file of KERNEL asks for by its <execute>, with the parameters that KERNEL has: a kernel
 * of its name. IMPORT may add data and limits. NULL with ERROR. */
IdgKernel *wp_execute_file (const IdgKernel *kernel, const WpImportOptions *import,
                            const WpRunOptions *options, GError **error);

G_END_DECLS
