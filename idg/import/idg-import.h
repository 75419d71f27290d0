/* SPDX-License-Identifier: MIT */
/* Kernels from what the tools of the field print: PTX, SASS listings, traces. Each format has a
 * front end of its own (idg/import/ptx, sass, accel); this is the door to all of them. */
#pragma once

#include "idg/import/base/idg-import-options.h"

G_BEGIN_DECLS

/* The kernel in the file at PATH, by the front end that knows its format (idg-frontend.h has the
 * list; kernel.xml is not one of them). Errors are of IDG_ERROR and read "FILE:LINE: what is wrong;
 * what would have been right". */
IDG_API IdgKernel *idg_import_load (const gchar *path, IdgImport *import, GError **error);

/* The name of the format of the file at PATH ("ptx", "sass", "trace"), by its name and its first
 * bytes; NULL if no front end knows it (then it is a kernel.xml, or nothing). Static. */
IDG_API const gchar *idg_import_recognize (const gchar *path);

G_END_DECLS
