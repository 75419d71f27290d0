/* SPDX-License-Identifier: MIT */
/* From a file with device code and launches in the words of host code to kernels: what `warpipe run
 * k.cu --launch ...` does before anything is simulated.
 *
 * The file is CUDA source (nvcc makes machine code of it), PTX (ptxas does), a cubin, a fat binary,
 * or a program, library or object that holds one. Its launches run one after the other on the same
 * memory, and each becomes a kernel. */
#pragma once

#include "exec/memory/wp-memory.h"
#include "exec/wp-execute-options.h"
#include "idg/kernel/idg-kernel.h"

G_BEGIN_DECLS

typedef struct
{
  WpMemory *memory;   /* as the last launch left it */
  GPtrArray *kernels; /* of IdgKernel, one for each launch */
} WpExecution;

/* Does all that. NULL with an error of IDG_ERROR ("FILE:LINE: ...", "--launch 'TEXT': ...", "--data
 * 'TEXT': ..."), or G_IO_ERROR_CANCELLED. Free with wp_execution_free(). */
WpExecution *wp_execute (const WpExecuteOptions *options, GError **error);
void wp_execution_free (WpExecution *execution);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpExecution, wp_execution_free)

G_END_DECLS
