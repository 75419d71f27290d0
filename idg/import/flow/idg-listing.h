/* SPDX-License-Identifier: MIT */
/* Private: turns a listing into a kernel. */
#pragma once

#include "idg/import/base/idg-import-options.h"
#include "idg/import/flow/idg-code.h"

G_BEGIN_DECLS

/* Returns the kernel of CODE under the hints of IMPORT: with its loops counted, its branches
 * decided, its dependences found from registers and its launch filled in. What has to be assumed
 * becomes a note of IMPORT. Returns NULL with ERROR on failure. O(n log n) in the instructions of
 * the programs. */
IdgKernel *idg_code_to_kernel (const IdgCode *code, IdgImport *import, GError **error);

G_END_DECLS
