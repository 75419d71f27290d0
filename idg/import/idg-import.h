/* SPDX-License-Identifier: MIT */
/* Imports kernels from what the tools of the field print: PTX, SASS listings, traces. Each format
 * has its own front end (idg/import/ptx, sass, accel); these functions choose the right one. */
#pragma once

#include "idg/import/base/idg-import-options.h"

G_BEGIN_DECLS

/* Returns the kernel in the file at PATH, read by the front end that recognizes its format (the
 * list is in idg-import.c; kernel.xml is not among them). Returns NULL with an error of IDG_ERROR
 * that reads "FILE:LINE: what is wrong; what would have been right". Free with idg_kernel_free().
 */
IDG_API IdgKernel *idg_import_load (const gchar *path, IdgImport *import, GError **error);

/* Returns the format of the file at PATH, "ptx", "sass" or "trace", judged by its name and its
 * first bytes. Returns NULL if no front end recognizes it; it may still be a kernel.xml. Static. */
IDG_API const gchar *idg_import_recognize (const gchar *path);

G_END_DECLS
