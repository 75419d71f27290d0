/* SPDX-License-Identifier: MIT */
/* Loads what a simulation is made of: GPUs by name or file, and kernels from a kernel.xml or by
 * import from what other tools print. Errors are of WP_ERROR and IDG_ERROR.
 */
#pragma once

#include "idg/import/idg-import.h"
#include "run/base/data.h"
#include "run/base/note.h"
#include "run/base/progress.h"
#include "sim/gpu/wp-resolve.h"

G_BEGIN_DECLS

/* How to import a file, in the words of the options of warpipe run, and who hears its notes. Zeros:
 * with defaults, silently. Strings are owned (wp_import_options_clear()). */
typedef struct
{
  gchar *entry, *kernel;                 /* --entry, --kernel: which one of several */
  gchar *ptxas_log, *banks;              /* --ptxas-log, --banks */
  gchar **trips, **branches, **contexts; /* --trip, --branch, --context: NULL-terminated */
  gchar **launches, **data, **dumps;     /* --launch, --data, --dump: of what is executed */
  gchar *nvcc;                           /* --nvcc: options of the compiler */
  gchar *execute_limit;                  /* --execute-limit: warp instructions */
  gboolean compiler_waits;               /* --compiler-waits */
  gboolean strict;                       /* an instruction that nobody knows is an error */
  WpNoteFunc note;                       /* hears what an import had to assume; or NULL */
  gpointer note_data;
  GDestroyNotify free_note_data; /* or NULL */
  const WpProgress *progress;    /* of the lines that are read, borrowed; or NULL */
  const WpGpu *gpu; /* that the kernel is for, borrowed; or NULL: messages say how to compile for it
                     */
} WpImportOptions;

void wp_import_options_clear (WpImportOptions *import);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WpImportOptions, wp_import_options_clear)

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
