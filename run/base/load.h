/* SPDX-License-Identifier: MIT */
/* Loads what a simulation is made of: GPUs by name or file, and kernels from a kernel.xml or by
 * import from what other tools print. Errors are of WP_ERROR and IDG_ERROR.
 */
#pragma once

#include "idg/import/idg-import.h"
#include "run/base/data.h"
#include "run/base/import-options.h"
#include "sim/gpu/wp-resolve.h"

G_BEGIN_DECLS

/* The kernel that NAME means: a shipped one or a kernel.xml, its parameters set by SETTINGS
 * ("NAME=VALUE", NULL-terminated; NULL: none); or a file to import. LAUNCH (may be NULL) has the
 * launch that was asked for. What was assumed of addresses is a note, also of a kernel.xml that an
 * import wrote. Free with idg_kernel_free(). NULL with ERROR. */
IdgKernel *wp_load_kernel (const gchar *name, gchar *const *settings, const WpImportOptions *import,
                           const WpRunOptions *launch, GError **error);

/* The same, and the GPU that GPU_NAME means, into GPU and KERNEL. False with ERROR; either may be
 * set even then, for the caller to free. */
gboolean wp_load (const gchar *gpu_name, const gchar *kernel_name, gchar *const *settings,
                  const WpImportOptions *import, const WpRunOptions *launch, WpGpu **gpu,
                  IdgKernel **kernel, GError **error);

/* The kernel in the file at PATH, which is imported. NULL with ERROR. */
IdgKernel *wp_load_import (const gchar *path, const WpImportOptions *import,
                           const WpRunOptions *launch, GError **error);

G_END_DECLS
