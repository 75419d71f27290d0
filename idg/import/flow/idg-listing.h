/* SPDX-License-Identifier: MIT */
/* Private: what a listing becomes. */
#pragma once

#include "idg/import/base/idg-import-options.h"
#include "idg/import/flow/idg-code.h"

G_BEGIN_DECLS

/* The kernel that CODE is when it runs as IMPORT says: loops counted, branches decided, dependences
 * found by register, launch filled in. What has to be assumed goes to the notes of IMPORT. NULL with
 * ERROR. O(n log n) in the instructions of the programs. */
IdgKernel *idg_code_to_kernel (const IdgCode *code, IdgImport *import, GError **error);

G_END_DECLS
